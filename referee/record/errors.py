"""What goes wrong with the record: one sentence that says what, and what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

ADVICE = {
    "SQLITE_FULL": "the disk is full; make room, then go on with `referee watch --resume`",
    "SQLITE_READONLY": "the disk or file is read-only; choose another folder with --record DIR",
    "SQLITE_BUSY": "another referee is writing this match; end it first",
    "SQLITE_LOCKED": "another referee is writing this match; end it first",
    "SQLITE_CORRUPT": "the file is damaged; `referee matches --verify` says from where on",
    "SQLITE_NOTADB": "this is no match log; choose a file that the referee wrote",
    "SQLITE_CANTOPEN": "the file cannot be opened; --record DIR names a folder that you may write",
    "SQLITE_IOERR": "the disk cannot be read or written; is it full, or unplugged?",
}


# Where a table's name is damaged, SQLite's own message is no UTF-8 and cannot be built.
DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)


class RecordError(Exception):
    """The record cannot be read or written; the message is one line."""


def sqlite_error(path: Path, error: Exception) -> RecordError:
    """Return the record's error for one of SQLite's (or of the text in it)."""
    name = getattr(error, "sqlite_errorname", "") or ""
    for known, advice in ADVICE.items():
        if name.startswith(known):
            return RecordError(f"{path}: {advice}")
    if isinstance(error, UnicodeDecodeError) or "UTF-8" in str(error):
        return RecordError(f"{path}: {ADVICE['SQLITE_CORRUPT']}")
    reason = " ".join(str(error).split())[:120]
    return RecordError(f"{path}: the log cannot be used ({reason})")


def os_error(path: Path, error: OSError) -> RecordError:
    """Return the record's error for one of the operating system's."""
    return RecordError(f"{path}: {(error.strerror or 'cannot be used').lower()}")
