"""A card taken off a foundation is surely from there where what lay below it shows since."""

from __future__ import annotations

import pytest
from test_scene_rough import A, B, Table, Touched

from referee.table.found import NOWHERE_ELSE, UPON
from referee.values import CardPlaced

Lying = tuple[int, str, str, tuple[float, float]]
KNOWN = "F.1 B:AD A:2D B:3D | A.work.1 A:4S"
FOUR = (1, "4S", "A.work.1", (0.0, 0.0))
THREE, TWO = (2, "3D", "F.1", (0.0, 0.0)), (3, "2D", "F.1", (1.0, 0.0))
LAID = (4, "3D", "A.work.1", (0.0, -24.0))


def three_on_the_four(
    *after: Lying, known: str = KNOWN, laid: Lying = LAID, seen_ms: int = 5_200
) -> CardPlaced:
    """Return what is told of a three that went from a foundation to a work pile."""
    touches = Touched(A, 4_400, "F.1"), Touched(A, 5_000, "A.work.1", (0.0, -24.0))
    table = Table("nerds", *touches, known=known)
    table.look(0, FOUR, THREE)
    table.looks(1_000, 4_300, FOUR, THREE)
    table.still(3, 4_600)
    table.still(4, 5_000)
    told = [
        *table.looks(4_600, seen_ms, FOUR, *after),
        *table.looks(seen_ms, 9_000, FOUR, laid, *after),
    ]
    return next(one for one in told if isinstance(one, CardPlaced))


def test_where_the_card_below_shows_the_one_above_has_surely_left() -> None:
    told = three_on_the_four(TWO)
    assert (told.origin, told.target, told.conf) == ("F.1", "A.work.1", NOWHERE_ELSE)


@pytest.mark.parametrize(
    ("beside_mm", "conf"), [(2.0, NOWHERE_ELSE), (22.0, UPON)], ids=["on it", "half beside it"]
)
def test_whence_it_came_is_as_sure_where_it_is_in_doubt_what_it_was_laid_on(
    beside_mm: float, conf: float
) -> None:
    laid = (4, "3D", "A.work.1", (beside_mm, -24.0))
    assert three_on_the_four(TWO, laid=laid).conf == conf


def test_where_nothing_shows_there_it_may_be_hidden_only() -> None:
    told = three_on_the_four()
    assert told.conf is not None
    assert told.conf < NOWHERE_ELSE


def test_a_card_of_the_other_players_deck_is_told_as_his() -> None:
    assert str(three_on_the_four(TWO).card) == "B:3D"


def test_whose_a_card_is_that_lay_there_from_the_first_is_not_told_by_where_it_goes() -> None:
    assert str(three_on_the_four(TWO, known="A.work.1 A:4S").card) == "3D"


def test_the_deuce_that_shows_on_a_foundation_found_with_a_three_on_top_lay_below_that() -> None:
    """Nobody lays it onto the three, which is hidden by the hand that took it for a while."""
    told = three_on_the_four(TWO, known="A.work.1 A:4S", seen_ms=6_000)
    assert (str(told.card), told.origin, told.target) == ("3D", "F.1", "A.work.1")


def test_an_ace_came_from_its_players_column_while_its_like_is_hidden_on_a_foundation() -> None:
    # Whose hand laid the ace nobody saw.
    touches = Touched(A, 4_400, "A.work.1"), Touched(B, 4_900, "F.1")
    table = Table("nertz", *touches, known="F.1 AS | A.work.1 A:4D A:AS | B.work.1 B:2S")
    like, deuce = (1, "AS", "F.1", (0.0, 0.0)), (2, "2S", "B.work.1", (0.0, 0.0))
    four, ace = (3, "4D", "A.work.1", (0.0, 0.0)), (4, "AS", "A.work.1", (0.0, -18.0))
    table.looks(0, 4_300, like, deuce, four, ace)
    table.looks(4_600, 4_700, like, four)
    # The deuce on the other ace is not read yet.
    laid = (5, "AS", "F.2", (0.0, 0.0))
    table.still(5, 5_000)
    told = table.looks(4_950, 5_050, four) + table.looks(5_050, 5_200, four, laid)
    table.still(6, 4_900)
    told += table.looks(5_200, 8_000, four, laid, (6, "2S", "F.1", (1.0, 0.0)))
    placed = {
        str(one.card): (one.origin, one.target) for one in told if isinstance(one, CardPlaced)
    }
    assert placed == {"A:AS": ("A.work.1", "F.2"), "B:2S": ("B.work.1", "F.1")}


