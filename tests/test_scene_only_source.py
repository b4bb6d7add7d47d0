"""A card whose taking was not felt is surely of the only pile that it can have come from."""

from __future__ import annotations

import pytest
from test_scene_rough import A, B, Table, Touched

from referee.table.evidence import no_ways, untouched
from referee.table.found import LIKELY, NOWHERE_ELSE, WHENCE, Found
from referee.table.layout import plan
from referee.table.moves import nobody
from referee.table.parts import parts_of
from referee.values import Actor, CardPlaced, PointMm
from referee.values.spots import Spot

S = 1_000_000_000
NERTS_PILE = "| A.nerts (3C) (4C) A:KS | A.work.1 A:6H"
KNOWN = "A.stock " + "(2C) " * 20 + "| A.waste (5C) (6C) A:9D " + NERTS_PILE
STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
WASTE = (2, "9D", "A.waste", (0.0, 0.0))
NERTS = (3, "KS", "A.nerts", (0.0, 0.0))
SIX = (4, "6H", "A.work.1", (0.0, 0.0))
FIVE = (5, "5S", "A.work.1", (0.0, -24.0))
OVER_THE_STOCK = ((4_433, "A.stock"), (4_900, "A.work.1"))


def five_on_the_six(
    way: tuple[tuple[int, str], ...], *after: tuple[int, str, str, PointMm]
) -> CardPlaced:
    """Return what is told of a five that nobody saw before, laid on a six at five seconds."""
    table = Table("nertz", Touched(A, 5_000, "A.work.1", (0, -24)), known=KNOWN)
    table.look(0, STOCK, WASTE, NERTS, SIX)
    return laid_on_the_six(table, way, *after)


def laid_on_the_six(
    table: Table, way: tuple[tuple[int, str], ...], *after: tuple[int, str, str, PointMm]
) -> CardPlaced:
    table.ways["A"] = way
    table.still(5, 5_000)
    told = table.looks(5_400, 8_000, SIX, FIVE, *after)
    return next(one for one in told if isinstance(one, CardPlaced) and one.target == "A.work.1")


def test_a_card_is_surely_out_of_the_stock_where_all_other_piles_lay_still() -> None:
    told = five_on_the_six(OVER_THE_STOCK, STOCK, WASTE, NERTS)
    assert (told.origin, told.conf) == ("A.stock", NOWHERE_ELSE)


def test_a_card_is_not_surely_out_of_the_stock_where_another_shows_on_the_waste_since() -> None:
    """The turn that it was of is seen when the hand that made it leaves the waste."""
    table = Table("nertz", Touched(A, 5_000, "A.work.1", (0, -24)), known=KNOWN)
    table.look(0, STOCK, WASTE, NERTS, SIX)
    table.still(6, 5_060)
    queen = (6, "QH", "A.waste", (2.0, 1.0))
    told = laid_on_the_six(table, OVER_THE_STOCK, STOCK, WASTE, NERTS, queen)
    assert told.conf is not None
    assert told.conf < NOWHERE_ELSE


def test_a_card_is_not_surely_out_of_the_stock_where_the_fingers_were_at_the_waste() -> None:
    """It may have been pulled from under the waste's top card."""
    told = five_on_the_six(((4_400, "A.waste"), *OVER_THE_STOCK), STOCK, WASTE, NERTS)
    assert told.conf is not None
    assert told.conf <= LIKELY


def test_a_card_is_not_surely_out_of_the_stock_where_a_hand_rested_on_a_waste_never_seen() -> None:
    """It may have been turned up under that hand, and played from there."""
    known = KNOWN.replace("| A.waste (5C) (6C) A:9D ", "")
    table = Table("nertz", Touched(A, 5_000, "A.work.1", (0, -24)), known=known)
    table.look(0, STOCK, NERTS, SIX)
    table.unseen = ("A.waste",)
    told = laid_on_the_six(table, OVER_THE_STOCK, STOCK, NERTS)
    assert told.conf is not None
    assert told.conf <= LIKELY


@pytest.mark.parametrize(("bare_until_ms", "surely"), [(4_600, True), (3_000, False)])
def test_a_bare_work_place_over_which_the_arm_came_with_the_card_did_not_hold_it(
    bare_until_ms: int, surely: bool
) -> None:
    known = KNOWN.replace("| A.waste (5C) (6C) A:9D ", "")
    table = Table("nertz", Touched(A, 5_000, "A.work.1", (0, -24)), known=known)
    table.look(0, STOCK, NERTS, SIX)
    table.looks(100, bare_until_ms, STOCK, NERTS, SIX)
    table.unseen = ("A.work.2", "A.work.3")
    told = laid_on_the_six(table, OVER_THE_STOCK, STOCK, NERTS)
    assert (told.conf == NOWHERE_ELSE) == surely


