"""Hard table tops and floors: wood, stone, laminate, tiles, cardboard, rubber."""

from __future__ import annotations

import cv2
import numpy as np

from scenery_cloth import (
    SHAPE_PX,
    dye,
)
from scenery_noise import (
    Colour,
    Rgb,
    as_field,
    bend,
    blend,
    coordinates,
    dimmed,
    flat,
    fractal,
    glossy,
    grain,
    ramp,
    value_noise,
)


def wood_planks(rng: np.random.Generator) -> Rgb:
    """Boards side by side, light to nearly black."""
    return boards(rng, rng.uniform(60, 220), 2.0 if rng.random() < 0.7 else 0.0)


def parquet(rng: np.random.Generator) -> Rgb:
    """Short narrow boards."""
    return boards(rng, rng.uniform(25, 60), 1.0)


def veneer(rng: np.random.Generator) -> Rgb:
    """One unbroken sheet of wood."""
    return boards(rng, 5000, 0.0)


WOODS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((0.42, 0.27, 0.15), (0.60, 0.41, 0.24), (0.70, 0.52, 0.33)),
    ((0.70, 0.55, 0.38), (0.82, 0.68, 0.50), (0.88, 0.77, 0.60)),
    ((0.16, 0.09, 0.06), (0.27, 0.16, 0.10), (0.35, 0.21, 0.13)),
    ((0.35, 0.14, 0.08), (0.52, 0.23, 0.12), (0.60, 0.30, 0.17)),
    ((0.48, 0.44, 0.40), (0.62, 0.58, 0.53), (0.72, 0.69, 0.64)),
    ((0.07, 0.06, 0.06), (0.13, 0.12, 0.11), (0.19, 0.17, 0.16)),
    ((0.78, 0.76, 0.72), (0.86, 0.84, 0.81), (0.92, 0.91, 0.89)),
)


