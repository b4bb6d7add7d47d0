"""Mixing and dealing before the match: what is dealt, and what only lies about meanwhile."""

from __future__ import annotations

import pytest
from test_scene_rough import MS, A, Table, Touched

from referee.table.found import LIKELY
from referee.values import CardPlaced, Dealt, Event, PileMoved

HALF = (1, "BACK", "A.work.4", (20.0, 0.0))
DECK = (2, "BACK", "A.stock", (0.0, 0.0))
OPEN = (3, "7S", "A.work.1", (0.0, 0.0))
OTHERS = tuple((3 + k, face, f"A.work.{k}", (0.0, 0.0)) for k, face in ((2, "AD"), (3, "KC")))
ALL_ELSE = (OPEN, *OTHERS, (8, "5D", "A.work.4", (0.0, 0.0)), (9, "QH", "A.nerts", (0.0, 0.0)))


def _dealt(events: list[Event]) -> list[tuple[str, int, str]]:
    return [
        (event.zone, len(event.cards), str(event.cards[-1].seen()))
        for event in events
        if isinstance(event, Dealt)
    ]


def _told(table: Table, *spots: tuple[int, str, str, tuple[float, float]]) -> list[Event]:
    return table.looks(1_000, 3_000, *spots)


def test_half_a_deck_that_is_being_mixed_is_not_dealt() -> None:
    table = Table("nertz")
    table.look(0)
    assert not _told(table, HALF)
    told = table.looks(3_000, 4_000, (8, "QH", "A.nerts", (0.0, 0.0)))
    assert _dealt(told) == [("A.nerts", 13, "A:QH")]
    assert len(told) == 1


def test_what_is_being_mixed_when_the_film_begins_does_not_lie_there() -> None:
    table = Table("nertz")
    table.look(0, HALF)
    assert not table.scene.piles["A.work.4"]
    assert table.scene.dealing


def test_what_cannot_be_read_under_a_hand_does_not_tell_that_the_game_has_begun() -> None:
    table = Table("nertz")
    fingers = (7, "??", "B.waste", (0.0, 10.0))
    table.look(0, HALF, fingers)
    assert table.scene.dealing
    assert not _told(table, HALF, fingers)
    assert _dealt(table.looks(3_000, 4_000, OPEN)) == [("A.work.1", 1, "A:7S")]


@pytest.mark.parametrize("lies_first", [True, False])
def test_a_deck_that_lies_where_the_stock_will_lie_is_dealt_once_all_else_is(
    lies_first: bool,
) -> None:
    table = Table("nertz")
    table.look(0, *((DECK,) if lies_first else ()))
    assert not _told(table, DECK)
    assert not any(zone == "A.stock" for zone, _, _ in _dealt(_told(table, DECK, OPEN, *OTHERS)))
    *others, stock = table.looks(3_000, 5_500, DECK, *ALL_ELSE)
    assert {zone for zone, _, _ in _dealt(others)} == {"A.work.4", "A.nerts"}
    assert _dealt([stock]) == [("A.stock", 35, "A:??")]
    assert max(event.t_ns for event in others) < stock.t_ns < 4_000 * MS


def test_what_is_left_of_the_deck_and_squared_is_dealt_once() -> None:
    table = Table("nertz")
    table.look(0)
    _told(table, DECK, *ALL_ELSE)
    squared = (12, "BACK", "A.stock", (4.0, 1.0))
    assert not _dealt(table.looks(5_000, 7_000, squared, *ALL_ELSE))


def test_an_open_card_on_the_long_pile_tells_that_nobody_mixes_any_more() -> None:
    table = Table("nertz")
    table.look(0)
    told = _told(table, (7, "2D", "A.nerts", (0.0, 0.0)), (8, "BACK", "A.work.4", (0.0, 0.0)))
    assert _dealt(told)[0] == ("A.nerts", 13, "A:2D")


def test_the_backs_of_a_pile_and_the_open_card_laid_on_them_are_dealt_as_one() -> None:
    table = Table("nertz")
    table.look(0)
    backs = (7, "BACK", "A.nerts", (0.0, 0.0))
    assert not _told(table, backs)
    # The backs are still believed while the hand that lays the last card hides them.
    told = table.looks(3_000, 3_500, backs, (8, "2D", "A.nerts", (1.0, -1.0)))
    told += table.looks(3_500, 5_000, (8, "2D", "A.nerts", (1.0, -1.0)))
    assert _dealt(told) == [("A.nerts", 13, "A:2D")]
    assert len(table.scene.piles["A.nerts"]) == 13


def test_a_card_that_stays_face_down_among_open_ones_was_dealt_so() -> None:
    table = Table("nertz")
    table.look(0)
    _told(table, OPEN, *OTHERS)
    assert _dealt(table.looks(3_000, 6_000, OPEN, *OTHERS, HALF)) == [("A.work.4", 1, "A:??")]


