"""Proof that nobody changed a log: its chain, its tables, and the hashes noted outside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.record.chain import Anchor, Row, first_fault, read_anchors
from referee.record.errors import RecordError
from referee.record.folder import anchors_of
from referee.record.head import read_head
from referee.record.log import KINDS, read_rows
from referee.record.reading import check_row
from referee.record.schema import expected_tables, opened_to_read, tables_of, version_of


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check of a log found.

    `row` is the first row that was altered, removed or inserted, None where all is well or
    nothing could be read; `fault` says it in words, None where all is well. `head_hash` is the
    hash over all rows. `anchored_row` is the last row whose hash was noted outside the log, None
    where none was: then rows cut off the end cannot be missed.
    """

    path: Path
    rows: int
    head_hash: str
    fault: str | None = None
    row: int | None = None
    anchored_row: int | None = None


def verify(path: Path, printed_hash: str | None = None) -> Finding:
    """Check a log; with `printed_hash` also that a report's head hash belongs to it.

    Never raises for a bad log: what cannot be read is a finding.
    """
    # The noted hashes first: a match in play may grow between the two readings.
    anchors, unread = _anchors(path)
    try:
        rows, stopped = read_rows(path)
        strange = _strange_tables(path)
    except RecordError as error:
        return Finding(path, 0, "", str(error).removeprefix(f"{path}: "))
    head_hash = rows[-1].hash.hex() if rows else ""
    fault = _first(rows, stopped, anchors)
    if fault is None and (reason := strange or unread or _unprinted(rows, printed_hash)):
        fault = None, reason
    row, text = fault or (None, None)
    last = anchors[-1].row if anchors else None
    return Finding(path, len(rows), head_hash, text, row, last)


def _first(
    rows: tuple[Row, ...], stopped: str | None, anchors: tuple[Anchor, ...]
) -> tuple[int | None, str] | None:
    """Return the first row at fault, None where none is."""
    if broken := first_fault(rows):
        return broken
    if stopped:
        return len(rows) + 1, stopped
    if not rows:
        return 1, "row 1 was removed: the log is empty"
    if missed := _missed(rows, anchors):
        return missed
    return next(_unreadable(rows), None)


def _missed(rows: tuple[Row, ...], anchors: Iterable[Anchor]) -> tuple[int, str] | None:
    """Return what the noted hashes say: rows cut off, or a chain that was made anew."""
    for anchor in anchors:
        if anchor.row > len(rows):
            row = len(rows) + 1
            return row, f"row {row} was removed, and all after it: {anchor.row} were noted"
        if anchor.row < 1 or rows[anchor.row - 1].hash != anchor.hash:
            return anchor.row, f"row {anchor.row} or one before it was altered, the chain made anew"
    return None


def _unreadable(rows: Iterable[Row]) -> Iterator[tuple[int, str]]:
    for row in rows:
        try:
            if row.kind == "head":
                read_head(row.body)
            elif row.kind in KINDS:
                check_row(row)
            else:
                yield row.row, f"row {row.row} is of no known kind"
        except ValueError as reason:
            yield row.row, f"row {row.row} cannot be read: {reason}"


def _anchors(path: Path) -> tuple[tuple[Anchor, ...], str | None]:
    file = anchors_of(path)
    try:
        return read_anchors(file), None
    except FileNotFoundError:
        return (), None
    except (OSError, ValueError):
        return (), f"the hashes noted beside it cannot be read ({file.name})"


def _strange_tables(path: Path) -> str | None:
    with opened_to_read(path) as database:
        version = version_of(database, path)
        try:
            if tables_of(database) == expected_tables(version):
                return None
        except (sqlite3.Error, ValueError):
            pass
    return "its tables or the triggers that protect them were changed"


def _unprinted(rows: tuple[Row, ...], printed_hash: str | None) -> str | None:
    if printed_hash is None or any(row.hash.hex() == printed_hash.lower() for row in rows):
        return None
    return "the printed hash belongs to no row: the log is not the one that was reported"
