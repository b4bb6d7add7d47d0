"""Turns that follow one another, hardly felt: what the later one and the hands tell of them."""

from __future__ import annotations

import pytest
from test_scene_rough import A, L, Table, Touched, moves_of

from referee.values import CardTurned, PileMoved

BACKS = "(??) " * 20
STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
KING = (2, "KS", "A.waste", (0.0, 0.0))
EIGHT, FIVE = (3, "8S", "A.waste", (2.0, 1.0)), (4, "5D", "A.waste", (-1.0, 3.0))
TURN = ("A.stock", "A.waste", 3)


def _faces(table: Table, zone: str) -> list[str]:
    return [card.face for card in table.scene.piles[zone]]


def test_a_turn_that_was_not_felt_lies_below_the_next_one_that_was() -> None:
    touches = (Touched(L, 5_700, "A.stock"), Touched(L, 5_980, "A.waste"))
    table = Table("nertz", *touches, known=f"A.stock {BACKS}| A.waste ?? KS")
    table.look(0, STOCK, KING)
    table.still(3, 4_950)
    told = table.looks(5_300, 6_250, STOCK, EIGHT)
    table.still(4, 5_990)
    told += table.looks(6_250, 6_400, STOCK, EIGHT, FIVE)
    told += table.looks(6_400, 9_000, STOCK, FIVE)
    assert moves_of(told) == [TURN, TURN]
    assert _faces(table, "A.waste") == ["??", "KS", "??", "??", "8S", "??", "??", "5D"]


@pytest.mark.parametrize(
    ("glimpsed", "moved"),
    [(("A.waste",), [TURN]), ((), [("A.waste", "A.stock", 1), TURN])],
    ids=["the next one was read", "bare"],
)
def test_a_waste_of_which_the_next_card_is_read_under_the_hand_was_not_turned_over(
    glimpsed: tuple[str, ...], moved: list[tuple[str, str, int]]
) -> None:
    touches = Touched(L, 5_000, "A.stock"), Touched(L, 5_400, "A.waste")
    table = Table("nertz", *touches)
    table.looks(0, 4_900, STOCK, KING)
    table.glimpsed = glimpsed
    # It is believed only when the hand has left, and as if it had come to rest then.
    table.still(3, 6_200, moving_ms=6_050)
    told = table.looks(5_500, 6_200, STOCK) + table.looks(6_200, 9_000, STOCK, EIGHT)
    assert moves_of(told) == moved


def test_a_turn_in_the_last_second_is_told_when_nothing_more_is_seen() -> None:
    table = Table("nertz", known=f"A.stock {BACKS}| A.waste KS")
    table.look(0, STOCK, KING)
    table.still(3, 4_950)
    assert not table.looks(5_300, 5_900, STOCK, EIGHT)
    (turn,) = table.scene.finish()
    assert isinstance(turn, PileMoved)
    assert (turn.origin, turn.target, turn.count, turn.flip) == (*TURN, True)
    # Nobody is accused of what was not waited for.
    assert turn.conf is not None
    assert turn.conf <= 0.9
    assert not table.scene.finish()


def test_what_flashed_up_in_the_very_last_picture_is_not_told() -> None:
    table = Table("nertz", known=f"A.stock {BACKS}| A.waste KS")
    table.look(0, STOCK, KING)
    table.still(3, 5_500)
    table.looks(5_800, 5_900, STOCK, EIGHT)
    assert not table.scene.finish()


def test_a_hand_that_plays_off_the_nerts_has_not_played_off_the_waste() -> None:
    # The other hand turns three unseen; then the right one carries the queen to the king and rests.
    touches = (Touched(A, 5_400, "A.nerts"), Touched(A, 5_700, "A.work.2", (0, -22)),
               Touched(A, 5_950, "A.work.2", (3, -8)))  # fmt: skip
    known = f"A.nerts (??) (??) QC | A.work.2 KD | A.stock {BACKS}| A.waste ?? KS"
    table = Table("nertz", *touches, known=known)
    king, queen = (8, "KD", "A.work.2", (0.0, 0.0)), (7, "QC", "A.nerts", (0.0, 0.0))
    table.look(0, STOCK, KING, king, queen)
    table.still(3, 4_500)
    told = table.looks(4_900, 5_500, STOCK, EIGHT, king, queen)
    back = (9, "BACK", "A.nerts", (0.0, 0.0))
    table.still(9, 5_450)
    table.still(10, 5_720)
    told += table.looks(5_560, 5_900, STOCK, EIGHT, king, back)
    moved = (10, "QC", "A.work.2", (0.0, -22.0))
    told += table.looks(5_900, 9_000, STOCK, EIGHT, king, back, moved)
    assert sorted(moves_of(told)) == [("A.nerts", "A.work.2", 1), TURN]
    assert _faces(table, "A.waste") == ["??", "KS", "??", "??", "8S"]


