"""A card swapped for one that lay there: laid onto it, and the lower one pulled out from below."""

from __future__ import annotations

from referee.table import moves
from referee.table.evidence import Evidence
from referee.table.habits import Habits
from referee.table.piles import Piles
from referee.values import Event

# The hand that laid the upper card is gone after so long; what comes then takes the lower one.
LAID_NS = 350_000_000
# Whether it took the upper one is seen so long after it came down.
SEEN_NS = 500_000_000
CONF = 0.9


def pulled_out(habits: Habits, piles: Piles, evidence: Evidence) -> list[Event]:
    """Tell of lower cards that were taken from places for one card, and take them off.

    The upper card hides that they leave: what is seen is a hand that comes back.
    """
    events: list[Event] = []
    for zone in piles.zones():
        pile = piles[zone]
        if len(pile) < 2 or not habits.is_for_one(zone) or pile[-1].spot is None:
            continue
        upper, lower = pile[-1], pile[-2]
        since_ns = upper.since_ns + LAID_NS
        contact = evidence.last(upper.at_mm, since_ns, evidence.now.t_ns)
        if contact is None or lower.spot is not None or contact.actor.seat is None:
            continue
        if lower.up:
            # A card with an open face is seen where it goes.
            continue
        if evidence.now.t_ns - contact.t_ns < SEEN_NS or evidence.now.covered(upper.at_mm):
            continue
        hand = f"{contact.actor.seat}.{habits.held}"
        pos = len(pile) - 2
        (taken,) = piles.take(zone, [pos])
        piles[hand].insert(0, taken.unseen())
        events.append(
            moves.unseen(
                contact.t_ns,
                contact.u_ns,
                taken.card,
                zone,
                hand,
                contact.actor,
                CONF,
                up=False,
                pos=1,
            )
        )
    return events
