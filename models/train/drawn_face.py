"""Draw the faces of a deck: numbered cards, aces, courts and jokers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from drawn_art import illustration, ornament, petals
from drawn_canvas import Ink, Mask, Picture, blank, fill, oval, polyline, stamp_centred, turned
from drawn_court import court_figure
from drawn_fonts import rank_mask, word_mask
from drawn_index import (
    CornerIndex,
    IndexBox,
    clear_behind,
    joker_index,
    print_indices,
    rank_index,
    sign_of,
    star_mask,
)
from drawn_style import DeckStyle

RANKS = "A23456789TJQK"
SUITS = "CDHS"

# Pip rows of the usual pattern: (column -1..1, row -1..1), top row at -1.
_SIDES = {4: (-1.0, 1.0), 6: (-1.0, 0.0, 1.0), 8: (-1.0, -1 / 3, 1 / 3, 1.0)}
PIP_PLACES: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": tuple((side, row) for row in _SIDES[4] for side in (-1, 1)),
    "5": (*((side, row) for row in _SIDES[4] for side in (-1, 1)), (0, 0)),
    "6": tuple((side, row) for row in _SIDES[6] for side in (-1, 1)),
    "7": (*((side, row) for row in _SIDES[6] for side in (-1, 1)), (0, -0.5)),
    "8": (*((side, row) for row in _SIDES[6] for side in (-1, 1)), (0, -0.5), (0, 0.5)),
    "9": (*((side, row) for row in _SIDES[8] for side in (-1, 1)), (0, 0)),
    "T": (*((side, row) for row in _SIDES[8] for side in (-1, 1)), (0, -2 / 3), (0, 2 / 3)),
}

# Share of the card's width that an index may take before no pip pattern fits beside it.
WIDEST_INDEX = 0.34

BRANDS = ("NORTHGATE", "RIVERSIDE CARDS", "No. 88 CLUB", "ROYAL OAK", "HARBOUR", "GRAND CASINO",
          "OLD MILL", "LINEN FINISH", "BLUE HERON", "CASTLE & SONS")  # fmt: skip


@dataclass(frozen=True)
class Face:
    """One drawn face: picture (height_px, width_px, 3) BGR uint8 and its indices."""

    picture: Picture
    indices: tuple[IndexBox, ...]


def draw_face(
    style: DeckStyle, rng: np.random.Generator, rank: str, suit: str, art_seed: int
) -> Face:
    """Draw the face of a numbered or court card; `art_seed` is the deck's own background."""
    picture = _ground(style, rng, art_seed)
    corner = rank_index(style, rank, suit)
    if rank in "JQK":
        picture = _court(style, rng, picture, corner, rank, suit)
    elif rank == "A":
        _ace(style, rng, picture, corner, suit)
    else:
        picture = _numbered(style, picture, corner, rank, suit)
    _frame_line(style, picture)
    return Face(*print_indices(picture, style, corner, style.inks[suit]))


def _ground(style: DeckStyle, rng: np.random.Generator, art_seed: int) -> Picture:
    """Bare stock, or the deck's art, full or faded towards the stock's colour."""
    bare = blank(style.height_px, style.width_px, style.paper)
    if style.art == "none":
        return bare
    source = np.random.default_rng(art_seed) if art_seed % 2 else rng
    picture = illustration(source, style.height_px, style.width_px)
    cover = 0.72 if style.art == "faded" else (0.1 if style.index.plate else 0.5)
    return cv2.addWeighted(bare, cover, picture, 1 - cover, 0).astype(np.uint8)


def _frame_line(style: DeckStyle, picture: Picture) -> None:
    """Draw the fine line round the card that some decks have."""
    if style.frame is None:
        return
    inset_px = round(0.5 * style.index.margin_x * style.width_px)
    corner = style.width_px - 1 - inset_px, style.height_px - 1 - inset_px
    cv2.rectangle(picture, (inset_px, inset_px), corner, style.frame.colour, 1, cv2.LINE_AA)


def _free_left_px(style: DeckStyle, corner: CornerIndex) -> float:
    """Where the middle of the card may begin, right of the index."""
    return float(corner.x_px + corner.mask.shape[1] + 0.02 * style.width_px)


def _numbered(
    style: DeckStyle, picture: Picture, corner: CornerIndex, rank: str, suit: str
) -> Picture:
    """Draw the middle of a numbered card; beside a very wide index only one pip fits."""
    middle = style.width_px / 2, style.height_px / 2
    ink, pip = style.inks[suit], style.pips[suit]
    wide = _free_left_px(style, corner) > WIDEST_INDEX * style.width_px
    if style.middle == "one_big" or (wide and style.middle != "none"):
        pip_px = _lone_pip_px(style, suit, corner, 0.34)
        stamp_centred(picture, pip.at(pip_px), *middle, ink)
    elif style.middle == "big_rank":
        body = rank_mask(style.index.font, sign_of(style, rank), 0.3 * style.height_px, 0.8, 0.05)
        stamp_centred(picture, body, *middle, ink)
    elif style.middle in ("standard", "small"):
        picture = _pip_pattern(style, picture, corner, rank, suit)
    return picture


