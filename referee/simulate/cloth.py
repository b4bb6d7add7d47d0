"""What lies under the cards: felt, wood or a plain cloth, and a playmat on top of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.shapes import Box, Colour, rounded_box
from referee.simulate.view import Camera, Light, to_linear

Field = NDArray[np.float32]

SURFACES = ("felt", "wood", "plain")
_PX_PER_MM = 2.0


@dataclass(frozen=True, slots=True)
class Tabletop:
    """A table's surface and, where `mat_mm` (table coordinates) is set, a felt playmat on it.

    `surface` is one of `SURFACES`. Raises ValueError for another one.
    """

    surface: str = "wood"
    colour: Colour = (70, 104, 152)
    mat_mm: Box | None = None
    mat_colour: Colour = (70, 92, 24)

    def __post_init__(self) -> None:
        if self.surface not in SURFACES:
            raise ValueError(f"there is no surface {self.surface!r}; use one of {SURFACES}")


def _noise(rng: np.random.Generator, shape: tuple[int, int], blur: tuple[float, float]) -> Field:
    """Smooth noise of mean 0 and deviation 1; `blur` is its grain along x and y in samples."""
    # Coarse grain is drawn small and enlarged: a wide blur of the full sheet takes seconds.
    shrink = max(1, int(min(blur) / 2))
    small = (shape[0] // shrink + 2, shape[1] // shrink + 2)
    grain = rng.standard_normal(small, dtype=np.float32)
    soft = cv2.GaussianBlur(grain, (0, 0), blur[0] / shrink, sigmaY=blur[1] / shrink)
    sheet = np.asarray(cv2.resize(soft, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray((sheet - sheet.mean()) / sheet.std(), dtype=np.float32)


def _felt(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """Brightness of pressed wool: short crossed fibres over soft clouds."""
    fibres = _noise(rng, shape, (3.2, 0.6)) + _noise(rng, shape, (0.6, 3.2))
    clouds = _noise(rng, shape, (60.0, 60.0))
    fluff = _noise(rng, shape, (1.0, 1.0))
    return np.asarray(1.0 + 0.065 * fibres + 0.05 * fluff + 0.028 * clouds, dtype=np.float32)


def _plain(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """Brightness of a woven table cloth."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    weave = np.sin(columns * np.pi / 1.7) * np.sin(rows * np.pi / 1.7)
    folds = _noise(rng, shape, (260.0, 90.0))
    uneven = _noise(rng, shape, (1.2, 1.2))
    return np.asarray(1.0 + 0.035 * weave + 0.03 * folds + 0.02 * uneven, dtype=np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """Brightness of planks along x: wandering year rings, pores, a dark joint between planks."""
    rows = np.arange(shape[0], dtype=np.float32)[:, None]
    plank_samples = 130 * _PX_PER_MM
    plank = (rows // plank_samples).astype(int)[:, 0]
    wander = _noise(rng, shape, (420.0, 46.0)) * 15.0
    shift = rng.uniform(0, 900, plank.max() + 1)[plank][:, None].astype(np.float32)
    tone = rng.uniform(-0.09, 0.09, plank.max() + 1)[plank][:, None].astype(np.float32)
    rings = np.sin((rows + wander + shift) * 2 * np.pi / 27.0)
    rings = rings + 0.6 * np.sin((rows * 2.3 + wander * 2.9 + shift) * 2 * np.pi / 27.0)
    pores = np.minimum(_noise(rng, shape, (30.0, 0.7)), 0.4)
    joint = np.abs((rows % plank_samples) - plank_samples / 2) > plank_samples / 2 - 1.6
    grain = 1.0 + tone + 0.055 * rings + 0.075 * pores + 0.05 * _noise(rng, shape, (300.0, 18.0))
    return np.asarray(grain * np.where(joint, 0.5, 1.0), dtype=np.float32)


def _coloured(brightness: Field, colour: Colour) -> Light:
    base = to_linear(np.array([[colour]], dtype=np.uint8))
    # Darker grain is also more saturated: a power of the colour, not a mere product.
    power = 1.0 + (1.0 - brightness[..., None]) * 0.35
    return np.asarray(base**power * np.maximum(brightness, 0.05)[..., None], dtype=np.float32)


def _lay_mat(sheet: Light, top: Tabletop, corner_mm: tuple[float, float], felt: Field) -> Light:
    """Lay the mat: its shadow, the felt, and a stitched hem."""
    if top.mat_mm is None:
        return sheet
    box = top.mat_mm
    at = (box.left - corner_mm[0], corner_mm[1] - box.bottom)
    path = (rounded_box(box.width, box.height, 14.0) + at) * _PX_PER_MM
    cover = np.zeros(sheet.shape[:2], np.float32)
    cv2.fillPoly(cover, [np.round(path * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    shadow = cv2.GaussianBlur(np.roll(cover, (5, 4), (0, 1)), (0, 0), 7.0)[..., None]
    mat = _coloured(felt, top.mat_colour)
    inner = cv2.erode(cover, np.ones((3, 3), np.uint8), iterations=9)
    ridge = (cover - cv2.GaussianBlur(inner, (0, 0), 1.5))[..., None]
    mat = mat * (1 - 0.32 * np.clip(ridge, 0, 1))
    laid = sheet * (1 - 0.55 * shadow)
    return np.asarray(laid * (1 - cover[..., None]) + mat * cover[..., None], dtype=np.float32)


def draw_tabletop(top: Tabletop, camera: Camera, seed: int) -> Light:
    """Return the empty table as the camera sees it under even light, in linear light."""
    rng = np.random.default_rng(seed)
    frame = np.array([[[0, 0]], [[camera.width_px, 0]], [[camera.width_px, camera.height_px]],
                      [[0, camera.height_px]]], dtype=np.float64)  # fmt: skip
    seen_mm = cv2.perspectiveTransform(frame, np.linalg.inv(camera.homography()))[:, 0]
    (left, bottom), (right, upper) = seen_mm.min(axis=0) - 5, seen_mm.max(axis=0) + 5
    shape = (int((upper - bottom) * _PX_PER_MM), int((right - left) * _PX_PER_MM))
    draw = {"felt": _felt, "wood": _wood, "plain": _plain}[top.surface]
    sheet = _coloured(draw(rng, shape), top.colour)
    sheet = _lay_mat(sheet, top, (float(left), float(upper)), _felt(rng, shape))
    to_mm = np.array([[1 / _PX_PER_MM, 0, left], [0, -1 / _PX_PER_MM, upper], [0, 0, 1]])
    size = (camera.width_px, camera.height_px)
    warped = cv2.warpPerspective(
        sheet, camera.homography() @ to_mm, size, flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(warped, dtype=np.float32)
