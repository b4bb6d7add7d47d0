"""Shuffles before the deal: how much moves about a deck, and when it no longer does."""

from __future__ import annotations

from collections.abc import Iterable

from referee.table.mixing import Mixing, Stir
from referee.values import Card, Dealt, Event, PileMixed
from referee.values.events import NOBODY

MS = 1_000_000
LOOKS_MS = 33


def _moves(mixing: Mixing, shares: Iterable[tuple[int, float]]) -> list[PileMixed]:
    """Let shares of the deck's place move till so many ms each, by the hands of A."""
    told: list[Event] = []
    t_ms = 0
    for until_ms, share in shares:
        for now_ms in range(t_ms, until_ms, LOOKS_MS):
            mixing.step(now_ms * MS, [Stir("deck", share, ("A",))])
            told += mixing.told(lambda _: True)
        t_ms = until_ms
    assert all(isinstance(event, PileMixed) for event in told)
    return [event for event in told if isinstance(event, PileMixed)]


def _when(mixed: PileMixed) -> tuple[int, int]:
    """Return from when to when in ms a shuffle may have lasted."""
    assert mixed.u_ns is not None
    return (mixed.t_ns - mixed.u_ns) // MS, (mixed.t_ns + mixed.u_ns) // MS


def test_a_deck_about_which_much_moves_for_long_was_shuffled_till_it_moves_no_more() -> None:
    (mixed,) = _moves(Mixing(), [(1_000, 0.0), (3_000, 0.7), (4_000, 0.0)])
    assert (mixed.zone, mixed.actor.seat) == ("deck", "A")
    first_ms, last_ms = _when(mixed)
    assert first_ms < 3_000 < last_ms


def test_who_takes_the_deck_up_after_he_has_shuffled_it_moves_less() -> None:
    (mixed,) = _moves(Mixing(), [(2_000, 0.9), (2_600, 0.3), (3_000, 0.5), (4_000, 0.2)])
    first_ms, last_ms = _when(mixed)
    assert first_ms < 2_000 < last_ms


def test_the_halves_of_a_riffle_lie_still_for_a_moment() -> None:
    goes = [(k * 600 + end_ms, share) for k in range(4) for end_ms, share in ((330, 0.9), (600, 0))]
    assert len(_moves(Mixing(), [*goes, (4_000, 0.0)])) == 1


def test_a_shuffle_into_which_the_camera_opens_is_told_from_then_on() -> None:
    (mixed,) = _moves(Mixing(), [(2_000, 0.8), (4_000, 0.0)])
    assert abs(mixed.t_ns - 1_000 * MS) < 200 * MS


def test_a_deck_that_is_only_laid_down_is_not_shuffled() -> None:
    assert not _moves(Mixing(), [(1_000, 0.0), (1_600, 0.9), (4_000, 0.0)])


def test_a_deck_at_which_a_hand_rests_is_not_shuffled() -> None:
    assert not _moves(Mixing(), [(400, 0.8), (4_000, 0.1), (6_000, 0.0)])


def test_a_deck_is_told_to_be_shuffled_once_before_each_deal() -> None:
    mixing, shuffle = Mixing(), [(2_000, 0.7), (3_000, 0.0)]
    assert len(_moves(mixing, [*shuffle, (5_000, 0.7), (6_000, 0.0)])) == 1
    # It was dealt, and lies there for the next one.
    mixing.dealt(7_000 * MS, (), lambda deck: None)
    assert len(_moves(mixing, shuffle)) == 1


def test_a_shuffle_is_told_after_the_deck_that_it_is_of() -> None:
    mixing = Mixing()
    shares = [0.7] * 60 + [0.0] * 60
    for k, share in enumerate(shares):
        mixing.step(k * LOOKS_MS * MS, [Stir("deck", share, ("A",))])
        assert not mixing.told(lambda _: False)
    (mixed,) = mixing.told(lambda _: True)
    first_ms, last_ms = _when(mixed)
    assert abs(first_ms) < 800
    assert abs(last_ms - 60 * LOOKS_MS) < 800


def test_a_shuffle_is_told_as_at_its_middle() -> None:
    (mixed,) = _moves(Mixing(), [(1_000, 0.0), (4_000, 0.7), (6_000, 0.0)])
    assert abs(mixed.t_ns - 2_500 * MS) < 300 * MS


def test_the_deck_came_before_it_was_shuffled() -> None:
    mixing = Mixing()
    _moves(mixing, [(1_000, 0.0), (3_000, 0.7), (4_000, 0.0)])
    laid = Dealt(n=0, t_ns=2_900 * MS, actor=NOBODY, zone="deck", cards=(Card("??"),))
    assert mixing.dated(laid).t_ns <= 1_000 * MS


