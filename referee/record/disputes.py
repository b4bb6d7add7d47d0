"""The disputes of a match: rulings and claims that can be looked at again, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.record.errors import RecordError
from referee.record.log import Log
from referee.record.notes import DisputeOpened, Kept, Review
from referee.record.reading import (
    disputes_opened_in,
    events_of,
    kept_of,
    reviews_of,
    rulings_of,
)
from referee.record.recorder import DISPUTABLE
from referee.values import Declared, Event, Ruling

STATES = {"confirm": "confirmed", "withdraw": "withdrawn", "change": "changed"}


@dataclass(frozen=True, slots=True)
class Dispute:
    """Something that can be disputed, numbered from 1 in the order of the log.

    `claimed_by` is the seat that raised it by a claim, None for a ruling of the referee's own.
    `state` is open, confirmed, withdrawn or changed, and empty where nobody disputed it.
    """

    n: int
    row: int
    ruling: Ruling
    claimed_by: str | None
    state: str
    opened: tuple[DisputeOpened, ...] = ()
    reviews: tuple[Review, ...] = ()
    kept: Kept | None = None


def disputes_of(log: Log) -> tuple[Dispute, ...]:
    """Return all that can be disputed. Raises RecordError."""
    claims = {event.n: event for event in events_of(log) if _is_claim(event)}
    kept = {one.ruling_row: one for one in kept_of(log)}
    reviews = tuple(review for _, review in reviews_of(log))
    opened = disputes_opened_in(log)
    states = _states(log)
    found: list[Dispute] = []
    for ruled in rulings_of(log):
        claim = claims.get(ruled.ruling.n) if ruled.ruling.kind == "INFO" else None
        if claim is None and ruled.ruling.kind not in DISPUTABLE:
            continue
        ours = tuple(review for review in reviews if review.ruling_row == ruled.row)
        told = tuple(one for one in opened if one.ruling_row == ruled.row)
        state = states.get(ruled.row, "open" if claim is not None else "")
        by = claim.actor.seat if claim else None
        found.append(
            Dispute(
                len(found) + 1, ruled.row, ruled.ruling, by, state, told, ours, kept.get(ruled.row)
            )
        )
    return tuple(found)


def dispute_at(log: Log, event_n: int) -> Dispute:
    """Return the first dispute over an event. Raises RecordError where there is none."""
    found = next((one for one in disputes_of(log) if one.ruling.n == event_n), None)
    if found is None:
        raise RecordError(f"{log.head.match.id} has no dispute over event {event_n}")
    return found


def _is_claim(event: Event) -> bool:
    return isinstance(event, Declared) and event.what == "claim"


def _states(log: Log) -> dict[int, str]:
    """Return the state of each ruling's row that was spoken of: the last word counts."""
    rows = [row.row for row in log.of("dispute")]
    opened = zip(rows, disputes_opened_in(log), strict=True)
    told = [(at, one.ruling_row, "open") for at, one in opened]
    told += ((at, one.ruling_row, STATES[one.verdict]) for at, one in reviews_of(log))
    return {row: state for _, row, state in sorted(told)}


def find_dispute(log: Log, n: int) -> Dispute:
    """Return the dispute of a number. Raises RecordError with what there is."""
    found = disputes_of(log)
    if not 1 <= n <= len(found):
        has = f"1 to {len(found)}" if found else "none"
        raise RecordError(f"{log.head.match.id} has no dispute {n}; it has {has}")
    return found[n - 1]
