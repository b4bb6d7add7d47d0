"""Nertz on the table: work stacks before each player, foundations in the common middle."""

from __future__ import annotations

from referee.table.layout_blocks import CELL_H_MM, CELL_W_MM, Block, Middle, Spot
from referee.table.layout_ring import ring_plan
from referee.values import TablePlan, Zone

WORKS = 4
COLUMNS = 6
FAN_MM = 18.0
"""From card to card of a work stack: shows rank and suit of the covered ones."""
WORK_MM = 296.0
"""King to two, twelve cards, lie wholly inside; an ace upon them has its middle inside."""

SPREADS = (("work", "down", FAN_MM),)
FOR_HANDS = ()
UNDRAWN = ()


def plan(seats: tuple[str, ...], game: str = "nertz") -> TablePlan:
    """Return the table of two to eight players."""
    return ring_plan(game, seats, _block(), _middle(len(seats)))


def _block() -> Block:
    spots = [
        Spot(f"work.{n + 1}", _column_mm(n), WORK_MM / 2, CELL_W_MM, WORK_MM) for n in range(WORKS)
    ]
    far_mm, near_mm = WORK_MM - CELL_H_MM / 2, CELL_H_MM / 2
    spots.append(Spot("nerts", _column_mm(WORKS), far_mm))
    spots.append(Spot("stock", _column_mm(WORKS), near_mm))
    spots.append(Spot("waste", _column_mm(WORKS + 1), near_mm))
    return Block(COLUMNS * CELL_W_MM, WORK_MM, tuple(spots))


def _column_mm(column: int) -> float:
    return (column - (COLUMNS - 1) / 2) * CELL_W_MM


def _middle(players: int) -> Middle:
    """Lay four foundations a player: one row for two players, two rows for more.

    With two rows all are in reach of players who sit two or three abreast.
    """
    rows = 1 if players == 2 else 2
    columns = 4 * players // rows
    zones = []
    for number in range(4 * players):
        row, column = divmod(number, columns)
        x_mm = (column - (columns - 1) / 2) * CELL_W_MM
        y_mm = ((rows - 1) / 2 - row) * CELL_H_MM
        zones.append(Zone(f"F.{number + 1}", (x_mm, y_mm), 0.0, CELL_W_MM, CELL_H_MM))
    return Middle(columns * CELL_W_MM, rows * CELL_H_MM, tuple(zones))
