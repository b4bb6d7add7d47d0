"""Cards slipped under a cascade, where nothing of them shows."""

from __future__ import annotations

from test_scene_rough import A, Table, Touched

from referee.table.found import GUESSED
from referee.values import CardPlaced, Event

KNOWN = "A.nerts (??) (??) A:5D | A.work.1 A:4S | A.work.2 A:4H | A.work.3 A:QH"
NERTS = (1, "5D", "A.nerts", (0.0, 0.0))
BLACK, RED, QUEEN = (
    (2 + k, face, f"A.work.{k + 1}", (0.0, 0.0)) for k, face in enumerate(("4S", "4H", "QH"))
)
BACK = (9, "BACK", "A.nerts", (1.0, 1.0))
TOOK = Touched(A, 5_500, "A.nerts")


def _placed(events: list[Event]) -> list[tuple[str, str, int, bool]]:
    return [
        (str(event.card), event.target, event.t_ns // 1_000_000, event.under)
        for event in events
        if isinstance(event, CardPlaced)
    ]


def _slipped(zone: str, *touches: Touched) -> tuple[Table, list[Event]]:
    table = Table("nertz", TOOK, Touched(A, 6_000, zone), *touches, known=KNOWN)
    table.look(0, NERTS, BLACK, RED, QUEEN)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN)
    return table, table.looks(6_100, 9_000, BACK, BLACK, RED, QUEEN)


def test_a_card_that_fits_under_the_pile_that_its_player_touched_is_there() -> None:
    table, told = _slipped("A.work.1")
    assert _placed(told) == [("A:5D", "A.work.1", 6_000, True)]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["5D", "4S"]


def test_a_card_that_lies_nowhere_may_be_under_the_pile_touched_that_it_does_not_fit() -> None:
    _, (told,) = _slipped("A.work.2")
    assert _placed([told]) == [("A:5D", "A.work.2", 6_000, True)]
    assert told.conf == GUESSED


def test_where_several_were_touched_it_is_under_the_one_that_it_fits() -> None:
    _, told = _slipped("A.work.1", Touched(A, 6_200, "A.work.2"))
    assert _placed(told) == [("A:5D", "A.work.1", 6_000, True)]


def test_a_card_that_its_player_took_to_a_foundation_as_well_may_be_there() -> None:
    table = Table("nertz", TOOK, Touched(A, 6_000, "A.work.2"), Touched(A, 6_600, "F.1"),
                  known=KNOWN + "| F.1 A:AC")  # fmt: skip
    ace = (7, "AC", "F.1", (0.0, 0.0))
    table.look(0, NERTS, BLACK, RED, QUEEN, ace)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN, ace)
    told = table.looks(6_100, 9_000, BACK, BLACK, RED, QUEEN, ace)
    assert not [one for one in _placed(told) if one[3]]


def test_a_hand_that_fetched_a_card_there_slipped_none_under_it() -> None:
    table = Table("nertz", TOOK, Touched(A, 6_000, "A.work.1"), known=KNOWN)
    table.look(0, NERTS, BLACK, RED, QUEEN)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN)
    moved = (12, "4S", "A.work.4", (0.0, 0.0))
    told = table.looks(6_100, 9_000, BACK, RED, QUEEN, moved)
    assert [(card, under) for card, _, _, under in _placed(told)] == [("A:4S", False)]


def test_a_slipped_card_that_shows_later_lay_there() -> None:
    table, _ = _slipped("A.work.1")
    x_mm, y_mm = table.scene.zones.way_mm("A.work.1")
    shown = (12, "5D", "A.work.1", (-x_mm, -y_mm))
    assert not table.looks(9_000, 12_000, BACK, BLACK, RED, QUEEN, shown)


