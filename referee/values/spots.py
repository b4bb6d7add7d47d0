"""A card as it lies on the table, by the millimetre: the meeting point of seeing and table."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.cards import ANY_JOKER
from referee.values.tables import PointMm

CARD_W_MM, CARD_H_MM = 63.0, 88.0
BACK, NOT_READ = "BACK", "??"


@dataclass(frozen=True, slots=True)
class Spot:
    """A card that is seen to lie still.

    `id` is the same for as long as this card lies at this place. `label` is its face, `BACK` or
    `??`, `conf` the probability that the label is right. `at_mm` is its middle, `angle_deg` turns
    the upright card clockwise (its top towards +y at 0); the two ends of a back cannot be told
    apart. It came to rest between `moving_ns`, the last time at which it was seen to move (or was
    hidden), and `still_ns`, the first at which it lay as it lies now. `back` is the learned deck
    whose back it shows, `deck` the seat that plays with that deck; None where nobody knows.
    `indices` is the most of its indices that one look showed: a covered card shows fewer. The last
    look that showed two of them was at `whole_ns`, 0 where none did. `measured`: how it slowed down
    was seen, so that its times are not only those of the hand that hid it. `other_mm` is where its
    middle lies if the index that was read is one of its other side: some decks have four.
    `missed`: the last look at its place did not show it. `reach_mm` is how far from its middle
    cards of the same side show towards its top and its foot, when that was first seen, None where
    it was not.
    """

    id: int
    label: str
    conf: float
    at_mm: PointMm
    angle_deg: float
    moving_ns: int
    still_ns: int
    back: str | None = None
    deck: str | None = None
    indices: int = 1
    whole_ns: int = 0
    measured: bool = False
    other_mm: PointMm | None = None
    missed: bool = False
    reach_mm: tuple[float | None, float | None] = (None, None)

    @property
    def up(self) -> bool:
        """Whether its face is seen."""
        return self.label != BACK

    @property
    def named(self) -> bool:
        """Whether its face was read."""
        return self.label not in (BACK, NOT_READ)

    @property
    def seems_joker(self) -> bool:
        """Whether it was read as a joker: fingers look so for a moment."""
        return self.label == ANY_JOKER

    @property
    def tells_which(self) -> bool:
        """Whether it was read as a card of which a deck has but one."""
        return self.named and not self.seems_joker
