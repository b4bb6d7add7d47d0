"""Draws a deck spread out in rows under a camera, as somebody shows it to be learned."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

# ---- settings -------------------------------------------------------------------------------
SIDE_PX = 1056
TALL_PX = 150  # a card at 1080p over a table 1.1 m wide
ROW_PX, STEP_PX, IN_ROW = 235, 68, 14
EDGE_PX = (70, 110)
TURN_DEG, OFF_PX = 4.0, 2.5


def spread(folder: Path, ground: Image, rng: np.random.Generator) -> Image:
    """All cards of a deck's folder in four rows, each covering half of the one before."""
    info = json.loads((folder / "deck.json").read_text())
    out = cv2.resize(ground, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    for number, face in enumerate(rng.permutation(sorted(info["faces"]))):
        picture = _card(folder / info["faces"][face]["file"], float(info["aspect"]))
        x = EDGE_PX[0] + number % IN_ROW * STEP_PX + rng.normal(0, OFF_PX)
        y = EDGE_PX[1] + number // IN_ROW * ROW_PX + rng.normal(0, OFF_PX)
        _lay(out, picture, x, y, math.radians(rng.normal(0, TURN_DEG)))
    return out


def _card(path: Path, aspect: float) -> NDArray[np.uint8]:
    """Blue-green-red-alpha, twice as large as it will lie there."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    size = (round(2 * TALL_PX * aspect), 2 * TALL_PX)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _lay(out: Image, card: NDArray[np.uint8], x: float, y: float, turn: float) -> None:
    c, s = math.cos(turn) / 2, math.sin(turn) / 2
    half_x, half_y = card.shape[1] / 2, card.shape[0] / 2
    way = np.array([[c, -s, x - c * half_x + s * half_y], [s, c, y - s * half_x - c * half_y]])
    laid = cv2.warpAffine(card, way, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR)
    share = laid[:, :, 3:].astype(np.float32) / 255
    out[:] = (out * (1 - share) + laid[:, :, :3] * share).astype(np.uint8)


def as_photographed(clean: Image, rng: np.random.Generator) -> Image:
    """A picture as a webcam over a lit table takes it: lamp, slope of light, blur, noise, JPEG."""
    height, width = clean.shape[:2]
    line_x, line_y = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    a, b = rng.uniform(-0.2, 0.2, 2)
    warm = rng.uniform(-0.2, 0.2)
    light = (1 + a * line_x[None, :, None] + b * line_y[:, None, None]) * np.exp(
        rng.uniform(-0.5, 0.12) + np.array([-warm, 0.0, warm])
    )
    image = cv2.GaussianBlur((clean * light).astype(np.float32), (0, 0), rng.uniform(0.4, 1.0))
    image += rng.normal(0, rng.uniform(1, 6), image.shape)
    good, data = cv2.imencode(
        ".jpg", image.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 80]
    )
    assert good
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
