"""Whether a place shows anything that a card's face does: a spot printed on a mat does not."""

from __future__ import annotations

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


def is_plain(image_bgr: Image, corners_px: NDArray[np.float64]) -> bool:
    """Whether a card's place shows no face.

    `corners_px` (4, 2) are the corners of the place, EDGE_MM within the card's edges, in order
    round it, in pixels of the picture: uint8, h x w x 3.
    """
    width, height = (round((side - 2 * EDGE_MM) * PX_MM) for side in (CARD_W_MM, CARD_H_MM))
    upright = np.array([[width, 0], [0, 0], [0, height], [width, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners_px.astype(np.float32), upright)
    place = cv2.warpPerspective(image_bgr, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(place, (3, 3), 0)
    size = round(STROKE_MM * PX_MM) | 1
    stroke = np.ones((size, size), np.uint8)
    dark = cv2.morphologyEx(smooth, cv2.MORPH_BLACKHAT, stroke)
    light = cv2.morphologyEx(smooth, cv2.MORPH_TOPHAT, stroke)
    ink = np.maximum(dark, light).max(axis=2) > INK_LEVELS
    return float(ink.mean()) < FACE_SHARE