def test_the_deck_that_is_held_where_a_cascade_may_reach_is_not_dealt_there() -> None:
    table = Table("nertz")
    table.look(0)
    _told(table, OPEN, *OTHERS)
    held = (9, "BACK", "A.work.4", (0.0, -140.0))
    assert not table.looks(3_000, 8_000, OPEN, *OTHERS, held)


def test_a_card_that_was_dealt_face_down_and_turned_up_is_dealt_open() -> None:
    table = Table("nertz")
    table.look(0)
    _told(table, OPEN, *OTHERS)
    assert not table.looks(3_000, 4_000, OPEN, *OTHERS, HALF)
    up = (9, "TC", "A.work.4", (20.0, 0.0))
    assert _dealt(table.looks(4_000, 5_000, OPEN, *OTHERS, up)) == [("A.work.4", 1, "A:TC")]


def test_backs_strewn_over_dealt_cards_are_no_second_deal() -> None:
    table = Table("nertz")
    table.look(0)
    _told(table, OPEN, *OTHERS)
    strewn = (9, "BACK", "A.work.1", (30.0, 20.0))
    assert not table.looks(3_000, 7_000, OPEN, *OTHERS, strewn)


def test_a_face_that_was_read_in_passing_was_not_dealt() -> None:
    table = Table("nertz")
    table.look(0)
    unsure = (7, "QD", "A.work.3", (0.0, 0.0))
    told = table.look(1_000, unsure, conf=0.93)
    told += table.looks(1_066, 2_000, (8, "JD", "A.work.3", (0.0, 0.0)))
    assert _dealt(told) == [("A.work.3", 1, "A:JD")]


def test_a_card_on_a_free_place_is_dealt_whatever_seems_to_have_left() -> None:
    # The hand was at the pile before, and hides what was not read there.
    touches = Touched(A, 2_800, "A.nerts"), Touched(A, 3_200, "A.work.1")
    table = Table("nertz", *touches)
    table.look(0)
    _told(table, (7, "??", "A.nerts", (0.0, 0.0)))
    assert _dealt(table.looks(3_400, 5_000, OPEN)) == [("A.work.1", 1, "A:7S")]


def test_a_card_on_a_foundation_ends_the_deal_when_all_have_open_cards() -> None:
    table = Table("nertz")
    table.look(0)
    other = (20, "9D", "B.work.1", (0.0, 0.0))
    _told(table, OPEN, *OTHERS, other)
    assert table.scene.dealing
    moved = (21, "AD", "F.1", (0.0, 0.0))
    table.looks(3_000, 5_000, OPEN, OTHERS[1], other, moved)
    assert not table.scene.dealing


def test_a_stock_that_a_hand_hid_since_it_was_dealt_is_told_when_play_begins() -> None:
    table = Table("nertz")
    table.look(0)
    table.hands_over = ("A.stock",)
    mine = (OPEN, (7, "QH", "A.nerts", (0.0, 0.0)))
    theirs = tuple((20 + k, face, f"B.{name}", (0.0, 0.0)) for k, (face, name) in enumerate(
        (("9D", "work.1"), ("4S", "nerts"), ("BACK", "stock"))))  # fmt: skip
    _told(table, *mine, *theirs)
    drawn = (30, "8S", "A.waste", (0.0, 0.0))
    told = table.looks(4_000, 6_000, *mine, *theirs, drawn)
    assert _dealt(told) == [("A.stock", 35, "A:??"), ("B.stock", 35, "B:??")]
    (draw,) = (event for event in told if isinstance(event, PileMoved))
    assert (draw.origin, draw.target, draw.count) == ("A.stock", "A.waste", 3)
    # It lies in its own place, not where the card was played that told of it.
    assert table.scene.piles["A.stock"][-1].at_mm == table.zones["A.stock"].center_mm


def test_who_arranges_when_the_film_begins_lays_his_cards_and_is_dealt_none() -> None:
    table = Table("nerves")
    table.look(0)
    (laid,) = _told(table, (3, "7C", "A.arr.4", (0.0, 0.0)))
    assert isinstance(laid, CardPlaced)
    assert (laid.origin, laid.target, str(laid.card)) == ("A.held", "A.arr.4", "7C")


def test_fingers_that_look_like_a_card_where_none_is_dealt_are_not_dealt() -> None:
    table = Table("nertz")
    table.look(0)
    fingers = (7, "JOKER", "B.waste", (0.0, 10.0))
    _told(table, OPEN, *OTHERS)
    assert not table.looks(3_000, 5_000, OPEN, *OTHERS, fingers)
    assert not table.looks(5_000, 7_000, OPEN, *OTHERS)
    assert not table.scene.piles["B.waste"]


