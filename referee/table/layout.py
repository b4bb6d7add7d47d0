"""The games' tables in millimetres: `plan` for a game and its seats, and the names of spots."""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from math import dist
from types import ModuleType

from referee.table.layout_blocks import (
    CARD_H_MM,
    CARD_W_MM,
    LayoutError,
    from_zone,
    in_zone,
    zone_corners_mm,
)
from referee.table.markers import SIZES
from referee.values import Place, PointMm, TablePlan, Zone

__all__ = [
    "OFF_TABLE",
    "Lay",
    "LayoutError",
    "area_of",
    "from_zone",
    "in_zone",
    "is_drawn",
    "is_for_hands",
    "lay_of",
    "layout_games",
    "name_of_free_pile",
    "nearest_seat",
    "pixels_a_mm",
    "plan",
    "zone_at",
    "zone_corners_mm",
]

SEAT = re.compile(r"[A-Z]")
MARGIN_MM = 6.0
"""From a spread zone's end to its first card."""

# The zones of the rules that are in hands: no spot on the table, so in no plan.
OFF_TABLE = (("held", ("nerves", "spy")), ("closed", ("xix",)))

# Games in which a pile found off the spots gets a name: the part before its number, the first
# number, and whether it is common to all players.
FREE_PILES = (
    ("nerves", "arr", 6, False),
    ("spy", "pile", 5, False),
    ("nerds", "F", 1, True),
    ("nertz", "F", 1, True),
)


@dataclass(frozen=True, slots=True)
class Lay:
    """How cards lie in a zone: the first one's middle, and the step from each card to the next.

    `cards` is how many lie inside the zone; a step of (0, 0) is a squared pile. The first card is
    the lowest, the others lie upon it.
    """

    first_mm: PointMm
    step_mm: PointMm
    cards: int


def layout_games() -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the games that have a layout, each with its numbers of players."""
    return SIZES


def plan(game: str, seats: Sequence[str]) -> TablePlan:
    """Return the table of a game for its players, in the order they sit, clockwise from A.

    Raises LayoutError where the game has no layout for so many, or a seat is no capital letter.
    """
    sizes = dict(SIZES).get(game)
    if sizes is None:
        known = ", ".join(name for name, _ in SIZES)
        raise LayoutError(f"'{game[:40]}' has no table layout; known: {known}")
    for seat in seats:
        if not SEAT.fullmatch(seat):
            raise LayoutError(f"'{seat[:40]}' is no seat; seats are capital letters, like A,B")
    if len(set(seats)) != len(seats):
        raise LayoutError(f"a seat stands twice in {','.join(seats)[:80]}; each player has one")
    if len(seats) not in sizes:
        most = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        raise LayoutError(f"{game} has a table for {most} players, not for {len(seats)}")
    made = _module(game).plan(tuple(seats))
    assert isinstance(made, TablePlan)
    return made


def _module(game: str) -> ModuleType:
    # One file a game; only the game that is asked for is imported.
    return importlib.import_module(f"referee.table.layout_{game}")


def lay_of(table: TablePlan, zone: Zone) -> Lay:
    """Return how cards are laid in a zone: squared, or spread towards the player or to the right.

    Lying so, covered cards show the edge with their index.
    """
    for part, way, step_mm in _module(table.game).SPREADS:
        if part in _parts(zone.name):
            return _spread_lay(zone, way, step_mm)
    return Lay(zone.center_mm, (0.0, 0.0), 1)


def _spread_lay(zone: Zone, way: str, step_mm: float) -> Lay:
    if way == "down":
        across_mm, down_mm = 0.0, zone.h_mm / 2 - CARD_H_MM / 2 - MARGIN_MM
        step, room_mm = (0.0, -step_mm), zone.h_mm - CARD_H_MM
    else:
        across_mm, down_mm = CARD_W_MM / 2 + MARGIN_MM - zone.w_mm / 2, 0.0
        step, room_mm = (step_mm, 0.0), zone.w_mm - CARD_W_MM
    first = from_zone(zone, across_mm, down_mm)
    second = from_zone(zone, across_mm + step[0], down_mm + step[1])
    step_table_mm = (round(second[0] - first[0], 3), round(second[1] - first[1], 3))
    return Lay(first, step_table_mm, 1 + int((room_mm - MARGIN_MM) // step_mm))


def is_for_hands(table: TablePlan, zone: Zone) -> bool:
    """Return whether a zone takes a hand and never a card: palms, the spot between the piles."""
    parts = _parts(zone.name)
    return any(part in parts for part in _module(table.game).FOR_HANDS)


def is_drawn(table: TablePlan, zone: Zone) -> bool:
    """Return whether a mat shows a zone: not where only a card against the rules comes to lie."""
    return zone.name.partition(".")[2] not in _module(table.game).UNDRAWN


def _parts(name: str) -> tuple[str, ...]:
    """Return the words of a zone's name that say what it is: `A.arr.1` is (A, arr)."""
    return tuple(word for word in name.split(".") if not word.isdigit())


