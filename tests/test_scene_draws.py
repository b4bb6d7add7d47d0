"""Cards turned over from the stock, and blocks of a cascade: what is told of what little shows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_scene_rough import A, B, L, Table, Touched, moves_of

from referee.table.evidence import Evidence, no_ways, untouched
from referee.table.habits import habits_of
from referee.table.layout import plan
from referee.table.piles import Piles
from referee.table.stirs import Stirs
from referee.table.turn_times import TurnTimes
from referee.values import Actor, CardPlaced, Event, PileMoved, card

STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
KING = (2, "KS", "A.waste", (0.0, 0.0))


def test_the_last_two_cards_of_the_stock_are_one_turn_though_the_first_is_known() -> None:
    # Turned over before, so that its order is known: the nine lies below.
    table = Table("nertz", Touched(L, 4_700, "A.stock"),
                  known="A.stock (9S) (??) | A.waste KS")  # fmt: skip
    table.look(0, STOCK, KING)
    table.look(4_900, KING)
    (turn,) = table.looks(5_400, 7_500, (3, "9S", "A.waste", (2, 1)))
    assert isinstance(turn, PileMoved)
    assert (turn.origin, turn.target, turn.count, turn.flip) == ("A.stock", "A.waste", 2, True)
    assert len(table.scene.piles["A.waste"]) == 3
    assert not table.scene.piles["A.stock"]


def test_a_stock_out_of_sight_for_a_while_is_not_turned_over_as_a_whole() -> None:
    table = Table("nertz", Touched(L, 4_700, "A.stock"),
                  known="A.stock " + "(??) " * 20 + "| A.waste KS")  # fmt: skip
    table.look(0, STOCK, KING)
    table.looks(4_900, 5_400, KING)
    (turn,) = table.looks(5_400, 7_500, (3, "8S", "A.waste", (2, 1)))
    assert isinstance(turn, PileMoved)
    assert turn.count == 3
    assert table.looks(7_500, 9_000, STOCK, (3, "8S", "A.waste", (2, 1))) == []
    assert len(table.scene.piles["A.stock"]) == 17
    assert len(table.scene.piles["A.waste"]) == 4


def test_who_turns_over_his_own_cards_has_not_the_same_face_of_the_other_player() -> None:
    # B takes his 8S off while A turns up three cards, an 8S on top.
    table = Table("nertz", Touched(L, 4_700, "A.stock"), Touched(B, 4_650, "B.work.1"),
                  known="A.stock " + "(??) " * 20 + "| A.waste KS | B.work.1 8S")  # fmt: skip
    table.look(0, STOCK, KING, (4, "8S", "B.work.1", (0, 0)))
    table.look(4_900, STOCK, KING)
    told = table.looks(5_400, 7_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    turns = [event for event in told if isinstance(event, PileMoved | CardPlaced)]
    assert [(turn.origin, turn.target) for turn in turns] == [("A.stock", "A.waste")]


def test_a_block_of_which_the_top_card_is_seen_first_is_a_block() -> None:
    touches = (Touched(A, 4_700, "A.work.2"), Touched(A, 5_100, "A.work.1"))
    table = Table("nertz", *touches, known="A.work.1 9D | A.work.2 8S 7D")
    nine, eight = (1, "9D", "A.work.1", (0, 0)), (2, "8S", "A.work.2", (0, 0))
    table.look(0, nine, eight, (3, "7D", "A.work.2", (0, -20)))
    table.look(5_000, nine)
    table.look(5_400, nine, (5, "7D", "A.work.1", (0, -40)))
    told = table.looks(5_466, 7_000, nine, (5, "7D", "A.work.1", (0, -40)),
                       (6, "8S", "A.work.1", (0, -20)))  # fmt: skip
    (block,) = told
    assert isinstance(block, PileMoved)
    assert (block.origin, block.target, block.count) == ("A.work.2", "A.work.1", 2)
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S", "7D"]


def test_the_upper_card_of_a_block_is_not_sure_to_have_come_alone() -> None:
    # The cards lie so close that of the 8S nothing shows, before or after.
    touches = (Touched(B, 4_700, "B.work.4"), Touched(B, 5_100, "B.work.1"))
    table = Table("nerds", *touches, known="B.work.1 9D | B.work.4 8S 7D")
    nine = (1, "9D", "B.work.1", (0, 0))
    table.look(0, nine, (3, "7D", "B.work.4", (0, 3)))
    table.look(4_950, nine)
    told = table.looks(5_000, 5_600, nine, (5, "7D", "B.work.1", (0, 20)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert placed.conf is not None
    assert placed.conf <= 0.9


def test_cards_turned_one_by_one_after_a_full_turn_are_a_new_turn() -> None:
    times = (3_000, 3_350, 3_700, 4_050)
    table = Table("nerds", *(Touched(L, t_ms - 250, "A.stock") for t_ms in times),
                  known="A.stock " + "(??) " * 20 + "| A.waste KS")  # fmt: skip
    table.look(0, STOCK, KING)
    told = []
    for number, (t_ms, face) in enumerate(zip(times, ("8S", "2C", "JD", "4H"), strict=True), 3):
        told += table.look(t_ms + 400, STOCK, (number, face, "A.waste", (2, 1)))
    told += table.looks(4_500, 7_000, STOCK, (6, "4H", "A.waste", (2, 1)))
    assert all(isinstance(event, CardPlaced | PileMoved) for event in told)
    assert [getattr(event, "count", 1) for event in told] == [1, 1, 1, 3]


def test_a_card_that_shows_beside_the_top_of_the_waste_again_is_no_new_draw() -> None:
    table = Table("nertz", known="A.stock " + "(??) " * 20 + "| A.waste KS 7H TS")
    ten = (2, "TS", "A.waste", (0.0, 0.0))
    table.look(0, STOCK, ten)
    table.look(5_900, STOCK, ten)
    assert table.looks(7_400, 9_500, STOCK, ten, (3, "7H", "A.waste", (9, 4))) == []
    assert [card.face for card in table.scene.piles["A.waste"]] == ["KS", "7H", "TS"]


FULL = "A.stock " + "(??) " * 20 + "| A.waste KS"


def _kinds(told: list[Event]) -> list[tuple[str, int]]:
    return [(type(one).__name__, getattr(one, "count", 1)) for one in told]


def eight_after_a_hand(table: Table) -> list[Event]:
    """Return what is told of an eight that shows on the waste when a hand has left it."""
    table.look(0, STOCK, KING)
    table.looks(3_500, 5_000, STOCK)
    table.still(3, 4_800)
    return table.looks(5_000, 9_000, STOCK, (3, "8S", "A.waste", (2, 1)))


def test_cards_laid_one_by_one_under_a_hand_are_told_so_though_only_the_last_one_shows() -> None:
    # The hand hides all three, but the pile stirs under it each time.
    table = Table("nerds", Touched(L, 4_400, "A.stock"), known=FULL)
    table.stirs = (("A.stock", 3_650, 3_900), ("A.waste", 3_950, 4_200),
                   ("A.stock", 4_100, 4_300), ("A.waste", 4_350, 4_500),
                   ("A.stock", 4_400, 4_650), ("A.waste", 4_700, 4_850))  # fmt: skip
    told = eight_after_a_hand(table)
    assert _kinds(told) == [("CardPlaced", 1)] * 3
    assert [one.card.face for one in told if isinstance(one, CardPlaced)] == ["??", "??", "8S"]


def test_a_hand_that_stirs_the_waste_as_it_goes_has_laid_one_turn_and_not_two_cards() -> None:
    # It goes over the waste twice, and is at the backs once before each turn.
    table = Table("nerds", Touched(L, 4_400, "A.stock"), known=FULL)
    table.stirs = (("A.stock", 3_550, 3_960), ("A.waste", 3_880, 4_050), ("A.waste", 4_180, 4_380),
                   ("A.stock", 4_400, 4_560), ("A.waste", 4_620, 4_850))  # fmt: skip
    told = eight_after_a_hand(table)
    assert {kind for kind, _ in _kinds(told)} == {"PileMoved"}


def test_three_cards_laid_at_once_by_a_hand_that_came_slowly_are_one_turn() -> None:
    # Its fingers were seen to and fro, but the pile stirred only once.
    touches = (Touched(L, 3_900, "A.stock"), Touched(L, 4_400, "A.stock"))
    table = Table("nerds", *touches, known=FULL)
    table.ways["A"] = ((3_800, "A.stock"), (4_000, "A.waste"), (4_200, "A.stock"),
                       (4_400, "A.waste"), (4_550, "A.stock"))  # fmt: skip
    table.stirs = (("A.waste", 4_600, 4_850),)
    told = eight_after_a_hand(table)
    assert _kinds(told) == [("PileMoved", 3)]


def test_who_plays_a_card_off_the_waste_and_draws_at_once_laid_no_card_there_before() -> None:
    # Before the hand came to the waste for the first time it was not at the stock.
    table = Table("nerds", Touched(L, 4_500, "A.stock"), known=FULL)
    table.stirs = (("A.waste", 3_950, 4_350), ("A.stock", 4_250, 4_600), ("A.waste", 4_600, 4_850))
    told = eight_after_a_hand(table)
    assert _kinds(told) == [("PileMoved", 3)]


def test_a_turn_is_told_though_the_hand_may_have_laid_bare_what_shows() -> None:
    # It went on to the work pile and stays there, but the stock stirred before the waste.
    touches = (Touched(A, 4_300, "A.waste"), Touched(A, 4_900, "A.work.1"))
    table = Table("nertz", *touches, known="A.stock " + "(??) " * 20)
    table.stirs = (("A.stock", 4_200, 4_500), ("A.waste", 4_550, 4_850))
    table.look(0, STOCK, KING)
    table.looks(4_000, 5_000, STOCK)
    table.still(3, 4_800)
    table.hands_over = ("A.work.1",)
    told = table.looks(5_000, 9_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    assert [one for one in _kinds(told) if one[0] == "PileMoved"] == [("PileMoved", 3)]


def test_what_shows_below_a_card_that_was_played_at_once_is_no_other_draw() -> None:
    # Nobody lays the next card so soon after the last one.
    table = Table("nerds", Touched(L, 4_600, "A.stock"), Touched(A, 5_000, "A.waste"), known=FULL)
    table.stirs = (("A.waste", 4_600, 4_850),)
    table.look(0, STOCK, KING)
    table.looks(3_500, 5_000, STOCK)
    table.still(3, 4_850)
    told = table.looks(5_000, 5_300, STOCK, (3, "2C", "A.waste", (2, 1)))
    table.still(4, 5_030)
    told += table.looks(5_300, 9_000, STOCK, (4, "3S", "A.waste", (-2, 1)),
                        (5, "2C", "F.1", (0, 0)))  # fmt: skip
    assert [one for one in _kinds(told) if one[0] == "PileMoved"] == [("PileMoved", 3)]
    assert [str(one.card) for one in told if isinstance(one, CardPlaced)] == ["A:2C"]


def test_turns_within_a_second_of_each_other_are_all_told() -> None:
    # The hand goes to and fro; the camera knows only that it came down on the waste.
    times = (4_300, 5_300, 6_300)
    table = Table("nertz", *(Touched(L, t_ms, "A.waste", (3, 0)) for t_ms in times), known=FULL)
    table.look(0, STOCK, KING)
    table.look(4_300, STOCK)
    told = table.looks(4_700, 5_300, STOCK, (3, "8S", "A.waste", (2, 1)))
    told += table.looks(5_700, 6_300, STOCK, (4, "QC", "A.waste", (-2, 1)))
    told += table.looks(6_700, 9_500, STOCK, (5, "QD", "A.waste", (1, -2)))
    assert [(e.origin, e.count, e.cards) for e in told if isinstance(e, PileMoved)] == [
        ("A.stock", 3, (card("A:8S"),)),
        ("A.stock", 3, (card("A:QC"),)),
        ("A.stock", 3, (card("A:QD"),)),
    ]
    assert len(told) == 3
    assert len(table.scene.piles["A.stock"]) == 11


def test_a_hand_that_went_on_elsewhere_may_have_bared_what_the_waste_shows() -> None:
    # Nobody sees where the king lies; he may be under the arm at the work pile.
    touches = (Touched(A, 4_300, "A.waste"), Touched(A, 4_900, "A.work.1"))
    table = Table("nertz", *touches, known="A.stock " + "(??) " * 20 + "| A.waste 2C KS")
    table.look(0, STOCK, KING)
    table.look(4_300, STOCK)
    told = table.looks(4_700, 9_500, STOCK, (3, "2C", "A.waste", (2, 1)))
    assert not [event for event in told if isinstance(event, PileMoved)]


def test_what_nobody_touched_did_not_go_to_another_player() -> None:
    # Both play with a four of clubs; A's is lost from sight while B turns up his own.
    table = Table("nertz", Touched(B, 4_650, "B.waste"),
                  known="B.stock " + "(??) " * 20 + "| A.waste 4C")  # fmt: skip
    back = (1, "BACK", "B.stock", (0, 0))
    table.look(0, back, (2, "4C", "A.waste", (0, 0)))
    table.look(4_900, back)
    told = table.looks(5_000, 8_000, back, (3, "4C", "B.waste", (2, 1)))
    assert [(e.origin, e.target) for e in told if isinstance(e, PileMoved | CardPlaced)] == [
        ("B.stock", "B.waste")
    ]


def test_an_unread_card_that_was_lost_from_sight_is_read_and_not_drawn() -> None:
    # Below the eight, which is played, lies a card that nobody has read.
    touches = (Touched(L, 4_300, "A.stock"), Touched(A, 8_400, "A.work.1", (0, -22)))
    table = Table("nertz", *touches, known="A.stock " + "(??) " * 20 + "| A.work.1 9D")
    nine = (2, "9D", "A.work.1", (0, 0))
    table.look(0, STOCK, nine)
    played = (4, "8S", "A.work.1", (0, -22))
    table.looks(4_700, 8_000, STOCK, nine, (3, "8S", "A.waste", (0, 0)))
    told = table.looks(8_100, 8_500, STOCK, nine)
    told += table.looks(8_800, 10_000, STOCK, nine, played)
    table.still(5, 8_000)
    told += table.looks(10_000, 12_500, STOCK, nine, played, (5, "KD", "A.waste", (1, 1)))
    assert [type(event) for event in told] == [CardPlaced]
    assert table.scene.piles["A.waste"][-1].face == "KD"


def test_a_card_that_is_taken_off_its_like_goes_back_and_is_not_drawn_anew() -> None:
    # Both laid a two on the ace; B was late and takes his back, and A's two shows there.
    touches = (Touched(A, 4_000, "F.1"), Touched(B, 4_400, "F.1"),
               Touched(B, 5_500, "F.1"), Touched(B, 6_000, "B.waste"))  # fmt: skip
    stock = "B.stock " + "(??) " * 20
    known = "F.1 A:AC A:2C B:2C | " + stock + "| B.waste (??)"
    table = Table("nertz", *touches, known=known)
    back, two = (1, "BACK", "B.stock", (0, 0)), (2, "2C", "F.1", (0, 0))
    table.look(0, back, two)
    told = table.looks(6_300, 8_000, back, two, (3, "2C", "B.waste", (1, 1)))
    assert [(str(e.card), e.origin, e.target) for e in told if isinstance(e, CardPlaced)] == [
        ("B:2C", "F.1", "B.waste")
    ]
    assert [str(one.card) for one in table.scene.piles["F.1"]] == ["A:AC", "A:2C"]
    assert table.scene.piles["F.1"][-1].spot == 2


def _moved(told: list[Event]) -> list[tuple[str, int, str]]:
    """Return what was told of draws: of which kind, how many cards, and which one showed."""
    return [
        ("turn", e.count, "".join(map(str, e.cards)))
        if isinstance(e, PileMoved)
        else ("card", 1, str(e.card))
        for e in told
        if isinstance(e, PileMoved | CardPlaced)
    ]


def _one_by_one(*touches: Touched) -> Table:
    """Return a table on which A has turned the first three cards of 23 one by one, and quickly."""
    quick = tuple(Touched(L, t_ms - 250, "A.stock") for t_ms in (500, 830, 1_160))
    known = "A.stock " + "(??) " * 23 + "| A.waste KS"
    table = Table("nerds", *quick, *touches, known=known)
    table.look(0, STOCK, KING)
    told = []
    for number, t_ms, face in ((13, 500, "3S"), (14, 830, "3C"), (15, 1_160, "3D")):
        table.still(number, t_ms)
        told += table.looks(t_ms + 100, t_ms + 330, STOCK, (number, face, "A.waste", (1, 1)))
    told += table.looks(1_490, 1_900, STOCK, THREE)
    assert [kind for kind, _, _ in _moved(told)] == ["card"] * 3
    return table


THREE = (15, "3D", "A.waste", (1, 1))


def test_three_cards_drawn_singly_of_which_the_hand_hides_the_first_two() -> None:
    # The hand came down on the waste 0.7 s before it laid the card that shows at last.
    touches = (Touched(L, 3_000, "A.waste", (3, 0)), Touched(L, 3_700, "A.waste", (3, 0)))
    table = _one_by_one(*touches)
    table.still(3, 3_700)
    told = table.looks(4_000, 6_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    assert _moved(told) == [("card", 1, "A:??"), ("card", 1, "A:??"), ("card", 1, "A:8S")]
    assert len(table.scene.piles["A.stock"]) == 17
    assert [one.face for one in table.scene.piles["A.waste"]] == [
        *("KS", "3S", "3C", "3D"),
        *("??", "??", "8S"),
    ]


def test_between_two_cards_for_which_the_hand_came_three_times_lies_one() -> None:
    touches = tuple(Touched(L, t_ms, "A.stock") for t_ms in (2_800, 3_080, 3_500))
    table = _one_by_one(*touches)
    table.still(3, 3_000)
    told = table.looks(3_200, 3_780, STOCK, (3, "8S", "A.waste", (2, 1)))
    table.still(4, 3_750)
    told += table.looks(3_790, 7_000, STOCK, (4, "QC", "A.waste", (-2, 1)))
    assert _moved(told) == [("card", 1, "A:8S"), ("card", 1, "A:??"), ("card", 1, "A:QC")]
    assert len(table.scene.piles["A.stock"]) == 17


def _drawn(
    lays: tuple[tuple[int, int, str], ...], stays_ms: int, *, singly: bool = False
) -> tuple[Table, list[Event]]:
    """Return a table and what is told when cards show on a waste one after another.

    Of a player who turns three at once as far as was seen, or who turned some `singly` before.
    """
    touches = tuple(Touched(L, t_ms - 280, "A.stock") for _, t_ms, _ in lays)
    table = _one_by_one(*touches) if singly else Table("nerds", *touches, known=FULL)
    if not singly:
        table.look(0, STOCK, KING)
    told = []
    for number, t_ms, face in lays:
        table.still(number, t_ms)
        told += table.looks(t_ms + 200, t_ms + stays_ms, STOCK, (number, face, "A.waste", (2, 1)))
    last, t_ms, face = lays[-1]
    told += table.looks(t_ms + stays_ms, 7_600, STOCK, (last, face, "A.waste", (2, 1)))
    return table, told


def test_who_drew_singly_before_draws_cards_two_thirds_of_a_second_apart_singly() -> None:
    table, told = _drawn(((3, 3_000, "8S"), (4, 3_660, "QC"), (5, 4_320, "QD")), 600, singly=True)
    assert _moved(told) == [("card", 1, "A:8S"), ("card", 1, "A:QC"), ("card", 1, "A:QD")]
    assert len(table.scene.piles["A.stock"]) == 17


def test_turns_of_half_a_second_are_whole_turns_of_who_never_drew_singly() -> None:
    table, told = _drawn(((3, 3_000, "8S"), (4, 3_500, "QC"), (5, 4_000, "QD")), 450)
    assert _moved(told) == [("turn", 3, "A:8S"), ("turn", 3, "A:QC"), ("turn", 3, "A:QD")]
    assert len(table.scene.piles["A.stock"]) == 11


def test_turns_of_a_quick_hand_are_whole_turns_though_less_than_a_second_apart() -> None:
    table, told = _drawn(((3, 3_000, "8S"), (4, 3_800, "QC"), (5, 4_600, "QD")), 500)
    assert _moved(told) == [("turn", 3, "A:8S"), ("turn", 3, "A:QC"), ("turn", 3, "A:QD")]
    assert len(table.scene.piles["A.stock"]) == 11


def _second_of_the_stock(turns: tuple[tuple[int, int, str], ...]) -> list[tuple[str, int, str]]:
    """Return what is told, after some turns, of the card that is believed to lie second."""
    table, _ = _drawn(turns, 600)
    stock = table.scene.piles["A.stock"]
    stock[-2] = replace(stock[-2], face="9S")
    last, _, face = turns[-1]
    table.ways["A"] = ((8_000, "A.stock"), *((t_ms, "A.waste") for t_ms in range(8_100, 9_000, 33)))
    table.looks(7_600, 8_000, STOCK, (last, face, "A.waste", (2, 1)))
    table.still(8, 9_000)
    return _moved(table.looks(9_200, 12_500, STOCK, (8, "9S", "A.waste", (2, 1))))


def test_who_turned_three_at_once_thrice_turns_three_wherever_the_card_was_believed() -> None:
    turns = ((3, 2_000, "8S"), (4, 3_500, "QC"), (5, 5_000, "QD"))
    assert _second_of_the_stock(turns) == [("turn", 3, "A:9S")]


@pytest.mark.parametrize(("wholes", "quick", "singly"), [(0, 1, True), (2, 1, False), (2, 2, True)])
def test_who_turned_three_at_once_lays_cards_singly_only_if_that_is_seen_again(
    wholes: int, quick: int, *, singly: bool
) -> None:
    """A hand that stirs the waste between two quick turns makes them look like single cards."""
    table, piles = plan("nerds", "AB"), Piles()
    evidence = Evidence(table, untouched, no_ways)
    times = TurnTimes(piles, Stirs(table, habits_of(table), piles, evidence))
    for _ in range(wholes):
        times.note_whole("A.stock")
    for _ in range(quick):
        times.note_quick("A.stock")
    assert ("A.stock" in times.singly) is singly


def test_fingers_that_laid_cards_for_a_second_drew_three_singly() -> None:
    table = _one_by_one()
    table.ways["A"] = ((2_000, "A.stock"), *((t_ms, "A.waste") for t_ms in range(2_100, 3_000, 33)))
    table.still(3, 3_000)
    told = table.looks(3_200, 6_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    assert _moved(told) == [("card", 1, "A:??"), ("card", 1, "A:??"), ("card", 1, "A:8S")]


def test_the_first_of_three_single_cards_is_the_one_that_was_hidden() -> None:
    # The last one stays in sight, so none came after it.
    touches = (Touched(L, t_ms, "A.stock") for t_ms in (2_400, 2_750, 3_100))
    table = Table("nerds", *touches, known=FULL)
    table.look(0, STOCK, KING)
    table.still(3, 3_000)
    told = table.looks(3_150, 3_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    table.still(4, 3_400)
    told += table.looks(3_600, 7_000, STOCK, (4, "QC", "A.waste", (-2, 1)))
    assert _moved(told) == [("card", 1, "A:??"), ("card", 1, "A:8S"), ("card", 1, "A:QC")]
    assert [one.face for one in table.scene.piles["A.waste"]] == ["KS", "??", "8S", "QC"]


def test_of_who_lays_cards_one_by_one_all_are_told_so_though_some_are_hidden() -> None:
    # Twice three were seen one by one; of the next three the middle one shows, and the last one.
    lays = ((20, 2_400, "4S"), (21, 2_750, "4C"), (22, 3_100, "4D"), (23, 5_000, "8S"))
    touches = tuple(Touched(L, t_ms - 250, "A.stock") for _, t_ms, _ in (*lays, (24, 5_990, "")))
    table = _one_by_one(*touches)
    told = []
    for (number, t_ms, face), stays_ms in zip(lays, (330, 330, 600, 800), strict=True):
        table.still(number, t_ms)
        told += table.looks(t_ms + 60, t_ms + stays_ms, STOCK, (number, face, "A.waste", (1, 1)))
    table.still(24, 5_990)
    told += table.looks(6_050, 9_500, STOCK, (24, "QC", "A.waste", (1, 1)))
    assert {(kind, count) for kind, count, _ in _moved(told)} == {("card", 1)}
    assert len(table.scene.piles["A.stock"]) == 14


def test_who_was_seen_to_turn_three_of_a_known_stock_does_not_lay_the_second_card_of_one() -> None:
    # The four lay third. Of the last turn the top one is played before anything of it is seen.
    touches = (Touched(L, t_ms - 280, "A.stock") for t_ms in (3_000, 3_550, 4_000))
    table = Table("nerds", *touches, known=FULL)
    table.look(0, STOCK, KING)
    stock = table.scene.piles["A.stock"]
    for place, face in ((3, "4C"), (8, "TC")):
        stock[-place] = replace(stock[-place], face=face)
    told = []
    for number, t_ms, face in ((3, 3_000, "4C"), (4, 3_550, "JH"), (5, 3_950, "TC")):
        table.still(number, t_ms)
        told += table.looks(t_ms + 100, t_ms + 400, STOCK, (number, face, "A.waste", (2, 1)))
    told += table.looks(4_350, 8_000, STOCK, (5, "TC", "A.waste", (2, 1)))
    assert _moved(told)[0] == ("turn", 3, "A:4C")
    assert [(kind, count) for kind, count, _ in _moved(told)] == [("turn", 3)] * 3


def test_a_quick_turn_after_three_single_cards_is_a_turn() -> None:
    touches = (Touched(L, t_ms, "A.stock") for t_ms in (2_100, 2_400, 2_750, 3_570))
    table = _one_by_one(*touches)
    table.still(3, 3_000)
    told = table.looks(3_200, 3_800, STOCK, (3, "8S", "A.waste", (2, 1)))
    table.still(4, 3_850)
    told += table.looks(4_050, 7_000, STOCK, (4, "QC", "A.waste", (-2, 1)))
    assert _moved(told) == [
        ("card", 1, "A:??"), ("card", 1, "A:??"), ("card", 1, "A:8S"), ("turn", 3, "A:QC"),
    ]  # fmt: skip


def test_who_plays_the_top_of_a_turn_took_no_card_of_the_turn_below() -> None:
    # The king showed beside the queen till an arm hid both; two unseen cards lie between.
    touches = (Touched(L, 4_000, "A.stock"), Touched(A, 5_700, "A.waste"),
               Touched(A, 6_100, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nerds", *touches, known=FULL + " | A.work.1 KD")
    king, queen = (2, "KD", "A.work.1", (0.0, 0.0)), (3, "QC", "A.waste", (2, 1))
    below = (9, "KS", "A.waste", (-4.0, 0.0))
    table.look(0, STOCK, king, below)
    table.still(3, 4_300)
    told = table.looks(4_600, 5_700, STOCK, king, below, queen)
    table.still(4, 5_750)
    table.still(5, 6_100)
    lower = (4, "5D", "A.waste", (1, 1))
    told += table.look(5_800, STOCK, king)
    told += table.looks(5_850, 6_200, STOCK, king, lower)
    told += table.looks(6_250, 9_500, STOCK, king, lower, (5, "QC", "A.work.1", (0, -22)))
    assert _moved(told) == [("turn", 3, "A:QC"), ("card", 1, "A:QC")]
    assert [one.face for one in table.scene.piles["A.waste"]] == ["KS", "??", "5D"]


def test_a_known_card_that_shows_at_once_after_another_was_drawn_and_not_bared() -> None:
    # The five was believed to be the second card of the stock, which was gone through before.
    touches = (Touched(L, t_ms, "A.stock") for t_ms in (2_720, 2_990, 3_400))
    table = Table("nerds", *touches, known=FULL)
    table.look(0, STOCK, KING)
    stock = table.scene.piles["A.stock"]
    stock[-2] = replace(stock[-2], face="5C")
    told = []
    for number, t_ms, face in ((3, 3_000, "2S"), (4, 3_300, "5C"), (5, 3_700, "4C")):
        table.still(number, t_ms)
        told += table.looks(t_ms + 150, t_ms + 300, STOCK, (number, face, "A.waste", (2, 1)))
    told += table.looks(4_000, 7_000, STOCK, (5, "4C", "A.waste", (2, 1)))
    assert _moved(told) == [("card", 1, "A:2S"), ("card", 1, "A:5C"), ("card", 1, "A:4C")]
    assert [one.face for one in table.scene.piles["A.waste"]] == ["KS", "2S", "5C", "4C"]


def test_a_hand_that_rests_on_both_piles_after_a_turn_draws_no_single_card() -> None:
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 5_250, "A.stock", (30, 0)))
    table = Table("nerds", *touches, known=FULL)
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    told = table.looks(5_300, 8_000, STOCK, (3, "2H", "A.waste", (2, 1)))
    assert _moved(told) == [("turn", 3, "A:2H")]


def test_fingers_that_stir_on_the_stock_before_they_turn_three_took_no_single_card() -> None:
    touches = (Touched(L, 3_830, "A.stock"), Touched(L, 4_350, "A.stock", (8, 5)),
               Touched(L, 4_990, "A.waste"))  # fmt: skip
    table = Table("nerds", *touches, known=FULL)
    table.ways["A"] = tuple((t_ms, "A.stock") for t_ms in range(3_830, 4_600, 33))
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    told = table.looks(5_200, 8_000, STOCK, (3, "8D", "A.waste", (2, 1)))
    assert _moved(told) == [("turn", 3, "A:8D")]


def test_no_card_is_made_or_lost_where_a_known_stock_lies_in_another_order() -> None:
    # The queen was believed to be the fourth from the top; three were turned over.
    backs = "(??) " * 16 + "(QD) (??) (??) (??)"
    table = Table("nertz", Touched(L, 4_700, "A.stock"), known=f"A.stock {backs} | A.waste KS")
    table.look(0, STOCK, KING)
    told = table.looks(5_400, 7_500, STOCK, (3, "QD", "A.waste", (2, 1)))
    assert _moved(told) == [("turn", 3, "A:QD")]
    assert len(table.scene.piles["A.stock"]) == 17
    assert len(table.scene.piles["A.waste"]) == 4


def test_what_shows_when_the_top_of_a_turn_is_played_at_once_is_no_further_draw() -> None:
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_700, "A.waste"),
               Touched(A, 6_100, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nerds", *touches, known=FULL + " | A.work.1 9D")
    nine = (2, "9D", "A.work.1", (0.0, 0.0))
    table.look(0, STOCK, nine, (9, "KS", "A.waste", (0.0, 0.0)))
    table.still(3, 5_000)
    told = table.looks(5_200, 5_700, STOCK, nine, (3, "8S", "A.waste", (2, 1)))
    table.still(4, 5_750)
    lower = (4, "5D", "A.waste", (1, 1))
    told += table.looks(5_850, 6_200, STOCK, nine, lower)
    table.still(5, 6_100)
    told += table.looks(6_250, 9_500, STOCK, nine, lower, (5, "8S", "A.work.1", (0, -22)))
    assert _moved(told) == [("turn", 3, "A:8S"), ("card", 1, "A:8S")]


def test_who_went_away_with_the_top_of_a_turn_has_laid_no_further_card() -> None:
    # What lay below stirs as soon after the turn as a single card would be laid.
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_350, "A.waste"), Touched(A, 6_100, "F.1"))
    table = Table("nerds", *touches, known=FULL)
    table.ways["A"] = ((5_350, "A.waste"), (5_600, "F.1"))
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    told = table.looks(5_200, 5_700, STOCK, (3, "AC", "A.waste", (2, 1)))
    table.still(4, 5_400)
    lower = (4, "5D", "A.waste", (1, 1))
    told += table.looks(5_700, 6_300, STOCK, lower)
    table.still(5, 6_100)
    told += table.looks(6_300, 9_500, STOCK, lower, (5, "AC", "F.1", (0, 0)))
    assert _moved(told) == [("turn", 3, "A:AC"), ("card", 1, "A:AC")]


def played_unseen(
    *later: Touched, stirs: tuple[tuple[str, int, int], ...] = ()
) -> tuple[Table, list[Event]]:
    """Turn three and play the ace on top at once; the hand rests on the waste all the while."""
    touches = (Touched(L, 4_400, "A.stock"), Touched(A, 4_900, "A.waste"), Touched(A, 5_400, "F.1"))
    table = Table("nertz", *touches, *later, known=FULL)
    table.stirs = stirs
    table.look(0, STOCK, KING)
    table.look(4_300, STOCK, KING)
    table.hands_over = ("A.waste",)
    table.still(3, 5_400)
    return table, table.looks(5_700, 6_500, STOCK, KING, ACE)


ACE = (3, "AC", "F.1", (0.0, 0.0))


def test_below_a_card_that_was_drawn_andplayed_unseen_lies_the_rest_of_its_turn() -> None:
    table, told = played_unseen()
    table.still(4, 5_000)
    told += table.looks(6_500, 8_500, STOCK, ACE, (4, "5D", "A.waste", (1, 1)))
    assert _moved(told) == [("turn", 3, ""), ("card", 1, "A:AC")]
    assert [one.face for one in table.scene.piles["A.waste"]] == ["KS", "??", "5D"]


def test_a_turn_after_one_that_wasplayed_unseen_is_a_turn_of_its_own() -> None:
    table, told = played_unseen(Touched(L, 6_100, "A.stock"))
    table.still(4, 6_400)
    told += table.looks(6_500, 9_500, STOCK, ACE, (4, "5D", "A.waste", (1, 1)))
    assert _moved(told) == [("turn", 3, ""), ("card", 1, "A:AC"), ("turn", 3, "A:5D")]


def test_the_last_two_cards_were_drawn_unseen_before_the_waste_was_turned_over() -> None:
    touches = (Touched(L, 4_300, "A.stock"), Touched(L, 5_000, "A.waste"),
               Touched(L, 5_600, "A.stock"))  # fmt: skip
    table = Table("nerds", *touches, known="A.stock (??) (??) | A.waste 4C 7D KS")
    table.look(0, STOCK, KING)
    table.look(3_900, STOCK, KING)
    told = table.looks(5_200, 9_000, STOCK)
    assert _moved(told) == [("turn", 2, ""), ("turn", 5, "")]
    assert len(table.scene.piles["A.stock"]) == 5


def test_what_lay_below_the_last_known_card_of_a_waste_is_no_draw() -> None:
    # Nobody knows how many lie on B's waste; its 2H was seen on the foundation before its 9H.
    table = Table("nerds", Touched(B, 4_400, "B.waste"), Touched(B, 4_900, "F.1"))
    ace, stock = (1, "AH", "F.1", (0, 0)), (2, "BACK", "B.stock", (0, 0))
    table.look(0, ace, stock, (3, "2H", "B.waste", (0, 0)), (9, "KS", "A.work.1", (0, 0)))
    two, below = (4, "2H", "F.1", (1, 1)), (5, "9H", "B.waste", (2, -1))
    told = table.looks(5_000, 5_400, two, stock, (9, "KS", "A.work.1", (0, 0)))
    told += table.looks(5_400, 8_000, two, stock, below, (9, "KS", "A.work.1", (0, 0)))
    assert [(move.origin, move.target) for move in told] == [("B.waste", "F.1")]
    assert [lying.face for lying in table.scene.piles["B.waste"]] == ["9H"]


def test_a_waste_that_was_seen_empty_gets_cards_from_the_stock_only() -> None:
    table = Table("nerds", Touched(B, 4_400, "B.waste"), Touched(B, 4_900, "F.1"))
    ace, stock = (1, "AH", "F.1", (0, 0)), (2, "BACK", "B.stock", (0, 0))
    table.look(0, ace, stock, (3, "2H", "B.waste", (0, 0)), (9, "KS", "A.work.1", (0, 0)))
    two, drawn = (4, "2H", "F.1", (1, 1)), (5, "9H", "B.waste", (2, -1))
    table.looks(5_000, 7_400, two, stock, (9, "KS", "A.work.1", (0, 0)))
    told = table.looks(7_400, 10_000, two, stock, drawn, (9, "KS", "A.work.1", (0, 0)))
    assert [(move.origin, move.target) for move in told] == [("B.stock", "B.waste")]


def test_a_hand_between_both_piles_that_carries_the_top_away_bares_the_next() -> None:
    # The hand that takes the eight is seen as near to the stock as to the waste.
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_650, "A.stock", (40, 0)),
               Touched(A, 6_100, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nertz", *touches, known=FULL + " | A.work.1 9D")
    table.ways["A"] = (5_650, "A.stock"), (5_850, "A.work.1")
    nine, lower = (2, "9D", "A.work.1", (0.0, 0.0)), (4, "5D", "A.waste", (1, 1))
    table.look(0, STOCK, nine, (9, "KS", "A.waste", (0.0, 0.0)))
    table.still(3, 5_000)
    told = table.looks(5_200, 5_700, STOCK, nine, (3, "8S", "A.waste", (2, 1)))
    table.still(4, 5_780)
    told += table.looks(5_900, 6_200, STOCK, nine, lower)
    table.still(5, 6_100)
    told += table.looks(6_250, 9_500, STOCK, nine, lower, (5, "8S", "A.work.1", (0, -22)))
    assert _moved(told) == [("turn", 3, "A:8S"), ("card", 1, "A:8S")]


def test_a_turn_that_the_hand_hid_till_the_next_one_is_a_turn_of_its_own() -> None:
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 4_950, "A.stock"))
    table = Table("nertz", *touches, known=FULL)
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    table.still(4, 5_060)
    told = table.look(5_060, STOCK, (3, "8S", "A.waste", (2, 1)))
    told += table.looks(5_120, 8_000, STOCK, (4, "QC", "A.waste", (-2, 1)))
    assert [(kind, count) for kind, count, _ in _moved(told)] == [("turn", 3), ("turn", 3)]


def test_of_a_turn_whose_order_was_not_seen_the_middle_card_is_bared_and_not_drawn() -> None:
    # The lowest one peeks out below the top one, and nothing shows of the one between.
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_750, "A.waste"),
               Touched(A, 6_100, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nertz", *touches, known=FULL + " | A.work.1 6D")
    six, low = (2, "6D", "A.work.1", (0.0, 0.0)), (3, "5H", "A.waste", (6, 0))
    table.look(0, STOCK, six, (9, "KS", "A.waste", (0.0, 0.0)))
    table.still(3, 5_000)
    table.still(4, 5_000)
    told = table.looks(5_200, 5_700, STOCK, six, low, (4, "5C", "A.waste", (-4, 1)))
    table.still(5, 5_750)
    bared = (5, "6S", "A.waste", (1, 1))
    told += table.looks(5_850, 6_200, STOCK, six, low, bared)
    table.still(6, 6_100)
    told += table.looks(6_250, 9_500, STOCK, six, low, bared, (6, "5C", "A.work.1", (0, -22)))
    assert _moved(told) == [("turn", 3, ""), ("card", 1, "A:5C")]
    assert [one.face for one in table.scene.piles["A.waste"]] == ["KS", "5H", "6S"]


@pytest.mark.parametrize(("indices", "turns"), [(2, 1), (1, 2)])
def test_what_peeks_out_below_a_card_that_is_seen_whole_was_not_drawn_onto_it(
    indices: int, turns: int
) -> None:
    # The hand hid that corner a while, and comes to the stock again.
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 5_300, "A.stock"))
    table = Table("nerds", *touches, known=FULL)
    table.indices[3] = indices
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    told = table.looks(5_100, 5_600, STOCK, (3, "JC", "A.waste", (2, 1)))
    table.still(4, 5_550)
    told += table.looks(
        5_600, 9_000, STOCK, (3, "JC", "A.waste", (2, 1)), (4, "5D", "A.waste", (-6, 0))
    )
    assert [kind for kind, *_ in _moved(told)].count("turn") == turns


def test_what_peeks_out_below_a_card_that_shows_with_it_was_not_drawn_before_it() -> None:
    # The hand hid both, so that the lower one may have lain there as the turn before came.
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 5_300, "A.stock"))
    table = Table("nerds", *touches, known=FULL)
    table.indices = {3: 2, 4: 2}
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    told = table.looks(5_100, 5_250, STOCK, (3, "7S", "A.waste", (2, 1)))
    table.still(4, 5_550)
    table.still(5, 4_960)
    told += table.looks(
        5_600, 9_000, STOCK, (4, "9C", "A.waste", (3, 1)), (5, "5H", "A.waste", (-5, 0))
    )
    assert _moved(told) == [("turn", 3, ""), ("turn", 3, "A:9C")]


def test_what_shows_when_a_hand_went_on_elsewhere_may_be_the_unread_card_of_a_turn() -> None:
    # Of the turn the lowest and the top card were read; an arm hides where the top one lies now.
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_750, "A.waste"),
               Touched(A, 6_300, "A.work.1"))  # fmt: skip
    table = Table("nertz", *touches, known=FULL)
    table.look(0, STOCK, KING)
    table.still(3, 5_000)
    table.still(4, 5_000)
    low, top = (3, "5H", "A.waste", (6, 0)), (4, "5C", "A.waste", (-4, 1))
    told = table.looks(5_200, 5_700, STOCK, low, top)
    table.still(5, 5_750)
    table.hands_over = ("A.work.1",)
    told += table.looks(5_850, 9_500, STOCK, (5, "6S", "A.waste", (1, 1)))
    assert [move for move in _moved(told) if move[0] == "turn"] == [("turn", 3, "")]
    assert len(table.scene.piles["A.stock"]) == 17


def test_what_the_hand_that_took_the_top_lays_bare_slowly_is_no_draw() -> None:
    # It comes over the stock, and is over the waste for 0.35 s.
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 5_650, "A.waste"),
               Touched(A, 6_350, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nertz", *touches, known=FULL + " | A.work.1 9D")
    table.ways["A"] = (5_600, "A.stock"), (5_650, "A.waste"), (6_200, "A.work.1")
    table.stirs = (("A.stock", 5_500, 5_700), ("A.waste", 5_700, 6_000))
    nine, lower = (2, "9D", "A.work.1", (0.0, 0.0)), (4, "5D", "A.waste", (1, 1))
    table.look(0, STOCK, nine, (9, "KS", "A.waste", (0.0, 0.0)))
    table.still(3, 5_000)
    told = table.looks(5_200, 5_700, STOCK, nine, (3, "8S", "A.waste", (2, 1)))
    table.still(5, 6_350)
    table.hands_over = ("A.waste",)
    told += table.looks(5_700, 6_500, STOCK, nine, (3, "8S", "A.waste", (2, 1)))
    table.hands_over = ()
    table.still(4, 6_000)
    told += table.looks(6_500, 9_500, STOCK, nine, lower, (5, "8S", "A.work.1", (0, -22)))
    assert _moved(told) == [("turn", 3, "A:8S"), ("card", 1, "A:8S")]


def test_a_hand_that_laid_another_card_elsewhere_did_not_lay_the_one_that_is_covered() -> None:
    # Of a turn that the hand hid the top was played at once; below it shows the next card.
    touches = (Touched(L, 4_600, "A.waste"), Touched(A, 5_400, "F.1"))
    table = Table("nertz", *touches, known=FULL)
    table.look(0, STOCK, KING)
    table.still(3, 4_950)
    told = table.looks(5_000, 5_500, STOCK, (3, "6D", "A.waste", (2, 1)))
    table.still(4, 5_400)
    shown = (STOCK, (3, "6D", "A.waste", (2, 1)), (4, "AC", "F.1", (0, 0)))
    told += table.looks(5_500, 9_000, *shown)
    assert _moved(told) == [("turn", 3, "A:6D"), ("card", 1, "A:AC")]
    assert "KS" in [one.face for one in table.scene.piles["A.waste"]]


def test_a_waste_of_which_the_next_turn_shows_was_turned_over_as_a_whole() -> None:
    touches = (Touched(L, 4_000, "A.waste"), Touched(L, 4_300, "A.stock"),
               Touched(L, 4_800, "A.waste"))  # fmt: skip
    table = Table("nertz", *touches, known="A.waste " + "(??) 7D TH " * 6 + "JC")
    table.look(0, (2, "JC", "A.waste", (0, 0)))
    table.looks(3_000, 3_900, (2, "JC", "A.waste", (0, 0)))
    told = table.looks(4_100, 5_000)
    table.still(3, 4_900)
    told += table.looks(5_000, 5_200, (3, "8C", "A.waste", (1, 1)))
    table.still(4, 4_350)
    back = (4, "BACK", "A.stock", (0, 0))
    told += table.looks(5_200, 9_000, (3, "8C", "A.waste", (1, 1)), back)
    assert [(kind, count) for kind, count, _ in _moved(told)] == [("turn", 19), ("turn", 3)]
    assert len(table.scene.piles["A.stock"]) == 16


def test_before_the_turn_that_used_up_a_stock_all_others_have_been() -> None:
    # Of the turn at 3 s no card was seen, but the waste stirred under the hand as for any other.
    touches = (Touched(L, 2_500, "A.stock"), Touched(L, 3_500, "A.stock"))
    table = Table("nertz", *touches, known="A.stock " + "(??) " * 5 + "| A.waste KS")
    table.stirs = (("A.stock", 2_600, 2_860), ("A.waste", 2_860, 3_000),
                   ("A.stock", 3_600, 3_860), ("A.waste", 3_860, 4_000))  # fmt: skip
    table.look(0, STOCK, KING)
    table.looks(1_000, 2_600, STOCK, KING)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(2_600, 4_200)
    table.hands_over = ("A.waste",)
    told += table.looks(4_200, 4_500)
    table.hands_over = ()
    table.still(3, 4_000)
    told += table.looks(4_500, 8_000, (3, "8S", "A.waste", (2, 1)))
    assert _moved(told) == [("turn", 3, ""), ("turn", 2, "A:8S")]
    assert abs(told[0].t_ns - 3_000_000_000) < 150_000_000


def test_a_stock_that_the_hand_hides_may_not_be_used_up() -> None:
    table = Table("nertz", Touched(L, 3_800, "A.stock"),
                  known="A.stock " + "(??) " * 5 + "| A.waste KS")  # fmt: skip
    table.stirs = (("A.stock", 3_600, 3_860), ("A.waste", 3_860, 4_000))
    table.look(0, STOCK, KING)
    table.looks(1_000, 3_700, STOCK, KING)
    table.hands_over = ("A.stock",)
    told = table.looks(3_900, 4_200)
    table.still(3, 4_000)
    told += table.looks(4_200, 8_000, (3, "8S", "A.waste", (2, 1)))
    assert _moved(told) == [("turn", 3, "A:8S")]


def test_the_first_card_that_was_turned_over_and_played_at_once_was_drawn_first() -> None:
    # Nobody plays from a stock; the hand was over the empty place beside it on its way.
    touches = (Touched(A, 3_700, "A.stock"), Touched(A, 4_200, "A.waste"),
               Touched(A, 4_900, "F.1"))  # fmt: skip
    table = Table("nertz", *touches, known="A.stock " + "(??) " * 20 + "| A.work.1 A:9D")
    nine = (2, "9D", "A.work.1", (0.0, 0.0))
    table.look(0, STOCK, nine)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(3_500, 5_000, STOCK, nine)
    table.hands_over = ()
    table.still(4, 4_900)
    told += table.looks(5_100, 8_000, STOCK, nine, (4, "AC", "F.1", (0, 0)))
    assert [(kind, count) for kind, count, _ in _moved(told)] == [("turn", 3), ("card", 1)]
    assert [(e.origin, e.target) for e in told] == [("A.stock", "A.waste"), ("A.waste", "F.1")]


def test_a_card_that_was_laid_and_covered_since_is_not_the_one_that_is_covered_here() -> None:
    # The ace that A played was never seen on the waste, and lies under a two by now.
    touches = (Touched(L, 4_600, "A.waste"), Touched(A, 5_400, "F.1"), Touched(A, 5_900, "F.1"))
    table = Table("nertz", *touches, known=FULL + "| A.work.1 A:2C")
    two = (7, "2C", "A.work.1", (0, 0))
    table.look(0, STOCK, KING, two)
    table.still(3, 4_950)
    lies = (3, "6D", "A.waste", (2, 1))
    told = table.looks(5_000, 5_500, STOCK, lies, two)
    table.still(4, 5_400)
    told += table.looks(5_500, 5_850, STOCK, lies, two, (4, "AC", "F.1", (0, 0)))
    table.still(5, 5_900)
    told += table.looks(6_000, 9_000, STOCK, lies, (5, "2C", "F.1", (0, 0)))
    assert ("turn", 3, "A:6D") in _moved(told)
    assert "KS" in [one.face for one in table.scene.piles["A.waste"]]


def test_where_one_card_is_turned_over_at_a_time_each_is_told_as_one() -> None:
    known = "A.stock " + "(??) " * 20 + "| A.waste KS"
    table = Table("nertz", Touched(L, 4_700, "A.stock"), known=known, draw="1")
    table.look(0, STOCK, KING)
    table.look(4_900, STOCK, KING)
    (turn,) = table.looks(5_400, 7_500, STOCK, (3, "8S", "A.waste", (2, 1)))
    assert isinstance(turn, CardPlaced)
    assert (turn.origin, turn.target, turn.up) == ("A.stock", "A.waste", True)
    assert len(table.scene.piles["A.stock"]) == 19


def test_two_jokers_a_deck_lie_in_the_stocks_of_a_table_found_laid_out() -> None:
    places = [
        ("A.stock", "BACK"),
        ("A.nerts", "6D"),
        *((f"A.work.{n}", f"{n}S") for n in (2, 3, 4)),
    ]
    lying = [(k, face, zone, (0.0, 0.0)) for k, (zone, face) in enumerate(places)]
    table = Table("nertz", jokers="2")
    table.look(0, *lying, (9, "9S", "A.work.1", (0.0, 0.0)))
    assert len(table.scene.piles["A.stock"]) == 37


def test_two_players_with_a_full_deck_each_have_the_same_card_twice() -> None:
    table = Table("spy", two_full_decks="yes")
    table.look(0, (1, "7S", "A.pile.1", (0.0, 0.0)), (2, "7S", "B.pile.1", (0.0, 0.0)))
    (mine,), (theirs,) = (table.scene.piles[f"{seat}.pile.1"] for seat in "AB")
    assert (str(mine.card), str(theirs.card)) == ("A:7S", "B:7S")


@pytest.mark.parametrize(("moving_ms", "turns"), [(4_500, [3, 3]), (4_960, [1, 1, 1])])
def test_a_card_that_a_hand_hid_as_it_came_does_not_tell_that_the_next_one_came_alone(
    moving_ms: int, turns: list[int]
) -> None:
    """Three of whom each comes alone lie faster after one another than two turns of three."""
    known = "A.stock " + "(??) " * 20 + "| A.waste KS"
    table = Table("nerds", Touched(L, 4_400, "A.stock"), Touched(L, 5_200, "A.stock"), known=known)
    table.look(0, STOCK, KING)
    table.still(3, 5_000, moving_ms)
    table.still(4, 5_400)
    told = table.looks(5_066, 5_330, STOCK, (3, "8S", "A.waste", (2, 1)))
    told += table.looks(5_460, 9_000, STOCK, (4, "9D", "A.waste", (1, 2)))
    assert [getattr(event, "count", 1) for event in told] == turns


def test_who_takes_the_last_card_over_his_backs_and_bares_the_next_has_turned_none_over() -> None:
    known = "A.stock " + "(??) " * 20 + "| A.waste KS | F.1 2H"
    touches = Touched(L, 1_700, "A.stock"), Touched(A, 5_100, "A.waste"), Touched(A, 5_750, "F.1")
    table = Table("nertz", *touches, known=known)
    two = (6, "2H", "F.1", (0, 0))
    top, bared, laid = (
        (3, "3H", "A.waste", (2, 1)),
        (4, "6D", "A.waste", (1, 1)),
        (5, "3H", "F.1", (0, 0)),
    )
    table.stirs = (("A.stock", 5_200, 5_300), ("A.waste", 5_300, 5_650))
    table.still(4, 5_650, 5_450)
    table.still(5, 5_780)
    table.look(0, STOCK, KING, two)
    table.look(1_900, STOCK, two)
    told = table.looks(2_200, 5_000, STOCK, two, top)
    table.hands_over = ("A.waste",)
    told += table.looks(5_016, 5_880, STOCK, two) + table.looks(5_900, 6_100, STOCK, laid)
    table.hands_over = ()
    told += table.looks(6_100, 9_000, STOCK, bared, laid)
    assert _moved(told) == [("turn", 3, "A:3H"), ("card", 1, "A:3H")]


def test_a_waste_of_three_that_is_gone_while_backs_lie_there_was_turned_over() -> None:
    known = "A.stock (9H) (TS) | A.waste A:3D A:QC A:4S | A.work.1 KS"
    four = (2, "4S", "A.waste", (0.0, 0.0))
    table = Table("nertz", Touched(L, 4_900, "A.waste"), known=known)
    table.look(0, STOCK, four)
    table.looks(1_000, 4_900, STOCK, four)
    told = table.looks(5_000, 9_000, STOCK)
    assert _moved(told) == [("turn", 3, "")]
    assert (told[0].conf or 1.0) < 0.9


def test_a_waste_that_nobody_counted_and_that_is_gone_while_backs_lie_there_was_turned_over() -> (
    None
):
    table = Table("nertz", Touched(L, 4_900, "A.waste"))
    top = (2, "4S", "A.waste", (0.0, 0.0))
    table.looks(0, 4_900, STOCK, top)
    told = table.looks(5_000, 9_000, STOCK)
    assert [kind for kind, *_ in _moved(told)] == ["turn"]
    assert (told[0].conf or 1.0) < 0.9


def test_the_only_card_of_a_waste_may_have_been_played_out_of_sight() -> None:
    known = "A.stock (9H) (TS) | A.waste A:4S | A.work.1 KS"
    table = Table("nertz", Touched(L, 4_900, "A.waste"), known=known)
    top = (2, "4S", "A.waste", (0.0, 0.0))
    table.looks(0, 4_900, STOCK, top)
    assert not [one for one in _moved(table.looks(5_000, 9_000, STOCK)) if one[0] == "turn"]


def test_a_hand_of_nobody_known_at_anothers_stock_drew_no_card_onto_this_players_waste() -> None:
    known = FULL + "| B.stock " + "(??) " * 20 + "| B.waste 7H"
    table = Table("nertz", Touched(Actor(None, None), 4_700, "A.stock"), known=known)
    king, backs = (2, "KS", "A.waste", (0.0, 0.0)), (3, "BACK", "B.stock", (0.0, 0.0))
    table.looks(0, 4_600, STOCK, king, backs, (4, "7H", "B.waste", (0.0, 0.0)))
    table.hands_over = ("B.stock", "B.waste")
    told = table.looks(4_600, 5_000, STOCK, king)
    table.hands_over = ()
    table.still(6, 4_900)
    told += table.looks(5_000, 8_000, STOCK, king, backs, (6, "2C", "B.waste", (1.0, 1.0)))
    assert moves_of(told) == [("B.stock", "B.waste", 3)]
