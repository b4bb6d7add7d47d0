"""Paper and tiles: how a drawing larger than a page is cut into pages that are glued together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from fpdf import FPDF

from referee.commands import BadInput
from referee.values import PointMm

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
FULL = "full"
UNPRINTED_MM = 8.0
"""What printers leave white at the edges of a page."""
OVERLAP_MM = 10.0
"""The strip of a sheet that its neighbour is glued upon."""
SHIFTS = 8
CREATOR = "table-referee"

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in mm, y up."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One sheet: its column from the left, its row from the far edge, and what it shows."""

    column: int
    row: int
    box_mm: Box

    @property
    def name(self) -> str:
        """Letter of the column and number of the row: A1 is the far left sheet."""
        return f"{chr(ord('A') + self.column)}{self.row + 1}"


@dataclass(frozen=True, slots=True)
class Tiling:
    """The sheets of a drawing: the page's size, turned or not, and the tiles."""

    page_mm: tuple[float, float]
    tiles: tuple[Tile, ...]


def tiling(size_mm: tuple[float, float], paper: str, keep_whole: Sequence[Box]) -> Tiling:
    """Cut a drawing into as few sheets as can be, with few cuts through what is kept whole."""
    tall = PAPERS_MM[paper]
    ways = [_tiles(size_mm, page_mm, keep_whole) for page_mm in (tall, tall[::-1])]
    return min(ways, key=lambda way: (len(way.tiles), _cuts(way.tiles, keep_whole)))


def _tiles(
    size_mm: tuple[float, float], page_mm: tuple[float, float], keep_whole: Sequence[Box]
) -> Tiling:
    shown = [side - 2 * UNPRINTED_MM for side in page_mm]
    counts = [
        max(1, ceil((whole - OVERLAP_MM) / (part - OVERLAP_MM)))
        for whole, part in zip(size_mm, shown, strict=True)
    ]
    spare = [
        count * (part - OVERLAP_MM) + OVERLAP_MM - whole
        for count, part, whole in zip(counts, shown, size_mm, strict=True)
    ]
    ways = []
    for across in range(SHIFTS + 1):
        for down in range(SHIFTS + 1):
            x0_mm, y1_mm = -spare[0] * across / SHIFTS, size_mm[1] + spare[1] * down / SHIFTS
            ways.append(_laid(x0_mm, y1_mm, counts, shown))
    return Tiling(page_mm, min(ways, key=lambda tiles: _cuts(tiles, keep_whole)))


def _laid(x0_mm: float, y1_mm: float, counts: list[int], shown: list[float]) -> tuple[Tile, ...]:
    tiles = []
    for row in range(counts[1]):
        for column in range(counts[0]):
            left_mm = x0_mm + column * (shown[0] - OVERLAP_MM)
            top_mm = y1_mm - row * (shown[1] - OVERLAP_MM)
            box = (left_mm, top_mm - shown[1], left_mm + shown[0], top_mm)
            tiles.append(Tile(column, row, box))
    return tuple(tiles)


def _cuts(tiles: Sequence[Tile], keep_whole: Sequence[Box]) -> int:
    """Return how many boxes lie whole on no sheet."""
    return sum(not any(_holds(tile.box_mm, box) for tile in tiles) for box in keep_whole)


def _holds(outer: Box, inner: Box) -> bool:
    low = outer[0] <= inner[0] and outer[1] <= inner[1]
    return low and outer[2] >= inner[2] and outer[3] >= inner[3]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page to draw on in table millimetres, y up: `left_mm`, `top_mm` is the page's corner."""

    pdf: FPDF
    left_mm: float
    top_mm: float

    def place(self, at_mm: PointMm) -> PointMm:
        """Return where a table point lies on the page."""
        return at_mm[0] - self.left_mm, self.top_mm - at_mm[1]

    def polygon(self, corners_mm: Sequence[PointMm], style: str) -> None:
        """Draw a polygon; `style` is D (line), F (filled) or DF."""
        self.pdf.polygon([self.place(corner) for corner in corners_mm], style=style)

    def words(self, at_mm: PointMm, text: str, angle_deg: float, size_pt: float) -> None:
        """Write a line about a point, turned clockwise."""
        x_mm, y_mm = self.place(at_mm)
        self.pdf.set_font("Helvetica", "", size_pt)
        half_mm = self.pdf.get_string_width(text) / 2
        with self.pdf.rotation(-angle_deg, x_mm, y_mm):
            self.pdf.text(x_mm - half_mm, y_mm + size_pt * 0.12, text)


def new_pdf(title: str) -> FPDF:
    """Return an empty PDF in millimetres."""
    pdf = FPDF(unit="mm", format="A4")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    pdf.set_title(title)
    pdf.set_creator(CREATOR)
    return pdf


def write_pdf(pdf: FPDF, name: str) -> None:
    """Write a PDF. Raises BadInput."""
    try:
        Path(name).write_bytes(bytes(pdf.output()))
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be written'}") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None


def draw_tiles(pdf: FPDF, way: Tiling, draw: Callable[[Sheet], None]) -> None:
    """Draw each tile on a page of its own, with the lines to cut and to glue along."""
    last_column = max(tile.column for tile in way.tiles)
    for tile in way.tiles:
        pdf.add_page(format=way.page_mm)
        sheet = Sheet(pdf, tile.box_mm[0] - UNPRINTED_MM, tile.box_mm[3] + UNPRINTED_MM)
        w_mm, h_mm = (side - 2 * UNPRINTED_MM for side in way.page_mm)
        with pdf.rect_clip(UNPRINTED_MM, UNPRINTED_MM, w_mm, h_mm):
            draw(sheet)
        _cut_lines(pdf, way.page_mm, right=tile.column < last_column, down=_below(way, tile))
        pdf.set_font("Helvetica", "", 7)
        pdf.set_text_color(90, 90, 90)
        pdf.text(UNPRINTED_MM + 12, UNPRINTED_MM - 2.5, f"{tile.name}  print at 100 %")


def _below(way: Tiling, tile: Tile) -> bool:
    return tile.row < max(other.row for other in way.tiles)


def _cut_lines(pdf: FPDF, page_mm: tuple[float, float], *, right: bool, down: bool) -> None:
    """Draw marks where to cut, and dashed where the neighbour's cut edge comes to lie."""
    w_mm, h_mm = page_mm
    near, far_x, far_y = UNPRINTED_MM, w_mm - UNPRINTED_MM, h_mm - UNPRINTED_MM
    pdf.set_draw_color(60, 60, 60)
    pdf.set_line_width(0.15)
    for x_mm in (near, far_x):
        pdf.line(x_mm, 0, x_mm, near - 1)
        pdf.line(x_mm, far_y + 1, x_mm, h_mm)
    for y_mm in (near, far_y):
        pdf.line(0, y_mm, near - 1, y_mm)
        pdf.line(far_x + 1, y_mm, w_mm, y_mm)
    pdf.set_draw_color(150, 150, 150)
    pdf.set_dash_pattern(dash=2, gap=2)
    if right:
        pdf.line(far_x - OVERLAP_MM, near, far_x - OVERLAP_MM, far_y)
    if down:
        pdf.line(near, far_y - OVERLAP_MM, far_x, far_y - OVERLAP_MM)
    pdf.set_dash_pattern()
