"""Real labelled photographs as training batches: optional, beside the rendered scenes.

The labels give boxes, not how an index is turned. The finder learns from them only where indices
are; the axis by which an index is cut out for the reader is the finder's own.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from atlas import JOKER_RANK, NO_SUIT, RANKS, SUITS
from networks import FINE_UNIT_PX
from scenes import SIZE_PX
from targets import Crops, _focal, _gaussians

# ---- settings -------------------------------------------------------------------------------
MOST_BOXES = 24
HALF_WANTED_PX = (5.0, 26.0)  # half heights of indices after the random zoom
PEAK_TRUSTED = 0.25  # finder heat from which its axis is believed
UNKNOWN = -1
# middle x y, half diagonal, rank, suit, kind (0 index, 1 whole card), box half-width, -height
COLUMNS = 8


@dataclass(frozen=True)
class Photo:
    """One photograph in memory as its compressed bytes, with its boxes (N x COLUMNS, photo px)."""

    jpeg: NDArray[np.uint8]
    boxes: NDArray[np.float32]


def load_photos(folder: Path) -> list[Photo]:
    """All photographs of a set (images/ and labels.json), or of the sets in a folder."""
    out = []
    for labels in sorted([*folder.glob("labels.json"), *folder.glob("*/labels.json")]):
        for row in json.loads(labels.read_text()):
            path = labels.parent / "images" / Path(row["image"]).name
            boxes = [b for b in map(_box, row["objects"]) if b is not None]
            if path.exists() and boxes:
                out.append(Photo(np.fromfile(path, np.uint8), np.array(boxes, np.float32)))
    return out


def _box(o: dict) -> list[float] | None:  # type: ignore[type-arg]
    x0, y0, x1, y1 = o["box"]
    label = o["label"].replace("10", "T")
    rank = suit = UNKNOWN
    if label == "JOKER":
        rank, suit = JOKER_RANK, NO_SUIT
    elif label[0] in RANKS and label not in ("BACK", "IGNORE"):
        rank = RANKS.index(label[0])
        suit = SUITS.index(label[1]) if len(label) > 1 else UNKNOWN
    kind = 0.0 if o["kind"] == "index_corner" else 1.0
    w, h = x1 - x0, y1 - y0
    return [(x0 + x1) / 2, (y0 + y1) / 2, 0.5 * math.hypot(w, h), rank, suit, kind, w / 2, h / 2]


def photo_batch(
    photos: list[Photo], count: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Images, count x S x S x 3, randomly turned and zoomed, and their boxes.

    Boxes are count x MOST_BOXES x COLUMNS.
    """
    images = np.zeros((count, SIZE_PX, SIZE_PX, 3), np.uint8)
    boxes = np.full((count, MOST_BOXES, COLUMNS), UNKNOWN, np.float32)
    boxes[..., 2] = 0
    for i in range(count):
        images[i], rows = _view(photos[rng.integers(len(photos))], rng)
        boxes[i, : len(rows)] = rows[:MOST_BOXES]
    return images, boxes


