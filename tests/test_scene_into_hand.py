"""Cards of an exchange that go into a hidden hand, or are led beside the others: XIX."""

from __future__ import annotations

import pytest
from test_scene_rough import Table, Touched

from referee.values import Actor, CardPlaced, CardTurned, Event, PointMm

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


@pytest.mark.parametrize(
    ("taken", "zone", "left"), [(BACK, "talon.3", (SIXTEEN, FIVE)), (FIVE, "mid", (SIXTEEN, BACK))]
)
def test_a_card_that_stays_away_is_surely_in_the_hand_that_took_it(
    taken: Seen, zone: str, left: tuple[Seen, ...]
) -> None:
    table = _drafting(Touched(B, 5_100, zone))
    (placed,) = _placed(table.looks(5_400, 9_500, *left))
    assert (placed.origin, placed.target, placed.actor, placed.conf) == (zone, "B.closed", B, 0.98)


@pytest.mark.parametrize("label", ["12", "BACK"])
def test_where_a_talon_card_was_taken_another_one_is_laid_not_that_one_turned_or_put_back(
    label: str,
) -> None:
    """The place was seen bare, free of hands, for nearly a second between."""
    table = _drafting(Touched(B, 5_000, "talon.3"), Touched(B, 6_200, "talon.3"))
    told = table.looks(5_100, 6_100, SIXTEEN, FIVE)
    table.hands_over = ("talon.3",)
    told += table.looks(6_100, 6_400, SIXTEEN, FIVE)
    table.hands_over = ()
    table.still(7, 6_200)
    told += table.looks(6_400, 9_500, SIXTEEN, FIVE, (7, label, "talon.3", (3.0, 0.0)))
    ways = [(one.origin, one.target) for one in _placed(told)]
    assert ways == [("talon.3", "B.closed"), ("B.closed", "talon.3")]
    assert not any(isinstance(one, CardTurned) for one in told)


def test_who_ponders_over_an_open_card_has_not_hidden_it() -> None:
    table = _drafting(Touched(B, 5_100, "mid"), Touched(B, 7_600, "B.open"))
    told = table.looks(5_400, 7_600, SIXTEEN, BACK)
    told += table.looks(7_700, 9_500, SIXTEEN, BACK, (5, "5", "B.open", (0.0, 0.0)))
    assert [(one.origin, one.target) for one in _placed(told)] == [("mid", "B.open")]


def test_what_a_hand_took_that_is_still_over_the_table_is_not_surely_held() -> None:
    table = _drafting(Touched(B, 5_100, "talon.3"))
    table.ways["B"] = tuple((t_ms, "B.open") for t_ms in range(5_100, 9_500, 100))
    (placed,) = _placed(table.looks(5_400, 9_500, SIXTEEN, FIVE))
    assert placed.conf is not None
    assert placed.conf < 0.97


def test_who_laid_another_card_since_may_have_laid_that_one() -> None:
    """The five, taken up and laid before him, is read as a six."""
    table = _drafting(Touched(B, 5_100, "mid"), Touched(B, 5_600, "B.open"))
    table.looks(5_400, 5_700, SIXTEEN, BACK)
    told = table.looks(5_800, 9_500, SIXTEEN, BACK, (5, "6", "B.open", (0.0, 0.0)))
    assert all(one.conf is not None and one.conf < 0.97 for one in _placed(told))
    assert len(_placed(told)) == 2


def test_a_card_comes_to_those_held_when_the_hand_leaves_the_table() -> None:
    table = _drafting(Touched(B, 5_100, "talon.3"))
    table.ways["B"] = tuple((t_ms, "B.open") for t_ms in range(5_100, 5_600, 50))
    (placed,) = _placed(table.looks(5_400, 9_500, SIXTEEN, FIVE))
    assert placed.u_ns is not None
    assert all(abs(placed.t_ns - t_ms * 1_000_000) <= placed.u_ns for t_ms in (5_560, 5_980))