def test_fingers_that_were_seen_at_the_pile_tell_as_well_but_less_surely() -> None:
    table = Table("nertz", TOOK, known=KNOWN)
    table.ways["A"] = ((5_500, "A.nerts"), (6_000, "A.work.1"), (6_400, "A.nerts"))
    table.look(0, NERTS, BLACK, RED, QUEEN)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN)
    told = table.looks(6_100, 9_000, BACK, BLACK, RED, QUEEN)
    assert _placed(told) == [("A:5D", "A.work.1", 6_000, True)]
    assert all(event.conf is not None and event.conf < 0.7 for event in told)


def test_fingers_that_went_on_with_a_card_to_a_place_beyond_slipped_none_on_their_way() -> None:
    table = Table("nertz", TOOK, known=KNOWN)
    table.ways["A"] = ((5_500, "A.nerts"), (6_000, "A.work.1"), (6_200, "F.1"), (6_600, "A.nerts"))
    table.look(0, NERTS, BLACK, RED, QUEEN)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN)
    assert not _placed(table.looks(6_100, 7_300, BACK, BLACK, RED, QUEEN))


def test_fingers_on_their_way_to_where_an_unread_card_lies_now_slipped_none_under_a_pile() -> None:
    table = Table("nertz", TOOK, Touched(A, 6_300, "A.work.3"), known=KNOWN)
    table.ways["A"] = ((5_500, "A.nerts"), (6_000, "A.work.1"), (6_300, "A.work.3"))
    table.look(0, NERTS, BLACK, RED, QUEEN)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN)
    table.still(6, 6_300)
    unread, read = ((6, face, "A.work.3", (0.0, -20.0)) for face in ("??", "5D"))
    told = table.looks(6_400, 7_300, BACK, BLACK, RED, QUEEN, unread)
    told += table.looks(7_300, 9_000, BACK, BLACK, RED, QUEEN, read)
    assert [(target, under) for _, target, _, under in _placed(told)] == [("A.work.3", False)]


def test_a_card_that_shows_where_the_lowest_lay_before_that_is_seen_moved_on_lies_under_it() -> (
    None
):
    """What was moved to make room is read anew a moment later than the card that came."""
    table = Table("nertz", TOOK, Touched(A, 6_000, "A.work.2"), known=KNOWN)
    table.look(0, NERTS, BLACK, RED, QUEEN)
    table.looks(5_000, 5_600, NERTS, BLACK, RED, QUEEN)
    for number in (6, 7):
        table.still(number, 6_000)
    five, moved = (6, "5D", "A.work.2", (0.0, 2.0)), (7, "4H", "A.work.2", (0.0, -20.0))
    told = table.looks(6_100, 6_150, BACK, BLACK, RED, QUEEN, five)
    told += table.looks(6_166, 9_000, BACK, BLACK, moved, QUEEN, five)
    assert _placed(told) == [("A:5D", "A.work.2", 5_983, True)]
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["5D", "4H"]


def test_a_card_at_the_foot_of_a_pile_that_was_moved_on_was_slipped_under_it() -> None:
    """The hand hid both: the six is read a step on as soon as the seven is read where it lay."""
    known = "A.nerts (??) A:7C | A.work.2 A:6H"
    table = Table("nerds", Touched(A, 4_700, "A.nerts"), Touched(A, 5_200, "A.work.2"), known=known)
    six, seven = (1, "6H", "A.work.2", (0.0, 0.0)), (2, "7C", "A.nerts", (0.0, 0.0))
    table.look(0, six, seven)
    table.looks(4_000, 4_700, six, seven)
    table.indices = {3: 2, 4: 4}
    table.looks(4_800, 5_100, six, BACK)
    table.hands_over = ("A.work.2",)
    told = table.looks(5_100, 5_300, six, BACK)
    table.hands_over = ()
    table.still(3, 5_260)
    table.still(4, 5_240)
    foot, moved_on = (3, "7C", "A.work.2", (0.0, -2.0)), (4, "6H", "A.work.2", (0.0, -23.0))
    told += table.looks(5_400, 8_000, BACK, foot, moved_on)
    assert [(card, target, under) for card, target, _, under in _placed(told)] == [
        ("A:7C", "A.work.2", True)
    ]
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["7C", "6H"]


