"""Cloth, carpets and printed mats, and the motifs printed on them."""

from __future__ import annotations

import cv2
import numpy as np

from scenery_noise import (
    Colour,
    Field,
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
    hsv,
    ramp,
    relief,
)

SIDE_PX = 640


SHAPE_PX = (SIDE_PX, SIDE_PX)


def felt(rng: np.random.Generator) -> Rgb:
    """Card-table felt: green, blue, red, grey or black, with nap and lint."""
    colours = (
        (0.05, 0.35, 0.18),
        (0.07, 0.2, 0.42),
        (0.45, 0.06, 0.1),
        (0.4, 0.4, 0.42),
        (0.05, 0.05, 0.06),
        (0.3, 0.12, 0.35),
    )
    base = np.asarray(colours[rng.integers(len(colours))]) * rng.uniform(0.7, 1.5)
    nap = 0.10 * grain(rng, SHAPE_PX, rng.uniform(0.6, 1.4)) + 0.05 * fractal(rng, SHAPE_PX, 40, 4)
    image = flat(SHAPE_PX, (float(base[0]), float(base[1]), float(base[2]))) * (1 + nap)[..., None]
    lint = grain(rng, SHAPE_PX, 0.7) > rng.uniform(3.6, 4.4)
    return blend(image, (0.8, 0.8, 0.8), as_field(lint * 0.5))


def weave(rng: np.random.Generator, pitch_px: float) -> Field:
    """Threads over and under, about 1."""
    x, y = coordinates(SHAPE_PX, rng.uniform(0, np.pi))
    warp, weft = np.sin(x * np.pi / pitch_px), np.sin(y * np.pi / pitch_px)
    over = np.sign(np.sin(x * np.pi / pitch_px / 2) * np.sin(y * np.pi / pitch_px / 2))
    thread = np.where(over > 0, np.abs(warp), np.abs(weft))
    return as_field(0.85 + 0.22 * thread + 0.04 * fractal(rng, SHAPE_PX, 30, 3))


def folded(rng: np.random.Generator, image: Rgb, depth: float) -> Rgb:
    """Cloth with folds: shading and a bent pattern."""
    slope = fractal(rng, SHAPE_PX, (rng.uniform(90, 320), rng.uniform(90, 320)), 3, 0.4)
    crease = fractal(rng, SHAPE_PX, rng.uniform(120, 260), 2)
    height = as_field(slope * 30 * depth - 10 * depth * np.abs(crease))
    gy, gx = np.gradient(cv2.GaussianBlur(height, (0, 0), 2.5))
    bent = bend(image, as_field(gx * 10), as_field(gy * 10))
    return as_field(
        bent * np.clip(relief(height, 0.45, rng.uniform(0, 6.28)), 0.35, 1.35)[..., None]
    )


def dye(rng: np.random.Generator) -> Colour:
    """Return a cloth colour."""
    if rng.random() < 0.3:
        tone = rng.uniform(0.05, 0.95)
        return float(tone), float(tone * 0.98), float(tone * 0.95)
    return hsv(rng.random(), rng.uniform(0.1, 0.78), rng.uniform(0.15, 0.9))


def tablecloth(rng: np.random.Generator) -> Rgb:
    """Plain, checked or striped cloth, woven, with folds."""
    x, y = coordinates(SHAPE_PX, rng.uniform(-0.3, 0.3))
    pitch_px = rng.uniform(24, 110)
    a, b = (np.sin(c * np.pi / pitch_px) > rng.uniform(-0.3, 0.6) for c in (x, y))
    kind = rng.choice(["plain", "check", "stripe", "tartan"])
    image = flat(SHAPE_PX, dye(rng))
    if kind == "check":
        image = blend(image, dye(rng), as_field(0.5 * a + 0.5 * b))
    elif kind == "stripe":
        image = blend(image, dye(rng), as_field(a))
    elif kind == "tartan":
        for axis in (x, y):
            for _ in range(3):
                band = np.abs(
                    (axis + rng.uniform(0, 300)) % (pitch_px * 2.5) - pitch_px
                ) < rng.uniform(2, pitch_px / 2)
                image = blend(image, dye(rng), as_field(band * 0.5))
    image = as_field(image * weave(rng, rng.uniform(1.8, 4))[..., None])
    return folded(rng, image, rng.uniform(0.1, 0.9)) if rng.random() < 0.7 else image


