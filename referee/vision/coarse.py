"""A picture made coarse, as cheaply as can be, and how far two such pictures are apart."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.frames import Image

EACH_PX = 16


def coarse(image_bgr: Image) -> NDArray[np.uint8]:
    """Return every sixteenth pixel across and down of a picture: uint8, rows x columns x 3."""
    return np.ascontiguousarray(image_bgr[::EACH_PX, ::EACH_PX])


def most_apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return by how many levels two pictures differ in each place, in the colour that does most."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