def test_a_deck_that_is_told_while_its_shuffle_may_go_on_came_before_it_was_shuffled() -> None:
    mixing = Mixing()
    _moves(mixing, [(1_000, 0.0), (3_000, 0.7), (3_200, 0.0)])
    laid = Dealt(n=0, t_ns=2_900 * MS, actor=NOBODY, zone="deck", cards=(Card("??"),))
    assert mixing.dated(laid).t_ns <= 1_000 * MS


def test_a_deck_that_was_only_laid_down_and_squared_is_told_as_it_came() -> None:
    mixing = Mixing()
    _moves(mixing, [(1_000, 0.0), (1_800, 0.7), (2_000, 0.0)])
    laid = Dealt(n=0, t_ns=1_700 * MS, actor=NOBODY, zone="deck", cards=(Card("??"),))
    assert mixing.dated(laid) == laid


def _dealt_at_once(*, till_ms: int) -> PileMixed:
    """Let A shuffle for three seconds and deal on from then without a pause."""
    mixing, told = Mixing(), list[PileMixed]()
    for now_ms in range(0, 8_000, LOOKS_MS):
        dealt_ns = 3_400 * MS if now_ms > 3_400 else None
        share = 0.0 if now_ms < 1_000 or now_ms > 7_000 else 0.8
        stir = Stir("A.stock", share, ("A",), dealt_ns)
        if now_ms < till_ms:
            mixing.step(now_ms * MS, [stir])
        else:
            mixing.dealt(now_ms * MS, (), lambda deck: 3_400 * MS)
        told += mixing.told(lambda _: True)
    (mixed,) = told
    return mixed


def test_who_deals_at_once_has_shuffled_till_he_dealt_the_first_card() -> None:
    first_ms, last_ms = _when(_dealt_at_once(till_ms=8_000))
    assert first_ms < 3_000 < last_ms


def test_a_deal_that_is_understood_while_it_goes_on_ends_the_shuffle_before_it() -> None:
    first_ms, last_ms = _when(_dealt_at_once(till_ms=5_000))
    assert first_ms < 3_000 < last_ms


def test_a_riffle_in_three_goes_is_one_shuffle_till_the_last_of_them() -> None:
    goes = [(1_000, 0.0), (1_450, 0.9), (2_000, 0.0), (2_450, 0.9), (3_000, 0.0), (3_450, 0.9)]
    (mixed,) = _moves(Mixing(), [*goes, (6_000, 0.0)])
    first_ms, last_ms = _when(mixed)
    assert first_ms < 3_450 < last_ms


def test_a_deck_that_is_taken_up_and_laid_down_again_is_not_shuffled() -> None:
    assert not _moves(
        Mixing(), [(1_000, 0.0), (1_300, 0.9), (1_800, 0.0), (2_100, 0.9), (5_000, 0.0)]
    )


def test_whose_fingers_stay_where_he_deals_to_has_shuffled_before() -> None:
    mixing, told = Mixing(), list[PileMixed]()
    for now_ms in range(0, 8_000, LOOKS_MS):
        share = 0.0 if now_ms < 1_000 or now_ms > 7_000 else 0.8
        mixing.step(now_ms * MS, [Stir("A.stock", share, ("A",), deals=3_300 < now_ms < 7_000)])
        told += mixing.told(lambda _: True)
    (mixed,) = told
    first_ms, last_ms = _when(mixed)
    assert first_ms < 3_000 < last_ms


def test_fingers_that_come_by_where_cards_will_be_dealt_to_do_not_end_a_shuffle() -> None:
    mixing, told = Mixing(), list[PileMixed]()
    for now_ms in range(0, 6_000, LOOKS_MS):
        share = 0.8 if 1_000 <= now_ms < 4_000 else 0.0
        by = 2_500 < now_ms < 2_900
        mixing.step(now_ms * MS, [Stir("A.stock", share, ("A",), deals=by)])
        told += mixing.told(lambda _: True)
    (mixed,) = told
    first_ms, last_ms = _when(mixed)
    assert first_ms < 4_000 < last_ms


def test_a_shuffle_ends_before_the_first_card_that_was_dealt_though_it_was_told_at_once() -> None:
    mixing = Mixing()
    for now_ms in range(0, 3_800, LOOKS_MS):
        mixing.step(now_ms * MS, [Stir("A.deck", 0.8 if now_ms > 1_000 else 0.0, ("A",))])
    mixing.dealt(3_800 * MS, (), lambda deck: 3_500 * MS)
    (mixed,) = mixing.told(lambda _: True)
    first_ms, last_ms = _when(mixed)
    assert first_ms < 3_000 < last_ms


def test_a_deck_that_is_laid_down_as_the_camera_opens_is_not_shuffled() -> None:
    """All seems to move with the first picture."""
    assert not _moves(Mixing(), [(130, 1.0), (500, 0.0), (1_100, 0.9), (5_000, 0.0)])
