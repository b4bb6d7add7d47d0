"""Plays a match into the page at any speed, with what people say on the page taken in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.app.board import Audience, Board
from referee.app.orders import OrderError, ordered, said
from referee.app.sitting import Listener, Sitting
from referee.rulebook import Game
from referee.screens.desk import Desk, Order, Saying, Word
from referee.screens.page import Page
from referee.values import Match, Setting

# How long to wait at most until the desk is looked at again.
LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Showing:
    """How a match is shown: `speed` times as fast as it was, and who sits where."""

    match: Match
    game: Game[Any]
    options: tuple[Setting, ...] = ()
    speed: float = 1.0
    names: Mapping[str, str] | None = None
    disputable: bool = False


class MatchClock:
    """The match's time by the host's clock: it runs at a rate, and can stand still."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._from_ns, self._at_ns = time.monotonic_ns(), 0
        self._stands = False

    def match_ns(self, host_ns: int) -> int:
        """Return the match's time at a time of the host, no earlier than 0."""
        if self._stands:
            return self._at_ns
        return max(0, self._at_ns + round((host_ns - self._from_ns) * self._rate))

    def stand(self, still: bool) -> None:
        """Stop, or go on."""
        now_ns = time.monotonic_ns()
        self._at_ns = self.match_ns(now_ns)
        self._from_ns, self._stands = now_ns, still


class Player:
    """Plays one match into a page. Everything happens in the thread that calls `play`."""

    def __init__(
        self, showing: Showing, page: Page, desk: Desk, listeners: Iterable[Listener] = ()
    ) -> None:
        self._showing, self._page, self._desk = showing, page, desk
        self._listeners = tuple(listeners)
        self._restart = self._ended = False
        self._begin()

    def _begin(self) -> None:
        showing = self._showing
        self.board = Board(
            showing.match,
            showing.game,
            Audience(self._page.show, self._page.tell),
            showing.names,
            rate=showing.speed,
            disputable=showing.disputable,
        )
        listeners = (*self._listeners, self.board)
        self._sitting = Sitting(showing.match, showing.game, showing.options, listeners)
        self._clock = MatchClock(showing.speed)
        self.board.update(self._sitting.state)

    def play(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Play to the end, and begin again as often as the operator restarts the match.

        Stays with the desk after the last event until `go_on` says no. Raises MatchError.
        """
        while go_on():
            self._play_once(go_on)
            while go_on() and not self._restart:
                self._hear(LOOK_S)
            if self._restart:
                self._restart = self._ended = False
                self._begin()

    def _play_once(self, go_on: Callable[[], bool]) -> None:
        for event in self._showing.match.events:
            while self.board.paused or self._left_s(event.t_ns) > 0:
                if not go_on() or self._restart or self._ended:
                    return
                self._hear(min(LOOK_S, max(0.0, self._left_s(event.t_ns))))
            self._sitting.feed(event)
            self.board.update(self._sitting.state, self._now_ns())
        self._sitting.close()
        self.board.update(self._sitting.state, self._now_ns())

    def _now_ns(self) -> int:
        return self._clock.match_ns(time.monotonic_ns())

    def _left_s(self, t_ns: int) -> float:
        return (t_ns - self._now_ns()) / 1e9 / self._showing.speed

    def _hear(self, timeout_s: float) -> None:
        """Take in what lies on the desk, waiting a little for the first word."""
        for word in self._desk.words(timeout_s):
            self._take(word)

    def _take(self, word: Word) -> None:
        t_ns = self._clock.match_ns(word.t_ns)
        match word:
            case Saying():
                self._sitting.feed(said(word, self._sitting.state, t_ns))
            case Order():
                self._follow(word, t_ns)
            case _:
                return  # a set-up: this match is set up already
        self.board.update(self._sitting.state, self._now_ns())

    def _follow(self, order: Order, t_ns: int) -> None:
        try:
            events = ordered(order, self._sitting.state, t_ns)
        except OrderError as reason:
            self.board.mark(f"not done: {reason}")
            return
        for event in events:
            self._sitting.feed(event)
        self.board.mark()
        if order.do in ("pause", "continue"):
            self._clock.stand(order.do == "pause")
        self._restart = self._restart or order.do == "restart"
        self._ended = self._ended or order.do == "end"


def show_match(
    showing: Showing,
    host: str = "127.0.0.1",
    port: int | None = None,
    listeners: Iterable[Listener] = (),
    record_page: Callable[[str], bytes | None] | None = None,
    tell_links: Callable[[Page], None] = lambda page: None,
    go_on: Callable[[], bool] = lambda: True,
) -> None:
    """Serve the page and play a match into it until `go_on` says no.

    `tell_links` is called once the page is served, to print its address and code. Raises
    PageError, MatchError.
    """
    desk = Desk()
    with Page(desk, host, port, record_page or (lambda what: None)) as page:
        tell_links(page)
        Player(showing, page, desk, listeners).play(go_on)
