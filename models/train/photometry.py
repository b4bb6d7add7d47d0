"""What light, lens, sensor and codec do to a clean scene, one image at a time, by OpenCV.

Images are S x S x 3 float32, blue-green-red, 0..1. Each step draws its own strength from `rng`,
so that no two pictures share a camera.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

Image = NDArray[np.float32]
Chance = np.random.Generator

# ---- settings: share of images that get each effect ------------------------------------------
SHADE_SHARE, GLARE_SHARE, HARD_SHADOW_SHARE = 0.75, 0.22, 0.2
DEFOCUS_SHARE, MOTION_SHARE, RESAMPLE_SHARE, SHARPEN_SHARE = 0.55, 0.18, 0.3, 0.3
NOISE_SHARE, JPEG_SHARE, GREY_SHARE = 0.7, 0.6, 0.05
DARK_SHARE, BRIGHT_SHARE, CAST_SHARE, FADED_SHARE = 0.22, 0.15, 0.6, 0.3
CLEAR_CARD_PX = 140.0  # a card at 1080p over a table 1.2 m wide
COARSE = 24  # light varies slowly: its field is drawn this small and enlarged


def photograph(clean: NDArray[np.uint8], fine: float, rng: Chance) -> NDArray[np.uint8]:
    """The clean scene as some camera would deliver it.

    `fine` is the height of its cards / CLEAR_CARD_PX: small cards are blurred less, since what
    nobody can read teaches nothing.
    """
    image = _lens(_light(clean, rng), min(fine, 1.6), rng)
    return _codec(_sensor(image, rng), rng)


def _light(clean: NDArray[np.uint8], rng: Chance) -> Image:
    """Uneven light, the edge of a hard shadow, a glare spot, the colour of the lamp."""
    line = np.linspace(-1, 1, COARSE, dtype=np.float32)
    x, y = line[None, :], line[:, None]
    field = np.ones((COARSE, COARSE), np.float32)
    if rng.random() < SHADE_SHARE:
        a, b, strength = rng.uniform(-0.35, 0.35), rng.uniform(-0.35, 0.35), rng.uniform(-0.3, 0.6)
        px, py, wide = rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2), rng.uniform(0.2, 2.0)
        field += a * x + b * y + strength * np.exp(-((x - px) ** 2 + (y - py) ** 2) / wide)
    size = clean.shape[0]
    field = cv2.resize(field.clip(0.05, None), (size, size), interpolation=cv2.INTER_LINEAR)
    if rng.random() < HARD_SHADOW_SHARE:
        field *= _shadow_edge(size, rng)
    glare = _glare(size, rng) if rng.random() < GLARE_SHARE else np.zeros((1, 1), np.float32)
    cast = np.exp(rng.uniform(-0.2, 0.2, 3) * (rng.random() < CAST_SHARE))
    if rng.random() < 0.4:
        warm = rng.uniform(-0.3, 0.3)
        cast = cast * np.exp([-warm, 0, warm])
    out = np.empty(clean.shape, np.float32)
    _lit(clean, field, glare, cast.astype(np.float32) / np.float32(255), out)
    return out


@njit(cache=True, fastmath=True)
def _lit(clean, field, glare, cast, out):  # type: ignore[no-untyped-def]
    bright = glare.shape[0] > 1
    for y in range(clean.shape[0]):
        for x in range(clean.shape[1]):
            extra = glare[y, x] if bright else np.float32(0)
            for k in range(3):
                out[y, x, k] = clean[y, x, k] * field[y, x] * cast[k] + extra


def _shadow_edge(size: int, rng: Chance) -> Image:
    line = np.linspace(-1, 1, size, dtype=np.float32)
    turn, where, soft = rng.uniform(0, 6.28), rng.uniform(-0.8, 0.8), math.exp(rng.uniform(-5, -1))
    far = (line[None, :] * math.cos(turn) + line[:, None] * math.sin(turn) - where) / soft
    return 1 - rng.uniform(0.2, 0.7) * (far.clip(-1, 1) * 0.5 + 0.5)


def _glare(size: int, rng: Chance) -> Image:
    line = np.linspace(-1, 1, COARSE * 2, dtype=np.float32)
    a, b = rng.uniform(-1, 1, 2)
    sx, sy = rng.uniform(0.08, 0.7, 2)
    spot = np.exp(-(((line[None, :] - a) / sx) ** 2) - ((line[:, None] - b) / sy) ** 2)
    return cv2.resize(rng.uniform(0.1, 1.0) * spot, (size, size), interpolation=cv2.INTER_CUBIC)


def _lens(image: Image, fine: float, rng: Chance) -> Image:
    """Defocus, motion and a coarser sensor."""
    if rng.random() < DEFOCUS_SHARE:
        image = cv2.GaussianBlur(image, (0, 0), 0.3 + rng.random() ** 2 * 1.6 * fine)
    if rng.random() < MOTION_SHARE:
        image = cv2.filter2D(
            image, -1, _line_kernel(rng.uniform(1, 1 + 6 * fine), rng.uniform(0, math.pi))
        )
    if rng.random() < RESAMPLE_SHARE * fine:
        size = image.shape[0]
        small = int(size * rng.uniform(0.5, 0.95))
        how = rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST], p=[0.5, 0.4, 0.1])
        image = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        image = cv2.resize(image, (size, size), interpolation=int(how))
    return image


def _line_kernel(length_px: float, angle: float) -> Image:
    half = 6
    line = np.arange(-half, half + 1, dtype=np.float32)
    x, y = line[None, :], line[:, None]
    along = np.abs(x * math.cos(angle) + y * math.sin(angle)) - length_px / 2
    aside = -x * math.sin(angle) + y * math.cos(angle)
    k = np.exp(-(along.clip(0, None) ** 2 + aside**2) / 0.5)
    return (k / k.sum()).astype(np.float32)


def _sensor(image: Image, rng: Chance) -> NDArray[np.uint8]:
    """Exposure, noise, a dark room brightened with its noise, tone, colour and haze; 8 bits."""
    dark = rng.random() < DARK_SHARE
    gain = rng.uniform(-0.25, 0.25)
    gain -= rng.uniform(0.3, 1.5) if dark else 0.0
    gain += rng.uniform(0.1, 0.6) if rng.random() < BRIGHT_SHARE else 0.0
    grain = rng.random() ** 2 * 0.05 if rng.random() < NOISE_SHARE else 0.0
    lift = 1 + rng.uniform(0, 1.5) if dark else 1.0
    tone = np.linspace(0, 1, 1024, dtype=np.float32) ** np.float32(math.exp(rng.uniform(-0.3, 0.3)))
    haze = rng.uniform(0, 0.25) if rng.random() < FADED_SHARE else 0.0
    if rng.random() < SHARPEN_SHARE:
        k = rng.uniform(0, 1.5)
        image = cv2.addWeighted(image, 1 + k, cv2.blur(image, (3, 3)), -k, 0)
    out = np.empty(image.shape, np.uint8)
    numbers = np.array([math.exp(gain), grain, rng.uniform(0, 1.2), lift, haze], np.float32)
    bank = cv2.randn(np.empty(1 << 16, np.float32), 0, 1).reshape(-1)
    _exposed(image, numbers, tone, _colour(rng), bank, rng.integers(1 << 16, size=8), out)
    return out


@njit(cache=True, fastmath=True)
def _exposed(image, numbers, tone, colour, bank, at, out):  # type: ignore[no-untyped-def]
    """Grain grows with the light, part of it in coarse coloured blotches of 2 x 2 px."""
    gain, grain, blotch, lift, haze = numbers
    mask = len(bank) - 1
    size = image.shape[1]
    v = np.empty(3, np.float32)
    for y in range(image.shape[0]):
        # Every row starts elsewhere in the bank, so that no pattern repeats along the columns.
        row = at[0] + (y * 40503 >> 3) * 7
        slow = at[1] + ((y >> 1) * 30011 >> 2) * 5
        for x in range(size):
            for k in range(3):
                p = min(max(image[y, x, k] * gain, 0.0), 1.15)
                if grain > 0:
                    n = bank[(row + x * 3 + k) & mask]
                    n += blotch * bank[(slow + (x >> 1) * 3 + k) & mask]
                    p += grain * (0.4 + math.sqrt(p)) * n
                p = min(max(p * lift, 0.0), 1.0)
                v[k] = tone[int(p * 1023.0)]
            for k in range(3):
                p = v[0] * colour[0, k] + v[1] * colour[1, k] + v[2] * colour[2, k]
                p = haze + (1 - haze) * p
                out[y, x, k] = int(min(max(p, 0.0), 1.0) * 255.0 + 0.5)


def _colour(rng: Chance) -> Image:
    """3 x 3 saturation matrix: faded, vivid or grey."""
    vivid = 1.0
    if rng.random() < FADED_SHARE:
        vivid *= 1 - rng.uniform(0, 0.75)
    if rng.random() < 0.3:
        vivid *= 1 + rng.uniform(0, 0.5)
    if rng.random() < GREY_SHARE:
        vivid = 0.0
    weights = np.array([0.114, 0.587, 0.299], np.float32)
    return (vivid * np.eye(3) + (1 - vivid) * weights[:, None]).astype(np.float32)


def _codec(image: NDArray[np.uint8], rng: Chance) -> NDArray[np.uint8]:
    if rng.random() >= JPEG_SHARE:
        return image
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 96))])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
