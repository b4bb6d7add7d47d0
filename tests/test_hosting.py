"""The set-up page joined to cameras and matches: what was chosen is what is refereed."""

from __future__ import annotations

import argparse
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from servers import Camera, camera, part
from table_pictures import Camera as TableCamera
from table_pictures import picture, view_from, worst_mm

from referee import app
from referee.app.setting_up import SettingUp, first_setup, offered_games, problem_of
from referee.commands._hosting import LAST, arguments, keep_setup, last_setup
from referee.commands._preparing import Preparing, sources
from referee.notation import read_matches
from referee.pads.paths import Path as Cable
from referee.pads.twin import Crystal, Touch, Twin
from referee.pads.twinport import TwinPort
from referee.screens.desk import Desk, Order
from referee.screens.page import Page
from referee.screens.setup import Chair, MatSeen, PadShown, Setup, SetupOffer, SourceOffered, Step
from referee.simulate.film import Film
from referee.simulate.staging import Filming
from referee.table.calibrate_file import read_table, table_text
from referee.table.layout import is_drawn, plan
from referee.table.markers import with_any_markers
from referee.values import Setting, TablePlan
from referee.vision.frames import file_frames

ARGS = argparse.Namespace(
    pads=None, models=None, threads=1, calibration=None, game=None, source=None, resume=True
)
# Far longer than anything here takes: only a hang reaches it.
HANG_S = 60


def chosen(game: str, *names: str, source: str = "camera:0", **options: str) -> Setup:
    chairs = tuple(Chair("ABCDEFGH"[i], name) for i, name in enumerate(names))
    return Setup(game, chairs, tuple(Setting(*pair) for pair in options.items()), source)


def test_what_was_set_up_is_what_is_refereed() -> None:
    setup = chosen("nertz", "Ann", "", "Cleo, the third", target="100")
    made = arguments(ARGS, setup)
    assert (made.game, made.source, made.script) == ("nertz", "camera:0", None)
    assert made.players == "Ann,B,Cleo  the third"
    assert made.option == ["target=100"]
    assert made.pads == "none"  # none is plugged in here
    assert not made.resume


def test_the_sample_match_needs_no_camera() -> None:
    made = arguments(ARGS, chosen("xix", "", "", source="demo"))
    assert Path(made.source).name == "xix.mp4"
    assert Path(made.source).is_file()
    assert Path(made.script).is_file()


def test_the_next_evening_begins_with_the_last_choice(tmp_path: Path) -> None:
    setup = chosen("spy", "Ann", "Ben", "", blind="yes")
    assert last_setup(tmp_path) is None
    keep_setup(tmp_path / "new", first_setup())
    assert last_setup(tmp_path / "new") == first_setup()
    keep_setup(tmp_path / "new", setup)
    # There is no such option: what holds no longer is not offered again.
    assert last_setup(tmp_path / "new") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 7}', "\x00", '{"chairs": [1]}'])
def test_a_broken_choice_is_forgotten(tmp_path: Path, text: str) -> None:
    (tmp_path / LAST).write_text(text)
    assert last_setup(tmp_path) is None


@pytest.fixture(scope="module")
def table_jpeg() -> bytes:
    """The table of Nerves for two, as the sample's camera sees it first."""
    frame = next(iter(file_frames(app.find_source(str(app.DEMO_CLIP.with_name("nerves.mp4"))))))
    return cv2.imencode(".jpg", frame.image_bgr)[1].tobytes()


@pytest.fixture
def phone(table_jpeg: bytes) -> Iterator[Camera]:
    yield from filming(table_jpeg)


def filming(table_jpeg: bytes) -> Iterator[Camera]:
    """Be a phone that films a still table."""
    ended = threading.Event()

    def film() -> None:
        while not ended.wait(0.2):
            server.send(part(table_jpeg))

    with camera() as server:
        sending = threading.Thread(target=film, daemon=True)
        sending.start()
        yield server
        ended.set()
        sending.join()


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with Page(Desk(), port=0) as served:
        yield served


def steps_when(preparing: Preparing, setting: SettingUp, name: str, state: str) -> Step:
    """Wait until a step has a state."""
    end_s = time.monotonic() + HANG_S
    while time.monotonic() < end_s:
        preparing.turn()
        for step in setting.offer.steps:
            if (step.name, step.state) == (name, state):
                return step
    raise AssertionError(setting.offer.steps)


