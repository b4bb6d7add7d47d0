"""Hands that lay cards are no slaps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.app.slaps import Slaps, on_pads
from referee.table.layout import plan
from referee.values import Actor, CardPlaced, HandOff, HandOn, HandSeen, PileTaken, card

MS = 1_000_000
NERVES = plan("nerves", ("A", "B"))
A = Actor("A", "R")


def hand(t_ms: int, zone: str, conf: float = 0.9) -> HandOn:
    return HandOn(n=0, t_ns=t_ms * MS, actor=A, zone=zone, conf=conf)


def laid(t_ms: int, zone: str) -> CardPlaced:
    return CardPlaced(n=0, t_ns=t_ms * MS, actor=A, card=card("7H"), origin="A.arr.1", target=zone)


def gone(t_ms: int) -> HandOff:
    return HandOff(n=0, t_ns=t_ms * MS, actor=A, zone="mid", conf=0.85)


def test_a_slap_between_the_piles_is_told_once_the_hand_did_not_only_wait_there() -> None:
    slaps = Slaps(NERVES)
    assert slaps.step(5 * MS, [hand(5, "mid")]) == ()
    assert slaps.step(360 * MS, []) == (hand(5, "mid"),)
    assert slaps.step(700 * MS, [gone(400)]) == ()
    assert slaps.finish(()) == (gone(400),)


def test_a_hand_that_waits_over_the_middle_hits_it_when_it_comes_down() -> None:
    slaps = Slaps(NERVES)
    assert slaps.step(300 * MS, [hand(5, "mid"), gone(60)]) == ()
    assert slaps.step(320 * MS, [hand(220, "mid")]) == ()
    assert slaps.step(600 * MS, []) == (hand(220, "mid"),)


@pytest.mark.parametrize(("t_ms", "told"), [(1_000, 0), (900, 0), (1_030, 1)])
def test_nobody_is_first_where_the_others_fingers_reach_beyond_the_middle_before(
    t_ms: int, told: int
) -> None:
    """His palm may have hit it, of which no place tells."""
    slaps, mine = Slaps(NERVES), hand(1_000, "mid")
    others = replace(hand(t_ms, "A.arr.2"), actor=Actor("B", "L"))
    assert len([*slaps.step(1_300 * MS, [mine, others]), *slaps.step(1_600 * MS, [])]) == told


@pytest.mark.parametrize(("t_ms", "told"), [(1_005, 0), (1_079, 0), (1_081, 1)])
def test_nobody_is_first_where_the_others_fingers_came_down_beside_the_middle_no_surely_later(
    t_ms: int, told: int
) -> None:
    """Both slap at once: one palm lies on the middle; the other hand finds room only beside it."""
    slaps, mine = Slaps(NERVES), replace(hand(1_000, "mid"), u_ns=40 * MS)
    others = replace(hand(t_ms, "cut.1"), actor=Actor("B", "R"), u_ns=40 * MS)
    assert len([*slaps.step(1_300 * MS, [mine, others]), *slaps.step(1_600 * MS, [])]) == told


@pytest.mark.parametrize("zone", ["deck", "cut.1"])
@pytest.mark.parametrize("conf", [0.9, 0.43])
def test_nobody_is_first_where_the_others_fingers_stopped_beside_the_middle_before(
    zone: str, conf: float
) -> None:
    slaps, mine = Slaps(NERVES), hand(1_000, "mid")
    others = replace(hand(950, zone), actor=Actor("B", "R"), conf=conf)
    assert mine not in [*slaps.step(1_300 * MS, [mine, others]), *slaps.step(1_600 * MS, [])]


@pytest.mark.parametrize(("comes_down_ms", "told"), [(None, False), (1_150, True)])
def test_nobody_is_first_where_the_others_hand_only_seemed_to_pause_over_the_middle_before(
    comes_down_ms: int | None, told: bool
) -> None:
    slaps, mine, b = Slaps(NERVES), hand(1_000, "mid"), Actor("B", "R")
    paused = replace(hand(900, "mid", conf=0.43), actor=b)
    later = () if comes_down_ms is None else (replace(hand(comes_down_ms, "mid"), actor=b),)
    seen = [*slaps.step(1_300 * MS, [paused, mine, *later]), *slaps.step(1_600 * MS, [])]
    assert (mine in seen) == told


@pytest.mark.parametrize(("again_ms", "told"), [(None, False), (980, True)])
def test_nobody_is_first_where_the_others_hand_lay_on_the_middle_under_his(
    again_ms: int | None, *, told: bool
) -> None:
    slaps, mine, b = Slaps(NERVES), hand(1_000, "mid"), Actor("B", "R")
    hidden = replace(hand(1_000, "mid", conf=0.05), actor=b)
    beside = replace(hand(1_300, "play.B"), actor=b)
    clear = () if again_ms is None else (replace(hand(again_ms, "mid"), actor=b),)
    seen = [*slaps.step(1_320 * MS, [mine, hidden, beside, *clear]), *slaps.step(1_600 * MS, [])]
    assert (mine in seen) == told


@pytest.mark.parametrize(("zone", "told"), [("A.arr.2", True), ("B.arr.2", False)])
def test_a_hand_that_comes_down_beyond_the_middle_later_did_not_lie_on_it_before(
    zone: str, *, told: bool
) -> None:
    slaps, mine, b = Slaps(NERVES), hand(1_000, "mid"), Actor("B", "L")
    hidden = replace(hand(1_000, "mid", conf=0.05), actor=b)
    beyond = replace(hand(1_240, zone), actor=b)
    seen = [*slaps.step(1_320 * MS, [mine, hidden, beyond]), *slaps.step(1_600 * MS, [])]
    assert (mine in seen) == told


@pytest.mark.parametrize(("t_ms", "told"), [(980, True), (1_020, False)])
def test_whose_hit_is_told_no_later_than_the_others_may_have_stopped_beside_it_before(
    t_ms: int, *, told: bool
) -> None:
    """By his hit he is first, or both are as soon."""
    slaps, mine, b = Slaps(NERVES), hand(1_000, "mid"), Actor("B", "L")
    stopped, hit = (replace(hand(*one), actor=b) for one in ((900, "cut.1"), (t_ms, "mid")))
    seen = [*slaps.step(1_320 * MS, [mine, stopped, hit]), *slaps.step(1_600 * MS, [])]
    assert (mine in seen, hit in seen) == (told, told)


@pytest.mark.parametrize(("t_ms", "told"), [(1_200, False), (2_100, True)])
def test_who_may_have_been_before_the_other_is_not_told_to_be_first_after_him(
    t_ms: int, *, told: bool
) -> None:
    slaps, b = Slaps(NERVES), Actor("B", "R")
    under = replace(hand(990, "A.arr.2"), actor=b)
    later = replace(hand(t_ms, "mid"), actor=b)
    seen = [*slaps.step(1_300 * MS, [hand(1_000, "mid"), under]), *slaps.step(1_700 * MS, [later])]
    assert (later in [*seen, *slaps.step(3_000 * MS, [])]) == told


@pytest.mark.parametrize(("again_ms", "told"), [(1_480, 1), (1_850, 2)])
def test_fingers_that_stir_in_the_middle_hit_it_no_second_time(again_ms: int, told: int) -> None:
    """Who is to hit it again hears so first."""
    slaps, left = Slaps(NERVES), gone(again_ms - 280)
    seen = [*slaps.step(1_100 * MS, [hand(1_000, "mid")]), *slaps.step(1_360 * MS, [])]
    seen += slaps.step((again_ms + 90) * MS, [left, hand(again_ms, "mid")])
    seen += slaps.step((again_ms + 400) * MS, [])
    assert len([one for one in seen if isinstance(one, HandOn)]) == told


def test_a_hand_that_lays_a_card_on_a_pile_is_not_told() -> None:
    slaps = Slaps(NERVES)
    assert slaps.step(1000 * MS, [hand(1000, "play.A")]) == ()
    assert slaps.step(1400 * MS, [laid(1050, "play.A")]) == (laid(1050, "play.A"),)
    assert slaps.step(3000 * MS, []) == ()


@pytest.mark.parametrize(
    ("side", "t_ms", "told"),
    [("L", 600, True), ("R", 600, False), ("L", 530, False), ("?", 600, False)],
)
def test_who_lays_a_card_with_one_hand_and_slaps_the_pile_with_the_other_has_hit_it(
    side: str, t_ms: int, *, told: bool
) -> None:
    slaps = Slaps(NERVES)
    slap = replace(hand(t_ms, "play.A"), actor=Actor("A", side), u_ns=40 * MS)
    slaps.step(900 * MS, [replace(laid(500, "play.A"), u_ns=30 * MS), slap])
    assert (slap in slaps.step(1_400 * MS, [])) is told


def test_a_blow_on_a_pile_is_told_with_its_own_time_once_it_laid_nothing() -> None:
    slaps = Slaps(NERVES)
    assert slaps.step(1000 * MS, [hand(1000, "play.A")]) == ()
    assert slaps.step(1800 * MS, []) == (hand(1000, "play.A"),)


def test_who_may_have_taken_the_pile_is_told_to_hit_it_only_once_it_still_lies_there() -> None:
    slaps, soft = Slaps(NERVES), hand(1000, "play.A", conf=0.65)
    assert slaps.step(1000 * MS, [soft]) == ()
    assert slaps.step(2500 * MS, []) == ()
    assert slaps.step(3100 * MS, []) == (soft,)


def test_nobody_is_told_to_hit_a_pile_before_it_is_known_whether_the_other_hit_it_first() -> None:
    slaps, soft = Slaps(NERVES), hand(1000, "play.A", conf=0.65)
    second = replace(hand(1040, "play.A"), actor=Actor("B", "R"))
    assert slaps.step(1050 * MS, [soft, second]) == ()
    assert slaps.step(2500 * MS, []) == ()
    assert slaps.step(3100 * MS, []) == (soft, second)


def test_who_takes_a_pile_does_not_hit_it() -> None:
    slaps = Slaps(NERVES)
    taken = PileTaken(n=0, t_ns=1020 * MS, actor=A, zone="play.A", count=9)
    assert slaps.step(1000 * MS, [hand(1000, "play.A", conf=0.65)]) == ()
    assert slaps.step(2600 * MS, [taken]) == (taken,)
    assert slaps.step(5000 * MS, []) == ()


def test_where_the_other_lays_a_card_on_the_pile_a_blow_is_told() -> None:
    slaps, others = Slaps(NERVES), replace(laid(800, "play.A"), actor=Actor("B", "R"))
    assert slaps.step(1000 * MS, [others, hand(1000, "play.A")]) == (others,)
    assert slaps.step(1800 * MS, []) == (hand(1000, "play.A"),)


def test_a_soft_stop_over_a_pile_is_no_blow() -> None:
    slaps = Slaps(NERVES)
    slaps.step(1000 * MS, [hand(1000, "play.A", conf=0.5)])
    assert slaps.step(3000 * MS, []) == ()


def test_a_hand_that_only_pauses_over_the_middle_is_no_slap() -> None:
    assert Slaps(NERVES).step(5 * MS, [hand(5, "mid", conf=0.43)]) == ()


def test_a_palm_that_may_rest_beside_the_pile_is_told_to_rest() -> None:
    weak = hand(5, "A.side.R", conf=0.26)
    assert Slaps(NERVES).step(5 * MS, [weak]) == (weak,)


def test_a_palm_that_only_stirs_does_not_leave() -> None:
    off = HandOff(n=0, t_ns=5 * MS, actor=A, zone="A.side.R", conf=0.46)
    assert Slaps(NERVES).step(9 * MS, [off, hand(5, "A.side.R", conf=0.43)]) == ()
    assert Slaps(NERVES).step(9 * MS, [off]) == (off,)


def test_hands_over_the_own_arrangement_mean_nothing() -> None:
    assert Slaps(NERVES).step(0, [hand(0, "A.arr.3")]) == ()


def test_where_no_rule_asks_for_hands_none_are_told() -> None:
    nerds = Slaps(plan("nerds", ("A", "B")))
    assert nerds.step(0, [hand(0, "A.work.1")]) == ()


def test_where_a_pad_feels_the_middle_a_hand_over_it_is_no_slap() -> None:
    felt = frozenset({"mid"})
    assert Slaps(NERVES).step(5 * MS, [hand(5, "mid")], felt) == ()
    assert Slaps(NERVES).step(5 * MS, [hand(5, "A.side.R")], felt) == (hand(5, "A.side.R"),)


def test_a_hand_that_reaches_beyond_the_pad_has_touched_it() -> None:
    mid = next(zone for zone in NERVES.zones if zone.name == "mid")
    x, y = mid.center_mm
    over = HandSeen(
        1, 0, 0, (x, y + 70), (x, 0), (x - 50, y - 90, x + 50, y + 75), 0.0, "A", "R", 0.9
    )
    felt = frozenset({"mid"})
    beyond = hand(5, "B.arr.3")
    assert list(on_pads([beyond], [over], NERVES, felt)) == [beyond, hand(5, "mid")]
    aside = replace(over, box_mm=(x + 60, y - 90, x + 160, y + 75))
    assert list(on_pads([beyond], [aside], NERVES, felt)) == [beyond]
    assert list(on_pads([beyond], [over], NERVES, frozenset())) == [beyond]
    assert list(on_pads([hand(5, "mid", conf=0.05)], [over], NERVES, felt)) == []
