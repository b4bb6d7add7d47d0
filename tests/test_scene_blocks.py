"""Blocks of a cascade, and cards seen again: what is told of what shows late, or not at all."""

from __future__ import annotations

import pytest
from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced, CardTurned, Event, PileMoved, PointMm

# A work column of A's grows towards him, a step of 18 mm a card; its first card lies at (0, 98).
NINE = (1, "9D", "A.work.1", (0.0, 98.0))
KNOWN = "A.work.1 9D | A.work.2 TC 8S 7D"
TEN = (4, "TC", "A.work.2", (0.0, 98.0))
# A hand takes the eight and the seven, and lays them on the nine.
TAKEN, LAID = Touched(A, 4_700, "A.work.2", (0, 80)), Touched(A, 5_300, "A.work.1", (0, 80))


def step(number: int) -> PointMm:
    """Return where so many steps on from the first card the next one is laid."""
    return 0.0, 98.0 - 18.0 * number


def at_work(known: str = KNOWN, *touches: Touched) -> Table:
    table = Table("nertz", *(touches or (TAKEN, LAID)), known=known)
    table.look(0, NINE, TEN, (2, "8S", "A.work.2", step(1)), (3, "7D", "A.work.2", step(2)))
    return table


def moved(told: list[Event]) -> list[tuple[str, str, int]]:
    return [
        (one.origin, one.target, one.count if isinstance(one, PileMoved) else 1)
        for one in told
        if isinstance(one, PileMoved | CardPlaced)
    ]


def test_the_lower_card_of_a_block_came_along_though_it_does_not_show() -> None:
    table = at_work()
    table.look(5_000, NINE, TEN)
    table.still(5, 5_350)
    (block,) = table.looks(5_400, 8_000, NINE, TEN, (5, "7D", "A.work.1", step(2)))
    assert isinstance(block, PileMoved)
    assert (block.origin, block.target, block.count) == ("A.work.2", "A.work.1", 2)
    assert block.conf is not None
    assert block.conf <= 0.94
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S", "7D"]
    # Where its index shows later, it is that very card.
    eight = (6, "8S", "A.work.1", step(1))
    assert table.looks(8_000, 9_500, NINE, TEN, (5, "7D", "A.work.1", step(2)), eight) == []


def test_a_card_that_was_never_read_below_another_is_the_one_that_comes_with_it() -> None:
    # A hand had come down on the stock before.
    touches = Touched(A, 4_200, "A.stock"), TAKEN, LAID
    table = Table("nertz", *touches, known="A.stock (??) (??)")
    backs, spade = (8, "BACK", "A.stock", (0.0, 0.0)), (1, "TS", "A.work.1", step(0))
    table.looks(0, 4_600, spade, TEN, backs, (3, "8C", "A.work.2", step(2)))
    table.looks(5_000, 5_300, spade, TEN, backs)
    for number in (5, 6):
        table.still(number, 5_350)
    came = (5, "8C", "A.work.1", step(2)), (6, "9D", "A.work.1", step(1))
    told = table.looks(5_400, 8_000, spade, TEN, backs, *came)
    assert moved(told) == [("A.work.2", "A.work.1", 2)]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["TS", "9D", "8C"]


@pytest.mark.parametrize(
    ("nine", "came"),
    [("9D", ("A.work.2", "A.work.1", 2)), ("9S", ("A.held", "A.work.1", 1))],
    ids=["it fits", "not so"],
)
def test_a_card_that_was_never_read_came_with_the_one_that_fits_onto_it_and_does_not_show(
    nine: str, came: tuple[str, str, int]
) -> None:
    table = Table("nertz", TAKEN, LAID)
    spade = (1, "TS", "A.work.1", step(0))
    table.looks(0, 4_600, spade, TEN, (3, "8C", "A.work.2", step(2)))
    table.looks(5_000, 5_300, spade, TEN)
    table.still(6, 5_350)
    told = table.looks(5_400, 8_000, spade, TEN, (6, nine, "A.work.1", step(1)))
    assert moved(told) == [came]


