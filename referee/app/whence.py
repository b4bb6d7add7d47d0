"""Faults that rest on where a card came from, which nobody saw surely: it may be put back there.

Or what is taken for an open pile is another one: people lay their piles where there is room.
"""

from __future__ import annotations

from referee.rulebook import Table
from referee.table.found import GUESSED
from referee.table.habits import Habits, fits, is_in_hands, owner_of
from referee.values import CardPlaced, Event


class Whence:
    """Remembers cards that came from nobody knows where. Used by one thread."""

    def __init__(self, habits: Habits) -> None:
        """Begin with none."""
        self._habits = habits
        # Cards of which nobody saw where they lay before they came where they lie.
        self._unsourced: set[int] = set()

    def note(self, table: Table, event: Event) -> None:
        """Take an event that was judged, and the table after it."""
        if not isinstance(event, CardPlaced) or event.conf is None or event.conf > GUESSED:
            return
        self._unsourced.update(one.token for one in table.pile(event.target)[-1:])

    def is_doubted(self, table: Table, event: Event) -> bool:
        """Whether an event on a table is no fault for what was not seen of where its card lay."""
        if not isinstance(event, CardPlaced):
            return False
        return self._may_go_back(table, event) or self._lay_astray(table, event)

    def _may_go_back(self, table: Table, event: CardPlaced) -> bool:
        """Whether a player may put a card back among his own from where he wrongly laid it."""
        if owner_of(event.target) != event.actor.seat:
            return False
        return any(one.token in self._unsourced for one in table.pile(event.origin)[-1:])

    def _lay_astray(self, table: Table, event: CardPlaced) -> bool:
        """Whether a card was taken where only open cards are laid, and none is known to lie.

        His own closed pile may lie there.
        """
        kept = self._habits.has_backs(event.origin) or fits(event.origin, self._habits.decks)
        if kept or is_in_hands(event.origin):
            return False
        return not any(one.up for one in table.pile(event.origin)[-1:])
