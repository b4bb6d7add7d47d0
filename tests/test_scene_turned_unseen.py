"""A waste that the hand hides while it lies on the stock again, and the next turn from it."""

from __future__ import annotations

import pytest
from test_scene_rough import L, Table, Touched

from referee.values import PileMoved

BACKS = (1, "BACK", "A.stock", (0.0, 0.0))
TOP = (2, "6S", "A.waste", (0.0, 0.0))
WASTE = "A.waste 4H (9D) 2S " + "5C 7D TH " * 5 + "8C 3D 6S"


def _turned(shown: str) -> list[tuple[str, str, int]]:
    """Return what is told of blocks where a card shows on the waste that was taken up."""
    touches = (Touched(L, 4_000, "A.waste"), Touched(L, 4_300, "A.stock"),
               Touched(L, 5_100, "A.waste"))  # fmt: skip
    table = Table("nertz", *touches, known=WASTE)
    table.looks(0, 3_800, TOP)
    told = table.looks(4_500, 5_300)
    table.still(3, 5_200)
    lower = (3, shown, "A.waste", (2, 1))
    told += table.looks(5_400, 6_000, lower)
    told += table.looks(6_000, 9_000, lower, BACKS)
    return [(e.origin, e.target, e.count) for e in told if isinstance(e, PileMoved)]


def test_the_third_card_of_a_waste_shows_since_that_was_turned_over_and_drawn_from() -> None:
    assert _turned("2S") == [("A.waste", "A.stock", 21), ("A.stock", "A.waste", 3)]


@pytest.mark.parametrize("shown", ["8C", "3D"])
def test_a_card_below_the_top_one_of_a_waste_shows_since_that_was_taken(shown: str) -> None:
    assert ("A.waste", "A.stock", 21) not in _turned(shown)


def test_a_waste_was_turned_over_onto_the_few_backs_that_were_left_of_its_stock() -> None:
    touches = (Touched(L, 4_000, "A.waste"), Touched(L, 4_300, "A.stock"),
               Touched(L, 5_100, "A.waste"))  # fmt: skip
    table = Table("nerds", *touches, known=WASTE + "| A.stock (KD) (QD)")
    table.looks(0, 3_800, TOP, BACKS)
    told = table.looks(4_500, 5_300, BACKS)
    table.still(3, 5_200)
    told += table.looks(5_400, 9_000, (3, "2S", "A.waste", (2, 1)), BACKS)
    blocks = [(e.origin, e.target, e.count) for e in told if isinstance(e, PileMoved)]
    assert ("A.waste", "A.stock", 21) in blocks
    assert blocks[-1] == ("A.stock", "A.waste", 3)
    assert len(table.scene.piles["A.waste"]) == 3


def test_a_back_where_a_used_up_stock_lay_is_none_that_nobody_counted_while_its_waste_is_gone() -> (
    None
):
    """It shows before the waste is missed: that was turned over, all of it."""
    touches = (Touched(L, 2_500, "A.stock"), Touched(L, 3_000, "A.waste"),
               Touched(L, 4_000, "A.waste"), Touched(L, 4_300, "A.stock"),
               Touched(L, 5_400, "A.waste"))  # fmt: skip
    table = Table("nerds", *touches, known=WASTE + " | A.stock (QD)")
    table.scene.piles.deep.add("A.stock")
    table.looks(0, 2_500, TOP, BACKS)
    table.still(4, 3_000)
    queen, back = (4, "QD", "A.waste", (1.0, 2.0)), (5, "BACK", "A.stock", (1.0, 0.0))
    told = table.looks(3_200, 4_000, queen)
    table.still(5, 4_300)
    told += table.looks(4_500, 5_400, back)
    table.still(6, 5_400)
    told += table.looks(5_600, 9_000, (6, "2S", "A.waste", (2.0, 1.0)), back)
    blocks = [(e.origin, e.target, e.count) for e in told if isinstance(e, PileMoved)]
    assert blocks[-2:] == [("A.waste", "A.stock", 22), ("A.stock", "A.waste", 3)]


def test_of_a_waste_turned_over_under_the_hand_the_next_turn_tells_with_all_that_was_left() -> None:
    # The hand hides both piles from the last draw on, of which two cards too many were believed.
    touches = (Touched(L, 4_000, "A.waste"), Touched(L, 4_300, "A.stock"),
               Touched(L, 5_100, "A.waste"))  # fmt: skip
    table = Table("nertz", *touches, known=WASTE + "| A.stock (KD) (QD)")
    table.looks(0, 2_000, TOP, BACKS)
    table.hands_over = ("A.stock",)
    table.looks(2_000, 3_800, TOP, BACKS)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_500, 5_300, BACKS)
    table.hands_over = ()
    table.still(3, 5_200)
    told += table.looks(5_400, 9_000, (3, "2S", "A.waste", (2, 1)), BACKS)
    blocks = [(e.origin, e.target, e.count) for e in told if isinstance(e, PileMoved)]
    assert blocks == [
        ("A.stock", "A.waste", 2),
        ("A.waste", "A.stock", 23),
        ("A.stock", "A.waste", 3),
    ]
    assert len(table.scene.piles["A.stock"]) == 20


