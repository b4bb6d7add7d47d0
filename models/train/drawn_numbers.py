"""Draw decks of number cards, 1 to 18, as XIX is played with: printed or lettered by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from drawn_art import ornament, random_colour
from drawn_canvas import Ink, Mask, Picture, blank, stamp_centred
from drawn_face import Face
from drawn_fonts import rank_mask, word_mask
from drawn_index import CornerIndex, _in_corner, _stacked, print_indices
from drawn_style import DeckStyle

NUMBERS = tuple(str(number) for number in range(1, 19))
Mark = Literal["none", "line for 6 and 9", "line", "dot"]
MARKS: tuple[Mark, ...] = ("none", "line for 6 and 9", "line", "dot")
MARK_WEIGHTS = (0.35, 0.3, 0.2, 0.15)
Middle = Literal["number", "nothing", "ornament", "small number"]
MIDDLES: tuple[Middle, ...] = ("number", "nothing", "ornament", "small number")
MIDDLE_WEIGHTS = (0.5, 0.2, 0.15, 0.15)
LEAST_CONTRAST = 200  # of the sum of three colours
SHAKY_SHARE, COLOURED_SHARE = 0.25, 0.35
FRAMED_SHARE, SECOND_LINE_SHARE, FLUSH_LEFT_SHARE, OWN_SPACING_SHARE = 0.45, 0.5, 0.45, 0.5


@dataclass(frozen=True)
class Setting:
    """How a deck's numbers are set; `shaky` bends them as a pen does, in px at a height of 100.

    `frame` are the insets of lines round the card, over its width; `own_spacing` sets the digits of
    a number as far apart as the font does.
    """

    mark: Mark
    middle: Middle
    shaky: float
    frame: tuple[float, ...]
    flush_left: bool
    own_spacing: bool


def choose_setting(rng: np.random.Generator) -> Setting:
    """Choose one deck's way to set its numbers."""
    frame = _choose_frame(rng)
    return Setting(
        mark=MARKS[int(rng.choice(len(MARKS), p=MARK_WEIGHTS))],
        middle=MIDDLES[int(rng.choice(len(MIDDLES), p=MIDDLE_WEIGHTS))],
        shaky=float(rng.uniform(0.5, 2.5)) if rng.random() < SHAKY_SHARE else 0.0,
        frame=frame,
        flush_left=bool(frame) or bool(rng.random() < FLUSH_LEFT_SHARE),
        own_spacing=bool(rng.random() < OWN_SPACING_SHARE),
    )


def _choose_frame(rng: np.random.Generator) -> tuple[float, ...]:
    if rng.random() > FRAMED_SHARE:
        return ()
    first = float(rng.uniform(0.02, 0.06))
    second = first + float(rng.uniform(0.015, 0.035))
    return (first, second) if rng.random() < SECOND_LINE_SHARE else (first,)


def draw_numbers(style: DeckStyle, rng: np.random.Generator) -> dict[str, Face]:
    """Draw the faces 1 to 18 of one deck: one way to set them, its own inks."""
    setting = choose_setting(rng)
    style = _inside_the_frame(style, setting)
    coloured = rng.random() < COLOURED_SHARE
    ink = style.inks["S" if rng.random() < 0.7 else "H"]
    faces = {}
    for number in NUMBERS:
        own = _readable(style, rng) if coloured else ink
        faces[number] = _face(style, rng, number, own, setting)
    return faces


def _inside_the_frame(style: DeckStyle, setting: Setting) -> DeckStyle:
    """Move the corners' numbers within the lines."""
    if not setting.frame:
        return style
    inset = setting.frame[-1] + 0.015
    index = replace(
        style.index,
        margin_x=max(style.index.margin_x, inset),
        margin_y=max(style.index.margin_y, inset * style.width_px / style.height_px),
    )
    return replace(style, index=index)


def _readable(style: DeckStyle, rng: np.random.Generator) -> Ink:
    """A colour that stands out from the stock."""
    while True:
        colour = random_colour(rng)
        if abs(sum(colour) - sum(style.paper)) > LEAST_CONTRAST:
            return Ink(colour)


