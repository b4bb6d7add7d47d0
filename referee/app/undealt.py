"""Who had not dealt himself his cards when the camera opened: till they lie he is setting up.

A game that is found on the table is taken to be in play; a player with nothing but his whole deck
before him is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.rulebook import State, Table
from referee.table.habits import Habits, fits, owner_of
from referee.values import Event, card_zones


class Undealt:
    """Remembers who still deals. Used by one thread."""

    def __init__(self, habits: Habits) -> None:
        """Begin without having seen the table."""
        self._habits = habits
        self._seats: set[str] | None = None

    def look(self, state: State[Any]) -> None:
        """Note who has nothing but a deck at the first look, and whose open cards lie since.

        Where the game is known to be dealt yet its rules know who still does.
        """
        if self._seats is None:
            in_play = state.setup.phase == "PLAY" and bool(self._habits.dealt)
            self._seats = self._with_a_deck_alone(state.table) if in_play else set()
        for seat in tuple(self._seats):
            if all(state.table.pile(zone) for zone in self._places(seat)):
                self._seats.discard(seat)

    def _with_a_deck_alone(self, table: Table) -> set[str]:
        zones = [zone for zone, pile in table.piles.items() if pile]
        owners = {owner for zone in zones if (owner := owner_of(zone)) is not None}
        return owners - {owner_of(zone) for zone in zones if not fits(zone, self._habits.decks)}

    def concerns(self, event: Event) -> bool:
        """Whether an event is at the places of somebody who still deals."""
        owners = {owner_of(zone) for zone in card_zones(event)}
        return not owners.isdisjoint(self._seats or ())

    def _places(self, seat: str) -> Iterator[str]:
        """Yield where a player's open cards lie when all are dealt."""
        return (f"{seat}.{name}" for deal in self._habits.dealt for name in deal.singles)
