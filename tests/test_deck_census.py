"""One deck on the table: what is surely one card is no other, and doubles that are sure remain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.deck_census import NAMES, once_each
from referee.vision.deck_profile import SUITED
from referee.vision.peaks import Indices

HALF_PX = 10.0
Guess = dict[str, float]


def seen(*cards: tuple[float, Guess]) -> list[tuple[str, float]]:
    """What is said of indices in a row, each x pixels from the left, guessed at by shares."""
    n = len(cards)
    at = np.array([(x, 0.0) for x, _ in cards]).reshape(n, 2)
    axis, zeros = np.tile([0.0, HALF_PX], (n, 1)), np.zeros((n, 0))
    indices = Indices(at, axis, at, np.ones(n), zeros)
    share = np.full((n, len(NAMES)), 1e-6)
    for row, (_, guess) in zip(share, cards, strict=True):
        for name, value in guess.items():
            row[NAMES.index(name)] = value
    share /= share.sum(axis=1, keepdims=True)
    told = np.exp(once_each(indices, np.log(share), np.ones(n)))
    assert np.allclose(told.sum(axis=1), 1.0)
    return [(NAMES[int(row.argmax())], float(row.max())) for row in told]


def test_a_blurred_three_is_the_eight_if_the_three_lies_elsewhere() -> None:
    blurred = {"3H": 0.6, "8H": 0.4}
    assert [name for name, _ in seen((0, blurred))] == ["3H"]
    told = seen((0, blurred), (500, {"3H": 0.99, "8H": 0.01}))
    assert [name for name, _ in told] == ["8H", "3H"]
    assert told[0][1] > 0.9
    assert told[1][1] > 0.98


def test_two_sure_sevens_are_both_said_and_less_surely() -> None:
    told = seen((0, {"7H": 0.9999}), (500, {"7H": 0.9999}))
    assert [name for name, _ in told] == ["7H", "7H"]
    assert all(0.9 < score < 0.9999 for _, score in told)


def test_both_indices_of_one_card_may_say_the_same() -> None:
    for (_, alone), (_, beside) in zip(
        seen((0, {"QS": 0.9, "QC": 0.1})) * 2,
        seen((0, {"QS": 0.9, "QC": 0.1}), (150, {"QS": 0.9, "QC": 0.1})),
        strict=True,
    ):
        assert abs(alone - beside) < 1e-6


def test_jokers_are_as_many_as_they_are() -> None:
    told = seen((0, {"JOKER": 0.8, "JS": 0.2}), (500, {"JOKER": 0.99}))
    name, score = told[0]
    assert name == "JOKER"
    assert score == pytest.approx(0.8, abs=1e-3)


def test_a_hidden_suit_is_not_guessed() -> None:
    at, axis = np.array([[0.0, 0.0], [500.0, 0.0]]), np.tile([0.0, HALF_PX], (2, 1))
    indices = Indices(at, axis, at, np.ones(2), np.zeros((2, 0)))
    share = np.full((2, len(NAMES)), 1e-9)
    share[:, NAMES.index("9S")] = 0.4  # and 0.6 that nobody can tell
    told = np.exp(once_each(indices, np.log(share), np.ones(2)))
    assert (told.max(axis=1) <= 0.4).all()


def test_an_empty_table_has_no_names() -> None:
    assert seen() == []


@given(
    st.lists(
        st.tuples(st.sampled_from(SUITED), st.floats(0.3, 0.999)),
        min_size=1, max_size=12, unique_by=lambda one: one[0],
    )
)  # fmt: skip
def test_different_cards_do_not_put_each_other_in_doubt(cards: list[tuple[str, float]]) -> None:
    told = seen(*((500.0 * k, {name: score}) for k, (name, score) in enumerate(cards)))
    for (name, _), (said, score) in zip(cards, told, strict=True):
        assert said == name
        assert score > 0.29
