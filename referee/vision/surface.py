"""From the finder's surface map to what lies where: bare table, faces, backs, hands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import HandRead
from referee.vision.networks import COARSE_CELL_PX, Maps
from referee.vision.pyramid import Level, Tile

BARE, FACE, BACK, HAND = range(4)
NOT_SHOWN = 255
HAND_SCORE = 0.5
# A fingertip of 16 mm at the coarsest level on which hands are still looked for (0.4 px/mm).
LEAST_CELLS = 12
# Hands are large: one small level is enough to see them whole.
HANDS_ON_WIDTH_PX = (400, 1000)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """What lies where in a picture: `kind` (rows, columns) is BARE, FACE, BACK or HAND.

    One cell is `cell_px` of the picture wide; cell (0, 0) begins at the picture's corner.
    """

    kind: NDArray[np.uint8]
    cell_px: float

    def share(self, kind: int, points_px: NDArray[np.float64]) -> float:
        """Return how many of the points (n, 2) in the picture show a kind, 0 to 1."""
        shown = self.at(points_px)
        inside = shown != NOT_SHOWN
        return float((shown[inside] == kind).mean()) if inside.any() else 0.0

    def at(self, points_px: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return what each of the points (n, 2) shows, NOT_SHOWN outside the picture."""
        cells = ((points_px + 0.5) / self.cell_px).astype(np.intp)
        rows, columns = self.kind.shape
        inside = (cells >= 0).all(axis=1) & (cells[:, 0] < columns) & (cells[:, 1] < rows)
        shown = np.full(len(cells), NOT_SHOWN, np.uint8)
        shown[inside] = self.kind[cells[inside, 1], cells[inside, 0]]
        return shown


def surface_of(maps: Maps, level: Level, tile: Tile) -> Surface:
    """What lies where on a tile that is a whole level."""
    kind = maps.coarse[8:12].argmax(axis=0).astype(np.uint8)
    return Surface(kind, COARSE_CELL_PX / level.scale)


def hands_of(maps: Maps, level: Level, tile: Tile) -> tuple[HandRead, ...]:
    """The hands and arms on one tile; none on levels that are not used for hands."""
    if not HANDS_ON_WIDTH_PX[0] <= level.image.shape[1] < HANDS_ON_WIDTH_PX[1]:
        return ()
    logits = maps.coarse[8:12]
    e = np.exp(logits - logits.max(0))
    hand = e[HAND] / e.sum(0)
    count, marks, boxes, _ = cv2.connectedComponentsWithStats(
        (hand > HAND_SCORE).astype(np.uint8), connectivity=8
    )
    out = []
    for k in range(1, count):
        x, y, w, h, area = (int(n) for n in boxes[k])
        if area >= LEAST_CELLS:
            out.append(
                HandRead(round(float(hand[marks == k].mean()), 3), _box(x, y, w, h, level, tile))
            )
    return tuple(out)


def _box(
    x: int, y: int, w: int, h: int, level: Level, tile: Tile
) -> tuple[float, float, float, float]:
    cells = np.array([[x, y], [x + w, y + h]], np.float64) * COARSE_CELL_PX
    (x0, y0), (x1, y1) = level.to_picture(cells + np.array([tile.left, tile.top]))
    return round(float(x0), 1), round(float(y0), 1), round(float(x1), 1), round(float(y1), 1)
