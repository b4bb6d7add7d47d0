"""Packets that nobody counted: who has laid all his cards, and how many the other one holds."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.values import CardPlaced, PileMoved

FIRST = (0.0, 40.0)
ROW = tuple((n, face, f"A.arr.{n}", FIRST) for n, face in enumerate("2S 4D 6C 8H TS".split(), 1))
ARRANGED = "| ".join(f"{zone} {face} " for _, face, zone, _ in ROW)
PACKETS = f"A.held {'(3C) ' * 21}| B.held {'(3C) ' * 26}|{ARRANGED}"


def test_who_shows_a_face_on_each_column_holds_no_card_and_re_arranges() -> None:
    touches = Touched(A, 5_000, "A.arr.2", FIRST), Touched(A, 5_600, "A.arr.7", FIRST)
    table = Table("nerves", *touches, known=PACKETS)
    table.look(0, *ROW)
    rest = (*ROW[:1], *ROW[2:])
    told = table.looks(5_100, 5_600, *rest)
    table.still(9, 5_600)
    (moved,) = told + table.looks(5_700, 8_000, *rest, (9, "4D", "A.arr.7", FIRST))
    assert isinstance(moved, CardPlaced)
    assert (moved.origin, moved.target) == ("A.arr.2", "A.arr.7")


def test_of_one_deck_the_other_player_holds_what_lies_nowhere() -> None:
    table = Table("nerves", Touched(B, 5_000, "B.rest"), known=PACKETS)
    table.look(0, *ROW)
    table.looks(4_000, 5_000, *ROW)
    table.still(9, 5_000)
    (rest,) = table.looks(5_100, 8_000, *ROW, (9, "BACK", "B.rest", (0.0, 0.0)))
    assert isinstance(rest, PileMoved)
    assert (rest.origin, rest.count) == ("B.held", 47)


def test_who_has_laid_but_one_card_goes_on_arranging() -> None:
    table = Table("nerves", known=f"A.held {'(3C) ' * 21}| A.arr.1 2S")
    table.look(0, ROW[0])
    table.looks(4_000, 9_000, ROW[0])
    assert len(table.scene.piles["A.held"]) == 21
