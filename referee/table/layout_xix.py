"""XIX on the table: the talon and the middle between two open rows."""

from __future__ import annotations

from referee.table.layout_blocks import CELL_W_MM, Block, Middle, Spot
from referee.table.layout_ring import ring_plan
from referee.values import TablePlan, Zone

ROW_W_MM, ROW_H_MM = 7 * CELL_W_MM, 118.0
TALON = 5

# An open row shows seven cards beside each other. The middle takes the ten of an exchange: 50 mm
# from card to card show all of the index and most of the face.
SPREADS = (("open", "right", 85.0), ("mid", "right", 56.0))
FOR_HANDS = ()
UNDRAWN = ()


def plan(seats: tuple[str, ...]) -> TablePlan:
    """Return the table of two players."""
    row = Spot("open", 0.0, ROW_H_MM / 2, ROW_W_MM, ROW_H_MM)
    block = Block(ROW_W_MM, ROW_H_MM, (row,))
    return ring_plan("xix", seats, block, _middle())


def _middle() -> Middle:
    """Lay the talon with the deck at A's left and the unused card at the right, then the middle."""
    names = ("deck", *(f"talon.{number}" for number in range(1, TALON + 1)), "unused")
    zones = [
        Zone(name, ((number - 3) * CELL_W_MM, ROW_H_MM / 2), 0.0, CELL_W_MM, ROW_H_MM)
        for number, name in enumerate(names)
    ]
    zones.append(Zone("mid", (0.0, -ROW_H_MM / 2), 0.0, ROW_W_MM, ROW_H_MM))
    return Middle(ROW_W_MM, 2 * ROW_H_MM, tuple(zones))
