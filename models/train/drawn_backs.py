"""Draw card backs: lattices, curls, mandalas, gradients, logos, on light and dark stock."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from drawn_art import Field, grid, illustration, random_colour, smooth_noise
from drawn_canvas import (
    Colour,
    Ink,
    Mask,
    Picture,
    blank,
    blend,
    resized,
    rgb,
    stamp_centred,
    turned,
)
from drawn_fonts import word_mask
from drawn_style import DeckStyle

# The two colours nearly every shop's deck is sold in come up most.
GROUNDS = (0xB81420, 0x1E3C8C, 0xC8202C, 0x183070, 0x14509C, 0x9C1018, 0x107040, 0x101010,
           0x5A1E6E, 0x7A4A1E, 0x202A40, 0xE0A020)  # fmt: skip
GROUND_WEIGHTS = np.array([6, 6, 4, 4, 3, 3, 1.5, 3, 1, 1, 1.5, 0.5])


def draw_back(style: DeckStyle, rng: np.random.Generator) -> Picture:
    """Draw a random back for the deck, (height_px, width_px, 3) BGR."""
    height_px, width_px = style.height_px, style.width_px
    if style.family == "odd" and rng.random() < 0.3:
        picture = illustration(rng, height_px, width_px)
    else:
        ground, line = _back_colours(style, rng)
        softened = cv2.GaussianBlur(_design(rng, height_px, width_px), (0, 0), 0.6)
        picture = blend(np.array(ground), np.array(line), softened.astype(np.float32))
        if rng.random() < 0.5:
            _medallion(rng, picture, ground, line)
    if rng.random() < 0.22:
        picture = _with_signs(style, rng, picture)
    if rng.random() < 0.66:
        _border(style, rng, picture)
    return picture


def faint_back(style: DeckStyle, rng: np.random.Generator) -> Picture:
    """Draw a back in the paper's own colour, its design hardly to be seen, as on black decks."""
    design = cv2.GaussianBlur(_design(rng, style.height_px, style.width_px), (0, 0), 0.6)
    grain = rng.normal(0, rng.uniform(0, 5), design.shape)
    change = design * rng.uniform(-10, 22) + grain
    picture = np.array(style.paper, np.float64) + change[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _back_colours(style: DeckStyle, rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Ground and line: white on red or blue mostly; the inks on black stock."""
    if style.dark and rng.random() < 0.8:
        ink = style.inks["H" if rng.random() < 0.6 else "S"]
        return style.paper, ink.sheen or ink.colour
    ground = rgb(GROUNDS[int(rng.choice(len(GROUNDS), p=GROUND_WEIGHTS / GROUND_WEIGHTS.sum()))])
    if rng.random() < 0.1:
        ground = random_colour(rng)
    line = rgb(0xFFFFFF) if rng.random() < 0.75 else rgb(0xD9B65A)
    return (line, ground) if rng.random() < 0.2 else (ground, line)


def _design(rng: np.random.Generator, height_px: int, width_px: int) -> Field:
    """Draw the share of line colour, 0..1, (height_px, width_px)."""
    makers: tuple[Callable[[np.random.Generator, Field, Field], Field], ...] = (
        _lattice, _curls, _curls, _dots, _stripes, _rings, _mandala, _mandala, _plain, _scrolls,
    )  # fmt: skip
    x, y = grid(height_px, width_px)
    return makers[int(rng.integers(len(makers)))](rng, x, y)


def _sharp(wave: Field, softness: float = 0.25) -> Field:
    """Draw a wave turned into a band with firm edges."""
    return (wave / softness + 0.5).clip(0, 1).astype(np.float32)


def _lattice(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Crossing lines with something in every lozenge."""
    pitch, slant = rng.uniform(0.025, 0.09), rng.uniform(0.6, 1.4)
    first = np.abs(np.sin(np.pi * (x * slant + y) / pitch))
    second = np.abs(np.sin(np.pi * (x * slant - y) / pitch))
    width = rng.uniform(0.12, 0.4)
    lines = _sharp(width - np.minimum(first, second))
    knot = _sharp(np.minimum(first, second) - rng.uniform(0.75, 0.95), 0.1)
    return np.maximum(lines, knot)


def _curls(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Dense leaf-like curls, mirrored both ways, as on rider backs."""
    height_px, width_px = x.shape
    cells = int(rng.integers(9, 26))
    noise = smooth_noise(rng, height_px, width_px, cells)
    noise = (noise + noise[:, ::-1] + noise[::-1] + noise[::-1, ::-1]) * np.float32(0.25)
    bands = float(rng.uniform(3, 7))
    return _sharp(np.sin(2 * np.pi * bands * noise) - rng.uniform(-0.3, 0.4), 0.5)


def _scrolls(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Spirals in a mirrored grid."""
    pitch = rng.uniform(0.1, 0.22)
    u = np.abs(((np.abs(x) / pitch) % 1) - 0.5) * 2
    v = np.abs(((np.abs(y) / pitch) % 1) - 0.5) * 2
    radius, angle = np.hypot(u - 0.5, v - 0.5), np.arctan2(v - 0.5, u - 0.5)
    return _sharp(np.sin(2 * np.pi * radius * rng.uniform(2, 4) + angle * rng.integers(1, 4)), 0.6)


def _dots(rng: np.random.Generator, x: Field, y: Field) -> Field:
    pitch = rng.uniform(0.025, 0.09)
    wave = np.cos(2 * np.pi * x / pitch) + np.cos(2 * np.pi * y / pitch)
    shifted = np.cos(2 * np.pi * (x / pitch + 0.5)) + np.cos(2 * np.pi * (y / pitch + 0.5))
    return _sharp(np.maximum(wave, shifted) - rng.uniform(0.9, 1.6), 0.4)


def _stripes(rng: np.random.Generator, x: Field, y: Field) -> Field:
    angle, pitch = rng.uniform(0, np.pi), rng.uniform(0.015, 0.1)
    bend = rng.uniform(0, 0.5) * np.sin(2 * np.pi * y / rng.uniform(0.1, 0.5))
    wave = np.sin(2 * np.pi * ((x * np.cos(angle) + y * np.sin(angle)) / pitch + bend))
    return _sharp(wave - rng.uniform(-0.5, 0.6))


def _rings(rng: np.random.Generator, x: Field, y: Field) -> Field:
    form = rng.uniform(1, 4)
    radius = (np.abs(x * rng.uniform(0.9, 1.5)) ** form + np.abs(y) ** form) ** (1 / form)
    return _sharp(np.sin(2 * np.pi * radius / rng.uniform(0.02, 0.09)) - rng.uniform(-0.4, 0.6))


def _mandala(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Rings of petals round the middle."""
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    total = np.zeros_like(x)
    for _ in range(int(rng.integers(2, 5))):
        rays = 2 * int(rng.integers(3, 16))
        waves = np.sin(
            2 * np.pi * radius / rng.uniform(0.04, 0.25)
            + np.cos(rays * angle) * rng.uniform(0.5, 3)
        )
        total = total + waves
    return _sharp(np.sin(total * rng.uniform(1.5, 3.5)) - rng.uniform(-0.2, 0.5), 0.6)


def _plain(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """One colour or a soft gradient."""
    angle, strength = rng.uniform(0, np.pi), rng.uniform(0, 0.5)
    share = strength * (0.5 + x * np.cos(angle) + y * np.sin(angle))
    return np.asarray(share.clip(0, 1), np.float32)


def _medallion(rng: np.random.Generator, picture: Picture, ground: Colour, line: Colour) -> None:
    """Draw a round or lozenge field with a rosette in the middle."""
    height_px, width_px = picture.shape[:2]
    x, y = grid(height_px, width_px)
    size = float(rng.uniform(0.08, 0.22))
    form = float(rng.choice([1.0, 2.0]))
    radius = (np.abs(x) ** form + np.abs(y) ** form) ** (1 / form) / size
    rays = 2 * int(rng.integers(2, 9))
    rosette = np.sin(8 * radius + rng.uniform(0.5, 2) * np.cos(rays * np.arctan2(y, x)))
    share = _sharp(rosette.astype(np.float32), 0.5)
    share = np.where((radius > 0.93) & (radius < 1), 1, share).astype(np.float32)
    inside = radius < 1
    picture[inside] = blend(np.array(ground), np.array(line), share)[inside]


def _with_signs(style: DeckStyle, rng: np.random.Generator, picture: Picture) -> Picture:
    """Scatter words, letters and pips that are no indices."""
    ink = Ink(random_colour(rng) if rng.random() < 0.5 else rgb(0xFFFFFF))
    for _ in range(int(rng.integers(1, 5))):
        mask = _sign(style, rng)
        x, y = rng.uniform(0.15, 0.85) * style.width_px, rng.uniform(0.1, 0.5) * style.height_px
        if rng.random() < 0.4:
            x = style.width_px / 2
        for _half in range(2):
            stamp_centred(picture, mask, x, y, ink)
            picture = turned(picture)
    return picture


def _sign(style: DeckStyle, rng: np.random.Generator) -> Mask:
    """Draw a pip, a word or a letter."""
    size_px = float(rng.uniform(0.03, 0.12)) * style.height_px
    kind = int(rng.integers(3))
    if kind == 0:
        return style.pips["CDHS"[int(rng.integers(4))]].at(size_px)
    text = ("POKER", "CLUB", "PLAY", "No 7", "B", "M", "R&S", "EST 1901")[int(rng.integers(8))]
    mask = word_mask(style.index.font, text, size_px * 0.7)
    widest_px = 0.7 * style.width_px
    if mask.shape[1] > widest_px:
        mask = resized(mask, mask.shape[0] * widest_px / mask.shape[1], widest_px)
    return mask


def _border(style: DeckStyle, rng: np.random.Generator, picture: Picture) -> None:
    """Draw the stock showing round the design, with a line inside it in some decks."""
    height_px, width_px = picture.shape[:2]
    border_px = round(width_px * float(rng.uniform(0.03, 0.09)))
    framed = blank(height_px, width_px, style.paper)
    framed[border_px:-border_px, border_px:-border_px] = picture[
        border_px:-border_px, border_px:-border_px
    ]
    if rng.random() < 0.5:
        blue, green, red = (int(part) for part in picture[height_px // 2, border_px])
        far = width_px - border_px, height_px - border_px
        cv2.rectangle(framed, (border_px, border_px), far, (blue, green, red), 2, cv2.LINE_AA)
    picture[:] = framed
