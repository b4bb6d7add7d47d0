"""Things that lie about on tables: cups, phones and keys, drawn on the sheet beside the game."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.patches import filled, window_about
from referee.simulate.shapes import Colour, ellipse, rounded_box
from referee.simulate.view import Light, to_linear

THINGS = ("cup", "phone", "keys")
REACH_MM = {"cup": 58.0, "phone": 84.0, "keys": 46.0}
"""How far each reaches from its middle."""

_HEIGHT_MM = {"cup": 60.0, "phone": 8.0, "keys": 4.0}

Path = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing on the table. Raises ValueError for a kind that nobody knows how to draw."""

    kind: str
    at_mm: tuple[float, float]
    angle_deg: float
    colour: Colour

    def __post_init__(self) -> None:
        if self.kind not in THINGS:
            raise ValueError(f"there is no {self.kind!r} to lay on the table; use one of {THINGS}")


def draw_thing(
    sheet: Light, thing: Thing, corner_mm: tuple[float, float], px_per_mm: float
) -> None:
    """Draw a thing and its shadow into the sheet (its upper left corner at `corner_mm`)."""
    turn = np.radians(-thing.angle_deg)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])

    def placed(path_mm: Path) -> Path:
        there = path_mm @ spin + thing.at_mm - np.array(corner_mm)
        return np.asarray(there * (px_per_mm, -px_per_mm))

    away = int(_HEIGHT_MM[thing.kind] * 0.3 * px_per_mm)
    for path, colour, solid in _parts(thing):
        outline = placed(path)
        window = window_about(outline, 3.0 * away + 12.0, sheet.shape)
        if window.empty:
            continue
        cover = filled(outline, window, 1).astype(np.float32) / 255.0
        piece = sheet[window.area]
        if solid:
            move = np.array([[1.0, 0.0, away], [0.0, 1.0, away]])
            cast = cv2.warpAffine(cover, move, window.size)
            soft = cv2.GaussianBlur(cast, (0, 0), 1.5 + away / 2)
            piece *= 1 - 0.6 * soft[..., None]
        ink = to_linear(np.array([[colour]], dtype=np.uint8))
        piece += (ink - piece) * cover[..., None]


def _parts(thing: Thing) -> list[tuple[Path, Colour, bool]]:
    """Outlines in mm about the middle, their colours, and which of them throw a shadow."""
    dark: Colour = (30, 26, 24)
    paler = tuple(min(255.0, 40 + 0.9 * v) for v in thing.colour)
    pale: Colour = (paler[0], paler[1], paler[2])
    if thing.kind == "cup":
        handle = np.concatenate([ellipse(48, 0, 16, 13), ellipse(48, 0, 9, 6)[::-1]])
        return [
            (handle, thing.colour, True), (ellipse(0, 0, 41, 41), thing.colour, True),
            (ellipse(0, 0, 37, 37), pale, False), (ellipse(1.5, -1.5, 34, 34), (34, 52, 84), False),
        ]  # fmt: skip
    if thing.kind == "phone":
        return [
            (rounded_box(76, 158, 11) - (38, 79), thing.colour, True),
            (rounded_box(69, 146, 6) - (34.5, 73), dark, False),
        ]
    ring = np.concatenate([ellipse(0, 0, 15, 15), ellipse(0, 0, 12, 12)[::-1]])
    metal: Colour = (150, 160, 164)
    keys: list[tuple[Path, Colour, bool]] = [(ring, metal, True)]
    for angle in (-0.5, 0.1, 0.7):
        spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        head, blade = ellipse(22, 0, 10, 9), rounded_box(26, 6, 2) + np.array([28.0, -3.0])
        keys += [(head @ spin, metal, True), (blade @ spin, pale, True)]
    return keys
