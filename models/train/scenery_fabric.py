"""Colours and weaves of cloth for sleeves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scenery_noise import Field, as_field, fractal, grain, hsv


def cloth_colour(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a garment colour: often black, white, grey, navy or denim, sometimes bright."""
    plain = (
        (0.05, 0.05, 0.06),
        (0.92, 0.92, 0.9),
        (0.45, 0.46, 0.48),
        (0.10, 0.13, 0.25),
        (0.28, 0.36, 0.5),
    )
    if rng.random() < 0.55:
        return np.asarray(plain[rng.integers(len(plain))], np.float32)
    return np.asarray(hsv(rng.random(), rng.uniform(0.25, 0.85), rng.uniform(0.2, 0.9)), np.float32)


def shirt_pattern(rng: np.random.Generator, along_mm: Field, side_mm: Field) -> Field:
    """Weight of a second colour: none, stripes, checks or dots."""
    kind = rng.choice(["plain", "stripe", "check", "dots"], p=[0.45, 0.25, 0.2, 0.1])
    pitch_mm = rng.uniform(5, 16)
    a = np.cos(along_mm * 2 * np.pi / pitch_mm)
    s = np.cos(side_mm * 2 * np.pi / pitch_mm)
    if kind == "stripe":
        return as_field(s > rng.uniform(-0.2, 0.8))
    if kind == "check":
        return as_field(0.5 * (s > 0.2) + 0.5 * (a > 0.2))
    if kind == "dots":
        return as_field(a + s > 1.3)
    return as_field(np.zeros_like(side_mm))


def fabric_colours(
    rng: np.random.Generator, kind: str, along_mm: Field, side_mm: Field
) -> tuple[NDArray[np.float32], Field]:
    """Colour and weave height in mm of a sleeve; `along_mm` counts from its hem to the elbow."""
    shape_px = along_mm.shape[0], along_mm.shape[1]
    base, second = cloth_colour(rng), cloth_colour(rng)
    weave_mm = 0.05 * grain(rng, shape_px, 0.8)
    weight = np.zeros(shape_px, np.float32)
    if kind == "shirt":
        weight = shirt_pattern(rng, along_mm, side_mm)
        hem = np.exp(-(((along_mm - rng.uniform(45, 62)) / 0.9) ** 2)) + np.exp(
            -(((along_mm - 4) / 0.6) ** 2)
        )
        weave_mm = weave_mm - 0.5 * hem
    elif kind == "knit":
        pitch_mm = rng.uniform(2.5, 6.0)
        wave = np.cos(side_mm * 2 * np.pi / pitch_mm)
        stitch = np.abs(np.sin(along_mm * np.pi / pitch_mm + 1.2 * np.abs(wave)))
        weave_mm = weave_mm + 0.5 * wave + 0.35 * stitch
    cuff_mm = rng.uniform(35, 60) if kind != "shirt" else 0.0
    rib = np.cos(side_mm * 2 * np.pi / 3.2) * (along_mm < cuff_mm)
    weave_mm = weave_mm + 0.4 * rib + 1.2 * (along_mm > cuff_mm) * (cuff_mm > 0)
    if kind == "knit" and rng.random() < 0.4:
        weight = as_field(np.cos(along_mm * 2 * np.pi / rng.uniform(20, 60)) > rng.uniform(0, 0.8))
    mix = as_field(weight)[..., None]
    colour = base * (1 - mix) + second * mix
    colour = colour * (1 + 0.04 * fractal(rng, shape_px, 12, 3)[..., None])
    return as_field(np.clip(colour, 0.02, 1)), as_field(weave_mm)
