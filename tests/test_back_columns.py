"""Backs in a column that the reader takes for one long back: which lies where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.values import PointMm
from referee.values.spots import BACK, CARD_H_MM, CARD_W_MM
from referee.vision import surface
from referee.vision.followed import CardLook, Ground
from referee.vision.gathering import SeenCard
from referee.vision.track import Tracks

FRAME_NS = 33_333_333
X = 100.0


class Column:
    """A column of backs with their middles at some heights, and what looks at it tell."""

    def __init__(self, *heights_mm: float) -> None:
        self.tracks, self.t_ns = Tracks(), FRAME_NS
        self.lie(*heights_mm)

    def lie(self, *heights_mm: float) -> None:
        """Let backs lie there from now on."""
        self.heights_mm = heights_mm

    def look(
        self,
        *read_mm: float,
        times: int = 1,
        hand_from_mm: float = 1e9,
        shown_to_mm: float = 1e9,
    ) -> list[float]:
        """Read backs with their middles at some heights; returns where backs are believed."""

        def kinds(points_mm: NDArray[np.float64]) -> NDArray[np.uint8]:
            return kinds_of(points_mm, self.heights_mm, hand_from_mm, shown_to_mm)

        def free(at_mm: PointMm, angle_deg: float) -> bool:
            return at_mm[1] + CARD_H_MM / 2 - 8.0 < hand_from_mm

        ground = Ground(free, free, lambda at_mm, angle_deg: 0, kinds=kinds)
        cards = tuple(SeenCard(BACK, 0.9, (X, mm), 0.0) for mm in read_mm)
        for _ in range(times):
            self.t_ns += FRAME_NS
            self.tracks.take(CardLook(self.t_ns, self.t_ns - FRAME_NS, cards, ground))
        return sorted(spot.at_mm[1] for spot in self.tracks.spots())

    def asked(self) -> list[tuple[PointMm, float, bool]]:
        """Return where is to be looked again, and whether at more around."""
        return list(self.tracks.doubtful(self.t_ns + 3 * FRAME_NS, at_no_time, at_no_time))


def at_no_time(at_mm: PointMm, angle_deg: float) -> int:
    return 0


def kinds_of(
    points_mm: NDArray[np.float64],
    heights_mm: Sequence[float],
    hand_from_mm: float,
    shown_to_mm: float,
) -> NDArray[np.uint8]:
    x, y = points_mm.T
    kinds = np.full(len(points_mm), surface.BARE, np.uint8)
    for height_mm in heights_mm:
        on = (np.abs(y - height_mm) < CARD_H_MM / 2) & (np.abs(x - X) < CARD_W_MM / 2)
        kinds[on] = surface.BACK
    kinds[y > hand_from_mm] = surface.HAND
    kinds[y > shown_to_mm] = surface.NOT_SHOWN
    return kinds


@pytest.mark.parametrize("step_mm", [-20.0, -12.0, 12.0, 20.0])
def test_a_back_laid_onto_another_is_seen_though_both_are_read_as_one(step_mm: float) -> None:
    table = Column(100.0)
    assert table.look(100.0, times=3) == [100.0]
    table.lie(100.0, 100.0 + step_mm)
    (last,) = table.look(100.0 + step_mm / 2, times=6)
    assert last == pytest.approx(100.0 + step_mm, abs=3.0)


def test_a_third_back_is_seen_where_the_column_ends_then() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    table.lie(100.0, 116.0)
    table.look(108.0, times=6)
    table.lie(100.0, 116.0, 132.0)
    (last,) = table.look(116.0, times=6)
    assert last == pytest.approx(132.0, abs=3.0)


def test_what_is_read_amid_a_column_is_its_last_back() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    table.lie(100.0, 124.0)
    (before,) = table.look(112.0, times=6)
    assert table.look(100.0, times=6, shown_to_mm=150.0) == [before]


def test_of_a_column_whose_last_back_was_taken_the_one_below_is_seen() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    table.lie(100.0, 124.0)
    table.look(112.0, times=6)
    table.lie(100.0)
    (left,) = table.look(100.0, times=8)
    assert left == pytest.approx(100.0, abs=3.0)


def test_a_hand_that_lies_above_a_back_is_no_column() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    assert table.look(106.0, times=6, hand_from_mm=146.0) == [100.0]


def test_a_pile_that_lies_beyond_a_back_is_no_column() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    table.lie(100.0, 189.0)
    assert table.look(100.0, 189.0, times=6) == pytest.approx([100.0, 189.0])


def test_where_the_end_of_a_column_was_not_seen_more_around_is_looked_at() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    assert table.asked() == []
    table.look(110.0, shown_to_mm=140.0)
    assert table.asked() == [((X, 100.0), 0.0, True)]
    table.look(110.0)
    assert table.asked() == []


def test_where_the_last_back_is_read_by_itself_it_lies_there() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    table.lie(100.0, 121.0)
    assert table.look(114.0, times=6) == [114.0]


def test_a_back_read_below_the_last_one_of_a_column_is_left_to_itself() -> None:
    table = Column(100.0)
    table.look(100.0, times=3)
    table.lie(100.0, 124.0)
    (last,) = table.look(112.0, times=6)
    assert table.look(last, 100.0, times=6) == [100.0, last]


def test_how_long_a_column_of_open_cards_shows_is_seen_though_only_the_last_is_read() -> None:
    def kinds(points_mm: NDArray[np.float64]) -> NDArray[np.uint8]:
        of_backs = kinds_of(points_mm, (100.0, 118.0), 1e9, 1e9)
        return np.where(of_backs == surface.BACK, surface.FACE, of_backs).astype(np.uint8)

    def free(at_mm: PointMm, angle_deg: float) -> bool:
        return True

    ground = Ground(free, free, lambda at_mm, angle_deg: 0, kinds=kinds)
    ace, tracks = SeenCard("AH", 0.99, (X, 100.0), 0.0), Tracks()
    for k in range(1, 5):
        tracks.take(CardLook(k * FRAME_NS, (k - 1) * FRAME_NS, (ace,), ground))
    (spot,) = tracks.spots()
    assert spot.reach_mm == pytest.approx((CARD_H_MM / 2 + 18.0, CARD_H_MM / 2), abs=2.0)
