"""Which hits count, when they were, and why the others do not."""

from __future__ import annotations

import math
import random

import pytest
from pad_parts import BOARD, MS, S, felt, pad_profile

from referee.commands.benches._pads_knocks import sort_races
from referee.pads.clock import Stamp
from referee.pads.fuse import pad_hit
from referee.pads.hits import HitSorter, Ignored, Struck, walk_at
from referee.pads.knocks import judge_knock, reach
from referee.pads.profile import Coupling, PadProfile, Profile, WalkPoint, address_of
from referee.pads.protocol import RUNT, SAT, SHADOW, STORM, TEST_HIT, WEAK
from referee.pads.timeline import Timeline
from referee.pads.told import Edge, Felt
from referee.rulebook import finish
from referee.rulebook.setup import Setup

OTHER = "ffeeddccbbaa9988"
SETUP = Setup("", "nerves", ("A", "B"), "PLAY", None, {})


def sort(*hits: Felt, profile: Profile | None = None) -> list[Struck | Ignored]:
    sorter = HitSorter(profile or pad_profile())
    for n, hit in enumerate(hits):
        sorter.felt(BOARD, Felt(hit.hit, n, hit.ticks, hit.stamp, hit.arrived_ns), hit.arrived_ns)
    return sorter.until(hits[-1].arrived_ns + S)


def reasons(found: list[Struck | Ignored]) -> list[str]:
    """Why each hit counts or not: `counts`, its doubt, or the reason it is ignored for."""
    return [o.reason if isinstance(o, Ignored) else o.doubt or "counts" for o in found]


def test_a_touch_counts_at_its_spot_and_time() -> None:
    (one,) = sort(felt(1000.0, pad=1))
    assert isinstance(one, Struck)
    assert (one.spot, one.peak, one.evidence) == ("play.A", 600, f"pad:{BOARD}/1#0")
    # Nobody calibrated its lateness: up to half a millisecond, and the stamp's own microsecond.
    assert one.low_ns == pytest.approx(1000 * MS - 500_000, abs=2000)
    assert one.high_ns == pytest.approx(1000 * MS, abs=2000)
    assert one.u_ns == pytest.approx(237_500, rel=0.01)


def test_a_learnt_time_walk_moves_the_touch_and_narrows_it() -> None:
    walk = (WalkPoint(100.0, 400.0, 50.0), WalkPoint(500.0, 200.0, 20.0))
    profile = Profile("nerves", (PadProfile(BOARD, 0, "mid", "piezo", walk=walk),))
    (one,) = sort(felt(1000.0, peak=600), profile=profile)
    assert isinstance(one, Struck)
    assert one.t_ns == pytest.approx(1000 * MS - 200_000, abs=2000)
    assert one.sigma_ns == pytest.approx(20_000, rel=0.01)
    assert walk_at(walk, 300.0) == WalkPoint(300.0, 300.0, 35.0)
    assert walk_at(walk, 1.0) == walk[0]
    assert walk_at(walk, 900.0) == walk[1]


@pytest.mark.parametrize(("flag", "earlier_ns"), [(SHADOW, 4500), (RUNT, 2 * MS)])
def test_a_stamp_that_may_be_late_is_only_widened_to_the_past(flag: int, earlier_ns: int) -> None:
    walk = (WalkPoint(100.0, 0.0, 0.0),)
    profile = Profile("nerves", (PadProfile(BOARD, 0, "mid", "piezo", walk=walk),))
    (one,) = sort(felt(1000.0, flags=flag), profile=profile)
    assert isinstance(one, Struck)
    assert one.low_ns == pytest.approx(1000 * MS - earlier_ns, abs=2000)
    assert one.high_ns == pytest.approx(1000 * MS, abs=2000)


def test_two_hands_on_one_pad_are_two_touches() -> None:
    assert reasons(sort(felt(1000.0), felt(1030.0))) == ["counts", "counts"]


def test_a_knock_through_the_table_is_ignored_and_kept_with_its_reason() -> None:
    found = sort(felt(1000.0, pad=0, peak=900), felt(1004.0, pad=1, peak=120))
    assert reasons(found) == ["counts", "the knock of another pad, felt through the table"]
    assert isinstance(found[1], Ignored)
    assert (found[1].spot, found[1].peak, found[1].t_ns) == ("play.A", 120, 1004 * MS)


