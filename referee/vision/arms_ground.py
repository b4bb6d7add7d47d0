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
# Whole numbers of UNIT parts are kept: 16 bits hold them, and 1 / 1024 is far below any noise.
DARK, UNIT = 4.0, 1024
# From this level on a camera clips: what is there is at least so bright.
CLIPPED = 250
LOG = np.round(UNIT * np.log(np.arange(256) + DARK)).astype(np.int16)
# What one and a half levels weigh there.
COARSE = np.round(1.5 * UNIT / (np.arange(256) + DARK)).astype(np.int16)

# A difference counts from 8 % of brightness or 5 % of colour, and from so many deviations of the
# camera's noise; a card's white edge on pale wood differs by 15 %, skin on beech by 10 % of colour.
LEAST_BRIGHT, LEAST_COLOUR, DEVIATIONS = round(0.08 * UNIT), round(0.05 * UNIT), 4.5
# A shadow darkens to no less than this share of the level (a fifth of the light, by the usual
# gamma); it tints a little, the deeper the more, for what light is left comes from elsewhere.
# It is 7/32 of the darkening.
SHADOW_DEEPEST = round(float(np.log(0.45)) * UNIT)
# From one frame to the next noise changes a place by less than this, its deviations and two levels.
CHANGED, CHANGED_DEVIATIONS = 0.05 * UNIT, 6.0
# What has not changed for this long and is no arm lies on the table.
LAID_NS = 250_000_000
# Ground that is seen is learned with this share so often: clouds before the sun take many seconds.
LEARN, LEARN_EVERY_NS = 0.06, 100_000_000
# The lamp goes on, someone stands before it: more of the table differs than arms ever cover.
BLIND_SHARE = 0.6

Logs = NDArray[np.int16]
"""A plane in parts of UNIT, height x width."""

Planes = tuple[Logs, Logs, Logs]
"""Log luminance, blue against green, red against green."""


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What differs from the still table in one frame.

    `solid` is 1 where a thing is, `shade` 1 where it may be only a shadow (height x width);
    `now` is the frame's planes freed from changes of light, `ground` those of the still table;
    `changed_ns` when each place last changed. `blind`: the picture cannot be compared.
    """

    solid: Mask
    shade: Mask
    now: Planes
    ground: Planes
    t_ns: int
    changed_ns: NDArray[np.int64]
    blind: bool

    def still_ns(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return how long places (n,) have not changed."""
        return np.asarray(self.t_ns - self.changed_ns[rows, columns])


