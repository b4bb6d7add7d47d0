"""Nerves: packets that nobody counted, from the cut to the hand that lays them out."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.notation import read_event
from referee.table.habits import NERVES
from referee.table.packets import USED_UP_NS, Packets
from referee.table.piles import NEVER_NS, Lying, Piles
from referee.values import CardPlaced, Event, PileMoved, PileTaken

DECK, CUT = (1, "BACK", "deck", (0.0, 0.0)), (2, "BACK", "cut.1", (0.0, 0.0))
A_PILE, B_PILE = (3, "BACK", "A.pile", (0.0, 0.0)), (4, "BACK", "B.pile", (0.0, 0.0))
WHOLE = "deck " + "(2C) " * 52
# How the halves come to lie before the players: B takes the one that was lifted off.
HALVES = (
    Touched(A, 2_000, "deck"),
    Touched(A, 2_600, "cut.1"),
    Touched(B, 4_000, "cut.1"),
    Touched(B, 4_600, "B.pile"),
    Touched(A, 6_000, "deck"),
    Touched(A, 6_600, "A.pile"),
)


def _cut(table: Table) -> list[Event]:
    table.look(0, DECK)
    table.looks(1_000, 2_600, DECK)
    return table.looks(2_660, 4_000, DECK, CUT)


def _moved(events: list[Event]) -> list[tuple[str, str]]:
    return [(e.origin, e.target) for e in events if isinstance(e, PileMoved)]


def test_the_halves_of_a_cut_deck_are_followed_to_their_players() -> None:
    table = Table("nerves", *HALVES, known=WHOLE)
    told = _cut(table)
    told += table.looks(4_060, 4_600, DECK)
    told += table.looks(4_660, 6_000, DECK, B_PILE)
    told += table.looks(6_060, 6_600, B_PILE)
    told += table.looks(6_660, 9_000, B_PILE, A_PILE)
    assert _moved(told) == [
        ("deck", "cut.1"),
        ("cut.1", "B.pile"),
        ("deck", "A.pile"),
    ]


def test_a_half_lies_before_its_player_though_he_keeps_his_hands_on_it() -> None:
    table = Table("nerves", *HALVES, known=WHOLE)
    told = _cut(table)
    told += table.looks(4_060, 4_600, DECK)
    told += table.looks(4_660, 6_000, DECK, B_PILE)
    table.hands_over = ("A.pile",)
    told += table.looks(6_060, 9_000, B_PILE)
    table.hands_over = ()
    told += table.looks(9_060, 11_000, B_PILE, A_PILE)
    (put_down,) = (e for e in told if isinstance(e, PileMoved) and e.target == "A.pile")
    assert (put_down.origin, put_down.t_ns, put_down.actor.seat) == ("deck", 6_600_000_000, "A")
    assert not [e for e in told if isinstance(e, CardPlaced | PileTaken)]


def test_a_hand_that_is_taken_for_an_open_card_is_none_of_the_backs_of_a_cut_deck() -> None:
    table = Table("nerves", *HALVES[:2], known=WHOLE)
    told = _cut(table)
    told += table.looks(4_000, 6_000, DECK, CUT, (9, "??", "cut.1", (6.0, 9.0)))
    assert _moved(told) == [("deck", "cut.1")]
    assert not [e for e in told if isinstance(e, CardPlaced)]


BACK = Lying("??", None, False, (0.0, 0.0), 0.0, None, NEVER_NS)
TO_THE_REST = """
1 2.000 PileMoved A.R deck>cut.1 n=26 conf=0.5
2 6.000 PileMoved A.R cut.1>A.pile n=26 conf=0.9
3 6.600 PileMoved B.R deck>B.pile n=26 conf=0.9
4 11.700 PileTaken A.L A.pile n=26 conf=0.9
5 12.000 PileTaken B.L B.pile n=26 conf=0.9
6 13.000 CardPlaced B.R ?? B.held>B.arr.1 down conf=0.98
7 14.000 CardPlaced B.R 7H B.held>B.arr.1 up conf=0.98"""


def _number(packets: Packets, line: str, at_ns: int = 0) -> int:
    """Return how many cards a block is told to have."""
    (told,) = packets.told(at_ns, [read_event(line)])
    assert isinstance(told, PileMoved | PileTaken)
    return told.count


def _arranged(doubtful: bool = False) -> Packets:
    """Return the packets once B has laid all that he held, two cards."""
    piles = Piles()
    piles["deck"].extend([BACK] * 52)
    packets = Packets(NERVES, piles, lambda zone: False)
    packets.begin()
    piles["deck"].clear()
    for pile in ("A.held", "A.rest"):
        piles[pile].append(BACK)
    for line in TO_THE_REST.strip().splitlines():
        packets.told(0, [read_event(line.replace("0.98", "0.6") if doubtful else line)])
    for t_ns in (0, USED_UP_NS + 1):
        packets.told(t_ns, [])
    return packets


def test_once_one_half_is_used_up_the_number_of_the_other_follows() -> None:
    packets = _arranged()
    assert _number(packets, "8 30.000 PileMoved A.L A.held>A.rest n=26") == 50
    packets.told(0, [read_event("9 31.000 CardPlaced A.L 6H A.rest>play.A up conf=0.9")])
    assert _number(packets, "10 40.000 PileTaken A.L A.rest n=26") == 49


def test_what_was_laid_by_a_guess_changes_no_number() -> None:
    assert _number(_arranged(doubtful=True), "8 30.000 PileMoved A.L A.held>A.rest n=26") == 26


# A keeps his hand on what he lifted off until he takes it up; B takes what is left of the deck.
KEPT = (
    Touched(A, 1_600, "deck"),
    Touched(A, 2_100, "cut.1"),
    Touched(B, 2_800, "deck"),
    Touched(B, 3_300, "B.pile"),
    Touched(A, 3_400, "A.pile"),
)


def _taken(*touches: Touched) -> list[Event]:
    """Return what is told where a deck leaves whole and two packets show, B's and then A's."""
    table = Table("nerves", *touches, known=WHOLE)
    table.look(0, DECK)
    told = table.looks(1_000, 2_860, DECK)
    told += table.looks(2_900, 3_360)
    told += table.looks(3_400, 3_460, B_PILE)
    return told + table.looks(3_500, 6_000, B_PILE, A_PILE)


def test_a_half_that_lay_under_the_hand_that_lifted_it_off_was_there_all_the_same() -> None:
    told = _taken(*KEPT)
    assert _moved(told) == [("deck", "cut.1"), ("deck", "B.pile"), ("cut.1", "A.pile")]
    assert [e.actor.seat for e in told if isinstance(e, PileMoved)] == ["A", "B", "A"]


def test_the_half_that_lay_under_a_hand_is_the_one_to_which_its_player_reached() -> None:
    touches = (*KEPT[:2], Touched(B, 2_700, "cut.1"), Touched(A, 2_800, "deck"), *KEPT[3:])
    told = _taken(*touches)
    assert _moved(told) == [("deck", "cut.1"), ("cut.1", "B.pile"), ("deck", "A.pile")]


def test_a_deck_that_is_taken_up_whole_was_not_cut() -> None:
    touches = (Touched(B, 2_800, "deck"), Touched(B, 3_300, "B.pile"))
    table = Table("nerves", *touches, known=WHOLE)
    table.look(0, DECK)
    told = table.looks(1_000, 2_860, DECK)
    told += table.looks(2_900, 3_360)
    told += table.looks(3_400, 6_000, B_PILE)
    assert _moved(told) == [("deck", "B.pile")]


def test_a_cut_leaves_as_many_as_it_takes_where_fewer_than_a_deck_lie() -> None:
    table = Table("nerves", Touched(A, 1_500, "deck"), known="deck (2C) (9D) (4S) (KH) (7C) (3D)")
    table.look(0, DECK)
    table.looks(600, 1_400, DECK)
    (cut,) = table.looks(2_000, 4_000, DECK, CUT)
    assert isinstance(cut, PileMoved)
    assert (cut.origin, cut.target, cut.count) == ("deck", "cut.1", 3)
