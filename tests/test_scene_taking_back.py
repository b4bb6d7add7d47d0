"""Cards taken back face down onto the pile they came from: only backs show there, as before."""

from __future__ import annotations

import pytest
from test_scene_rough import A, B, Table, Touched, moves_of

from referee.table.found import WHENCE
from referee.values import CardLifted, CardPlaced, Event, Reread

STACK = (1, "BACK", "A.stack", (0.0, 0.0))
TWO = (2, "2S", "A.pile.4", (0.0, 0.0))
FAULT = (3, "9C", "A.pile.4", (2.0, 1.0))
OTHER = (4, "KD", "B.pile.4", (0.0, 0.0))
LAID = "A.stack (??) (??) (??) | A.pile.4 2S | B.pile.4 KD"


def _told(events: list[Event]) -> list[tuple[str, str, str, bool]]:
    return [
        (event.card.face, event.origin, event.target, event.up)
        for event in events
        if isinstance(event, CardPlaced)
    ]


def _table(*touches: Touched, known: str = LAID) -> Table:
    """Return a table on which A has laid a nine on a two, against the rules."""
    laid = (Touched(A, 1_500, "A.stack"), Touched(A, 2_000, "A.pile.4"))
    return Table("spy", *laid, *touches, known=known)


def _lay(table: Table, *backs: tuple[int, str, str, tuple[float, float]]) -> None:
    table.look(0, STACK, TWO, OTHER)
    table.still(3, 2_000)
    told = table.looks(2_200, 2_600, *backs, FAULT, OTHER)
    assert _told(told) == [("9C", "A.stack", "A.pile.4", True)]


def test_a_card_taken_back_lies_on_the_stack_where_only_its_back_shows() -> None:
    table = _table(Touched(A, 3_000, "A.pile.4"), Touched(A, 3_400, "A.stack", (10, 0)))
    _lay(table, STACK)
    told = table.looks(3_300, 5_000, STACK, TWO, OTHER)
    assert _told(told) == [("9C", "A.pile.4", "A.stack", False)]
    assert [card.face for card in table.scene.piles["A.stack"]] == ["??", "??", "9C"]
    # It is the next card that is played from there.
    table.touches += (Touched(A, 5_400, "A.stack"), Touched(A, 5_900, "A.pile.2"))
    table.still(5, 5_900)
    told = table.looks(6_100, 7_500, STACK, TWO, OTHER, (5, "9C", "A.pile.2", (0.0, 0.0)))
    assert _told(told) == [("9C", "A.stack", "A.pile.2", True)]


def test_fingers_that_were_lost_from_sight_while_they_touched_were_seen_near_the_stack() -> None:
    table = _table(Touched(A, 3_000, "A.pile.4"))
    _lay(table, STACK)
    table.ways["A"] = ((3_000, "A.pile.4"), (3_400, "A.stack"), (3_433, "A.stack"))
    told = table.looks(3_300, 5_000, STACK, TWO, OTHER)
    assert _told(told) == [("9C", "A.pile.4", "A.stack", False)]


def test_the_last_card_of_a_stack_is_seen_to_lie_there_again() -> None:
    known = "A.stack (??) | A.pile.4 2S | B.pile.4 KD"
    table = _table(Touched(A, 3_000, "A.pile.4"), Touched(A, 3_400, "A.stack"), known=known)
    _lay(table)
    told = table.looks(3_300, 3_500, TWO, OTHER)
    table.still(6, 3_420)
    told += table.looks(3_600, 5_000, TWO, OTHER, (6, "BACK", "A.stack", (0.0, 0.0)))
    assert _told(told) == [("9C", "A.pile.4", "A.stack", False)]


def test_a_card_that_may_lie_under_the_hand_is_not_told_to_be_on_the_stack() -> None:
    # The hand passed the stack on its way to another pile, and rests there still.
    touches = (Touched(A, 3_000, "A.pile.4"), Touched(A, 3_300, "A.stack"),
               Touched(A, 3_700, "A.pile.2"))  # fmt: skip
    table = _table(*touches)
    _lay(table, STACK)
    table.hands_over = ("A.pile.2",)
    told = table.looks(3_300, 4_800, STACK, TWO, OTHER)
    assert _told(told) == []
    table.hands_over = ()
    table.still(5, 3_700)
    told = table.looks(4_800, 6_500, STACK, TWO, OTHER, (5, "9C", "A.pile.2", (0.0, 0.0)))
    assert _told(told) == [("9C", "A.pile.4", "A.pile.2", True)]


