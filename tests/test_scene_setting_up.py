"""The set-up from a deck on the table: what is taken off it, and how high the piles are then."""

from __future__ import annotations

from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced, Dealt, Event, PileMoved

DECK = (1, "BACK", "A.deck", (0.0, 0.0))
STACK = (2, "BACK", "A.stack", (0.0, 0.0))
SQUARE = tuple(
    (2 + k, face, f"A.pile.{k}", (0.0, 0.0)) for k, face in enumerate(("9D", "QD", "7C", "8S"), 1)
)


def _spy(*touches: Touched) -> Table:
    table = Table("spy", *touches)
    table.look(0)
    return table


def _cards(table: Table, zone: str) -> int:
    return len(table.scene.piles[zone])


def _ways(events: list[Event]) -> list[tuple[str, str, int]]:
    moved = [e for e in events if isinstance(e, CardPlaced | PileMoved)]
    assert moved == events
    return [(e.origin, e.target, getattr(e, "count", 1)) for e in moved]


def test_half_a_deck_lies_there_when_two_players_share_one() -> None:
    table = _spy()
    (told,) = table.looks(1_000, 2_000, DECK)
    assert isinstance(told, Dealt)
    assert (told.zone, len(told.cards)) == ("A.deck", 26)


def test_a_closed_stack_is_taken_off_the_deck_that_lies_there() -> None:
    table = _spy(Touched(A, 2_400, "A.deck"))
    table.looks(1_000, 2_000, DECK)
    assert _ways(table.looks(3_000, 4_000, DECK, STACK)) == [("A.deck", "A.stack", 5)]
    assert (_cards(table, "A.deck"), _cards(table, "A.stack")) == (21, 5)


def test_the_square_comes_from_the_deck_and_not_from_the_stack() -> None:
    table = _spy(Touched(A, 2_400, "A.stack"))
    table.looks(1_000, 2_000, DECK)
    table.looks(2_000, 3_000, DECK, STACK)
    told = _ways(table.looks(3_000, 4_000, DECK, STACK, SQUARE[0]))
    assert told == [("A.deck", "A.pile.1", 1)]


def test_what_is_dealt_from_the_hand_comes_from_no_deck_and_the_rest_is_lower() -> None:
    table = _spy()
    told = table.looks(1_000, 2_000, STACK, *SQUARE)
    told += table.looks(2_000, 3_000, STACK, *SQUARE, DECK)
    assert {e.zone: len(e.cards) for e in told if isinstance(e, Dealt)} == {
        "A.stack": 5, "A.deck": 17, **{f"A.pile.{k}": 1 for k in range(1, 5)}
    }  # fmt: skip
    assert len(told) == 6