def motif_mask(rng: np.random.Generator, kind: str, radius_px: float) -> Field:
    """One printed motif in a square of 4 radii: flower, leaf, heart, clover, diamond, star, dot."""
    half = int(radius_px * 2)
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32) / radius_px
    turn = rng.uniform(0, 2 * np.pi) if kind in ("flower", "leaf", "star") else rng.normal(0, 0.25)
    x, y = x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)
    r, angle = np.hypot(x, y), np.arctan2(y, x)
    shapes = {
        "flower": r - (0.65 + 0.35 * np.cos(angle * int(rng.integers(4, 8)))),
        "star": r - (0.62 + 0.3 * np.cos(angle * 5) ** 3),
        "leaf": np.abs(x) - 0.4 * (1 - np.minimum(1, y * y)),
        "heart": (x**2 + (-y * 1.1 - 0.62 * np.sqrt(np.abs(x)) + 0.15) ** 2) - 0.75,
        "diamond": np.abs(x) * 1.35 + np.abs(y) - 1,
        "clover": np.minimum.reduce(
            [np.hypot(x - cx, y - cy) - 0.43 for cx, cy in ((0, -0.5), (-0.45, 0.15), (0.45, 0.15))]
            + [np.maximum(np.abs(x) - 0.12 - 0.1 * np.maximum(y, 0), np.abs(y - 0.5) - 0.5)]
        ),
        "dot": r - 0.7,
    }
    return as_field(1 / (1 + np.exp(np.clip(shapes[kind] * radius_px * 2, -50, 50))))


def stamp(
    image: Rgb, mask: Field, centre_px: tuple[float, float], colour: Colour, weight: float
) -> None:
    """Print a motif at (x, y), cut at the borders, in place."""
    half_y, half_x = mask.shape[0] // 2, mask.shape[1] // 2
    x, y = int(centre_px[0]) - half_x, int(centre_px[1]) - half_y
    y0, x0 = max(0, y), max(0, x)
    y1, x1 = min(image.shape[0], y + mask.shape[0]), min(image.shape[1], x + mask.shape[1])
    if y0 >= y1 or x0 >= x1:
        return
    part = as_field(mask[y0 - y : y1 - y, x0 - x : x1 - x] * weight)
    image[y0:y1, x0:x1] = blend(as_field(image[y0:y1, x0:x1]), colour, part)


def printed_cloth(rng: np.random.Generator) -> Rgb:
    """Cloth or oilcloth with scattered or repeated motifs: flowers, hearts, clover, diamonds."""
    image = flat(SHAPE_PX, dye(rng))
    kinds = ["flower", "leaf", "heart", "clover", "diamond", "star", "dot"]
    chosen = [str(k) for k in rng.choice(kinds, rng.integers(1, 4), replace=False)]
    colours = [dye(rng) for _ in range(4)]
    pitch_px = rng.uniform(36, 130)
    jitter = float(rng.choice([0.0, 0.35]))
    for row in range(int(SIDE_PX / pitch_px) + 2):
        for column in range(int(SIDE_PX / pitch_px) + 2):
            place = (
                np.array([column + 0.5 * (row % 2), row]) + rng.normal(0, jitter, 2)
            ) * pitch_px
            kind = chosen[(row + column) % len(chosen)]
            radius_px = pitch_px * (rng.uniform(0.15, 0.42) if jitter else 0.3)
            colour = colours[rng.integers(4)] if jitter else colours[(row + column) % len(chosen)]
            stamp(image, motif_mask(rng, kind, radius_px), (place[0], place[1]), colour, 0.92)
            if kind == "flower":
                stamp(
                    image,
                    motif_mask(rng, "dot", radius_px * 0.3),
                    (place[0], place[1]),
                    colours[0],
                    1,
                )
    image = as_field(image * weave(rng, 2)[..., None])
    return folded(rng, image, rng.uniform(0.1, 0.7)) if rng.random() < 0.6 else image


def carpet(rng: np.random.Generator) -> Rgb:
    """Tufted carpet, plain or mottled."""
    tufts = np.abs(fractal(rng, SHAPE_PX, rng.uniform(4, 10), 2))
    colours = (dye(rng), dye(rng)) if rng.random() < 0.4 else ((c := dye(rng)), dimmed(c, 0.75))
    image = ramp(fractal(rng, SHAPE_PX, rng.uniform(6, 120), 4), colours)
    return as_field(image * (1.1 - 0.28 * tufts + 0.08 * grain(rng, SHAPE_PX, 0.7))[..., None])


