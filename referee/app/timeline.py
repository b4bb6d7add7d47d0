"""One time line from several sources: events held back by one delay, released in order of time."""

from __future__ import annotations

import heapq
import threading
from itertools import count

from referee.values import Event

MOST_HELD = 10_000


class Timeline:
    """Takes events from any thread; gives them out in order of time, `hold_ns` after they happened.

    An event that arrives later than that is given out at once: the judge sees it after events
    that happened after it, which its time shows. Bounded: of more than `MOST_HELD` waiting events
    the earliest are given out early.
    """

    def __init__(self, hold_ns: int) -> None:
        self.hold_ns = hold_ns
        self._heap: list[tuple[int, int, Event]] = []
        self._order = count()
        self._lock = threading.Lock()

    def put(self, *events: Event) -> None:
        """Take events, in the order in which their source gives them."""
        with self._lock:
            for event in events:
                heapq.heappush(self._heap, (event.t_ns, next(self._order), event))

    def due(self, now_ns: int) -> tuple[Event, ...]:
        """Return the events that happened `hold_ns` before now or earlier, in order."""
        with self._lock:
            return tuple(self._pop(now_ns - self.hold_ns))

    def waiting(self) -> tuple[Event, ...]:
        """Return the events that are held, in order; they stay."""
        with self._lock:
            return tuple(event for _, _, event in sorted(self._heap, key=lambda one: one[:2]))

    def rest(self) -> tuple[Event, ...]:
        """Return all events that are still held, in order."""
        with self._lock:
            return tuple(heapq.heappop(self._heap)[2] for _ in range(len(self._heap)))

    def _pop(self, until_ns: int) -> list[Event]:
        out = []
        while self._heap and (self._heap[0][0] <= until_ns or len(self._heap) > MOST_HELD):
            out.append(heapq.heappop(self._heap)[2])
        return out
