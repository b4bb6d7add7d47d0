"""A back that its player turned up and carried on under his hand: it was turned where it lay."""

from __future__ import annotations

from test_scene_rough import A, Table, Touched

from referee.table.found import MAY_BE_TURNED
from referee.values import CardPlaced, CardTurned, Event, PointMm

Seen = tuple[int, str, str, PointMm]

FIRST, SECOND = (0.0, 40.0), (0.0, 15.0)
# Nearer to the next column than to the first.
BESIDE = (-55.0, 15.0)
# As far as fingertips may be seen from the middle of a card that they take.
ASIDE = (62.0, 15.0)
NINE, FOUR = (1, "9S", "A.arr.1", SECOND), (2, "4D", "A.arr.3", FIRST)
KNOWN = "play.A 8C | A.arr.1 (2C) 9S | A.arr.3 4D"
PLAYED, CARRIED = (8, "9S", "play.A", (2.0, 3.0)), (9, "AD", "A.arr.2", FIRST)


def play_nine(known: str, to: str, off_mm: PointMm, *rest: Seen) -> tuple[Table, list[Event]]:
    """Let the nine be played off a back, and then the same hand lay another card somewhere."""
    touches = Touched(A, 5_000, "A.arr.1", SECOND), Touched(A, 5_500, "play.A")
    touches = *touches, Touched(A, 5_900, "A.arr.1", BESIDE)
    table = Table("nerves", *touches, Touched(A, 6_500, to, off_mm), known=known)
    table.hands_over = ("A.arr.1",)
    back, laid = (6_100, "A.arr.1", BESIDE), (6_500, to)
    table.ways = {"A": ((5_000, "A.arr.1"), (5_500, "play.A"), back, laid)}
    eight = (7, "8C", "play.A", (0.0, 0.0))
    table.look(0, eight, NINE, *rest)
    table.looks(4_000, 5_000, eight, NINE, *rest)
    told = table.looks(5_100, 5_500, eight, NINE, *rest)
    table.still(8, 5_500)
    told += table.looks(5_560, 6_500, PLAYED, *rest)
    table.still(9, 6_500)
    return table, told


def carried(known: str, *rest: Seen) -> list[Event]:
    """Let the second card be an ace that comes to the next column."""
    table, told = play_nine(known, "A.arr.2", FIRST, *rest)
    return told + table.looks(6_560, 9_000, PLAYED, CARRIED, *rest)


def test_an_ace_that_comes_from_nowhere_was_the_back_that_nobody_saw_turned() -> None:
    _, turned, moved = carried(KNOWN, FOUR)
    assert isinstance(turned, CardTurned)
    assert (str(turned.card), turned.zone) == ("AD", "A.arr.1")
    assert isinstance(moved, CardPlaced)
    assert (str(moved.card), moved.origin, moved.target) == ("AD", "A.arr.1", "A.arr.2")


def test_of_two_backs_that_are_out_of_sight_neither_is_said_to_be_turned() -> None:
    other = (2, "4D", "A.arr.3", SECOND)
    told = carried(KNOWN.replace("A.arr.3", "A.arr.4 (3C) | A.arr.3 (5H)"), other)
    assert not [event for event in told if isinstance(event, CardTurned)]


def test_who_plays_a_back_turned_unseen_took_it_from_no_rest_pile_of_another_player() -> None:
    """The next back is turned up, too, before it is known where the played card came from."""
    rest, ten = (3, "BACK", "B.rest", (0.0, 0.0)), (9, "TH", "play.A", (3.0, 1.0))
    known = KNOWN.replace("(2C)", "(3C) (2C)") + " | B.rest (5S) (6S)"
    table, told = play_nine(known, "play.A", (3.0, 1.0), FOUR, rest)
    told += table.looks(6_560, 6_900, ten, FOUR, rest)
    table.still(5, 6_850)
    told += table.looks(6_900, 9_000, ten, FOUR, rest, (5, "7H", "A.arr.1", FIRST))
    moved = [(str(one.card), one.origin) for one in told if isinstance(one, CardPlaced)]
    assert moved == [("9S", "A.arr.1"), ("TH", "A.arr.1")]


