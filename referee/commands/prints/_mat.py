"""The mat of a game: its spots, words and markers as lines and squares, on one page or many."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from fpdf import FPDF

from referee.commands.prints._pages import (
    FULL,
    OVERLAP_MM,
    UNPRINTED_MM,
    Box,
    Sheet,
    Tiling,
    draw_tiles,
    new_pdf,
    tiling,
)
from referee.table.layout import from_zone, is_drawn, is_for_hands, zone_corners_mm
from referee.table.layout_blocks import ANGLE_DEG, seat_point
from referee.table.markers import QUIET_MM
from referee.values import Marker, PointMm, TablePlan, Zone

# White cards stand out on a tint, and so do their backs; it is pale enough for an ink printer.
TINT = (214, 226, 218)
LINE = (110, 130, 118)
WORD = (120, 135, 126)
INK = (20, 20, 20)
BLEED_MM = 0.06
"""Black squares of a marker overlap by that, else viewers show hair lines between them."""
FULL_MARGIN_MM = 10.0

# What players call the spots that the rules name shortly.
WORDS = {
    "arr": "",
    "work": "",
    "F": "",
    "side": "palm",
    "mid": "hit here",
    "play": "playing pile",
    "cut": "cut-off half",
    "open": "open cards",
    "stack": "closed stack",
    "pile": "",
}
MIDDLE_WORDS = {"mid": "played cards"}


def mat_pdf(plan: TablePlan, paper: str, *, tinted: bool) -> FPDF:
    """Return the mat: a page with how to put it together, then the sheets; or one large page."""
    pdf = new_pdf(f"{plan.game}: the mat for {len(plan.seats)} players")

    def draw(sheet: Sheet) -> None:
        draw_mat(sheet, plan, tinted=tinted)

    if paper == FULL:
        w_mm, h_mm = plan.table_mm
        pdf.add_page(format=(w_mm + 2 * FULL_MARGIN_MM, h_mm + 2 * FULL_MARGIN_MM))
        draw(Sheet(pdf, -FULL_MARGIN_MM, h_mm + FULL_MARGIN_MM))
        return pdf
    way = tiling(plan.table_mm, paper, [_box(marker) for marker in plan.markers])
    _guide(pdf, plan, way)
    draw_tiles(pdf, way, draw)
    return pdf


def _box(marker: Marker) -> Box:
    (x0, y1), _, (x1, y0), _ = marker.corners_mm
    return x0 - QUIET_MM, y0 - QUIET_MM, x1 + QUIET_MM, y1 + QUIET_MM


def draw_mat(sheet: Sheet, plan: TablePlan, *, tinted: bool) -> None:
    """Draw the whole mat; what falls off the sheet is clipped by the caller."""
    w_mm, h_mm = plan.table_mm
    sheet.pdf.set_fill_color(*TINT)
    sheet.pdf.set_draw_color(*LINE)
    sheet.pdf.set_line_width(0.4)
    edge = ((0.0, 0.0), (w_mm, 0.0), (w_mm, h_mm), (0.0, h_mm))
    sheet.polygon(edge, "DF" if tinted else "D")
    for zone in plan.zones:
        if is_drawn(plan, zone):
            _zone(sheet, plan, zone)
    _seats(sheet, plan)
    for marker in plan.markers:
        draw_marker(sheet, marker)


def _zone(sheet: Sheet, plan: TablePlan, zone: Zone) -> None:
    sheet.pdf.set_draw_color(*LINE)
    sheet.pdf.set_line_width(0.3)
    hands = is_for_hands(plan, zone)
    if hands or zone.name.endswith((".arr.6", ".arr.7")):
        sheet.pdf.set_dash_pattern(dash=3, gap=3)
    sheet.polygon(zone_corners_mm(_inset(zone)), "D")
    sheet.pdf.set_dash_pattern()
    word = _word(plan, zone)
    if word:
        sheet.pdf.set_text_color(*WORD)
        # At the end nearest the player: cards lie from the far end on.
        sheet.words(from_zone(zone, 0.0, 4.5 - zone.h_mm / 2), word, zone.angle_deg, 9)


def _inset(zone: Zone) -> Zone:
    return Zone(zone.name, zone.center_mm, zone.angle_deg, zone.w_mm - 3, zone.h_mm - 3)


def _word(plan: TablePlan, zone: Zone) -> str:
    parts = [word for word in zone.name.split(".") if not word.isdigit()]
    part = parts[0] if parts[0] in ("play", "F") or len(parts) == 1 else parts[1]
    if not is_for_hands(plan, zone) and part in MIDDLE_WORDS:
        return MIDDLE_WORDS[part]
    if plan.game == "nerves" and part == "pile":
        return "pile"
    return WORDS.get(part, part)


def _seats(sheet: Sheet, plan: TablePlan) -> None:
    sheet.pdf.set_text_color(*WORD)
    for place in plan.seats:
        angle = ANGLE_DEG[place.edge]
        sheet.words(seat_point(place, 0.0, 3.2), f"player {place.seat}", angle, 8)


def draw_marker(sheet: Sheet, marker: Marker) -> None:
    """Draw a marker with the white about it and its number, small, below."""
    x0, y0, x1, y1 = _box(marker)
    sheet.pdf.set_fill_color(255, 255, 255)
    sheet.polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), "F")
    left_mm, top_mm = marker.corners_mm[0]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker.dictionary))
    marker_squares(sheet, (left_mm, top_mm), x1 - x0 - 2 * QUIET_MM, dictionary, marker.id)
    sheet.pdf.set_text_color(*WORD)
    middle_mm = ((x0 + x1) / 2, y0 + 2.2)
    sheet.words(middle_mm, str(marker.id), 0.0, 6)


def marker_squares(
    sheet: Sheet,
    upper_left_mm: PointMm,
    side_mm: float,
    dictionary: cv2.aruco.Dictionary,
    marker_id: int,
) -> None:
    """Draw the black fields of a marker, row by row."""
    sheet.pdf.set_fill_color(*INK)
    fields = dictionary.markerSize + 2
    field_mm = side_mm / fields
    drawn = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, fields))
    for row, levels in enumerate(drawn):
        for column, length in _runs([bool(level < 128) for level in levels]):
            at_mm = (upper_left_mm[0] + column * field_mm, upper_left_mm[1] - row * field_mm)
            x_mm, y_mm = sheet.place(at_mm)
            w_mm, h_mm = length * field_mm + BLEED_MM, field_mm + BLEED_MM
            sheet.pdf.rect(x_mm, y_mm, w_mm, h_mm, style="F")


def _runs(fields: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the runs of black in a row: where each begins and how long it is."""
    runs: list[tuple[int, int]] = []
    for column, black in enumerate(fields):
        if black and runs and sum(runs[-1]) == column:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif black:
            runs.append((column, 1))
    return runs


