"""`referee bench still`: tables on which nothing moves, filmed, and read as a live match is."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import cv2
import numpy as np

from referee import app
from referee.app.pipeline import TableWatch
from referee.commands import FINE, print_json, tell, wide_help
from referee.commands._reading import add_reader_options
from referee.simulate.cards import POKER_DECK
from referee.simulate.scene import Scene, Studio, TableCard, resting_height_mm
from referee.simulate.staging import SIZES, Filming, studio
from referee.simulate.table import TableRenderer
from referee.simulate.truth import CardTruth
from referee.table.layout import plan
from referee.table.view import Lens, TableView, view_of
from referee.values import CardRead, TablePlan
from referee.vision.detect import Reader
from referee.vision.frames import Frame

EPILOG = """example:
  referee bench still --tables 25
  referee bench still --tables 700 --first 1000 --json     30,000 cards, for the wrong ones

Each table has its own cloth, lamp, camera, sensor, decks and cards: alone, in rows, cascades and
fans, at any turn. The sensor's noise, the lamp's flicker and the exposure change from frame to
frame. What is believed after so many seconds is compared with what lies there. Counted are the
cards of which an index of 14 pixels or more lies uncovered; `misplaced` are names said more than
20 mm from where the card lies, `wrong` names that no card has within a card's length."""

FPS = 30
GAME, SEATS = "nerves", ("A", "B")
# An index that shows so much, and is so high, can be read.
SHOWN, HEIGHT_PX = 0.97, 14.0
NEAR_MM, AROUND_MM = 20.0, 90.0
# Groups lie so far apart that no card covers another group's.
APART_MM, EDGE_MM, TRIES = 112.0, 62.0, 400
# A step of a row, a cascade and a fan, in millimetres across and up the card; the last card lies
# on top, so cascades grow downwards and fans to the right.
STEPS_MM = {"row": (76.0, 0.0), "cascade": (0.0, -24.0), "fan": (20.0, 0.0)}
OFF_MM, ASKEW_DEG = 1.5, 2.5


@dataclass(frozen=True, slots=True)
class Counted:
    """What one table, or all of them, gave: cards with a readable index, and names said."""

    tables: int = 0
    cards: int = 0
    right: int = 0
    misplaced: int = 0
    named: int = 0
    wrong: int = 0

    def __add__(self, other: Counted) -> Counted:
        """Return the counts of both."""
        return Counted(*(getattr(self, k) + getattr(other, k) for k in self.__slots__))


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "still",
        help="what is believed of a still table after a second",
        description="Film still tables and compare what is believed with what lies there.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--tables", metavar="N", type=int, default=10, help="how many (default 10)")
    parser.add_argument("--first", metavar="N", type=int, default=1, help="the first one's number")
    parser.add_argument("--cards", metavar="N", type=int, default=36, help="on each (default 36)")
    parser.add_argument("--seconds", metavar="S", type=float, default=1.0, help="of film")
    parser.add_argument("--size", choices=sorted(SIZES), default="1080p")
    parser.add_argument(
        "--strength", type=float, default=1.0, help="0 a perfect camera, 1 a usual, 2 a bad one"
    )
    parser.add_argument("--worst", action="store_true", help="name what was wrong or unread")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Film and count. Raises BadInput."""
    reader = app.open_reader(args.models, args.threads, "suited", args.language, quick=True)
    cv2.setNumThreads(args.threads)
    total = Counted()
    for number in range(args.first, args.first + max(1, args.tables)):
        filming = Filming(*SIZES[args.size], FPS, number, args.strength)
        total += counted(reader, filming, args)
        if not args.json:
            show(total, False)
    if args.json:
        show(total, True)
    return FINE


def counted(reader: Reader, filming: Filming, args: argparse.Namespace) -> Counted:
    """Film one table and count."""
    table = plan(GAME, SEATS)
    rng = np.random.default_rng([filming.seed, 21])
    set_up = studio(table, 2, filming)
    cards = laid_cards(table, args.cards, rng)
    renderer = TableRenderer(set_up)
    view = view_of_camera(set_up)
    watch = TableWatch(table, view, reader)
    truth = renderer.render(Scene(cards)).truth.cards
    for number in range(max(1, round(args.seconds * FPS))):
        image = renderer.picture(lambda _: Scene(cards), number / FPS)
        watch.step(Frame(image, number * 1_000_000_000 // FPS, 0, number, "still"))
    return compared(truth, watch.sight().cards, view, filming.seed if args.worst else None)


def view_of_camera(set_up: Studio) -> TableView:
    """Return the map of a simulated camera, known exactly."""
    camera = set_up.camera
    middle = ((camera.width_px - 1) / 2, (camera.height_px - 1) / 2)
    lens = Lens(camera.focal_px, middle, (camera.k1, camera.k2, 0.0, 0.0, 0.0))
    return view_of((camera.width_px, camera.height_px), lens, camera.homography())


def laid_cards(table: TablePlan, count: int, rng: np.random.Generator) -> tuple[TableCard, ...]:
    """Lay cards of two decks in groups, each card at most twice."""
    faces = [(face, deck) for deck in (0, 1) for face in POKER_DECK]
    rng.shuffle(faces)
    laid: list[TableCard] = []
    for _ in range(TRIES):
        if len(laid) >= count:
            break
        places = list(_group(table, rng))[: count - len(laid)]
        if all(_free(table, at_mm, laid) for at_mm, _ in places):
            for at_mm, turn_deg in places:
                face, deck = faces[len(laid)]
                high_mm = resting_height_mm(laid, at_mm)
                laid.append(TableCard(str(face), int(deck), at_mm, turn_deg, high_mm))
    return tuple(laid)


def _group(
    table: TablePlan, rng: np.random.Generator
) -> Iterator[tuple[tuple[float, float], float]]:
    """Yield middles and turns of a group's cards, lowest first."""
    step = np.array(STEPS_MM[str(rng.choice(list(STEPS_MM)))]) * rng.uniform(0.8, 1.25)
    turn_deg = float(90 * rng.integers(4) + rng.normal(0, 8)) % 360.0
    turn = math.radians(turn_deg)
    across, up = (
        np.array([math.cos(turn), -math.sin(turn)]),
        np.array([math.sin(turn), math.cos(turn)]),
    )
    at = rng.uniform(0, 1, 2) * table.table_mm
    for _ in range(int(rng.integers(1, 9))):
        x, y = at + rng.normal(0, OFF_MM, 2)
        yield (float(x), float(y)), turn_deg + float(rng.normal(0, ASKEW_DEG))
        at = at + step[0] * across + step[1] * up


