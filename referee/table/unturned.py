"""Backs that their player turned up and carried on under his hand, so that nobody saw them turned.

Who re-arranges his cards turns one up and takes it elsewhere in half a second. Of a card that comes
from no pile that is known, it is then the only one of his backs that was out of sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import dist

from referee.table.backs import NEAR_MM
from referee.table.evidence import Evidence, Reach
from referee.table.found import CARRY_NS, LIKELY, Found
from referee.table.gone import Gone
from referee.table.habits import Habits, owner_of
from referee.table.passing import LAY_NS
from referee.table.piles import Lying, Piles
from referee.values import Actor
from referee.values.spots import Spot


class Unturned:
    """Looks for the back that a player turned up and carried away. Used by one thread."""

    def __init__(
        self, habits: Habits, piles: Piles, limbo: Sequence[Gone], evidence: Evidence
    ) -> None:
        """Look at the piles, and at what lies nowhere, as they are known now."""
        self._habits, self._piles = habits, piles
        self._limbo, self._evidence = limbo, evidence

    def found(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return where a card that nobody saw before lay as a back, None if that is not plain.

        Not of one on a waste, onto which only its own stock is turned.
        """
        seat = owner_of(zone) or actor.seat
        if seat is None or not spot.named or self._habits.is_drawn_onto(zone):
            return None
        hidden = [*self._out_of_sight(seat, spot, zone), *self._seen_bare(seat, zone)]
        if len(hidden) != 1:
            return None
        back, found = hidden[0]
        lifted_ns = self._lifted_ns(seat, back, spot)
        who = Actor(seat, actor.hand if actor.seat == seat else None)
        if lifted_ns is None:
            return None
        return replace(found, lifted_ns=lifted_ns, who=who, reach=Reach.PASSED)

    def _out_of_sight(self, seat: str, spot: Spot, zone: str) -> Iterator[tuple[Lying, Found]]:
        """Yield the backs on top of the player's other piles by then that are not seen now."""
        for name in self._piles.zones():
            lay = [card for card in self._piles[name] if card.since_ns < spot.still_ns]
            if name != zone and lay and self._may_be_turned(name, seat, lay[-1]):
                yield from self._unseen(name, lay[-1])

    def _unseen(self, name: str, back: Lying) -> Iterator[tuple[Lying, Found]]:
        if back.spot is None or self._evidence.now.covered(back.at_mm):
            yield back, Found(name, conf=LIKELY, hidden=True)

    def _seen_bare(self, seat: str, zone: str) -> Iterator[tuple[Lying, Found]]:
        """Yield the last backs of the player's other piles that lie nowhere."""
        for gone in self._limbo:
            back, single = gone.cards[-1], len(gone.cards) == 1
            if gone.zone != zone and single and self._may_be_turned(gone.zone, seat, back):
                yield back, Found(gone.zone, 0, conf=LIKELY, gone=gone)

    def _may_be_turned(self, name: str, seat: str, top: Lying) -> bool:
        return owner_of(name) == seat and self._habits.is_first_turned(name) and not top.up

    def _lifted_ns(self, seat: str, back: Lying, spot: Spot) -> int | None:
        """Return when the player's fingers were last near a back before the card was laid."""
        way = self._evidence.way(seat, spot.still_ns - CARRY_NS, spot.still_ns - LAY_NS)
        near = (t_ns for t_ns, tip_mm in way if dist(tip_mm, back.at_mm) < NEAR_MM)
        return max(near, default=None)
