"""The product's own deck: every card is printed, readable apart, and where its index boxes say."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.simulate.backs import DESIGNS
from referee.simulate.cards import (
    POKER_DECK,
    XIX_DECK,
    DeckStyle,
    IndexBox,
    deck_styles,
    draw_back,
    draw_card,
    index_boxes,
    known_labels,
)

STYLES = (
    DeckStyle(),
    DeckStyle(indices=4),
    DeckStyle(jumbo=True),
    DeckStyle(jumbo=True, indices=4, four_colours=True),
)


def ink(card: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where a card is printed: clearly darker or more coloured than its paper."""
    return np.asarray(card.min(axis=2) < 200)


def corner(card: NDArray[np.uint8], box: IndexBox, margin: float = 0.0) -> NDArray[np.uint8]:
    height, width = card.shape[:2]
    left, right = (box.u - box.w / 2 - margin) * width, (box.u + box.w / 2 + margin) * width
    top, bottom = (box.v - box.h / 2 - margin) * height, (box.v + box.h / 2 + margin) * height
    return card[max(round(top), 0) : round(bottom), max(round(left), 0) : round(right)]


def test_a_poker_deck_has_52_cards_and_xix_18() -> None:
    assert len(set(POKER_DECK)) == 52
    assert len(XIX_DECK) == 18
    assert len(set(known_labels())) == 52 + 2 + 18


def test_every_card_is_drawn_at_the_asked_height_with_poker_aspect() -> None:
    for label in known_labels():
        card = draw_card(label, 140, DeckStyle())
        assert card.shape == (140, 100, 3)
        assert card.dtype == np.uint8


def test_a_bridge_deck_is_narrower() -> None:
    bridge = DeckStyle(width_mm=57.0, height_mm=89.0)
    assert draw_card("AS", 280, bridge).shape == (280, 179, 3)
    assert draw_back("red lattice", 280, bridge).shape == (280, 179, 3)


def test_no_two_cards_look_alike() -> None:
    faces = {label: draw_card(label, 140, DeckStyle()).astype(int) for label in known_labels()}
    for a, b in itertools.combinations(faces, 2):
        changed = np.abs(faces[a] - faces[b]).max(axis=2) > 60
        assert changed.sum() > 60, f"{a} and {b} differ in {changed.sum()} pixels"


def test_the_indices_alone_tell_all_cards_apart() -> None:
    for style in STYLES:
        corners = {}
        for label in POKER_DECK:
            piece = corner(draw_card(label, 280, style), index_boxes(label, style)[0])
            corners[label] = cv2.resize(piece, (24, 48), interpolation=cv2.INTER_AREA).astype(int)
        for a, b in itertools.combinations(corners, 2):
            assert np.abs(corners[a] - corners[b]).mean() > 4.0, (a, b, style)


@pytest.mark.parametrize("style", STYLES)
def test_index_boxes_hug_the_printed_index(style: DeckStyle) -> None:
    # Every rank, every suit and every kind of card, once each.
    for label in (*POKER_DECK[39:], "8C", "JD", "AH", "X1", "6", "18"):
        card = draw_card(label, 560, style)
        for box in index_boxes(label, style):
            height, width = card.shape[:2]
            left, right = round((box.u - box.w / 2) * width), round((box.u + box.w / 2) * width)
            top, bottom = round((box.v - box.h / 2) * height), round((box.v + box.h / 2) * height)
            printed = ink(card)[top - 3 : bottom + 3, left - 3 : right + 3]
            rows, columns = np.nonzero(printed.any(axis=1))[0], np.nonzero(printed.any(axis=0))[0]
            assert abs(int(rows[0]) - 3) <= 2, label
            assert abs(int(rows[-1]) - (printed.shape[0] - 4)) <= 2, label
            assert abs(int(columns[0]) - 3) <= 2, label
            assert abs(int(columns[-1]) - (printed.shape[1] - 4)) <= 2, label


def test_two_indices_stand_opposite_each_other_and_four_in_all_corners() -> None:
    upright, turned = index_boxes("7H", DeckStyle())
    assert (turned.u, turned.v) == pytest.approx((1 - upright.u, 1 - upright.v))
    assert (upright.turn_deg, turned.turn_deg) == (0.0, 180.0)
    four = index_boxes("7H", DeckStyle(indices=4))
    assert sorted((box.u < 0.5, box.v < 0.5) for box in four) == [
        (False, False), (False, True), (True, False), (True, True),
    ]  # fmt: skip


