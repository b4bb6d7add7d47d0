"""Two players who lay cards onto one foundation at nearly the same moment: who came first."""

from __future__ import annotations

import pytest
from test_scene_rough import MS, Table, Touched

from referee.values import Actor, CardPlaced, Event, PointMm

A, B = Actor("A", "R"), Actor("B", "R")
KNOWN = "A.nerts (5D) A:2C | B.waste B:7D B:2C | F.1 B:AC"
TWO_A = (1, "2C", "A.nerts", (0.0, 0.0))
TWO_B = (2, "2C", "B.waste", (0.0, 0.0))
ACE = (3, "AC", "F.1", (0.0, 0.0))
BACK = (4, "BACK", "A.nerts", (1.0, 0.0))
SEVEN = (5, "7D", "B.waste", (1.0, 0.0))
TAKEN = (Touched(A, 2_500, "A.nerts"), Touched(B, 2_560, "B.waste"))


def _placed(events: list[Event]) -> list[tuple[str | None, str, int, bool]]:
    """Return who laid which card when, and whether that is sure."""
    placed = [event for event in events if isinstance(event, CardPlaced)]
    return [
        (e.actor.seat, f"{e.card} {e.origin}>{e.target}", e.t_ns // MS, (e.conf or 0.0) >= 0.97)
        for e in sorted(placed, key=lambda e: e.t_ns)
    ]


def _race(*touches: Touched) -> tuple[Table, list[Event]]:
    """Return a table on which both twos are gone, and a two shows when the hands have left."""
    table = Table("nertz", *TAKEN, *touches, known=KNOWN)
    table.look(0, TWO_A, TWO_B, ACE)
    table.looks(1_000, 2_500, TWO_A, TWO_B, ACE)
    table.still(4, 2_550)
    table.still(5, 2_600)
    told = table.looks(2_700, 2_950, BACK, SEVEN, ACE)
    table.hands_over = ("F.1",)
    told += table.looks(2_950, 3_400, BACK, SEVEN, ACE)
    table.hands_over = ()
    # Nobody saw when it came to rest.
    table.still(6, 3_380)
    return table, told


def test_both_who_laid_their_card_under_the_hands_are_told_by_when_their_hands_came() -> None:
    table, told = _race(Touched(A, 3_000, "F.1"), Touched(B, 3_030, "F.1"))
    told += table.looks(3_500, 6_000, BACK, SEVEN, (6, "2C", "F.1", (2.0, 1.0)))
    assert _placed(told) == [
        ("A", "A:2C A.nerts>F.1", 3_000, True),
        ("B", "B:2C B.waste>F.1", 3_030, True),
    ]


@pytest.mark.parametrize(("rests_ms", "sure"), [(3_060, True), (3_380, False)])
def test_who_held_his_card_over_the_other_ones_for_a_while_is_not_seen(
    rests_ms: int, *, sure: bool
) -> None:
    """The card on top came to rest long after both hands had come."""
    table, told = _race(Touched(A, 3_000, "F.1"), Touched(B, 3_030, "F.1"))
    table.measured.add(6)
    table.still(6, rests_ms + 40, moving_ms=rests_ms - 40)
    told += table.looks(3_500, 6_000, BACK, SEVEN, (6, "2C", "F.1", (2.0, 1.0)))
    assert [one[3] for one in _placed(told)] == [sure, sure]


def test_which_of_two_cards_was_laid_first_on_a_playing_pile_shows_by_which_lies_on_top() -> None:
    took = (Touched(A, 2_500, "A.arr.1"), Touched(B, 2_560, "B.arr.1"))
    came = (Touched(A, 3_000, "play.A"), Touched(B, 3_100, "play.A"))
    known = "A.arr.1 (2H) 6D | B.arr.1 (3H) 4S | play.A 5C"
    table = Table("nerves", *took, *came, known=known)
    five = (1, "5C", "play.A", (0.0, 0.0))
    table.looks(0, 2_500, five, (2, "6D", "A.arr.1", (0.0, 0.0)), (3, "4S", "B.arr.1", (0.0, 0.0)))
    table.still(4, 2_550)
    table.still(5, 2_600)
    backs = (4, "BACK", "A.arr.1", (1.0, 0.0)), (5, "BACK", "B.arr.1", (1.0, 0.0))
    told = table.looks(2_700, 2_950, *backs, five)
    table.hands_over = ("play.A",)
    told += table.looks(2_950, 3_400, *backs, five)
    table.hands_over = ()
    table.still(6, 3_380)
    told += table.looks(3_500, 6_000, *backs, (6, "4S", "play.A", (2.0, 1.0)))
    assert _placed(told) == [
        ("A", "6D A.arr.1>play.A", 3_000, True),
        ("B", "4S B.arr.1>play.A", 3_100, True),
    ]


def test_a_card_on_top_that_lay_still_before_its_hand_did_may_have_come_sooner() -> None:
    table, told = _race(Touched(A, 3_000, "F.1"), Touched(B, 3_110, "F.1"))
    table.still(6, 3_040, 2_980)
    told += table.looks(3_500, 6_000, BACK, SEVEN, (6, "2C", "F.1", (2.0, 1.0)))
    last = next(e for e in told if isinstance(e, CardPlaced) and e.actor == B)
    assert last.u_ns is not None
    assert last.t_ns - last.u_ns <= 2_980 * MS


@pytest.mark.parametrize(("off_mm", "sure"), [((0.0, 0.0), True), ((40.0, 0.0), False)])
def test_a_card_of_which_one_index_shows_lies_where_the_hand_came_down(
    off_mm: PointMm, *, sure: bool
) -> None:
    """The hand of who was too late hides the other index: it might lie beside, as read."""
    table, told = _race(Touched(A, 3_000, "F.1"), Touched(B, 3_130, "F.1", off_mm))
    table.others[6] = "F.1", (53.0, 0.0)
    told += table.looks(3_500, 6_000, BACK, SEVEN, (6, "2C", "F.1", (2.0, 1.0)))
    assert _placed(told)[1] == ("B", "B:2C B.waste>F.1", 3_130, sure)


def test_fingers_that_hold_their_card_by_its_edge_are_at_the_pile_they_point_to() -> None:
    short = (Touched(A, 3_000, "F.1", (35.0, -42.0)), Touched(B, 3_030, "F.1", (35.0, 42.0)))
    table, told = _race(*short)
    told += table.looks(3_500, 6_000, BACK, SEVEN, (6, "2C", "F.1", (2.0, 1.0)))
    assert [one[1:3] for one in _placed(told)] == [
        ("A:2C A.nerts>F.1", 3_000),
        ("B:2C B.waste>F.1", 3_030),
    ]


def test_two_cards_askew_on_one_another_that_nobody_can_read_are_those_that_are_gone() -> None:
    table, told = _race(Touched(B, 3_000, "F.1"), Touched(A, 3_180, "F.1"))
    told += table.looks(3_500, 6_000, BACK, SEVEN, (6, "??", "F.1", (2.0, 1.0)))
    assert [one[:2] for one in _placed(told)] == [
        ("B", "B:2C B.waste>F.1"),
        ("A", "A:2C A.nerts>F.1"),
    ]


def test_who_comes_too_late_with_a_like_card_lays_it_on_top_and_takes_it_back() -> None:
    late = (Touched(A, 3_000, "F.1"), Touched(B, 3_700, "F.1"), Touched(B, 5_700, "B.waste"))
    table = Table("nertz", *TAKEN, *late, known=KNOWN)
    table.look(0, TWO_A, TWO_B, ACE)
    table.looks(1_000, 2_500, TWO_A, TWO_B, ACE)
    table.still(6, 3_020)
    lies = (6, "2C", "F.1", (2.0, 1.0))
    told = table.looks(2_700, 3_000, BACK, TWO_B, ACE)
    told += table.looks(3_100, 3_400, BACK, TWO_B, lies)
    # The second one looks the same as the first, squarely on it.
    table.still(5, 2_600)
    told += table.looks(3_460, 5_700, BACK, SEVEN, lies)
    table.still(7, 5_690)
    told += table.looks(5_800, 8_000, BACK, (7, "2C", "B.waste", (0.0, 1.0)), lies)
    assert [one[:2] for one in _placed(told)] == [
        ("A", "A:2C A.nerts>F.1"),
        ("B", "B:2C B.waste>F.1"),
        ("B", "B:2C F.1>B.waste"),
    ]


def test_a_hand_that_comes_to_a_foundation_without_a_card_lays_none() -> None:
    table = Table("nertz", TAKEN[0], Touched(A, 3_000, "F.1"), Touched(B, 3_030, "F.1"),
                  known=KNOWN)  # fmt: skip
    table.look(0, TWO_A, TWO_B, ACE)
    table.looks(1_000, 2_500, TWO_A, TWO_B, ACE)
    told = table.looks(2_700, 3_000, BACK, TWO_B, ACE)
    table.still(6, 3_020)
    told += table.looks(3_400, 6_000, BACK, TWO_B, (6, "2C", "F.1", (2.0, 1.0)))
    assert [one[:2] for one in _placed(told)] == [("A", "A:2C A.nerts>F.1")]


def test_who_fetched_his_card_after_he_had_been_there_laid_it_when_he_came_again() -> None:
    # A came for another card first, of which nobody has seen what it was.
    came = (Touched(A, 2_700, "F.1"), Touched(B, 3_130, "F.1"), Touched(A, 3_150, "F.1"))
    table = Table("nertz", *came, known="A.work.4 A:3C | B.waste B:7D B:3C | F.1 B:AC")
    table.ways["A"] = ((2_300, "A.work.4", (70, 0)), (2_700, "F.1"), (2_880, "A.work.4"))
    table.ways["B"] = ((2_850, "B.waste"),)
    three_a, three_b = (1, "3C", "A.work.4", (0, 0)), (2, "3C", "B.waste", (0, 0))
    table.look(0, three_a, three_b, ACE)
    table.looks(1_000, 2_500, three_a, three_b, ACE)
    table.hands_over = ("F.1", "A.work.4", "B.waste")
    told = table.looks(2_500, 3_300)
    table.hands_over = ()
    table.still(5, 2_900)
    table.still(6, 3_280)
    told += table.looks(3_400, 6_000, SEVEN, (6, "3C", "F.1", (2.0, 1.0)))
    threes = [one for one in _placed(told) if "3C" in one[1]]
    assert [(seat, t_ms) for seat, _, t_ms, _ in threes] == [("B", 3_130), ("A", 3_150)]


def test_of_three_cards_that_hands_hid_each_was_laid_when_its_own_hand_came_down() -> None:
    """A lays a queen, B a jack on it, A a ten on that, before the first can be seen to lie."""
    beside = (-38.0, -2.0)
    touches = (Touched(A, 2_240, "A.arr.3"), Touched(B, 2_660, "B.arr.2"),
               Touched(A, 2_740, "play.A"), Touched(B, 3_120, "play.A"),
               Touched(A, 3_180, "A.arr.5", beside), Touched(A, 3_590, "play.A"))  # fmt: skip
    table = Table("nerves", *touches,
                  known="play.A 9S | A.arr.3 (AH) QS | A.arr.5 TC | B.arr.2 (5H) JC "
                  "| A.rest (2C) (3C) | B.rest (2D) (3D)")  # fmt: skip
    nine, ten = (1, "9S", "play.A", (0.0, 0.0)), (2, "TC", "A.arr.5", (0.0, 0.0))
    backs = (6, "BACK", "A.arr.3", (0.0, 0.0)), (7, "BACK", "B.arr.2", (0.0, 0.0))
    rest = (8, "BACK", "A.rest", (0.0, 0.0)), (9, "BACK", "B.rest", (0.0, 0.0))
    queen, jack = (3, "QS", "A.arr.3", (0.0, 0.0)), (4, "JC", "B.arr.2", (0.0, 0.0))
    table.look(0, nine, ten, queen, jack, *rest)
    table.looks(1_000, 2_200, nine, ten, queen, jack, *rest)
    table.hands_over = ("play.A",)
    table.looks(2_300, 2_600, nine, ten, jack, backs[0], *rest)
    table.looks(2_700, 3_150, nine, ten, *backs, *rest)
    table.looks(3_250, 3_800, nine, *backs, *rest)
    table.hands_over = ()
    table.still(5, 3_800, moving_ms=2_710)
    told = table.looks(4_060, 6_000, (5, "TC", "play.A", (4.0, 2.0)), *backs, *rest)
    placed = sorted((one for one in told if isinstance(one, CardPlaced)), key=lambda one: one.t_ns)
    laid = [(str(one.card), one.actor.seat, one.t_ns // MS) for one in placed]
    assert laid[:2] == [("QS", "A", 2_740), ("JC", "B", 3_120)]
    (face, seat, t_ms), u_ns = laid[2], placed[2].u_ns
    assert (face, seat) == ("TC", "A")
    assert u_ns is not None
    assert 3_180 <= t_ms - u_ns // MS <= 3_590 <= t_ms + u_ns // MS


def test_who_took_a_card_of_his_own_laid_it_though_anothers_hand_is_nearer() -> None:
    touches = (Touched(A, 5_200, "A.arr.4"), Touched(B, 5_530, "play.B"),
               Touched(A, 5_700, "play.B", (40.0, 0.0)))  # fmt: skip
    table = Table("nerves", *touches, known="play.B 4S | A.arr.4 3D | B.arr.1 (2C)")
    four, three = (1, "4S", "play.B", (0.0, 0.0)), (2, "3D", "A.arr.4", (0.0, 0.0))
    table.look(0, four, three)
    table.looks(1_000, 5_100, four, three)
    table.looks(5_260, 5_500, four)
    table.still(3, 5_720, moving_ms=5_600)
    told = table.looks(5_900, 7_000, (3, "3D", "play.B", (2.0, 1.0)))
    (placed,) = (one for one in told if isinstance(one, CardPlaced) and str(one.card) == "3D")
    assert placed.actor.seat == "A"


def test_a_card_whose_taking_no_touch_tells_was_taken_when_fingers_were_nearest_to_it() -> None:
    """A's own arm hides till later that its place is bare; so it lay before B's card did."""
    touches = (Touched(B, 4_010, "B.arr.1"), Touched(A, 4_580, "play.B"))
    table = Table("nerves", *touches,
                  known="play.B KC 8D | A.arr.1 (TD) 7H | B.arr.1 (3C) 9S "
                  "| A.rest (4H) (6S) | B.rest (AS) (5D)")  # fmt: skip
    eight, seven = (1, "8D", "play.B", (0.0, 0.0)), (2, "7H", "A.arr.1", (0.0, 0.0))
    nine, back = (3, "9S", "B.arr.1", (0.0, 0.0)), (4, "BACK", "A.arr.1", (0.0, 0.0))
    rest = (8, "BACK", "A.rest", (0.0, 0.0)), (9, "BACK", "B.rest", (0.0, 0.0))
    table.ways["A"] = ((3_900, "A.arr.1", (36.0, -10.0)), (4_170, "A.arr.1", (0.0, 20.0)),
                       (4_580, "play.B"))  # fmt: skip
    table.stirs = (("A.arr.1", 3_850, 4_700),)
    table.look(0, eight, seven, nine, *rest)
    table.looks(1_000, 4_600, eight, seven, nine, *rest)
    table.still(5, 4_780, moving_ms=4_700)
    told = table.looks(4_700, 7_000, back, (5, "9S", "play.B", (2.0, 0.0)), *rest)
    assert [one[:3] for one in _placed(told)] == [
        ("A", "7H A.arr.1>play.B", 4_580),
        ("B", "9S B.arr.1>play.B", 4_740),
    ]
