"""A board's clock on the host's: the bound holds whatever the cable does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.pads.bounds import NoLine, extent
from referee.pads.clock import BoardClock, ClockFault, Exchange, extended
from referee.pads.latency import advice, waits_in_adapter
from referee.pads.paths import Path
from referee.pads.twin import Crystal

MS, S = 1_000_000, 1_000_000_000
HZ = 2_000_000


def exchange(crystal: Crystal, sent_ns: int, out_ns: int, think_ns: int, back_ns: int) -> Exchange:
    rx_ns = sent_ns + out_ns
    tx_ns = rx_ns + think_ns
    return Exchange(sent_ns, tx_ns + back_ns, crystal.ticks(rx_ns), crystal.ticks(tx_ns))


def test_lines_between_two_pairs_of_points_end_where_geometry_says() -> None:
    below, above = [(0.0, 0.0), (10.0, 0.0)], [(0.0, 2.0), (10.0, 2.0)]
    found = extent(below, above, 5.0, 1.0)
    assert (found.low, found.high) == pytest.approx((0.0, 2.0))
    assert (found.least_slope, found.most_slope) == pytest.approx((-0.2, 0.2))
    # Beyond the points the steepest line from (0, 0) to (10, 2) and its mirror bound it.
    found = extent(below, above, 20.0, 1.0)
    assert (found.low, found.high) == pytest.approx((-2.0, 4.0))


def test_points_that_no_line_separates_are_told() -> None:
    with pytest.raises(NoLine):
        extent([(0.0, 1.0), (10.0, 1.0)], [(5.0, 0.0)], 5.0, 1.0)


@given(
    st.floats(-0.009, 0.009),
    st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 9)), min_size=2, max_size=12),
    st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 9)), min_size=1, max_size=12),
    st.floats(-60, 60),
)
def test_a_line_that_runs_between_the_points_is_always_inside(
    slope: float, low: list[tuple[float, float]], high: list[tuple[float, float]], x: float
) -> None:
    below = [(px, slope * px - gap) for px, gap in low]
    above = [(px, slope * px + gap + 1e-6) for px, gap in high]
    found = extent(below, above, x, 0.01)
    assert found.low - 1e-6 <= slope * x <= found.high + 1e-6
    assert found.least_slope - 1e-9 <= slope <= found.most_slope + 1e-9


@given(
    st.floats(-5000, 5000),
    st.floats(-0.2, 0.2),
    st.lists(
        st.tuples(st.integers(1, 90), st.integers(0, 30_000), st.integers(0, 30_000)),
        min_size=10,
        max_size=60,
    ),
)
@settings(deadline=None, max_examples=60)
def test_the_true_time_is_inside_the_bound_for_any_delays(
    ppm: float, ramp: float, pings: list[tuple[int, int, int]]
) -> None:
    crystal, clock, now_ns = Crystal(ppm, ramp), BoardClock(HZ), 0
    for gap_ms, out_us, back_us in pings:
        now_ns += gap_ms * MS
        clock.add(exchange(crystal, now_ns, out_us * 1000, 50_000, back_us * 1000))
        hit_ns = now_ns - 500_000
        stamp = clock.stamp(crystal.ticks(hit_ns))
        # A tick of rounding: the hit's and the ping's.
        assert stamp.low_ns - 1000 <= hit_ns <= stamp.high_ns + 1000
        assert stamp.low_ns <= stamp.t_ns <= stamp.high_ns
        # As long as a tick of the crystal lasts then, by the host's clock.
        pace = 1 + ppm * 1e-6 + ramp * 1e-6 * hit_ns / S
        assert stamp.shortest_ns - 1e-6 <= 500 / pace <= stamp.longest_ns + 1e-6
        assert stamp.shortest_ns <= stamp.tick_ns <= stamp.longest_ns


@pytest.mark.parametrize(("kind", "most_us"), [("16u2", 500), ("cdc", 300), ("ftdi16", 700)])
def test_after_ten_seconds_the_bound_is_a_few_hundred_microseconds(kind: str, most_us: int) -> None:
    chance = random.Random(5)
    path, crystal, clock, now_ns = Path(kind, chance), Crystal(3000.0, 0.2), BoardClock(HZ), S
    while now_ns < 12 * S:
        # At random to the nanosecond: at whole milliseconds pings would meet every USB frame alike.
        now_ns += chance.randint(30 * MS, 70 * MS)
        length = 9 + chance.randrange(26)
        rx_ns = path.to_board(bytes(length), now_ns)[0]
        tx_ns = rx_ns + chance.randrange(20_000, 200_000)
        back_ns = path.to_host(bytes(18), tx_ns + 18 * 40_000)[0] - 18 * 40_000
        sent_ns = now_ns + length * 40_000
        clock.add(Exchange(sent_ns, back_ns, crystal.ticks(rx_ns), crystal.ticks(tx_ns)))
    stamp = clock.stamp(crystal.ticks(now_ns))
    assert stamp.low_ns <= now_ns <= stamp.high_ns
    assert (stamp.high_ns - stamp.low_ns) / 2 < most_us * 1000


def test_a_clock_that_jumps_is_found_out() -> None:
    crystal, clock = Crystal(), BoardClock(HZ)
    for n in range(20):
        clock.add(exchange(crystal, n * 50 * MS, MS, 50_000, MS))
    # At 3 s of the host's time the board has counted 2 s only.
    ticks = crystal.ticks(2 * S)
    late = Exchange(3 * S, 3 * S + 2 * MS, ticks, ticks + 100)
    with pytest.raises(ClockFault):
        clock.add(late)


def test_a_clock_is_not_ready_before_enough_pings_and_forgets_on_restart() -> None:
    crystal, clock = Crystal(), BoardClock(HZ)
    with pytest.raises(ClockFault):
        clock.stamp(5)
    for n in range(8):
        assert not clock.ready
        clock.add(exchange(crystal, n * 50 * MS, MS, 50_000, MS))
    assert clock.ready
    clock.restart()
    assert not clock.ready


@given(st.integers(0, 1 << 40), st.integers(-(1 << 30), 1 << 30))
def test_ticks_are_extended_over_their_wrap(near: int, step: int) -> None:
    true = max(0, near + step)
    assert extended(true % (1 << 32), near) == true


@pytest.mark.parametrize("waits_ms", [0, 1, 3, 6])
@pytest.mark.parametrize("kind", ["ftdi16", "16u2", "cdc", "ftdi1"])
def test_an_adapter_that_waits_sixteen_milliseconds_is_recognised(
    kind: str, waits_ms: float
) -> None:
    """And no other one is taken for it, however long a busy machine lets answers wait."""
    chance = random.Random(3)
    path, now_ns, trips = Path(kind, chance), S, []
    for _ in range(300):
        now_ns += chance.randint(30, 70) * MS
        there_ns, back_ns = (round(waits_ms * MS * chance.expovariate(1.5)) for _ in range(2))
        rx_ns = path.to_board(bytes(20), now_ns + there_ns)[0]
        trips.append(path.to_host(bytes(18), rx_ns + 900_000)[0] + back_ns - now_ns)
    told = waits_in_adapter(trips)
    assert told is (kind == "ftdi16") or (kind == "ftdi16" and waits_ms > 2)
    line = advice("/dev/ttyUSB0", trips, None)
    assert (line is not None and "ttyUSB0/latency_timer" in line and "\n" not in line) is told


def test_a_latency_timer_that_linux_tells_is_believed() -> None:
    assert "16 ms" in (advice("/dev/ttyUSB1", (), 16) or "")
    assert advice("/dev/ttyUSB1", (), 1) is None
