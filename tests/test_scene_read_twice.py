"""One card of which an index was misread: it is told of once, as what it is."""

from __future__ import annotations

import pytest
from test_scene_rough import MS, A, B, Table, Touched

from referee.values import Actor, CardPlaced, Event, Reread

FIVE = (1, "5C", "play.A", (0.0, 0.0))
REST = (2, "BACK", "A.rest", (0.0, 0.0))
KNOWN = "play.A KS 5C | A.rest (2C) (3C) (8D) (AH)"
ACE, KING = (3, "AH", "play.A", (14.0, 16.0)), (4, "KS", "play.A", (13.0, 15.0))


def _table() -> Table:
    table = Table("nerves", Touched(A, 5_200, "A.rest"), Touched(A, 5_600, "play.A"), known=KNOWN)
    table.look(0, FIVE, REST)
    table.looks(1_000, 5_000, FIVE, REST)
    for number in (3, 4, 5):
        table.still(number, 5_600)
    return table


def _laid(events: list[Event]) -> list[str]:
    return [str(event.card) for event in events if isinstance(event, CardPlaced)]


def test_of_two_readings_at_one_place_that_counts_of_which_the_card_lies_nowhere_else() -> None:
    table = _table()
    told = table.looks(5_800, 8_000, ACE, KING, REST)
    assert _laid(told) == ["AH"]
    # The wrong reading may last longer than the right one.
    told = table.looks(8_000, 9_500, KING, REST)
    assert not told


def test_a_card_that_is_read_otherwise_later_is_read_again_and_not_laid_again() -> None:
    table = _table()
    told = table.looks(5_800, 7_000, (5, "9C", "play.A", (13.0, 7.0)), REST)
    assert _laid(told) == ["9C"]
    told = table.looks(7_000, 9_000, ACE, REST)
    assert not _laid(told)
    assert [str(one.new) for one in told if isinstance(one, Reread)] == ["AH"]


@pytest.mark.parametrize("label", ["??", "KD"])
def test_an_index_taken_for_one_of_the_cards_other_side_shows_no_other_card(label: str) -> None:
    """Of decks with an index in each corner a hand may hide all but one."""
    king = (1, "KD", "A.work.2", (0.0, 0.0))
    touches = Touched(A, 5_500, "A.work.2"), Touched(A, 5_900, "A.work.1", (40.0, 0.0))
    table = Table("nerds", *touches, known="A.work.2 A:KD | A.nerts (5D) (7C)")
    table.look(0, king)
    told = table.looks(1_000, 5_000, king)
    table.still(2, 5_900)
    told += table.looks(6_100, 9_000, king, (2, label, "A.work.2", (-51.0, -3.0)))
    assert not told
    # The wrong reading may last until the card is covered.
    told = table.looks(9_000, 12_000, (2, label, "A.work.2", (-51.0, -3.0)))
    assert not _laid(told)


def test_a_card_of_a_row_that_shows_still_has_no_other_one_squarely_on_it() -> None:
    """The next card hides half of an eight, which looks like a three from then on."""
    row = (("7", -260.0), ("13", -204.0), ("18", -148.0))
    seven, thirteen, eighteen = ((k, face, "mid", (x, 0.0)) for k, (face, x) in enumerate(row))
    known = "mid 7 13 18 | A.closed (3) (12) | B.closed (4) (9)"
    touches = (Touched(A, t_ms, "mid", (-160.0, -10.0)) for t_ms in (5_900, 8_700))
    table = Table("xix", *touches, known=known)
    table.look(0, seven, thirteen, eighteen)
    told = table.looks(1_000, 5_700, seven, thirteen, eighteen)
    table.still(5, 5_900)
    three = (5, "3", "mid", (-159.0, -8.0))
    told += table.looks(6_000, 8_000, seven, thirteen, eighteen, three)
    beside = (5, "3", "mid", (-102.0, -2.0))
    told += table.looks(8_000, 8_500, seven, thirteen, eighteen, beside)
    assert not told
    # Nor is it one when the next card is laid there, which is read a little later.
    told = table.looks(8_500, 8_900, seven, thirteen, three)
    table.still(6, 8_700)
    table.indices[6] = 2
    ten = (6, "10", "mid", (-150.0, 2.0))
    told += table.looks(8_900, 11_000, seven, thirteen, three, ten)
    assert _laid(told) == ["10"]


