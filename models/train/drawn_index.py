"""Set the corner indices of a card and say exactly where their ink lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drawn_canvas import Ink, Mask, Picture, blank, fill, outlined, resized, stamp, tight, turned
from drawn_fonts import rank_mask, word_mask
from drawn_style import DeckStyle

RANK_SIGNS = {"T": "10"}
# What stands on the courts and the ace in other languages, by the letter a rank goes by here.
# Marked N, L and Y: Kn, and the Cyrillic letters of the queen and the ace.
LANGUAGE_RANKS = {
    "english": {},
    "german": {"J": "B", "Q": "D"},
    "french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "dutch": {"J": "B", "Q": "V", "K": "H"},
    "swedish": {"J": "N", "Q": "D"},
    "russian": {"A": "Y", "J": "B", "Q": "L"},
}
LANGUAGE_SIGNS = {"N": "Kn", "L": "\u0414", "Y": "\u0422", "B": "B"}


def sign_of(style: DeckStyle, rank: str) -> str:
    """What a deck prints for a rank."""
    printed = LANGUAGE_RANKS[style.language].get(rank, rank)
    return LANGUAGE_SIGNS.get(printed, RANK_SIGNS.get(printed, printed))


@dataclass(frozen=True)
class IndexBox:
    """An index as fractions of the card: centre (u, v), width, height; its turn 0 or 180."""

    u: float
    v: float
    w: float
    h: float
    turn_deg: int


@dataclass(frozen=True)
class CornerIndex:
    """An index's mask and its place in the top left corner, all in px."""

    mask: Mask
    x_px: int
    y_px: int


def rank_index(style: DeckStyle, rank: str, suit: str) -> CornerIndex:
    """Return the index of a numbered or court card."""
    index = style.index
    height_px = index.height * style.height_px
    sign = sign_of(style, rank)
    rank_px = height_px * index.rank_share
    stretch = index.stretch * (index.ten_stretch if sign == "10" else 1.0)
    rank_body = rank_mask(index.font, sign, rank_px, stretch, index.ten_gap)
    rank_body = _narrowed(rank_body, style, sign)
    if index.outline and rank_px > 24:
        rank_body = outlined(rank_body, max(2, round(rank_px * 0.07)))
    if index.place == "right":
        mask = _beside(rank_body, style.pips[suit].at(rank_px * index.right_pip_share))
        return _in_corner(style, mask, left=True)
    rest_px = height_px - rank_px
    pip_px = rest_px / (1 + index.gap_share)
    pip = style.pips[suit].at(pip_px)
    widest_px = index.max_rank_width * 1.1 * style.width_px
    if pip.shape[1] > widest_px:
        pip = style.pips[suit].at(pip_px * widest_px / pip.shape[1])
    tail_px = rank_body.shape[0] - round(rank_px)
    gap_px = max(1, round(rank_px * index.gap_share * 0.8) - tail_px)
    return _in_corner(style, _stacked([rank_body, pip], gap_px), left=False)


def _narrowed(mask: Mask, style: DeckStyle, sign: str) -> Mask:
    """Return the rank squeezed to the index's column; a 10 may be somewhat wider than a letter."""
    widest_px = style.index.max_rank_width * style.width_px * (1.2 if sign == "10" else 1.0)
    return mask if mask.shape[1] <= widest_px else resized(mask, mask.shape[0], widest_px)


def _beside(rank_body: Mask, pip: Mask) -> Mask:
    """Pip to the right of the rank, both on one foot line."""
    gap_px = max(2, round(rank_body.shape[0] * 0.1))
    height_px = max(rank_body.shape[0], pip.shape[0])
    canvas = np.zeros((height_px, rank_body.shape[1] + gap_px + pip.shape[1]), np.uint8)
    canvas[: rank_body.shape[0], : rank_body.shape[1]] = rank_body
    foot_px = (rank_body.shape[0] + pip.shape[0]) // 2
    canvas[foot_px - pip.shape[0] : foot_px, -pip.shape[1] :] = pip
    return canvas


def _stacked(parts: list[Mask], gap_px: int) -> Mask:
    """Masks one under the other on a common middle line."""
    width_px = max(part.shape[1] for part in parts)
    height_px = sum(part.shape[0] for part in parts) + gap_px * (len(parts) - 1)
    canvas = np.zeros((height_px, width_px), np.uint8)
    y_px = 0
    for part in parts:
        x_px = (width_px - part.shape[1]) // 2
        canvas[y_px : y_px + part.shape[0], x_px : x_px + part.shape[1]] = part
        y_px += part.shape[0] + gap_px
    return canvas


