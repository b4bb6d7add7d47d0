"""Listens to a match in play: what is announced is kept first, with the pictures of the moment."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from referee.notation import write_event
from referee.record.clips import ClipStore
from referee.record.folder import Folder
from referee.record.head import Head, head_text
from referee.record.keeping import Keeper, Wanted
from referee.record.log import LogWriter, create_log
from referee.record.notes import (
    DeviceState,
    DisputeOpened,
    Ended,
    Gap,
    Review,
    note_text,
    review_text,
)
from referee.record.ring import NS_PER_S, Ring
from referee.record.texts import ruling_text
from referee.values import Declared, Event, Ruling

# What a dispute can be about, besides claims.
DISPUTABLE = ("VIOLATION", "RACE", "QUERY")
BEFORE_NS = AFTER_NS = 3 * NS_PER_S
CLAIM_BEFORE_NS = 10 * NS_PER_S  # house rule G-06
# Events without a ruling are made durable together: that many, or so long after the last time.
BATCH_ROWS = 256
BATCH_NS = 250_000_000


class Recorder:
    """Writes a match's log as a listener of its sitting; used by one thread.

    When `on_rulings` returns, the rulings and all events before them are on the disk. When it
    raises RecordError (the disk is full, gone or read-only) they are not, and must not be
    announced; `flush` tries again and, when it returns, they are.
    """

    def __init__(self, log: LogWriter, keeper: Keeper | None = None) -> None:
        """Write to an open log, and ask `keeper` for clips; None keeps no pictures."""
        self._log, self._keeper = log, keeper
        self._claim_n: int | None = None
        self._last_ns = 0
        self._committed_ns = time.monotonic_ns()

    def on_event(self, event: Event) -> None:
        """Take an event; it becomes durable with the next ruling or batch. Raises RecordError."""
        self._log.append("event", write_event(event))
        self._last_ns = max(self._last_ns, event.t_ns)
        if isinstance(event, Declared) and event.what == "claim":
            self._claim_n = event.n
        if self._log.waiting >= BATCH_ROWS:
            self.flush()
        self.tend()

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Take rulings; they are durable when this returns. Raises RecordError."""
        rows = [(self._log.append("ruling", ruling_text(ruling)), ruling) for ruling in rulings]
        if self._keeper is not None:
            self._want(rows, self._keeper)
        self.flush()
        self._log.anchor()

    def _want(self, rows: Iterable[tuple[int, Ruling]], keeper: Keeper) -> None:
        for row, ruling in rows:
            if ruling.kind in DISPUTABLE:
                before_ns = BEFORE_NS
            elif ruling.kind == "INFO" and ruling.n == self._claim_n:
                before_ns = CLAIM_BEFORE_NS
            else:
                continue
            from_ns = max(0, ruling.t_ns - before_ns)
            keeper.want(Wanted(row, from_ns, ruling.t_ns + AFTER_NS))

    def on_device(self, state: DeviceState) -> None:
        """Take the state of a camera, pad or page. Raises RecordError."""
        self._log.append("device", note_text(state))

    def on_gap(self, gap: Gap) -> None:
        """Take a time in which the referee did not run. Raises RecordError."""
        self._log.append("gap", note_text(gap))
        self.flush()

    def on_dispute(self, opened: DisputeOpened) -> None:
        """Take word that a ruling is disputed; durable when this returns. Raises RecordError."""
        self._log.append("dispute", note_text(opened))
        self.flush()

    def on_review(self, review: Review) -> None:
        """Take a review of this match; it is durable when this returns. Raises RecordError."""
        self._log.append("review", review_text(review))
        self.flush()
        self._log.anchor()

    def tend(self) -> None:
        """Make durable what has waited for long enough; to be called with every frame.

        Raises RecordError.
        """
        if time.monotonic_ns() - self._committed_ns > BATCH_NS:
            self.flush()

    def flush(self) -> None:
        """Make all that came so far durable.

        Raises RecordError; what could not be written stays for the next time.
        """
        for kept in self._keeper.finished() if self._keeper else ():
            self._log.append("evidence", note_text(kept))
        self._log.commit()
        self._committed_ns = time.monotonic_ns()

    @property
    def path(self) -> Path:
        """The log that is written."""
        return self._log.path

    @property
    def head_hash(self) -> str:
        """The hash over all rows so far, as hexadecimal text."""
        return self._log.head_hash

    def close(self, how: str = "finished") -> None:
        """End the match. Raises RecordError.

        `finished`: the sitting was closed, so that all timers ran out; `stopped`: it was not, and
        the match can be resumed.
        """
        if self._keeper is not None:
            self._keeper.close()
        try:
            self.flush()
            self._log.append("end", note_text(Ended(self._last_ns, how)))
        finally:
            self._log.close()


def begin_record(folder: Folder, head: Head, ring: Ring | None = None) -> Recorder:
    """Begin the record of a match; `ring` is where its clips come from. Raises RecordError."""
    log = create_log(folder.log(head.match.id), head_text(head))
    return Recorder(log, keeper_for(folder, head, ring))


def keeper_for(folder: Folder, head: Head, ring: Ring | None) -> Keeper | None:
    """Return what keeps the clips of a ring in the record's folder, None without a ring."""
    if ring is None:
        return None
    return Keeper(ring, ClipStore(folder.evidence), head.match.id)
