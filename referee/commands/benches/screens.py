"""`referee bench screens`: what the live page costs, and how soon a board is on it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle
from urllib.parse import urlsplit

from referee.app.board import Audience, Board
from referee.app.sitting import Sitting
from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._matches import game_named
from referee.commands.benches._chromium import cpu_s, measured
from referee.commands.benches._flooded import EVENTS_PER_S, judged
from referee.commands.benches.speed import processor
from referee.games import find_game
from referee.play import legal_match
from referee.screens.desk import Desk
from referee.screens.page import Page, PageError
from referee.values import HandSeen

EPILOG = """example:
  referee bench screens
  referee bench screens --pages 8 --seconds 20 --json
  referee bench screens --chromium --seconds 20
  referee bench screens --flood

Plays a match of Nertz for four with three hands that move, 30 boards a second, into pages that
listen on this machine. The time runs from the board's making to its arrival at a page.
With --chromium a sample match is refereed from its video as from a camera, and browsers show it:
the time runs from the taking of a frame to what it shows on the screen.
With --flood a match is judged twice, in peace and while a process floods the page with claims,
nonsense, requests and pages that do not read: how late each event is judged, and what it costs."""
BOARDS_PER_S = 30
# Fast players make about four acts a second together.
BOARDS_PER_EVENT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """On what it was measured, and how busy that was."""

    processor: str = field(default_factory=processor)
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)
    load_1min: float = field(default_factory=lambda: round(os.getloadavg()[0], 2))

    def tell(self) -> None:
        """Print it."""
        print(f"{self.processor}, {self.cores} cores, load {self.load_1min}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Machine):
    """What the page cost; a processor's share is in per cent of one core."""

    pages: int
    boards: int
    arrived: int
    match_percent: float
    page_percent: float | None
    p50_ms: float
    p95_ms: float


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "screens",
        help="what the live page costs, and how soon a board is on it",
        description="Measure what the live page costs, and how soon a board is on it.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--pages", type=int, default=4, help="pages that listen (default 4)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long (default 10)")
    parser.add_argument(
        "--chromium", action="store_true", help="a refereed match in real browsers (Playwright)"
    )
    parser.add_argument("--flood", action="store_true", help="how late rulings are under a flood")
    parser.add_argument("--game", default="nerves", help="--chromium: its game (default nerves)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print. Raises BadInput."""
    if not 1 <= args.pages <= 32 or not 0.1 <= args.seconds <= 3600:
        raise BadInput("--pages is 1 to 32, --seconds 0.1 to 3600")
    if args.chromium:
        return show_latency(args)
    try:
        if args.flood:
            return show_flood(args)
        cost = measure(args.pages, args.seconds)
    except PageError as reason:
        raise BadInput(str(reason)) from None
    if args.json:
        print_json(asdict(cost))
    else:
        print(f"{cost.pages} pages, {cost.boards} boards at {BOARDS_PER_S} a second")
        tell_shares(cost.match_percent, cost.page_percent)
        print(f"on a page after {cost.p50_ms:.1f} ms (p50), {cost.p95_ms:.1f} ms (p95)")
        cost.tell()
    return FINE


def tell_shares(match_percent: float, page_percent: float | None) -> None:
    """Print what the match's process and the page's took of a core."""
    page = "not told" if page_percent is None else f"{page_percent:.1f} %"
    print(f"of a core: {match_percent:.1f} % in the match's process, {page} in the page's")


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency(Machine):
    """From frame to screen in browsers: boards on all pages, and the picture on one of them."""

    pages: int
    frames: int
    judged: int
    boards: int
    p50_ms: float
    p95_ms: float
    worst_ms: float
    pictures: int
    picture_p50_ms: float
    picture_p95_ms: float
    match_percent: float
    page_percent: float | None


def show_latency(args: argparse.Namespace) -> int:
    """Measure and print how late browsers show what the camera saw. Raises BadInput."""
    seen = measured(game_named(args.game).name, args.pages, args.seconds)
    boards, pictures = sorted(seen.boards_ms), sorted(seen.pictures_ms)
    if not boards or not pictures:
        raise BadInput("the browsers showed nothing in that time; give more --seconds")
    late = Latency(
        pages=args.pages,
        frames=seen.taken,
        judged=seen.judged,
        boards=len(boards),
        p50_ms=percentile(boards, 50),
        p95_ms=percentile(boards, 95),
        worst_ms=round(boards[-1], 1),
        pictures=len(pictures),
        picture_p50_ms=percentile(pictures, 50),
        picture_p95_ms=percentile(pictures, 95),
        match_percent=seen.match_percent,
        page_percent=seen.page_percent,
    )
    if args.json:
        print_json(asdict(late))
        return FINE
    print(f"{late.pages} browsers' pages; {late.judged} of {late.frames} frames judged")
    print(f"frame to screen: {late.p50_ms} ms (p50), {late.p95_ms} ms (p95), {late.worst_ms} ms")
    print(f"the picture: {late.picture_p50_ms} ms (p50), {late.picture_p95_ms} ms (p95)")
    tell_shares(late.match_percent, late.page_percent)
    late.tell()
    return FINE


@dataclass(frozen=True, slots=True, kw_only=True)
class Flooded(Machine):
    """Judging in peace and under a flood: late by so much, at so much processor time an event."""

    events: int
    peace_p50_ms: float
    peace_p95_ms: float
    peace_cpu_ms: float
    flood_p50_ms: float
    flood_p95_ms: float
    flood_cpu_ms: float
    sent: int
    reached_the_match: int
    page_percent: float | None


def show_flood(args: argparse.Namespace) -> int:
    """Measure and print what a flood does to the judging. Raises PageError."""
    peace, flood = judged(args.seconds, False), judged(args.seconds, True)
    told = Flooded(
        events=peace.events,
        peace_p50_ms=percentile(peace.late_ms, 50),
        peace_p95_ms=percentile(peace.late_ms, 95),
        peace_cpu_ms=round(peace.match_ms, 2),
        flood_p50_ms=percentile(flood.late_ms, 50),
        flood_p95_ms=percentile(flood.late_ms, 95),
        flood_cpu_ms=round(flood.match_ms, 2),
        sent=flood.sent,
        reached_the_match=flood.heard,
        page_percent=flood.page_percent,
    )
    if args.json:
        print_json(asdict(told))
        return FINE
    page = "not told" if told.page_percent is None else f"{told.page_percent:.0f} %"
    print(f"{told.events} events judged, {EVENTS_PER_S} a second; late by p50, p95; processor time")
    print(f"in peace: {told.peace_p50_ms} ms, {told.peace_p95_ms} ms; {told.peace_cpu_ms} ms each")
    print(
        f"in a flood: {told.flood_p50_ms} ms, {told.flood_p95_ms} ms; {told.flood_cpu_ms} ms each"
    )
    print(f"sent: {told.sent}; reached the match: {told.reached_the_match}; page's process: {page}")
    told.tell()
    return FINE


def percentile(sorted_ms: Sequence[float], per_cent: int) -> float:
    """Return a percentile of sorted times, to a tenth of a millisecond."""
    return round(sorted_ms[len(sorted_ms) * per_cent // 100], 1)


def measure(pages: int, seconds: float) -> Cost:
    """Show a match for so long. Raises PageError."""
    with Page(Desk(), port=0) as page:
        at = urlsplit(page.links.here).netloc
        command = [sys.executable, "-m", "referee.commands.benches._listener", at, str(pages)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as listener:
            time.sleep(1.5)  # until the listeners are there; boards before it are not counted
            page_before_s, own_before_s = cpu_s(page.process_id), time.process_time()
            boards, wall_s = _show(page, seconds)
            own_s = time.process_time() - own_before_s
            page_after_s = cpu_s(page.process_id)
            late_ms = sorted(json.loads(listener.communicate("")[0]))
    if not late_ms:
        raise PageError("no board reached a page; is the machine very busy?")
    spent = None if page_before_s is None or page_after_s is None else page_after_s - page_before_s
    return Cost(
        pages=pages,
        boards=boards,
        arrived=len(late_ms),
        match_percent=round(100 * own_s / wall_s, 1),
        page_percent=None if spent is None else round(100 * spent / wall_s, 1),
        p50_ms=percentile(late_ms, 50),
        p95_ms=percentile(late_ms, 95),
    )


def _show(page: Page, seconds: float) -> tuple[int, float]:
    """Show boards at their rate; returns how many, and how long it took in seconds."""
    match, game = legal_match("nertz", 4, 1), find_game("nertz")
    board = Board(match, game, Audience(page.show, page.tell))
    sitting = Sitting(match, game, listeners=(board,))
    events = cycle(match.events[:400])
    began_s = time.monotonic()
    count = max(1, round(seconds * BOARDS_PER_S))
    for n in range(count):
        if n % BOARDS_PER_EVENT == 0:
            sitting.feed(next(events))
            board.update(sitting.state)
        board.see(tuple(_hand(k, n) for k in range(3)))
        board.mark(str(time.monotonic_ns()))
        time.sleep(max(0.0, began_s + (n + 1) / BOARDS_PER_S - time.monotonic()))
    return count, time.monotonic() - began_s


def _hand(number: int, n: int) -> HandSeen:
    tip_mm = (300.0 + 200 * number + n % 50, 200.0 + n % 30)
    box_mm = (0.0, 0.0, 90.0, 90.0)
    return HandSeen(number, 0, 0, tip_mm, (300.0, 0.0), box_mm, 100.0, "A", "R", 0.9)
