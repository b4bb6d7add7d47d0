"""Shuffles before the deal: what hands do about a deck, and when it lies there again."""

from __future__ import annotations

from collections.abc import Iterable

from referee.table.mixing import HandAt, Mixing
from referee.values import Card, Dealt, Event, PileMixed
from referee.values.events import NOBODY

FRAME_NS = 33_333_333
S_NS = 1_000_000_000
SWAY_MM = 8.0


def _about(
    mixing: Mixing, frames: Iterable[int], lies_ns: int | None, *, sway_mm: float = SWAY_MM
) -> list[Event]:
    """Let a hand of A be about the deck, going to and fro."""
    told: list[Event] = []
    for k in frames:
        hand = HandAt("deck", "A", 1, (sway_mm * (k % 2), 0.0))
        told += mixing.step(k * FRAME_NS, [hand], {"deck": lies_ns})
    return told


def _away(mixing: Mixing, frames: Iterable[int], lies_ns: int | None) -> list[Event]:
    return [e for k in frames for e in mixing.step(k * FRAME_NS, [], {"deck": lies_ns})]


def test_a_deck_that_comes_to_lie_where_hands_were_busy_was_shuffled() -> None:
    mixing = Mixing()
    assert not _about(mixing, range(60), None)
    (mixed,) = _about(mixing, range(60, 63), 58 * FRAME_NS)
    assert isinstance(mixed, PileMixed)
    assert (mixed.zone, mixed.actor.seat, mixed.t_ns) == ("deck", "A", 58 * FRAME_NS)


def test_the_deck_came_with_the_hands_that_shuffled_it() -> None:
    mixing = Mixing()
    _about(mixing, range(30, 95), None)
    _about(mixing, range(95, 98), 94 * FRAME_NS)
    laid = Dealt(n=0, t_ns=94 * FRAME_NS, actor=NOBODY, zone="deck", cards=(Card("??"),))
    assert mixing.dated(laid).t_ns == 30 * FRAME_NS


def test_a_deck_that_is_only_laid_down_is_not_shuffled() -> None:
    mixing = Mixing()
    told = _about(mixing, range(15), None)
    told += _about(mixing, range(15, 25), 14 * FRAME_NS)
    assert not told + _away(mixing, range(25, 90), 14 * FRAME_NS)


def test_a_deck_that_lies_there_is_shuffled_by_hands_that_go_to_and_fro() -> None:
    mixing = Mixing()
    assert not _about(mixing, range(30, 120), 0)
    (mixed,) = _away(mixing, range(120, 150), 0)
    assert mixed.t_ns == 119 * FRAME_NS


def test_a_hand_that_rests_beside_a_deck_shuffles_nothing() -> None:
    mixing = Mixing()
    told = _about(mixing, range(30, 120), 0, sway_mm=0.5)
    assert not told + _away(mixing, range(120, 150), 0)


def test_a_deck_is_told_to_be_shuffled_once_before_each_deal() -> None:
    mixing = Mixing()
    told = _about(mixing, range(60), None)
    told += _about(mixing, range(60, 180), 58 * FRAME_NS)
    told += _away(mixing, range(180, 210), 58 * FRAME_NS)
    assert len(told) == 1
    # It was dealt, and lies there for the next one.
    mixing.step(7 * S_NS, [], {})
    assert len(_about(mixing, range(300, 360), None) + _about(mixing, [361], 359 * FRAME_NS)) == 1