def test_a_second_touch_stronger_than_any_knock_counts() -> None:
    assert reasons(sort(felt(1000.0, peak=500), felt(1004.0, pad=1, peak=700))) == ["counts"] * 2


def test_what_may_be_a_knock_or_a_touch_waits_for_a_hand() -> None:
    found = sort(felt(1000.0, peak=900), felt(1004.0, pad=1, peak=290))
    assert reasons(found) == ["counts", "it may be the knock of mid"]


def test_a_weak_second_hit_long_after_the_first_is_a_touch() -> None:
    assert reasons(sort(felt(1000.0, peak=900), felt(1040.0, pad=1, peak=290))) == ["counts"] * 2


def test_pads_that_never_learnt_of_each_other_ask_for_a_hand_below_half_the_peak() -> None:
    found = sort(
        felt(1000.0, peak=900), felt(1004.0, pad=1, peak=400), profile=pad_profile(ratio=None)
    )
    assert reasons(found) == ["counts", "it may be the knock of mid"]


def test_a_saturated_first_pad_makes_stronger_knocks_possible() -> None:
    soft = felt(1004.0, pad=1, peak=600)
    assert reasons(sort(felt(1000.0, peak=700), soft)) == ["counts", "counts"]
    clipped = sort(felt(1000.0, peak=700, flags=SAT), soft)
    assert reasons(clipped)[1] == "it may be the knock of mid"


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        (TEST_HIT, "a self-test"),
        (WEAK, "it is weaker than the pad's floor"),
        (STORM, "the pad chattered just before"),
    ],
)
def test_the_boards_own_doubts_are_heeded(flag: int, told: str) -> None:
    assert reasons(sort(felt(1000.0, flags=flag))) == [told]


@pytest.mark.parametrize("every_ms", [1.0, 25.0, 35.0])
def test_a_pad_that_chatters_gives_no_touch_and_the_others_still_do(every_ms: float) -> None:
    storm = [felt(1000.0 + n * every_ms) for n in range(200)]
    sound = felt(1100.0, pad=2, peak=900)
    sorter, found = HitSorter(pad_profile(ratio=0.01)), []
    hits = sorted([*storm, sound], key=lambda hit: hit.ticks)
    for n, hit in enumerate(hits):
        now_ns = hit.arrived_ns
        sorter.felt(BOARD, Felt(hit.hit, n, hit.ticks, hit.stamp, now_ns), now_ns)
        found += sorter.until(now_ns)
    found += sorter.until(hits[-1].arrived_ns + S)
    counted = [one for one in found if isinstance(one, Struck)]
    assert [one.spot for one in counted] == ["play.B"]
    ignored = {one.reason for one in found if isinstance(one, Ignored)}
    assert ignored == {"the pad chatters: check its wires"}
    # It counts again once it has been quiet for a while.
    later_ms = hits[-1].arrived_ns / MS + 2000
    late = felt(later_ms)
    sorter.felt(
        BOARD, Felt(late.hit, 900, late.ticks, late.stamp, late.arrived_ns), late.arrived_ns
    )
    assert reasons(sorter.until(late.arrived_ns + S)) == ["counts"]


def test_hits_of_a_blind_board_of_an_unknown_pad_and_told_late_do_not_count() -> None:
    sorter = HitSorter(pad_profile())
    sorter.blinded(BOARD, 900 * MS)
    sorter.felt(BOARD, felt(1000.0), 1006 * MS)
    sorter.sighted(BOARD, 1500 * MS)
    sorter.felt(BOARD, felt(1100.0, seq=1), 1506 * MS)
    sorter.felt(BOARD, felt(1600.0, pad=5, seq=2), 1606 * MS)
    sorter.felt(BOARD, Felt(felt(1).hit, 3, 1, None, 1700 * MS), 1700 * MS)
    assert sorted(reasons(sorter.until(3 * S))) == [
        "it came while the board was blind",
        "it was told 406 ms late",
        "the board's clock is not known yet",
        "this pad has no spot: `referee calibrate pads`",
    ]


def test_a_touch_from_before_the_board_fell_blind_counts() -> None:
    sorter = HitSorter(pad_profile())
    sorter.felt(BOARD, felt(1000.0), 1006 * MS)
    sorter.blinded(BOARD, 1050 * MS)
    sorter.sighted(BOARD, 1500 * MS)
    assert reasons(sorter.until(3 * S)) == ["counts"]


