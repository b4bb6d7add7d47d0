"""A report on A4 paper, as PDF."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from typing import Literal

from fpdf import FPDF
from fpdf.enums import MethodReturnValue

from referee.record.blocks import Block, Fold, Heading, Photos, Plot, Quote, Table, Text, Title
from referee.record.drawing import INK, Box, Drawing, Line, Mark, Shape, Words

MARGIN_MM = 16.0
WIDTH_MM = 210.0 - 2 * MARGIN_MM
FOOT_MM = 16.0
TEXT_PT, TABLE_PT, LINE_MM = 9.5, 8.5, 4.6
MM_PER_PT = 25.4 / 72
DARK, SOFT, FAINT = (27, 30, 35), (93, 100, 112), (217, 220, 226)
# Letters that stand for others where a reader's own fonts lack them.
SIGNS = str.maketrans(
    {"–": "-", "—": "-", "…": "...", "−": "-", "’": "'", "“": '"', "”": '"'}
    | {"♣": " of clubs", "♦": " of diamonds", "♥": " of hearts", "♠": " of spades"}
)


def plain(text: str) -> str:
    """Return text in the letters that every PDF reader's own fonts have, accents dropped if not."""
    text = text.translate(SIGNS)
    return "".join(_letter(letter) for letter in text)


def _letter(letter: str) -> str:
    if ord(letter) < 256:
        return letter if letter.isprintable() or letter == "\n" else " "
    bare = unicodedata.normalize("NFKD", letter).encode("latin-1", "ignore").decode("latin-1")
    return bare or "?"


class Paper(FPDF):
    """A4 pages with the report's name and the page's number at their foot."""

    def __init__(self, foot: str) -> None:
        """Begin without a page."""
        super().__init__(format="A4")
        self._foot = plain(foot)
        self.set_margins(MARGIN_MM, MARGIN_MM)
        self.set_auto_page_break(True, FOOT_MM)
        self.c_margin = 0
        self.set_creator("table-referee")

    def footer(self) -> None:
        """Write the foot of a page."""
        self.set_y(-12)
        self.set_font("Helvetica", "", 7)
        self.set_text_color(*SOFT)
        self.cell(WIDTH_MM / 2, 4, self._foot)
        self.cell(WIDTH_MM / 2, 4, f"{self.page_no()} / {{nb}}", align="R")


def report_pdf(blocks: Sequence[Block]) -> bytes:
    """Return the report as a PDF file."""
    title = next((block for block in blocks if isinstance(block, Title)), None)
    pdf = Paper(title.above if title else "match report")
    pdf.set_title(plain(title.text) if title else "match report")
    pdf.add_page()
    for block in blocks:
        _add(pdf, block)
    return bytes(pdf.output())


def _add(pdf: Paper, block: Block) -> None:
    match block:
        case Title():
            _words(pdf, block.above, 9, SOFT)
            _words(pdf, block.text, 20, DARK, bold=True)
            _words(pdf, block.below, 9.5, SOFT)
            pdf.ln(3)
        case Heading():
            _heading(pdf, block)
        case Text():
            size = 12.5 if block.strong else 8.5 if block.soft else TEXT_PT
            _words(pdf, block.text, size, SOFT if block.soft else DARK, bold=block.strong)
            pdf.ln(1)
        case Quote():
            _quote(pdf, block)
        case Table():
            _table(pdf, block)
        case Plot():
            _plot(pdf, block)
        case Photos():
            _photos(pdf, block)
        case Fold():
            _heading(pdf, Heading(block.title, small=True))
            _table(pdf, block.table)


def _words(
    pdf: Paper, text: str, size_pt: float, colour: tuple[int, int, int], bold: bool = False
) -> None:
    pdf.set_font("Helvetica", "B" if bold else "", size_pt)
    pdf.set_text_color(*colour)
    pdf.set_x(MARGIN_MM)
    pdf.multi_cell(WIDTH_MM, size_pt * MM_PER_PT * 1.35, plain(text), align="L")
    pdf.set_x(MARGIN_MM)