def moved_on(*late: tuple[int, str, str, tuple[float, float]]) -> tuple[Table, list[Event]]:
    """Let A slip the queen under three cards, which she moves on a step, and show so late."""
    known = "A.nerts (??) A:QC | A.work.3 A:JH A:TS A:9H"
    touches = Touched(A, 4_700, "A.nerts"), Touched(A, 5_200, "A.work.3")
    table = Table("nerds", *touches, known=known)
    jack, ten, nine = (
        (k, face, "A.work.3", (0.0, -22.0 * k)) for k, face in enumerate(("JH", "TS", "9H"))
    )
    queen = (3, "QC", "A.nerts", (0.0, 0.0))
    table.look(0, jack, ten, nine, queen)
    table.looks(4_000, 4_700, jack, ten, nine, queen)
    told = table.looks(4_800, 5_300, jack, ten, nine, BACK)
    for number in range(10, 15):
        table.still(number, 5_250)
    foot = (10, "QC", "A.work.3", (0.0, 0.0))
    told += table.looks(5_400, 8_000, BACK, foot, (11, "JH", "A.work.3", (0.0, -22.0)), *late)
    return table, told


def test_all_cards_of_a_pile_that_one_was_slipped_under_lie_a_step_farther_on() -> None:
    table, told = moved_on(
        (12, "TS", "A.work.3", (0.0, -44.0)), (13, "9H", "A.work.3", (0.0, -66.0))
    )
    assert [(card, under) for card, _, _, under in _placed(told)] == [("A:QC", True)]
    assert [card.face for card in table.scene.piles["A.work.3"]] == ["QC", "JH", "TS", "9H"]


def test_what_is_read_still_where_such_a_pile_lay_is_no_card_that_came() -> None:
    """The nine's place shows the ten, not read any more; the jack is believed at both."""
    table, told = moved_on(
        (0, "JH", "A.work.3", (0.0, 0.0)), (2, "??", "A.work.3", (0.0, -44.0)),
        (13, "9H", "A.work.3", (0.0, -66.0)),
    )  # fmt: skip
    assert [(card, under) for card, _, _, under in _placed(told)] == [("A:QC", True)]
    assert [card.face for card in table.scene.piles["A.work.3"]] == ["QC", "JH", "TS", "9H"]


def test_a_card_read_as_the_one_that_was_moved_on_to_its_place_is_not_read_otherwise() -> None:
    table, told = moved_on(
        (1, "JH", "A.work.3", (0.0, -22.0)), (12, "TS", "A.work.3", (0.0, -44.0)),
        (13, "9H", "A.work.3", (0.0, -66.0)),
    )  # fmt: skip
    assert [card.face for card in table.scene.piles["A.work.3"]] == ["QC", "JH", "TS", "9H"]
    assert [type(event).__name__ for event in told if not isinstance(event, CardPlaced)] == []


def test_the_second_joker_of_a_deck_laid_on_the_first_is_not_that_one_moved_on() -> None:
    touches = Touched(A, 4_700, "A.nerts"), Touched(A, 5_200, "A.work.1")
    table = Table("nertz", *touches, known="A.work.1 A:X1 | A.nerts (2C) A:X2", jokers="2")
    first, second = (1, "JOKER", "A.work.1", (0.0, 0.0)), (2, "JOKER", "A.nerts", (0.0, 0.0))
    table.look(0, first, second)
    table.looks(4_000, 4_700, first, second)
    told = table.looks(4_800, 5_150, first, BACK)
    table.still(3, 5_200)
    told += table.looks(5_400, 8_000, first, BACK, (3, "JOKER", "A.work.1", (0.0, -22.0)))
    assert [(target, under) for _, target, _, under in _placed(told)] == [("A.work.1", False)]
