"""When a card came that a hand hid: when fingers came down there, meanwhile or just after."""

from __future__ import annotations

from dataclasses import replace

from referee.table.contested import OVER_MM
from referee.table.evidence import Contact, Evidence, Reach
from referee.table.found import Found
from referee.table.moves import BETWEEN_U_NS, UNMEASURED_NS
from referee.values import Actor
from referee.values.spots import Spot

# Fingers that came down again after more than this did something else there.
ONE_ACT_NS = 350_000_000
# What was known to lie no better than to this was hidden: a way that was seen tells the time to
# half of it. Who stays longer than that over a place may have laid a card early.
MEASURED_NS, LAYING_NS = 95_000_000, 480_000_000
# The end of a slow reach looks like rest: so long before its hand a hidden card seems to lie. Of
# those of which a hand came down in that time, told of by six makers of films, 24 in 28 lay when
# it did, and 11 when they first seemed to; later than this hands came for something else.
SLOW_END_NS = 40_000_000
# Who came down right there so long before, and not again, brought nothing since: what moves there
# is his hand, which leaves. Of 13 such cards 7 lay when it came, and one when it left.
AT_ONCE_NS, STAYS_NS = 60_000_000, 300_000_000

# Two who play for one place come within a second.
AWAY_NS = 1_000_000_000


def came_down(spot: Spot, actor: Actor, evidence: Evidence) -> Spot:
    """Return a spot that came to rest when the fingers of its player did, if that is known.

    Only where nothing else tells, and all their touches there may be one act.
    """
    if spot.still_ns - spot.moving_ns <= UNMEASURED_NS:
        return spot
    touches = evidence.each(spot.at_mm, spot.moving_ns, spot.still_ns, actor)
    if not touches or touches[0].t_ns - touches[-1].t_ns > ONE_ACT_NS:
        return spot
    since_ns = max(spot.moving_ns, touches[-1].t_ns - BETWEEN_U_NS)
    return replace(
        spot, moving_ns=since_ns, still_ns=min(spot.still_ns, touches[0].t_ns + BETWEEN_U_NS)
    )


def since_taken(spot: Spot, found: Found) -> Spot:
    """Return the spot of a card that hands hid for long: it was not laid before it was taken.

    Only where a hand came down on it to take it; who passed a place took it at another time.
    """
    taken_ns = found.lifted_ns
    hidden = not spot.measured and spot.still_ns - spot.moving_ns > LAYING_NS
    if taken_ns is None or found.reach is not Reach.TOUCHED or not hidden:
        return spot
    later = spot.moving_ns < taken_ns < spot.still_ns
    return replace(spot, moving_ns=taken_ns) if later else spot


def brought(spot: Spot, actor: Actor, evidence: Evidence) -> Spot:
    """Return the spot of a card that was brought there as laid when the hand stopped that did.

    It may have seemed to lie before, or have been bared only when that hand left.
    """
    own = _before_the_next(spot, actor, evidence)
    if own is not None:
        return replace(spot, moving_ns=own.t_ns - own.u_ns, still_ns=own.t_ns + own.u_ns)
    if spot.measured or not MEASURED_NS <= spot.still_ns - spot.moving_ns <= LAYING_NS:
        return came_down(spot, actor, evidence)
    since_ns, until_ns = spot.moving_ns - STAYS_NS, spot.still_ns + SLOW_END_NS
    touch = evidence.last(spot.at_mm, since_ns, until_ns, actor)
    if touch is None or spot.moving_ns - AT_ONCE_NS <= touch.t_ns <= spot.still_ns:
        return spot
    if touch.t_ns < spot.moving_ns and touch.apart_mm(spot.at_mm) > OVER_MM:
        return spot
    return replace(spot, moving_ns=touch.t_ns - touch.u_ns, still_ns=touch.t_ns + touch.u_ns)


def _before_the_next(spot: Spot, actor: Actor, evidence: Evidence) -> Contact | None:
    """Return when a player's hand came down, where what moved since is another one's hand.

    That comes to the same place with a card of its own, and takes it away again.
    """
    if actor.seat is None:
        return None
    since_ns, until_ns = spot.moving_ns - AT_ONCE_NS, spot.still_ns + SLOW_END_NS
    last = evidence.last(spot.at_mm, since_ns, until_ns)
    if last is None or last.actor.seat in (None, actor.seat):
        return None
    own = evidence.last(spot.at_mm, since_ns - AWAY_NS, until_ns, actor)
    return own if own is not None and own.t_ns < since_ns else None


def piled_up(spot: Spot, next_ns: int, actor: Actor, evidence: Evidence) -> Spot:
    """Return the spot of a pile that was dealt card by card: it lies when its last card does.

    All that shows of it is how its player's fingers came down right there before he laid the next
    card elsewhere, at `next_ns`.
    """
    touches = evidence.each(spot.at_mm, spot.still_ns, next_ns, actor)
    last = next((one for one in touches if one.apart_mm(spot.at_mm) < OVER_MM), None)
    if last is None or last.t_ns - spot.still_ns < ONE_ACT_NS:
        return spot
    return replace(spot, moving_ns=last.t_ns - BETWEEN_U_NS, still_ns=last.t_ns + BETWEEN_U_NS)
