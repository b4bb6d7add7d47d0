"""What of an arm's outline is no arm: things it let go, and ground it has uncovered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.arms_field import Field, Mask, Points
from referee.vision.arms_ground import UNIT, Difference
from referee.vision.arms_shape import Arm

Window = tuple[slice, slice]
Steps = NDArray[np.float32]

# What stays unchanged while its hand goes this far was laid down (a card is held by 30 mm); the
# share of the outline's end that it must be, so that a plain sleeve is never taken for a card.
LEFT_BEHIND_MM, END_SHARE = 25.0, 0.3
LEAST_LAID_MM2 = 350.0
LEAST_STILL_NS = 150_000_000
# Ground that an arm has uncovered is looked for in what has been still for this long.
UNCOVERED_NS = 300_000_000
# The uncovered ground's outline is in the picture that is kept, not in the new one: how much more.
# Pixels of both sides of the outline are averaged over so many.
GHOST_RATIO, LEAST_STEP, STEP_SHARE, SIDE_PX = 1.4, 0.08 * UNIT, 0.5, 7
SPECK_MM = 9.0
# Of an imprint that hands left in the kept ground, 0.63 and more of the outline stands there alone;
# of arms that rest it is 0.4 at most (four films of the simulator).
IMPRINT_SHARE = 0.5
# What lies still for so long in the shape and size of a card (63 x 88 mm, up to 30 mm more with its
# shadow, blur and noise) is one: at the table's edge it looks like an arm that reaches in. Cards
# fill up to 0.9 of the rectangle about them in some frame, hands at the edge 0.81 at most.
CARD_STILL_NS, CARD_STILL_SHARE = 600_000_000, 0.9
CARD_SHORT_MM, CARD_LONG_MM, CARD_FILL = (55.0, 98.0), (79.0, 118.0), 0.86
# A hand that has just come over a place that was seen free of it is not as still as that.
FREE_NS = 100_000_000


def free_places(seen: Difference, outlines: Iterable[Points]) -> Mask:
    """Return 1 where places that were seen free of hands, by their corners (n, 2), are still so.

    A card laid at the table's edge looks like an arm that reaches in, for as long as it lies; so
    does the cloth where one was taken.
    """
    places: Mask = np.zeros_like(seen.solid)
    for corners in outlines:
        cv2.fillConvexPoly(places, np.round(corners).astype(np.int32), 1)
    if cv2.countNonZero(places):
        places &= (seen.changed_ns <= seen.t_ns - FREE_NS).view(np.uint8)
    return places


def laid_pieces(
    field: Field, arm: Arm, seen: Difference, gone_ns: int | None
) -> Iterator[tuple[Window, Mask]]:
    """Yield pieces of an arm's outline, with their window of the field, that lie on the table.

    `gone_ns`: for how long the hand has been on a way of LEFT_BEHIND_MM, None where it has not.
    """
    still_ns = seen.still_ns(arm.rows, arm.columns)
    since_ns = UNCOVERED_NS if gone_ns is None else max(gone_ns, LEAST_STILL_NS)
    still = still_ns > min(since_ns, UNCOVERED_NS)
    least_px = LEAST_LAID_MM2 / field.mm_per_px**2
    if still.sum() < least_px:
        return
    top, first = max(int(arm.rows.min()) - SIDE_PX, 0), max(int(arm.columns.min()) - SIDE_PX, 0)
    bottom, last = int(arm.rows.max()) + SIDE_PX, int(arm.columns.max()) + SIDE_PX
    rows, columns, window = arm.rows - top, arm.columns - first, np.s_[top:bottom, first:last]
    part = np.zeros_like(seen.solid[window])
    part[rows[still], columns[still]] = 1
    kernel = np.ones((field.odd(SPECK_MM),) * 2, np.uint8)
    part = np.asarray(cv2.morphologyEx(part, cv2.MORPH_OPEN, kernel), np.uint8)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(part)
    # Of the outline's end: what has been still for longer than its hand has been on its way.
    left = (marks[rows, columns] * (still_ns > since_ns))[arm.end] if gone_ns is not None else None
    for k in range(1, count):
        if stats[k, cv2.CC_STAT_AREA] < least_px:
            continue
        piece = (marks == k).astype(np.uint8)
        left_there = left is not None and float((left == k).mean()) > END_SHARE
        if left_there or _is_ghost(piece, window, seen):
            yield window, piece


def is_card(field: Field, arm: Arm, seen: Difference) -> bool:
    """Whether what is taken for an arm is a single card that lies at the table's edge."""
    if (seen.still_ns(arm.rows, arm.columns) > CARD_STILL_NS).mean() < CARD_STILL_SHARE:
        return False
    part = np.zeros_like(seen.solid)
    part[arm.rows, arm.columns] = 1
    # Specks of noise about it, and what joins it to the edge, are thinner than that.
    size = (field.odd(2 * SPECK_MM),) * 2
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size)
    rows, columns = np.nonzero(cv2.morphologyEx(part, cv2.MORPH_OPEN, kernel))
    if not len(rows):
        return False
    places_mm = np.stack([field.x_mm[rows, columns], field.y_mm[rows, columns]], 1)
    _, sides_mm, _ = cv2.minAreaRect(places_mm)
    short_mm, long_mm = (side + field.mm_per_px for side in sorted(sides_mm))
    fill = len(rows) * field.mm_per_px**2 / (short_mm * long_mm)
    fits = CARD_SHORT_MM[0] <= short_mm <= CARD_SHORT_MM[1]
    return fits and CARD_LONG_MM[0] <= long_mm <= CARD_LONG_MM[1] and fill >= CARD_FILL


