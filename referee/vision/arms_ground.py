"""The still table, slowly learned: what of a frame differs from it, whatever the light does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.arms_field import Field, Image, Mask, Plane

# Logarithms make a change of light a sum: ln(level + DARK). DARK keeps the noise of black small.
DARK = 4.0
LOG = np.log(np.arange(256, dtype=np.float32) + DARK).astype(np.float32)
# What one and a half levels weigh there.
COARSE = (1.5 / (np.arange(256, dtype=np.float32) + DARK)).astype(np.float32)
# From log blue, green, red to log luminance, blue against green, red against green.
OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [1, -1, 0], [0, -1, 1]], np.float32)

# A difference counts from 8 % of brightness or 5 % of colour, and from so many deviations of the
# camera's noise; a card's white edge on pale wood differs by 15 %, skin on beech by 10 % of colour.
LEAST_BRIGHT, LEAST_COLOUR, DEVIATIONS = 0.08, 0.05, 4.5
# A shadow darkens to no less than this share of the level (a fifth of the light, by the usual
# gamma); it tints a little, the deeper the more, for what light is left comes from elsewhere.
SHADOW_DEEPEST, SHADOW_TINT = float(np.log(0.45)), 0.22
# From one frame to the next noise changes a place by less than this, its deviations and two levels.
CHANGED, CHANGED_DEVIATIONS = 0.05, 6.0
# What has not changed for this long and is no arm lies on the table.
LAID_NS = 250_000_000
# Ground that is seen is learned with this share so often: clouds before the sun take many seconds.
LEARN, LEARN_EVERY_NS = 0.06, 100_000_000
# The lamp goes on, someone stands before it: more of the table differs than arms ever cover.
BLIND_SHARE = 0.6


Planes = tuple[Plane, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What differs from the still table in one frame.

    `solid` is 1 where a thing is, `shade` 1 where it may be only a shadow (height x width);
    `now` is the frame's planes freed from changes of light, `ground` those of the still table (log
    luminance, blue against green, red against green); `still_ns` how long each
    place has not changed. `blind`: the picture cannot be compared.
    """

    solid: Mask
    shade: Mask
    now: Planes
    ground: Planes
    still_ns: NDArray[np.int64]
    blind: bool


