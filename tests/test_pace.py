"""A computer that is too slow for its camera: frames are skipped, counted, and people are told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.app.pace import MOST_IN_A_ROW, QUIET_SPANS, SPAN_FRAMES, Pace


def test_a_camera_that_is_kept_up_with_is_not_spoken_of() -> None:
    pace = Pace()
    assert {pace.take(n) for n in range(1000)} == {""}
    assert pace.told() == ""


def test_a_frame_lost_now_and_then_is_counted_and_not_complained_about() -> None:
    pace = Pace()
    assert {pace.take(n) for n in range(3000) if n % 100 != 50} == {""}
    assert pace.told() == "30 of 3000 frames (1.0%) were skipped"


def test_a_computer_that_takes_every_second_frame_is_told_of_once_a_minute() -> None:
    pace = Pace()
    lines = [line for n in range(0, SPAN_FRAMES * QUIET_SPANS * 2, 2) if (line := pace.take(n))]
    assert len(lines) == 2
    assert "too slow for the camera: 150 of the last 30" in lines[0]


def test_a_source_that_was_opened_again_begins_no_gap() -> None:
    pace = Pace()
    pace.take(7)
    pace.take(0)
    assert pace.skipped == 0


def test_a_dear_step_or_two_are_made_up_for_without_hurry() -> None:
    pace = Pace()
    for n, waiting in enumerate((0, 2, 1, 2, 1, 0)):
        pace.take(n, waiting)
        assert not pace.hurries


def test_who_fell_behind_hurries_until_the_newest_frame_which_is_looked_at_whole() -> None:
    pace, hurries = Pace(), []
    for n, waiting in enumerate((0, 3, 2, 1, 0, 2)):
        pace.take(n, waiting)
        hurries.append(pace.hurries)
    assert hurries == [False, True, True, True, False, False]
    assert pace.told() == "0 of 6 frames (0.0%) were skipped, 3 hurried over"


def test_a_computer_that_never_comes_to_the_newest_frame_still_looks_at_some() -> None:
    pace, whole = Pace(), []
    for n in range(SPAN_FRAMES - 1):
        pace.take(n, waiting=9)
        if not pace.hurries:
            whole.append(n)
    assert whole == list(range(MOST_IN_A_ROW, SPAN_FRAMES - 1, MOST_IN_A_ROW + 1))


def test_that_most_frames_are_hurried_over_is_told() -> None:
    pace = Pace()
    lines = [pace.take(n, waiting=3 * (n % 4 != 0)) for n in range(SPAN_FRAMES)]
    assert set(lines[:-1]) == {""}
    assert "0 of the last 300 frames were skipped, 225 hurried over" in lines[-1]
    slow = Pace()
    assert {slow.take(n, waiting=3 * (n % 2)) for n in range(SPAN_FRAMES)} == {""}


@given(st.lists(st.integers(0, 40), max_size=80))
def test_every_frame_is_either_taken_or_skipped(gaps: list[int]) -> None:
    pace, n = Pace(), 0
    pace.take(n)
    for gap in gaps:
        n += gap + 1
        pace.take(n)
    assert pace.taken + pace.skipped == n + 1
