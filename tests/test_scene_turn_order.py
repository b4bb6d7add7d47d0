"""The cards of one turn, of which nobody saw in which order they lie."""

from __future__ import annotations

from test_scene_rough import A, L, Table, Touched, moves_of

KING, FOUR = (2, "KS", "A.waste", (1.0, 1.0)), (3, "4D", "A.waste", (0.0, 0.0))
STOCK = (4, "BACK", "A.stock", (0.0, 0.0))


def _faces(table: Table, zone: str) -> list[str]:
    return [card.face for card in table.scene.piles[zone]]


def test_two_cards_that_show_of_one_turn_are_one_turn_whatever_was_believed_of_them() -> None:
    touches = ((5_500, "A.waste"), (5_800, "A.stock"), (8_700, "A.stock"))
    known = "A.waste 2C 5H 7C 9D 9H 4D"
    table = Table("nertz", *(Touched(L, *touch) for touch in touches), known=known)
    table.look(0, FOUR)
    table.looks(3_000, 5_400, FOUR)
    table.looks(5_600, 5_800)
    table.looks(6_000, 8_600, STOCK)
    table.still(5, 8_900)
    table.still(6, 8_900)
    seven, nine = (5, "7C", "A.waste", (0, 0)), (6, "9C", "A.waste", (6, 6))
    assert moves_of(table.looks(9_200, 11_500, STOCK, seven, nine)) == [("A.stock", "A.waste", 3)]
    assert _faces(table, "A.waste")[-1] == "7C"


def test_what_never_showed_of_a_turn_was_not_taken_with_its_top_card() -> None:
    # The ace goes to the middle; believed below it is the five, but the ten shows.
    touches = (Touched(A, 4_000, "A.waste"), Touched(A, 4_400, "F.1"))
    table = Table("nertz", *touches, known="A.stock (??) (??) | A.waste KS ?? 5D AS")
    ace, ten = (7, "AS", "A.waste", (0, 0)), (8, "TH", "A.waste", (1, 1))
    table.look(0, STOCK, ace)
    table.looks(3_000, 3_900, STOCK, ace)
    table.still(8, 4_000)
    table.looks(4_600, 8_000, STOCK, ten, (9, "AS", "F.1", (0, 0)))
    assert len(table.scene.piles["A.waste"]) == 3


def _shows_jack(*touches: Touched) -> list[tuple[str, str, int]]:
    """Return what is told where a jack shows that was counted to the turn before, unseen."""
    known = "A.stock " + "(??) " * 9 + "| A.waste 2H 5S JH 4D"
    table = Table("nertz", *touches, known=known)
    table.look(0, STOCK, FOUR)
    table.looks(3_000, 3_900, STOCK, FOUR)
    table.still(5, 4_600)
    told = table.looks(5_000, 8_500, STOCK, (5, "JH", "A.waste", (5, 5)))
    return moves_of(told)


def test_a_card_that_was_counted_to_the_turn_before_is_drawn_only_now() -> None:
    drawn = (Touched(L, 4_250, "A.stock"), Touched(L, 4_550, "A.waste"))
    assert _shows_jack(*drawn) == [("A.stock", "A.waste", 3)]


def test_a_card_that_shows_since_the_one_on_it_was_taken_is_not_drawn() -> None:
    assert _shows_jack(Touched(A, 4_550, "A.waste")) == []