def test_the_set_up_shows_the_camera_and_knows_the_mat(page: Page, phone: Camera) -> None:
    offer = SetupOffer(offered_games(), (SourceOffered(phone.url(), "Phone"),))
    setting = SettingUp(page, Desk(), offer)
    preparing = Preparing(setting, page, ARGS)
    try:
        step = steps_when(preparing, setting, "table", "done")
        assert "nerves for 2" in step.text
        assert setting.offer.mat == MatSeen("nerves", 2)
        assert setting.offer.picture
        two = chosen("nerves", "Ann", "Ben", source=phone.url())
        assert preparing.problem_of(two) is None
        other = chosen("xix", "Ann", "Ben", source=phone.url())
        assert "table of nerves for 2" in (preparing.problem_of(other) or "")
    finally:
        preparing.close()


def test_two_players_of_one_name_are_asked_for_other_names() -> None:
    assert problem_of(chosen("nerves", "Ann", "Ben")) is None
    assert "two players are called Ann" in (problem_of(chosen("nerves", "Ann", "Ann ")) or "")


@pytest.fixture
def phones() -> Iterator[Callable[[TablePlan], Camera]]:
    """Give phones that film a table each, without cards, from straight above."""
    with ExitStack() as stack:

        def phone(table: TablePlan) -> Camera:
            shot = picture(view_from(TableCamera(room=1.2), table), table)
            jpeg = cv2.imencode(".jpg", shot)[1].tobytes()
            return stack.enter_context(contextmanager(filming)(jpeg))

        yield phone


def test_markers_that_serve_every_game_show_the_table_that_is_chosen(
    page: Page, phones: Callable[[TablePlan], Camera]
) -> None:
    spy = plan("spy", ("A", "B", "C"))
    source = phones(with_any_markers(spy)).url()
    setting = SettingUp(
        page, Desk(), SetupOffer(offered_games(), (SourceOffered(source, "Phone"),))
    )
    preparing = Preparing(setting, page, ARGS)
    try:
        preparing.order(Order("table", ("spy", "3"), 0, "page"))
        step = steps_when(preparing, setting, "table", "done")
        assert "spy for 3: 9 of 9 markers" in step.text
        assert setting.offer.mat is None  # they tell of no game
        drawn = {spot.zone for spot in setting.offer.spots}
        assert drawn == {zone.name for zone in spy.zones if is_drawn(spy, zone)}
        made = chosen("spy", "", "", "", source=source)
        assert preparing.problem_of(made) is None
        assert preparing.calibrated(made) is None  # the match finds them by itself
    finally:
        preparing.close()


def test_a_table_without_markers_is_where_its_corners_were_tapped(
    page: Page, phones: Callable[[TablePlan], Camera]
) -> None:
    table = plan("nerves", ("A", "B"))
    source = phones(replace(table, markers=())).url()
    setting = SettingUp(
        page, Desk(), SetupOffer(offered_games(), (SourceOffered(source, "Phone"),))
    )
    preparing = Preparing(setting, page, ARGS)
    truth = view_from(TableCamera(room=1.2), table)
    w_mm, h_mm = table.table_mm
    corners = truth.to_px(np.array([(0, 0), (w_mm, 0), (w_mm, h_mm), (0, h_mm)])) + 0.5
    shares = [(float(x) / 1920, float(y) / 1080) for x, y in corners]
    try:
        assert "four corners" in steps_when(preparing, setting, "table", "wrong").text
        words = [f"{x:.4f},{y:.4f}" for x, y in shares]
        preparing.order(Order("table", ("nerves", "2", "960", *words), 0, "page"))
        step = steps_when(preparing, setting, "table", "done")
        assert "from four corners" in step.text
        made = replace(chosen("nerves", "", "", source=source), corners=tuple(shares))
        found = preparing.calibrated(made)
        assert found is not None
        assert worst_mm(found.view, truth, table) <= 2.0
        # Tapped in a picture half as large as the camera's: twice as far off.
        middle = table.table_mm[0] / 2, table.table_mm[1] / 2
        assert found.accuracy_mm == pytest.approx(6 / truth.px_per_mm(middle), rel=0.05)
        again = read_table(table_text(found), "table.toml")
        assert worst_mm(again.view, truth, table) <= 2.0
    finally:
        preparing.close()


def test_a_camera_that_does_not_answer_is_told_on_its_step(page: Page) -> None:
    setting = SettingUp(page, Desk(), SetupOffer(offered_games(), sources()))
    preparing = Preparing(setting, page, ARGS)
    try:
        preparing.order(Order("camera", ("http://127.0.0.1:9/video",), 0, "page"))
        step = steps_when(preparing, setting, "picture", "wrong")
        assert "127.0.0.1:9" in step.text
        preparing.order(Order("camera", ("demo",), 0, "page"))
        assert setting.offer.steps == ()
    finally:
        preparing.close()


