"""Finishes a deck's pictures: paper colour, outline cut away, rounded corners filled with paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

OPAQUE = 128
# A drawn outline is at most this share of the width deep (standard: 0.014, dondorf: 0.025).
DEEPEST_OUTLINE = 0.04
# Nearer than this to the paper (RGB distance) the outline has ended.
PAPER_RGB = 40.0
# A corner of less radius than this share of the width was not measured but hidden by a square
# sheet; cards in the hand have 0.04 to 0.06.
LEAST_RADIUS = 0.03
LARGEST_RADIUS = 0.12
# Cut one pixel of 720 more than measured: the last outline pixel is blended with paper.
BLEND_PX = 2


@dataclass(frozen=True)
class Cut:
    """What to cut off each side of this deck, in pixels, and the corner radius that is left."""

    left_px: int
    top_px: int
    right_px: int
    bottom_px: int
    radius_px: float
    paper_rgb: tuple[float, float, float]


def paper_colour(sides: list[Picture]) -> npt.NDArray[np.float64]:
    """The median colour (RGB) of the opaque pixels of number cards, which are mostly paper."""
    opaque = [s[..., :3][s[..., 3] > OPAQUE] for s in sides]
    return np.asarray(np.median(np.concatenate(opaque), axis=0), np.float64)


def measure_cut(sides: list[Picture]) -> Cut:
    """Measures margin, outline and corner radius on RGBA number cards of one size.

    Each side of the card is walked inwards until the paper begins; the corner radius comes from
    the transparent area of a corner, which is (1 - pi / 4) r^2 for a quarter circle.
    """
    paper = paper_colour(sides)
    margins = np.median([_margins(s) for s in sides], axis=0)
    left, top, right, bottom = (int(m) for m in margins)
    inner = [s[top : s.shape[0] - bottom, left : s.shape[1] - right] for s in sides]
    radius_px = float(np.median([_radius_px(s) for s in inner]))
    depths = [_outline_px(np.rot90(s, turn), paper) for s in inner for turn in (3, 0, 1, 2)]
    per_side = np.median(np.reshape(depths, (-1, 4)), axis=0).astype(int)
    deepest = int(per_side.max())
    sizes = (left + per_side[0], top + per_side[1], right + per_side[2], bottom + per_side[3])
    colour = (float(paper[0]), float(paper[1]), float(paper[2]))
    left, top, right, bottom = (int(s) for s in sizes)
    cut = Cut(left, top, right, bottom, 0.0, colour)
    return replace(cut, radius_px=_clean_radius_px(sides, cut, radius_px - deepest))


def _clean_radius_px(sides: list[Picture], cut: Cut, measured_px: float) -> float:
    """The least radius from `measured_px` on that leaves no outline along the corners' arcs."""
    cards = np.stack([finished(s, cut) for s in sides])
    usual = np.median(cards, axis=0)
    far = np.linalg.norm(usual - np.asarray(cut.paper_rgb), axis=2) > PAPER_RGB
    least_px = max(measured_px, LEAST_RADIUS * far.shape[1])
    for radius_px in np.arange(least_px, LARGEST_RADIUS * far.shape[1]):
        rim = _rounded(far.shape, radius_px) - _rounded(far.shape, radius_px, inside_px=4.0)
        if not (far & (rim[..., 0] > 0)).any():
            return float(radius_px)
    return float(least_px)


def _margins(side: Picture) -> tuple[int, int, int, int]:
    rows = np.flatnonzero((side[..., 3] > OPAQUE).mean(axis=1) > 0.5)
    columns = np.flatnonzero((side[..., 3] > OPAQUE).mean(axis=0) > 0.5)
    height_px, width_px = side.shape[:2]
    last = (width_px - 1 - int(columns[-1]), height_px - 1 - int(rows[-1]))
    return int(columns[0]), int(rows[0]), last[0], last[1]


def _radius_px(side: Picture) -> float:
    quarter = min(side.shape[:2]) // 4
    corner = side[:quarter, :quarter, 3] <= OPAQUE
    return math.sqrt(float(corner.sum()) / (1 - math.pi / 4))


def _outline_px(side: Picture, paper: npt.NDArray[np.float64]) -> int:
    """How deep the outline on the top edge of `side` is, in pixels; 0 if there is none."""
    deepest = round(DEEPEST_OUTLINE * min(side.shape[:2]))
    columns = np.linspace(0.3, 0.7, 9) * side.shape[1]
    edge = side[: deepest + 1, columns.astype(int), :3].astype(np.float64)
    far = np.median(np.linalg.norm(edge - paper, axis=2), axis=1) > PAPER_RGB
    if not far[: deepest // 2].any() or far[-1]:
        return 0
    return int(np.flatnonzero(far)[-1]) + 1 + BLEND_PX


def finished(side: Picture, cut: Cut) -> Picture:
    """The RGB card (H, W, 3) of an RGBA side: cut, on paper, corners outside the radius paper."""
    height_px, width_px = side.shape[:2]
    rows = slice(cut.top_px, height_px - cut.bottom_px)
    columns = slice(cut.left_px, width_px - cut.right_px)
    kept = side[rows, columns]
    alpha = kept[..., 3:].astype(np.float64) / 255 * _rounded(kept.shape[:2], cut.radius_px)
    colour = kept[..., :3] * alpha + np.asarray(cut.paper_rgb) * (1 - alpha)
    return np.asarray(np.rint(colour), np.uint8)


def _rounded(
    shape: tuple[int, ...], radius_px: float, inside_px: float = 0.0
) -> npt.NDArray[np.float64]:
    """1 inside the card, 0 in its corners beyond the arcs of `radius_px - inside_px`, (H, W, 1)."""
    rows, columns = np.indices(shape[:2], np.float64)
    dy = np.maximum(radius_px - np.minimum(rows + 0.5, shape[0] - rows - 0.5), 0)
    dx = np.maximum(radius_px - np.minimum(columns + 0.5, shape[1] - columns - 0.5), 0)
    return np.asarray(np.hypot(dx, dy) <= radius_px - inside_px, np.float64)[..., None]


def shrunk(card: Picture, height_px: int) -> Picture:
    """The card at `height_px`, its aspect kept, averaged over areas."""
    width_px = round(card.shape[1] * height_px / card.shape[0])
    return np.asarray(
        cv2.resize(card, (width_px, height_px), interpolation=cv2.INTER_AREA), np.uint8
    )
