"""A twin behind a real port: a pseudo terminal that any program can open, in real time."""

from __future__ import annotations

import heapq
import os
import select
import threading
import time
import tty
from types import TracebackType

from referee.pads.paths import Path
from referee.pads.twin import Touch, Twin

NS_PER_S = 1_000_000_000
LONGEST_WAIT_S = 0.02


class TwinPort:
    """A twin on a port of its own; one thread plays it against the host's monotonic clock.

    What the board does at a time happens at that time of the host's clock: no byte reaches it
    before it was written, none is readable before it left. `with` closes it.
    """

    def __init__(self, twin: Twin, path: Path) -> None:
        """Make the port. `device` is its name."""
        self._twin, self._path = twin, path
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._leaving: list[tuple[int, int, bytes]] = []
        self._count = 0
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.device = os.ttyname(self._slave)
        self._thread = threading.Thread(target=self._play, name=self.device, daemon=True)
        self._thread.start()

    def __enter__(self) -> TwinPort:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.unplug()

    def touch(self, touch: Touch) -> None:
        """Let a pad be touched at a host time."""
        with self._lock:
            self._twin.touch(touch)

    def edge(self, t_ns: int) -> None:
        """Let the sync wire fall at a host time."""
        with self._lock:
            self._twin.edge(t_ns)

    def restart(self) -> None:
        """Press the board's reset button."""
        with self._lock:
            self._twin.restart(time.monotonic_ns())

    def silence(self, silent: bool) -> None:
        """Let the board fall silent, or speak again."""
        with self._lock:
            self._twin.silent = silent

    def unplug(self) -> None:
        """Pull the cable: the port is gone."""
        if self._ending.is_set():
            return
        self._ending.set()
        self._thread.join(2.0)
        os.close(self._slave)
        os.close(self._master)

    def _play(self) -> None:
        while not self._ending.is_set():
            readable = select.select([self._master], [], [], self._wait_s())[0]
            now_ns = time.monotonic_ns()
            data = os.read(self._master, 4096) if readable else b""
            with self._lock:
                self._exchange(data, now_ns)
            while self._leaving and self._leaving[0][0] <= time.monotonic_ns():
                self._release(heapq.heappop(self._leaving)[2])

    def _exchange(self, data: bytes, now_ns: int) -> None:
        if data:
            arrives_ns, whole = self._path.to_board(data, now_ns)
            self._twin.receive(whole, arrives_ns)
        for left_ns, frame in self._twin.advance(now_ns):
            arrives_ns, whole = self._path.to_host(frame, left_ns)
            self._count += 1
            heapq.heappush(self._leaving, (arrives_ns, self._count, whole))

    def _release(self, data: bytes) -> None:
        """Give bytes to the host; a port that nobody empties loses them, as a real one does."""
        if select.select([], [self._master], [], 0)[1]:
            os.write(self._master, data)

    def _wait_s(self) -> float:
        times = [self._twin.next_ns(), *(entry[0] for entry in self._leaving[:1])]
        wait_s = (min(times) - time.monotonic_ns()) / NS_PER_S
        return min(LONGEST_WAIT_S, max(0.0, wait_s))