def _room(pdf: Paper, height_mm: float) -> None:
    """Go to a new page where so much does not fit any more."""
    if pdf.get_y() + height_mm > pdf.h - FOOT_MM:
        pdf.add_page()


def _heading(pdf: Paper, block: Heading) -> None:
    # A heading stays with what is below it.
    _room(pdf, 24 if block.small else 30)
    pdf.ln(2 if block.small else 4)
    if not block.small:
        pdf.set_draw_color(*FAINT)
        pdf.line(MARGIN_MM, pdf.get_y(), MARGIN_MM + WIDTH_MM, pdf.get_y())
        pdf.ln(2.5)
    _words(pdf, block.text, 10.5 if block.small else 13.5, DARK, bold=True)
    pdf.ln(1)


def _quote(pdf: Paper, block: Quote) -> None:
    top_mm = pdf.get_y()
    pdf.set_x(MARGIN_MM + 4)
    pdf.set_text_color(*DARK)
    pdf.set_font("Helvetica", "B", 8.5)
    pdf.cell(WIDTH_MM - 4, 4, plain(block.rule), new_x="LMARGIN", new_y="NEXT")
    pdf.set_x(MARGIN_MM + 4)
    pdf.set_font("Helvetica", "", TEXT_PT)
    pdf.multi_cell(WIDTH_MM - 4, LINE_MM, plain(block.norm), align="L")
    if pdf.get_y() > top_mm:
        pdf.set_draw_color(*FAINT)
        pdf.set_line_width(0.7)
        pdf.line(MARGIN_MM, top_mm, MARGIN_MM, pdf.get_y())
        pdf.set_line_width(0.2)
    pdf.ln(2)


def _table(pdf: Paper, block: Table) -> None:
    widths_mm = [WIDTH_MM * share / sum(block.wide) for share in block.wide]
    _row(pdf, block, block.head, widths_mm, head=True)
    for row in block.rows:
        _row(pdf, block, row, widths_mm, head=False)
    pdf.ln(2)


def _row(
    pdf: Paper, block: Table, cells: Sequence[str], widths_mm: Sequence[float], head: bool
) -> None:
    pdf.set_font("Helvetica", "B" if head else "", TABLE_PT)
    texts = [plain(cell) for cell in cells]
    height_mm = max(
        LINE_MM * len(_lines(pdf, text, width_mm - 2))
        for text, width_mm in zip(texts, widths_mm, strict=True)
    )
    if pdf.get_y() + height_mm + 1 > pdf.h - FOOT_MM:
        pdf.add_page()
        if not head:
            _row(pdf, block, block.head, widths_mm, head=True)
            pdf.set_font("Helvetica", "", TABLE_PT)
    pdf.set_text_color(*(SOFT if head else DARK))
    top_mm, x_mm = pdf.get_y(), MARGIN_MM
    for i, (text, width_mm) in enumerate(zip(texts, widths_mm, strict=True)):
        align: Literal["L", "R"] = "R" if i in block.numbers else "L"
        pdf.set_xy(x_mm, top_mm + 0.5)
        pdf.multi_cell(width_mm - 2, LINE_MM, text, align=align)
        x_mm += width_mm
    bottom_mm = top_mm + height_mm + 1
    pdf.set_draw_color(*FAINT)
    pdf.line(MARGIN_MM, bottom_mm, MARGIN_MM + WIDTH_MM, bottom_mm)
    pdf.set_xy(MARGIN_MM, bottom_mm)


def _lines(pdf: Paper, text: str, width_mm: float) -> list[str]:
    found = pdf.multi_cell(width_mm, LINE_MM, text, dry_run=True, output=MethodReturnValue.LINES)
    assert isinstance(found, list)
    return found or [""]


