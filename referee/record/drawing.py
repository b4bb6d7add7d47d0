"""Small drawings made of lines, boxes and words, for web pages (SVG) and for paper alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal

# The page's own ink: dark on light pages, light on dark ones.
INK = "ink"
GREY = "#8a8f98"
FAINT = "#d5d8dd"
RED = "#c2281d"
# After Okabe and Ito (2008): told apart with every kind of colour blindness.
SEAT_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#b8860b",
    "#56b4e9",
    "#7a5195",
    "#555555",
)
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x0_px: float
    y0_px: float
    x1_px: float
    y1_px: float
    colour: str = INK
    width_px: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; `clear` is how much of what lies beneath shows through, 0 to 1."""

    x_px: float
    y_px: float
    w_px: float
    h_px: float
    colour: str
    clear: float = 0.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled closed shape."""

    points_px: tuple[tuple[float, float], ...]
    colour: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text; `y_px` is its baseline."""

    x_px: float
    y_px: float
    text: str
    size_px: float = 12.0
    colour: str = INK
    anchor: Anchor = "start"
    bold: bool = False


Mark = Line | Box | Shape | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of a size, made of marks in their order. `says` tells it to those who hear it."""

    w_px: float
    h_px: float
    says: str
    marks: tuple[Mark, ...]


def svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG element to put into a page."""
    size = f"0 0 {drawing.w_px:g} {drawing.h_px:g}"
    inside = "".join(_svg_marks(drawing))
    says = escape(drawing.says, quote=True)
    return (
        f'<svg viewBox="{size}" width="{drawing.w_px:g}" height="{drawing.h_px:g}" role="img" '
        f'aria-label="{says}">{inside}</svg>'
    )


def _svg_marks(drawing: Drawing) -> Iterator[str]:
    for mark in drawing.marks:
        match mark:
            case Line():
                yield _svg_line(mark)
            case Box():
                yield (
                    f'<rect x="{mark.x_px:.1f}" y="{mark.y_px:.1f}" width="{mark.w_px:.1f}" '
                    f'height="{mark.h_px:.1f}" fill="{_colour(mark.colour)}" '
                    f'fill-opacity="{1 - mark.clear:.2f}"/>'
                )
            case Shape():
                points = " ".join(f"{x:.1f},{y:.1f}" for x, y in mark.points_px)
                yield f'<polygon points="{points}" fill="{_colour(mark.colour)}"/>'
            case Words():
                yield _svg_words(mark)


def _svg_line(line: Line) -> str:
    dashes = ' stroke-dasharray="3 3"' if line.dashed else ""
    return (
        f'<line x1="{line.x0_px:.1f}" y1="{line.y0_px:.1f}" x2="{line.x1_px:.1f}" '
        f'y2="{line.y1_px:.1f}" stroke="{_colour(line.colour)}" '
        f'stroke-width="{line.width_px:g}"{dashes}/>'
    )


def _svg_words(words: Words) -> str:
    weight = ' font-weight="600"' if words.bold else ""
    return (
        f'<text x="{words.x_px:.1f}" y="{words.y_px:.1f}" font-size="{words.size_px:g}" '
        f'text-anchor="{words.anchor}" fill="{_colour(words.colour)}"{weight}>'
        f"{escape(words.text)}</text>"
    )


def _colour(name: str) -> str:
    return "currentColor" if name == INK else name
