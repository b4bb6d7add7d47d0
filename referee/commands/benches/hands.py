"""`referee bench hands`: how well hands are followed and contacts timed, on rendered plays."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from tqdm import tqdm

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._matches import read_match_file
from referee.notation import read_matches
from referee.simulate.acts import ScriptError
from referee.simulate.film import Film, HandThere
from referee.simulate.flights import Contact
from referee.simulate.staging import SIZES, Filming
from referee.table.hands import HandWatch
from referee.table.layout import plan
from referee.table.view import Lens, TableView, view_of
from referee.values import HandOn, HandSeen, Match, Touch
from referee.vision.frames import Frame
from referee.vision.hands import Hands
from referee.vision.shutter import Shutter

EPILOG = """example:
  referee bench hands
  referee bench hands examples.match --seeds 4 --strength 2 --json

Renders scripted matches, follows the hands and compares with the truth. Without a file they are
own scripts of palms, slaps and cards laid, two and four players. A contact is found when a touch
of a hand is told within 0.25 s and 120 mm of it. --readout says whether the camera's row time is
known to the follower, as a calibrated camera's is."""

SCRIPTS = """match HANDS-2 Palms, slaps and cards between two players
game nerves
players A B
state
  play.A | 7H
  play.B | 9C
  A.arr.1 | [2C 3C] 8H
  A.arr.2 | [4C] 6D
  B.arr.1 | [2D 3D] TS
  B.arr.2 | [4D] 8C
events
  1 2.000 HandOn A.L A.side.L
  2 2.400 HandOn A.R A.side.R
  3 2.700 HandOn B.L B.side.L
  4 3.000 HandOn B.R B.side.R
  5 4.300 HandOff A.R A.side.R
  6 4.500 HandOff B.L B.side.L
  7 4.700 HandOff B.R B.side.R
  8 4.900 HandOff A.L A.side.L
  9 6.100 CardPlaced A.R 8H A.arr.1>play.A up
  10 7.000 CardPlaced B.R TS B.arr.1>play.B up
  11 7.900 HandOn A.L mid
  12 8.060 HandOn B.R mid
  13 9.600 CardPlaced A.R 6D A.arr.2>play.A up
  14 10.700 HandOn B.L mid
  15 11.900 HandOn A.R play.A
  16 12.050 HandOn B.R play.B

match HANDS-4 Four players lay cards and reach for the middle
game nertz
players A B C D
state
  A.work.1 | A:7H
  B.work.1 | B:7S
  C.work.1 | C:5H
  D.work.1 | D:5S
  A.work.2 | A:8C
  B.work.2 | B:8D
  C.work.2 | C:6C
  D.work.2 | D:6D
events
  1 2.000 CardPlaced A.R A:7H A.work.1>A.work.2 up
  2 2.300 CardPlaced B.R B:7S B.work.1>B.work.2 up
  3 2.450 CardPlaced C.R C:5H C.work.1>C.work.2 up
  4 2.700 CardPlaced D.R D:5S D.work.1>D.work.2 up
  5 4.200 HandOn A.R A.work.3
  6 4.400 HandOn D.R D.work.3
  7 4.650 HandOn B.R B.work.3
  8 4.700 HandOn C.R C.work.3
"""
APART_NS, APART_MM = 250_000_000, 120.0
# A hand counts as seen from this far inside the table on.
INSIDE_MM = 80.0


