"""A card that lay somewhere for a moment, under the hand that carried it on: where it was."""

from __future__ import annotations

import pytest
from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced, Event, PileTaken

FIRST = (0.0, 40.0)
FOUR = (9, "4C", "play.A", (0.0, 0.0))
SIX, JACK, KING = ((n, face, f"A.arr.{n}", FIRST) for n, face in ((1, "6D"), (3, "JS"), (4, "KH")))
KNOWN = "play.A 4C | A.arr.1 6D | A.arr.3 JS | A.arr.4 KH"


def moved(events: list[Event]) -> list[tuple[str, str, str]]:
    """Return the cards that were told as placed, from where to where."""
    placed = (event for event in events if isinstance(event, CardPlaced))
    return [(str(one.card), one.origin, one.target) for one in placed]


def carry(*touches: Touched, known: str = KNOWN) -> Table:
    """Lay out a table of which the six on the left is taken at 5 s."""
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", FIRST), *touches, known=known)
    table.look(0, FOUR, SIX, JACK, KING)
    table.looks(4_000, 5_000, FOUR, SIX, JACK, KING)
    return table


@pytest.mark.parametrize("last", ["A.arr.1", "A.arr.2"], ids=["back home", "another column"])
def test_a_card_that_was_laid_down_on_its_way_was_moved_twice(last: str) -> None:
    table = carry(Touched(A, 5_400, "A.arr.5", FIRST), Touched(A, 6_000, last, FIRST))
    told = table.looks(5_100, 5_990, FOUR, JACK, KING)
    table.still(8, 6_000)
    told += table.looks(6_060, 8_000, FOUR, JACK, KING, (8, "6D", last, FIRST))
    assert moved(told) == [("6D", "A.arr.1", "A.arr.5"), ("6D", "A.arr.5", last)]


def test_a_hand_that_passes_a_column_of_another_value_lays_nothing_there() -> None:
    table = carry(Touched(A, 5_400, "A.arr.4", FIRST), Touched(A, 6_000, "A.arr.5", FIRST))
    told = table.looks(5_100, 5_990, FOUR, JACK, KING)
    table.still(8, 6_000)
    told += table.looks(6_060, 8_000, FOUR, JACK, KING, (8, "6D", "A.arr.5", FIRST))
    assert moved(told) == [("6D", "A.arr.1", "A.arr.5")]


def test_who_has_many_cards_arranged_takes_none_on_hand_and_lays_it_elsewhere() -> None:
    table = carry(Touched(A, 7_000, "A.arr.5", FIRST))
    told = table.looks(5_100, 6_990, FOUR, JACK, KING, (5, "QC", "A.arr.2", FIRST))
    table.still(8, 7_000)
    rest = FOUR, JACK, KING, (5, "QC", "A.arr.2", FIRST), (8, "6D", "A.arr.5", FIRST)
    told += table.looks(7_060, 9_000, *rest)
    assert ("6D", "A.arr.1", "A.arr.5") in moved(told)
    assert not [event for event in told if isinstance(event, PileTaken)]
