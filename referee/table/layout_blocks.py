"""What layouts are made of: spots before a seat, turned to the table's edge the seat is at."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from referee.values import Place, Zone

CARD_W_MM, CARD_H_MM = 63.0, 88.0
"""A poker-sized card, the larger of the common sizes (bridge: 57 x 88)."""

CELL_W_MM, CELL_H_MM = 85.0, 108.0
"""A spot for one pile: a card laid 10 mm off lies wholly inside, one laid 40 mm off has its
middle inside. 85 mm because seven cells are what the widest game needs on a 600 mm mat."""

EDGE_MM = 6.0
"""From the table's edge to the nearest spot."""

ANGLE_DEG = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}
"""How far an upright card of each edge's player is turned, clockwise as seen from above."""

PointMm = tuple[float, float]


class LayoutError(Exception):
    """No such table can be laid out; the message is one line: what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A zone as its player sees it: `x_mm` to his right of his middle, `y_mm` away from the edge.

    `part` is the zone's name without the seat.
    """

    part: str
    x_mm: float
    y_mm: float
    w_mm: float = CELL_W_MM
    h_mm: float = CELL_H_MM


@dataclass(frozen=True, slots=True)
class Block:
    """All spots of one player: `w_mm` along the edge, `h_mm` deep."""

    w_mm: float
    h_mm: float
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Middle:
    """The common ground between the players: its zones about (0, 0), moved to the table's middle.

    `h_mm` of depth is kept free of the players' blocks.
    """

    w_mm: float
    h_mm: float
    zones: tuple[Zone, ...]


def seat_point(place: Place, x_mm: float, y_mm: float) -> PointMm:
    """Return the table point of one given as its player sees it (see Spot)."""
    turn = radians(ANGLE_DEG[place.edge])
    return (
        place.center_mm[0] + x_mm * cos(turn) + y_mm * sin(turn),
        place.center_mm[1] - x_mm * sin(turn) + y_mm * cos(turn),
    )


def seat_zones(place: Place, block: Block) -> tuple[Zone, ...]:
    """Return a player's zones on the table."""
    return tuple(
        Zone(
            f"{place.seat}.{spot.part}",
            _rounded(seat_point(place, spot.x_mm, spot.y_mm + EDGE_MM)),
            ANGLE_DEG[place.edge],
            spot.w_mm,
            spot.h_mm,
        )
        for spot in block.spots
    )


def from_zone(zone: Zone, x_mm: float, y_mm: float) -> PointMm:
    """Return the table point `x_mm` right of and `y_mm` above the middle of a zone as it is read.

    Right and above are those of the upright card in the zone.
    """
    turn = radians(zone.angle_deg)
    return _rounded(
        (
            zone.center_mm[0] + x_mm * cos(turn) + y_mm * sin(turn),
            zone.center_mm[1] - x_mm * sin(turn) + y_mm * cos(turn),
        )
    )


def in_zone(zone: Zone, at_mm: PointMm) -> PointMm:
    """Return where a table point lies in a zone: right of and above its middle (mm)."""
    turn = radians(zone.angle_deg)
    dx_mm, dy_mm = at_mm[0] - zone.center_mm[0], at_mm[1] - zone.center_mm[1]
    return dx_mm * cos(turn) - dy_mm * sin(turn), dx_mm * sin(turn) + dy_mm * cos(turn)


def zone_corners_mm(zone: Zone) -> tuple[PointMm, PointMm, PointMm, PointMm]:
    """Return a zone's corners clockwise from the upper left one of the upright card in it."""
    x_mm, y_mm = zone.w_mm / 2, zone.h_mm / 2
    return (
        from_zone(zone, -x_mm, y_mm),
        from_zone(zone, x_mm, y_mm),
        from_zone(zone, x_mm, -y_mm),
        from_zone(zone, -x_mm, -y_mm),
    )


def _rounded(at_mm: PointMm) -> PointMm:
    # Sines of right angles leave dust in the fifteenth digit, which would stand in every file.
    return round(at_mm[0], 3) + 0.0, round(at_mm[1], 3) + 0.0
