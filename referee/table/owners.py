"""Whose learned deck is whose: told by the backs that lie at the players' own places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from referee.values import PointMm
from referee.values.spots import Spot

OwnZone = Callable[[PointMm], str | None]
"""Which seat's own place a point of the table is, None for common ones."""


class Owners:
    """Learns which deck each seat plays with. Used by one thread.

    A deck is the seat's at whose places more than half of its cards were seen, so that a card that
    was dealt to the wrong player does not change whose deck is whose.
    """

    def __init__(self, seat_at: OwnZone) -> None:
        """Know nobody's deck."""
        self._seat_at = seat_at
        self._counts: Counter[tuple[str, str]] = Counter()
        self._known: set[int] = set()

    def told(self, spots: Iterable[Spot]) -> tuple[Spot, ...]:
        """Return the spots, each back with the seat whose deck it is of."""
        found = tuple(spots)
        if not any(spot.back for spot in found):
            return found
        for spot in found:
            self._count(spot)
        seats = self._seats()
        return tuple(replace(spot, deck=seats.get(spot.back or "")) for spot in found)

    def _count(self, spot: Spot) -> None:
        seat = self._seat_at(spot.at_mm)
        if spot.back is not None and seat is not None and spot.id not in self._known:
            self._known.add(spot.id)
            self._counts[spot.back, seat] += 1

    def _seats(self) -> dict[str, str]:
        """Return the seat of each deck: where most of its cards lay."""
        of_deck: Counter[str] = Counter()
        for (back, _), count in self._counts.items():
            of_deck[back] += count
        return {
            back: seat for (back, seat), count in self._counts.items() if 2 * count > of_deck[back]
        }
