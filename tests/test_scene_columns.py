"""Columns of cards, hands that are laid out, piles taken up, equal faces: what is told of them."""

from __future__ import annotations

import pytest
from test_scene_rough import A, B, L, Table, Touched

from referee.values import CardPlaced, CardTurned, PileMoved, PileTaken, Reread

# A column of A's grows towards him, a step of 20 mm a card; its first card lies at (0, 40).
FIRST, SECOND, THIRD = (0.0, 40.0), (0.0, 20.0), (0.0, 0.0)
FOUR = (9, "4C", "play.A", (0.0, 0.0))


def test_a_back_that_nobody_counted_shows_below_a_played_card_that_was_not_turned_down() -> None:
    touches = Touched(A, 5_000, "A.arr.1", SECOND), Touched(A, 5_500, "play.A")
    table = Table("nerves", *touches, known="A.arr.1 5S | play.A 4C")
    table.look(0, (1, "5S", "A.arr.1", SECOND), FOUR)
    back = (2, "BACK", "A.arr.1", FIRST)
    table.still(2, 5_050)
    told = table.looks(5_100, 5_600, back, FOUR)
    told += table.looks(5_700, 9_000, back, (3, "5S", "play.A", (2, 1)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target) == ("5S", "A.arr.1", "play.A")
    assert placed.conf is not None
    assert placed.conf >= 0.97
    (left,) = table.scene.piles["A.arr.1"]
    assert not left.up


@pytest.mark.parametrize("on_it", [SECOND, (3.0, 27.0)])
def test_a_card_of_the_hand_is_laid_face_down_onto_one_that_lies_face_down(
    on_it: tuple[float, float],
) -> None:
    # Also where its player leaves less of the card below it free than others do.
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", on_it),
                  known="A.arr.1 (2C) | A.held " + "(3C) " * 5)  # fmt: skip
    table.look(0, (1, "BACK", "A.arr.1", FIRST))
    table.look(4_900)
    table.still(2, 5_050)
    (placed,) = table.looks(5_100, 7_000, (2, "BACK", "A.arr.1", on_it))
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.up) == ("??", "A.held", False)
    assert len(table.scene.piles["A.arr.1"]) == 2
    assert len(table.scene.piles["A.held"]) == 4


@pytest.mark.parametrize(("off_mm", "happened"), [(SECOND, "laid"), ((3.0, 34.0), "turned")])
def test_where_a_face_shows_tells_whether_it_was_laid_onto_a_back_or_turned(
    off_mm: tuple[float, float], happened: str
) -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", off_mm),
                  known="A.arr.1 (2C) | A.held (3C) (4C)")  # fmt: skip
    table.look(0, (1, "BACK", "A.arr.1", FIRST))
    table.still(2, 5_050)
    (told,) = table.looks(5_100, 7_000, (2, "9H", "A.arr.1", off_mm))
    assert isinstance(told, CardPlaced if happened == "laid" else CardTurned)
    assert str(told.card) == "9H"
    assert len(table.scene.piles["A.arr.1"]) == (2 if happened == "laid" else 1)
    # One that was squared with great care looks as if it was turned: nobody is accused of it.
    assert happened == "laid" or (told.conf is not None and told.conf < 0.97)


def test_nobody_knows_which_cards_a_hand_still_holds_that_laid_one_face_down() -> None:
    touches = Touched(A, 5_000, "A.arr.1", FIRST), Touched(A, 8_000, "A.arr.1", FIRST)
    table = Table("nerves", *touches, known="play.A 5S 4C | A.held (3C) (4D) (6D) (7D)")
    table.look(0, FOUR)
    hand = table.scene.piles["A.held"]
    hand[:] = [*hand[:-1], table.scene.piles["play.A"][0]]
    table.still(2, 5_050)
    (placed,) = table.looks(5_100, 7_000, FOUR, (2, "BACK", "A.arr.1", FIRST))
    assert isinstance(placed, CardPlaced)
    assert str(placed.card) == "??"
    # It was the five of spades; turned up it has not come from the hand a second time.
    table.still(3, 8_050)
    (turned,) = table.looks(8_100, 9_500, FOUR, (3, "5S", "A.arr.1", FIRST))
    assert isinstance(turned, CardTurned)


