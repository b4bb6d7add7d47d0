"""What a learned deck says about an index: how alike it is to that deck's own ranks and suits.

Alike means: the cosine between what the index reader's last layer sees of the index and of the
deck's (nearest prototypes, as in Snell et al. 2017), the deck's shrunk to the same size before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.deck_profile import DeckProfile, rank_number, suit_number
from referee.vision.languages import NAMES
from referee.vision.networks import CROP_HALF_PX, CROP_PX, SUIT_LOGITS

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
# Crops -> what the last layer sees of them, N x FEATURES.
Features = Callable[[Image], NDArray[np.float32]]

# Found by maximum likelihood on the shipped networks and fourteen spread decks held out of training
# (`models/train/profiles.py --fit`): its two halves gave 0.75 and 0.94 for the network, 4.4 and 5.9
# for ranks, -1.5 and 0.4 for suits, which a learned deck therefore says nothing of.
NETWORK_WEIGHT, RANK_WEIGHT, SUIT_WEIGHT = 0.85, 5.1, 0.0
# Heights of an index to which the deck's are shrunk, and up to which height each is used.
SIZES_PX = ((9, 10.5), (12, 14.5), (18, 22.0), (28, np.inf))
MOST_ALIKE = 3  # how many of the likest speak for a rank or suit
BACKGROUND = 1e-6


@dataclass(frozen=True, slots=True)
class Told:
    """What is added to log-probabilities that weigh NETWORK_WEIGHT: N x 23, N x 5."""

    rank: Floats
    suit: Floats

    def take(self, which: NDArray[np.intp]) -> Told:
        """What is told of the indices numbered in `which`."""
        return Told(self.rank[which], self.suit[which])


class DeckEvidence:
    """The indices of the decks on the table, as the index reader sees them at four sizes."""

    def __init__(self, profiles: Sequence[DeckProfile], features: Features) -> None:
        """Look at the decks' indices once, at each size: a second or two for each deck."""
        labels = [label for profile in profiles for label in profile.labels]
        crops = np.concatenate([profile.crops for profile in profiles])
        self._ranks = np.array([rank_number(label) for label in labels])
        self._suits = np.array([suit_number(label) for label in labels])
        self._seen = [
            features(np.stack([shrunk(crop, size_px) for crop in crops])) for size_px, _ in SIZES_PX
        ]

    def told(self, features: NDArray[np.float32], height_px: Floats) -> Told:
        """Tell what speaks for each rank and suit of N indices of this height."""
        rank, suit = np.zeros((len(features), NAMES)), np.zeros((len(features), SUIT_LOGITS))
        least_px = 0.0
        for seen, (_, most_px) in zip(self._seen, SIZES_PX, strict=True):
            some = np.flatnonzero((height_px >= least_px) & (height_px < most_px))
            alike = _cosines(features[some], seen)
            rank[some] = RANK_WEIGHT * _by_class(alike, self._ranks, NAMES)
            suit[some] = SUIT_WEIGHT * _by_class(alike, self._suits, SUIT_LOGITS)
            least_px = most_px
        return Told(rank, suit)

    def likeness(self, features: NDArray[np.float32], height_px: Floats) -> Floats:
        """Return how alike each of N indices is to the likest index of the decks, -1..1."""
        out = np.zeros(len(features))
        least_px = 0.0
        for seen, (_, most_px) in zip(self._seen, SIZES_PX, strict=True):
            some = np.flatnonzero((height_px >= least_px) & (height_px < most_px))
            if len(some):
                out[some] = _cosines(features[some], seen, middle=False).max(axis=1)
            least_px = most_px
        return out


def shrunk(crop: Image, height_px: float) -> Image:
    """Return an upright index as it would look if it had been that high in the picture."""
    side = round(CROP_PX * height_px / (2 * CROP_HALF_PX))
    if side >= CROP_PX:
        return crop
    small = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (CROP_PX, CROP_PX)), np.uint8)


def _cosines(
    features: NDArray[np.float32], seen: NDArray[np.float32], *, middle: bool = True
) -> Floats:
    """N x M cosines, about the middle of the deck's own."""
    centre = seen.mean(axis=0) if middle else np.zeros(seen.shape[1], np.float32)
    return np.asarray(_unit(features - centre) @ _unit(seen - centre).T, np.float64)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + BACKGROUND))


def _by_class(alike: Floats, classes: NDArray[np.intp], count: int) -> Floats:
    """N x count: the mean of the likest of each class.

    A class of which nothing was learned is worth what lies between the best and the middle one, so
    that it can still win by the network's own word.
    """
    out = np.full((len(alike), count), np.nan)
    for one in np.unique(classes):
        own = np.sort(alike[:, classes == one], axis=1)
        out[:, one] = own[:, -MOST_ALIKE:].mean(axis=1)
    if not len(alike):
        return np.zeros((0, count))
    fair = (np.nanmax(out, axis=1) + np.nanmean(out, axis=1)) / 2
    return np.asarray(np.where(np.isnan(out), fair[:, None], out))
