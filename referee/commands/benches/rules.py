"""`referee bench rules`: how many events a second are judged on one core, and whether it grows."""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from referee.commands import FINE, print_json, wide_help
from referee.commands.benches.speed import processor
from referee.games import find_game, game_names
from referee.match import judge
from referee.play import PLAYERS, Players, legal_match
from referee.values import Event, Match

EPILOG = """example:
  referee bench rules
  referee bench rules --seconds 5 --json

Judges whole games of random legal play and counts events by the processor's time of this one
thread. The second figure is the same for all of them joined to one long match: it stays as
high if the time grows with the match's length only."""
MATCHES = 16
BREAK_NS = 60_000_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    """Events judged in a second of processor time, in single games and in a long match."""

    game: str
    players: int
    events: int
    events_per_s: int
    events_per_s_long: int


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the rates were measured on."""

    processor: str
    cores: int
    load_1min: float
    python: str


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "rules",
        help="events judged in a second, by game",
        description="Measure how many events a second are judged on one core.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="least time for each figure (default 1)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    for span in PLAYERS:
        if span.game in game_names():
            for players in sorted({max(2, span.fewest), min(4, span.most)}):
                print_rate(measure(span, players, args.seconds), args.json)
    print_conditions(args.json)
    return FINE


def measure(span: Players, players: int, least_s: float) -> Rate:
    """Measure one game for one number of players."""
    matches = [legal_match(span.game, players, seed) for seed in range(MATCHES)]
    return Rate(
        game=span.game,
        players=players,
        events=sum(len(match.events) for match in matches),
        events_per_s=rate(matches, least_s),
        events_per_s_long=rate([joined(matches)], least_s),
    )


def joined(matches: list[Match]) -> Match:
    """Return one match with the events of all that came to an end, one after the other."""
    events: list[Event] = []
    ended = [m for m in matches if any(line.kind == "END" for line in m.expected or ())]
    for match in ended:
        start_ns = events[-1].t_ns + BREAK_NS if events else 0
        first = len(events)
        events += [
            replace(event, n=first + event.n, t_ns=start_ns + event.t_ns) for event in match.events
        ]
    return replace(matches[0], events=tuple(events))


def rate(matches: Iterable[Match], least_s: float) -> int:
    """Return events judged in a second of this thread's processor time."""
    events, began_ns = 0, time.thread_time_ns()
    while True:
        for match in matches:
            for _ in judge(match, find_game(match.game)):
                pass
            events += len(match.events)
        spent_ns = time.thread_time_ns() - began_ns
        if spent_ns >= least_s * 1e9:
            return round(events * 1e9 / spent_ns)


def print_rate(rate: Rate, as_json: bool) -> None:
    """Print one game's rates."""
    if as_json:
        print_json(asdict(rate))
        return
    print(
        f"{rate.game:<8}{rate.players} players {rate.events_per_s:>8} events/s"
        f"   {rate.events_per_s_long:>8} joined to one match"
        f"   ({rate.events} events)",
        flush=True,
    )


def print_conditions(as_json: bool) -> None:
    """Print what was measured on."""
    found = Conditions(
        processor=processor(),
        cores=os.cpu_count() or 1,
        load_1min=round(os.getloadavg()[0], 2),
        python=platform.python_version(),
    )
    if as_json:
        print_json({"conditions": asdict(found)})
        return
    print(f"\n{found.processor}, one of {found.cores} cores, load {found.load_1min}")
    print(f"Python {found.python}; random legal play, processor time of one thread")
