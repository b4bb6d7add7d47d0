"""Hands that lay cards are no slaps."""

from __future__ import annotations

from referee.app.slaps import Slaps
from referee.table.layout import plan
from referee.values import Actor, CardPlaced, HandOn, card

MS = 1_000_000
NERVES = plan("nerves", ("A", "B"))
A = Actor("A", "R")


def hand(t_ms: int, zone: str, conf: float = 0.9) -> HandOn:
    return HandOn(n=0, t_ns=t_ms * MS, actor=A, zone=zone, conf=conf)


def laid(t_ms: int, zone: str) -> CardPlaced:
    return CardPlaced(n=0, t_ns=t_ms * MS, actor=A, card=card("7H"), origin="A.arr.1", target=zone)


def test_a_slap_between_the_piles_is_told_at_once() -> None:
    assert Slaps(NERVES).step(5 * MS, [hand(5, "mid")]) == (hand(5, "mid"),)


def test_a_hand_that_lays_a_card_on_a_pile_is_not_told() -> None:
    slaps = Slaps(NERVES)
    assert slaps.step(1000 * MS, [hand(1000, "play.A")]) == ()
    assert slaps.step(1400 * MS, [laid(1050, "play.A")]) == (laid(1050, "play.A"),)
    assert slaps.step(3000 * MS, []) == ()


def test_a_blow_on_a_pile_is_told_with_its_own_time_once_it_laid_nothing() -> None:
    slaps = Slaps(NERVES)
    assert slaps.step(1000 * MS, [hand(1000, "play.A")]) == ()
    assert slaps.step(1800 * MS, []) == (hand(1000, "play.A"),)


def test_a_soft_stop_over_a_pile_is_no_blow() -> None:
    slaps = Slaps(NERVES)
    slaps.step(1000 * MS, [hand(1000, "play.A", conf=0.5)])
    assert slaps.step(3000 * MS, []) == ()


def test_hands_over_the_own_arrangement_mean_nothing() -> None:
    assert Slaps(NERVES).step(0, [hand(0, "A.arr.3")]) == ()


def test_where_no_rule_asks_for_hands_none_are_told() -> None:
    nerds = Slaps(plan("nerds", ("A", "B")))
    assert nerds.step(0, [hand(0, "A.work.1")]) == ()