@dataclass(slots=True)
class Tally:
    """What was counted over all films."""

    contacts: int = 0
    found: int = 0
    errors_ms: list[float] = field(default_factory=list)
    inside: int = 0
    seat_right: int = 0
    side_right: int = 0
    side_wrong: int = 0
    zone_right: int = 0
    zones: int = 0
    told_of_nothing: int = 0
    hand_frames: int = 0
    hand_seen: int = 0
    ids: int = 0
    hands: int = 0
    invented: int = 0
    frames: int = 0
    cpu_ms: list[float] = field(default_factory=list)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "hands",
        help="hands and their contact times, on rendered plays",
        description="Follow the hands of rendered plays and compare with the truth.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="a .match file of own scripts")
    parser.add_argument("--match", metavar="ID", help="only this match of the file")
    parser.add_argument("--seeds", metavar="N", type=int, default=2, help="films a match (2)")
    parser.add_argument("--first-seed", metavar="N", type=int, default=1, help="(1)")
    parser.add_argument("--size", choices=sorted(SIZES), default="720p", help="(720p)")
    parser.add_argument("--fps", type=int, default=30, help="frames a second (30)")
    parser.add_argument("--strength", type=float, default=1.0, help="of what spoils pictures (1)")
    parser.add_argument("--readout", choices=("known", "unknown"), default="known")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print. Raises BadInput."""
    matches = [m for m in _matches(args.file) if args.match in (None, m.id)]
    if not matches:
        raise BadInput(f"there is no match {args.match} in {args.file or 'the own scripts'}")
    tally = Tally()
    for match in matches:
        for seed in range(args.first_seed, args.first_seed + args.seeds):
            try:
                width_px, height_px = SIZES[args.size]
                filming = Filming(width_px, height_px, args.fps, seed, args.strength)
                film = Film(match, plan(match.game, match.seats), filming)
            except (ScriptError, ValueError) as reason:
                raise BadInput(f"match {match.id}: {reason}") from None
            watch_film(film, args.readout == "known", tally)
    print_json(figures(tally)) if args.json else _print(figures(tally))
    return FINE


def _matches(name: str | None) -> tuple[Match, ...]:
    return read_matches(SCRIPTS) if name is None else read_match_file(name)


def watch_film(film: Film, readout_known: bool, tally: Tally) -> None:
    """Follow the hands of one film and add to the tally."""
    views = [(view.from_s, _view(film, view.homography)) for view in film.views()]
    readout_ns = round(film.studio.sensor.readout_ms * 1e6) if readout_known else None
    hands = Hands(views.pop(0)[1], film.plan, Shutter(readout_ns))
    watch = HandWatch(film.plan)
    touches: list[Touch] = []
    events: list[HandOn] = []
    followed: dict[str, set[int]] = {}
    for number in tqdm(range(film.frame_count), desc=film.match.id, leave=False):
        t_ns = film.time_ns(number)
        if views and t_ns / 1e9 >= views[0][0]:
            hands.moved(views.pop(0)[1])
        frame = Frame(film.picture(number), t_ns, 0, number, film.match.id)
        began_ns = time.thread_time_ns()
        seen = hands.step(frame)
        told = watch.step(seen, t_ns)
        tally.cpu_ms.append((time.thread_time_ns() - began_ns) / 1e6)
        touches += watch.touches
        events += [event for event in told if isinstance(event, HandOn)]
        _count_hands(film, seen, list(film.moment(number).hands), followed, tally)
    tally.hands += len(followed)
    tally.ids += sum(len(ids) for ids in followed.values())
    _count_contacts(film.show.contacts, touches, events, tally)


def _view(film: Film, homography: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> TableView:
    camera = film.studio.camera
    middle = ((camera.width_px - 1) / 2, (camera.height_px - 1) / 2)
    lens = Lens(camera.focal_px, middle, (camera.k1, camera.k2, 0.0, 0.0, 0.0))
    return view_of((camera.width_px, camera.height_px), lens, homography)


def _count_hands(
    film: Film,
    seen: Sequence[HandSeen],
    there: Sequence[HandThere],
    followed: dict[str, set[int]],
    tally: Tally,
) -> None:
    tally.frames += 1
    width_mm, depth_mm = film.plan.table_mm
    free = {hand.id: hand for hand in seen}
    for hand in there:
        x_mm, y_mm = hand.tip_mm
        if not (0 < x_mm < width_mm and 0 < y_mm < depth_mm and hand.in_view):
            continue
        near = min(free.values(), key=lambda one: _apart(one.tip_mm, hand.tip_mm), default=None)
        met = near is not None and _apart(near.tip_mm, hand.tip_mm) < APART_MM
        edge_mm = min(x_mm, width_mm - x_mm, y_mm, depth_mm - y_mm)
        if edge_mm > INSIDE_MM:
            tally.hand_frames += 1
            tally.hand_seen += met
        if met and near is not None:
            followed.setdefault(f"{hand.seat}{hand.side}", set()).add(near.id)
            del free[near.id]
    tally.invented += len(free)


def _count_contacts(
    contacts: Sequence[Contact],
    touches: Sequence[Touch],
    events: Sequence[HandOn],
    tally: Tally,
) -> None:
    free = list(touches)
    for contact in contacts:
        tally.contacts += 1
        close = [touch for touch in free if _fits(touch, contact)]
        if not close:
            continue
        # Two hands on one spot: the one of the right seat, if there is one.
        touch = min(close, key=lambda one: (one.hand.seat != contact.seat, _late_ns(one, contact)))
        free.remove(touch)
        tally.found += 1
        error_ns = _late_ns(touch, contact)
        tally.errors_ms.append(error_ns / 1e6)
        tally.inside += error_ns <= touch.u_ns
        tally.seat_right += touch.hand.seat == contact.seat
        tally.side_right += touch.hand.hand == contact.side
        tally.side_wrong += touch.hand.hand not in (contact.side, "?", None)
        if contact.on:
            tally.zones += 1
            tally.zone_right += any(
                event.t_ns == touch.t_ns and event.zone == contact.zone for event in events
            )
    tally.told_of_nothing += len(free)


def _fits(touch: Touch, contact: Contact) -> bool:
    near = _apart(touch.at_mm, contact.at_mm) <= APART_MM
    return touch.on == contact.on and near and _late_ns(touch, contact) <= APART_NS


def _late_ns(touch: Touch, contact: Contact) -> float:
    return abs(touch.t_ns - contact.t_s * 1e9)


def _apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def figures(tally: Tally) -> dict[str, object]:
    """Return the figures of a tally, shares as 0 to 1."""
    errors = tally.errors_ms or [float("nan")]
    return {
        "frames": tally.frames,
        "contacts": tally.contacts,
        "found": _share(tally.found, tally.contacts),
        "error_ms_median": round(float(np.median(errors)), 1),
        "error_ms_p95": round(float(np.percentile(errors, 95)), 1),
        "inside_interval": _share(tally.inside, tally.found),
        "seat_right": _share(tally.seat_right, tally.found),
        "side_right": _share(tally.side_right, tally.found),
        "side_wrong": _share(tally.side_wrong, tally.found),
        "zone_right": _share(tally.zone_right, tally.zones),
        "other_touches": tally.told_of_nothing,
        "hands_seen": _share(tally.hand_seen, tally.hand_frames),
        "hands_invented_a_frame": _share(tally.invented, tally.frames),
        "ids_a_hand": _share(tally.ids, tally.hands),
        "cpu_ms_p50": round(float(np.median(tally.cpu_ms or [0.0])), 1),
        "cpu_ms_p95": round(float(np.percentile(tally.cpu_ms or [0.0], 95)), 1),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _print(values: dict[str, object]) -> None:
    for name, value in values.items():
        print(f"{name.replace('_', ' '):24} {'-' if value is None else value}")