STEPS = (
    "1. Print all pages at 100 % (actual size, no fitting). The line below must be 100 mm long.",
    "2. Cut each sheet along the marks at its left and upper edge.",
    f"3. Glue each sheet's cut edge onto the {OVERLAP_MM:.0f} mm strip of its neighbour, along the"
    " dashed line.",
    "4. Lay the mat flat under the camera and run the calibration:",
)


def _guide(pdf: FPDF, plan: TablePlan, way: Tiling) -> None:
    """Write the first page: what to do, a line to check the scale by, and a small picture."""
    pdf.add_page(format=way.page_mm)
    pdf.set_text_color(*INK)
    pdf.set_font("Helvetica", "B", 16)
    w_mm, h_mm = plan.table_mm
    pdf.text(15, 20, f"{plan.game}: the mat for {len(plan.seats)} players")
    pdf.set_font("Helvetica", "", 9)
    sheets = "1 sheet" if len(way.tiles) == 1 else f"{len(way.tiles)} sheets"
    pdf.text(15, 27, f"{w_mm:.0f} x {h_mm:.0f} mm from {sheets}")
    for number, step in enumerate(STEPS):
        pdf.text(15, 36 + number * 5, step)
    seats = ",".join(place.seat for place in plan.seats)
    pdf.set_font("Courier", "", 9)
    pdf.text(19, 56, f"referee calibrate table --game {plan.game} --players {seats}")
    _ruler(pdf, 15, 64)
    _sketch(pdf, plan, way)


def _ruler(pdf: FPDF, x_mm: float, y_mm: float) -> None:
    pdf.set_draw_color(*INK)
    pdf.set_line_width(0.3)
    pdf.line(x_mm, y_mm, x_mm + 100, y_mm)
    for tick in range(0, 101, 10):
        pdf.line(x_mm + tick, y_mm - (2 if tick % 50 else 3), x_mm + tick, y_mm)
    pdf.set_font("Helvetica", "", 8)
    pdf.text(x_mm + 103, y_mm + 1, "100 mm")


def _sketch(pdf: FPDF, plan: TablePlan, way: Tiling) -> None:
    """Draw the sheets as they lie, small, over the mat's spots."""
    boxes = [tile.box_mm for tile in way.tiles]
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    room = (way.page_mm[0] - 30, way.page_mm[1] - 74 - UNPRINTED_MM - 10)
    scale = min(room[0] / (x1 - x0), room[1] / (y1 - y0))

    def place(x_mm: float, y_mm: float) -> tuple[float, float]:
        return 15 + (x_mm - x0) * scale, 74 + (y1 - y_mm) * scale

    pdf.set_line_width(0.1)
    pdf.set_draw_color(*LINE)
    for zone in plan.zones:
        if is_drawn(plan, zone):
            pdf.polygon([place(*corner) for corner in zone_corners_mm(zone)], style="D")
    pdf.set_fill_color(*INK)
    for marker in plan.markers:
        pdf.polygon([place(*corner) for corner in marker.corners_mm], style="F")
    pdf.set_draw_color(*INK)
    pdf.set_line_width(0.3)
    for tile in way.tiles:
        left, low, right, top = tile.box_mm
        corners = ((left, low), (right, low), (right, top), (left, top))
        pdf.polygon([place(*corner) for corner in corners], style="D")
        pdf.set_font("Helvetica", "B", 11)
        x_mm, y_mm = place((left + right) / 2, (low + top) / 2)
        pdf.text(x_mm - 3, y_mm + 2, tile.name)