def test_the_top_card_of_a_column_is_turned_although_a_lower_back_still_shows() -> None:
    table = Table(
        "nerves", Touched(A, 5_000, "A.arr.1", THIRD), known="play.A 4C | A.arr.1 (2C) (3C) (9D)"
    )
    lower = (1, "BACK", "A.arr.1", FIRST)
    table.look(0, lower, FOUR)
    table.still(2, 5_050)
    (turned,) = table.looks(5_100, 7_000, lower, FOUR, (2, "9D", "A.arr.1", THIRD))
    assert isinstance(turned, CardTurned)
    assert (str(turned.card), turned.pos) == ("9D", None)
    assert [card.up for card in table.scene.piles["A.arr.1"]] == [False, False, True]


def test_a_card_of_like_rank_laid_squarely_on_one_of_a_column_is_another_card() -> None:
    touches = Touched(A, 4_600, "A.arr.2", FIRST), Touched(A, 5_000, "A.arr.1", FIRST)
    table = Table("nerves", *touches, known="A.arr.1 3S | A.arr.2 3D")
    table.look(0, (1, "3S", "A.arr.1", FIRST), (2, "3D", "A.arr.2", FIRST))
    table.still(3, 5_020)
    (placed,) = table.looks(5_100, 7_000, (3, "3D", "A.arr.1", (1.0, 41.0)))
    assert isinstance(placed, CardPlaced)
    assert [card.face for card in table.scene.piles["A.arr.1"]] == ["3S", "3D"]


def test_a_card_read_anew_where_one_of_a_column_lay_is_that_card() -> None:
    table = Table("nerves", known="A.arr.1 3S")
    table.look(0, (1, "3S", "A.arr.1", FIRST))
    told = table.looks(5_100, 7_000, (2, "3D", "A.arr.1", (1.0, 41.0)))
    assert [type(event) for event in told] == [Reread]
    assert len(table.scene.piles["A.arr.1"]) == 1


def test_what_was_told_of_a_column_lies_below_the_cards_that_show_of_it() -> None:
    # Of four cards the camera sees a back and the six of hearts; the six of diamonds lies between.
    touches = Touched(A, 5_000, "A.arr.1", THIRD), Touched(A, 5_500, "play.A")
    table = Table("nerves", *touches, known="A.arr.1 (7C) (JS) 6D 6H | play.A 4C")
    back = (1, "BACK", "A.arr.1", FIRST)
    table.look(0, back, (2, "6H", "A.arr.1", THIRD), FOUR)
    six = (3, "6D", "A.arr.1", (0.0, 8.0))
    told = table.looks(5_100, 5_600, back, six, FOUR)
    told += table.looks(5_700, 9_000, back, six, (4, "6H", "play.A", (1, 1)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin) == ("6H", "A.arr.1")


def test_who_takes_up_both_piles_has_put_none_of_them_under_the_other() -> None:
    touches = Touched(A, 5_000, "play.A"), Touched(A, 5_700, "A.rest")
    table = Table("nerves", *touches, known="play.A 5S 4C | A.rest (2C) (3C) (6C)")
    rest = (1, "BACK", "A.rest", (0.0, 0.0))
    table.look(0, FOUR, rest)
    told = table.looks(5_100, 5_900, rest)
    told += table.looks(5_900, 9_000)
    taken = {event.zone: event.count for event in told if isinstance(event, PileTaken)}
    assert taken == {"play.A": 2, "A.rest": 3}
    assert len(told) == 2


def test_a_column_that_an_arm_hides_while_it_is_taken_up_is_taken_up_at_once() -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", SECOND), known="A.arr.1 (2C) 5S")
    table.look(0, (1, "5S", "A.arr.1", SECOND))
    table.looks(5_100, 5_300, (1, "5S", "A.arr.1", SECOND))
    table.hands_over = ("A.arr.1",)
    told = table.looks(5_300, 5_900)
    table.hands_over = ()
    told += table.looks(5_900, 10_000)
    (taken,) = told
    assert isinstance(taken, PileTaken)
    assert (taken.zone, taken.count) == ("A.arr.1", 2)


def test_a_hand_that_took_a_rest_card_has_not_taken_another_one_by_that() -> None:
    touches = (Touched(A, 5_000, "A.rest"), Touched(A, 5_500, "play.A"),
               Touched(A, 6_100, "A.arr.1", FIRST), Touched(A, 6_600, "play.B"))  # fmt: skip
    known = "play.A 4C | play.B 9D | A.rest " + "(2C) " * 8 + "| A.arr.1 (3C)"
    table = Table("nerves", *touches, known=known)
    nine = (3, "9D", "play.B", (0.0, 0.0))
    table.look(0, FOUR, nine, (1, "BACK", "A.rest", (0, 0)), (2, "BACK", "A.arr.1", FIRST))
    rest, five = (4, "BACK", "A.rest", (1.0, 1.0)), (5, "5S", "play.A", (2.0, 1.0))
    table.still(5, 5_550)
    told = table.looks(5_600, 6_100, rest, five, nine, (2, "BACK", "A.arr.1", FIRST))
    table.still(6, 6_650)
    told += table.looks(6_700, 9_000, rest, five, (6, "TS", "play.B", (2.0, 1.0)))
    first, *others = told
    assert isinstance(first, CardPlaced)
    assert first.origin == "A.rest"
    # Nobody is accused of a rest card on the wrong pile that nobody was seen to take.
    ten = next(one for one in others if isinstance(one, CardPlaced))
    assert str(ten.card) == "TS"
    assert ten.origin == "A.arr.1" or (ten.conf or 0.0) < 0.97


def test_who_turns_up_his_own_two_has_not_the_two_that_lies_on_the_other_waste() -> None:
    touches = (Touched(A, 5_000, "A.waste", (30.0, 0.0)), Touched(B, 5_150, "B.waste"),
               Touched(A, 6_600, "A.waste"), Touched(A, 7_100, "F.1"))  # fmt: skip
    known = "A.waste A:2C | B.stock " + "(??) " * 12 + "| F.1 A:AC"
    table = Table("nertz", *touches, known=known)
    ace, stock = (1, "AC", "F.1", (0.0, 0.0)), (2, "BACK", "B.stock", (0.0, 0.0))
    mine = (3, "2C", "A.waste", (0.0, 0.0))
    table.look(0, ace, stock, mine)
    theirs = (4, "2C", "B.waste", (0.0, 0.0))
    table.still(4, 5_200)
    table.hands_over = ("A.waste",)
    told = table.looks(5_300, 6_600, ace, stock, mine, theirs)
    table.hands_over = ()
    table.still(5, 7_150)
    told += table.looks(6_700, 7_200, ace, stock, theirs)
    told += table.looks(7_200, 9_500, stock, theirs, (5, "2C", "F.1", (2.0, 1.0)))
    turn, placed = told
    assert isinstance(turn, PileMoved)
    assert (turn.origin, turn.target) == ("B.stock", "B.waste")
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target) == ("A:2C", "A.waste", "F.1")


