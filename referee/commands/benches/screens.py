"""`referee bench screens`: what the live page costs, and how soon a board is on it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

from referee.app.board import Audience, Board
from referee.app.sitting import Sitting
from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands.benches.speed import processor
from referee.games import find_game
from referee.play import legal_match
from referee.screens.desk import Desk
from referee.screens.page import Page, PageError
from referee.values import HandSeen

EPILOG = """example:
  referee bench screens
  referee bench screens --pages 8 --seconds 20 --json

Plays a match of Nertz for four with three hands that move, 30 boards a second, into pages that
listen on this machine. The time runs from the board's making to its arrival at a page."""
BOARDS_PER_S = 30
# Fast players make about four acts a second together.
BOARDS_PER_EVENT = 8


@dataclass(frozen=True, slots=True)
class Cost:
    """What the page cost; a processor's share is in per cent of one core."""

    pages: int
    boards: int
    arrived: int
    match_percent: float
    page_percent: float | None
    p50_ms: float
    p95_ms: float
    processor: str
    cores: int
    load_1min: float


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
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print. Raises BadInput."""
    if not 1 <= args.pages <= 32 or not 0.1 <= args.seconds <= 3600:
        raise BadInput("--pages is 1 to 32, --seconds 0.1 to 3600")
    try:
        cost = measure(args.pages, args.seconds)
    except PageError as reason:
        raise BadInput(str(reason)) from None
    if args.json:
        print_json(asdict(cost))
    else:
        page = "not told" if cost.page_percent is None else f"{cost.page_percent:.1f} %"
        print(f"{cost.pages} pages, {cost.boards} boards at {BOARDS_PER_S} a second")
        print(f"of a core: {cost.match_percent:.1f} % in the match's process, {page} in the page's")
        print(f"on a page after {cost.p50_ms:.1f} ms (p50), {cost.p95_ms:.1f} ms (p95)")
        print(f"{cost.processor}, {cost.cores} cores, load {cost.load_1min}")
    return FINE


def measure(pages: int, seconds: float) -> Cost:
    """Show a match for so long. Raises PageError."""
    with Page(Desk(), port=0) as page:
        at = urlsplit(page.links.here).netloc
        command = [sys.executable, "-m", "referee.commands.benches._listener", at, str(pages)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as listener:
            time.sleep(1.5)  # until the listeners are there; boards before it are not counted
            page_before_s, own_before_s = _cpu_s(page.process_id), time.process_time()
            boards, wall_s = _show(page, seconds)
            own_s = time.process_time() - own_before_s
            page_after_s = _cpu_s(page.process_id)
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
        p50_ms=round(late_ms[len(late_ms) // 2], 1),
        p95_ms=round(late_ms[len(late_ms) * 95 // 100], 1),
        processor=processor(),
        cores=os.cpu_count() or 1,
        load_1min=round(os.getloadavg()[0], 2),
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


def _cpu_s(process_id: int) -> float | None:
    """Return the processor time of a process, None where the system does not tell it so."""
    try:
        words = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return None
    user, system = words.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
