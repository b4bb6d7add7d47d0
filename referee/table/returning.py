"""Cards that only seemed to leave: lifted and put back, hidden for a while, turned in place."""

from __future__ import annotations

from referee.table.air import Air
from referee.table.gone import Gone
from referee.table.habits import Habits
from referee.table.own_pile import UNREAD_NS, UNTOUCHED_MM
from referee.table.piles import Piles, fits
from referee.table.sources import Sources
from referee.table.spots import COVERS_MM
from referee.values.spots import Spot

# The next back of a pile shows so near to the one that was taken.
BACK_MM = 25.0
# A hand that turns a card over leaves its place for no longer than that.
AWAY_NS = 300_000_000


class Returning:
    """Lays cards in the air back where they lay. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, air: Air) -> None:
        """Take the piles, and the air out of which cards come back."""
        self._habits, self._piles, self._air = habits, piles, air

    def put_back(self, spot: Spot, zone: str, waited_ns: int) -> bool:
        """Put cards back that had only been lifted or hidden, and were not told of.

        `waited_ns` is since when the spot is seen.
        """
        for gone in self._air.gone:
            if gone.zone != zone or self._is_taken_away(gone):
                continue
            if not spot.up and self._is_turned_onto(gone, zone, spot):
                continue
            if self._may_be_another(gone, spot) and waited_ns < UNREAD_NS:
                continue
            reach_mm = self._habits.reach_mm(zone, BACK_MM)
            shown = [
                k
                for k, card in enumerate(gone.cards)
                if fits(card, spot)
                and (card.named if spot.named else card.near(spot.at_mm, reach_mm))
            ]
            if self._is_read_now(gone, spot, reach_mm):
                shown = [len(gone.cards) - 1]
            if not shown:
                continue
            last = shown[-1]
            self._piles[zone].extend((*gone.cards[:last], gone.cards[last].shown_by(spot)))
            gone.cards = gone.cards[last + 1 :]
            if not gone.cards:
                self._air.gone.remove(gone)
            return True
        return False

    def _may_be_another(self, gone: Gone, spot: Spot) -> bool:
        """Whether an unread card lies beside where one was taken: it may have been laid on it."""
        unread = spot.up and not spot.named
        return unread and gone.touched and not gone.cards[-1].near(spot.at_mm, UNTOUCHED_MM)

    def _is_read_now(self, gone: Gone, spot: Spot, reach_mm: float) -> bool:
        """Whether the unread card on cards that nobody touched lay there before they got lost."""
        top = gone.cards[-1]
        untouched = not gone.touched and spot.still_ns < gone.bare_ns
        return untouched and not top.named and fits(top, spot) and top.near(spot.at_mm, reach_mm)

    def _is_turned_onto(self, gone: Gone, zone: str, spot: Spot) -> bool:
        """Whether another block left since, which is turned over to lie in this zone."""
        return any(
            other.cards[-1].up
            and other.t_ns >= gone.t_ns
            and (
                self._habits.returns_to(other.zone, other.actor.seat) == zone
                or (self._habits.is_for_one(zone) and self._takes_its_place(other, gone, spot))
            )
            for other in self._air.gone
        )

    def _takes_its_place(self, other: Gone, gone: Gone, spot: Spot) -> bool:
        """Whether the player who emptied a place took an open card next, and then laid a back."""
        same = other.touched and other.actor.seat == gone.actor.seat is not None
        return same and gone.bare_ns < other.t_ns < spot.still_ns

    def _is_taken_away(self, gone: Gone) -> bool:
        """Whether a back went into a closed hand, out of which another card comes in its place.

        The hand that lifts a card, or turns it over, stays with it.
        """
        away = gone.touched and gone.free_ns > AWAY_NS
        return away and self._habits.hides_hands and not gone.cards[-1].up

    def turned_back(self, spot: Spot, zone: str, sources: Sources) -> bool:
        """Put a card back that was picked up and laid where it had been; the spot shows it turned.

        It lies on top then, as it was before.
        """
        reach_mm = self._habits.reach_mm(zone, COVERS_MM)
        for gone in self._air.gone:
            card = gone.cards[-1]
            if gone.zone != zone or not card.near(spot.at_mm, reach_mm) or card.up == spot.up:
                continue
            if not self._habits.turns_over(zone) or sources.left(spot, zone, gone.actor):
                continue
            if self._is_taken_away(gone):
                continue
            if self._habits.shares_one_deck and sources.twin(spot, zone, gone.actor):
                # The only card of this face lies open elsewhere: it was brought, or will be.
                continue
            rest = self._piles[zone]
            below = zone in self._piles.deep or self._habits.is_column(zone)
            if not spot.up and (below or any(not one.up for one in rest)):
                # What lies open on that back may have left as well.
                continue
            self._air.gone.remove(gone)
            rest.extend(gone.cards)
            return True
        return False
