"""Backs that a player counts off his deck: what was not taken from them."""

from __future__ import annotations

from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced, Event

DECK, STACK = (1, "BACK", "A.deck", (0.0, 0.0)), (2, "BACK", "A.stack", (0.0, 0.0))
EIGHT = (3, "8S", "A.pile.1", (0.0, 0.0))
# B has dealt himself stack and square already.
LYING = DECK, (4, "BACK", "B.stack", (0.0, 0.0)), (5, "6H", "B.pile.1", (0.0, 0.0))


def counted_off(*touches: Touched) -> tuple[Table, list[Event]]:
    """A takes five backs off the deck and lays them beside it; told till then."""
    known = "A.deck " + 10 * "(2C) " + "| B.stack " + 5 * "(3C) " + "| B.pile.1 6H"
    table = Table("spy", Touched(A, 5_010, "A.stack"), *touches, known=known)
    table.ways = {"A": ((4_500, "A.deck", (0.0, -50.0)), (6_200, "A.deck", (0.0, -14.0)))}
    table.look(0, *LYING)
    table.looks(100, 4_900, *LYING)
    table.still(2, 5_000)
    return table, table.looks(5_300, 6_000, *LYING, STACK)


def test_a_hand_that_laid_backs_down_took_none_of_them_with_the_same_touch() -> None:
    """It was not felt at the deck, from which it took the next one."""
    table, _ = counted_off(Touched(A, 6_500, "A.pile.1"))
    table.still(3, 6_490)
    told = table.looks(6_600, 9_000, *LYING, STACK, EIGHT)
    (eight,) = [one for one in told if isinstance(one, CardPlaced)]
    assert eight.origin != "A.stack"


def test_what_nobody_reads_beside_all_spots_is_no_fifth_pile() -> None:
    """A hand rests there on a dotted cloth; the card that opens the pile is read."""
    known = "A.deck (2C) (2C) | A.stack (3C) (3C) | A.pile.1 8S | B.stack (4C) | B.pile.1 6H"
    table = Table("spy", Touched(A, 2_000, "A.stack"), Touched(A, 6_000, "A.stack"), known=known)
    lying = (*LYING, STACK, EIGHT)
    table.look(0, *lying)
    table.still(7, 2_400)
    beside = (7, "??", "A.pile.4", (0.0, -128.0))
    assert not table.looks(2_500, 6_100, *lying, beside)
    table.still(8, 6_400)
    told = table.looks(6_500, 9_000, *lying, beside, (8, "KC", "A.pile.5", (0.0, 0.0)))
    assert [(one.origin, one.target) for one in told if isinstance(one, CardPlaced)] == [
        ("A.stack", "A.pile.5")
    ]