def _face(
    style: DeckStyle, rng: np.random.Generator, number: str, ink: Ink, setting: Setting
) -> Face:
    picture = blank(style.height_px, style.width_px, style.paper)
    _draw_frame(picture, setting, ink)
    centre = style.width_px / 2, style.height_px / 2
    if setting.middle == "ornament":
        size = round(0.45 * style.height_px), round(0.45 * style.width_px)
        panel = ornament(rng, *size, style.court_palette)
        y, x = round(centre[1] - size[0] / 2), round(centre[0] - size[1] / 2)
        picture[y : y + size[0], x : x + size[1]] = panel
    elif setting.middle != "nothing":
        share = 0.34 if setting.middle == "number" else 0.16
        body = _number(style, rng, number, share * style.height_px, setting)
        stamp_centred(picture, body, *centre, ink)
    return Face(*print_indices(picture, style, _corner(style, rng, number, setting), ink))


def _draw_frame(picture: Picture, setting: Setting, ink: Ink) -> None:
    height_px, width_px = picture.shape[:2]
    for inset in setting.frame:
        inset_px = round(inset * width_px)
        far = width_px - 1 - inset_px, height_px - 1 - inset_px
        cv2.rectangle(picture, (inset_px, inset_px), far, ink.colour, 2, cv2.LINE_AA)


def _corner(
    style: DeckStyle, rng: np.random.Generator, number: str, setting: Setting
) -> CornerIndex:
    height_px = style.index.height * style.height_px * (0.62 + 0.2 * (style.index.place == "right"))
    body = _number(style, rng, number, height_px, setting)
    mark = setting.mark
    if mark == "line" or (mark.startswith("line") and number in ("6", "9")):
        line = np.full((max(2, round(0.09 * height_px)), max(4, body.shape[1])), 255, np.uint8)
        body = _stacked([body, line], max(2, round(0.1 * height_px)))
    elif mark == "dot" and number in ("6", "9"):
        size = max(3, round(0.16 * height_px))
        dot = np.zeros((size, size), np.uint8)
        cv2.circle(dot, (size // 2, size // 2), size // 2, 255, -1, cv2.LINE_AA)
        body = _stacked([body, dot], max(2, round(0.08 * height_px)))
    return _in_corner(style, body, left=setting.flush_left)


def _number(
    style: DeckStyle, rng: np.random.Generator, number: str, height_px: float, setting: Setting
) -> Mask:
    """Return a number's mask."""
    if setting.own_spacing:
        mask = word_mask(style.index.font, number, height_px, style.index.stretch)
    else:
        mask = _spaced(style, number, height_px)
    widest_px = 0.5 * style.width_px
    if mask.shape[1] > widest_px:
        mask = cv2.resize(mask, (round(widest_px), mask.shape[0]), interpolation=cv2.INTER_AREA)
    mask = mask.astype(np.uint8)
    return _bent(mask, rng, setting.shaky * height_px / 100) if setting.shaky else mask


def _spaced(style: DeckStyle, number: str, height_px: float) -> Mask:
    """Return a number's mask, its digits as far apart as the deck's 1 and 0 are."""
    digits = [
        rank_mask(style.index.font, digit, height_px, style.index.stretch, 0.0) for digit in number
    ]
    gap = np.zeros((digits[0].shape[0], max(1, round(style.index.ten_gap * height_px))), np.uint8)
    tall = max(digit.shape[0] for digit in digits)
    parts: list[Picture] = []
    for digit in digits:
        padded = np.zeros((tall, digit.shape[1]), np.uint8)
        padded[: digit.shape[0]] = digit
        parts += [padded, np.resize(gap, (tall, gap.shape[1]))]
    return np.concatenate(parts[:-1], axis=1)


def _bent(mask: Mask, rng: np.random.Generator, strength_px: float) -> Mask:
    pad = round(3 * strength_px) + 2
    mask = np.pad(mask, pad)
    field = rng.normal(0, 1, (2, 4, 4)).astype(np.float32)
    size = mask.shape[1], mask.shape[0]
    dx, dy = (cv2.resize(part, size, interpolation=cv2.INTER_CUBIC) for part in field)
    y, x = np.mgrid[: mask.shape[0], : mask.shape[1]].astype(np.float32)
    warped = cv2.remap(mask, x + 2 * strength_px * dx, y + 2 * strength_px * dy, cv2.INTER_LINEAR)
    return np.asarray(warped, np.uint8)
