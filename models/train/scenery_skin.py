"""Skin, creases, nails, tendons and rings painted on a hand, and its lighting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scenery_noise import Colour, Field, as_field, fractal, grain
from scenery_skeleton import (
    Capsule,
)
from scenery_surface import (
    Frame,
    Surface,
    Window,
    bar_coordinates,
    part_of,
    window_around,
)

# sRGB tones of the back of the hand, from the lightest to the darkest (the six Fitzpatrick types,
# picked by eye), and of the palm, which darkens far less.
BACK_TONES: tuple[Colour, ...] = (
    (0.93, 0.76, 0.68),
    (0.88, 0.69, 0.57),
    (0.80, 0.60, 0.46),
    (0.67, 0.46, 0.33),
    (0.48, 0.31, 0.22),
    (0.29, 0.185, 0.135),
)


PALM_TONES: tuple[Colour, ...] = (
    (0.95, 0.76, 0.69),
    (0.91, 0.72, 0.62),
    (0.87, 0.67, 0.55),
    (0.80, 0.59, 0.47),
    (0.70, 0.50, 0.40),
    (0.58, 0.41, 0.33),
)


LACQUERS: tuple[Colour, ...] = (
    (0.75, 0.05, 0.10),
    (0.45, 0.02, 0.12),
    (0.92, 0.45, 0.60),
    (0.06, 0.06, 0.08),
    (0.15, 0.25, 0.60),
    (0.10, 0.45, 0.35),
    (0.93, 0.92, 0.90),
    (0.70, 0.60, 0.78),
)


METALS: tuple[Colour, ...] = (
    (0.86, 0.68, 0.32),
    (0.78, 0.79, 0.80),
    (0.80, 0.58, 0.48),
    (0.2, 0.2, 0.2),
)


@dataclass(frozen=True)
class Dress:
    """What the person wears."""

    sleeve_start_mm: float | None
    sleeve_kind: str
    wrist_band: str
    ring_finger: int
    lacquer: Colour | None


@dataclass
class Canvas:
    """The picture while it is being painted."""

    colour: NDArray[np.float32]
    height_mm: Field
    gloss: Field

    def part(self, window: Window) -> Canvas:
        """Return a view of a part: painting it paints the whole."""
        return Canvas(self.colour[window], self.height_mm[window], self.gloss[window])


def paint_skin(rng: np.random.Generator, canvas: Canvas, backs: Field, flush: Field) -> None:
    """Lays the skin: back and palm tone, blotches, flushed tips, fine texture."""
    tone = float(rng.choice([rng.uniform(0, 2.5), rng.uniform(1.5, 5.0)]))
    stops = np.arange(6)
    back = np.array([np.interp(tone, stops, [c[i] for c in BACK_TONES]) for i in range(3)])
    palm = np.array([np.interp(tone, stops, [c[i] for c in PALM_TONES]) for i in range(3)])
    back = back * (1 + rng.normal(0, 0.03, 3))
    weight = (1 / (1 + np.exp(-backs * 5)))[..., None]
    skin = palm * (1 - weight) + back * weight
    shape_px = backs.shape[0], backs.shape[1]
    blotch = fractal(rng, shape_px, 60, 4)[..., None]
    skin = skin * (1 + blotch * np.array([0.015, 0.035, 0.035]))
    redness = rng.uniform(0.05, 0.16) * (1 - tone / 8)
    skin = skin * (1 - flush[..., None] * np.array([0.0, redness, redness]))
    skin *= 1 + 0.012 * grain(rng, shape_px, 0.8)[..., None]
    canvas.colour[:] = skin
    canvas.height_mm += 0.035 * fractal(rng, shape_px, 10, 2) * rng.uniform(0.5, 2.0)


def paint_joint(
    canvas: Canvas, mask: NDArray[np.bool_], along_mm: Field, back: Field, depth: float
) -> None:
    """Creases across a finger at a joint: three on the back, two on the palm side."""
    for offset_mm, strength in ((-1.7, 0.8), (0.0, 1.0), (1.8, 0.7)):
        line = np.exp(-(((along_mm - offset_mm) / 0.55) ** 2)) * strength * depth
        line = np.where(mask, line * np.clip(np.abs(back) * 1.6 - 0.2, 0, 1), 0)
        canvas.height_mm -= as_field(0.45 * line)
        canvas.colour *= as_field(1 - 0.20 * line[..., None] * np.array([0.6, 1.0, 1.0]))


def paint_nail(
    canvas: Canvas,
    mask: NDArray[np.bool_],
    spot: tuple[Field, Field, Field],
    lacquer: Colour | None,
    growth: float,
) -> None:
    """Paint a nail on a last finger bone: plate, pale moon, white tip or lacquer, dark rim."""
    along, across, back = spot
    centre, half = 0.74 + growth / 2, 0.36 + growth / 2
    shape = (np.abs((along - centre) / half) ** 3.2 + np.abs(across / 0.74) ** 3.2) ** (1 / 3.2)
    plate = np.where(mask & (back > 0.15), 1 / (1 + np.exp(np.minimum((shape - 1) * 22, 60))), 0)
    rim = np.where(mask & (back > 0.1), np.exp(-(((shape - 1.03) / 0.09) ** 2)), 0)
    if lacquer is None:
        base = (
            canvas.colour * np.array([1.04, 0.99, 1.0]) * 0.86 + np.array([0.96, 0.80, 0.78]) * 0.14
        )
        tip = 1 / (1 + np.exp(np.clip(-(along - (centre + half * 0.72)) * 60, -60, 60)))
        moon = np.exp(-(((along - (centre - half * 0.85)) / 0.09) ** 2 + (across / 0.4) ** 2)) * 0.3
        pale = np.clip(tip * 0.75 + moon, 0, 1)[..., None]
        base = base * (1 - pale) + np.array([0.93, 0.89, 0.84]) * pale
    else:
        base = np.broadcast_to(np.asarray(lacquer, np.float32), canvas.colour.shape)
    weight = plate[..., None]
    canvas.colour[:] = canvas.colour * (1 - weight) + base * weight
    canvas.colour *= as_field(1 - 0.30 * rim[..., None] * np.array([0.6, 1.0, 1.0]))
    canvas.height_mm += as_field(0.35 * plate - 0.25 * rim)
    canvas.gloss += as_field(plate * (0.55 if lacquer is None else 1.0))


def paint_band(
    rng: np.random.Generator,
    canvas: Canvas,
    band: Field,
    colour: Colour,
    raise_mm: float,
    gloss: float,
) -> None:
    """Paint a ring, strap or bangle where `band` is 1."""
    weight = band[..., None]
    texture = 1 + 0.06 * fractal(rng, (band.shape[0], band.shape[1]), 6, 2)[..., None]
    canvas.colour[:] = (
        canvas.colour * (1 - weight) + np.asarray(colour, np.float32) * texture * weight
    )
    canvas.height_mm += as_field(raise_mm * band)
    canvas.gloss += as_field(gloss * band)


def soft_box(values: Field, low: float, high: float, edge: float) -> Field:
    """1 between low and high, with soft edges."""
    rise = np.exp(np.clip(-(values - low) / edge, -60, 60))
    fall = np.exp(np.clip((values - high) / edge, -60, 60))
    return as_field(1 / ((1 + rise) * (1 + fall)))


def paint_details(
    rng: np.random.Generator,
    canvas: Canvas,
    bars: Sequence[Capsule],
    surface: Surface,
    frame: Frame,
    dress: Dress,
) -> None:
    """Creases, nails and rings, finger by finger."""
    depth, growth = rng.uniform(0.3, 1.1), max(0.0, rng.normal(0.0, 0.12))
    ring_metal = METALS[rng.integers(len(METALS))]
    for index, bar in enumerate(bars):
        if bar.finger < 0 or bar.part == "thenar":
            continue
        mask = surface.winner == index
        if mask.sum() < 30:
            continue
        window = window_around(mask)
        spot = bar_coordinates(bar, *part_of(surface, frame, window))
        part, mask = canvas.part(window), mask[window]
        length_mm = float(np.linalg.norm(bar.b_mm - bar.a_mm))
        if bar.part != "proximal" or bar.finger == 4:
            paint_joint(part, mask, as_field(spot[0] * length_mm), spot[2], depth)
        if bar.part != "distal":
            paint_joint(part, mask, as_field((spot[0] - 1) * length_mm), spot[2], depth * 0.8)
        if bar.part == "distal":
            paint_nail(part, mask, spot, dress.lacquer, growth if bar.finger < 4 else growth / 2)
        if bar.part == "proximal" and bar.finger == dress.ring_finger:
            band = np.where(mask, soft_box(spot[0], 0.48, 0.56, 0.006), 0)
            paint_band(rng, part, as_field(band), ring_metal, 0.9, 1.2)


def paint_backs(bars: Sequence[Capsule], surface: Surface, frame: Frame) -> tuple[Field, Field]:
    """How far each pixel faces the back of the hand, and where skin is flushed (tips, knuckles)."""
    backs = np.zeros(frame.shape_px, np.float32)
    flush = np.zeros(frame.shape_px, np.float32)
    rows, columns = np.indices(frame.shape_px, dtype=np.float32)
    x, y = frame.left_mm + columns / frame.px_per_mm, frame.top_mm - rows / frame.px_per_mm
    for index, bar in enumerate(bars):
        mask = surface.winner == index
        if not mask.any():
            continue
        window = window_around(mask)
        towards_back = bar_coordinates(bar, *part_of(surface, frame, window))[2]
        backs[window] = np.where(mask[window], towards_back, backs[window])
        ends = {"distal": (bar.b_mm, 9.0), "middle": (bar.a_mm, 7.0), "proximal": (bar.a_mm, 10.0)}
        if bar.part in ends:
            place, reach_mm = ends[bar.part]
            flush += np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * reach_mm**2)) * mask
    sigma_px = 2.5 * frame.px_per_mm
    return (
        as_field(cv2.GaussianBlur(backs, (0, 0), sigma_px)),
        as_field(np.clip(cv2.GaussianBlur(flush, (0, 0), sigma_px), 0, 1)),
    )


def add_tendons(
    rng: np.random.Generator, canvas: Canvas, bars: Sequence[Capsule], frame: Frame
) -> None:
    """Tendons, knuckles and veins under the skin of the back of the hand."""
    strength = rng.uniform(0.2, 1.2)
    rows, columns = np.indices(frame.shape_px, dtype=np.float32)
    x, y = frame.left_mm + columns / frame.px_per_mm, frame.top_mm - rows / frame.px_per_mm
    for bar in [b for b in bars if b.part == "palm"][:4]:
        if bar.back[2] < 0.3:
            continue
        run = bar.b_mm[:2] - bar.a_mm[:2]
        t = np.clip(
            ((x - bar.a_mm[0]) * run[0] + (y - bar.a_mm[1]) * run[1]) / float(run @ run), 0, 1
        )
        d = np.hypot(x - bar.a_mm[0] - t * run[0], y - bar.a_mm[1] - t * run[1])
        canvas.height_mm += as_field(
            strength * np.exp(-((d / 2.2) ** 2)) * np.clip(t * 1.6 - 0.3, 0, 1)
        )
        knuckle = np.hypot(x - bar.b_mm[0], y - bar.b_mm[1])
        canvas.height_mm += as_field(1.6 * strength * np.exp(-((knuckle / 6.5) ** 2)))
    if rng.random() < 0.6:
        wander = fractal(rng, frame.shape_px, (34 * frame.px_per_mm, 16 * frame.px_per_mm), 2)
        vein = np.exp(-((wander / 0.11) ** 2)) * rng.uniform(0.2, 0.8)
        vein = cv2.GaussianBlur(as_field(vein), (0, 0), 1.0 * frame.px_per_mm)
        palm = np.exp(-((y - 35) ** 2) / (2 * 45**2)) if bars[0].back[2] > 0.4 else 0.0
        canvas.height_mm += as_field(0.5 * vein * palm)
        canvas.colour *= as_field(1 - (vein * palm)[..., None] * np.array([0.07, 0.03, 0.0]))


def wide_mean(height: Field, inside: Field, reach_px: float) -> Field:
    """Mean height of the hand around each pixel, found at a quarter of the size for speed."""
    size_px = inside.shape[1], inside.shape[0]
    small = max(1, size_px[0] // 4), max(1, size_px[1] // 4)
    sums = []
    for field in (height * inside, inside):
        shrunk = cv2.resize(field, small, interpolation=cv2.INTER_AREA)
        sums.append(cv2.GaussianBlur(shrunk, (0, 0), reach_px / 4))
    return as_field(cv2.resize(as_field(sums[0] / (sums[1] + 1e-3)), size_px))


def lit(
    rng: np.random.Generator, canvas: Canvas, px_per_mm: float, skin: Field, inside: Field
) -> NDArray[np.float32]:
    """Light the canvas with one soft lamp, ambient light and shade in the hollows."""
    height = cv2.GaussianBlur(canvas.height_mm, (0, 0), 0.35 * px_per_mm)
    gy, gx = np.gradient(height * px_per_mm)
    norm = np.sqrt(gx**2 + gy**2 + 1.0)
    azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(35, 78))
    lamp = np.array(
        [
            np.cos(azimuth) * np.cos(elevation),
            np.sin(azimuth) * np.cos(elevation),
            np.sin(elevation),
        ]
    )
    facing = (-gx * lamp[0] - gy * lamp[1] + lamp[2]) / norm
    wrap = np.stack([(facing + w) / (1 + w) for w in (0.45, 0.3, 0.27)], axis=-1)
    wrap = np.where(skin[..., None] > 0.5, wrap, ((facing + 0.3) / 1.3)[..., None])
    ambient = rng.uniform(0.28, 0.55)
    up = (0.55 + 0.45 / norm)[..., None]
    hollow = np.zeros_like(height)
    for reach_mm in (3.0, 9.0):
        wide = wide_mean(as_field(height), inside, reach_mm * px_per_mm)
        hollow += np.clip((wide - height) / (reach_mm * 2.2), 0, 1)
    shade = (1 - 0.5 * np.clip(hollow, 0, 1))[..., None]
    half = lamp + np.array([0, 0, 1])
    half /= np.linalg.norm(half)
    mirror = np.clip((-gx * half[0] - gy * half[1] + half[2]) / norm, 0, 1)
    oil = rng.uniform(0.02, 0.14)
    shine = oil * mirror**18 + canvas.gloss * 0.5 * mirror**60
    light = (ambient * up + (1.1 - ambient) * np.clip(wrap, 0, 1)) * shade
    return as_field(canvas.colour * light * 1.12 + shine[..., None])
