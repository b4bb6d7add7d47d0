"""Cards followed from look to look: votes, gathered reads, what is there, gone, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.values import CardRead, PointMm
from referee.values.spots import BACK, NOT_READ
from referee.vision.followed import TAKEN_CONF, CardLook, Ground
from referee.vision.gate import Box
from referee.vision.gathering import SeenCard, half_turn_deg, seen_cards
from referee.vision.landing import Landed
from referee.vision.plain import AROUND_MM, EDGE_MM, is_drawn, is_plain, shows_back
from referee.vision.stillness import Stillness
from referee.vision.track import Tracks
from referee.vision.votes import Votes

MS = 1_000_000
FRAME_NS = 33 * MS
HERE = (100.0, 100.0)


def to_mm(points_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """A camera straight above: 2 px a mm, the table's y axis up."""
    return np.asarray(np.stack([points_px[:, 0] / 2, 500 - points_px[:, 1] / 2], axis=1))


def read(label: str, x_mm: float, y_mm: float, angle_deg: float, score: float = 0.98) -> CardRead:
    """The read of an upper left index of a card with its middle at a place."""
    turn = np.radians(angle_deg)
    up = np.array([np.sin(turn), np.cos(turn)])
    right = np.array([np.cos(turn), -np.sin(turn)])
    index = np.array([x_mm, y_mm]) + up * 31 - right * 26.5
    px = (float(index[0] * 2), float((500 - index[1]) * 2))
    return CardRead(label, score, px, None, angle_deg, None, (x_mm * 2 + 9, (500 - y_mm) * 2 - 7))


# votes


def test_one_sure_read_names_a_card_and_a_weak_one_does_not() -> None:
    assert Votes().with_read("7H", 0.97).label == "7H"
    assert Votes().with_read("7H", 0.7).label == NOT_READ


def test_fair_reads_that_agree_name_a_card() -> None:
    votes = Votes()
    for _ in range(6):
        votes = votes.with_read("7H", 0.88)
    assert votes.label == "7H"


def test_looks_at_a_lying_card_repeat_their_errors_and_count_little() -> None:
    votes = Votes()
    for _ in range(30):  # the covered blue diamond of a jack, taken for a club each time
        votes = votes.with_read("JC", 0.7)
    assert votes.label == NOT_READ
    assert votes.conf < 0.85


def test_a_hundred_looks_are_not_a_certainty() -> None:
    votes = Votes()
    for _ in range(100):
        votes = votes.with_read("7H", 0.9)
    assert 0.9 < votes.conf < 0.99


def test_a_hand_that_half_covers_a_card_leaves_its_name() -> None:
    votes = Votes()
    for _ in range(5):
        votes = votes.with_read("5S", 0.999)
    for _ in range(30):  # the spade's stem under a finger
        votes = votes.with_read("5C", 0.7)
    assert votes.label == "5S"
    assert votes.conf > 0.97


@given(st.sampled_from(["9S", "QD", BACK]), st.floats(0.5, 1.0))
def test_a_single_wrong_read_never_flips_an_established_card(wrong: str, score: float) -> None:
    votes = Votes()
    for _ in range(3):
        votes = votes.with_read("7H", 0.99)
    assert votes.with_read(wrong, score).label == "7H"


def test_many_reads_change_an_established_card_by_way_of_doubt() -> None:
    votes, labels = Votes(), []
    for _ in range(5):
        votes = votes.with_read("7H", 0.99)
    for _ in range(6):
        votes = votes.with_read("9S", 0.99)
        labels.append(votes.label)
    assert labels[0] == "7H"
    assert NOT_READ in labels
    assert labels[-1] == "9S"


# reads gathered into cards


@pytest.mark.parametrize("angle_deg", [0.0, 4.0, 90.0, 181.0, 268.0])
def test_the_two_indices_of_a_card_give_one_card_at_its_middle(angle_deg: float) -> None:
    reads = [read("7H", 200, 150, angle_deg), read("7H", 200, 150, angle_deg + 180)]
    (card,) = seen_cards(reads, to_mm)
    assert (card.label, card.reads) == ("7H", 2)
    assert card.at_mm == pytest.approx((200, 150), abs=1.0)
    assert half_turn_deg(card.angle_deg, angle_deg) < 1


def test_an_index_on_the_right_upper_corner_finds_the_same_middle() -> None:
    index_mm = np.array([200 + 26.5, 150 + 31])
    px = (index_mm[0] * 2, (500 - index_mm[1]) * 2)
    (card,) = seen_cards([CardRead("7H", 0.9, px, None, 0.0, None, (395, 705))], to_mm)
    assert card.at_mm == pytest.approx((200, 150), abs=1.0)


def test_the_four_indices_of_a_card_give_one_card_even_if_one_is_placed_on_the_wrong_side() -> None:
    corners = [(-26.5, 31, 0.0), (26.5, 31, 0.0), (26.5, -31, 180.0), (-26.5, -31, 180.0)]
    reads = []
    for dx_mm, dy_mm, angle_deg in corners:
        px = ((200 + dx_mm) * 2, (500 - (150 + dy_mm)) * 2)
        guess_mm = 200 if dx_mm < 0 else 240
        reads.append(CardRead("2D", 0.99, px, None, angle_deg, None, (guess_mm * 2, 700.0)))
    (card,) = seen_cards(reads, to_mm)
    assert card.reads == 4
    assert card.at_mm == pytest.approx((200, 150), abs=1.0)


@pytest.mark.parametrize(
    ("corners", "strip"),
    [
        ([(-26.5, 31, 0.0), (-26.5, -31, 180.0)], True),
        ([(-26.5, 31, 0.0), (26.5, 31, 0.0)], True),
        ([(-26.5, 31, 0.0), (26.5, -31, 180.0)], False),
        ([(-26.5, 31, 0.0), (-26.5, -31, 180.0), (26.5, -31, 180.0)], False),
    ],
)
@pytest.mark.parametrize("turned_deg", [0.0, 35.0, 90.0])
@pytest.mark.parametrize("size", [0.9, 1.0])
def test_indices_along_one_edge_may_be_all_that_peeks_out_below_another_card(
    corners: list[tuple[float, float, float]], strip: bool, turned_deg: float, size: float
) -> None:
    reads, turn = [], np.radians(turned_deg)
    for dx_mm, dy_mm, angle_deg in corners:
        x_mm = 200 + size * (dx_mm * np.cos(turn) + dy_mm * np.sin(turn))
        y_mm = 150 + size * (dy_mm * np.cos(turn) - dx_mm * np.sin(turn))
        px, angle_deg = (x_mm * 2, (500 - y_mm) * 2), (angle_deg + turned_deg) % 360
        reads.append(CardRead("2D", 0.99, px, None, angle_deg, None, (400.0, 700.0)))
    (card,) = seen_cards(reads, to_mm)
    assert (card.reads, card.strip) == (len(corners), strip)


def four_index_fan(labels: list[str], wrong: dict[int, bool]) -> list[CardRead]:
    """The left indices of cards 20 mm apart; `wrong`: which of them point at the wrong side."""
    reads = []
    for k, label in enumerate(labels):
        for up, angle_deg in ((1, 0.0), (-1, 180.0)):
            x_mm, y_mm = 100 + 20 * k - 26.5, 150 + 31 * up
            side = -1 if wrong.get(k) == (up < 0) else 1
            px = (x_mm * 2, (500 - y_mm) * 2)
            guess = ((x_mm + side * 24) * 2, 700.0)
            reads.append(CardRead(label, 0.99, px, None, angle_deg, None, guess))
    return reads


def test_a_fan_of_cards_with_four_indices_lies_on_one_side_of_them() -> None:
    labels = ["7S", "8C", "AD", "2H", "TS"]
    cards = seen_cards(four_index_fan(labels, {1: False, 2: True, 3: True}), to_mm)
    places = {card.label: card.at_mm for card in cards}
    assert len(cards) == len(labels)
    for k, label in enumerate(labels):
        assert places[label] == pytest.approx((100 + 20 * k, 150), abs=1.0)


def test_two_names_of_the_two_indices_of_one_card_leave_a_doubt() -> None:
    reads = [read("TS", 200, 150, 0.0, 0.98), read("TC", 200, 150, 180.0, 0.95)]
    (card,) = seen_cards(reads, to_mm)
    assert card.label == "TS"
    assert card.score < 0.8


@pytest.mark.parametrize(("other", "cards"), [("AC", 1), ("KS", 2), ("AH", 2)])
def test_two_cards_of_one_rank_and_colour_that_lie_so_near_are_one_misread(
    other: str, cards: int
) -> None:
    reads = [read("AS", 200, 150, 0.0, 0.94), read(other, 201.5, 146, 180.0, 0.92)]

    def bare(at_mm: PointMm, angle_deg: float) -> float:
        return min(1.0, abs(at_mm[0] - 200) / 63)

    assert len(seen_cards(reads, to_mm, bare)) == cards


