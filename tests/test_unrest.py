"""A camera that shakes, or a lamp that flickers: people are told what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.unrest import Unrest

S = 1_000_000_000


def told(unrest: Unrest, shares: list[float], from_s: float = 0.0) -> list[str]:
    """Take thirty pictures a second; returns what people were told."""
    times = (int((from_s + n / 30) * S) for n in range(len(shares)))
    lines = (unrest.take(t_ns, share) for t_ns, share in zip(times, shares, strict=True))
    return [line for line in lines if line]


def test_a_table_that_is_played_on_is_not_spoken_of() -> None:
    assert told(Unrest(), [0.0, 0.3, 0.5, 0.1] * 300) == []


def test_a_table_that_is_bumped_now_and_then_is_not_spoken_of() -> None:
    assert told(Unrest(), ([1.0] * 25 + [0.0] * 100) * 10) == []


@pytest.mark.parametrize("beat", [[1.0], [1.0, 1.0, 1.0, 0.0], [0.0, 0.8, 1.0, 0.0]])
def test_a_picture_without_rest_is_told_of_once(beat: list[float]) -> None:
    (line,) = told(Unrest(), beat * 900)
    assert "shakes or the light flickers" in line


def test_it_is_told_again_when_it_was_well_for_a_minute() -> None:
    unrest = Unrest()
    assert len(told(unrest, [1.0] * 300)) == 1
    assert told(unrest, [0.0] * 900, from_s=10) == []
    assert told(unrest, [1.0] * 300, from_s=40) == []
    assert told(unrest, [0.0] * 2100, from_s=50) == []
    assert len(told(unrest, [1.0] * 300, from_s=120)) == 1


@given(st.lists(st.floats(0.0, 1.0), max_size=119))
def test_nothing_is_told_within_the_first_seconds(shares: list[float]) -> None:
    assert told(Unrest(), shares) == []