def boards(rng: np.random.Generator, width_px: float, gap_px: float) -> Rgb:
    """Wood grain in boards of `width_px`, turned by any angle, sometimes glossy."""
    big = (960, 960)
    x, y = coordinates(big)
    row = np.floor(y / width_px + 0.5)
    shift = np.sin(row * 12.9898 + rng.uniform(0, 9)) * 43758.5
    shift = (shift - np.floor(shift)).astype(np.float32)
    length_px = width_px * rng.uniform(5, 9)
    column = np.floor(x / length_px + shift)
    tone = np.sin(row * 78.2 + column * 37.7 + rng.uniform(0, 9)) * 0.5
    slow = fractal(rng, big, (70, 420), 3)
    slow = as_field(
        bend(np.repeat(slow[..., None], 3, 2), as_field(row * 97 % 300), as_field(tone * 60))[
            ..., 0
        ]
    )
    rings = np.sin((slow * rng.uniform(3, 9) + y / rng.uniform(20, 60)) * 2)
    fine = fractal(rng, big, (2.5, 120), 3) * 0.6 + fractal(rng, big, (1.2, 30), 1) * 0.35
    field = as_field(0.8 * rings + fine + tone * rng.uniform(0.3, 1.6))
    image = ramp(field, WOODS[rng.integers(len(WOODS))])
    if gap_px > 0:
        across = np.abs((y / width_px + 0.5) % 1 - 0.5) * width_px
        along = np.abs((x / length_px + shift) % 1 - 0.5) * length_px
        edge = np.minimum(width_px / 2 - across, length_px / 2 - along)
        image *= (1 - 0.55 * np.exp(-((edge / gap_px) ** 2)))[..., None]
    turn = cv2.getRotationMatrix2D((480, 480), float(rng.choice([0, 90, rng.uniform(0, 180)])), 1.0)
    image = as_field(
        cv2.warpAffine(image, turn, big, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    )
    image = as_field(image[160:800, 160:800])
    return glossy(rng, image) if rng.random() < 0.45 else image


def marble(rng: np.random.Generator) -> Rgb:
    """White, grey, green or black stone with veins."""
    bases: tuple[tuple[Colour, Colour], ...] = (
        ((0.93, 0.92, 0.9), (0.5, 0.5, 0.52)),
        ((0.12, 0.12, 0.13), (0.8, 0.78, 0.74)),
        ((0.75, 0.68, 0.58), (0.5, 0.38, 0.28)),
        ((0.2, 0.3, 0.26), (0.7, 0.78, 0.72)),
    )
    base, vein = bases[rng.integers(len(bases))]
    image = ramp(fractal(rng, SHAPE_PX, 200, 5), (dimmed(base, 0.85), base))
    for scale_px, width, strength in ((260, 0.05, 0.8), (120, 0.04, 0.5), (60, 0.04, 0.3)):
        field = fractal(rng, SHAPE_PX, scale_px, 5, 0.6)
        thick = width * np.exp(0.7 * value_noise(rng, SHAPE_PX, (150, 150)))
        image = blend(
            image, vein, as_field(np.exp(-((field / thick) ** 2)) * strength * rng.uniform(0.4, 1))
        )
    return glossy(rng, image) if rng.random() < 0.4 else image


def granite(rng: np.random.Generator) -> Rgb:
    """Speckled stone or laminate."""
    tone = rng.uniform(0.15, 0.8)
    image = flat(SHAPE_PX, (tone, tone * rng.uniform(0.92, 1.0), tone * rng.uniform(0.85, 1.0)))
    for scale_px in (3, 6, 11):
        for colour in ((0.08, 0.08, 0.09), (0.85, 0.83, 0.8), (0.5, 0.38, 0.32)):
            spots = fractal(rng, SHAPE_PX, scale_px, 2) > rng.uniform(1.1, 2.0)
            soft = as_field(cv2.GaussianBlur(as_field(spots * 0.75), (0, 0), 0.8))
            image = blend(image, colour, soft)
    return image


def laminate(rng: np.random.Generator) -> Rgb:
    """Return a plain table top: white, grey, cream or black, barely structured."""
    tone = float(
        rng.choice([rng.uniform(0.8, 0.97), rng.uniform(0.35, 0.8), rng.uniform(0.04, 0.14)])
    )
    base = (tone, tone * rng.uniform(0.95, 1), tone * rng.uniform(0.86, 1))
    image = (
        flat(SHAPE_PX, base)
        * (1 + 0.012 * fractal(rng, SHAPE_PX, 120, 5) + 0.012 * grain(rng, SHAPE_PX, 1))[..., None]
    )
    return glossy(rng, as_field(image)) if rng.random() < 0.5 else as_field(image)


def floor_tiles(rng: np.random.Generator) -> Rgb:
    """Tiles with grout, plain, mottled or in two colours."""
    x, y = coordinates(SHAPE_PX, rng.uniform(0, np.pi))
    x_px, y_px = (
        float(v) for v in rng.choice([rng.uniform(60, 260, 2), np.repeat(rng.uniform(40, 260), 2)])
    )
    row = np.floor(y / y_px)
    x = x + row * x_px * float(rng.choice([0, 0.5]))
    tone = np.sin(row * 12.3 + np.floor(x / x_px) * 45.1)
    image = ramp(
        as_field(fractal(rng, SHAPE_PX, 90, 5) + tone * rng.uniform(0, 2)),
        (dye(rng), dye(rng)) if rng.random() < 0.3 else ((c := dye(rng)), dimmed(c, 0.8)),
    )
    if rng.random() < 0.25:
        image = blend(image, dye(rng), as_field((row + np.floor(x / x_px)) % 2))
    edge = np.minimum(
        x_px / 2 - np.abs(x % x_px - x_px / 2), y_px / 2 - np.abs(y % y_px - y_px / 2)
    )
    grout = 1 / (1 + np.exp(np.clip((edge - rng.uniform(1.5, 5)) * 1.6, -50, 50)))
    image = blend(
        as_field(image),
        (float(t := rng.uniform(0.2, 0.85)), float(t), float(t * 0.95)),
        as_field(grout),
    )
    return glossy(rng, image) if rng.random() < 0.4 else image


def concrete(rng: np.random.Generator) -> Rgb:
    """Cement or slate with stains and pores."""
    tone = rng.uniform(0.2, 0.75)
    image = ramp(
        fractal(rng, SHAPE_PX, 260, 7, 0.65), ((tone * 0.75,) * 3, (tone, tone * 0.99, tone * 0.96))
    )
    pores = fractal(rng, SHAPE_PX, 4, 2) > rng.uniform(2.2, 3.0)
    return blend(image, (tone * 0.45,) * 3, as_field(pores * 0.7))


def cardboard(rng: np.random.Generator) -> Rgb:
    """Brown board with flutes and fibres."""
    image = flat(SHAPE_PX, (0.66, 0.51, 0.36)) * rng.uniform(0.7, 1.15)
    x, _ = coordinates(SHAPE_PX, rng.uniform(0, np.pi))
    shade = (
        1
        + 0.03 * np.sin(x * 2 * np.pi / rng.uniform(10, 22))
        + 0.04 * fractal(rng, SHAPE_PX, 70, 5)
        + 0.03 * grain(rng, SHAPE_PX, 0.8)
    )
    return as_field(image * shade[..., None])


def black_mat(rng: np.random.Generator) -> Rgb:
    """Return a black neoprene or rubber mat, nearly without light."""
    tone = rng.uniform(0.015, 0.1)
    image = flat(SHAPE_PX, (tone, tone, tone * rng.uniform(1, 1.2)))
    return as_field(
        image
        * (1 + 0.18 * grain(rng, SHAPE_PX, 0.9) + 0.1 * fractal(rng, SHAPE_PX, 50, 3))[..., None]
    )
