"""Contact times from the speeds of hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawn_arms import braking, min_jerk
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.table.touch import TouchWatch
from referee.values import HandSeen, Touch

Way = Callable[[float], float]


def blow(share: float) -> float:
    u = min(max(share, 0.0), 1.0)
    return u**2.2


WAYS = {"min_jerk": min_jerk, "braking": braking, "blow": blow}


def watched(
    position: Way, until_s: float, *, from_s: float = 0.0, fps: float = 30.0, noise_mm: float = 0.1
) -> list[Touch]:
    """The touches of a hand that goes along x, seen with noise by a camera from `from_s` on."""
    rng = np.random.default_rng(3)
    watch, touches = TouchWatch(), []
    times = np.arange(np.ceil(from_s * fps), until_s * fps) / fps
    for before, now in pairwise(times):
        way = abs(position(now) - position(before)) + abs(rng.normal(0, noise_mm))
        # First seen near the table's edge, as a hand that comes.
        hand = seen_at(round(now * 1e9), (position(now), 100.0), way * fps)
        touches += watch.step((hand,), hand.t_ns)
    return touches


def seen_at(
    t_ns: int, tip_mm: tuple[float, float], speed_mm_s: float, *, hand_id: int = 1,
    seat: str | None = "A", hand: str | None = "R", sigma_ns: int = 0,
) -> HandSeen:  # fmt: skip
    x, y = tip_mm
    box = (x - 40, y - 150, x + 40, y + 10)
    return HandSeen(hand_id, t_ns, sigma_ns, tip_mm, (x, 0.0), box, speed_mm_s, seat, hand, 0.95)


def reach_and_rest(way: Way, far_mm: float, takes_s: float, at_s: float, rests_s: float) -> Way:
    def position(t_s: float) -> float:
        there = far_mm * way((t_s - at_s + takes_s) / takes_s)
        return there - far_mm * min_jerk((t_s - at_s - rests_s) / 0.5)

    return position


@pytest.mark.parametrize("name", WAYS)
@settings(max_examples=25, deadline=None)
@given(
    far_mm=st.floats(120, 450),
    takes_s=st.floats(0.25, 0.7),
    at_s=st.floats(0.90, 0.95),
    rests_s=st.floats(0.2, 0.6),
)
def test_a_hand_that_comes_to_rest_is_timed_within_its_interval(
    name: str, far_mm: float, takes_s: float, at_s: float, rests_s: float
) -> None:
    position = reach_and_rest(WAYS[name], far_mm, takes_s, at_s, rests_s)
    on, off, *_ = watched(position, at_s + rests_s + 0.4, from_s=at_s - 0.8 * takes_s)
    assert (on.on, off.on) == (True, False)
    assert abs(on.t_ns / 1e9 - at_s) <= max(on.u_ns / 1e9, 0.012)
    # A hand that brakes long is told up to 26 ms late: the slowest and shortest of these ways.
    assert abs(on.t_ns / 1e9 - at_s) <= 0.030
    assert abs(off.t_ns / 1e9 - at_s - rests_s) <= 0.025
    assert on.u_ns < 60e6


def test_a_slap_is_timed_to_a_few_milliseconds_and_surer_than_a_gentle_stop() -> None:
    slap = watched(reach_and_rest(blow, 250, 0.3, 0.917, 0.4), 1.2, from_s=0.6)[0]
    gentle = watched(reach_and_rest(min_jerk, 250, 0.5, 0.917, 0.4), 1.2, from_s=0.6)[0]
    assert abs(slap.t_ns / 1e9 - 0.917) < 0.004
    assert slap.u_ns < gentle.u_ns
    assert slap.conf > gentle.conf


def test_at_60_fps_times_are_finer() -> None:
    position = reach_and_rest(min_jerk, 250, 0.5, 0.917, 0.4)
    fine, coarse = (watched(position, 1.2, from_s=0.5, fps=fps)[0] for fps in (60, 30))
    assert fine.u_ns < coarse.u_ns


def test_a_card_is_laid_and_the_hand_goes_on_at_once() -> None:
    touches = watched(reach_and_rest(min_jerk, 300, 0.5, 0.91, 0.0), 1.3, from_s=0.5)
    assert [touch.on for touch in touches[:2]] == [True, False]
    assert all(abs(touch.t_ns / 1e9 - 0.91) <= touch.u_ns / 1e9 for touch in touches[:2])


def test_a_hand_that_passes_by_touches_nothing() -> None:
    assert watched(lambda t_s: 700 * min_jerk(t_s / 1.2), 1.0) == []


def test_a_hand_that_fidgets_touches_nothing() -> None:
    assert not [t for t in watched(lambda t_s: 2 * np.sin(9 * t_s), 0.35) if t.conf > 0.3]


def test_a_hand_that_rested_before_the_camera_looked_is_told_with_little_faith() -> None:
    (on,) = watched(lambda t_s: 300.0, 1.0)
    assert on.on
    assert on.conf < 0.35
    assert on.u_ns >= 400_000_000


def test_a_stop_where_a_hand_suddenly_was_is_no_touch() -> None:
    def touches(away_mm: float) -> list[Touch]:
        watch, found = TouchWatch(), []
        position = reach_and_rest(blow, away_mm, 0.3, 0.917, 0.9)
        for n in range(20, 36):
            t_s = n / 30
            speed = abs(position(t_s) - position(t_s - 1 / 30)) * 30
            found += watch.step((seen_at(round(t_s * 1e9), (position(t_s), 300.0), speed),),
                                round(t_s * 1e9))  # fmt: skip
        return found

    assert touches(60.0) == []
    assert [touch.on for touch in touches(250.0)] == [True]


@pytest.mark.parametrize(("leap_mm", "comes"), [(0.0, 2), (95.0, 1)])
def test_a_fingertip_that_is_found_elsewhere_as_two_hands_part_did_not_come_there(
    leap_mm: float, comes: int
) -> None:
    """What rested was the wrist which was taken for it; it stirs when the other hand leaves."""

    def way_mm(k: int) -> float:
        return 12.0 * max(0.0, 1 - abs(k - 12) / 6) + 8.0 * max(0.0, 1 - abs(k - 32) / 3)

    watch, touches, at_mm = TouchWatch(), [], 40.0
    for k in range(60):
        at_mm += way_mm(k)
        tip_mm = (at_mm + (leap_mm if k >= 31 else 0.0), 100.0)
        t_ns = k * 33_333_333
        touches += watch.step((seen_at(t_ns, tip_mm, 30.0 * way_mm(k)),), t_ns)
    assert len([touch for touch in touches if touch.on]) == comes


def test_a_hand_that_came_down_before_is_a_hand_wherever_it_was_first_seen() -> None:
    """It takes a card far from the table's edge, and lays it a hand's width on."""
    watch, found = TouchWatch(), []

    def position(t_s: float) -> float:
        return 400.0 * min_jerk(t_s / 0.3) - 90.0 * min_jerk((t_s - 0.3) / 0.3)

    for n in range(7, 28):
        t_ns, speed = round(n / 30 * 1e9), abs(position(n / 30) - position((n - 1) / 30)) * 30
        found += watch.step((seen_at(t_ns, (50.0, position(n / 30)), speed),), t_ns)
    assert [touch.on for touch in found][::2] == [True, True]


def test_a_hand_that_rested_before_the_camera_began_leaves_in_the_frames_before_it_was_known(
) -> None:  # fmt: skip
    watch, found = TouchWatch(), []
    for n in range(8):
        # It stirs at 0 s, is known at 67 ms.
        t_s = (n + 2) / 30
        speed = 400 * (min_jerk(t_s / 0.6) - min_jerk((t_s - 1 / 30) / 0.6)) * 30
        hand = seen_at(round(t_s * 1e9), (400 * min_jerk(t_s / 0.6), 300.0), speed)
        found += watch.step((replace(hand, rested=True),), hand.t_ns)
    (off,) = found
    assert not off.on
    assert abs(off.t_ns) <= off.u_ns


def test_a_resting_hand_that_is_lost_leaves_with_little_faith() -> None:
    watch = TouchWatch()
    for n in range(30):
        watch.step((seen_at(n * 33_000_000, (300.0, 300.0), 0.5),), n * 33_000_000)
    told = watch.step((), 30 * 33_000_000)
    assert told == ()
    (off,) = watch.step((), 29 * 33_000_000 + 700_000_000)
    assert not off.on
    assert off.conf <= 0.3


def test_the_cameras_own_uncertainty_widens_the_interval() -> None:
    def told(sigma_ns: int) -> Touch:
        watch, found = TouchWatch(), []
        position = reach_and_rest(blow, 250, 0.3, 0.917, 0.4)
        for n in range(20, 36):
            t_s = n / 30
            speed = abs(position(t_s) - position(t_s - 1 / 30)) * 30
            hand = seen_at(round(t_s * 1e9), (position(t_s), 300.0), speed, sigma_ns=sigma_ns)
            found += watch.step((hand,), hand.t_ns)
        return found[0]

    assert told(10_000_000).u_ns >= told(0).u_ns + 10_000_000


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 80_000_000), st.floats(0, 5000), st.integers(1, 3)), max_size=60
    )
)
def test_any_speeds_give_finite_times(steps: list[tuple[int, float, int]]) -> None:
    watch, t_ns = TouchWatch(), 0
    for gap_ns, speed, number in steps:
        t_ns += gap_ns
        for touch in watch.step((seen_at(t_ns, (1.0, 2.0), speed, hand_id=number),), t_ns):
            assert touch.u_ns > 0
            assert 0 <= touch.conf <= 1
            assert touch.t_ns <= t_ns + 1


@pytest.mark.parametrize("fps", [0.7, 1.0, 1.9, 2.5])
def test_a_camera_that_stutters_breaks_nothing(fps: float) -> None:
    for at_s in (2.0, 2.3, 2.6, 2.9):
        position = reach_and_rest(WAYS["min_jerk"], 300.0, 0.5, at_s, 4.0)
        touches = watched(position, 14.0, fps=fps)
        assert all(0 <= touch.t_ns <= 14_000_000_000 for touch in touches)


@pytest.mark.parametrize("waits_s", [0.06, 0.1, 0.15, 0.3])
@pytest.mark.parametrize("way", [min_jerk, blow])
def test_a_hand_that_waits_over_a_place_and_slaps_it_is_timed_at_the_slap(
    way: Way, waits_s: float
) -> None:
    def position(t_s: float) -> float:
        near = 300 * min_jerk((t_s - 0.71 + waits_s) / 0.45)
        return near + 60 * way((t_s - 1.16) / 0.14)

    last = next(touch for touch in reversed(watched(position, 2.0, from_s=0.1)) if touch.on)
    assert abs(last.t_ns / 1e9 - 1.3) <= last.u_ns / 1e9 < 0.06


def test_a_hand_that_turns_over_a_place_and_slaps_it_came_down_once() -> None:
    def position(t_s: float) -> float:
        return 300 * min_jerk((t_s - 0.55) / 0.45) + 40 * blow((t_s - 1.02) / 0.15)

    told = (touch for touch in watched(position, 2.0, from_s=0.5) if touch.on)
    (on,) = (touch for touch in told if touch.t_ns > 800_000_000)
    assert abs(on.t_ns / 1e9 - 1.17) <= on.u_ns / 1e9


def test_a_hand_that_was_not_seen_while_it_stopped_did_so_in_between() -> None:
    reach = reach_and_rest(min_jerk, 400.0, 0.5, 1.0, 2.0)
    watch, touches = TouchWatch(), []
    times = [k / 30 for k in range(15, 50) if not 0.84 < k / 30 < 1.2]
    for before_s, now_s in pairwise(times):
        # Its speed is measured from one frame to the next, however long it was hidden before.
        speed_mm_s = abs(reach(now_s) - reach(max(before_s, now_s - 1 / 30))) * 30
        hand = seen_at(round(now_s * 1e9), (reach(now_s), 100.0), speed_mm_s)
        touches += watch.step((hand,), hand.t_ns)
    (on,) = (one for one in touches if one.on)
    assert abs(on.t_ns - 1_000_000_000) < on.u_ns
    assert on.u_ns > 60_000_000


def test_a_hand_that_lies_there_after_an_hour_without_pictures_came_nobody_knows_when() -> None:
    watch, touches, hour_ns = TouchWatch(), [], 3_600_000_000_000
    for k in range(60):
        t_ns = k * 33_000_000 + (hour_ns if k >= 30 else 0)
        speed_mm_s = 400.0 if k < 30 else 0.5
        touches += watch.step((seen_at(t_ns, (200.0, 100.0 + min(k, 30)), speed_mm_s),), t_ns)
    assert all(touch.t_ns < 1_000_000_000 or touch.t_ns >= hour_ns for touch in touches)
