"""The desk: what players and operators say on the page, as a queue that the match's loop drains."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from dataclasses import dataclass

from referee.screens.setup import Setup

# Far more than a table of people can press between two turns of the match's loop.
MOST_WAITING = 256
# A second press within this time is the same press: double taps, and two phones of one player.
REPEAT_NS = 1_000_000_000
# Declared by anybody for the whole table, so that a second one is a repeat whoever says it.
OF_ALL = ("start", "leader", "name")


@dataclass(frozen=True, slots=True)
class Saying:
    """Somebody said something on the page.

    `what` and `words` are those of `Declared`. `seat` is whose declaration it is, None for the
    operator's button. `t_ns` is the host's time of the press and `u_ns` half the width of the
    interval that holds it. `device` names the phone or browser. `operator`: the operator pressed
    a button on his page for somebody (a player's key on his keyboard is the player's own).
    """

    seat: str | None
    what: str
    words: tuple[str, ...]
    t_ns: int
    u_ns: int
    device: str
    operator: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """The operator wants something: `do` is one of `messages.ORDERS`.

    `words` are its details: correct ZONE POS CARD, height ZONE N, forgive SEAT, rule ID SEAT,
    first SEAT, answer N TEXT, confirm N TEXT, withdraw N TEXT, camera SOURCE, calibrate STEP, table
    GAME PLAYERS [WIDTH and four CORNERS], note TEXT, mark N NAME, missed NAME X Y; none for pause,
    continue, end, restart, keep, skip.
    """

    do: str
    words: tuple[str, ...]
    t_ns: int
    device: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The operator chose how the next match is set up."""

    setup: Setup
    t_ns: int
    device: str


Word = Saying | Order | Chosen


class Desk:
    """A thread-safe queue of words, oldest first. When it is full it refuses and counts."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Word] = queue.Queue(MOST_WAITING)
        self.refused = 0

    def put(self, word: Word) -> bool:
        """Lay a word on the desk; False if it is full. For the page's thread."""
        try:
            self._waiting.put_nowait(word)
        except queue.Full:
            self.refused += 1
            return False
        return True

    def words(self, timeout_s: float | None = None) -> Iterator[Word]:
        """Yield all that lies on the desk; with a time, wait so long for the first word."""
        try:
            if timeout_s is not None:
                yield self._waiting.get(timeout=timeout_s)
            while True:
                yield self._waiting.get_nowait()
        except queue.Empty:
            return


class Repeats:
    """Which sayings are second presses of what was said just now."""

    def __init__(self) -> None:
        self._last: dict[tuple[str | None, str, tuple[str, ...]], int] = {}

    def is_repeat(self, saying: Saying) -> bool:
        """Whether the same was said within a second, by the press times of the devices."""
        seat = None if saying.what in OF_ALL else saying.seat
        key = (seat, saying.what, saying.words if saying.what != "name" else ())
        last_ns = self._last.get(key)
        if last_ns is not None and abs(saying.t_ns - last_ns) < REPEAT_NS:
            return True
        self._last = {k: t for k, t in self._last.items() if saying.t_ns - t < REPEAT_NS}
        self._last[key] = saying.t_ns
        return False
