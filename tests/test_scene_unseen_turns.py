"""Turns from a stock under a hand that never leaves: told by what stirred, and where it did."""

from __future__ import annotations

import pytest
from test_scene_rough import MS, A, L, Table, Touched, moves_of

from referee.values import CardPlaced, Dealt, PileMoved, PointMm
from referee.values.events import NOBODY

STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
KING = (2, "KS", "A.waste", (0.0, 0.0))
NINE = (8, "9D", "A.work.1", (0.0, 0.0))
FULL = "A.stock " + "(??) " * 20 + "| A.waste KS | A.work.1 9D"
# Two turns half a second apart: each time the backs stir, then the pile beside.
STIRS = (("A.stock", 4_150, 4_350), ("A.waste", 4_400, 4_600),
         ("A.stock", 4_750, 4_900), ("A.waste", 4_950, 5_150))  # fmt: skip
FINGERS = ((4_250, "A.stock"), (4_560, "A.waste"), (4_850, "A.stock"), (5_100, "A.waste"))
TURN = ("A.stock", "A.waste", 3)


def _drawn(
    *fingers: tuple[int, str],
    stirs: tuple[tuple[str, int, int], ...] = STIRS,
    dealt: tuple[Dealt, ...] = (),
) -> list[tuple[str, str, int]]:
    """Return what is told where only the card of the second turn is ever seen."""
    table = Table("nertz", Touched(L, 4_850, "A.stock"), known=FULL)
    table.scene._parts.unseen_turns.dealt(dealt)
    table.stirs, table.ways["A"] = stirs, fingers
    table.looks(0, 4_100, STOCK, KING, NINE)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_100, 5_300, STOCK, NINE)
    table.hands_over = ()
    table.still(3, 5_180)
    told += table.looks(5_300, 8_000, STOCK, NINE, (3, "8S", "A.waste", (2, 1)))
    return moves_of(told)


def test_two_turns_of_which_only_the_last_card_shows_are_two_turns() -> None:
    assert _drawn(*FINGERS) == [TURN, TURN]


@pytest.mark.parametrize(("zone", "turns"), [("A.stock", 1), ("B.stock", 2), ("A.work.2", 2)])
def test_a_hand_that_squares_the_stock_it_dealt_turns_nothing_over(zone: str, turns: int) -> None:
    # Where nobody saw how long that hand stayed the deal lasted till 4.9 s.
    dealt = Dealt(n=0, t_ns=4_000 * MS, u_ns=900 * MS, actor=NOBODY, zone=zone, cards=())
    assert _drawn(*FINGERS, dealt=(dealt,)) == [TURN] * turns


def test_who_goes_back_to_his_backs_for_the_next_turn_took_no_card_from_the_waste() -> None:
    back = (("A.stock", 4_150, 4_350), ("A.waste", 4_400, 4_600),
            ("A.stock", 4_550, 4_900), ("A.waste", 4_950, 5_150))  # fmt: skip
    assert _drawn(*FINGERS, stirs=back) == [TURN, TURN]


def test_what_stirs_again_sooner_than_anybody_turns_three_is_one_turn() -> None:
    hovering = (("A.stock", 4_550, 4_950), ("A.waste", 4_600, 4_800), ("A.waste", 4_950, 5_150))
    assert _drawn(*FINGERS, stirs=hovering) == [TURN]


def test_no_two_turns_lie_so_near_that_nobody_makes_them() -> None:
    # A hand that never leaves its piles stirs the waste a moment before its turn lies.
    rests = (("A.stock", 4_150, 4_350), ("A.waste", 4_400, 4_600),
             ("A.stock", 4_750, 4_850), ("A.waste", 4_870, 4_980), ("A.stock", 5_000, 5_040),
             ("A.waste", 5_060, 5_180))  # fmt: skip
    both = (*FINGERS[:2], (4_750, "A.stock"), (4_950, "A.waste"), (5_020, "A.stock"),
            (5_120, "A.waste"))  # fmt: skip
    assert _drawn(*both, stirs=rests) == [TURN, TURN]


