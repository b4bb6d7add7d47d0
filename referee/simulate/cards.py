"""The product's own deck: 52 cards, two jokers, the XIX numbers 1 to 18 and the backs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.simulate.backs import DESIGNS, design, draw_back_on
from referee.simulate.courts import draw_court, draw_jester
from referee.simulate.glyphs import word
from referee.simulate.pips import SUITS, layout, pip
from referee.simulate.shapes import (
    Canvas,
    Colour,
    Image,
    Part,
    bounds,
    ellipse,
    placed,
    rounded_box,
)

RANKS = "A23456789TJQK"
POKER_DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
JOKERS: tuple[str, ...] = ("X1", "X2")
XIX_DECK: tuple[str, ...] = tuple(str(number) for number in range(1, 19))

_POKER_WIDTH_MM, _POKER_HEIGHT_MM = 63.5, 88.9
_SMALLEST_PX, _LARGEST_PX = 16, 4000


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """How a deck is printed. Raises ValueError where a value cannot be printed.

    `back` names one of `backs.DESIGNS`. Four `indices` stand in all corners, two in the upper
    left and lower right. `jumbo` prints large indices, `four_colours` green clubs and blue
    diamonds. Sizes are those of the cut card; the default is the poker size.
    """

    back: str = "red lattice"
    indices: int = 2
    jumbo: bool = False
    four_colours: bool = False
    width_mm: float = _POKER_WIDTH_MM
    height_mm: float = _POKER_HEIGHT_MM
    corner_radius_mm: float = 3.0
    paper: Colour = (248, 251, 252)
    black: Colour = (34, 28, 26)
    red: Colour = (46, 30, 206)
    green: Colour = (48, 120, 20)
    blue: Colour = (190, 92, 16)

    def __post_init__(self) -> None:
        design(self.back)
        if self.indices not in (2, 4):
            raise ValueError(f"a card has 2 or 4 indices, not {self.indices}")
        if not 20.0 <= self.width_mm < self.height_mm <= 400.0:
            size = f"{self.width_mm} x {self.height_mm} mm"
            raise ValueError(f"a card is upright and 20 to 400 mm large, not {size}")
        if not 0.0 <= self.corner_radius_mm <= self.width_mm / 4:
            raise ValueError(f"a corner radius of {self.corner_radius_mm} mm does not fit the card")


@dataclass(frozen=True, slots=True)
class IndexBox:
    """Where an index is printed, in shares of the card's width (u, w) and height (v, h).

    `u`, `v` is the middle of the tight box about rank and pip. `turn_deg` is 0 for an upright
    index, 180 for one that stands on its head.
    """

    u: float
    v: float
    w: float
    h: float
    turn_deg: float


def known_labels() -> tuple[str, ...]:
    """Every label that can be drawn face up."""
    return POKER_DECK + JOKERS + XIX_DECK


def _check_label(label: str) -> None:
    if label not in known_labels():
        raise ValueError(
            f"no card is called {label!r}; use a rank of {RANKS} with a suit of {SUITS}, "
            "X1 or X2 for a joker, 1 to 18 for XIX"
        )


def _check_height(height_px: int) -> None:
    if not _SMALLEST_PX <= height_px <= _LARGEST_PX:
        raise ValueError(
            f"a card is drawn {_SMALLEST_PX} to {_LARGEST_PX} px high, not {height_px}"
        )


def _suit_colour(suit: str, style: DeckStyle) -> Colour:
    if style.four_colours:
        return {"C": style.green, "D": style.blue, "H": style.red, "S": style.black}[suit]
    return style.red if suit in "DH" else style.black


def _number_colour(number: int) -> Colour:
    # Six inks in turn: neighbours in the ranking never share one, so a row is easy to scan.
    inks: tuple[Colour, ...] = (
        (44, 36, 190),
        (168, 84, 24),
        (52, 118, 24),
        (20, 112, 214),
        (132, 44, 108),
        (136, 120, 10),
    )
    return inks[(number - 1) % len(inks)]


def _printed(label: str) -> str:
    return "10" if label[0] == "T" else label[0]


def _index_parts(label: str, style: DeckStyle) -> tuple[Part, ...]:
    """Return the upper left index: rank over pip, a XIX number with its mark, or a column JOKER."""
    if label in JOKERS:
        letters = (word(c, 4.3, 4.6, 5.4, 5.0 + 5.2 * n) for n, c in enumerate("JOKER"))
        return tuple(part for letter in letters for part in letter)
    size = 1.62 if style.jumbo else 1.0
    x_mm, top_mm = 5.5 if size == 1.0 else 8.2, 4.6
    widest_mm = 6.5 * size
    if label in XIX_DECK:
        number = word(label, 9.2 * size, widest_mm, x_mm, top_mm)
        # A rule below tells 6 from 9, and 16 from 91, whichever way the card lies.
        rule = (rounded_box(4.6 * size, 0.9 * size, 0.45 * size),)
        return (*number, placed(rule, 1.0, x_mm - 2.3 * size, top_mm + 10.6 * size))
    rank = word(_printed(label), 8.8 * size, widest_mm, x_mm, top_mm)
    pip_mm = 6.4 * size
    below = top_mm + 8.8 * size + 1.5 + pip_mm / 2
    return (*rank, *(placed(part, pip_mm, x_mm, below) for part in pip(label[1])))


def index_boxes(label: str, style: DeckStyle) -> tuple[IndexBox, ...]:
    """Where the indices of a card are printed. Raises ValueError for an unknown label."""
    _check_label(label)
    box = bounds(_index_parts(label, style))
    u = (box.left + box.right) / 2 / _POKER_WIDTH_MM
    v = (box.top + box.bottom) / 2 / _POKER_HEIGHT_MM
    w, h = box.width / _POKER_WIDTH_MM, box.height / _POKER_HEIGHT_MM
    corners = [(u, v, 0.0), (1 - u, 1 - v, 180.0)]
    if style.indices == 4:
        corners += [(1 - u, v, 0.0), (u, 1 - v, 180.0)]
    return tuple(IndexBox(x, y, w, h, turn) for x, y, turn in corners)


def _print_indices(canvas: Canvas, label: str, style: DeckStyle, colour: Colour) -> None:
    parts = _index_parts(label, style)
    canvas.fill_all(parts, colour)
    canvas.fill_all((_turned(part) for part in parts), colour)
    if style.indices == 2:
        return
    box = bounds(parts)
    shift = _POKER_WIDTH_MM - box.left - box.right
    moved = tuple(placed(part, 1.0, shift, 0.0) for part in parts)
    canvas.fill_all(moved, colour)
    canvas.fill_all((_turned(part) for part in moved), colour)


def _turned(part: Part) -> Part:
    return placed(part, 1.0, _POKER_WIDTH_MM, _POKER_HEIGHT_MM, 180.0)


def _print_pips(canvas: Canvas, count: int, suit: str, style: DeckStyle) -> None:
    narrow = style.jumbo or style.indices == 4
    column_mm, size_mm = (9.6, 10.5) if narrow else (12.2, 12.4)
    top_mm = 15.8
    if style.jumbo:
        column_mm, size_mm, top_mm = 10.0, 9.2, 21.5
    colour = _suit_colour(suit, style)
    for column, row in layout(count):
        x_mm = _POKER_WIDTH_MM / 2 + column * column_mm
        y_mm = top_mm + row * (_POKER_HEIGHT_MM - 2 * top_mm)
        turn_deg = 180.0 if row > 0.5 else 0.0
        canvas.fill_all((placed(p, size_mm, x_mm, y_mm, turn_deg) for p in pip(suit)), colour)


def _print_ace(canvas: Canvas, suit: str, style: DeckStyle) -> None:
    colour = _suit_colour(suit, style)
    middle = (_POKER_WIDTH_MM / 2, _POKER_HEIGHT_MM / 2)
    size_mm = 34.0 if suit == "S" else 17.0
    canvas.fill_all((placed(p, size_mm, *middle) for p in pip(suit)), colour)
    if suit != "S":
        return
    # The ace of spades is by custom the printer's showpiece.
    canvas.fill_all((placed(p, 25.0, *middle) for p in pip(suit)), style.paper)
    canvas.fill_all((placed(p, 21.5, *middle) for p in pip(suit)), colour)
    for reach_mm in (20.2, 21.4):
        canvas.trace(ellipse(*middle, reach_mm, reach_mm * 1.12), 0.32, colour)
    for turn in np.radians(np.arange(0.0, 360.0, 15.0)):
        x, y = middle[0] + 20.8 * np.cos(turn), middle[1] + 20.8 * 1.12 * np.sin(turn)
        canvas.fill((ellipse(float(x), float(y), 0.62, 0.62),), colour)


def _print_number(canvas: Canvas, number: int, colour: Colour) -> None:
    middle = (_POKER_WIDTH_MM / 2, _POKER_HEIGHT_MM / 2)
    for reach_mm, width_mm in ((21.5, 0.9), (19.6, 0.35)):
        canvas.trace(ellipse(*middle, reach_mm, reach_mm * 1.25), width_mm, colour)
    for k in range(number):
        turn = 2 * np.pi * k / number - np.pi / 2
        x, y = middle[0] + 20.55 * np.cos(turn), middle[1] + 20.55 * 1.25 * np.sin(turn)
        canvas.fill((ellipse(float(x), float(y), 1.7, 1.7),), colour)
    canvas.fill_all(word(str(number), 22.0, 26.0, middle[0], middle[1] - 11.5), colour)
    canvas.fill(
        (placed((rounded_box(12, 1.8, 0.9),), 1.0, middle[0] - 6, middle[1] + 13.0)), colour
    )


def _print_joker(canvas: Canvas, label: str, style: DeckStyle) -> None:
    red: tuple[Colour, Colour] = (style.red, (150, 78, 28))
    black: tuple[Colour, Colour] = ((70, 64, 60), (150, 146, 142))
    draw_jester(canvas, *(red if label == "X1" else black))


def draw_card(label: str, height_px: int, style: DeckStyle) -> Image:
    """Draw a card's face: uint8, `height_px` x width x 3, blue-green-red, square corners.

    `label` is rank and suit (`TD`), `X1` or `X2`, or a XIX number `1` to `18`. Outside the round
    corners (`corner_radius_mm`) lies paper. Raises ValueError for a label that does not exist or
    a height out of range.
    """
    _check_label(label)
    _check_height(height_px)
    # Faces are drawn at poker size and then stretched to the style's aspect.
    canvas = Canvas(_POKER_WIDTH_MM, _POKER_HEIGHT_MM, height_px, style.paper)
    if label in JOKERS:
        _print_joker(canvas, label, style)
        colour = style.red if label == "X1" else style.black
    elif label in XIX_DECK:
        colour = _number_colour(int(label))
        _print_number(canvas, int(label), colour)
    else:
        colour = _suit_colour(label[1], style)
        _print_middle(canvas, label, style)
    _print_indices(canvas, label, style, colour)
    width_px = max(1, round(height_px * style.width_mm / style.height_mm))
    return canvas.picture(width_px)


def _print_middle(canvas: Canvas, label: str, style: DeckStyle) -> None:
    rank, suit = label[0], label[1]
    if rank not in "AJQK":
        _print_pips(canvas, 10 if rank == "T" else int(rank), suit, style)
        return
    if rank == "A":
        _print_ace(canvas, suit, style)
    else:
        draw_court(canvas, rank, suit, _suit_colour(suit, style), style.paper)
    if style.jumbo:
        # Jumbo indices stand where the frame would be: the figure makes room.
        canvas.shrink(0.82, style.paper)


def draw_back(name: str, height_px: int, style: DeckStyle | None = None) -> Image:
    """Draw a back by its design's name; array as of `draw_card`. Raises ValueError."""
    _check_height(height_px)
    style = style or DeckStyle()
    canvas = Canvas(style.width_mm, style.height_mm, height_px, style.paper)
    draw_back_on(canvas, design(name), style.width_mm, style.height_mm)
    return canvas.picture()


def deck_styles(count: int) -> tuple[DeckStyle, ...]:
    """Return styles for `count` decks on one table, all backs different. Raises ValueError."""
    if not 1 <= count <= len(DESIGNS):
        raise ValueError(f"there are backs for 1 to {len(DESIGNS)} decks, not for {count}")
    return tuple(DeckStyle(back=back.name) for back in DESIGNS[:count])
