"""A back that still shows on a stock of which all seems to be drawn."""

from __future__ import annotations

from test_scene_rough import L, Table, Touched, moves_of

from referee.values import PileMoved

STOCK = (4, "BACK", "A.stock", (0.0, 0.0))


def test_one_more_turn_lies_in_a_stock_of_which_a_back_still_shows() -> None:
    touches = (Touched(L, 4_700, "A.stock"),)
    table = Table("nertz", *touches, known="A.stock (??) (??) | A.waste (??) (??) (??) KS")
    king = (2, "KS", "A.waste", (0, 0))
    table.look(0, STOCK, king)
    table.looks(4_000, 4_700, STOCK, king)
    told = table.looks(5_400, 7_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    assert moves_of(told) == [("A.stock", "A.waste", 3)]
    assert len(table.scene.piles["A.stock"]) == 2


def test_a_last_turn_that_the_next_one_hides_at_once_is_told_though_a_back_still_shows() -> None:
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 5_450, "A.stock"))
    table = Table("nertz", *touches, known="A.stock (??) (??) (??) | A.waste (??) (??) (??) KS")
    king = (2, "KS", "A.waste", (0, 0))
    table.look(0, STOCK, king)
    table.looks(4_000, 4_700, STOCK, king)
    table.still(3, 5_000)
    table.still(5, 5_700)
    table.hands_over = ("A.stock", "A.waste")
    table.looks(5_400, 5_700, STOCK, king)
    table.hands_over = ()
    told = table.looks(5_750, 5_850, STOCK, (3, "8S", "A.waste", (2, 1)))
    told += table.looks(5_880, 8_500, STOCK, (5, "JD", "A.waste", (0, 2)))
    first = told[0]
    assert isinstance(first, PileMoved)
    assert (first.count, [str(one) for one in first.cards]) == (3, ["A:8S"])