def _lone_pip_px(style: DeckStyle, suit: str, corner: CornerIndex, share: float) -> float:
    """Height of one pip in the middle that stays clear of a tall index."""
    height_px, width_share = share * style.height_px, style.pips[suit].width_share
    if corner.y_px + corner.mask.shape[0] < style.height_px / 2 - height_px / 2:
        return height_px
    free_px = style.width_px / 2 - _free_left_px(style, corner)
    return float(np.clip(2 * free_px / width_share, 0.08 * style.height_px, height_px))


def _pip_pattern(
    style: DeckStyle, picture: Picture, corner: CornerIndex, rank: str, suit: str
) -> Picture:
    """Draw the usual two or three columns of pips, the lower half upside down."""
    pip_px = style.middle_pip * style.height_px * (0.6 if style.middle == "small" else 1.0)
    free_px = style.width_px / 2 - _free_left_px(style, corner)
    pip_px = min(pip_px, free_px * 0.8 / style.pips[suit].width_share)
    pip = style.pips[suit].at(pip_px)
    reach_x = min(free_px - pip.shape[1] / 2, style.pip_columns * style.width_px)
    reach_x = max(reach_x, pip.shape[1] * 0.62)
    reach_y = style.height_px * 0.5 - 0.075 * style.height_px - pip_px / 2
    for lower in (False, True):
        for column, row in PIP_PLACES[rank]:
            if (row > 0.01) != lower:
                continue
            x, y = style.width_px / 2 + column * reach_x, style.height_px / 2 + row * reach_y
            if lower:
                x, y = style.width_px - x, style.height_px - y
            stamp_centred(picture, pip, x, y, style.inks[suit])
        picture = turned(picture)
    return picture


def _ace(
    style: DeckStyle, rng: np.random.Generator, picture: Picture, corner: CornerIndex, suit: str
) -> None:
    """One large pip; ornate, with a brand, on most aces of spades."""
    ink = style.inks[suit]
    middle_x, middle_y = style.width_px / 2, style.height_px / 2
    ornate = style.ornate_ace and (suit == "S" or rng.random() < 0.25)
    share = float(rng.uniform(0.36, 0.5)) if ornate else float(rng.uniform(0.17, 0.3))
    pip_px = _lone_pip_px(style, suit, corner, share)
    pip_px = min(pip_px, 0.6 * style.width_px / style.pips[suit].width_share)
    stamp_centred(picture, style.pips[suit].at(pip_px), middle_x, middle_y, ink)
    if not ornate:
        return
    inner = Ink(style.paper)
    stamp_centred(picture, style.pips[suit].at(pip_px * 0.8), middle_x, middle_y, inner)
    stamp_centred(picture, style.pips[suit].at(pip_px * 0.7), middle_x, middle_y, ink)
    petals(picture, middle_x, middle_y, pip_px * 0.17, int(rng.integers(5, 12)),
           style.paper, ink.colour)  # fmt: skip
    brand = BRANDS[int(rng.integers(len(BRANDS)))]
    words = word_mask(style.index.font, brand, 0.022 * style.height_px)
    stamp_centred(picture, words, middle_x, middle_y + 0.6 * pip_px, ink)


def _court(
    style: DeckStyle,
    rng: np.random.Generator,
    picture: Picture,
    corner: CornerIndex,
    rank: str,
    suit: str,
) -> Picture:
    """Draw a court card's middle, in a frame or free."""
    ink, middle = style.inks[suit], (style.width_px / 2, style.height_px / 2)
    if style.courts == "letter":
        body = rank_mask(style.index.font, rank, 0.4 * style.height_px, 0.9, 0)
        stamp_centred(picture, body, *middle, ink)
        return picture
    if style.courts == "big_pip":
        stamp_centred(picture, style.pips[suit].at(0.4 * style.height_px), *middle, ink)
        return picture
    left = round(min(_free_left_px(style, corner), 0.2 * style.width_px))
    top = round(float(np.clip(0.6 * left, 0.06 * style.height_px, 0.12 * style.height_px)))
    size = style.height_px - 2 * top, style.width_px - 2 * left
    panel = _court_panel(style, rng, rank, *size)
    ground = picture.copy()
    picture[top : top + size[0], left : left + size[1]] = panel
    frame_corner = style.width_px - left - 1, style.height_px - top - 1
    cv2.rectangle(picture, (left, top), frame_corner, style.court_palette[0], 1, cv2.LINE_AA)
    picture = clear_behind(picture, ground, style, corner)
    _court_frame(style, picture, corner, left, top, suit)
    return picture


