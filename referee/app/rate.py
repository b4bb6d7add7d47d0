"""Whether pictures come often enough to see every card laid; when they do not, people are told."""

from __future__ import annotations

from collections import deque
from statistics import median

# A hand is at a pile for 0.2 to 0.35 s when it lays a card: at fewer than ten pictures a second one
# card can come and be covered between two of them.
LONGEST_GAP_NS = 100_000_000
# So many gaps tell the rate; their median forgets the odd picture that came late.
GAPS = 9
# In a single gap as long as that a card can be taken, laid and covered.
LONE_GAP_NS = 500_000_000
# A longer gap is a stall, and told as one.
STALL_NS = 1_500_000_000
# What came between two pictures is found lying still, and read, up to that much later.
AFTER_NS = 700_000_000
# Told again when it was well for so long.
WELL_NS = 60_000_000_000


class Rate:
    """Watches the times of one source's pictures, in order; used by one thread."""

    def __init__(self) -> None:
        """Begin before the first picture."""
        self._gaps_ns: deque[int] = deque(maxlen=GAPS)
        self._last_ns: int | None = None
        self._slow_ns: int | None = None
        self._told_ns: int | None = None

    def take(self, t_ns: int) -> str:
        """Take a picture's time; returns a line for people when pictures have become too few."""
        gap_ns = 0 if self._last_ns is None else t_ns - self._last_ns
        self._last_ns = t_ns
        if gap_ns >= LONE_GAP_NS:
            self._slow_ns = t_ns
        if 0 < gap_ns < STALL_NS:
            self._gaps_ns.append(gap_ns)
        if len(self._gaps_ns) < GAPS or (usual_ns := median(self._gaps_ns)) <= LONGEST_GAP_NS:
            return ""
        told_ns, self._slow_ns, self._told_ns = self._told_ns, t_ns, t_ns
        if told_ns is not None and t_ns - told_ns < WELL_NS:
            return ""
        return (
            f"only {1e9 / usual_ns:.0f} pictures a second come: a card can be laid and covered"
            " between two, so faults are asked about; light the table more, set the camera to 30 a"
            " second, or close other programs"
        )

    def doubts(self, t_ns: int) -> bool:
        """Whether what was done at a time may have been seen between too few pictures."""
        return self._slow_ns is not None and t_ns <= self._slow_ns + AFTER_NS
