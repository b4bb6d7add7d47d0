"""Pads and camera as one: the pad gives the time, the camera whose hand it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.pads.fuse import Fused, Fusion
from referee.pads.hits import Ignored, Struck
from referee.rulebook.races import Finish, finish
from referee.rulebook.setup import Setup
from referee.values import Actor, HandOff, HandOn

MS, S = 1_000_000, 1_000_000_000
BOARD = "0011223344556677"


def struck(t_ms: float, spot: str = "mid", seq: int = 0, doubt: str = "") -> Struck:
    t_ns = round(t_ms * MS)
    low, high = t_ns - 50_000.0, t_ns + 50_000.0
    return Struck(BOARD, 0, spot, seq, low, high, 10_000.0, 300_000, 600, BOARD, 30.0, doubt)


def hand(t_ms: float, who: str, spot: str = "mid", u_ms: float | None = None) -> HandOn:
    seat, _, side = who.partition(".")
    u_ns = None if u_ms is None else round(u_ms * MS)
    actor = Actor(seat or None, side or None)
    return HandOn(n=0, t_ns=round(t_ms * MS), actor=actor, zone=spot, u_ns=u_ns)


def fuse(*seen: Struck | HandOn) -> list[Fused | Ignored]:
    fusion = Fusion()
    for one in seen:
        if isinstance(one, Struck):
            fusion.struck(one)
        else:
            fusion.hand(one)
    return fusion.until(100 * S)


SETUP = Setup("", "nerves", ("A", "B"), "PLAY", None, {})


def race(found: list[Fused | Ignored]) -> Finish:
    """What the judge makes of two touches."""
    one, other = (SETUP.instant(o.event) for o in found if isinstance(o, Fused))
    return finish(one, other)


def who(found: list[Fused | Ignored]) -> list[str]:
    return [str(one.event.actor) for one in found if isinstance(one, Fused)]


def test_the_pad_gives_the_time_and_the_camera_the_hand() -> None:
    (one,) = fuse(struck(1000), hand(1012, "A.R"))
    assert isinstance(one, Fused)
    assert (str(one.event.actor), one.event.spot, one.event.t_ns) == ("A.R", "mid", 1000 * MS)
    assert one.event.u_ns == struck(1000).u_ns
    assert one.event.source == "pad"
    assert one.note == ""


def test_a_hand_at_another_spot_or_too_late_is_not_meant() -> None:
    assert who(fuse(struck(1000), hand(1010, "A.R", "play.A"), hand(1151, "B.L"))) == ["-"]
    assert who(fuse(struck(1000), hand(1149, "B.L"))) == ["B.L"]


def test_a_touch_without_a_hand_stays_nameless() -> None:
    (one,) = fuse(struck(1000))
    assert isinstance(one, Fused)
    assert str(one.event.actor) == "-"
    assert one.note == "no hand was seen there"


def test_a_doubtful_touch_counts_only_with_a_hand() -> None:
    assert who(fuse(struck(1000, doubt="it may be a knock"), hand(990, "B.L"))) == ["B.L"]
    (one,) = fuse(struck(1000, doubt="it may be a knock"))
    assert isinstance(one, Ignored)
    assert one.reason == "it may be a knock, and no hand was seen there"


def test_two_touches_far_apart_each_get_their_own_hand() -> None:
    found = fuse(struck(1000), struck(1100, seq=1), hand(1094, "B.L"), hand(1012, "A.R"))
    assert who(found) == ["A.R", "B.L"]
    assert [one.event.u_ns for one in found if isinstance(one, Fused)] == [struck(0).u_ns] * 2


def test_a_hand_is_kept_for_the_later_touch_that_it_fits() -> None:
    fusion = Fusion()
    for one in (struck(1000), struck(1160, seq=1)):
        fusion.struck(one)
    for seen in (hand(1005, "A.R"), hand(1145, "B.L")):
        fusion.hand(seen)
    found = [one for now_ms in range(1000, 2000, 10) for one in fusion.until(now_ms * MS)]
    assert who(found) == ["A.R", "B.L"]


def test_a_hand_on_its_way_does_not_take_the_touch_of_the_one_that_hit() -> None:
    """As a camera told of two slaps at 2.000 and 2.118 s: each hand passed over the spot first."""
    fusion = Fusion()
    for seen in (
        hand(1982, "A.R", u_ms=32), hand(2021, "B.L", u_ms=40),
        hand(2126, "A.R", u_ms=26),
    ):  # fmt: skip
        fusion.hand(seen)
    fusion.hand_off(HandOff(n=0, t_ns=1982 * MS, actor=Actor("A", "R"), zone="mid"))
    for touch in (struck(2000), struck(2118, seq=1)):
        fusion.struck(touch)
    found = fusion.until(100 * S)
    assert who(found) == ["B.L", "A.R"]
    assert [one.event.t_ns for one in found if isinstance(one, Fused)] == [2000 * MS, 2118 * MS]


def test_a_hand_that_the_camera_timed_badly_gets_the_touch_that_is_left() -> None:
    """Two slaps at 8.000 and 8.118 s: the first hand's coming was seen to a tenth of a second."""
    found = fuse(
        struck(8000), struck(8118, seq=1), hand(8083, "B.L", u_ms=112), hand(8128, "A.R", u_ms=17)
    )
    assert who(found) == ["B.L", "A.R"]
    assert [one.event.t_ns for one in found if isinstance(one, Fused)] == [8000 * MS, 8118 * MS]


