"""One card of a deck of one that is read at either end: it is no second card."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched, moves_of

from referee.values import CardPlaced

FIVE = (1, "5", "A.open", (-60.0, 0.0))
ONE_END, OTHER_END = (2, "10", "talon.4", (-8.0, 3.0)), (3, "10", "talon.4", (12.0, 9.0))


def taken(*ends: tuple[int, str, str, tuple[float, float]]) -> list[CardPlaced]:
    """Return what is told when A takes the ten into his open hand; these ends show till last."""
    touches = Touched(A, 5_000, "talon.4"), Touched(A, 5_600, "A.open")
    table = Table("xix", *touches, known="A.open 5 | talon.4 10")
    table.look(0, FIVE, ONE_END)
    told = table.looks(100, 4_800, FIVE, ONE_END, OTHER_END)
    told += table.looks(4_900, 5_000, FIVE, *ends)
    table.still(4, 5_600)
    told += table.looks(5_100, 7_500, FIVE, (4, "10", "A.open", (0.0, 0.0)))
    return [event for event in told if isinstance(event, CardPlaced)]


def test_a_card_that_is_read_at_either_end_is_taken_as_surely_as_any_other() -> None:
    for ends in ((ONE_END, OTHER_END), (ONE_END,), (OTHER_END,), ()):
        (placed,) = taken(*ends)
        assert (str(placed.card), placed.origin, placed.target) == ("10", "talon.4", "A.open")
        assert placed.conf is not None
        assert placed.conf >= 0.97


def test_a_card_that_shows_again_below_the_next_one_was_not_laid_twice() -> None:
    # A plays his king; what was read beside it as another card was none. B's queen half hides it.
    queen, king = (1, "QH", "play.A", (0.0, 0.0)), (2, "KD", "A.arr.1", (0.0, 40.0))
    unread, played = (3, "??", "A.arr.1", (5.0, -30.0)), (4, "KD", "play.A", (2.0, 1.0))
    upon = (5, "QS", "play.A", (0.0, -9.0))
    touches = (Touched(A, 4_500, "A.arr.1", (0, 40)), Touched(A, 5_000, "play.A"),
               Touched(B, 5_650, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known="B.arr.2 (??) (??) QS")
    held = (6, "QS", "B.arr.2", (0.0, 0.0))
    table.look(0, queen, king, unread, held)
    table.looks(4_000, 4_500, queen, king, unread, held)
    table.still(4, 5_000)
    told = table.looks(4_700, 5_250, queen, held)
    told += table.looks(5_250, 5_350, queen, held, played)
    told += table.looks(5_350, 5_450, queen, held)
    told += table.looks(5_450, 5_750, queen)
    table.still(5, 5_650)
    told += table.looks(5_750, 5_850, queen, upon)
    told += table.looks(5_850, 9_000, queen, played, upon)
    assert moves_of(told) == [("A.arr.1", "play.A", 1), ("B.arr.2", "play.A", 1)]


def test_a_card_that_is_not_read_for_a_moment_under_a_hand_is_no_other_one() -> None:
    touches = Touched(A, 4_900, "A.work.2"), Touched(A, 5_250, "A.work.1")
    table = Table("nerds", *touches, known="A.stock (??) (??) | A.work.1 8C")
    eight, stock = (1, "8C", "A.work.1", (0.0, 0.0)), (2, "BACK", "A.stock", (0.0, 0.0))
    table.look(0, eight, stock)
    table.looks(4_000, 5_100, eight, stock)
    table.still(3, 5_250)
    told = table.looks(5_300, 5_650, (3, "??", "A.work.1", (0.0, 0.0)), stock)
    told += table.looks(5_650, 5_750, stock)
    assert not told + table.looks(5_750, 8_000, (4, "8C", "A.work.1", (0.0, 0.0)), stock)


def test_an_index_that_peeps_out_below_other_cards_is_no_card_beside_them() -> None:
    table = Table("nerves", Touched(B, 5_650, "play.B"), known="play.B 5H 4H | B.rest (??) 8S")
    four, eight = (1, "4H", "play.B", (0.0, 0.0)), (2, "8S", "B.rest", (0.0, 0.0))
    table.look(0, four, eight)
    table.looks(4_000, 5_300, four, eight)
    table.still(3, 5_650)
    laid, back = (3, "8S", "play.B", (3.0, 2.0)), (4, "BACK", "B.rest", (0.0, 0.0))
    told = table.looks(5_400, 5_800, four, back)
    told += table.looks(5_800, 6_500, laid, back)
    told += table.looks(6_500, 9_000, laid, back, (5, "5H", "play.B", (-57.0, 4.0)))
    assert moves_of(told) == [("B.rest", "play.B", 1)]


def test_a_card_read_half_under_a_hand_is_not_laid_on_the_pile_beside() -> None:
    # One index of the king is taken for that of its other side, till the hand leaves.
    touches = Touched(B, 4_900, "B.stack"), Touched(B, 5_400, "B.pile.6")
    table = Table("spy", *touches, known="B.stack (??) (??) | B.pile.4 5C | B.pile.6 QH")
    five, stack = (1, "5C", "B.pile.4", (0.0, 0.0)), (2, "BACK", "B.stack", (0.0, 0.0))
    queen = (3, "QH", "B.pile.6", (0.0, 0.0))
    table.look(0, five, stack, queen)
    table.looks(4_000, 5_000, five, stack, queen)
    table.still(4, 5_400)
    told = table.looks(5_000, 5_600, five, stack)
    told += table.looks(5_600, 6_100, five, stack, (4, "KC", "B.pile.4", (-33.0, 0.0)))
    told += table.looks(6_100, 6_200, five, stack)
    table.still(5, 5_400)
    told += table.looks(6_200, 8_000, five, stack, (5, "KC", "B.pile.6", (0.0, 0.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.target) == ("KC", "B.pile.6")
