"""Two cards for one place: the lower one is covered before it was ever seen to lie.

What is known of it: it left its pile, its player's hand came down on the place at about the time
of the card that is seen there, and it lies nowhere else. That is told with little certainty, at
the time of that hand, before the card that covers it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from referee.table.air import Gone
from referee.table.moves import Arrival
from referee.values import Actor, PointMm

# Zones that several players play to at once.
COMMON = ("F.*", "play.?")
# Catalogue T-07: a second card within a second of the first (Nerds and Nertz) contends with it.
CONTEND_NS = 1_000_000_000
# A card that was not laid is back in view, or on another pile, within this time.
WAIT_NS = 700_000_000
CONF = 0.6


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand of `actor` came down at `t_ns`, known to `u_ns` to either side."""

    actor: Actor
    t_ns: int
    u_ns: int


Touched = Callable[[str, PointMm, int, int], Contact | None]
"""Whether a seat's hand came down near a place between two times, and when."""


def untouched(seat: str, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
    """Know of no hands: for tables of which the hands are not watched."""
    return None


def contact_below(gone: Gone, arrival: Arrival, touched: Touched) -> Contact | None:
    """Return when the card in the air may have been laid below an arrival, None if it was not."""
    card = gone.cards[0]
    seat = gone.actor.seat
    if len(gone.cards) > 1 or seat is None or not card.named or gone.zone == arrival.target:
        return None
    if not any(fnmatchcase(arrival.target, common) for common in COMMON):
        return None
    if arrival.origin == gone.zone or arrival.actor.seat == seat:
        return None
    t_ns = arrival.t_ns
    return touched(seat, arrival.spot.at_mm, t_ns - CONTEND_NS, t_ns)
