"""Tests of the card reader with the networks that come with it, on the product's own pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee import app
from referee.commands._sample import last_truth, score
from referee.simulate.cards import DeckStyle, draw_card
from referee.values import CardRead
from referee.vision.detect import ModelError, Reader

Image = np.ndarray


@pytest.fixture(scope="module")
def reader() -> Reader:
    return app.open_reader(None, 2)


def names(cards: tuple[CardRead, ...]) -> set[str]:
    return {card.label for card in cards if card.label != "??"}


def laid(label: str, height_px: int = 220, angle_deg: float = 0.0) -> Image:
    """One card of our own deck in the middle of a green cloth."""
    card = draw_card(label, height_px, DeckStyle())
    height, width = card.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -angle_deg, 1.0)
    turn[:, 2] += (240 - width / 2, 240 - height / 2)
    cloth = np.full((480, 480, 3), (60, 90, 40), np.uint8)
    return cv2.warpAffine(card, turn, (480, 480), dst=cloth, borderMode=cv2.BORDER_TRANSPARENT)


def test_the_last_table_of_the_sample_clip_is_read(reader: Reader, last_table: Image) -> None:
    result = score(last_truth(app.DEMO_TRUTH), reader.read(last_table).cards)
    assert result.wrong == 0
    assert result.missed <= 1


def test_the_stocks_on_it_are_seen_as_backs(reader: Reader, last_table: Image) -> None:
    truth = [true for true in last_truth(app.DEMO_TRUTH) if true.label == "BACK"]
    backs = [read for read in reader.read(last_table).cards if read.label == "BACK"]
    for true in truth:
        quad = np.array(true.quad_px, np.float32)
        assert any(cv2.pointPolygonTest(quad, read.at_px, False) >= 0 for read in backs)


@pytest.mark.parametrize("label", ["AS", "2H", "4D", "7C", "TH", "JS", "QD", "KC"])
def test_a_card_is_read_however_it_is_turned(reader: Reader, label: str) -> None:
    for angle_deg in (0.0, 37.0, 90.0, 200.0):
        cards = reader.read(laid(label, angle_deg=angle_deg)).cards
        assert names(cards) == {label}, angle_deg


def test_a_read_says_how_the_card_is_turned(reader: Reader) -> None:
    for angle_deg in (30.0, 140.0, 300.0):
        (upper, *_) = sorted(
            reader.read(laid("7H", angle_deg=angle_deg)).cards, key=lambda r: -r.score
        )
        off = (upper.angle_deg - angle_deg + 90.0) % 180.0 - 90.0
        assert abs(off) < 6.0


def test_a_black_and_white_picture_is_read(reader: Reader) -> None:
    grey = cv2.cvtColor(laid("9S"), cv2.COLOR_BGR2GRAY)
    assert names(reader.read(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)).cards) == {"9S"}


def test_an_empty_cloth_shows_no_card(reader: Reader) -> None:
    assert reader.read(np.full((720, 1280, 3), (60, 90, 40), np.uint8)).cards == ()


def test_noise_has_no_name(reader: Reader) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    assert names(reader.read(noise).cards) == set()


@pytest.mark.parametrize("size", [(1, 1), (1, 700), (33, 31), (200, 7)])
def test_a_tiny_picture_is_no_fault(reader: Reader, size: tuple[int, int]) -> None:
    assert names(reader.read(np.zeros((*size, 3), np.uint8)).cards) == set()


def test_the_same_picture_gives_the_same_reads(reader: Reader, last_table: Image) -> None:
    assert reader.read(last_table) == reader.read(last_table)


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"finder\.onnx is missing"):
        Reader(tmp_path)


@pytest.mark.parametrize("content", [b"", b"not a model", bytes(range(256)) * 40])
def test_a_broken_model_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "finder.onnx").write_bytes(content)
    with pytest.raises(ModelError, match=r"finder\.onnx cannot be used") as caught:
        Reader(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_model_of_another_kind_is_named(tmp_path: Path) -> None:
    other = (app.models_dir(None) / "index.onnx").read_bytes()
    (tmp_path / "finder.onnx").write_bytes(other)
    with pytest.raises(ModelError, match="another kind or version"):
        Reader(tmp_path)
