"""A card that no hand was seen to take, while the one that lay below it shows."""

from __future__ import annotations

import pytest
from test_scene_rough import MS, A, B, Table, Touched

from referee.table.evidence import Contact, Evidence, untouched
from referee.table.laid_bare import LaidBare
from referee.table.layout import plan
from referee.table.piles import Piles
from referee.values import Actor, CardPlaced, PointMm
from referee.values.spots import Spot

FIRST, SECOND = (0.0, 40.0), (0.0, 20.0)


def test_a_card_that_bared_a_back_was_played_though_another_covered_it_at_once() -> None:
    touches = (Touched(A, 5_400, "play.A"), Touched(B, 5_450, "B.arr.1", (0.0, -40.0)),
               Touched(B, 5_900, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known="play.A 5C | A.arr.1 (2C) 6D | B.arr.1 7S")
    five, seven = (2, "5C", "play.A", (0.0, 0.0)), (3, "7S", "B.arr.1", (0.0, -40.0))
    back, laid = (4, "BACK", "A.arr.1", FIRST), (5, "7S", "play.A", (2.0, 1.0))
    table.look(0, (1, "6D", "A.arr.1", SECOND), five, seven)
    told = table.looks(4_000, 5_000, (1, "6D", "A.arr.1", SECOND), five, seven)
    table.still(4, 5_000)
    table.still(5, 5_900)
    table.hands_over = ("play.A",)
    told += table.looks(5_100, 5_450, back, five, seven) + table.looks(5_460, 5_950, back)
    table.hands_over = ()
    told += table.looks(5_960, 8_000, back, laid)
    placed = [(str(one.card), one.target) for one in told if isinstance(one, CardPlaced)]
    assert placed == [("6D", "play.A"), ("7S", "play.A")]


def test_a_covered_card_that_shows_again_is_none_that_was_taken_only_afterwards() -> None:
    # While A takes up his waste, the lower card of a pile in the middle shows at an angle again.
    known = "A.stock (??) | A.waste A:3H A:9D | F.1 A:2H B:3H B:4H"
    table = Table("nertz", Touched(A, 4_000, "A.waste"), known=known)
    four, nine = (1, "4H", "F.1", (0, 0)), (2, "9D", "A.waste", (0, 0))
    table.look(0, four, nine)
    table.looks(3_000, 3_900, four, nine)
    table.still(3, 1_000)
    told = table.looks(4_200, 5_200, four)
    told += table.looks(5_200, 7_000, four, (3, "3H", "F.1", (6, 6)))
    assert not [event for event in told if isinstance(event, CardPlaced)]
    assert [card.face for card in table.scene.piles["F.1"]] == ["2H", "3H", "4H"]


def test_a_card_laid_where_none_was_counted_is_told_though_nobody_saw_whence_it_came() -> None:
    # He drew it out from under his open waste; a foundation is built up, and nobody took the two.
    touches = Touched(B, 1_800, "B.waste"), Touched(B, 2_200, "F.1")
    table = Table("nerds", *touches)
    two, queen = (1, "2C", "F.1", (0, 0)), (2, "QH", "B.waste", (0, 0))
    table.look(0, two, queen)
    told = table.looks(500, 1_900, two, queen)
    table.hands_over = ("F.1",)
    told += table.looks(1_900, 2_500, queen)
    table.hands_over = ()
    table.still(3, 2_250)
    told += table.looks(2_500, 6_000, queen, (3, "3C", "F.1", (1, -2)))
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert (str(placed.card), placed.target, placed.actor.seat) == ("3C", "F.1", "B")
    assert (placed.conf or 0.0) < 0.5


NERTZ = plan("nertz", ("A", "B"))
MIDDLES = {zone.name: zone.center_mm for zone in NERTZ.zones}


def _bares(*, still_ms: int, drawn: bool) -> bool:
    """Whether a card was bared by one that was touched at 1 s and laid elsewhere at 2 s."""
    carried = LaidBare(Piles(), Evidence(NERTZ, untouched))
    carried.leave("A.waste", None, 1_000 * MS, 2_000 * MS)
    still_ns = still_ms * MS
    spot = Spot(1, "QC", 0.99, MIDDLES["A.waste"], 0.0, still_ns - 30 * MS, still_ns)
    return carried.bares("A.waste", spot, drawn=drawn)


@pytest.mark.parametrize(
    ("still_ms", "drawn", "bared"),
    [(1_200, True, True), (1_800, True, False), (1_800, False, True), (2_200, False, False)],
)
def test_who_is_slow_to_lift_a_card_bares_the_one_below_unless_he_drew_it(
    still_ms: int, drawn: bool, bared: bool
) -> None:
    assert _bares(still_ms=still_ms, drawn=drawn) is bared


def _evidence(*touches: Contact) -> Evidence:
    def touched(seat: str | None, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
        near = (
            one
            for one in touches
            if one.actor.seat == seat and t0_ns <= one.t_ns <= t1_ns and one.apart_mm(at_mm) < 75.0
        )
        return max(near, key=lambda one: one.t_ns, default=None)

    return Evidence(NERTZ, touched)


def test_fingers_that_come_down_on_the_stock_are_not_yet_those_that_lay_on_the_waste() -> None:
    waste, stock = MIDDLES["A.waste"], MIDDLES["A.stock"]
    between = (stock[0] + 0.1 * (waste[0] - stock[0]), stock[1] + 0.1 * (waste[1] - stock[1]))
    draws = Contact(Actor("A", "L"), 1_000 * MS, 30 * MS, between)
    lays = Contact(Actor("A", "L"), 800 * MS, 30 * MS, waste)
    assert _evidence(draws).came_down(waste, 0, 2_000 * MS) is None
    assert _evidence(draws, lays).came_down(waste, 0, 2_000 * MS) == lays
    assert _evidence(draws, lays).came_down(stock, 0, 2_000 * MS) == draws


@pytest.mark.parametrize(
    ("known", "told"),
    [("", ["A.work.2>F.1"]), ("A.work.2 A:AH", ["A.work.2>F.1", "A.held>A.work.2"])],
    ids=["found in play", "counted"],
)
def test_a_card_that_shows_where_the_last_one_of_a_column_was_taken_lay_below_it(
    known: str, told: list[str]
) -> None:
    touches = Touched(A, 4_400, "A.work.2"), Touched(A, 5_000, "F.1")
    table = Table("nertz", *touches, known=known)
    ace, laid = (1, "AH", "A.work.2", (0.0, 0.0)), (2, "AH", "F.1", (0.0, 0.0))
    table.looks(0, 4_300, ace)
    table.still(2, 5_000)
    table.still(3, 4_600)
    events = table.looks(4_600, 5_050, two := (3, "2C", "A.work.2", (0.0, 2.0)))
    events += table.looks(5_050, 8_000, two, laid)
    moved = [f"{one.origin}>{one.target}" for one in events if isinstance(one, CardPlaced)]
    assert sorted(moved, reverse=True) == sorted(told, reverse=True)
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["2C"]
