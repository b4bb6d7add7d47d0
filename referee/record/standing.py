"""The rulings that stand: those announced, less those that reviews withdrew, and what followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.record.log import Log
from referee.record.notes import Correction, Review
from referee.record.reading import Ruled, reviews_of, rulings_of
from referee.values import Ruling


@dataclass(frozen=True, slots=True)
class Differences:
    """What no longer stands, and what stands now."""

    withdrawn: tuple[Ruling, ...]
    added: tuple[Ruling, ...]


def standing(log: Log) -> tuple[Ruled, ...]:
    """Return the rulings that stand, in the order of their rows. Raises RecordError.

    A ruling that follows from a review stands in the review's row.
    """
    found = list(rulings_of(log))
    for row, review in reviews_of(log):
        for gone in review.withdrawn:
            place = next((i for i, ruled in enumerate(found) if ruled.ruling == gone), None)
            if place is not None:
                del found[place]
        found += (Ruled(row, ruling) for ruling in review.added)
    return tuple(found)


def in_order(ruled: Iterable[Ruled]) -> tuple[Ruling, ...]:
    """Return rulings in the order of the match's time."""
    return tuple(one.ruling for one in sorted(ruled, key=lambda one: (one.ruling.t_ns, one.row)))


def corrections_of(log: Log) -> tuple[Correction, ...]:
    """Return all corrections in the order in which they were made. Raises RecordError."""
    return tuple(one for _, review in reviews_of(log) for one in review.corrections)


def differences(before: Iterable[Ruling], after: Iterable[Ruling]) -> Differences:
    """Return what two lists of rulings do not share; each ruling counts as often as it stands."""
    gone, added = list(before), []
    for ruling in after:
        if ruling in gone:
            gone.remove(ruling)
        else:
            added.append(ruling)
    return Differences(tuple(gone), tuple(added))


def withdrawn_by_word(reviews: Iterable[Review], rulings: Iterable[Ruled]) -> tuple[Ruling, ...]:
    """Return the rulings that the operator withdrew, whatever the judge says of the events."""
    of_row = {ruled.row: ruled.ruling for ruled in rulings}
    last = {review.ruling_row: review.verdict for review in reviews}
    return tuple(of_row[row] for row, verdict in last.items() if verdict == "withdraw")
