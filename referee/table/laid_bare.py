"""What shows since a card was carried off its pile: it lay below that one."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from referee.table.evidence import Evidence
from referee.table.going_home import BESIDE_MM, EMPTY_NS
from referee.table.piles import Piles
from referee.table.spots import COVERS_MM
from referee.values import PointMm
from referee.values.spots import Spot

# What lies below a card stirs last when that is lifted, known to so much; the hand that came down
# to take it may be over it for longer.
LIFTS_NS, GOES_NS = 300_000_000, 450_000_000
# Carries take 0.3 to 0.9 s; one whose begin was not seen took no longer.
CARRIES_NS = 1_000_000_000


@dataclass(slots=True)
class _Place:
    """Where a card lay, free of hands since `clear_ns`."""

    at_mm: PointMm
    clear_ns: int


@dataclass(frozen=True, slots=True)
class _Carry:
    """A card was carried off a pile; `lifted_ns` is None where nobody saw it taken."""

    lifted_ns: int | None
    laid_ns: int

    def bares(self, still_ns: int, *, drawn: bool) -> bool:
        """Whether what has been still since a time stirred when the card was lifted off it.

        Where none was `drawn` meanwhile, the hand was over it for as long as it carried the other.
        """
        if self.lifted_ns is not None:
            until_ns = min(self.lifted_ns + GOES_NS, self.laid_ns) if drawn else self.laid_ns
            return self.lifted_ns - LIFTS_NS < still_ns < max(until_ns, self.lifted_ns + LIFTS_NS)
        return self.laid_ns - CARRIES_NS < still_ns < self.laid_ns


class LaidBare:
    """Remembers the cards that were carried off, and where nothing known is left of a pile.

    Used by one thread.
    """

    def __init__(self, piles: Piles, evidence: Evidence) -> None:
        """Begin with no such place."""
        self._piles, self._evidence = piles, evidence
        self._places: dict[str, _Place] = {}
        # The last card that was carried off each pile.
        self._carries: dict[str, _Carry] = {}

    def leave(self, zone: str, at_mm: PointMm | None, lifted_ns: int | None, laid_ns: int) -> None:
        """Take in that a card which lay there lies elsewhere now."""
        self._carries[zone] = _Carry(lifted_ns, laid_ns)
        more = zone in self._piles.deep | self._piles.found
        if at_mm is not None and more and not self._piles[zone]:
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
                self._piles.found.discard(zone)
                del self._places[zone]

    def shows(self, zone: str, at_mm: PointMm) -> bool:
        """Whether a card that comes to be seen at a place may have lain below the last one."""
        place = self._places.get(zone)
        return place is not None and dist(place.at_mm, at_mm) < COVERS_MM

    def bares(self, zone: str, spot: Spot, *, drawn: bool) -> bool:
        """Whether a spot stirred last when the card was lifted that was carried off its pile.

        `drawn`: it may have been drawn onto the pile meanwhile.
        """
        carry = self._carries.get(zone)
        return carry is not None and carry.bares(spot.still_ns, drawn=drawn)
