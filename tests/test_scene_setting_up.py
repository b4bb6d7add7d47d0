"""The set-up from a deck on the table: what is taken off it, and how high the piles are then."""

from __future__ import annotations

from dataclasses import replace

from test_scene_rough import MS, A, Table, Touched

from referee.values import CardPlaced, Dealt, Event, PileMixed, PileMoved, PileTaken

DECK = (1, "BACK", "A.deck", (0.0, 0.0))
STACK = (2, "BACK", "A.stack", (0.0, 0.0))
SQUARE = tuple(
    (2 + k, face, f"A.pile.{k}", (0.0, 0.0)) for k, face in enumerate(("9D", "QD", "7C", "8S"), 1)
)


def _spy(*touches: Touched) -> Table:
    table = Table("spy", *touches)
    table.look(0)
    return table


def _cards(table: Table, zone: str) -> int:
    return len(table.scene.piles[zone])


def _ways(events: list[Event]) -> list[tuple[str, str, int]]:
    moved = [e for e in events if isinstance(e, CardPlaced | PileMoved)]
    assert moved == events
    return [(e.origin, e.target, getattr(e, "count", 1)) for e in moved]


def test_half_a_deck_lies_there_when_two_players_share_one() -> None:
    table = _spy()
    (told,) = table.looks(1_000, 2_000, DECK)
    assert isinstance(told, Dealt)
    assert (told.zone, len(told.cards)) == ("A.deck", 26)


def test_a_closed_stack_is_taken_off_the_deck_that_lies_there() -> None:
    table = _spy(Touched(A, 2_400, "A.deck"))
    table.looks(1_000, 2_000, DECK)
    assert _ways(table.looks(3_000, 4_000, DECK, STACK)) == [("A.deck", "A.stack", 5)]
    assert (_cards(table, "A.deck"), _cards(table, "A.stack")) == (21, 5)


def test_the_square_comes_from_the_deck_and_not_from_the_stack() -> None:
    table = _spy(Touched(A, 2_400, "A.stack"))
    table.looks(1_000, 2_000, DECK)
    table.looks(2_000, 3_000, DECK, STACK)
    told = _ways(table.looks(3_000, 4_000, DECK, STACK, SQUARE[0]))
    assert told == [("A.deck", "A.pile.1", 1)]


def test_a_card_of_the_stack_laid_on_the_square_is_played_while_others_still_set_up() -> None:
    table = _spy(Touched(A, 4_400, "A.stack"), Touched(A, 5_000, "A.pile.1"))
    table.looks(1_000, 2_000, DECK)
    table.looks(2_000, 3_000, DECK, STACK)
    table.looks(3_000, 4_000, DECK, STACK, *SQUARE)
    eight = (9, "8D", "A.pile.1", (2.0, 1.0))
    assert _ways(table.looks(5_200, 7_000, DECK, STACK, *SQUARE[1:], eight)) == [
        ("A.stack", "A.pile.1", 1)
    ]


def test_what_is_dealt_from_the_hand_comes_from_no_deck_and_the_rest_is_lower() -> None:
    table = _spy()
    told = table.looks(1_000, 2_000, STACK, *SQUARE)
    told += table.looks(2_000, 3_000, STACK, *SQUARE, DECK)
    assert {e.zone: len(e.cards) for e in told if isinstance(e, Dealt)} == {
        "A.stack": 5, "A.deck": 17, **{f"A.pile.{k}": 1 for k in range(1, 5)}
    }  # fmt: skip
    assert len(told) == 6


def test_a_deck_that_hands_hid_since_it_was_laid_there_and_shuffled_lies_there() -> None:
    table = Table("spy")
    table.look(0)
    table.scene.mixed(PileMixed(n=0, t_ns=3_000 * MS, u_ns=400 * MS, zone="A.deck"))
    told = table.looks(4_000, 5_000, STACK)
    laid, taken = told
    assert isinstance(laid, Dealt)
    assert (laid.zone, len(laid.cards), laid.t_ns) == ("A.deck", 26, 3_000 * MS)
    assert isinstance(taken, PileMoved)
    assert (taken.origin, taken.target, taken.count) == ("A.deck", "A.stack", 5)


def _xix(*touches: Touched) -> Table:
    table = Table("xix", *touches)
    table.look(0)
    return table


ALL = (1, "BACK", "deck", (0.0, 0.0))
TALON = tuple((1 + k, "BACK", f"talon.{k}", (0.0, 0.0)) for k in range(1, 6))


def _dealt(events: list[Event]) -> list[tuple[str, int]]:
    dealt = [e for e in events if isinstance(e, Dealt)]
    assert dealt == events
    return [(e.zone, len(e.cards)) for e in dealt]


def test_six_cards_went_into_each_hand_before_the_talon_is_dealt() -> None:
    table = _xix(Touched(A, 5_500, "deck"))
    assert not table.looks(1_000, 2_000, ALL)
    assert _dealt(table.looks(6_000, 7_000, ALL, TALON[0])) == [
        ("A.closed", 6), ("B.closed", 6), ("talon.1", 1),
    ]  # fmt: skip
    assert (_cards(table, "deck"), _cards(table, "A.closed")) == (5, 6)


