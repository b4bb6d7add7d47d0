"""Shuffles before the deal: a player's hands busy about a deck, or where one comes to lie then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import dist
from typing import NamedTuple

from referee.values import Actor, Dealt, Event, PileMixed, PointMm

# Who only lays a deck down is there for less than this before it lies.
LAID_NS = 1_000_000_000
# A riffle takes two seconds and more, squaring a pile up less than one.
MIXED_NS = 1_800_000_000
# Hands part and meet again while they shuffle, and are hard to see as they overlap.
PAUSE_NS = 500_000_000
# Fingers that shuffle go to and fro by some centimetres a second; those that rest tremble.
LEAST_WAY_MM = 120.0
CONF = 0.7


class HandAt(NamedTuple):
    """A hand of a seat that is about a deck's zone, and where its fingers are."""

    zone: str
    seat: str
    number: int
    tip_mm: PointMm


@dataclass(slots=True)
class _Busy:
    """Since when and until when a seat's hands were about a zone, and how far they went there."""

    seat: str
    since_ns: int
    last_ns: int
    way_mm: float = 0.0
    tips_mm: dict[int, PointMm] = field(default_factory=dict)

    def see(self, t_ns: int, hand: HandAt) -> None:
        self.way_mm += dist(hand.tip_mm, self.tips_mm.get(hand.number, hand.tip_mm))
        self.tips_mm[hand.number] = hand.tip_mm
        self.last_ns = t_ns


class Mixing:
    """Notices shuffles. Changed only by `step`, by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._busy: dict[str, _Busy] = {}
        self._told: set[str] = set()

    def step(
        self, t_ns: int, hands: Iterable[HandAt], decks: Mapping[str, int | None]
    ) -> tuple[Event, ...]:
        """Take the hands about decks, and since when a back lies in each zone of one; None if none.

        Only decks from which nothing was dealt yet. A shuffle is told once before each deal.
        """
        self._told &= decks.keys()
        kept = {z: one for z, one in self._busy.items() if z in decks}
        self._busy = {z: one for z, one in kept.items() if t_ns - one.last_ns <= 2 * PAUSE_NS}
        for hand in hands:
            if hand.zone in decks:
                busy = self._busy.setdefault(hand.zone, _Busy(hand.seat, t_ns, t_ns))
                busy.see(t_ns, hand)
        return tuple(self._mixed(t_ns, decks))

    def dated(self, event: Event) -> Event:
        """Return an event; that a deck came to lie there, as when the hands came that mixed it."""
        if not isinstance(event, Dealt) or event.zone not in self._told:
            return event
        busy = self._busy.get(event.zone)
        if busy is None or event.t_ns < busy.since_ns:
            return event
        u_ns = event.t_ns - busy.since_ns
        return replace(event, t_ns=busy.since_ns, u_ns=u_ns)

    def _mixed(self, t_ns: int, decks: Mapping[str, int | None]) -> Iterable[Event]:
        for zone, lies_ns in decks.items():
            busy = self._busy.get(zone)
            if busy is None or lies_ns is None or zone in self._told:
                continue
            at_ns = _mixed_ns(t_ns, busy, lies_ns)
            if at_ns is not None:
                self._told.add(zone)
                yield PileMixed(
                    n=0,
                    t_ns=at_ns,
                    source="camera",
                    conf=CONF,
                    actor=Actor(busy.seat, "?"),
                    zone=zone,
                )


def _mixed_ns(t_ns: int, busy: _Busy, lies_ns: int) -> int | None:
    """Return until when a deck was shuffled that lies there since a time, None if it was not."""
    if lies_ns - busy.since_ns >= LAID_NS:
        return lies_ns
    gone = t_ns - busy.last_ns > PAUSE_NS
    long = busy.last_ns - busy.since_ns >= MIXED_NS
    return busy.last_ns if gone and long and busy.way_mm >= LEAST_WAY_MM else None