@pytest.mark.parametrize(("indices", "after_ms"), [(2, 400), (1, 1_000)])
def test_a_card_laid_squarely_on_another_of_a_row_is_one_when_it_is_read_whole_or_alone(
    indices: int, after_ms: int
) -> None:
    seven, three = (1, "7", "mid", (-148.0, 0.0)), (5, "3", "mid", (-152.0, -8.0))
    known = "mid 7 | A.closed (3) (12) | B.closed (4) (9)"
    table = Table("xix", Touched(A, 5_900, "mid", (-150.0, -10.0)), known=known)
    table.look(0, seven)
    table.looks(1_000, 5_700, seven)
    table.still(5, 5_900)
    told = table.looks(6_000, 6_200, seven, three)
    table.indices[5] = indices
    assert not _laid(told)
    assert _laid(table.looks(6_200, 6_200 + after_ms, three)) == ["3"]


def test_half_an_index_of_a_card_of_the_first_row_is_no_card_that_is_taken_with_it() -> None:
    """The six of the sixteen seems to lie below the next card, the three upon its thirteen."""
    row = (("16", -260.0), ("13", -204.0), ("1", -148.0), ("18", -92.0))
    sixteen, thirteen, one, eighteen = ((k, f, "mid", (x, 0.0)) for k, (f, x) in enumerate(row))
    six, three = (5, "6", "mid", (-220.0, -8.0)), (6, "3", "mid", (-216.0, -11.0))
    table = Table("xix", Touched(A, 5_900, "mid", (-204.0, 0.0)))
    table.angles_deg = {5: 175.0, 6: 178.0}
    table.look(0, sixteen, thirteen, one, eighteen, six, three)
    told = table.looks(1_000, 5_900, sixteen, thirteen, one, eighteen, six, three)
    # The judge may be sure of that row.
    shown = table.scene.shown()
    assert (shown.labels["mid"], "mid" in shown.unclear) == (("16", "13", "1", "18"), False)
    told += table.looks(5_900, 6_500, sixteen, one, eighteen)
    # Held for good by who took it.
    told += table.looks(6_500, 12_000, sixteen, one, eighteen)
    assert [str(e.card) for e in told if isinstance(e, CardPlaced)] in ([], ["13"])
    assert len(table.scene.piles["mid"]) == 3


def test_half_an_index_taken_for_that_of_the_cards_other_side_is_no_card_of_the_first_row() -> None:
    """The next card hides the one of the eighteen's lower index."""
    one, eighteen, five = ((k, f, "mid", (56.0 * k, 0.0)) for k, f in enumerate(("1", "18", "5")))
    eight = (4, "8", "mid", (85.0, -3.0))
    table = Table("xix")
    table.angles_deg = {4: 180.0}
    table.look(0, one, eighteen, five, eight)
    assert not table.looks(1_000, 3_000, one, eighteen, five, eight)
    shown = table.scene.shown()
    assert (shown.labels["mid"], "mid" in shown.unclear) == (("1", "18", "5"), False)


def test_a_card_that_is_read_once_more_beside_itself_is_as_clear_as_before() -> None:
    sixteen, again = (1, "16", "A.open", (0.0, 0.0)), (2, "16", "A.open", (16.0, 5.0))
    table = Table("xix", known="A.open 16")
    table.look(0, sixteen)
    assert not table.looks(1_000, 3_000, sixteen, again)
    shown = table.scene.shown()
    assert (shown.labels["A.open"], "A.open" in shown.unclear) == (("16",), False)


