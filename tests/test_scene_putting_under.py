"""Piles put under the backs of the rest, which shows the same as before: when that was."""

from __future__ import annotations

from test_scene_rough import B, Table, Touched

from referee.values import Event, PileMoved, PileTaken

REST = (1, "BACK", "B.rest", (0.0, 0.0))
TOP = (2, "TD", "play.B", (0.0, 0.0))
KNOWN = "B.rest (??) (??) (??) | play.B 9S 7C TD | A.rest (??) (??) | play.A KH"
OTHERS = ((3, "BACK", "A.rest", (0.0, 0.0)), (4, "KH", "play.A", (0.0, 0.0)))


def _put_ms(events: list[Event]) -> list[tuple[str, str, int, int]]:
    return [
        (event.origin, event.target, event.count, event.t_ns // 1_000_000)
        for event in events
        if isinstance(event, PileMoved) and event.under
    ]


def test_a_pile_was_put_under_the_rest_when_the_hand_came_there_first() -> None:
    # After it the hand rests at home, close by.
    touches = (Touched(B, 5_490, "play.B", (0, -40)), Touched(B, 5_960, "B.rest", (30, -38)),
               Touched(B, 6_290, "B.rest", (20, 60)))  # fmt: skip
    table = Table("nerves", *touches, known=KNOWN)
    table.look(0, REST, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, *OTHERS)
    told = table.looks(6_000, 8_000, REST, *OTHERS)
    assert _put_ms(told) == [("play.B", "B.rest", 3, 5_960)]
    assert len(table.scene.piles["B.rest"]) == 6


def test_a_hand_that_held_the_pile_by_its_edge_was_seen_on_its_way() -> None:
    # Its fingers stayed beside the pile that it had taken, and then went home over the rest.
    touches = (Touched(B, 5_490, "play.B"), Touched(B, 6_000, "play.B", (-8, -36)))
    table = Table("nerves", *touches, known=KNOWN)
    table.ways["B"] = ((5_500, "play.B"), (5_800, "B.rest"), (6_200, "B.rest"))
    table.look(0, REST, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, *OTHERS)
    told = table.looks(6_300, 8_000, REST, *OTHERS)
    ((*where, t_ms),) = _put_ms(told)
    assert where == ["play.B", "B.rest", 3]
    assert abs(t_ms - 6_000) <= 250


def test_the_first_of_two_piles_was_put_under_before_the_same_hand_took_the_other() -> None:
    """Its fingers were beside the rest; only with the second pile they came down on it."""
    touches = (
        Touched(B, 5_490, "play.B"),
        Touched(B, 6_400, "play.A"),
        Touched(B, 6_900, "B.rest"),
    )
    table = Table("nerves", *touches, known=KNOWN)
    table.ways["B"] = ((5_500, "play.B"), (5_900, "B.rest", (30.0, -60.0)), (6_400, "play.A"),
                       (6_900, "B.rest"))  # fmt: skip
    table.look(0, REST, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, *OTHERS)
    table.hands_over = ("B.rest",)
    told = table.looks(5_600, 6_450, REST, *OTHERS)
    told += table.looks(6_500, 7_300, REST, OTHERS[0])
    table.hands_over = ()
    told += table.looks(7_300, 9_000, REST, OTHERS[0])
    assert _put_ms(told) == [("play.B", "B.rest", 3, 5_900), ("play.A", "B.rest", 1, 6_900)]


def test_a_pile_is_under_the_rest_though_the_hand_was_there_again_just_now() -> None:
    touches = (Touched(B, 5_490, "play.B"), Touched(B, 5_960, "B.rest", (8, -40)),
               Touched(B, 7_600, "B.rest"), Touched(B, 8_150, "B.rest", (47, 40)))  # fmt: skip
    table = Table("nerves", *touches, known=KNOWN)
    table.look(0, REST, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, *OTHERS)
    table.hands_over = ("B.rest",)
    told = table.looks(6_000, 8_570, REST, *OTHERS)
    table.hands_over = ()
    told += table.looks(8_580, 10_000, REST, *OTHERS)
    assert _put_ms(told) == [("play.B", "B.rest", 3, 5_960)]


def test_who_picks_up_all_that_is_his_puts_the_pile_under_nothing() -> None:
    """He comes to his rest at last; the camera still believes it there for a while."""
    touches = (Touched(B, 5_490, "play.B"), Touched(B, 5_900, "B.arr.3"),
               Touched(B, 6_400, "B.rest"))  # fmt: skip
    table = Table("nerves", *touches, known=KNOWN + " | B.arr.3 6D")
    six = (5, "6D", "B.arr.3", (0.0, 0.0))
    table.look(0, REST, TOP, six, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, six, *OTHERS)
    told = table.looks(5_600, 5_950, REST, six, *OTHERS)
    told += table.looks(6_000, 7_100, REST, *OTHERS)
    told += table.looks(7_100, 12_000, *OTHERS)
    taken = {event.zone: event.count for event in told if isinstance(event, PileTaken)}
    assert taken == {"play.B": 3, "B.arr.3": 1, "B.rest": 3}


def test_nobody_puts_the_top_card_of_a_pile_under_his_rest() -> None:
    # An arm hides what was laid on the seven; the hand that brings a rest card was at both.
    touches = (Touched(B, 5_490, "play.B"), Touched(B, 5_960, "B.rest"))
    table = Table("nerves", *touches, known=KNOWN)
    seven = (5, "7C", "play.B", (0.0, 0.0))
    table.look(0, REST, seven, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, seven, TOP, *OTHERS)
    told = table.looks(6_000, 6_900, REST, seven, *OTHERS)
    told += table.looks(6_960, 8_000, REST, seven, TOP, *OTHERS)
    assert not _put_ms(told)
    assert [card.face for card in table.scene.piles["play.B"]] == ["9S", "7C", "TD"]


def test_what_lay_below_a_card_that_was_taken_back_stays_where_it_is() -> None:
    # The ten lay squarely on the seven, which shows since it was lifted off, against the rules.
    touches = (Touched(B, 5_490, "play.B"), Touched(B, 5_960, "B.rest"))
    table = Table("nerves", *touches, known=KNOWN)
    table.look(0, REST, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, *OTHERS)
    table.still(5, 5_700)
    told = table.looks(6_000, 8_000, REST, (5, "7C", "play.B", (0.0, 0.0)), *OTHERS)
    # The next card hides it again.
    table.still(6, 8_000)
    told += table.looks(8_100, 11_000, REST, (6, "8C", "play.B", (0.0, 0.0)), *OTHERS)
    assert not _put_ms(told)
    assert [card.face for card in table.scene.piles["play.B"]] == ["9S", "7C", "8C"]


def test_a_pile_was_put_under_the_rest_though_a_new_one_was_begun_where_it_lay() -> None:
    touches = (Touched(B, 5_490, "play.B"), Touched(B, 5_960, "B.rest"),
               Touched(B, 7_200, "B.rest"), Touched(B, 7_600, "play.B"))  # fmt: skip
    table = Table("nerves", *touches, known=KNOWN)
    table.look(0, REST, TOP, *OTHERS)
    table.looks(5_000, 5_600, REST, TOP, *OTHERS)
    table.hands_over = ("B.rest",)
    told = table.looks(6_000, 7_700, REST, *OTHERS)
    new = (5, "7D", "play.B", (0.0, 0.0))
    table.still(5, 7_600)
    told += table.looks(7_700, 8_000, REST, *OTHERS, new)
    table.hands_over = ()
    told += table.looks(8_000, 10_000, REST, *OTHERS, new)
    assert [one[:3] for one in _put_ms(told)] == [("play.B", "B.rest", 3)]
