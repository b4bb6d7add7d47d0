"""Calibration: the table found from its markers, followed, saved, judged and tested."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import ROOT, Ended, one_line, write_picture, write_video
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from table_pictures import Camera, middles, picture, pushed, view_from, worst_mm

from referee.commands._checks_table import table_findings
from referee.table.calibrate import (
    FoundView,
    NoView,
    find_view,
    table_in,
    view_from_markers,
)
from referee.table.calibrate_corners import view_from_corners
from referee.table.calibrate_file import (
    CalibrationError,
    LensFile,
    check_table,
    lens_text,
    read_lens,
    read_table,
    table_text,
)
from referee.table.calibrate_follow import follow
from referee.table.calibrate_lens import BoardView, board, find_board, solve_lens, straightness_px
from referee.table.calibrate_markers import SeenMarker
from referee.table.calibrate_spots import SIGHTINGS, spot_test
from referee.table.layout import layout_games, plan
from referee.table.markers import with_any_markers
from referee.table.view import Lens, TableView, mapped, usual_lens
from referee.values import CardRead, Marker, TablePlan

Run = Callable[..., Ended]
Image = NDArray[np.uint8]
NERVES, NERTZ4, XIX = plan("nerves", "AB"), plan("nertz", "ABCD"), plan("xix", "AB")
TABLES = [plan(game, "ABCDEFGH"[:n]) for game, sizes in layout_games() for n in sizes]
SMALL = Camera(size_px=(1280, 720), tilt_deg=8)
NERVES_IDS = [marker.id for marker in NERVES.markers]


def found(image: Image, table: TablePlan) -> FoundView:
    result = find_view(image, table)
    assert isinstance(result, FoundView), result
    return result


def refused(image: Image, table: TablePlan) -> str:
    result = find_view(image, table)
    assert isinstance(result, NoView)
    return result.reason


@lru_cache(maxsize=1)
def nerves_view() -> TableView:
    return view_from(SMALL, NERVES)


@lru_cache(maxsize=1)
def nerves_picture() -> Image:
    return picture(nerves_view(), NERVES)


@lru_cache(maxsize=1)
def nerves_found() -> FoundView:
    return found(nerves_picture(), NERVES)


def blurred(image: Image, by_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), by_px), np.uint8)


cameras = st.builds(
    Camera,
    size_px=st.sampled_from([(1280, 720), (1920, 1080), (3840, 2160), (1600, 1200)]),
    focal=st.floats(0.65, 1.2),
    tilt_deg=st.floats(0, 40),
    toward_deg=st.floats(0, 360),
    roll_deg=st.floats(0, 360),
    k1=st.floats(-0.2, 0.1),
    k2=st.floats(-0.02, 0.05),
)


@settings(max_examples=25, deadline=None)
@given(cameras, st.sampled_from(TABLES), st.integers(0, 2**31), st.data())
def test_zones_are_found_within_2_mm_from_any_side(
    camera: Camera, table: TablePlan, seed: int, data: st.DataObject
) -> None:
    truth, random = view_from(camera, table), np.random.default_rng(seed)
    hidden = data.draw(st.sets(st.sampled_from(table.markers), max_size=len(table.markers) // 3))
    seen = [
        SeenMarker(m.id, truth.to_px(np.array(m.corners_mm)) + random.normal(0, 0.1, (4, 2)))
        for m in table.markers
        if m not in hidden
    ]
    blank = np.zeros(camera.size_px[::-1], np.uint8)
    result = view_from_markers(blank, seen, table)
    assert isinstance(result, FoundView)
    assert not result.strayed
    assert worst_mm(result.view, truth, table) <= max(2.0, 1.5 * result.accuracy_mm)
    # Tables for seven and more are over two metres wide: a pixel of full HD is a millimetre.
    w_mm, h_mm = table.table_mm
    least = min(truth.px_per_mm((x, y)) for x in (0.0, w_mm) for y in (0.0, h_mm))
    assert result.accuracy_mm <= 2.0 or least < 0.8


@settings(max_examples=25, deadline=None)
@given(cameras, st.sampled_from(TABLES), st.data())
def test_pixels_and_millimetres_are_each_others_way_back(
    camera: Camera, table: TablePlan, data: st.DataObject
) -> None:
    view = view_from(camera, table)
    w_mm, h_mm = table.table_mm
    x_mm, y_mm = data.draw(st.tuples(st.floats(0, w_mm), st.floats(0, h_mm)))
    place = np.array([(x_mm, y_mm)])
    assert view.to_mm(view.to_px(place)) == pytest.approx(place, abs=0.01)
    assert view.sees(place).all()
    # What is higher is seen farther from the point under the camera.
    camera_mm = np.array(view.camera_mm())
    shift = view.to_mm(view.to_px(place, height_mm=50.0))[0] - place[0]
    away = place[0] - camera_mm[:2]
    expected = away * 50.0 / (camera_mm[2] - 50.0)
    assert shift == pytest.approx(expected, abs=0.05 + 1e-3 * float(np.linalg.norm(away)))


@pytest.mark.parametrize(
    ("table", "camera", "light"),
    [
        (NERVES, replace(SMALL, roll_deg=180), 1.0),
        (NERVES, Camera((1280, 720), tilt_deg=38, toward_deg=20, roll_deg=75, k1=-0.1), 1.0),
        (XIX, Camera((1280, 720), focal=0.7, tilt_deg=15, roll_deg=300, k1=-0.2), 0.3),
        (NERTZ4, Camera(tilt_deg=12, toward_deg=200), 0.6),
    ],
    ids=["upside down", "steep", "wide lens and little light", "four players"],
)
def test_a_mat_is_found_with_hands_over_some_markers(
    table: TablePlan, camera: Camera, light: float
) -> None:
    truth = view_from(camera, table)
    hidden = [marker.id for marker in table.markers[1::3]]
    seen = found(picture(truth, table, covered=hidden, light=light, noise=4), table)
    assert set(seen.seen) == {marker.id for marker in table.markers} - set(hidden)
    assert worst_mm(seen.view, truth, table) <= 2.0
    assert seen.accuracy_mm <= 2.0
    assert not seen.loose


def test_four_markers_are_enough_and_the_accuracy_is_told() -> None:
    truth = nerves_view()
    seen = found(picture(truth, NERVES, covered=NERVES_IDS[1:7]), NERVES)
    assert len(seen.seen) == 4
    assert worst_mm(seen.view, truth, NERVES) <= min(2.0, 1.5 * seen.accuracy_mm)


def test_a_blurred_picture_still_gives_the_table() -> None:
    truth = view_from(replace(SMALL, size_px=(1920, 1080)), NERVES)
    seen = found(picture(truth, NERVES, blur_px=2.5), NERVES)
    assert len(seen.seen) >= 8
    assert worst_mm(seen.view, truth, NERVES) <= 2.0


def test_markers_laid_by_hand_are_measured_where_they_lie() -> None:
    random = np.random.default_rng(5)
    lying = [
        pushed(marker, *random.normal(0, 25, 2), random.normal(0, 8)) for marker in NERVES.markers
    ]
    truth = view_from(replace(SMALL, size_px=(1920, 1080)), NERVES)
    seen = found(picture(truth, NERVES, markers=lying), NERVES)
    assert seen.loose
    # The frame is the one that the spots fit best; within it all lengths are right.
    here, there = middles(NERVES), seen.view.to_mm(truth.to_px(middles(NERVES)))
    flat, other = here - here.mean(axis=0), there - there.mean(axis=0)
    left, _, right = np.linalg.svd(flat.T @ other)
    assert np.max(np.linalg.norm(other - flat @ (left @ right), axis=1)) <= 2.5
    # And it follows a bumped camera.
    moved = view_from(replace(SMALL, size_px=(1920, 1080), aim=(0.54, 0.5)), NERVES)
    change = follow(seen, picture(moved, NERVES, markers=lying, seed=2))
    assert change.kind == "moved"
    assert change.moved_mm == pytest.approx(0.04 * NERVES.table_mm[0], abs=2.0)


@pytest.mark.parametrize("table", [NERVES, XIX, NERTZ4], ids=lambda table: table.game)
def test_markers_for_any_game_give_the_table_of_the_game_that_is_played(table: TablePlan) -> None:
    spare = with_any_markers(table)
    truth = view_from(replace(SMALL, size_px=(1920, 1080)), table)
    seen = found(picture(truth, table, markers=spare.markers), table)
    assert set(seen.seen) == {marker.id for marker in spare.markers}
    assert worst_mm(seen.view, truth, table) <= 2.0
    assert read_table(table_text(seen), "table.toml").markers == seen.markers
    moved = view_from(replace(SMALL, size_px=(1920, 1080), aim=(0.54, 0.5)), table)
    assert follow(seen, picture(moved, table, markers=spare.markers, seed=2)).kind == "moved"


def test_one_marker_that_strayed_is_told_and_left_out() -> None:
    lying = [pushed(NERVES.markers[0], 30, 12), *NERVES.markers[1:]]
    seen = found(picture(nerves_view(), NERVES, markers=lying), NERVES)
    assert seen.strayed == (NERVES_IDS[0],)
    assert worst_mm(seen.view, nerves_view(), NERVES) <= 2.0


def test_zones_out_of_the_picture_are_named() -> None:
    image = nerves_picture()
    cut = np.ascontiguousarray(image[: round(image.shape[0] * 0.8)])
    seen = found(cut, NERVES)
    assert {"A.pile", "A.side.L", "A.side.R"} <= set(seen.unseen_zones)
    assert "B.pile" not in seen.unseen_zones


@pytest.mark.parametrize(
    ("image", "table", "said"),
    [
        (lambda: nerves_picture(), XIX, "mat of nerves for 2 players, not of xix"),
        (lambda: nerves_picture()[:, ::-1].copy(), NERVES, "mirrored"),
        (lambda: np.full((720, 1280, 3), 120, np.uint8), NERVES, "none of the 10 markers"),
        (lambda: np.zeros((720, 1280, 3), np.uint8), NERVES, "too dark"),
        (lambda: np.full((16, 16, 3), 120, np.uint8), NERVES, "none of the 10 markers"),
        (lambda: blurred(nerves_picture(), 9.0), NERVES, "out of focus"),
        (
            lambda: picture(nerves_view(), NERVES, covered=NERVES_IDS[1:]),
            NERVES,
            "only 1 of the 10 markers",
        ),
    ],
    ids=["other mat", "mirrored", "no mat", "dark", "tiny", "blurred", "covered"],
)
def test_why_no_table_was_found_is_said(
    image: Callable[[], Image], table: TablePlan, said: str
) -> None:
    reason = refused(image(), table)
    assert said in reason
    assert "\n" not in reason


def test_a_mat_says_which_game_it_is_of() -> None:
    own = table_in(nerves_picture())
    assert own is not None
    assert (own.game, len(own.seats)) == ("nerves", 2)
    assert table_in(np.full((720, 1280, 3), 120, np.uint8)) is None


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([(48, 64), (240, 320)]))
def test_any_picture_ends_in_an_answer(seed: int, size: tuple[int, int]) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (*size, 3), np.uint8)
    assert isinstance(find_view(image, NERVES), NoView)


def test_a_table_at_rest_with_hands_on_it_has_not_moved() -> None:
    image = picture(nerves_view(), NERVES, covered=NERVES_IDS[:6], seed=9)
    change = follow(nerves_found(), image)
    assert (change.kind, change.found) == ("still", nerves_found())
    assert set(change.seen) == set(NERVES_IDS[6:])


@pytest.mark.parametrize("seed", range(4, 9))
def test_markers_laid_with_care_but_not_exactly_have_not_moved(seed: int) -> None:
    random = np.random.default_rng(seed)
    lying = [
        pushed(marker, *random.normal(0, 1.6, 2), random.normal(0, 1.5))
        for marker in NERVES.markers
    ]
    seen = found(picture(nerves_view(), NERVES, markers=lying), NERVES)
    assert not seen.loose
    change = follow(seen, picture(nerves_view(), NERVES, markers=lying, seed=1))
    assert (change.kind, change.found) == ("still", seen)


def touched(image: Image, marker: Marker, share: float) -> Image:
    """Return the picture with a finger over a share of a marker, from its right."""
    corners = np.array(marker.corners_mm)
    low, high = corners.min(axis=0) - 12, corners.max(axis=0) + 12
    left = high[0] - 12 - share * (high[0] - low[0] - 24)
    finger = np.array([(left, high[1]), (high[0], high[1]), (high[0], low[1]), (left, low[1])])
    covered = image.copy()
    cv2.fillPoly(covered, [nerves_view().to_px(finger).astype(np.int32)], (150, 175, 215))
    return covered


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_a_finger_over_part_of_a_marker_does_not_pull_the_table(share: float) -> None:
    image = nerves_picture()
    for marker in NERVES.markers:
        image = touched(image, marker, share)
    assert follow(nerves_found(), image).kind != "moved"
    half = nerves_picture()
    for marker in NERVES.markers[::2]:
        half = touched(half, marker, share)
    assert follow(nerves_found(), half).kind == "still"
    assert worst_mm(found(half, NERVES).view, nerves_view(), NERVES) <= 2.0


def test_one_pushed_marker_is_no_moved_table() -> None:
    for far_mm in (4.0, 40.0):
        lying = [pushed(NERVES.markers[0], far_mm, 3), *NERVES.markers[1:]]
        change = follow(nerves_found(), picture(nerves_view(), NERVES, markers=lying))
        assert change.kind == "still"


@pytest.mark.parametrize("share", [0.006, 0.02, 0.15])
def test_a_moved_camera_is_noticed_and_followed(share: float) -> None:
    truth = view_from(replace(SMALL, aim=(0.5 + share, 0.5)), NERVES)
    change = follow(nerves_found(), picture(truth, NERVES, covered=NERVES_IDS[:3], seed=3))
    assert change.kind == "moved"
    assert change.moved_mm == pytest.approx(share * NERVES.table_mm[0], abs=1.5)
    assert worst_mm(change.found.view, truth, NERVES) <= 2.0
    again = follow(change.found, picture(truth, NERVES, seed=4))
    assert again.kind == "still"


@pytest.mark.parametrize(
    "image",
    [
        lambda: picture(nerves_view(), NERVES, covered=NERVES_IDS),
        lambda: nerves_picture() // 200,
        lambda: nerves_picture()[:700],
    ],
    ids=["all covered", "lights off", "another size"],
)
def test_no_marker_in_sight_is_unknown_and_not_moved(image: Callable[[], Image]) -> None:
    change = follow(nerves_found(), image())
    assert (change.kind, change.found, change.seen) == ("unknown", nerves_found(), ())


def corners_of(table: TablePlan, view: TableView) -> list[tuple[float, float]]:
    w_mm, h_mm = table.table_mm
    places = np.array([(0, 0), (w_mm, 0), (w_mm, h_mm), (0, h_mm)])
    return [(float(x), float(y)) for x, y in view.to_px(places)]


@pytest.mark.parametrize("roll_deg", [0.0, 90.0, 200.0])
def test_four_corners_give_the_table_either_way_round(roll_deg: float) -> None:
    truth = view_from(replace(SMALL, roll_deg=roll_deg), NERVES)
    a, b, c, d = corners_of(NERVES, truth)
    for corners in ((a, b, c, d), (a, d, c, b)):
        seen = view_from_corners(corners, NERVES, SMALL.size_px)
        assert isinstance(seen, FoundView)
        assert worst_mm(seen.view, truth, NERVES) <= 0.1


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (100, 100), (100, 0), (0, 100)],
        [(5, 5), (5, 5), (5, 5), (5, 5)],
        [(0, 0), (100, 0), (100, 100)],
        [(0, 0), (9e9, 0), (100, 100), (0, 100)],
        [(float("nan"), 0), (100, 0), (100, 100), (0, 100)],
    ],
    ids=["crossed", "one point", "three", "far outside", "no number"],
)
def test_corners_that_make_no_table_are_refused(corners: list[tuple[float, float]]) -> None:
    assert isinstance(view_from_corners(corners, NERVES, SMALL.size_px), NoView)


def test_a_saved_table_is_read_again_the_same() -> None:
    text = table_text(nerves_found())
    again = read_table(text, "table.toml")
    assert again.view == nerves_found().view
    assert again.markers == nerves_found().markers
    assert (again.accuracy_mm, again.loose) == (nerves_found().accuracy_mm, False)
    check_table(again, "table.toml", "nerves", ("A", "B"), SMALL.size_px)
    change = follow(again, nerves_picture())
    assert change.kind == "still"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("loose = ", "lose = "), "'lose' is no setting"),
        (("[lens]", "[lense]"), "'lense' is no setting"),
        (("version = 1", "version = 9"), "version '9'"),
        (("version = 1\n", ""), "no version"),
        (('kind = "table"', 'kind = "camera"'), "no calibration of a table"),
        (('game = "nerves"', 'game = "whist"'), "whist"),
        (("width_px = 1280", "width_px = -3"), "line 10: picture.width_px"),
        (("width_px = 1280", 'width_px = "x"'), "picture.width_px must be a number"),
        (("homography = [", "homography = [1.0, "), "9 numbers"),
        (("id = 3", "id = 77"), "not of the table"),
        (("id = 3", "id = 3.5"), "four pairs"),
        (("loose = false", "loose = 2"), "true or false"),
        (("focal_px = ", "focal_px = nan #"), "focal_px"),
        (("[picture]", "[picture"), "no TOML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(change: tuple[str, str], said: str) -> None:
    text = table_text(nerves_found())
    assert change[0] in text
    with pytest.raises(CalibrationError, match=r"\Atable.toml") as error:
        read_table(text.replace(*change, 1), "table.toml")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_key_is_told_with_its_line() -> None:
    text = table_text(nerves_found())
    number = text.splitlines().index("loose = false") + 1
    with pytest.raises(CalibrationError, match=f"line {number}: "):
        read_table(text.replace("loose", "lose", 1), "table.toml")


@given(st.text(max_size=200))
def test_any_text_is_a_calibration_or_says_why_not(text: str) -> None:
    for read in (read_table, read_lens):
        with pytest.raises(CalibrationError, match=r"\Ax.toml"):
            read(text, "x.toml")


def test_the_calibration_of_another_table_is_refused() -> None:
    with pytest.raises(CalibrationError, match="is the table of nerves for A,B, not of xix"):
        check_table(nerves_found(), "t.toml", "xix", ("A", "B"), SMALL.size_px)
    with pytest.raises(CalibrationError, match="1280 x 720 px, these are 1920 x 1080"):
        check_table(nerves_found(), "t.toml", "nerves", ("A", "B"), (1920, 1080))


def test_the_sample_file_is_one_that_would_be_written_today() -> None:
    text = (ROOT / "calibration" / "sample-table.toml").read_text(encoding="utf-8")
    sample = read_table(text, "sample-table.toml")
    assert table_text(sample) == text
    check_table(sample, "sample-table.toml", "nerves", ("A", "B"), (1280, 720))
    assert worst_mm(sample.view, nerves_view(), NERVES) <= 2.0


def test_a_lens_is_saved_and_read_again() -> None:
    file = LensFile((640, 480), Lens(500.0, (319.0, 241.5), (-0.2, 0.05, 0.001, 0.0, 0.0)), 0.2, 9)
    assert read_lens(lens_text(file), "c.toml") == file


BOARD_LENS = Lens(760.0, (483.0, 266.0), (-0.18, 0.04, 0.0, 0.0, 0.0))


def board_views(count: int) -> list[BoardView]:
    """Views of the board from several sides, corners a tenth of a pixel off."""
    random = np.random.default_rng(8)
    corners = np.asarray(board().getChessboardCorners(), np.float64)
    views = []
    for number in range(count):
        aside = np.array([(number % 3 - 1) * 190.0, (number // 3 % 3 - 1) * 100.0, 430.0])
        turn = np.array([(number % 2 - 0.5) * 0.9, (number // 2 % 2 - 0.5) * 0.9, 0.1 * number])
        shift = aside - np.array([90.0, 126.0, 0.0])
        matrix, k = BOARD_LENS.matrix(), np.array(BOARD_LENS.k)
        seen = np.asarray(cv2.projectPoints(corners, turn, shift, matrix, k)[0]).reshape(-1, 2)
        seen += random.normal(0, 0.1, seen.shape)
        views.append(BoardView(np.arange(len(corners), dtype=np.int32), seen))
    return views


def test_a_lens_is_solved_from_views_of_the_board() -> None:
    views = board_views(13)
    solved = solve_lens(views[:-1], (960, 540))
    assert isinstance(solved, LensFile)
    assert solved.lens.focal_px == pytest.approx(BOARD_LENS.focal_px, rel=0.01)
    assert solved.lens.center_px == pytest.approx(BOARD_LENS.center_px, abs=4)
    assert straightness_px(views[-1], solved) < 0.4
    rim = np.array([(5.0, 5.0), (955.0, 500.0)])
    assert solved.lens.straighten(rim) == pytest.approx(BOARD_LENS.straighten(rim), abs=2.5)


def test_the_command_solves_the_lens_from_photographs(referee: Run, tmp_path: Path) -> None:
    drawn = np.asarray(board().generateImage((500, 700), marginSize=0), np.uint8)
    for number, view in enumerate(board_views(11)):
        corners = np.asarray(board().getChessboardCorners(), np.float32)[:, :2] * (700 / 252)
        # The bent lens shows the board bent: each pixel is looked up where it lies on the sheet.
        flat = BOARD_LENS.straighten(view.corners_px).astype(np.float32)
        plane = cv2.findHomography(flat, corners)[0]
        rows, columns = np.mgrid[0:540, 0:960].astype(np.float64)
        straight = BOARD_LENS.straighten(np.stack([columns.ravel(), rows.ravel()], axis=1))
        on_sheet = mapped(np.asarray(plane, np.float64), straight).astype(np.float32)
        x_px, y_px = (on_sheet[:, axis].reshape(540, 960) - 0.5 for axis in (0, 1))
        image = cv2.remap(drawn, x_px, y_px, cv2.INTER_AREA, borderValue=(200,))
        write_picture(tmp_path / f"{number:02}.png", image)
    out = tmp_path / "camera.toml"
    done = referee("calibrate", "camera", "--source", tmp_path, "-o", out, "--json")
    assert done.code == 0, done.err
    solved, tested = (json.loads(line) for line in done.out.splitlines())
    assert solved["focal_px"] == pytest.approx(BOARD_LENS.focal_px, rel=0.02)
    assert tested["check"] == "live test"
    assert read_lens(out.read_text(encoding="utf-8"), "c").size_px == (960, 540)


def test_too_few_views_and_views_of_one_place_are_refused() -> None:
    few = solve_lens(board_views(3), (960, 540))
    assert isinstance(few, NoView)
    assert "3 sides" in few.reason
    narrow = solve_lens(board_views(12)[::3], (9600, 5400))
    assert isinstance(narrow, NoView)


def test_the_printed_board_is_found() -> None:
    drawn = board().generateImage((500, 700), marginSize=20)
    seen = find_board(np.asarray(drawn, np.uint8))
    assert seen is not None
    assert seen.corners_px.shape == (24, 2)
    assert find_board(np.full((480, 640), 120, np.uint8)) is None


def test_a_known_lens_keeps_three_markers_as_good_as_ten() -> None:
    camera = Camera((1280, 720), focal=0.7, tilt_deg=20, k1=-0.2)
    truth = view_from(camera, NERVES)
    image = picture(truth, NERVES, covered=NERVES_IDS[1:4] + NERVES_IDS[6:])
    seen = find_view(image, NERVES, truth.lens)
    assert isinstance(seen, FoundView)
    assert seen.view.lens == truth.lens
    assert worst_mm(seen.view, truth, NERVES) <= 2.0


def verdicts(seen: FoundView, *images: Image) -> dict[str, tuple[str, str]]:
    return {f.check: (f.verdict, f.advice or "") for f in table_findings(seen, images)}


def test_a_good_picture_is_called_good() -> None:
    told = verdicts(nerves_found(), nerves_picture())
    good = {"zones", "light", "even light", "glare", "focus"}
    assert {check for check, (verdict, _) in told.items() if verdict == "ok"} == good
    # 720 lines over a table of 690 mm are too few to read cards by.
    assert "1.4 px/mm" in told["card size"][1]


def test_what_is_wrong_with_the_light_is_said_with_numbers() -> None:
    seen, image = nerves_found(), nerves_picture()
    assert "times as much light" in verdicts(seen, image // 4)["light"][1]
    shade = np.linspace(1.0, 0.2, image.shape[1])[None, :, None]
    assert "lamp nearer" in verdicts(seen, (image * shade).astype(np.uint8))["even light"][1]
    glare = image.copy()
    x_px, y_px = seen.view.to_px(np.array([NERVES.zones[4].center_mm]))[0]
    cv2.circle(glare, (round(x_px), round(y_px)), 25, (255, 255, 255), -1)
    assert verdicts(seen, glare)["glare"][0] == "warn"
    soft = cv2.GaussianBlur(image, (0, 0), 3.0)
    assert "focus on the table" in verdicts(seen, np.asarray(soft, np.uint8))["focus"][1]


def test_lamps_that_flicker_are_told_and_a_moving_hand_is_not() -> None:
    seen, image = nerves_found(), nerves_picture()
    lamps = [(image * level).astype(np.uint8) for level in (1.0, 0.85, 1.0, 0.85)]
    assert "power line" in verdicts(seen, *lamps)["flicker"][1]
    hand = image.copy()
    hand[100:400, 500:700] = (150, 175, 215)
    assert verdicts(seen, image, hand, image, hand)["flicker"][0] == "ok"


def test_the_live_test_ends_when_a_card_was_seen_on_every_spot() -> None:
    test = spot_test(NERVES, nerves_view())
    cards = [
        CardRead("7H", 0.9, tuple(map(float, at)), None, 0.0)
        for at in nerves_view().to_px(np.array([zone.center_mm for zone in test.spots]))
    ]
    assert len({zone.name for zone in test.spots}) == 5
    for _ in range(SIGHTINGS - 1):
        test = test.after(cards)
    assert len(test.missing()) == 5
    test = test.after(cards[1:])
    assert test.missing() == (test.spots[0].name,)
    assert test.labels[1] == "7H"
    assert test.after(cards[:1]).missing() == ()


def test_the_command_finds_checks_and_saves_the_table(referee: Run, tmp_path: Path) -> None:
    image, out = write_picture(tmp_path / "table.png", nerves_picture()), tmp_path / "c" / "t.toml"
    words = ("calibrate", "table", "--game", "nerves", "--source", image, "-o", out)
    done = referee(*words, "--json")
    # 720 lines are too few to read cards by: that is told, and the table is saved all the same.
    assert done.code == 1
    assert "live test" in one_line(done.err)
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert {"zones", "card size", "light", "focus"} <= {row.get("check") for row in rows}
    assert rows[-1]["file"] == str(out)
    again = read_table(out.read_text(encoding="utf-8"), "t.toml")
    assert worst_mm(again.view, nerves_view(), NERVES) <= 2.0
    asked = referee(*words, "--test")
    assert asked.code == 1
    assert "cards seen on 0 of 5 spots" in asked.out


def test_the_command_takes_corners_where_there_is_no_mat(referee: Run, tmp_path: Path) -> None:
    image, out = write_picture(tmp_path / "table.png", nerves_picture()), tmp_path / "t.toml"
    corners = [f"{x:.1f},{y:.1f}" for x, y in corners_of(NERVES, nerves_view())]
    words = ("calibrate", "table", "--game", "nerves", "--source", image, "-o", out)
    done = referee(*words, "--corners", *corners)
    assert "from four corners" in done.out
    again = read_table(out.read_text(encoding="utf-8"), "t.toml")
    assert worst_mm(again.view, nerves_view(), NERVES) <= 2.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("table", "--game", "xix"), "mat of nerves"),
        (("table", "--game", "whist"), "whist"),
        (("table", "--game", "nerves", "--corners", "1,2", "3,4"), "four corners"),
        (("table", "--game", "nerves", "--corners", "here"), "x,y in pixels"),
        (("table", "--game", "nerves", "--lens", "none.toml"), "none.toml"),
        (("table", "--game", "nerves", "-o", "/proc/no/t.toml"), "/proc/no/t.toml"),
        (("table",), "--game"),
        (("camera",), "0 sides"),
    ],
)
def test_what_cannot_be_calibrated_is_said_in_one_line(
    referee: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    image = write_picture(tmp_path / "table.png", nerves_picture())
    out = () if "-o" in words else ("-o", tmp_path / "t.toml")
    done = referee("calibrate", *words, "--source", image, *out)
    assert done.code == 2
    assert said in one_line(done.err)


def test_the_doctor_judges_the_mat_in_a_video(referee: Run, tmp_path: Path) -> None:
    video = write_video(tmp_path / "table.avi", [nerves_picture()] * 3)
    rows = [
        json.loads(line) for line in referee("doctor", "--source", video, "--json").out.splitlines()
    ]
    told = {row["check"]: row for row in rows}
    assert "nerves for 2 players" in told["mat"]["found"]
    assert told["zones"]["verdict"] == "ok"
    assert "px wide" in told["card size"]["found"]
    assert told["flicker"]["verdict"] == "ok"
    assert "pads" in told


def test_the_doctor_knows_markers_that_serve_every_game(referee: Run, tmp_path: Path) -> None:
    spare = with_any_markers(NERVES)
    image = write_picture(tmp_path / "t.png", picture(nerves_view(), spare))
    rows = map(json.loads, referee("doctor", "--source", image, "--json").out.splitlines())
    told = {row["check"]: row for row in rows}
    assert (told["mat"]["verdict"], "every game" in told["mat"]["found"]) == ("ok", True)


def test_a_calibration_over_the_mat_of_another_game_is_refused(
    referee: Run, tmp_path: Path
) -> None:
    video = write_video(tmp_path / "table.avi", [nerves_picture()] * 3)
    xix = plan("xix", ("A", "B"))
    pointed_at = view_from_corners([(90, 90), (1190, 90), (1190, 640), (90, 640)], xix, (1280, 720))
    assert isinstance(pointed_at, FoundView)
    file = tmp_path / "xix.toml"
    file.write_text(table_text(pointed_at), encoding="utf-8")
    words = ("--headless", "--source", video, "--calibration", file)
    done = referee("watch", "--game", "xix", *words)
    assert done.code == 2
    assert "this is the mat of nerves for 2 players, not of xix for 2" in one_line(done.err)


def test_a_film_of_another_games_mat_is_refused_in_one_line(referee: Run, tmp_path: Path) -> None:
    video = write_video(tmp_path / "table.avi", [nerves_picture()] * 9)
    done = referee("watch", "--game", "xix", "--headless", "--source", video)
    assert done.code == 2
    assert "this is the mat of nerves for 2 players, not of xix for 2" in one_line(done.err)


def test_a_calibration_from_pictures_of_another_size_is_refused_and_nothing_else_said(
    referee: Run, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(table_text(nerves_found()), encoding="utf-8")
    smaller = cv2.resize(nerves_picture(), None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA)
    video = write_video(tmp_path / "table.avi", [np.asarray(smaller, np.uint8)] * 3)
    words = ("--headless", "--source", video, "--calibration", file)
    done = referee("watch", "--game", "nerves", *words)
    assert done.code == 2
    assert "was made with pictures of" in one_line(done.err)


def test_an_unknown_camera_has_a_usual_lens() -> None:
    lens = usual_lens((1920, 1080))
    assert lens.straighten(np.array([(3.0, 4.0)])).tolist() == [[3.0, 4.0]]
    assert 40 < 2 * np.degrees(np.arctan(960 / lens.focal_px)) < 80