@pytest.mark.parametrize("known", ["", "A.open 5 1 | mid 10 14"], ids=["seen", "told"])
def test_an_upside_down_index_of_the_first_row_is_no_card_upon_its_own(known: str) -> None:
    """The one's other end looks like a seven."""
    five, one = (1, "5", "A.open", (-80.0, 0.0)), (2, "1", "A.open", (0.0, 0.0))
    ten, seven = (3, "10", "mid", (0.0, 0.0)), (4, "7", "A.open", (-2.0, -10.0))
    laid = (5, "10", "A.open", (80.0, 0.0))
    table = Table("xix", Touched(A, 5_900, "A.open", (80.0, 0.0)), known=known)
    table.angles_deg, table.confs = {4: 178.0}, {4: 0.98}
    table.look(0, five, one, ten, seven)
    told = table.looks(1_000, 5_700, five, one, ten, seven)
    told += table.looks(5_700, 5_900, five, one, seven)
    told += table.looks(6_000, 9_000, five, one, seven, laid)
    assert _laid(told) == ["10"]
    assert table.scene.shown().labels["A.open"] == ("5", "1", "10")


@pytest.mark.parametrize("seen_ms", [5_900, 8_500])
def test_half_an_index_that_the_hand_leaves_free_waits_for_the_rest(seen_ms: int) -> None:
    """A card whose one index stays all that is read is told at last, as it is read."""
    ten = (1, "10", "mid", (0.0, 0.0))
    touch = Touched(A, 5_500, "mid", (60.0, 0.0))
    table = Table("xix", touch, known="mid 10 | A.closed (3) (15) | B.closed (4) (9)")
    table.indices[3] = 2
    table.looks(0, 5_400, ten)
    table.still(2, 5_500)
    table.still(3, 5_500)
    told = table.looks(5_600, seen_ms, ten, (2, "5", "mid", (60.0, -9.0)))
    told += table.looks(seen_ms, 12_000, ten, (3, "15", "mid", (60.0, 0.0)))
    assert _laid(told)[:1] == (["15"] if seen_ms < 6_000 else ["5"])


def test_a_card_that_was_taken_is_told_at_once_where_one_index_of_it_shows() -> None:
    ten, five = (1, "10", "mid", (0.0, 0.0)), (2, "5", "mid", (60.0, 0.0))
    touches = Touched(A, 5_000, "mid", (60.0, 0.0)), Touched(A, 5_600, "A.open")
    table = Table("xix", *touches, known="mid 10 5 | A.closed (3) (15) | B.closed (4) (9)")
    table.looks(0, 4_900, ten, five)
    told = table.looks(5_100, 5_500, ten)
    told += table.looks(5_700, 6_400, ten, (3, "5", "A.open", (0.0, 0.0)))
    assert _laid(told) == ["5"]


def test_half_an_index_of_a_card_that_is_known_to_lie_there_is_no_other_one() -> None:
    """The next card hides the rest of it; the hand hid both when it was laid."""
    eleven, one = (1, "11", "mid", (0.0, 0.0)), (2, "1", "mid", (-14.0, -5.0))
    touch = Touched(A, 5_500, "mid", (58.0, 0.0))
    table = Table("xix", touch, known="mid 11 | A.closed (3) (8) | B.closed (4) (9)")
    table.indices[1] = 2
    table.looks(0, 5_300, eleven)
    table.hands_over = ("mid",)
    told = table.looks(5_400, 6_400)
    table.hands_over = ()
    told += table.looks(6_500, 12_000, one, (3, "8", "mid", (58.0, 0.0)))
    assert _laid(told) == ["8"]


