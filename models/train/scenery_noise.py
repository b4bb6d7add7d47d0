"""Noise, colour ramps and light from which the scenery is made.

Images here are float32 arrays, RGB, values 0 to 1, shape (height_px, width_px, 3); fields have
shape (height_px, width_px).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Rgb = NDArray[np.float32]
Colour = tuple[float, float, float]


def as_field(values: object) -> Field:
    """Return the same values as a float32 array."""
    return np.asarray(values, dtype=np.float32)


def value_noise(
    rng: np.random.Generator, shape_px: tuple[int, int], cell_px: tuple[float, float]
) -> Field:
    """Smooth noise of one scale, about mean 0 and deviation 1; `cell_px` is (y, x)."""
    height_px, width_px = shape_px
    rows = max(2, round(height_px / cell_px[0]) + 3)
    columns = max(2, round(width_px / cell_px[1]) + 3)
    grid = rng.standard_normal((rows, columns)).astype(np.float32)
    wide = cv2.resize(
        grid,
        (max(width_px, round(columns * cell_px[1])), max(height_px, round(rows * cell_px[0]))),
        interpolation=cv2.INTER_CUBIC,
    )
    top = (wide.shape[0] - height_px) // 2
    left = (wide.shape[1] - width_px) // 2
    cut = wide[top : top + height_px, left : left + width_px]
    return as_field(cut / (cut.std() + 1e-6))


def fractal(
    rng: np.random.Generator,
    shape_px: tuple[int, int],
    cell_px: float | tuple[float, float],
    octaves: int = 4,
    persistence: float = 0.55,
) -> Field:
    """Sum of noises, each half the scale of the last, with mean 0 and deviation 1."""
    y_px, x_px = cell_px if isinstance(cell_px, tuple) else (cell_px, cell_px)
    total = np.zeros(shape_px, np.float32)
    weight = 1.0
    for _ in range(octaves):
        total += weight * value_noise(rng, shape_px, (max(1.0, y_px), max(1.0, x_px)))
        y_px, x_px, weight = y_px / 2, x_px / 2, weight * persistence
    return as_field((total - total.mean()) / (total.std() + 1e-6))


def grain(rng: np.random.Generator, shape_px: tuple[int, int], blur_px: float = 0.0) -> Field:
    """White noise, optionally blurred, deviation 1."""
    noise = rng.standard_normal(shape_px).astype(np.float32)
    if blur_px > 0:
        noise = as_field(cv2.GaussianBlur(noise, (0, 0), blur_px))
    return as_field(noise / (noise.std() + 1e-6))


def ramp(field: Field, colours: Sequence[Colour]) -> Rgb:
    """Colours a field: its 2nd to 98th percentile runs through `colours` evenly."""
    low, high = np.percentile(field, (2, 98))
    t = np.clip((field - low) / (high - low + 1e-6), 0, 1) * (len(colours) - 1)
    table = np.asarray(colours, np.float32)
    stops = np.arange(len(colours))
    return as_field(np.stack([np.interp(t, stops, table[:, c]) for c in range(3)], axis=-1))


def flat(shape_px: tuple[int, int], colour: Colour) -> Rgb:
    """Return an image of one colour."""
    return np.broadcast_to(np.asarray(colour, np.float32), (*shape_px, 3)).copy()


def blend(under: Rgb, over: Rgb | Colour, weight: Field) -> Rgb:
    """`over` laid on `under` with per-pixel weight 0 to 1."""
    w = np.clip(weight, 0, 1)[..., None]
    return as_field(under * (1 - w) + np.asarray(over, np.float32) * w)


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """RGB colour of hue 0 to 1, saturation and value 0 to 1."""
    pixel = np.array([[[(hue % 1.0) * 360, saturation, value]]], np.float32)
    red, green, blue = cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0]
    return float(red), float(green), float(blue)


def coordinates(shape_px: tuple[int, int], turn_rad: float = 0.0) -> tuple[Field, Field]:
    """Pixel coordinates (x, y) about the centre, turned by `turn_rad`."""
    height_px, width_px = shape_px
    y, x = np.mgrid[0:height_px, 0:width_px].astype(np.float32)
    x, y = x - width_px / 2, y - height_px / 2
    c, s = float(np.cos(turn_rad)), float(np.sin(turn_rad))
    return as_field(c * x + s * y), as_field(-s * x + c * y)


def bend(image: Rgb, dx_px: Field, dy_px: Field) -> Rgb:
    """Return the image sampled at displaced places, mirrored at the borders."""
    height_px, width_px = image.shape[:2]
    y, x = np.mgrid[0:height_px, 0:width_px].astype(np.float32)
    mode = cv2.BORDER_REFLECT_101
    return as_field(cv2.remap(image, x + dx_px, y + dy_px, cv2.INTER_LINEAR, borderMode=mode))


def relief(height: Field, strength: float, azimuth_rad: float) -> Field:
    """Light and shade of a height field about 1, lit from `azimuth_rad`."""
    gy, gx = np.gradient(height)
    return as_field(1 + strength * (np.cos(azimuth_rad) * gx + np.sin(azimuth_rad) * gy))


def lamp_light(rng: np.random.Generator, shape_px: tuple[int, int], strength: float) -> Field:
    """Uneven lighting about 1: a slope, one warm pool and soft shadows."""
    x, y = coordinates(shape_px, rng.uniform(0, 2 * np.pi))
    span_px = max(shape_px)
    light = 1 + strength * x / span_px
    cx, cy = rng.uniform(-0.5, 0.5, 2) * span_px
    reach_px = rng.uniform(0.3, 0.9) * span_px
    light += strength * 0.8 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * reach_px**2))
    if rng.random() < 0.35:
        edge = fractal(rng, shape_px, span_px / 2, 2) + rng.uniform(-0.5, 0.5)
        light *= 1 - strength * 0.6 / (1 + np.exp(-edge * rng.uniform(2, 12)))
    return as_field(np.clip(light, 0.05, 3))


def glossy(rng: np.random.Generator, image: Rgb) -> Rgb:
    """Mirrored windows and lamps on a polished surface."""
    shape_px = image.shape[0], image.shape[1]
    x, y = coordinates(shape_px, rng.uniform(0, np.pi))
    sheen = np.zeros(shape_px, np.float32)
    for _ in range(rng.integers(1, 4)):
        cx, cy = rng.uniform(-300, 300, 2)
        half_x, half_y = rng.uniform(30, 170, 2)
        power = rng.choice([2.0, 8.0])
        shape = np.abs((x - cx) / half_x) ** power + np.abs((y - cy) / half_y) ** power
        sheen += np.exp(-shape) * rng.uniform(0.15, 0.7)
    wobble = 1 + 0.12 * fractal(rng, shape_px, 60, 3)
    sheen = as_field(cv2.GaussianBlur(as_field(sheen * wobble), (0, 0), rng.uniform(2, 18)))
    return as_field(image + sheen[..., None] * np.array([1.0, 0.98, 0.93]))


def dimmed(colour: Colour, factor: float) -> Colour:
    """Return the colour, `factor` times as bright."""
    return colour[0] * factor, colour[1] * factor, colour[2] * factor


def expose(rng: np.random.Generator, image: Rgb) -> Rgb:
    """Return a camera's exposure of a surface: mostly right, sometimes very dark or burnt out."""
    roll = rng.random()
    if roll < 0.12:
        gain = rng.uniform(0.12, 0.4)
    elif roll > 0.92:
        gain = rng.uniform(1.3, 2.0)
    else:
        gain = rng.uniform(0.65, 1.25)
    white = 1 + rng.normal(0, 0.06, 3)
    return as_field(np.clip(image * gain * white, 0, 1))


def to_bytes(image: Rgb) -> NDArray[np.uint8]:
    """Return the image as 8-bit values."""
    return np.clip(np.rint(image * 255), 0, 255).astype(np.uint8)
