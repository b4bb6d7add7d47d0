"""Cards in the air: what left its zone and lies nowhere yet."""

from __future__ import annotations

from dataclasses import dataclass

from referee.table.evidence import Evidence, Reach
from referee.table.habits import Habits, owner_of
from referee.table.piles import NEVER_NS, Lying
from referee.values import Actor

# Fingertips that lay a card, or take it again, are so near to its middle; columns lie 85 mm apart.
FINGERS_MM = 60.0
# A card that was taken left its place no longer ago than that before it was seen bare.
TOOK_NS = 1_600_000_000


@dataclass(slots=True)
class Gone:
    """Cards that left a zone and lie nowhere yet, from bottom to top.

    `t_ns` is when a hand was last at them, or when their place was seen bare, `bare_ns` the
    latter; since `clear_ns` no hand hides that place, for `free_ns` none did at the longest before.
    `reach` tells how surely a hand was there; without one the camera may just not have read them
    for a while. `counted`: it was known how many lay there; `parted`: some of them were seen to be
    laid elsewhere; `used_up`: the last card of a pile that nobody counted may have been played just
    then. `below` is how many were known to lie under them. `covered`: another card was read in
    their place as they got lost, under a hand. `lay_ns` is until when the last of them was seen to
    lie there, free of hands. `onto` is where the last of them was laid that left with the others.
    """

    cards: tuple[Lying, ...]
    zone: str
    t_ns: int
    u_ns: int
    actor: Actor
    bare_ns: int = 0
    clear_ns: int = 0
    reach: Reach = Reach.TOUCHED
    lifted: bool = False
    counted: bool = True
    parted: bool = False
    used_up: bool = False
    below: int = 0
    free_ns: int = 0
    covered: bool = False
    lay_ns: int = NEVER_NS
    onto: str | None = None

    def took(self, face: str) -> bool:
        """Whether a hand took an open card of that face."""
        return self.touched and any(card.up and card.face == face for card in self.cards)

    @property
    def touched(self) -> bool:
        """Whether a hand was there."""
        return self.reach is not Reach.NONE

    @property
    def may_be_none(self) -> bool:
        """Whether no more may have lain there than were seen to be laid elsewhere."""
        return self.used_up or (self.parted and not self.counted)


def lifted_ns(gone: Gone, evidence: Evidence) -> int:
    """Return when cards were taken: where no touch tells, when fingers were nearest to them.

    Where nobody knows whose hand it was, mostly their owner's.
    """
    seat = gone.actor.seat or owner_of(gone.zone)
    if gone.reach is Reach.TOUCHED or seat is None:
        return gone.t_ns
    at_mm, bare_ns = gone.cards[0].at_mm, gone.bare_ns
    near = evidence.nearest(seat, at_mm, bare_ns - TOOK_NS, bare_ns)
    return near[1] if near is not None and near[0] < FINGERS_MM else gone.t_ns


def home_of(gone: Gone, habits: Habits) -> str | None:
    """Return the backs from which an open card in the air was played, to be taken back there.

    None where a player may hold it in his hand, and for cards that are played from pile to pile.
    Where piles are taken on hand, nobody takes a part of one there.
    """
    card, home = gone.cards[0], gone.cards[0].origin
    held = habits.held is not None and not gone.below
    if held or len(gone.cards) > 1 or not card.up or home is None:
        return None
    known = gone.actor.seat is not None
    return home if known and habits.is_drawn(home) and not habits.is_drawn(gone.zone) else None
