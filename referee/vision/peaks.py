"""From the finder's maps to places: printed indices, and cards with their outlines."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.card_scores import card_scores
from referee.vision.networks import (
    AXIS_UNIT_PX,
    COARSE_CELL_PX,
    FINE_CELL_PX,
    MIDDLE_UNIT_PX,
    OUTLINE_UNIT_PX,
    Maps,
)
from referee.vision.pyramid import Level, Tile

Floats = NDArray[np.float64]

# Low: what stands there is decided by the index reader, which is far surer than the finder.
INDEX_HEAT = 0.12
CARD_HEAT = 0.1
# Two indices of one card never lie nearer than their height; 0.7 of half of it is one place.
SAME_PLACE = 0.7
# Sizes that one level is trained to find; others are another level's.
HALF_PX = (3.0, 44.0)
CARD_HALF_PX = (17.0, 215.0)


@dataclass(frozen=True, slots=True)
class Indices:
    """Places of printed indices, N each; px of the picture.

    at: N x 2 middles; axis: N x 2 from the middle to the lower edge (rank above suit);
    middle: N x 2 guesses of the card's middle; heat: N, 0..1; logits: N x 28 ranks and suits.
    """

    at: Floats
    axis: Floats
    middle: Floats
    heat: Floats
    logits: Floats

    def __len__(self) -> int:
        return len(self.heat)

    def moved(self, pose: Floats) -> Indices:
        """The places moved by N x 4 poses: right, down (half heights), log size, turn (rad)."""
        right, down, size, turn = pose.T[:, :, None]
        across = np.stack([self.axis[:, 1], -self.axis[:, 0]], axis=1)
        at = self.at + down * self.axis + right * across
        # A quarter turn clockwise takes the axis to minus across.
        axis = np.exp(size) * (np.cos(turn) * self.axis - np.sin(turn) * across)
        return Indices(at, axis, self.middle, self.heat, self.logits)

    def sized(self, times: float) -> Indices:
        """The places with indices so many times as large."""
        return replace(self, axis=self.axis * times)

    def put(self, which: NDArray[np.intp], moved: Indices) -> Indices:
        """The places, those numbered in `which` moved."""
        at, axis = self.at.copy(), self.axis.copy()
        at[which], axis[which] = moved.at, moved.axis
        return replace(self, at=at, axis=axis)

    def take(self, which: NDArray[np.intp]) -> Indices:
        """The places numbered in `which`."""
        return Indices(
            self.at[which],
            self.axis[which],
            self.middle[which],
            self.heat[which],
            self.logits[which],
        )


@dataclass(frozen=True, slots=True)
class Cards:
    """Whole cards, N each; px of the picture.

    middle: N x 2; down and across: N x 2 half-height and half-width vectors (a card and the same
    card turned by 180 degrees are one); back: N, whether face down; heat: N, 0..1.
    """

    middle: Floats
    down: Floats
    across: Floats
    back: NDArray[np.bool_]
    heat: Floats

    def __len__(self) -> int:
        return len(self.heat)

    def take(self, which: NDArray[np.intp]) -> Cards:
        """The cards numbered in `which`."""
        return Cards(
            self.middle[which],
            self.down[which],
            self.across[which],
            self.back[which],
            self.heat[which],
        )

    def quads(self) -> Floats:
        """N x 4 x 2 corners, clockwise in the image from the one that -down -across points to."""
        d, a, m = self.down, self.across, self.middle
        return np.stack([m - d - a, m - d + a, m + d + a, m + d - a], axis=1)


def _peaks(
    logit: NDArray[np.float32], least: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    heat = 1.0 / (1.0 + np.exp(-logit))
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heat >= top) & (heat > least))
    return y, x, heat[y, x].astype(np.float64)


def _in_core(xy: Floats, tile: Tile) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = tile.core
    return np.asarray((xy[:, 0] >= x0) & (xy[:, 0] < x1) & (xy[:, 1] >= y0) & (xy[:, 1] < y1))


def indices_of(maps: Maps, level: Level, tile: Tile) -> Indices:
    """The indices that one tile's maps show."""
    y, x, heat = _peaks(maps.fine[0], INDEX_HEAT)
    v = maps.fine[:, y, x].T.astype(np.float64)
    cell = np.stack([x, y], 1).astype(np.float64)
    corner = np.array([tile.left, tile.top], np.float64)
    at = (cell + v[:, 1:3]) * FINE_CELL_PX + corner
    axis = v[:, 3:5] * AXIS_UNIT_PX
    middle = cell * FINE_CELL_PX + v[:, 5:7] * MIDDLE_UNIT_PX + corner
    half = np.hypot(axis[:, 0], axis[:, 1])
    good = np.flatnonzero(_in_core(at, tile) & (half > HALF_PX[0]) & (half < HALF_PX[1]))
    return Indices(
        level.to_picture(at), axis / level.scale, level.to_picture(middle), heat, v[:, 7:]
    ).take(good)


