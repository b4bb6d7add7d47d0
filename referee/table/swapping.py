"""A card swapped for one that lay there: that was taken before, or is pulled out from below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.table import moves
from referee.table.evidence import CLEARLY_MM, Evidence
from referee.table.habits import Habits, owner_of
from referee.table.piles import Lying, Piles
from referee.table.putting_under import is_elsewhere
from referee.values import Actor, Event

# The hand that laid the upper card is gone after so long; what comes then takes the lower one.
LAID_NS = 350_000_000
# Whether it took the upper one is seen so long after it came down.
SEEN_NS = 500_000_000
# A hand that took the lower card first came there so long before it laid the other one (1.0 to 1.6
# s of twelve); one that only lays comes once.
FIRST_NS, LONGEST_NS = 700_000_000, 3_000_000_000
CONF = 0.9


@dataclass(frozen=True, slots=True)
class _Taking:
    """When a hand took the lower card, and whose it was."""

    t_ns: int
    u_ns: int
    actor: Actor
    pos: int | None = None


def pulled_out(habits: Habits, piles: Piles, evidence: Evidence) -> list[Event]:
    """Tell of lower cards that were taken from places for one card, and take them off.

    The upper card hides that they leave, or the hand did that took one and laid the other: what is
    seen is that it came twice.
    """
    events: list[Event] = []
    for zone in piles.zones():
        pile = piles[zone]
        if len(pile) < 2 or not habits.is_for_one(zone):
            continue
        upper, lower = pile[-1], pile[-2]
        if lower.up or lower.spot is not None or not evidence.sees(upper):
            # A card with an open face is seen where it goes; the upper one may have been moved on.
            continue
        taking = _before(zone, habits, piles, evidence) or _afterwards(upper, evidence)
        if taking is None:
            continue
        hand = f"{taking.actor.seat}.{habits.held}"
        (taken,) = piles.take(zone, [len(pile) - 2])
        piles[hand].insert(0, taken.unseen())
        card, who = taken.card, taking.actor
        t_ns, u_ns = taking.t_ns, taking.u_ns
        told = moves.unseen(t_ns, u_ns, card, zone, hand, who, CONF, up=False, pos=taking.pos)
        events.append(told)
    return events


def _afterwards(upper: Lying, evidence: Evidence) -> _Taking | None:
    """Return when a hand came back after it had laid the upper card, and left that."""
    contact = evidence.last(upper.at_mm, upper.since_ns + LAID_NS, evidence.now.t_ns)
    if contact is None or contact.actor.seat is None:
        return None
    if evidence.now.t_ns - contact.t_ns < SEEN_NS:
        return None
    return _Taking(contact.t_ns, contact.u_ns, contact.actor, pos=1)


def _before(zone: str, habits: Habits, piles: Piles, evidence: Evidence) -> _Taking | None:
    """Return when the hand that laid the upper card took the lower one: between both contacts."""
    upper = piles[zone][-1]
    t_ns = max(_came_before(zone, habits, piles, evidence), default=None)
    if t_ns is None:
        return None
    u_ns = (upper.since_ns - t_ns) // 2
    return _Taking(t_ns + u_ns, u_ns, Actor(owner_of(upper.origin or "")))


def _came_before(zone: str, habits: Habits, piles: Piles, evidence: Evidence) -> Iterator[int]:
    """Yield when the player of the upper card came to the lower one that lay there."""
    lower, upper = piles[zone][-2:]
    seat = owner_of(upper.origin or "")
    since_ns = max(upper.since_ns - LONGEST_NS, lower.since_ns + LAID_NS)
    if seat is None:
        return
    held = piles[f"{seat}.{habits.held}"]
    for one in evidence.each(lower.at_mm, since_ns, upper.since_ns - FIRST_NS, Actor(seat)):
        apart_mm = one.apart_mm(lower.at_mm) - CLEARLY_MM
        # What he holds already may have lain right beside it.
        beside = any(one.apart_mm(card.at_mm) < apart_mm for card in held)
        if not beside and not is_elsewhere(one, zone, lower.at_mm, piles):
            yield one.t_ns
