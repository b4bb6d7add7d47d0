"""A camera that sends too few pictures: people are told, and faults are only asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.caution import ASKED_CONF, unsure
from referee.app.rate import Rate
from referee.values import Actor, CardPlaced, HandOn, card

S = 1_000_000_000
LAID = CardPlaced(
    n=0, t_ns=0, actor=Actor("A", "R"), source="camera", conf=0.99,
    card=card("TS"), origin="A.arr.1", target="play.B",
)  # fmt: skip


def told(rate: Rate, per_s: float, for_s: float, from_s: float = 0.0) -> list[str]:
    """Take the pictures of a camera; returns what people were told."""
    times = (int((from_s + n / per_s) * S) for n in range(int(per_s * for_s)))
    return [line for t_ns in times if (line := rate.take(t_ns))]


@pytest.mark.parametrize("per_s", [12, 15, 25, 30, 60])
def test_a_usual_camera_is_not_spoken_of(per_s: float) -> None:
    rate = Rate()
    assert told(rate, per_s, 20) == []
    assert not rate.doubts(0)


@pytest.mark.parametrize("per_s", [2, 5, 9])
def test_a_slow_camera_is_told_of_once_and_what_it_sees_is_doubted(per_s: float) -> None:
    rate = Rate()
    (line,) = told(rate, per_s, 60)
    assert f"only {per_s} pictures a second" in line
    assert rate.doubts(60 * S)


def test_a_camera_that_is_quick_again_is_trusted_again() -> None:
    rate = Rate()
    told(rate, 5, 10)
    assert told(rate, 30, 5, from_s=10) == []
    assert rate.doubts(10 * S)
    assert not rate.doubts(12 * S)
    # A second slow spell soon after needs no second word.
    assert told(rate, 5, 10, from_s=15) == []
    assert rate.doubts(25 * S)


def test_a_picture_that_comes_a_little_late_harms_nothing() -> None:
    rate = Rate()
    told(rate, 30, 5)
    assert told(rate, 30, 5, from_s=5.2) == []
    assert not rate.doubts(5 * S)


def test_what_lies_there_new_after_a_gap_of_a_second_is_doubted() -> None:
    rate = Rate()
    told(rate, 30, 5)
    assert told(rate, 30, 3, from_s=6) == []
    assert rate.doubts(6 * S + S // 2)
    assert not rate.doubts(7 * S)


@given(st.lists(st.integers(-S, 3 * S), max_size=60))
def test_times_that_jump_forth_and_back_are_taken(steps_ns: list[int]) -> None:
    rate, t_ns = Rate(), 0
    for step_ns in steps_ns:
        t_ns += step_ns
        rate.take(t_ns)


def test_only_what_the_camera_tells_of_cards_is_doubted() -> None:
    assert unsure(LAID).conf == ASKED_CONF
    assert unsure(replace(LAID, conf=0.4)).conf == 0.4
    pressed = replace(LAID, source="operator")
    assert unsure(pressed) == pressed
    hand = HandOn(n=0, t_ns=0, actor=Actor("A", "R"), source="camera", conf=0.99, zone="mid")
    assert unsure(hand) == hand
