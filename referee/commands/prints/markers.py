"""`referee print markers`: markers to cut out for a bare table, or the board for the lens."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from fpdf import FPDF

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands.layout import add_players, asked_plan
from referee.commands.prints._mat import INK, LINE, draw_marker, marker_squares
from referee.commands.prints._pages import PAPERS_MM, Sheet, new_pdf, write_pdf
from referee.table.calibrate_lens import BOARD_MARKER_MM, BOARD_SQUARE_MM, BOARD_SQUARES, board
from referee.table.layout import layout_games, zone_corners_mm
from referee.table.markers import MARKER_CELL_MM, marker_at, with_any_markers
from referee.values import Marker, TablePlan

EPILOG = """example:
  referee print markers -o markers.pdf
  referee print markers nerves -o markers.pdf
  referee print markers nertz --players A,B,C,D -o markers.pdf
  referee print markers --board -o board.pdf

For a table without a mat: cut the markers out with their white edge and lay them as the first
page shows. They need not lie exactly: the calibration measures where they are. Without a game
they serve every game, a page for each shows where they go; a game's own also tell the referee which
game it is. --board is the chessboard for `referee calibrate camera`."""

COLUMNS, ROWS = 3, 4
CAPTION_MM = 9.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be printed."""
    parser = subparsers.add_parser(
        "markers",
        help="markers for a table without a mat, or the board for the lens",
        description="Write the markers of a game's table, to cut out and lay on a bare table.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    known = ", ".join(name for name, _ in layout_games())
    parser.add_argument("game", metavar="GAME", nargs="?", help=known)
    add_players(parser)
    parser.add_argument("--board", action="store_true", help="the board for the lens instead")
    parser.add_argument("-o", "--out", metavar="FILE.pdf", required=True, help="the file to write")
    parser.add_argument(
        "--paper", choices=tuple(PAPERS_MM), default="a4", help="paper size (default a4)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object: file and pages")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file. Raises BadInput."""
    if args.board:
        pdf = board_pdf(args.paper)
    elif args.game is None:
        pdf = any_markers_pdf(any_plans(args.players), args.paper)
    else:
        pdf = markers_pdf(asked_plan(args.game, args.players), args.paper)
    write_pdf(pdf, args.out)
    if args.json:
        print_json({"file": args.out, "pages": pdf.pages_count})
    else:
        print(f"{args.out}: {pdf.pages_count} pages")
    return FINE


def any_plans(players: str) -> tuple[TablePlan, ...]:
    """Return the tables of all games for these players, with the same markers. Raises BadInput."""
    count = len(players.split(","))
    games = [game for game, sizes in layout_games() if count in sizes]
    if not games:
        raise BadInput(f"no game is laid out for {count} players: write --players A,B")
    return tuple(with_any_markers(asked_plan(game, players)) for game in games)


def any_markers_pdf(plans: Sequence[TablePlan], paper: str) -> FPDF:
    """Return a page for each game with where they go, and the markers to cut out once."""
    pdf = new_pdf(f"the markers for any game of {len(plans[0].seats)} players")
    page_mm = PAPERS_MM[paper]
    for plan in plans:
        _guide(pdf, plan, page_mm)
    most = max((plan.markers for plan in plans), key=len)
    _page(pdf, most, page_mm, [str(marker.id) for marker in most])
    return pdf


def markers_pdf(plan: TablePlan, paper: str) -> FPDF:
    """Return a page with where they go, and the markers to cut out."""
    pdf = new_pdf(f"{plan.game}: the markers for {len(plan.seats)} players")
    page_mm = PAPERS_MM[paper]
    _guide(pdf, plan, page_mm)
    _page(pdf, plan.markers, page_mm, [_words(marker) for marker in plan.markers])
    return pdf


def _words(marker: Marker) -> str:
    at_x, at_y = (sum(axis) / 4 for axis in zip(*marker.corners_mm, strict=True))
    return f"{marker.id}: {at_x:.0f} mm right, {at_y:.0f} mm up"


def _page(
    pdf: FPDF, markers: tuple[Marker, ...], page_mm: tuple[float, float], words: Sequence[str]
) -> None:
    """Draw the markers of a table, ten at most, with words below each."""
    pdf.add_page(format=page_mm)
    sheet = Sheet(pdf, 0.0, page_mm[1])
    step_mm = (MARKER_CELL_MM + 6, MARKER_CELL_MM + CAPTION_MM)
    left_mm = (page_mm[0] - COLUMNS * step_mm[0]) / 2
    for number, marker in enumerate(markers):
        row, column = divmod(number, COLUMNS)
        x_mm = left_mm + (column + 0.5) * step_mm[0]
        y_mm = page_mm[1] - 14 - (row + 0.5) * step_mm[1]
        draw_marker(sheet, marker_at(marker.id, (x_mm, y_mm)))
        half_mm = MARKER_CELL_MM / 2
        pdf.set_draw_color(*LINE)
        pdf.set_line_width(0.15)
        corner_mm = sheet.place((x_mm - half_mm, y_mm + half_mm))
        pdf.rect(*corner_mm, MARKER_CELL_MM, MARKER_CELL_MM)
        pdf.set_text_color(*INK)
        sheet.words((x_mm, y_mm - half_mm - 3), words[number], 0.0, 7)


TEXT = (
    "Print at 100 % (actual size): each black square must be 36 mm wide.",
    "Cut along the grey lines; the white edge is needed.",
    "Lay the markers about where the picture shows them, numbers upright for player A.",
    "Distances are from the corner at player A's left hand, to the right and away from A. Some",
    "centimetres more or less do not matter, for the calibration measures them. They must not be",
    "moved afterwards: fix them with a piece of tape.",
)


def _guide(pdf: FPDF, plan: TablePlan, page_mm: tuple[float, float]) -> None:
    pdf.add_page(format=page_mm)
    pdf.set_text_color(*INK)
    pdf.set_font("Helvetica", "B", 16)
    pdf.text(15, 20, f"{plan.game}: the markers for {len(plan.seats)} players")
    pdf.set_font("Helvetica", "", 9)
    for number, line in enumerate(TEXT):
        pdf.text(15, 30 + 5 * number, line)
    w_mm, h_mm = plan.table_mm
    scale = min((page_mm[0] - 30) / w_mm, (page_mm[1] - 90) / h_mm)

    def place(corner_mm: tuple[float, float]) -> tuple[float, float]:
        return 15 + corner_mm[0] * scale, 70 + (h_mm - corner_mm[1]) * scale

    pdf.set_draw_color(*LINE)
    pdf.set_line_width(0.1)
    for zone in plan.zones:
        pdf.polygon([place(corner) for corner in zone_corners_mm(zone)], style="D")
    pdf.set_line_width(0.4)
    pdf.rect(15, 70, w_mm * scale, h_mm * scale)
    pdf.set_font("Helvetica", "B", 8)
    pdf.set_fill_color(*INK)
    for marker in plan.markers:
        corners = [place(corner) for corner in marker.corners_mm]
        pdf.polygon(corners, style="F")
        pdf.text(corners[3][0], corners[3][1] + 3.5, str(marker.id))
    for seat in plan.seats:
        x_mm, y_mm = place(seat.center_mm)
        pdf.text(x_mm - 2, y_mm + (4 if seat.edge == "south" else -1), seat.seat)


def board_pdf(paper: str) -> FPDF:
    """Return the chessboard with markers (ChArUco) on one page."""
    pdf = new_pdf("the board for calibrating a camera")
    page_mm = PAPERS_MM[paper]
    pdf.add_page(format=page_mm)
    columns, rows = BOARD_SQUARES
    left_mm = (page_mm[0] - columns * BOARD_SQUARE_MM) / 2
    top_mm = (page_mm[1] - rows * BOARD_SQUARE_MM) / 2
    pdf.set_fill_color(*INK)
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2 == 0:
                x_mm, y_mm = left_mm + column * BOARD_SQUARE_MM, top_mm + row * BOARD_SQUARE_MM
                pdf.rect(x_mm, y_mm, BOARD_SQUARE_MM, BOARD_SQUARE_MM, style="F")
    sheet = Sheet(pdf, -left_mm, top_mm)
    _board_markers(sheet)
    pdf.set_text_color(*INK)
    pdf.set_font("Helvetica", "", 8)
    pdf.text(
        left_mm, top_mm - 5, "print at 100 %, glue to something flat; `referee calibrate camera`"
    )
    return pdf


def _board_markers(sheet: Sheet) -> None:
    """Draw the markers in the white squares, as OpenCV's board has them (y down from its top)."""
    dictionary = board().getDictionary()
    for marker_id, corners in zip(board().getIds(), board().getObjPoints(), strict=True):
        x_mm, y_mm, _ = (float(value) for value in np.asarray(corners)[0])
        at_mm = (x_mm, -y_mm)
        marker_squares(sheet, at_mm, BOARD_MARKER_MM, dictionary, int(np.ravel(marker_id)[0]))