def test_a_card_laid_on_the_talon_comes_from_the_hidden_hand_if_from_nowhere_else() -> None:
    table = _drafting(Touched(B, 5_100, "talon.3"), Touched(B, 8_100, "talon.3"))
    told = table.looks(5_400, 8_000, SIXTEEN, FIVE)
    told += table.looks(8_400, 9_500, SIXTEEN, FIVE, (6, "9", "talon.3", (2.0, 1.0)))
    assert [(one.origin, one.target, one.conf) for one in _placed(told)] == [
        ("talon.3", "B.closed", 0.98), ("B.closed", "talon.3", 0.98),
    ]  # fmt: skip


@pytest.mark.parametrize("bare_ms", [0, 300])
def test_an_open_card_that_shows_its_back_was_turned_face_down(bare_ms: int) -> None:
    known = "B.open 16 | mid 5 | B.closed (17) (9)"
    table = Table("xix", Touched(B, 5_100, "B.open"), known=known)
    table.look(0, (1, "16", "B.open", (0.0, 0.0)), FIVE)
    table.looks(4_000, 5_000, (1, "16", "B.open", (0.0, 0.0)), FIVE)
    told = table.looks(5_200, 5_200 + bare_ms, FIVE)
    told += table.looks(5_600, 9_500, FIVE, (7, "BACK", "B.open", (2.0, 1.0)))
    (turned,) = told
    assert isinstance(turned, CardTurned)
    assert (str(turned.card), turned.zone, turned.up, turned.actor) == ("16", "B.open", False, B)


def test_a_face_over_a_talon_card_is_not_surely_from_the_hand_or_that_card_turned_up() -> None:
    table = _drafting(Touched(B, 5_100, "talon.3"))
    (told,) = table.looks(5_400, 9_500, SIXTEEN, FIVE, (6, "8", "talon.3", (2.0, 1.0)))
    assert told.conf is not None
    assert told.conf < 0.97


@pytest.mark.parametrize("target", ["talon.1", "B.open"])
def test_an_open_card_laid_face_down_at_once_is_the_one_that_was_taken(target: str) -> None:
    table = _drafting(Touched(B, 5_100, "mid"), Touched(B, 5_700, target))
    told = table.looks(5_400, 5_700, SIXTEEN, BACK)
    told += table.looks(6_100, 9_500, SIXTEEN, BACK, (7, "BACK", target, (2.0, 1.0)))
    (placed,) = _placed(told)
    assert (str(placed.card), placed.up, placed.conf) == ("5", False, 0.98)
    assert (placed.origin, placed.target) == ("mid", target)


def test_a_card_taken_last_of_all_is_told_when_nothing_more_is_seen() -> None:
    table = _drafting(Touched(B, 5_100, "talon.3"))
    table.ways["B"] = tuple((t_ms, "B.open") for t_ms in range(5_100, 5_400, 50))
    assert not table.looks(5_400, 6_300, SIXTEEN, FIVE)
    (placed,) = _placed(list(table.scene.finish()))
    assert (placed.origin, placed.target) == ("talon.3", "B.closed")


@pytest.mark.parametrize(("until_ms", "conf"), [(6_300, 0.8), (7_500, 0.98)])
def test_an_open_card_that_left_the_table_long_before_nothing_more_is_seen_is_held(
    until_ms: int, conf: float
) -> None:
    table = _drafting(Touched(B, 5_100, "mid"))
    table.ways["B"] = tuple((t_ms, "B.open") for t_ms in range(5_100, 5_400, 50))
    assert not table.looks(5_400, until_ms, SIXTEEN, BACK)
    (placed,) = _placed(list(table.scene.finish()))
    assert (placed.origin, placed.target, placed.conf) == ("mid", "B.closed", conf)


