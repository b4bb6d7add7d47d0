"""Nobody is named at another's cards unless his hand was surely seen there."""

from __future__ import annotations

from referee.app.caution import cautious
from referee.values import Actor, CardPlaced, card

SEATS = ("A", "B")


def takes(seat: str, hand: str, origin: str) -> CardPlaced:
    return CardPlaced(
        n=0, t_ns=0, actor=Actor(seat, hand), card=card("TS"), origin=origin, target="play.B"
    )


def test_a_hand_whose_side_nobody_could_tell_is_not_named_at_the_others_cards() -> None:
    assert cautious(takes("A", "?", "B.arr.1"), SEATS).actor == Actor()


def test_a_hand_that_was_surely_seen_at_the_others_cards_is_named() -> None:
    assert cautious(takes("A", "R", "B.arr.1"), SEATS).actor == Actor("A", "R")


def test_at_his_own_cards_a_player_is_named() -> None:
    assert cautious(takes("A", "?", "A.arr.1"), SEATS).actor == Actor("A", "?")
