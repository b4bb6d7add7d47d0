"""Piles that a hand passed so swiftly that no touch was felt: what it took there by its way."""

from __future__ import annotations

from dataclasses import replace
from math import dist

from referee.table.evidence import Evidence, Reach
from referee.table.found import CARRY_NS, LIKELY, Found
from referee.table.habits import Habits, owner_of
from referee.table.piles import NEVER_NS, Piles
from referee.values import Actor, PointMm
from referee.values.spots import Spot

# The hand that lays the card is at the target a little before it is still.
LAY_NS = 120_000_000
# From a pile to the one beside it a hand needs less than this.
SWIFT_NS = 900_000_000
# Fingertips that take a card in passing are seen so near to its middle; piles lie 85 mm apart.
PASSED_MM = 60.0
# Fingers so near to a pile's middle are at it; those that stay so far take nothing there.
AT_MM, FAR_MM = 45.0, 75.0


class Passing:
    """Asks the ways of hands for the piles that they passed. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Look at the piles as they are known now."""
        self._habits, self._piles, self._evidence = habits, piles, evidence

    def taken(self, spot: Spot, zone: str, actor: Actor, usual: set[str]) -> Found | None:
        """Return the player's own pile that his fingers passed before they laid an open card.

        Where they came near none from which it is usual to come: it was taken off the backs in
        passing, or off a turn of which it was the top one and never seen.
        """
        if actor.seat is None or not spot.up or self._habits.is_drawn(zone):
            return None
        since_ns, until_ns = spot.still_ns - CARRY_NS, spot.still_ns - LAY_NS
        near = []
        for name in self._piles.zones():
            if owner_of(name) != actor.seat or name == zone or not self._habits.is_drawn(name):
                continue
            at_mm = self._piles[name][-1].at_mm
            came = self._evidence.nearest(actor.seat, at_mm, since_ns, until_ns)
            if came is not None and came[0] < PASSED_MM and came[1] > self._drawn_ns(name):
                near.append((came, name))
        if any(name in usual for _, name in near):
            return None
        off_turns = (self._off_turn(name, spot, actor) for _, name in near)
        off_turn = next((one for one in off_turns if one is not None), None)
        backs = [one for one in near if not self._piles[one[1]][-1].up]
        if off_turn is not None or not backs:
            return off_turn
        (apart_mm, t_ns), name = min(backs)
        found = Found(name, hidden=True, conf=LIKELY, who=actor, lifted_ns=t_ns)
        return replace(found, reach=Reach.PASSED, apart_mm=apart_mm)

    def is_only_one(
        self, best: Found, spot: Spot, zone: str, actor: Actor, home_mm: PointMm
    ) -> bool:
        """Whether fingers that laid a card were right at one pile and far from the player's others.

        They are not seen until they are over the table, and pass first what lies nearest to
        `home_mm`, their player's place: they may have been there before they were seen elsewhere.
        """
        seat, pile = actor.seat, self._piles[best.origin]
        if seat is None or not pile or best.reach is Reach.NONE or best.flip:
            return False
        names = (name for name in self._piles.zones() if name not in (best.origin, zone))
        mine = (n for n in names if owner_of(n) == seat and self._habits.is_drawn(n))
        tops_mm = [self._piles[name][-1].at_mm for name in mine]
        near_mm = dist(pile[-1].at_mm, home_mm)
        apart_mm = self._apart_mm(best, seat, spot)
        if not 0.0 < apart_mm < AT_MM or any(dist(one, home_mm) < near_mm for one in tops_mm):
            return False
        return all(self._was_far(seat, one, spot) for one in tops_mm)

    def _apart_mm(self, found: Found, seat: str, spot: Spot) -> float:
        """Return how near fingers came to a pile: they may be felt beside it before they are."""
        if found.reach is Reach.PASSED:
            return found.apart_mm
        since_ns, until_ns = spot.still_ns - SWIFT_NS, spot.still_ns - LAY_NS
        top_mm = self._piles[found.origin][-1].at_mm
        near = self._evidence.nearest(seat, top_mm, since_ns, until_ns)
        return found.apart_mm if near is None else near[0]

    def _was_far(self, seat: str, at_mm: PointMm, spot: Spot) -> bool:
        since_ns, until_ns = spot.still_ns - SWIFT_NS, spot.still_ns - LAY_NS
        near = self._evidence.nearest(seat, at_mm, since_ns, until_ns)
        return near is not None and near[0] > FAR_MM

    def _drawn_ns(self, zone: str) -> int:
        """Return when cards were last drawn from backs by blocks: what came before led to that."""
        source = self._habits.drawn_by_blocks(zone)
        onto = [] if source is None else self._piles[source.target]
        return max((card.since_ns for card in onto), default=NEVER_NS)

    def _off_turn(self, zone: str, spot: Spot, actor: Actor) -> Found | None:
        """Return an unread card of the turn that was laid just before, of which one was played."""
        since_ns = spot.still_ns - CARRY_NS
        pile = self._piles[zone]
        turn = (k for k, c in enumerate(pile) if since_ns < c.since_ns < spot.still_ns and c.up)
        index = max((k for k in turn if not pile[k].named), default=None)
        if index is None:
            return None
        return Found(zone, index, conf=LIKELY, reach=Reach.PASSED, who=actor)

    def turned_ns(self, spot: Spot, back_mm: PointMm, seat: str | None) -> int | None:
        """Return when fingers were at backs before they came to the pile beside, None if never.

        They hardly stop at the backs while they turn cards over.
        """
        if seat is None:
            return None
        way = self._evidence.way(seat, spot.still_ns - SWIFT_NS, spot.still_ns)
        passed_ns = None
        laid = False
        for t_ns, tip_mm in way:
            back, front = dist(tip_mm, back_mm), dist(tip_mm, spot.at_mm)
            if back < min(front, PASSED_MM):
                passed_ns, laid = t_ns, False
            elif front < min(back, PASSED_MM):
                laid = passed_ns is not None
        return passed_ns if laid else None
