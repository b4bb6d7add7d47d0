"""The backs of the product's own decks: nine designs told apart by pattern and by colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.simulate.shapes import Canvas, Colour, ellipse, outline

Grid = NDArray[np.float64]

_BORDER_MM = 3.6
_EDGE_MM = 0.08
"""Half the softness of a printed edge: below a tenth of a millimetre it looks cut."""


@dataclass(frozen=True, slots=True)
class BackDesign:
    """One back: its name, ink, second ink, paper, and the pattern (share of ink at x, y in mm)."""

    name: str
    ink: Colour
    accent: Colour
    paper: Colour
    pattern: Callable[[Grid, Grid], Grid]


def _below(value: Grid, limit: float, slope: float) -> Grid:
    # A soft step: 1 where value < limit; `slope` is how fast value changes a millimetre.
    return np.clip(0.5 + (limit - value) / (2 * _EDGE_MM * slope), 0.0, 1.0)


def _lattice(x: Grid, y: Grid) -> Grid:
    a, b = (x + y) / 3.4, (x - y) / 3.4
    stripe = np.minimum(np.abs(a - np.round(a)), np.abs(b - np.round(b)))
    dot = np.hypot(a - np.floor(a) - 0.5, b - np.floor(b) - 0.5)
    return 1.0 - np.maximum(_below(stripe, 0.10, 0.42), _below(dot, 0.16, 0.42))


def _scales(x: Grid, y: Grid) -> Grid:
    row = np.floor(y / 2.6)
    cover = np.zeros_like(x)
    for back in (1.0, 0.0):
        centre_x = (np.floor(x / 5.2 - ((row + back) % 2) / 2) + 0.5 + ((row + back) % 2) / 2) * 5.2
        reach = np.hypot(x - centre_x, (y - (row - back) * 2.6) * 1.0)
        ring = np.abs(reach - np.round(reach / 1.15) * 1.15)
        inside = reach < 2.72
        cover = np.where(inside, 1.0 - _below(ring, 0.17, 1.0), cover)
    return cover


def _rosette(x: Grid, y: Grid) -> Grid:
    reach, turn = np.hypot(x, y), np.arctan2(y, x)
    petal = np.sin(8 * turn) * 1.6 * np.cos(reach / 6.5) + reach
    wave = np.abs(petal / 3.1 - np.round(petal / 3.1))
    spokes = np.abs(np.sin(16 * turn)) * np.clip(reach / 14.0, 0.2, 1.0)
    lines = np.maximum(_below(wave, 0.13, 0.4), _below(spokes, 0.10, 0.5) * (wave > 0.3))
    return np.asarray(1.0 - lines)


def _chevrons(x: Grid, y: Grid) -> Grid:
    fold = np.abs(x / 9.0 - np.round(x / 9.0)) * 9.0
    height = (y - fold * 0.9) / 4.2
    stripe = np.abs(height - np.round(height))
    return _below(stripe, 0.27, 0.32)


def _hexagons(x: Grid, y: Grid) -> Grid:
    size = 5.4
    best = np.full_like(x, 1e9)
    second = np.full_like(x, 1e9)
    step_y = size * np.sqrt(3) / 2
    row = np.round(y / step_y)
    for offset in (-1.0, 0.0, 1.0):
        shift = ((row + offset) % 2) / 2
        column = np.round(x / size - shift)
        for side in (-1.0, 0.0, 1.0):
            reach = np.hypot(x - (column + side + shift) * size, y - (row + offset) * step_y)
            second = np.minimum(second, np.maximum(best, reach))
            best = np.minimum(best, reach)
    wall, star = second - best, np.abs(best - 1.15)
    return 1.0 - np.maximum(_below(wall, 0.75, 1.6), _below(star, 0.24, 1.0))


def _waves(x: Grid, y: Grid) -> Grid:
    height = (y + 1.5 * np.sin(x * 2 * np.pi / 10.58)) / 2.35
    stripe = np.abs(height - np.round(height))
    weight = 0.20 + 0.09 * np.cos(x * 2 * np.pi / 10.58)
    return 1.0 - np.clip(0.5 + (weight - stripe) / 0.075, 0.0, 1.0)


def _sunburst(x: Grid, y: Grid) -> Grid:
    reach, turn = np.hypot(x, y), np.arctan2(y, x)
    ray = np.abs(np.sin(turn * 18))
    circle = np.abs(reach / 7.0 - np.round(reach / 7.0))
    beam = _below(ray, 0.42, 1.0 / 1.5)
    return np.where(np.floor(reach / 7.0 + 0.5) % 2 == 0, beam, 1 - beam) * (
        1 - _below(circle, 0.06, 0.14)
    )


def _weave(x: Grid, y: Grid) -> Grid:
    size = 4.4
    across = np.floor(x / size) + np.floor(y / size)
    u, v = x / size - np.floor(x / size), y / size - np.floor(y / size)
    strand = np.where(across % 2 == 0, u, v)
    lines = np.abs(strand * 3 - np.round(strand * 3))
    return 1.0 - _below(lines, 0.17, 0.68)


def _vines(x: Grid, y: Grid) -> Grid:
    size = 8.8
    row = np.floor(y / size)
    u = x / size - np.floor(x / size + 0.5 * (row % 2)) + 0.5 * (row % 2) - 0.5
    v = y / size - row - 0.5
    turn = np.arctan2(v, u) * np.where((np.floor(x / size + 0.5 * (row % 2)) + row) % 2 == 0, 1, -1)
    reach = np.hypot(u, v) * size
    coil = np.abs((reach - turn / (2 * np.pi) * 1.9) / 1.9)
    curl = np.abs(coil - np.round(coil))
    leaf = np.hypot(np.abs(u) - 0.42, np.abs(v) - 0.42) * size
    return 1.0 - np.maximum(_below(curl, 0.17, 0.53) * (reach < 3.9), _below(leaf, 0.85, 1.0))


_CREAM: Colour = (238, 247, 250)

DESIGNS: tuple[BackDesign, ...] = (
    BackDesign("red lattice", (44, 34, 178), (40, 26, 120), _CREAM, _lattice),
    BackDesign("blue vines", (146, 72, 26), (104, 46, 14), _CREAM, _vines),
    BackDesign("green scales", (76, 112, 22), (52, 78, 10), _CREAM, _scales),
    BackDesign("purple rosette", (138, 52, 106), (98, 30, 72), _CREAM, _rosette),
    BackDesign("orange chevrons", (30, 122, 236), (20, 84, 190), _CREAM, _chevrons),
    BackDesign("black sunburst", (38, 32, 30), (96, 178, 214), (110, 188, 222), _sunburst),
    BackDesign("teal waves", (150, 146, 20), (104, 100, 6), _CREAM, _waves),
    BackDesign("grey weave", (98, 90, 84), (58, 52, 48), (232, 234, 234), _weave),
    BackDesign("yellow hexagons", (44, 190, 240), (24, 130, 200), (250, 252, 253), _hexagons),
)
"""The backs in the order in which decks take them."""


def design(name: str) -> BackDesign:
    """Return the back of that name. Raises ValueError with the names there are."""
    for candidate in DESIGNS:
        if candidate.name == name:
            return candidate
    names = ", ".join(candidate.name for candidate in DESIGNS)
    raise ValueError(f"there is no back {name!r}; choose one of: {names}")


def draw_back_on(canvas: Canvas, back: BackDesign, width_mm: float, height_mm: float) -> None:
    """Print a back: white border, rule, pattern and a medallion, the same turned by 180 degrees."""
    x_mm, y_mm = canvas.positions_mm()
    x_mm, y_mm = x_mm - width_mm / 2, y_mm - height_mm / 2
    inside = np.minimum(
        width_mm / 2 - _BORDER_MM - np.abs(x_mm), height_mm / 2 - _BORDER_MM - np.abs(y_mm)
    )
    field = _below(-inside, 0.0, 1.0)
    canvas.tint(field, back.paper)
    canvas.tint(field * back.pattern(x_mm, y_mm), back.ink)
    canvas.tint(field * _below(inside, 1.5, 1.0), back.ink)
    canvas.tint(_below(np.abs(inside - 0.75), 0.16, 1.0), back.paper)
    canvas.turned_onto_itself()
    _medallion(canvas, back, width_mm / 2, height_mm / 2)


def _medallion(canvas: Canvas, back: BackDesign, x_mm: float, y_mm: float) -> None:
    for radius_mm, colour in ((8.6, back.paper), (8.1, back.accent), (7.3, back.paper)):
        canvas.fill((ellipse(x_mm, y_mm, radius_mm, radius_mm),), colour)
    for turn in np.arange(0.0, 2 * np.pi, np.pi / 6):
        along, across = (
            np.array([np.cos(turn), np.sin(turn)]),
            np.array([-np.sin(turn), np.cos(turn)]),
        )
        petal = [along * 1.7, along * 4.4 + across * 1.05, along * 6.6, along * 4.4 - across * 1.05]
        canvas.fill((outline([(x_mm + p[0], y_mm + p[1]) for p in petal]),), back.ink)
    canvas.fill((ellipse(x_mm, y_mm, 1.25, 1.25),), back.accent)
