"""The difference gate: where a frame differs from another, and when the table lies still.

Reading a whole 1080p frame takes some 200 ms, looking for a difference at a quarter of the size
2 ms: so only what changed is read, and only when it has come to rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.frames import Frame, Image

# 1080p divides by four: a card 100 px wide is 25 px here, its index 3 px.
MAX_WIDTH_PX, MAX_HEIGHT_PX = 480, 270
# Levels of luminance of 255. Averaging 4 x 4 pixels turns sensor noise of sigma 8 (a dim webcam)
# into 2, the difference of two frames into 2.8, the 3 x 3 blur after it into 1. The largest
# excursion among 11 pairs of such frames was 5, at sigma 16 it was 10 (tests/test_gate.py keeps
# the first); a card differs from any cloth by more than 30.
CHANGED_LEVELS = 10
# Lamps' bands: looked for at every fourth pixel of the small picture, and evened out over so many
# of those rows. From frame to frame of 86 films of one maker the rows' light changes by shares that
# spread by 0.003 at most without bands and by 0.008 to 0.031 with them, by 0.06 at most in any row:
# twice that is none.
FLICKER_STEP_PX, BAND_ROWS = 4, 5
FLICKERS_SHARE, MOST_FLICKER = 0.006, 0.12
# The smallest region that is believed, in pixels of the small picture: a card's index is 3 x 5.
MIN_AREA_PX = 9
# Regions closer than this many small pixels are one: both ends of one card, a hand's fingers.
JOIN_PX = 4
REACH = np.ones((2 * JOIN_PX + 1, 2 * JOIN_PX + 1), np.uint8)
PAUSE_NS = 1_000_000_000  # a read takes a third of that; players lay about one card a second
STILL_NS = 250_000_000  # hands pause under 0.2 s between moves; a card lies for longer


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels: x0, y0 inside it, x1, y1 just outside."""

    x0_px: int
    y0_px: int
    x1_px: int
    y1_px: int


@dataclass(frozen=True, slots=True, eq=False)
class SmallView:
    """A frame's luminance, uint8, at most 480 x 270, and the full size that it came from."""

    luminance: NDArray[np.uint8]
    width_px: int
    height_px: int


def small_view(image_bgr: Image) -> SmallView:
    """Shrink a picture's luminance by a whole picture's factor to fit 480 x 270."""
    height_px, width_px = image_bgr.shape[:2]
    scale = min(1.0, MAX_WIDTH_PX / width_px, MAX_HEIGHT_PX / height_px)
    size = (max(1, round(width_px * scale)), max(1, round(height_px * scale)))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
    luminance = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return SmallView(np.asarray(luminance, np.uint8), width_px, height_px)