def test_the_place_where_the_card_lies_now_did_not_hide_it() -> None:
    known = KNOWN.replace("| A.waste (5C) (6C) A:9D ", "").replace("| A.work.1 A:6H", "")
    table = Table("nertz", Touched(A, 5_000, "A.work.1"), known=known)
    table.look(0, STOCK, NERTS)
    table.unseen = ("A.work.1",)
    table.ways["A"] = OVER_THE_STOCK
    table.still(5, 5_000)
    told = table.looks(5_400, 8_000, STOCK, NERTS, (5, "5S", "A.work.1", (0.0, 0.0)))
    placed = next(one for one in told if isinstance(one, CardPlaced))
    assert (placed.origin, placed.conf) == ("A.stock", NOWHERE_ELSE)


def test_a_card_is_not_surely_out_of_the_stock_where_it_may_have_lain_unread_below_others() -> None:
    known = KNOWN.replace("| A.work.1 A:6H", "")
    table = Table("nertz", Touched(A, 5_000, "A.work.1", (0, -24)), known=known)
    table.look(0, STOCK, WASTE, NERTS, SIX, (6, "TD", "A.work.1", (0.0, -48.0)))
    told = laid_on_the_six(table, OVER_THE_STOCK, STOCK, WASTE, NERTS)
    assert told.conf is not None
    assert told.conf < NOWHERE_ELSE


def test_a_card_is_not_surely_out_of_the_stock_while_one_that_was_never_read_is_missing() -> None:
    told = five_on_the_six(OVER_THE_STOCK, STOCK, WASTE)
    assert told.conf is not None
    assert told.conf <= LIKELY


def test_a_card_that_was_taken_after_another_of_its_face_lay_is_not_surely_that_one() -> None:
    resting = parts_of(plan("spy", "ABC"), nobody, untouched, no_ways, lambda zone: False).resting
    king = Spot(1, "KS", 0.99, (0.0, 0.0), 0.0, 4_900_000_000, 5_000_000_000)
    before, after = (Found("A.deck", hidden=True, lifted_ns=t_ns) for t_ns in (4 * S, 6 * S))
    assert resting.most_conf(king, "C.aside", A, before, None) == 1.0
    assert resting.most_conf(king, "C.aside", A, after, None) == LIKELY


def test_a_pile_to_which_the_hand_came_when_the_card_lay_gave_the_next_one() -> None:
    resting = parts_of(plan("spy", "AB"), nobody, untouched, no_ways, lambda zone: False).resting
    five = Spot(1, "5C", 0.99, (0.0, 0.0), 0.0, 4 * S, 5 * S)
    before, after = (Found("A.stack", lifted_ns=t_ns) for t_ns in (4 * S, 4_600_000_000))
    assert resting.most_conf(five, "A.waste", A, before, None) == 1.0
    assert resting.most_conf(five, "A.waste", A, after, None) == LIKELY


def test_a_pile_that_lies_nearer_to_its_player_may_have_been_passed_unseen() -> None:
    """The deck of Spy lies before the closed stack: fingers that come back over it are not seen."""
    known = "A.stack (3H) (9C) (2D) | A.deck (TC) (4D) (7S) | A.pile.1 KC"
    table = Table("spy", Touched(A, 5_000, "A.pile.1"), known=known)
    stack, deck = (1, "BACK", "A.stack", (0.0, 0.0)), (2, "BACK", "A.deck", (0.0, 0.0))
    table.look(0, stack, deck, (3, "KC", "A.pile.1", (0.0, 0.0)))
    table.ways["A"] = ((4_300, "A.stack"), (4_900, "A.pile.1"))
    table.still(4, 5_000)
    (told,) = table.looks(5_200, 8_000, stack, deck, (4, "2D", "A.pile.1", (2.0, 1.0)))
    assert isinstance(told, CardPlaced)
    assert told.conf is not None
    assert told.conf <= WHENCE


