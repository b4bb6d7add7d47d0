"""Whether a place shows anything that a card does: a spot printed on a mat does not."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values.spots import CARD_H_MM, CARD_W_MM
from referee.vision.frames import Image

# What is drawn about a spot lies at a card's edge, this far in at most.
EDGE_MM = 8.0
PX_MM = 1.25
# Pips and letters are narrower than that, shadows and what lamps do wider.
STROKE_MM = 20.0
# Levels of a colour: noise of a dim webcam is 8, grey print on white 60 and more.
INK_LEVELS = 30
# The least that a face shows there is an ace's pip, 15 mm large: 0.05. A spot's name, 25 mm of
# letters 5 mm high, is 0.01. The faintest of 130 photographed faces had 0.045, the largest of 40
# printed spots with their names 0.025.
FACE_SHARE = 0.03
# What lies round a card is looked at from 3 mm to so far beyond its edges.
AROUND_MM, BESIDE_MM = 12.0, 3.0
# Of 106 drawn spots that were taken for backs, on red felt, 98 had so much of one colour within
# and around them; of 2,560 reads of backs in seven films of four makers three had.
ALIKE_LEVELS, WITHIN_SHARE, AROUND_SHARE = 10.0, 0.6, 0.3
# Of backs that lie there 19 in 20 show half of their place as a back, what is misread for one less.
BACKED_SHARE = 0.6


def is_plain(image_bgr: Image, corners_px: NDArray[np.float64]) -> bool:
    """Whether a card's place shows no face.

    `corners_px` (4, 2) are the corners of the place, EDGE_MM within the card's edges, in order
    round it, in pixels of the picture: uint8, h x w x 3.
    """
    smooth = cv2.GaussianBlur(_upright(image_bgr, corners_px, -EDGE_MM), (3, 3), 0)
    size = round(STROKE_MM * PX_MM) | 1
    stroke = np.ones((size, size), np.uint8)
    dark = cv2.morphologyEx(smooth, cv2.MORPH_BLACKHAT, stroke)
    light = cv2.morphologyEx(smooth, cv2.MORPH_TOPHAT, stroke)
    ink = np.maximum(dark, light).max(axis=2) > INK_LEVELS
    return float(ink.mean()) < FACE_SHARE


def is_drawn(image_bgr: Image, corners_px: NDArray[np.float64]) -> bool:
    """Whether the frame of a spot was taken for a back: it looks within as the table round it does.

    `corners_px` (4, 2) are the corners of the place, AROUND_MM beyond the card's edges, in order
    round it, in pixels of the picture: uint8, h x w x 3.
    """
    place = _upright(image_bgr, corners_px, AROUND_MM)
    table_bgr = np.median(_cut(place, AROUND_MM + EDGE_MM), axis=(0, 1))
    alike = np.abs(place - table_bgr).max(axis=2) < ALIKE_LEVELS
    within, covered = _cut(alike, AROUND_MM + EDGE_MM), _cut(alike, AROUND_MM - BESIDE_MM)
    around = (alike.sum() - covered.sum()) / (alike.size - covered.size)
    return bool(within.mean() >= WITHIN_SHARE and around >= AROUND_SHARE)


def shows_back(share: float, image_bgr: Image, corners_px: NDArray[np.float64]) -> bool:
    """Whether a place that the reader's map of surfaces takes for a back, by a share, shows one.

    The picture and the corners are those of `is_drawn`: what a hand bares may be a bare spot.
    """
    return share > BACKED_SHARE and not is_drawn(image_bgr, corners_px)


def _upright(image_bgr: Image, corners_px: NDArray[np.float64], margin_mm: float) -> Image:
    """Return a card's place upright, with a margin, PX_MM pixels to the millimetre."""
    width, height = (round((side + 2 * margin_mm) * PX_MM) for side in (CARD_W_MM, CARD_H_MM))
    upright = np.array([[width, 0], [0, 0], [0, height], [width, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners_px.astype(np.float32), upright)
    seen = cv2.warpPerspective(image_bgr, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _cut(place: NDArray[Any], margin_mm: float) -> NDArray[Any]:
    """Return what lies farther within a place than a margin."""
    edge = round(margin_mm * PX_MM)
    return place[edge:-edge, edge:-edge]
