"""Events of several sources become one time line."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from referee.app.timeline import MOST_HELD, Timeline
from referee.notation.events import event_json
from referee.values import Actor, CardPlaced, Declared, PadHit, PileMoved, card

MS = 1_000_000


def pad(t_ns: int) -> PadHit:
    return PadHit(n=0, t_ns=t_ns, spot="mid")


def test_a_pad_hit_that_arrives_late_still_comes_before_the_card_that_followed_it() -> None:
    line = Timeline(hold_ns=200 * MS)
    placed = CardPlaced(n=0, t_ns=120 * MS, card=card("7H"), origin="A.rest", target="play.A")
    line.put(placed)
    line.put(pad(100 * MS))
    assert line.due(250 * MS) == ()
    assert line.due(320 * MS) == (pad(100 * MS), placed)


def test_events_of_one_time_keep_the_order_in_which_they_came() -> None:
    line = Timeline(hold_ns=0)
    first, second = Declared(n=0, t_ns=5, what="start"), pad(5)
    line.put(first, second)
    assert line.due(5) == (first, second)


@given(st.lists(st.integers(0, 1000)), st.lists(st.integers(0, 2000)))
def test_nothing_is_lost_and_each_release_is_in_order(times: list[int], looks: list[int]) -> None:
    line = Timeline(hold_ns=10)
    line.put(*map(pad, times))
    out = [event for now in sorted(looks) for event in line.due(now)]
    out += line.rest()
    assert sorted(times) == [event.t_ns for event in out]
    assert all(one.t_ns <= other.t_ns for one, other in pairwise(out))


def test_a_flood_of_events_is_given_out_early_rather_than_kept() -> None:
    line = Timeline(hold_ns=10**12)
    line.put(*map(pad, range(MOST_HELD + 5)))
    assert [event.t_ns for event in line.due(0)] == [0, 1, 2, 3, 4]


def test_an_event_is_one_json_object_with_the_names_of_the_vocabulary() -> None:
    event = CardPlaced(
        n=4, t_ns=3_100 * MS, u_ns=40 * MS, actor=Actor("A", "R"), source="camera", conf=0.98,
        card=card("7H"), origin="A.rest", target="play.A", carry_ns=2_500 * MS,
    )  # fmt: skip
    fields = json.loads(event_json(event))
    assert fields["event"] == "CardPlaced"
    assert (fields["n"], fields["t"], fields["u"], fields["carry"]) == (4, 3.1, 0.04, 2.5)
    assert (fields["actor"], fields["card"], fields["src"]) == ("A.R", "7H", "camera")
    assert (fields["from"], fields["to"], fields["up"]) == ("A.rest", "play.A", True)


def test_the_cards_of_a_block_are_written_as_texts() -> None:
    event = PileMoved(
        n=1, t_ns=0, origin="A.stock", target="A.waste", count=2, cards=(card("A:7H"), card("A:??"))
    )
    fields = json.loads(event_json(event))
    assert fields["cards"] == ["A:7H", "A:??"]
    assert fields["n_cards"] == 2
