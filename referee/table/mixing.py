"""Shuffles before the deal: both hands of a player busy at a pile of backs for a while."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.values import Actor, Event, PileMixed

# A riffle takes two seconds and more, squaring a pile up less than one.
MIXED_NS = 1_800_000_000
# Hands part and meet again while they shuffle.
PAUSE_NS = 500_000_000


@dataclass(slots=True)
class _Busy:
    """Since when and until when the hands of a seat were busy at a zone."""

    since_ns: int
    last_ns: int
    hands: set[int]


class Mixing:
    """Notices shuffles. Changed only by `step`, by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._busy: dict[tuple[str, str], _Busy] = {}

    def step(self, t_ns: int, hands: Iterable[tuple[str, str, int]]) -> tuple[Event, ...]:
        """Take the hands at piles of backs: (zone, seat, hand's number); return the shuffles.

        A shuffle is told once, when the hands leave the pile.
        """
        for zone, seat, number in hands:
            busy = self._busy.setdefault((zone, seat), _Busy(t_ns, t_ns, set()))
            busy.last_ns = t_ns
            busy.hands.add(number)
        over = [key for key, busy in self._busy.items() if t_ns - busy.last_ns > PAUSE_NS]
        return tuple(
            event for key in over if (event := _told(*key, self._busy.pop(key))) is not None
        )


def _told(zone: str, seat: str, busy: _Busy) -> Event | None:
    if busy.last_ns - busy.since_ns < MIXED_NS or len(busy.hands) < 2:
        return None
    return PileMixed(
        n=0, t_ns=busy.last_ns, source="camera", conf=0.7, actor=Actor(seat, "?"), zone=zone
    )
