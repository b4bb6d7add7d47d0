"""The live test at the end of a calibration: a card on each of a few spots, seen where it lies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from referee.table.layout import is_for_hands, zone_at
from referee.table.view import TableView
from referee.values import CardRead, PointMm, TablePlan, Zone

SIGHTINGS = 3
"""Frames in which a card must be seen on a spot: a single read may be a mistake."""


@dataclass(frozen=True, slots=True)
class SpotTest:
    """How far the test has come: `seen` counts the frames that showed a card, for each spot."""

    plan: TablePlan
    view: TableView
    spots: tuple[Zone, ...]
    seen: tuple[int, ...]
    labels: tuple[str, ...]

    def after(self, cards: Iterable[CardRead]) -> SpotTest:
        """Return the test after one more frame's reads."""
        lying = {name: label for name, label in map(self._lying, cards) if name}
        names = [zone.name for zone in self.spots]
        return replace(
            self,
            seen=tuple(n + (name in lying) for n, name in zip(self.seen, names, strict=True)),
            labels=tuple(
                lying.get(name, label) for label, name in zip(self.labels, names, strict=True)
            ),
        )

    def _lying(self, card: CardRead) -> tuple[str, str]:
        """Return the zone that a card lies in, or an empty name, and its label."""
        places = np.array([card.at_px] if card.quad_px is None else card.quad_px)
        x_mm, y_mm = self.view.to_mm(places).mean(axis=0)
        zone = zone_at(self.plan, (float(x_mm), float(y_mm)))
        return ("" if zone is None else zone.name), card.label

    def missing(self) -> tuple[str, ...]:
        """Return the spots on which no card has been seen often enough."""
        counts = zip(self.spots, self.seen, strict=True)
        return tuple(zone.name for zone, seen in counts if seen < SIGHTINGS)


def spot_test(plan: TablePlan, view: TableView) -> SpotTest:
    """Return the test of a table: the spots nearest its corners and the one in its middle.

    A view that is right there is right between them.
    """
    w_mm, h_mm = plan.table_mm
    targets: list[PointMm] = [(0.0, 0.0), (w_mm, 0.0), (w_mm, h_mm), (0.0, h_mm)]
    targets.append((w_mm / 2, h_mm / 2))
    left = [zone for zone in plan.zones if not is_for_hands(plan, zone)]
    spots: list[Zone] = []
    for target in targets:
        spot = min(left, key=lambda zone: dist(zone.center_mm, target))
        left.remove(spot)
        spots.append(spot)
    nothing = (0,) * len(spots)
    return SpotTest(plan, view, tuple(spots), nothing, ("",) * len(spots))
