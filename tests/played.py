"""A written-down match played into the page at any speed, with all that people say taken in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from referee.app.board import Audience, Board
from referee.app.hearing import Heard, Hearing
from referee.app.recording import begin_record, head_of
from referee.app.sitting import Listener, Sitting
from referee.games import find_game
from referee.notation import read_matches
from referee.record import Folder, Recorder
from referee.screens.desk import Desk
from referee.screens.page import Page
from referee.values import Event, Match, Setting

IN_PLAY = """
match PLAYED a seven beside a nine
  game nerves
  players A B
  phase PLAY
  flag live=A,B
  state
    A.arr.1 | 5C 7H
    B.arr.1 | 2C
    A.rest | [??]
    B.rest | [??]
    play.A | 9C
    play.B | {top}
  events
"""
# How long to wait at most until the desk is looked at again.
LOOK_S = 0.02
# Faster than any match is long: the clock never keeps an event waiting.
AT_ONCE = 1e9


def in_play(top: str, *events: str) -> Match:
    """A match of Nerves in play: A has a seven, a nine lies on one pile, `top` on the other."""
    numbered = "".join(f"    {n} {event}\n" for n, event in enumerate(events, 1))
    return read_matches(IN_PLAY.format(top=top) + numbered)[0]


A_SEVEN_ON_A_NINE = in_play("KD", "1.000 CardPlaced A.R 7H A.arr.1>play.A up")


class Played:
    """One match in play, in one thread; `speed` times as fast as it was written down."""

    def __init__(
        self,
        match: Match,
        page: Page,
        desk: Desk,
        *,
        speed: float = 1.0,
        names: Mapping[str, str] | None = None,
        folder: Folder | None = None,
        options: tuple[Setting, ...] = (),
        listeners: Iterable[Listener] = (),
    ) -> None:
        game = find_game(match.game)
        audience = Audience(page.show, page.tell)
        self.recorder: Recorder | None = None
        if folder is not None:
            self.recorder = begin_record(folder, head_of(match, game, options))
        self.board = Board(match, game, audience, names, rate=speed, disputable=folder is not None)
        self._told: tuple[Listener, ...] = (self.board, *listeners)
        first = () if self.recorder is None else (self.recorder,)
        self.sitting = Sitting(match, game, options, (*first, *self._told))
        self._hearing = Hearing(desk)
        self._events, self._speed, self._from_ns = match.events, speed, time.monotonic_ns()
        self.board.update(self.sitting.state)

    @property
    def from_ns(self) -> int:
        """The host's time at which the match began."""
        return self._from_ns

    @property
    def wanted(self) -> str:
        """The order that ended the match."""
        return self._hearing.wanted

    def match_ns(self, host_ns: int) -> int:
        return round((host_ns - self._from_ns) * self._speed)

    def put(self, *events: Event) -> None:
        for event in events:
            self.sitting.feed(event)

    def play(self, go_on: Callable[[], bool] = lambda: True) -> str:
        """Play to the end, then stay with the desk until `go_on` says no or an order ends it.

        Returns that order, empty for none.
        """
        self._from_ns = time.monotonic_ns()
        for event in self._events:
            while self.board.paused or self._left_s(event.t_ns) > 0:
                if not go_on() or self.wanted:
                    break
                self.hear()
                time.sleep(min(LOOK_S, max(0.0, self._left_s(event.t_ns))))
            if not go_on() or self.wanted:
                break
            self.put(event)
            self.board.update(self.sitting.state, self.match_ns(time.monotonic_ns()))
        self.sitting.close()
        self.board.finish(self.sitting.state)
        while go_on() and not self.wanted:
            self.hear()
            time.sleep(LOOK_S)
        if self.recorder is not None:
            self.recorder.close()
        return self.wanted

    def hear(self) -> None:
        """Take in what was said."""
        self._hearing.step(Heard(self, self.board, self.recorder, self._told))
        self.board.update(self.sitting.state, self.match_ns(time.monotonic_ns()))

    def _left_s(self, t_ns: int) -> float:
        return (t_ns - self.match_ns(time.monotonic_ns())) / 1e9 / self._speed
