"""`referee replay`: a match's events and rulings again, at its own speed or faster."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from referee.app.review import replayed
from referee.commands import FINE, NO, tell, wide_help
from referee.commands._matches import game_of, read_match_file
from referee.commands._record import add_record_option, clear_errors, open_match
from referee.match import judge
from referee.notation import (
    event_json,
    ruling_json,
    ruling_line,
    write_event,
)
from referee.record.reading import events_of, rulings_of
from referee.values import Event, Match, Ruling

EPILOG = """example:
  referee replay NERVES-20261121-2015
  referee replay NERVES-20261121-2015 --speed 0
  referee replay tests/games/examples.match --speed 20 --json

Prints the events as they were recorded and the rulings on them; the rules are asked again, and
where that gives other rulings than were recorded (by another version) this is said, with exit
code 1. Speed 1 is the match's own pace, 0 waits for nothing."""
MOST_SPEED = 1e6


@dataclass(frozen=True, slots=True)
class Telling:
    """A match to tell again: its events and rulings in their order."""

    match: Match
    events: tuple[Event, ...]
    rulings: tuple[Ruling, ...]


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "replay",
        help="a match's events and rulings again",
        description="Print a match's events and rulings again, judged anew.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("match", metavar="ID|FILE.match", help="a recorded or a scripted match")
    parser.add_argument(
        "--speed", metavar="X", type=speed, default=1.0, help="default 1; 0: at once"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object an event or ruling")
    add_record_option(parser)
    parser.set_defaults(run=run)


def speed(text: str) -> float:
    """Return a speed. Raises argparse.ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_SPEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed, 0 or more")
    return value


def run(args: argparse.Namespace) -> int:
    """Tell the match; whether the rulings are the recorded ones. Raises BadInput."""
    if args.match.endswith(".match"):
        for told in scripted(args.match):
            tell_again(told, args.speed, args.json)
        return FINE
    return recorded(args)


def recorded(args: argparse.Namespace) -> int:
    """Tell a match of the record; whether the rulings are the recorded ones."""
    log = open_match(args)
    with clear_errors():
        told = Telling(
            log.head.match, events_of(log), tuple(ruled.ruling for ruled in rulings_of(log))
        )
        found = replayed(log)
    tell_again(told, args.speed, args.json)
    name = log.head.match.id
    for ruling in found.withdrawn:
        tell(f"{name}: only recorded: {ruling_line(ruling)}")
    for ruling in found.added:
        tell(f"{name}: only ruled now: {ruling_line(ruling)}")
    return NO if found.withdrawn or found.added else FINE


def scripted(name: str) -> Iterator[Telling]:
    """Yield the matches of a file, judged. Raises BadInput."""
    for match in read_match_file(name):
        with clear_errors():
            rulings = tuple(judge(match, game_of(match)))
        yield Telling(match, match.events, rulings)


def tell_again(told: Telling, speed: float, as_json: bool) -> None:
    """Print events and rulings at a pace."""
    if not as_json:
        print(f"match {told.match.id} {told.match.title}".rstrip())
    began_ns = time.monotonic_ns()
    for moment in moments(told):
        if speed:
            wait_until(began_ns + round(moment.t_ns / speed))
        print(line_of(moment, told.match.id, as_json), flush=bool(speed))
    sys.stdout.flush()


def moments(told: Telling) -> list[Event | Ruling]:
    """Return events and rulings in the order of time, an event before its rulings."""
    both: list[Event | Ruling] = [*told.events, *told.rulings]
    return sorted(both, key=lambda one: (one.t_ns, isinstance(one, Ruling)))


def wait_until(due_ns: int) -> None:
    """Sleep until a time of the monotonic clock."""
    left_ns = due_ns - time.monotonic_ns()
    if left_ns > 0:
        time.sleep(left_ns / 1e9)


def line_of(moment: Event | Ruling, name: str, as_json: bool) -> str:
    """Return an event or a ruling as one line."""
    if isinstance(moment, Event):
        return event_json(moment) if as_json else f"    {write_event(moment)}"
    return ruling_json(moment, name) if as_json else f"  ! {ruling_line(moment)}"
