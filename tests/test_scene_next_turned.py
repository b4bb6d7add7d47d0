"""Piles from which cards are turned up and played: the next one turned, the last not seen to go."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.values import CardPlaced, CardTurned, Event

NERTS = "A.nerts (??) (??) A:7C | A.work.1 A:TH | A.stock (??) (??)"
SEVEN, HEARTS = (1, "7C", "A.nerts", (0.0, 0.0)), (2, "TH", "A.work.1", (0.0, 0.0))
NEXT = (3, "TC", "A.nerts", (1.0, 1.0))


def _turned(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.zone, str(event.card)) for event in events if isinstance(event, CardTurned)]


def _placed(events: list[Event]) -> list[tuple[str, str]]:
    return [(str(event.card), event.origin) for event in events if isinstance(event, CardPlaced)]


def test_the_next_card_is_turned_up_though_nobody_saw_the_one_upon_it_leave() -> None:
    # A hand that stays there hides the place, so that the last card is still believed.
    table = Table("nertz", Touched(A, 4_000, "A.nerts"), Touched(A, 4_500, "A.nerts"), known=NERTS)
    table.look(0, SEVEN, HEARTS)
    table.looks(3_000, 4_600, SEVEN, HEARTS)
    told = table.looks(4_700, 6_000, SEVEN, HEARTS, NEXT)
    assert _turned(told) == [("A.nerts", "A:TC")]
    assert not _placed(told)
    assert [card.face for card in table.scene.piles["A.nerts"]] == ["??", "TC"]


def test_a_pile_that_was_counted_too_low_has_one_more_to_be_turned() -> None:
    table = Table("nertz", Touched(A, 4_500, "A.nerts"), known="A.work.1 A:TH | A.stock (??)")
    table.look(0, HEARTS)
    told = table.looks(4_700, 6_000, HEARTS, NEXT)
    assert _turned(told) == [("A.nerts", "A:TC")]


def test_a_card_was_played_from_below_the_one_that_was_turned_up_afterwards() -> None:
    touches = ((4_000, "A.nerts"), (4_500, "A.work.2"), (4_900, "A.nerts"))
    known = "A.nerts (??) (??) (??)| A.work.1 A:TH"
    table = Table("nertz", *(Touched(A, *touch) for touch in touches), known=known)
    back, five = (1, "BACK", "A.nerts", (0.0, 0.0)), (5, "5S", "A.work.2", (0.0, 0.0))
    table.look(0, back, HEARTS)
    table.looks(3_000, 3_900, back, HEARTS)
    table.still(5, 4_500)
    table.still(3, 4_950)
    told = table.looks(5_000, 5_600, HEARTS, NEXT) + table.looks(5_600, 8_000, HEARTS, NEXT, five)
    assert _placed(told) == [("A:5S", "A.nerts")]


def test_no_card_came_from_below_one_that_lay_there_until_the_card_was_laid() -> None:
    known = "A.nerts (??) (??) A:7C | A.work.1 A:9C | A.stock " + "(??) " * 9
    table = Table("nertz", Touched(A, 2_700, "A.nerts"), Touched(A, 5_000, "A.nerts"), known=known)
    nine, eight = (2, "9C", "A.work.1", (0.0, 0.0)), (3, "8D", "A.work.1", (0.0, -22.0))
    table.look(0, SEVEN, nine)
    table.looks(3_000, 4_800, SEVEN, nine)
    table.still(3, 4_690)
    told = table.looks(4_900, 5_080, SEVEN, nine, eight)
    told += table.looks(5_130, 8_000, (4, "BACK", "A.nerts", (1.0, 0.0)), nine, eight)
    assert ("A:8D", "A.nerts") not in _placed(told)


def test_an_open_card_of_a_row_in_whose_place_a_back_lies_askew_was_turned_down() -> None:
    touches = Touched(B, 5_500, "B.open", (-8.0, -4.0)), Touched(B, 6_000, "B.open", (-8.0, -4.0))
    table = Table("xix", *touches, known="B.open 1 16 | B.closed (17) (9) | A.closed (3) (12)")
    one, sixteen = (1, "1", "B.open", (-50.0, 0.0)), (2, "16", "B.open", (0.0, 0.0))
    table.look(0, one, sixteen)
    table.looks(4_000, 5_500, one, sixteen)
    table.still(3, 6_000)
    told = table.looks(6_200, 9_000, one, (3, "BACK", "B.open", (-11.0, -6.0)))
    assert _turned(told) == [("B.open", "16")]
    assert not _placed(told)