def test_who_took_cards_that_show_late_off_the_deck_did_not_deal_the_hands_then() -> None:
    # The dealer's hand hides the talon till two cards lie there.
    table = _xix(*(Touched(A, t_ms, "deck") for t_ms in (3_000, 4_000, 5_200, 6_100)))
    table.looks(1_000, 2_000, ALL)
    table.still(2, 6_600, moving_ms=5_650)
    table.still(3, 6_600)
    told = table.looks(6_700, 8_000, ALL, *TALON[:2])
    first, second = (e for e in told if isinstance(e, Dealt) and e.zone.endswith(".closed"))
    assert (first.t_ns, second.t_ns) == (3_500 * MS, 4_500 * MS)


def test_nothing_is_dealt_while_the_deck_is_shuffled_and_who_shuffled_deals() -> None:
    table = _xix()
    table.looks(1_000, 3_000, ALL)
    by_a = PileMixed(n=0, t_ns=2_600 * MS, u_ns=400 * MS, actor=A, zone="deck")
    table.scene.mixed(by_a)
    told = table.looks(7_500, 8_500, TALON[0])
    hands = {e.zone: e for e in told if isinstance(e, Dealt) and e.zone != "talon.1"}
    assert list(hands) == ["A.closed", "B.closed"]
    # Player by player or by the turn: the last one has his a little before the talon is dealt.
    first, second = (hands[f"{seat}.closed"] for seat in "AB")
    assert first.t_ns - (first.u_ns or 0) >= 2_600 * MS
    assert first.t_ns + (first.u_ns or 0) >= second.t_ns - 1 * MS
    assert first.t_ns < second.t_ns < 6_600 * MS
    # Who shuffled deals.
    assert first.actor.seat == second.actor.seat == "A"


def test_the_shuffle_of_a_deck_that_nobody_saw_lie_is_told_with_the_first_card_dealt() -> None:
    table = _xix()
    table.looks(1_000, 3_000)
    assert not table.scene.lies("deck")
    # It may not be told after the deal: that would be asked about as one without a shuffle.
    assert table.looks(6_000, 7_000, TALON[0])
    assert table.scene.lies("deck")


def test_a_deck_that_the_dealer_takes_up_is_dealt_from_his_hand() -> None:
    table = _xix(Touched(A, 3_000, "deck"))
    assert not table.looks(1_000, 3_000, ALL)
    # What he holds shows over his own place.
    held = (8, "BACK", "A.open", (20.0, 10.0))
    told = table.looks(3_300, 6_000, held)
    told += table.looks(6_000, 7_000, held, TALON[0])
    told += table.looks(7_000, 8_000, *TALON[:2])
    assert _dealt(told) == [("A.closed", 6), ("B.closed", 6), ("talon.1", 1), ("talon.2", 1)]


def test_a_deck_that_the_dealer_holds_since_he_mixed_it_is_no_card_that_he_plays() -> None:
    table = _xix()
    held = (8, "BACK", "A.open", (20.0, 10.0))
    told = table.looks(3_300, 6_000, held)
    told += table.looks(6_000, 11_000, held, TALON[0])
    told += table.looks(11_000, 12_000, held, *TALON)
    told += table.looks(12_000, 14_000, *TALON, (9, "BACK", "unused", (0.0, 0.0)))
    assert _dealt(told) == [
        ("A.closed", 6), ("B.closed", 6), *((f"talon.{k}", 1) for k in range(1, 6)), ("unused", 1),
    ]  # fmt: skip


def test_from_a_deck_that_nobody_saw_lie_one_player_is_dealt_his_cards_after_the_other() -> None:
    table = Table("xix")
    table.look(0)
    told = table.looks(6_000, 7_000, TALON[0])
    told += table.looks(7_000, 8_000, *TALON[:2])
    first, second, talon, _ = (e.t_ns for e in told if isinstance(e, Dealt))
    assert second - first == 1_000 * MS
    assert abs(talon - second - 1_000 * MS) < 100 * MS


def test_the_last_card_of_the_deck_is_the_unused_one() -> None:
    table = _xix(*(Touched(A, 5_500 + 1_000 * k, "deck") for k in range(6)))
    table.looks(1_000, 2_000, ALL)
    for k in range(1, 6):
        table.looks(5_000 + 1_000 * k, 6_000 + 1_000 * k, ALL, *TALON[:k])
    unused = (9, "BACK", "unused", (0.0, 0.0))
    told = table.looks(11_000, 13_000, *TALON, unused)
    assert _dealt(told) == [("unused", 1)]


def test_a_talon_card_that_a_hand_hides_is_not_taken_for_the_next_one() -> None:
    touches = [Touched(A, t_ms, zone) for t_ms, zone in (
        (5_500, "deck"), (6_500, "talon.1"), (6_600, "deck"))]  # fmt: skip
    table = _xix(*touches)
    table.looks(1_000, 2_000, ALL)
    table.looks(6_000, 6_500, ALL, TALON[0])
    table.looks(6_500, 6_900, ALL)
    told = table.looks(7_000, 7_300, ALL, TALON[1])
    told += table.looks(7_333, 9_000, ALL, TALON[1], (20, "BACK", "talon.1", (0.0, 0.0)))
    assert _dealt(told) == [("talon.2", 1)]