def test_a_card_that_lay_a_little_before_the_hand_left_off_stirring_came_with_that_stir() -> None:
    longer = (("A.stock", 4_150, 4_350), ("A.waste", 4_400, 4_720),
              ("A.stock", 4_800, 4_950), ("A.waste", 4_960, 5_230))  # fmt: skip
    assert _drawn(*FINGERS, stirs=longer) == [TURN, TURN]


def test_what_an_arm_stirs_that_reaches_over_both_piles_is_no_turn() -> None:
    # The fingers are at a work pile meanwhile.
    reached = ((4_250, "A.work.3"), (4_560, "A.work.3"), (4_850, "A.stock"), (5_100, "A.waste"))
    assert _drawn(*reached) == [TURN]


def test_a_turn_under_a_hand_that_rests_on_it_lay_when_the_card_below_was_lost_from_sight() -> None:
    touches = Touched(L, 4_250, "A.stock"), Touched(L, 4_300, "A.waste")
    table = Table("nertz", *touches, known=FULL)
    # The hand stirs both piles once more as it leaves.
    leaving = (("A.waste", 5_850, 5_950), ("A.stock", 5_900, 6_000))
    table.stirs = (*STIRS[:2], *leaving)
    table.looks(0, 4_100, STOCK, KING, NINE)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_100, 4_650, STOCK, KING, NINE)
    # Between its fingers no king shows any more.
    table.hands_over = ("A.stock",)
    told += table.looks(4_650, 5_800, STOCK, NINE)
    table.still(3, 5_960, 5_850)
    told += table.looks(6_000, 8_500, STOCK, NINE, (3, "8S", "A.waste", (2, 1)))
    (turn,) = (one for one in told if isinstance(one, PileMoved))
    assert 4_200 * MS < turn.t_ns < 4_650 * MS


def _played(
    stirs: tuple[tuple[str, int, int], ...], *others: tuple[int, str, str, PointMm]
) -> list[tuple[str, str, int]]:
    """Return what is told where an eight is played that nobody read on the waste."""
    touches = (Touched(A, 5_000, "A.waste"), Touched(A, 5_500, "A.work.1", (0, -22)))
    table = Table("nertz", *touches, known=f"{FULL} | B.work.2 B:8S" if others else FULL)
    table.stirs, table.ways["A"] = stirs, FINGERS[:2]
    table.looks(0, 4_100, STOCK, KING, NINE, *others)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_100, 5_500, STOCK, NINE, *others)
    table.still(4, 5_500)
    told += table.looks(5_500, 9_000, STOCK, NINE, (4, "8S", "A.work.1", (0, -22)), *others)
    return moves_of(told)


def test_a_card_that_nobody_read_was_played_off_the_turn_for_which_the_pile_stirred() -> None:
    assert _played(STIRS[:2]) == [TURN, ("A.waste", "A.work.1", 1)]


def test_who_turned_up_his_nertz_card_and_played_it_under_his_hand_turned_no_stock() -> None:
    # His arm reaches over stock and waste meanwhile.
    touches = Touched(A, 5_100, "A.nerts"), Touched(A, 5_500, "A.work.1", (0, -22))
    table = Table("nertz", *touches, known=f"{FULL} | A.nerts (??) (??) (??)")
    table.stirs, table.ways["A"] = STIRS[:2], FINGERS[:2]
    backs = (11, "BACK", "A.nerts", (0.0, 0.0))
    table.looks(0, 4_100, STOCK, KING, NINE, backs)
    table.hands_over = ("A.stock", "A.waste", "A.nerts")
    told = table.looks(4_100, 5_500, STOCK, KING, NINE)
    table.still(4, 5_500)
    table.hands_over = ("A.stock", "A.waste")
    eight = (4, "8S", "A.work.1", (0, -22))
    told += table.looks(5_500, 9_000, STOCK, KING, NINE, backs, eight)
    assert moves_of(told) == [("A.nerts", "A.work.1", 1)]


def test_the_like_of_another_players_deck_is_none_that_was_played_off_a_turn() -> None:
    like = (9, "8S", "B.work.2", (0.0, 0.0))
    assert _played(STIRS[:2], like) == [TURN, ("A.waste", "A.work.1", 1)]


