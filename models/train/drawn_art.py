"""Pictures without meaning: gradients, patterns and illustrations for courts, art decks, backs."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from drawn_canvas import Colour, Picture, blank, blend, fill, oval, polyline

Field = npt.NDArray[np.float32]


def grid(height_px: int, width_px: int) -> tuple[Field, Field]:
    """Return x and y in card heights from the centre, each (height_px, width_px)."""
    y, x = np.mgrid[:height_px, :width_px].astype(np.float32)
    return (x - (width_px - 1) / 2) / height_px, (y - (height_px - 1) / 2) / height_px


def smooth_noise(rng: np.random.Generator, height_px: int, width_px: int, cells: int) -> Field:
    """Noise in 0..1 with about `cells` blots down the card."""
    across = max(2, round(cells * width_px / height_px))
    coarse = rng.random((max(2, cells), across)).astype(np.float32)
    return cv2.resize(coarse, (width_px, height_px), interpolation=cv2.INTER_CUBIC).clip(0, 1)


def pattern(
    rng: np.random.Generator, height_px: int, width_px: int, first: Colour, second: Colour
) -> Picture:
    """Draw a cloth pattern of two colours: stripes, checks, dots or curls."""
    x, y = grid(height_px, width_px)
    pitch = float(rng.uniform(0.02, 0.06)) * 360 / height_px
    angle = float(rng.uniform(0, np.pi))
    along = (x * np.cos(angle) + y * np.sin(angle)) / pitch
    cross = (y * np.cos(angle) - x * np.sin(angle)) / pitch
    kind = int(rng.integers(4))
    wave = np.sin(2 * np.pi * along)
    if kind == 1:
        wave = wave * np.sin(2 * np.pi * cross)
    if kind == 2:
        wave = np.cos(2 * np.pi * along) + np.cos(2 * np.pi * cross) - 0.8
    if kind == 3:
        wave = np.sin(2 * np.pi * (along + 0.7 * np.sin(2 * np.pi * cross)))
    share = (wave * 2.5 + 0.5).clip(0, 1)
    return blend(np.array(first), np.array(second), share)


def random_colour(rng: np.random.Generator) -> Colour:
    """Any colour, rather vivid."""
    hue, saturation, value = rng.uniform(0, 180), rng.uniform(40, 230), rng.uniform(50, 245)
    hsv = np.array([[[hue, saturation, value]]], np.uint8)
    blue, green, red = (int(part) for part in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def illustration(rng: np.random.Generator, height_px: int, width_px: int) -> Picture:
    """Draw a full-bleed picture: sky-like gradients, blots, shapes and fine lines."""
    x, y = grid(height_px, width_px)
    angle = float(rng.uniform(0, 2 * np.pi))
    share = (0.5 + x * np.cos(angle) + y * np.sin(angle)).clip(0, 1)
    picture = blend(np.array(random_colour(rng)), np.array(random_colour(rng)), share)
    cloud = smooth_noise(rng, height_px, width_px, int(rng.integers(3, 14)))
    picture = blend(picture, np.array(random_colour(rng)), cloud * float(rng.uniform(0.2, 0.8)))
    for _ in range(int(rng.integers(3, 14))):
        _random_shape(rng, picture)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.6, 5))).astype(np.uint8)
    if rng.random() < 0.5:
        grain = rng.normal(0, 9, (height_px, width_px, 1))
        picture = (picture + grain).clip(0, 255).astype(np.uint8)
    return picture


def _random_shape(rng: np.random.Generator, picture: Picture) -> None:
    """One oval, hill, polygon or line."""
    height_px, width_px = picture.shape[:2]
    colour = random_colour(rng)
    x, y = float(rng.uniform(0, width_px)), float(rng.uniform(0, height_px))
    size = float(rng.uniform(0.04, 0.35)) * height_px
    kind = int(rng.integers(4))
    if kind == 0:
        fill(picture, oval(x, y, size, size * float(rng.uniform(0.4, 1.2))), colour)
    elif kind == 1:
        corners = rng.uniform(-size, size, (int(rng.integers(3, 7)), 2)) + np.array([x, y])
        fill(picture, corners, colour)
    elif kind == 2:
        steps = np.linspace(0, width_px, 30)
        ridge = y + size * 0.3 * np.sin(steps / size * 3 + x)
        edge = np.stack([steps, ridge], axis=1)
        fill(picture, np.concatenate([edge, [[width_px, height_px], [0, height_px]]]), colour)
    else:
        walk = np.cumsum(rng.normal(0, size * 0.3, (14, 2)), axis=0) + np.array([x, y])
        polyline(picture, walk, colour, int(rng.integers(1, 4)))


def petals(
    picture: Picture, x: float, y: float, radius: float, count: int, colour: Colour, line: Colour
) -> None:
    """Draw a rosette of `count` petals round (x, y)."""
    for step in range(count):
        angle = 2 * np.pi * step / count
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        leaf = oval(radius * 0.6, 0, radius * 0.45, radius * 1.4 / count) @ turn
        fill(picture, leaf + np.array([x, y]), colour)
        polyline(picture, leaf + np.array([x, y]), line, 1, True)
    fill(picture, oval(x, y, radius * 0.22, radius * 0.22), line)


def ornament(
    rng: np.random.Generator, height_px: int, width_px: int, palette: tuple[Colour, ...]
) -> Picture:
    """Draw a panel of rosettes, waves and patterned bands in a palette of at least four colours."""
    ground = palette[-1]
    if rng.random() < 0.4:
        picture = pattern(rng, height_px, width_px, palette[1], palette[2])
    else:
        picture = blank(height_px, width_px, ground)
    for _ in range(int(rng.integers(4, 12))):
        x, y = float(rng.uniform(0, width_px)), float(rng.uniform(0, height_px))
        colour = palette[int(rng.integers(len(palette)))]
        radius = float(rng.uniform(0.05, 0.22)) * height_px
        petals(picture, x, y, radius, int(rng.integers(3, 13)), colour, palette[0])
    for _ in range(int(rng.integers(0, 5))):
        walk = np.cumsum(rng.normal(0, 0.07 * height_px, (16, 2)), axis=0)
        start = rng.uniform(0, 1, 2) * np.array([width_px, height_px])
        colour = palette[int(rng.integers(len(palette)))]
        polyline(picture, walk + start, colour, int(rng.integers(1, 4)))
    return picture