def test_a_card_that_fingers_were_at_as_it_left_is_told_when_nothing_more_is_seen() -> None:
    """The hand that took it is found to have come down only when the place is bare already."""
    table = Table("xix", Touched(B, 5_150, "B.open"), known=f"B.open 7 | {KNOWN}")
    seven = (4, "7", "B.open", (0.0, 0.0))
    table.look(0, seven, SIXTEEN, FIVE, BACK)
    table.looks(4_000, 5_000, seven, SIXTEEN, FIVE, BACK)
    table.stirs = (("B.open", 4_600, 5_100),)
    table.ways["B"] = tuple((t_ms, "B.open") for t_ms in range(4_700, 5_000, 50))
    assert not table.looks(5_100, 7_600, SIXTEEN, FIVE, BACK)
    (placed,) = _placed(list(table.scene.finish()))
    assert (placed.origin, placed.target, placed.conf) == ("B.open", "B.closed", 0.6)


def test_the_hand_that_laid_a_card_into_the_talon_has_not_taken_the_one_beside_it() -> None:
    """That one is not read for a while, and the card just laid is not known yet."""
    mine, beside = (1, "16", "B.open", (0.0, 0.0)), (3, "BACK", "talon.2", (0.0, 0.0))
    touches = Touched(B, 5_000, "B.open"), Touched(B, 5_400, "talon.1", (16.0, 0.0))
    known = "B.open 16 | talon.1 | talon.2 (8) | B.closed (17) (9)"
    table = Table("xix", *touches, known=known)
    table.look(0, mine, FIVE, beside)
    told = table.looks(4_000, 5_200, mine, FIVE, beside)
    told += table.looks(5_200, 5_500, FIVE, beside)
    table.still(4, 5_400)
    told += table.looks(5_500, 5_600, FIVE)
    told += table.looks(5_600, 7_200, FIVE, (4, "16", "talon.1", (0.0, 0.0)))
    told += table.looks(7_200, 9_000, FIVE, (4, "16", "talon.1", (0.0, 0.0)), beside)
    assert [(one.origin, one.target) for one in _placed(told)] == [("B.open", "talon.1")]


def test_the_open_card_laid_face_down_where_a_talon_card_was_taken_is_not_that_card() -> None:
    mine = (1, "16", "B.open", (0.0, 0.0))
    touches = (Touched(B, 5_100, "talon.3"), Touched(B, 5_900, "B.open"))
    laid = Touched(B, 6_400, "talon.3")
    table = Table("xix", *touches, laid, known="B.open 16 | talon.3 (8) | B.closed (17) (9)")
    table.looks(4_000, 5_000, mine, BACK)
    told = table.looks(5_300, 5_800, mine) + table.looks(6_100, 6_300)
    told += table.looks(6_500, 14_000, (6, "BACK", "talon.3", (2.0, 1.0)))
    assert [(one.origin, one.target, one.up) for one in _placed(told)] == [
        ("talon.3", "B.closed", False), ("B.open", "talon.3", False),
    ]  # fmt: skip


def test_the_open_card_laid_where_a_talon_card_was_taken_is_not_that_card_turned_up() -> None:
    """The arm still hides that it is gone from its row."""
    mine, laid = (1, "16", "B.open", (0.0, 0.0)), (6, "16", "talon.3", (2.0, 1.0))
    touches = (Touched(B, 5_100, "talon.3"), Touched(B, 5_900, "B.open"))
    put = Touched(B, 6_400, "talon.3")
    table = Table("xix", *touches, put, known="B.open 16 | talon.3 (8) | B.closed (17) (9)")
    table.looks(4_000, 5_000, mine, BACK)
    told = table.looks(5_300, 5_800, mine)
    told += table.looks(6_500, 6_700, mine, laid) + table.looks(6_700, 14_000, laid)
    assert [(one.origin, one.target, one.up) for one in _placed(told)] == [
        ("talon.3", "B.closed", False), ("B.open", "talon.3", True),
    ]  # fmt: skip


