"""What may lie unseen below a card on a common pile, by the hands that were there before."""

from __future__ import annotations

import pytest
from test_scene_rough import A, B, Table, Touched

from referee.table.found import LIKELY, PLAIN
from referee.values import Actor, CardPlaced

KNOWN = "F.1 B:AC | F.2 A:AS | A.work.1 A:3H A:2C | B.work.1 B:2S"
ACE, OTHER = (1, "AC", "F.1", (0.0, 0.0)), (2, "AS", "F.2", (0.0, 0.0))
THREE, TWO = (3, "3H", "A.work.1", (0.0, 0.0)), (4, "2C", "A.work.1", (0.0, -24.0))
LAID = (5, "2C", "F.1", (2.0, 1.0))
TOOK = Touched(A, 4_400, "A.work.1", (0.0, -24.0))


def two_on_the_ace(*touches: Touched, way: tuple[tuple[int, str], ...] = ()) -> CardPlaced:
    """Return what is told of A's two that lies on the ace since five seconds."""
    table = Table("nerds", TOOK, *touches, known=KNOWN)
    table.ways = {"A": way}
    table.look(0, ACE, OTHER, THREE, TWO)
    table.looks(1_000, 4_300, ACE, OTHER, THREE, TWO)
    table.still(5, 5_000, moving_ms=4_860)
    told = table.looks(4_600, 5_200, OTHER, THREE)
    told += table.looks(5_250, 8_000, OTHER, THREE, LAID)
    return next(one for one in told if isinstance(one, CardPlaced))


def test_the_hand_that_brings_a_card_laid_no_other_there_in_the_moment_before() -> None:
    assert two_on_the_ace(Touched(A, 4_770, "F.1")).conf == PLAIN


@pytest.mark.parametrize(("goes_to", "conf"), [("F.1", PLAIN), ("A.work.1", LIKELY)])
def test_a_hand_that_hesitates_over_the_pile_laid_no_other_there_unless_it_fetched_its_card(
    goes_to: str, conf: float
) -> None:
    way = (4_500, "F.1"), (4_700, goes_to), (4_950, "F.1")
    touches = Touched(A, 4_450, "F.1"), Touched(A, 4_960, "F.1")
    assert two_on_the_ace(*touches, way=way).conf == conf


def test_another_players_hand_there_may_have_laid_one() -> None:
    assert two_on_the_ace(Touched(B, 4_770, "F.1")).conf == LIKELY


def test_a_hand_that_was_there_before_it_took_the_card_may_have_laid_another() -> None:
    assert two_on_the_ace(Touched(A, 3_900, "F.1")).conf == LIKELY


def two_on_nothing(*, taken_ms: int, taken: str = "AC") -> CardPlaced:
    """Return what is told of B's two that lies where nothing did, as A's ace is on its way."""
    ace, two = (1, taken, "A.work.1", (0.0, 0.0)), (2, "2C", "B.work.1", (0.0, 0.0))
    touches = Touched(A, taken_ms, "A.work.1"), Touched(B, 4_600, "B.work.1")
    table = Table("nerds", *touches, Touched(B, 5_000, "F.1"),
                  known=f"A.work.1 A:3H A:{taken} | B.work.1 B:3D B:2C")  # fmt: skip
    below = (3, "3H", "A.work.1", (0.0, 0.0)), (4, "3D", "B.work.1", (0.0, 0.0))
    table.look(0, ace, two)
    table.looks(1_000, taken_ms - 50, ace, two)
    for spot in (3, 4):
        table.still(spot, 4_700)
    table.looks(taken_ms + 50, 4_550, below[0], two)
    table.still(5, 5_000, moving_ms=4_860)
    told = table.looks(4_650, 5_000, *below)
    told += table.looks(5_050, 8_000, *below, (5, "2C", "F.1", (0.0, 0.0)))
    return next(one for one in told if isinstance(one, CardPlaced))


def test_a_card_that_left_just_before_may_lie_below_the_first_one_that_is_seen() -> None:
    # The ace lay there for a third of a second, and no hand was seen to lay it.
    assert two_on_nothing(taken_ms=4_400).conf == LIKELY


@pytest.mark.parametrize("taken", ["AD", "3C", "7H"])
def test_a_card_that_it_fits_no_better_makes_no_matter_below_the_first_one(taken: str) -> None:
    assert two_on_nothing(taken_ms=4_400, taken=taken).conf == PLAIN


def test_a_card_that_left_long_before_lies_elsewhere() -> None:
    assert two_on_nothing(taken_ms=2_000).conf == PLAIN


@pytest.mark.parametrize(("who", "conf"), [(A, PLAIN), (B, LIKELY)], ids=["its own", "the other"])
def test_a_card_whose_place_is_seen_bare_only_later_is_its_players_if_he_laid_one(
    who: Actor, conf: float
) -> None:
    """The other player may have laid the like of his own deck."""
    table = Table("nertz", Touched(who, 5_000, "F.3"), known="A.work.2 2D | B.work.2 8C")
    table.stirs = (("A.work.2", 4_600, 5_700),)
    two, eight = (1, "2D", "A.work.2", (0.0, 98.0)), (3, "8C", "B.work.2", (0.0, -98.0))
    laid = (2, "2D", "F.3", (0.0, 0.0))
    table.look(0, two, eight)
    table.hands_over = ("A.work.2",)
    table.looks(4_600, 5_100, two, eight)
    table.still(2, 5_000)
    told = table.looks(5_133, 5_700, two, eight, laid)
    table.hands_over = ()
    told += table.looks(5_733, 9_000, eight, laid)
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert (placed.origin, placed.conf) == ("A.work.2", conf)


def test_who_rests_on_the_card_that_he_laid_first_has_not_laid_another_from_his_pile() -> None:
    """Both laid their three; the fingers that stay on the pile come down there once more."""
    touches = (
        Touched(A, 2_980, "A.nerts"),
        Touched(B, 3_150, "B.work.1", (0.0, 24.0)),
        Touched(A, 3_610, "F.1"),
        Touched(A, 3_800, "F.1"),
        Touched(B, 3_980, "F.1"),
    )
    known = "F.1 2H | A.nerts (8C) A:3H | B.work.1 B:4H B:3H"
    table = Table("nertz", *touches, known=known)
    deuce, four = (1, "2H", "F.1", (0.0, 0.0)), (2, "4H", "B.work.1", (0.0, 0.0))
    threes = (3, "3H", "A.nerts", (0.0, 0.0)), (4, "3H", "B.work.1", (0.0, 24.0))
    table.looks(0, 2_900, deuce, four, *threes)
    back = (5, "BACK", "A.nerts", (1.0, 0.0))
    table.still(5, 3_200)
    told = table.looks(3_300, 3_400, deuce, four, back)
    table.hands_over = ("F.1",)
    told += table.looks(3_400, 4_300, four, back)
    table.hands_over = ()
    table.still(6, 4_070, moving_ms=3_610)
    told += table.looks(4_400, 8_000, four, back, (6, "3H", "F.1", (2.0, 1.0)))
    placed = [str(one.card) for one in told if isinstance(one, CardPlaced)]
    assert placed == ["A:3H", "B:3H"]