def test_a_back_turned_and_played_unseen_lies_below_the_card_that_covered_it() -> None:
    """Before the hand that played it has left the pile another card lies on it."""
    next_one = (4, "KH", "A.arr.7", SECOND)
    table, told = play_nine(f"{KNOWN} | A.arr.7 KH", "play.A", (3.0, 1.0), FOUR, next_one)
    table.still(6, 7_000)
    told += table.looks(6_560, 7_000, PLAYED, FOUR, next_one)
    table.hands_over = ()
    told += table.looks(7_060, 9_500, (6, "3D", "play.A", (-4.0, 2.0)), FOUR, next_one)
    turned = [(one.zone, str(one.card)) for one in told if isinstance(one, CardTurned)]
    assert turned == [("A.arr.1", "??")]
    placed = [(str(one.card), one.origin) for one in told if isinstance(one, CardPlaced)]
    assert ("??", "A.arr.1") in placed


def play_back(*way: tuple[int, str]) -> list[Event]:
    """Let a back leave its column and an ace come to the pile, by way of a hand."""
    touches = Touched(A, 5_000, "A.arr.1", SECOND), Touched(A, 5_500, "play.A", (3.0, 1.0))
    table = Table("nerves", *touches, known="play.A KC | A.arr.1 (2C) (3C) | A.rest (5S) (6S)")
    table.ways = {"A": way}
    king, rest = (1, "KC", "play.A", (0.0, 0.0)), (2, "BACK", "A.rest", (0.0, 0.0))
    upper, lower = (3, "BACK", "A.arr.1", SECOND), (4, "BACK", "A.arr.1", FIRST)
    table.look(0, king, rest, upper)
    table.looks(4_000, 5_100, king, rest, upper)
    told = table.looks(5_100, 5_500, king, rest, lower)
    table.still(8, 5_500)
    return told + table.looks(5_560, 9_000, rest, lower, (8, "AD", "play.A", (3.0, 1.0)))


def test_who_was_at_a_back_for_a_moment_and_played_it_did_not_turn_it_up() -> None:
    (placed,) = play_back((4_900, "A.arr.1"), (5_200, "A.arr.1"), (5_500, "play.A"))
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.conf) == ("AD", "A.arr.1", MAY_BE_TURNED)


def test_who_was_there_for_longer_may_have() -> None:
    turned, placed = play_back((4_500, "A.arr.1"), (5_200, "A.arr.1"), (5_500, "play.A"))
    assert isinstance(turned, CardTurned)
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin) == ("AD", "A.arr.1")


def test_a_back_that_was_seen_to_leave_its_column_came_to_where_its_player_laid_a_card() -> None:
    """One more lies below it, and the hand was felt beside it but once: when it took that one."""
    touches = Touched(A, 5_000, "A.arr.1", ASIDE), Touched(A, 5_700, "play.A", (3.0, 1.0))
    table = Table("nerves", *touches, known="play.A KC | A.arr.1 (2C) (3C) | A.rest (5S) (6S)")
    table.ways = {"A": ((4_900, "A.arr.1", ASIDE), (5_200, "A.arr.1", ASIDE), (5_700, "play.A"))}
    king, rest = (1, "KC", "play.A", (0.0, 0.0)), (2, "BACK", "A.rest", (0.0, 0.0))
    upper, lower = (3, "BACK", "A.arr.1", SECOND), (4, "BACK", "A.arr.1", (0.0, 70.0))
    table.look(0, king, rest, upper, lower)
    table.looks(4_000, 5_100, king, rest, upper, lower)
    told = table.looks(5_200, 5_700, king, rest, lower)
    table.still(8, 5_700)
    told += table.looks(5_760, 12_000, rest, lower, (8, "AD", "play.A", (3.0, 1.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin) == ("AD", "A.arr.1")
