"""Arms that lay still when the camera began: kept in mind, and freed from the ground as they wake.

The first frame is believed to be the still table. A hand that rests there is part of it, and
would leave its outline behind when it goes.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.arms_field import Field, Image, Mask
from referee.vision.arms_ground import (
    SHADOW_DEEPEST,
    UNIT,
    Difference,
    Logs,
    Planes,
    coarseness,
)

# The bare table at a place is the median of what is about it: of two arms side by side less than
# half of so wide a window is arm. It is looked at in cells.
WINDOW_MM, CELL_MM = 400.0, 24.0
# Skin on beech differs by 10 % of colour; a light's fall over a window stays below this.
UNLIKE_COLOUR, UNLIKE_BRIGHT = 0.1 * UNIT, 0.25 * UNIT
# Cards are paper: nearly as bright as the brightest things, and hardly coloured.
PAPER_DARKER, PAPER_COLOUR = 0.35 * UNIT, 0.25
# Dark places have coarse levels: so many steps of them are no colour.
COARSE_STEPS = 3.0
GAP_MM, SPECK_MM = 9.0, 12.0
# An arm reaches in so far, is so long and so wide on the average: a cup is shorter, a book wider.
# Where a sleeve looks like the table, or a watch like paper, its hand begins farther in.
LEAST_REACH_MM, SHORTEST_MM, BEGINS_MM = 130.0, 100.0, 120.0
NARROWEST_MM, WIDEST_MM, LEAST_MM2 = 30.0, 140.0, 4000.0
# It wakes when so much of its farther half changes, and not half of the table with it.
WAKES_MM2, WAKES_SHARE, ALL_SHARE = 250.0, 0.03, 0.25
COMES_IN_NS, COMES_IN_SHARE = 150_000_000, 0.1
# A hand that began to move so soon was not at rest.
RESTED_NS = 200_000_000
FRINGE_MM = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class StillArm:
    """What may be an arm in the first frame, of a time `t_ns`.

    `rows`, `columns` (n,) are its pixels with their fringe, `ahead` (n,) marks those of its
    farther half; `lift` (3, n) is what the bare table has more there, in each plane.
    """

    t_ns: int
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    ahead: NDArray[np.bool_]
    lift: NDArray[np.float32]

    def wakes(self, field: Field, seen: Difference, cover: Mask) -> bool:
        """Whether it moves, in a frame in which no known arm (1 in `cover`) lies over it."""
        if cover[self.rows, self.columns].any():
            return False
        changed_ns = seen.changed_ns[self.rows, self.columns]
        here = changed_ns[self.ahead] == seen.t_ns
        if here.sum() * field.mm_per_px**2 < WAKES_MM2 or here.mean() < WAKES_SHARE:
            return False
        # An arm that comes in over it passes its nearer half first.
        lately = (changed_ns < seen.t_ns) & (changed_ns > max(self.t_ns, seen.t_ns - COMES_IN_NS))
        if lately[~self.ahead].mean() > COMES_IN_SHARE:
            return False
        return bool((seen.changed_ns == seen.t_ns)[field.table > 0].mean() < ALL_SHARE)

    def rested(self, t_ns: int) -> bool:
        """Whether it lay there at rest before it woke at a time."""
        return t_ns - self.t_ns >= RESTED_NS


def still_arms(field: Field, small_bgr: Image, seen: Difference) -> tuple[StillArm, ...]:
    """Return what may be arms in the first frame, shrunk to the field."""
    bare = [_surroundings(field, plane) for plane in seen.now]
    mask = _unlike(field, small_bgr, seen.now, bare)
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    fringe = np.ones((field.odd(FRINGE_MM),) * 2, np.uint8)
    found = []
    large = np.flatnonzero(boxes[:, cv2.CC_STAT_AREA] > LEAST_MM2 / field.mm_per_px**2)
    for k in large[large > 0]:
        if not _is_armlike(field, marks == k, int(boxes[k, cv2.CC_STAT_AREA])):
            continue
        part = np.asarray(cv2.dilate((marks == k).astype(np.uint8), fringe), np.uint8)
        rows, columns = np.nonzero(part & field.table)
        reach_mm = field.rim_mm[rows, columns]
        lift = np.array([b[rows, columns] - now[rows, columns]
                         for b, now in zip(bare, seen.now, strict=True)], np.float32)  # fmt: skip
        found.append(StillArm(seen.t_ns, rows, columns, reach_mm > reach_mm.max() / 2, lift))
    return tuple(found)


def _is_armlike(field: Field, part: NDArray[np.bool_], area_px: int) -> bool:
    begins_mm, reach_mm = float(field.rim_mm[part].min()), float(field.rim_mm[part].max())
    long_mm = reach_mm - begins_mm
    if begins_mm > BEGINS_MM or reach_mm < LEAST_REACH_MM or long_mm < SHORTEST_MM:
        return False
    return NARROWEST_MM <= area_px * field.mm_per_px**2 / long_mm <= WIDEST_MM


def _unlike(field: Field, small_bgr: Image, now: Planes, bare: list[NDArray[np.float32]]) -> Mask:
    """Return 1 where the table does not look as it does around there, and no paper lies."""
    bright, blue, red = (a - b for a, b in zip(now, bare, strict=True))
    colour = np.maximum.reduce([np.abs(blue), np.abs(red), np.abs(blue - red)])
    colour -= COARSE_STEPS * coarseness(small_bgr)
    unlike = (colour > UNLIKE_COLOUR) | (bright > UNLIKE_BRIGHT) | (bright < SHADOW_DEEPEST)
    lightest = float(np.percentile(now[0][field.table > 0], 99))
    most, least = small_bgr.max(axis=2), small_bgr.min(axis=2)
    paper = (now[0] > lightest - PAPER_DARKER) & (most - least < PAPER_COLOUR * most)
    mask = (unlike & ~paper).view(np.uint8) & field.table
    gap, speck = (np.ones((field.odd(mm),) * 2, np.uint8) for mm in (GAP_MM, SPECK_MM))
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, gap), np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, speck), np.uint8) & field.table


def _surroundings(field: Field, plane: Logs) -> NDArray[np.float32]:
    """Return the median of a plane over a wide window about each pixel."""
    height, width = plane.shape
    cell = max(1, round(CELL_MM / field.mm_per_px))
    size = (max(width // cell, 1), max(height // cell, 1))
    cells = cv2.resize(plane.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    low, span = float(cells.min()), max(float(np.ptp(cells)), 1.0)
    window = 2 * round(WINDOW_MM / CELL_MM / 2) + 1
    levels = np.round((cells - low) * (255 / span)).astype(np.uint8)
    median = cv2.medianBlur(levels, window).astype(np.float32) * (span / 255) + low
    return np.asarray(cv2.resize(median, (width, height), interpolation=cv2.INTER_LINEAR))
