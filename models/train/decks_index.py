"""Finds the printed indices of a card (rank and pip in a corner) by their ink."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.uint8]

NUMBER_RANKS = "23456789"
# Specks of less than this share of the card are shading or lines, not glyphs; the thinnest
# glyph seen (the pip of the deck `orell`) has 0.0011.
LEAST_GLYPH = 0.0004
# How far a card's glyph may stand off the deck's usual place, as a share of the card; the
# largest honest difference over the decks here is 0.012, but for the tail of Q: 0.035.
SLACK = 0.02
TAIL = 0.04


@dataclass(frozen=True)
class Box:
    """A box on a card, as fractions of its width (u) and height (v); 0, 0 is the top left."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre_u(self) -> float:
        """The middle across, as a fraction of the card's width."""
        return (self.left + self.right) / 2

    @property
    def centre_v(self) -> float:
        """The middle from the top, as a fraction of the card's height."""
        return (self.top + self.bottom) / 2

    def mirrored(self, corner: Corner) -> Box:
        """The box of a mirrored card on the card as it is, and the other way round."""
        left, right = (1 - self.right, 1 - self.left) if corner.right else (self.left, self.right)
        top, bottom = (1 - self.bottom, 1 - self.top) if corner.bottom else (self.top, self.bottom)
        return Box(left, top, right, bottom)


@dataclass(frozen=True)
class Corner:
    """A corner of the card; indices in bottom corners are printed upside down."""

    right: bool
    bottom: bool

    @property
    def turn_deg(self) -> int:
        """The turn of an index printed in this corner: 0 at the top, 180 at the bottom."""
        return 180 if self.bottom else 0

    def brought_to_top_left(self, mask: Mask) -> Mask:
        """The card's ink, mirrored so that this corner becomes the top left one."""
        rows = slice(None, None, -1) if self.bottom else slice(None)
        columns = slice(None, None, -1) if self.right else slice(None)
        return np.ascontiguousarray(mask[rows, columns])


# The two corners that nearly all decks use come first.
FOUR_CORNERS = (
    Corner(right=False, bottom=False),
    Corner(right=True, bottom=True),
    Corner(right=True, bottom=False),
    Corner(right=False, bottom=True),
)


@dataclass(frozen=True)
class IndexPlace:
    """Where a deck prints the rank and the pip in one corner, brought to the top left."""

    rank: Box
    pip: Box


def ink(card: Picture, paper_rgb: npt.NDArray[np.float64], threshold: float) -> Mask:
    """Pixels (H, W) of `card` (H, W, 3, RGB) farther than `threshold` from the paper, 0 or 255.

    The distance is Euclidean in RGB, 0 to 441.
    """
    distance = np.linalg.norm(card.astype(np.float64) - paper_rgb, axis=2)
    return np.asarray((distance > threshold) * 255, np.uint8)


def glyphs(mask: Mask) -> tuple[Box, ...]:
    """Boxes of the connected pieces of ink, 8-connected, specks left out."""
    height_px, width_px = mask.shape
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = [s for s in stats[1:] if s[4] >= LEAST_GLYPH * height_px * width_px]
    return tuple(_fractions(s, width_px, height_px) for s in large)


def _fractions(stat: npt.NDArray[np.int32], width_px: int, height_px: int) -> Box:
    x, y, w, h = (int(value) for value in stat[:4])
    return Box(x / width_px, y / height_px, (x + w) / width_px, (y + h) / height_px)


def union(boxes: list[Box]) -> Box:
    """The smallest box around all of `boxes` (at least one)."""
    return Box(
        min(b.left for b in boxes),
        min(b.top for b in boxes),
        max(b.right for b in boxes),
        max(b.bottom for b in boxes),
    )


def median_box(boxes: list[Box]) -> Box:
    """The box of the medians of the four sides (at least one box)."""
    sides = np.median([(b.left, b.top, b.right, b.bottom) for b in boxes], axis=0)
    return Box(*(float(side) for side in sides))


def index_place(masks: list[Mask]) -> IndexPlace | None:
    """Where the number cards' ink, corner brought to the top left, has rank and pip.

    None if fewer than half of the cards show a rank with a pip below it.
    """
    found = [pair for mask in masks if (pair := _rank_and_pip(glyphs(mask))) is not None]
    if len(found) * 2 < len(masks):
        return None
    return IndexPlace(median_box([r for r, _ in found]), median_box([p for _, p in found]))


def _rank_and_pip(boxes: tuple[Box, ...]) -> tuple[Box, Box] | None:
    corner = [b for b in boxes if b.centre_u < 0.2 and b.centre_v < 0.2 and b.right < 0.35]
    if not corner:
        return None
    rank = min(corner, key=lambda b: b.centre_u + b.centre_v)
    below = [b for b in boxes if b.top > rank.bottom - SLACK and b.bottom < 0.46]
    pips = [b for b in below if abs(b.centre_u - rank.centre_u) < 0.07]
    return (rank, min(pips, key=lambda b: b.top)) if pips else None


def index_box(mask: Mask, place: IndexPlace, wide_rank: bool) -> Box | None:
    """The box of the index in the top left corner, or None if picture and index run together.

    `wide_rank` is true for 10, whose rank has two glyphs.
    """
    boxes = glyphs(mask)
    whole = union([place.rank, place.pip])
    reach = whole.right + (0.12 if wide_rank else 0.05)
    ranks = [b for b in boxes if _same_rows(b, place.rank) and b.right < reach]
    pips = [b for b in boxes if _same_rows(b, place.pip) and _same_columns(b, place.pip)]
    pips = pips or [b for b in boxes if b not in ranks and _like_pip(b, place.pip)]
    if not ranks or not pips:
        joined = [b for b in boxes if _same_rows(b, whole) and b.right < reach]
        return joined[0] if len(joined) == 1 else None
    return union([*ranks, *pips])


def _same_rows(box: Box, place: Box) -> bool:
    return abs(box.top - place.top) < SLACK and -SLACK < box.bottom - place.bottom < TAIL


def _same_columns(box: Box, place: Box) -> bool:
    return abs(box.centre_u - place.centre_u) < 1.5 * SLACK and box.right < place.right + 2 * SLACK


def _like_pip(box: Box, pip: Box) -> bool:
    """Whether a glyph stands where the pip does but larger: some decks draw courts so."""
    near = abs(box.centre_u - pip.centre_u) < 2 * SLACK and abs(box.top - pip.top) < 2 * SLACK
    return near and box.bottom - box.top < 2 * (pip.bottom - pip.top)


def sign_box(mask: Mask, window: Box) -> Box | None:
    """The union of the glyphs that lie wholly inside `window`: a joker's word or star."""
    inside = [b for b in glyphs(mask) if _inside(b, window)]
    return union(inside) if inside else None


def _inside(box: Box, window: Box) -> bool:
    across = box.left >= window.left and box.right <= window.right
    return across and box.top >= window.top and box.bottom <= window.bottom
