"""Whether the picture shakes or its light flickers, so that nothing rests: then people are told."""

from __future__ import annotations

from collections import deque

from referee.app.rate import WELL_NS

# Markers lie where nobody plays. A hand or a shadow that passes, a table that is hit, stir some of
# them, or all for less than a second.
WINDOW_NS = 4_000_000_000
# Of a good camera's pictures none stirs half of the markers; of one that shakes by a pixel 85 % do,
# of one in light that changes by an eighth seven times a second half.
MOST_MARKERS, MOST_PICTURES = 0.5, 0.3


class Unrest:
    """Watches how many markers stir in one source's pictures, in order; used by one thread."""

    def __init__(self) -> None:
        """Begin before the first picture."""
        self._pictures: deque[tuple[int, bool]] = deque()
        self._whole = False
        self._told_ns: int | None = None

    def take(self, t_ns: int, stirring: float) -> str:
        """Take a picture's time and the share of the markers that stir in it, 0 to 1.

        Returns a line for people when the picture has been without rest.
        """
        self._pictures.append((t_ns, stirring > MOST_MARKERS))
        while self._pictures[0][0] < t_ns - WINDOW_NS:
            self._pictures.popleft()
            self._whole = True
        restless = sum(stirs for _, stirs in self._pictures)
        if not self._whole or restless < MOST_PICTURES * len(self._pictures):
            return ""
        told_ns, self._told_ns = self._told_ns, t_ns
        if told_ns is not None and t_ns - told_ns < WELL_NS:
            return ""
        return (
            "the picture shakes or the light flickers, so hardly anything can be read: fix the"
            " camera and what it stands on; if they stand firm, use another lamp"
        )