class Ground:
    """The still table of one field. Give each frame to `look`, then say to `learn` what is arm.

    Pictures are kept as three planes each: log luminance, blue against green, red against green.
    """

    def __init__(self, field: Field) -> None:
        """Begin without knowledge: the first frame is believed to be the still table."""
        self._table = field.table
        self._inside_px = int(field.table.sum())
        self._ground: Planes | None = None
        self._now: Planes = ()
        self._excess: Planes = ()
        self._hidden = np.zeros(field.table.shape, np.uint8)
        self._changed_ns = np.zeros(field.table.shape, np.int64)
        self._noise = 0.01
        self._t_ns = self._learned_ns = 0

    def look(self, small_bgr: Image, t_ns: int) -> Difference:
        """Compare a frame, shrunk to the field, with the still table."""
        split = cv2.split(cv2.transform(cv2.LUT(small_bgr, LOG), OPPONENT))
        log: Planes = tuple(np.asarray(plane, np.float32) for plane in split)
        if self._ground is None:
            self._ground = tuple(plane.copy() for plane in log)
            self._changed_ns[:] = t_ns
        light = self._light([_less(a, b) for a, b in zip(log, self._ground, strict=True)])
        self._now = tuple(_less(a, b) for a, b in zip(log, light, strict=True))
        before, self._t_ns = self._excess, t_ns
        self._light_now = light
        self._excess = tuple(
            np.asarray(cv2.blur(_less(a, b), (3, 3)), np.float32)
            for a, b in zip(self._now, self._ground, strict=True)
        )
        # Eight-bit levels and noise weigh more in the dark.
        coarse = np.asarray(cv2.LUT(cv2.extractChannel(small_bgr, 1), COARSE), np.float32)
        if before:
            self._mark_changes(before, coarse)
        solid, shade = self._sorted(coarse)
        covered = cv2.countNonZero(solid) + cv2.countNonZero(shade)
        blind = covered > BLIND_SHARE * self._inside_px
        still_ns = t_ns - self._changed_ns
        return Difference(solid, shade, self._now, self._ground, still_ns, blind)

    def learn(self, arms: Mask, laid: Mask) -> None:
        """Take what lies still and is no arm, and all of `laid`, into the ground."""
        assert self._ground is not None, "look comes before learn"
        self._hidden = arms
        if self._t_ns - self._learned_ns < LEARN_EVERY_NS and not laid.any():
            return
        self._learned_ns = self._t_ns
        still = self._changed_ns <= self._t_ns - LAID_NS
        rests = still.view(np.uint8) & (1 - arms) | laid
        for now, ground, light in zip(self._now, self._ground, self._light_now, strict=True):
            cv2.accumulateWeighted(now, ground, LEARN, 1 - arms)
            cv2.copyTo(now, rests, ground)
            # Light is followed everywhere, so that what is hidden now can be compared later.
            ground += np.float32(LEARN) * light

    def begin_again(self) -> None:
        """Take the last frame as the still table."""
        self._ground = tuple(a + b for a, b in zip(self._now, self._light_now, strict=True))
        self._excess = ()
        self._hidden[:] = 0
        self._changed_ns[:] = self._t_ns

    def _light(self, difference: Sequence[Plane]) -> tuple[Plane | float, ...]:
        """Return the change of light in each plane: overall, and of luminance by rows and columns.

        A lamp's flicker under a rolling shutter makes bands of rows. Only places that look like
        ground are asked; a row without any takes its neighbours' answer.
        """
        known = self._table & (1 - self._hidden)
        coarse = (slice(None, None, 5), slice(None, None, 5))
        sampled = known[coarse] > 0
        if sampled.sum() < 50:
            sampled[:] = True
        overall = [np.median(plane[coarse][sampled]) for plane in difference]
        rest = difference[0] - np.float32(overall[0])
        width = rest.shape[1]
        rows = _profile(rest[:, ::4], known[:, ::4], 0.25, 4.0)
        rest = rest[::4] - rows[::4, None]
        columns = _profile(rest.T, known[::4].T, 0.15, width / 12)
        bent = rows[:, None] + (columns[None, :] + np.float32(overall[0]))
        return np.asarray(bent, np.float32), float(overall[1]), float(overall[2])

    def _mark_changes(self, before: Planes, coarse: Plane) -> None:
        luminance, *colours = (cv2.absdiff(a, b) for a, b in zip(self._excess, before, strict=True))
        quiet = luminance[::4, ::4][self._table[::4, ::4] > 0]
        self._noise += 0.1 * (min(float(np.median(quiet)), 0.05) - self._noise)
        moved = cv2.max(luminance, cv2.max(*colours)) - 2 * coarse
        least = CHANGED + CHANGED_DEVIATIONS * self._noise
        np.copyto(self._changed_ns, self._t_ns, where=moved > least)

    def _sorted(self, coarse: Plane) -> tuple[Mask, Mask]:
        """Tell things from what may be a shadow."""
        bright, blue, red = self._excess
        nothing: Any = 0.0  # OpenCV takes numbers for planes, which its types do not say
        strongest = cv2.max(cv2.absdiff(blue, nothing), cv2.absdiff(red, nothing))
        colour = cv2.max(strongest, cv2.absdiff(blue, red))
        noise = coarse + np.float32(DEVIATIONS * self._noise)
        tint = cv2.max(bright * np.float32(-SHADOW_TINT), nothing)
        solid = (colour - tint - noise > LEAST_COLOUR) | (bright - noise > LEAST_BRIGHT)
        solid |= bright < SHADOW_DEEPEST
        shade = ~solid & (bright + noise < -LEAST_BRIGHT)
        return solid.view(np.uint8) & self._table, shade.view(np.uint8) & self._table


def _less(a: Plane, b: Any) -> Plane:
    return np.asarray(cv2.subtract(a, b), np.float32)


def _profile(rest: Plane, known: Mask, most: float, sigma: float) -> NDArray[np.float32]:
    """Return the mean of each row over what is known and usual, smoothed over its neighbours."""
    low: Any = -most
    high: Any = most
    usual = np.asarray(cv2.inRange(rest, low, high), np.uint8) & (known * np.uint8(255))
    weight = usual.astype(np.float32) / 255.0
    total, count = (
        cv2.GaussianBlur(cv2.reduce(one, 1, cv2.REDUCE_SUM), (0, 0), sigmaX=0.1, sigmaY=sigma)
        for one in (cv2.multiply(rest, weight), weight)
    )
    return np.asarray(total / (count + 3.0), np.float32).ravel()
