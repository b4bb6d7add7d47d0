"""Where the picture lies still, since when, and where it differs from what was last read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.frames import Image
from referee.vision.gate import REACH, Box, SmallView, believed, changed_mask, full_box, small_view

# A hand that lets go of a card and leaves shows no two alike frames for that long; at 30 frames a
# second it is three pairs of frames, so that one repeated frame of a stream is no rest.
REST_NS = 100_000_000
# A frame after such a gap says nothing about what moved in between.
GAP_NS = 700_000_000
# The whole picture's mean level below which the light is off: a dim room's camera still shows 25.
DARK_LEVEL = 12.0


class Stillness:
    """Follows one video's small luminance; frames must come in order of time.

    Changed only by `step` and `learn`, by one thread.
    """

    def __init__(self, rest_ns: int = REST_NS) -> None:
        """Begin without a frame."""
        self._rest_ns = rest_ns
        self._view: SmallView | None = None
        self._moved_ns: NDArray[np.int64] = np.zeros((1, 1), np.int64)
        self._known: NDArray[np.uint8] = np.zeros((1, 1), np.uint8)
        self._read: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._fresh: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self.t_ns = 0
        self.before_ns = 0

    def step(self, image_bgr: Image, t_ns: int) -> None:
        """Take the next frame: uint8, height x width x 3."""
        self.step_small(small_view(image_bgr), t_ns)

    def step_small(self, view: SmallView, t_ns: int) -> None:
        """Take the next frame, already shrunk."""
        last = self._view
        self.before_ns, self.t_ns, self._view = self.t_ns, t_ns, view
        if last is None or last.luminance.shape != view.luminance.shape:
            self._begin(view, t_ns)
            return
        moving = cv2.dilate(believed(changed_mask(last.luminance, view.luminance)), REACH) > 0
        if t_ns - self.before_ns > GAP_NS:
            moving[:] = True
        self._moved_ns[moving] = t_ns
        resting = t_ns - self._moved_ns >= self._rest_ns
        differs = believed(changed_mask(self._known, view.luminance)) > 0
        self._fresh = resting & (~self._read | differs)
        # What nobody calls new follows the slow change of the light.
        calm = resting & self._read & ~differs
        self._known[calm] = view.luminance[calm]

    def _begin(self, view: SmallView, t_ns: int) -> None:
        shape = view.luminance.shape
        self._moved_ns = np.full(shape, t_ns, np.int64)
        self._known = view.luminance.copy()
        self._read = np.zeros(shape, np.bool_)
        self._fresh = np.zeros(shape, np.bool_)

    @property
    def dark(self) -> bool:
        """Whether the light is off."""
        return self._view is not None and float(self._view.luminance.mean()) < DARK_LEVEL

    @property
    def last_move_ns(self) -> int:
        """When anything in the picture last moved."""
        return int(self._moved_ns.max())

    @property
    def begun(self) -> bool:
        """Whether the whole first picture was read, or is known to need no reading."""
        return bool(self._read.mean() > 0.97)

    def fresh_boxes(self) -> tuple[Box, ...]:
        """Return where something lies still that was not read yet, in pixels of the picture."""
        if self._view is None or not self._fresh.any():
            return ()
        joined = cv2.dilate(self._fresh.astype(np.uint8), REACH)
        _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
        return tuple(full_box(self._view, *(int(value) for value in row[:4])) for row in stats[1:])

    def is_fresh(self, box: Box) -> bool:
        """Return whether a box holds something still that was not read yet."""
        return bool(self._fresh[self._area(box)].any())

    def learn(self, box: Box) -> None:
        """Take the resting part of a box as read."""
        if self._view is None:
            return
        area = self._area(box)
        resting = self.t_ns - self._moved_ns[area] >= self._rest_ns
        self._known[area][resting] = self._view.luminance[area][resting]
        self._read[area] |= resting
        self._fresh[area] &= ~resting

    def forget(self) -> None:
        """Hold nothing as read: the light or the camera has changed."""
        self._read[:] = False

    def moved_ns(self, box: Box) -> int:
        """Return when anything last moved in a box."""
        area = self._moved_ns[self._area(box)]
        return int(area.max()) if area.size else self.t_ns

    def resting_share(self, box: Box) -> float:
        """Return how much of a box lies still, 0 to 1; outside the picture nothing does."""
        area = self._moved_ns[self._area(box)]
        if not area.size:
            return 0.0
        return float((self.t_ns - area >= self._rest_ns).mean())

    def _area(self, box: Box) -> tuple[slice, slice]:
        if self._view is None:
            return slice(0, 0), slice(0, 0)
        height, width = self._view.luminance.shape
        across, down = width / self._view.width_px, height / self._view.height_px
        x0, y0 = int(max(0, box.x0_px) * across), int(max(0, box.y0_px) * down)
        x1 = min(width, int(np.ceil(box.x1_px * across)))
        y1 = min(height, int(np.ceil(box.y1_px * down)))
        return slice(y0, max(y1, y0)), slice(x0, max(x1, x0))
