"""How cards are shuffled: packets chopped, riffled, washed or cut, as flights and hand stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.simulate.motion import Point
from referee.simulate.scene import TableCard

_LIFT_MM = 58.0
_APART_MM = 42.0
_CHOP_S = 0.24
_WASH_MM = 95.0


@dataclass(frozen=True, slots=True)
class Leg:
    """Card number `card` of the packet goes from one place to the next."""

    card: int
    from_s: float
    until_s: float
    start: TableCard
    goal: TableCard
    rise_mm: float


@dataclass(frozen=True, slots=True)
class HandStep:
    """Where both hands are at a time: `aside_mm` from the packet's middle, `back_mm` behind it."""

    t_s: float
    aside_mm: float
    back_mm: float
    height_mm: float

    def at(self, centre: Point, home: Point, side: float) -> Point:
        """Return the place of the right (side 1) or left (-1) hand of a player at `home`."""
        dx, dy = home[0] - centre[0], home[1] - centre[1]
        length = max(1.0, (dx * dx + dy * dy) ** 0.5)
        back = (dx / length, dy / length)
        right = (-back[1], back[0])
        return (
            centre[0] + back[0] * self.back_mm + right[0] * side * self.aside_mm,
            centre[1] + back[1] * self.back_mm + right[1] * side * self.aside_mm,
        )


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A whole shuffle."""

    legs: tuple[Leg, ...]
    hands: tuple[HandStep, ...]


def shuffle_steps(
    way: str, starts: Sequence[TableCard], from_s: float, until_s: float, seed: int
) -> Shuffle:
    """Return how a packet is shuffled between two times; it ends where it began."""
    rng = np.random.default_rng(seed)
    if way == "wash":
        stations = _washed(starts, rng)
    elif way == "cut":
        stations = _cut(starts)
    else:
        count = max(2, min(9, int((until_s - from_s) / _CHOP_S) - 1))
        stations = _chopped(starts, count, way == "riffle")
    times = np.linspace(from_s, until_s, len(stations) + 2)
    legs = [
        Leg(k, float(a), float(b), start, goal, 4.0)
        for a, b, before, after in zip(
            times, times[1:], [list(starts), *stations], [*stations, list(starts)], strict=False
        )
        for k, (start, goal) in enumerate(zip(before, after, strict=True))
    ]
    flat = way in ("wash", "cut")
    hands = [HandStep(float(times[0]), 30.0, 22.0, 12.0)]
    for k, t_s in enumerate(times[1:-1]):
        aside_mm = 52.0 if k % 2 == 0 else 34.0
        height_mm = 12.0 if flat else _LIFT_MM + (14.0 if k % 2 else 4.0)
        hands.append(HandStep(float(t_s), aside_mm, 20.0 + 6.0 * (k % 2), height_mm))
    hands.append(HandStep(float(times[-1]), 30.0, 22.0, 12.0))
    return Shuffle(tuple(legs), tuple(hands))


def _moved(card: TableCard, right_mm: float, along_mm: float, height_mm: float) -> TableCard:
    """Return a card shifted as its own upright sees it."""
    turn = np.radians(card.angle_deg)
    x_mm = card.centre_mm[0] + right_mm * np.cos(turn) + along_mm * np.sin(turn)
    y_mm = card.centre_mm[1] - right_mm * np.sin(turn) + along_mm * np.cos(turn)
    return replace(card, centre_mm=(float(x_mm), float(y_mm)), height_mm=height_mm)


def _chopped(starts: Sequence[TableCard], count: int, riffle: bool) -> list[list[TableCard]]:
    """Packets in two hands: apart and together again, `count` times."""
    half = len(starts) // 2
    stations = []
    for k in range(count):
        apart_mm = _APART_MM if k % 2 == 0 else 6.0
        station = []
        for n, card in enumerate(starts):
            side = 1.0 if n >= half else -1.0
            if riffle and k % 2 == 1:
                side = 1.0 if n % 2 else -1.0
            station.append(_moved(card, side * apart_mm, 4.0 * side, _LIFT_MM + 0.3 * n))
        stations.append(station)
    return stations


def _cut(starts: Sequence[TableCard]) -> list[list[TableCard]]:
    """The upper half goes aside, the lower half on top of it, and the pile back."""
    half = len(starts) // 2
    aside = [
        _moved(card, 74.0, 0.0, 0.3 * (n - half + 1)) if n >= half else card
        for n, card in enumerate(starts)
    ]
    joined = [
        _moved(card, 74.0, 0.0, 0.3 * (n + len(starts) - half)) if n < half else aside[n]
        for n, card in enumerate(starts)
    ]
    return [aside, joined]


def _washed(starts: Sequence[TableCard], rng: np.random.Generator) -> list[list[TableCard]]:
    """Cards are spread face down and stirred three times."""
    stations = []
    for _ in range(3):
        station = []
        for n, card in enumerate(starts):
            right_mm, along_mm = rng.normal(0.0, _WASH_MM / 2, 2)
            spun = replace(card, angle_deg=card.angle_deg + float(rng.uniform(-70, 70)))
            station.append(_moved(spun, float(right_mm), float(along_mm), 0.3 * (n + 1)))
        stations.append(station)
    return stations
