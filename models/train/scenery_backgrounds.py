"""Surfaces that a camera over a card table sees, each drawn from noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from scenery_cloth import (
    SHAPE_PX,
    bed_linen,
    carpet,
    dye,
    felt,
    playmat,
    printed_cloth,
    rug,
    sofa,
    tablecloth,
)
from scenery_hard import (
    black_mat,
    cardboard,
    concrete,
    floor_tiles,
    granite,
    laminate,
    marble,
    parquet,
    veneer,
    wood_planks,
)
from scenery_noise import (
    Rgb,
    as_field,
    blend,
    coordinates,
    expose,
    flat,
    glossy,
    lamp_light,
)
from scenery_print import keyboard, text_page

Surface = Callable[[np.random.Generator], Rgb]


@dataclass(frozen=True)
class Background:
    """A picture of a surface and the surface's name."""

    rgb: Rgb
    name: str


def glass_table(rng: np.random.Generator) -> Rgb:
    """Glass over a blurred floor, with mirrored lamps and an edge now and then."""
    below = as_field(
        cv2.GaussianBlur(
            wood_planks(rng) if rng.random() < 0.5 else carpet(rng), (0, 0), rng.uniform(3, 9)
        )
    )
    image = below * np.asarray([0.75, 0.9, 0.85]) * rng.uniform(0.5, 1.0) + rng.uniform(0, 0.12)
    return glossy(rng, as_field(image))


def lace(rng: np.random.Generator) -> Rgb:
    """White lace over a darker table."""
    under = veneer(rng) if rng.random() < 0.6 else flat(SHAPE_PX, dye(rng))
    x, y = coordinates(SHAPE_PX, rng.uniform(0, np.pi))
    pitch_px = rng.uniform(40, 110)
    u, v = (x / pitch_px) % 1 - 0.5, (y / pitch_px) % 1 - 0.5
    r, angle = np.hypot(u, v), np.arctan2(v, u)
    thread = np.abs(np.sin(r * 26)) * (0.6 + 0.4 * np.cos(angle * 8))
    net = np.maximum(np.abs(np.sin(x * 0.55)), np.abs(np.sin(y * 0.55))) > 0.93
    mask = np.maximum(thread > 0.45, net)
    mask = as_field(cv2.GaussianBlur(as_field(mask), (0, 0), 0.9))
    shadow = as_field(under * (1 - 0.35 * np.roll(mask, (3, 2), (0, 1)))[..., None])
    return blend(shadow, (0.93, 0.91, 0.87), mask)


SURFACES: tuple[Surface, ...] = (
    felt, wood_planks, tablecloth, playmat, laminate, text_page, veneer, printed_cloth, black_mat,
    carpet, felt, parquet, marble, floor_tiles, granite, keyboard, wood_planks, rug, sofa,
    bed_linen, veneer, concrete, lace, cardboard, glass_table, laminate, playmat,
)  # fmt: skip


def draw_background(rng: np.random.Generator, number: int) -> Background:
    """One surface under a lamp, as exposed by a camera, slightly soft now and then."""
    surface = SURFACES[number % len(SURFACES)]
    image = surface(rng) * lamp_light(rng, SHAPE_PX, rng.uniform(0.05, 0.5))[..., None]
    if rng.random() < 0.4:
        image = as_field(cv2.GaussianBlur(as_field(image), (0, 0), rng.uniform(0.5, 2.5)))
    return Background(expose(rng, as_field(image)), surface.__name__)