def test_two_hands_that_the_camera_cannot_tell_apart_make_a_dead_heat_and_not_an_order() -> None:
    found = fuse(struck(1000), struck(1010, seq=1), hand(1008, "A.R"), hand(1004, "B.L"))
    assert sorted(who(found)) == ["A.R", "B.L"]
    one, other = (o.event for o in found if isinstance(o, Fused))
    assert abs(one.t_ns - other.t_ns) <= (one.u_ns or 0) + (other.u_ns or 0)
    assert all("fit either" in o.note for o in found if isinstance(o, Fused))
    assert race(found).open_between("A", "B") == "too close to call (A 50 %, B 50 %)"


def test_one_touch_that_may_be_of_two_hands_is_neithers_alone() -> None:
    found = fuse(struck(1000), hand(1008, "A.R"), hand(1004, "B.L"))
    assert sorted(who(found)) == ["A.R", "B.L"]
    assert all((o.event.u_ns or 0) >= 25 * MS for o in found if isinstance(o, Fused))


def test_a_pad_and_a_camera_that_disagree_are_told_and_the_pads_time_is_used() -> None:
    (one,) = fuse(struck(1000), hand(1120, "A.R"))
    assert isinstance(one, Fused)
    assert one.event.t_ns == 1000 * MS
    assert "disagree by 120 ms" in one.note
    # Nobody is accused over an unsure event, and the contradiction is evidence of the ruling.
    assert (one.event.conf, one.event.frames) == (0.9, f"pad:{BOARD}/0#0!camera+120ms")
    (agreed,) = fuse(struck(1000), hand(1012, "A.R"))
    assert isinstance(agreed, Fused)
    assert (agreed.event.conf, agreed.event.frames) == (None, f"pad:{BOARD}/0#0")


def test_a_fused_race_is_called_with_the_pads_margin() -> None:
    found = fuse(struck(1000), struck(1118, seq=1), hand(1010, "B.L"), hand(1111, "A.R"))
    told = race(found)
    assert (told.how, told.first, who(found)[0]) == ("clocks", 0, "B.L")
    assert told.margin_ns == pytest.approx(118 * MS, abs=MS)


def test_nothing_is_told_before_its_hands_can_have_come() -> None:
    fusion = Fusion()
    fusion.struck(struck(1000))
    assert fusion.until(1300 * MS) == []
    fusion.hand(hand(1149, "A.R"))
    assert who(fusion.until(1301 * MS)) == ["A.R"]
    assert fusion.until(2 * S) == []


@given(
    st.lists(st.floats(0, 2000), max_size=7),
    st.lists(
        st.tuples(st.floats(0, 2000), st.sampled_from(["A.L", "A.R", "B.L", "B.R"])), max_size=6
    ),
)
def test_every_touch_is_told_once_in_the_order_of_time(
    touches: list[float], hands: list[tuple[float, str]]
) -> None:
    found = fuse(
        *(struck(1000 + t, seq=n) for n, t in enumerate(touches)),
        *(hand(1000 + t, name) for t, name in hands),
    )
    times = [o.event.t_ns if isinstance(o, Fused) else o.t_ns for o in found]
    assert times == sorted(times)
    told = [o for o in found if isinstance(o, Fused) and "one touch was felt" not in o.note]
    assert len(told) == len(touches)
