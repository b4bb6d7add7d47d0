"""Whether cards come faster than hands lay them: somebody dropped a heap, and nobody played."""

from __future__ import annotations

from collections import deque

# Nobody lays that many cards within a second: of two or three players in haste seven came at
# most, with a row that was laid out and its like. Six players share one table.
MOST_CARDS, MOST_OF_A_SEAT = 10, 3
WITHIN_NS = 1_000_000_000


class Flood:
    """Counts the cards that came a moment ago. Used by one thread.

    From the moment on at which too many came nothing is explained, until for a second at most
    MOST_CARDS lie there of which it is not known how they came: what fell is picked up first.
    """

    def __init__(self, players: int) -> None:
        """Begin without a card."""
        self._most = max(MOST_CARDS, MOST_OF_A_SEAT * players)
        self._came_ns: deque[int] = deque()
        self._last_ns = -WITHIN_NS
        self.goes_on = False

    def came(self, t_ns: int) -> None:
        """Take a card that was found to have come."""
        self._came_ns.append(t_ns)

    def step(self, t_ns: int, open_ns: list[int]) -> None:
        """Take since when each card lies there that is not explained."""
        while self._came_ns and t_ns - self._came_ns[0] >= WITHIN_NS:
            self._came_ns.popleft()
        new = sum(t_ns - one_ns < WITHIN_NS for one_ns in open_ns)
        too_many = len(self._came_ns) + new > self._most
        if too_many or (self.goes_on and len(open_ns) > MOST_CARDS):
            self._last_ns = t_ns
        self.goes_on = t_ns - self._last_ns < WITHIN_NS