def test_a_hand_that_rests_on_the_stack_hides_the_card_that_it_took_back() -> None:
    table = _table(Touched(A, 3_000, "A.pile.4"), Touched(A, 3_400, "A.stack", (10, 0)))
    _lay(table, STACK)
    table.hands_over = ("A.stack",)
    assert not table.looks(3_300, 6_500, STACK, TWO, OTHER)
    table.hands_over = ()
    told = table.looks(6_500, 8_000, STACK, TWO, OTHER)
    assert _told(told) == [("9C", "A.pile.4", "A.stack", False)]


@pytest.mark.parametrize("whose", ["A", "B"])
def test_who_may_hold_cards_takes_back_one_of_a_pile_of_which_the_others_stay(whose: str) -> None:
    """Nobody takes a part of a playing pile on hand; of a rest that is not his he had no card."""
    rest = f"{whose}.rest"
    laid = (Touched(A, 1_500, rest), Touched(A, 2_000, "play.B"))
    back = (Touched(A, 3_000, "play.B"), Touched(A, 3_400, rest))
    known = "A.rest (??) (??) (??) | B.rest (??) (??) (??) | play.B 9D TS"
    table = Table("nerves", *laid, *back, known=known)
    # Where the deck was shuffled something moved before that nobody looked at since.
    table.unseen = ("deck", "mid")
    rests = ((1, "BACK", "A.rest", (0.0, 0.0)), (2, "BACK", "B.rest", (0.0, 0.0)))
    ten = (3, "TS", "play.B", (0.0, 0.0))
    table.look(0, *rests, ten)
    table.still(4, 2_000)
    told = table.looks(2_200, 2_600, *rests, (4, "6D", "play.B", (2.0, 1.0)))
    assert _told(told) == [("6D", rest, "play.B", True)]
    told = table.looks(3_300, 7_000, *rests, ten)
    assert _told(told) == [("6D", "play.B", rest, False)]
    assert [type(event) for event in told] == [CardPlaced]


def test_a_card_that_was_carried_nowhere_near_the_stack_is_only_lifted() -> None:
    table = _table(Touched(A, 3_000, "A.pile.4"))
    _lay(table, STACK)
    told = table.looks(3_300, 7_000, STACK, TWO, OTHER)
    assert _told(told) == []
    assert [type(event) for event in told] == [CardLifted]


def test_of_a_card_that_was_gone_for_long_only_its_way_is_in_doubt() -> None:
    table = _table(Touched(A, 3_000, "A.pile.4"), Touched(A, 5_100, "A.aside"))
    _lay(table, STACK)
    told = table.looks(3_300, 5_000, STACK, TWO, OTHER)
    table.still(5, 5_100)
    told += table.looks(5_400, 6_000, STACK, TWO, OTHER, (5, "9C", "A.aside", (0.0, 0.0)))
    (laid,) = (event for event in told if isinstance(event, CardPlaced))
    assert (laid.origin, laid.conf) == ("A.pile.4", WHENCE)


def test_a_card_taken_back_from_a_pile_leaves_the_one_below_read_by_its_own_spot() -> None:
    seven, nine = (1, "7H", "play.B", (0.0, 0.0)), (2, "9S", "B.arr.1", (0.0, 0.0))
    touches = (Touched(B, 5_000, "play.B"), Touched(B, 6_000, "play.B"),
               Touched(B, 6_400, "B.arr.1"))  # fmt: skip
    table = Table("nerves", *touches, known="play.B KC 7H | B.arr.1 9S | B.arr.2 QC | A.arr.1 2D")
    table.look(0, seven, nine)
    table.looks(3_000, 4_600, seven, nine)
    table.still(3, 5_000)
    told = table.looks(5_200, 5_900, (3, "9S", "play.B", (1.0, 2.0)))
    told += table.looks(6_100, 6_400, (3, "7H", "play.B", (0.0, 1.0)))
    table.still(4, 6_400)
    told += table.looks(6_600, 9_000, (3, "7H", "play.B", (0.0, 1.0)), (4, "9S", "B.arr.1", (0, 0)))
    assert not [event for event in told if isinstance(event, Reread)]
    assert moves_of(told) == [("B.arr.1", "play.B", 1), ("play.B", "B.arr.1", 1)]
