"""Cuts out the pips of black cards, where a card of their rank has them, from upright faces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.networks import FACE_PX, PIP_PX
from referee.vision.peaks import Indices
from referee.vision.pyramid import Image
from referee.vision.upright import face_frames

# Where pips are printed, from the middle of a face: columns and upper row, in its pixels.
COLUMN_PX, ROW_PX = 12.5, 25.0
# Half a card's width and height, and by how much a middle is off that one index tells.
HALF_WIDE_PX, HALF_HIGH_PX, OFF_PX = 31.0, 43.0, 5.0
# An index so much farther down than a card's own is not printed beside it.
BELOW_PX = 8.0
ACE = 0
MIDDLE_PX = ((FACE_PX[1] - 1) / 2, (FACE_PX[0] - 1) / 2)
# A pip is looked for about so far from where it should be, in two steps; one that lies farther
# off is another's. Ink is what differs from the paper by this share of the most that does. The pip
# is cut out so large that its spread is so long: 20 pixels hold it. An ace's may be of any size. By
# looking at 60 aces and 120 other places of two makers' films.
REACH_PX, OFF_PIP_PX, SPREAD_PX = (4.5, 9.0), (6.0, 14.0), (3.3, 4.4)
INK_SHARE = 0.35
LEAST_STEP, MOST_STEP = 0.8, 2.2

GREY = np.full((1, 3), 1 / 3)

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Places = tuple[tuple[float, float], ...]


def pips_of(
    faces: Image, ranks: Sequence[int], down_to_px: Floats | None = None
) -> tuple[Image, NDArray[np.intp]]:
    """M x PIP_PX x PIP_PX x 3: where the pips of N faces are if nothing lies on them; whose, M.

    `ranks`: 0 the ace to 12 the king. Cards are printed alike all over the world: in two columns
    and between them; a court has a pip beside each index, and some have one above the head. An
    ace's is of any size. `down_to_px` (N,): below that, from its middle, a face shows other cards.
    """
    ends = np.full(len(ranks), np.inf) if down_to_px is None else down_to_px
    places = [(k, *at) for k, rank in enumerate(ranks) for at in _places(rank) if at[1] < ends[k]]
    whose = np.array([k for k, *_ in places], np.intp)
    grey = np.stack([cv2.transform(face, GREY) for face in faces]).astype(np.float32)
    pips = np.zeros((len(places), PIP_PX, PIP_PX, 3), np.uint8)
    kinds = (np.asarray(ranks) == ACE)[whose].astype(np.intp)
    for kind in np.unique(kinds):
        some = np.flatnonzero(kinds == kind)
        at = np.array([places[k][1:] for k in some]) + MIDDLE_PX
        x, y, step = _settled(grey[whose[some]], at, int(kind))
        for n, k in enumerate(some):
            pips[k] = _cut(faces[whose[k]], float(x[n]), float(y[n]), float(step[n]))
    return pips, whose


def uncovered_px(indices: Indices, signs: NDArray[np.intp]) -> Floats:
    """How far down of its middle each of N faces shows its own card, in its pixels (N,).

    Where another card's index shows upon it, that card lies there, with its own pips. `signs` are
    those of the N indices: a card's own others, and those of its like, are none of another card.
    """
    x, y = _upon_faces(indices)
    own = np.diag(y)[:, None]
    upon = (np.abs(x) < HALF_WIDE_PX + OFF_PX) & (y > own + BELOW_PX) & (y < HALF_HIGH_PX)
    upon &= signs[:, None] != signs[None]
    return np.asarray(np.where(upon, y, np.inf).min(axis=1, initial=np.inf))


def shared(told: Floats32, least: float, indices: Indices, signs: NDArray[np.intp]) -> Floats32:
    """What the pips of N cards tell, of which some tell less than `least`: nothing.

    One whose middle was guessed on the wrong side of its index learns it from an index of the same
    card: that stands in a corner of the other one's face.
    """
    x, y = _upon_faces(indices)
    corner = np.abs(np.abs(x) - np.abs(np.diag(x))[:, None]) < 2 * OFF_PX
    corner &= np.abs(np.abs(y) - np.abs(np.diag(y))[:, None]) < 2 * OFF_PX
    heard = np.where(corner & (signs[:, None] == signs[None]), np.abs(told)[:, None], -1.0)
    return np.where(np.abs(told) < least, told[heard.argmax(axis=0)], told)


def _upon_faces(indices: Indices) -> tuple[Floats, Floats]:
    """Where all N indices are on each of their N faces, right and down of its middle (N, N)."""
    across, down, sampled_px = face_frames(indices)
    others = (indices.at[None] - indices.middle[:, None]) / sampled_px[:, None, None]
    x, y = ((others * way[:, None]).sum(axis=2) for way in (across, down))
    return x, y


@cache
def _places(rank: int) -> Places:
    """Where a rank's pips are, right and down of the middle of an upright face, in its pixels."""
    x, y = COLUMN_PX, ROW_PX
    corners: Places = ((-x, -y), (x, -y), (-x, y), (x, y))
    sides: Places = ((-x, 0.0), (x, 0.0))
    thirds: Places = ((-x, -y / 3), (x, -y / 3), (-x, y / 3), (x, y / 3))
    line: Places = ((0.0, -y), (0.0, y))
    numbered: tuple[Places, ...] = (
        ((0.0, 0.0),),
        line,
        (*line, (0.0, 0.0)),
        corners,
        (*corners, (0.0, 0.0)),
        (*corners, *sides),
        (*corners, *sides, (0.0, -y / 2)),
        (*corners, *sides, (0.0, -y / 2), (0.0, y / 2)),
        (*corners, *thirds, (0.0, 0.0)),
        (*corners, *thirds, (0.0, -2 * y / 3), (0.0, 2 * y / 3)),
    )
    court: Places = ((-x, -y), (x, y), (0.0, 2 - y))
    return numbered[rank] if rank < len(numbered) else court