def _court_panel(
    style: DeckStyle, rng: np.random.Generator, rank: str, height_px: int, width_px: int
) -> Picture:
    """Draw what stands inside a court's frame."""
    if style.courts == "figure":
        return court_figure(rng, rank, height_px, width_px, style.court_palette, style.paper)
    if style.courts == "ornament":
        half = ornament(rng, height_px, width_px, style.court_palette)
        half[height_px - height_px // 2 :] = turned(half[: height_px // 2])
        return half
    return illustration(rng, height_px, width_px)


def _court_frame(
    style: DeckStyle, picture: Picture, corner: CornerIndex, left: int, top: int, suit: str
) -> None:
    """Draw the suit's pips in a court's frame, and a step round an index that cuts it."""
    right, bottom = style.width_px - left - 1, style.height_px - top - 1
    clear_px = style.width_px * 0.02
    cut_x, cut_y = float(left), float(top)
    if corner.x_px + corner.mask.shape[1] + clear_px >= left:
        if style.index.corners == 4:
            return
        cut_x = corner.x_px + corner.mask.shape[1] + clear_px
        cut_y = corner.y_px + corner.mask.shape[0] + clear_px
        step = np.array([(left, cut_y), (cut_x, cut_y), (cut_x, top)])
        for points in (step, np.array([left + right, top + bottom]) - step):
            polyline(picture, points, style.court_palette[0])
    pip_px = min(0.11 * style.height_px, (right - left) * 0.2)
    pip = style.pips[suit].at(pip_px)
    x, y = cut_x + pip.shape[1] * 0.75, top + pip_px * 0.75
    stamp_centred(picture, pip, x, y, style.inks[suit])
    stamp_centred(picture, turned(pip), style.width_px - x, style.height_px - y, style.inks[suit])


def draw_joker(
    style: DeckStyle, rng: np.random.Generator, number: int, form: str, art_seed: int
) -> Face:
    """Draw a joker: `number` 1 in the black suits' ink, 2 in the red suits'."""
    ink = style.inks["S" if number == 1 else "H"]
    picture = _ground(style, rng, art_seed)
    star = star_mask(int(rng.integers(5, 9)), float(rng.uniform(0.38, 0.6)))
    ground = picture.copy()
    _jester(style, rng, picture, ink, star)
    corner = joker_index(style, form, star)
    if corner is not None:
        picture = clear_behind(picture, ground, style, corner)
    _frame_line(style, picture)
    if corner is None:
        return Face(picture, ())
    return Face(*print_indices(picture, style, corner, ink))


def _jester(
    style: DeckStyle, rng: np.random.Generator, picture: Picture, ink: Ink, star: Mask
) -> None:
    """Draw a coloured fool, a star or a lone word in the middle of a joker."""
    middle_x, middle_y = style.width_px / 2, style.height_px / 2
    kind = int(rng.integers(4))
    if kind == 0:
        stamp_centred(picture, cv2.resize(star, None, fx=1.1, fy=1.1).astype(np.uint8),
                      middle_x, middle_y, ink)  # fmt: skip
        return
    if kind == 1:
        height_px, width_px = round(0.6 * style.height_px), round(0.55 * style.width_px)
        left, top = round(middle_x - width_px / 2), round(middle_y - height_px / 2)
        panel = ornament(rng, height_px, width_px, style.court_palette)
        picture[top : top + height_px, left : left + width_px] = panel
        return
    unit = 0.16 * style.height_px
    colours = style.court_palette
    for side, colour in ((-1, colours[1]), (1, colours[2 if kind == 2 else 3])):
        horn = np.array([(0, -0.4), (side * 0.5, -1.3), (side * 1.5, -1.0), (side * 0.8, 0.0)])
        coat = np.array(
            [(0, 0.6), (side * 0.9, 0.8), (side * 1.1, 2.2), (side * 0.2, 1.9), (0, 2.3)]
        )
        for shape in (horn, coat):
            placed = shape * unit + np.array([middle_x, middle_y - 0.3 * unit])
            fill(picture, placed, colour)
            polyline(picture, placed, colours[0], 1, True)
        bell = oval(middle_x + side * 1.5 * unit, middle_y - 1.3 * unit, 0.14 * unit, 0.14 * unit)
        fill(picture, bell, colours[0])
    face = oval(middle_x, middle_y, 0.55 * unit, 0.75 * unit)
    fill(picture, face, colours[-1])
    polyline(picture, face, colours[0], 1, True)
    for side in (-1, 1):
        fill(
            picture,
            oval(middle_x + side * 0.2 * unit, middle_y, 0.06 * unit, 0.06 * unit),
            colours[0],
        )
    smile = np.array([(-0.25, 0.25), (0, 0.4), (0.25, 0.25)]) * unit + np.array(
        [middle_x, middle_y]
    )
    polyline(picture, smile, colours[0], 2)
