"""The phone's clock: a press is put where it truly was, with an interval that holds it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.screens.device_clock import (
    BUTTON_NS,
    OLDEST_NS,
    UNSTAMPED_NS,
    DeviceClock,
    Exchange,
    Stamp,
)

MS = 1_000_000
SECOND = 1_000_000_000
way_ns = st.integers(0, 300 * MS)


def exchange(sent_ns: int, offset_ns: int, there_ns: int, back_ns: int) -> Exchange:
    """Return a ping to a device whose clock shows `offset_ns` more than the host's."""
    return Exchange(sent_ns, sent_ns + there_ns + offset_ns, sent_ns + there_ns + back_ns)


@settings(deadline=None)
@given(
    offset_ns=st.integers(-(10**15), 10**15),
    ways=st.lists(st.tuples(way_ns, way_ns), min_size=1, max_size=40),
    press_back_ns=way_ns,
)
def test_the_interval_holds_the_true_time_of_the_press(
    offset_ns: int, ways: list[tuple[int, int]], press_back_ns: int
) -> None:
    clock = DeviceClock()
    for n, (there_ns, back_ns) in enumerate(ways):
        clock.heard(exchange(10 * SECOND + n * SECOND, offset_ns, there_ns, back_ns))
    pressed_ns = 100 * SECOND
    stamp = clock.to_host(pressed_ns + offset_ns, pressed_ns + press_back_ns)
    assert abs(stamp.t_ns - pressed_ns) <= stamp.u_ns - BUTTON_NS + 1
    assert stamp.t_ns <= pressed_ns + press_back_ns


def test_the_quickest_answer_bounds_the_uncertainty() -> None:
    clock = DeviceClock()
    for there_ns, back_ns in ((80 * MS, 90 * MS), (2 * MS, 4 * MS), (50 * MS, 5 * MS)):
        clock.heard(exchange(SECOND, 7 * SECOND, there_ns, back_ns))
    stamp = clock.to_host(9 * SECOND, 2 * SECOND + 20 * MS)
    assert BUTTON_NS <= stamp.u_ns <= BUTTON_NS + 3 * MS + MS


def test_a_phone_whose_clock_was_set_is_believed_from_then_on() -> None:
    clock = DeviceClock()
    clock.heard(exchange(SECOND, 0, MS, MS))
    clock.heard(exchange(2 * SECOND, 3600 * SECOND, MS, MS))
    stamp = clock.to_host(3603 * SECOND, 3 * SECOND + 5 * MS)
    assert abs(stamp.t_ns - 3 * SECOND) <= 2 * MS


def test_a_device_that_was_never_asked_counts_when_it_is_heard() -> None:
    assert DeviceClock().to_host(5, SECOND) == Stamp(SECOND, UNSTAMPED_NS)


def test_a_stamp_from_the_future_or_the_distant_past_is_not_believed() -> None:
    clock = DeviceClock()
    clock.heard(exchange(SECOND, 0, MS, MS))
    heard_ns = 60 * SECOND
    for stamp_ns in (heard_ns + SECOND, heard_ns - OLDEST_NS - SECOND, -(10**18)):
        assert clock.to_host(stamp_ns, heard_ns) == Stamp(heard_ns, UNSTAMPED_NS)
    assert clock.to_host(None, heard_ns) == Stamp(heard_ns, UNSTAMPED_NS)
