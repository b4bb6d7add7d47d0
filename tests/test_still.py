"""The bench of still tables: what it counts, and a clean table is believed as it lies."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from conftest import Ended

from referee.commands.benches.still import APART_MM, Counted, compared, laid_cards
from referee.simulate.truth import CardTruth, IndexTruth, Quad
from referee.table.layout import plan
from referee.table.view import TableView, usual_lens, view_of
from referee.values import CardRead

# One pixel is one millimetre.
VIEW: TableView = view_of((1000, 600), usual_lens((1000, 600)), np.eye(3))


def box(x: float, y: float, wide: float, tall: float) -> Quad:
    left, right, top, low = x - wide / 2, x + wide / 2, y - tall / 2, y + tall / 2
    return (left, top), (right, top), (right, low), (left, low)


def card(label: str, x: float, y: float, shown: float = 1.0, index_px: float = 16.0) -> CardTruth:
    index = IndexTruth((x - 26, y - 31), box(x - 26, y - 31, 8.0, index_px), shown)
    return CardTruth(label, label, 0, (x, y), box(x, y, 63, 88), 0.0, 1.0, False, (index,))


def said(label: str, x: float, y: float) -> CardRead:
    return CardRead(label, 0.99, (x, y), box(x, y, 63, 88), 0.0)


def counted(truth: Iterable[CardTruth], reads: Iterable[CardRead]) -> Counted:
    return compared(tuple(truth), tuple(reads), VIEW, None)


@pytest.mark.parametrize(
    ("reads", "right", "misplaced", "wrong"),
    [
        ([said("7H", 305, 198)], 1, 0, 0),
        ([said("7H", 350, 200)], 0, 1, 0),
        ([said("7D", 300, 200)], 0, 0, 1),
        ([said("7H", 700, 200)], 0, 0, 1),
        ([said("7H", 300, 200), said("QS", 320, 200)], 1, 0, 1),
        ([said("??", 300, 200), said("BACK", 300, 200)], 0, 0, 0),
        ([], 0, 0, 0),
    ],
)
def test_a_seven_is_read_misplaced_or_wrong(
    reads: list[CardRead], right: int, misplaced: int, wrong: int
) -> None:
    result = counted([card("7H", 300, 200)], reads)
    assert (result.cards, result.right, result.misplaced, result.wrong) == (
        1, right, misplaced, wrong,
    )  # fmt: skip


@pytest.mark.parametrize(("shown", "index_px"), [(0.8, 16.0), (1.0, 11.0)])
def test_covered_and_tiny_indices_need_not_be_read_but_count_if_wrong(
    shown: float, index_px: float
) -> None:
    hidden = card("7H", 300, 200, shown, index_px)
    assert counted([hidden], []).cards == 0
    assert counted([hidden], [said("7H", 300, 200)]).wrong == 0
    assert counted([hidden], [said("9H", 300, 200)]).wrong == 1


def test_groups_of_cards_leave_each_other_readable() -> None:
    table = plan("nerves", ("A", "B"))
    cards = laid_cards(table, 30, np.random.default_rng(3))
    assert 20 <= len(cards) <= 30
    assert len({(one.label, one.deck) for one in cards}) == len(cards)
    first = cards[0]
    beside = [one for one in cards if math.dist(one.centre_mm, first.centre_mm) < APART_MM]
    assert len(beside) <= 8


def test_a_clean_table_is_believed_as_it_lies(referee: Callable[..., Ended]) -> None:
    words = ("--tables", "1", "--cards", "6", "--size", "720p", "--strength", "0", "--threads", "1")
    done = referee("bench", "still", *words, "--json")
    result = json.loads(done.out)
    assert result["cards"] >= 2
    assert (result["right"], result["wrong"]) == (result["cards"], 0)
    assert result["right_share"] == 1.0
