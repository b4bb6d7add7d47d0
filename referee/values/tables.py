"""The table as a plan in millimetres: zones, markers and seats, and how a camera sees it.

Table coordinates: origin at the table's corner nearest player A's left hand, x along A's edge to
A's right, y away from A; seen from above with A at the bottom, y points up. Angles turn clockwise
as seen from above; an upright card at angle 0 has its top towards +y.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.matches import Setting

PointMm = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Zone:
    """A named spot for cards: a rectangle about `center_mm`, `w_mm` wide and `h_mm` high.

    `angle_deg` turns the rectangle, and the upright card in it, clockwise.
    """

    name: str
    center_mm: PointMm
    angle_deg: float
    w_mm: float
    h_mm: float


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed square marker: `corners_mm` clockwise from its upper left one as printed."""

    id: int
    dictionary: str
    corners_mm: tuple[PointMm, PointMm, PointMm, PointMm]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player sits: `edge` is south, north, west or east of the table (south is A's)."""

    seat: str
    edge: str
    center_mm: PointMm


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A game's table for certain players: `table_mm` is its width and depth.

    `options` are the house's, by which cards lie or come otherwise.
    """

    game: str
    table_mm: tuple[float, float]
    zones: tuple[Zone, ...]
    seats: tuple[Place, ...]
    markers: tuple[Marker, ...] = ()
    options: tuple[Setting, ...] = ()
