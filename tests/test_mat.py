"""What is printed for the table: mats, loose markers, the board, and the cards of XIX."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import Ended, one_line
from fpdf import FPDF
from numpy.typing import NDArray

from referee.commands.prints._mat import mat_pdf
from referee.commands.prints._pages import OVERLAP_MM, PAPERS_MM, UNPRINTED_MM, tiling
from referee.commands.prints.markers import board_pdf, markers_pdf
from referee.commands.prints.xix_deck import deck_pdf
from referee.table.calibrate import FoundView, find_view
from referee.table.calibrate_lens import find_board
from referee.table.layout import is_drawn, layout_games, plan
from referee.table.markers import QUIET_MM
from referee.values import TablePlan

Run = Callable[..., Ended]
Image = NDArray[np.uint8]
TABLES = [plan(game, "ABCDEFGH"[:n]) for game, sizes in layout_games() for n in sizes]
MM_PER_PT = 25.4 / 72
PX_PER_MM = 2.0
# x, y, width and height (downwards) of a filled rectangle, in points from the page's lower left.
FILLED = re.compile(rb"([\d.]+) ([\d.-]+) ([\d.]+) (-[\d.]+) re f")


def printed(pdf: FPDF) -> bytes:
    """Return a PDF's text as it would be written, uncompressed."""
    pdf.set_compression(False)
    return bytes(pdf.output())


def blacks(pdf: FPDF, page_mm: tuple[float, float]) -> Image:
    """Return the filled rectangles of a one-page PDF as a picture, black on white."""
    w_px, h_px = (round(side * PX_PER_MM) for side in page_mm)
    image = np.full((h_px, w_px, 3), 255, np.uint8)
    scale = MM_PER_PT * PX_PER_MM
    for found in FILLED.finditer(printed(pdf)):
        x_pt, y_pt, w_pt, h_pt = (float(word) for word in found.groups())
        x0, y0 = x_pt * scale, h_px - y_pt * scale
        x1, y1 = x0 + w_pt * scale, y0 - h_pt * scale
        image[round(y0) : round(y1), round(x0) : round(x1)] = 0
    return image


@pytest.mark.parametrize("table", TABLES, ids=lambda t: f"{t.game}-{len(t.seats)}")
def test_the_markers_of_a_printed_mat_give_the_table(table: TablePlan) -> None:
    margin_mm = 10.0
    w_mm, h_mm = table.table_mm
    page_mm = (w_mm + 2 * margin_mm, h_mm + 2 * margin_mm)
    image = blacks(mat_pdf(table, "full", tinted=True), page_mm)
    seen = find_view(image, table)
    assert isinstance(seen, FoundView)
    assert set(seen.seen) == {marker.id for marker in table.markers}
    middles = np.array([zone.center_mm for zone in table.zones])
    # Printed true to size: the picture's pixels are half millimetres from the page's corner.
    x_px = (middles[:, 0] + margin_mm) * PX_PER_MM - 0.5
    y_px = (h_mm - middles[:, 1] + margin_mm) * PX_PER_MM - 0.5
    at_mm = seen.view.to_mm(np.stack([x_px, y_px], axis=1))
    assert np.max(np.linalg.norm(at_mm - middles, axis=1)) < 1.0


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("table", TABLES[:4], ids=lambda t: f"{t.game}-{len(t.seats)}")
def test_the_sheets_cover_the_mat_and_overlap(table: TablePlan, paper: str) -> None:
    boxes = [
        (x0 - QUIET_MM, y0 - QUIET_MM, x1 + QUIET_MM, y1 + QUIET_MM)
        for (x0, y1), _, (x1, y0), _ in (marker.corners_mm for marker in table.markers)
    ]
    way = tiling(table.table_mm, paper, boxes)
    w_mm, h_mm = (side - 2 * UNPRINTED_MM for side in way.page_mm)
    columns = sorted({tile.box_mm[0] for tile in way.tiles})
    rows = sorted({tile.box_mm[1] for tile in way.tiles})
    assert len(way.tiles) == len(columns) * len(rows)
    assert columns[0] <= 1e-6
    assert columns[-1] + w_mm >= table.table_mm[0] - 1e-6
    assert rows[0] <= 1e-6
    assert rows[-1] + h_mm >= table.table_mm[1] - 1e-6
    for starts, length_mm in ((columns, w_mm), (rows, h_mm)):
        for one, other in pairwise(starts):
            assert one + length_mm - other == pytest.approx(OVERLAP_MM)
    # Hardly a marker is cut through: the sheets are shifted for it.
    whole = sum(
        any(
            t.box_mm[0] <= b[0]
            and t.box_mm[1] <= b[1]
            and b[2] <= t.box_mm[2]
            and b[3] <= t.box_mm[3]
            for t in way.tiles
        )
        for b in boxes
    )
    assert whole >= len(boxes) - 2


