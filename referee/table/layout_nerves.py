"""Nerves on the table: two staircases, and the line of rest and playing piles between them."""

from __future__ import annotations

from referee.table.layout_blocks import CARD_H_MM, CELL_H_MM, CELL_W_MM, Block, Middle, Spot
from referee.table.layout_ring import ring_plan
from referee.values import TablePlan, Zone

COLUMNS = (7, 1, 2, 3, 4, 5, 6)
"""From the player's left: the five piles of the arrangement before him, and at either end one of
the two further piles that re-arranging may need."""

FAN_MM = 20.0
"""The edge that a covered card of a column shows; printed indices are 15 to 20 mm high."""

HAND_STRIP_MM = 105.0
"""Before the columns: the pile of the set-up with a palm on either side of it."""
PALM_MM = 130.0

COLUMN_MM = CARD_H_MM + 4 * FAN_MM + 12
"""Five cards and 6 mm to either side."""

SPOT_MM, MID_MM = 78.0, 104.0
"""In the middle line the deck, the spot to slap (a flat hand) and the cut-off half."""

SPREADS = (("arr", "down", FAN_MM),)
FOR_HANDS = ("mid", "side")
UNDRAWN = ()


def plan(seats: tuple[str, ...]) -> TablePlan:
    """Return the table of two players."""
    return ring_plan("nerves", seats, _block(), _middle(*seats))


def _block() -> Block:
    palm_x_mm = (CELL_W_MM + PALM_MM) / 2
    strip_mm = HAND_STRIP_MM / 2
    spots = [
        Spot("side.L", -palm_x_mm, strip_mm, PALM_MM, HAND_STRIP_MM),
        Spot("pile", 0.0, strip_mm, CELL_W_MM, HAND_STRIP_MM),
        Spot("side.R", palm_x_mm, strip_mm, PALM_MM, HAND_STRIP_MM),
    ]
    for place, number in enumerate(COLUMNS):
        x_mm = (place - (len(COLUMNS) - 1) / 2) * CELL_W_MM
        y_mm = HAND_STRIP_MM + COLUMN_MM / 2
        spots.append(Spot(f"arr.{number}", x_mm, y_mm, CELL_W_MM, COLUMN_MM))
    return Block(len(COLUMNS) * CELL_W_MM, HAND_STRIP_MM + COLUMN_MM, tuple(spots))


def _middle(south: str, north: str) -> Middle:
    """Lay the middle line from A's left to right; each rest pile is at its owner's right."""
    line = (
        (f"{north}.rest", 180.0, CELL_W_MM),
        (f"play.{north}", 180.0, CELL_W_MM),
        ("deck", 0.0, SPOT_MM),
        ("mid", 0.0, MID_MM),
        ("cut.1", 0.0, SPOT_MM),
        (f"play.{south}", 0.0, CELL_W_MM),
        (f"{south}.rest", 0.0, CELL_W_MM),
    )
    width_mm = sum(w_mm for _, _, w_mm in line)
    zones, x_mm = [], -width_mm / 2
    for name, angle_deg, w_mm in line:
        zones.append(Zone(name, (x_mm + w_mm / 2, 0.0), angle_deg, w_mm, CELL_H_MM))
        x_mm += w_mm
    return Middle(width_mm, CELL_H_MM, tuple(zones))
