"""One match's log: rows added at its end in durable batches, and read back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from referee.record.chain import START, Anchor, Row, first_fault, link, write_anchor
from referee.record.errors import DATABASE_ERRORS, RecordError, os_error, sqlite_error
from referee.record.folder import anchors_of, lock_of
from referee.record.head import Head, read_head
from referee.record.schema import Lock, make, open_to_write, opened_to_read, version_of
from referee.record.texts import clean

# Every kind of row, and what its text is; SCHEMA.md tells their fields.
KINDS = ("head", "event", "ruling", "device", "evidence", "gap", "dispute", "review", "end")


class LogWriter:
    """The one writer of a match's log; used by one thread at a time.

    `append` collects rows, `commit` makes them durable. After a failed commit the rows are still
    collected, and the next commit tries again.
    """

    def __init__(self, path: Path, database: sqlite3.Connection, lock: Lock) -> None:
        """Go on after the last row. Use `create_log` or `open_log`. Raises RecordError."""
        self.path = path
        self._database, self._lock = database, lock
        self._waiting: list[Row] = []
        self._row, self._hash = _last(database, path)

    @property
    def row(self) -> int:
        """The number of the last row, durable or not."""
        return self._row

    @property
    def head_hash(self) -> str:
        """The hash over all rows, durable or not, as hexadecimal text."""
        return self._hash.hex()

    @property
    def waiting(self) -> int:
        """How many rows are not durable yet."""
        return len(self._waiting)

    def append(self, kind: str, body: str) -> int:
        """Add a row, not durable yet; returns its number."""
        assert kind in KINDS, kind
        body = clean(body)
        self._row += 1
        self._hash = link(self._hash, self._row, kind, body)
        self._waiting.append(Row(self._row, kind, body, self._hash))
        return self._row

    def commit(self) -> None:
        """Make all rows durable, in one transaction. Raises RecordError."""
        if not self._waiting:
            return
        rows = [(row.row, row.kind, row.body, row.hash) for row in self._waiting]
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
            self._database.execute("COMMIT")
        except DATABASE_ERRORS as error:
            self._roll_back()
            raise sqlite_error(self.path, error) from None
        self._waiting.clear()

    def _roll_back(self) -> None:
        try:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
        except DATABASE_ERRORS:
            # The fault that made the commit fail is told; SQLite rolls back at the next opening.
            pass

    def anchor(self) -> None:
        """Note the hash outside the log, so that rows cut off its end are missed.

        Only what is durable may be noted. Raises RecordError.
        """
        assert not self._waiting, "commit first"
        path = anchors_of(self.path)
        try:
            write_anchor(path, Anchor(self._row, self._hash))
        except OSError as error:
            raise os_error(path, error) from None

    def close(self) -> None:
        """Make all rows durable and end. Raises RecordError."""
        try:
            self.commit()
            self.anchor()
            self._join()
        finally:
            self._database.close()
            self._lock.free()

    def _join(self) -> None:
        """Leave one plain file, which a read-only disk can hold and a mail can carry."""
        try:
            self._database.execute("PRAGMA journal_mode = DELETE")
        except DATABASE_ERRORS:
            # Somebody reads it just now; the log is whole all the same, in two files.
            pass


def _last(database: sqlite3.Connection, path: Path) -> tuple[int, bytes]:
    try:
        found = database.execute("SELECT row, hash FROM log ORDER BY row DESC LIMIT 1").fetchone()
    except DATABASE_ERRORS as error:
        raise sqlite_error(path, error) from None
    return (0, START) if found is None else (int(found[0]), bytes(found[1]))


def create_log(path: Path, head_body: str) -> LogWriter:
    """Begin the log of a match with its head's text, durable. Raises RecordError."""
    # The folder first: the lock lies beside the log.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise os_error(path.parent, error) from None
    lock = Lock(lock_of(path))
    try:
        writer = LogWriter(path, make(path), lock)
        writer.append("head", head_body)
        writer.commit()
    except RecordError:
        lock.free()
        raise
    return writer


def open_log(path: Path) -> LogWriter:
    """Open a match's log to add rows. Raises RecordError, also for a log that was changed.

    Nothing is added to a chain that is broken: it would bless what was done to it.
    """
    if (log := read_log(path)).fault:
        raise RecordError(f"{path}: {log.fault}; nothing is added to a changed log")
    lock = Lock(lock_of(path))
    try:
        return LogWriter(path, open_to_write(path), lock)
    except RecordError:
        lock.free()
        raise


@dataclass(frozen=True, slots=True)
class Log:
    """A match's log as read: its head and all rows.

    `fault` says where the chain is broken, or that rows after the last one here cannot be read;
    None for a whole log.
    """

    path: Path
    head: Head
    rows: tuple[Row, ...] = field(repr=False)
    fault: str | None = None

    def of(self, *kinds: str) -> Iterator[Row]:
        """Yield the rows of some kinds, in order."""
        return (row for row in self.rows if row.kind in kinds)

    @property
    def head_hash(self) -> str:
        """The hash over all rows, as hexadecimal text."""
        return self.rows[-1].hash.hex()


def read_log(path: Path) -> Log:
    """Read a whole log. Raises RecordError where not even its head can be read."""
    rows, stopped = read_rows(path)
    broken = first_fault(rows)
    fault = broken[1] if broken else stopped
    if not rows or rows[0].kind != "head":
        raise RecordError(f"{path}: {fault or 'the log has no head; its match cannot be told'}")
    try:
        head = read_head(rows[0].body)
    except ValueError as reason:
        raise RecordError(f"{path}: the head cannot be read: {reason}") from None
    return Log(path, head, rows, fault)


def read_rows(path: Path) -> tuple[tuple[Row, ...], str | None]:
    """Return the rows in their order up to the first that cannot be read, and why it cannot.

    Raises RecordError where the file cannot be opened at all.
    """
    rows: list[Row] = []
    with opened_to_read(path) as database:
        version_of(database, path)
        try:
            for found in database.execute("SELECT row, kind, body, hash FROM log ORDER BY row"):
                rows.append(_row(found))
        except (sqlite3.Error, ValueError):
            return tuple(rows), f"row {len(rows) + 1} cannot be read"
    return tuple(rows), None


def _row(found: tuple[object, ...]) -> Row:
    row, kind, body, digest = found
    if not (isinstance(row, int) and isinstance(kind, str) and isinstance(body, str)):
        raise ValueError("a row holds something else")
    if not isinstance(digest, bytes):
        raise ValueError("a hash is none")
    return Row(row, kind, body, digest)
