"""Spy vs. Spy on the table: each player's square of piles with its stack, deck and asides."""

from __future__ import annotations

from referee.table.layout_blocks import CELL_H_MM, CELL_W_MM, Block, Middle, Spot
from referee.table.layout_ring import ring_plan
from referee.values import TablePlan

COLUMNS = 6
MIDDLE_MM = 24.0
"""Between the players' piles, so that nobody's card lies on a line with another's."""

# Far and near row from the player's left: the square, the fifth and sixth pile beside it, then
# what is drawn from, at the right hand. The rules' own figure has the stack in a third row above
# the square; two rows make the table a third less deep and the cards as much larger to see. The
# seventh pile is no part of the rules: it is where a card that opens one comes to lie.
ROWS = (
    ("pile.1", "pile.2", "pile.5", "stack", "pile.7"),
    ("pile.3", "pile.4", "pile.6", "deck", "waste"),
)
SPREADS = (("aside", "down", 24.0),)
FOR_HANDS = ()
UNDRAWN = ("pile.7",)


def plan(seats: tuple[str, ...]) -> TablePlan:
    """Return the table of two to six players."""
    return ring_plan("spy", seats, _block(), Middle(0.0, MIDDLE_MM, ()))


def _block() -> Block:
    spots = [
        Spot(part, _column_mm(column), CELL_H_MM * (1.5 - row))
        for row, parts in enumerate(ROWS)
        for column, part in enumerate(parts)
    ]
    # Open cards that fitted nowhere: up to five, one below the other.
    spots.append(Spot("aside", _column_mm(COLUMNS - 1), CELL_H_MM, CELL_W_MM, 2 * CELL_H_MM))
    return Block(COLUMNS * CELL_W_MM, 2 * CELL_H_MM, tuple(spots))


def _column_mm(column: int) -> float:
    return (column - (COLUMNS - 1) / 2) * CELL_W_MM
