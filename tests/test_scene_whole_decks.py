"""Each card is once in its player's deck: how misjudged stocks and wastes are put right."""

from __future__ import annotations

from dataclasses import replace

from test_scene_rough import A, L, Table, Touched, moves_of

from referee.table.piles import unknown

KING, FOUR = (2, "KS", "A.waste", (1.0, 1.0)), (3, "4D", "A.waste", (0.0, 0.0))
NERTS, STOCK = (1, "BACK", "A.nerts", (0.0, 0.0)), (4, "BACK", "A.stock", (0.0, 0.0))
WORK = tuple((k + 4, f"{k}H", f"A.work.{k}", (0.0, 0.0)) for k in range(2, 5))
LAID = "A.nerts " + "(??) " * 13 + "| A.work.1 A:9H | A.work.2 A:2H | A.work.3 A:3H | A.work.4 A:4H"
NINE = (5, "9H", "A.work.1", (0.0, 0.0))
REST = (NERTS, STOCK, NINE, *WORK)


def _deck(stock: str, waste: str, *touches: Touched) -> Table:
    """Return a table on which a whole deck lies that was counted."""
    table = Table("nertz", *touches, known=f"{LAID} | A.stock {stock} | A.waste {waste}")
    table.look(0, *REST, FOUR)
    table.look(1_000, *REST, FOUR)
    return table


def _faces(table: Table, zone: str) -> list[str]:
    return [card.face for card in table.scene.piles[zone]]


def test_a_card_that_left_the_waste_and_lies_nowhere_lies_below_what_shows_there() -> None:
    # Which of a turn lay on top was not seen: the king does, and the four went below it.
    table = _deck("(??) " * 33, "A:KS A:4D", Touched(A, 4_000, "A.waste"))
    table.looks(3_000, 4_000, *REST, FOUR)
    table.looks(4_200, 5_500, *REST, KING)
    assert _faces(table, "A.waste") == ["KS"]
    table.looks(5_500, 11_000, *REST, KING)
    assert _faces(table, "A.waste") == ["4D", "KS"]


def test_what_shows_elsewhere_is_not_in_the_waste() -> None:
    table = _deck("(??) " * 32, "A:9S A:KS A:4D", Touched(A, 4_000, "A.nerts"))
    table.looks(3_000, 4_000, *REST, FOUR)
    table.looks(4_200, 7_000, *REST[1:], FOUR, (20, "9S", "A.nerts", (1, 0)))
    assert _faces(table, "A.nerts")[-1] == "9S"
    assert _faces(table, "A.waste") == ["??", "KS", "4D"]


def test_a_stock_holds_no_more_cards_than_are_missing_elsewhere() -> None:
    table = _deck("(??) " * 33, "A:KS A:4D")
    stock = table.scene.piles["A.stock"]
    stock.insert(0, unknown(stock[0]))
    table.looks(3_000, 3_200, *REST, FOUR)
    assert len(table.scene.piles["A.stock"]) == 33


def test_a_stock_holds_all_that_is_missing_elsewhere() -> None:
    table = _deck("(??) " * 33, "A:KS A:4D")
    del table.scene.piles["A.stock"][:3]
    table.looks(3_000, 3_200, *REST, FOUR)
    assert len(table.scene.piles["A.stock"]) == 33
    assert {card.deck for card in table.scene.piles["A.stock"]} == {"A"}


def test_a_card_that_is_taken_for_another_players_is_missing_nowhere() -> None:
    table = _deck("(??) " * 33, "A:KS A:4D")
    work = table.scene.piles["A.work.1"]
    work[0] = replace(work[0], deck=None)
    table.looks(3_000, 3_200, *REST, FOUR)
    assert len(table.scene.piles["A.stock"]) == 33


def test_a_pile_keeps_its_backs_where_the_open_card_on_it_was_laid_and_misread() -> None:
    known = "A.nerts (??) (??) (??) A:JH | A.work.1 A:QS | A.stock (??) (??) (??) (??)"
    table = Table("nertz", Touched(A, 4_000, "A.nerts"), Touched(A, 4_400, "A.work.1"), known=known)
    queen, stock = (2, "QS", "A.work.1", (0, 0)), (3, "BACK", "A.stock", (0, 0))
    table.look(0, (1, "JH", "A.nerts", (0, 0)), queen, stock)
    table.looks(3_000, 3_900, (1, "JH", "A.nerts", (0, 0)), queen, stock)
    back = (4, "BACK", "A.nerts", (1, 0))
    table.still(5, 4_400)
    table.looks(4_500, 5_400, back, queen, stock, (5, "AH", "A.work.1", (0, -20)))
    table.looks(5_400, 7_000, back, queen, stock, (5, "JH", "A.work.1", (0, -20)))
    assert _faces(table, "A.work.1") == ["QS", "JH"]
    assert _faces(table, "A.nerts") == ["??", "??", "??"]


def test_a_card_that_left_the_waste_before_is_turned_over_with_it() -> None:
    touches = ((3_900, "A.waste"), (5_500, "A.waste"), (5_800, "A.stock"))
    table = Table("nertz", *(Touched(L, *touch) for touch in touches), known="A.waste 9D 5C KS 4D")
    table.look(0, FOUR)
    table.looks(3_000, 3_900, FOUR)
    table.looks(4_100, 5_400, KING)
    told = table.looks(5_600, 5_800) + table.looks(6_000, 8_000, STOCK)
    assert moves_of(told) == [("A.waste", "A.stock", 4)]


def test_unread_cards_in_the_air_are_not_the_one_that_lies_unread_elsewhere() -> None:
    laid = LAID.replace("A:9H", "A:??")
    known = f"{laid} | A.stock {'(??) ' * 5}| A.waste {'A:?? ' * 28}A:KS A:4D"
    table = Table("nertz", Touched(A, 5_400, "A.stock"), known=known)
    rest = (NERTS, (5, "??", "A.work.1", (0.0, 0.0)), *WORK, FOUR)
    table.look(0, *rest, STOCK)
    table.looks(1_000, 5_300, *rest, STOCK)
    table.looks(5_600, 5_700, *rest)
    assert [(gone.zone, len(gone.cards)) for gone in table.scene._parts.air.gone] == [
        ("A.stock", 5)
    ]
