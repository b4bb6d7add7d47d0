"""The demo: the sample clip goes through the whole pipeline, and its truth is told honestly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from conftest import Ended

from referee import app
from referee.commands import BadInput
from referee.commands._sample import Score, TrueCard, last_truth, score
from referee.values import CardRead

Referee = Callable[..., Ended]


def card(label: str, x_px: float) -> TrueCard:
    """Return a card 100 px wide with its left edge at x."""
    quad = ((x_px, 0.0), (x_px + 100, 0.0), (x_px + 100, 140.0), (x_px, 140.0))
    return TrueCard(label, quad, readable=True)


def read(label: str, x_px: float, score: float = 0.9) -> CardRead:
    return CardRead(label, score, (x_px, 20.0), None, 0.0)


def test_the_demo_reads_the_clip_to_its_end_and_draws_the_last_table(
    referee: Referee, tmp_path: Path
) -> None:
    done = referee("demo", "--headless", "--json", "--draw", tmp_path)
    assert (done.code, done.err) == (0, "")
    *looks, end = [json.loads(line) for line in done.out.splitlines()]
    frames = [look["frame"] for look in looks]
    assert frames == sorted(set(frames))
    assert frames[0] < 30
    assert len(frames) > 10
    cards = [true for true in last_truth(app.DEMO_TRUTH) if true.readable and true.label != "BACK"]
    assert end["right"] + end["wrong"] + end["missed"] == len(cards) > 20
    drawn = cv2.imread(end["drawn"])
    assert drawn is not None
    assert drawn.shape == (1080, 1920, 3)
    assert len(list(tmp_path.glob("*.seen.jpg"))) == len(frames) + 1


def test_reads_are_scored_on_the_card_they_lie_on() -> None:
    truth = [card("7H", 0.0), card("TD", 200.0), card("2C", 400.0), card("BACK", 600.0)]
    reads = [read("7H", 10.0), read("9H", 12.0, 0.5), read("JD", 210.0), read("??", 410.0)]
    assert score(truth, reads) == Score(right=1, wrong=1, missed=1)
    assert score(truth, []) == Score(right=0, wrong=0, missed=3)


def test_where_cards_overlap_a_read_belongs_to_the_card_of_its_name() -> None:
    truth = [card("7H", 0.0), card("TD", 20.0)]
    assert score(truth, [read("7H", 30.0), read("TD", 31.0)]) == Score(right=2, wrong=0, missed=0)


@pytest.mark.parametrize("text", ["", "[]", "{}", '[{"cards": [{}]}]', '[{"cards": 3}]', "[1"])
def test_a_damaged_truth_is_said_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "demo.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="install the referee again"):
        last_truth(path)
