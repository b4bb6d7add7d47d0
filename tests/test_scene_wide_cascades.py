"""Cards that are laid wide apart, or only for a moment: how surely they are told."""

from __future__ import annotations

import pytest
from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced

JACK, TEN = (1, "JS", "A.work.1", (0.0, 0.0)), (2, "TD", "A.work.1", (0.0, -24.0))
OTHER_JACK = (3, "JC", "A.work.2", (0.0, 0.0))
LAID = (4, "TD", "A.work.2", (1.0, -28.0))


def moved(known: str, *beside: tuple[int, str, str, tuple[float, float]]) -> CardPlaced:
    """Return what is told of a ten that A lays 28 mm on from a jack."""
    touches = Touched(A, 5_000, "A.work.1", (0.0, -24.0)), Touched(A, 5_600, "A.work.2")
    table = Table("nerds", *touches, known=known)
    table.look(0, TEN, OTHER_JACK, *beside)
    table.looks(100, 4_900, TEN, OTHER_JACK, *beside)
    table.looks(5_000, 5_500, OTHER_JACK, *beside)
    table.still(4, 5_600)
    (told,) = table.looks(5_700, 8_000, OTHER_JACK, LAID, *beside)
    assert isinstance(told, CardPlaced)
    return told


@pytest.mark.parametrize(
    ("known", "beside", "sure"),
    [
        ("A.work.1 A:JS A:TD | A.work.2 A:JC", (JACK,), True),
        ("A.work.1 A:TD | A.work.2 A:JC", (), False),
    ],
    ids=["who lays his cards so", "one may lie between"],
)
def test_a_card_far_on_is_sure_of_who_lays_his_cards_wide_apart(
    known: str, beside: tuple[tuple[int, str, str, tuple[float, float]], ...], sure: bool
) -> None:
    told = moved(known, *beside)
    assert (str(told.card), told.origin, told.target) == ("A:TD", "A.work.1", "A.work.2")
    assert ((told.conf or 0.0) >= 0.97) is sure


@pytest.mark.parametrize(("hidden_ms", "sure"), [(5_400, True), (4_900, False)])
def test_a_single_card_lies_on_the_one_that_showed_until_just_before(
    hidden_ms: int, sure: bool
) -> None:
    """However far on it lies: a hand lays no other one between so soon."""
    touches = Touched(A, 4_700, "A.nerts"), Touched(A, 5_600, "A.work.2")
    table = Table("nerds", *touches, known="A.nerts (2C) A:TD | A.work.2 A:JC")
    ten, back = (2, "TD", "A.nerts", (0.0, 0.0)), (5, "BACK", "A.nerts", (0.0, 0.0))
    table.look(0, OTHER_JACK, ten)
    table.looks(100, 4_600, OTHER_JACK, ten)
    table.looks(4_700, hidden_ms, OTHER_JACK, back)
    table.hands_over = ("A.work.2",)
    table.looks(hidden_ms, 5_700, back)
    table.hands_over = ()
    table.still(4, 5_600)
    (told,) = table.looks(5_800, 8_000, OTHER_JACK, back, LAID)
    assert isinstance(told, CardPlaced)
    assert ((told.conf or 0.0) >= 0.97) is sure


def test_a_card_pulled_out_from_below_the_last_one_comes_alone() -> None:
    touches = Touched(A, 5_000, "A.work.1", (0.0, -18.0)), Touched(A, 5_600, "A.work.2")
    ten, nine = (2, "TD", "A.work.1", (0.0, -18.0)), (6, "9S", "A.work.1", (0.0, -36.0))
    table = Table("nerds", *touches, known="A.work.1 A:JS A:TD A:9S | A.work.2 A:JC")
    table.look(0, JACK, ten, nine, OTHER_JACK)
    table.looks(100, 4_900, JACK, ten, nine, OTHER_JACK)
    table.looks(5_000, 5_500, JACK, nine, OTHER_JACK)
    table.still(4, 5_600)
    (told,) = table.looks(5_700, 8_000, JACK, nine, OTHER_JACK, LAID)
    assert isinstance(told, CardPlaced)
    assert told.pos == 1
    assert (told.conf or 0.0) >= 0.97


def test_a_card_was_taken_when_the_hand_came_to_it_not_when_it_was_laid_beside() -> None:
    """The fingers that lay a card on the pile beside are near the place where it lay as well."""
    near = (42.5, 0.0)
    touches = (Touched(A, 4_500, "A.work.1", (0.0, -20.0)), Touched(A, 5_020, "A.work.1", near))
    table = Table("nerds", *touches, known="A.work.1 A:JS A:TD | A.work.2 A:JC")
    laid = (4, "TD", "A.work.2", (0.0, -18.0))
    table.look(0, JACK, TEN, OTHER_JACK)
    table.looks(100, 5_000, JACK, TEN, OTHER_JACK)
    table.looks(5_066, 5_300, JACK, OTHER_JACK)
    table.still(4, 5_010)
    (told,) = table.looks(5_400, 8_000, JACK, OTHER_JACK, laid)
    assert isinstance(told, CardPlaced)
    assert told.carry_ns == 4_500_000_000
    assert (told.conf or 0.0) >= 0.97


def test_a_card_that_lay_only_for_a_moment_was_laid() -> None:
    """Who sees his mistake takes it back at once."""
    touches = Touched(A, 4_400, "A.stack"), Touched(A, 5_000, "A.pile.1")
    table = Table("spy", *touches)
    backs, six = (1, "BACK", "A.stack", (0.0, 0.0)), (2, "6D", "A.pile.1", (0.0, 0.0))
    table.look(0, backs, six)
    table.looks(100, 5_300, backs, six)
    table.still(3, 5_000)
    told = table.looks(5_400, 5_600, backs, six, (3, "9D", "A.pile.1", (3.0, 1.0)))
    told += table.looks(5_620, 8_000, backs, six)
    assert [(str(one.card), one.target) for one in told if isinstance(one, CardPlaced)][:1] == [
        ("9D", "A.pile.1")
    ]
