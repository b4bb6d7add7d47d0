"""From the finder's surface map to hands over the table."""

from __future__ import annotations

import cv2
import numpy as np

from referee.values import HandRead
from referee.vision.networks import COARSE_CELL_PX, Maps
from referee.vision.pyramid import Level, Tile

HAND = 3
HAND_SCORE = 0.5
# A fingertip of 16 mm at the coarsest level on which hands are still looked for (0.4 px/mm).
LEAST_CELLS = 12
# Hands are large: one small level is enough to see them whole.
HANDS_ON_WIDTH_PX = (400, 1000)


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
