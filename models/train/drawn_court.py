"""Draw court figures: two half figures head to head, with robe, crown and what they hold."""

from __future__ import annotations

import cv2
import numpy as np

from drawn_art import pattern, petals
from drawn_canvas import Colour, Picture, blank, fill, oval, polyline, turned

Palette = tuple[Colour, ...]


def court_figure(
    rng: np.random.Generator,
    rank: str,
    height_px: int,
    width_px: int,
    palette: Palette,
    back: Colour,
) -> Picture:
    """Draw a double-headed figure for J, Q or K on the colour `back`.

    Palette: outline, three robe colours, skin.
    """
    upright = blank(height_px, width_px, back)
    unit = float(height_px) / 2
    middle = width_px / 2
    if rng.random() < 0.5:
        middle *= float(rng.uniform(0.85, 1.15))
    _robe(rng, upright, middle, unit, palette)
    _head(rng, upright, rank, middle, unit, palette)
    _held(rng, upright, rank, unit, palette)
    slope = float(rng.choice([0.0, 0.0, 0.25, -0.25, 0.5]))
    y, x = np.mgrid[:height_px, :width_px]
    upper = (y - height_px / 2) < slope * (x - width_px / 2)
    whole = np.where(upper[..., None], upright, turned(upright))
    half_px = width_px / 2 * slope
    cut = np.array([(0, height_px / 2 - half_px), (width_px, height_px / 2 + half_px)])
    picture = np.ascontiguousarray(whole, np.uint8)
    polyline(picture, cut, palette[0], int(rng.integers(1, 4)))
    return picture


def _clothed(
    rng: np.random.Generator, picture: Picture, shape: np.ndarray, palette: Palette
) -> None:
    """Fill a shape with a patterned cloth and outline it."""
    height_px, width_px = picture.shape[:2]
    first, second = rng.permutation(len(palette))[:2]
    cloth = pattern(rng, height_px, width_px, palette[first], palette[second])
    cover = blank(height_px, width_px, (0, 0, 0))
    fill(cover, shape, (255, 255, 255))
    inside = cover[..., 0] > 127
    picture[inside] = cloth[inside]
    polyline(picture, shape, palette[0], 1, True)


def _robe(
    rng: np.random.Generator, picture: Picture, middle: float, unit: float, palette: Palette
) -> None:
    """Shoulders, a mantle with bands, sleeves and a collar, below the neck."""
    width = float(picture.shape[1])
    neck, shoulder = unit * 0.52, unit * float(rng.uniform(0.58, 0.68))
    bottom = unit * 1.4
    half = width * float(rng.uniform(0.36, 0.5))
    body = np.array(
        [(middle - 0.12 * width, neck), (middle + 0.12 * width, neck), (middle + half, shoulder),
         (width, bottom), (0, bottom), (middle - half, shoulder)]
    )  # fmt: skip
    _clothed(rng, picture, body, palette)
    for side in (-1, 1):
        sleeve = np.array(
            [(middle + side * 0.1 * width, neck + 0.05 * unit), (middle + side * half, shoulder),
             (middle + side * half * 0.9, bottom), (middle + side * 0.2 * width, bottom)]
        )  # fmt: skip
        _clothed(rng, picture, sleeve, palette)
    band = width * float(rng.uniform(0.05, 0.09))
    strip = np.array(
        [
            (middle - band, neck),
            (middle + band, neck),
            (middle + band, bottom),
            (middle - band, bottom),
        ]
    )
    fill(picture, strip, palette[int(rng.integers(1, 4))])
    polyline(picture, strip, palette[0], 1, True)
    for y in np.arange(neck + band, bottom, band * 2.2):
        fill(
            picture,
            oval(middle, float(y), band * 0.6, band * 0.6),
            palette[int(rng.integers(1, 4))],
        )
    collar = oval(middle, neck + 0.02 * unit, 0.2 * width, 0.07 * unit)
    fill(picture, collar, palette[int(rng.integers(1, 4))])
    polyline(picture, collar, palette[0], 1, True)


