"""The sample clip: it plays everywhere, keeps its size, and shows what its truth says."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.simulate.cards import POKER_DECK
from referee.simulate.play import scene_at
from referee.simulate.sample import (
    CLIP_S,
    FRAMES_PER_SECOND,
    MOST_BYTES,
    SCRIPT,
    SEEN_SHARE,
    key_frames,
    main,
    sample_play,
    sample_studio,
)
from referee.simulate.table import TableRenderer

DATA = Path(__file__).parent.parent / "referee" / "data"
VIDEO, TRUTH = DATA / "demo.mp4", DATA / "demo.json"


@pytest.fixture(scope="module")
def truth() -> list[dict[str, object]]:
    return list(json.loads(TRUTH.read_text(encoding="utf-8")))


def test_the_clip_is_small_and_runs_at_1080p_for_its_time() -> None:
    assert VIDEO.stat().st_size <= MOST_BYTES
    clip = cv2.VideoCapture(str(VIDEO))
    assert clip.isOpened()
    assert clip.get(cv2.CAP_PROP_FRAME_WIDTH) == 1920
    assert clip.get(cv2.CAP_PROP_FRAME_HEIGHT) == 1080
    assert clip.get(cv2.CAP_PROP_FPS) == pytest.approx(FRAMES_PER_SECOND)
    assert clip.get(cv2.CAP_PROP_FRAME_COUNT) == round(CLIP_S * FRAMES_PER_SECOND)


def test_key_frames_come_about_once_a_second_with_no_card_in_the_air(
    truth: list[dict[str, object]],
) -> None:
    play = sample_play()
    numbers = tuple(entry["frame"] for entry in truth)
    assert numbers == key_frames(play)
    assert len(numbers) >= 13
    for number in key_frames(play):
        assert scene_at(play, number / FRAMES_PER_SECOND).carried == ()


def test_both_decks_keep_their_52_cards_from_first_to_last() -> None:
    play = sample_play()
    for t_s in np.linspace(0.0, CLIP_S, 40):
        scene = scene_at(play, float(t_s))
        cards = sorted((card.deck, card.label) for card in (*scene.cards, *scene.carried))
        assert cards == sorted((deck, label) for deck in (0, 1) for label in POKER_DECK)


def test_the_clip_ends_still_with_25_to_32_cards_to_see(truth: list[dict[str, object]]) -> None:
    last = truth[-1]
    assert isinstance(last["cards"], list)
    assert 25 <= len(last["cards"]) <= 32
    assert last["hands"] == []


def test_the_encoded_frame_is_the_rendered_one() -> None:
    number = key_frames(sample_play())[-1]
    clip = cv2.VideoCapture(str(VIDEO))
    clip.set(cv2.CAP_PROP_POS_FRAMES, number)
    read, encoded = clip.read()
    assert read
    play = sample_play()
    rendered = TableRenderer(sample_studio()).render(
        lambda t_s: scene_at(play, t_s), number / FRAMES_PER_SECOND
    )
    apart = np.abs(encoded.astype(int) - rendered.image.astype(int))
    assert apart.mean() < 6.0
    shown = sum(card.visible >= SEEN_SHARE for card in rendered.truth.cards)
    entries = json.loads(TRUTH.read_text(encoding="utf-8"))
    assert len(entries[-1]["cards"]) == shown


def test_the_script_builds_down_in_turn_of_colours_and_up_in_suit() -> None:
    order = "A23456789TJQK"
    red = {"D": True, "H": True, "C": False, "S": False}
    works = {(0, "work 1"): "9C", (0, "work 2"): "QH", (0, "work 3"): "5S", (0, "work 4"): "JD",
             (1, "work 1"): "KC", (1, "work 2"): "6H", (1, "work 3"): "9D",
             (1, "work 4"): "JS"}  # fmt: skip
    foundations: dict[str, str] = {}
    for line in sorted(SCRIPT, key=lambda line: line.beat):
        card = line.cards[-1]
        if line.to.startswith("work"):
            below = works[line.seat, line.to]
            assert order.index(below[0]) == order.index(card[0]) + 1
            assert red[below[1]] != red[card[1]]
            works[line.seat, line.to] = card
        elif line.to.startswith("foundation"):
            below = foundations.get(line.to, "0" + card[1])
            assert order.index(card[0]) == ("0" + order).index(below[0])
            assert below[1] == card[1]
            foundations[line.to] = card
    assert foundations == {"foundation 1": "2S", "foundation 2": "AD"}


def test_a_missing_encoder_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--out", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "install it" in message
    assert message.count("\n") == 1
