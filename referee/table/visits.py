"""How long a hand has been laying cards from a stock, one by one, when the last of them lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist

from referee.table.evidence import Contact, Evidence
from referee.table.found import TAP_NS
from referee.values import Actor, PointMm
from referee.values.spots import Spot

# A quick hand lays the next card after 0.3 to 0.45 s, in rendered films as at a table.
SINGLY_NS = 480_000_000
# What a hand did longer ago was no part of one turn.
SERIES_NS = 1_500_000_000
# From the backs to the pile beside them a hand needs less than this.
ACROSS_NS = 300_000_000
# Who comes to the pile again after more than this laid no card of one turn both times.
AGAIN_NS = 500_000_000
# To lay a card and come back for the next one takes more than this.
LEAST_AWAY_NS = 230_000_000
# Fingertips that take or lay a card are seen so near to its middle, the nearer one of both piles.
NEAR_MM = 75.0
# A hand that laid cards squares them up, or rests there, for so long.
SQUARES_NS = 600_000_000
# Two cards more are laid in so much time.
LEAST_NS, MOST_NS = 480_000_000, 950_000_000


@dataclass(frozen=True, slots=True)
class Stop:
    """Fingers were at the backs, or else at the pile beside; `touched`: they came down there."""

    t_ns: int
    at_backs: bool
    touched: bool = False

    def has_laid(self, back_ns: int) -> bool:
        """Whether fingers that were at the backs before have laid a card since.

        Either they are at the other pile, or came down on the backs anew and were not seen to have
        stayed there. One hand may come down on a pile when the other one takes the next card.
        """
        apart_ns = self.t_ns - back_ns
        if self.at_backs:
            return self.touched and LEAST_AWAY_NS < apart_ns < SINGLY_NS
        return not self.touched or apart_ns > TAP_NS


def busy_ns(
    evidence: Evidence, seat: str | None, back_mm: PointMm, spot: Spot, told_ns: int
) -> int:
    """Return how long before a card lay its player's hand left the backs to lay the first one.

    `told_ns` is when the last card lay that is understood already. 0 where that was not seen.
    """
    stops = list(_stops(evidence, seat, back_mm, spot, told_ns))
    if not any(stop.at_backs for stop in stops):
        return _laid_ns(evidence, seat, back_mm, spot, told_ns)
    left_ns = came_ns = back_ns = None
    for stop in (*stops, Stop(spot.still_ns, at_backs=False)):
        if back_ns is not None and stop.has_laid(back_ns):
            if came_ns is None or stop.t_ns - came_ns > AGAIN_NS:
                left_ns = back_ns if stop.at_backs else max(back_ns, stop.t_ns - ACROSS_NS)
            came_ns, back_ns = stop.t_ns, None
        if stop.at_backs:
            back_ns = stop.t_ns
    return 0 if left_ns is None else spot.still_ns - left_ns


def _stops(
    evidence: Evidence, seat: str | None, back_mm: PointMm, spot: Spot, told_ns: int
) -> Iterator[Stop]:
    """Yield where fingers were, at the backs or at the pile beside, in order of time.

    The other hand may take the next card while the last one is laid.
    """
    since_ns = max(spot.still_ns - SERIES_NS, told_ns - TAP_NS)
    way = () if seat is None else evidence.way(seat, since_ns, spot.still_ns)
    near = evidence.each(back_mm, since_ns, spot.still_ns, Actor(seat))
    near += evidence.each(spot.at_mm, since_ns, spot.still_ns, Actor(seat))
    places = {(t_ns, False, tip_mm) for t_ns, tip_mm in way}
    places |= {(one.t_ns, True, one.at_mm) for one in near if one.at_mm is not None}
    for t_ns, touched, tip_mm in sorted(places):
        back, front = dist(tip_mm, back_mm), dist(tip_mm, spot.at_mm)
        if min(back, front) < NEAR_MM and (back < front or t_ns > told_ns + TAP_NS):
            yield Stop(t_ns, back < front, touched)


def _laid_ns(
    evidence: Evidence, seat: str | None, back_mm: PointMm, spot: Spot, told_ns: int
) -> int:
    """Return how long before a card lay the hand laid the first one, by its touches there alone."""
    since_ns, until_ns = told_ns + SQUARES_NS, spot.still_ns + TAP_NS
    since_ns = max(spot.still_ns - SERIES_NS, since_ns)
    near = evidence.each(spot.at_mm, since_ns, until_ns, Actor(seat))
    lays = [one.t_ns for one in near if _is_nearer(one, spot.at_mm, back_mm)]
    spread_ns = lays[0] - lays[-1] if lays else 0
    return spread_ns + ACROSS_NS if LEAST_NS < spread_ns < MOST_NS else 0


def _is_nearer(contact: Contact, at_mm: PointMm, other_mm: PointMm) -> bool:
    return contact.apart_mm(at_mm) < contact.apart_mm(other_mm)
