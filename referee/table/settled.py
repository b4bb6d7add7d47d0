"""The table at one look, as far as it is believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.values import PointMm
from referee.values.spots import Spot


def _in_view(at_mm: PointMm) -> bool:
    return False


def _always_shown(at_mm: PointMm, angle_deg: float) -> bool:
    return True


def _never_stirs(at_mm: PointMm, angle_deg: float) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class Settled:
    """The table as far as it is believed at `t_ns`.

    `stirred_ns` tells when something last moved over a zone, `covered` whether a hand hides a
    place now, `shown` whether what lies at a card's place was seen, free of hands, since anything
    moved there, `stirring` how much of that place moved since the last look, 0 to 1, `glimpsed`
    whether a card was read at a place, believed already or only when the hand over it has left.
    """

    t_ns: int
    spots: tuple[Spot, ...]
    stirred_ns: Callable[[str], int]
    covered: Callable[[PointMm], bool] = _in_view
    shown: Callable[[PointMm, float], bool] = _always_shown
    stirring: Callable[[PointMm, float], float] = _never_stirs
    glimpsed: Callable[[PointMm], bool] = _in_view
