"""What is really there in a rendered picture: every card's place and how much of it is seen.

Pixel coordinates are those of OpenCV: the middle of the upper left pixel is (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.cards import index_boxes
from referee.simulate.scene import (
    Scene,
    Studio,
    TableCard,
    card_outline_px,
    card_points_mm,
    card_quad_px,
)

Owners = NDArray[np.int16]
"""Whose each pixel is, height x width: 0 the table, n the n-th card (from 1), -n the n-th arm."""

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

BACK = "BACK"


@dataclass(frozen=True, slots=True)
class IndexTruth:
    """One printed index of a face-up card: its middle, its corners, the share that is seen."""

    at_px: tuple[float, float]
    quad_px: Quad
    visible: float


@dataclass(frozen=True, slots=True)
class CardTruth:
    """One card of the scene.

    `label` is what can be read (`BACK` face down), `card` which card it is, `deck` its deck.
    `quad_px` are the corners of the seen side, clockwise from its upper left as printed;
    `visible` is the share of the card that nothing covers and that lies in the picture.
    """

    label: str
    card: str
    deck: int
    at_px: tuple[float, float]
    quad_px: Quad
    angle_deg: float
    visible: float
    carried: bool
    indices: tuple[IndexTruth, ...]


@dataclass(frozen=True, slots=True)
class FrameTruth:
    """All cards in stacking order, and the boxes x0, y0, x1, y1 of what is seen of each arm."""

    cards: tuple[CardTruth, ...]
    hands_px: tuple[tuple[float, float, float, float], ...]


def _quad(points: NDArray[np.float64]) -> Quad:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in points)
    return a, b, c, d


def _seen_share(owners: Owners, number: int, outline_px: NDArray[np.float64]) -> float:
    """Return the share of an outline's pixels that card `number` owns, of all its pixels."""
    left, top = np.floor(outline_px.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(outline_px.max(axis=0)).astype(int) + 2
    inside = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(inside, [np.round((outline_px - (left, top)) * 16).astype(np.int32)], 1, 8, 4)
    rows = slice(max(top, 0), max(min(bottom, owners.shape[0]), 0))
    columns = slice(max(left, 0), max(min(right, owners.shape[1]), 0))
    patch = owners[rows, columns]
    if patch.size == 0:
        return 0.0
    mask = inside[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    return float(np.count_nonzero((patch == number) & (mask > 0)) / np.count_nonzero(inside))


def _index_truths(
    card: TableCard, studio: Studio, owners: Owners, number: int
) -> tuple[IndexTruth, ...]:
    if not card.face_up:
        return ()
    style, found = studio.decks[card.deck], []
    for box in index_boxes(card.label, style):
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.0, 0.0)])
        if box.turn_deg == 180.0:
            corners = -corners
        shares = corners * (box.w, box.h) + (box.u, box.v)
        points = studio.camera.project(card_points_mm(card, style, shares))
        at = (round(float(points[4, 0]), 2), round(float(points[4, 1]), 2))
        seen = _seen_share(owners, number, points[:4])
        found.append(IndexTruth(at, _quad(points[:4]), round(seen, 3)))
    return tuple(found)


def _seen_angle_deg(quad: NDArray[np.float64]) -> float:
    across = quad[1] + quad[2] - quad[0] - quad[3]
    return round(float(np.degrees(np.arctan2(across[1], across[0]))), 2)


def _card_truth(
    card: TableCard, studio: Studio, owners: Owners, number: int, carried: bool
) -> CardTruth:
    style = studio.decks[card.deck]
    quad = card_quad_px(card, style, studio.camera)
    middle = studio.camera.project(card_points_mm(card, style, np.array([(0.5, 0.5)])))[0]
    outline = card_outline_px(card, style, studio.camera)
    return CardTruth(
        label=card.label if card.face_up else BACK,
        card=card.label,
        deck=card.deck,
        at_px=(round(float(middle[0]), 2), round(float(middle[1]), 2)),
        quad_px=_quad(quad),
        angle_deg=_seen_angle_deg(quad),
        visible=round(_seen_share(owners, number, outline), 3),
        carried=carried,
        indices=_index_truths(card, studio, owners, number),
    )


def _hand_box(owners: Owners, number: int) -> tuple[float, float, float, float] | None:
    rows, columns = np.nonzero(owners == -number)
    if rows.size == 0:
        return None
    left, right = float(columns.min()), float(columns.max()) + 1
    return left, float(rows.min()), right, float(rows.max()) + 1


def frame_truth(scene: Scene, studio: Studio, owners: Owners) -> FrameTruth:
    """Return the ground truth of a scene whose rendering gave `owners`."""
    everything = (*scene.cards, *scene.carried)
    cards = tuple(
        _card_truth(card, studio, owners, n, n > len(scene.cards))
        for n, card in enumerate(everything, start=1)
    )
    boxes = (_hand_box(owners, n) for n in range(1, len(scene.arms) + 1))
    return FrameTruth(cards, tuple(box for box in boxes if box is not None))
