"""Shapes of the four suit pips: many forms of each, some kept for held-out decks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from drawn_canvas import Mask, cropped, outlined, oval, resized

Points = npt.NDArray[np.floating]

# Pips are drawn once this high and shrunk from there.
MASTER_PX = 160


@dataclass(frozen=True)
class Pip:
    """One suit's pip of a deck: its master mask and how it is printed."""

    master: Mask
    outline_share: float

    @cached_property
    def width_share(self) -> float:
        """Width over height."""
        return float(self.master.shape[1] / self.master.shape[0])

    def at(self, height_px: float) -> Mask:
        """Draw the pip `height_px` high, an outline only where the deck prints outlines."""
        mask = resized(self.master, height_px, height_px * self.width_share)
        if self.outline_share and height_px >= 14:
            return outlined(mask, max(1, round(self.outline_share * height_px)))
        return mask


def draw_pip(rng: np.random.Generator, suit: str, held_out: bool, outline_share: float) -> Pip:
    """Draw a random pip of suit C, D, H or S; held-out decks have forms of their own."""
    makers = {"C": _club, "D": _diamond, "H": _heart, "S": _spade}
    canvas = np.zeros((600, 600), np.uint8)
    for shape in makers[suit](rng, held_out):
        points = np.round((shape * 300 + 300) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [points], 255, cv2.LINE_AA, 4)
    master = cropped(canvas)
    width_px = master.shape[1] * MASTER_PX / master.shape[0]
    return Pip(resized(master, MASTER_PX, width_px), outline_share)


def _bezier(*control: tuple[float, float]) -> Points:
    """24 points of the Bezier curve with these control points (3 or 4)."""
    t = np.linspace(0, 1, 24)[:, None]
    points = [np.array(point) * np.ones_like(t) for point in control]
    while len(points) > 1:
        points = [a * (1 - t) + b * t for a, b in pairwise(points)]
    return points[0]


def _mirrored(right: Points) -> Points:
    """Close the right half of an upright shape with its mirror image."""
    left = right[::-1] * np.array([-1.0, 1.0])
    return np.concatenate([right, left])


def _heart_outline(rng: np.random.Generator) -> Points:
    """Draw a heart of two cubic curves a side: thin to fat, tip hollow to round."""
    wide, dip = rng.uniform(0.62, 0.86), rng.uniform(-0.62, -0.35)
    middle, hollow = rng.uniform(-0.42, -0.18), rng.uniform(0.04, 0.5)
    lobe = _bezier((0, dip), (wide * rng.uniform(0.1, 0.35), -1.02), (wide, -0.98), (wide, middle))
    side = _bezier((wide, middle), (wide, middle + 0.4), (hollow * wide, 0.55), (0, 0.9))
    return _mirrored(np.concatenate([lobe, side]))


def _round_heart(rng: np.random.Generator) -> list[Points]:
    """Draw a heart of two circles and a wedge, the held-out form."""
    radius = rng.uniform(0.36, 0.44)
    centre, tip = radius * rng.uniform(0.8, 0.98), rng.uniform(0.75, 0.95)
    angle = np.deg2rad(rng.uniform(28, 42))
    touch = centre + radius * np.cos(angle), -0.4 + radius * np.sin(angle)
    wedge = _mirrored(np.array([(0.0, -0.45), (centre, -0.42), touch, (0.0, tip)]))
    lobes = [oval(side * centre, -0.4, radius, radius) for side in (-1, 1)]
    return [*lobes, wedge]


def _heart(rng: np.random.Generator, held_out: bool) -> list[Points]:
    return _round_heart(rng) if held_out else [_heart_outline(rng)]


def _stem(rng: np.random.Generator, top: float, foot: float) -> list[Points]:
    """Draw a stem from y=top to y=foot: none, a wedge, a flared foot or a straight bar."""
    form = rng.choice(["none", "wedge", "wedge", "flared", "flared", "flared", "flared", "bar"])
    neck, wide = rng.uniform(0.03, 0.09), rng.uniform(0.22, 0.42)
    if form == "none":
        neck, wide, foot = 0.05, 0.08, foot * 0.9
    if form == "flared":
        flare = _bezier((neck, top), (neck, foot - 0.1), (wide, foot))
        return [_mirrored(flare)]
    if form == "bar":
        wide = neck = rng.uniform(0.06, 0.12)
    return [_mirrored(np.array([(neck, top), (wide, foot)]))]


def _spade(rng: np.random.Generator, held_out: bool) -> list[Points]:
    shape = _round_heart(rng) if held_out else [_heart_outline(rng)]
    squat = rng.uniform(0.8, 0.95)
    upright = [part * np.array([squat, -0.85]) + np.array([0.0, -0.15]) for part in shape]
    return upright + _stem(rng, 0.1, rng.uniform(0.76, 0.98))


def _club(rng: np.random.Generator, held_out: bool) -> list[Points]:
    """Three lobes, merged or apart, on a stem; held-out lobes are long ovals."""
    radius = rng.uniform(0.3, 0.42)
    apart, low = radius * rng.uniform(0.98, 1.3), rng.uniform(0.12, 0.26)
    high = low - radius * rng.uniform(1.45, 1.75)
    long = rng.uniform(1.12, 1.3) if held_out else 1.0
    lobes = [oval(0, high, radius / long, radius * long)]
    lobes += [oval(side * apart, low, radius * long, radius / long) for side in (-1, 1)]
    heart_px = radius * rng.uniform(0.3, 0.75)
    lobes.append(oval(0, (high + 2 * low) / 3, heart_px, heart_px))
    join = _mirrored(np.array([(0.04, high), (0.1, low - 0.1), (0.07 + 0.3 * apart, low + 0.05)]))
    return [*lobes, join, *_stem(rng, low - 0.1, low + radius * rng.uniform(1.3, 1.8))]


def _diamond(rng: np.random.Generator, held_out: bool) -> list[Points]:
    """Draw a diamond with hollow, straight or full sides; held-out ones are slim."""
    wide = rng.uniform(0.46, 0.56) if held_out else rng.uniform(0.57, 0.84)
    bend = rng.uniform(0.3, 0.56) if rng.random() < 0.7 else 0.5
    upper = _bezier((0, -0.9), (wide * bend, -0.9 * bend), (wide, 0))
    lower = _bezier((wide, 0), (wide * bend, 0.9 * bend), (0, 0.9))
    return [_mirrored(np.concatenate([upper, lower]))]
