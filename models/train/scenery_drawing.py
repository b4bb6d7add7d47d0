"""Cut-out pictures: the sheet on which things are drawn, their thickness and light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from scenery_noise import Colour, Field, as_field, fractal

Bytes = tuple[int, int, int]
Rgba = NDArray[np.float32]


@dataclass(frozen=True)
class Sprite:
    """A cut-out picture: RGBA 0 to 1, its longest side in millimetres and what it shows."""

    rgba: Rgba
    longest_mm: float
    name: str


def eight_bit(colour: Colour) -> Bytes:
    """Return a colour 0 to 1 as 8-bit values."""
    red, green, blue = (max(0, min(255, round(c * 255))) for c in colour)
    return red, green, blue


class Sheet:
    """A clear sheet measured in millimetres, its longest side twice the sprite's 512 px."""

    def __init__(self, width_mm: float, height_mm: float, longest_px: int = 1000) -> None:
        self.px_per_mm = longest_px / max(width_mm, height_mm)
        size_px = (
            max(8, round(width_mm * self.px_per_mm)),
            max(8, round(height_mm * self.px_per_mm)),
        )
        self.picture = Image.new("RGBA", size_px, (0, 0, 0, 0))
        self.pen = ImageDraw.Draw(self.picture)

    def px(self, *values_mm: float) -> tuple[float, ...]:
        """Millimetres as pixels."""
        return tuple(v * self.px_per_mm for v in values_mm)

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Pixels of a place in millimetres."""
        return x_mm * self.px_per_mm, y_mm * self.px_per_mm

    def box(
        self,
        box_mm: tuple[float, float, float, float],
        colour: Colour,
        corner_mm: float = 0.0,
        outline: Colour | None = None,
        line_mm: float = 0.4,
    ) -> None:
        """Draw a filled box (left, top, right, bottom) with round corners."""
        left, top, right, bottom = self.px(*box_mm)
        line = eight_bit(outline) if outline else None
        self.pen.rounded_rectangle(
            (left, top, max(left, right), max(top, bottom)), corner_mm * self.px_per_mm,
            eight_bit(colour), line, max(1, round(line_mm * self.px_per_mm)),
        )  # fmt: skip

    def disc(self, x_mm: float, y_mm: float, radius_mm: float, colour: Colour) -> None:
        """Draw a filled circle."""
        box = self.px(x_mm - radius_mm, y_mm - radius_mm, x_mm + radius_mm, y_mm + radius_mm)
        self.pen.ellipse((box[0], box[1], box[2], box[3]), eight_bit(colour))

    def rgba(self) -> Rgba:
        """Return what was drawn, shape (height_px, width_px, 4), 0 to 1."""
        return as_field(np.asarray(self.picture) / 255)


def shaded(rng: np.random.Generator, rgba: Rgba, bevel_px: float, strength: float) -> Rgba:
    """Round the rim of a flat drawing: lit on one side, dark on the other."""
    padded = cv2.copyMakeBorder(
        (rgba[..., 3] > 0.5).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT
    )
    inside = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    height = np.sqrt(np.clip(inside / bevel_px, 0, 1)) * bevel_px
    height = cv2.GaussianBlur(as_field(height), (0, 0), max(0.6, bevel_px * 0.2))
    gy, gx = np.gradient(height)
    azimuth = rng.uniform(0, 2 * np.pi)
    slope = np.clip(np.cos(azimuth) * gx + np.sin(azimuth) * gy, -1.5, 1.5)
    rgb = (
        rgba[..., :3] * (1 + strength * slope)[..., None]
        + 0.15 * strength * np.clip(slope, 0, 1)[..., None]
    )
    return as_field(np.concatenate([np.clip(rgb, 0, 1), rgba[..., 3:]], axis=-1))


def sheen(rng: np.random.Generator, rgba: Rgba, strength: float) -> Rgba:
    """Return a reflected window or lamp across a smooth thing."""
    height_px, width_px = rgba.shape[:2]
    y, x = np.mgrid[0:height_px, 0:width_px].astype(np.float32) / max(height_px, width_px)
    angle = rng.uniform(0, np.pi)
    across = x * np.cos(angle) + y * np.sin(angle) - rng.uniform(0.1, 0.8)
    band = 1 / (
        1
        + np.exp(np.clip((np.abs(across) - rng.uniform(0.03, 0.2)) * rng.uniform(30, 200), -50, 50))
    )
    rgb = rgba[..., :3] + strength * band[..., None] * rng.uniform(0.4, 1)
    return as_field(np.concatenate([np.clip(rgb, 0, 1), rgba[..., 3:]], axis=-1))


def worn_paper(rng: np.random.Generator, rgba: Rgba) -> Rgba:
    """Paper that was folded and curls a little."""
    shape_px = rgba.shape[0], rgba.shape[1]
    light = 1 + 0.05 * fractal(rng, shape_px, max(shape_px) / 2, 3)
    y, x = np.mgrid[0 : shape_px[0], 0 : shape_px[1]].astype(np.float32)
    for _ in range(rng.integers(0, 3)):
        upright = rng.random() < 0.5
        place = rng.uniform(0.25, 0.75) * (shape_px[1] if upright else shape_px[0])
        d = (x if upright else y) - place
        light = light * (1 + 0.10 * np.exp(-((d / 4) ** 2)) - 0.06 * (d > 0))
    rgb = np.clip(rgba[..., :3] * as_field(light)[..., None], 0, 1)
    return as_field(np.concatenate([rgb, rgba[..., 3:]], axis=-1))


def turned_sprite(rgba: Rgba, angle_deg: float) -> Rgba:
    """Return the picture turned, on a canvas that holds all of it."""
    height_px, width_px = rgba.shape[:2]
    c, s = abs(np.cos(np.radians(angle_deg))), abs(np.sin(np.radians(angle_deg)))
    size = int(width_px * c + height_px * s) + 2, int(width_px * s + height_px * c) + 2
    matrix = cv2.getRotationMatrix2D((width_px / 2, height_px / 2), angle_deg, 1.0)
    matrix[:, 2] += (size[0] - width_px) / 2, (size[1] - height_px) / 2
    soft = np.concatenate([rgba[..., :3] * rgba[..., 3:], rgba[..., 3:]], axis=-1)
    turned = cv2.warpAffine(soft, matrix, size, flags=cv2.INTER_LINEAR)
    turned[..., :3] = turned[..., :3] / np.maximum(turned[..., 3:], 1e-3)
    return as_field(np.clip(turned, 0, 1))


def paste(under: Rgba, over: Rgba, x_px: int, y_px: int) -> None:
    """Lays one cut-out over another in place, with a soft shadow beneath."""
    x0, y0 = max(0, x_px), max(0, y_px)
    x1, y1 = min(under.shape[1], x_px + over.shape[1]), min(under.shape[0], y_px + over.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = over[y0 - y_px : y1 - y_px, x0 - x_px : x1 - x_px]
    target = under[y0:y1, x0:x1]
    a, b = part[..., 3:], target[..., 3:]
    alpha = a + b * (1 - a)
    colour = (part[..., :3] * a + target[..., :3] * b * (1 - a)) / np.maximum(alpha, 1e-4)
    target[:] = np.concatenate([colour, alpha], axis=-1)


def halved(rgba: Rgba, px_per_mm: float, name: str) -> Sprite:
    """Cut to the content, then 2 x 2 samples averaged to a pixel; nothing drawn is an error.

    Raises ValueError where no pixel is covered.
    """
    inside = rgba[..., 3] > 0.02
    if not inside.any():
        raise ValueError(f"the drawing of {name} is empty")
    rows, columns = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
    cut = rgba[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    shrink = min(0.5, 512 / max(cut.shape[:2]))
    size_px = max(1, int(cut.shape[1] * shrink)), max(1, int(cut.shape[0] * shrink))
    soft = np.concatenate([cut[..., :3] * cut[..., 3:], cut[..., 3:]], axis=-1)
    small = cv2.resize(soft, size_px, interpolation=cv2.INTER_AREA)
    small[..., :3] = small[..., :3] / np.maximum(small[..., 3:], 1e-3)
    if small[..., 3].min() > 0.99:
        # WebP drops the alpha of an opaque picture; cut paper has a soft rim anyway.
        small[[0, -1], :, 3] = small[:, [0, -1], 3] = 0.5
    return Sprite(as_field(np.clip(small, 0, 1)), max(cut.shape[:2]) / px_per_mm, name)


def polar(shape_px: tuple[int, int], centre_px: tuple[float, float]) -> tuple[Field, Field]:
    """Distance in pixels from a centre (x, y) and angle in radians."""
    y, x = np.mgrid[0 : shape_px[0], 0 : shape_px[1]].astype(np.float32)
    dx, dy = x - centre_px[0], y - centre_px[1]
    return as_field(np.hypot(dx, dy)), as_field(np.arctan2(dy, dx))