def test_a_card_of_a_block_that_was_never_read_is_not_the_one_that_shows_elsewhere_meanwhile() -> (
    None
):
    table = Table(
        "nertz", TAKEN, LAID, Touched(A, 5_700, "A.waste"), known="A.waste QC 4H | A.work.1 TH"
    )
    ten, four = (1, "TH", "A.work.1", step(0)), (2, "4H", "A.waste", (0.0, 0.0))
    block = (3, "??", "A.work.2", step(0)), (4, "8D", "A.work.2", step(1))
    table.looks(0, 4_600, ten, four, *block)
    table.looks(5_000, 5_300, ten, four)
    table.still(5, 5_350)
    table.looks(5_400, 5_700, ten, four, (5, "8D", "A.work.1", step(2)))
    # The four is taken up; its arm hides the waste, of which the queen is misread.
    table.still(6, 5_750)
    shown = ten, (5, "8D", "A.work.1", step(2)), (6, "QS", "A.waste", (0.0, 0.0))
    told = table.looks(5_800, 8_000, *shown)
    assert ("A.work.2", "A.work.1", 2) in moved(told)
    assert ("A.work.2", "A.waste", 1) not in moved(told)


def test_cards_of_a_block_that_are_put_too_near_to_one_another_are_two_all_the_same() -> None:
    table = Table("nertz", TAKEN, LAID, known="A.work.1 9D | A.work.2 8S 7D 6C")
    lower = (2, "8S", "A.work.2", step(0)), (3, "7D", "A.work.2", step(1))
    club = (4, "6C", "A.work.2", step(2))
    table.looks(0, 4_600, NINE, *lower, club)
    for number in (5, 6, 7):
        table.still(number, 5_350)
    eight, seven = (5, "8S", "A.work.1", step(1)), (6, "7D", "A.work.1", (0.0, 70.0))
    # For a moment the upper one is still believed to lie where it lay.
    told = table.looks(5_000, 5_300, NINE, club)
    told += table.looks(5_400, 5_500, NINE, eight, seven, club)
    told += table.looks(5_500, 8_500, NINE, eight, seven, (7, "6C", "A.work.1", step(3)))
    assert moved(told) == [("A.work.2", "A.work.1", 3)]
    assert [card.spot for card in table.scene.piles["A.work.1"]] == [1, 5, 6, 7]


def test_what_an_arm_hid_until_its_hand_had_come_for_it_too_was_not_laid_with_the_card_on_it() -> (
    None
):
    touches = Touched(A, 4_700, "A.work.2"), Touched(A, 5_300, "F.1"), Touched(A, 6_700, "F.2")
    table = Table("nertz", *touches, known="A.work.2 2H AS | F.2 B:AH")
    two, ace = (2, "2H", "A.work.2", step(5)), (3, "AS", "A.work.2", step(6))
    hearts, spade = (7, "AH", "F.2", (0.0, 0.0)), (4, "AS", "F.1", (0.0, 0.0))
    table.looks(0, 4_600, hearts, two, ace)
    table.hands_over = table.unseen = ("A.work.2",)
    table.still(4, 5_300)
    table.looks(4_700, 5_700, hearts, two)
    told = table.looks(5_733, 6_250, hearts, two, spade)
    table.hands_over = table.unseen = ()
    told += table.looks(6_283, 6_700, hearts, spade)
    table.still(5, 6_700)
    told += table.looks(6_900, 9_500, spade, (5, "2H", "F.2", (1.0, 1.0)))
    assert moved(told) == [("A.work.2", "F.1", 1), ("A.work.2", "F.2", 1)]