def test_left_and_right_hand_lay_out_two_columns_without_mixing_them() -> None:
    touches = Touched(A, 5_000, "A.arr.1", SECOND), Touched(L, 5_030, "A.arr.5", SECOND)
    table = Table("nerves", *touches,
                  known="A.arr.1 (2C) | A.arr.5 (2D) | A.held " + "(3C) " * 6)  # fmt: skip
    table.look(0, (1, "BACK", "A.arr.1", FIRST), (2, "BACK", "A.arr.5", FIRST))
    table.look(4_900)
    table.still(3, 5_050)
    table.still(4, 5_080)
    told = table.looks(5_150, 7_000, (3, "BACK", "A.arr.1", SECOND), (4, "BACK", "A.arr.5", SECOND))
    laid = [(one.target, one.actor.hand) for one in told if isinstance(one, CardPlaced)]
    assert sorted(laid) == [("A.arr.1", "R"), ("A.arr.5", "L")]
    assert len(told) == 2


def test_of_two_equal_cards_on_a_foundation_the_one_that_is_taken_back_bares_the_other() -> None:
    # A's two is covered by B's before it was ever seen; B has lost the race and takes his back.
    touches = (
        Touched(A, 5_000, "A.waste"),
        Touched(A, 5_500, "F.1"),
        Touched(B, 5_000, "B.waste"),
        Touched(B, 5_800, "F.1"),
        Touched(B, 8_000, "F.1"),
        Touched(B, 8_500, "B.waste"),
    )
    known = "A.waste (3C) A:2C | B.waste (5C) B:2C | F.1 A:AC"
    table = Table("nertz", *touches, known=known)
    ace = (1, "AC", "F.1", (0.0, 0.0))
    table.look(0, ace, (2, "2C", "A.waste", (0.0, 0.0)), (3, "2C", "B.waste", (0.0, 0.0)))
    two = (4, "2C", "F.1", (2.0, 1.0))
    table.still(4, 5_850)
    table.looks(5_150, 5_900, ace)
    table.looks(5_900, 8_000, two)
    table.still(5, 8_550)
    told = table.looks(8_600, 12_000, two, (5, "2C", "B.waste", (1.0, 0.0)))
    back = [one for one in told if isinstance(one, CardPlaced) and one.target == "B.waste"]
    assert [(str(one.card), one.origin) for one in back] == [("B:2C", "F.1")]
    assert [card.card.deck for card in table.scene.piles["F.1"]][-1] == "A"


