"""The backs seen while a deck is learned: which one is its own, and which cards have another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, Point
from referee.vision.deck_back import (
    GROWN,
    Backs,
    Owner,
    paper_white,
    upright_back,
    without_light,
)
from referee.vision.deck_profile import BACK_H_PX, BACK_W_PX, DeckProfile
from referee.vision.networks import CROP_PX

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

BACKS_KEPT, BACK_SURE = 3, 0.8
# A deck's own back is that of two in three cards at least; of fewer than four nothing is said.
OWN_SHARE, LEAST_BACKS = 2 / 3, 4
# So sure must it be that a back is not the deck's: a stripe of light makes one look strange.
SURELY_STRANGE = 0.99
# So many backs, the surest, are tried as the deck's own.
MOST_TRIED = 6
# More are not kept: eight decks, all face down.
MOST_BACKS = 416
OWN = "own"


@dataclass(frozen=True, slots=True)
class Stranger:
    """A card with another back than the deck's: in which picture, counted from 1, and where."""

    picture: int
    at_px: Point


@dataclass(frozen=True, slots=True, eq=False)
class _Back:
    picture: int
    at_px: Point
    score: float
    white: Floats | None
    cut: tuple[Image, ...]  # as large as it seems, a little smaller and larger

    def learned(self) -> Image:
        return without_light(self.cut[GROWN.index(1.0)], self.white)


class BacksSeen:
    """Takes the backs of the pictures of one deck; used by one thread."""

    def __init__(self) -> None:
        """Begin without any."""
        self._backs: list[_Back] = []
        self._pictures = 0

    def take(self, image_bgr: Image, reads: Sequence[CardRead]) -> None:
        """Look at the face-down cards of a picture."""
        self._pictures += 1
        white = paper_white(image_bgr, reads)
        for read in reads:
            if read.label != "BACK" or read.score < BACK_SURE or read.quad_px is None:
                continue
            quad = np.array(read.quad_px)
            middle = quad.mean(axis=0)
            cut = [
                upright_back(image_bgr, (middle + grow * (quad - middle)).tolist())
                for grow in GROWN
            ]
            crops = tuple(crop for crop in cut if crop is not None)
            if len(crops) == len(GROWN) and len(self._backs) < MOST_BACKS:
                self._backs.append(_Back(self._pictures, read.at_px, read.score, white, crops))

    def own(self) -> Image:
        """Return the best pictures of the deck's own back: N x BACK_H_PX x BACK_W_PX x 3."""
        own, _ = self._parted()
        pictures = [back.learned() for back in own[:BACKS_KEPT]]
        return np.array(pictures, np.uint8).reshape(-1, BACK_H_PX, BACK_W_PX, 3)

    def strangers(self) -> tuple[Stranger, ...]:
        """Return the cards with another back, of the picture that shows the most of them."""
        _, strange = self._parted()
        shown = Counter(back.picture for back in strange)
        most = max(shown, key=lambda picture: (shown[picture], -picture), default=0)
        return tuple(Stranger(b.picture, b.at_px) for b in strange if b.picture == most)

    def _parted(self) -> tuple[list[_Back], list[_Back]]:
        """Return the backs that may be the deck's, the surest first, and those that are not."""
        backs = sorted(self._backs, key=lambda back: -back.score)
        if len(backs) < LEAST_BACKS:
            return backs, []
        told = [_owners(back, backs) for back in backs[:MOST_TRIED]]
        own = max(told, key=lambda owners: sum(one.deck == OWN for one in owners))
        if sum(one.deck == OWN for one in own) < OWN_SHARE * len(backs):
            return backs, []
        pairs = list(zip(backs, own, strict=True))
        return (
            [back for back, one in pairs if one.deck == OWN],
            [back for back, one in pairs if one.deck is None and one.score >= SURELY_STRANGE],
        )


def _owners(pattern: _Back, backs: Sequence[_Back]) -> list[Owner]:
    """Return whether each back is like one of them."""
    crops = np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)
    known = Backs([DeckProfile(OWN, "suited", (), crops, pattern.learned()[None])])
    return [known.owner(back.cut, back.white) for back in backs]