def _view(photo: Photo, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    image = cv2.imdecode(photo.jpeg, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    pick = photo.boxes[rng.integers(len(photo.boxes))]
    half = pick[2] * (0.85 if pick[5] == 0 else 0.13)
    scale = math.exp(rng.uniform(*np.log(HALF_WANTED_PX))) / max(half, 2.0)
    scale = min(scale, 3.0)
    angle = rng.uniform(0, 2 * math.pi)
    c, s = scale * math.cos(angle), scale * math.sin(angle)
    at = rng.uniform(0.15, 0.85, 2) * SIZE_PX
    m = np.array(
        [[c, -s, at[0] - c * pick[0] + s * pick[1]], [s, c, at[1] - s * pick[0] - c * pick[1]]]
    )
    while scale < 0.5:  # halve first: warping alone would leave out pixels
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        scale *= 2
        m[:, :2] *= 2
    out = cv2.warpAffine(
        image, m, (SIZE_PX, SIZE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    inside = cv2.warpAffine(np.full(image.shape[:2], 255, np.uint8), m, (SIZE_PX, SIZE_PX))
    out[inside == 0] = rng.integers(0, 255)
    rows = photo.boxes.copy()
    k = math.hypot(c, s)
    shift = np.array([at[0] - c * pick[0] + s * pick[1], at[1] - s * pick[0] - c * pick[1]])
    rows[:, :2] = photo.boxes[:, :2] @ np.array([[c, -s], [s, c]]).T + shift
    rows[:, [2, 6, 7]] *= k
    ok = ((rows[:, :2] > 0) & (rows[:, :2] < SIZE_PX)).all(1)
    return out, rows[ok]


def photo_loss(fine: Tensor, boxes: Tensor) -> tuple[dict[str, Tensor], Crops]:
    """Heat loss at index boxes, and the crops that the finder takes inside the boxes."""
    index = (boxes[..., 5] == 0) & (boxes[..., 2] > 4)
    whole = (boxes[..., 5] == 1) & (boxes[..., 2] > 4)
    cells = fine.shape[-1]
    half = boxes[..., 2]
    wide = _gaussians(
        boxes[..., 0] / 4, boxes[..., 1] / 4, (half / 4 * 0.6).clamp_min(1.0), index.float(), cells
    )
    cover = _gaussians(boxes[..., 0] / 4, boxes[..., 1] / 4, half / 4 * 0.8, whole.float(), cells)
    peak_x, peak_y, peak = _best_inside(fine, boxes)
    # The labelled centre may be a few px off the printed one: the target sits on the finder's own
    # peak where that is close to it, else on the label.
    near = (peak_x - boxes[..., 0] / 4) ** 2 + (peak_y - boxes[..., 1] / 4) ** 2 < (
        half / 4 * 0.4
    ) ** 2
    cx = torch.where(near, peak_x, (boxes[..., 0] / 4)).round()
    cy = torch.where(near, peak_y, (boxes[..., 1] / 4)).round()
    heat = _gaussians(cx, cy, (half * 0.08).clamp(0.7, 3.0), index.float(), cells)
    scored = ((wide < 0.3) | (heat > 0.3)) & (cover < 0.1)
    losses = {"p_heat": _focal(fine[:, 0], heat, scored.float()) * 0.5}
    b = torch.arange(len(fine), device=fine.device)[:, None].expand_as(peak_x)
    got = fine.detach().float()[b, :, peak_y.long(), peak_x.long()]
    place = torch.stack(
        [
            (peak_x + got[..., 1]) * 4,
            (peak_y + got[..., 2]) * 4,
            got[..., 3] * FINE_UNIT_PX,
            got[..., 4] * FINE_UNIT_PX,
        ],
        -1,
    )
    sure = ((peak > PEAK_TRUSTED) & (place[..., 2:].norm(dim=-1) > 2.5) & (index | whole)).float()
    rank, suit = boxes[..., 3].long(), boxes[..., 4].long()
    crops = Crops(
        place, rank.clamp_min(0), suit.clamp_min(0), sure * (rank >= 0), sure * (suit >= 0),
        torch.ones_like(sure), sure * (rank >= 0), torch.zeros_like(place), torch.zeros_like(sure),
    )  # fmt: skip
    return losses, crops


def _best_inside(fine: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Cell and height of the finder's highest peak inside each box."""
    heat = torch.sigmoid(fine[:, 0].detach().float())
    line = torch.arange(heat.shape[-1], device=heat.device) * 4.0
    in_x = (line - boxes[..., 0:1]).abs() <= boxes[..., 6:7].clamp_min(1)
    in_y = (line - boxes[..., 1:2]).abs() <= boxes[..., 7:8].clamp_min(1)
    score = heat[:, None] * (in_y[..., :, None] & in_x[..., None, :])
    best, where = score.flatten(2).max(2)
    w = heat.shape[-1]
    return (where % w).float(), (where // w).float(), best
