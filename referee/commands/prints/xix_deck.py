"""`referee print xix-deck`: the eighteen number cards of XIX, to print and cut out."""

from __future__ import annotations

import argparse

from fpdf import FPDF

from referee.commands import FINE, print_json, wide_help
from referee.commands.prints._pages import PAPERS_MM, new_pdf, write_pdf
from referee.table.layout_blocks import CARD_H_MM, CARD_W_MM

EPILOG = """example:
  referee print xix-deck -o xix.pdf
  referee print xix-deck -o xix.pdf --fronts-only    to glue on old cards, or to put in sleeves

Print both sides (turn over the long edge) on card at 100 %, and cut along the lines."""

NUMBERS = range(1, 19)
COLUMNS, ROWS = 3, 3
# Numbers are told apart by their digits alone; a line under 6 and 9 keeps them apart upside down.
UNDERLINED = (6, 9)
INDEX_PT, MIDDLE_PT = 40, 96
CAP_MM_PER_PT = 0.718 * 25.4 / 72
"""Height of Helvetica's digits for each point of size."""
INDEX_X_MM, INDEX_TOP_MM = 4.0, 4.5
INK, EDGE, BACK, PALE = (15, 15, 20), (170, 170, 170), (30, 74, 110), (205, 220, 232)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be printed."""
    parser = subparsers.add_parser(
        "xix-deck",
        help="the eighteen number cards of XIX",
        description="Write the eighteen number cards of XIX as a PDF to cut out.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("-o", "--out", metavar="FILE.pdf", required=True, help="the file to write")
    parser.add_argument(
        "--paper", choices=tuple(PAPERS_MM), default="a4", help="paper size (default a4)"
    )
    parser.add_argument("--fronts-only", action="store_true", help="no backs")
    parser.add_argument("--json", action="store_true", help="one JSON object: file and pages")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file. Raises BadInput."""
    pdf = deck_pdf(args.paper, backs=not args.fronts_only)
    write_pdf(pdf, args.out)
    if args.json:
        print_json({"file": args.out, "pages": pdf.pages_count, "cards": len(NUMBERS)})
    else:
        print(f"{args.out}: {pdf.pages_count} pages, {len(NUMBERS)} cards")
    return FINE


def deck_pdf(paper: str, *, backs: bool) -> FPDF:
    """Return the deck: pages of fronts, each followed by one of backs."""
    pdf = new_pdf("XIX: the number cards")
    page_mm = PAPERS_MM[paper]
    for first in range(0, len(NUMBERS), COLUMNS * ROWS):
        numbers = NUMBERS[first : first + COLUMNS * ROWS]
        pdf.add_page(format=page_mm)
        for number, corner_mm in zip(numbers, _corners(page_mm), strict=False):
            front(pdf, *corner_mm, number)
        _cut_marks(pdf, page_mm)
        if backs:
            pdf.add_page(format=page_mm)
            for corner_mm in _corners(page_mm)[: len(numbers)]:
                back(pdf, *corner_mm)
            _cut_marks(pdf, page_mm)
    return pdf


def _corners(page_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the upper left corners of a page's cards. They are the same turned over."""
    left_mm = (page_mm[0] - COLUMNS * CARD_W_MM) / 2
    top_mm = (page_mm[1] - ROWS * CARD_H_MM) / 2
    return [
        (left_mm + column * CARD_W_MM, top_mm + row * CARD_H_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]


def front(pdf: FPDF, x_mm: float, y_mm: float, number: int) -> None:
    """Draw a card's face: its number large in the middle and in two corners, as cards have it."""
    pdf.set_draw_color(*EDGE)
    pdf.set_line_width(0.15)
    pdf.rect(x_mm, y_mm, CARD_W_MM, CARD_H_MM)
    pdf.set_text_color(*INK)
    middle_mm = (x_mm + CARD_W_MM / 2, y_mm + CARD_H_MM / 2)
    half_mm = MIDDLE_PT * CAP_MM_PER_PT / 2
    _number(pdf, middle_mm[0], middle_mm[1] - half_mm, number, MIDDLE_PT, middle=True)
    _number(pdf, x_mm + INDEX_X_MM, y_mm + INDEX_TOP_MM, number, INDEX_PT, middle=False)
    with pdf.rotation(180, *middle_mm):
        _number(pdf, x_mm + INDEX_X_MM, y_mm + INDEX_TOP_MM, number, INDEX_PT, middle=False)


def _number(
    pdf: FPDF, x_mm: float, top_mm: float, number: int, size_pt: float, *, middle: bool
) -> None:
    """Write a number with its digits' top there; 6 and 9 are underlined."""
    pdf.set_font("Helvetica", "B", size_pt)
    width_mm = pdf.get_string_width(str(number))
    left_mm = x_mm - width_mm / 2 if middle else x_mm
    base_mm = top_mm + size_pt * CAP_MM_PER_PT
    pdf.text(left_mm, base_mm, str(number))
    if number in UNDERLINED:
        thick_mm = size_pt * CAP_MM_PER_PT * 0.1
        pdf.set_fill_color(*INK)
        pdf.rect(left_mm, base_mm + 1.4 * thick_mm, width_mm, thick_mm, style="F")


def back(pdf: FPDF, x_mm: float, y_mm: float) -> None:
    """Draw a back: a lattice inside a white frame, the same when turned upside down."""
    frame_mm, step_mm = 5.0, 5.3
    w_mm, h_mm = CARD_W_MM - 2 * frame_mm, CARD_H_MM - 2 * frame_mm
    pdf.set_fill_color(*BACK)
    pdf.rect(x_mm + frame_mm, y_mm + frame_mm, w_mm, h_mm, style="F")
    pdf.set_draw_color(*PALE)
    pdf.set_line_width(0.5)
    middle_mm = (x_mm + CARD_W_MM / 2, y_mm + CARD_H_MM / 2)
    with pdf.rect_clip(x_mm + frame_mm, y_mm + frame_mm, w_mm, h_mm):
        for number in range(-16, 17):
            shift_mm = number * step_mm
            for slope in (-1, 1):
                pdf.line(
                    middle_mm[0] + shift_mm - CARD_H_MM / 2,
                    middle_mm[1] - slope * CARD_H_MM / 2,
                    middle_mm[0] + shift_mm + CARD_H_MM / 2,
                    middle_mm[1] + slope * CARD_H_MM / 2,
                )


def _cut_marks(pdf: FPDF, page_mm: tuple[float, float]) -> None:
    """Draw the lines to cut along beyond the cards, where they are not cut off before."""
    left_mm, top_mm = _corners(page_mm)[0]
    right_mm, low_mm = left_mm + COLUMNS * CARD_W_MM, top_mm + ROWS * CARD_H_MM
    pdf.set_draw_color(*EDGE)
    pdf.set_line_width(0.15)
    for column in range(COLUMNS + 1):
        x_mm = left_mm + column * CARD_W_MM
        pdf.line(x_mm, top_mm - 4, x_mm, top_mm - 1)
        pdf.line(x_mm, low_mm + 1, x_mm, low_mm + 4)
    for row in range(ROWS + 1):
        y_mm = top_mm + row * CARD_H_MM
        pdf.line(left_mm - 4, y_mm, left_mm - 1, y_mm)
        pdf.line(right_mm + 1, y_mm, right_mm + 4, y_mm)
