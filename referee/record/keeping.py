"""Cuts clips as their last frames come in, in a thread of its own, so that no ruling waits."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

from referee.record.clips import ClipStore, cut
from referee.record.errors import RecordError
from referee.record.folder import free_bytes
from referee.record.notes import Kept
from referee.record.ring import Ring

# A clip waits for 3 s of frames; a camera that has fallen silent must not hold up the next one.
SILENCE_S = 6.0
# What clips leave of the disk: a match of two hours logs 10 MB.
LEFT_BYTES = 100_000_000
MOST_WAITING = 64


@dataclass(frozen=True, slots=True)
class Wanted:
    """A clip that is to be kept for the ruling in a row of the log."""

    ruling_row: int
    from_ns: int
    to_ns: int


class Keeper:
    """Keeps the clips that are asked for, in order.

    `want` and `finished` are called by the thread that writes the log; the keeper's own thread
    waits for frames and writes the files.
    """

    def __init__(self, ring: Ring, store: ClipStore, match: str) -> None:
        """Start the thread."""
        self._ring, self._store, self._match = ring, store, match
        self._wanted: queue.Queue[Wanted | None] = queue.Queue(MOST_WAITING)
        self._finished: queue.SimpleQueue[Kept] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    def want(self, wanted: Wanted) -> None:
        """Ask for a clip; where too many wait, it is dropped and that is said."""
        try:
            self._wanted.put_nowait(wanted)
        except queue.Full:
            self._finished.put(_missing(wanted, "too many clips at once"))

    def finished(self) -> tuple[Kept, ...]:
        """Return what was kept, or could not be, since the last call."""
        found = []
        while not self._finished.empty():
            found.append(self._finished.get_nowait())
        return tuple(found)

    def close(self) -> None:
        """Keep what is still wanted with the frames that are there, and end the thread."""
        self._ring.end()
        self._wanted.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (wanted := self._wanted.get()) is not None:
            self._ring.wait_until(wanted.to_ns, SILENCE_S)
            self._finished.put(self._keep(wanted))

    def _keep(self, wanted: Wanted) -> Kept:
        if not self._ring.stills(wanted.from_ns, wanted.to_ns):
            return _missing(wanted, "no frame of that time")
        try:
            if free_bytes(self._store.folder) < LEFT_BYTES:
                return _missing(wanted, "the disk is nearly full")
            digest, clip = cut(self._ring, self._match, wanted.from_ns, wanted.to_ns, self._store)
        except (RecordError, OSError) as error:
            return _missing(wanted, str(error))
        first, last = clip.frames[0].t_ns, clip.frames[-1].t_ns
        return Kept(wanted.ruling_row, digest, first, last, len(clip.frames))


def _missing(wanted: Wanted, why: str) -> Kept:
    return Kept(wanted.ruling_row, None, wanted.from_ns, wanted.to_ns, 0, why)