def test_who_has_got_no_card_yet_may_mix_his_deck() -> None:
    table = Table("nertz")
    table.look(0)
    assert table.scene.to_be_mixed() == ("A.stock", "B.stock")
    _told(table, OPEN)
    assert table.scene.to_be_mixed() == ("B.stock",)


def test_a_pile_dealt_card_by_card_lies_when_the_last_one_does() -> None:
    touches = (Touched(A, t_ms, "A.nerts") for t_ms in (1_100, 1_500, 1_900, 2_300, 6_000))
    table = Table("nerds", *touches)
    table.look(0)
    nerts = (2, "BACK", "A.nerts", (0.0, 0.0))
    told = table.looks(1_060, 3_000, nerts)
    table.still(3, 3_000)
    told += table.looks(3_060, 5_000, nerts, OPEN)
    dealt = {event.zone: event for event in told if isinstance(event, Dealt)}
    assert len(dealt["A.nerts"].cards) == 13
    assert dealt["A.nerts"].t_ns == 2_300 * MS
    assert abs(dealt["A.work.1"].t_ns - 3_000 * MS) < 100 * MS


XIX_DECK = (1, "BACK", "deck", (0.0, 0.0))
FIRST, SECOND = (2, "BACK", "talon.1", (0.0, 0.0)), (3, "BACK", "talon.2", (0.0, 0.0))


def _dealer(*fingers: tuple[int, str]) -> Table:
    """Return a table of XIX at which A has taken up the deck; where his fingers are, and when."""
    table = Table("xix", Touched(A, 1_000, "deck"))
    table.ways = {"A": fingers}
    table.look(0, XIX_DECK)
    table.looks(600, 1_000, XIX_DECK)
    table.looks(1_000, 5_000)
    return table


def test_the_deck_in_a_hand_that_stays_over_the_talon_is_not_dealt_there() -> None:
    table = _dealer(*((t_ms, "talon.1") for t_ms in range(5_000, 6_000, 100)))
    told = table.looks(5_000, 6_100, FIRST)
    told += table.looks(6_100, 8_000)
    assert not [event for event in told if isinstance(event, Dealt)]


def test_a_card_that_the_dealers_fingers_left_was_dealt() -> None:
    table = _dealer(*((t_ms, "talon.1") for t_ms in range(5_000, 5_600, 100)))
    told = table.looks(5_000, 8_000, FIRST)
    assert _dealt(told)[-1] == ("talon.1", 1, "??")


def test_no_second_card_is_dealt_to_a_place_for_one() -> None:
    table = _dealer()
    held = (4, "BACK", "talon.1", (3.0, -45.0))
    told = table.looks(5_000, 6_500, FIRST)
    told += table.looks(6_500, 7_500, FIRST, held)
    told += table.looks(7_500, 9_500, FIRST, SECOND)
    talon = [zone for zone, _, _ in _dealt(told) if zone.startswith("talon")]
    assert talon == ["talon.1", "talon.2"]
    assert all(isinstance(event, Dealt) for event in told)


def test_the_halves_of_a_deck_that_is_shuffled_where_it_lies_are_no_cards_laid_there() -> None:
    halves = (4, "BACK", "A.deck", (36.0, 0.0)), (5, "BACK", "A.deck", (-36.0, 0.0))
    table = Table("spy", Touched(A, 2_500, "A.deck"), Touched(A, 3_600, "A.deck"))
    table.look(0)
    told = table.looks(1_000, 2_000, (1, "BACK", "A.deck", (0.0, 0.0)))
    assert [(zone, count) for zone, count, _ in _dealt(told)] == [("A.deck", 26)]
    assert not table.looks(2_000, 2_500)
    assert not table.looks(2_600, 3_500, *halves)
    assert not table.looks(3_600, 3_900, *halves, (6, "BACK", "A.deck", (0.0, 0.0)))
    assert not table.looks(3_900, 6_000, *halves)
    assert not table.looks(6_000, 8_000, (7, "BACK", "A.deck", (0.0, 0.0)))


def test_a_card_that_was_dealt_before_is_told_before_though_fingers_stay_at_it() -> None:
    fingers = ((t_ms, "talon.1") for t_ms in range(5_000, 7_000, 100))
    table = _dealer(*fingers)
    table.still(2, 5_000)
    table.still(3, 5_900)
    told = table.looks(5_400, 9_500, FIRST, SECOND)
    talon = [zone for zone, _, _ in _dealt(told) if zone.startswith("talon")]
    assert talon == ["talon.1", "talon.2"]


def test_a_deck_that_came_before_the_table_was_seen_may_have_lain_elsewhere_before() -> None:
    table = Table("nerves")
    table.look(0)
    table.still(1, 60, 0)
    (dealt,) = table.looks(60, 2_000, (1, "BACK", "cut.1", (0.0, 0.0)))
    assert isinstance(dealt, Dealt)
    assert dealt.conf == LIKELY
