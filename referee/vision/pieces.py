"""The pieces of a picture that are read: cut out of a frame, and put back into its coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead
from referee.vision.frames import Image
from referee.vision.gate import Box
from referee.vision.mapping import Mapping
from referee.vision.surface import Surface

# Cards are read at so many pixels a millimetre: the first tables of five sample matches, seen with
# 0.8 to 1.6 px/mm, were read best at 1.1 to 1.6 and no better at 3, at four times the cost. What
# comes within these bounds is read as it is.
READ_PX_MM, NATIVE_PX_MM = 1.25, (1.1, 1.4)
# The largest piece that is read at once, and how much two neighbouring pieces share: a card.
PIECE_MM = 320.0
# Where a large place is cut into pieces, a card may be cut, too: this much inside the cut is left
# to the next piece, which holds it whole.
UNLEARNED_MM = 62.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the picture that is read, and the part of it that needs no reading after that."""

    box: Box
    learned: Box


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A piece cut out of a frame, uint8, h x w x 3, and the scale at which it is read."""

    piece: Piece
    image_bgr: Image
    scale: float

    @property
    def corner_px(self) -> NDArray[np.float64]:
        """Where its upper left corner lies in the picture (2,)."""
        return np.array([self.piece.box.x0_px, self.piece.box.y0_px], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Glanced:
    """What was read in a piece, in its own pixels."""

    part: Part
    reads: tuple[CardRead, ...]
    surface: Surface


def cut(mapping: Mapping, box: Box) -> Iterator[Piece]:
    """Cut a box to the picture, and a large one into overlapping pieces."""
    x0, y0 = max(0, box.x0_px), max(0, box.y0_px)
    x1, y1 = min(mapping.width_px, box.x1_px), min(mapping.height_px, box.y1_px)
    if x1 - x0 < 24 or y1 - y0 < 24:
        return
    px_mm = mapping.mm_px(Box(x0, y0, x1, y1))
    piece, left_out = round(PIECE_MM * px_mm), round(UNLEARNED_MM * px_mm)
    for left, right in _spans(x0, x1, piece, 2 * left_out):
        for top, bottom in _spans(y0, y1, piece, 2 * left_out):
            learned = Box(
                left + left_out * (left > x0),
                top + left_out * (top > y0),
                right - left_out * (right < x1),
                bottom - left_out * (bottom < y1),
            )
            yield Piece(Box(left, top, right, bottom), learned)


def scale_of(px_mm: float) -> float:
    """Return the scale at which what shows so many pixels a millimetre is read."""
    return 1.0 if NATIVE_PX_MM[0] <= px_mm <= NATIVE_PX_MM[1] else READ_PX_MM / px_mm


def part_of(image_bgr: Image, piece: Piece, scale: float) -> Part:
    """Cut a piece out of a frame, to be read at a scale."""
    box = piece.box
    part = image_bgr[box.y0_px : box.y1_px, box.x0_px : box.x1_px]
    return Part(piece, np.ascontiguousarray(part), scale)


def moved_read(read: CardRead, x_px: float, y_px: float) -> CardRead:
    """Return a read of a piece in the coordinates of the whole picture."""

    def shift(p: tuple[float, float]) -> tuple[float, float]:
        return p[0] + x_px, p[1] + y_px

    quad = read.quad_px
    return CardRead(
        label=read.label,
        score=read.score,
        at_px=shift(read.at_px),
        quad_px=None
        if quad is None
        else (shift(quad[0]), shift(quad[1]), shift(quad[2]), shift(quad[3])),
        angle_deg=read.angle_deg,
        back=read.back,
        middle_px=None if read.middle_px is None else shift(read.middle_px),
    )


def _spans(low: int, high: int, piece: int, overlap: int) -> list[tuple[int, int]]:
    if high - low <= piece:
        return [(low, high)]
    count = -(-(high - low - overlap) // (piece - overlap))
    step = (high - low - piece) / (count - 1)
    return [(low + round(k * step), min(high, low + round(k * step) + piece))
            for k in range(count)]  # fmt: skip


def holds(outer: Box, inner: Box) -> bool:
    """Whether one box lies within another."""
    return (
        outer.x0_px <= inner.x0_px
        and outer.y0_px <= inner.y0_px
        and outer.x1_px >= inner.x1_px
        and outer.y1_px >= inner.y1_px
    )