def test_an_open_card_that_was_turned_face_down_and_shows_again_was_turned_up() -> None:
    down, up = Touched(B, 5_000, "B.open"), Touched(B, 8_000, "B.open")
    table = Table("xix", down, up, known="B.open 16 | B.closed (17) (9)")
    table.looks(0, 4_700, (1, "16", "B.open", (0.0, 0.0)))
    table.still(2, 5_050)
    told = table.looks(5_100, 7_700, (2, "BACK", "B.open", (1.0, 1.0)))
    table.still(3, 8_050)
    told += table.looks(8_100, 11_000, (3, "16", "B.open", (2.0, 0.0)))
    turned = [one for one in told if isinstance(one, CardTurned)]
    assert [(one.zone, one.card.face, one.up) for one in turned] == [
        ("B.open", "16", False), ("B.open", "16", True),
    ]  # fmt: skip
    assert _placed(told) == []


def test_a_card_that_shows_where_one_was_led_face_down_may_be_that_one_turned_up() -> None:
    led, turned = Touched(A, 5_000, "mid", (42.0, 0.0)), Touched(A, 8_000, "mid", (42.0, 0.0))
    table = Table("xix", led, turned, known=f"{KNOWN} | A.open 4 | B.open 1")
    lying = (SIXTEEN, FIVE, BACK)
    table.looks(0, 4_900, *lying)
    table.still(4, 5_050)
    told = table.looks(5_100, 7_900, *lying, (4, "BACK", "mid", (42.0, 0.0)))
    table.still(5, 8_050)
    told += table.looks(8_100, 11_000, *lying, (5, "12", "mid", (44.0, 2.0)))
    down, face = (one for one in told if isinstance(one, CardPlaced))
    assert (down.origin, down.target, down.up) == ("A.closed", "mid", False)
    assert (face.card.face, face.target) == ("12", "mid")
    assert face.conf is not None
    assert face.conf <= 0.9


def test_a_back_in_the_middle_is_not_taken_when_the_next_card_is_laid_partly_over_it() -> None:
    back, next_one = (4, "BACK", "mid", (-10.0, 0.0)), (5, "12", "mid", (42.0, 0.0))
    laid, drafted = Touched(A, 6_000, "mid", (42.0, 0.0)), Touched(A, 15_000, "mid", (42.0, 0.0))
    table = Table("xix", laid, drafted, known="mid 16 (7) | A.closed (3) (12)")
    table.looks(4_000, 5_600, SIXTEEN, back)
    told = table.looks(6_200, 14_900, SIXTEEN, next_one)
    told += table.looks(15_300, 16_000, SIXTEEN, (6, "BACK", "mid", (-10.0, 1.0)))
    told += table.looks(16_100, 30_000, SIXTEEN, (6, "BACK", "mid", (-10.0, 1.0)),
                        (7, "12", "A.open", (0.0, 0.0)))  # fmt: skip
    moves = [(str(one.card), one.origin, one.target) for one in _placed(told)]
    assert moves == [("12", "A.closed", "mid"), ("12", "mid", "A.open")]


@pytest.mark.parametrize(("beside", "told"), [("talon.2", 1), ("mid", 0)])
def test_a_talon_card_is_taken_by_the_hand_of_which_one_finger_is_seen_at_its_neighbour(
    beside: str, told: int
) -> None:
    """Spread fingers come down beside what they take, where nothing else is taken or laid."""
    neighbour: Seen = (6, "BACK", "talon.2", (0.0, 0.0))
    off_mm = (32.0, 0.0) if beside == "talon.2" else (0.0, 0.0)
    table = Table("xix", Touched(A, 5_100, beside, off_mm), known=KNOWN + "| talon.2 (7)")
    table.look(0, SIXTEEN, FIVE, BACK, neighbour)
    table.looks(4_000, 5_000, SIXTEEN, FIVE, BACK, neighbour)
    taken = _placed(table.looks(5_400, 9_500, SIXTEEN, FIVE, neighbour))
    assert [(one.origin, one.target) for one in taken] == [("talon.3", "A.closed")] * told
