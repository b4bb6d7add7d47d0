"""Cards that are covered before anybody sees them lie: what is told of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_scene_rough import MS, Table, Touched

from referee.table.found import LIKELY
from referee.values import Actor, CardPlaced, CardTurned, Event, PileTaken
from referee.values.spots import Spot

A, B, L = Actor("A", "R"), Actor("B", "R"), Actor("A", "L")
FOUR = (1, "4C", "play.A", (0.0, 0.0))
BACK = (2, "BACK", "A.arr.1", (0.0, 0.0))
THREE = (3, "3S", "B.arr.1", (0.0, 0.0))


def _told(events: list[Event]) -> list[tuple[str, ...]]:
    moved = (event for event in events if isinstance(event, CardPlaced | CardTurned))
    return [
        (str(e.card), e.origin, e.target) if isinstance(e, CardPlaced) else (str(e.card), e.zone)
        for e in moved
    ]


def test_a_back_turned_and_played_at_once_under_anothers_card_is_told_of_so() -> None:
    touches = (Touched(A, 5_000, "A.arr.1"), Touched(A, 5_500, "play.A"),
               Touched(B, 5_700, "B.arr.1"), Touched(B, 6_100, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known="play.A 4C | A.arr.1 (5D) | A.arr.2 9H | B.arr.1 3S")
    nine = (4, "9H", "A.arr.2", (0.0, 0.0))
    table.look(0, FOUR, BACK, THREE, nine)
    table.looks(3_000, 5_000, FOUR, BACK, THREE, nine)
    table.hands_over = ("play.A",)
    told = table.looks(5_100, 5_700, FOUR, THREE, nine)
    told += table.looks(5_700, 6_500, FOUR, nine)
    table.hands_over = ()
    table.still(5, 6_100)
    told += table.looks(6_500, 10_000, (5, "3S", "play.A", (2.0, 1.0)), nine)
    assert not [event for event in told if isinstance(event, PileTaken)]
    told.sort(key=lambda event: event.t_ns)
    assert _told(told) == [
        ("??", "A.arr.1"),
        ("??", "A.arr.1", "play.A"),
        ("3S", "B.arr.1", "play.A"),
    ]


def test_a_last_card_kept_in_the_hand_is_not_played_by_the_hand_that_turns_a_rest_card() -> None:
    touches = (Touched(L, 5_000, "A.arr.1"), Touched(A, 5_200, "A.rest"),
               Touched(A, 5_660, "play.A"), Touched(A, 6_800, "A.rest"),
               Touched(A, 7_200, "play.A"))  # fmt: skip
    known = "play.A 4C | A.arr.1 5S | A.rest (2C) (3C) (8D) (9D)"
    rest, five = (6, "BACK", "A.rest", (0.0, 0.0)), (2, "5S", "A.arr.1", (0.0, 0.0))
    table = Table("nerves", *touches, known=known)
    table.look(0, FOUR, rest, five)
    told = table.looks(5_200, 5_700, FOUR, rest)
    table.still(4, 5_600)
    told += table.looks(5_750, 7_300, (4, "9D", "play.A", (2.0, 1.0)), rest)
    table.still(5, 7_160)
    told += table.looks(7_400, 11_000, (5, "8D", "play.A", (-2.0, 0.0)), rest)
    assert [event.zone for event in told if isinstance(event, PileTaken)] == ["A.arr.1"]
    assert _told(told) == [("9D", "A.rest", "play.A"), ("8D", "A.rest", "play.A")]


def test_who_rests_on_a_card_that_he_has_just_laid_does_not_lay_another() -> None:
    touches = (Touched(A, 5_200, "A.rest"), Touched(A, 5_600, "A.rest", (10.0, 0.0)),
               Touched(A, 5_660, "play.A"), Touched(A, 5_880, "play.A"),
               Touched(A, 6_800, "A.rest"), Touched(A, 7_200, "play.A"))  # fmt: skip
    rest = (6, "BACK", "A.rest", (0.0, 0.0))
    table = Table("nerves", *touches, known="play.A 4C | A.rest (2C) (3C) (8D) (9D)")
    table.look(0, FOUR, rest)
    table.still(4, 5_660)
    told = table.looks(5_750, 7_150, (4, "9D", "play.A", (2.0, 1.0)), rest)
    table.still(5, 7_160)
    told += table.looks(7_400, 11_000, (5, "8D", "play.A", (-2.0, 0.0)), rest)
    assert _told(told) == [("9D", "A.rest", "play.A"), ("8D", "A.rest", "play.A")]


def test_what_was_covered_until_lately_was_not_taken_before() -> None:
    """That a back got lost when a card was laid on it does not tell when it was taken."""
    table = Table("nerves", Touched(A, 2_000, "A.arr.1"),
                  known="A.arr.1 (5D) | A.arr.2 KC | play.A 4C")  # fmt: skip
    king, laid = (4, "KC", "A.arr.2", (0.0, 0.0)), (5, "KC", "A.arr.1", (0.0, 2.0))
    table.look(0, FOUR, BACK, king)
    table.looks(1_000, 1_900, FOUR, BACK, king)
    table.still(5, 2_100)
    table.looks(2_200, 20_000, FOUR, laid)
    table.still(6, 20_600)
    told = table.looks(20_700, 25_000, FOUR, (6, "KC", "A.arr.3", (0.0, 2.0)))
    assert all(event.t_ns > 20_000_000_000 for event in told)


def test_below_a_card_may_lie_another_that_the_same_player_took_with_his_other_hand() -> None:
    # Both of A's cards left their columns, the second one shows before the first is read.
    touches = (Touched(L, 5_000, "A.arr.1"), Touched(A, 5_000, "A.arr.3"),
               Touched(L, 5_600, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known="play.A 4C | A.arr.1 3S | A.arr.2 9H | A.arr.3 4H")
    three, nine = (2, "3S", "A.arr.1", (0.0, 0.0)), (4, "9H", "A.arr.2", (0.0, 0.0))
    four = (3, "4H", "A.arr.3", (0.0, 0.0))
    table.look(0, FOUR, three, nine, four)
    table.looks(3_000, 5_000, FOUR, three, nine, four)
    table.hands_over = ("play.A",)
    table.looks(5_100, 5_900, FOUR, nine)
    table.hands_over = ()
    table.still(5, 5_600)
    told = table.looks(5_950, 7_000, (5, "4H", "play.A", (2.0, 1.0)), nine)
    (laid,) = (e for e in told if isinstance(e, CardPlaced))
    assert laid.conf is not None
    assert laid.conf < 0.97


def test_a_card_taken_back_from_below_the_next_one_was_not_turned_up_at_its_old_place() -> None:
    """It is believed to lie open still, as nothing shows that it left; there is but one of it."""
    touches = (Touched(B, 4_500, "B.arr.1"), Touched(B, 5_000, "play.A"),
               Touched(A, 5_600, "play.A"), Touched(B, 5_990, "play.A"),
               Touched(B, 6_400, "B.arr.1"))  # fmt: skip
    table = Table("nerves", *touches, known="play.A 9H | A.arr.2 TS | B.arr.1 (2C) JC")
    nine, ten = (1, "9H", "play.A", (0.0, 0.0)), (2, "TS", "A.arr.2", (0.0, 0.0))
    jack, back = (3, "JC", "B.arr.1", (0.0, 0.0)), (4, "BACK", "B.arr.1", (0.0, 0.0))
    played, upon = (5, "JC", "play.A", (2.0, 1.0)), (6, "TS", "play.A", (0.0, 0.0))
    table.look(0, nine, ten, jack)
    table.looks(3_000, 4_400, nine, ten, jack)
    table.still(5, 5_000)
    told = table.looks(4_600, 5_500, ten, back, played)
    table.still(6, 5_600)
    told += table.looks(5_700, 6_400, back, played, upon)
    table.still(7, 6_400)
    told += table.looks(6_500, 9_000, played, upon, (7, "JC", "B.arr.1", (0.0, 0.0)))
    assert _told(told) == [
        ("JC", "B.arr.1", "play.A"), ("TS", "A.arr.2", "play.A"), ("JC", "play.A", "B.arr.1")
    ]  # fmt: skip


def test_a_card_carried_to_a_hidden_column_is_not_laid_on_the_playing_pile_before_it() -> None:
    # B's arm hides his column; the fingertips that lay a card there are half a card before it.
    touches = (Touched(B, 5_000, "B.arr.1"), Touched(B, 5_400, "B.arr.5", (0.0, -72.0)),
               Touched(B, 6_000, "B.rest"), Touched(B, 6_400, "play.B"))  # fmt: skip
    known = "play.B 8C | B.arr.1 7H | B.arr.2 2S | B.arr.3 3S | B.arr.4 4S | B.rest (3C) (9C)"
    eight, seven = (1, "8C", "play.B", (0.0, 0.0)), (2, "7H", "B.arr.1", (0.0, -37.0))
    others = ((3, "BACK", "B.rest", (0.0, 0.0)), (4, "2S", "B.arr.2", (0.0, -37.0)),
              (5, "3S", "B.arr.3", (0.0, -37.0)), (8, "4S", "B.arr.4", (0.0, -37.0)))  # fmt: skip
    table = Table("nerves", *touches, known=known)
    table.look(0, eight, seven, *others)
    table.looks(3_000, 5_000, eight, seven, *others)
    told = table.looks(5_100, 6_400, eight, *others)
    nine = (6, "9C", "play.B", (2.0, 1.0))
    table.still(6, 6_400)
    told += table.looks(6_500, 7_500, nine, *others)
    table.still(7, 5_400)
    told += table.looks(7_500, 10_000, nine, *others, (7, "7H", "B.arr.5", (0.0, -37.0)))
    told.sort(key=lambda event: event.t_ns)
    assert _told(told) == [("7H", "B.arr.1", "B.arr.5"), ("9C", "B.rest", "play.B")]


def test_the_touch_that_laid_a_card_laid_no_other_one_of_its_player_below_it() -> None:
    # The three of hearts lies below that of spades, and is carried away next by a hidden hand.
    touches = Touched(A, 5_000, "A.arr.1"), Touched(A, 5_400, "play.A")
    table = Table("nerves", *touches, known="play.A 4C | A.arr.1 3H 3S | A.arr.2 9H | A.arr.3 6H")
    three, lower = (2, "3S", "A.arr.1", (0.0, 0.0)), (3, "3H", "A.arr.1", (0.0, 0.0))
    others = (4, "9H", "A.arr.2", (0.0, 0.0)), (5, "6H", "A.arr.3", (0.0, 0.0))
    table.look(0, FOUR, three, *others)
    table.looks(3_000, 5_000, FOUR, three, *others)
    told = table.looks(5_100, 5_400, FOUR, *others)
    laid = (6, "3S", "play.A", (2.0, 1.0))
    table.still(6, 5_420)
    told += table.looks(5_500, 5_700, laid, *others, lower)
    told += table.looks(5_700, 6_900, laid, *others)
    table.still(7, 6_300)
    told += table.looks(6_900, 9_000, laid, *others, (7, "3H", "A.arr.4", (0.0, 0.0)))
    assert _told(told) == [("3S", "A.arr.1", "play.A"), ("3H", "A.arr.1", "A.arr.4")]


def test_the_hand_that_takes_both_playing_piles_lays_none_of_them_on_the_other() -> None:
    touches = (Touched(A, 5_000, "play.A"), Touched(A, 5_400, "play.B"),
               Touched(B, 5_900, "B.arr.1"), Touched(B, 6_300, "play.B"))  # fmt: skip
    known = "play.A 4C | play.B 4D | A.arr.1 (5D) | B.arr.1 3S"
    four = (5, "4D", "play.B", (0.0, 0.0))
    table = Table("nerves", *touches, known=known)
    table.look(0, FOUR, four, BACK, THREE)
    table.looks(3_000, 5_000, FOUR, four, BACK, THREE)
    told = table.looks(5_100, 5_900, four, BACK, THREE)
    table.still(6, 6_300)
    told += table.looks(6_400, 9_000, (6, "3S", "play.B", (2.0, 1.0)), BACK)
    assert ("4C", "play.A", "play.B") not in _told(told)


def test_whose_hand_came_to_a_place_for_one_took_the_card_there_and_laid_none_on_it() -> None:
    """What he holds since the last trade seems to lie where it was taken: his hand came by."""
    table = Table("xix", Touched(B, 5_000, "talon.1"), Touched(B, 5_400, "talon.2"),
                  known="talon.1 3 | talon.2 (9) | B.closed (4)")  # fmt: skip
    lying = (1, "3", "talon.1", (0.0, 0.0)), (2, "BACK", "talon.2", (0.0, 0.0))
    table.look(0, *lying)
    (held,), (lower,) = table.scene.piles["B.closed"], table.scene.piles["talon.2"]
    table.scene.piles["B.closed"][:] = [replace(held, at_mm=table.zones["talon.1"].center_mm)]
    table.look(7_000, *lying)
    laid = Spot(9, "12", 0.99, lower.at_mm, 0.0, 6_900 * MS, 7_000 * MS)
    assert not table.scene._parts.burying.covered("talon.2", laid)


def test_a_card_that_lay_below_another_players_is_told_though_nobody_knows_whence_it_came() -> None:
    # The two was turned up and played at once; the three covers it before the hand shows it.
    touches = (Touched(A, 5_000, "F.1"), Touched(B, 5_200, "B.work.1"), Touched(B, 5_600, "F.1"))
    stock = "A.stock " + "(??) " * 20
    table = Table("nertz", *touches, known=f"F.1 A:AS | {stock}| A.waste KS | B.work.1 B:3S")
    ace, back = (1, "AS", "F.1", (0.0, 0.0)), (2, "BACK", "A.stock", (0.0, 0.0))
    king, three = (3, "KS", "A.waste", (0.0, 0.0)), (4, "3S", "B.work.1", (0.0, 0.0))
    table.look(0, ace, back, king, three)
    told = table.looks(4_500, 5_100, back, king, three)
    told += table.looks(5_300, 6_500, back, king)
    table.still(5, 5_000)
    table.still(6, 5_600)
    low, high = (5, "2S", "F.1", (1.0, 1.0)), (6, "3S", "F.1", (-1.0, 2.0))
    told += table.looks(6_500, 7_000, back, king, high)
    told += table.looks(7_000, 7_100, back, king, high, low)
    told += table.looks(7_100, 9_500, back, king, high)
    placed = [one for one in told if isinstance(one, CardPlaced)]
    placed.sort(key=lambda one: one.t_ns)
    assert [(one.card.face, one.target) for one in placed] == [("2S", "F.1"), ("3S", "F.1")]


def test_the_touch_that_brought_a_card_which_an_arm_hid_then_laid_no_other_below_it() -> None:
    touches = (Touched(A, 4_400, "A.nerts"), Touched(A, 5_000, "F.1"))
    table = Table("nertz", *touches, known="F.1 A:4H | A.nerts (??) (??) A:5H")
    four, five = (1, "4H", "F.1", (0.0, 0.0)), (2, "5H", "A.nerts", (0.0, 0.0))
    back = (3, "BACK", "A.nerts", (0.0, 0.0))
    table.look(0, four, five)
    table.looks(4_500, 4_900, four, back)
    table.hands_over = ("F.1",)
    told = table.looks(4_900, 6_000, back)
    table.hands_over = ()
    table.still(4, 5_900, moving_ms=5_300)
    told += table.looks(6_000, 9_000, back, (4, "5H", "F.1", (2.0, 1.0)))
    assert _told(told) == [("A:5H", "A.nerts", "F.1")]


def test_a_card_that_shows_on_a_foundation_was_laid_there_though_nobody_was_seen() -> None:
    """Below a top card that nobody counted others may lie, but hardly anybody takes it off."""
    table = Table("nertz")
    king = (2, "KS", "A.work.1", (0.0, 0.0))
    table.look(0, (1, "AH", "F.1", (0.0, 0.0)), king)
    told = table.looks(5_400, 9_000, king, (3, "2H", "F.1", (1.0, 2.0)))
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert (placed.card.face, placed.target) == ("2H", "F.1")
    assert placed.conf is not None
    assert placed.conf < LIKELY


@pytest.mark.parametrize("came", [True, False], ids=["the hand was there", "it was elsewhere"])
def test_a_card_lies_below_another_where_the_hand_that_took_it_came_though_it_was_not_felt(
    came: bool,
) -> None:
    touches = Touched(B, 4_600, "B.arr.2"), Touched(A, 5_500, "play.A")
    table = Table("nerves", *touches, known="play.A JC | play.B 2H | B.arr.2 QC | A.rest (KC) (3C)")
    table.ways = {"B": ((5_150, "play.A" if came else "B.arr.4"),)}
    jack, two = (1, "JC", "play.A", (0.0, 0.0)), (2, "2H", "play.B", (0.0, 0.0))
    rest, queen = (3, "BACK", "A.rest", (0.0, 0.0)), (4, "QC", "B.arr.2", (0.0, 0.0))
    table.looks(0, 4_500, jack, two, rest, queen)
    table.still(5, 5_550)
    told = table.looks(4_800, 5_500, two, rest)
    told += table.looks(5_600, 9_000, two, rest, (5, "KC", "play.A", (1.0, 1.0)))
    placed = [(str(one.card), one.conf) for one in told if isinstance(one, CardPlaced)]
    assert (("QC", 0.6) in placed) is came
    assert placed[-1][0] == "KC"
