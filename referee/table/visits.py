"""How often a hand came to a stock and the pile beside it for the card that lies there now."""

from __future__ import annotations

from collections.abc import Callable

from referee.table.evidence import Contact, Evidence
from referee.table.found import TAP_NS
from referee.values import Actor, PointMm
from referee.values.spots import Spot

# Three cards turned one by one take less than this.
SERIES_NS = 1_300_000_000
# From a touch of the backs to the card beside them, and back: 0.25 to 0.45 s.
TURNED_NS, AGAIN_NS = 240_000_000, 230_000_000
# A hand that draws cards one by one is back at the backs within this time: a card drawn singly
# comes 0.25 to 0.45 s after the one before, a later one has one between.
SINGLY_NS = 560_000_000
# A hand that laid cards squares them up, or rests there, for so long.
SQUARES_NS = 600_000_000
# Two cards more are laid in so much time.
LEAST_NS, MOST_NS = 480_000_000, 950_000_000


def first_laid(
    evidence: Evidence, back_mm: PointMm, spot: Spot, told_ns: int, actor: Actor
) -> int | None:
    """Return when the first of several cards was laid that were drawn one by one from backs.

    `told_ns` is when something happened last that is understood already. None where the hand came
    but once. It is known by the backs that it touched, or by where it laid the cards.
    """
    until_ns = spot.still_ns + TAP_NS
    since_ns = max(spot.still_ns - SERIES_NS, told_ns + TAP_NS)
    near = evidence.each(back_mm, since_ns, until_ns, actor)
    near += evidence.each(spot.at_mm, since_ns, until_ns, actor)
    takes = sorted({one.t_ns for one in near if _is_nearer(one, back_mm, spot.at_mm)})
    takes = [t_ns for t_ns in takes if t_ns < spot.still_ns - TAP_NS]

    def stayed(t0_ns: int, t1_ns: int) -> bool:
        return evidence.stayed(actor.seat, t0_ns, t1_ns, back_mm, spot.at_mm)

    first = _first_of_series(takes, stayed)
    if first is not None:
        return first + TURNED_NS
    lays = sorted({one.t_ns for one in near if _is_nearer(one, spot.at_mm, back_mm)})
    lays = [t_ns for t_ns in lays if t_ns > told_ns + SQUARES_NS]
    if lays and LEAST_NS < lays[-1] - lays[0] < MOST_NS:
        return lays[0]
    return None


def _first_of_series(takes: list[int], stayed: Callable[[int, int], bool]) -> int | None:
    """Return the first of the touches that led up to the last one, None if there is no other.

    Between two of them the hand was at the pile beside; else it only stirred on the backs.
    """
    first = len(takes) - 1
    while first > 0 and takes[first] - takes[first - 1] < SINGLY_NS:
        if stayed(takes[first - 1], takes[first]):
            break
        first -= 1
    return takes[first] if takes and takes[-1] - takes[first] > AGAIN_NS else None


def _is_nearer(contact: Contact, at_mm: PointMm, other_mm: PointMm) -> bool:
    return contact.apart_mm(at_mm) < contact.apart_mm(other_mm)
