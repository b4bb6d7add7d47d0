"""One match being judged while it is played: events in, rulings out, each told to its listeners."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

from referee.match import close, open_match, step
from referee.rulebook import Game, State
from referee.values import Event, Match, Ruling, Setting


class Listener(Protocol):
    """What wants to know of a match: its record, its screens. Called in order, in one thread."""

    def on_event(self, event: Event) -> None:
        """Take an event, before it is judged."""

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Take the rulings that became certain with the last event."""


class Sitting:
    """A match in play. `feed` numbers each event and judges it; not to be shared by threads.

    Listeners are told in the order given: the record comes first, so that what the screens
    announce is already kept.
    """

    def __init__(
        self,
        match: Match,
        game: Game[Any],
        options: Iterable[Setting] = (),
        listeners: Iterable[Listener] = (),
    ) -> None:
        """Open the match. Raises MatchError."""
        self.match, self.game = match, game
        self.state: State[Any] = open_match(match, game, options)
        self._listeners = tuple(listeners)
        self._last_n = 0

    def feed(self, event: Event) -> tuple[Ruling, ...]:
        """Judge one event, which gets the next number; returns the rulings that became certain.

        What is told late keeps its time: who was first does not depend on who was heard first.
        """
        self._last_n += 1
        numbered = replace(event, n=self._last_n)
        for listener in self._listeners:
            listener.on_event(numbered)
        self.state, rulings = step(self.game, self.state, numbered)
        self._tell(rulings)
        return rulings

    def foresee(self, *events: Event) -> tuple[State[Any], tuple[Ruling, ...]]:
        """Return what judging events next would give, the rulings on the last one; none is judged.

        Raises ValueError without an event.
        """
        if not events:
            raise ValueError("there is no event to foresee")
        state, rulings = self.state, tuple[Ruling, ...]()
        for n, event in enumerate(events, self._last_n + 1):
            state, rulings = step(self.game, state, replace(event, n=n))
        return state, rulings

    def foresee_late(self, *events: Event) -> tuple[Ruling, ...]:
        """Return what would be ruled on the last of some events, also when a time has run out.

        As if nothing else happened.
        """
        state, rulings = self.foresee(*events)
        own = (one for one in rulings if one.n == state.n)
        return (*own, *self.ruled_late(state))

    def ruled_late(self, state: State[Any]) -> tuple[Ruling, ...]:
        """Return what would be ruled on the last event of a foreseen state when a time runs out."""
        return tuple(one for one in close(self.game, state)[1] if one.n == state.n)

    def close(self) -> tuple[Ruling, ...]:
        """End the match: all timers run out."""
        self.state, rulings = close(self.game, self.state)
        self._tell(rulings)
        return rulings

    def adopt(self, state: State[Any], last_n: int) -> None:
        """Go on from what really happened, as a review says; the next number is beyond `last_n`."""
        self.state = state
        self._last_n = max(self._last_n, last_n)

    def _tell(self, rulings: tuple[Ruling, ...]) -> None:
        if rulings:
            for listener in self._listeners:
                listener.on_rulings(rulings)
