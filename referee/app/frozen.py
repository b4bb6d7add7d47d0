"""Whether a source gives one and the same picture again and again: people are told it hangs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.frames import Image

# No camera gives two pictures that are quite the same, as each has noise; a film that was drawn may
# for as long as nobody stirs, and players think for some seconds.
FROZEN_NS = 5_000_000_000
# What happened meanwhile is found lying still, and read, up to that much later.
AFTER_NS = 1_500_000_000
EACH_PX = 4
HANGS = "the picture has not changed for 5 s: if the camera hangs, start it again"
GOES_ON = "the picture changes again: play goes on"


class Frozen:
    """Compares each picture of a source with the one before. Used by one thread."""

    def __init__(self) -> None:
        """Begin before the first picture."""
        self._last: NDArray[np.uint8] = np.zeros((0, 0, 3), np.uint8)
        self._since_ns = self._now_ns = 0
        self._hangs = False
        self._until_ns = -AFTER_NS

    def take(self, image_bgr: Image, t_ns: int) -> str:
        """Take a picture, uint8, height x width x 3; returns a line for people, or none."""
        now = np.ascontiguousarray(image_bgr[::EACH_PX, ::EACH_PX])
        same, hung = np.array_equal(now, self._last), self._hangs
        self._last, self._now_ns = now, t_ns
        if not same:
            self._since_ns = t_ns
        self._hangs = t_ns - self._since_ns >= FROZEN_NS
        if hung and not self._hangs:
            self._until_ns = t_ns + AFTER_NS
            return GOES_ON
        return HANGS if self._hangs and not hung else ""

    def doubts(self, t_ns: int) -> bool:
        """Whether what was done at a time may not have been seen, as the picture stood still."""
        return self._hangs or t_ns <= self._until_ns