def _settled(grey: Floats32, at: Floats, kind: int) -> tuple[Floats32, Floats32, Floats32]:
    """Where N pips are, from left and top of their N faces, and by which step they are cut out.

    Where a card's middle is told by one index, it is off by up to an eighth of the card: the ink
    about each place is looked for (mean shift, after Fukunaga and Hostetler, 1975).
    """
    first_x, first_y = at.T.astype(np.float32)
    x, y, _ = _nearer(grey, first_x, first_y, REACH_PX[kind])
    x, y, spread = _nearer(grey, x, y, REACH_PX[kind])
    own = np.hypot(x - first_x, y - first_y) < OFF_PIP_PX[kind]
    step = np.clip(spread / SPREAD_PX[kind], LEAST_STEP, MOST_STEP)
    return np.where(own, x, first_x), np.where(own, y, first_y), step


def _nearer(
    grey: Floats32, x: Floats32, y: Floats32, reach: float
) -> tuple[Floats32, Floats32, Floats32]:
    """The middle of the ink about N places of N faces, and how far it spreads about those places.

    `reach`: ink so far off counts little more than half.
    """
    around = np.arange(-int(2 * reach), int(2 * reach) + 1)
    columns, rows = (np.round(one).astype(np.intp)[:, None] + around for one in (x, y))
    dx, dy = columns - x[:, None], rows - y[:, None]
    columns, rows = np.clip(columns, 0, FACE_PX[1] - 1), np.clip(rows, 0, FACE_PX[0] - 1)
    window = grey[np.arange(len(x))[:, None, None], rows[:, :, None], columns[:, None, :]]
    ink = np.abs(window - _paper(window))
    ink = np.maximum(ink - INK_SHARE * ink.max(axis=(1, 2), keepdims=True), 0.0)
    near_x, near_y = (np.exp(-(d**2) / (2 * reach**2)) for d in (dx, dy))
    ink *= near_x[:, None, :] * near_y[:, :, None]
    by_x, by_y = ink.sum(axis=1), ink.sum(axis=2)
    total = by_x.sum(axis=1) + 1e-6
    spread = np.sqrt(((by_x * dx**2).sum(axis=1) + (by_y * dy**2).sum(axis=1)) / total)
    return x + (by_x * dx).sum(axis=1) / total, y + (by_y * dy).sum(axis=1) / total, spread


def _paper(windows: Floats32) -> Floats32:
    """The level (N, 1, 1) of the paper in N windows: the middle one of its pixels."""
    flat = windows.reshape(len(windows), -1)
    half = flat.shape[1] // 2
    return np.asarray(np.partition(flat, half, axis=1)[:, half, None, None])


def _cut(face: Image, x: float, y: float, step: float) -> Image:
    """A piece of a face about a place, a pixel of it being `step` of the face's."""
    first = step * (PIP_PX - 1) / 2
    to_face = np.array([[step, 0.0, x - first], [0.0, step, y - first]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    pip = cv2.warpAffine(
        face, to_face, (PIP_PX, PIP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(pip, np.uint8)