# A card on each spot that the live test asks for.
ON_ALL_SPOTS = """
match SPOTS cards on all spots
  game nerves
  players A B
  phase PLAY
  state
    A.arr.7 | KS
    A.arr.6 | 5C
    B.arr.7 | 7H
    B.arr.6 | TD
    deck | 4S
  events
    1 9.000 CardPlaced A.R 5C A.arr.6>A.arr.1 up
"""


@pytest.fixture(scope="module")
def spots_jpeg() -> bytes:
    match = read_matches(ON_ALL_SPOTS)[0]
    film = Film(match, plan(match.game, match.seats), Filming(1920, 1080, strength=0.0))
    return cv2.imencode(".jpg", film.picture(0))[1].tobytes()


@pytest.fixture
def spots_phone(spots_jpeg: bytes) -> Iterator[Camera]:
    yield from filming(spots_jpeg)


def test_the_live_test_ends_when_a_card_lies_on_every_spot(page: Page, spots_phone: Camera) -> None:
    offer = SetupOffer(offered_games(), (SourceOffered(spots_phone.url(), "Phone"),))
    setting = SettingUp(page, Desk(), offer)
    preparing = Preparing(setting, page, ARGS)
    try:
        assert "optional" in steps_when(preparing, setting, "test", "open").text
        preparing.order(Order("calibrate", ("test",), 0, "page"))
        doing = steps_when(preparing, setting, "test", "doing")
        assert "A's column 7" in doing.text
        assert "5 spots" in steps_when(preparing, setting, "test", "done").text
    finally:
        preparing.close()


def test_the_live_test_says_where_a_card_is_missing(page: Page, phone: Camera) -> None:
    offer = SetupOffer(offered_games(), (SourceOffered(phone.url(), "Phone"),))
    setting = SettingUp(page, Desk(), offer)
    preparing = Preparing(setting, page, ARGS)
    try:
        steps_when(preparing, setting, "test", "open")
        preparing.order(Order("calibrate", ("test",), 0, "page"))
        # Nothing lies there in the sample match: it goes on asking.
        for _ in range(3):
            preparing.order(Order("calibrate", ("table",), 0, "page"))
            assert "the deck" in steps_when(preparing, setting, "test", "doing").text
    finally:
        preparing.close()


@pytest.fixture
def board() -> Iterator[TwinPort]:
    """A board of touch pads behind a real port."""
    twin = Twin(bytes(range(8)), random.Random(1), Crystal(150.0), time.monotonic_ns())
    with TwinPort(twin, Cable("cdc", random.Random(2))) as port:
        yield port


def pads_when(
    preparing: Preparing, setting: SettingUp, board: TwinPort | None, words: str
) -> PadShown:
    """Wait, touching the first pad of a board, until the page says these words of the pads."""
    end_s = time.monotonic() + HANG_S
    while time.monotonic() < end_s:
        preparing.turn()
        if board is not None:
            board.touch(Touch(time.monotonic_ns(), 0, peak=500))
        for pad in setting.offer.pads:
            if words in pad.text:
                return pad
    raise AssertionError(setting.offer.pads)


def test_the_set_up_shows_each_board_and_the_pad_that_was_touched(
    page: Page, board: TwinPort
) -> None:
    args = argparse.Namespace(**{**vars(ARGS), "pads": board.device})
    setting = SettingUp(page, Desk(), SetupOffer(offered_games(), sources()))
    preparing = Preparing(setting, page, args)
    try:
        ready = pads_when(preparing, setting, board, "pad 1 was touched")
        assert (ready.spot, ready.state) == (f"Board at {board.device}", "ready")
        board.unplug()
        gone = pads_when(preparing, setting, None, "put its cable back")
        assert (gone.spot, gone.state) == (ready.spot, "missing")
    finally:
        preparing.close()


def test_a_port_without_a_board_is_told_on_the_page(page: Page) -> None:
    args = argparse.Namespace(**{**vars(ARGS), "pads": "/dev/no-such-port"})
    setting = SettingUp(page, Desk(), SetupOffer(offered_games(), sources()))
    preparing = Preparing(setting, page, args)
    try:
        preparing.turn()
        (trouble,) = setting.offer.pads
        assert trouble.state in ("silent", "missing")
        assert "/dev/no-such-port" in trouble.spot + trouble.text
    finally:
        preparing.close()