def _in_corner(style: DeckStyle, mask: Mask, left: bool) -> CornerIndex:
    """Place an index: centred on the deck's index column, or flush left."""
    margin_px = style.index.margin_x * style.width_px
    if left:
        x_px = margin_px
    else:
        column_px = margin_px + 0.4 * style.index.max_rank_width * style.width_px
        line_px = 0.5 * margin_px + 3 if style.frame else 0.0
        x_px = max(column_px - mask.shape[1] / 2, 0.02 * style.width_px, line_px)
    return CornerIndex(mask, round(x_px), round(style.index.margin_y * style.height_px))


def joker_index(style: DeckStyle, form: str, star: Mask) -> CornerIndex | None:
    """Return a joker's corner sign in one of the forms, or None for a joker without one."""
    font, height_px = style.index.font, style.height_px
    letter_px = max(8.0, min(style.index.height * 0.42, 0.085) * height_px)
    if form == "stacked":
        letters = [word_mask(font, sign, letter_px * 0.75, style.index.stretch) for sign in "JOKER"]
        return _in_corner(style, _stacked(letters, max(1, round(letter_px * 0.15))), left=False)
    if form == "along":
        word = word_mask(font, "JOKER", letter_px * 0.8, style.index.stretch)
        return _in_corner(style, np.ascontiguousarray(np.rot90(word, -1)), left=True)
    if form == "across":
        return _in_corner(style, word_mask(font, "JOKER", letter_px * 0.6, 0.9), left=True)
    if form == "star":
        size_px = letter_px * 1.4
        return _in_corner(style, resized(star, size_px, size_px), left=False)
    if form == "letter":
        letter = word_mask(font, "J", style.index.height * 0.5 * height_px, style.index.stretch)
        small = resized(star, letter.shape[0] * 0.6, letter.shape[0] * 0.6)
        return _in_corner(style, _stacked([letter, small], 3), left=False)
    return None


def print_indices(
    picture: Picture, style: DeckStyle, corner: CornerIndex, ink: Ink
) -> tuple[Picture, tuple[IndexBox, ...]]:
    """Print an index into two or four corners; returns the picture and the boxes."""
    boxes: list[IndexBox] = []
    left, top, right, bottom = tight(corner.mask)
    width_px, height_px = style.width_px, style.height_px
    places = [corner.x_px]
    if style.index.corners == 4:
        places.append(width_px - corner.x_px - corner.mask.shape[1])
    for half_turn in (0, 180):
        for x_px in places:
            if style.index.plate:
                _print_plate(picture, style, corner, x_px)
            stamp(picture, corner.mask, x_px, corner.y_px, ink)
            u = (x_px + (left + right) / 2) / width_px
            v = (corner.y_px + (top + bottom) / 2) / height_px
            if half_turn:
                u, v = 1 - u, 1 - v
            size = (right - left) / width_px, (bottom - top) / height_px
            boxes.append(IndexBox(u, v, *size, half_turn))
        picture = turned(picture)
    return picture, tuple(boxes)


def _print_plate(picture: Picture, style: DeckStyle, corner: CornerIndex, x_px: int) -> None:
    """Return a patch of bare stock under an index that stands on art."""
    pad = round(0.02 * style.width_px)
    height_px, width_px = corner.mask.shape
    bottom, right = corner.y_px + height_px + pad, x_px + width_px + pad
    picture[max(0, corner.y_px - pad) : bottom, max(0, x_px - pad) : right] = style.paper


def clear_behind(
    picture: Picture, ground: Picture, style: DeckStyle, corner: CornerIndex
) -> Picture:
    """Put the bare ground back behind the indices: they cut into frame and figure."""
    pad = round(0.018 * style.width_px)
    bottom = corner.y_px + corner.mask.shape[0] + pad
    right = corner.x_px + corner.mask.shape[1] + pad
    wide = style.index.corners == 4
    for _ in range(2):
        picture[:bottom, :right] = ground[:bottom, :right]
        if wide:
            picture[:bottom, style.width_px - right :] = ground[:bottom, style.width_px - right :]
        picture, ground = turned(picture), turned(ground)
    return picture


def star_mask(points: int, inner: float) -> Mask:
    """Return a star of `points` rays, 120 px."""
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, 58.0, 58.0 * inner)
    star = np.stack([60 + radius * np.cos(angle), 60 + radius * np.sin(angle)], axis=1)
    canvas = blank(120, 120, (0, 0, 0))
    fill(canvas, star, (255, 255, 255))
    return np.ascontiguousarray(canvas[..., 0])