def _halved(v: Floats) -> Floats:
    """The vector of the same length with half the angle."""
    length = np.hypot(v[:, 0], v[:, 1])
    angle = np.arctan2(v[:, 1], v[:, 0]) / 2
    return np.stack([length * np.cos(angle), length * np.sin(angle)], 1)


def cards_of(maps: Maps, level: Level, tile: Tile) -> Cards:
    """The whole cards, face up and face down, that one tile's maps show."""
    peaks = [_peaks(maps.coarse[side], CARD_HEAT)[:2] for side in (0, 1)]
    y, x = np.concatenate(peaks, axis=1)
    side = np.repeat([0, 1], [len(rows) for rows, _ in peaks])
    v = maps.coarse[:, y, x].T.astype(np.float64)
    cell = np.stack([x, y], 1).astype(np.float64)
    on_tile = cell * COARSE_CELL_PX + v[:, 2:4] * OUTLINE_UNIT_PX
    middle = on_tile + np.array([tile.left, tile.top], np.float64)
    down, across = _halved(v[:, 4:6] * OUTLINE_UNIT_PX), _halved(v[:, 6:8] * OUTLINE_UNIT_PX)
    # Clockwise: across must lie to the right of up.
    wrong = (down[:, 0] * across[:, 1] - down[:, 1] * across[:, 0]) > 0
    across[wrong] *= -1
    tall = np.hypot(down[:, 0], down[:, 1])
    score = card_scores(maps, on_tile, down, across)[np.arange(len(side)), side]
    good = np.flatnonzero(
        _in_core(middle, tile) & (tall > CARD_HALF_PX[0]) & (tall < CARD_HALF_PX[1])
    )
    found = Cards(
        level.to_picture(middle), down / level.scale, across / level.scale, side == 1, score
    )
    return joined_cards([found.take(good)])


def joined_indices(parts: list[Indices]) -> Indices:
    """All parts as one, without the doubles: the hottest of those at one place stays."""
    if not parts:
        none = np.zeros((0, 2))
        return Indices(none, none, none, np.zeros(0), np.zeros((0, 19)))
    whole = Indices(
        np.concatenate([p.at for p in parts]),
        np.concatenate([p.axis for p in parts]),
        np.concatenate([p.middle for p in parts]),
        np.concatenate([p.heat for p in parts]),
        np.concatenate([p.logits for p in parts]),
    )
    return whole.take(single_indices(whole, whole.heat))


def single_indices(indices: Indices, worth: Floats) -> NDArray[np.intp]:
    """Numbers of the indices that no worthier one at the same place puts out."""
    half = np.hypot(indices.axis[:, 0], indices.axis[:, 1])
    return _hottest(indices.at, half * SAME_PLACE, worth)


def joined_cards(parts: list[Cards]) -> Cards:
    """All parts as one, without the doubles."""
    if not parts:
        none = np.zeros((0, 2))
        return Cards(none, none, none, np.zeros(0, bool), np.zeros(0))
    whole = Cards(
        np.concatenate([p.middle for p in parts]),
        np.concatenate([p.down for p in parts]),
        np.concatenate([p.across for p in parts]),
        np.concatenate([p.back for p in parts]),
        np.concatenate([p.heat for p in parts]),
    )
    wide = np.hypot(whole.across[:, 0], whole.across[:, 1])
    return whole.take(_hottest(whole.middle, wide * 0.3, whole.heat))


def _hottest(at: Floats, reach: Floats, heat: Floats) -> NDArray[np.intp]:
    """Numbers of the places that no hotter place within its reach puts out."""
    kept: list[int] = []
    for k in np.argsort(-heat, kind="stable"):
        if kept:
            d = np.hypot(at[kept, 0] - at[k, 0], at[kept, 1] - at[k, 1])
            if (d < np.maximum(reach[kept], reach[k])).any():
                continue
        kept.append(int(k))
    return np.array(sorted(kept), np.intp)
