"""The host's talk with a twin over a modelled cable, in virtual time: hours in seconds."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Iterator

from referee.pads.dialogue import Dialogue
from referee.pads.paths import Path
from referee.pads.told import Told
from referee.pads.twin import Twin

MS = 1_000_000


class Rehearsal:
    """One board, one cable, one dialogue; time is whatever `until` is called with.

    `stalls` are times (from, to) in which the host's program does not run: bytes wait, pings are
    not sent.
    """

    def __init__(
        self,
        twin: Twin,
        path: Path,
        chance: random.Random,
        opened_ns: int = 0,
        stalls: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Open the port at `opened_ns`."""
        self.twin, self.path = twin, path
        self.dialogue = Dialogue(chance, opened_ns)
        self._stalls = sorted(stalls)
        self._coming: list[tuple[int, int, bytes]] = []
        self._count = 0
        self.now_ns = opened_ns

    def until(self, end_ns: int) -> Iterator[Told]:
        """Play up to `end_ns`; yields the news."""
        while True:
            now_ns = self._next_ns()
            if now_ns > end_ns:
                break
            self.now_ns = now_ns
            for left_ns, data in self.twin.advance(now_ns):
                arrives_ns, whole = self.path.to_host(data, left_ns)
                if whole:
                    self._count += 1
                    heapq.heappush(self._coming, (arrives_ns, self._count, whole))
            yield from self._host(now_ns)
        self.now_ns = end_ns

    def _next_ns(self) -> int:
        host_ns = max(self.dialogue.due_ns(), self.now_ns)
        if self._coming:
            host_ns = min(host_ns, self._coming[0][0])
        host_ns = min(self._awake_ns(host_ns), self.now_ns + 100 * MS)
        return max(min(host_ns, self.twin.next_ns()), self.now_ns)

    def _awake_ns(self, t_ns: int) -> int:
        """Return when the host's program runs next, at `t_ns` or after a stall."""
        while self._stalls and self._stalls[0][1] <= self.now_ns:
            self._stalls.pop(0)
        if self._stalls and self._stalls[0][0] <= t_ns < self._stalls[0][1]:
            return self._stalls[0][1]
        return t_ns

    def _host(self, now_ns: int) -> Iterator[Told]:
        if self._awake_ns(now_ns) != now_ns:
            return
        while self._coming and self._coming[0][0] <= now_ns:
            yield from self.dialogue.read(heapq.heappop(self._coming)[2], now_ns)
        yield from self.dialogue.tick(now_ns)
        data = self.dialogue.write(now_ns)
        if data:
            arrives_ns, whole = self.path.to_board(data, now_ns)
            if whole:
                self.twin.receive(whole, arrives_ns)