def small_of_grey(grey: NDArray[np.uint8], width_px: int, height_px: int) -> SmallView:
    """Shrink a picture's luminance, already reduced, as `small_view` does with the whole one."""
    scale = min(1.0, MAX_WIDTH_PX / width_px, MAX_HEIGHT_PX / height_px)
    size = (max(1, round(width_px * scale)), max(1, round(height_px * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return SmallView(np.asarray(small, np.uint8), width_px, height_px)


def changed_boxes(before: SmallView, after: SmallView) -> tuple[Box, ...]:
    """Return where two views differ, as boxes in pixels of the full picture, left to right.

    A change of the whole picture's brightness (the camera's exposure follows a hand) is taken
    out first: the median of the differences. Views of different sizes differ everywhere.
    """
    if (before.width_px, before.height_px) != (after.width_px, after.height_px):
        return (Box(0, 0, after.width_px, after.height_px),)
    mask = changed_mask(before.luminance, after.luminance)
    joined = cv2.dilate(believed(mask), REACH)
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    boxes = (full_box(after, *(int(value) for value in row[:4])) for row in stats[1:])
    return tuple(sorted(boxes, key=lambda box: (box.x0_px, box.y0_px)))


def believed(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mask without its regions that are too small to be anything."""
    if not cv2.countNonZero(mask):
        return mask
    # So small a picture has fewer than 65,536 regions.
    _, marks, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    kept = (stats[:, cv2.CC_STAT_AREA] >= MIN_AREA_PX).astype(np.uint8)
    kept[0] = 0  # what did not change
    return np.asarray(np.take(kept, np.asarray(marks, np.uint16)), np.uint8)


def full_box(view: SmallView, x: int, y: int, width: int, height: int) -> Box:
    """Return a rectangle of the small picture as a box of the full one."""
    small_height, small_width = view.luminance.shape
    across, down = view.width_px / small_width, view.height_px / small_height
    return Box(
        int(x * across),
        int(y * down),
        min(view.width_px, int(np.ceil((x + width) * across))),
        min(view.height_px, int(np.ceil((y + height) * down))),
    )


def changed_mask(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return 1 where the luminance differs by more than noise, exposure and flicker, else 0."""
    difference = cv2.subtract(after, before, dtype=cv2.CV_16S)
    exposure = float(np.median(difference[::4, ::4]))
    smooth = cv2.blur(difference, (3, 3))
    same = cv2.inRange(smooth, exposure - CHANGED_LEVELS, exposure + CHANGED_LEVELS)
    share = _flicker(before, after)
    if share is not None:
        lit = cv2.multiply(before, np.broadcast_to(share, before.shape), dtype=cv2.CV_16S)
        even = cv2.subtract(smooth, lit)
        same = cv2.bitwise_or(same, cv2.inRange(even, -CHANGED_LEVELS, CHANGED_LEVELS))
    return np.asarray(same == 0, np.uint8)


def _flicker(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.float32] | None:
    """Return by what share of itself each row is brighter, (height, 1); None where all are alike.

    Under lamps on alternating current a camera that reads its rows one after the other sees bands
    go over the picture. The middle one of a row's pixels tells, where no arm lies over half of it.
    Never more is said than lamps flicker.
    """
    step = FLICKER_STEP_PX
    light = after[::step, ::step].astype(np.float32)
    bands = np.median(light / np.maximum(before[::step, ::step], 1), axis=1) - 1.0
    if float(np.std(bands)) < FLICKERS_SHARE:
        return None
    smooth = cv2.blur(np.clip(bands, -MOST_FLICKER, MOST_FLICKER)[:, None], (1, BAND_ROWS))
    height = before.shape[0]
    return np.asarray(cv2.resize(smooth, (1, height), interpolation=cv2.INTER_LINEAR), np.float32)


def settled(
    frames: Iterable[Frame], still_ns: int = STILL_NS, pause_ns: int = PAUSE_NS
) -> Iterator[Frame]:
    """Yield each frame in which some part of the table has come to rest and looks new.

    Hands move somewhere nearly all the time, so rest is a matter of places: a place is new when
    it differs from what it was at the last yielded rest, and at rest when it has not changed for
    `still_ns`. What settles within `pause_ns` of a yielded frame waits until that has passed: a
    hand that leaves uncovers the table bit by bit. Frames need their times. The first frame of
    which every place has rested is yielded, too. A change of the frames' size begins anew.
    """
    previous: SmallView | None = None
    for frame in frames:
        view, t_ns = small_view(frame.image_bgr), frame.t_ns or 0
        if previous is None or previous.luminance.shape != view.luminance.shape:
            changed_ns = np.full(view.luminance.shape, t_ns, np.int64)
            known = view.luminance.copy()
            yielded_ns: int | None = None
        else:
            moving = changed_mask(previous.luminance, view.luminance)
            changed_ns[cv2.dilate(moving, REACH) > 0] = t_ns
        previous = view
        resting = t_ns - changed_ns >= still_ns
        if yielded_ns is None:
            due = bool(resting.all())
        else:
            new = changed_mask(known, view.luminance) * resting
            due = t_ns - yielded_ns >= pause_ns and bool(believed(new).any())
        if due:
            yielded_ns = t_ns
            known[resting] = view.luminance[resting]
            yield frame