def imprints(field: Field, arms: Mask, seen: Difference) -> Iterator[tuple[Window, Mask]]:
    """Yield pieces of what is taken for arms, 1 in `arms`, that hands left in the kept ground.

    A hand that lay there while the ground was learned is gone: most of the piece's outline is in
    the kept ground alone. Where an arm lies, its outline is in the new picture.
    """
    part = arms & (seen.changed_ns < seen.t_ns - UNCOVERED_NS).view(np.uint8)
    kernel = np.ones((field.odd(SPECK_MM),) * 2, np.uint8)
    part = np.asarray(cv2.morphologyEx(part, cv2.MORPH_OPEN, kernel), np.uint8)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(part)
    for k in range(1, count):
        x, y, width, height, area = (int(n) for n in stats[k])
        if area < LEAST_LAID_MM2 / field.mm_per_px**2:
            continue
        window = np.s_[max(y - SIDE_PX, 0) : y + height + SIDE_PX,
                       max(x - SIDE_PX, 0) : x + width + SIDE_PX]  # fmt: skip
        piece = (marks[window] == k).astype(np.uint8)
        kept, now = _steps_along(piece, window, seen)
        # A dark hand over a pale card has the card's outline, too, but a fainter one of its own.
        alone = (kept > LEAST_STEP) & (now < LEAST_STEP)
        if len(alone) and float(alone.mean()) > IMPRINT_SHARE:
            yield window, piece


def _is_ghost(piece: Mask, window: Window, seen: Difference) -> bool:
    """Whether a piece is ground that a thing has left: the kept ground has its outline.

    The step along a thing's outline is in the picture that shows the thing (the ghosts of
    background subtraction, after Cucchiara et al., 2003; the measure is our own).
    """
    steps = _steps_along(piece, window, seen)
    kept, now = (float(step.mean()) if len(step) else 0.0 for step in steps)
    if kept < max(LEAST_STEP, GHOST_RATIO * now):
        return False
    # Of a plain sleeve's middle both steps are small; a ghost's is all that it differs by.
    inside = piece > 0
    differs = (
        abs(float((a[window] - b[window])[inside].mean()))
        for a, b in zip(seen.now, seen.ground, strict=True)
    )
    return kept > STEP_SHARE * sum(differs)


def _steps_along(piece: Mask, window: Window, seen: Difference) -> tuple[Steps, Steps]:
    """Return the differences between the two sides of a piece's outline, summed over the planes.

    Of the kept ground and of the new picture, at the same points (n,) of the outline. Texture is
    averaged over SIDE_PX.
    """
    inner = piece.astype(np.float32)
    shown = np.dstack([plane[window] for plane in (*seen.ground, *seen.now)]).astype(np.float32)
    outline = cv2.morphologyEx(inner, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    size = (SIDE_PX, SIDE_PX)
    weights = [cv2.blur(side, size)[outline] for side in (inner, 1.0 - inner)]
    within = cv2.blur(shown * inner[..., None], size)[outline]
    around = cv2.blur(shown, size)[outline] - within
    both = np.minimum(*weights) > 0.15
    first, second = (side / (weight[:, None] + 1e-3)
                     for side, weight in zip((within, around), weights, strict=True))  # fmt: skip
    steps = np.abs(first - second)[both]
    return steps[:, :3].sum(axis=1), steps[:, 3:].sum(axis=1)
