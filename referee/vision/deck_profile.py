"""One deck as it was learned under a camera: its indices, its backs, and which cards it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.vision.networks import JOKER, JOKER_RANK, NO_SUIT, NUMBERS, RANKS, SUITS

Image = NDArray[np.uint8]
# Decks of 52 with suits and jokers, or the eighteen numbers of XIX.
Kind = Literal["suited", "numbers"]

SUITED = tuple(rank + suit for suit in SUITS for rank in RANKS)
NUMBERED = tuple(str(number) for number in range(1, 19))
BACK_W_PX, BACK_H_PX = 40, 56


@dataclass(frozen=True, slots=True, eq=False)
class DeckProfile:
    """What is known of one deck.

    crops: M x 48 x 48 x 3, upright indices as the index reader takes them, and `labels` says
    whose they are. backs: B x BACK_H_PX x BACK_W_PX x 3, the paper's white taken out. `missing`
    were not seen, `double` lay twice in one picture, `jokers` is how many there were.
    """

    name: str
    kind: Kind
    labels: tuple[str, ...]
    crops: Image
    backs: Image
    missing: tuple[str, ...] = ()
    double: tuple[str, ...] = ()
    jokers: int = 0

    @property
    def complete(self) -> bool:
        """Whether each card was seen, and none twice."""
        return not self.missing and not self.double


def cards_of_kind(kind: Kind) -> tuple[str, ...]:
    """Return the cards that a whole deck has, the jokers aside."""
    return SUITED if kind == "suited" else NUMBERED


def rank_number(label: str) -> int:
    """Return which of the 23 ranks a card has."""
    if label == JOKER:
        return JOKER_RANK
    if label in NUMBERS:
        return JOKER_RANK + 1 + NUMBERS.index(label)
    return int(label) - 1 if label.isdigit() else RANKS.index(label[0])


def suit_number(label: str) -> int:
    """Return which of the five suits a card has, the last for none."""
    return NO_SUIT if label == JOKER or label.isdigit() else SUITS.index(label[1])
