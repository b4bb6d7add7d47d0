"""Piles of unknown depth whose last known card lies elsewhere now: what shows then lay below it."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from referee.table.air import BESIDE_MM, EMPTY_NS
from referee.table.evidence import Evidence
from referee.table.piles import Piles
from referee.table.spots import COVERS_MM
from referee.values import PointMm


@dataclass(slots=True)
class _Place:
    """Where a card lay, free of hands since `clear_ns`."""

    at_mm: PointMm
    clear_ns: int


class LaidBare:
    """Remembers from where the last known cards were taken. Used by one thread."""

    def __init__(self, piles: Piles, evidence: Evidence) -> None:
        """Begin with no such place."""
        self._piles, self._evidence = piles, evidence
        self._places: dict[str, _Place] = {}

    def leave(self, zone: str, at_mm: PointMm | None) -> None:
        """Take in that a card which lay there lies elsewhere now."""
        if at_mm is not None and zone in self._piles.deep and not self._piles[zone]:
            self._places[zone] = _Place(at_mm, self._evidence.now.t_ns)

    def step(self) -> None:
        """Forget the places where something lies, and where nothing lay for long: all are gone."""
        now = self._evidence.now
        for zone, place in list(self._places.items()):
            if self._piles[zone]:
                del self._places[zone]
            elif now.covered(place.at_mm) or any(
                dist(spot.at_mm, place.at_mm) <= BESIDE_MM for spot in now.spots
            ):
                place.clear_ns = now.t_ns
            elif now.t_ns - place.clear_ns > EMPTY_NS:
                self._piles.deep.discard(zone)
                del self._places[zone]

    def shows(self, zone: str, at_mm: PointMm) -> bool:
        """Whether a card that comes to be seen at a place may have lain below the last one."""
        place = self._places.get(zone)
        return place is not None and dist(place.at_mm, at_mm) < COVERS_MM
