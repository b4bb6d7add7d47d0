"""When a card came to rest: looked up in the last frames once it is known where it lies.

A printed detail of the card that no hand hides looks as it does now from the moment on at which
the card stopped; details under the hand look so only when the hand has left. So the share of
details that are final grows while the card comes in and turns flat, stays when it lies, and grows
once more when the hand leaves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.frames import Image

# Hands linger on a card for up to a second after they laid it.
KEPT_NS = 1_800_000_000
# Half of 1080p: a card is 60 x 85 px, so that one pixel is 1 mm, and 60 frames are 30 MB.
SIDE_PX = 960
# Details are pixels with this much contrast to their neighbours, in levels of luminance.
DETAIL_LEVELS = 40.0
LEAST_DETAILS = 40
# Noise of a webcam, and what is left of flicker after the whole frame's change is taken out.
ALIKE_LEVELS = 22
# A hand that lays a card leaves at least this share of its details in view; of a card on its way
# 0.05 to 0.3 look final by chance.
UNCOVERED_SHARE = 0.25
# While a card comes in, the share of final details was this part of what it is two frames before
# (in rendered clips a half). From then on the card lies when the share stays: of 60 cards laid or
# turned it grew by 8 % and more in the last frame in which they moved, and by 3 % at most in the
# next one. By chance it stays for one frame on the way, and grows by 12 % and more in the second.
COMING_RATIO, STAYS_RATIO, STAYS_TWO_RATIO = 0.7, 1.035, 1.12

Hidden = Callable[[NDArray[np.float64]], NDArray[np.bool_]]
"""Tells which points (n, 2) of the latest picture, in pixels, a hand hides."""


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """One kept frame: luminance, uint8, at most SIDE_PX wide."""

    t_ns: int
    luminance: NDArray[np.uint8]


class Landings:
    """The last frames of one video. Changed only by `keep`, by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._past: deque[_Past] = deque()
        self._scale = 1.0

    def keep(self, image_bgr: Image, t_ns: int) -> NDArray[np.uint8]:
        """Keep a frame: uint8, height x width x 3; older ones are dropped.

        Returns its luminance as it is kept, at most SIDE_PX wide.
        """
        height, width = image_bgr.shape[:2]
        self._scale = min(1.0, SIDE_PX / width)
        shrunk = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
        if self._scale < 1.0:
            size = (round(width * self._scale), round(height * self._scale))
            shrunk = cv2.resize(shrunk, size, interpolation=cv2.INTER_AREA)
        grey = np.asarray(shrunk, np.uint8)
        if self._past and self._past[-1].luminance.shape != grey.shape:
            self._past.clear()
        self._past.append(_Past(t_ns, grey))
        while t_ns - self._past[0].t_ns > KEPT_NS:
            self._past.popleft()
        return grey

    def landed(
        self, corners_px: NDArray[np.float64], hidden: Hidden | None = None
    ) -> tuple[int, int] | None:
        """Return the times of the last frame in which a card moved and the first in which it lay.

        `corners_px` (4, 2) are those of the card, as it lies in the latest frame; `hidden` tells
        what a hand hides of that. None where it shows too few details, or lay as it lies for as
        long as frames are kept.
        """
        rows, columns = self._details(corners_px)
        if hidden is not None and len(rows):
            # Of a hand that rests on the card the details are final before the card's are.
            places = np.stack([columns, rows], axis=1).astype(np.float64)
            bare = ~hidden((places + 0.5) / self._scale - 0.5)
            if bare.sum() >= LEAST_DETAILS:
                rows, columns = rows[bare], columns[bare]
        if len(rows) < LEAST_DETAILS:
            return None
        now = self._past[-1].luminance
        final = now[rows, columns].astype(np.int16)
        coarse = now[::16, ::16].astype(np.int16)
        still = np.ones(len(rows), bool)
        shares = [1.0]
        frames = list(self._past)[::-1]
        for past in frames[1:]:
            light = int(np.median(past.luminance[::16, ::16].astype(np.int16) - coarse))
            change = past.luminance[rows, columns].astype(np.int16) - final - light
            still &= np.abs(change) <= ALIKE_LEVELS
            shares.append(float(still.mean()))
            if shares[-1] < UNCOVERED_SHARE / 8:
                break
        k = _first_at_rest(shares)
        return None if k is None else (frames[k + 1].t_ns, frames[k].t_ns)

    def _details(
        self, corners_px: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows and columns of the card's printed details."""
        nothing = np.zeros(0, np.intp)
        if not self._past:
            return nothing, nothing
        now = self._past[-1].luminance
        points = np.round((corners_px + 0.5) * self._scale - 0.5).astype(np.int32)
        x0, y0 = np.maximum(points.min(axis=0) - 1, 0)
        x1, y1 = np.minimum(points.max(axis=0) + 2, now.shape[::-1])
        if x1 - x0 < 8 or y1 - y0 < 8:
            return nothing, nothing
        piece = now[y0:y1, x0:x1]
        inside = np.zeros(piece.shape, np.uint8)
        cv2.fillConvexPoly(inside, points - (x0, y0), 1)
        contrast = cv2.morphologyEx(piece, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((inside > 0) & (contrast >= DETAIL_LEVELS))
        return rows + y0, columns + x0


def _first_at_rest(shares: list[float]) -> int | None:
    """Return the index, counted from now back, of the first frame in which the card lay."""
    coming = (
        k
        for k, share in enumerate(shares[:-1])
        if share >= UNCOVERED_SHARE and shares[min(k + 2, len(shares) - 1)] <= COMING_RATIO * share
    )
    first = max(coming, default=None)
    while first and _grows(shares[max(first - 2, 0) : first + 1]):
        first -= 1
    return first


def _grows(later: list[float]) -> bool:
    """Whether a share grows in the one or two frames after it; it is the last one of the list."""
    return later[-2] > STAYS_RATIO * later[-1] or later[0] > STAYS_TWO_RATIO * later[-1]