def test_a_turn_that_is_read_late_is_the_one_that_was_told_for_its_stirring() -> None:
    touches = (Touched(A, 5_000, "A.waste"), Touched(A, 5_500, "A.work.1", (0, -22)))
    table = Table("nertz", *touches, known=FULL)
    table.stirs, table.ways["A"] = STIRS[:2], FINGERS[:2]
    table.looks(0, 4_100, STOCK, KING, NINE)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_100, 5_500, STOCK, NINE)
    table.still(4, 5_500)
    eight = (4, "8S", "A.work.1", (0, -22))
    told += table.looks(5_500, 8_000, STOCK, NINE, eight)
    table.hands_over = ()
    table.still(5, 5_000, moving_ms=4_600)
    told += table.looks(8_000, 11_000, STOCK, NINE, eight, (5, "5D", "A.waste", (1, 1)))
    assert moves_of(told) == [TURN, ("A.waste", "A.work.1", 1)]


def test_a_waste_of_which_a_deep_card_is_played_was_turned_over_when_both_piles_stirred() -> None:
    waste = "A.waste 4H 9C 2S " + "5C 7D TH " * 5 + "8C 3D 6S | A.work.1 3D"
    touches = (Touched(L, 4_100, "A.waste"), Touched(A, 5_000, "A.waste"),
               Touched(A, 5_500, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nertz", *touches, known=waste)
    three, top = (8, "3D", "A.work.1", (0.0, 0.0)), (2, "6S", "A.waste", (0.0, 0.0))
    # Up from the waste, down on the stock, and the first turn from there.
    table.stirs = (("A.waste", 3_900, 4_100), ("A.stock", 4_170, 4_330),
                   ("A.stock", 4_450, 4_600), ("A.waste", 4_650, 4_850))  # fmt: skip
    table.ways["A"] = (4_050, "A.waste"), (4_250, "A.stock"), (4_550, "A.stock"), (4_800, "A.waste")
    table.looks(0, 4_150, top, three)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_150, 5_500, three)
    table.still(4, 5_500)
    told += table.looks(5_500, 9_000, three, (4, "2S", "A.work.1", (0, -22)))
    (back, *_) = (one for one in told if isinstance(one, PileMoved))
    assert (str(back.origin), str(back.target), back.count) == ("A.waste", "A.stock", 21)
    assert abs(back.t_ns - 4_330_000_000) < 100_000_000


def test_while_a_player_holds_all_of_his_waste_no_turn_is_looked_for() -> None:
    touches = (Touched(L, 4_400, "A.waste"), Touched(A, 5_500, "A.work.1", (0, -22)))
    table = Table("nertz", *touches, known="A.waste 5C 7D KS | A.work.1 9D")
    table.stirs, table.ways["A"] = STIRS[:2], FINGERS[:2]
    table.looks(0, 4_300, KING, NINE)
    told = table.looks(4_300, 5_500, NINE)
    table.still(4, 5_500)
    told += table.looks(5_500, 9_000, NINE, (4, "8S", "A.work.1", (0, -22)))
    assert TURN not in moves_of(told)


def test_what_was_drawn_unseen_off_a_stock_that_nobody_counted_is_of_its_players_deck() -> None:
    touches = ((4_300, "A.stock"), (4_700, "A.waste"), (5_000, "F.1"))
    table = Table("nertz", *(Touched(A, *touch) for touch in touches))
    ace = (2, "AS", "F.1", (0.0, 0.0))
    table.looks(0, 4_200, STOCK, NINE)
    # The hand stays over the waste, and hides what is left of the turn.
    table.hands_over = ("A.waste",)
    table.still(2, 5_000)
    table.looks(5_400, 8_000, STOCK, NINE, ace)
    left = [*table.scene.piles["A.waste"], *table.scene.piles["F.1"]]
    assert [card.deck for card in left] == ["A", "A", "A"]


def test_nothing_was_turned_onto_a_card_that_shows_free_of_hands_after_its_pile_stirred() -> None:
    table = Table("nertz", Touched(L, 4_850, "A.stock"), known=FULL)
    table.stirs, table.ways["A"] = STIRS, FINGERS
    table.looks(0, 4_100, STOCK, KING, NINE)
    table.hands_over = ("A.stock", "A.waste")
    told = table.looks(4_100, 4_640, STOCK, KING, NINE)
    table.hands_over = ()
    told += table.looks(4_640, 4_740, STOCK, KING, NINE)
    table.hands_over = ("A.stock", "A.waste")
    told += table.looks(4_740, 5_300, STOCK, NINE)
    table.hands_over = ()
    table.still(3, 5_180)
    told += table.looks(5_300, 8_000, STOCK, NINE, (3, "8S", "A.waste", (2, 1)))
    assert moves_of(told) == [TURN]


def test_a_card_on_the_waste_that_nobody_could_read_is_the_one_that_is_played() -> None:
    touches = (
        Touched(A, 4_000, "A.stock"),
        Touched(A, 4_600, "A.waste"),
        Touched(A, 5_200, "A.work.1", (0, -22)),
    )
    unread, eight = (3, "??", "A.waste", (2.0, 0.0)), (4, "8S", "A.work.1", (0, -22))
    table = Table("nertz", *touches, known=FULL.replace("KS", "KS ??"))
    table.looks(0, 4_100, STOCK, unread, NINE)
    # His other hand is at the backs meanwhile, and hides that the card left.
    table.hands_over = ("A.stock", "A.waste")
    table.still(4, 5_200)
    told = table.looks(4_100, 7_500, STOCK, unread, NINE, eight)
    assert moves_of(told) == [("A.waste", "A.work.1", 1)]


def test_a_card_on_the_waste_was_turned_from_the_stock_though_a_nerts_card_is_out_of_sight() -> (
    None
):
    # The right hand lays a nerts card, the left one turns over, unseen where it is.
    touches = (Touched(A, 4_600, "A.nerts"), Touched(A, 5_000, "A.work.1", (0, -22)))
    table = Table("nertz", *touches, known="A.nerts (??) (??) 8S | A.stock (??) (??) (??) (??)"
                  " | A.work.1 9D")  # fmt: skip
    table.ways["A"] = (4_600, "A.nerts"), (5_000, "A.work.1")
    eight = (2, "8S", "A.nerts", (0.0, 0.0))
    table.looks(0, 4_600, STOCK, eight, NINE)
    table.hands_over = ("A.nerts", "A.stock")
    table.still(3, 5_000)
    told = table.looks(4_600, 5_200, NINE, (3, "8S", "A.work.1", (0, -22)))
    table.still(4, 5_150)
    laid = (3, "8S", "A.work.1", (0, -22)), (4, "3H", "A.waste", (0.0, 0.0))
    told += table.looks(5_200, 9_000, STOCK, NINE, *laid)
    assert moves_of(told) == [("A.nerts", "A.work.1", 1), TURN]


@pytest.mark.parametrize("shows", [True, False])
def test_no_card_was_turned_onto_a_waste_of_which_the_top_card_shows_since(*, shows: bool) -> None:
    touches = (
        Touched(A, 4_600, "A.stock"),
        Touched(A, 4_900, "A.waste"),
        Touched(A, 5_300, "A.work.1", (0, -22)),
    )
    table = Table("nertz", *touches, known=FULL)
    table.looks(0, 4_300, STOCK, KING, NINE)
    table.hands_over = table.unseen = ("A.stock", "A.waste")
    told = table.looks(4_300, 5_000, STOCK, KING, NINE)
    if shows:
        table.hands_over = table.unseen = ()
    table.still(4, 5_300)
    told += table.looks(5_000, 8_500, STOCK, KING, NINE, (4, "8S", "A.work.1", (0, -22)))
    played = ("A.waste", "A.work.1", 1)
    assert moves_of(told) == ([played] if shows else [TURN, played])
    if shows:
        (placed,) = (one for one in told if isinstance(one, CardPlaced))
        assert placed.pos == 1