def _free(table: TablePlan, at_mm: tuple[float, float], laid: list[TableCard]) -> bool:
    inside = all(
        EDGE_MM < at < side - EDGE_MM for at, side in zip(at_mm, table.table_mm, strict=True)
    )
    return inside and all(math.dist(at_mm, one.centre_mm) > APART_MM for one in laid)


def compared(
    truth: tuple[CardTruth, ...], reads: tuple[CardRead, ...], view: TableView, tell_as: int | None
) -> Counted:
    """Compare what is believed with what lies there; `tell_as` names the errors of that table."""
    named = [read for read in reads if read.label not in ("??", "BACK")]
    true_mm = view.to_mm(np.array([card.at_px for card in truth]))
    said_mm = view.to_mm(np.array([read.at_px for read in named]).reshape(-1, 2))
    off_mm = np.hypot(*(true_mm[:, None] - said_mm[None]).transpose(2, 0, 1))
    for card, row in zip(truth, off_mm, strict=True):
        row[[read.label != card.label for read in named]] = np.inf
    least_mm = np.min(off_mm, axis=1, initial=np.inf)
    wrong = np.flatnonzero(np.min(off_mm, axis=0, initial=np.inf) >= AROUND_MM)
    readable = np.array([_readable(card) for card in truth])
    near, around = least_mm < NEAR_MM, least_mm < AROUND_MM
    if tell_as is not None:
        for k in np.flatnonzero(readable & ~near):
            what = "is taken to lie elsewhere" if around[k] else "was not read"
            tell(f"table {tell_as}: {truth[k].label} at {truth[k].at_px} {what}")
        for k in wrong:
            tell(f"table {tell_as}: no {named[k].label} at {named[k].at_px}, {named[k].score:.3f}")
    return Counted(
        tables=1,
        cards=int(readable.sum()),
        right=int((readable & near).sum()),
        misplaced=int((readable & around & ~near).sum()),
        named=len(named),
        wrong=len(wrong),
    )


def _readable(card: CardTruth) -> bool:
    return any(
        index.visible >= SHOWN and math.dist(index.quad_px[0], index.quad_px[3]) >= HEIGHT_PX
        for index in card.indices
    )


def show(total: Counted, as_json: bool) -> None:
    """Print the counts."""
    right = total.right / max(1, total.cards)
    wrong = total.wrong / max(1, total.named)
    if as_json:
        print_json(
            {**asdict(total), "right_share": round(right, 5), "wrong_share": round(wrong, 6)}
        )
        return
    unread = total.cards - total.right - total.misplaced
    print(
        f"{total.tables:4d} tables, {total.cards} cards with a readable index: right {right:.4f}, "
        f"misplaced {total.misplaced}, not read {unread}; "
        f"of {total.named} names {total.wrong} wrong",
        flush=True,
    )
