"""The SQLite file of one match: its tables by version, how it is opened, and who may write it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.record.errors import DATABASE_ERRORS, RecordError, os_error, sqlite_error

APPLICATION_ID = 0x54524546  # "TREF", so that `file` can tell what it is

# One text for each version of the schema, run one after the other: a new file is made by all of
# them, an older one by those that it lacks. A text that was released is never changed.
STEPS = (
    """
    CREATE TABLE log (
        row INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        hash BLOB NOT NULL
    );
    CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
        BEGIN SELECT raise(ABORT, 'rows of a log are never changed'); END;
    CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
        BEGIN SELECT raise(ABORT, 'rows of a log are never removed'); END;
    CREATE TRIGGER log_only_grows_at_its_end BEFORE INSERT ON log
        WHEN NEW.row IS NOT (SELECT coalesce(max(row), 0) + 1 FROM log)
        BEGIN SELECT raise(ABORT, 'rows of a log are only added at its end'); END;
    """,
)
VERSION = len(STEPS)
BUSY_S = 2.0


def tables_of(database: sqlite3.Connection) -> tuple[str, ...]:
    """Return the texts of all tables and triggers, sorted. Raises sqlite3.Error."""
    found = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return tuple(sorted(str(text) for (text,) in found))


def expected_tables(version: int) -> tuple[str, ...]:
    """Return what `tables_of` gives for an untouched file of a version."""
    with sqlite3.connect(":memory:", isolation_level=None) as database:
        for step in STEPS[:version]:
            database.executescript(step)
        found = tables_of(database)
    database.close()
    return found


def version_of(database: sqlite3.Connection, path: Path) -> int:
    """Return the schema's version. Raises RecordError for another program's or a newer file."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise RecordError(f"{path}: this is no match log; choose a file that the referee wrote")
    if not 1 <= version <= VERSION:
        raise RecordError(
            f"{path}: schema version {version} is not known (up to {VERSION}); "
            "install the newest referee"
        )
    return int(version)


def make(path: Path) -> sqlite3.Connection:
    """Make the file of a new match. Raises RecordError, also where there is one already.

    A file without rows is what a crash leaves of a match that had not begun; it is made anew.
    """
    if path.exists() and not _is_blank(path):
        raise RecordError(f"{path}: this match is already recorded; choose another id")
    for left in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        left.unlink(missing_ok=True)
    try:
        database = _durable(_connect(path, "rwc"))
        _migrate(database, 0)
    except DATABASE_ERRORS as error:
        raise sqlite_error(path, error) from None
    return database


def _is_blank(path: Path) -> bool:
    if path.stat().st_size == 0:
        return True
    try:
        with opened_to_read(path) as database:
            if not tables_of(database):
                return True
            return database.execute("SELECT 1 FROM log LIMIT 1").fetchone() is None
    except RecordError:
        return False


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file to read (`ro`), to write (`rw`) or to make (`rwc`). Raises sqlite3.Error."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_S,
        check_same_thread=False,
    )


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a match's file to add rows, brought to the newest version. Raises RecordError."""
    try:
        database = _connect(path, "rw")
        version = version_of(database, path)
        _durable(database)
        if version < VERSION:
            _migrate(database, version)
    except DATABASE_ERRORS as error:
        raise sqlite_error(path, error) from None
    return database


def _durable(database: sqlite3.Connection) -> sqlite3.Connection:
    """Set the file so that a commit is on the disk when it returns."""
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    return database


def _migrate(database: sqlite3.Connection, version: int) -> None:
    steps = "".join(STEPS[version:])
    names = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
    database.executescript(f"BEGIN; {steps} {names} COMMIT;")


@contextmanager
def opened_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a match's file to read it. Raises RecordError.

    A log whose last rows still lie in the file beside it cannot be read in place on a read-only
    disk, where SQLite needs to write its index of them: a copy of both is read instead.
    """
    if not path.is_file():
        raise RecordError(f"{path}: there is no such match log; `referee matches` lists them")
    with tempfile.TemporaryDirectory(prefix="referee-") as spare:
        database = None
        try:
            try:
                database = _reading(path)
            except sqlite3.OperationalError:
                database = _reading(_copied(path, Path(spare)))
            yield database
        except DATABASE_ERRORS as error:
            raise sqlite_error(path, error) from None
        except OSError as error:
            raise os_error(path, error) from None
        finally:
            if database is not None:
                database.close()


def _reading(path: Path) -> sqlite3.Connection:
    database = _connect(path, "ro")
    try:
        database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except DATABASE_ERRORS:
        database.close()
        raise
    return database


def _copied(path: Path, folder: Path) -> Path:
    copy = folder / "log"
    shutil.copyfile(path, copy)
    beside = path.with_name(f"{path.name}-wal")
    if beside.exists():
        shutil.copyfile(beside, folder / "log-wal")
    return copy


class Lock:
    """The right to write one match: one holder at a time, given back when its process ends.

    A transaction on an empty SQLite file beside the log: it works on every platform, and the
    operating system ends it with the process, however that dies.
    """

    def __init__(self, path: Path) -> None:
        """Take the right. Raises RecordError when another process has it."""
        try:
            self._database = sqlite3.connect(path, isolation_level=None, timeout=0)
            self._database.execute("BEGIN EXCLUSIVE")
        except DATABASE_ERRORS as error:
            raise sqlite_error(path, error) from None

    def free(self) -> None:
        """Give the right back."""
        self._database.close()