def test_of_the_last_two_backs_the_first_was_laid_before_the_second_was_taken() -> None:
    left, right = Actor("B", "L"), Actor("B", "R")
    touches = (Touched(left, 4_500, "B.stack"), Touched(left, 5_000, "B.pile.2"),
               Touched(right, 5_300, "B.stack"), Touched(right, 5_800, "B.pile.1"))  # fmt: skip
    table = Table("spy", *touches, known="B.stack (8H) (2C) | B.deck (4D) (6S) | B.pile.1 9D")
    back, deck = (1, "BACK", "B.stack", (0.0, 0.0)), (2, "BACK", "B.deck", (0.0, 0.0))
    nine, ace = (3, "9D", "B.pile.1", (0.0, 0.0)), (4, "AD", "B.pile.2", (0.0, 0.0))
    table.looks(0, 4_900, back, deck, nine, ace)
    table.still(5, 5_000)
    table.still(6, 5_800)
    table.looks(5_500, 5_700, deck, nine, ace)
    told = table.looks(5_800, 9_000, deck, nine, (5, "2C", "B.pile.2", (0.0, 0.0)))
    told += table.looks(9_100, 12_000, deck, (5, "2C", "B.pile.2", (0.0, 0.0)),
                        (6, "8H", "B.pile.1", (0.0, 0.0)))  # fmt: skip
    laid = [(str(one.card), one.origin) for one in told if isinstance(one, CardPlaced)]
    assert laid == [("2C", "B.stack"), ("8H", "B.stack")]


def test_a_pile_that_is_only_laid_onto_gave_no_card_to_the_hand_that_passed_over_it() -> None:
    known = "A.stack (9C) | A.deck (TC) (4D) (7S) | A.pile.4 (5D) 6C | A.pile.3 6H"
    table = Table("spy", Touched(A, 5_000, "A.pile.3"), known=known)
    deck, six = (1, "BACK", "A.deck", (0.0, 0.0)), (2, "6C", "A.pile.4", (0.0, 0.0))
    stack = (5, "BACK", "A.stack", (0.0, 0.0))
    table.look(0, stack, deck, six, (3, "6H", "A.pile.3", (0.0, 0.0)))
    table.ways["A"] = ((4_300, "A.deck"), (4_600, "A.pile.4"), (4_900, "A.pile.3"))
    table.still(4, 5_000)
    (told,) = table.looks(5_200, 8_000, stack, deck, six, (4, "7S", "A.pile.3", (2.0, 1.0)))
    assert isinstance(told, CardPlaced)
    assert (told.origin, told.conf) == ("A.deck", NOWHERE_ELSE)


@pytest.mark.parametrize(("stack", "conf"), [("A.stack (9C) | ", NOWHERE_ELSE), ("", LIKELY)])
def test_a_stack_that_was_never_seen_may_have_been_overlooked(stack: str, conf: float) -> None:
    known = stack + "A.deck (TC) (4D) (7S) | A.pile.3 6H"
    table = Table("spy", Touched(A, 5_000, "A.pile.3"), known=known)
    deck, six = (1, "BACK", "A.deck", (0.0, 0.0)), (2, "6H", "A.pile.3", (0.0, 0.0))
    seen = (deck, (3, "BACK", "A.stack", (0.0, 0.0))) if stack else (deck,)
    table.look(0, six, *seen)
    # The game was found in play: nobody counted it.
    table.scene.piles.deep.add("A.deck")
    table.ways["A"] = ((4_300, "A.deck"), (4_900, "A.pile.3"))
    table.still(4, 5_000)
    (told,) = table.looks(5_200, 8_000, *seen, (4, "7S", "A.pile.3", (2.0, 1.0)))
    assert isinstance(told, CardPlaced)
    assert (told.origin, told.conf) == ("A.deck", conf)


def test_a_hand_that_was_never_seen_to_hold_backs_is_no_place_that_was_overlooked() -> None:
    table = Table("nerves", Touched(B, 5_000, "play.B"), known="B.rest (TC) (4D) | play.B 6H")
    rest = (1, "BACK", "B.rest", (0.0, 0.0))
    table.look(0, rest, (2, "6H", "play.B", (0.0, 0.0)))
    table.scene.piles.deep.add("B.rest")
    table.ways["B"] = ((4_300, "B.rest"), (4_900, "play.B"))
    table.still(3, 5_000)
    (told,) = table.looks(5_200, 8_000, rest, (3, "7S", "play.B", (2.0, 1.0)))
    assert isinstance(told, CardPlaced)
    assert told.origin == "B.rest"
    assert told.conf is not None
    assert told.conf > LIKELY
