"""The set-up page joined to cameras and matches: what was chosen is what is refereed."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from servers import Camera, camera, part

from referee import app
from referee.app.setting_up import SettingUp, first_setup, offered_games
from referee.commands._hosting import LAST, arguments, keep_setup, last_setup
from referee.commands._preparing import Preparing, sources
from referee.screens.desk import Desk, Order
from referee.screens.page import Page
from referee.screens.setup import Chair, MatSeen, Setup, SetupOffer, SourceOffered, Step
from referee.values import Setting
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
