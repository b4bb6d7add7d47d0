"""Who was first: three verdicts, each as sure as it says, and none by the order of the code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.commands.benches._pads_races import MIXES, tally
from referee.pads.densities import chances, densities, gaps
from referee.pads.verdict import CAMERA_DEAD_NS, PAD_DEAD_NS, Contender, Word, verdict

MS = 1_000_000


def pad(seat: str, t_ms: float, half_us: float = 5.0, sigma_us: float = 50.0) -> Contender:
    low, high = t_ms * MS - half_us * 1000, t_ms * MS + half_us * 1000
    return Contender(seat, (Word("pad", round(low), round(high), sigma_us * 1000, f"pad:{seat}"),))


def camera(seat: str, from_ms: float, to_ms: float) -> Contender:
    return Contender(seat, (Word("camera", round(from_ms * MS), round(to_ms * MS), 3e6),))


def test_a_clear_lead_is_called_with_margin_and_interval() -> None:
    found = verdict([pad("A", 112.0), pad("B", 100.0)])
    assert (found.kind, found.first) == ("first", "B")
    assert found.margin_ns == pytest.approx(12 * MS, abs=5000)
    assert found.low_ns < found.margin_ns < found.high_ns
    assert found.high_ns - found.low_ns == pytest.approx(2 * 1.96 * 70_700, rel=0.05)
    assert found.text == "B first by 12.0 ms (11.9 to 12.1 ms)"
    assert [(chance.seat, round(chance.p, 3)) for chance in found.chances] == [("A", 0), ("B", 1)]
    assert found.evidence == ("pad:A", "pad:B")


def test_two_touches_inside_the_houses_width_are_a_dead_heat_and_that_is_a_finding() -> None:
    found = verdict([pad("A", 100.0), pad("B", 100.6)])
    assert (found.kind, found.first) == ("dead heat", None)
    assert found.text == "dead heat (closer than 2.0 ms)"
    # The same touches are a clear lead where the house knows no dead heat.
    assert verdict([pad("A", 100.0), pad("B", 100.6)], dead_ns=0).first == "A"


def test_what_is_not_sure_is_too_close_to_call_with_per_cents() -> None:
    found = verdict([camera("A", 0, 33), camera("B", 8, 41)], dead_ns=0)
    assert (found.kind, found.first) == ("too close", None)
    shares = {chance.seat: chance.p for chance in found.chances}
    # Two uniform intervals of 33 ms, 8 ms apart: B is first in (25/33)^2 / 2 of all cases.
    assert shares["B"] == pytest.approx((25 / 33) ** 2 / 2, abs=0.02)
    assert found.text == "too close to call: A 70 %, B 30 %"


def test_a_lead_of_about_the_dead_heat_width_is_neither() -> None:
    assert verdict([pad("A", 100.0), pad("B", 102.0)]).kind == "too close"


def test_a_camera_alone_calls_a_lead_of_three_pictures_and_not_of_one() -> None:
    assert verdict([camera("A", 0, 33), camera("B", 33, 66)], CAMERA_DEAD_NS).kind == "too close"
    assert verdict([camera("A", 0, 33), camera("B", 120, 153)], CAMERA_DEAD_NS).first == "A"


def test_pad_and_camera_of_one_player_are_multiplied_where_they_agree() -> None:
    both = Contender("A", (*camera("A", 90, 123).words, *pad("A", 100.0).words))
    found = verdict([both, pad("B", 103.0)], dead_ns=0)
    assert found.first == "A"
    assert found.margin_ns == pytest.approx(3 * MS, abs=20_000)


def test_a_pad_and_a_camera_that_contradict_each_other_are_told_and_not_averaged() -> None:
    odd = Contender("A", (*pad("A", 100.0).words, *camera("A", 300, 333).words))
    found = verdict([odd, pad("B", 150.0)])
    assert (found.kind, found.first, found.at_odds) == ("conflict", None, ("A",))
    assert found.text == "the pad and the camera disagree about A: no verdict"


def test_equal_touches_favour_nobody_however_they_are_ordered() -> None:
    one = verdict([pad("A", 100.0), pad("B", 100.0)], dead_ns=0)
    other = verdict([pad("B", 100.0), pad("A", 100.0)], dead_ns=0)
    assert one.kind == other.kind == "too close"
    assert [chance.p for chance in one.chances] == pytest.approx([0.5, 0.5], abs=1e-9)
    assert other.text == "too close to call: B 50 %, A 50 %"


def test_three_players_are_decided_together() -> None:
    found = verdict([pad("A", 100.0), pad("B", 120.0), pad("C", 103.0)])
    assert (found.kind, found.first) == ("first", "A")
    assert found.margin_ns == pytest.approx(3 * MS, abs=5000)
    near = verdict([pad("A", 100.0), pad("B", 100.05), pad("C", 100.0)], dead_ns=0)
    assert near.kind == "too close"
    assert sum(chance.p for chance in near.chances) == pytest.approx(1.0)


times = st.floats(0, 300)
spans = st.tuples(times, st.floats(0.001, 40), st.floats(0.01, 10))


@given(spans, spans, st.sampled_from([0, PAD_DEAD_NS, CAMERA_DEAD_NS]))
@settings(deadline=None, max_examples=60)
def test_swapping_the_players_swaps_the_verdict_and_nothing_else(
    one: tuple[float, float, float], other: tuple[float, float, float], dead_ns: int
) -> None:
    def of(seat: str, span: tuple[float, float, float]) -> Contender:
        start, width, sigma = (round(x * MS) for x in span)
        return Contender(seat, (Word("camera", start, start + width, float(sigma)),))

    first = verdict([of("A", one), of("B", other)], dead_ns)
    again = verdict([of("B", other), of("A", one)], dead_ns)
    assert (first.kind, first.first) == (again.kind, again.first)
    chance = {c.seat: c.p for c in first.chances}
    assert {c.seat: pytest.approx(c.p, abs=1e-9) for c in again.chances} == chance
    assert first.low_ns <= first.margin_ns <= first.high_ns
    if first.kind == "first":
        assert max(chance.values()) >= 0.99


@given(spans, spans)
@settings(deadline=None, max_examples=40)
def test_both_ways_to_reckon_the_chance_agree(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    words = np.array([[[[s, s + w, g]] for s, w, g in (one, other)]]) * MS
    given = densities(words)
    assert given.mass.sum(axis=-1) == pytest.approx(1.0)
    later = gaps(given, np.array([0]), np.array([1]))
    assert 1 - later.below(0.0)[0] == pytest.approx(chances(given)[0, 0], abs=0.01)


@pytest.mark.parametrize("number", range(len(MIXES)), ids=[mix[0] for mix in MIXES])
def test_verdicts_are_as_good_as_they_say(number: int) -> None:
    found = tally(number, 4000, seed=11)
    assert found.conflicts <= 6
    # With three standard errors of so few races.
    assert found.wrong_share <= 0.01 + 3 * (0.01 / (found.called + found.dead_heats)) ** 0.5
    assert found.worst_decile <= 0.02 + 3 * (0.25 / found.fewest_in_decile) ** 0.5
    assert 0.94 - 0.011 <= found.covered <= 0.965 + 0.009
