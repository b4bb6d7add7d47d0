"""Rows of a log, each hashed over the one before, and the heads noted outside the log."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

START = bytes(32)
# Row numbers and hashes only; a longer file is none of ours.
MOST_ANCHOR_BYTES = 64_000_000
LONGEST_LINE_BYTES = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a log: its number from 1, its kind, its text, and the hash over all so far."""

    row: int
    kind: str
    body: str
    hash: bytes


@dataclass(frozen=True, slots=True)
class Anchor:
    """A hash that was noted outside the log when the row had become durable."""

    row: int
    hash: bytes


def link(before: bytes, row: int, kind: str, body: str) -> bytes:
    """Return SHA-256 over the hash before, the row's number, its kind and its text."""
    text = f"\n{row}\n{kind}\n{body}"
    return hashlib.sha256(before + text.encode("utf-8", "surrogatepass")).digest()


def first_fault(rows: Sequence[Row]) -> tuple[int, str] | None:
    """Return the number of the first row that breaks the chain and how, None where none does."""
    before = START
    for i, row in enumerate(rows):
        if row.row != i + 1:
            return i + 1, f"row {i + 1} was removed"
        if link(before, row.row, row.kind, row.body) != row.hash:
            return _named(rows, i)
        before = row.hash
    return None


def _named(rows: Sequence[Row], i: int) -> tuple[int, str]:
    """Tell an inserted row from an altered one.

    The row behind an inserted one still hashes over the row before that, under its old number.
    """
    for inserted in (i - 1, i):
        if 0 <= inserted < len(rows) - 1:
            behind = rows[inserted + 1]
            before = rows[inserted - 1].hash if inserted else START
            if link(before, inserted + 1, behind.kind, behind.body) == behind.hash:
                return inserted + 1, f"row {inserted + 1} was inserted"
    return i + 1, f"row {i + 1} was altered, or one was put in or taken out there"


def write_anchor(path: Path, anchor: Anchor) -> None:
    """Add an anchor to its file, whose last line goes if a crash cut it off. Raises OSError."""
    with path.open("a+b") as file:
        size = file.seek(0, os.SEEK_END)
        begin = file.seek(max(0, size - LONGEST_LINE_BYTES))
        last = file.read()
        if not last.endswith(b"\n"):
            file.truncate(begin + last.rfind(b"\n") + 1)
        file.write(f"{anchor.row} {anchor.hash.hex()}\n".encode())


def read_anchors(path: Path) -> tuple[Anchor, ...]:
    """Return the anchors noted in a file; a last line cut off by a crash does not count.

    Raises OSError, and ValueError for a file of something else.
    """
    if path.stat().st_size > MOST_ANCHOR_BYTES:
        raise ValueError("too large")
    lines = path.read_bytes().split(b"\n")[:-1]
    return tuple(_anchor(line) for line in lines)


def _anchor(line: bytes) -> Anchor:
    row, hash_hex = line.decode("ascii").split(" ")
    digest = bytes.fromhex(hash_hex)
    if len(digest) != len(START):
        raise ValueError("a hash has another length")
    return Anchor(int(row), digest)
