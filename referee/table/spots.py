"""Which zone a card lies in: the plan's spots taken generously, and piles laid anywhere else."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache
from math import dist

from referee.table.layout import (
    in_zone,
    is_for_hands,
    lay_of,
    name_of_free_pile,
)
from referee.table.layout_blocks import CARD_H_MM, CARD_W_MM
from referee.table.piles import Lying, Piles
from referee.values import PointMm, TablePlan, Zone
from referee.values.spots import Spot

OFF = "off"
"""Where cards lie that are in no zone: they are followed, and told of when they come back."""

# People lay cards 10 to 15 mm off their spots; beyond a quarter of a card the spot is another one.
TOLERANCE_MM = 18.0
# A card that covers more than half of another one belongs to its pile.
SAME_PILE_MM = 32.0
# One that covers less than a tenth of its width or height lies beside it.
BESIDE = 0.9

# Who turns a card in place lays it within half a step of where it lay; who lays another one on it
# in a cascade leaves its index free: more than that of a step. Of backs laid out one leaves 13 of
# the 20 mm of a step.
STEP_ON = 0.6

MOST_PLACES = 256


class Zones:
    """The zones of a plan, and the free piles found so far."""

    def __init__(self, plan: TablePlan) -> None:
        """Take the zones that cards may lie in."""
        self._plan = plan
        self._zones = tuple(zone for zone in plan.zones if not is_for_hands(plan, zone))
        self._by_name = {zone.name: zone for zone in self._zones}
        # A card that is not explained yet is asked about in every frame.
        self._nearest = lru_cache(MOST_PLACES)(self._nearest_zone)
        self._steps_mm = {name: lay_of(plan, one).step_mm for name, one in self._by_name.items()}

    def names(self) -> tuple[str, ...]:
        """Return the names of the plan's zones for cards."""
        return tuple(self._by_name)

    def zone(self, name: str) -> Zone | None:
        """Return a zone of the plan, None for free piles and hands."""
        return self._by_name.get(name)

    def name_at(self, at_mm: PointMm, piles: Piles) -> str:
        """Return the zone of a card at a place; a free pile there gets its name."""
        found = self._pile_at(at_mm, piles)
        if found is not None:
            return found
        outside_mm, name = self._nearest(at_mm)
        if outside_mm <= TOLERANCE_MM and not self._is_beside(name, at_mm, piles):
            return name
        return name_of_free_pile(self._plan, at_mm, set(piles.zones())) or OFF

    def may_lie_elsewhere(self, spot: Spot, zone: str, piles: Piles) -> bool:
        """Whether a card lies in another zone if it lies on the other side of its index."""
        if spot.other_mm is None:
            return False
        return self.name_at(spot.other_mm, piles) not in (zone, OFF)

    def _nearest_zone(self, at_mm: PointMm) -> tuple[float, str]:
        """Return how far the nearest zone is from a place, and its name."""
        zone = min(self._zones, key=lambda one: _outside_mm(one, at_mm))
        return _outside_mm(zone, at_mm), zone.name

    def _pile_at(self, at_mm: PointMm, piles: Piles) -> str | None:
        """Return the pile whose card lies nearest below a place, of those without fixed bounds."""
        near = [
            (dist(card.at_mm, at_mm), name)
            for name in piles.zones()
            if name != OFF and _is_free(name)
            for card in piles[name]
            if card.near(at_mm, SAME_PILE_MM)
        ]
        return min(near)[1] if near else None

    def _is_beside(self, name: str, at_mm: PointMm, piles: Piles) -> bool:
        """Whether a zone's squared free pile lies where a card at a place leaves it uncovered.

        Foundations are laid anywhere in the common area: two may lie within one spot's bounds.
        """
        zone, pile = self._by_name[name], piles[name]
        if not pile or not _is_free(name) or self.way_mm(name) != (0.0, 0.0):
            return False
        here_mm = in_zone(zone, at_mm)
        apart = (zip(here_mm, in_zone(zone, card.at_mm), strict=True) for card in pile)
        return all(
            abs(x - x0) > BESIDE * CARD_W_MM or abs(y - y0) > BESIDE * CARD_H_MM
            for (x, x0), (y, y0) in apart
        )

    def is_before(self, name: str, at_mm: PointMm, first_mm: PointMm) -> bool:
        """Whether a place of a cascade comes before its first card, so that a card was put under.

        Half a step at least: a card laid askew on the first one is none.
        """
        step_mm = self.step_mm(name)
        on_mm = self.along_mm(name, at_mm) - self.along_mm(name, first_mm)
        return step_mm > 0.0 and on_mm < -step_mm / 2

    def is_step_on(self, name: str, at_mm: PointMm, below_mm: PointMm) -> bool:
        """Whether a place of a cascade lies a step on from a card: where the next one is laid."""
        step_mm = self.step_mm(name)
        on_mm = self.along_mm(name, at_mm) - self.along_mm(name, below_mm)
        return step_mm > 0.0 and on_mm >= STEP_ON * step_mm

    def step_mm(self, name: str) -> float:
        """Return how far on the next card of a zone is laid, 0 where cards are laid squarely."""
        return dist(self.way_mm(name), (0.0, 0.0))

    def way_mm(self, name: str) -> PointMm:
        """Return how far on in x and in y the next card of a zone is laid."""
        return self._steps_mm.get(name, (0.0, 0.0))

    def first_mm(self, name: str) -> PointMm:
        """Return where the first card of one of the plan's zones is laid."""
        return lay_of(self._plan, self._by_name[name]).first_mm

    def begins(self, name: str, at_mm: PointMm) -> bool:
        """Whether the first card of a zone may lie at a place: at most half a card past its middle.

        Cascades reach as far as where their owner holds his cards.
        """
        middle_mm = self.along_mm(name, self._by_name[name].center_mm)
        return self.along_mm(name, at_mm) - middle_mm <= CARD_H_MM / 2

    def is_astray(self, name: str, at_mm: PointMm, others_mm: Iterable[PointMm]) -> bool:
        """Whether no card lies at a place where nobody reads one, near none of the others.

        It is beside all of the plan's spots, or past where the first card of a zone lies: what is
        held over the table there, the hand that holds it and a motley cloth look like cards.
        """
        if any(dist(at_mm, one) <= CARD_H_MM for one in others_mm):
            return False
        inside = name in self._by_name and self._nearest(at_mm)[0] <= TOLERANCE_MM
        return not (inside and self.begins(name, at_mm))

    def along_mm(self, name: str, at_mm: PointMm) -> float:
        """Return how far along the way in which a zone's cards are laid a place is."""
        step = self.way_mm(name)
        length_mm = dist(step, (0.0, 0.0))
        if length_mm == 0.0:
            return 0.0
        return (at_mm[0] * step[0] + at_mm[1] * step[1]) / length_mm

    def in_order(self, name: str, spots: list[Spot]) -> list[Spot]:
        """Return spots of one zone from bottom to top, as far as that is seen.

        The plan's way of laying tells, and in an untidy pile that the top card hides the others'
        indices.
        """
        return sorted(spots, key=lambda one: (self.along_mm(name, one.at_mm), one.indices))


def _is_free(name: str) -> bool:
    """Whether a zone is a pile that may lie anywhere: a foundation or a further pile."""
    return fnmatchcase(name, "F.[0-9]*") or ".arr." in name or ".pile." in name


def _outside_mm(zone: Zone, at_mm: PointMm) -> float:
    x_mm, y_mm = in_zone(zone, at_mm)
    over = (max(0.0, abs(x_mm) - zone.w_mm / 2), max(0.0, abs(y_mm) - zone.h_mm / 2))
    return dist(over, (0.0, 0.0))


def is_covered(card: Lying, others: list[Lying]) -> bool:
    """Whether a card that lies higher in its pile may hide this one from above."""
    return any(other.near(card.at_mm, COVERS_MM) for other in others)


# A card whose middle is nearer than this hides the middle, and with it most of what is printed.
COVERS_MM = 40.0