def test_a_four_came_off_its_players_waste_where_its_like_is_lost_from_sight_on_a_foundation() -> (
    None
):
    touches = Touched(B, 4_400, "B.waste"), Touched(B, 5_000, "F.2")
    table = Table("nertz", *touches, known="F.1 4H | F.2 3H | B.waste B:9C B:4H")
    like, three, four = (
        (1, "4H", "F.1", (0.0, 0.0)),
        (2, "3H", "F.2", (0.0, 0.0)),
        (3, "4H", "B.waste", (0.0, 0.0)),
    )
    table.looks(0, 4_300, like, three, four)
    # What lay below it is not read yet.
    below = (5, "??", "B.waste", (0.0, 0.0))
    told = table.looks(4_500, 4_950, like, three, below)
    table.still(4, 5_000)
    # An arm moves over the other four.
    told += table.looks(5_050, 8_000, (4, "4H", "F.2", (1.0, 0.0)), below)
    placed = (one for one in told if isinstance(one, CardPlaced) and one.target == "F.2")
    assert [one.origin for one in placed] == ["B.waste"]


def test_who_lays_a_four_lays_his_own_while_another_player_carries_its_like_to_his_waste() -> None:
    touches = (
        Touched(A, 4_400, "A.work.1", (0.0, -24.0)),
        Touched(B, 4_500, "B.waste"),
        Touched(B, 4_850, "F.1"),
        Touched(A, 5_100, "A.waste"),
    )
    table = Table(
        "nerds", *touches, known="F.1 3C | A.work.1 A:5D A:4C | A.waste A:AC | B.waste B:4C"
    )
    three, five, ace = (
        (1, "3C", "F.1", (0.0, 0.0)),
        (2, "5D", "A.work.1", (0.0, 0.0)),
        (3, "AC", "A.waste", (0.0, 0.0)),
    )
    like = (4, "4C", "A.work.1", (0.0, -24.0)), (5, "4C", "B.waste", (0.0, 0.0))
    table.looks(0, 4_300, three, five, ace, *like)
    # What shows where the one lay may have been drawn onto it.
    told = table.looks(4_400, 4_700, three, five, ace, like[1])
    table.still(6, 4_560, 4_480)
    table.still(7, 4_850)
    table.still(8, 5_100)
    on_three = (7, "4C", "F.1", (1.0, 0.0))
    king, on_ace = (6, "KD", "B.waste", (1.0, 0.0)), (8, "4C", "A.waste", (1.0, 0.0))
    told += table.looks(4_700, 4_850, three, five, ace, king)
    told += table.looks(4_900, 5_100, five, ace, king, on_three)
    told += table.looks(5_100, 8_000, five, king, on_three, on_ace)
    fours = [e for e in told if isinstance(e, CardPlaced) and e.card.face == "4C"]
    assert sorted((e.origin, e.target) for e in fours) == [
        ("A.work.1", "A.waste"),
        ("B.waste", "F.1"),
    ]


@pytest.mark.parametrize(
    ("shows", "origin"), [("7S", "A.waste"), ("7D", "A.held"), ("8S", "A.held")]
)
def test_a_card_of_the_rank_and_colour_of_the_one_that_was_taken_is_that_one_misread(
    shows: str, origin: str
) -> None:
    touches = Touched(A, 4_400, "A.waste"), Touched(A, 5_000, "A.work.1", (0.0, -24.0))
    table = Table("nertz", *touches, known="A.waste A:9C A:7C | A.work.1 A:8H")
    eight, seven = (1, "8H", "A.work.1", (0.0, 0.0)), (2, "7C", "A.waste", (0.0, 0.0))
    table.looks(0, 4_300, eight, seven)
    table.looks(4_600, 4_950, eight, (3, "9C", "A.waste", (0.0, 0.0)))
    table.still(4, 5_000)
    laid = (4, shows, "A.work.1", (0.0, -24.0))
    told = table.looks(5_050, 9_000, eight, (3, "9C", "A.waste", (0.0, 0.0)), laid)
    placed = (one for one in told if isinstance(one, CardPlaced) and one.target == "A.work.1")
    assert [one.origin for one in placed] == [origin]


def test_a_card_that_shows_on_a_waste_when_its_like_left_a_foundation_may_have_been_turned_up() -> (
    None
):
    touches = Touched(A, 4_400, "F.1"), Touched(A, 5_000, "A.waste")
    table = Table("nerds", *touches, known="F.1 2D 3D | A.waste A:9C | A.work.1 A:4S")
    nine = (5, "9C", "A.waste", (0.0, 0.0))
    table.looks(0, 4_300, FOUR, THREE, nine)
    table.looks(4_600, 4_950, FOUR, TWO, nine)
    table.still(4, 5_000)
    told = table.looks(5_050, 8_000, FOUR, TWO, (4, "3D", "A.waste", (0.0, 0.0)))
    onto = [one for one in told if isinstance(one, CardPlaced) and one.target == "A.waste"]
    assert all((one.conf or 1.0) < NOWHERE_ELSE for one in onto)
    assert len(onto) == 1
