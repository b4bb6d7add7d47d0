"""How soon a match is judged, in peace and under a flood, for `referee bench screens --flood`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from urllib.parse import urlsplit

from referee.app.board import Audience, Board
from referee.app.orders import said
from referee.app.sitting import Sitting
from referee.commands.benches._chromium import cpu_s
from referee.games import find_game
from referee.play import legal_match
from referee.screens.desk import Desk, Saying
from referee.screens.page import Page

# Five times what four fast players do together: enough rulings for a p95.
EVENTS_PER_S = 20


@dataclass(frozen=True, slots=True)
class Judged:
    """One run: `late_ms` from an event's time to the end of its judging, and what it cost.

    `match_ms` is the processor time of the match's process for each event, with all that it hears.
    """

    events: int
    heard: int
    sent: int
    late_ms: tuple[float, ...]
    match_ms: float
    page_percent: float | None


def judged(seconds: float, flooded: bool) -> Judged:
    """Judge a match of Nertz for four for so long. Raises PageError."""
    desk = Desk()
    with Page(desk, port=0) as page, _flood(urlsplit(page.links.here).netloc, flooded) as flood:
        page_before_s, own_before_s = cpu_s(page.process_id), time.process_time()
        began_s = time.monotonic()
        late_ms, heard = _judge(page, desk, max(1, round(seconds * EVENTS_PER_S)))
        wall_s, own_s = time.monotonic() - began_s, time.process_time() - own_before_s
        page_after_s = cpu_s(page.process_id)
        sent = int(flood.communicate("")[0]) if flood else 0
    spent = None if page_before_s is None or page_after_s is None else page_after_s - page_before_s
    return Judged(
        events=len(late_ms),
        heard=heard,
        sent=sent,
        late_ms=tuple(sorted(late_ms)),
        match_ms=1000 * own_s / len(late_ms),
        page_percent=None if spent is None else round(100 * spent / wall_s, 1),
    )


@contextmanager
def _flood(at: str, flooded: bool) -> Iterator[subprocess.Popen[str] | None]:
    if not flooded:
        yield None
        return
    command = [sys.executable, "-m", "referee.commands.benches._flood", at]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        time.sleep(2.0)  # until all of it runs
        yield process


def _judge(page: Page, desk: Desk, count: int) -> tuple[list[float], int]:
    """Judge so many events at their rate, with all that is said on the page between them."""
    match, game = legal_match("nertz", 4, 1), find_game("nertz")
    board = Board(match, game, Audience(page.show, page.tell))
    sitting = Sitting(match, game, listeners=(board,))
    events, late_ms, heard = cycle(match.events[:400]), [], 0
    for _ in desk.words():  # what the flood said before
        pass
    began_s = time.monotonic()
    for n in range(count):
        due_s = began_s + n / EVENTS_PER_S
        time.sleep(max(0.0, due_s - time.monotonic()))
        for word in desk.words():
            heard += 1
            if isinstance(word, Saying):
                sitting.feed(said(word, sitting.state, sitting.state.now_ns))
        sitting.feed(next(events))
        late_ms.append(1000 * (time.monotonic() - due_s))
        board.update(sitting.state)
    return late_ms, heard