def test_touches_are_held_back_until_nothing_can_explain_them_any_more() -> None:
    sorter = HitSorter(pad_profile())
    sorter.felt(BOARD, felt(1000.0), 1006 * MS)
    assert sorter.until(1100 * MS) == []
    assert reasons(sorter.until(1150 * MS)) == ["counts"]


def test_few_taps_reach_far_and_too_few_anywhere() -> None:
    assert reach(3) == math.inf
    assert reach(5) > reach(10) > reach(40) > 3.29
    pad = PadProfile(BOARD, 0, "mid", "piezo", 10, 6.0, 0.3)
    sure = Coupling("a", "b", 10, math.log(0.1), 0.1)
    assert judge_knock(300, 500, False, pad, sure) == "touch"
    assert judge_knock(60, 500, False, pad, sure) == "knock"
    assert judge_knock(60, 500, False, pad, Coupling("a", "b", 2, math.log(0.1), 0.1)) == "knock"


def test_learnt_tables_err_in_less_than_one_of_a_thousand() -> None:
    found = sort_races(2000, seed=3)
    assert found.false_second <= 6
    assert found.dropped <= 6


def test_hits_of_one_board_keep_their_distance_while_the_clock_learns() -> None:
    line, chance = Timeline("a"), random.Random(1)
    first = None
    for n in range(200):
        ticks = n * 60_000  # 30 ms
        true_ns = n * 30 * MS
        astray_ns = chance.randint(-300_000, 300_000)
        stamp = Stamp(true_ns + astray_ns, true_ns - MS, true_ns + MS, 500.0, 499.9, 500.1)
        moment = line.moment("a", ticks, stamp)
        if first is not None:
            assert moment.t_ns - first == pytest.approx(30 * MS, abs=1000)
        first = moment.t_ns
        assert moment.half_ns == 0
        assert moment.host_half_ns >= abs(moment.t_ns - true_ns)


def test_the_sync_wire_makes_two_boards_agree_to_two_microseconds() -> None:
    line, chance = Timeline("a"), random.Random(2)

    def stamp(true_ns: int) -> Stamp:
        astray_ns = chance.randint(-400_000, 400_000)
        return Stamp(true_ns + astray_ns, true_ns - MS, true_ns + MS, 500.0, 499.9, 500.1)

    def ticks(board: str, true_ns: int) -> int:
        return int(true_ns * (1.004 if board == "b" else 0.997)) // 500

    for n in range(60):
        edge_ns = n * 200 * MS
        for board in ("a", "b"):
            line.edge(board, ticks(board, edge_ns), stamp(edge_ns))
        if n > 3:
            hit_ns = edge_ns + chance.randint(0, 199 * MS)
            one, other = (line.moment(b, ticks(b, hit_ns), stamp(hit_ns)) for b in ("a", "b"))
            assert abs(one.t_ns - other.t_ns) <= 2000
            assert (one.clock, other.clock, other.half_ns) == ("a", "a", 2000)
    line.forget("b")
    far = line.moment("b", 5, stamp(S))
    assert (far.clock, far.half_ns) == ("b", 0)
    assert far.host_half_ns > MS / 2


def test_two_boards_without_a_wire_are_uncertain_by_both_clocks() -> None:
    sorter = HitSorter(pad_profile(boards=(BOARD, OTHER)))
    sorter.felt(BOARD, felt(1000.0, pad=0, half_us=300), 1006 * MS)
    sorter.felt(OTHER, felt(1100.0, pad=1, half_us=200), 1106 * MS)
    own, other = sorter.until(2 * S)
    assert isinstance(own, Struck)
    assert isinstance(other, Struck)
    assert (own.clock, own.host_half_ns) == (BOARD, 300_000)
    assert (other.clock, other.host_half_ns) == (OTHER, 200_000)
    assert own.high_ns - own.low_ns == pytest.approx(500_000, abs=3000)
    assert address_of(OTHER, 1) in other.evidence
    race = finish(*(SETUP.instant(pad_hit(touch)) for touch in (own, other)))
    assert race.margin_ns == 100 * MS
    # Flat to 300 us and blurred by 250 / sqrt(3), and the other way round with 200.
    assert race.interval_ns == pytest.approx(401_000 + 328_000, abs=3000)


def test_an_edge_without_a_time_is_passed_over() -> None:
    sorter = HitSorter(pad_profile())
    sorter.edge(BOARD, Edge(5, 1, True, None))
    sorter.felt(BOARD, felt(1000.0), 1006 * MS)
    assert reasons(sorter.until(2 * S)) == ["counts"]
