"""Open cards of a column of which too little shows to be read, as the table is first seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.table.layout import lay_of, plan
from referee.table.scene import Scene
from referee.table.settled import Settled
from referee.values import CardPlaced, Event, PointMm, Reread
from referee.values.spots import CARD_H_MM, Spot

S_NS = 1_000_000_000
PLAN = plan("nertz", ("A", "B"))
COLUMN = "A.work.2"
STEP_MM = 18.0
SHORT_MM = CARD_H_MM / 2


def _place_mm(at: int) -> PointMm:
    """Return where the card lies that so many lie below in a column of A, his first in y."""
    lay = lay_of(PLAN, next(one for one in PLAN.zones if one.name == COLUMN))
    (x, y), (dx, dy) = lay.first_mm, lay.step_mm
    return x + at * dx, y + at * dy


def _beside_mm(at: int) -> PointMm:
    """Return a place 3 mm on from where a card of that column lies."""
    (x, y), (x1, y1) = _place_mm(at), _place_mm(at + 1)
    return x + (x1 - x) / 6, y + (y1 - y) / 6


def _spot(number: int, face: str, at: int, of: int, still_ns: int = 0) -> Spot:
    """Return a card of a column that shows so many cards, upright to its player."""
    reach_mm = SHORT_MM + at * STEP_MM, SHORT_MM + (of - 1 - at) * STEP_MM
    at_mm = _place_mm(at)
    return Spot(number, face, 0.99, at_mm, 0.0, still_ns - 1, still_ns, reach_mm=reach_mm)


def _begun(*spots: Spot) -> Scene:
    scene = Scene(PLAN)
    scene.begin(Settled(0, spots, lambda zone: 0))
    return scene


def _faces(scene: Scene) -> list[str]:
    return [card.face for card in scene.piles[COLUMN]]


def test_where_a_column_begins_before_the_lowest_card_that_is_read_others_lie_below_it() -> None:
    assert _faces(_begun(_spot(1, "AH", 1, 2))) == ["??", "AH"]
    assert _faces(_begun(_spot(1, "5H", 2, 3))) == ["??", "??", "5H"]


def test_a_card_that_lies_where_columns_begin_lies_on_none_whatever_shows_before_it() -> None:
    assert _faces(_begun(_spot(1, "AH", 0, 2))) == ["AH"]


def test_a_card_that_lies_farther_on_with_nothing_before_it_lies_on_none() -> None:
    askew = Spot(1, "AH", 0.99, _place_mm(1), 0.0, 0, 0, reach_mm=(SHORT_MM, SHORT_MM))
    assert _faces(_begun(askew)) == ["AH"]


def test_between_two_cards_whose_ranks_and_places_leave_room_for_one_that_lies() -> None:
    assert _faces(_begun(_spot(1, "6H", 0, 3), _spot(2, "4D", 2, 3))) == ["6H", "??", "4D"]


@pytest.mark.parametrize(
    ("low", "high", "at"),
    [("6H", "4S", 2), ("6H", "5S", 2), ("4H", "6D", 2), ("6H", "4D", 0)],
    ids=["red on black", "the next one, farther on", "going up", "no room"],
)
def test_else_none_lies_between_them(low: str, high: str, at: int) -> None:
    lies = _begun(_spot(1, low, 0, at + 1), _spot(2, high, at, at + 1))
    assert sorted(_faces(lies)) == sorted((low, high))


def test_half_covered_cards_that_are_put_beside_where_they_lie_are_ordered_by_their_ranks() -> None:
    near = _spot(2, "QD", 0, 3), _spot(1, "KC", 1, 3), _spot(3, "JS", 2, 3)
    assert _faces(_begun(*near)) == ["KC", "QD", "JS"]


def test_an_unread_card_beside_one_that_the_next_fits_onto_lies_below_both() -> None:
    unread = replace(_spot(2, "??", 0, 3), at_mm=_beside_mm(0))
    assert _faces(_begun(_spot(1, "2H", 0, 3), unread, _spot(3, "AS", 2, 3))) == ["??", "2H", "AS"]
    assert _faces(_begun(_spot(1, "3H", 0, 3), unread, _spot(3, "AS", 2, 3))) == ["3H", "??", "AS"]


def test_cards_that_go_down_in_no_order_lie_as_they_are_seen() -> None:
    odd = _spot(1, "4H", 0, 3), _spot(2, "KC", 1, 3), _spot(3, "JS", 2, 3)
    assert _faces(_begun(*odd)) == ["4H", "KC", "JS"]


def test_a_card_that_shows_when_the_one_on_it_is_played_is_read_and_was_laid_by_nobody() -> None:
    scene = _begun(_spot(1, "AH", 1, 2))
    foundation = next(zone for zone in PLAN.zones if zone.name == "F.1")
    told: list[Event] = []
    for t_ns in range(5 * S_NS, 9 * S_NS, S_NS // 10):
        ace = Spot(2, "AH", 0.99, foundation.center_mm, 0.0, 5 * S_NS - 1, 5 * S_NS)
        spots = _spot(3, "2C", 0, 1, 5 * S_NS - S_NS // 2), ace
        told += scene.step(Settled(t_ns, spots, lambda zone: 0))
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert (str(placed.card), placed.target) == ("A:AH", "F.1")
    (read,) = (one for one in told if isinstance(one, Reread))
    assert (read.zone, str(read.new)) == (COLUMN, "A:2C")


@pytest.mark.parametrize(
    ("face", "at", "lies"),
    [
        ("9S", 1, ["TD", "9S", "??", "7C"]),
        ("8D", 2, ["TD", "??", "8D", "7C"]),
        ("8D", 1, ["TD", "??", "8D", "7C"]),
        ("QH", 1, ["TD", "QH", "??", "7C"]),
    ],
    ids=["the first", "the second", "beside its place", "misread"],
)
def test_a_card_of_a_column_that_is_read_late_between_others_was_laid_by_nobody(
    face: str, at: int, lies: list[str]
) -> None:
    ends = _spot(1, "TD", 0, 4), _spot(2, "7C", 3, 4)
    scene = _begun(*ends)
    assert _faces(scene) == ["TD", "??", "??", "7C"]
    told: list[Event] = []
    for t_ns in range(S_NS, 4 * S_NS, S_NS // 10):
        # A hand was over them meanwhile.
        late = _spot(3, face, at, 4, S_NS // 2)
        told += scene.step(Settled(t_ns, (*ends, late), lambda zone: 0))
    assert _faces(scene) == lies
    assert [type(one) for one in told] == [Reread]


@pytest.mark.parametrize("beside_mm", [2.0, 12.0])
def test_what_is_not_read_now_either_is_the_card_that_a_strip_shows_of(beside_mm: float) -> None:
    ends = _spot(1, "TD", 0, 3), _spot(2, "8H", 2, 3)
    scene = _begun(*ends)
    x_mm, y_mm = _place_mm(1)
    late = replace(_spot(3, "??", 1, 3, S_NS // 2), at_mm=(x_mm + beside_mm, y_mm + beside_mm / 2))
    told: list[Event] = []
    for t_ns in range(S_NS, 4 * S_NS, S_NS // 10):
        told += scene.step(Settled(t_ns, (*ends, late), lambda zone: 0))
    assert not told
    assert _faces(scene) == ["TD", "??", "8H"]


def test_a_card_that_shows_when_others_are_taken_lay_between_those_that_lack_it() -> None:
    near = _spot(1, "JC", 0, 4), replace(_spot(2, "9S", 0, 4), at_mm=_beside_mm(0))
    eight = _spot(3, "8D", 2, 4)
    scene = _begun(*near, eight)
    for t_ns in range(S_NS, 2 * S_NS, S_NS // 10):
        scene.step(Settled(t_ns, (*near, eight), lambda zone: 0))
    shows = Spot(4, "TH", 0.99, _place_mm(1), 0.0, 2 * S_NS, 2 * S_NS + S_NS // 10)
    told: list[Event] = []
    for t_ns in range(2 * S_NS + S_NS // 5, 6 * S_NS, S_NS // 10):
        told += scene.step(Settled(t_ns, (shows,), lambda zone: 0))
    assert [one for one in told if isinstance(one, CardPlaced)] == []
    assert _faces(scene)[:2] == ["JC", "TH"]


def test_a_card_that_was_lost_from_sight_is_not_the_unread_one_beside_it() -> None:
    nine, seven = _spot(1, "9D", 0, 3), _spot(2, "7D", 2, 3)
    scene = _begun(nine, seven)
    for t_ns in range(S_NS, 2 * S_NS, S_NS // 10):
        scene.step(Settled(t_ns, (nine, seven), lambda zone: 0))
    scene.step(Settled(2 * S_NS, (seven,), lambda zone: 0))
    again = replace(_spot(3, "9D", 0, 3, 2 * S_NS), at_mm=_beside_mm(0))
    for t_ns in range(2 * S_NS + S_NS // 10, 4 * S_NS, S_NS // 10):
        scene.step(Settled(t_ns, (again, seven), lambda zone: 0))
    assert [(card.face, card.spot) for card in scene.piles[COLUMN]] == [
        ("9D", 3),
        ("??", None),
        ("7D", 2),
    ]