@pytest.mark.parametrize("shown", ["2S", "4H"])
def test_a_waste_that_was_believed_under_the_hand_was_turned_over_where_backs_lie_again(
    shown: str,
) -> None:
    # Of the first turn since, the top card may have been played before any was seen.
    touches = (Touched(L, 4_000, "A.waste"), Touched(L, 4_300, "A.stock"),
               Touched(L, 5_100, "A.waste"))  # fmt: skip
    table = Table("nertz", *touches, known=WASTE)
    table.looks(0, 3_800, TOP)
    table.hands_over = ("A.waste",)
    told = table.looks(3_800, 4_500, TOP)
    told += table.looks(4_500, 5_300, TOP, BACKS)
    table.hands_over = ()
    table.still(3, 5_200)
    told += table.looks(5_400, 9_000, (3, shown, "A.waste", (2, 1)), BACKS)
    blocks = [(e.origin, e.target, e.count) for e in told if isinstance(e, PileMoved)]
    assert blocks == [("A.waste", "A.stock", 21), ("A.stock", "A.waste", 3)]


def test_a_waste_that_a_hand_hid_till_it_lay_on_backs_again_was_turned_over() -> None:
    """Where it lay is seen bare only when the hand has left the stock as well."""
    known = "A.waste 5C 7D TH 6S | A.stock (KD) (QD) (3H)"
    table = Table("nerds", Touched(L, 4_300, "A.stock"), known=known)
    table.stirs = (("A.waste", 3_900, 4_600),)
    table.looks(0, 3_800, TOP, BACKS)
    table.hands_over = ("A.waste", "A.stock")
    told = table.looks(3_866, 4_600, TOP, BACKS)
    table.hands_over = ()
    told += table.looks(4_620, 9_000, BACKS)
    (turned,) = (one for one in told if isinstance(one, PileMoved))
    assert (turned.origin, turned.target, turned.flip) == ("A.waste", "A.stock", True)


@pytest.mark.parametrize(("came_ms", "turns"), [(3_820, 0), (3_500, 1)])
def test_a_hand_drew_the_last_backs_only_where_there_was_time_to_carry_both(
    came_ms: int, turns: int
) -> None:
    touches = (Touched(L, came_ms, "A.stock"), Touched(L, 4_300, "A.stock", (50, 0)))
    table = Table("nerds", *touches, known="A.waste 5C 7D TH 6S | A.stock (KD) (QD)")
    table.looks(0, 3_400, TOP, BACKS)
    table.hands_over = ("A.waste", "A.stock")
    told = table.looks(3_450, 4_600, TOP, BACKS)
    table.hands_over = ()
    told += table.looks(4_620, 9_000, BACKS)
    blocks = [(e.target, e.count) for e in told if isinstance(e, PileMoved)]
    assert blocks == [("A.waste", 2)] * turns + [("A.stock", 4 + 2 * turns)]


@pytest.mark.parametrize("cards", [5, 3], ids=["a waste", "no more than a turn"])
def test_a_whole_waste_that_nobody_was_seen_to_take_was_turned_over_where_its_place_is_bare(
    cards: int,
) -> None:
    """The hand that rests upon the stock turns it over there, and comes down nowhere."""
    waste = " ".join("4H 9D 2S 7C 6S".split()[-cards:])
    table = Table("nertz", known=f"A.waste {waste} | A.stock (KD) (QD)")
    table.looks(0, 3_800, TOP, BACKS)
    told = [e for e in table.looks(3_900, 9_000, BACKS) if isinstance(e, PileMoved)]
    assert [(e.origin, e.target, e.flip, e.conf) for e in told if e.count == cards] == [
        ("A.waste", "A.stock", True, 0.8)
    ] * (cards == 5)


def test_a_waste_whose_place_was_bare_for_a_moment_was_turned_over_where_the_next_turn_shows() -> (
    None
):
    # Its last turn used up the stock; the back seems to lie there all the time under the hand.
    touches = (Touched(L, 3_400, "A.stock"), Touched(L, 4_000, "A.waste"),
               Touched(L, 5_100, "A.stock"))  # fmt: skip
    table = Table("nertz", *touches, known=WASTE)
    table.look(0, TOP, BACKS)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(1_000, 3_900, TOP, BACKS)
    told += table.looks(4_000, 4_400, BACKS)
    table.hands_over = ()
    told += table.looks(4_400, 5_000, BACKS)
    table.hands_over = ("A.stock", "A.waste")
    table.still(3, 5_200)
    told += table.looks(5_400, 6_000, BACKS, (3, "JC", "A.waste", (2, 1)))
    table.hands_over = ()
    told += table.looks(6_000, 9_000, BACKS, (3, "JC", "A.waste", (2, 1)))
    blocks = [(e.origin, e.target) for e in told if isinstance(e, PileMoved)]
    assert blocks == [("A.waste", "A.stock"), ("A.stock", "A.waste")]
