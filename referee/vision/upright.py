"""Cuts printed indices, and the faces they are printed on, upright out of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.networks import CROP_HALF_PX, CROP_PX, FACE_PX, FACE_REACH_PX
from referee.vision.peaks import Indices
from referee.vision.pyramid import Image, Level

# Crops are cut from the level on which a crop's pixel is at most so many of the picture's: of more
# the strokes between the sampled pixels would be lost.
MOST_SAMPLED_PX = 2.0
# Half width and half height of what is wiped out, in half heights of an index: a 10 is as wide as
# 1.2 of them, and its place is known to a tenth.
WIPED_WIDE, WIPED_HIGH = 0.75, 1.2

Floats = NDArray[np.float64]


def upright_indices(pyramid: Sequence[Level], indices: Indices) -> Image:
    """N x CROP_PX x CROP_PX x 3: each index upright in the middle, its half height CROP_HALF_PX."""
    half = np.hypot(*indices.axis.T)
    size = (CROP_PX, CROP_PX)
    return _crops(pyramid, indices.at, indices.axis / half[:, None], half / CROP_HALF_PX, size)


def upright_faces(pyramid: Sequence[Level], indices: Indices) -> Image:
    """N x FACE_PX x 3: the face of each index's card, as the index stands, without its indices.

    The face lies about the card's guessed middle, the index FACE_REACH_PX away from it. Where the
    four corners' indices may be, the face is filled with its mean: what pips and courts say is to
    be no echo of what the index was taken for.
    """
    across, down, sampled_px = face_frames(indices)
    away = indices.at - indices.middle
    faces = _crops(pyramid, indices.middle, down, sampled_px, FACE_PX)
    right, below = ((away * way).sum(1) / sampled_px for way in (across, down))
    half = np.hypot(*indices.axis.T) / sampled_px
    for face, *place in zip(faces, right, below, half, strict=True):
        _wipe_corners(face, *(float(value) for value in place))
    return faces


def face_frames(indices: Indices) -> tuple[Floats, Floats, Floats]:
    """Which ways are right and down on N upright faces, (N, 2) each, and their pixels' size (N,).

    All in the picture's pixels.
    """
    down = indices.axis / np.hypot(*indices.axis.T)[:, None]
    across = np.stack([down[:, 1], -down[:, 0]], axis=1)
    return across, down, np.hypot(*(indices.at - indices.middle).T) / FACE_REACH_PX


def _wipe_corners(face: Image, right: float, below: float, half: float) -> None:
    """Fill the places of indices as high as twice `half`, so far from the middle as one is."""
    rows, columns = FACE_PX
    mean = face.reshape(-1, 3).mean(axis=0)
    wide, high = WIPED_WIDE * half, WIPED_HIGH * half
    for x, y in product((-right, right), (-below, below)):
        x0, y0 = x + columns / 2 - wide, y + rows / 2 - high
        top, left = max(0, round(y0)), max(0, round(x0))
        face[top : max(0, round(y0 + 2 * high)), left : max(0, round(x0 + 2 * wide))] = mean


def _crops(
    pyramid: Sequence[Level], at: Floats, down: Floats, sampled_px: Floats, size: tuple[int, int]
) -> Image:
    """N crops of `size` (rows, columns), a pixel of theirs being `sampled_px` of the picture."""
    if not len(at):
        return np.zeros((0, *size, 3), np.uint8)
    return np.stack(
        [
            _crop(_level(pyramid, px), at[k], down[k] * px, size)
            for k, px in enumerate(map(float, sampled_px))
        ]
    )


def _level(pyramid: Sequence[Level], sampled_px: float) -> Level:
    fitting = [level for level in pyramid if sampled_px * level.scale <= MOST_SAMPLED_PX]
    return max(fitting, key=lambda one: one.scale) if fitting else pyramid[-1]


def _crop(level: Level, at: Floats, step: Floats, size: tuple[int, int]) -> Image:
    """The picture about `at`, `step` being the way of one crop's pixel down."""
    x, y = (at + 0.5) * level.scale - 0.5
    down_x, down_y = step * level.scale
    rows, columns = size
    i, j = (columns - 1) / 2, (rows - 1) / 2
    # Crop (i, j) shows the level at middle + (j - rows/2) * down + (i - columns/2) * across, across
    # being down turned by a quarter anticlockwise on paper.
    to_level = np.array(
        [
            [down_y, down_x, x - i * down_y - j * down_x],
            [-down_x, down_y, y + i * down_x - j * down_y],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(
        level.image, to_level, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)
