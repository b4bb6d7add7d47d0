"""Whose card is it: learned backs follow a card from the picture to the owner that is judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.table.habits import owner_of
from referee.table.layout import plan, zone_at
from referee.table.owners import Owners
from referee.table.piles import Lying, laid
from referee.values import CardRead, PointMm
from referee.values.spots import BACK, Spot
from referee.vision.followed import CardLook, Ground
from referee.vision.gathering import seen_cards
from referee.vision.track import Tracks

FRAME_NS = 33_000_000
STILL = Ground(lambda at, turn: True, lambda at, turn: True, lambda at, turn: 0)
TABLE = plan("nerds", ("A", "B"))


def seat_at(at_mm: PointMm) -> str | None:
    zone = zone_at(TABLE, at_mm)
    return None if zone is None else owner_of(zone.name)


def place(name: str) -> PointMm:
    return next(zone.center_mm for zone in TABLE.zones if zone.name == name)


def back_on(name: str, back: str | None, number: int) -> Spot:
    return Spot(number, BACK, 0.99, place(name), 0.0, 0, 0, back)


def looked_at(backs: list[str | None]) -> tuple[Spot, ...]:
    """What is believed of one face-down card after looks that took its back for these decks'."""
    tracks = Tracks()
    for number, back in enumerate(backs, 1):
        quad = ((70.0, 60.0), (130.0, 60.0), (130.0, 145.0), (70.0, 145.0))
        read = CardRead(BACK, 0.95, (100.0, 102.0), quad, 0.0, back)
        cards = seen_cards([read], lambda points: points)
        t_ns = number * FRAME_NS
        tracks.take(CardLook(t_ns, t_ns - FRAME_NS, cards, STILL))
    return tracks.spots()


@pytest.mark.parametrize(
    ("looks", "believed"),
    [
        (["red", "red", "red"], "red"),
        ([None, "red"], None),
        ([None, None, None, None], None),
        (["red", "blue", "red", "red", "red"], "red"),
        (["red", "blue", "red", "blue"], None),
    ],
)
def test_a_back_is_believed_from_two_looks_on(
    looks: list[str | None], believed: str | None
) -> None:
    assert [spot.back for spot in looked_at(looks)] == [believed]


def test_anns_red_and_bens_blue_deck_are_known_by_where_they_lie() -> None:
    owners = Owners(seat_at)
    lying = (back_on("A.stock", "red", 1), back_on("A.nerts", "red", 2))
    told = owners.told((*lying, back_on("B.stock", "blue", 3)))
    assert [spot.deck for spot in told] == ["A", "A", "B"]


def test_bens_card_at_anns_place_stays_bens() -> None:
    owners = Owners(seat_at)
    lying = tuple(back_on("B.stock", "blue", number) for number in (1, 2))
    owners.told((*lying, back_on("A.stock", "red", 3)))
    strange = back_on("A.stock", "blue", 4)
    assert owners.told((strange,))[0].deck == "B"


def test_a_deck_that_lies_as_often_with_both_is_nobodys() -> None:
    told = Owners(seat_at).told((back_on("A.stock", "red", 1), back_on("B.stock", "red", 2)))
    assert [spot.deck for spot in told] == [None, None]


def test_a_card_that_lies_there_for_long_counts_once() -> None:
    owners = Owners(seat_at)
    for _ in range(5):
        owners.told((back_on("A.stock", "red", 1),))
    told = owners.told(tuple(back_on("B.stock", "red", number) for number in (2, 3)))
    assert {spot.deck for spot in told} == {"B"}


def test_the_back_says_more_than_the_place() -> None:
    spot = replace(back_on("A.stock", "blue", 1), deck="B")
    assert laid(spot, "A").deck == "B"
    assert laid(replace(spot, deck=None), "A").deck == "A"
    known = Lying("7H", "A", True, place("A.stock"), 0.0, 1, 0)
    assert known.shown_by(spot).deck == "B"
    assert known.shown_by(replace(spot, deck=None)).deck == "A"
