"""When a block was put under a pile of backs, which shows the same as before."""

from __future__ import annotations

from math import dist

from referee.table.evidence import CLEARLY_MM, Contact, Evidence, Reach, is_same_hand
from referee.table.gone import TOOK_NS, Gone
from referee.table.piles import Piles
from referee.values import Actor, PointMm
from referee.values.events import NOBODY

# A hand that comes down on a card sooner than this after it lies is the one that laid it.
LAID_NS = 120_000_000
# No pile is carried to another place sooner.
LEAST_CARRY_NS = 250_000_000
# What lies at a place is seen so long after the last hand was there.
SEEN_NS = 450_000_000
# Fingertips that hold a pile by its edge are so near to its middle, and for so long at most.
HOLDS_MM, STAYS_NS = 85.0, 700_000_000


def put_ns(gone: Gone, target: str, piles: Piles, evidence: Evidence) -> int | None:
    """Return when the hand that took a block first came to the pile it was put under.

    It comes down there, or is seen near it for a while, as it holds the block by its edge. None
    where nobody came, and while a hand was there so lately that it may take that pile as well.
    """
    at_mm, now = piles[target][-1].at_mm, evidence.now
    least_ns = LEAST_CARRY_NS if gone.reach is Reach.TOUCHED else 0
    lifted_ns = _lifted_ns(gone, at_mm, evidence)
    near = evidence.each(at_mm, lifted_ns + least_ns, now.t_ns, NOBODY)
    near = [one for one in near if not is_elsewhere(one, target, at_mm, piles)]
    if near and now.t_ns - near[0].t_ns < SEEN_NS:
        return None
    mine = [one for one in near if one.actor.seat in (gone.actor.seat, None)]
    touches = [one.t_ns for one in mine if is_same_hand(one.actor, gone.actor)]
    if touches:
        return _before_the_next(gone, at_mm, lifted_ns, min(touches), evidence)
    if gone.actor.seat is not None:
        way = evidence.way(gone.actor.seat, lifted_ns + least_ns, now.t_ns)
        came = [t_ns for t_ns, tip_mm in way if dist(tip_mm, at_mm) < HOLDS_MM]
        stay = [t_ns for t_ns in came if t_ns - came[0] < STAYS_NS]
        if stay and now.t_ns - stay[-1] > SEEN_NS:
            return (stay[0] + stay[-1]) // 2
    stirred_ns = now.stirred_ns(target)
    return stirred_ns if stirred_ns > lifted_ns + least_ns else None


def _before_the_next(
    gone: Gone, at_mm: PointMm, lifted_ns: int, touch_ns: int, evidence: Evidence
) -> int:
    """Return when a hand put a block down that came to its pile only with the next one.

    It had laid down the first when it took the other: it was nearest to there in between.
    """
    since_ns, here_mm = lifted_ns + LEAST_CARRY_NS, (gone.cards[-1].at_mm, at_mm)
    others = evidence.elsewhere(here_mm, since_ns, touch_ns, gone.actor)
    next_ns = min((one.t_ns for one in others), default=touch_ns)
    if gone.actor.seat is None or next_ns == touch_ns:
        return touch_ns
    near = evidence.nearest(gone.actor.seat, at_mm, since_ns, next_ns)
    return near[1] if near is not None and near[0] < HOLDS_MM else touch_ns


def _lifted_ns(gone: Gone, to_mm: PointMm, evidence: Evidence) -> int:
    """Return when a hand came down on a block to take it, clearly not on where it went under.

    Without a touch it is only known when the cards were seen to be gone.
    """
    if gone.reach is not Reach.TOUCHED:
        return gone.t_ns
    from_mm, until_ns = gone.cards[-1].at_mm, evidence.now.t_ns
    laid_ns = max(card.since_ns for card in gone.cards) + LAID_NS
    since_ns = max(gone.bare_ns - TOOK_NS, laid_ns)
    near = evidence.each(from_mm, since_ns, until_ns, Actor(gone.actor.seat))
    there = (one for one in near if one.apart_mm(from_mm) + CLEARLY_MM < one.apart_mm(to_mm))
    return min((one.t_ns for one in there), default=gone.t_ns)


def is_elsewhere(touch: Contact, zone: str, at_mm: PointMm, piles: Piles) -> bool:
    """Whether a hand came down on another pile, and only near this place."""
    apart_mm = touch.apart_mm(at_mm) - CLEARLY_MM
    return any(
        name != zone and touch.apart_mm(card.at_mm) < apart_mm
        for name, _, card in piles.each()
        if card.spot is not None
    )
