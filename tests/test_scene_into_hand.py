"""Cards of an exchange that go into a hidden hand, or are led beside the others: XIX."""

from __future__ import annotations

from test_scene_rough import Table, Touched

from referee.values import Actor, CardPlaced, Event, PointMm

A, B = Actor("A", "R"), Actor("B", "R")
Seen = tuple[int, str, str, PointMm]
SIXTEEN: Seen = (1, "16", "mid", (-60.0, 0.0))
FIVE: Seen = (2, "5", "mid", (0.0, 0.0))
BACK: Seen = (3, "BACK", "talon.3", (0.0, 0.0))
KNOWN = "mid 16 5 | talon.3 (8) | B.closed (17) (9) | A.closed (3) (12)"


def _placed(events: list[Event]) -> list[CardPlaced]:
    return [event for event in events if isinstance(event, CardPlaced)]


def _drafting(*touches: Touched) -> Table:
    table = Table("xix", *touches, known=KNOWN)
    table.look(0, SIXTEEN, FIVE, BACK)
    table.looks(4_000, 5_000, SIXTEEN, FIVE, BACK)
    return table


def test_a_card_led_left_of_those_in_the_middle_lies_beside_them() -> None:
    table = _drafting(Touched(A, 5_300, "mid", (-110.0, 0.0)))
    led = (4, "12", "mid", (-120.0, 0.0))
    (placed,) = _placed(table.looks(5_700, 7_000, SIXTEEN, FIVE, BACK, led))
    assert (placed.origin, placed.under, placed.conf) == ("A.closed", False, 0.98)
