"""Who was first: three verdicts, each as sure as it says, and none by the order of the code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pad_parts import slap

from referee.commands.benches._pads_races import MIXES, tally
from referee.games import find_game
from referee.match import judge
from referee.notation import read_event, write_event
from referee.rulebook import Instant, finish, open_among
from referee.rulebook.chances import Error, chances, gap_below, half_width
from referee.values import PadHit, Ruling

MS = 1_000_000
# What two pads of one board tell that nobody calibrated.
PLAIN = "u=0.000238 flat=0.000250"


def race(*hits: str, option: str = "") -> Ruling:
    rulings = judge(slap(*hits, option=option), find_game("nerves"))
    return next(ruling for ruling in rulings if ruling.kind == "RACE")


def test_a_clear_lead_is_called_with_margin_interval_probability_and_evidence() -> None:
    found = race(
        f"8.000 PadHit B.L mid {PLAIN} frames=pad:b", f"8.012 PadHit A.R mid {PLAIN} frames=pad:a"
    )
    assert (found.winner, found.margin_ns, found.interval_ns) == ("B", 12 * MS, 476_000)
    assert found.text == "B first by 12 ms (11.6 to 12.4 ms); A takes both piles"
    assert (found.p_first, found.evidence) == (0.9999, ("pad:b", "pad:a"))
    long = race(f"8.000 PadHit B.L mid {PLAIN}", f"8.118 PadHit A.R mid {PLAIN}")
    assert long.text == "B first by 118 ms (117.6 to 118.4 ms); A takes both piles"


def test_two_touches_inside_the_houses_width_are_a_dead_heat_and_that_is_a_finding() -> None:
    hits = (f"8.0 PadHit A.R mid {PLAIN}", f"8.0006 PadHit B.L mid {PLAIN}")
    found = race(*hits, option="race.draw_ms=2")
    assert (found.winner, found.text) == ("tie", "dead heat (closer than 2 ms): rehit")
    # The same touches are a clear lead where the house knows no dead heat.
    assert race(*hits).text == "A first by 0.6 ms (0.211 to 0.989 ms); B takes both piles"


def test_what_is_not_sure_is_too_close_to_call_with_per_cents() -> None:
    found = race(f"8.0 PadHit A.R mid {PLAIN}", f"8.0001 PadHit B.L mid {PLAIN}")
    assert (found.winner, found.text) == ("tie", "too close to call (A 68 %, B 32 %): rehit")
    # Two flat stretches of 500 us, 100 us apart: B was first in (400 / 500)^2 / 2 of all cases.
    assert found.p_first == pytest.approx(1 - 0.8**2 / 2, abs=0.002)


def test_a_lead_of_about_the_dead_heat_width_is_no_finding() -> None:
    hits = (f"8.0 PadHit A.R mid {PLAIN}", f"8.0019 PadHit B.L mid {PLAIN}")
    assert race(*hits, option="race.draw_ms=2").text == "too close to call (A 99 %, B 1 %): rehit"


def test_a_camera_alone_calls_a_lead_of_three_pictures_and_not_of_one() -> None:
    assert race("8.0 HandOn A.R mid", "8.033 HandOn B.L mid").text.startswith("too close to call")
    assert race("8.0 HandOn A.R mid", "8.100 HandOn B.L mid").text.startswith("A first by 100 ms")


def test_a_pad_and_a_camera_that_contradict_each_other_are_told() -> None:
    found = race(
        f"8.0 PadHit A.R mid {PLAIN} conf=0.9 frames=pad:a!camera+120ms",
        f"8.2 PadHit B.L mid {PLAIN}",
    )
    assert found.text.endswith("; not sure: the sensors contradict each other")
    assert found.evidence == ("pad:a!camera+120ms",)


def test_equal_touches_favour_nobody_however_they_are_ordered() -> None:
    hits = (f"8.0 PadHit A.R mid {PLAIN}", f"8.0 PadHit B.L mid {PLAIN}")
    assert race(*hits).text == "too close to call (A 50 %, B 50 %): rehit"
    assert race(*hits[::-1]).text == "too close to call (B 50 %, A 50 %): rehit"


def test_three_players_have_a_share_each() -> None:
    close = [Instant(0, 238_000, 250_000), Instant(50_000, 238_000, 250_000), Instant(0, 10 * MS)]
    assert open_among("ABC", close) == "too close to call (A 30 %, B 20 %, C 50 %)"


def test_how_a_touch_errs_is_kept_in_a_script() -> None:
    hit = read_event(f"1 8.000 PadHit B.L mid {PLAIN}")
    assert isinstance(hit, PadHit)
    assert (hit.u_ns, hit.flat_ns) == (238_000, 250_000)
    assert write_event(hit) == "1 8.000 PadHit B.L mid flat=0.00025 u=0.000238"


def test_by_which_clock_a_touch_was_told_is_kept_in_a_script() -> None:
    line = "1 8.000 PadHit B.L mid clock=0011 off=0.0004 rate_ppm=35.5"
    hit = read_event(line)
    assert isinstance(hit, PadHit)
    assert (hit.clock, hit.off_ns, hit.rate_ppm) == ("0011", 400_000, 35.5)
    assert write_event(hit) == line


def test_a_clock_that_is_hardly_known_yet_is_part_of_the_interval() -> None:
    """Two touches by one clock: its rate counts; by two: how far each is off."""
    one, other = Instant(0, 1000, 0, "a", 400_000, 5000.0), Instant(30 * MS, 1000, 0, "a", 400_000)
    assert finish(one, other).interval_ns == 2000 + 150_000
    assert finish(one, other).half_ns > 150_000
    camera = Instant(30 * MS, 25 * MS)
    assert finish(one, camera).interval_ns == pytest.approx(25 * MS + 380_000, abs=2000)
    far = Instant(30 * MS, 1000, 0, "b", 20 * MS)
    assert finish(one, far).how == "clocks"
    assert finish(one, Instant(10 * MS, 1000, 0, "b", 20 * MS)).how == "dead heat"


instants = st.builds(
    Instant, st.integers(0, 300 * MS), st.integers(1, 40 * MS), st.integers(0, 40 * MS)
)


@given(instants, instants, st.sampled_from([None, 2 * MS, 33 * MS]))
@settings(deadline=None, max_examples=60)
def test_swapping_the_players_swaps_the_verdict_and_nothing_else(
    one: Instant, other: Instant, draw_ns: int | None
) -> None:
    there, back = (finish(*pair, draw_ns=draw_ns) for pair in ((one, other), (other, one)))
    assert (there.how, there.p_first, there.half_ns) == (back.how, back.p_first, back.half_ns)
    assert back.first == (None if there.first is None else 1 - there.first)
    assert there.p_first is not None
    assert there.p_first >= 0.5
    # The summed uncertainties hold the margin as surely as the 95 % interval, but for 6.5 % where
    # one is known at once and the other equally well over 79 % of its interval.
    assert there.half_ns <= there.interval_ns * 1.065 + 10


errors = st.builds(Error, st.floats(0, 40e6), st.floats(100, 20e6))


@given(st.floats(0, 60e6), errors, errors)
@settings(deadline=None, max_examples=40)
def test_both_ways_to_reckon_the_chance_agree(apart: float, one: Error, other: Error) -> None:
    (first, _) = chances([(0.0, one), (apart, other)])
    assert first == pytest.approx(gap_below(apart, one, other), abs=0.01)
    half_ns = half_width(one, other)
    assert 2 * gap_below(half_ns, one, other) - 1 == pytest.approx(0.95, abs=0.002)


@pytest.mark.parametrize("number", range(len(MIXES)), ids=[mix[0] for mix in MIXES])
def test_verdicts_are_as_good_as_they_say(number: int) -> None:
    found = tally(number, 4000, seed=11)
    # With three standard errors of so few races.
    assert found.wrong_share <= 0.01 + 3 * (0.01 / (found.called + found.dead_heats)) ** 0.5
    assert found.worst_decile <= 0.02 + 3 * (0.25 / found.fewest_in_decile) ** 0.5
    assert 0.94 - 0.011 <= found.covered <= 0.965 + 0.009
