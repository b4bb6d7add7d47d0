"""Seats round a table: who sits at which edge, and how large the table gets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from referee.table.layout_blocks import EDGE_MM, Block, Middle, PointMm, seat_zones
from referee.table.markers import MARKER_CELL_MM, markers_at
from referee.values import Place, TablePlan

# Seats at the south, north, west and east edge for a number of players. Long edges fill first:
# a wide table fits the 16:9 of cameras, and everybody reaches the middle.
EDGES = {
    2: (1, 1, 0, 0),
    3: (1, 2, 0, 0),
    4: (2, 2, 0, 0),
    5: (2, 2, 0, 1),
    6: (2, 2, 1, 1),
    7: (3, 2, 1, 1),
    8: (3, 3, 1, 1),
}
SIDE_MARKERS = 5
"""Markers along a short edge where nobody sits: arms come from the long edges."""
MOST_MARKERS = 10


@dataclass(frozen=True, slots=True)
class Ring:
    """A table's measures: the row of seats begins at `left_mm` and is `row_w_mm` wide."""

    table_mm: tuple[float, float]
    left_mm: float
    row_w_mm: float
    block: Block
    edges: tuple[int, int, int, int]


def ring_plan(game: str, seats: tuple[str, ...], block: Block, middle: Middle) -> TablePlan:
    """Return the table of players who all have the same block before them.

    Seats go clockwise as seen from above, beginning with the leftmost of the south edge, whose
    left hand is nearest the table's origin.
    """
    ring = _ring(len(seats), block, middle)
    places = _places(seats, ring)
    zones = [zone for place in places for zone in seat_zones(place, block)]
    middle_mm = (ring.left_mm + ring.row_w_mm / 2, ring.table_mm[1] / 2)
    for zone in middle.zones:
        at_mm = (zone.center_mm[0] + middle_mm[0], zone.center_mm[1] + middle_mm[1])
        zones.append(replace(zone, center_mm=at_mm))
    markers = markers_at(game, len(seats), _marker_spots(ring))
    return TablePlan(game, ring.table_mm, tuple(zones), places, markers)


def _ring(players: int, block: Block, middle: Middle) -> Ring:
    south, north, west, east = edges = EDGES[players]
    most = max(south, north)
    row_w_mm = max(most * block.w_mm + (most - 1) * MARKER_CELL_MM, middle.w_mm)
    left_mm, right_mm = (
        block.h_mm + 2 * EDGE_MM if end else MARKER_CELL_MM for end in (west, east)
    )
    depth_mm = 2 * block.h_mm + middle.h_mm
    if west or east:
        # Room for markers in the corners beside a player at the end.
        depth_mm = max(depth_mm, block.w_mm + 2 * MARKER_CELL_MM)
    table_mm = (left_mm + row_w_mm + right_mm, depth_mm + 2 * EDGE_MM)
    return Ring(table_mm, left_mm, row_w_mm, block, edges)


def _places(seats: tuple[str, ...], ring: Ring) -> tuple[Place, ...]:
    """Seat the players clockwise: A, the west end, north, the east end, south from the right."""
    south, north, west, east = ring.edges
    w_mm, h_mm = ring.table_mm
    spots = [("south", (x_mm, 0.0)) for x_mm in _along(ring, south)]
    order = spots[:1]
    order += [("west", (0.0, h_mm / 2))] * west
    order += [("north", (x_mm, h_mm)) for x_mm in _along(ring, north)]
    order += [("east", (w_mm, h_mm / 2))] * east
    order += spots[:0:-1]
    return tuple(Place(seat, edge, at_mm) for seat, (edge, at_mm) in zip(seats, order, strict=True))


def _along(ring: Ring, count: int) -> list[float]:
    """Return the x of the middles of `count` seats in a row, left to right."""
    pitch_mm = ring.block.w_mm + MARKER_CELL_MM
    middle_mm = ring.left_mm + ring.row_w_mm / 2
    return [middle_mm + (number - (count - 1) / 2) * pitch_mm for number in range(count)]


def _marker_spots(ring: Ring) -> tuple[PointMm, ...]:
    """Return the middles of the markers: short edges, corners, and between neighbours."""
    south, north, west, east = ring.edges
    w_mm, h_mm = ring.table_mm
    near_mm = MARKER_CELL_MM / 2
    row_end_mm = ring.left_mm + ring.row_w_mm
    ends = [(near_mm, ring.left_mm - near_mm, west), (w_mm - near_mm, row_end_mm + near_mm, east)]
    gaps = [(x_mm, near_mm) for x_mm in _gaps(ring, south)]
    gaps += [(x_mm, h_mm - near_mm) for x_mm in _gaps(ring, north)]
    outer: list[PointMm] = []
    inner: list[PointMm] = []
    for x_mm, inner_mm, end in ends:
        count = 2 if end else SIDE_MARKERS if not gaps else SIDE_MARKERS - 1
        step_mm = (h_mm - 2 * near_mm) / (count - 1)
        outer += [(x_mm, near_mm + number * step_mm) for number in range(count)]
        if end:
            inner += [(inner_mm, near_mm), (inner_mm, h_mm - near_mm)]
    spots = outer + gaps
    return tuple(spots + inner if len(spots + inner) <= MOST_MARKERS else spots)


def _gaps(ring: Ring, count: int) -> list[float]:
    """Return the x of the middles between neighbours at a long edge."""
    at_mm = _along(ring, count)
    return [(one + other) / 2 for one, other in pairwise(at_mm)]
