"""How hands move: speed profiles of reaching, carrying and striking, and how long they take."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

Point = tuple[float, float]

CARRY, REACH, STRIKE, STAY = "carry", "reach", "strike", "stay"

_FASTEST_MM_S = 1900.0
"""Mean speed of the fastest reach over a table: its peak is 15/8 of it, 3.6 m/s, what practised
cup stackers reach."""
_EASY_MM_S = 800.0
_FASTEST_S, _EASY_S = 0.09, 0.24
_TURN_FASTEST_S, _TURN_EASY_S = 0.09, 0.16


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a hand's working point is at one time, and how it goes on from there.

    `way` is the profile of the leg to the next stop, `rise_mm` how high its arc goes.
    """

    t_s: float
    at_mm: Point
    height_mm: float
    grip: str = "pinch"
    way: str = REACH
    rise_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A hand at one moment."""

    at_mm: Point
    height_mm: float
    grip: str
    still: bool


def eased(share: float) -> float:
    """Minimum-jerk travel (Flash and Hogan, 1985): share of the way after a share of the time."""
    u = min(max(share, 0.0), 1.0)
    return u**3 * (10 - 15 * u + 6 * u * u)


def apart_mm(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def between(a: Point, b: Point, way: float) -> Point:
    """Return the point at a share of the way."""
    return a[0] + (b[0] - a[0]) * way, a[1] + (b[1] - a[1]) * way


def fastest_s(way_mm: float, turning: bool = False) -> float:
    """The least time a hand needs for a way; nobody turns a card over faster."""
    return _FASTEST_S + way_mm / _FASTEST_MM_S + (_TURN_FASTEST_S if turning else 0.0)


def easy_s(way_mm: float, turning: bool = False) -> float:
    """The time that a hand takes for a way when nothing presses."""
    return _EASY_S + way_mm / _EASY_MM_S + (_TURN_EASY_S if turning else 0.0)


def lowering(share: float) -> float:
    """Height of an arc over its chord, 0 at both ends and 1 in the middle, flat at the end.

    Carried cards touch down before they come to rest, so the last tenth is a slide.
    """
    u = min(max(share / 0.9, 0.0), 1.0)
    return float((4 * u * (1 - u)) ** 1.2)


def along(stops: tuple[Stop, ...], t_s: float) -> Whereabouts:
    """Return where a hand is at a time; before the first and after the last stop it stays."""
    k = bisect_right(stops, t_s, key=lambda stop: stop.t_s)
    if k == 0 or k == len(stops):
        end = stops[0] if k == 0 else stops[-1]
        return Whereabouts(end.at_mm, end.height_mm, end.grip, True)
    a, b = stops[k - 1], stops[k]
    if a.way == STAY or b.t_s <= a.t_s:
        return Whereabouts(a.at_mm, a.height_mm, a.grip, True)
    share = (t_s - a.t_s) / (b.t_s - a.t_s)
    if a.way == STRIKE:
        return _striking(a, b, share)
    way = eased(share)
    bump = lowering(share) if a.way == CARRY else 4 * share * (1 - share)
    height_mm = a.height_mm + (b.height_mm - a.height_mm) * way + a.rise_mm * bump
    # A hand opens or closes on its way, not before it moves.
    grip = a.grip if share < 0.35 else b.grip
    return Whereabouts(between(a.at_mm, b.at_mm, way), height_mm, grip, False)


def _striking(a: Stop, b: Stop, share: float) -> Whereabouts:
    """A slap: it gathers speed until the hand hits, and stops there at once."""
    way = share**2.2
    # The hand is over the spot before it is down: the last third is a blow from above.
    fall = share**3
    height_mm = a.height_mm + (b.height_mm - a.height_mm) * fall + a.rise_mm * share * (1 - fall)
    return Whereabouts(between(a.at_mm, b.at_mm, way), height_mm, b.grip, False)