@pytest.mark.parametrize("came_along", [True, False])
def test_whether_a_card_came_to_an_ace_pile_alone_is_told_once_it_shows_what_it_lay_on(
    came_along: bool,
) -> None:
    taken, laid = Touched(A, 4_700, "A.work.2"), Touched(A, 5_300, "F.1")
    table = Table("nerds", taken, laid, known="A.work.2 3C 2H | F.1 AH")
    ace, three = (1, "AH", "F.1", (0.0, 0.0)), (2, "3C", "A.work.2", step(4))
    table.looks(0, 4_700, ace, three, (3, "2H", "A.work.2", step(5)))
    table.unseen = ("A.work.2",)
    table.still(4, 5_300)
    two = (4, "2H", "F.1", (1.0, 1.0))
    # The hand that laid the card is over the column, in which the three still seems to lie.
    assert table.looks(4_733, 5_333, ace, three) == []
    assert table.looks(5_366, 5_800, two, three) == []
    table.unseen = ()
    lying = (two,) if came_along else (two, three)
    told = [*table.looks(5_833, 5_900, two, three), *table.looks(5_933, 8_000, *lying)]
    assert moved(told) == [("A.work.2", "F.1", 2 if came_along else 1)]


@pytest.mark.parametrize(
    ("lowest", "sure"), [(1, True), (2, False)], ids=["right on the ten", "one may lie between"]
)
def test_a_block_laid_far_on_is_sure_if_none_can_have_come_below_it(
    lowest: int, sure: bool
) -> None:
    table = Table("nertz", TAKEN, LAID, known=KNOWN)
    eight, seven = ((n, f, "A.work.2", step(k)) for n, f, k in
                    ((2, "8S", lowest), (3, "7D", lowest + 1)))  # fmt: skip
    table.looks(0, 5_000, NINE, TEN, eight, seven)
    table.still(5, 5_350)
    table.still(6, 5_350)
    upper, lower = (5, "7D", "A.work.1", (0.0, 52.0)), (6, "8S", "A.work.1", (0.0, 71.0))
    table.looks(5_033, 5_400, NINE, TEN)
    table.looks(5_433, 5_466, NINE, TEN, upper)
    (block,) = table.looks(5_500, 8_000, NINE, TEN, upper, lower)
    assert isinstance(block, PileMoved)
    assert (block.origin, block.target, block.count) == ("A.work.2", "A.work.1", 2)
    assert ((block.conf or 0.0) >= 0.97) is sure


def test_a_block_moves_on_though_nothing_of_its_lower_card_ever_shows() -> None:
    # The hidden eight covers the nine's index; the fingers stir once more where they laid it.
    stirred = Touched(A, 5_650, "A.work.1", (0, 80))
    back = Touched(A, 10_000, "A.work.1", (0, 80)), Touched(A, 10_300, "A.work.2", (0, 80))
    table = at_work(KNOWN, TAKEN, LAID, stirred, *back)
    table.look(5_000, NINE, TEN)
    table.still(5, 5_350)
    seven = (5, "7D", "A.work.1", step(2))
    assert not table.looks(5_400, 5_700, TEN)
    assert moved(table.looks(5_700, 9_500, TEN, seven)) == [("A.work.2", "A.work.1", 2)]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S", "7D"]
    nine = (6, "9D", "A.work.1", step(0))
    table.look(10_100, TEN, nine)
    table.still(7, 10_350)
    told = table.looks(10_400, 13_000, TEN, nine, (7, "7D", "A.work.2", step(2)))
    assert moved(told) == [("A.work.1", "A.work.2", 2)]
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["TC", "8S", "7D"]


def test_a_card_that_is_pressed_flat_once_it_lies_hides_the_same_cards() -> None:
    table = at_work()
    table.look(5_000, NINE, TEN)
    table.still(5, 5_350)
    told = table.looks(5_400, 5_500, NINE, TEN, (5, "7D", "A.work.1", (0.0, 62.0)))
    told += table.looks(5_500, 8_000, NINE, TEN, (5, "7D", "A.work.1", (0.0, 63.0)))
    assert moved(told) == [("A.work.2", "A.work.1", 2)]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S", "7D"]


