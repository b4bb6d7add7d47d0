"""Nerves: a back that a hand hid when it was laid out shows by where the next card lies."""

from __future__ import annotations

import pytest
from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced

FIRST, SECOND, THIRD = (0.0, 40.0), (0.0, 20.0), (0.0, 0.0)
ROW = tuple((n, "BACK", f"A.arr.{n}", FIRST) for n in range(1, 6))
HELD = "| ".join(f"A.arr.{n} (2C) " for n in range(1, 6)) + "| A.held " + "(3C) " * 20


def _laid_out(*laid: tuple[int, str, str, tuple[float, float]]) -> tuple[Table, list[CardPlaced]]:
    """Lay cards out a second apart, the first of them after five seconds."""
    table = Table("nerves", known=HELD)
    table.look(0, *ROW)
    told = table.looks(4_000, 5_000, *ROW)
    shown = [*ROW]
    for n, card in enumerate(laid):
        table.still(card[0], 5_000 + n * 1_000)
        shown.append(card)
        told += table.looks(5_060 + n * 1_000, 6_000 + n * 1_000, *shown)
    told += table.looks(5_060 + len(laid) * 1_000, 12_000, *shown)
    return table, [one for one in told if isinstance(one, CardPlaced)]


def test_a_card_two_steps_on_was_laid_onto_one_that_nobody_saw() -> None:
    laid = (11, "BACK", "A.arr.1", SECOND), (13, "BACK", "A.arr.3", SECOND)
    table, told = _laid_out(*laid, (14, "9H", "A.arr.4", SECOND), (12, "8H", "A.arr.2", THIRD))
    second = [one for one in told if one.target == "A.arr.2"]
    assert [(str(one.card), one.origin, one.up) for one in second] == [
        ("??", "A.held", False),
        ("8H", "A.held", True),
    ]
    # It was laid with its row, between its neighbours.
    assert abs(second[0].t_ns - 5_500_000_000) <= 100_000_000
    assert (second[0].conf or 0.0) < 0.95
    assert len(table.scene.piles["A.arr.2"]) == 3


def test_a_card_laid_askew_lies_on_the_one_below_it() -> None:
    _, told = _laid_out((11, "BACK", "A.arr.1", (3.0, 11.0)))
    assert [one.target for one in told] == ["A.arr.1"]


def test_where_a_player_lays_all_his_cards_farther_on_none_lies_below() -> None:
    table = Table("nerves", known=HELD)
    row = tuple((n, face, zone, SECOND) for n, face, zone, _ in ROW)
    table.look(0, *row)
    told = table.looks(4_000, 5_000, *row)
    table.still(11, 5_000)
    told += table.looks(5_060, 8_000, *row, (11, "BACK", "A.arr.1", THIRD))
    assert [one.target for one in told if isinstance(one, CardPlaced)] == ["A.arr.1"]


@pytest.mark.parametrize(("face", "sure"), [("7H", True), ("9H", False)])
def test_a_card_on_one_of_its_value_may_come_from_a_column_on_which_nobody_saw_it(
    face: str, sure: bool
) -> None:
    touches = Touched(A, 5_000, "A.arr.1"), Touched(A, 6_000, "A.arr.1")
    table, nine = Table("nerves", *touches, known=HELD), (11, "9S", "A.arr.1", SECOND)
    table.look(0, *ROW)
    table.looks(4_000, 5_000, *ROW)
    table.still(11, 5_000)
    table.looks(5_060, 6_000, *ROW, nine)
    table.still(12, 6_000)
    (told,) = table.looks(6_060, 9_000, *ROW, nine, (12, face, "A.arr.1", THIRD))
    assert ((told.conf or 0.0) > 0.95) == sure


@pytest.mark.parametrize("looks_like", ["BACK", "??"])
def test_the_packet_that_a_player_holds_over_the_table_lies_in_no_column(looks_like: str) -> None:
    # At the edge before him, a hand's breadth from where his columns end.
    packet = (21, looks_like, "A.pile", (-90.0, 0.0))
    laid = (11, "BACK", "A.arr.1", SECOND), packet, (12, "8H", "A.arr.2", SECOND)
    table, told = _laid_out(*laid)
    assert [one.target for one in told] == ["A.arr.1", "A.arr.2"]
    assert not table.scene.piles["A.arr.6"]


def test_a_packet_is_none_of_the_table_either_when_the_last_of_it_is_laid() -> None:
    packet = (21, "BACK", "A.pile", (-90.0, 0.0))
    table, _ = _laid_out((11, "BACK", "A.arr.1", SECOND), packet)
    table.scene.piles["A.held"].clear()
    assert not table.looks(12_060, 15_000, *ROW, (11, "BACK", "A.arr.1", SECOND), packet)
    assert not table.scene.piles["A.arr.6"]


def test_the_first_back_of_a_column_comes_from_no_pile_that_its_player_reached_over() -> None:
    touches = Touched(A, 5_000, "B.rest"), Touched(A, 5_400, "A.arr.5")
    known = "A.arr.1 (2C) | B.rest " + "(4C) " * 9 + "| A.held " + "(3C) " * 20
    table = Table("nerves", *touches, known=known)
    lie = ROW[0], (9, "BACK", "B.rest", (0.0, 0.0))
    table.look(0, *lie)
    table.looks(4_000, 5_000, *lie)
    table.still(5, 5_400)
    (told,) = table.looks(5_460, 9_000, *lie, ROW[4])
    assert isinstance(told, CardPlaced)
    assert (told.origin, told.target, told.up) == ("A.held", "A.arr.5", False)