def _head(
    rng: np.random.Generator,
    picture: Picture,
    rank: str,
    middle: float,
    unit: float,
    palette: Palette,
) -> None:
    """Hair, face, beard for a king, and a crown or cap."""
    line, skin = palette[0], palette[-1]
    x, y = middle, unit * 0.36
    wide, high = unit * 0.13, unit * 0.17
    hair = palette[int(rng.integers(1, 4))]
    for side in (-1, 1):
        for step in range(3):
            curl = oval(
                x + side * wide * 1.15, y + high * (0.5 * step - 0.2), wide * 0.5, high * 0.33
            )
            fill(picture, curl, hair)
            polyline(picture, curl, line, 1, True)
    fill(picture, oval(x, y, wide, high), skin)
    polyline(picture, oval(x, y, wide, high), line, 1, True)
    if rank == "K":
        chin = np.array([(-1, 0.3), (1, 0.3), (0.4, 1.5), (-0.4, 1.5)])
        beard = chin * np.array([wide, high]) + np.array([x, y])
        fill(picture, beard, hair)
        polyline(picture, beard, line, 1, True)
    _features(picture, x, y, wide, high, line)
    _crown(rng, picture, rank, x, y - high * 0.75, wide, unit, palette)


def _features(picture: Picture, x: float, y: float, wide: float, high: float, line: Colour) -> None:
    """Eyes, brows, nose and mouth."""
    for side in (-1, 1):
        fill(picture, oval(x + side * wide * 0.42, y - high * 0.12, wide * 0.13, wide * 0.1), line)
        brow = np.array(
            [(x + side * wide * 0.2, y - high * 0.3), (x + side * wide * 0.7, y - high * 0.33)]
        )
        polyline(picture, brow, line)
    nose = np.array(
        [
            (x, y - high * 0.15),
            (x - wide * 0.12, y + high * 0.25),
            (x + wide * 0.1, y + high * 0.25),
        ]
    )
    polyline(picture, nose, line)
    mouth = np.array([(x - wide * 0.25, y + high * 0.5), (x + wide * 0.25, y + high * 0.5)])
    polyline(picture, mouth, line)


def _crown(
    rng: np.random.Generator,
    picture: Picture,
    rank: str,
    x: float,
    y: float,
    wide: float,
    unit: float,
    palette: Palette,
) -> None:
    """Draw a pointed crown for king and queen, a flat cap with a feather for the jack."""
    colour, line = palette[int(rng.integers(1, 4))], palette[0]
    if rank == "J":
        cap = np.array([(x - wide * 1.2, y), (x + wide * 1.2, y), (x + wide * 1.3, y - 0.08 * unit),
                        (x - wide * 0.9, y - 0.1 * unit)])  # fmt: skip
        fill(picture, cap, colour)
        polyline(picture, cap, line, 1, True)
        feather = np.array(
            [(x + wide, y), (x + 1.7 * wide, y - 0.06 * unit), (x + 2.2 * wide, y + 0.05 * unit)]
        )
        polyline(picture, feather, palette[2], 3)
        return
    points = int(rng.integers(3, 6))
    top = y - unit * float(rng.uniform(0.1, 0.16))
    steps = np.linspace(-1.15, 1.15, 2 * points + 1)
    heights = np.where(np.arange(2 * points + 1) % 2 == 0, top, (y + top) / 2)
    rim = np.stack([x + wide * steps, heights], axis=1)
    crown = np.concatenate([[(x - wide, y)], rim, [(x + wide, y)]])
    fill(picture, crown, colour)
    polyline(picture, crown, line, 1, True)
    for tip_x, tip_y in rim[::2]:
        fill(picture, oval(float(tip_x), float(tip_y), wide * 0.14, wide * 0.14), palette[1])


def _held(
    rng: np.random.Generator, picture: Picture, rank: str, unit: float, palette: Palette
) -> None:
    """Draw a sword, sceptre or flower beside the head, and a hand."""
    width = float(picture.shape[1])
    x = width * float(rng.choice([0.14, 0.2, 0.8, 0.86]))
    line = palette[0]
    low, high = unit * 0.85, unit * float(rng.uniform(0.08, 0.25))
    cv2.line(picture, (round(x), round(low)), (round(x), round(high)), line, 3, cv2.LINE_AA)
    if rank == "Q" or rng.random() < 0.3:
        petals(picture, x, high + 0.04 * unit, 0.1 * unit, 6, palette[1], palette[2])
    else:
        cv2.line(
            picture, (round(x), round(low)), (round(x), round(high)), palette[2], 1, cv2.LINE_AA
        )
        guard = np.array([(x - 0.08 * unit, unit * 0.66), (x + 0.08 * unit, unit * 0.66)])
        polyline(picture, guard, line, 3)
    hand = oval(x, unit * 0.75, unit * 0.06, unit * 0.05)
    fill(picture, hand, palette[-1])
    polyline(picture, hand, line, 1, True)
