"""Whether the computer keeps up with a live camera: counts the frames that newer ones overtook."""

from __future__ import annotations

# Ten seconds of a camera at 30 frames a second; a rarer skip than this share of them harms nothing.
SPAN_FRAMES, HARMLESS_SHARE = 300, 0.02
# A slow computer is told of once a minute.
QUIET_SPANS = 6


class Pace:
    """Counts the frames of one live source, which numbers all that it gives; used by one thread."""

    def __init__(self) -> None:
        """Begin before the first frame."""
        self.taken = self.skipped = 0
        self._last: int | None = None
        self._span_taken = self._span_skipped = 0
        self._quiet = 0

    def take(self, number: int) -> str:
        """Count a frame; returns a line for people when too many were skipped lately."""
        missing = 0 if self._last is None else max(0, number - self._last - 1)
        self._last = number
        self.taken, self.skipped = self.taken + 1, self.skipped + missing
        self._span_taken, self._span_skipped = self._span_taken + 1, self._span_skipped + missing
        span = self._span_taken + self._span_skipped
        if span < SPAN_FRAMES:
            return ""
        skipped, self._span_taken, self._span_skipped = self._span_skipped, 0, 0
        self._quiet = max(0, self._quiet - 1)
        if skipped <= HARMLESS_SHARE * span or self._quiet:
            return ""
        self._quiet = QUIET_SPANS
        return (
            f"this computer is too slow for the camera: {skipped} of the last {span} frames were"
            " skipped; close other programs, or let the camera send smaller pictures"
        )

    def told(self) -> str:
        """Return how many frames were skipped in all, empty for none."""
        if not self.skipped:
            return ""
        share = self.skipped / (self.taken + self.skipped)
        return f"{self.skipped} of {self.taken + self.skipped} frames ({share:.1%}) were skipped"
