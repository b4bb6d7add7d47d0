"""Backs that still show on a stock of which all that were counted have been drawn."""

from __future__ import annotations

from referee.table.evidence import Evidence
from referee.table.found import Found
from referee.table.habits import Habits, Source
from referee.table.piles import Piles, unknown
from referee.values import TablePlan
from referee.values.spots import Spot

# A back that is believed by mistake is forgotten 0.12 s after its place is seen free of hands.
BELIEVED_NS = 180_000_000


class BacksLeft:
    """Knows since when the tops of stocks are seen. Used by one thread."""

    def __init__(self, plan: TablePlan, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Begin with stocks that are not seen."""
        self._piles, self._evidence = piles, evidence
        names = (zone.name for zone in plan.zones)
        self._stocks = tuple(name for name in names if habits.drawn_by_blocks(name) is not None)
        # Since when the top back of each stock is seen, free of hands.
        self._shown_ns: dict[str, int] = {}

    def watch(self) -> None:
        """Note which stocks are seen now."""
        now = self._evidence.now
        live = {spot.id for spot in now.spots}
        for stock in self._stocks:
            top = next(reversed(self._piles[stock]), None)
            if top is None or top.up or top.spot not in live or now.covered(top.at_mm):
                self._shown_ns.pop(stock, None)
            else:
                self._shown_ns.setdefault(stock, now.t_ns)

    def is_unclear(self, found: Found, spot: Spot) -> bool:
        """Whether it is still to be seen if a draw took all backs, as it is believed."""
        shows = found.origin in self._shown_ns and self._takes_all(found)
        return shows and not self.is_more(found, spot)

    def is_more(self, found: Found, spot: Spot) -> bool:
        """Whether a back is seen, free of hands, since a draw took all that are believed."""
        if found.origin not in self._shown_ns or not self._takes_all(found):
            return False
        since_ns = max(self._shown_ns[found.origin], spot.still_ns)
        return self._evidence.now.t_ns - since_ns > BELIEVED_NS

    def _takes_all(self, found: Found) -> bool:
        backs = self._piles[found.origin]
        return found.flip and found.gone is None and 0 < len(backs) <= found.block

    def add_turn(self, source: Source) -> int:
        """Lay a turn back onto the bottom of a stock that was never drawn; return of how many.

        Its cards are some of those that nobody saw to come to the pile beside.
        """
        stock, pile = self._piles[source.origin], self._piles[source.target]
        never = [k for k, card in enumerate(pile) if card.spot is None and not card.named]
        self._piles.take(source.target, never[-source.block :])
        stock[:0] = [unknown(stock[-1])] * source.block
        return source.block
