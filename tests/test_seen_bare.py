"""Places that are seen bare when a camera opens on a game in play are known to be empty."""

from __future__ import annotations

from math import dist

from referee.table.layout import plan
from referee.table.start import seen_bare
from referee.values import PointMm

NERDS, NERVES = plan("nerds", ("A", "B")), plan("nerves", ("A", "B"))


def hidden_at(zone: str) -> PointMm:
    return next(one.center_mm for one in NERDS.zones if one.name == zone)


def test_a_work_place_without_a_card_is_empty() -> None:
    bare = seen_bare(NERDS, lambda at_mm, angle: True, {"A.nerts", "A.work.1"})
    assert {"A.work.2", "A.waste", "B.nerts"} <= bare
    assert not bare & {"A.nerts", "A.work.1"}


def test_nothing_is_told_of_like_places_while_a_hand_hides_one_of_them() -> None:
    under_mm = hidden_at("A.work.3")
    bare = seen_bare(NERDS, lambda at_mm, angle: dist(at_mm, under_mm) > 1.0, {"A.work.1"})
    assert not {"A.work.2", "A.work.3", "A.work.4"} & bare
    assert {"A.waste", "B.work.2"} <= bare


def test_no_card_is_missed_where_hands_rest() -> None:
    assert "A.side.L" not in seen_bare(NERVES, lambda at_mm, angle: True, frozenset())


def test_backs_are_overlooked_more_easily_than_faces() -> None:
    spy = plan("spy", ("A", "B"))
    bare = seen_bare(spy, lambda at_mm, angle: True, {"A.stack", "A.deck", "B.deck"})
    assert "B.stack" not in bare
    assert {"B.aside", "B.waste", "B.pile.5"} <= bare
