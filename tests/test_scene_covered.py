"""Cards of Nerves that are covered before anybody sees them lie: what is told of them."""

from __future__ import annotations

from test_scene_rough import Table, Touched

from referee.values import Actor, CardPlaced, CardTurned, Event, PileTaken

A, L = Actor("A", "R"), Actor("A", "L")
FOUR = (1, "4C", "play.A", (0.0, 0.0))


def _told(events: list[Event]) -> list[tuple[str, ...]]:
    moved = (event for event in events if isinstance(event, CardPlaced | CardTurned))
    return [
        (str(e.card), e.origin, e.target) if isinstance(e, CardPlaced) else (str(e.card), e.zone)
        for e in moved
    ]


def test_a_last_card_kept_in_the_hand_is_not_played_by_the_hand_that_turns_a_rest_card() -> None:
    touches = (Touched(L, 5_000, "A.arr.1"), Touched(A, 5_200, "A.rest"),
               Touched(A, 5_660, "play.A"), Touched(A, 6_800, "A.rest"),
               Touched(A, 7_200, "play.A"))  # fmt: skip
    known = "play.A 4C | A.arr.1 5S | A.rest (2C) (3C) (8D) (9D)"
    rest, five = (6, "BACK", "A.rest", (0.0, 0.0)), (2, "5S", "A.arr.1", (0.0, 0.0))
    table = Table("nerves", *touches, known=known)
    table.look(0, FOUR, rest, five)
    told = table.looks(5_200, 5_700, FOUR, rest)
    table.still(4, 5_600)
    told += table.looks(5_750, 7_300, (4, "9D", "play.A", (2.0, 1.0)), rest)
    table.still(5, 7_160)
    told += table.looks(7_400, 11_000, (5, "8D", "play.A", (-2.0, 0.0)), rest)
    assert [event.zone for event in told if isinstance(event, PileTaken)] == ["A.arr.1"]
    assert _told(told) == [("9D", "A.rest", "play.A"), ("8D", "A.rest", "play.A")]
