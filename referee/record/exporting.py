"""A match as .match text, JSON Lines or CSV, and back from what was exported."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace

from referee.notation import write_event, write_match, write_time
from referee.record.chain import Row, first_fault
from referee.record.corrections import course
from referee.record.errors import RecordError
from referee.record.folder import Folder
from referee.record.head import read_head
from referee.record.log import KINDS, Log, create_log, open_log, read_rows
from referee.record.notes import is_digest
from referee.record.reading import Ruled, check_row, events_of
from referee.record.standing import corrections_of, in_order, standing
from referee.record.texts import canonical, is_int, is_text, read_fields
from referee.values import Event, Expected, Match, Ruling

FORMATS = ("match", "jsonl", "csv")
# Rulings that an expect block holds a judge to; see the notation.
BINDING = ("VIOLATION", "RACE", "SCORE", "END")
COLUMNS = ("row", "kind", "n", "t_s", "what", "seat", "rule", "winner", "text", "line")


def exported(log: Log, form: str) -> str:
    """Return a match in one of FORMATS. Raises RecordError."""
    if form == "match":
        return write_match(as_match(log))
    return as_json_lines(log) if form == "jsonl" else as_csv(log)


def as_match(log: Log) -> Match:
    """Return the match with its events, corrected and numbered from 1, and what stands of it.

    Raises RecordError.
    """
    happened = course(events_of(log), corrections_of(log))
    place = {recorded: n for n, recorded in enumerate(happened.recorded_n, start=1)}
    rulings = in_order(standing(log))
    expected = tuple(
        expected_line(replace(ruling, n=place[ruling.n]))
        for ruling in rulings
        if ruling.kind in BINDING and ruling.n in place
    )
    return replace(log.head.match, events=happened.events, expected=expected)


def expected_line(ruling: Ruling) -> Expected:
    """Return the line of an expect block that asks for this ruling."""
    scores = " ".join(f"{points.seat}={points.points}" for points in ruling.scores or ())
    who = ruling.winner if ruling.winner is not None else ruling.player
    if ruling.kind == "SCORE":
        who = ruling.player
    who = None if who == "tie" else who
    return Expected(ruling.n, ruling.kind, ruling.rule, who, scores)


def as_json_lines(log: Log) -> str:
    """Return every row as it stands, hashes and all: an import gives the same log again."""
    lines = (
        canonical({"row": row.row, "kind": row.kind, "body": row.body, "hash": row.hash.hex()})
        for row in log.rows
    )
    return "".join(f"{line}\n" for line in lines)


def as_csv(log: Log) -> str:
    """Return events and standing rulings as a table, for spreadsheets. Raises RecordError."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    happened = course(events_of(log), corrections_of(log))
    for event, n in zip(happened.events, happened.recorded_n, strict=True):
        table.writerow(_event_cells(replace(event, n=n)))
    for ruled in sorted(standing(log), key=lambda one: (one.ruling.t_ns, one.row)):
        table.writerow(_ruling_cells(ruled))
    return text.getvalue()


def _event_cells(event: Event) -> tuple[object, ...]:
    line = write_event(event)
    kind = type(event).__name__
    seat = event.actor.seat or ""
    return ("", "event", event.n, write_time(event.t_ns), kind, seat, "", "", "", safe_cell(line))


def _ruling_cells(ruled: Ruled) -> tuple[object, ...]:
    ruling = ruled.ruling
    scores = " ".join(f"{points.seat}={points.points}" for points in ruling.scores or ())
    return (
        ruled.row,
        "ruling",
        ruling.n,
        write_time(ruling.t_ns),
        ruling.kind,
        ruling.player or "",
        ruling.rule,
        ruling.winner or "",
        safe_cell(" ".join(word for word in (ruling.text, scores) if word)),
        "",
    )


def safe_cell(text: str) -> str:
    """Return a cell's text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def import_json_lines(folder: Folder, text: str) -> Log | None:
    """Write the log that JSON Lines hold, row for row, None where the record has it already.

    Raises RecordError for another text, for a broken chain, and for another match of that id.
    """
    rows = tuple(_rows(text))
    if not rows or rows[0].kind != "head":
        raise RecordError("this is no exported match: its first line is not a head")
    if broken := first_fault(rows):
        raise RecordError(f"the exported match was changed: {broken[1]}")
    try:
        head = read_head(rows[0].body)
        for row in rows[1:]:
            check_row(row)
    except ValueError as reason:
        raise RecordError(f"the exported match cannot be read: {reason}") from None
    path = folder.log(head.match.id)
    known = read_rows(path)[0] if path.exists() else ()
    if known[: len(rows)] == rows:
        return None
    # What an import that was cut off left is gone on with.
    go_on = bool(known) and known == rows[: len(known)]
    writer = open_log(path) if go_on else create_log(path, rows[0].body)
    try:
        for row in rows[writer.row :]:
            writer.append(row.kind, row.body)
    finally:
        writer.close()
    return Log(path, head, rows)


def _rows(text: str) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            found = read_fields(line)
            row, kind, body, digest = (found[name] for name in ("row", "kind", "body", "hash"))
        except (ValueError, KeyError):
            raise RecordError(f"line {number} is no row of an exported match") from None
        if not (is_int(row) and kind in KINDS and is_text(body) and is_digest(digest)):
            raise RecordError(f"line {number} is no row of an exported match")
        yield Row(row, kind, body, bytes.fromhex(digest))