def rug(rng: np.random.Generator) -> Rgb:
    """Draw a woven rug: bands, lozenges and borders, mirrored."""
    x, y = coordinates(SHAPE_PX)
    ax, ay = np.abs(x), np.abs(y)
    image = flat(SHAPE_PX, dye(rng))
    for _ in range(rng.integers(5, 11)):
        pitch_px, weight = rng.uniform(30, 200), rng.uniform(0.7, 1)
        forms = (
            (ax + ay * rng.uniform(0.5, 2)) % pitch_px < pitch_px * rng.uniform(0.1, 0.5),
            np.abs(ax % pitch_px - pitch_px / 2) + np.abs(ay % pitch_px - pitch_px / 2)
            < pitch_px * rng.uniform(0.15, 0.35),
            np.maximum(ax, ay) % pitch_px < pitch_px * 0.12,
            np.cos(ax * 6 / pitch_px) + np.cos(ay * 6 / pitch_px) > rng.uniform(0.6, 1.6),
        )
        zone = np.maximum(ax, ay) % 250 > rng.uniform(0, 180)
        image = blend(image, dye(rng), as_field(forms[rng.integers(4)] & zone) * as_field(weight))
    step_px = int(rng.integers(2, 5))
    coarse = cv2.resize(image[::step_px, ::step_px], SHAPE_PX, interpolation=cv2.INTER_NEAREST)
    turn = cv2.getRotationMatrix2D((320, 320), rng.uniform(0, 360), 1.45)
    turned = cv2.warpAffine(coarse, turn, SHAPE_PX, borderMode=cv2.BORDER_REFLECT_101)
    return as_field(
        turned * (0.9 * weave(rng, step_px) + 0.08 * grain(rng, SHAPE_PX, 0.7))[..., None]
    )


def sofa(rng: np.random.Generator) -> Rgb:
    """Upholstery: coarse weave, corduroy or leather, with seams."""
    image = flat(SHAPE_PX, dye(rng))
    kind = rng.choice(["weave", "cord", "leather"])
    if kind == "leather":
        pebble = np.abs(fractal(rng, SHAPE_PX, 9, 3, 0.6))
        image = as_field(image * relief(as_field(-pebble * 2), 0.25, 1.0)[..., None] * 0.9)
        return glossy(rng, folded(rng, image, 0.6))
    if kind == "cord":
        x, _ = coordinates(SHAPE_PX, rng.uniform(0, np.pi))
        image = as_field(
            image * (0.8 + 0.3 * np.abs(np.sin(x * np.pi / rng.uniform(6, 16))))[..., None]
        )
    image = as_field(
        image
        * weave(rng, rng.uniform(3, 7))[..., None]
        * (1 + 0.06 * grain(rng, SHAPE_PX, 1))[..., None]
    )
    return folded(rng, image, rng.uniform(0.2, 0.7))


def bed_linen(rng: np.random.Generator) -> Rgb:
    """Pale linen with deep folds."""
    image = flat(SHAPE_PX, hsv(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.6, 0.97)))
    if rng.random() < 0.3:
        image = printed_cloth(rng)
    return folded(rng, as_field(image * weave(rng, 2)[..., None]), rng.uniform(0.6, 1.5))


def playmat(rng: np.random.Generator) -> Rgb:
    """Draw a printed mat: a painted landscape or swirls, outlined zones, ornaments."""
    field = fractal(rng, SHAPE_PX, rng.uniform(120, 320), 6)
    swirl = fractal(rng, SHAPE_PX, 240, 2) * rng.uniform(20, 90)
    colours = [dye(rng) for _ in range(rng.integers(3, 7))]
    image = bend(ramp(field, colours), as_field(swirl), as_field(np.roll(swirl, 99, 1)))
    for _ in range(rng.integers(3, 26)):
        kind = str(rng.choice(["flower", "star", "dot", "leaf", "diamond", "heart"]))
        place = rng.uniform(0, SIDE_PX, 2)
        stamp(
            image,
            motif_mask(rng, kind, rng.uniform(8, 120)),
            (place[0], place[1]),
            dye(rng),
            rng.uniform(0.2, 0.9),
        )
    line = dye(rng)
    for _ in range(rng.integers(0, 7)):
        x, y = (int(v) for v in rng.uniform(-60, 560, 2))
        width_px = int(rng.uniform(60, 240))
        cv2.rectangle(
            image,
            (x, y),
            (x + width_px, y + int(width_px * 1.4)),
            line,
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
        )
    return as_field(image * weave(rng, 1.6)[..., None])
