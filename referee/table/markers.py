"""The printed markers: which ids belong to which game's table, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.values import Marker, TablePlan

DICTIONARY = "DICT_5X5_250"
"""250 markers of 5 x 5 fields, at least six fields apart: enough ids that each game and number of
players has its own, and two wrong fields are mended without taking one for another. With 4 x 4
fields a dictionary that large is only three fields apart."""

MARKER_MM = 36.0
"""A marker's edge: seven fields of 5 mm, which are 5 pixels each where a table is seen with
1 pixel a millimetre, the least that a card can be read at."""

QUIET_MM = 9.0
"""White paper about a marker, wider than one of its fields."""

MARKER_CELL_MM = MARKER_MM + 2 * QUIET_MM

BLOCK_IDS = 10
"""Ids that each table has for itself."""

# The numbers of players that each game is laid out for. The order gives the ids, so that a mat
# once printed stays right: new games go to the end.
SIZES = (
    ("nerves", (2,)),
    ("xix", (2,)),
    ("spy", (2, 3, 4, 5, 6)),
    ("nerds", (2, 3, 4, 5, 6, 7, 8)),
    ("nertz", (2, 3, 4, 5, 6, 7, 8)),
)
TABLES = tuple((game, players) for game, sizes in SIZES for players in sizes)
ANY_FIRST = 210
"""First of the ids that are no game's own: cut out once, laid on a bare table for any game."""


def markers_at(
    game: str, players: int, middles_mm: Sequence[tuple[float, float]]
) -> tuple[Marker, ...]:
    """Return a table's markers with their middles at the given points, upright for seat A."""
    assert len(middles_mm) <= BLOCK_IDS
    first = TABLES.index((game, players)) * BLOCK_IDS
    return tuple(marker_at(first + number, at_mm) for number, at_mm in enumerate(middles_mm))


def marker_at(marker_id: int, middle_mm: tuple[float, float]) -> Marker:
    """Return the marker of that id with its middle at a point of the table."""
    x_mm, y_mm = middle_mm
    half_mm = MARKER_MM / 2
    return Marker(
        marker_id,
        DICTIONARY,
        (
            (x_mm - half_mm, y_mm + half_mm),
            (x_mm + half_mm, y_mm + half_mm),
            (x_mm + half_mm, y_mm - half_mm),
            (x_mm - half_mm, y_mm - half_mm),
        ),
    )


def table_of_marker(marker_id: int) -> tuple[str, int] | None:
    """Return the game and number of players that a marker's id belongs to, None if to none."""
    number = marker_id // BLOCK_IDS
    return TABLES[number] if 0 <= number < len(TABLES) else None


def is_for_any_game(marker_id: int) -> bool:
    """Return whether a marker's id is of those that serve every game."""
    return ANY_FIRST <= marker_id < ANY_FIRST + BLOCK_IDS


def with_any_markers(plan: TablePlan) -> TablePlan:
    """Return a table with the markers that serve every game, in the places of its own.

    Their ids, the last block, begin at 210: a new game's table comes after them.
    """
    markers = (replace(one, id=ANY_FIRST + n) for n, one in enumerate(plan.markers))
    return replace(plan, markers=tuple(markers))