def test_jumbo_indices_are_larger() -> None:
    for label in POKER_DECK:
        plain, jumbo = (index_boxes(label, DeckStyle(jumbo=j))[0] for j in (False, True))
        assert jumbo.h > 1.5 * plain.h


def test_court_cards_look_the_same_from_both_sides() -> None:
    for label in (rank + suit for rank in "JQK" for suit in "CDHS"):
        card = draw_card(label, 560, DeckStyle()).astype(int)
        assert np.mean(np.abs(card - card[::-1, ::-1]).max(axis=2) > 80) < 0.004


def test_hearts_and_diamonds_are_red_and_the_others_black() -> None:
    for label in POKER_DECK:
        piece = corner(draw_card(label, 560, DeckStyle()), index_boxes(label, DeckStyle())[0])
        blue, _, red = piece[ink(piece)].mean(axis=0)
        assert (red > blue + 80) == (label[1] in "DH"), label


def test_four_colours_tell_the_suits_apart_by_hue() -> None:
    style = DeckStyle(four_colours=True)
    means = []
    for suit in "CDHS":
        piece = corner(draw_card("8" + suit, 560, style), index_boxes("8" + suit, style)[0])
        means.append(piece[ink(piece)].mean(axis=0))
    for a, b in itertools.combinations(means, 2):
        assert np.abs(a - b).max() > 50


def test_a_number_card_carries_as_many_pips_as_its_rank() -> None:
    for label, count in (("2D", 2), ("5D", 5), ("7H", 7), ("9H", 9), ("TD", 10)):
        card = draw_card(label, 560, DeckStyle())
        printed = ink(card).astype(np.uint8)
        for box in index_boxes(label, DeckStyle()):
            corner(printed, box, 0.01)[:] = 0
        pieces, _ = cv2.connectedComponents(printed)
        assert pieces - 1 == count


def test_xix_six_and_nine_differ_whichever_way_they_lie() -> None:
    six, nine = (draw_card(label, 280, DeckStyle()).astype(int) for label in ("6", "9"))
    assert np.mean(np.abs(six[::-1, ::-1] - nine).max(axis=2) > 80) > 0.02


def test_backs_are_distinct_in_colour_or_pattern_even_when_small() -> None:
    assert len(DESIGNS) >= 8
    small = [cv2.resize(draw_back(back.name, 280), (25, 35), interpolation=cv2.INTER_AREA)
             for back in DESIGNS]  # fmt: skip
    means = [picture[6:-6, 5:-5].astype(float).mean(axis=(0, 1)) for picture in small]
    for (n, a), (m, b) in itertools.combinations(enumerate(means), 2):
        assert np.abs(a - b).max() > 20, (DESIGNS[n].name, DESIGNS[m].name)


def test_backs_look_the_same_turned_by_half() -> None:
    for back in DESIGNS:
        picture = draw_back(back.name, 280).astype(int)
        assert np.mean(np.abs(picture - picture[::-1, ::-1]).max(axis=2) > 100) < 0.03, back.name


def test_decks_on_one_table_have_different_backs() -> None:
    assert len({style.back for style in deck_styles(8)}) == 8
    with pytest.raises(ValueError, match="backs for 1 to"):
        deck_styles(len(DESIGNS) + 1)


@given(label=st.text(max_size=4))
@settings(deadline=None, max_examples=60)
def test_an_unknown_label_is_refused_in_one_line(label: str) -> None:
    if label in known_labels():
        return
    with pytest.raises(ValueError, match="no card is called") as refusal:
        draw_card(label, 140, DeckStyle())
    assert "\n" not in str(refusal.value)


@given(height_px=st.integers(16, 300), label=st.sampled_from(known_labels()))
@settings(deadline=None, max_examples=25)
def test_any_size_is_drawn_the_same_every_time(height_px: int, label: str) -> None:
    first, again = (draw_card(label, height_px, DeckStyle()) for _ in range(2))
    assert first.shape[0] == height_px
    assert np.array_equal(first, again)


@pytest.mark.parametrize("height_px", [0, -5, 15, 4001])
def test_an_impossible_size_is_refused(height_px: int) -> None:
    with pytest.raises(ValueError, match="px high"):
        draw_card("AS", height_px, DeckStyle())


def test_impossible_styles_are_refused() -> None:
    for wrong, message in (
        ({"back": "plaid"}, "there is no back"),
        ({"indices": 3}, "2 or 4 indices"),
        ({"width_mm": 90.0}, "upright"),
        ({"corner_radius_mm": 40.0}, "does not fit"),
    ):
        with pytest.raises(ValueError, match=message):
            DeckStyle(**wrong)  # type: ignore[arg-type]
