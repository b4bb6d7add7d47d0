"""How far a card was from where it lies in the frames before: its details are found there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Pose = NDArray[np.float64]
"""Shift in x and y, growth and turn (4,): how far a detail at the card's usual radius moves by
each, in pixels."""

# Pictures are compared less their mean over so many pixels: a hand's shadow passes over the card.
BROAD_PX = 17
# A first look at blurred pictures finds steps of some pixels, a second one at sharp ones tenths.
SHARP_PX, BLURRED_PX = 0.8, 2.2
ROUNDS, ENOUGH_PX = 6, 0.02
# More details gain nothing.
MOST_DETAILS = 600
# Differences in levels: of a detail under a hand any is as good as another, and the weight of one
# falls off from here on (after Geman and McClure, 1987).
HIDDEN_LEVELS, DOUBTED_LEVELS = 22.0, 10.0
# What differs so much on the average is not this card: one that nothing hides differs by 1 to 5
# levels on its way, half hidden by the hand that lays it by 5 to 11, and any other by 16 to 19.
LOST_LEVELS = 13.0
# One deviation of a distance, at least; and in pixels for each level by which pictures of the card
# differ that show it at rest: 0 where they have no noise, 0.08 and 1.2 levels where they are coded.
# Half hidden by a hand, by 6 levels, it is found half as exactly.
APART_MM, APART_PX_LEVEL, HALF_LEVELS = 0.05, 0.08, 6.0
# Of a way only the end tells when it ended; farther off a card is still in the air, and larger.
FARTHEST_MM = 9.0
# A card that seems to come nearer to its place again the further back one looks was lost.
LOST_MM = 1.2
# Who straightens a card pushes it by so much. It rested before if it was found to so much at one
# place in so many frames, as large as it is on the table: a hand that holds it still trembles.
PUSHED_MM = (0.6, 4.0)
RESTED_FRAMES, RESTS_MM, LIES_MM = 5, 0.25, 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Away:
    """How far a card was from where it lies in one frame, and by how many levels it differed.

    `pose` is how it was placed there.
    """

    t_ns: int
    mm: float
    unlike: float
    pose: Pose


class Lying:
    """A card as it lies, known by its details; finds it in earlier pictures of the same piece."""

    def __init__(self, piece: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> None:
        """Take a piece of a picture's luminance, and where in it the card's details are, (n,)."""
        step = len(rows) // MOST_DETAILS + 1
        rows, columns = rows[::step], columns[::step]
        self._x, self._y = columns.astype(np.float32), rows.astype(np.float32)
        u, v = columns - columns.mean(), rows - rows.mean()
        radius = float(np.hypot(u, v).mean()) + 1e-6
        self._u, self._v = (u / radius).astype(np.float32), (v / radius).astype(np.float32)
        self._looks = {}
        for blur_px in (SHARP_PX, BLURRED_PX):
            plane = _fine(piece, blur_px)
            across = cv2.Sobel(plane, cv2.CV_32F, 1, 0, scale=0.125)[rows, columns]
            down = cv2.Sobel(plane, cv2.CV_32F, 0, 1, scale=0.125)[rows, columns]
            turned = down * self._u - across * self._v
            slopes = np.stack([across, down, across * self._u + down * self._v, turned])
            self._looks[blur_px] = plane[rows, columns], slopes

    def away_mm(self, piece: Floats, mm_px: float) -> float:
        """Return how far it was from here in an earlier picture, nan where it is not found near."""
        pose, unlike = self.found(piece, np.zeros(4))
        return _far_mm(pose, mm_px) if unlike <= LOST_LEVELS else np.nan

    def found(self, piece: Floats, guess: Pose) -> tuple[Pose, float]:
        """Return how the card was placed in an earlier picture, and how much it differs there.

        The better of where it lies and what lies near the guess.
        """
        sharp = _fine(piece, SHARP_PX)
        here = self._fitted(sharp, np.zeros(4), SHARP_PX)
        if here[1] < LOST_LEVELS / 4:
            return here
        near, _ = self._fitted(_fine(piece, BLURRED_PX), guess, BLURRED_PX)
        return min(here, self._fitted(sharp, near, SHARP_PX), key=lambda fit: fit[1])

    def _fitted(self, plane: Floats, pose: Pose, blur_px: float) -> tuple[Pose, float]:
        """Return the best pose from a first one, by weighted least squares on the card's slopes.

        Those stay while the earlier picture is moved (Baker and Matthews, 2004).
        """
        wanted, slopes = self._looks[blur_px]
        best, least = pose, np.inf
        for _ in range(ROUNDS):
            rest = wanted - self._sampled(plane, pose)
            size = np.abs(rest)
            unlike = float(np.minimum(size, HIDDEN_LEVELS).sum()) / len(size)
            if unlike < least:
                best, least = pose, unlike
            weighed = slopes / (1.0 + (size / DOUBTED_LEVELS) ** 2) ** 2
            normal = weighed @ slopes.T
            normal[np.diag_indices(4)] += 0.02 * normal.diagonal() + 0.01
            step = np.linalg.solve(normal, weighed @ rest)
            far_px = float(np.abs(step).max())
            pose = pose - step * min(1.0, 2.0 / max(far_px, 1e-9))
            if far_px < ENOUGH_PX:
                break
        return best, least

    def _sampled(self, plane: Floats, pose: Pose) -> Floats:
        dx, dy, growth, turn = pose.astype(np.float32)
        x = self._x - (dx + growth * self._u - turn * self._v)
        y = self._y - (dy + turn * self._u + growth * self._v)
        sampled = cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(sampled, np.float32).ravel()


def way_back(lying: Lying, pieces: Iterable[tuple[int, Floats]], mm_px: float) -> Iterator[Away]:
    """Yield how far a card was from where it lies, as far back as it is found.

    `pieces` are earlier pictures with their times, the latest first; a pixel is `mm_px` wide.
    """
    pose, step, before_mm = np.zeros(4), np.zeros(4), 0.0
    for t_ns, piece in pieces:
        found, unlike = lying.found(piece, pose + step)
        pose, step = found, found - pose
        far_mm = _far_mm(found, mm_px)
        lost = before_mm > LOST_MM and far_mm < before_mm
        if unlike > LOST_LEVELS or lost:
            return
        yield Away(t_ns, far_mm, unlike, found)
        if far_mm > FARTHEST_MM:
            return
        before_mm = far_mm


def pushed_from(
    lying: Lying, way: Sequence[Away], pieces: Iterable[tuple[int, Floats]], mm_px: float
) -> Away | None:
    """Return where a card rested before it was pushed to where it lies, None if it was not.

    A finger straightens what was laid a moment ago. `way` runs from now back, `pieces` are the
    pictures before it, the latest first; of those that it rested in the latest is told.
    """
    poses = list(way)
    # What came from farther off is not looked for beyond its way.
    nearby = pieces if way[-1].mm < PUSHED_MM[1] else ()
    for t_ns, piece in islice(nearby, RESTED_FRAMES):
        found, unlike = lying.found(piece, poses[-1].pose)
        if unlike > LOST_LEVELS:
            break
        poses.append(Away(t_ns, _far_mm(found, mm_px), unlike, found))
    for k, one in enumerate(poses[: 1 - RESTED_FRAMES]):
        still = (_far_mm(other.pose - one.pose, mm_px) for other in poses[k : k + RESTED_FRAMES])
        off = PUSHED_MM[0] < one.mm < PUSHED_MM[1] and abs(one.pose[2]) * mm_px < LIES_MM
        if off and all(mm < RESTS_MM for mm in still):
            return one
    return None


def deviations_mm(way: Sequence[Away], mm_px: float) -> NDArray[np.float64]:
    """Return one deviation of each distance (n,) of a way on which a card came to rest."""
    unlike = np.array([one.unlike for one in way])
    left_px = APART_PX_LEVEL * unlike.min() * (1.0 + unlike / HALF_LEVELS)
    return np.asarray(np.hypot(APART_MM, left_px * mm_px))


def _far_mm(pose: Pose, mm_px: float) -> float:
    return mm_px * float(np.sqrt((pose**2).sum()))


def _fine(piece: Floats, blur_px: float) -> Floats:
    """Return a picture blurred, less its broad light."""
    fine = cv2.GaussianBlur(piece, (0, 0), blur_px)
    return np.asarray(cv2.subtract(fine, cv2.blur(piece, (BROAD_PX, BROAD_PX))), np.float32)
