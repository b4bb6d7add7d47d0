"""Players who took up fewer cards than an arrangement takes, and what the others hold then.

Nobody can count a packet from above. But who shows a face on every column before they stand as
high as they should has laid all that he had; then all that is not seen is in the other's hand.
"""

from __future__ import annotations

from referee.table.air import Air
from referee.table.habits import Habits, owner_of
from referee.table.piles import Piles, unknown
from referee.table.spots import Zones
from referee.values import TablePlan

# The columns of an arrangement, and the cards in them when it stands.
COLUMNS, STAIRCASE = 5, 15
# Who has laid fewer than one row, each face up, may go on with it; cards follow one another sooner.
PAUSE_NS = 3_000_000_000


class ShortHands:
    """Knows who has laid all that he took up. Used by one thread."""

    def __init__(
        self, plan: TablePlan, habits: Habits, zones: Zones, piles: Piles, air: Air
    ) -> None:
        """Take the piles, where the cards of a column lie, and those that seem to have left one."""
        self._seats = tuple(place.seat for place in plan.seats)
        self._habits, self._zones, self._piles, self._air = habits, zones, piles, air
        # How many cards those have who have laid all.
        self._has: dict[str, int] = {}

    def step(self, t_ns: int) -> None:
        """Look who has laid all that he held, and count what the other one holds then."""
        if not self._habits.laid_of:
            return
        for seat in self._seats:
            if self._piles.holds_packet(self._hand(seat)):
                self._has.pop(seat, None)
                if self._has_laid_all(seat, t_ns):
                    self._piles.empty(self._hand(seat))
                    self._has[seat] = self._laid(seat)
        others = [seat for seat in self._seats if seat not in self._has]
        if len(others) == 1 and self._piles.holds_packet(self._hand(others[0])):
            held = len(self._habits.faces) - sum(self._has.values()) - self._laid(others[0])
            self._count(self._hand(others[0]), held)

    def _hand(self, seat: str) -> str:
        return f"{seat}.{self._habits.held}"

    def _has_laid_all(self, seat: str, t_ns: int) -> bool:
        """Whether each column shows a face though they do not stand as high as they should.

        Where a back is seen no more, a card may just have been laid on it that is not read yet.
        """
        mine = (gone.cards[-1] for gone in self._air.gone if owner_of(gone.zone) == seat)
        if any(not card.up for card in mine):
            return False
        tops = [self._piles[zone][-1] for zone in self._columns(seat)]
        if len(tops) < 2 or not all(top.up and top.spot is not None for top in tops):
            return False
        paused = t_ns - max(top.since_ns for top in tops) > PAUSE_NS
        return self._laid(seat) < STAIRCASE and (len(tops) >= COLUMNS or paused)

    def _columns(self, seat: str) -> list[str]:
        mine = (zone for zone in self._piles.zones() if owner_of(zone) == seat)
        return [zone for zone in mine if self._habits.is_column(zone)]

    def _laid(self, seat: str) -> int:
        """Return how many cards a player has laid: where a column's top lies tells its height.

        That of a card which arms hid when it was laid is not missed so.
        """
        return sum(map(self._height, self._columns(seat)))

    def _height(self, zone: str) -> int:
        pile, along_mm = self._piles[zone], self._zones.along_mm
        deep_mm = along_mm(zone, pile[-1].at_mm) - along_mm(zone, self._zones.first_mm(zone))
        return min(max(round(deep_mm / self._zones.step_mm(zone)) + 1, 1), COLUMNS)

    def _count(self, hand: str, held: int) -> None:
        """Let a hand hold so many cards."""
        pile = self._piles[hand]
        if held > 0:
            pile[:] = [*([unknown(pile[0])] * (held - len(pile))), *pile[-held:]]