def test_a_card_of_a_row_read_as_half_of_itself_at_both_ends_is_not_the_one_that_comes() -> None:
    """The one is laid beside the eleven, and that is read as a one from then on."""
    eleven, played = (1, "11", "B.open", (0.0, 0.0)), (2, "1", "mid", (0.0, 0.0))
    touches = Touched(B, 5_000, "mid"), Touched(B, 5_500, "B.open", (-54.0, 0.0))
    table = Table("xix", *touches, known="B.open 11 | mid 1 | A.closed (3) (8) | B.closed (4) (9)")
    table.look(0, eleven, played)
    table.looks(4_000, 5_000, eleven, played)
    told = table.looks(5_100, 5_400, eleven)
    for number in (3, 4):
        table.still(number, 5_500)
    table.indices[3] = 2
    half, one = (3, "1", "B.open", (3.0, 0.0)), (4, "1", "B.open", (-54.0, 0.0))
    told += table.looks(5_600, 5_800, half)
    told += table.looks(5_800, 9_000, eleven, half, one)
    assert _laid(told) == ["1"]
    assert [(card.face, card.spot) for card in table.scene.piles["B.open"]] == [("11", 1), ("1", 4)]


def test_a_card_of_a_cascade_that_is_read_otherwise_nearby_at_once_is_one() -> None:
    six, eight = (1, "6H", "A.work.2", (0.0, 0.0)), (2, "8H", "A.work.2", (-8.0, 3.0))
    table = Table("nerds", Touched(A, 5_000, "A.work.2"), known="A.stock (??) (??) | A.work.1 A:TD")
    ten = (3, "TD", "A.work.1", (0.0, 0.0))
    table.confs = {2: 0.97}
    table.look(0, ten)
    table.looks(1_000, 5_000, ten)
    for number in (1, 2):
        table.still(number, 5_000)
    told = table.looks(5_200, 8_000, ten, six, eight)
    assert _laid(told) == ["A:6H"]
    assert [card.face for card in table.scene.piles["A.work.2"]] == ["6H"]


def test_a_card_read_as_the_one_beside_it_is_not_read_otherwise() -> None:
    four, eighteen = (1, "4", "A.open", (0.0, 0.0)), (2, "18", "A.open", (44.0, 0.0))
    table = Table("xix", known="A.open 4 18")
    table.look(0, four, eighteen)
    table.looks(1_000, 3_000, four, eighteen)
    told = table.looks(3_000, 6_000, (1, "18", "A.open", (0.0, 0.0)), eighteen)
    assert not [event for event in told if isinstance(event, Reread)]
    assert table.scene.shown().labels["A.open"] == ("??", "18")


def test_an_index_of_the_first_row_that_is_taken_for_a_card_beside_it_is_none() -> None:
    """The one of a fanned row looks like the seven that lies next to it."""
    one, seven = (1, "1", "A.open", (-60.0, 0.0)), (2, "7", "A.open", (0.0, 0.0))
    table = Table("xix")
    table.look(0, one, seven, (3, "7", "A.open", (-60.0, 5.0)))
    table.looks(1_000, 2_000, one, seven, (3, "7", "A.open", (-60.0, 5.0)))
    shown = table.scene.shown()
    assert (shown.labels["A.open"], "A.open" in shown.unclear) == (("1", "7"), False)


def test_a_card_laid_while_it_seems_to_lie_still_where_it_was_taken_is_told_first() -> None:
    """Of what happens there meanwhile nothing is told before."""
    touches = (Touched(B, 5_000, "mid"), Touched(B, 5_500, "B.open"),
               Touched(A, 6_000, "mid", (60.0, 0.0)), Touched(A, 6_400, "A.open"))  # fmt: skip
    table = Table("xix", *touches)
    eighteen, one = (1, "18", "mid", (0.0, 0.0)), (2, "1", "mid", (60.0, 0.0))
    taken, other = (3, "18", "B.open", (0.0, 0.0)), (4, "1", "A.open", (0.0, 0.0))
    table.look(0, eighteen, one)
    told = table.looks(1_000, 5_500, eighteen, one)
    table.still(3, 5_500)
    table.still(4, 6_400)
    told += table.looks(5_700, 6_200, eighteen, one, taken)
    told += table.looks(6_200, 6_500, eighteen, taken)
    told += table.looks(6_500, 7_400, eighteen, taken, other)
    table.hands_over = ("mid",)
    told += table.looks(7_400, 10_000, eighteen, taken, other)
    laid = [one for one in told if isinstance(one, CardPlaced)]
    assert [(str(one.card), one.origin, one.target) for one in laid] == [
        ("18", "mid", "B.open"), ("1", "mid", "A.open")]  # fmt: skip


