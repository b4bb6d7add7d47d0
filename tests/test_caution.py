"""What a camera tells of unlikely moves is asked about and held against nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.app.caution import ASKED_CONF, cautious
from referee.values import (
    Actor,
    CardPlaced,
    CardTurned,
    Declared,
    Event,
    PileMoved,
    PileTaken,
    Reread,
    card,
)

SEATS = ("A", "B")
NONE: frozenset[str] = frozenset()


def takes(seat: str, hand: str, origin: str, target: str = "play.B") -> CardPlaced:
    return CardPlaced(
        n=0, t_ns=0, actor=Actor(seat, hand), source="camera", conf=0.99,
        card=card("TS"), origin=origin, target=target,
    )  # fmt: skip


def told(event: Event, doubtful: frozenset[str] = NONE) -> Event:
    return cautious(event, SEATS, doubtful)


def less_plainly(event: CardPlaced) -> CardPlaced:
    return replace(event, conf=0.98)


def test_a_hand_whose_side_nobody_could_tell_is_asked_about_at_the_others_cards() -> None:
    assert told(less_plainly(takes("A", "?", "B.arr.1"))).conf == ASKED_CONF


def test_a_player_at_the_others_cards_is_judged_where_nobody_else_can_have_been_there() -> None:
    assert told(takes("A", "?", "B.arr.1")) == takes("A", "?", "B.arr.1")


def test_a_player_at_the_others_cards_is_asked_about() -> None:
    seen = told(less_plainly(takes("A", "R", "B.arr.1")))
    assert (seen.actor, seen.conf) == (Actor("A", "R"), ASKED_CONF)


def test_at_his_own_cards_a_player_is_named_and_judged() -> None:
    assert told(takes("A", "?", "A.arr.1")) == takes("A", "?", "A.arr.1")


def test_a_card_that_goes_from_one_layout_to_another_is_asked_about() -> None:
    crossed = less_plainly(takes("A", "R", "A.work.1", "B.work.1"))
    assert told(crossed).conf == ASKED_CONF


def test_a_card_that_seems_to_come_out_of_the_stock_is_asked_about() -> None:
    plain = replace(takes("A", "R", "A.stock", "A.work.1"), conf=0.98)
    assert told(plain).conf == ASKED_CONF
    assert told(replace(plain, target="A.waste")).conf == 0.98


def test_a_card_that_can_have_come_only_out_of_the_stock_is_judged() -> None:
    assert told(takes("A", "R", "A.stock", "A.work.1")).conf == 0.99


def test_a_card_that_seems_to_come_off_a_foundation_is_asked_about() -> None:
    assert told(less_plainly(takes("A", "R", "F.1", "A.work.1"))).conf == ASKED_CONF


def test_a_card_that_was_seen_to_leave_a_foundation_is_judged() -> None:
    assert told(takes("A", "R", "F.1", "A.work.1")).conf == 0.99


@pytest.mark.parametrize(("conf", "judged"), [(0.98, ASKED_CONF), (0.999, 0.999)])
def test_who_turns_the_others_card_is_judged_where_nobody_else_was_there(
    conf: float, judged: float
) -> None:
    turned = CardTurned(
        n=0, t_ns=0, actor=Actor("A", "R"), source="camera", conf=conf,
        card=card("5D"), zone="B.arr.1", up=True,
    )  # fmt: skip
    assert told(turned).conf == judged


def test_a_card_of_anothers_deck_at_the_own_places_is_asked_about() -> None:
    aces = [
        replace(takes("A", "R", "A.waste", "A.work.1"), card=card(f"{deck}:AH")) for deck in "AB"
    ]
    assert [told(less_plainly(ace)).conf for ace in aces] == [0.98, ASKED_CONF]
    # Where nobody else can have brought it, it is the one that was known.
    assert [told(ace).conf for ace in aces] == [0.99, 0.99]


def test_a_foundation_is_no_place_of_seat_f() -> None:
    lays = replace(takes("A", "R", "A.waste", "F.1"), card=card("A:AH"))
    assert cautious(lays, ("A", "B", "C", "D", "E", "F"), NONE) == lays


def test_a_card_that_is_read_as_another_than_before_is_asked_about() -> None:
    reread = Reread(n=0, t_ns=0, source="camera", conf=0.99, zone="play.A", old=card("4D"),
                    new=card("9H"))  # fmt: skip
    assert told(reread).conf == ASKED_CONF
    assert told(replace(reread, old=card("??"))).conf == 0.99


def test_a_block_of_which_each_card_shows_is_judged() -> None:
    block = PileMoved(
        n=0, t_ns=0, actor=Actor("A", "R"), source="camera", conf=0.99,
        origin="A.work.1", target="A.work.2", count=3,
    )  # fmt: skip
    assert told(block).conf == 0.99


def test_a_block_that_nobody_can_count_is_asked_about() -> None:
    turn = PileMoved(
        n=0, t_ns=0, actor=Actor("A", "R"), source="camera", conf=0.98,
        origin="A.stock", target="A.waste", count=2, flip=True,
    )  # fmt: skip
    assert told(turn).conf == ASKED_CONF


def test_where_the_camera_erred_before_it_is_asked() -> None:
    assert told(takes("A", "R", "A.arr.1"), frozenset({"play.B"})).conf == ASKED_CONF


def test_what_buttons_tell_is_taken_as_it_is() -> None:
    pressed = replace(takes("A", "R", "B.arr.1"), source="operator")
    assert told(pressed) == pressed


def test_after_a_question_nobody_is_accused_of_declaring_out_of_turn() -> None:
    abandon = Declared(n=11, t_ns=25_500_000_000, actor=Actor("B"), what="abandon")
    assert cautious(abandon, ("A", "B"), frozenset()) == abandon
    unsure = cautious(abandon, ("A", "B"), frozenset(), asked=True)
    assert unsure.conf is not None
    assert unsure.conf < 0.97


def test_after_a_question_nobody_is_accused_of_taking_up_a_pile() -> None:
    takes_up = PileTaken(
        n=0, t_ns=0, actor=Actor("A", "R"), source="camera", conf=0.98, zone="play.A", count=4
    )
    assert cautious(takes_up, SEATS, NONE) == takes_up
    assert cautious(takes_up, SEATS, NONE, asked=True).conf == ASKED_CONF