def test_the_outer_indices_of_a_card_with_four_make_no_second_card_on_bare_table() -> None:
    reads = []
    for dx_mm, dy_mm, angle_deg in [(26.5, 31, 0.0), (26.5, -31, 180.0)]:
        px = ((200 + dx_mm) * 2, (500 - (150 + dy_mm)) * 2)
        guess_px = ((200 + dx_mm + 26.5) * 2, 700.0)
        reads.append(CardRead("6H", 0.99, px, None, angle_deg, None, guess_px))

    def bare(at_mm: PointMm, angle_deg: float) -> float:
        return min(1.0, abs(at_mm[0] - 200) / 63)

    (card,) = seen_cards(reads, to_mm, bare)
    assert card.at_mm == pytest.approx((200, 150), abs=1.0)


def test_a_card_of_a_fan_beside_the_stock_does_not_lie_over_the_backs() -> None:
    # Of the lowest card of a turn the right indices look out; the stock lies 85 mm on.
    reads = []
    for dy_mm, angle_deg in [(31, 0.0), (-31, 180.0)]:
        px = ((200 + 26.5) * 2, (500 - (150 + dy_mm)) * 2)
        guess_px = ((200 + 2 * 26.5) * 2, 700.0)
        reads.append(CardRead("KC", 0.99, px, None, angle_deg, None, guess_px))

    def backs(at_mm: PointMm, angle_deg: float) -> float:
        return max(0.0, min(1.0, 1.0 - (285 - at_mm[0]) / 63))

    (card,) = seen_cards(reads, to_mm, backs=backs)
    assert card.at_mm == pytest.approx((200, 150), abs=1.0)


def test_a_pattern_of_the_cloth_that_looks_like_an_index_is_no_card() -> None:
    assert seen_cards([read("7H", 200, 150, 0)], to_mm, lambda at_mm, angle_deg: 0.9) == ()


def test_a_white_card_on_a_white_cloth_is_one_if_its_index_is_surely_read() -> None:
    (card,) = seen_cards([read("13", 200, 150, 0, 0.99)], to_mm, lambda at_mm, angle_deg: 0.9)
    assert (card.label, card.at_mm) == ("13", pytest.approx((200, 150), abs=1.0))


def test_two_cards_of_one_face_side_by_side_are_two() -> None:
    reads = [read("7H", 200, 150, 0), read("7H", 270, 150, 0)]
    assert len(seen_cards(reads, to_mm)) == 2


def test_a_word_printed_on_the_mat_is_no_joker() -> None:
    assert seen_cards([read("JOKER", 200, 150, 270)], to_mm) == ()


def test_a_joker_shows_its_edges_or_both_of_its_signs() -> None:
    both = [read("JOKER", 200, 150, 0), read("JOKER", 200, 150, 180)]
    (card,) = seen_cards(both, to_mm)
    assert (card.label, card.reads) == ("JOKER", 2)


def test_a_nameless_outline_on_a_named_card_is_that_card() -> None:
    quad = ((337.0, 612.0), (463.0, 612.0), (463.0, 788.0), (337.0, 788.0))
    frame = CardRead(NOT_READ, 0.8, (400, 700), quad, 0.0)
    (card,) = seen_cards([read("KS", 200, 150, 0), frame], to_mm)
    assert card.label == "KS"


