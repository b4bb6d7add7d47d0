"""What the rows of a log say, as values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from referee.notation import NotationError, read_event
from referee.record.chain import Row
from referee.record.errors import RecordError
from referee.record.log import Log
from referee.record.notes import (
    DeviceState,
    DisputeOpened,
    Ended,
    Gap,
    Kept,
    Review,
    read_device,
    read_dispute,
    read_end,
    read_gap,
    read_kept,
    read_review,
)
from referee.record.texts import read_ruling
from referee.values import Event, Ruling

V = TypeVar("V")
# A page of a match in play reads the whole log each time somebody opens it; the lines that were
# read before are known then. 20,000 of a match of two hours are 15 MB.
MOST_KNOWN = 32_768


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling and the row in which it stands."""

    row: int
    ruling: Ruling


@lru_cache(maxsize=MOST_KNOWN)
def read_line(text: str) -> Event:
    """Return the event of one line. Raises ValueError."""
    try:
        return read_event(text)
    except NotationError as error:
        raise ValueError(error.reason) from None


def events_of(log: Log) -> tuple[Event, ...]:
    """Return all events as they were recorded. Raises RecordError."""
    return tuple(value for _, value in _values(log, "event", read_line))


def rulings_of(log: Log) -> tuple[Ruled, ...]:
    """Return all rulings as they were announced. Raises RecordError."""
    return tuple(Ruled(row, ruling) for row, ruling in _values(log, "ruling", _known_ruling))


@lru_cache(maxsize=MOST_KNOWN)
def _known_ruling(text: str) -> Ruling:
    return read_ruling(text)


def devices_of(log: Log) -> tuple[DeviceState, ...]:
    """Return the states that devices told. Raises RecordError."""
    return tuple(value for _, value in _values(log, "device", read_device))


def kept_of(log: Log) -> tuple[Kept, ...]:
    """Return what evidence was kept. Raises RecordError."""
    return tuple(value for _, value in _values(log, "evidence", read_kept))


def gaps_of(log: Log) -> tuple[Gap, ...]:
    """Return the times in which the referee did not run. Raises RecordError."""
    return tuple(value for _, value in _values(log, "gap", read_gap))


def disputes_opened_in(log: Log) -> tuple[DisputeOpened, ...]:
    """Return what was disputed after the match. Raises RecordError."""
    return tuple(value for _, value in _values(log, "dispute", read_dispute))


def reviews_of(log: Log) -> tuple[tuple[int, Review], ...]:
    """Return the reviews, each with its row. Raises RecordError."""
    return tuple(_values(log, "review", read_review))


def end_of(log: Log) -> Ended | None:
    """Return how the match ended last, None while it has not. Raises RecordError."""
    found = [value for _, value in _values(log, "end", read_end)]
    return found[-1] if found else None


def _values(log: Log, kind: str, read: Callable[[str], V]) -> Iterator[tuple[int, V]]:
    for row in log.of(kind):
        try:
            yield row.row, read(row.body)
        except ValueError as reason:
            raise RecordError(f"{log.path}: row {row.row} cannot be read: {reason}") from None


def check_row(row: Row) -> None:
    """Read a row of any kind but the head. Raises ValueError."""
    READINGS[row.kind](row.body)


READINGS: dict[str, Callable[[str], object]] = {
    "event": read_line,
    "ruling": read_ruling,
    "device": read_device,
    "evidence": read_kept,
    "gap": read_gap,
    "dispute": read_dispute,
    "review": read_review,
    "end": read_end,
}