def test_a_card_that_was_never_read_below_another_came_along_with_it() -> None:
    # Before the first picture the seven was laid so close that of the eight nothing shows.
    table = Table("nertz", TAKEN, LAID, known="A.work.1 9D | A.work.2 7D")
    table.look(0, NINE, (3, "7D", "A.work.2", step(0)))
    table.look(5_000, NINE)
    table.still(5, 5_350)
    table.still(6, 5_350)
    told = table.looks(5_400, 8_000, NINE, (5, "7D", "A.work.1", step(2)),
                       (6, "8S", "A.work.1", step(1)))  # fmt: skip
    assert moved(told) == [("A.work.2", "A.work.1", 2)]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S", "7D"]


def test_so_did_one_below_a_card_of_the_block_that_was_read_before_it() -> None:
    table = Table("nertz", TAKEN, LAID, known="A.work.1 9D | A.work.2 7D 6S")
    table.look(0, NINE, (3, "7D", "A.work.2", step(0)), (4, "6S", "A.work.2", step(1)))
    table.look(5_000, NINE)
    for number in (5, 6, 7):
        table.still(number, 5_350)
    seven, eight = (5, "7D", "A.work.1", step(2)), (6, "8S", "A.work.1", step(1))
    told = table.looks(5_400, 5_700, NINE, seven) + table.looks(5_700, 5_900, NINE, seven, eight)
    told += table.looks(5_900, 9_000, NINE, seven, eight, (7, "6S", "A.work.1", step(3)))
    assert moved(told) == [("A.work.2", "A.work.1", 3)]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S", "7D", "6S"]


