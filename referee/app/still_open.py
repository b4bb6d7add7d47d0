"""What is not understood yet of the table when an act is judged, and may change its meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee.app.glances import Glances
from referee.rulebook import State, Table
from referee.table.found import CARRY_NS, ONE_CARD_NS
from referee.table.habits import Habits, owner_of
from referee.table.moves import ONE_MOVE_NS
from referee.table.shown import Shown
from referee.values import CardPlaced, Event, card_zones

# Carries take 0.3 to 0.9 s. Of 144 surely seen cards that were in their hand already when the pile
# still showed none lay on another.
CARRIES_NS = 900_000_000


class StillOpen:
    """Tells what is open by what is seen now. Used by one thread."""

    def __init__(self, habits: Habits, shown: Callable[[], Shown], glances: Glances) -> None:
        """Take what tells what is seen of the table, and what was seen of it before."""
        self._habits, self._shown, self._glances = habits, shown, glances

    def may_lie_below(self, event: Event, zones: Iterable[str]) -> bool:
        """Whether a card that this player took just before one he laid on a cascade is still away.

        The hand that laid them hid it, and then the other card. `zones`: by which it is judged.
        """
        if not isinstance(event, CardPlaced) or event.target not in zones:
            return False
        if not self._habits.is_single(event.target):
            return False
        since_ns, pending = event.t_ns - CARRY_NS, self._shown().pending
        return any(since_ns < pending[zone] < event.t_ns for zone in self.of_owners(event))

    def may_have_gone_home(self, event: Event, state: State[Any]) -> bool:
        """Whether a card that is owed was away for longer than a hand carries one.

        He may have put it back first, onto backs that show the same as before, and drawn it again.
        """
        if not isinstance(event, CardPlaced) or event.carry_ns is None:
            return False
        return state.is_owed_at(event.origin) and event.t_ns - event.carry_ns > CARRIES_NS

    def is_laid_out(self, event: Event) -> bool:
        """Whether a card was laid out on a column, out of the hand: one beside it may show later.

        Who lays out his cards lays five in a second.
        """
        if not isinstance(event, CardPlaced) or not event.origin.endswith(".held"):
            return False
        return self._habits.is_column(event.target)

    def may_have_covered(self, event: Event, table: Table) -> bool:
        """Whether all that is known to lie in a place is the card that came there.

        One that it covered at once was seen in passing, if at all, and is told late.
        """
        return isinstance(event, CardPlaced) and len(table.pile(event.target)) == 1

    def may_lie_on_another(self, event: Event, table: Table) -> bool:
        """Whether a card that nobody saw may lie between one and the open card that it was laid on.

        In a squared pile it hides that one for good.
        """
        if not isinstance(event, CardPlaced) or self._shows_all(event.target):
            return False
        met = table.pile(event.target)[-1:]
        unseen_ns = self._glances.unseen_ns(event.target, event.t_ns)
        held_ns = 0 if event.carry_ns is None else event.t_ns - event.carry_ns
        long = unseen_ns > max(ONE_CARD_NS, min(held_ns, CARRIES_NS))
        return long and any(one.up for one in met)

    def _shows_all(self, zone: str) -> bool:
        """Whether the cards of a zone lie beside one another, or a step on from one another."""
        return self._habits.is_single(zone) or self._habits.is_column(zone)

    def is_open(self, event: Event, zones: Iterable[str]) -> bool:
        """Whether something happened in one of these zones by then that is not understood yet."""
        until_ns, pending = event.t_ns + (event.u_ns or 0) + ONE_MOVE_NS, self._shown().pending
        return any(pending.get(zone, until_ns) < until_ns for zone in zones)

    def of_owners(self, event: Event) -> Iterator[str]:
        """Yield where something is open at the places of those to whom an event's zones belong.

        Whether a card could have been laid elsewhere is judged by all of a player's piles.
        """
        mine = set(map(owner_of, card_zones(event))) - {None}
        return (zone for zone in self._shown().pending if owner_of(zone) in mine)
