"""A card that no hand was seen to take, while the one that lay below it shows."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.values import CardPlaced

FIRST, SECOND = (0.0, 40.0), (0.0, 20.0)


def test_a_card_that_bared_a_back_was_played_though_another_covered_it_at_once() -> None:
    touches = (Touched(A, 5_400, "play.A"), Touched(B, 5_450, "B.arr.1", (0.0, -40.0)),
               Touched(B, 5_900, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known="play.A 5C | A.arr.1 (2C) 6D | B.arr.1 7S")
    five, seven = (2, "5C", "play.A", (0.0, 0.0)), (3, "7S", "B.arr.1", (0.0, -40.0))
    back, laid = (4, "BACK", "A.arr.1", FIRST), (5, "7S", "play.A", (2.0, 1.0))
    table.look(0, (1, "6D", "A.arr.1", SECOND), five, seven)
    told = table.looks(4_000, 5_000, (1, "6D", "A.arr.1", SECOND), five, seven)
    table.still(4, 5_000)
    table.still(5, 5_900)
    table.hands_over = ("play.A",)
    told += table.looks(5_100, 5_450, back, five, seven) + table.looks(5_460, 5_950, back)
    table.hands_over = ()
    told += table.looks(5_960, 8_000, back, laid)
    placed = [(str(one.card), one.target) for one in told if isinstance(one, CardPlaced)]
    assert placed == [("6D", "play.A"), ("7S", "play.A")]
