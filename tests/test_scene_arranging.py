"""Nerves: who lays out his packet, and what of it nobody sees lie."""

from __future__ import annotations

from test_scene_rough import A, Table, Touched, moves_of

from referee.values import Actor, CardPlaced, CardTurned, Event, PileTaken

FIRST, ON_IT = (0.0, 40.0), (3.0, 34.0)
PLAYED = (7, "4C", "play.B", (0.0, 0.0))
BACK = (1, "BACK", "A.arr.1", FIRST)
HELD = "A.arr.1 (2C) | A.held " + "(3C) " * 9
REST = (2, "BACK", "A.rest", (0.0, 0.0))


def _laid(events: list[Event]) -> list[tuple[str, str, str, bool]]:
    assert not [one for one in events if isinstance(one, CardTurned | PileTaken)]
    laid = (one for one in events if isinstance(one, CardPlaced))
    return [(str(one.card), one.origin, one.target, one.up) for one in laid]


def test_who_arranges_while_the_other_plays_turns_none_up_either() -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", FIRST), known=f"{HELD} | play.B 4C")
    table.look(0, BACK, PLAYED)
    table.looks(4_000, 5_000, BACK, PLAYED)
    # The hand hides the back below for a while.
    told = table.looks(5_060, 5_400, PLAYED)
    table.still(5, 5_060)
    told += table.looks(5_400, 8_000, PLAYED, (5, "9H", "A.arr.1", ON_IT))
    assert _laid(told) == [("9H", "A.held", "A.arr.1", True)]
    assert len(table.scene.piles["A.arr.1"]) == 2


def test_a_card_is_not_laid_twice_onto_a_column_because_half_of_it_is_not_read() -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", FIRST), known=f"{HELD} | play.B 4C")
    table.look(0, BACK, PLAYED)
    for number in (5, 6):
        table.still(number, 5_060)
    unread, read = (5, "??", "A.arr.1", (0.0, 14.0)), (6, "9H", "A.arr.1", (1.0, 34.0))
    told = table.looks(5_200, 5_500, PLAYED, unread)
    told += table.looks(5_500, 9_000, PLAYED, unread, read)
    assert _laid(told) == [("9H", "A.held", "A.arr.1", True)]


