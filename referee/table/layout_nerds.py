"""Nerds on the table: laid out as Nertz is, with markers of its own."""

from __future__ import annotations

from referee.table import layout_nertz
from referee.values import TablePlan

SPREADS = layout_nertz.SPREADS
FOR_HANDS = layout_nertz.FOR_HANDS
UNDRAWN = layout_nertz.UNDRAWN


def plan(seats: tuple[str, ...]) -> TablePlan:
    """Return the table of two to eight players."""
    return layout_nertz.plan(seats, "nerds")
