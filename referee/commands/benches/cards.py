"""`referee bench cards`: what reading costs as the cards on the table grow from 4 to 416."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass

import cv2
import numpy as np

from referee import app
from referee.commands import FINE, print_json, wide_help
from referee.commands._reading import add_reader_options
from referee.commands.benches.speed import FULL_PX, TILE_PX, processor
from referee.simulate.cards import deck_styles
from referee.simulate.cloth import Tabletop
from referee.simulate.scene import Scene, Studio, TableCard, resting_height_mm
from referee.simulate.table import TableRenderer
from referee.simulate.view import Camera
from referee.values.cards import RANKS, SUITS
from referee.vision.detect import Reader
from referee.vision.frames import Image

EPILOG = """example:
  referee bench cards
  referee bench cards --most 104 --runs 3 --json

Eight decks lie face up in a heap of rows on a rendered table of 1.2 m in 1920 x 1080 pixels; each
table is read cold, and in the middle tile alone, as after a change. The time is the processor's."""

COUNTS = (4, 8, 16, 32, 52, 104, 208, 416)
DECKS = 8
HEIGHT_MM, PX_A_MM = 1000.0, 1.6
COLUMNS, ROWS = 26, 16
STEP_MM, EDGE_MM = (44.0, 36.0), (45.0, 62.0)
TURN_DEG, OFF_MM = 6.0, 3.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What one table costs: cards on it, indices read, processor time (middle of the runs)."""

    cards: int
    reads: int
    cold_ms: float
    tile_cards: int
    tile_ms: float


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "cards",
        help="the cost of reading as cards grow from 4 to 416",
        description="Measure what reading costs as the cards on the table grow.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument(
        "--most", metavar="N", type=int, choices=COUNTS, default=COUNTS[-1], help="end with N cards"
    )
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="of each (default 5)")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print. Raises BadInput."""
    reader = app.open_reader(args.models, args.threads, language=args.language)
    cv2.setNumThreads(args.threads)
    renderer = TableRenderer(studio())
    heap = heap_of_cards()
    costs = []
    for count in (n for n in COUNTS if n <= args.most):
        image = renderer.render(Scene(heap[:count])).image
        costs.append(cost(reader, image, count, max(1, args.runs)))
        show(costs[-1], args.json)
    show_slope(costs, args)
    return FINE


def studio() -> Studio:
    """Return eight decks on a plain cloth under a camera that sees 1.2 m of it."""
    middle = (FULL_PX[0] / PX_A_MM / 2, FULL_PX[1] / PX_A_MM / 2)
    camera = Camera(
        width_px=FULL_PX[0],
        height_px=FULL_PX[1],
        focal_px=PX_A_MM * HEIGHT_MM,
        position_mm=(*middle, HEIGHT_MM),
        look_at_mm=middle,
    )
    return Studio(decks=deck_styles(DECKS), tabletop=Tabletop("plain"), camera=camera)


def heap_of_cards() -> tuple[TableCard, ...]:
    """Return 416 cards in the order in which they are laid, spread over the whole table."""
    rng = np.random.default_rng(4)
    faces = [(rank + suit, deck) for deck in range(DECKS) for suit in SUITS for rank in RANKS]
    rng.shuffle(faces)
    places = rng.permutation(COLUMNS * ROWS)
    laid: list[TableCard] = []
    for (face, deck), place in zip(faces, places, strict=True):
        at_mm = (
            EDGE_MM[0] + place % COLUMNS * STEP_MM[0] + rng.normal(0, OFF_MM),
            EDGE_MM[1] + place // COLUMNS * STEP_MM[1] + rng.normal(0, OFF_MM),
        )
        turn_deg = rng.normal(0, TURN_DEG) + 180.0 * (rng.random() < 0.5)
        high_mm = resting_height_mm(laid, at_mm)
        laid.append(TableCard(face, deck, at_mm, turn_deg, high_mm))
    return tuple(laid)


def cost(reader: Reader, image: Image, count: int, runs: int) -> Cost:
    """Measure one table."""
    top, left = (FULL_PX[1] - TILE_PX) // 2, (FULL_PX[0] - TILE_PX) // 2
    tile = np.ascontiguousarray(image[top : top + TILE_PX, left : left + TILE_PX])
    reads, cold_ms = timed(reader, image, runs)
    tile_reads, tile_ms = timed(reader, tile, runs)
    return Cost(count, reads, cold_ms, tile_reads, tile_ms)


def timed(reader: Reader, image: Image, runs: int) -> tuple[int, float]:
    """Return how many reads a picture gives, and the middle of the runs' processor times."""
    reads = len(reader.read(image).cards)
    times_ms = []
    for _ in range(runs):
        began_ns = time.process_time_ns()
        reader.read(image)
        times_ms.append((time.process_time_ns() - began_ns) / 1e6)
    return reads, round(float(np.median(times_ms)), 1)


def show(one: Cost, as_json: bool) -> None:
    """Print one table's cost."""
    if as_json:
        print_json(asdict(one))
        return
    print(
        f"{one.cards:4d} cards, {one.reads:4d} reads: cold frame {one.cold_ms:7.1f} ms   "
        f"tile with {one.tile_cards:3d} reads {one.tile_ms:6.1f} ms",
        flush=True,
    )


def show_slope(costs: list[Cost], args: argparse.Namespace) -> None:
    """Print what a card and a read more cost, and the conditions."""
    if len(costs) < 3:
        return
    card_ms = np.polyfit([c.cards for c in costs], [c.cold_ms for c in costs], 1)
    read_ms = np.polyfit([c.reads for c in costs], [c.cold_ms for c in costs], 1)
    if args.json:
        print_json(
            {
                "empty_ms": round(float(read_ms[1]), 1),
                "card_ms": round(float(card_ms[0]), 3),
                "read_ms": round(float(read_ms[0]), 3),
                "threads": args.threads,
                "processor": processor(),
            }
        )
        return
    print(
        f"an empty table {read_ms[1]:.0f} ms, a card more {card_ms[0]:.2f} ms, "
        f"a read more {read_ms[0]:.2f} ms (processor time, straight line through all)"
    )
    print(f"{processor()}, {args.threads} threads")
