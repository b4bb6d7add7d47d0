"""Whether it was surely one player's hand that carried a card into another's layout, or out of it.

People hardly ever do; a tracker that takes one hand for another tells of it. So nobody else's
hand may have been near, neither where the card left nor where it lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.table.evidence import Evidence, Reach
from referee.table.fetching import place_of
from referee.table.found import NOWHERE_ELSE, PLAIN, Found
from referee.table.habits import is_in_hands, owner_of
from referee.table.only_source import CARRIED_NS
from referee.table.passing import LAY_NS, PASSED_MM
from referee.table.piles import Piles
from referee.values import Actor, PointMm, TablePlan
from referee.values.spots import Spot

# The following of hands lags behind by so much, and a hand is where it lays or takes for so long.
ABOUT_NS = 250_000_000
# Fingertips that hold a card are so near to its middle: half its length and what they lag behind.
HOLDS_MM = 90.0
# Hands that are farther from a card than this have nothing to do with it.
APART_MM = 140.0


def crosses(zones: Iterable[str], seat: str | None, seats: Iterable[str]) -> bool:
    """Whether an act is in somebody else's layout, or from one player's into another's."""
    owners = {owner_of(zone) for zone in zones}.intersection(seats)
    return len(owners) > 1 or (seat is not None and bool(owners) and seat not in owners)


class Crossing:
    """Compares the hands about both places of a card. Used by one thread."""

    def __init__(self, plan: TablePlan, piles: Piles, evidence: Evidence) -> None:
        """Take the seats, the piles, and what the hands tell."""
        self._seats = tuple(place.seat for place in plan.seats)
        self._piles, self._evidence = piles, evidence

    def judged(self, found: Found, spot: Spot, zone: str, seat: str | None) -> Found:
        """Return a source as sure as it is by whose hands were about."""
        if not crosses((found.origin, zone), seat, self._seats):
            return found
        sure = found.conf >= PLAIN and seat is not None and self._is_sure(found, spot, seat)
        return replace(found, conf=NOWHERE_ELSE if sure else min(found.conf, PLAIN))

    def of_turn(self, spot: Spot, zone: str, actor: Actor) -> float:
        """Return how sure it can be at most who turned a card over, by whose hands were about."""
        if not crosses((zone,), actor.seat, self._seats):
            return 1.0
        turned_ns = spot.moving_ns - ABOUT_NS, spot.still_ns + ABOUT_NS
        sure = actor.seat is not None and self._is_alone(actor.seat, spot.at_mm, *turned_ns)
        return 1.0 if sure else PLAIN

    def _is_sure(self, found: Found, spot: Spot, seat: str) -> bool:
        """Whether only this player's hand was where a card was seen to leave and came to lie."""
        if is_in_hands(found.origin) or not spot.named or found.lifted_ns is None:
            return False
        if found.hidden and owner_of(found.origin) != seat and self._may_be_own(spot, seat):
            return False
        reach = found.reach if found.gone is None else found.gone.reach
        origin_mm = self._origin_mm(found)
        if reach is not Reach.TOUCHED or found.who.seat != seat or origin_mm is None:
            return False
        took_ns = found.lifted_ns - ABOUT_NS, found.lifted_ns + ABOUT_NS
        laid_ns = spot.moving_ns - ABOUT_NS, spot.still_ns + ABOUT_NS
        return self._is_alone(seat, origin_mm, *took_ns) and self._is_alone(
            seat, spot.at_mm, *laid_ns
        )

    def _may_be_own(self, spot: Spot, seat: str) -> bool:
        """Whether a card that never showed may as well have come from the player's own backs."""
        since_ns, until_ns = spot.still_ns - CARRIED_NS, spot.still_ns - LAY_NS
        tops = (self._piles[zone][-1] for zone in self._piles.zones() if owner_of(zone) == seat)
        came = (
            self._evidence.nearest(seat, top.at_mm, since_ns, until_ns)
            for top in tops
            if not top.up
        )
        return any(one is not None and one[0] < PASSED_MM for one in came)

    def _origin_mm(self, found: Found) -> PointMm | None:
        pile = self._piles[found.origin]
        return pile[-1].at_mm if found.hidden and pile else place_of(found, self._piles)

    def _is_alone(self, seat: str, at_mm: PointMm, t0_ns: int, t1_ns: int) -> bool:
        """Whether a player's hand was at a place, and no other hand near it."""
        near = self._evidence.nearest(seat, at_mm, t0_ns, t1_ns)
        if near is None or near[0] > HOLDS_MM:
            return False
        if self._evidence.touched(None, at_mm, t0_ns, t1_ns) is not None:
            return False
        others = (one for one in self._seats if one != seat)
        came = (self._evidence.nearest(one, at_mm, t0_ns, t1_ns) for one in others)
        return all(one is None or one[0] > APART_MM for one in came)