def test_two_cards_that_left_a_column_and_show_at_once_on_another_are_both_moved() -> None:
    first, second = (0.0, 40.0), (4.0, 43.0)
    diamond, heart = (1, "AD", "A.arr.1", first), (2, "AH", "A.arr.3", first)
    touches = Touched(A, 5_000, "A.arr.3", first), Touched(A, 5_600, "A.arr.1", first)
    known = "play.A 9C | A.arr.1 AD | A.arr.3 AH"
    touches = *touches, *(Touched(A, t_ms, "A.arr.2", first) for t_ms in (5_300, 6_200))
    table = Table("nerves", *touches, known=known)
    table.look(0, diamond, heart)
    table.looks(4_000, 5_100, diamond, heart)
    told = table.looks(5_100, 5_700, diamond) + table.looks(5_700, 6_300)
    for number in (8, 9):
        table.still(number, 6_200)
    told += table.looks(6_300, 9_000, (8, "AH", "A.arr.2", first), (9, "AD", "A.arr.2", second))
    assert sorted(_laid(told)) == ["AD", "AH"]


def test_a_card_seen_whole_is_not_also_the_one_that_its_indices_on_one_side_tell_of() -> None:
    """Both readings date from the moment at which the hands left the card."""
    table = Table("spy", Touched(A, 5_500, "A.pile.6"), known="A.stack (8H) (KC) | A.pile.4 5C")
    five, king = (1, "5C", "A.pile.4", (0.0, 0.0)), (2, "KC", "A.pile.6", (0.0, 0.0))
    table.look(0, five)
    for number, indices in ((2, 4), (3, 2)):
        table.still(number, 5_500)
        table.indices[number] = indices
    told = table.looks(5_700, 6_300, five, king)
    table.hands_over = ("A.pile.6",)
    told += table.looks(6_300, 9_000, five, king, (3, "KC", "A.pile.6", (-53.0, -1.0)))
    assert _laid(told) == ["KC"]


def test_of_two_places_of_one_card_that_counts_where_something_moved_when_it_came() -> None:
    """The index that overlaps the card beside may be taken for one of that card's other side."""
    touches = (Touched(Actor("B", "R"), 5_600, "mid", (-150.0, 20.0)),
               Touched(A, 7_100, "mid", (-110.0, -40.0)))  # fmt: skip
    table = Table("xix", *touches, known="mid 4 | A.closed (??) (??) | B.closed (??) (??)")
    four = (1, "4", "mid", (-160.0, 0.0))
    ten, aside = (2, "10", "mid", (-104.0, -5.0)), (3, "10", "mid", (-142.0, 4.0))
    table.look(0, four)
    table.looks(1_000, 6_900, four)
    table.still(2, 7_100)
    table.still(3, 5_600)
    told = table.looks(7_400, 9_000, four, ten, aside)
    told += table.looks(9_000, 11_000, four, ten)
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert (str(placed.card), placed.actor) == ("10", A)


def test_what_half_an_index_seems_to_show_beside_its_card_speaks_against_nobody() -> None:
    eight = (1, "8H", "A.work.3", (0.0, 0.0))
    nine, seems = (2, "9S", "A.work.2", (0.0, 0.0)), (3, "8H", "A.work.3", (-51.0, 1.0))
    table = Table("nertz", known="A.work.3 A:8H | A.work.2 A:9S")
    table.indices = {1: 4, 3: 2}
    table.look(0, eight, nine)
    table.looks(1_000, 3_000, eight, nine)
    assert not _laid(table.looks(3_000, 5_000, eight, nine, seems))
    labels = table.scene.shown().labels
    assert (labels["A.work.3"], labels["A.work.2"]) == (("8H",), ("9S",))


