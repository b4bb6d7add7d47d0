"""What really happened, after reviews: the recorded events with the corrected ones in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.record.errors import RecordError
from referee.record.notes import Correction
from referee.record.reading import read_line
from referee.values import Event, Ruling


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a match to judge: events numbered from 1, and the recorded number of each.

    A corrected event keeps its number; one that was put in has a number beyond all that were
    recorded then, and stands where it happened.
    """

    events: tuple[Event, ...]
    recorded_n: tuple[int, ...]

    def recorded(self, ruling: Ruling) -> Ruling:
        """Return a ruling on this course with the recorded number of its event."""
        return replace(ruling, n=self.recorded_n[ruling.n - 1])


def course(events: Sequence[Event], corrections: Iterable[Correction]) -> Course:
    """Return the course of a match after corrections, in the order in which they were made.

    Raises RecordError for a correction of an event that does not exist.
    """
    happened = list(events)
    for correction in corrections:
        place = next((i for i, event in enumerate(happened) if event.n == correction.n), None)
        if place is None:
            raise RecordError(f"there is no event {correction.n} to correct")
        line = read_line(correction.line)
        if correction.how == "replace":
            happened[place] = replace(line, n=correction.n)
        else:
            happened.insert(place + 1, line)
    return _numbered(happened)


def next_number(events: Iterable[Event], corrections: Iterable[Correction]) -> int:
    """Return the number of an event that is put in now: beyond all that there are."""
    put_in = (read_line(one.line).n for one in corrections if one.how == "after")
    return max([0, *(event.n for event in events), *put_in]) + 1


def _numbered(happened: Sequence[Event]) -> Course:
    numbered: list[Event] = []
    now_ns = 0
    for n, event in enumerate(happened, start=1):
        # As in a sitting: no event is earlier than the one before it.
        now_ns = max(now_ns, event.t_ns)
        numbered.append(replace(event, n=n, t_ns=now_ns))
    return Course(tuple(numbered), tuple(event.n for event in happened))
