"""How far apart two touches were: the stated interval holds the truth, from the first touch on."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pad_parts import MS, UID, S, rehearsal

from referee.pads.fuse import pad_hit
from referee.pads.hits import HitSorter, Struck
from referee.pads.profile import PadProfile, Profile, WalkPoint
from referee.pads.rehearsal import Rehearsal
from referee.pads.told import Edge, Felt
from referee.pads.twin import Touch
from referee.rulebook import Instant, finish
from referee.rulebook.setup import Setup

SETUP = Setup("", "nerves", ("A", "B"), "PLAY", None, {})
OTHER_UID = bytes.fromhex("ffeeddccbbaa9988")
# Pads without a lateness of their own: nothing but the clock may err.
AT_ONCE = (WalkPoint(600.0, 0.0, 0.01),)
STEP_NS, EDGE_NS = 20 * MS, 200 * MS

Stalls = tuple[tuple[int, int], ...]


def pad_of(uid: bytes) -> PadProfile:
    return PadProfile(uid.hex(), 0, f"spot.{uid.hex()}", "switch", walk=AT_ONCE)


def judged(
    boards: dict[bytes, Rehearsal], times: list[int], wire: bool = False
) -> list[tuple[int, Instant]]:
    """Touch the pad of every board at these times; returns each with what the judge is told."""
    end_ns = times[-1] + S
    for board in boards.values():
        for t_ns in times:
            board.twin.touch(Touch(t_ns, 0))
        for edge_ns in range(600 * MS, end_ns, EDGE_NS) if wire else ():
            board.twin.edge(edge_ns)
    sorter = HitSorter(Profile("nerves", tuple(pad_of(uid) for uid in boards)))
    found = []
    for now_ns in range(STEP_NS, end_ns, STEP_NS):
        for uid, board in boards.items():
            for told in board.until(now_ns):
                if isinstance(told, Edge):
                    sorter.edge(uid.hex(), told)
                elif isinstance(told, Felt):
                    sorter.felt(uid.hex(), told, now_ns)
        found += sorter.until(now_ns)
    found += sorter.until(end_ns + S)
    touches = [one for one in found if isinstance(one, Struck)]
    return [(times[touch.seq], SETUP.instant(pad_hit(touch))) for touch in touches]


def check(told: list[tuple[int, Instant]]) -> None:
    """Hold what the judge is told against the truth."""
    for true_ns, instant in told:
        assert abs(instant.t_ns - true_ns) <= instant.u_ns + instant.off_ns
    for (one_ns, one), (other_ns, other) in combinations(told, 2):
        race = finish(one, other)
        if one.clock == other.clock:
            assert abs(abs(other_ns - one_ns) - race.margin_ns) <= race.interval_ns


@st.composite
def stalls(draw: st.DrawFn) -> Stalls:
    """When the machine has no time for the program, in the first seconds."""
    found, now_ns = [], 0
    spans = st.lists(st.tuples(st.integers(20, 400), st.integers(1, 150)), max_size=20)
    for run_ms, sleep_ms in draw(spans):
        found.append((now_ns + run_ms * MS, now_ns + (run_ms + sleep_ms) * MS))
        now_ns = found[-1][1]
    return tuple(found)


seeds, ppms = st.integers(0, 999), st.floats(-5000, 5000)
cables = st.sampled_from(["16u2", "cdc", "ftdi16", "ftdi1"])
first_ms, gaps_ms = st.integers(600, 4000), st.lists(st.integers(30, 900), min_size=1, max_size=4)


def times_of(first_ms: int, gaps_ms: list[int]) -> list[int]:
    return [(first_ms + sum(gaps_ms[:n])) * MS for n in range(len(gaps_ms) + 1)]


@given(seeds, cables, ppms, first_ms, gaps_ms, stalls())
@settings(deadline=None, max_examples=25)
def test_the_stated_interval_holds_the_true_margin_from_the_first_touch_on(
    seed: int, kind: str, ppm: float, first_ms: int, gaps_ms: list[int], asleep: Stalls
) -> None:
    """However busy the machine is, and however little is known of the board's rate yet."""
    board = rehearsal(seed, kind, ppm, stalls=asleep)
    check(judged({UID: board}, times_of(first_ms, gaps_ms)))


@pytest.mark.parametrize("wire", [True, False])
@given(seeds, cables, ppms, first_ms, gaps_ms, stalls())
@settings(deadline=None, max_examples=10)
def test_two_boards_are_as_far_apart_as_they_say_by_wire_and_without(
    wire: bool,
    seed: int,
    kind: str,
    ppm: float,
    first_ms: int,
    gaps_ms: list[int],
    asleep: Stalls,
) -> None:
    boards = {
        UID: rehearsal(seed, kind, ppm, stalls=asleep),
        OTHER_UID: rehearsal(seed + 7, kind, -ppm, uid=OTHER_UID, stalls=asleep),
    }
    check(judged(boards, times_of(first_ms, gaps_ms), wire))
