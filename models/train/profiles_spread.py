"""Draws a deck spread out in rows under a camera, as somebody shows it to be learned."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Index:
    """A printed index that shows: its middle and half height in pixels, and its card."""

    x: float
    y: float
    half_px: float
    label: str


# ---- settings -------------------------------------------------------------------------------
SIDE_PX = 1056
TALL_PX = 150  # a card at 1080p over a table 1.1 m wide
ROW, STEP = 1.57, 0.453  # of a card's height: 14 in a row half covered, four rows
MOST_CARDS = 56
EDGE_PX = (70, 110)
TURN_DEG, OFF_PX = 4.0, 2.5


def spread(folder: Path, ground: Image, rng: np.random.Generator) -> Image:
    """All cards of a deck's folder in four rows, each covering half of the one before."""
    return dealt(folder, ground, rng, TALL_PX, MOST_CARDS)[0]


def dealt(
    folder: Path, ground: Image, rng: np.random.Generator, tall_px: int, count: int
) -> tuple[Image, list[Index]]:
    """So many cards of a deck in rows, each card once, and the indices that show."""
    info = json.loads((folder / "deck.json").read_text())
    out = cv2.resize(ground, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    step, row = STEP * tall_px, ROW * tall_px
    in_row = int((SIDE_PX - 2 * EDGE_PX[0]) // step) + 1
    showing: list[Index] = []
    for number, face in enumerate(rng.permutation(sorted(info["faces"]))[:count]):
        picture = _card(folder / info["faces"][face]["file"], float(info["aspect"]), tall_px)
        x = EDGE_PX[0] + number % in_row * step + rng.normal(0, OFF_PX)
        y = EDGE_PX[1] + number // in_row * row + rng.normal(0, OFF_PX)
        turn = math.radians(rng.normal(0, TURN_DEG))
        if y > SIDE_PX - EDGE_PX[1]:
            break
        share = _lay(out, picture, x, y, turn)
        showing = [one for one in showing if share[round(one.y), round(one.x)] < 0.5]
        size = (tall_px * float(info["aspect"]), tall_px)
        label = "JOKER" if face[0] == "X" else str(face)
        for index in info["faces"][face]["indices"]:
            showing.append(_index(index, label, size, (x, y, turn)))
    return out, showing


def _index(row, label, size, laid) -> Index:  # type: ignore[no-untyped-def]
    """An index of a laid card, in the picture."""
    (wide, tall), (x, y, turn) = size, laid
    u, v = (row["u"] - 0.5) * wide, (row["v"] - 0.5) * tall
    c, s = math.cos(turn), math.sin(turn)
    return Index(x + c * u - s * v, y + s * u + c * v, row["h"] * tall / 2, label)


def _card(path: Path, aspect: float, tall_px: int) -> NDArray[np.uint8]:
    """Blue-green-red-alpha, twice as large as it will lie there."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    size = (round(2 * tall_px * aspect), 2 * tall_px)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _lay(
    out: Image, card: NDArray[np.uint8], x: float, y: float, turn: float
) -> NDArray[np.float32]:
    """Lay a card on the picture; returns how much of each pixel it covers."""
    c, s = math.cos(turn) / 2, math.sin(turn) / 2
    half_x, half_y = card.shape[1] / 2, card.shape[0] / 2
    way = np.array([[c, -s, x - c * half_x + s * half_y], [s, c, y - s * half_x - c * half_y]])
    laid = cv2.warpAffine(card, way, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR)
    share = laid[:, :, 3:].astype(np.float32) / 255
    out[:] = (out * (1 - share) + laid[:, :, :3] * share).astype(np.uint8)
    return np.asarray(share[:, :, 0], np.float32)


def in_bad_light(clean: Image, rng: np.random.Generator) -> Image:
    """A picture as a cheap webcam takes it in the evening: dark, noisy, out of focus."""
    soft = cv2.GaussianBlur(as_photographed(clean, rng), (0, 0), rng.uniform(0.6, 1.3))
    dark = soft * rng.uniform(0.35, 0.9) + rng.normal(0, rng.uniform(3, 9), soft.shape)
    return np.asarray(dark.clip(0, 255), np.uint8)


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