@pytest.mark.parametrize("hands_over", [(), ("A.work.1",)])
@pytest.mark.parametrize(("label", "laid"), [("8D", ["A:7D"]), ("6D", ["A:6D", "A:7D"])])
def test_a_card_half_covered_by_the_next_one_is_no_other_that_came_with_it(
    label: str, laid: list[str], hands_over: tuple[str, ...]
) -> None:
    """The next card's index lies where the suit of the one below was: that one is read wrongly."""
    eight = (1, "8S", "A.work.1", (0.0, 0.0))
    touches = Touched(A, 5_200, "A.work.2"), Touched(A, 5_600, "A.work.1")
    table = Table("nertz", *touches, known="A.work.1 A:8S | A.work.2 A:7D | A.waste A:KS (8D) (6D)")
    seven = (2, "7D", "A.work.2", (0.0, 0.0))
    table.look(0, eight, seven)
    table.hands_over = hands_over
    table.looks(4_900, 5_600)
    table.hands_over = ()
    for number in (3, 4):
        table.still(number, 5_600)
    misread, next_one = (3, label, "A.work.1", (4.0, 7.0)), (4, "7D", "A.work.1", (0.0, -16.0))
    told = table.looks(5_800, 8_000, misread, next_one)
    assert sorted(_laid(told)) == laid


@pytest.mark.parametrize(("at_mm", "laid"), [((11.0, -3.0), []), ((0.0, 17.0), ["A:8H"])])
def test_an_index_that_shows_a_card_between_two_that_lay_there_is_misread(
    at_mm: tuple[float, float], laid: list[str]
) -> None:
    """Nothing lies between cards that nobody moved; beyond the lower one a card may be slipped."""
    lower, upper = (1, "6H", "A.work.1", (0.0, 0.0)), (2, "5S", "A.work.1", (0.0, -22.0))
    known = "A.work.1 A:6H A:5S | A.waste A:KS (8H)"
    table = Table("nertz", Touched(A, 5_200, "A.waste"), Touched(A, 5_600, "A.work.1"), known=known)
    table.look(0, lower, upper)
    table.looks(4_900, 5_600, lower, upper)
    table.still(3, 5_600)
    told = table.looks(5_800, 8_000, lower, upper, (3, "8H", "A.work.1", at_mm))
    assert _laid(told) == laid


def test_a_card_that_was_read_once_more_beside_itself_is_no_other_when_its_name_is_lost() -> None:
    twelve, touch = (1, "12", "mid", (0.0, 0.0)), Touched(A, 2_000, "mid")
    table = Table("xix", touch, known="A.closed (3) (12) | B.closed (4) (9)")
    table.look(0)
    for number in (1, 2):
        table.still(number, 2_000)
        table.indices[number] = 2
    told = table.looks(2_300, 2_400, twelve)
    told += table.looks(2_400, 3_000, twelve, (2, "12", "mid", (-22.0, -6.0)))
    twelve = (1, "12", "mid", (-53.0, 0.0))
    told += table.looks(3_000, 3_600, twelve, (2, "12", "mid", (-5.0, 0.0)))
    told += table.looks(3_600, 6_000, twelve, (2, "??", "mid", (-5.0, 0.0)))
    assert _laid(told) == ["12"]


def test_half_of_what_is_printed_on_the_card_beside_it_is_not_the_name_of_one_that_was_laid() -> (
    None
):
    """The twelve's lower index shows a two, and the nine is read when the hand leaves."""
    twelve, half = (1, "12", "mid", (0.0, 0.0)), (2, "2", "mid", (33.0, -4.0))
    touch = Touched(B, 5_500, "mid", (40.0, 0.0))
    table = Table("xix", touch, known="mid 12 | A.closed (3) (8) | B.closed (4) (9)")
    table.indices[1] = 3
    table.confs[2] = 0.999
    table.looks(0, 5_300, twelve)
    for number in (2, 3):
        table.still(number, 5_500)
    told = table.looks(5_700, 6_200, twelve, half)
    told += table.looks(6_200, 9_000, twelve, half, (3, "9", "mid", (41.0, 0.0)))
    assert _laid(told) == ["9"]