def test_what_shows_where_a_card_was_turned_up_and_played_is_the_next_back() -> None:
    # The seven was played under the other hand; then the two is turned up, and played at once.
    touches = Touched(A, 5_000, "A.nerts"), Touched(A, 5_330, "A.nerts"), Touched(A, 6_100, "F.1")
    known = "A.nerts (??) (??) (??) 7H | A.work.4 8S | F.1 AD"
    table = Table("nertz", *touches, known=known)
    eight, ace = (2, "8S", "A.work.4", (0.0, 0.0)), (3, "AD", "F.1", (0.0, 0.0))
    seven, two = (7, "7H", "A.nerts", (0.0, 0.0)), (8, "2D", "A.nerts", (2.0, 1.0))
    back = (9, "BACK", "A.nerts", (0.0, 0.0))
    table.look(0, eight, ace, seven)
    table.still(8, 5_360)
    table.looks(4_900, 5_660, eight, ace, seven)
    told = table.looks(5_680, 6_050, eight, ace, two)
    table.still(9, 5_550)
    told += table.looks(6_080, 9_000, eight, ace, back)
    turned = [event for event in told if isinstance(event, CardTurned)]
    assert [(event.card.face, event.up) for event in turned] == [("2D", True)]
    assert _faces(table, "A.nerts") == ["??", "??"]


def test_a_turn_before_the_last_one_came_off_the_stock_that_is_used_up_now() -> None:
    # Nobody felt the first; the hand that takes the last three is felt.
    table = Table("nertz", Touched(L, 6_000, "A.stock"),
                  known="A.stock (??) (??) (??) (??) (??) (??) | A.waste KS")  # fmt: skip
    table.look(0, STOCK, KING)
    table.still(3, 5_300)
    told = table.looks(5_700, 6_200, STOCK, EIGHT)
    told += table.looks(6_250, 6_900, EIGHT)
    table.still(4, 6_300)
    told += table.looks(6_900, 7_000, EIGHT, FIVE)
    told += table.looks(7_000, 9_500, FIVE)
    assert moves_of(told) == [TURN, TURN]
    assert not table.scene.piles["A.stock"]


def test_two_cards_laid_bare_at_an_angle_are_no_turn_from_the_stock() -> None:
    # The order of the stock is known; of the turn the four was played, both others show now.
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 4_980, "A.waste"),
               Touched(A, 5_800, "A.waste"), Touched(A, 6_300, "A.work.1", (0, -22)))  # fmt: skip
    known = f"A.stock {'(??) ' * 16}(4C) (4D) (??) | A.waste ?? KS | A.work.1 5H"
    table = Table("nertz", *touches, known=known)
    column = (9, "5H", "A.work.1", (0.0, 0.0))
    table.look(0, STOCK, KING, column)
    table.still(3, 4_990)
    told = table.looks(5_300, 5_900, STOCK, column, (3, "4C", "A.waste", (2.0, 1.0)))
    nine, diamond = (5, "9S", "A.waste", (-6.0, 1.0)), (6, "4D", "A.waste", (4.0, -3.0))
    table.still(5, 5_870)
    table.still(6, 5_870)
    table.still(7, 6_320)
    told += table.looks(6_100, 6_400, STOCK, column, nine, diamond)
    four = (7, "4C", "A.work.1", (0.0, -22.0))
    told += table.looks(6_500, 9_000, STOCK, column, nine, diamond, four)
    assert moves_of(told) == [TURN, ("A.waste", "A.work.1", 1)]
    assert sorted(_faces(table, "A.waste")) == ["4D", "9S", "??", "KS"]
    assert len(table.scene.piles["A.stock"]) == 16


@pytest.mark.parametrize(("known", "shows", "turned"), [("", "9D", 3), ("A.waste A:KC", "KC", 1)])
def test_a_waste_of_which_nobody_counted_the_cards_makes_a_stock_to_turn_three_from(
    known: str, shows: str, turned: int
) -> None:
    touches = (
        Touched(A, 2_400, "A.waste"),
        Touched(A, 2_900, "A.stock"),
        Touched(A, 4_900, "A.waste"),
    )
    table = Table("nerds", *touches, known=known)
    king, four = (1, "KC", "A.waste", (0.0, 0.0)), (2, "4S", "A.work.1", (0.0, 0.0))
    table.looks(0, 2_300, king, four)
    table.looks(2_500, 2_800, four)
    table.still(3, 3_000)
    back = (3, "BACK", "A.stock", (0.0, 0.0))
    told = table.looks(3_050, 4_500, four, back)
    table.still(4, 5_000)
    table.hands_over = ("A.stock",)
    told += table.looks(5_050, 8_000, four, (4, shows, "A.waste", (0.0, 0.0)), back)
    moved = [one for one in told if isinstance(one, PileMoved)]
    assert [(one.origin, one.target, one.count) for one in moved] == [
        ("A.waste", "A.stock", 1),
        ("A.stock", "A.waste", turned),
    ]
