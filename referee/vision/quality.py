"""How good a picture is for reading: light, focus and the size of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

import cv2
import numpy as np

from referee.values import CardRead
from referee.vision.frames import Image

REBLUR_PX = 1.0
# A central difference averages over two pixels, which blurs by itself: a box's width^2 / 12.
DIFFERENCE_PX2 = 1 / 3
# The strongest hundredth of all gradients: printed edges and card borders, no cloth, no noise.
STRONG_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Light:
    """Levels of luminance of 255, and the share of pixels at the upper end."""

    median_level: float
    burnt_share: float


def light_of(image_bgr: Image) -> Light:
    """Measure a picture's light; uint8 BGR."""
    luminance = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return Light(float(np.median(luminance)), float(np.mean(luminance >= 253)))


def blur_px(image_bgr: Image) -> float | None:
    """Return the blur of a picture's sharp edges as the sigma of a Gaussian, in pixels.

    An edge blurred by s and then again by r has its gradient lowered by sqrt(1 + r^2 / s^2)
    (Zhuo and Sim, Defocus map estimation from a single image, 2011): so s follows from the ratio
    of gradients before and after a blur of r = 1 px. The median over the strongest edges is
    taken. None where the picture has no edge.
    """
    luminance = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    before = gradient(luminance)
    after = gradient(cv2.GaussianBlur(luminance, (0, 0), REBLUR_PX))
    strong = before >= max(float(np.quantile(before, 1 - STRONG_SHARE)), 4.0)
    if not strong.any():
        return None
    ratio = float(np.median(before[strong] / np.maximum(after[strong], 1e-3)))
    seen_px2 = REBLUR_PX**2 / max(ratio**2 - 1, 1e-4)
    return float(np.sqrt(max(seen_px2 - DIFFERENCE_PX2, 0.0)))


def gradient(luminance: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """Return the length of the gradient, in levels a pixel, by central differences."""
    across = cv2.filter2D(luminance, -1, np.array([[-0.5, 0, 0.5]], np.float32))
    down = cv2.filter2D(luminance, -1, np.array([[-0.5], [0], [0.5]], np.float32))
    return cv2.magnitude(across, down)


def card_width_px(cards: Sequence[CardRead]) -> float | None:
    """Return the median width of the cards whose outline is known, None if there is none."""
    widths = [
        min(dist(card.quad_px[0], card.quad_px[1]), dist(card.quad_px[1], card.quad_px[2]))
        for card in cards
        if card.quad_px is not None
    ]
    return float(np.median(widths)) if widths else None