def test_a_rest_that_nobody_counted_is_used_up_when_its_place_is_bare_after_a_card_of_it() -> None:
    touches = (Touched(A, 3_000, "A.rest"), Touched(A, 5_000, "A.rest"),
               Touched(A, 5_500, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known=HELD + "| A.arr.2 5S | A.arr.3 9S")
    table.scene.piles.deep.add("A.held")
    open_cards = (3, "5S", "A.arr.2", FIRST), (4, "9S", "A.arr.3", FIRST)
    table.look(0, BACK, *open_cards)
    table.still(2, 3_000)
    table.looks(3_060, 5_000, BACK, *open_cards, REST)
    table.hands_over = ("A.rest",)
    table.still(8, 5_500)
    played = (8, "6H", "play.A", (0.0, 0.0))
    told = table.looks(5_060, 5_700, BACK, *open_cards, REST)
    told += table.looks(5_700, 6_200, BACK, *open_cards, REST, played)
    table.hands_over = ()
    told += table.looks(6_200, 9_000, BACK, *open_cards, played)
    assert _laid(told) == [("6H", "A.rest", "play.A", True)]
    assert not table.scene.piles["A.rest"]


def test_who_lays_out_a_card_of_a_pile_that_both_hands_were_over_has_taken_it() -> None:
    # A is the one who arranges; the other player's hand was as near when the pile left.
    both = (Touched(A, 4_000, "play.B"), Touched(Actor("B", "R"), 4_000, "play.B"),
            Touched(A, 5_000, "A.arr.1"))  # fmt: skip
    table = Table("nerves", *both, known="A.arr.2 5S | play.B 2H 3H 9H 4C | B.arr.2 6D")
    others = (3, "5S", "A.arr.2", FIRST), (4, "6D", "B.arr.2", FIRST)
    table.look(0, *others, PLAYED)
    table.looks(3_000, 4_000, *others, PLAYED)
    told = table.looks(4_100, 5_100, *others)
    table.still(5, 5_000)
    told += table.looks(5_100, 9_000, *others, (5, "9H", "A.arr.1", FIRST))
    (taken,) = (one for one in told if isinstance(one, PileTaken))
    assert (taken.actor.seat, taken.zone, taken.count) == ("A", "play.B", 4)
    laid = [one for one in told if isinstance(one, CardPlaced)]
    assert [(str(e.card), e.origin, e.target) for e in laid] == [("9H", "A.held", "A.arr.1")]


def test_a_row_is_told_card_by_card_though_the_first_of_them_is_read_late() -> None:
    touches = Touched(A, 5_000, "A.arr.2", FIRST), Touched(A, 5_600, "A.arr.3", FIRST)
    table = Table("nerves", *touches, known=f"{HELD} | play.B 4C")
    table.look(0, BACK, PLAYED)
    for number, t_ms in ((5, 5_000), (6, 5_600)):
        table.still(number, t_ms)
    unread, read = (5, "??", "A.arr.2", FIRST), (5, "9H", "A.arr.2", FIRST)
    next_one = (6, "BACK", "A.arr.3", FIRST)
    told = table.looks(5_500, 5_660, BACK, PLAYED, unread)
    told += table.looks(5_660, 6_300, BACK, PLAYED, unread, next_one)
    told += table.looks(6_300, 8_000, BACK, PLAYED, read, next_one)
    assert [e.target for e in told if isinstance(e, CardPlaced)] == ["A.arr.2", "A.arr.3"]


def test_who_has_nothing_before_him_when_cards_are_played_lays_out_what_he_holds() -> None:
    table = Table("nerves", Touched(A, 1_000, "A.arr.1"), Touched(A, 1_600, "A.arr.2"))
    played = (1, "6D", "play.A", (0.0, 0.0)), (2, "5S", "play.B", (0.0, 0.0))
    table.unseen = ("A.arr.4", "A.rest")
    table.look(0, *played)
    table.unseen = ()
    table.still(3, 1_000)
    back = (3, "BACK", "A.arr.1", (0.0, 0.0))
    told = table.looks(1_200, 1_700, *played, back)
    table.still(4, 1_600)
    told += table.looks(1_800, 4_000, *played, back, (4, "7C", "A.arr.2", (0.0, 0.0)))
    assert moves_of(told) == [("A.held", "A.arr.1", 1), ("A.held", "A.arr.2", 1)]
    assert all(event.conf is not None and event.conf > 0.9 for event in told)


def test_who_has_a_rest_before_him_holds_nothing() -> None:
    table = Table("nerves")
    table.look(0, (1, "6D", "play.A", (0.0, 0.0)), (2, "BACK", "A.rest", (0.0, 0.0)))
    assert not table.scene.piles["A.held"]
    assert "B.held" in table.scene.piles.deep


def test_who_lays_out_his_packet_takes_a_card_of_it_back_into_his_hand() -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.2", FIRST), known=HELD)
    second = (2, "BACK", "A.arr.2", FIRST)
    table.looks(0, 2_000, BACK)
    table.still(2, 2_000)
    table.looks(2_060, 5_000, BACK, second)
    told = table.looks(5_100, 9_000, BACK)
    assert _laid(told) == [("??", "A.arr.2", "A.held", False)]


def test_what_nobody_reads_far_before_the_first_card_of_a_pile_is_no_card() -> None:
    # A hand rests at the edge over a dotted cloth.
    hand, open_card = (-25.0, -169.0), (3, "5S", "A.arr.2", FIRST)
    table = Table(
        "nerves",
        Touched(A, 4_500, "A.arr.6", hand),
        known="A.arr.1 (2C) | A.arr.2 5S | A.rest (??) (??) | play.B 4C",
    )
    table.look(0, BACK, open_card, PLAYED)
    table.still(9, 4_600)
    told = table.looks(4_700, 9_000, BACK, open_card, PLAYED, (9, "??", "A.arr.6", hand))
    assert not told
    assert "A.arr.6" not in table.scene.piles.zones()


def test_an_unread_hand_that_rests_there_as_the_camera_opens_is_no_card_either() -> None:
    hand, open_card = (-25.0, -169.0), (3, "5S", "A.arr.2", FIRST)
    table = Table("nerves", known="")
    table.look(0, open_card, (9, "??", "A.arr.6", hand))
    assert {*table.scene.piles.zones()} == {"A.arr.2"}


def test_a_card_that_is_read_there_is_one() -> None:
    held, open_card = (-25.0, -169.0), (3, "5S", "A.arr.2", FIRST)
    table = Table("nerves", Touched(A, 4_500, "A.arr.6", held), known=f"{HELD} | A.arr.2 5S")
    table.look(0, BACK, open_card)
    table.still(9, 4_600)
    told = table.looks(4_700, 9_000, BACK, open_card, (9, "9H", "A.arr.6", held))
    assert [str(one.card) for one in told if isinstance(one, CardPlaced)] == ["9H"]


def test_an_unread_card_that_follows_another_of_its_column_is_one() -> None:
    on_it, open_card = (0.0, -50.0), (3, "5S", "A.arr.2", (0.0, -30.0))
    table = Table("nerves", Touched(A, 4_500, "A.arr.2", on_it), known=f"{HELD} | A.arr.2 5S")
    table.look(0, BACK, open_card)
    table.still(9, 4_600)
    told = table.looks(4_700, 9_000, BACK, (9, "??", "A.arr.2", on_it))
    assert [str(one.card) for one in told if isinstance(one, CardPlaced)] == ["??"]
