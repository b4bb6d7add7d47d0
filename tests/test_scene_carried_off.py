"""What shows on a waste when its top card is played: laid bare by that, and no new turn."""

from __future__ import annotations

from test_scene_draws import ACE, FULL, KING, STOCK, played_unseen
from test_scene_rough import A, B, L, Table, Touched, moves_of

from referee.values import CardPlaced

NINE = (8, "9D", "A.work.1", (0.0, 0.0))
LAID = (4, "8S", "A.work.1", (0.0, -22.0))


def test_a_card_that_shows_at_its_players_other_pile_left_the_waste_though_no_hand_was_seen() -> (
    None
):
    table = Table("nertz", known="A.stock " + "(??) " * 20 + "| A.work.1 9D | A.waste ?? 8S")
    table.look(0, STOCK, NINE, (2, "8S", "A.waste", (0, 0)))
    table.still(3, 4_900)
    lower = (3, "QD", "A.waste", (1, 1))
    told = table.looks(5_100, 5_500, STOCK, NINE, lower)
    table.still(4, 5_400)
    told += table.looks(5_500, 9_000, STOCK, NINE, lower, LAID)
    assert moves_of(told) == [("A.waste", "A.work.1", 1)]
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert str(placed.card) == "A:8S"


def test_a_card_that_stirred_when_the_upper_one_was_lifted_is_no_turn_though_the_stock_was_touched(
) -> None:  # fmt: skip
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_400, "A.stock"),
               Touched(A, 5_700, "A.waste"), Touched(A, 6_100, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nertz", *touches, known=FULL + " | A.work.1 9D")
    table.look(0, STOCK, NINE, KING)
    table.still(3, 5_000)
    told = table.looks(5_200, 5_700, STOCK, NINE, (3, "8S", "A.waste", (2, 1)))
    table.hands_over = ("A.waste",)
    table.still(4, 6_100)
    told += table.looks(6_200, 6_400, STOCK, NINE, LAID)
    table.still(5, 5_800)
    told += table.looks(6_400, 9_500, STOCK, NINE, LAID, (5, "5D", "A.waste", (1, 1)))
    assert moves_of(told) == [("A.stock", "A.waste", 3), ("A.waste", "A.work.1", 1)]


def test_a_turn_upon_one_that_was_played_unseen_is_told_though_it_was_not_felt() -> None:
    table, told = played_unseen(stirs=(("A.stock", 5_900, 6_100), ("A.waste", 6_150, 6_400)))
    table.still(4, 6_400)
    told += table.looks(6_500, 9_500, STOCK, ACE, (4, "5D", "A.waste", (1, 1)))
    assert moves_of(told) == [
        ("A.stock", "A.waste", 3),
        ("A.waste", "F.1", 1),
        ("A.stock", "A.waste", 3),
    ]


def test_a_card_that_an_arm_hid_first_was_lifted_when_a_hand_came_down_there() -> None:
    # So the same touch took no other card off the nerts, to be laid on the waste.
    touches = (Touched(A, 5_600, "A.nerts"), Touched(A, 6_000, "A.work.1", (0, -22)))
    table = Table("nertz", *touches, known=FULL + " | A.nerts (??) (??) 8S | A.work.1 9D")
    eight = (6, "8S", "A.nerts", (0, 0))
    table.look(0, STOCK, KING, NINE, eight)
    table.looks(4_500, 5_000, STOCK, KING, NINE, eight)
    table.looks(5_000, 5_900, STOCK, KING, NINE)
    table.still(4, 6_000)
    told = table.looks(6_300, 7_500, STOCK, KING, NINE, LAID)
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert (placed.origin, placed.carry_ns) == ("A.nerts", 5_600_000_000)


def test_what_shows_on_a_waste_is_no_turn_while_the_hand_stays_where_it_went_from_there() -> None:
    # Of the three that it laid nothing is told until it leaves; B takes a card at that moment.
    touches = (Touched(A, 4_900, "F.2"),
               Touched(B, 4_980, "B.nerts"), Touched(B, 5_400, "B.work.3"))  # fmt: skip
    table = Table("nerds", *touches, known="A.stock " + "(??) " * 12 +
                  "| A.waste ?? 3D | F.2 A:2D | B.nerts (??) TC | B.work.3 B:JH")  # fmt: skip
    stays = ((t_ms, "F.2", (30.0, -40.0)) for t_ms in range(4_900, 7_500, 33))
    table.ways["A"] = ((4_300, "A.waste"), (4_400, "A.stock", (0.0, 40.0)), *stays)
    two, jack = (9, "2D", "F.2", (0.0, 0.0)), (5, "JH", "B.work.3", (0.0, 0.0))
    ten, back = (6, "TC", "B.nerts", (0.0, 0.0)), (8, "BACK", "B.nerts", (0.0, 0.0))
    table.look(0, STOCK, two, ten, jack, (2, "3D", "A.waste", (0.0, 0.0)))
    table.still(3, 4_500)
    lower = (3, "8D", "A.waste", (1.0, 1.0))
    told = table.looks(4_600, 5_000, STOCK, two, ten, jack, lower)
    laid = (7, "TC", "B.work.3", (0.0, 22.0))
    told += table.looks(5_400, 7_600, STOCK, two, back, jack, lower, laid)
    table.still(4, 4_900)
    three = (4, "3D", "F.2", (0.0, 0.0))
    told += table.looks(7_600, 9_500, STOCK, back, jack, lower, laid, three)
    assert moves_of(told) == [("B.nerts", "B.work.3", 1), ("A.waste", "F.2", 1)]
