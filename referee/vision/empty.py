"""What the table looks like with no card on it, so that a mat's printed spots are no cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.gate import SmallView, changed_mask

# What lies still for so long without being taken for a card is none: cards are believed within
# 0.4 s, and looked at again as long as they are in doubt.
EMPTY_NS = 900_000_000
# The table's look is kept up that often.
EVERY_NS = 500_000_000
# Where white cards lay on white paper 0.28 and more of their places had changed, where a printed
# spot was taken for a card nothing had.
CHANGED_SHARE, KNOWN_SHARE = 0.05, 0.95


class EmptyTable:
    """The small luminance of one video's table without its cards. Used by one thread."""

    def __init__(self) -> None:
        """Begin without knowing anything."""
        self._luminance: NDArray[np.uint8] = np.zeros((1, 1), np.uint8)
        self._known: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._kept_ns = -EVERY_NS

    def is_due(self, t_ns: int) -> bool:
        """Whether the table's look is to be kept up."""
        return t_ns - self._kept_ns >= EVERY_NS

    def keep(self, view: SmallView, empty: NDArray[np.bool_], t_ns: int) -> None:
        """Take in how the table looks where it is empty."""
        if self._luminance.shape != view.luminance.shape:
            self._luminance = view.luminance.copy()
            self._known = np.zeros(view.luminance.shape, np.bool_)
        np.copyto(self._luminance, view.luminance, where=empty)
        self._known |= empty
        self._kept_ns = t_ns

    def forget(self) -> None:
        """Know nothing any more: the light or the camera has changed."""
        self._known[:] = False

    def looks_empty(self, view: SmallView, area: tuple[slice, slice]) -> bool:
        """Whether a part of a view looks as it did when nothing lay there."""
        if self._known.shape != view.luminance.shape or not self._known[area].size:
            return False
        if float(self._known[area].mean()) < KNOWN_SHARE:
            return False
        changed = changed_mask(self._luminance, view.luminance)[area]
        return float(changed.mean()) <= CHANGED_SHARE

    def levels(self, down: NDArray[np.float64], across: NDArray[np.float64]) -> NDArray[np.int16]:
        """Return its luminance at shares of the picture's height and width (n,), -1: unknown."""
        height, width = self._luminance.shape
        place = (down * height).astype(np.intp), (across * width).astype(np.intp)
        return np.where(self._known[place], self._luminance[place], np.int16(-1))
