"""The order in which events are told: what happened before at the same places comes first."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

from referee.table.found import LIKELY, upon_unseen
from referee.table.habits import Habits
from referee.values import Event, card_zones

# What is pending for longer, a card kept in the hand or one that nobody can explain, is not waited
# for: a carry takes 0.3 to 0.9 s, and the arm that hides where it ended is gone soon after.
MOST_NS = 1_300_000_000


@dataclass(frozen=True, slots=True)
class Pending:
    """Something happened in a zone at a time, and it is not known yet what.

    `lasting`: nothing will be known soon; what is told meanwhile is less sure.
    """

    zone: str
    t_ns: int
    lasting: bool = False


class Ordering:
    """Holds events back behind what is still pending at their zones. Used by one thread."""

    def __init__(self, habits: Habits) -> None:
        """Begin with none."""
        self._habits = habits
        self.held: list[Event] = []

    def step(
        self, now_ns: int, events: Iterable[Event], pending: tuple[Pending, ...]
    ) -> tuple[Event, ...]:
        """Take fresh events; return those that may be told now, in order of time.

        An event that was waited with for too long is told less surely.
        """
        out: list[Event] = []
        kept: list[Event] = []
        shut: set[str] = set()
        for event in sorted((*self.held, *events), key=lambda one: one.t_ns):
            zones = card_zones(event)
            earlier = [one for one in pending if one.t_ns < event.t_ns]
            before = [one for one in earlier if one.zone in zones]
            awaited = [one for one in earlier if one in before or self._is_traded(one.zone, zones)]
            waits = now_ns - event.t_ns <= MOST_NS and not all(one.lasting for one in awaited)
            if waits or not shut.isdisjoint(zones):
                kept.append(event)
                shut.update(zones)
            else:
                out.append(_less_sure(event, {one.zone for one in before}))
        self.held = kept
        return tuple(out)

    def _is_traded(self, zone: str, zones: Iterable[str]) -> bool:
        """Whether a card may have been taken into a closed hand for one laid at another place."""
        places = (zone, *zones) if self._habits.hides_hands else ()
        return sum(map(self._habits.is_for_one, places)) > 1


def _less_sure(event: Event, unclear: Set[str]) -> Event:
    """Return an event no surer than it is by what is still pending at its zones."""
    if not unclear:
        return event
    *whence, upon = card_zones(event)
    conf = 1.0 if event.conf is None else event.conf
    known = bool(whence) and upon not in whence and unclear.isdisjoint(whence)
    return replace(event, conf=upon_unseen(conf) if known else min(conf, LIKELY))