def zone_at(table: TablePlan, at_mm: PointMm) -> Zone | None:
    """Return the zone that holds a point; None where it lies in none."""
    for zone in table.zones:
        x_mm, y_mm = in_zone(zone, at_mm)
        if abs(x_mm) <= zone.w_mm / 2 and abs(y_mm) <= zone.h_mm / 2:
            return zone
    return None


def nearest_seat(table: TablePlan, at_mm: PointMm) -> Place:
    """Return the player whose own zones come nearest to a point."""
    return min(table.seats, key=lambda place: _distance_mm(table, place.seat, at_mm))


def _distance_mm(table: TablePlan, seat: str, at_mm: PointMm) -> float:
    return min(_outside_mm(zone, at_mm) for zone in table.zones if zone.name.startswith(f"{seat}."))


def _outside_mm(zone: Zone, at_mm: PointMm) -> float:
    x_mm, y_mm = in_zone(zone, at_mm)
    over = (max(0.0, abs(x_mm) - zone.w_mm / 2), max(0.0, abs(y_mm) - zone.h_mm / 2))
    return dist(over, (0.0, 0.0))


def area_of(table: TablePlan, part: str = "F") -> Zone | None:
    """Return the common area in which foundations may lie anywhere, None where there is none.

    It is the rectangle about all zones of that name, and is called `common` (catalogue 4(a)).
    """
    spots = [zone for zone in table.zones if _is_numbered(zone, part)]
    if not spots:
        return None
    corners = [corner for zone in spots for corner in zone_corners_mm(zone)]
    x0_mm, x1_mm = min(c[0] for c in corners), max(c[0] for c in corners)
    y0_mm, y1_mm = min(c[1] for c in corners), max(c[1] for c in corners)
    middle = ((x0_mm + x1_mm) / 2, (y0_mm + y1_mm) / 2)
    return Zone("common", middle, 0.0, x1_mm - x0_mm, y1_mm - y0_mm)


def _is_numbered(zone: Zone, part: str) -> bool:
    """Whether a zone is one of the numbered spots of a part: `F.1`, not seat F's `F.work.1`."""
    name, _, number = zone.name.partition(".")
    return name == part and number.isdigit()


def name_of_free_pile(table: TablePlan, at_mm: PointMm, taken: Collection[str]) -> str | None:
    """Return the zone name of a new pile that lies off the spots, or on one already in use.

    `taken` are the names in use. In the common area (nerds, nertz) it is the nearest foundation
    spot that is free, and with all spots in use the next number. Before a player it is his next
    further pile: `P.arr.6` and up in Nerves, `P.pile.5` and up in Spy vs. Spy. None where the
    game knows no such pile: the cards are tracked, and belong to no zone.
    """
    for game, part, first, common in FREE_PILES:
        if game != table.game:
            continue
        if not common:
            seat = nearest_seat(table, at_mm).seat
            return _next_name(f"{seat}.{part}", first, taken)
        area = area_of(table, part)
        if area is None or _outside_mm(area, at_mm) > CARD_H_MM / 2:
            return None
        spots = [z for z in table.zones if _is_numbered(z, part) and z.name not in taken]
        if spots:
            return min(spots, key=lambda zone: dist(zone.center_mm, at_mm)).name
        return _next_name(part, first, taken)
    return None


def _next_name(stem: str, first: int, taken: Collection[str]) -> str:
    return next(f"{stem}.{n}" for n in count(first) if f"{stem}.{n}" not in taken)


def pixels_a_mm(table: TablePlan, size_px: tuple[int, int]) -> float:
    """Return how large a picture of `size_px` (width, height) shows a table that just fills it."""
    return min(size_px[0] / table.table_mm[0], size_px[1] / table.table_mm[1])
