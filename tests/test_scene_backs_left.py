"""A back that still shows on a stock of which all seems to be drawn."""

from __future__ import annotations

from test_scene_rough import L, Table, Touched, moves_of

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
