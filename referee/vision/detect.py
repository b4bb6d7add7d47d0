"""The card reader: a picture -> card reads and hands, by two networks and plain geometry."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, HandRead, Sight
from referee.vision.languages import Deck, Language
from referee.vision.naming import named
from referee.vision.networks import (
    CROP_HALF_PX,
    CROP_PX,
    IS_INDEX,
    POSE,
    ModelError,
    Networks,
)
from referee.vision.peaks import (
    Cards,
    Indices,
    cards_of,
    indices_of,
    joined_cards,
    joined_indices,
    single_indices,
)
from referee.vision.pyramid import Image, Level, levels, scaled, tiles, whole
from referee.vision.surface import Surface, hands_of, surface_of

__all__ = ["ModelError", "Reader"]

# Crops are cut from the level on which the index is at most this large: a larger one would lose
# strokes between the sampled pixels. 28 = two picture pixels for one of the crop.
CROP_FROM_HALF_PX = 28.0
CROPS_AT_ONCE = 128
# Places that are hardly an index at first sight (3 in 100) are not read again.
LIKELY_LOGIT = -3.5
MOST_MOVED = 0.6


class Reader:
    """Reads cards in single pictures; holds two network sessions and no other state."""

    def __init__(
        self,
        models_dir: Path,
        threads: int = 2,
        deck: Deck = "any",
        language: Language = "any",
    ) -> None:
        """Open the networks in `models_dir`. Raises ModelError.

        `deck` says which cards there can be, `language` what the letters on them mean.
        """
        self._deck: Deck = deck
        self._language: Language = language
        self._networks = Networks(models_dir, threads)

    def read(self, image_bgr: NDArray[np.uint8], *, enlarged: bool = True) -> Sight:
        """Read one picture: uint8, height x width x 3, blue-green-red, any size.

        Every printed index that is seen gives one read; a card without a readable index gives one
        at its middle. Small pictures are read enlarged as well; a piece of a large picture need
        not be (`enlarged=False`) and takes a fifth of the time.
        """
        pyramid = levels(image_bgr, enlarged=enlarged)
        indices, cards, hands = self._find(pyramid)
        indices, logits = self._read_twice(pyramid, indices)
        return Sight(cards=named(indices, logits, cards, self._deck, self._language), hands=hands)

    def glance(
        self, image_bgr: NDArray[np.uint8], scale: float
    ) -> tuple[tuple[CardRead, ...], Surface]:
        """Read a piece of a picture in which the cards' size is known: uint8, h x w x 3.

        `scale` brings the cards to the size at which they are read best (`looking.READ_PX_MM`).
        Returns the reads in the piece's own pixels, and what lies where in it. Takes half the time
        of `read`, and sees no indices of other sizes.
        """
        level = scaled(image_bgr, scale)
        tile = whole(level)
        maps = self._networks.find(tile.image)
        indices = joined_indices([indices_of(maps, level, tile)])
        sharpest = (Level(image_bgr, 1.0), level) if scale < 1.0 else (level,)
        indices, logits = self._read_twice(sharpest, indices)
        reads = named(indices, logits, cards_of(maps, level, tile), self._deck, self._language)
        return reads, surface_of(maps, level, tile)

    def _find(self, pyramid: tuple[Level, ...]) -> tuple[Indices, Cards, tuple[HandRead, ...]]:
        found: list[Indices] = []
        outlines: list[Cards] = []
        hands: tuple[HandRead, ...] = ()
        for level in pyramid:
            for tile in tiles(level):
                maps = self._networks.find(tile.image)
                found.append(indices_of(maps, level, tile))
                outlines.append(cards_of(maps, level, tile))
                hands = hands or hands_of(maps, level, tile)
        return joined_indices(found), joined_cards(outlines), hands

    def _read_twice(
        self, pyramid: tuple[Level, ...], indices: Indices
    ) -> tuple[Indices, NDArray[np.float64]]:
        """Read each index where the finder saw it, then again where it turned out to lie."""
        first = self._read_indices(pyramid, indices)
        likely = np.flatnonzero(first[:, IS_INDEX] > LIKELY_LOGIT)
        pose = np.clip(first[likely][:, POSE], -MOST_MOVED, MOST_MOVED)
        moved = indices.take(likely).moved(pose)
        answers = (first[likely] + self._read_indices(pyramid, moved)) / 2
        # Places beside an index have moved onto it: one of them stays.
        once = single_indices(moved, answers[:, IS_INDEX])
        return moved.take(once), answers[once]

    def _read_indices(self, pyramid: tuple[Level, ...], indices: Indices) -> NDArray[np.float64]:
        """N x 41 answers of the index reader."""
        crops = (
            np.stack([_crop(pyramid, indices, k) for k in range(len(indices))])
            if len(indices)
            else None
        )
        if crops is None:
            return np.zeros((0, POSE.stop))
        parts = [
            self._networks.read(crops[k : k + CROPS_AT_ONCE])
            for k in range(0, len(crops), CROPS_AT_ONCE)
        ]
        return np.concatenate(parts).astype(np.float64)


def _crop(pyramid: tuple[Level, ...], indices: Indices, k: int) -> Image:
    """The index upright, its half height CROP_HALF_PX, in the middle of CROP_PX x CROP_PX."""
    half = float(np.hypot(*indices.axis[k]))
    fitting = [level for level in pyramid if half * level.scale <= CROP_FROM_HALF_PX]
    level = max(fitting, key=lambda one: one.scale) if fitting else pyramid[-1]
    x, y = (indices.at[k] + 0.5) * level.scale - 0.5
    down_x, down_y = indices.axis[k] * level.scale / CROP_HALF_PX
    c = (CROP_PX - 1) / 2
    # Crop (i, j) shows the level at middle + (j - c) * down + (i - c) * across, across being down
    # turned by a quarter anticlockwise on paper.
    to_level = np.array(
        [
            [down_y, down_x, x - c * (down_y + down_x)],
            [-down_x, down_y, y - c * (-down_x + down_y)],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(
        level.image, to_level, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)