def test_a_mat_says_how_it_is_put_together_and_names_its_spots() -> None:
    nerves = plan("nerves", "AB")
    pdf = mat_pdf(nerves, "a4", tinted=True)
    text = printed(pdf)
    assert pdf.pages_count == 1 + 12
    for word in (b"100 mm", b"referee calibrate table --game nerves --players A,B", b"(A1)"):
        assert word in text
    for word in (b"rest", b"playing pile", b"hit here", b"palm", b"player A", b"player B"):
        assert b"(" + word + b") Tj" in text
    assert b"print at 100 %" in text


def test_a_spot_against_the_rules_is_not_drawn() -> None:
    spy = plan("spy", "AB")
    drawn = [zone for zone in spy.zones if is_drawn(spy, zone)]
    assert {zone.name for zone in spy.zones} - {zone.name for zone in drawn} == {
        "A.pile.7",
        "B.pile.7",
    }


def test_loose_markers_are_as_large_as_on_the_mat() -> None:
    nerves = plan("nerves", "AB")
    pdf = markers_pdf(nerves, "a4")
    assert pdf.pages_count == 2
    text = printed(pdf)
    # The upper border of a marker is one rectangle as wide as the marker: 36 mm.
    wide = [float(w) * MM_PER_PT for _, _, w, _ in FILLED.findall(text)]
    assert sum(abs(width_mm - 36.0) < 0.1 for width_mm in wide) >= 2 * len(nerves.markers)
    for marker in nerves.markers:
        assert f"({marker.id}: ".encode() in text


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_printed_board_is_the_one_the_lens_is_solved_from(paper: str) -> None:
    image = blacks(board_pdf(paper), PAPERS_MM[paper])
    # Fields are drawn black on black squares' neighbours: enlarged, so that none is lost.
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    seen = find_board(np.asarray(cv2.cvtColor(large, cv2.COLOR_BGR2GRAY), np.uint8))
    assert seen is not None
    assert len(seen.ids) == 24


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_deck_of_xix_has_each_number_once(paper: str) -> None:
    pdf = deck_pdf(paper, backs=True)
    assert pdf.pages_count == 4
    text = printed(pdf)
    for number in range(1, 19):
        # Large in the middle and in two corners.
        assert text.count(f"({number}) Tj".encode()) == 3
    assert b"(19) Tj" not in text
    assert deck_pdf(paper, backs=False).pages_count == 2


def test_the_commands_write_their_files(referee: Run, tmp_path: Path) -> None:
    for words, pages in (
        (("mat", "spy", "--paper", "letter", "--plain"), None),
        (("markers", "nertz", "--players", "A,B,C"), 2),
        (("markers",), 6),
        (("markers", "--players", "A,B,C"), 4),
        (("markers", "--board"), 1),
        (("xix-deck", "--fronts-only"), 2),
    ):
        file = tmp_path / "file.pdf"
        done = referee("print", *words, "-o", file, "--json")
        assert (done.code, done.err) == (0, "")
        told = json.loads(done.out)
        assert told["file"] == str(file)
        assert pages is None or told["pages"] == pages
        assert file.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mat", "whist", "-o", "x.pdf"), "whist"),
        (("mat", "nerves", "--players", "A,B,C", "-o", "x.pdf"), "2 players"),
        (("mat", "nerves", "-o", "no/such/x.pdf"), "no/such/x.pdf"),
        (("markers", "--players", "A", "-o", "x.pdf"), "no game is laid out for 1 players"),
        (("xix-deck", "-o", "no/such/x.pdf"), "no/such/x.pdf"),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_line(
    referee: Run, words: tuple[str, ...], said: str
) -> None:
    done = referee("print", *words)
    assert done.code == 2
    assert said in one_line(done.err)
