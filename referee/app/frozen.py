"""Whether the camera's picture stands still: a hung camera sends its last picture over and over."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.coarse import coarse, most_apart
from referee.vision.frames import Image

# Two pictures are the same where so few of their places differ at all: coding touches some.
SAME_SHARE = 0.001
# Nothing moved between two pictures where no more places than that differ by so much: the rest is
# the sensor's noise.
QUIET_LEVELS = 24
# A camera is known by its noise after so many pairs of pictures between which nothing moved. Coded
# as coarsely as anybody does, 0.28 of them were the same; of a film without noise all are.
QUIET_PAIRS, SAME_OF_QUIET = 30, 0.4
# So coded, no more than nine pictures came in a row that were the same: 0.3 s.
HANGS_NS = 1_000_000_000
# A picture that never changed, for so long, is a still one; it is coded better for a moment. Drawn
# films have no noise, and players may sit still before they begin.
STILL_NS, SAME_OF_STILL = 20_000_000_000, 0.8
# A picture that is coded anew now and then differs once or twice; one that moves goes on to.
MOVES_PAIRS = 3
# A picture with less contrast shows nothing, so that none need differ: it is dark, or blinded.
FLAT_LEVELS = 8.0


class Frozen:
    """Compares each picture of one source with the one before. Used by one thread."""

    def __init__(self) -> None:
        """Begin without a picture."""
        self._last: NDArray[np.uint8] | None = None
        # When the first picture came; since when the latest one comes, and how often it came again.
        self._first_ns = self._since_ns = self._again = 0
        # Pairs of pictures that differed, in a row.
        self._differed = 0
        # Pairs that were the same, that differed by noise alone, and between which things moved;
        # but for those of a standstill.
        self._same = self._noisy = self._moved = 0
        self._stands = False

    def since(self, image_bgr: Image, t_ns: int) -> int | None:
        """Take a picture; returns since when it stands still, None where it does not.

        `image_bgr` is uint8, height x width x 3.
        """
        now = coarse(image_bgr)
        last, self._last = self._last, now
        if last is None or last.shape != now.shape or float(now.std()) < FLAT_LEVELS:
            self._begin(t_ns)
            return None
        apart = most_apart(now, last)
        if float((apart > 0).mean()) <= SAME_SHARE:
            self._again, self._differed = self._again + 1, 0
            self._stands = self._stands or self._hangs(t_ns)
        else:
            self._differ(t_ns, moved=float((apart > QUIET_LEVELS).mean()) > SAME_SHARE)
        return self._since_ns if self._stands else None

    def _begin(self, t_ns: int) -> None:
        """Begin anew to wait for a standstill."""
        self._since_ns, self._again, self._stands = t_ns, 0, False
        self._first_ns = self._first_ns or t_ns

    def _differ(self, t_ns: int, *, moved: bool) -> None:
        """Take a picture that differs from the one before."""
        self._differed += 1
        if self._stands and self._differed < MOVES_PAIRS:
            return
        self._same += 0 if self._stands else self._again
        self._moved, self._noisy = self._moved + moved, self._noisy + (not moved)
        self._begin(t_ns)

    def _hangs(self, t_ns: int) -> bool:
        """Whether the latest picture has come for longer than a living camera would send it."""
        quiet = self._same + self._noisy
        noisy = quiet >= QUIET_PAIRS and self._same <= SAME_OF_QUIET * quiet
        if noisy and t_ns - self._since_ns >= HANGS_NS:
            return True
        never = not self._moved and self._noisy <= (1 - SAME_OF_STILL) * (quiet + self._again)
        return never and t_ns - self._first_ns >= STILL_NS
