"""The printed rule sheet: two columns on A4, every rule with its number, in printed order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from referee.rulebook import Game, Option, Rule

PAGE_MM = (210.0, 297.0)
MARGIN_MM = 12.0
GAP_MM = 7.0
HEAD_MM = 20.0
FOOT_MM = 12.0
COLUMN_MM = (PAGE_MM[0] - 2 * MARGIN_MM - GAP_MM) / 2
NUMBER_MM = 21.0
TEXT_PT, LINE_MM = 7.8, 3.3
HEADING_PT, HEADING_MM = 9.5, 4.6
INK, GREY, GREEN = (20, 20, 20), (120, 120, 120), (24, 92, 60)
LEGEND = (
    "Grey: not watched, for nobody can see it from above, or a permission or definition, of"
    " which no ruling comes. Below a rule: what puts a fault right, (ours) where print is silent."
)


@dataclass(slots=True)
class Column:
    """Where the next line goes: page after page, two columns each."""

    pdf: FPDF
    title: str
    left: bool = True
    y_mm: float = field(default=PAGE_MM[1])

    @property
    def x_mm(self) -> float:
        """The left edge of the column."""
        return MARGIN_MM if self.left else MARGIN_MM + COLUMN_MM + GAP_MM

    def room(self, height_mm: float) -> None:
        """Go to the next column where so much does not fit into this one."""
        if self.y_mm + height_mm <= PAGE_MM[1] - MARGIN_MM - FOOT_MM:
            return
        if self.pdf.page_no() and self.left:
            self.left = False
        else:
            self.pdf.add_page()
            _head(self.pdf, self.title)
            self.left = True
        self.y_mm = HEAD_MM + MARGIN_MM


def rule_sheet(game: Game[Any]) -> FPDF:
    """Return the sheet of a game, not yet written anywhere."""
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(False)
    pdf.c_margin = 0
    pdf.set_title(f"{game.title}: the rules")
    pdf.set_creator("table-referee")
    column = Column(pdf, game.title)
    heading = ""
    for rule in game.rules.values():
        if game.heading_of(rule) != heading:
            heading = game.heading_of(rule)
            _heading(column, heading)
        _rule(column, game, rule)
    house = [option for option in game.options if not option.name.startswith("race.")]
    if house:
        _heading(column, "House options (first value: the default)")
    for option in house:
        _entry(column, plain(option.name), _values(option), INK)
    for page in range(1, pdf.pages_count + 1):
        pdf.page = page
        _foot(pdf, page, pdf.pages_count)
    return pdf


def _head(pdf: FPDF, title: str) -> None:
    pdf.set_xy(MARGIN_MM, MARGIN_MM)
    pdf.set_font("Helvetica", "B", 20)
    pdf.set_text_color(*GREEN)
    pdf.cell(0, 9, plain(title))
    pdf.set_xy(MARGIN_MM, MARGIN_MM + 10)
    pdf.set_font("Helvetica", "", 6.8)
    pdf.set_text_color(*GREY)
    pdf.cell(0, 4, LEGEND)
    pdf.set_draw_color(*GREEN)
    pdf.line(MARGIN_MM, MARGIN_MM + 15, PAGE_MM[0] - MARGIN_MM, MARGIN_MM + 15)


def _foot(pdf: FPDF, page: int, pages: int) -> None:
    pdf.set_xy(MARGIN_MM, PAGE_MM[1] - MARGIN_MM - 4)
    pdf.set_font("Helvetica", "", 7)
    pdf.set_text_color(*GREY)
    pdf.cell(PAGE_MM[0] - 2 * MARGIN_MM, 4, f"{page} / {pages}", align="R")


def _heading(column: Column, text: str) -> None:
    # A heading stays with the rule below it.
    column.room(HEADING_MM + 4 * LINE_MM)
    column.pdf.set_xy(column.x_mm, column.y_mm + 1.2)
    column.pdf.set_font("Helvetica", "B", HEADING_PT)
    column.pdf.set_text_color(*GREEN)
    column.pdf.cell(COLUMN_MM, HEADING_MM, plain(text))
    column.y_mm += HEADING_MM + 1.8


def _rule(column: Column, game: Game[Any], rule: Rule[Any]) -> None:
    number = rule.id.removeprefix(f"{game.prefix}-")
    text = plain(rule.norm)
    if rule.remedy and not rule.because:
        whose = "" if rule.remedy_source == "seed" else " (ours)"
        text += f"\n__{plain(rule.remedy)}{whose}__"
    _entry(column, number, text, GREY if rule.because else INK)


def _entry(column: Column, number: str, text: str, colour: tuple[int, int, int]) -> None:
    pdf = column.pdf
    parts = list(_parts(text))
    if not pdf.page_no():
        column.room(PAGE_MM[1])
    heights = [_height_mm(pdf, part, style) for part, style in parts]
    column.room(sum(heights) + 1)
    pdf.set_text_color(*colour)
    pdf.set_xy(column.x_mm, column.y_mm)
    _number(pdf, number)
    for (part, style), height_mm in zip(parts, heights, strict=True):
        pdf.set_xy(column.x_mm + NUMBER_MM, column.y_mm)
        pdf.set_font("Helvetica", style, TEXT_PT)
        pdf.set_text_color(*(GREY if style else colour))
        _lines(pdf, part)
        column.y_mm += height_mm
    column.y_mm += 1


def _number(pdf: FPDF, text: str) -> None:
    """Write a rule's number or an option's name, a long one smaller so that it fits."""
    pdf.set_font("Helvetica", "B", TEXT_PT - 0.8)
    wide = pdf.get_string_width(text) / (NUMBER_MM - 1)
    if wide > 1:
        pdf.set_font_size((TEXT_PT - 0.8) / wide)
    pdf.cell(NUMBER_MM, LINE_MM, text)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of an entry with their style: a remedy, in underscores, is set italic."""
    for line in text.split("\n"):
        slanted = line.startswith("__")
        yield (line.strip("_"), "I") if slanted else (line, "")


def _height_mm(pdf: FPDF, text: str, style: str) -> float:
    pdf.set_font("Helvetica", style, TEXT_PT)
    width_mm = COLUMN_MM - NUMBER_MM
    height = pdf.multi_cell(width_mm, LINE_MM, text, align="L", dry_run=True, output="HEIGHT")
    assert isinstance(height, float)
    return height


def _lines(pdf: FPDF, text: str) -> None:
    width_mm = COLUMN_MM - NUMBER_MM
    pdf.multi_cell(width_mm, LINE_MM, text, align="L", new_x=XPos.LEFT, new_y=YPos.NEXT, padding=0)


def _values(option: Option) -> str:
    return plain(f"{' / '.join(option.values)}: {option.meaning}")


def plain(text: str) -> str:
    """Return text in the letters that every PDF reader's own fonts have."""
    return text.encode("latin-1", "replace").decode("latin-1")
