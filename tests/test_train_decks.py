"""The index of a card is found by its ink, in whichever corner it is printed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "models" / "train"))

from decks_card import finished, measure_cut
from decks_index import FOUR_CORNERS, Box, Corner, index_box, index_place, sign_box

HEIGHT_PX, WIDTH_PX = 720, 500
RANK = Box(0.05, 0.03, 0.13, 0.11)
PIP = Box(0.06, 0.13, 0.12, 0.17)
INDEX = Box(0.05, 0.03, 0.13, 0.17)


def inked(*boxes: Box) -> np.ndarray:
    mask = np.zeros((HEIGHT_PX, WIDTH_PX), np.uint8)
    for box in boxes:
        rows = slice(round(box.top * HEIGHT_PX), round(box.bottom * HEIGHT_PX))
        mask[rows, round(box.left * WIDTH_PX) : round(box.right * WIDTH_PX)] = 255
    return mask


def sides(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom


def seven() -> np.ndarray:
    return inked(RANK, PIP, Box(0.25, 0.1, 0.35, 0.2), Box(0.65, 0.1, 0.75, 0.2))


@pytest.mark.parametrize("corner", FOUR_CORNERS)
def test_index_is_found_in_every_corner(corner: Corner) -> None:
    card = corner.brought_to_top_left(seven())
    turned = corner.brought_to_top_left(card)
    place = index_place([turned] * 8)
    assert place is not None
    found = index_box(turned, place, wide_rank=False)
    assert found is not None
    assert sides(found) == pytest.approx(sides(INDEX), abs=0.003)
    expected_u = 0.91 if corner.right else 0.09
    assert found.mirrored(corner).centre_u == pytest.approx(expected_u, abs=0.003)
    assert corner.turn_deg == (180 if corner.bottom else 0)


def test_ten_takes_both_of_its_digits() -> None:
    place = index_place([seven()] * 8)
    assert place is not None
    ten = inked(Box(0.03, 0.03, 0.05, 0.11), Box(0.07, 0.03, 0.16, 0.11), PIP)
    found = index_box(ten, place, wide_rank=True)
    assert found is not None
    assert sides(found) == pytest.approx((0.03, 0.03, 0.16, 0.17), abs=0.003)


def test_a_pip_that_runs_into_the_picture_gives_no_box() -> None:
    place = index_place([seven()] * 8)
    assert place is not None
    assert index_box(inked(RANK, Box(0.06, 0.13, 0.9, 0.9)), place, wide_rank=False) is None


def test_a_deck_without_corner_pips_has_no_place() -> None:
    assert index_place([inked(RANK)] * 8) is None


def test_a_joker_shows_only_what_lies_inside_its_window() -> None:
    star, cap = Box(0.05, 0.03, 0.15, 0.1), Box(0.1, 0.2, 0.8, 0.9)
    found = sign_box(inked(star, cap), Box(0.0, 0.0, 0.25, 0.18))
    assert found is not None
    assert sides(found) == pytest.approx(sides(star), abs=0.003)
    assert sign_box(inked(cap), Box(0.0, 0.0, 0.25, 0.18)) is None


def outlined_card() -> np.ndarray:
    card = np.full((HEIGHT_PX, WIDTH_PX, 4), 255, np.uint8)
    card[:8, :, :3] = card[-8:, :, :3] = card[:, :8, :3] = card[:, -8:, :3] = 0
    return card


def test_a_drawn_outline_is_cut_away() -> None:
    cut = measure_cut([outlined_card()] * 3)
    card = finished(outlined_card(), cut)
    assert card.min() == 255
    assert HEIGHT_PX - card.shape[0] == pytest.approx(2 * 10, abs=2)


def test_a_margin_of_nothing_is_cut_away() -> None:
    art = np.zeros((HEIGHT_PX + 20, WIDTH_PX + 12, 4), np.uint8)
    art[10:-10, 6:-6] = (250, 240, 220, 255)
    card = finished(art, measure_cut([art] * 3))
    assert card.shape == (HEIGHT_PX, WIDTH_PX, 3)
    assert (card == (250, 240, 220)).all()
