"""A picture at several sizes, in tiles that the finder can take, and the way back to its pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.networks import STRIDE_PX

Image = NDArray[np.uint8]

# The finder was trained for indices of 7 to 80 px; each level covers three octaves, so levels an
# octave apart leave no size out and show most indices twice.
SMALLEST_SIDE_PX = 120
# Pictures below this are enlarged once: their smallest indices gain, and it costs at most what a
# full 1080p frame costs.
ENLARGED_BELOW_PX = 600_000
TILE_PX = 1920 * 1120
OVERLAP_PX = 128


@dataclass(frozen=True, slots=True)
class Level:
    """One size of the picture: `scale` = level px per picture px."""

    image: Image
    scale: float

    def to_picture(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Level coordinates (..., 2) to picture coordinates; pixel centres are whole numbers."""
        return np.asarray((xy + 0.5) / self.scale - 0.5)


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of a level, padded to what the finder takes; only its core's findings count."""

    image: Image
    left: int
    top: int
    core: tuple[float, float, float, float]  # x0 y0 x1 y1 in level px


def levels(image: Image, *, enlarged: bool = True) -> tuple[Level, ...]:
    """The picture enlarged (if small and wanted so), as it is, and halved until it is tiny."""
    height, width = image.shape[:2]
    out = [Level(image, 1.0)]
    while min(out[-1].image.shape[:2]) >= 2 * SMALLEST_SIDE_PX:
        h, w = out[-1].image.shape[:2]
        half = cv2.resize(out[-1].image, (w // 2, h // 2), interpolation=cv2.INTER_AREA)
        out.append(Level(np.asarray(half, np.uint8), out[-1].scale / 2))
    if enlarged and height * width < ENLARGED_BELOW_PX:
        double = cv2.resize(image, (2 * width, 2 * height), interpolation=cv2.INTER_CUBIC)
        out.insert(0, Level(np.asarray(double, np.uint8), 2.0))
    return tuple(out)


def scaled(image: Image, scale: float) -> Level:
    """The picture at one scale."""
    height, width = image.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if size == (width, height):
        return Level(image, 1.0)
    how = cv2.INTER_CUBIC if scale > 1.0 else cv2.INTER_AREA
    resized = cv2.resize(image, size, interpolation=how)
    return Level(np.asarray(resized, np.uint8), size[0] / width)


def whole(level: Level) -> Tile:
    """A level as one tile, whatever its size."""
    height, width = level.image.shape[:2]
    return _tile(level.image, 0, 0, width, height)


def tiles(level: Level) -> Iterator[Tile]:
    """Cut a level into tiles of at most TILE_PX, overlapping by OVERLAP_PX."""
    h, w = level.image.shape[:2]
    rows = 1
    while h * w / rows > TILE_PX and h / rows > 4 * OVERLAP_PX:
        rows += 1
    columns = 1
    while h * w / rows / columns > TILE_PX:
        columns += 1
    for y0, y1 in _spans(h, rows):
        for x0, x1 in _spans(w, columns):
            yield _tile(level.image, x0, y0, x1, y1)


def _spans(length: int, parts: int) -> list[tuple[int, int]]:
    edges = [round(length * k / parts) for k in range(parts + 1)]
    return list(pairwise(edges))


def _tile(image: Image, x0: int, y0: int, x1: int, y1: int) -> Tile:
    h, w = image.shape[:2]
    grow = OVERLAP_PX // 2
    left, top = max(0, x0 - grow), max(0, y0 - grow)
    right, bottom = min(w, x1 + grow), min(h, y1 + grow)
    part = image[top:bottom, left:right]
    pad_y, pad_x = -part.shape[0] % STRIDE_PX, -part.shape[1] % STRIDE_PX
    if pad_x or pad_y:
        part = np.asarray(
            cv2.copyMakeBorder(part, 0, pad_y, 0, pad_x, cv2.BORDER_REPLICATE), np.uint8
        )
    core = (
        float(x0) if x0 else -1e9,
        float(y0) if y0 else -1e9,
        float(x1) if x1 < w else 1e9,
        float(y1) if y1 < h else 1e9,
    )
    return Tile(np.ascontiguousarray(part), left, top, core)