def test_the_top_card_came_alone_where_the_one_below_still_shows() -> None:
    table = at_work()
    eight = (2, "8S", "A.work.2", step(1))
    table.look(5_000, NINE, TEN, eight)
    table.still(5, 5_350)
    told = table.looks(5_400, 5_700, NINE, TEN, eight, (5, "7D", "A.work.1", step(1)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert placed.conf is not None
    assert placed.conf >= 0.97


def test_a_card_below_that_is_only_hidden_by_the_arm_did_not_come_along() -> None:
    table = at_work()
    table.look(5_000, NINE, TEN)
    seven = (5, "7D", "A.work.1", step(1))
    table.still(5, 5_350)
    table.hands_over = ("A.work.2",)
    told = table.looks(5_400, 5_900, NINE, seven)
    table.hands_over = ()
    told += table.looks(5_900, 8_000, NINE, TEN, (6, "8S", "A.work.2", step(1)), seven)
    assert moved(told) == [("A.work.2", "A.work.1", 1)]


def test_a_block_read_from_top_to_bottom_one_by_one_is_a_block() -> None:
    table = at_work()
    table.look(5_000, NINE, TEN)
    seven, eight = (5, "7D", "A.work.1", step(2)), (6, "8S", "A.work.1", step(1))
    table.still(5, 5_350)
    table.still(6, 5_700)
    told = table.looks(5_400, 5_900, NINE, TEN, seven)
    told += table.looks(5_900, 8_000, NINE, TEN, seven, eight)
    assert moved(told) == [("A.work.2", "A.work.1", 2)]


def test_a_block_is_told_whole_though_a_misread_card_below_puts_off_those_upon_its_lowest() -> None:
    # The nine, half hidden, is read as one of hearts: what lies further on waits for it. Nobody
    # was felt to take the block.
    table = at_work(KNOWN, LAID)
    table.look(5_000, NINE, TEN)
    table.still(7, 5_312)
    table.still(5, 5_450, moving_ms=5_290)
    table.still(6, 5_310)
    laid = (5, "8S", "A.work.1", step(1)), (6, "7D", "A.work.1", step(2))
    told = table.looks(5_500, 6_200, TEN, (7, "9H", "A.work.1", (2.0, 88.0)), *laid)
    told += table.looks(6_200, 8_000, NINE, TEN, *laid)
    assert moved(told) == [("A.work.2", "A.work.1", 2)]


def test_of_two_cards_that_come_together_the_lower_one_is_told_first() -> None:
    # The six was laid onto the seven in another column and taken on at once: nobody saw it there.
    table = at_work(KNOWN + " | A.nerts (2C) (3C) 6C",
                    TAKEN, Touched(A, 4_000, "A.nerts"), LAID)  # fmt: skip
    back = (9, "BACK", "A.nerts", (0.0, 0.0))
    table.look(4_500, NINE, TEN, (2, "8S", "A.work.2", step(1)), (3, "7D", "A.work.2", step(2)))
    table.look(5_000, NINE, TEN, (2, "8S", "A.work.2", step(1)), back)
    table.still(5, 5_345)
    table.still(6, 5_350)
    told = table.looks(5_400, 8_000, NINE, TEN, (2, "8S", "A.work.2", step(1)), back,
                       (5, "6C", "A.work.1", step(2)), (6, "7D", "A.work.1", step(1)))  # fmt: skip
    faces = [str(one.card) for one in told if isinstance(one, CardPlaced)]
    assert faces == ["A:7D", "A:6C"]
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "7D", "6C"]


def test_a_block_came_whole_though_another_card_lies_in_its_place_by_then() -> None:
    """The arm hides that the seven left until the king is laid in the emptied column."""
    king, back = (8, "KS", "A.nerts", (0.0, 0.0)), (9, "BACK", "A.nerts", (0.0, 0.0))
    eight, seven = (2, "8S", "A.work.2", step(0)), (3, "7D", "A.work.2", step(1))
    touches = TAKEN, LAID, Touched(A, 5_400, "A.nerts"), Touched(A, 5_700, "A.work.2", (0, 80))
    table = Table("nertz", *touches, known="A.work.1 9D | A.work.2 8S 7D | A.nerts (2C) KS")
    table.look(0, NINE, eight, seven, king)
    table.looks(4_000, 5_300, NINE, eight, seven, king)
    for number in (5, 6):
        table.still(number, 5_300)
    table.still(10, 5_700)
    laid = (5, "8S", "A.work.1", step(1)), (6, "7D", "A.work.1", step(2))
    table.hands_over = ("A.work.2",)
    told = table.looks(5_400, 5_800, NINE, seven, back, *laid)
    table.hands_over = ()
    told += table.looks(5_800, 8_000, NINE, back, *laid, (10, "KS", "A.work.2", step(0)))
    assert moved(told) == [("A.work.2", "A.work.1", 2), ("A.nerts", "A.work.2", 1)]


def test_a_card_laid_two_steps_on_may_lie_on_another_one() -> None:
    table = at_work()
    eight = (2, "8S", "A.work.2", step(1))
    table.hands_over = ("A.work.1",)
    table.looks(4_500, 5_300, TEN, eight)
    table.hands_over = ()
    table.still(5, 5_350)
    (placed,) = table.looks(5_400, 8_000, NINE, TEN, eight, (5, "7D", "A.work.1", step(2)))
    assert isinstance(placed, CardPlaced)
    assert placed.conf is not None
    assert placed.conf <= 0.9


def test_an_unread_card_on_one_whose_index_it_hides_is_not_that_one() -> None:
    # The eight is laid so close that of the nine nothing shows, and is read late.
    table = Table("nertz", Touched(A, 4_700, "A.waste"), LAID, known="A.work.1 9D | A.waste 8S")
    table.look(0, NINE, (2, "8S", "A.waste", (0.0, 0.0)))
    table.look(5_000, NINE)
    table.still(5, 5_350)
    told = table.looks(5_400, 5_900, (5, "??", "A.work.1", (0.0, 85.0)))
    told += table.looks(5_900, 8_000, (5, "8S", "A.work.1", (0.0, 85.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin) == ("A:8S", "A.waste")
    assert [card.face for card in table.scene.piles["A.work.1"]] == ["9D", "8S"]


def test_a_lower_card_of_a_foundation_that_shows_again_is_no_new_card() -> None:
    table = Table("nertz", known="F.1 AS 2S 3S | A.work.1 9D")
    ace, three = (5, "AS", "F.1", (8.0, 4.0)), (6, "3S", "F.1", (-3.0, 0.0))
    table.look(0, NINE, ace, three)
    table.looks(3_000, 4_000, NINE, three)
    assert table.looks(4_000, 7_000, NINE, three, (7, "AS", "F.1", (8.0, 4.0))) == []
    assert [card.face for card in table.scene.piles["F.1"]] == ["AS", "2S", "3S"]


def test_a_card_turned_on_a_pile_of_which_the_back_is_still_believed_is_turned() -> None:
    table = Table("nertz", Touched(A, 5_000, "A.nerts"), known="A.nerts (2C) (3C) | A.work.1 9D")
    back = (8, "BACK", "A.nerts", (0.0, 0.0))
    table.look(0, NINE, back)
    table.look(4_900, NINE, back)
    table.still(5, 5_050)
    (turned,) = table.looks(5_100, 8_000, NINE, back, (5, "9H", "A.nerts", (2.0, 1.0)))
    assert isinstance(turned, CardTurned)
    assert str(turned.card) == "A:9H"
    assert len(table.scene.piles["A.nerts"]) == 2


def test_the_card_that_a_player_laid_is_his_own_though_its_old_place_still_shows_it() -> None:
    # Both players have a seven of diamonds, and nobody saw B's.
    known = KNOWN + " | F.1 6D | A.nerts (2C) (3C)"
    table = Table("nertz", TAKEN, Touched(A, 5_300, "F.1"), known=known)
    six, back = (7, "6D", "F.1", (0.0, 0.0)), (8, "BACK", "A.nerts", (0.0, 0.0))
    eight, seven = (2, "8S", "A.work.2", step(1)), (3, "7D", "A.work.2", step(2))
    lying = (NINE, TEN, eight, seven, six, back)
    table.look(0, *lying)
    table.look(4_900, *lying)
    table.still(5, 5_350)
    (placed,) = table.looks(5_400, 8_000, *lying, (5, "7D", "F.1", (2.0, 1.0)))
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin) == ("A:7D", "A.work.2")
    assert placed.conf is not None
    assert placed.conf <= 0.9


def test_a_card_that_is_read_after_the_next_one_lies_below_it() -> None:
    """Fingers hide a card till another one lies on it; its index shows beside that one later."""
    touches = Touched(A, 5_000, "A.rest"), Touched(A, 5_500, "play.A")
    table = Table("nerves", *touches, known="play.A 8C | A.rest (??) (??) (??)")
    rest, ten = (9, "BACK", "A.rest", (0.0, 0.0)), (5, "TD", "play.A", (3.0, 1.0))
    table.look(0, (1, "8C", "play.A", (0.0, 0.0)), rest)
    table.still(5, 5_540)
    table.still(4, 4_540)
    table.looks(5_600, 6_000, ten, rest)
    table.looks(6_000, 6_300, (4, "9C", "play.A", (-3.0, 0.0)), rest)
    told = table.looks(6_300, 9_000, ten, rest)
    assert [card.face for card in table.scene.piles["play.A"]] == ["8C", "9C", "TD"]
    # Neither was taken away again.
    assert all(isinstance(event, CardPlaced) and event.target == "play.A" for event in told)


def test_a_card_that_shows_a_little_aside_of_its_place_was_not_brought() -> None:
    known = "A.stock (??) (??) | A.nerts (??) (??) A:5D | A.work.2 A:TC A:9D"
    table = Table("nertz", Touched(A, 3_000, "A.work.2", (0, 80)), known=known)
    five, nine = (7, "5D", "A.nerts", (0.0, 0.0)), (8, "9D", "A.work.2", step(1))
    table.look(0, five, TEN, nine)
    table.looks(2_000, 3_100, five, TEN, nine)
    table.looks(3_100, 4_000, five, nine)
    assert not table.looks(4_000, 7_000, five, nine, (9, "TC", "A.work.2", (4.0, 112.0)))


def test_what_peeks_out_below_others_and_is_read_otherwise_was_not_brought() -> None:
    table = Table("nertz", known="A.stock (??) (??) | A.work.2 A:6D A:5C A:4H")
    six, five, four = (
        (7 + k, face, "A.work.2", step(k)) for k, face in enumerate(("6D", "5C", "4H"))
    )
    table.look(0, six, five, four)
    table.looks(2_000, 3_000, six, four)
    assert not table.looks(3_000, 6_000, six, (20, "5S", "A.work.2", step(1)), four)
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["6D", "5C", "4H"]


def test_a_card_pushed_on_and_misread_as_another_is_laid_above_it_was_not_brought() -> None:
    table = Table("nertz", known="A.stock (??) (??) | A.work.2 A:7D A:6S | A.nerts (??) A:5D")
    seven, six = ((7 + k, face, "A.work.2", step(k)) for k, face in enumerate(("7D", "6S")))
    table.look(0, seven, six, (5, "5D", "A.nerts", (0.0, 0.0)))
    table.looks(2_000, 2_700, seven, six)
    table.still(20, 2_600)
    table.still(21, 2_600)
    pushed = (20, "6C", "A.work.2", (0.0, 98.0 - 26.0))
    told = table.looks(2_800, 6_000, seven, pushed, (21, "5D", "A.work.2", (0.0, 98.0 - 46.0)))
    assert [(str(e.card), e.target) for e in told if isinstance(e, CardPlaced)] == [
        ("A:5D", "A.work.2")
    ]


def test_what_shows_unread_for_a_moment_where_a_card_lies_was_not_brought() -> None:
    table = Table("nerds", known="A.stock (??) (??) (??) (??) | A.work.2 A:2C")
    two, again = ((n, "2C", "A.work.2", step(0)) for n in (7, 9))
    stock = (1, "BACK", "A.stock", (0.0, 0.0))
    table.ways["A"] = ((2_200, "A.stock"), (2_500, "A.work.2"), (2_650, "A.work.2"))
    table.look(0, stock, two)
    table.looks(2_000, 2_700, stock, two)
    table.still(8, 2_650)
    table.looks(2_800, 3_100, stock, (8, "??", "A.work.2", step(0)))
    assert not table.looks(3_200, 6_000, stock, again)
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["2C"]


OF_SPY = "A.stack (QC) (QS) (7H) (6H) (2S) | A.deck (2C) (TH) | A.pile.4 8C | B.pile.1 7D"
STACK, DECK = (1, "BACK", "A.stack", (0.0, 0.0)), (2, "BACK", "A.deck", (0.0, 0.0))
EIGHT, OTHERS = (3, "8C", "A.pile.4", (0.0, 0.0)), (4, "7D", "B.pile.1", (0.0, 0.0))
ASIDE = ((5, "BACK", "A.aside", (0.0, -20.0)), (6, "BACK", "A.aside", (0.0, 10.0)))


def test_two_cards_that_are_laid_aside_at_once_are_one_block() -> None:
    touches = (Touched(A, 2_600, "A.stack"), Touched(A, 3_300, "A.aside"))
    table = Table("spy", *touches, known=OF_SPY)
    table.ways["A"] = ((2_900, "A.stack", (0.0, 54.0)), (3_200, "A.aside", (0.0, 0.0)))
    table.look(0, STACK, DECK, EIGHT, OTHERS)
    for number in (5, 6):
        table.still(number, 3_330)
    told = table.looks(3_600, 3_730, STACK, DECK, EIGHT, OTHERS, ASIDE[0])
    told += table.looks(3_733, 6_000, STACK, DECK, EIGHT, OTHERS, *ASIDE)
    assert moved(told) == [("A.stack", "A.aside", 2)]


def test_the_hand_that_laid_a_card_aside_took_none_there() -> None:
    touches = (Touched(A, 2_600, "A.stack"), Touched(A, 3_300, "A.aside"),
               Touched(A, 4_900, "A.pile.4"))  # fmt: skip
    table = Table("spy", *touches, known=OF_SPY)
    table.ways["A"] = ((2_900, "A.stack", (0.0, 54.0)), (3_200, "A.aside", (0.0, 0.0)),
                       (4_600, "A.stack", (0.0, 70.0)), (4_850, "A.pile.4"))  # fmt: skip
    table.look(0, STACK, DECK, EIGHT, OTHERS)
    for number in (5, 6):
        table.still(number, 3_330)
    told = table.looks(3_600, 4_900, STACK, DECK, EIGHT, OTHERS, *ASIDE)
    table.still(7, 4_930)
    seven = (7, "7H", "A.pile.4", (2.0, 1.0))
    told += table.looks(5_200, 8_000, STACK, DECK, OTHERS, *ASIDE, seven)
    assert moved(told)[-1] == ("A.stack", "A.pile.4", 1)


@pytest.mark.parametrize(("read_anew", "count"), [("QC", 3), ("9C", 2)])
def test_a_card_of_a_column_that_was_misread_moves_with_those_that_lie_on_it(
    read_anew: str, count: int
) -> None:
    touches = Touched(A, 5_000, "A.work.1"), Touched(A, 5_600, "A.work.2")
    known = "A.nerts (5D) | A.work.1 A:QS A:JH A:TS | A.work.2 A:KD"
    table = Table("nertz", *touches, known=known)
    nerts, king = (1, "BACK", "A.nerts", (0.0, 0.0)), (2, "KD", "A.work.2", (0.0, 0.0))
    column = ((3, "QS", 0.0), (4, "JH", -18.0), (5, "TS", -36.0))
    lies = [(n, face, "A.work.1", (0.0, y)) for n, face, y in column]
    table.looks(0, 4_900, nerts, king, *lies)
    table.looks(5_000, 5_700, nerts, king)
    moved = [(n + 10, face, "A.work.2", (0.0, y - 18.0)) for n, face, y in column]
    moved[0] = (13, read_anew, *moved[0][2:])
    told = table.looks(5_800, 9_000, nerts, king, *moved)
    blocks = [(e.origin, e.target, e.count) for e in told if isinstance(e, PileMoved)]
    assert blocks == [("A.work.1", "A.work.2", count)]


def test_the_lower_card_of_a_column_is_found_again_where_another_player_laid_its_like() -> None:
    table = Table("nertz", Touched(A, 4_700, "A.work.1"), Touched(A, 5_300, "F.1"),
                  known="A.work.1 9D 8S")  # fmt: skip
    eight = (2, "8S", "A.work.1", step(1))
    table.looks(0, 1_000, NINE, eight)
    # Its twin was seen elsewhere as an arm went over it.
    table.looks(1_000, 1_400, eight)
    again = (3, "9D", "A.work.1", (0.0, 93.0))
    table.looks(1_400, 4_600, again, eight)
    table.still(4, 5_300)
    told = table.looks(4_800, 5_300, again)
    told += table.looks(5_400, 8_000, again, (4, "8S", "F.1", (0.0, 0.0)))
    assert moved(told) == [("A.work.1", "F.1", 1)]
    assert [card.spot for card in table.scene.piles["A.work.1"]] == [3]
