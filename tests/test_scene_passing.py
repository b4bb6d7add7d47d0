"""Cards taken so swiftly that no touch was felt, and touches that took another card already."""

from __future__ import annotations

import pytest
from test_scene_rough import A, B, L, Table, Touched, moves_of

from referee.rulebook.asking import ACCUSES_FROM
from referee.table.found import WHENCE
from referee.values import Actor, CardPlaced, CardTurned

BACKS = "(??) " * 20
NERTS = (7, "QC", "A.nerts", (0.0, 0.0))
STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
NINE = (2, "9D", "A.work.1", (0.0, 0.0))
KING = (5, "KS", "A.waste", (0.0, 0.0))


def test_the_touch_that_took_the_top_of_the_nerts_took_no_card_to_the_waste() -> None:
    # The right hand takes the queen off the nerts while the left turns three, felt by nobody.
    touches = (Touched(A, 4_510, "A.nerts"), Touched(A, 5_010, "A.work.2", (0, -22)))
    known = f"A.nerts (??) (??) QC | A.work.2 KD | A.stock {BACKS}| A.waste KS"
    table = Table("nertz", *touches, known=known)
    king = (8, "KD", "A.work.2", (0.0, 0.0))
    table.look(0, STOCK, KING, NERTS, king)
    table.still(6, 4_800)
    eight = (6, "8C", "A.waste", (2, 1))
    told = table.looks(4_860, 5_000, STOCK, eight, king)
    table.still(9, 4_700)
    back = (9, "BACK", "A.nerts", (0.0, 0.0))
    told += table.looks(5_000, 5_200, STOCK, eight, king, back)
    table.still(10, 5_040)
    told += table.looks(5_200, 7_500, STOCK, eight, king, back, (10, "QC", "A.work.2", (0, -22)))
    assert not [event for event in told if isinstance(event, CardTurned)]
    assert sorted(moves_of(told)) == [("A.nerts", "A.work.2", 1), ("A.stock", "A.waste", 3)]