def test_who_deals_from_the_hand_dealt_the_players_theirs_before_the_talon() -> None:
    table = _xix()
    told = table.looks(5_000, 6_000, TALON[0])
    told += table.looks(6_000, 7_000, *TALON[:2])
    assert _dealt(told) == [
        ("A.closed", 6), ("B.closed", 6), ("talon.1", 1), ("talon.2", 1),
    ]  # fmt: skip


def test_a_deck_that_lies_there_first_is_told_of_and_begins_no_deal() -> None:
    table = Table("nerves")
    table.look(0, ALL)
    (told,) = table.looks(400, 1_000, ALL)
    assert isinstance(told, Dealt)
    assert (told.zone, len(told.cards)) == ("deck", 52)
    assert not table.scene.dealing


def test_a_deck_of_which_the_players_told_is_not_told_of_again() -> None:
    table = Table("nerves", known="deck " + " ".join(["(2C)"] * 9))
    table.look(0, ALL)
    assert not table.looks(400, 1_000, ALL)
    assert _cards(table, "deck") == 9


PILE = (1, "BACK", "A.pile", (0.0, 0.0))
ROW = tuple((1 + k, "BACK", f"A.arr.{k}", (0.0, 0.0)) for k in range(1, 6))


def _taken(*touches: Touched) -> Table:
    table = Table("nerves", *touches, known="A.pile " + " ".join(["(2C)"] * 26) + " | B.pile (3C)")
    table.look(0, PILE, (9, "BACK", "B.pile", (0.0, 0.0)))
    return table


def test_a_pile_was_taken_up_before_cards_of_it_are_laid_under_the_hand_that_holds_it() -> None:
    table = _taken(Touched(A, 1_200, "A.pile"))
    table.hands_over = ("A.pile",)
    told = table.looks(2_000, 2_400, PILE, ROW[0])
    told += table.looks(2_500, 4_000, *ROW[:2])
    assert [type(e).__name__ for e in told] == ["PileTaken", "CardPlaced", "CardPlaced"]
    taken, *laid = told
    assert isinstance(taken, PileTaken)
    assert (taken.zone, taken.count, taken.t_ns) == ("A.pile", 26, 1_200 * MS)
    assert _ways(list(laid)) == [("A.held", "A.arr.1", 1), ("A.held", "A.arr.2", 1)]


def test_a_pile_that_is_seen_to_lie_there_was_not_taken_up() -> None:
    table = _taken(Touched(A, 1_200, "A.pile"), Touched(A, 1_500, "A.arr.1"))
    told = table.looks(2_000, 4_000, PILE, ROW[0], (9, "BACK", "B.pile", (0.0, 0.0)))
    assert not [e for e in told if isinstance(e, PileTaken)]


def test_who_plays_holds_no_cards_of_the_pile_that_nobody_counted() -> None:
    table = _taken(Touched(A, 1_200, "A.pile"), Touched(A, 5_000, "A.arr.1"))
    table.hands_over = ("A.pile",)
    table.looks(2_000, 2_400, PILE, ROW[0])
    table.hands_over = ()
    face = (20, "7H", "A.arr.2", (0.0, 0.0))
    table.looks(2_500, 4_000, ROW[0], face)
    assert _cards(table, "A.held") == 24
    table.looks(5_000, 6_000, ROW[0], (21, "7H", "play.A", (0.0, 0.0)))
    assert _cards(table, "A.held") == 0
    turned = table.looks(7_000, 8_000, (21, "7H", "play.A", (0.0, 0.0)), (22, "2S", *ROW[0][2:]))
    assert [type(e).__name__ for e in turned] == ["CardTurned"]


def test_the_set_up_is_over_once_all_players_have_their_piles() -> None:
    table = _spy()
    mine = (DECK, STACK, *SQUARE)
    faces = ("BACK", "BACK", "KC", "5D", "JH", "AD")
    theirs = [(n + 10, face, zone.replace("A.", "B."), off)
              for (n, _, zone, off), face in zip(mine, faces, strict=True)]  # fmt: skip
    for k in range(1, 7):
        table.looks(1_000 * k, 1_000 * k + 900, *mine[:k], *theirs[:k])
    assert not table.scene.dealing
    assert (_cards(table, "A.deck"), _cards(table, "B.deck")) == (17, 17)


def test_who_may_have_laid_a_card_down_is_not_surely_seen_to_play_it_from_his_hand() -> None:
    table = Table("nerves", Touched(A, 5_500, "play.A"), known="play.A 4C | A.held 9H 2C")
    four = (1, "4C", "play.A", (0.0, 0.0))
    table.look(0, four)
    hand = table.scene.piles["A.held"]
    hand[0] = replace(hand[0], face="9H")
    (played,) = table.looks(6_000, 8_000, (2, "9H", "play.A", (3.0, 2.0)))
    assert isinstance(played, CardPlaced)
    assert played.origin == "A.held"
    assert played.conf is not None
    assert played.conf <= 0.9
