"""Shuffles in the hands before the deal: a player busy with his deck before himself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.table.mixing import CONF, MIXED_NS
from referee.values import Actor, Event, PileMixed

# Who mixes his deck in his hands never holds them still for so long; then he begins to deal.
STILL_NS = 300_000_000


@dataclass(slots=True)
class _Busy:
    """Since when and until when much moved before a seat."""

    since_ns: int
    last_ns: int


class MixingInHands:
    """Notices shuffles of decks that have no place of their own yet. Used by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._busy: dict[tuple[str, str], _Busy] = {}

    def step(self, t_ns: int, stirring: Iterable[tuple[str, str]]) -> tuple[Event, ...]:
        """Take the seats before which much moves, each after the pile in which its deck ends.

        A shuffle is told once, when the hands are still.
        """
        for key in stirring:
            self._busy.setdefault(key, _Busy(t_ns, t_ns)).last_ns = t_ns
        over = [key for key, busy in self._busy.items() if t_ns - busy.last_ns > STILL_NS]
        told = (_told(zone, seat, self._busy.pop((zone, seat))) for zone, seat in over)
        return tuple(event for event in told if event is not None)


def _told(zone: str, seat: str, busy: _Busy) -> Event | None:
    if busy.last_ns - busy.since_ns < MIXED_NS:
        return None
    return PileMixed(
        n=0, t_ns=busy.last_ns, source="camera", conf=CONF, actor=Actor(seat, "?"), zone=zone
    )