def test_a_card_taken_off_the_stock_in_passing_is_not_said_to_be_from_the_nerts() -> None:
    touches = (Touched(A, 5_000, "A.work.1", (0, -22)),)
    known = f"A.nerts (??) (??) QC | A.work.1 9D | A.stock {BACKS}"
    table = Table("nertz", *touches, known=known)
    table.ways["A"] = ((4_400, "A.stock"), (4_433, "A.stock"), (4_900, "A.work.1"))
    table.look(0, STOCK, NINE, NERTS)
    table.still(3, 5_030)
    told = table.looks(5_200, 7_500, STOCK, NINE, NERTS, (3, "8S", "A.work.1", (0, -22)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (placed.origin, placed.target, placed.card.face) == ("A.stock", "A.work.1", "8S")
    # No other pile holds a card that nobody read, but for those below the queen, which lay still.
    assert placed.conf == 0.99


def test_the_top_of_a_turn_that_is_played_before_it_is_seen_comes_from_the_waste() -> None:
    # The left hand turns three; the right one takes the eight off before anybody saw it.
    touches = (Touched(L, 4_000, "A.stock"), Touched(L, 4_300, "A.waste"),
               Touched(A, 5_400, "A.work.1", (0, -22)))  # fmt: skip
    known = f"A.nerts (??) (??) QC | A.work.1 9D | A.stock {BACKS}| A.waste KS"
    table = Table("nertz", *touches, known=known)
    table.ways["A"] = ((4_800, "A.waste"), (4_833, "A.waste"), (5_300, "A.work.1"))
    table.look(0, STOCK, NINE, NERTS, KING)
    table.still(3, 4_920)
    ace = (3, "AC", "A.waste", (1, 1))
    told = table.looks(5_200, 5_700, STOCK, NINE, NERTS, ace)
    table.still(4, 5_430)
    told += table.looks(5_700, 8_000, STOCK, NINE, NERTS, ace, (4, "8S", "A.work.1", (0, -22)))
    assert moves_of(told) == [("A.stock", "A.waste", 3), ("A.waste", "A.work.1", 1)]
    assert [card.face for card in table.scene.piles["A.waste"]] == ["KS", "??", "AC"]


def test_a_hand_that_nobody_named_laid_its_own_card_where_both_stacks_were_touched() -> None:
    nobody = Actor()
    touches = (Touched(A, 4_150, "A.stack"), Touched(B, 4_440, "B.stack"),
               Touched(nobody, 4_630, "A.pile.6"))  # fmt: skip
    known = "A.stack (??) (??) (??) | B.stack (??) (??) (??)"
    table = Table("spy", *touches, known=known)
    backs = ((1, "BACK", "A.stack", (0.0, 0.0)), (2, "BACK", "B.stack", (0.0, 0.0)),
             (4, "2H", "A.pile.1", (0.0, 0.0)), (5, "4D", "B.pile.1", (0.0, 0.0)))  # fmt: skip
    table.look(0, *backs)
    table.still(3, 4_630)
    told = table.looks(5_000, 7_000, *backs, (3, "JC", "A.pile.6", (0.0, 0.0)))
    assert moves_of(told) == [("A.stack", "A.pile.6", 1)]


def test_the_last_card_of_a_stack_that_nobody_counted_was_laid_by_who_took_it() -> None:
    # The stack was presumed to be as high as after the deal; one card lay there.
    touches = (Touched(A, 4_000, "A.stack"), Touched(A, 4_700, "B.pile.3"))
    table = Table("spy", *touches)
    deal = [(k, face, f"{seat}.pile.{k % 10}", (0.0, 0.0))
            for seat, first, faces in (("A", 10, "QD TH 5D 3C"), ("B", 20, "TS QH 6D 8D"))
            for k, face in enumerate(faces.split(), first + 1)]  # fmt: skip
    backs = [(k, "BACK", zone, (0.0, 0.0))
             for k, zone in enumerate(("A.deck", "B.stack", "B.deck"), 30)]  # fmt: skip
    table.look(0, *deal, *backs, (40, "BACK", "A.stack", (0.0, 0.0)))
    told = table.looks(4_800, 5_200, *deal, *backs)
    table.still(41, 4_730)
    rest = [spot for spot in deal if spot[2] != "B.pile.3"]
    told += table.looks(5_200, 7_500, *rest, *backs, (41, "6S", "B.pile.3", (3.0, 2.0)))
    assert moves_of(told) == [("A.stack", "B.pile.3", 1)]
    assert not table.scene.piles["A.stack"]


def test_three_cards_turned_without_a_touch_are_known_by_the_way_of_the_hand() -> None:
    # The right hand rests on a foundation: the king may be there, or below the eight.
    touches = (Touched(A, 5_100, "F.2"),)
    known = f"A.stock {BACKS}| A.waste KS | A.work.1 9D | A.work.2 KD"
    table = Table("nertz", *touches, known=known)
    table.ways["A"] = (
        (3_900, "A.stock"),
        (4_000, "A.stock"),
        (4_233, "A.waste"),
        (4_300, "A.waste"),
    )
    table.look(0, STOCK, NINE, KING)
    table.still(3, 4_320)
    table.hands_over = ("F.2",)
    told = table.looks(4_700, 7_500, STOCK, NINE, (3, "8S", "A.waste", (2, 1)))
    assert moves_of(told) == [("A.stock", "A.waste", 3)]
    assert [card.face for card in table.scene.piles["A.waste"]] == ["KS", "??", "??", "8S"]


def test_the_last_three_of_a_stock_are_turned_though_the_hand_touched_there_once_more() -> None:
    # They are seen to be gone only when the hand has withdrawn over their place.
    touches = (Touched(L, 5_000, "A.waste"), Touched(A, 5_340, "A.stock"))
    table = Table("nerds", *touches, known="A.stock (??) (??) (??) | A.waste KS | A.work.1 9D")
    table.ways["A"] = ((4_600, "A.stock"), (4_733, "A.stock"), (4_900, "A.waste"))
    table.look(0, STOCK, NINE, KING)
    table.still(3, 5_020)
    eight = (3, "8D", "A.waste", (2, 1))
    told = table.looks(5_466, 5_560, STOCK, NINE, eight)
    told += table.looks(5_570, 8_500, NINE, eight)
    assert moves_of(told) == [("A.stock", "A.waste", 3)]
    assert [card.face for card in table.scene.piles["A.waste"]] == ["KS", "??", "??", "8D"]
    assert not table.scene.piles["A.stock"]


LAYOUT = "A.stack (??) (??) | A.deck (??) (??) | A.pile.1 4H | B.pile.1 5H"
SPY = ((1, "BACK", "A.stack", (0.0, 0.0)), (2, "BACK", "A.deck", (0.0, 0.0)),
       (5, "5H", "B.pile.1", (0.0, 0.0)))  # fmt: skip


def test_a_card_whose_taking_was_not_felt_is_from_the_backs_that_the_hand_passed() -> None:
    touches = (Touched(A, 5_000, "A.pile.2"),)
    for passed in ("A.stack", "A.deck"):
        table = Table("spy", *touches, known=LAYOUT)
        # Before that the hand rested at home, where its deck lies.
        way = ((3_000, "A.deck"), (4_600, passed), (4_900, "A.pile.2"))
        table.ways["A"] = way
        table.look(0, *SPY, (4, "4H", "A.pile.1", (0.0, 0.0)))
        table.still(6, 5_030)
        four = (4, "4H", "A.pile.1", (0.0, 0.0))
        told = table.looks(5_400, 7_500, *SPY, four, (6, "7S", "A.pile.2", (0.0, 0.0)))
        assert moves_of(told) == [(passed, "A.pile.2", 1)]


def test_a_card_that_shows_on_a_pile_of_open_cards_was_laid_and_not_bared() -> None:
    # What lies below the four was never seen; but nobody takes cards off these piles.
    table = Table("spy", Touched(A, 5_000, "A.pile.1"))
    zones = ("A.stack", "A.deck", "B.stack", "B.deck")
    backs = [(k, "BACK", zone, (0.0, 0.0)) for k, zone in enumerate(zones, 10)]
    faces = (("4H", "A.pile.1"), ("9S", "A.pile.2"), ("KD", "B.pile.1"))
    opens = [(k, face, zone, (0.0, 0.0)) for k, (face, zone) in enumerate(faces, 20)]
    table.look(0, *backs, *opens)
    table.still(30, 5_030)
    told = table.looks(5_400, 8_000, *backs, *opens[1:], (30, "3C", "A.pile.1", (3.0, 2.0)))
    assert moves_of(told) == [("A.stack", "A.pile.1", 1)]
    assert [card.face for card in table.scene.piles["A.pile.1"]] == ["4H", "3C"]


def test_a_card_that_was_covered_unread_and_shows_later_does_not_lie_on_top() -> None:
    # A lays a six and at once a five upon it; an edge of the six is read two seconds later.
    touches = (Touched(L, 2_960, "A.rest"), Touched(L, 3_470, "play.A"),
               Touched(A, 4_000, "A.arr.3"), Touched(A, 4_500, "play.A"))  # fmt: skip
    known = "A.rest (??) (??) (??) | A.arr.3 5S | play.A 8S 7S | B.rest (??) (??)"
    table = Table("nerves", *touches, known=known)
    backs = ((1, "BACK", "A.rest", (0, 0)), (4, "BACK", "B.rest", (0, 0)))
    seven, five = (2, "7S", "play.A", (0, 0)), (3, "5S", "A.arr.3", (0, 0))
    table.look(0, *backs, seven, five)
    table.looks(3_000, 4_100, *backs, seven, five)
    table.looks(4_200, 4_700, *backs)
    table.still(5, 4_520)
    top = (5, "5S", "play.A", (3, 2))
    told = table.looks(4_800, 6_000, *backs, top)
    assert ("A.rest", "play.A", 1) in moves_of(told)
    table.still(6, 3_440)
    told = table.looks(6_100, 8_500, *backs, top, (6, "6S", "play.A", (-9, 5)))
    assert moves_of(told) == []
    assert [card.face for card in table.scene.piles["play.A"]] == ["8S", "7S", "6S", "5S"]


SQUARE = "A.stack (3H) (9C) (2D) | A.deck (TC) (4D) (7S) | A.pile.3 6H | A.pile.4 6C"
STACK, DECK = (1, "BACK", "A.stack", (0.0, 0.0)), (2, "BACK", "A.deck", (0.0, 0.0))
SIX, OTHER_SIX = (3, "6H", "A.pile.3", (0.0, 0.0)), (4, "6C", "A.pile.4", (0.0, 0.0))


@pytest.mark.parametrize(
    ("passed", "surely"), [(("A.deck", "A.pile.6"), True), (("A.stack", "A.deck"), False)]
)
def test_fingers_that_passed_the_deck_and_no_other_pile_surely_took_a_card_there(
    passed: tuple[str, str], *, surely: bool
) -> None:
    table = Table("spy", Touched(A, 5_000, "A.pile.3"), known=SQUARE)
    table.ways["A"] = ((4_400, passed[0], (-20.0, 20.0)), (4_500, passed[1], (-20.0, 20.0)),
                       (4_900, "A.pile.3"))  # fmt: skip
    table.look(0, STACK, DECK, SIX, OTHER_SIX)
    table.still(5, 5_030)
    told = table.looks(5_200, 7_500, STACK, DECK, OTHER_SIX, (5, "7S", "A.pile.3", (2.0, 1.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert placed.origin == "A.deck" or not surely
    assert ((placed.conf or 0.0) >= ACCUSES_FROM) is surely


def test_fingers_that_were_felt_beside_the_deck_and_seen_over_it_took_a_card_there() -> None:
    touches = (Touched(A, 4_300, "A.deck", (-48.0, 0.0)), Touched(A, 5_000, "A.pile.3"))
    table = Table("spy", *touches, known=SQUARE)
    table.ways["A"] = ((4_300, "A.deck", (-48.0, 0.0)), (4_400, "A.deck", (-10.0, 5.0)),
                       (4_900, "A.pile.3"))  # fmt: skip
    table.unseen = ("A.waste",)
    table.look(0, STACK, DECK, SIX, OTHER_SIX)
    table.still(5, 5_030)
    told = table.looks(5_200, 7_500, STACK, DECK, OTHER_SIX, (5, "7S", "A.pile.3", (2.0, 1.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (placed.origin, placed.conf) == ("A.deck", 0.98)


@pytest.mark.parametrize("seen", [True, False])
def test_a_hand_laid_nothing_where_the_table_is_bare_afterwards(*, seen: bool) -> None:
    # On its way to the deck it comes down at the sixth pile, onto which it lays a card at last.
    touches = (Touched(A, 4_000, "A.pile.6", (20.0, -20.0)), Touched(A, 4_500, "A.deck"),
               Touched(A, 5_000, "A.pile.6"))  # fmt: skip
    table = Table("spy", *touches, known=SQUARE)
    table.unseen = () if seen else ("A.pile.6",)
    squares = (STACK, DECK, SIX, OTHER_SIX)
    table.look(0, *squares)
    table.looks(4_100, 4_600, *squares)
    table.hands_over = ("A.pile.6",)
    table.still(5, 5_030)
    told = table.looks(4_700, 5_000, *squares)
    table.hands_over = table.unseen = ()
    told += table.looks(5_300, 7_500, *squares, (5, "7S", "A.pile.6", (2.0, 1.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert placed.origin == "A.deck"
    assert ((placed.conf or 0.0) >= ACCUSES_FROM) is seen


def test_a_hand_that_draws_back_over_the_next_pile_laid_nothing_there() -> None:
    touches = (Touched(A, 4_500, "A.stack"), Touched(A, 5_000, "A.pile.4"),
               Touched(A, 5_300, "A.pile.3"), Touched(A, 6_500, "A.stack"),
               Touched(A, 7_000, "A.pile.3"))  # fmt: skip
    table = Table("spy", *touches, known=SQUARE)
    table.look(0, STACK, DECK, SIX, OTHER_SIX)
    table.still(5, 5_030)
    five = (5, "5S", "A.pile.4", (2.0, 1.0))
    table.looks(5_200, 6_900, STACK, DECK, SIX, five)
    table.still(6, 7_030)
    (placed,) = table.looks(7_200, 9_500, STACK, DECK, five, (6, "7D", "A.pile.3", (2.0, 1.0)))
    assert isinstance(placed, CardPlaced)
    assert (placed.origin, placed.conf) == ("A.stack", 0.98)


def test_a_hand_that_passes_over_the_deck_faster_than_any_carries_took_none_there() -> None:
    touches = (Touched(A, 5_000, "A.stack"), Touched(A, 5_300, "A.deck"),
               Touched(A, 5_450, "A.pile.1"))  # fmt: skip
    known = f"A.stack (??) (??) (??) | A.deck {BACKS}| A.pile.1 9D | A.pile.2 QD"
    table = Table("spy", *touches, known=known)
    stack, deck = (7, "BACK", "A.stack", (0.0, 0.0)), (8, "BACK", "A.deck", (0.0, 0.0))
    queen = (3, "QD", "A.pile.2", (0.0, 0.0))
    table.look(0, stack, deck, (2, "9D", "A.pile.1", (0.0, 0.0)), queen)
    table.still(6, 5_450)
    told = table.looks(5_600, 9_000, stack, deck, queen, (6, "TD", "A.pile.1", (2, 1)))
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert placed.origin == "A.stack"


def test_the_touch_that_took_a_card_off_the_stack_took_none_off_the_deck_beside_it() -> None:
    touches = (Touched(A, 5_000, "A.stack", (0, -40)), Touched(A, 5_500, "A.pile.2"),
               Touched(A, 6_200, "A.pile.1"))  # fmt: skip
    known = f"A.stack (??) (??) (??) | A.deck {BACKS}| A.pile.1 9D | A.pile.2 QD"
    table = Table("spy", *touches, known=known)
    stack, deck = (7, "BACK", "A.stack", (0.0, 0.0)), (8, "BACK", "A.deck", (0.0, 0.0))
    nine, queen = (2, "9D", "A.pile.1", (0.0, 0.0)), (3, "QD", "A.pile.2", (0.0, 0.0))
    king, ten = (5, "KS", "A.pile.2", (2, 1)), (6, "TD", "A.pile.1", (2, 1))
    table.look(0, stack, deck, nine, queen)
    table.still(5, 5_500)
    told = table.looks(5_700, 6_100, stack, deck, nine, king)
    table.still(6, 6_200)
    told += table.looks(6_400, 9_000, stack, deck, king, ten)
    first, second = (one for one in told if isinstance(one, CardPlaced))
    assert (first.origin, first.conf) == ("A.stack", 0.98)
    assert second.conf is not None
    assert second.conf <= WHENCE


def test_who_played_the_card_that_he_had_just_turned_may_have_laid_it_below_another() -> None:
    touches = (Touched(A, 4_420, "A.waste"), Touched(A, 4_830, "F.1"),
               Touched(B, 4_900, "B.work.1"), Touched(B, 5_356, "F.1"))  # fmt: skip
    table = Table("nerds", *touches, known=f"A.stock {BACKS}| A.waste KC | B.work.1 2H")
    two, queen = (3, "2H", "B.work.1", (0.0, 0.0)), (10, "QC", "A.waste", (1.0, 0.0))
    table.look(0, STOCK, two, (8, "KC", "A.waste", (0.0, 0.0)))
    table.still(9, 4_420)
    table.looks(4_430, 4_700, STOCK, two, (9, "AH", "A.waste", (0.0, 0.0)))
    table.hands_over = ("F.1",)
    table.looks(4_733, 5_000, STOCK, two, queen)
    table.hands_over = ()
    table.still(4, 5_356)
    told = table.looks(5_400, 8_000, STOCK, (4, "2H", "F.1", (0.0, 0.0)), queen)
    laid = {str(one.card): one.conf or 0.0 for one in told if isinstance(one, CardPlaced)}
    assert laid.keys() == {"A:AH", "B:2H"}
    assert laid["B:2H"] < ACCUSES_FROM


SPYS = "A.stack (3H) (9C) (2D) (4S) (5D) | A.deck (TC) (4D) (7S) | A.pile.3 7H | A.pile.4 5C"
SEVEN, FIVE = (3, "7H", "A.pile.3", (0.0, 0.0)), (4, "5C", "A.pile.4", (0.0, 0.0))


def test_a_card_that_is_read_after_the_next_one_came_from_where_its_hand_was() -> None:
    touches = (Touched(A, 3_000, "A.stack", (7, -30)), Touched(A, 3_900, "A.pile.3"),
               Touched(A, 4_400, "A.stack", (5, -30)), Touched(A, 4_900, "A.pile.4"))  # fmt: skip
    table = Table("spy", *touches, known=SPYS)
    table.look(0, STACK, DECK, SEVEN, FIVE)
    table.still(5, 3_900)
    table.still(6, 4_900)
    six = (6, "6D", "A.pile.4", (2.0, 1.0))
    told = table.looks(4_950, 6_500, STACK, DECK, SEVEN, six)
    told += table.looks(6_533, 9_000, STACK, DECK, (5, "8D", "A.pile.3", (2.0, 1.0)), six)
    first, second = (one for one in told if isinstance(one, CardPlaced))
    assert (first.origin, second.origin) == ("A.stack", "A.stack")
    assert (second.conf or 0.0) >= ACCUSES_FROM
