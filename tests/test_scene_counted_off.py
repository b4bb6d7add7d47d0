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
