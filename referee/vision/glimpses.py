"""Cards seen cut off, moving or under a hand: not yet believed, but looked for again."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values import PointMm
from referee.vision.followed import SURE_SCORE, Ground, is_sure
from referee.vision.gathering import SeenCard, apart_mm

# What is read surely so often and for so long at just one place, while the hand over it moves, is
# not in that hand: reads of a lying card from both indices differ by 4 mm, and a hand carries a
# card farther than that in two frames.
STEADY_LOOKS, STEADY_NS, STIRRED_NS, STEADY_MM = 3, 130_000_000, 60_000_000, 6.0


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card that was seen cut off, moving or under a hand, first and last at these times.

    `looks` read its name surely at one place, the first of them at `since_ns` and `since_mm`. It
    was looked for last at `asked_ns`, whether it was seen then or not.
    """

    card: SeenCard
    first_ns: int
    last_ns: int
    looks: int = 0
    since_ns: int = 0
    since_mm: PointMm = (0.0, 0.0)
    asked_ns: int = 0


def glimpsed(near: list[Glimpse], card: SeenCard, t_ns: int) -> Glimpse:
    """Return a card as it is glimpsed now, after these glimpses at its place."""
    first_ns = min((g.first_ns for g in near), default=t_ns)
    asked_ns = max((g.asked_ns for g in near), default=0)
    same = [g for g in near if is_same(g, card)]
    if same:
        first = max(same, key=lambda g: g.looks)
        # What was read surely once is known again by one index.
        looks = first.looks + (card.score >= SURE_SCORE)
        return Glimpse(card, first_ns, t_ns, looks, first.since_ns, first.since_mm, asked_ns)
    return Glimpse(card, first_ns, t_ns, int(is_sure(card)), t_ns, card.at_mm, asked_ns)


def is_same(glimpse: Glimpse, card: SeenCard) -> bool:
    """Whether a card is the one that was glimpsed, surely and at the same place."""
    surely = glimpse.looks > 0 and glimpse.card.label == card.label
    return surely and apart_mm(glimpse.since_mm, card.at_mm) < STEADY_MM


def is_lasting(glimpse: Glimpse) -> bool:
    """Whether a card was read surely at just one place for so long that no hand carried it."""
    return glimpse.looks >= STEADY_LOOKS and glimpse.last_ns - glimpse.since_ns >= STEADY_NS


def is_steady(glimpse: Glimpse, ground: Ground) -> bool:
    """Whether a card lies still while the hand over it moves."""
    moved_ns = ground.moved_ns(glimpse.card.at_mm, glimpse.card.angle_deg)
    return is_lasting(glimpse) and moved_ns - glimpse.since_ns >= STIRRED_NS
