"""What lies under the cards: felt, wood or a plain cloth, and a playmat on top of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.clutter import Thing, draw_thing
from referee.simulate.patches import window_about
from referee.simulate.shapes import Box, Colour, rounded_box
from referee.simulate.view import Camera, Light, to_linear

Field = NDArray[np.float32]

SURFACES = ("felt", "wood", "plain")
_MOST_PX_PER_MM, _LEAST_PX_PER_MM = 2.0, 0.5
"""Surfaces are drawn as fine as the camera sees them, within these bounds."""


Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Sticker:
    """A printed marker on the table: its dictionary (as OpenCV names it), number and corners.

    `corners_mm` run clockwise from its upper left one as printed. A white rim lies about it.
    """

    dictionary: str
    number: int
    corners_mm: Corners


@dataclass(frozen=True, slots=True)
class Tabletop:
    """A table's surface and, where `mat_mm` (table coordinates) is set, a felt playmat on it.

    `surface` is one of `SURFACES`. Raises ValueError for another one. `stickers` are the markers
    on it, `lines_mm` closed outlines printed on it (the zones of a mat), `things` lie about.
    """

    surface: str = "wood"
    colour: Colour = (70, 104, 152)
    mat_mm: Box | None = None
    mat_colour: Colour = (70, 92, 24)
    stickers: tuple[Sticker, ...] = ()
    lines_mm: tuple[Corners, ...] = ()
    things: tuple[Thing, ...] = ()

    def __post_init__(self) -> None:
        if self.surface not in SURFACES:
            raise ValueError(f"there is no surface {self.surface!r}; use one of {SURFACES}")


def _noise(
    rng: np.random.Generator, shape: tuple[int, int], grain_mm: tuple[float, float],
    px_per_mm: float,
) -> Field:  # fmt: skip
    """Smooth noise of mean 0 and deviation 1; `grain_mm` is its grain along x and y."""
    blur = (grain_mm[0] * px_per_mm, grain_mm[1] * px_per_mm)
    # Coarse grain is drawn small and enlarged: a wide blur of the full sheet takes seconds.
    shrink = max(1, int(min(blur) / 2))
    small = (shape[0] // shrink + 2, shape[1] // shrink + 2)
    grain = rng.standard_normal(small, dtype=np.float32)
    soft = cv2.GaussianBlur(grain, (0, 0), blur[0] / shrink, sigmaY=blur[1] / shrink)
    sheet = np.asarray(cv2.resize(soft, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray((sheet - sheet.mean()) / sheet.std(), dtype=np.float32)


def _felt(rng: np.random.Generator, shape: tuple[int, int], px_per_mm: float) -> Field:
    """Brightness of pressed wool: short crossed fibres over soft clouds."""
    fibres = _noise(rng, shape, (1.6, 0.3), px_per_mm) + _noise(rng, shape, (0.3, 1.6), px_per_mm)
    clouds = _noise(rng, shape, (30, 30), px_per_mm)
    fluff = _noise(rng, shape, (0.5, 0.5), px_per_mm)
    return np.asarray(1.0 + 0.065 * fibres + 0.05 * fluff + 0.028 * clouds, dtype=np.float32)


def _plain(rng: np.random.Generator, shape: tuple[int, int], px_per_mm: float) -> Field:
    """Brightness of a woven table cloth."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    period = 0.85 * px_per_mm
    weave = np.sin(columns * np.pi / period) * np.sin(rows * np.pi / period)
    folds = _noise(rng, shape, (130, 45), px_per_mm)
    uneven = _noise(rng, shape, (0.6, 0.6), px_per_mm)
    return np.asarray(1.0 + 0.035 * weave + 0.03 * folds + 0.02 * uneven, dtype=np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int], px_per_mm: float) -> Field:
    """Brightness of planks along x: wandering year rings, pores, a dark joint between planks."""
    rows = np.arange(shape[0], dtype=np.float32)[:, None]
    plank_samples = 130 * px_per_mm
    plank = (rows // plank_samples).astype(int)[:, 0]
    wander = _noise(rng, shape, (210, 23), px_per_mm) * 7.5 * px_per_mm
    shift = rng.uniform(0, 450, plank.max() + 1)[plank][:, None].astype(np.float32) * px_per_mm
    tone = rng.uniform(-0.09, 0.09, plank.max() + 1)[plank][:, None].astype(np.float32)
    period = 13.5 * px_per_mm
    rings = np.sin((rows + wander + shift) * 2 * np.pi / period)
    rings = rings + 0.6 * np.sin((rows * 2.3 + wander * 2.9 + shift) * 2 * np.pi / period)
    pores = np.minimum(_noise(rng, shape, (15, 0.35), px_per_mm), 0.4)
    joint = np.abs((rows % plank_samples) - plank_samples / 2) > plank_samples / 2 - 0.8 * px_per_mm
    grain = (
        1.0 + tone + 0.055 * rings + 0.075 * pores + 0.05 * _noise(rng, shape, (150, 9), px_per_mm)
    )
    return np.asarray(grain * np.where(joint, 0.5, 1.0), dtype=np.float32)


def _coloured(brightness: Field, colour: Colour) -> Light:
    base = to_linear(np.array([[colour]], dtype=np.uint8))
    # Darker grain is also more saturated: a power of the colour, not a mere product.
    power = 1.0 + (1.0 - brightness[..., None]) * 0.35
    return np.asarray(base**power * np.maximum(brightness, 0.05)[..., None], dtype=np.float32)


def _lay_mat(
    sheet: Light, top: Tabletop, corner_mm: tuple[float, float], felt: Field, px_per_mm: float
) -> Light:
    """Lay the mat: its shadow, the felt, and a stitched hem."""
    if top.mat_mm is None:
        return sheet
    box = top.mat_mm
    at = (box.left - corner_mm[0], corner_mm[1] - box.bottom)
    path = (rounded_box(box.width, box.height, 14.0) + at) * px_per_mm
    cover = np.zeros(sheet.shape[:2], np.float32)
    cv2.fillPoly(cover, [np.round(path * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    shadow = cv2.GaussianBlur(np.roll(cover, (5, 4), (0, 1)), (0, 0), 7.0)[..., None]
    mat = _coloured(felt, top.mat_colour)
    inner = cv2.erode(cover, np.ones((3, 3), np.uint8), iterations=9)
    ridge = (cover - cv2.GaussianBlur(inner, (0, 0), 1.5))[..., None]
    mat = mat * (1 - 0.32 * np.clip(ridge, 0, 1))
    laid = sheet * (1 - 0.55 * shadow)
    return np.asarray(laid * (1 - cover[..., None]) + mat * cover[..., None], dtype=np.float32)


_RIM_SHARE = 0.17
"""A marker's white rim on each side, in shares of its width: a little over one of its modules."""
_MARKER_SAMPLES = 288
_FINER = 4


def _print_lines(
    sheet: Light, top: Tabletop, corner_mm: tuple[float, float], px_per_mm: float
) -> Light:
    if not top.lines_mm:
        return sheet
    cover = np.zeros(sheet.shape[:2], np.float32)
    for outline in top.lines_mm:
        path = (np.array(outline) - corner_mm) * (px_per_mm, -px_per_mm)
        fixed = [np.round(path * 16).astype(np.int32)]
        cv2.polylines(cover, fixed, True, 1.0, max(1, round(1.5 * px_per_mm)), cv2.LINE_AA, 4)
    pale = to_linear(np.array([[(222, 226, 228)]], dtype=np.uint8))
    share = 0.75 * cover[..., None]
    return np.asarray(sheet * (1 - share) + pale * share, np.float32)


def _stick(
    sheet: Light, sticker: Sticker, corner_mm: tuple[float, float], px_per_mm: float
) -> None:
    """Stick a marker with its white rim on the sheet. Raises ValueError for no known dictionary."""
    name = getattr(cv2.aruco, sticker.dictionary, None)
    if name is None:
        raise ValueError(f"there is no marker dictionary {sticker.dictionary}")
    marker = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(name), sticker.number, _MARKER_SAMPLES
    )
    rim = round(_MARKER_SAMPLES * _RIM_SHARE)
    print_ = cv2.copyMakeBorder(marker, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(255,))
    low, high = rim - 0.5, rim + _MARKER_SAMPLES - 0.5
    printed = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    there = (np.array(sticker.corners_mm) - corner_mm) * (px_per_mm, -px_per_mm) - 0.5
    margin = _RIM_SHARE * float(np.ptp(there, axis=0).max()) * 1.5
    window = window_about(there, margin, sheet.shape)
    if window.empty:
        return
    # Printed edges lie between samples: they are drawn finer and averaged.
    there = (there - (window.left - 0.5, window.top - 0.5)) * _FINER - 0.5
    warp = cv2.getPerspectiveTransform(printed, there.astype(np.float32))
    large = (window.size[0] * _FINER, window.size[1] * _FINER)
    paper, print_light = (
        cv2.resize(
            cv2.warpPerspective(part, warp, large).astype(np.float32),
            window.size,
            interpolation=cv2.INTER_AREA,
        )
        for part in (np.full_like(print_, 255), print_)
    )
    cover = np.asarray(paper, np.float32) / 255.0
    # Black ink on paper is a dark grey, paper not quite white.
    ink = np.asarray(print_light, np.float32) / np.maximum(cover, 1e-3) * (206 / 255) + 26
    light = to_linear(np.clip(ink, 0, 255).astype(np.uint8))[..., None]
    piece = sheet[window.area]
    piece += (light - piece) * cover[..., None]


def draw_tabletop(top: Tabletop, camera: Camera, seed: int) -> Light:
    """Return the empty table as the camera sees it under even light, in linear light."""
    rng = np.random.default_rng(seed)
    seen_px_per_mm = camera.focal_px / camera.position_mm[2]
    px_per_mm = float(np.clip(1.25 * seen_px_per_mm, _LEAST_PX_PER_MM, _MOST_PX_PER_MM))
    x_mm, y_mm = camera.table_map()
    left, right = float(x_mm.min()) - 5, float(x_mm.max()) + 5
    bottom, upper = float(y_mm.min()) - 5, float(y_mm.max()) + 5
    shape = (int((upper - bottom) * px_per_mm), int((right - left) * px_per_mm))
    draw = {"felt": _felt, "wood": _wood, "plain": _plain}[top.surface]
    sheet = _coloured(draw(rng, shape, px_per_mm), top.colour)
    corner_mm = (float(left), float(upper))
    sheet = _lay_mat(sheet, top, corner_mm, _felt(rng, shape, px_per_mm), px_per_mm)
    sheet = _print_lines(sheet, top, corner_mm, px_per_mm)
    for sticker in top.stickers:
        _stick(sheet, sticker, corner_mm, px_per_mm)
    for thing in top.things:
        draw_thing(sheet, thing, corner_mm, px_per_mm)
    # A sample is addressed by its middle.
    columns, rows = (x_mm - left) * px_per_mm - 0.5, (upper - y_mm) * px_per_mm - 0.5
    seen = cv2.remap(
        sheet, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(seen, dtype=np.float32)
