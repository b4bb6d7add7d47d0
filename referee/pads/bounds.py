"""Which straight lines run between points: the set behind a guaranteed bound on a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]


class NoLine(Exception):
    """No straight line of an allowed slope runs between the points."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What all lines between the points have in common: their values at an x, and their slopes."""

    low: float
    high: float
    least_slope: float
    most_slope: float


def extent(below: Sequence[Point], above: Sequence[Point], x: float, most_slope: float) -> Extent:
    """Return the ends of the values at `x`, and of the slopes, of all lines between the points.

    A line lies over every point of `below` and under every point of `above` (each at least one)
    and its slope is at most `most_slope` either way. The lines form a convex polygon in the plane
    of slope and value: for a slope `s` the value at `x` is at most `min(y + s (x - x_above))` and
    at least `max(y + s (x - x_below))`. Both are piecewise linear in `s` and break only at the
    slopes of the points' convex hulls, so that the ends are found exactly. Raises NoLine.
    """
    roof, floor = _lower_hull(above), _mirrored(_lower_hull(_mirrored(below)))
    slopes = {-most_slope, most_slope, *_edge_slopes(roof), *_edge_slopes(floor)}
    spans = [
        (s, max(y + s * (x - px) for px, y in floor), min(y + s * (x - px) for px, y in roof))
        for s in sorted(s for s in slopes if abs(s) <= most_slope)
    ]
    kept = [span for span in spans if span[1] <= span[2]]
    if not kept:
        raise NoLine
    kept += _ends(spans)
    found, lows, highs = zip(*kept, strict=True)
    return Extent(min(lows), max(highs), min(found), max(found))


def _ends(spans: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Return where the polygon closes between two neighbouring slopes."""
    ends = []
    for (s_a, low_a, high_a), (s_b, low_b, high_b) in pairwise(spans):
        room_a, room_b = high_a - low_a, high_b - low_b
        if (room_a < 0) != (room_b < 0):
            share = room_a / (room_a - room_b)
            value = low_a + share * (low_b - low_a)
            ends.append((s_a + share * (s_b - s_a), value, value))
    return ends


def _mirrored(points: Iterable[Point]) -> list[Point]:
    return [(x, -y) for x, y in points]


def _edge_slopes(hull: list[Point]) -> list[float]:
    return [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in pairwise(hull)]


def _lower_hull(points: Iterable[Point]) -> list[Point]:
    """Return the lower convex hull from left to right (Andrew's monotone chain)."""
    hull: list[Point] = []
    for x, y in sorted(points):
        if hull and hull[-1][0] == x:
            continue
        while len(hull) > 1 and _turns_down(hull[-2], hull[-1], (x, y)):
            hull.pop()
        hull.append((x, y))
    return hull


def _turns_down(a: Point, b: Point, c: Point) -> bool:
    """Return whether b lies on or above the line from a to c."""
    return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])