class Ground:
    """The still table of one field. Give each frame to `look`, then say to `learn` what is arm."""

    def __init__(self, field: Field) -> None:
        """Begin without knowledge: the first frame is believed to be the still table."""
        self._table = field.table
        self._inside_px = int(field.table.sum())
        # The table is learned in small steps: `_kept` holds their fractions.
        self._kept: list[Plane] = []
        self._ground: Planes | None = None
        self._now: Planes | None = None
        self._light_now: tuple[Logs | int, ...] = ()
        self._excess: Planes | None = None
        self._clipped = self._as_kept = np.zeros(field.table.shape, np.bool_)
        self._kept_clipped = np.zeros(field.table.shape, np.bool_)
        self._hidden = np.zeros(field.table.shape, np.uint8)
        self._changed_ns = np.zeros(field.table.shape, np.int64)
        self._noise = 0.01 * UNIT
        self._t_ns = self._learned_ns = 0

    def look(self, small_bgr: Image, t_ns: int) -> Difference:
        """Compare a frame, shrunk to the field, with the still table."""
        log = _logs(small_bgr)
        if self._ground is None:
            self._keep([np.asarray(plane, np.float32) for plane in log])
            self._kept_clipped = _clipped(small_bgr)
            self._changed_ns[:] = t_ns
        assert self._ground is not None
        light = self._light([a - b for a, b in zip(log, self._ground, strict=True)])
        before, self._t_ns = self._excess, t_ns
        self._light_now = light
        bright, blue, red = (a - b for a, b in zip(log, light, strict=True))
        self._now = bright, blue, red
        bright, blue, red = (
            np.asarray(cv2.blur(a - b, (3, 3)), np.int16)
            for a, b in zip(self._now, self._ground, strict=True)
        )
        self._excess = bright, blue, red
        self._allow_clipping(self._excess, _clipped(small_bgr))
        # Eight-bit levels and noise weigh more in the dark.
        coarse = coarseness(small_bgr)
        if before is not None:
            self._mark_changes(before, self._excess, coarse)
        solid, shade = self._sorted(self._excess, coarse)
        covered = cv2.countNonZero(solid) + cv2.countNonZero(shade)
        blind = covered > BLIND_SHARE * self._inside_px
        return Difference(solid, shade, self._now, self._ground, t_ns, self._changed_ns, blind)

    def _allow_clipping(self, excess: Planes, clipped: NDArray[np.bool_]) -> None:
        """Take for ground what may only be clipped, now or when the ground was learned.

        White cards stay white when the exposure changes: they seem darker or brighter, and tinted,
        against the rest.
        """
        bright = excess[0]
        self._clipped, self._as_kept = clipped, clipped & (bright < LEAST_BRIGHT)
        unknown = self._as_kept | self._kept_clipped & (bright > 0)
        for plane in excess:
            plane[unknown] = 0

    def learn(self, arms: Mask, laid: Mask) -> None:
        """Take what lies still and is no arm, and all of `laid`, into the ground."""
        assert self._now is not None, "look comes before learn"
        self._hidden = arms
        if self._t_ns - self._learned_ns < LEARN_EVERY_NS and not laid.any():
            return
        self._learned_ns = self._t_ns
        still = self._changed_ns <= self._t_ns - LAID_NS
        seen = (1 - arms) & (~self._as_kept).view(np.uint8)
        rests = still.view(np.uint8) & seen | laid
        np.copyto(self._kept_clipped, self._clipped, where=rests.view(bool))
        for plane, kept, light in zip(self._now, self._kept, self._light_now, strict=True):
            now = np.asarray(plane, np.float32)
            cv2.accumulateWeighted(now, kept, LEARN, seen)
            cv2.copyTo(now, rests, kept)
            # Light is followed everywhere, so that what is hidden now can be compared later.
            kept += np.float32(LEARN) * light
        self._keep(self._kept)

    def lay_bare(self, rows: NDArray[np.intp], columns: NDArray[np.intp], lift: Plane) -> None:
        """Change the still table at places (n,), by `lift` (3, n) in its planes."""
        for kept, more in zip(self._kept, lift, strict=True):
            kept[rows, columns] += more
        self._kept_clipped[rows, columns] = False
        self._keep(self._kept)

    def begin_again(self) -> None:
        """Take the last frame as the still table."""
        assert self._now is not None, "look comes before begin_again"
        lit = [a + b for a, b in zip(self._now, self._light_now, strict=True)]
        self._keep([np.asarray(plane, np.float32) for plane in lit])
        self._excess, self._kept_clipped = None, self._clipped.copy()
        self._hidden[:] = 0
        self._changed_ns[:] = self._t_ns

    def _keep(self, planes: list[Plane]) -> None:
        self._kept = planes
        bright, blue, red = (np.rint(plane).astype(np.int16) for plane in planes)
        self._ground = bright, blue, red

    def _light(self, difference: Sequence[Logs]) -> tuple[Logs | int, ...]:
        """Return the change of light in each plane: overall, and of luminance by rows and columns.

        A lamp's flicker under a rolling shutter makes bands of rows. Only places that look like
        ground are asked; a row without any takes its neighbours' answer.
        """
        known = self._table & (1 - self._hidden)
        coarse = (slice(None, None, 7), slice(None, None, 7))
        sampled = known[coarse] > 0
        if sampled.sum() < 50:
            sampled[:] = True
        overall = [round(float(np.median(plane[coarse][sampled]))) for plane in difference]
        bright, width = difference[0], difference[0].shape[1]
        rest = bright[:, ::4].astype(np.float32) - np.float32(overall[0])
        rows = _profile(rest, known[:, ::4], 0.25 * UNIT, 4.0)
        rest = bright[::4].astype(np.float32) - np.float32(overall[0]) - rows[::4, None]
        columns = _profile(rest.T, known[::4].T, 0.15 * UNIT, width / 12)
        down, across = (np.rint(part).astype(np.int16) for part in (rows, columns + overall[0]))
        return down[:, None] + across[None, :], overall[1], overall[2]

    def _mark_changes(self, before: Planes, now: Planes, coarse: Logs) -> None:
        luminance, *colours = (cv2.absdiff(a, b) for a, b in zip(now, before, strict=True))
        quiet = luminance[::4, ::4][self._table[::4, ::4] > 0]
        self._noise += 0.1 * (min(float(np.median(quiet)), 0.05 * UNIT) - self._noise)
        moved = np.asarray(cv2.max(luminance, cv2.max(*colours)), np.int16) - 2 * coarse
        least = CHANGED + CHANGED_DEVIATIONS * self._noise
        np.copyto(self._changed_ns, self._t_ns, where=moved > int(least))

    def _sorted(self, excess: Planes, coarse: Logs) -> tuple[Mask, Mask]:
        """Tell things from what may be a shadow."""
        bright, blue, red = excess
        strongest = cv2.max(np.abs(blue), np.abs(red))
        colour = np.asarray(cv2.max(strongest, cv2.absdiff(blue, red)), np.int16)
        noise = coarse + np.int16(DEVIATIONS * self._noise)
        dark = np.maximum(-bright, 0)
        tint = (dark >> 2) - (dark >> 5)
        solid = (colour - tint - noise > LEAST_COLOUR) | (bright - noise > LEAST_BRIGHT)
        solid |= bright < SHADOW_DEEPEST
        shade = ~solid & (bright + noise < -LEAST_BRIGHT)
        return solid.view(np.uint8) & self._table, shade.view(np.uint8) & self._table


def _logs(small_bgr: Image) -> Planes:
    blue, green, red = (np.asarray(cv2.LUT(plane, LOG), np.int16) for plane in cv2.split(small_bgr))
    blue, red = blue - green, red - green
    # Green counts twice: it has the least noise, and the sum stays whole.
    return np.asarray(green + ((blue + red) >> 2), np.int16), blue, red


def coarseness(small_bgr: Image) -> Logs:
    """Return what one and a half levels weigh at each place."""
    return np.asarray(cv2.LUT(cv2.extractChannel(small_bgr, 1), COARSE), np.int16)


def _clipped(small_bgr: Image) -> NDArray[np.bool_]:
    blue, green, red = cv2.split(small_bgr)
    return np.asarray(cv2.max(blue, cv2.max(green, red)), np.uint8) >= CLIPPED


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
