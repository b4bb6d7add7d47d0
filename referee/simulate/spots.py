"""Where a card of a zone comes to lie: piles, columns and rows, laid by hand and never straight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin

import numpy as np

from referee.simulate.acts import ScriptError
from referee.simulate.scene import TableCard
from referee.values import Place, TablePlan, Zone

CARD_W_MM, CARD_H_MM = 63.5, 88.9
_STEPS_MM = {"work": 18.0, "arr": 20.0, "aside": 24.0, "open": 85.0, "mid": 56.0}
"""From card to card of zones where each stays in sight; elsewhere cards lie on one pile."""
_LEAST_STEP_MM = 7.0
_COLUMN_CARDS = {"work": 13, "arr": 5, "aside": 5}
_HEAD_MM = 8.0
"""The first card of a column lies this far from its far end."""

_FREE_STEP_MM = 6.0
_FREE_W_MM, _FREE_H_MM = CARD_W_MM + 8.0, CARD_H_MM + 8.0


@dataclass(frozen=True, slots=True)
class Hasty:
    """How carelessly cards are laid: deviations of place and angle, and the share laid askew."""

    place_mm: float = 2.2
    angle_deg: float = 2.4
    askew: float = 0.07
    squared_mm: float = 0.5

    def scaled(self, strength: float) -> Hasty:
        """Return the same at another strength, never so wild that cards leave their zone."""
        calm = min(strength, 2.5)
        return Hasty(self.place_mm * calm, self.angle_deg * calm, min(0.4, self.askew * calm),
                     self.squared_mm * min(1.0, calm))  # fmt: skip


class Spots:
    """The places of a table's plan; finds room for free piles that the plan does not name."""

    def __init__(self, plan: TablePlan, hasty: Hasty, seed: int) -> None:
        """Take the plan as it is; free piles are added when they are first asked for."""
        self._plan, self._hasty, self._seed = plan, hasty, seed
        self._zones = {zone.name: zone for zone in plan.zones}
        self._seats = {place.seat: place for place in plan.seats}

    def zone(self, name: str) -> Zone:
        """Return a zone. Raises ScriptError for one that the table does not have."""
        if name not in self._zones:
            self._zones[name] = self._free_zone(name)
        return self._zones[name]

    def seat(self, seat: str) -> Place:
        """Return a player's place. Raises ScriptError."""
        if seat not in self._seats:
            raise ScriptError(f"nobody sits at {seat} on this table; give the players that play")
        return self._seats[seat]

    def own_zone(self, seat: str) -> str:
        """Return the name of some zone of a player. Raises ScriptError."""
        own = (zone.name for zone in self._plan.zones if seat in zone.name.split("."))
        found = next(own, None)
        if found is None:
            raise ScriptError(f"player {seat} has no zone on this table")
        return found

    def place(self, name: str, slot: int, chance: int) -> TableCard:
        """Return where the card of a slot comes to lie, laid by hand.

        Slot 0 is the first card of a column or row; piles have all cards on one spot. `chance`
        tells one laying of a card from another.
        """
        straight = self.straight(name, slot)
        rng = np.random.default_rng([self._seed, chance, 77])
        loose = self._hasty
        dx, dy = rng.normal(0.0, loose.place_mm, 2)
        turn = rng.normal(0.0, loose.angle_deg)
        if rng.random() < loose.askew:
            turn += rng.choice([-1.0, 1.0]) * rng.uniform(2.0, 5.0) * loose.angle_deg
            dx, dy = 1.6 * dx, 1.6 * dy
        limit = 9.0
        x_mm = straight.centre_mm[0] + float(np.clip(dx, -limit, limit))
        y_mm = straight.centre_mm[1] + float(np.clip(dy, -limit, limit))
        return replace(straight, centre_mm=(x_mm, y_mm), angle_deg=straight.angle_deg + float(turn))

    def squared(self, base: TableCard, chance: int) -> TableCard:
        """Return a place on a squared pile that lies at `base`."""
        rng = np.random.default_rng([self._seed, chance, 78])
        dx, dy = rng.normal(0.0, self._hasty.squared_mm, 2)
        turn = float(rng.normal(0.0, 0.8 * self._hasty.squared_mm))
        at_mm = (base.centre_mm[0] + float(dx), base.centre_mm[1] + float(dy))
        return replace(base, centre_mm=at_mm, angle_deg=base.angle_deg + turn)

    def is_spread(self, name: str) -> bool:
        """Whether each card of the zone stays in sight."""
        return _kind(name) in _STEPS_MM and self._steps(name) != (0.0, 0.0)

    def straight(self, name: str, slot: int) -> TableCard:
        """Return the place of a slot before chance has its way."""
        zone = self.zone(name)
        step_x, step_y = self._steps(name)
        across_mm = along_mm = 0.0
        if step_y:
            along_mm = zone.h_mm / 2 - _HEAD_MM - CARD_H_MM / 2 - step_y * slot
            along_mm = max(along_mm, -zone.h_mm / 2 + CARD_H_MM / 2 - 4.0)
        elif step_x:
            across_mm = -zone.w_mm / 2 + 10.0 + CARD_W_MM / 2 + step_x * slot
            across_mm = min(across_mm, zone.w_mm / 2 - CARD_W_MM / 2)
        turn = radians(zone.angle_deg)
        x_mm = zone.center_mm[0] + across_mm * cos(turn) + along_mm * sin(turn)
        y_mm = zone.center_mm[1] - across_mm * sin(turn) + along_mm * cos(turn)
        return TableCard("", 0, (x_mm, y_mm), zone.angle_deg)

    def _steps(self, name: str) -> tuple[float, float]:
        """Return how far it is from card to card, to the right and towards the player."""
        zone, kind = self.zone(name), _kind(name)
        wanted_mm = _STEPS_MM.get(kind, 0.0)
        if not wanted_mm:
            return 0.0, 0.0
        if zone.h_mm > 1.5 * CARD_H_MM and zone.h_mm > zone.w_mm:
            cards = _COLUMN_CARDS.get(kind, 8)
            fits_mm = (zone.h_mm - _HEAD_MM - CARD_H_MM) / (cards - 1)
            return 0.0, float(np.clip(wanted_mm, _LEAST_STEP_MM, max(fits_mm, _LEAST_STEP_MM)))
        if zone.w_mm > 2.0 * CARD_W_MM:
            return min(wanted_mm, zone.w_mm / 2), 0.0
        return 0.0, 0.0

    def _free_zone(self, name: str) -> Zone:
        """Find room for a further pile beside its kind. Raises ScriptError."""
        stem, _, number = name.rpartition(".")
        kin = [zone for zone in self._zones.values() if zone.name.rpartition(".")[0] == stem]
        if not stem or not number.isdigit() or not kin:
            known = " ".join(sorted(self._zones)[:12])
            raise ScriptError(f"this table has no zone {name}; it has {known} ...")
        near = kin[-1]
        for x_mm, y_mm in self._by_distance(near.center_mm):
            free = Zone(name, (x_mm, y_mm), near.angle_deg, _FREE_W_MM, _FREE_H_MM)
            if not any(_overlap(free, other) for other in self._zones.values()):
                return free
        raise ScriptError(f"there is no room on this table for a further pile {name}")

    def _by_distance(self, near_mm: tuple[float, float]) -> list[tuple[float, float]]:
        width_mm, depth_mm = self._plan.table_mm
        xs = np.arange(_FREE_W_MM / 2, width_mm - _FREE_W_MM / 2, _FREE_STEP_MM)
        ys = np.arange(_FREE_H_MM / 2, depth_mm - _FREE_H_MM / 2, _FREE_STEP_MM)
        spots = [(float(x), float(y)) for x in xs for y in ys]
        return sorted(spots, key=lambda p: (p[0] - near_mm[0]) ** 2 + (p[1] - near_mm[1]) ** 2)


def _kind(name: str) -> str:
    """Return the word that says what a zone is for: `work` of `A.work.2`."""
    words = [word for word in name.split(".") if not word.isdigit() and not word.isupper()]
    return words[0] if words else name


def _extent_mm(zone: Zone) -> tuple[float, float]:
    lies_across = round(zone.angle_deg / 90.0) % 2 == 1
    return (zone.h_mm, zone.w_mm) if lies_across else (zone.w_mm, zone.h_mm)


def _overlap(a: Zone, b: Zone) -> bool:
    (aw, ah), (bw, bh) = _extent_mm(a), _extent_mm(b)
    return (
        abs(a.center_mm[0] - b.center_mm[0]) < (aw + bw) / 2
        and abs(a.center_mm[1] - b.center_mm[1]) < (ah + bh) / 2
    )
