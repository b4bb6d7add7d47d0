"""A card that one hand alone carried into another player's layout is surely there by that hand."""

from __future__ import annotations

import pytest
from test_scene_rough import A, Table, Touched

from referee.table.found import NOWHERE_ELSE
from referee.values import Actor, CardPlaced, CardTurned

KNOWN = "| A.nerts (A:5D) A:TH | B.work.1 B:JS"
TEN = (1, "TH", "A.nerts", (0.0, 0.0))
JACK = (2, "JS", "B.work.1", (0.0, 0.0))
LAID = (3, "TH", "B.work.1", (0.0, 24.0))
TOOK, LAYS = Touched(A, 4_400, "A.nerts"), Touched(A, 5_000, "B.work.1", (0.0, 24.0))


def ten_on_the_jack(*others: Touched, took: Touched = TOOK) -> CardPlaced:
    """Return what is told of A's ten that lies on B's jack since five seconds."""
    table = Table("nerds", took, LAYS, *others, known=KNOWN)
    table.look(0, TEN, JACK)
    table.still(3, 5_000)
    back = (4, "BACK", "A.nerts", (0.0, 0.0))
    told = [*table.looks(4_600, 5_200, back, JACK), *table.looks(5_200, 8_000, back, JACK, LAID)]
    return next(one for one in told if isinstance(one, CardPlaced))


def test_a_card_that_one_hand_carried_into_anothers_layout_is_surely_there_by_it() -> None:
    told = ten_on_the_jack()
    assert (told.origin, told.target, told.actor.seat) == ("A.nerts", "B.work.1", "A")
    assert told.conf == NOWHERE_ELSE


@pytest.mark.parametrize("seat", ["B", None])
def test_it_is_not_where_another_hand_was_there_as_well(seat: str | None) -> None:
    other = Touched(Actor(seat, "R" if seat else None), 4_950, "B.work.1", (20.0, 20.0))
    told = ten_on_the_jack(other)
    assert told.conf is not None
    assert told.conf < NOWHERE_ELSE


def test_nor_where_nobody_was_seen_to_take_it() -> None:
    told = ten_on_the_jack(took=Touched(A, 1_000, "A.nerts"))
    assert told.conf is not None
    assert told.conf < NOWHERE_ELSE


def test_who_lays_his_own_card_on_anothers_pile_took_it_though_no_hand_was_felt_there() -> None:
    table = Table("nerds", LAYS, known="A.waste JH TH | B.work.1 B:JS")
    table.look(0, (1, "TH", "A.waste", (0.0, 0.0)), JACK)
    table.looks(4_300, 4_900, JACK)
    table.still(3, 5_000)
    below = (4, "JH", "A.waste", (1.0, 1.0))
    told = [*table.looks(5_200, 5_900, JACK, LAID), *table.looks(5_900, 9_000, JACK, LAID, below)]
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert (str(placed.card), placed.origin, placed.target) == ("A:TH", "A.waste", "B.work.1")


TURNS = Touched(A, 5_000, "B.arr.1")


@pytest.mark.parametrize(
    ("others", "surely"), [((), True), ((Touched(Actor("B", "R"), 5_050, "B.arr.1"),), False)]
)
def test_who_turned_anothers_card_is_sure_where_no_other_hand_was_there(
    others: tuple[Touched, ...], *, surely: bool
) -> None:
    table = Table("nerves", TURNS, *others, known="B.arr.1 (3C) (5D) | play.A KS")
    back, five = (1, "BACK", "B.arr.1", (0.0, 0.0)), (2, "5D", "B.arr.1", (1.0, 0.0))
    table.look(0, back)
    table.looks(1_000, 4_900, back)
    table.still(2, 5_000)
    turned = next(one for one in table.looks(5_300, 8_000, five) if isinstance(one, CardTurned))
    assert turned.conf is not None
    assert (turned.conf >= NOWHERE_ELSE) == surely


def test_a_hand_that_was_felt_beside_anothers_stack_and_seen_over_it_took_a_card_there() -> None:
    """His own stack, which his fingers passed on their way, he did not come near."""
    touches = Touched(A, 1_800, "B.stack", (-45.0, -20.0)), Touched(A, 2_500, "A.pile.1")
    known = "A.stack (AC) | A.pile.1 TD | B.stack (4D) (9D)"
    table = Table("spy", *touches, known=known)
    table.ways["A"] = (
        (1_630, "A.stack", (-67.0, -14.0)),
        (1_800, "B.stack", (-45.0, -20.0)),
        (1_970, "B.stack", (-35.0, -2.0)),
        (2_500, "A.pile.1", (-14.0, 26.0)),
    )
    backs = (1, "BACK", "A.stack", (0.0, 0.0)), (2, "BACK", "B.stack", (0.0, 0.0))
    table.look(0, *backs, (3, "TD", "A.pile.1", (0.0, 0.0)))
    table.still(4, 2_500)
    told = table.looks(2_600, 6_000, *backs, (4, "9D", "A.pile.1", (0.0, 0.0)))
    nine = next(one for one in told if isinstance(one, CardPlaced))
    assert (nine.origin, nine.conf) == ("B.stack", NOWHERE_ELSE)
