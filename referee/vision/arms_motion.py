"""How far a hand moved between two frames, to a tenth of a millimetre, from its pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.vision.arms_ground import UNIT, Logs

ROUNDS = 5
# The first rounds look at the picture halved and blurred by so many of its own pixels, in all by
# 2.5 of the whole one's: a step of twice that is still found. The last look at the whole one.
COARSE_BLUR_PX, FINE_BLUR_PX = 1.1, 0.9
# A hand that should have moved by less is looked for in the whole picture at once.
NEAR_PX = 1.2
# The most pixels that a hand's motion is measured on; more gain nothing.
MOST_PIXELS, LEAST_PIXELS = 500, 40
# A hand whose pixels still differ by 6 % and by most of what they did without any motion was not
# found again: it went under another, or turned over.
UNEXPLAINED, UNEXPLAINED_SHARE = 0.06, 0.8
# How far beyond the first guess the motion may be.
MARGIN_PX = 14

Floats = NDArray[np.float32]
Motion = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shift:
    """A hand's motion between two frames.

    `dx_px`, `dy_px`: that of its middle; `mean_px`: how far its pixels moved (root of the mean
    square), with the turning and growing that a hand coming down shows.
    """

    dx_px: float
    dy_px: float
    mean_px: float


def shift_between(
    before: Logs,
    after: Logs,
    hand: tuple[NDArray[np.intp], NDArray[np.intp]],
    guesses_px: Sequence[tuple[float, float]],
) -> Shift | None:
    """Return how the hand in `after` (its columns and rows, each (n,)) moved since `before`.

    The similarity (shift, turn, growth) that brings the earlier picture onto the later one, from
    the best of the guesses or none, by iterated least squares (Lucas and Kanade, 1981) with
    weights after Huber. All planes are of one size. None: too few pixels, or nothing fits.
    """
    columns, rows = hand
    if len(rows) < LEAST_PIXELS:
        return None
    step = len(rows) // MOST_PIXELS + 1
    reach = int(np.ceil(max(max(map(abs, guess)) for guess in (*guesses_px, (0, 0))))) + MARGIN_PX
    top, left = max(int(rows.min()) - reach, 0), max(int(columns.min()) - reach, 0)
    window = (slice(top, int(rows.max()) + reach + 1), slice(left, int(columns.max()) + reach + 1))
    x, y = _floats(columns[::step] - left), _floats(rows[::step] - top)
    pictures = _part(before, window), _part(after, window)
    motion = np.zeros(4)
    if max(max(map(abs, guess)) for guess in guesses_px) > NEAR_PX:
        motion = _coarsely(pictures, x, y, guesses_px)
    patch = _Patch(x, y)
    sharp_before, sharp_after = (_blurred(one, FINE_BLUR_PX) for one in pictures)
    motion, error, still_error = patch.fitted(sharp_before, sharp_after, motion)
    if not np.isfinite(motion).all() or (
        error > UNEXPLAINED and error > UNEXPLAINED_SHARE * still_error
    ):
        return None
    mean_px = float(cv2.norm(np.stack(patch.moved(motion))) / len(patch.x) ** 0.5)
    return Shift(float(motion[0]), float(motion[1]), mean_px)


def _coarsely(
    pictures: tuple[Floats, Floats], x: Floats, y: Floats, guesses_px: Sequence[tuple[float, float]]
) -> Motion:
    """Return the motion as the halved pictures show it, in pixels of the whole ones."""
    before, after = (_blurred(_floats(cv2.pyrDown(one)), COARSE_BLUR_PX) for one in pictures)
    patch = _Patch(x[::2] // 2, y[::2] // 2)
    halves = [np.array([*guess, 0.0, 0.0]) / 2 for guess in guesses_px]
    return np.asarray(2 * patch.fitted(before, after, patch.best(before, after, halves))[0])


def _part(plane: Logs, window: tuple[slice, slice]) -> Floats:
    return _floats(plane[window]) / np.float32(UNIT)


def _blurred(picture: Floats, by_px: float) -> Floats:
    return _floats(cv2.GaussianBlur(picture, (0, 0), by_px))


class _Patch:
    """The places of a hand's pixels, and the similarities that move them."""

    def __init__(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
        self.x, self.y = x, y
        dx, dy = x - x.mean(), y - y.mean()
        size = float(np.hypot(dx, dy).mean()) + 1e-6
        self.u, self.v = dx / size, dy / size
        self.columns, self.rows = x.astype(int), y.astype(int)

    def moved(self, motion: Motion) -> tuple[Floats, Floats]:
        """Return how far each pixel goes; `motion` is shift x, y, growth and turn."""
        dx = motion[0] + motion[2] * self.u - motion[3] * self.v
        dy = motion[1] + motion[3] * self.u + motion[2] * self.v
        return dx, dy

    def best(self, before: Floats, after: Floats, guesses: Sequence[Motion]) -> Motion:
        """Return the guess that explains the later picture best, or no motion at all."""
        wanted = after[self.rows, self.columns]
        errors: list[tuple[float, int]] = []
        for motion in (np.zeros(4), *guesses):
            dx, dy = self.moved(motion)
            now = _sampled(before, self.x - dx, self.y - dy)
            errors.append((float(np.abs(wanted - now).mean()), len(errors)))
        return (np.zeros(4), *guesses)[min(errors)[1]]

    def fitted(self, before: Floats, after: Floats, motion: Motion) -> tuple[Motion, float, float]:
        """Return the best motion from a first one, its mean error and that of no motion.

        The slopes are those of the later picture, which stay while the earlier one is moved
        (inverse composition; Baker and Matthews, 2004).
        """
        wanted = after[self.rows, self.columns]
        across, down = (
            cv2.Sobel(after, cv2.CV_32F, *axis, scale=0.125)[self.rows, self.columns]
            for axis in ((1, 0), (0, 1))
        )
        turning = down * self.u - across * self.v
        slopes = np.stack([across, down, across * self.u + down * self.v, turning])
        still_error = float(np.abs(wanted - before[self.rows, self.columns]).mean())
        best, least = motion, np.inf
        for _ in range(ROUNDS):
            dx, dy = self.moved(motion)
            rest = wanted - _sampled(before, self.x - dx, self.y - dy)
            size = np.abs(rest)
            error = float(size.mean())
            if error < least:
                best, least = motion, error
            # Huber's weights, the usual error being 0.8 of the deviation.
            weighed = slopes * np.minimum(1.0, (error + 1e-4) / (size + 1e-6))
            normal = weighed @ slopes.T
            # Keeps a hand without any texture solvable: it then does not move.
            normal[np.diag_indices(4)] += 1e-4
            step = np.linalg.solve(normal, -(weighed @ rest))
            motion = motion + step
            if float(np.abs(step).max()) < 0.01:
                return motion, error, still_error
        return best, least, still_error


def _floats(values: ArrayLike) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def _sampled(picture: Floats, x: Floats, y: Floats) -> Floats:
    at = (_floats(x)[None], _floats(y)[None])
    taken = cv2.remap(picture, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken.ravel(), np.float32)
