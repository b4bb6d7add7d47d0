"""Packets that nobody counted: who has laid all his cards, and how many the other one holds."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.values import CardPlaced, PileMoved

FIRST = (0.0, 40.0)
ROW = tuple((n, face, f"A.arr.{n}", FIRST) for n, face in enumerate("2S 4D 6C 8H TS".split(), 1))
ARRANGED = "| ".join(f"{zone} {face} " for _, face, zone, _ in ROW)
PACKETS = f"A.held {'(3C) ' * 21}| B.held {'(3C) ' * 26}|{ARRANGED}"
TURNS = (5_000, "A.rest"), (5_400, "play.A"), (5_800, "A.rest"), (6_200, "play.A")


def test_who_shows_a_face_on_each_column_holds_no_card_and_re_arranges() -> None:
    touches = Touched(A, 5_000, "A.arr.2", FIRST), Touched(A, 5_600, "A.arr.7", FIRST)
    table = Table("nerves", *touches, known=PACKETS)
    table.look(0, *ROW)
    rest = (*ROW[:1], *ROW[2:])
    told = table.looks(5_100, 5_600, *rest)
    table.still(9, 5_600)
    (moved,) = told + table.looks(5_700, 8_000, *rest, (9, "4D", "A.arr.7", FIRST))
    assert isinstance(moved, CardPlaced)
    assert (moved.origin, moved.target) == ("A.arr.2", "A.arr.7")


def test_of_one_deck_the_other_player_holds_what_lies_nowhere() -> None:
    table = Table("nerves", Touched(B, 5_000, "B.rest"), known=PACKETS)
    table.look(0, *ROW)
    table.looks(4_000, 5_000, *ROW)
    table.still(9, 5_000)
    (rest,) = table.looks(5_100, 8_000, *ROW, (9, "BACK", "B.rest", (0.0, 0.0)))
    assert isinstance(rest, PileMoved)
    assert (rest.origin, rest.count) == ("B.held", 47)


def test_who_has_laid_but_one_card_goes_on_arranging() -> None:
    table = Table("nerves", known=f"A.held {'(3C) ' * 21}| A.arr.1 2S")
    table.look(0, ROW[0])
    table.looks(4_000, 9_000, ROW[0])
    assert len(table.scene.piles["A.held"]) == 21


def test_who_lays_cards_of_a_packet_that_nobody_saw_lays_them_from_his_hand() -> None:
    touches = (Touched(A, t_ms, f"A.arr.{n}", FIRST) for n, t_ms in enumerate((5_000, 6_000), 1))
    table = Table("nerves", *touches, known="B.held " + "(3C) " * 26)
    table.look(0)
    first, second = ((n, "BACK", f"A.arr.{n}", FIRST) for n in (1, 2))
    table.still(1, 5_000)
    table.still(2, 6_000)
    told = table.looks(5_100, 6_000, first) + table.looks(6_060, 8_000, first, second)
    laid = [(one.origin, one.target) for one in told if isinstance(one, CardPlaced)]
    assert laid == [("A.held", "A.arr.1"), ("A.held", "A.arr.2")]


def test_of_a_deck_that_a_hand_hides_while_it_is_cut_a_part_stays() -> None:
    touches = Touched(B, 5_000, "deck"), Touched(B, 5_600, "cut.1")
    table = Table("nerves", *touches, known="deck " + "(2C) " * 52)
    table.look(0, (1, "BACK", "deck", (0.0, 0.0)))
    told = table.looks(5_100, 5_600)
    table.hands_over = ("deck",)
    table.still(2, 5_600)
    told += table.looks(5_660, 7_000, (2, "BACK", "cut.1", (0.0, 0.0)))
    (cut,) = (event for event in told if isinstance(event, PileMoved))
    assert (cut.origin, cut.target, cut.count) == ("deck", "cut.1", 26)


def test_a_packet_that_a_player_took_up_does_not_lie_on_the_other_ones_column() -> None:
    touches = Touched(A, 5_000, "A.pile"), Touched(B, 5_500, "B.arr.1", FIRST)
    packets = f"A.pile {'(2C) ' * 30}| B.held {'(3C) ' * 22}"
    table = Table("nerves", *touches, known=packets)
    table.look(0, (1, "BACK", "A.pile", (0.0, 0.0)))
    table.still(2, 5_500)
    told = table.looks(5_100, 5_500) + table.looks(5_560, 8_000, (2, "BACK", "B.arr.1", FIRST))
    (laid,) = (event for event in told if isinstance(event, CardPlaced | PileMoved))
    assert isinstance(laid, CardPlaced)
    assert (laid.origin, laid.target) == ("B.held", "B.arr.1")


def test_who_lays_his_last_card_on_a_back_after_a_pause_lays_it_from_his_hand() -> None:
    back, upon = (1, "BACK", "A.arr.1", FIRST), (9, "2S", "A.arr.1", (0.0, 15.0))
    known = PACKETS.replace("A.arr.1 2S", "A.arr.1 (2D)")
    table = Table("nerves", Touched(A, 8_000, "A.arr.1", FIRST), known=known)
    table.look(0, back, *ROW[1:])
    told = table.looks(4_000, 8_000, back, *ROW[1:])
    told += table.looks(8_030, 8_100, *ROW[1:])
    table.still(9, 8_000)
    told += table.looks(8_130, 10_000, upon, *ROW[1:])
    (laid,) = told
    assert isinstance(laid, CardPlaced)
    assert (laid.origin, laid.target) == ("A.held", "A.arr.1")
    assert len(table.scene.piles["B.held"]) == 46


def test_of_a_rest_that_nobody_counted_more_cards_may_be_turned_than_were_believed() -> None:
    touches = (Touched(A, t_ms, zone) for t_ms, zone in TURNS)
    table = Table("nerves", *touches, known="play.A 9C | A.rest (2C)")
    table.scene.piles.put_down.add("A.rest")
    rest, nine = (1, "BACK", "A.rest", (0.0, 0.0)), (2, "9C", "play.A", (0.0, 0.0))
    table.look(0, rest, nine)
    told = table.looks(4_000, 5_500, rest, nine)
    table.still(3, 5_400)
    told += table.looks(5_500, 6_300, rest, (3, "KD", "play.A", (3.0, 2.0)))
    table.still(4, 6_200)
    told += table.looks(6_300, 7_500, rest, (4, "4S", "play.A", (-2.0, 3.0)))
    assert [one.origin for one in told if isinstance(one, CardPlaced)] == ["A.rest", "A.rest"]
