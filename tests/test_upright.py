"""Tests of what is cut out of a picture to be read: indices, whole faces and pips, upright."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee import app
from referee.simulate.cards import DeckStyle, draw_card
from referee.vision.networks import FACE_PX, FACE_REACH_PX, PIP_PX, RANKS, Networks
from referee.vision.peaks import Indices
from referee.vision.pips import pips_of, shared, uncovered_px
from referee.vision.pyramid import levels
from referee.vision.upright import upright_faces, upright_indices

SIDE_PX = 480
# Where the index is on a card, from its middle, in shares of its half width and half height.
INDEX = np.array([-0.8, -0.78])


def laid(height_px: int, angle_deg: float, label: str = "7H") -> tuple[np.ndarray, Indices]:
    """A picture of one card in the middle of a cloth, and where its index is."""
    card = draw_card(label, height_px, DeckStyle())
    height, width = card.shape[:2]
    middle = np.array([SIDE_PX / 2, SIDE_PX / 2])
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -angle_deg, 1.0)
    turn[:, 2] += middle - (width / 2, height / 2)
    cloth = np.full((SIDE_PX, SIDE_PX, 3), (60, 90, 40), np.uint8)
    picture = cv2.warpAffine(
        card, turn, (SIDE_PX, SIDE_PX), dst=cloth, borderMode=cv2.BORDER_TRANSPARENT
    )
    at = turn[:, :2] @ (INDEX * (width / 2, height / 2)) + middle
    down = turn[:, :2] @ (0.0, 0.08 * height)
    found = Indices(at[None], down[None], middle[None], np.ones(1), np.zeros((1, 0)))
    return picture, found


@pytest.mark.parametrize("angle_deg", [0.0, 33.0, 90.0, 180.0, 290.0])
@pytest.mark.parametrize("height_px", [90, 220, 380])
def test_a_face_stands_upright_however_the_card_lies(height_px: int, angle_deg: float) -> None:
    straight, turned = (
        upright_faces(levels(picture), found)[0].astype(float)
        for picture, found in (laid(220, 0.0), laid(height_px, angle_deg))
    )
    assert straight.shape == (*FACE_PX, 3)
    # The edges of pips and the corners' curves are a pixel wide.
    assert np.abs(cv2.blur(straight - turned, (5, 5))).mean() < 8.0


def test_a_face_shows_its_pips_and_none_of_its_indices() -> None:
    picture, found = laid(220, 70.0)
    face = upright_faces(levels(picture), found)[0].astype(int)
    rows, columns = FACE_PX
    reach = INDEX * (0.714, 1.0)
    right, below = np.abs(reach / np.hypot(*reach) * FACE_REACH_PX)
    for x, y in ((-right, -below), (right, below)):
        row, column = int(y + rows / 2), int(x + columns / 2)
        index = face[row - 6 : row + 6, column - 4 : column + 4]
        assert (index == index[0, 0]).all()
    red = face[..., 2] - face[..., 1]
    assert (red[20:-20, 20:-20] > 60).mean() > 0.05, "the pips of a heart are red"


def test_no_indices_give_no_crops() -> None:
    none = Indices(np.zeros((0, 2)), *(np.zeros((0, 2)),) * 2, np.zeros(0), np.zeros((0, 0)))
    pyramid = levels(np.zeros((200, 200, 3), np.uint8))
    assert upright_faces(pyramid, none).shape == (0, *FACE_PX, 3)
    assert len(upright_indices(pyramid, none)) == 0


def test_a_card_half_out_of_the_picture_is_no_fault() -> None:
    picture, found = laid(220, 0.0)
    beyond = Indices(found.at, found.axis, found.middle - SIDE_PX, found.heat, found.logits)
    assert upright_faces(levels(picture), beyond).shape == (1, *FACE_PX, 3)


@pytest.mark.parametrize("rank", "A23456789TJQK")
def test_pips_are_looked_for_where_a_card_of_that_rank_has_them(rank: str) -> None:
    picture, found = laid(220, 20.0, f"{rank}S")
    pips, whose = pips_of(upright_faces(levels(picture), found), [RANKS.index(rank)])
    assert pips.shape[1:] == (PIP_PX, PIP_PX, 3)
    assert set(whose) == {0}
    if rank in "A23456789T":
        assert len(pips) == "A23456789T".index(rank) + 1
        assert all((pip[5:-5, 5:-5].max(axis=2) < 90).mean() > 0.15 for pip in pips)


@pytest.mark.parametrize("angle_deg", [0.0, 70.0, 200.0])
@pytest.mark.parametrize(
    ("label", "spade"), [("4C", False), ("8C", False), ("9S", True), ("TS", True)]
)
def test_pips_tell_clubs_from_spades(label: str, spade: bool, angle_deg: float) -> None:
    picture, found = laid(110, angle_deg, label)
    pips, _ = pips_of(upright_faces(levels(picture), found), [RANKS.index(label[0])])
    odds = Networks(app.models_dir(None), 1).spades(pips).sum()
    assert (odds > 2.0) if spade else (odds < -2.0)


@pytest.mark.parametrize("off_px", [(0.0, 0.0), (9.0, -6.0), (-6.0, 9.0)])
@pytest.mark.parametrize(("label", "spade"), [("AC", False), ("AS", True)])
def test_the_pip_of_an_ace_is_found_though_its_middle_is_not(
    label: str, spade: bool, off_px: tuple[float, float]
) -> None:
    picture, found = laid(110, 20.0, label)
    aside = Indices(found.at, found.axis, found.middle + off_px, found.heat, found.logits)
    pips, _ = pips_of(upright_faces(levels(picture), aside), [0])
    dark = pips[0].max(axis=2) < 110
    assert 0.15 < dark[3:-3, 3:-3].mean() < 0.8
    assert dark[:2].mean() < 0.2
    assert dark[-2:].mean() < 0.2
    odds = Networks(app.models_dir(None), 1).spades(pips).sum()
    assert (odds > 2.0) if spade else (odds < -2.0)


def in_a_column(*signs: str, step_px: float = 30.0) -> Indices:
    """The indices of cards that lie one a step below the other, each on the one before."""
    _, found = laid(220, 0.0)
    down = step_px * np.array([[0.0, k] for k in range(len(signs))])
    n = len(signs)
    return Indices(
        found.at + down, np.repeat(found.axis, n, axis=0), found.middle + down, np.ones(n),
        np.zeros((n, 0)),
    )  # fmt: skip


def test_where_another_card_lies_on_a_face_its_pips_are_that_one_s() -> None:
    signs = np.array([RANKS.index(sign) for sign in "765"])
    ends = uncovered_px(in_a_column(*"765"), signs)
    assert ends[2] == np.inf, "on the last one nothing lies"
    shown = [pips_of(np.zeros((1, *FACE_PX, 3), np.uint8), [6], ends[k : k + 1])[0] for k in (0, 2)]
    assert [len(pips) for pips in shown] == [2, 7]


def test_a_card_s_own_second_index_ends_nothing() -> None:
    _, found = laid(220, 0.0)
    both = Indices(
        np.concatenate([found.at, 2 * found.middle - found.at]),
        np.concatenate([found.axis, -found.axis]),
        np.repeat(found.middle, 2, axis=0), np.ones(2), np.zeros((2, 0)),
    )  # fmt: skip
    assert np.isinf(uncovered_px(both, np.array([6, 6]))).all()


def test_an_index_whose_card_is_guessed_on_its_wrong_side_hears_from_the_other_ones() -> None:
    _, found = laid(220, 0.0)
    across = 2 * (found.middle - found.at) * (1.0, 0.0)
    four = Indices(
        np.concatenate([found.at, found.at + across, found.at - 2 * across]),
        np.repeat(found.axis, 3, axis=0),
        np.concatenate([found.middle, found.middle + across, found.middle - 2 * across]),
        np.ones(3), np.zeros((3, 0)),
    )  # fmt: skip
    told = np.array([-4.0, 0.1, 0.2], np.float32)
    signs = np.array([0, 0, 0])
    assert shared(told, 0.5, four, signs).tolist() == pytest.approx([-4.0, -4.0, 0.2])
    assert shared(told, 0.5, four, np.array([0, 5, 0])).tolist() == pytest.approx([-4.0, 0.1, 0.2])
