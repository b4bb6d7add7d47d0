"""A waste turned over onto a stock that was seen to have cards left is surely turned too early."""

from __future__ import annotations

import pytest
from test_scene_rough import L, Table, Touched

from referee.table.found import NOWHERE_ELSE
from referee.values import PileMoved

STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
KING = (2, "KS", "A.waste", (0.0, 0.0))
NINE, DRAWS = (3, "9D", "A.work.1", (0.0, 0.0)), Touched(L, 1_300, "A.stock")
UP, HOME = Touched(L, 5_000, "A.waste"), Touched(L, 5_600, "A.stock")
FOUR_LEFT = "A.stock " + "(??) " * 4 + "| A.waste 4C 7D KS"


def turn_of(table: Table, *, hidden: bool = False) -> PileMoved:
    """Return what is told of a waste that is turned over; `hidden`: a hand was over the stock."""
    table.look(0, STOCK, KING)
    table.hands_over = ("A.stock",) if hidden else ()
    table.looks(3_000, 4_900, STOCK, KING)
    table.hands_over = ()
    told = table.looks(5_200, 9_000, STOCK)
    return next(one for one in told if isinstance(one, PileMoved) and one.target == "A.stock")


@pytest.mark.parametrize("game", ["nerds", "nertz"])
def test_a_waste_is_surely_turned_over_onto_backs_that_were_seen_to_the_last(game: str) -> None:
    assert turn_of(Table(game, UP, HOME, known=FOUR_LEFT)).conf == NOWHERE_ELSE


def test_it_is_not_where_a_hand_hid_the_backs_before() -> None:
    assert (turn_of(Table("nerds", UP, HOME, known=FOUR_LEFT), hidden=True).conf or 1.0) < 0.97


def test_nor_where_the_last_of_them_may_have_been_drawn_just_before() -> None:
    drew = Touched(L, 4_600, "A.stock")
    assert (turn_of(Table("nerds", drew, UP, HOME, known=FOUR_LEFT)).conf or 1.0) < 0.97


def test_nor_where_it_may_have_been_put_under_the_last_two_to_make_up_a_turn() -> None:
    two_left = FOUR_LEFT.replace("(??) (??) (??)", "(??)")
    assert (turn_of(Table("nertz", UP, HOME, known=two_left)).conf or 1.0) < 0.97


def test_nor_where_a_wrong_turn_may_have_been_put_right() -> None:
    table = Table("nerds", UP, HOME, DRAWS, known="A.stock " + "(??) " * 7 + "| A.work.1 9D")
    table.look(0, STOCK, NINE)
    table.still(2, 1_400)
    drawn = table.looks(1_600, 4_900, STOCK, NINE, KING)
    told = table.looks(5_200, 9_000, STOCK, NINE)
    back = next(one for one in told if isinstance(one, PileMoved) and one.target == "A.stock")
    assert [getattr(one, "target", "") for one in drawn] == ["A.waste"]
    assert (back.conf or 1.0) < 0.97
