"""Whether the computer keeps up with a live camera: frames that it hurries over and that it skips.

A computer that falls behind looks at some frames for nothing but what moved in them, a tenth of the
work, until it has come to the newest one, which is looked at whole. So no motion is lost between.
"""

from __future__ import annotations

# Ten seconds of a camera at 30 frames a second; a rarer skip than this share of them harms nothing.
SPAN_FRAMES, HARMLESS_SHARE = 300, 0.02
# A slow computer is told of once a minute.
QUIET_SPANS = 6
# A match's dearest steps take two frames' time: where more frames than that wait, it falls behind.
BEHIND = 2
# Where even that takes too long, the next frame after so many is looked at whole all the same.
MOST_IN_A_ROW = 10
# Where every third frame is looked at whole, as much is told of the sample films and of six players
# as where every one is (179 of 188 events each time, 174 and 175 of them in time). With every sixth
# it is 138.
HURRIED_SHARE = 2 / 3


class Pace:
    """Counts the frames of one live source, which numbers all that it gives; used by one thread."""

    def __init__(self) -> None:
        """Begin before the first frame."""
        self.taken = self.skipped = self.hurried = 0
        # Whether the latest frame is only looked at for what moved in it.
        self.hurries = False
        self._last: int | None = None
        self._in_a_row = 0
        # How many were taken, skipped and hurried over when this span began.
        self._span = (0, 0, 0)
        self._quiet = 0

    def take(self, number: int, waiting: int = 0) -> str:
        """Count a frame that was taken up when so many newer ones waited already.

        Returns a line for people when too many were skipped or hurried over lately.
        """
        missing = 0 if self._last is None else max(0, number - self._last - 1)
        self._last = number
        behind = waiting > 0 and (self.hurries or waiting > BEHIND)
        self.hurries = behind and self._in_a_row < MOST_IN_A_ROW
        self._in_a_row = self._in_a_row + 1 if self.hurries else 0
        self.taken, self.skipped = self.taken + 1, self.skipped + missing
        self.hurried += self.hurries
        return self._told_of_span()

    def _told_of_span(self) -> str:
        now = self.taken, self.skipped, self.hurried
        taken, skipped, hurried = (n - then for n, then in zip(now, self._span, strict=True))
        span = taken + skipped
        if span < SPAN_FRAMES:
            return ""
        self._span = now
        self._quiet = max(0, self._quiet - 1)
        harmless = skipped <= HARMLESS_SHARE * span and hurried <= HURRIED_SHARE * span
        if harmless or self._quiet:
            return ""
        self._quiet = QUIET_SPANS
        return (
            f"this computer is too slow for the camera: {skipped} of the last {span} frames were"
            f" skipped, {hurried} hurried over; close other programs, or let the camera send"
            " smaller pictures"
        )

    def told(self) -> str:
        """Return how many frames were skipped and hurried over in all, empty for none."""
        if not (self.skipped or self.hurried):
            return ""
        given = self.taken + self.skipped
        told = f"{self.skipped} of {given} frames ({self.skipped / given:.1%}) were skipped"
        return f"{told}, {self.hurried} hurried over" if self.hurried else told