def _plot(pdf: Paper, block: Plot) -> None:
    mm_per_px = WIDTH_MM / block.drawing.w_px
    height_mm = block.drawing.h_px * mm_per_px
    _room(pdf, height_mm + 8)
    top_mm = pdf.get_y()
    _draw(pdf, block.drawing, MARGIN_MM, top_mm, mm_per_px)
    pdf.set_xy(MARGIN_MM, top_mm + height_mm + 1)
    if block.caption:
        _words(pdf, block.caption, 8, SOFT)
    pdf.ln(2)


def _draw(pdf: Paper, drawing: Drawing, x_mm: float, y_mm: float, mm_per_px: float) -> None:
    for mark in drawing.marks:
        _mark(pdf, mark, x_mm, y_mm, mm_per_px)
    pdf.set_line_width(0.2)


def _mark(pdf: Paper, mark: Mark, x_mm: float, y_mm: float, scale: float) -> None:
    match mark:
        case Line():
            pdf.set_draw_color(*_rgb(mark.colour))
            pdf.set_line_width(mark.width_px * scale)
            ends = (mark.x0_px, mark.y0_px, mark.x1_px, mark.y1_px)
            x0_mm, y0_mm, x1_mm, y1_mm = (value * scale for value in ends)
            pdf.line(x_mm + x0_mm, y_mm + y0_mm, x_mm + x1_mm, y_mm + y1_mm)
        case Box():
            pdf.set_fill_color(*_paler(_rgb(mark.colour), mark.clear))
            at = (x_mm + mark.x_px * scale, y_mm + mark.y_px * scale)
            pdf.rect(*at, mark.w_px * scale, mark.h_px * scale, style="F")
        case Shape():
            pdf.set_fill_color(*_rgb(mark.colour))
            points = [(x_mm + x * scale, y_mm + y * scale) for x, y in mark.points_px]
            pdf.polygon(points, style="F")
        case Words():
            _label(pdf, mark, x_mm, y_mm, scale)


def _label(pdf: Paper, mark: Words, x_mm: float, y_mm: float, scale: float) -> None:
    pdf.set_font("Helvetica", "B" if mark.bold else "", mark.size_px * scale / MM_PER_PT)
    pdf.set_text_color(*_rgb(mark.colour))
    text = plain(mark.text)
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor]
    pdf.text(
        x_mm + mark.x_px * scale - back * pdf.get_string_width(text), y_mm + mark.y_px * scale, text
    )


def _rgb(colour: str) -> tuple[int, int, int]:
    if colour == INK:
        return DARK
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _paler(rgb: tuple[int, int, int], clear: float) -> tuple[int, int, int]:
    red, green, blue = (round(value + (255 - value) * clear) for value in rgb)
    return red, green, blue


def _photos(pdf: Paper, block: Photos) -> None:
    count = max(2, len(block.photos))
    width_mm = (WIDTH_MM - 4 * (count - 1)) / count
    height_mm = width_mm * 9 / 16
    _room(pdf, height_mm + 8)
    top_mm = pdf.get_y()
    for i, photo in enumerate(block.photos):
        x_mm = MARGIN_MM + i * (width_mm + 4)
        shown = pdf.image(
            io.BytesIO(photo.jpeg), x_mm, top_mm, width_mm, height_mm, keep_aspect_ratio=True
        )
        if photo.drawing is not None:
            scale = shown.rendered_width / photo.drawing.w_px
            left_mm = x_mm + (width_mm - shown.rendered_width) / 2
            above_mm = top_mm + (height_mm - shown.rendered_height) / 2
            _draw(pdf, photo.drawing, left_mm, above_mm, scale)
        pdf.set_xy(x_mm, top_mm + height_mm + 0.5)
        pdf.set_font("Helvetica", "", 8)
        pdf.set_text_color(*SOFT)
        pdf.cell(width_mm, 4, plain(photo.caption))
    pdf.set_xy(MARGIN_MM, top_mm + height_mm + 7)