def back(x_mm: float, y_mm: float, angle_deg: float, score: float) -> CardRead:
    """The outline of a back, upright or across."""
    w, h = (44.5, 31.5) if angle_deg % 180 else (31.5, 44.5)
    corners = [(x_mm + a * w, y_mm + b * h) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    quad = tuple((x * 2, (500 - y) * 2) for x, y in corners)
    return CardRead(BACK, score, (x_mm * 2, (500 - y_mm) * 2), quad, angle_deg)


def test_a_back_with_two_figures_is_no_two_cards_that_lie_across_it() -> None:
    def bare(at_mm: PointMm, angle_deg: float) -> float:
        return min(0.4, abs(at_mm[1] - 150) / 50)

    halves = [back(200, 171, 90.0, 0.9), back(200, 129, 90.0, 0.95)]
    (card,) = seen_cards([back(200, 150, 0.0, 0.6), *halves], to_mm, bare)
    assert card.at_mm == pytest.approx((200, 150), abs=1.0)
    assert seen_cards(halves, to_mm, bare) == ()


@pytest.mark.parametrize(("hides", "count"), [(0.9, 2), (0.25, 1)])
def test_a_back_that_hides_all_but_an_edge_of_an_open_card_is_another(
    hides: float, count: int
) -> None:
    reads = [read("QD", 200, 150, 0), back(200, 132, 0.0, 0.99)]
    cards = seen_cards(reads, to_mm, backs=lambda at_mm, angle_deg: hides * (at_mm[1] < 140))
    assert len(cards) == count


# tracks


def ground(clear: bool = True, moved_ns: int = 0, free: bool = True) -> Ground:
    return Ground(
        lambda at_mm, angle_deg: clear,
        lambda at_mm, angle_deg: clear and free,
        lambda at_mm, angle_deg: moved_ns,
    )


def seen(label: str, at_mm: PointMm = HERE, score: float = 0.99, reads: int = 1) -> SeenCard:
    return SeenCard(label, score, at_mm, 0.0, reads)


class Followed:
    """Tracks, and the frames that they were shown."""

    def __init__(self, *, timed: bool = False) -> None:
        self.tracks, self.t_ns = Tracks(timed=timed), FRAME_NS

    def time(self, landed_ns: int, *, again: bool = False, hidden: bool = False) -> None:
        for track in self.tracks.untimed():
            track.time(Landed(landed_ns, 30 * MS, hidden), self.t_ns, again=again)

    def show(
        self,
        *cards: SeenCard,
        times: int = 1,
        clear: bool = True,
        moved: bool = False,
        free: bool = True,
        empty: bool = False,
        printed: bool = False,
        backed: bool = False,
        bare: bool = False,
        moved_ns: int = 0,
    ) -> list[str]:
        moved_ns = self.t_ns + 1 if moved else moved_ns
        shown = replace(
            ground(clear, moved_ns, free),
            empty=lambda at_mm, angle_deg: empty,
            printed=lambda at_mm, angle_deg: printed,
            backed=lambda at_mm, angle_deg: backed,
            bare=lambda at_mm, angle_deg: bare,
        )
        for _ in range(times):
            self.t_ns += FRAME_NS
            look = CardLook(self.t_ns, self.t_ns - FRAME_NS, cards, shown)
            self.tracks.take(look)
        return sorted(spot.label for spot in self.tracks.spots())

    def unsure(self, since_ns: int = 0, moved_ns: int = 0) -> int:
        return len(self.tracks.unsure(since_ns, lambda at_mm, angle_deg: moved_ns))

    def asked_after(
        self, later_ns: int, *, news_ns: int = 0, moved_ns: int = 0
    ) -> list[tuple[PointMm, float]]:
        asked = self.tracks.doubtful(
            self.t_ns + later_ns,
            lambda at_mm, angle_deg: news_ns,
            lambda at_mm, angle_deg: moved_ns,
        )
        return [(at_mm, angle_deg) for at_mm, angle_deg, _ in asked]


@pytest.mark.parametrize("hidden", [False, True])
def test_it_is_told_whether_it_was_seen_how_a_card_slowed_down(*, hidden: bool) -> None:
    table = Followed(timed=True)
    table.show(seen("8D"), times=3)
    table.time(FRAME_NS, hidden=hidden)
    (spot,) = table.tracks.spots()
    assert spot.measured is not hidden


def test_a_card_of_which_one_edge_shows_is_not_seen_whole() -> None:
    table = Followed()
    edge = SeenCard("2D", 0.99, HERE, 0.0, 2, strip=True)
    table.show(edge, times=3)
    (spot,) = table.tracks.spots()
    assert (spot.indices, spot.whole_ns) == (1, 0)
    table.show(replace(edge, strip=False), times=1)
    (spot,) = table.tracks.spots()
    assert (spot.indices, spot.whole_ns) == (2, table.t_ns)


def test_a_card_of_which_one_index_was_read_may_lie_on_its_other_side_till_its_edges_show() -> None:
    table = Followed()
    one = replace(seen("9H"), other_mm=(HERE[0] - 53.0, HERE[1]))
    table.show(one, times=4)
    (spot,) = table.tracks.spots()
    assert spot.other_mm == one.other_mm
    table.show(seen("9H"), times=2)
    (spot,) = table.tracks.spots()
    assert spot.other_mm is None


def test_what_moves_over_a_card_long_after_it_was_found_to_rest_is_a_hand() -> None:
    table = Followed(timed=True)
    table.show(seen("7D"), times=3)
    table.show(seen("7D"), seen("8H", (200.0, 100.0)), times=3, moved_ns=table.t_ns)
    laid_ns = table.t_ns - 600 * MS
    table.time(laid_ns, again=True)
    table.time(table.t_ns + 200 * MS)
    (eight,) = (spot for spot in table.tracks.spots() if spot.label == "8H")
    assert eight.moving_ns <= laid_ns <= eight.still_ns


@pytest.mark.parametrize(("hidden", "later"), [(True, False), (False, True)])
def test_what_was_read_where_it_lies_was_not_hidden_till_it_lay_by_a_hand_that_came_since(
    *, hidden: bool, later: bool
) -> None:
    """Of one that was seen to be pushed into its place that hand tells when it lay."""
    table = Followed(timed=True)
    table.show(seen("7D"), times=3)
    table.show(seen("7D"), seen("8H", (200.0, 100.0)), times=3, moved_ns=table.t_ns)
    (eight,) = (track for track in table.tracks.untimed() if track.label == "8H")
    hand_ns = eight.first_ns + 250 * MS
    table.time(hand_ns, hidden=hidden)
    (spot,) = (spot for spot in table.tracks.spots() if spot.label == "8H")
    assert (spot.moving_ns <= hand_ns <= spot.still_ns) is later


def test_a_card_under_a_hand_did_not_come_to_rest_a_second_before_anything_of_it_was_read() -> None:
    table = Followed(timed=True)
    table.show(seen("7D"), times=3)
    # The card beside it was laid then.
    beside_ns = table.t_ns
    table.show(seen("7D"), times=36)
    table.show(seen("7D"), seen("8H", (200.0, 100.0)), times=3, moved_ns=table.t_ns)
    table.time(beside_ns, again=True)
    laid_ns = table.t_ns - 200 * MS
    table.time(laid_ns)
    (eight,) = (spot for spot in table.tracks.spots() if spot.label == "8H")
    assert eight.moving_ns <= laid_ns <= eight.still_ns


@pytest.mark.parametrize(("hidden", "told"), [(True, True), (False, False)])
def test_a_back_that_a_hand_half_hides_lay_there_long_before_it_is_read(
    *, hidden: bool, told: bool
) -> None:
    table = Followed(timed=True)
    table.show(seen("7D", (300.0, 100.0)), times=40)
    laid_ns = table.t_ns - 1_200 * MS
    table.show(seen(BACK), times=3, moved_ns=table.t_ns)
    for track in (one for one in table.tracks.untimed() if one.label == BACK):
        track.time(Landed(laid_ns, 200 * MS, hidden), table.t_ns, again=True)
        track.time(None, table.t_ns)
    (back,) = (spot for spot in table.tracks.spots() if spot.label == BACK)
    assert (back.moving_ns <= laid_ns <= back.still_ns) is told


def test_what_was_looked_up_beside_a_card_does_not_tell_when_it_came() -> None:
    table = Followed(timed=True)
    table.show(seen("7D", (300.0, 100.0)), times=3)
    table.show(seen("8H", (109.0, 103.0)), times=2, moved_ns=table.t_ns)
    table.time(table.t_ns - 1_000 * MS, again=True)
    table.show(seen("8H", reads=2), times=3)
    laid_ns = table.t_ns - 200 * MS
    table.time(laid_ns)
    (eight,) = (spot for spot in table.tracks.spots() if spot.label == "8H")
    assert eight.moving_ns <= laid_ns <= eight.still_ns


@pytest.mark.parametrize(("read_mm", "late"), [((200.0, 100.0), False), ((215.0, 100.0), True)])
def test_a_hand_that_leaves_a_card_which_was_read_there_before_does_not_lay_it_then(
    read_mm: PointMm, *, late: bool
) -> None:
    """One that was read elsewhere before may have been pushed there."""
    table = Followed(timed=True)
    table.show(seen("7D"), times=3)
    table.show(seen("7D"), seen("8H", read_mm), times=8, clear=False, moved=True)
    found_ns = table.t_ns - 300 * MS
    table.show(seen("7D"), seen("8H", (200.0, 100.0)), times=3, moved_ns=table.t_ns)
    table.time(found_ns, again=True)
    left_ns = table.t_ns - 2 * FRAME_NS
    table.time(left_ns)
    (eight,) = (spot for spot in table.tracks.spots() if spot.label == "8H")
    assert (eight.moving_ns <= left_ns <= eight.still_ns) is late


def test_a_hand_that_leaves_a_card_after_it_was_read_free_of_it_did_not_lay_it_then() -> None:
    table = Followed(timed=True)
    table.show(seen("7D"), times=3)
    table.show(seen("7D"), seen("8H", (200.0, 100.0)), times=3, moved_ns=table.t_ns)
    found_ns = table.t_ns - 100 * MS
    table.time(found_ns, again=True)
    table.show(seen("7D"), seen("8H", (200.0, 100.0)), times=6, moved=True)
    left_ns = table.t_ns - FRAME_NS
    table.time(left_ns)
    (eight,) = (spot for spot in table.tracks.spots() if spot.label == "8H")
    assert eight.moving_ns <= found_ns <= eight.still_ns


def test_what_two_pieces_of_one_picture_show_is_one_look() -> None:
    table = Followed()
    table.show(seen("7H"))
    table.tracks.take(CardLook(table.t_ns, table.t_ns - FRAME_NS, (seen("7H"),), ground()))
    assert table.tracks.spots() == ()
    assert table.show(seen("7H")) == ["7H"]


def test_a_card_is_believed_at_the_second_look() -> None:
    table = Followed()
    assert table.show(seen("7H")) == []
    assert table.show(seen("7H")) == ["7H"]


def test_a_marker_at_the_edge_of_the_picture_is_looked_at_ever_more_seldom() -> None:
    table = Followed()
    asked = 0
    for _ in range(300):
        due = table.asked_after(FRAME_NS)
        asked += len(due)
        table.show(*([seen(BACK)] if due or asked == 0 else []), clear=False)
    assert asked < 20


def test_a_card_that_a_hand_covered_for_long_is_looked_at_as_soon_as_the_hand_has_left() -> None:
    table = Followed()
    table.show(seen("7H"), times=24, clear=False)
    left_ns = table.t_ns - FRAME_NS
    assert table.asked_after(4 * FRAME_NS, moved_ns=left_ns) == [(HERE, 0.0)]


def test_a_read_that_comes_once_is_no_card() -> None:
    table = Followed()
    table.show(seen("7H"))
    assert table.show(times=6) == []


def test_a_card_under_a_hand_is_not_gone() -> None:
    table = Followed()
    table.show(seen("7H"), times=3)
    assert table.show(times=60, clear=False) == ["7H"]


def test_a_card_missed_once_is_not_gone_and_one_missed_for_long_is() -> None:
    table = Followed()
    table.show(seen("7H"), times=3)
    assert table.show(times=2) == ["7H"]
    assert table.show(times=6) == []


def test_a_misread_of_an_untouched_card_is_outvoted() -> None:
    table = Followed()
    table.show(seen("7H"), times=4)
    assert table.show(seen("1H"), seen("9S")) == ["7H"]
    assert table.show(seen("7H"), times=3) == ["7H"]


def test_a_back_that_was_told_apart_but_once_is_believed_where_a_back_is_seen_again() -> None:
    table = Followed()
    assert table.show(seen(BACK, score=0.6)) == []
    assert table.show(times=6, backed=True) == [BACK]


def test_a_back_beside_which_a_face_was_misread_is_not_face_up() -> None:
    table = Followed()
    table.show(seen(BACK, score=0.8), times=8)
    assert table.show(seen("8D")) == [BACK]


def test_a_back_that_is_never_read_surely_is_not_face_up() -> None:
    assert Followed().show(seen(BACK, score=0.7), times=20) == [BACK]


def test_the_edge_of_a_back_below_another_that_is_read_ever_so_weakly_is_no_open_card() -> None:
    assert Followed().show(seen(BACK, score=0.55), times=30) == []
    assert Followed().show(seen(NOT_READ), times=30) == [NOT_READ]


def test_a_card_that_every_second_look_calls_otherwise_lies_there_unread() -> None:
    table = Followed()
    clubs, spades = seen("3C", score=0.75), seen("3S", score=0.75)
    for _ in range(12):
        table.show(replace(clubs, outlined=False))
        table.show(replace(spades, outlined=False))
    assert table.show() == [NOT_READ]


def test_a_card_that_is_called_now_so_and_now_otherwise_is_looked_at_till_it_is_believed() -> None:
    table = Followed()
    for _ in range(6):
        # Each frame is read in three pieces.
        for name in ("3C", "3S", "3S"):
            table.show(seen(name, score=0.75))
            table.t_ns -= FRAME_NS
        table.t_ns += FRAME_NS
    assert table.unsure() == 1
    assert table.asked_after(300 * MS)


def test_a_card_laid_on_another_replaces_it() -> None:
    table = Followed()
    table.show(seen("7H"), times=3)
    labels = table.show(seen("8S", (106.0, 96.0)), times=4, moved=True)
    assert labels == ["8S"]


def test_a_card_laid_exactly_on_another_is_believed_after_more_looks() -> None:
    table = Followed()
    table.show(seen("7H"), times=3)
    assert table.show(seen("8S"), times=3, moved=True) == ["7H"]
    assert table.show(seen("8S"), times=3, moved=True) == ["8S"]


def test_a_card_on_a_pile_is_believed_while_the_hand_that_laid_it_still_moves_over_it() -> None:
    table, on_it = Followed(), seen("KD", (104.0, 97.0), reads=2)
    table.show(seen("QS"), times=3)
    told = [table.show(on_it, clear=False, moved=True) for _ in range(6)]
    assert told[-1] == ["KD", "QS"]
    assert table.show(seen("KC", (99.0, 101.0), reads=2), times=4, moved=True) == ["KC"]


def test_a_card_that_a_resting_hand_holds_over_a_pile_does_not_lie_there() -> None:
    table = Followed()
    table.show(seen("QS"), times=3)
    table.show(seen("KD", (104.0, 97.0), reads=2), clear=False, moved=True)
    held = seen("KD", (104.0, 97.0), reads=2)
    assert table.show(held, times=9, clear=False, moved=True) == ["QS"]


def test_a_card_seen_under_a_hand_is_believed_as_soon_as_the_hand_leaves_it_free() -> None:
    table = Followed()
    table.show(seen("7D"), times=3)
    eight = seen("8H", (102.0, 99.0), reads=2)
    table.show(eight, seen(NOT_READ, (104.0, 99.0)), times=4, clear=False, moved=True)
    assert "8H" in table.show(eight, moved=True)


def test_what_a_hand_laid_is_looked_at_again_however_many_cards_another_hand_shows() -> None:
    table = Followed()
    table.show(seen(BACK), clear=False)
    laid_ns = table.t_ns
    for n in range(40):
        shuffled = seen(BACK, (600.0 + 20 * (n % 10), 300.0 + 30 * (n // 10)))
        table.t_ns += FRAME_NS
        stirs = replace(
            ground(clear=False),
            moved_ns=lambda at_mm, angle_deg: laid_ns if at_mm == HERE else table.t_ns,
        )
        table.tracks.take(CardLook(table.t_ns, table.t_ns - FRAME_NS, (shuffled,), stirs))
    assert HERE in [at_mm for at_mm, _ in table.asked_after(2_000 * MS)]


def test_a_card_that_looks_at_its_neighbours_cut_off_is_looked_at_itself() -> None:
    table, asked = Followed(), list[PointMm]()
    for _ in range(30):
        table.show(seen(BACK), clear=False)
        asked += [at_mm for at_mm, _ in table.asked_after(0)]
    assert 3 <= asked.count(HERE) <= 8


def test_what_a_hand_laid_is_looked_at_again_however_much_print_is_taken_for_a_card() -> None:
    table = Followed()
    print_ = (seen(NOT_READ, (600.0 + 20 * (n % 10), 300.0 + 30 * (n // 10))) for n in range(40))
    table.show(seen("8H"), clear=False, moved_ns=table.t_ns)
    table.show(*print_, clear=False)
    assert HERE in [at_mm for at_mm, _ in table.asked_after(2_000 * MS)]


def test_a_card_under_a_resting_hand_lay_there_when_the_next_one_is_laid_on_it() -> None:
    table = Followed()
    table.show(seen("7D"), times=3)
    eight = seen("8H", (103.0, 98.0), reads=2)
    assert table.show(eight, times=6, clear=False, moved=True) == ["7D"]
    nine = seen("9C", (99.0, 101.0), reads=2)
    table.show(nine, times=3, clear=False, moved=True)
    told = [table.show(nine, moved=True) for _ in range(7)]
    assert any("8H" in names for names in told)
    assert told[-1] == ["9C"]
    assert not any(names == ["9C"] for names in told[: told.index(["9C"])])


def test_a_card_that_was_covered_at_once_lay_there_if_both_its_indices_were_read_twice() -> None:
    # A hand still lies on one index in the first of three looks, 67 ms apart.
    table = Followed()
    table.show(seen("AC"), clear=False, moved=True)
    for look in range(2):
        table.show(clear=False, moved=True)
        table.show(seen("AC", (100.0, 101.0 + look), reads=2), clear=False, moved=True)
    first_ns = table.t_ns - 4 * FRAME_NS
    two = seen("2C", (99.0, 97.0), reads=2)
    table.show(two, times=3, clear=False, moved=True)
    told = [table.show(two, moved=True)]
    (ace,) = (spot for spot in table.tracks.spots() if spot.label == "AC")
    assert ace.still_ns == first_ns
    told += [table.show(two, moved=True) for _ in range(7)]
    assert told[-1] == ["2C"]


def test_it_is_told_though_an_arm_hides_one_index_of_the_one_that_shows_then() -> None:
    table = Followed()
    table.show(seen("8C"), times=3)
    table.show(seen("2S", (103.0, 98.0), reads=2), times=6, clear=False, moved=True)
    four = seen("4S", (101.0, 97.0))
    told = [table.show(four, clear=k > 5, moved=True) for k in range(12)]
    assert any("2S" in names for names in told)


def test_a_card_that_a_hand_held_over_a_pile_and_took_away_again_is_not_sure_to_have_lain_there(
) -> None:  # fmt: skip
    table = Followed(timed=True)
    table.show(seen("4H"), times=3)
    table.time(table.t_ns)
    table.show(seen("9H", (103.0, 98.0)), times=6, moved=True)
    table.show(times=2, clear=False, moved=True)
    table.show(seen("4H", reads=2), clear=False, moved=True)
    table.time(table.t_ns)
    (nine,) = (spot for spot in table.tracks.spots() if spot.label == "9H")
    assert nine.conf <= TAKEN_CONF
    assert table.show(seen("4H", reads=2), times=5, moved=True) == ["4H"]


def test_it_is_told_before_the_one_upon_it_whenever_the_time_of_that_is_known() -> None:
    table = Followed(timed=True)
    table.show(seen("7D"), times=3)
    table.time(table.t_ns)
    table.show(seen("8H", (103.0, 98.0), reads=2), times=6, clear=False, moved=True)
    nine = seen("9C", (99.0, 101.0), reads=2)
    told = [table.show(nine, times=8, moved=True)]
    table.time(table.t_ns - 200 * MS)
    told.append([spot.label for spot in table.tracks.spots()])
    told += [table.show(nine, moved=True) for _ in range(4)]
    first = next(k for k, names in enumerate(told) if "9C" in names)
    assert any("8H" in names for names in told[:first])
    assert told[-1] == ["9C"]


def test_a_card_that_a_hand_hid_came_to_rest_after_the_pile_was_last_seen_without_it() -> None:
    table = Followed()
    table.show(seen("7D"), times=3)
    seen_ns = table.t_ns
    table.show(times=12, clear=False, moved=True)
    table.show(seen("8H", (103.0, 98.0), reads=2), times=6, clear=False, moved=True)
    table.show(seen("9C", (99.0, 101.0), reads=2), times=4, moved=True)
    eight = next(spot for spot in table.tracks.spots() if spot.label == "8H")
    assert eight.moving_ns == seen_ns
    assert eight.still_ns == seen_ns + 13 * FRAME_NS


def test_a_card_first_glimpsed_under_the_hand_that_laid_it_lay_there_a_moment_before() -> None:
    table = Followed()
    table.show(seen("7D", (300.0, 100.0)), times=6)
    seen_ns = table.t_ns + FRAME_NS
    ace = seen("AH", reads=2)
    for _ in range(8):
        table.show(seen("7D", (300.0, 100.0)), ace, clear=False, moved=True)
    table.show(seen("7D", (300.0, 100.0)), ace, times=4, moved_ns=table.t_ns)
    lay = next(spot for spot in table.tracks.spots() if spot.label == "AH")
    assert lay.still_ns == seen_ns
    assert lay.moving_ns <= seen_ns - 100 * MS


def test_a_card_did_not_come_to_rest_long_after_it_was_first_read_where_it_lies() -> None:
    table = Followed()
    table.show(seen("TD"), times=3)
    (track,) = table.tracks.untimed()
    read_ns = track.first_ns
    track.time(Landed(read_ns + 400 * MS, 30 * MS), table.t_ns)
    assert track.spot().still_ns <= read_ns
    track.time(Landed(read_ns - 60 * MS, 30 * MS), table.t_ns)
    assert track.spot().still_ns == read_ns - 30 * MS


def test_a_card_under_the_fingers_that_laid_it_is_told_with_its_time_when_they_leave() -> None:
    table = Followed(timed=True)
    assert table.show(seen("2C", (300.0, 100.0)), times=3) == ["2C"]
    table.show(seen("7H"), times=3, moved=True)
    table.time(table.t_ns, again=True)
    assert table.show(seen("7H")) == ["2C"]
    table.time(table.t_ns - 200 * MS)
    spot = table.tracks.spots()[-1]
    assert spot.still_ns == table.t_ns - 170 * MS


def test_a_card_is_not_gone_while_the_one_upon_it_is_not_told() -> None:
    table, on_it = Followed(timed=True), seen("8S", (108.0, 98.0))
    table.show(seen("JD"), times=3)
    table.time(table.t_ns)
    table.show(on_it, times=2, moved=True)
    table.time(table.t_ns, again=True)
    assert table.show(on_it, times=9) == ["JD"]
    table.time(table.t_ns)
    # Both at once would be a card more than lies there.
    assert [spot.label for spot in table.tracks.spots()] == ["8S"]
    assert table.show(on_it, times=2) == ["8S"]


def test_a_card_held_over_a_pile_and_withdrawn_never_lay_there() -> None:
    table = Followed()
    table.show(seen("7D"), times=3)
    table.show(seen("8H", (103.0, 98.0), reads=2), times=6, clear=False, moved=True)
    assert table.show(seen("7D"), times=4, moved=True) == ["7D"]
    elsewhere, nine = seen("8H", (300.0, 98.0), reads=2), seen("9C", (99.0, 101.0), reads=2)
    table.show(seen("7D"), elsewhere, times=3, moved=True)
    told = [table.show(nine, elsewhere, moved=True) for _ in range(7)]
    assert told[-1] == ["8H", "9C"]
    assert not any(names.count("8H") > 1 for names in told)


def test_a_card_that_a_hand_carries_over_a_pile_does_not_lie_there() -> None:
    table = Followed()
    table.show(seen("QS"), times=3)
    for step in range(20):
        carried = seen("KD", (80.0 + 3.0 * step, 100.0), reads=2)
        assert table.show(carried, clear=False, moved=True) == ["QS"]


def test_a_covered_card_is_never_gone_before_the_one_on_it_is_believed() -> None:
    table = Followed()
    table.show(seen("3S"), times=3)
    told = [tuple(table.show(seen("4H", score=0.9), moved=True)) for _ in range(9)]
    assert () not in told
    assert told[-1] == ("4H",)


def test_the_upper_and_the_covered_card_of_a_cascade_are_both_followed() -> None:
    table = Followed()
    cards = (seen("TS", (100.0, 116.0)), seen("9H", (100.0, 100.0)))
    assert table.show(*cards, times=3) == ["9H", "TS"]


def test_a_card_of_a_cascade_put_too_near_by_one_index_is_no_misread_of_the_one_below() -> None:
    table = Followed()
    table.show(seen("TC", (100.0, 116.0)), times=3)
    below, upper = seen("TC", (100.0, 116.0)), seen("9D", (102.0, 105.0))
    assert table.show(below, upper, times=1, moved=True) == ["TC"]
    table.show(below, upper)
    assert table.show(upper) == ["9D", "TC"]


def test_an_unread_card_keeps_its_number_when_it_is_named() -> None:
    table = Followed()
    assert table.show(seen(NOT_READ, score=0.8), times=20) == [NOT_READ]
    (before,) = table.tracks.spots()
    assert table.show(seen("7H"), times=2) == ["7H"]
    assert table.tracks.spots()[0].id == before.id


def test_a_card_read_plainly_beside_a_forearm_is_believed_and_a_missing_one_is_not_gone() -> None:
    table = Followed()
    table.show(seen("7H"), times=3)
    assert table.show(seen("KS", (300.0, 100.0)), times=8, free=False) == ["7H", "KS"]


def test_a_card_seen_elsewhere_no_longer_lies_where_the_hand_still_is() -> None:
    table = Followed()
    table.show(seen("6C", (200.0, 100.0)), times=3)
    table.show(seen("6C", (300.0, 100.0)), times=2, moved=True, free=False)
    (spot,) = table.tracks.spots()
    assert (spot.label, spot.at_mm) == ("6C", (300.0, 100.0))


def test_where_a_card_lay_that_is_seen_elsewhere_is_looked_at_once_more() -> None:
    """It may be its like of another deck: the first one lies there still."""
    table = Followed()
    table.show(seen("6C", (200.0, 100.0)), times=3)
    table.show(seen("6C", (300.0, 100.0)), times=2, moved=True, free=False)
    assert ((200.0, 100.0), 0.0) in table.asked_after(4 * FRAME_NS)
    table.show(times=2)
    assert ((200.0, 100.0), 0.0) not in table.asked_after(4 * FRAME_NS)


def test_a_card_over_which_a_hand_went_before_stays_when_its_twin_is_laid_elsewhere() -> None:
    table, mine = Followed(), seen("2H", (300.0, 100.0))
    table.show(seen("2H"), times=3)
    passed_ns = table.t_ns + FRAME_NS
    table.show(times=9, clear=False, moved_ns=passed_ns)
    assert table.show(mine, times=4, moved_ns=passed_ns) == ["2H", "2H"]


def test_a_card_that_nothing_touched_stays_when_another_deck_shows_its_twin() -> None:
    table = Followed()
    table.show(seen("6C", (200.0, 100.0)), times=3)
    assert table.show(seen("6C", (300.0, 100.0)), times=2, free=False) == ["6C", "6C"]


def test_an_index_half_covered_by_the_next_card_makes_no_other_card() -> None:
    table = Followed()
    table.show(seen("18"), times=3)
    half = SeenCard("8", 0.99, (94.0, 96.0), 177.0, 1)
    assert table.show(seen("18"), half, times=12, moved=True) == ["18"]


def test_the_half_of_an_index_is_known_by_the_other_one_however_the_card_was_read_first() -> None:
    table = Followed()
    table.show(SeenCard("12", 0.99, HERE, 178.0, 1), times=3)
    half = SeenCard("2", 0.98, (92.0, 96.0), 180.0, 1)
    assert table.show(seen("12"), half, times=12, moved=True) == ["12"]


def test_a_sixteen_of_which_a_finger_leaves_the_six_stays_a_sixteen() -> None:
    table = Followed()
    table.show(seen("16", reads=2), times=3)
    half = seen("6", (102.0, 104.0))
    assert table.show(half, times=8, moved=True) == ["16"]
    assert table.show(half, times=8) == ["16"]


def test_a_one_is_the_sixteen_whose_six_a_finger_hid() -> None:
    table = Followed()
    assert table.show(seen("1"), times=2, moved=True) == ["1"]
    (one,) = table.tracks.spots()
    assert table.show(seen("16", (104.0, 103.0), reads=2), times=3, moved=True) == ["16"]
    assert [spot.id for spot in table.tracks.spots()] == [one.id]


def test_a_six_laid_on_a_sixteen_is_seen_by_both_of_its_indices() -> None:
    table = Followed()
    table.show(seen("16", reads=2), times=3)
    assert table.show(seen("6", (104.0, 103.0), reads=2), times=4, moved=True) == ["6"]


def test_half_of_the_lower_index_of_an_eight_is_no_three_corner_to_corner_with_it() -> None:
    table = Followed()
    table.show(seen("8", reads=2), times=3)
    # The index at the lower right corner of the eight, taken for the upper left one of a card.
    three = SeenCard("3", 0.98, (153.0, 38.0), 0.0, 1, False, (100.0, 38.0))
    assert table.show(seen("8"), three, times=6, moved=True) == ["8"]
    beside = SeenCard("3", 0.98, (163.0, 100.0), 0.0, 1, False, (110.0, 100.0))
    assert table.show(seen("8"), beside, times=6, moved=True) == ["3", "8"]


def test_half_of_the_lower_index_of_an_eight_is_no_three_upside_down_on_it() -> None:
    table = Followed()
    table.show(SeenCard("8", 0.98, (103.0, 97.0), 182.0, 1), times=3)
    eight, three = (
        SeenCard("8", 0.95, (107.0, 104.0), 4.0, 1),
        SeenCard("3", 0.94, (98.0, 93.0), 173.0),
    )
    assert table.show(eight, three, times=9, moved=True) == ["8"]
    assert table.show(SeenCard("3", 0.98, (98.0, 93.0), 173.0, 2), times=9, moved=True) == ["3"]


def test_a_card_of_which_both_indices_were_read_under_the_hand_is_no_index_of_the_one_below() -> (
    None
):
    table = Followed()
    table.show(seen("6D", reads=2), times=3)
    laid = SeenCard("7S", 1.0, (104.0, 99.0), 180.0, 2)
    table.show(laid, clear=False, moved=True)
    corner = seen("6D", (105.0, 99.0))
    assert "7S" in table.show(corner, replace(laid, reads=1), moved_ns=table.t_ns)


def test_the_edge_of_a_card_that_the_next_one_covers_is_no_other_card() -> None:
    table = Followed()
    table.show(seen("9C"), times=3)
    on_it = seen("8D", (101.0, 113.0), reads=2)
    assert table.show(on_it, times=4, moved=True) == ["8D"]
    half = SeenCard("JOKER", 0.95, (99.0, 96.0), 184.0)
    assert table.show(on_it, half, times=9, moved=True) == ["8D"]
    weak = SeenCard("9H", 0.7, (97.0, 99.0), 174.0)
    assert table.show(seen("8D", (101.0, 113.0)), weak, times=20, moved=True) == ["8D"]
    unread = SeenCard(NOT_READ, 0.9, (97.0, 99.0), 174.0)
    assert table.show(seen("8D", (101.0, 113.0)), unread, times=20, moved=True) == ["8D"]
    assert table.show(seen("9C"), times=6, moved=True) == ["9C"]


def test_a_covered_card_that_is_misread_as_soon_as_it_is_covered_makes_no_other_card() -> None:
    table = Followed()
    table.show(seen("JD"), times=3)
    half = SeenCard("JH", 0.65, (96.0, 99.0), 174.0)
    told = table.show(seen("TC", (100.0, 118.0)), half, times=20, moved=True)
    assert told == ["TC"]


def test_a_covered_card_that_is_read_as_a_joker_beside_the_one_upon_it_is_none() -> None:
    table = Followed()
    table.show(seen("9C"), times=3)
    on_it, half = seen("8D", (100.0, 112.0), reads=2), SeenCard("JOKER", 0.95, (99.0, 95.0), 184.0)
    assert table.show(on_it, half, times=9, moved_ns=table.t_ns + 1) == ["8D"]


def test_a_card_laid_so_that_the_index_below_sticks_out_is_no_misread_of_that_one() -> None:
    table, below = Followed(), seen("TS", (97.0, 98.0), score=0.74)
    table.show(seen("TS", reads=2), times=3)
    table.show(below, clear=False, moved=True)
    laid_ns = table.t_ns
    table.show(below, clear=False, moved_ns=laid_ns)
    table.show(below, seen("4H", (103.0, 101.0)), clear=False, moved_ns=laid_ns)
    table.show(below, clear=False, moved_ns=laid_ns)
    on_it = seen("4H", (103.0, 101.0), reads=2)
    assert table.show(on_it, times=3, moved_ns=laid_ns) == ["4H"]


@pytest.mark.parametrize("laid_mm", [(103.0, 98.0), (101.0, 92.0)])
def test_a_card_whose_index_sticks_out_below_another_tells_not_that_its_place_is_free(
    laid_mm: PointMm,
) -> None:
    table = Followed()
    table.show(seen("6H", reads=2), times=3)
    whole_ns = table.t_ns
    laid_ns = whole_ns + 3 * FRAME_NS
    table.show(times=3, clear=False, moved_ns=laid_ns)
    table.show(seen("6H"), seen("8S", laid_mm), times=2, moved_ns=laid_ns)
    laid = next(track for track in table.tracks.untimed() if track.label == "8S")
    assert laid.other_ns == whole_ns


def test_a_third_card_of_an_untidy_pile_lies_where_the_first_did() -> None:
    table = Followed()
    table.show(seen("9C"), times=3)
    second = seen("TC", (112.0, 100.0))
    assert table.show(seen("TC", (112.0, 100.0), reads=2), times=4, moved=True) == ["TC"]
    told = table.show(second, seen("JC", (101.0, 101.0)), times=8, moved=True)
    assert told == ["JC", "TC"]


def test_a_card_laid_the_other_way_round_on_one_whose_index_sticks_out_is_seen() -> None:
    table = Followed()
    table.show(SeenCard("9S", 0.99, HERE, 358.0, 2), times=3)
    below = SeenCard("9S", 0.98, (98.0, 101.0), 177.0, 1)
    laid = SeenCard("TH", 1.0, (93.0, 102.0), 2.0, 1)
    assert table.show(below, laid, times=4, moved=True) == ["9S", "TH"]


def test_a_card_whose_place_was_read_in_parts_is_looked_at_again() -> None:
    table = Followed()
    table.show(seen("3D"), times=3)
    assert table.asked_after(5 * FRAME_NS, news_ns=table.t_ns) == []
    assert table.asked_after(5 * FRAME_NS, news_ns=table.t_ns + FRAME_NS) == [(HERE, 0.0)]


def test_a_read_of_the_outer_indices_is_of_the_card_that_lies_there() -> None:
    table = Followed()
    table.show(seen("KD", reads=2), times=3)
    outer = SeenCard("KD", 0.99, (153.0, 100.0), 0.0, 2, outlined=False, other_mm=(100.5, 100.0))
    table.show(outer, times=3)
    assert [spot.at_mm for spot in table.tracks.spots()] == [HERE]


def test_a_jack_seen_whole_stays_where_it_lies_though_a_hand_leaves_one_index_for_long() -> None:
    table = Followed()
    table.show(seen("JC", reads=2), times=3)
    one = SeenCard("JC", 0.99, (153.0, 100.0), 0.0, 1, outlined=False, other_mm=(100.5, 100.0))
    table.show(one, times=30)
    assert [spot.at_mm for spot in table.tracks.spots()] == [HERE]


def test_a_card_first_taken_to_lie_on_the_wrong_side_of_its_indices_is_put_right() -> None:
    table = Followed()
    there = (153.0, 100.0)
    table.show(SeenCard("KD", 0.99, there, 0.0, 1, False, HERE), times=2)
    table.show(SeenCard("KD", 0.99, HERE, 0.0, 1, False, there), times=6)
    assert [spot.at_mm for spot in table.tracks.spots()] == [HERE]


def test_a_card_of_which_the_first_looks_saw_but_one_side_is_put_right_by_the_next() -> None:
    table, there = Followed(), (153.0, 100.0)
    here_only = replace(ground(), clear=lambda at_mm, angle_deg: at_mm == there)
    for _ in range(2):
        table.t_ns += FRAME_NS
        jack = SeenCard("JC", 0.9, there, 0.0, 1, False, HERE)
        table.tracks.take(CardLook(table.t_ns, table.t_ns - FRAME_NS, (jack,), here_only))
    table.show(SeenCard("JC", 0.9, HERE, 0.0, 1, False, there))
    assert [spot.at_mm for spot in table.tracks.spots()] == [HERE]


def test_a_nameless_card_is_not_the_one_across_the_index_of_its_neighbour() -> None:
    table = Followed()
    table.show(SeenCard(NOT_READ, 0.9, (110.0, 104.0), 0.0), times=16)
    beside = SeenCard("5C", 0.99, (47.0, 104.0), 0.0, 1, False, (100.0, 104.0))
    assert sorted(table.show(beside, times=2)) == ["5C", NOT_READ]


def test_an_index_of_a_card_with_four_makes_no_twin_on_the_pile_beside() -> None:
    table = Followed()
    table.show(seen("2S"), times=3)
    lower = SeenCard("2S", 0.99, (47.0, 104.0), 0.0, 1, False, (100.0, 104.0))
    assert table.show(seen("2S"), lower, times=9, moved=True) == ["2S"]


def test_the_same_back_guessed_askew_is_one_card() -> None:
    table = Followed()
    table.show(SeenCard(BACK, 0.9, HERE, 0.0), times=3)
    assert table.show(SeenCard(BACK, 0.9, HERE, 28.0), times=3, moved=True) == [BACK]


def test_a_back_that_shows_when_its_upper_card_goes_is_told_when_that_one_is_gone() -> None:
    table = Followed()
    upper, lower = seen("5S", (100.0, 120.0)), seen(BACK, (100.0, 100.0))
    table.show(upper, times=3)
    told = [tuple(table.show(lower, moved=True)) for _ in range(6)]
    assert told[-1] == (BACK,)
    assert ("5S", BACK) not in told
    assert (BACK, "5S") not in told


@given(st.lists(st.tuples(st.sampled_from(["7H", NOT_READ, "", "1H"]), st.floats(0.5, 0.99)),
                max_size=30))  # fmt: skip
def test_noise_on_an_untouched_card_never_makes_a_second_one(
    noise: list[tuple[str, float]],
) -> None:
    table = Followed()
    table.show(seen("7H"), times=6)
    for label, score in noise:
        cards = [seen(label, score=score)] if label else []
        table.show(*cards)
        table.show(seen("7H"), times=2)
        assert table.show(seen("7H")) == ["7H"]


def test_a_printed_spot_that_looks_as_it_did_when_it_was_empty_is_no_unread_card() -> None:
    table = Followed()
    assert table.show(seen(NOT_READ), times=30, empty=True) == []
    assert table.show(seen("JOKER"), times=30, empty=True) == []
    assert table.show(seen(NOT_READ), times=30) == [NOT_READ]


def test_an_outline_across_a_card_that_is_seen_whole_is_print_and_beside_it_a_card() -> None:
    table, two = Followed(), seen("2H", reads=2)
    table.show(two, times=3)
    # The upper pip of the two and the edge of the spot above it.
    assert table.show(two, seen(NOT_READ, (98.0, 152.0)), times=30, moved=True) == ["2H"]
    assert table.show(two, SeenCard(NOT_READ, 0.9, (104.0, 60.0), 270.0), times=30) == ["2H"]
    assert table.show(two, seen(NOT_READ, (156.0, 100.0)), times=30) == ["2H", NOT_READ]


def test_a_spot_that_is_printed_about_a_card_is_no_unread_card_when_that_one_is_taken() -> None:
    table = Followed()
    table.show(seen("4H"), times=3)
    assert table.show(seen(NOT_READ), times=9, moved=True, printed=True) == []
    assert table.show(seen(NOT_READ), seen("JOKER"), times=30, printed=True) == []


def test_a_lamp_that_mirrors_in_a_card_that_nobody_touched_makes_it_no_print() -> None:
    table = Followed()
    table.show(seen("4H"), times=3)
    assert table.show(seen(NOT_READ), times=30, printed=True) == ["4H"]


def test_fingers_that_look_like_a_card_on_a_spot_for_a_moment_make_none() -> None:
    table = Followed()
    table.show(seen(NOT_READ), times=8)
    assert table.show(seen(NOT_READ), times=20, printed=True) == []


def test_a_printed_spot_that_may_be_a_card_does_not_hold_the_game_up() -> None:
    table = Followed()
    table.show(seen("7H", (300.0, 100.0)), seen(NOT_READ))
    assert table.unsure() == 2
    for _ in range(20):
        table.show(seen("7H", (300.0, 100.0)), seen(NOT_READ), times=2)
        table.show(seen("7H", (300.0, 100.0)))
    assert table.unsure() == 0


def test_strips_that_are_now_a_back_and_now_none_do_not_hold_the_game_up() -> None:
    table = Followed()
    seven = seen("7H", (300.0, 100.0))
    table.show(seven, times=6)
    read_ns = table.t_ns
    for _ in range(6):
        table.show(seven, times=5)
        table.show(seven, seen(BACK), times=2)
    assert table.unsure(read_ns, moved_ns=table.t_ns) == 1
    assert table.unsure(read_ns) == 0


def test_a_printed_spot_that_is_a_card_in_every_second_look_is_none() -> None:
    table = Followed()
    for _ in range(20):
        table.show(seen(NOT_READ), times=2)
        table.show(times=2)
    assert table.show(seen(NOT_READ)) == []


# print


def spot_named(name: str, ink: int) -> NDArray[np.uint8]:
    """A spot printed on white paper with its name in it, 2 px a mm, its middle at (200, 150)."""
    image = np.full((300, 400, 3), 235, np.uint8)
    cv2.rectangle(image, (137, 62), (263, 238), (ink, ink, ink), 2)
    cv2.putText(image, name, (150, 154), 0, 0.4, (ink, ink, ink), 1, cv2.LINE_AA)
    return image


def inner(x_px: float, y_px: float) -> NDArray[np.float64]:
    half_w, half_h = 63 - 2 * EDGE_MM, 88 - 2 * EDGE_MM
    turns = np.array([[1, -1], [-1, -1], [-1, 1], [1, 1]])
    return np.array([x_px, y_px]) + turns * (half_w, half_h)


@pytest.mark.parametrize("ink", [20, 150])
def test_a_printed_spot_with_its_name_shows_no_face(ink: int) -> None:
    assert is_plain(spot_named("A.arr.3", ink), inner(200, 150))


def test_an_ace_on_a_printed_spot_shows_its_face_even_in_noise() -> None:
    image = spot_named("", 150)
    cv2.circle(image, (200, 150), 13, (60, 60, 60), -1)
    noise = np.random.default_rng(2).normal(0, 8, image.shape)
    assert not is_plain(np.clip(image + noise, 0, 255).astype(np.uint8), inner(200, 150))


def test_a_red_pip_shows_a_face_though_it_is_as_light_as_the_card() -> None:
    image = np.full((300, 400, 3), 90, np.uint8)
    cv2.circle(image, (200, 150), 13, (60, 60, 180), -1)
    assert not is_plain(image, inner(200, 150))


def test_a_pale_back_that_was_overlooked_at_first_is_believed_when_it_is_read() -> None:
    table = Followed()
    assert table.show(seen(BACK, score=0.6), times=30, empty=True) == []
    assert table.show(seen(BACK, score=0.9), times=2, empty=True, backed=True) == [BACK]
    # Nobody laid it there: it lay there from the start.
    assert [spot.moving_ns for spot in table.tracks.spots()] == [0]


def test_a_back_in_whose_pattern_no_edges_are_found_lies_there_as_long_as_a_back_is_seen() -> None:
    table = Followed()
    table.show(seen(BACK), times=4)
    assert table.show(times=30, backed=True) == [BACK]
    assert table.show(times=6) == []


def test_a_back_glimpsed_under_a_hand_lies_there_though_its_pattern_is_taken_for_edges() -> None:
    table = Followed()
    assert table.show(seen(BACK), times=3, clear=False) == []
    across = seen(NOT_READ, (HERE[0] + 10, HERE[1] + 5), 0.5)
    assert table.show(across, backed=True, printed=True) == []
    assert table.show(times=4, backed=True) == [BACK]


def test_a_back_glimpsed_under_a_hand_is_gone_with_it_where_bare_table_shows() -> None:
    table = Followed()
    table.show(seen(BACK), times=3, clear=False)
    assert table.show(times=6) == []


def test_a_back_beside_which_another_one_shows_now_is_gone() -> None:
    table = Followed()
    table.show(seen(BACK), times=4)
    beside = seen(BACK, (HERE[0], HERE[1] + 16))
    table.show(beside, times=10, backed=True)
    assert [spot.at_mm for spot in table.tracks.spots()] == [beside.at_mm]


def test_noise_and_the_shadow_of_a_hand_on_an_empty_spot_show_no_face() -> None:
    image = spot_named("B.arr.4", 120).astype(float)
    image -= np.linspace(0, 90, 400)[None, :, None]
    noise = np.random.default_rng(2).normal(0, 8, image.shape)
    assert is_plain(np.clip(image + noise, 0, 255).astype(np.uint8), inner(200, 150))


FELT = (
    np.random.default_rng(3).normal((40, 35, 130), 4, (300, 400, 3)).clip(0, 255).astype(np.uint8)
)
AROUND = np.array([200, 150]) + np.array([[1, -1], [-1, -1], [-1, 1], [1, 1]]) * (
    63 + 2 * AROUND_MM,
    88 + 2 * AROUND_MM,
)


def framed(within: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A pale frame of a card's size on red felt, 2 px a mm, and what lies within it."""
    image = FELT.copy()
    image[62:238, 137:263] = within[62:238, 137:263]
    cv2.rectangle(image, (137, 62), (263, 238), (150, 150, 210), 3)
    return image


def test_the_pale_frame_of_a_spot_on_red_felt_is_no_back() -> None:
    named = FELT.copy()
    cv2.putText(named, "deck", (180, 154), 0, 0.5, (150, 150, 210), 1, cv2.LINE_AA)
    assert is_drawn(framed(named), AROUND)


def test_a_back_with_a_pale_border_on_felt_of_its_colour_is_one() -> None:
    lattice = FELT.copy()
    lattice[::8], lattice[:, ::8] = 220, 220
    assert not is_drawn(framed(lattice), AROUND)


def test_a_back_without_a_pattern_is_one_where_the_felt_is_of_another_colour() -> None:
    plain = np.full_like(FELT, 90)
    assert not is_drawn(framed(plain), AROUND)


def test_a_bare_spot_that_a_hand_leaves_shows_no_back_though_it_is_taken_for_one() -> None:
    assert not shows_back(1.0, framed(FELT), AROUND)
    lattice = FELT.copy()
    lattice[::8], lattice[:, ::8] = 220, 220
    assert [shows_back(share, framed(lattice), AROUND) for share in (1.0, 0.4)] == [True, False]


# stillness


def picture(paint: Callable[[NDArray[np.uint8]], None] | None = None) -> NDArray[np.uint8]:
    image = np.full((360, 640, 3), 90, np.uint8)
    if paint is not None:
        paint(image)
    return image


def card_at(x_px: int, y_px: int) -> Callable[[NDArray[np.uint8]], None]:
    def paint(image: NDArray[np.uint8]) -> None:
        cv2.rectangle(image, (x_px, y_px), (x_px + 60, y_px + 84), (235, 235, 235), -1)
        cv2.putText(image, "7H", (x_px + 4, y_px + 24), 0, 0.7, (20, 20, 20), 2)
        cv2.putText(image, "7H", (x_px + 24, y_px + 74), 0, 0.7, (20, 20, 20), 2)

    return paint


def test_what_is_new_is_read_when_it_lies_still_and_only_once() -> None:
    still = Stillness()
    for k in range(6):
        still.step(picture(), k * FRAME_NS)
    still.learn(Box(0, 0, 640, 360))
    assert still.begun
    assert still.fresh_boxes() == ()
    for k in range(6, 12):
        still.step(picture(card_at(200, 100)), k * FRAME_NS)
        if k == 6:
            assert still.fresh_boxes() == ()
    (box,) = still.fresh_boxes()
    assert box.x0_px <= 200 <= 260 <= box.x1_px
    still.learn(box)
    still.step(picture(card_at(200, 100)), 12 * FRAME_NS)
    assert still.fresh_boxes() == ()


def hand_at(x_px: int) -> Callable[[NDArray[np.uint8]], None]:
    def paint(image: NDArray[np.uint8]) -> None:
        card_at(200, 100)(image)
        cv2.rectangle(image, (x_px, 60), (x_px + 90, 359), (120, 150, 190), -1)

    return paint


def test_a_hand_that_rested_on_a_card_and_left_leaves_nothing_to_read() -> None:
    still = Stillness()
    shown = [card_at(200, 100)] * 6 + [hand_at(180)] * 8 + [card_at(200, 100)] * 8
    for k, paint in enumerate(shown):
        still.step(picture(paint), k * FRAME_NS)
        if k == 5:
            still.learn(Box(0, 0, 640, 360))
        if k == 13:
            hand = np.zeros((360, 640), np.uint8)
            hand[60:, 180:271] = 1
            assert still.is_fresh(Box(180, 60, 271, 360))
            still.learn(Box(0, 0, 640, 360), hand)
            assert still.fresh_boxes() == ()
            assert not still.looked_at(Box(200, 100, 260, 184), k * FRAME_NS)
    assert still.fresh_boxes() == ()
    assert still.looked_at(Box(200, 100, 260, 184), len(shown) * FRAME_NS)


def test_only_the_table_without_the_forearms_over_it_is_new() -> None:
    still = Stillness()
    table = np.array([[100.0, 60], [540, 60], [540, 300], [100, 300]])
    for k in range(6):
        still.step(picture(), k * FRAME_NS)
        still.only_in(table)
    still.learn(Box(100, 60, 541, 301))
    assert still.begun
    for k in range(6, 14):
        still.step(picture(hand_at(300)), k * FRAME_NS)
        still.only_in(table, hidden=[(np.array([[345.0, 360], [345, 60]]), 120.0)])
    (card,) = still.fresh_boxes()
    assert card.x1_px < 300


def test_what_lies_still_for_long_under_a_forearm_is_read_and_does_not_count_as_seen() -> None:
    still = Stillness()
    table = np.array([[0.0, 0], [640, 0], [640, 360], [0, 360]])
    forearm = [(np.array([[230.0, 360], [230, 60]]), 120.0)]
    for k in range(40):
        shown = picture() if k < 6 else picture(card_at(200, 100))
        still.step(np.asarray(shown, np.uint8), k * FRAME_NS)
        still.only_in(table, hidden=forearm if k >= 6 else ())
        if still.fresh_boxes() and k < 6:
            still.learn(Box(0, 0, 640, 360))
        if 8 < k < 18:
            assert still.fresh_boxes() == ()
    assert len(still.fresh_boxes()) == 1
    still.learn(Box(0, 0, 640, 360))
    assert still.fresh_boxes() == ()
    assert not still.looked_at(Box(200, 100, 260, 184), 40 * FRAME_NS)


def test_what_was_read_a_moment_ago_waits_for_its_turn() -> None:
    still, corner = Stillness(), Box(0, 0, 200, 200)
    still.step(picture(), FRAME_NS)
    assert not still.was_asked(corner)
    still.ask(corner)
    still.step(picture(), 2 * FRAME_NS)
    assert still.was_asked(corner)
    assert not still.was_asked(Box(200, 0, 400, 200))
    still.step(picture(), 20 * FRAME_NS)
    assert not still.was_asked(corner)


SPOT = Box(200, 100, 260, 184)


def paper(image: NDArray[np.uint8]) -> None:
    image[:] = 225
    cv2.rectangle(image, (196, 96), (264, 188), (120, 120, 120), 2)


def on_paper(x_px: int) -> Callable[[NDArray[np.uint8]], None]:
    def paint(image: NDArray[np.uint8]) -> None:
        paper(image)
        card_at(x_px, 100)(image)

    return paint


def seen_for(still: Stillness, image: NDArray[np.uint8], frames: int) -> None:
    for _ in range(frames):
        still.step(image, still.t_ns + FRAME_NS)
        still.learn(Box(0, 0, 640, 360))
        still.keep_empty(())


def test_a_printed_spot_over_which_a_hand_went_looks_empty_and_with_a_white_card_not() -> None:
    still = Stillness()
    seen_for(still, picture(paper), 50)
    seen_for(still, picture(on_paper(230)), 3)
    seen_for(still, picture(paper), 6)
    assert still.looks_empty(SPOT)
    seen_for(still, picture(on_paper(200)), 6)
    assert not still.looks_empty(SPOT)


def test_the_table_without_cards_is_known_where_none_lies() -> None:
    still = Stillness()
    corners = np.array([[200, 100], [260, 100], [260, 184], [200, 184]], np.float64)
    for _ in range(50):
        still.step(picture(card_at(200, 100)), still.t_ns + FRAME_NS)
        still.learn(Box(0, 0, 640, 360))
        still.keep_empty((corners,))
    down, across = np.array([140.5, 20.5]) / 360, np.array([230.5, 20.5]) / 640
    assert still.empty_levels(down, across).tolist() == [-1, 90]


def test_where_a_card_lay_from_the_beginning_nothing_is_known_of_the_table() -> None:
    still = Stillness()
    corners = np.array([[200, 100], [260, 100], [260, 184], [200, 184]], np.float64)
    image = picture(on_paper(200))
    for _ in range(50):
        still.step(image, still.t_ns + FRAME_NS)
        still.learn(Box(0, 0, 640, 360))
        still.keep_empty((corners,))
    assert not still.looks_empty(SPOT)


def test_a_brighter_lamp_is_nothing_new() -> None:
    still = Stillness()
    for k in range(8):
        still.step(picture(card_at(200, 100)), k * FRAME_NS)
    still.learn(Box(0, 0, 640, 360))
    for k in range(8, 30):
        still.step(cv2.add(picture(card_at(200, 100)), np.full_like(picture(), 9)), k * FRAME_NS)
    assert still.fresh_boxes() == ()


def test_a_gap_in_time_says_nothing_of_what_moved() -> None:
    still = Stillness()
    for k in range(8):
        still.step(picture(), k * FRAME_NS)
    still.step(picture(), 10_000 * MS)
    assert still.moved_ns(Box(0, 0, 640, 360)) == 10_000 * MS


def test_the_light_is_off() -> None:
    still = Stillness()
    still.step(np.zeros((360, 640, 3), np.uint8), 0)
    assert still.dark


def test_what_lies_in_a_black_part_of_the_picture_lies_there_as_before() -> None:
    still, place = Stillness(), Box(200, 100, 260, 184)
    seen_for(still, picture(card_at(200, 100)), 50)
    assert still.looked_at(place, still.t_ns)
    black = picture(card_at(200, 100))
    black[:, 150:400] = 0
    for _ in range(60):
        still.step(black, still.t_ns + FRAME_NS)
        assert still.is_black(place)
        # Nothing rests there, so that nothing is read, and no card is missed.
        assert still.resting_share(place) < 0.1
    for _ in range(6):
        still.step(picture(card_at(200, 100)), still.t_ns + FRAME_NS)
    assert not still.is_black(place)
    assert still.resting_share(place) == 1.0
    assert not still.is_fresh(place)


def test_a_black_sleeve_and_a_black_cloth_are_no_black_picture() -> None:
    sleeve, cloth = Stillness(), Stillness()
    seen_for(sleeve, picture(), 10)
    black = picture()
    black[:, 300:380] = 4
    sleeve.step(black, sleeve.t_ns + FRAME_NS)
    assert not sleeve.is_black(Box(300, 0, 380, 360))
    seen_for(cloth, np.full((360, 640, 3), 6, np.uint8), 10)
    assert not cloth.is_black(Box(0, 0, 640, 360))


def test_where_a_card_was_missed_and_something_without_a_name_shows_is_looked_at_again() -> None:
    table = Followed()
    table.show(seen("7H"), times=3)
    table.show(times=2, moved=True)
    table.show(seen("??"), moved=True)
    place = (HERE, 0.0)
    assert place in table.asked_after(200 * MS, moved_ns=table.t_ns)
    assert place not in table.asked_after(3_000 * MS, moved_ns=table.t_ns)
    table.show(seen("7H"))
    assert place not in table.asked_after(200 * MS, moved_ns=table.t_ns - 100 * MS)


UPON = (107.0, 93.0)


def test_a_card_on_which_a_hand_rests_and_that_it_takes_away_again_lay_there() -> None:
    table = Followed()
    table.show(seen("KS"), times=6)
    since_ns = table.t_ns + FRAME_NS
    held = seen("7H", UPON, 0.99)
    assert table.show(held, times=14, clear=False, moved_ns=since_ns) == ["KS"]
    assert table.show(seen("KS"), times=5) == ["7H", "KS"]
    (lay,) = (spot for spot in table.tracks.spots() if spot.label == "7H")
    assert lay.moving_ns < since_ns == lay.still_ns
    # It may have been held still over its place: nobody is accused for it.
    assert lay.conf < 0.9
    assert table.show(seen("KS"), times=5) == ["KS"]


@pytest.mark.parametrize("free", [False, True])
def test_a_card_laid_squarely_on_another_that_a_hand_takes_away_again_lay_there(free: bool) -> None:
    table = Followed()
    table.show(seen("9C"), times=6)
    # From one index 6C could be 9C misread: but a hand came in between.
    table.show(seen("6C"), times=14, clear=False, moved_ns=table.t_ns + 1)
    table.show(times=4, clear=False, moved_ns=table.t_ns)
    assert table.show(seen("9C"), times=3, free=free, moved_ns=table.t_ns) == ["6C", "9C"]


def test_one_index_read_otherwise_where_nothing_moved_is_an_error() -> None:
    table = Followed()
    table.show(seen("9C"), times=6)
    table.show(seen("6C"), times=14, clear=False)
    assert table.show(seen("9C"), times=6) == ["9C"]


@pytest.mark.parametrize(("bare", "told"), [(True, ["7H"]), (False, [])])
def test_a_card_that_a_hand_laid_on_the_table_and_takes_away_lay_there_if_the_table_shows(
    bare: bool, told: list[str]
) -> None:
    table = Followed()
    table.show(times=6)
    table.show(seen("7H", UPON), times=14, clear=False, moved_ns=table.t_ns)
    assert table.show(times=6, bare=bare) == told


def test_a_card_that_lies_there_when_the_hand_has_left_is_told_as_surely_as_any() -> None:
    table = Followed()
    table.show(seen("KS"), times=6)
    table.show(seen("7H", UPON, 0.99), times=14, clear=False, moved_ns=table.t_ns)
    table.show(seen("7H", UPON, 0.99), times=20)
    assert [spot.conf > 0.9 for spot in table.tracks.spots() if spot.label == "7H"] == [True]


@pytest.mark.parametrize("far_mm", [0.0, 40.0])
def test_a_card_that_a_hand_only_carries_over_a_pile_did_not_lie_there(far_mm: float) -> None:
    table = Followed()
    table.show(seen("KS"), times=6)
    # For a fifth of a second in one place, or for longer on its way.
    for k in range(14 if far_mm else 6):
        at_mm = (UPON[0] + far_mm * k / 14, UPON[1])
        assert table.show(seen("7H", at_mm, 0.99), clear=False, moved=True) == ["KS"]
    assert table.show(seen("KS"), times=5) == ["KS"]
