"""When a card came that a hand hid for long: when fingers came down there meanwhile."""

from __future__ import annotations

from dataclasses import replace

from referee.table.evidence import Evidence
from referee.table.moves import BETWEEN_U_NS, UNMEASURED_NS
from referee.values import Actor
from referee.values.spots import Spot

# Fingers that came down again after more than this did something else there.
ONE_ACT_NS = 350_000_000


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