def test_a_card_of_a_row_read_as_the_one_laid_beside_it_is_what_it_was() -> None:
    five, one = (1, "5", "A.open", (-44.0, 0.0)), (2, "1", "A.open", (0.0, 0.0))
    ten, laid = (3, "10", "mid", (0.0, 0.0)), (4, "10", "A.open", (38.0, -3.0))
    touches = Touched(A, 4_600, "mid"), Touched(A, 5_000, "A.open", (38.0, -3.0))
    table = Table("xix", *touches, known="A.open 5 1 | mid 10 | A.closed (3) | B.closed (9)")
    table.indices = {2: 2, 4: 2}
    table.look(0, five, one, ten)
    table.looks(3_000, 4_600, five, one, ten)
    table.still(4, 5_000)
    told = table.looks(4_700, 5_200, five, one)
    read = (2, "10", "A.open", (5.0, 1.0))
    told += table.looks(5_200, 5_300, five, read)
    told += table.looks(5_300, 8_000, five, read, laid)
    assert [str(event.card) for event in told if isinstance(event, CardPlaced)] == ["10"]
    assert not [event for event in told if isinstance(event, Reread)]


def test_a_card_is_not_told_where_its_place_lay_still_before_it_left_another() -> None:
    """The sixteen's index is taken for one of the seven's place, and its own shows then."""
    sixteen, seven = (1, "16", "A.open", (0.0, 0.0)), (2, "7", "mid", (0.0, 0.0))
    touches = Touched(A, 5_600, "A.open"), Touched(A, 6_000, "mid", (36.0, 0.0))
    table = Table("xix", *touches, known="A.open 16 | mid 7 | A.closed (3) | B.closed (9)")
    table.look(0, sixteen, seven)
    table.looks(4_000, 5_700, sixteen, seven)
    table.still(2, 5_000)
    told = table.looks(5_800, 6_200, seven)
    table.still(3, 5_000)
    table.still(4, 6_000)
    table.indices = {3: 2, 4: 2}
    seems = (3, "16", "mid", (7.0, 3.0))
    told += table.look(6_270, seven, seems)
    told += table.looks(6_300, 9_000, seven, seems, (4, "16", "mid", (36.0, 0.0)))
    (laid,) = [event for event in told if isinstance(event, CardPlaced)]
    assert (laid.origin, laid.target) == ("A.open", "mid")
    assert abs(laid.t_ns - 6_000 * MS) < 50 * MS


def test_half_an_index_of_the_first_row_is_none_however_late_its_card_came_to_rest() -> None:
    sixteen, half = (1, "16", "B.open", (0.0, 0.0)), (2, "6", "B.open", (15.0, 3.0))
    table = Table("xix")
    table.angles_deg, table.indices = {1: 180.0, 2: 4.0}, {1: 2}
    table.still(1, 0, -400)
    table.still(2, -200)
    table.look(0, sixteen, half)
    assert [card.face for card in table.scene.piles["B.open"]] == ["16"]


def test_a_card_whose_better_reading_lasts_was_not_taken_when_the_other_one_is_gone() -> None:
    """Told where something moved when it came, and read wholly where it lies all the same."""
    ten = (1, "10", "mid", (0.0, 0.0))
    touches = Touched(A, 4_600, "mid"), Touched(A, 5_000, "A.open")
    table = Table("xix", *touches, known="mid 10 | A.closed (3) | B.closed (9)")
    table.look(0, ten)
    table.looks(3_000, 4_600, ten)
    table.still(2, 3_600)
    table.still(3, 5_000)
    table.indices = {2: 4}
    whole, told_by = (2, "10", "A.open", (21.0, 6.0)), (3, "10", "A.open", (0.0, 0.0))
    told = table.looks(4_700, 5_000)
    told += table.looks(5_200, 6_400, whole, told_by)
    told += table.looks(6_400, 12_000, whole)
    moved = [(e.origin, e.target) for e in told if isinstance(e, CardPlaced)]
    assert moved == [("mid", "A.open")]
    assert [card.spot for card in table.scene.piles["A.open"]] == [2]