def test_who_holds_the_cards_that_he_arranges_turns_none_up_and_moves_none() -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", FIRST),
                  known="A.arr.1 (2C) | A.held " + "(3C) " * 9)  # fmt: skip
    back = (1, "BACK", "A.arr.1", FIRST)
    table.look(0, back)
    (laid,) = table.looks(5_100, 7_000, back, (2, "9H", "A.arr.1", (3.0, 34.0)))
    assert isinstance(laid, CardPlaced)
    assert (str(laid.card), laid.origin) == ("9H", "A.held")
    assert len(table.scene.piles["A.held"]) == 8


def test_a_back_that_shows_below_the_open_card_of_a_column_lay_there_all_the_time() -> None:
    table = Table("nerves", Touched(A, 900, "A.arr.1", THIRD),
                  known="A.arr.1 (2C) (3C) (4C) 5S")  # fmt: skip
    lower, top = (1, "BACK", "A.arr.1", FIRST), (2, "5S", "A.arr.1", (0.0, -20.0))
    table.look(0, lower, top)
    assert not table.looks(1_000, 6_000, lower, top, (3, "BACK", "A.arr.1", (0.0, 31.0)))
    assert len(table.scene.piles["A.arr.1"]) == 4


def test_the_last_card_of_a_hand_may_have_been_laid_down_before_it_was_played() -> None:
    table = Table("nerves", Touched(A, 5_500, "play.A"), known="play.A 4C | A.held 9H")
    table.look(0, FOUR)
    (played,) = table.looks(6_000, 8_000, (2, "9H", "play.A", (3.0, 2.0)))
    assert isinstance(played, CardPlaced)
    assert (played.origin, played.conf) == ("A.held", 0.9)


def test_a_card_where_the_first_one_of_a_moved_cascade_lay_was_put_under_it() -> None:
    touches = Touched(A, 4_500, "A.nerts"), Touched(A, 5_000, "A.work.1")
    table = Table("nerds", *touches, known="A.nerts (5D) KH | A.work.1 JS TD")
    king, jack = (1, "KH", "A.nerts", (0.0, 0.0)), (2, "JS", "A.work.1", (0.0, 18.0))
    table.look(0, king, jack, (3, "TD", "A.work.1", (0.0, 0.0)))
    table.still(5, 5_000)
    back, ten = (4, "BACK", "A.nerts", (1.0, 1.0)), (3, "TD", "A.work.1", (0.0, -18.0))
    told = table.looks(5_200, 9_000, back, (5, "KH", "A.work.1", (1.0, 18.0)), ten)
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert (str(placed.card), placed.target, placed.under) == ("A:KH", "A.work.1", True)


def test_the_back_of_a_turned_card_that_seems_to_show_for_a_while_is_no_other_card() -> None:
    touches = Touched(A, 5_000, "A.arr.1", FIRST), Touched(A, 8_000, "A.arr.1", FIRST)
    table = Table("nerves", *touches, Touched(A, 8_500, "play.A"), known="A.arr.1 (??) | play.A 4C")
    back, five = (1, "BACK", "A.arr.1", FIRST), (2, "5S", "A.arr.1", (1.0, 42.0))
    table.look(0, back, FOUR)
    table.still(2, 5_050)
    told = table.looks(5_200, 5_600, back, five, FOUR)
    told += table.looks(5_600, 8_100, five, FOUR)
    told += table.looks(8_100, 8_600, FOUR)
    told += table.looks(8_600, 16_000, (3, "5S", "play.A", (2, 1)))
    turned, placed = told
    assert isinstance(turned, CardTurned)
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target) == ("5S", "A.arr.1", "play.A")
    assert not table.scene.piles["A.arr.1"]


@pytest.mark.parametrize(("face", "told"), [("5S", 1), ("??", 0)])
def test_what_lay_open_and_was_never_read_is_not_told_as_taken_up(face: str, told: int) -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", FIRST), known="play.A 4C")
    table.look(0, (1, face, "A.arr.1", FIRST), FOUR)
    table.looks(4_000, 5_050, (1, face, "A.arr.1", FIRST), FOUR)
    taken = [e for e in table.looks(5_050, 16_000, FOUR) if isinstance(e, PileTaken)]
    assert len(taken) == told
