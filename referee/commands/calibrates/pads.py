"""`referee calibrate pads`: each pad is tapped a few times, then tried live."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands.padsteps._open import open_boards, uid_text, wait_until_known
from referee.pads.delay import LampSeen
from referee.pads.fuse import Fused
from referee.pads.hits import Ignored
from referee.pads.learn import FEWEST_TAPS
from referee.pads.lesson import Lesson, TapGatherer
from referee.pads.link import Boards
from referee.pads.profile import (
    KIND_NUMBERS,
    KINDS,
    Profile,
    ProfileError,
    address_of,
    profile_text,
    read_profile,
)
from referee.pads.protocol import (
    BOARD,
    KIND_FIELD,
    NO_WAVE,
    PADS,
    WAVE_FIELD,
    Configure,
    Wave,
)
from referee.pads.station import Station
from referee.pads.told import Answer, Felt, Heartbeat
from referee.pads.touchpads import PadNote

EPILOG = """example:
  referee calibrate pads --game nerves
  referee calibrate pads /dev/ttyACM0 --game nerves --kind fsr -o calibration/pads.toml
  referee calibrate pads --game nertz --spots A.call,B.call

Sit as you will play. Each spot is asked for in turn; tap its pad with your hand, some taps soft,
some hard. Which pad lies where, how strongly it is hit, what it feels of the others and how late
it answers soft touches is learnt from that. At the end every touch is shown with its spot."""

# The spots that a game's rules know. Other games have none; pads can still be call buttons.
GAME_SPOTS = {"nerves": ("mid", "play.A", "play.B")}
TAPS = 8
# A person who has not tapped for so long has left.
PATIENCE_S = 120.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be calibrated."""
    parser = subparsers.add_parser(
        "pads",
        help="the touch pads",
        description="Learn which pad lies on which spot, and how each feels.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("ports", metavar="PORT", nargs="*", help="ports; without, all touchpads")
    parser.add_argument("--game", required=True, help="the game whose spots the pads lie on")
    parser.add_argument("--spots", metavar="A,B", help="the spots, where the game names none")
    parser.add_argument("--kind", choices=KINDS, default="piezo", help="what the pads are made of")
    parser.add_argument(
        "--wired", metavar="N", type=int, help="pads at each board (default: one for each spot)"
    )
    parser.add_argument("--taps", type=int, default=TAPS, help=f"taps on each (default {TAPS})")
    parser.add_argument(
        "--seconds", type=float, default=15.0, help="how long the live test lasts (default 15)"
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE.toml",
        default="calibration/pads.toml",
        help="the file to write (default calibration/pads.toml)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate; returns 1 if a pad stayed silent in the live test. Raises BadInput."""
    spots = _spots(args)
    if not FEWEST_TAPS <= args.taps <= 100:
        raise BadInput(f"--taps takes {FEWEST_TAPS} to 100")
    wired = args.wired if args.wired is not None else min(PADS, len(spots))
    if not 1 <= wired <= PADS:
        raise BadInput(f"--wired takes 1 to {PADS}")
    boards = open_boards(args.ports)
    try:
        wait_until_known(boards)
        _arm(boards, wired, args.kind)
        learnt = _learn(boards, Lesson(args.game, spots, args.taps, args.kind))
        profile = replace(learnt, lamps=_lamps_in(args.out))
        _write(args.out, profile_text(profile))
        _show(profile, args)
        silent = _try_live(boards, profile, args)
    finally:
        boards.close()
    for spot in silent:
        tell(f"{spot} felt nothing in the live test: touch it, or calibrate again")
    return NO if silent else FINE


def _spots(args: argparse.Namespace) -> tuple[str, ...]:
    if args.spots:
        spots = tuple(spot for spot in args.spots.split(",") if spot)
    else:
        spots = GAME_SPOTS.get(args.game, ())
    if not spots:
        raise BadInput(
            f"{args.game} has no spots that are hit; name them with --spots A.call,B.call"
        )
    if len(set(spots)) < len(spots) or any(c.isspace() for spot in spots for c in spot):
        raise BadInput(f"--spots {args.spots}: each spot once, separated by commas")
    return spots


def _arm(boards: Boards, wired: int, kind: str) -> None:
    """Tell every board what is wired to it. Raises BadInput."""
    ready = [status for status in boards.statuses() if status.state == "LIVE"]
    if not ready:
        reasons = [f"{s.device}: {s.why}" for s in boards.statuses() if s.why]
        reasons += [why for _, why in boards.refused()]
        raise BadInput("; ".join(reasons) or "no touchpad is plugged in")
    for status in ready:
        link = boards.link(status.uid or b"")
        for pad in range(PADS):
            if link is not None:
                number = KIND_NUMBERS[kind] if pad < wired else 0
                link.ask(Configure(pad, KIND_FIELD, number))


def _learn(boards: Boards, lesson: Lesson) -> Profile:
    """Ask for taps until all is learnt. Raises BadInput when nobody taps."""
    gatherer, noise = TapGatherer(lesson.kind), dict[str, int]()
    last_s, asked, waved = time.monotonic(), "", ""
    while lesson.ask is not None:
        if lesson.spot != asked and lesson.spot is not None:
            asked = lesson.spot
            tell(lesson.ask)
        _gather(boards, gatherer, noise)
        for tap in gatherer.taps(time.monotonic_ns()):
            last_s = time.monotonic()
            tell(lesson.take(tap))
            if tap.struck.address != waved:
                waved = tap.struck.address
                _wave_of(boards, waved)
        if time.monotonic() - last_s > PATIENCE_S:
            raise BadInput(f"no tap on {lesson.spot} for {PATIENCE_S:.0f} s; nothing was written")
    return lesson.profile(noise)


def _gather(boards: Boards, gatherer: TapGatherer, noise: dict[str, int]) -> None:
    news = boards.wait(0.05)
    if news is None or news.uid is None:
        return
    board = news.uid.hex()
    match news.told:
        case Felt() as felt:
            gatherer.hit(board, felt)
        case Answer(word=Wave() as wave):
            gatherer.wave(board, wave)
        case Heartbeat(stat=stat):
            gatherer.heartbeat(board, stat)
            noise |= {address_of(board, pad): stat.noise[pad] for pad in range(PADS)}


def _wave_of(boards: Boards, address: str) -> None:
    """Have the signals of one pad sent, and of no other."""
    board, _, pad = address.partition("/")
    for status in boards.statuses():
        link = boards.link(status.uid or b"")
        if link is not None:
            own = uid_text(status.uid) == board
            link.ask(Configure(BOARD, WAVE_FIELD, int(pad) if own else NO_WAVE))


def _lamps_in(name: str) -> tuple[LampSeen, ...]:
    """Return what a calibration that is written anew knew of the camera: that stays true."""
    try:
        return read_profile(Path(name).read_text(encoding="utf-8"), name).lamps
    except (OSError, ValueError, ProfileError):
        return ()


def _write(name: str, text: str) -> None:
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or "cannot be written"
        raise BadInput(f"{name}: {why}") from None


def _show(profile: Profile, args: argparse.Namespace) -> None:
    for pad in profile.pads:
        late_us = [round(point.late_us) for point in pad.walk]
        if args.json:
            fields = {"spot": pad.spot, "board": pad.board, "pad": pad.pad, "taps": pad.taps}
            print_json({**fields, "late_us": late_us, "file": args.out})
        else:
            walk = f", stamps {max(late_us)} us late at most" if late_us else ""
            print(f"{pad.spot}: board {pad.board} pad {pad.pad}, {pad.taps} taps{walk}")
    if not args.json:
        print(f"{args.out}: written", flush=True)


def _try_live(boards: Boards, profile: Profile, args: argparse.Namespace) -> Sequence[str]:
    """Show touches by spot until each was touched or the time is over; returns the silent ones."""
    station, left = Station(boards, profile), {pad.spot for pad in profile.pads}
    tell(f"live test: touch each of {', '.join(sorted(left))}")
    end_s = time.monotonic() + args.seconds
    while left and time.monotonic() < end_s:
        for one in station.poll(0.05):
            match one:
                case Fused(event=event):
                    left.discard(event.spot)
                    _touched(event.spot, f"+-{(event.u_ns or 0) / 1000:.0f} us", args.json)
                case Ignored(spot=spot, reason=reason):
                    _touched(spot, f"not counted: {reason}", args.json)
                case PadNote(text=text):
                    tell(text)
    return sorted(left)


def _touched(spot: str, text: str, as_json: bool) -> None:
    if as_json:
        print_json({"touch": spot, "text": text})
    else:
        print(f"{spot}: touched, {text}", flush=True)
