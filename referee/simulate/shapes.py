"""Smooth closed shapes in millimetres and the canvas that prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Outline = NDArray[np.float64]
"""A closed polygon, shape (n, 2), x to the right and y down."""

Part = tuple[Outline, ...]
"""One printed part: its outlines are filled by the even-odd rule, so an inner one is a hole."""

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
"""Blue, green, red, each 0 to 255."""

_SUBPIXEL_BITS = 6


@dataclass(frozen=True, slots=True)
class Box:
    """An upright box: its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Right minus left."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Bottom minus top."""
        return self.bottom - self.top


def outline(points: Iterable[Sequence[float]]) -> Outline:
    """Make an outline from its corners."""
    return np.array([tuple(p) for p in points], dtype=np.float64)


def bar(left: float, top: float, right: float, bottom: float) -> Outline:
    """Return an upright rectangle."""
    return outline([(left, top), (right, top), (right, bottom), (left, bottom)])


def ellipse(x: float, y: float, radius_x: float, radius_y: float, corners: int = 72) -> Outline:
    """Return an upright ellipse about (x, y)."""
    turn = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    return np.stack([x + radius_x * np.cos(turn), y + radius_y * np.sin(turn)], axis=1)


def star(x: float, y: float, outer: float, inner: float, points: int) -> Outline:
    """Return a star with one point up."""
    turn = np.arange(2 * points) * np.pi / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], axis=1)


def bezier(start: Sequence[float], *curves: Sequence[Sequence[float]]) -> Outline:
    """Return a path of cubic Bezier curves: each of `curves` is two controls and an end point."""
    u = np.linspace(0.0, 1.0, 24)[1:, None]
    path = [np.array([start], dtype=np.float64)]
    for first, second, end in curves:
        p0, p1, p2, p3 = path[-1][-1], np.array(first), np.array(second), np.array(end)
        path.append(
            (1 - u) ** 3 * p0 + 3 * (1 - u) ** 2 * u * p1 + 3 * (1 - u) * u**2 * p2 + u**3 * p3
        )
    return np.concatenate(path)


def spline(points: Iterable[Sequence[float]], steps: int = 14) -> NDArray[np.float64]:
    """Return a smooth line through points with any number of columns (Catmull-Rom)."""
    knots = np.array([tuple(p) for p in points], dtype=np.float64)
    padded = np.concatenate([2 * knots[:1] - knots[1:2], knots, 2 * knots[-1:] - knots[-2:-1]])
    u = np.linspace(0.0, 1.0, steps, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        spans.append(
            0.5
            * (
                2 * b
                + (c - a) * u
                + (2 * a - 5 * b + 4 * c - d) * u**2
                + (3 * b - a - 3 * c + d) * u**3
            )
        )
    return np.concatenate([*spans, knots[-1:]])


def stroke(points: Iterable[Sequence[float]]) -> Outline:
    """Return the outline of a pen stroke with blunt ends through points (x, y, pen width)."""
    path = spline(points)
    along = np.gradient(path[:, :2], axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) * path[:, 2:3] / 2
    return np.concatenate([path[:, :2] + across, (path[:, :2] - across)[::-1]])


def line(x0: float, y0: float, x1: float, y1: float, width: float) -> Outline:
    """Return the outline of a straight pen stroke with blunt ends."""
    return stroke([(x0, y0, width), (x1, y1, width)])


def rounded_box(width: float, height: float, radius: float, steps: int = 10) -> Outline:
    """Return a box from (0, 0) with round corners."""
    quarter = np.linspace(0.0, np.pi / 2, steps)
    corners = [
        (radius, radius, np.pi),
        (width - radius, radius, 1.5 * np.pi),
        (width - radius, height - radius, 0.0),
        (radius, height - radius, 0.5 * np.pi),
    ]
    return np.concatenate(
        [
            np.stack([x + radius * np.cos(a + quarter), y + radius * np.sin(a + quarter)], axis=1)
            for x, y, a in corners
        ]
    )


def placed(part: Part, scale: float, x: float, y: float, turn_deg: float = 0.0) -> Part:
    """Scale a part about its origin, turn it clockwise, then move its origin to (x, y)."""
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turn = np.array([[cos, sin], [-sin, cos]])
    return tuple(o * scale @ turn + (x, y) for o in part)


def bounds(parts: Iterable[Part]) -> Box:
    """Return the tight box of all parts together."""
    points = np.concatenate([o for part in parts for o in part])
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Box(float(left), float(top), float(right), float(bottom))


class Canvas:
    """A sheet of paper, addressed in millimetres, printed larger and reduced for smooth edges."""

    def __init__(self, width_mm: float, height_mm: float, height_px: int, paper: Colour) -> None:
        """Lay out a blank sheet; `height_px` is the height of the finished picture."""
        # Four samples a pixel hide the stairs; large pictures need fewer to look as smooth.
        self._samples = 4 if height_px <= 600 else 2
        self.height_px = height_px
        self.width_px = max(1, round(height_px * width_mm / height_mm))
        self.scale = height_px * self._samples / height_mm
        size = (height_px * self._samples, self.width_px * self._samples, 3)
        self._ink = np.full(size, paper, dtype=np.float64).astype(np.uint8)

    def fill(self, part: Part, colour: Colour) -> None:
        """Print one part."""
        contours = [self._fixed_point(o) for o in part]
        cv2.fillPoly(self._ink, contours, colour, cv2.LINE_AA, _SUBPIXEL_BITS)

    def fill_all(self, parts: Iterable[Part], colour: Colour) -> None:
        """Print several parts, each filled on its own so that overlaps stay solid."""
        for part in parts:
            self.fill(part, colour)

    def trace(self, path: Outline, width_mm: float, colour: Colour, closed: bool = True) -> None:
        """Draw a line of even width along a path."""
        thickness = max(1, round(width_mm * self.scale))
        points = self._fixed_point(path)
        cv2.polylines(self._ink, [points], closed, colour, thickness, cv2.LINE_AA, _SUBPIXEL_BITS)

    def positions_mm(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the x and y of every sample's centre, two arrays (rows, columns)."""
        rows, columns = self._ink.shape[:2]
        x_mm = (np.arange(columns) + 0.5) / self.scale
        y_mm = (np.arange(rows) + 0.5) / self.scale
        grid = np.meshgrid(x_mm, y_mm)
        return grid[0], grid[1]

    def tint(self, cover: NDArray[np.float64], colour: Colour) -> None:
        """Print a colour where `cover` (rows x columns of samples, 0 to 1) says so."""
        share = cover[..., None]
        self._ink = (self._ink * (1 - share) + np.array(colour) * share).astype(np.uint8)

    def turned_onto_itself(self) -> None:
        """Replace the lower half by the upper half turned by 180 degrees."""
        half = self._ink.shape[0] // 2
        self._ink[-half:] = self._ink[:half][::-1, ::-1]

    def shrink(self, share: float, paper: Colour) -> None:
        """Reduce all that is printed so far about the sheet's middle; `share` is below 1."""
        rows, columns = self._ink.shape[:2]
        size = (round(columns * share), round(rows * share))
        small = cv2.resize(self._ink, size, interpolation=cv2.INTER_AREA)
        top, left = (rows - size[1]) // 2, (columns - size[0]) // 2
        self._ink[:] = np.array(paper, dtype=np.float64).astype(np.uint8)
        self._ink[top : top + size[1], left : left + size[0]] = small

    def picture(self, width_px: int | None = None) -> Image:
        """Return the picture: uint8, height x width x 3, blue-green-red; None: its own width."""
        size = (width_px or self.width_px, self.height_px)
        return np.asarray(cv2.resize(self._ink, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _fixed_point(self, path: Outline) -> NDArray[np.int32]:
        # Sample k covers [k, k+1) in our units and is addressed by its centre in OpenCV's.
        return np.round((path * self.scale - 0.5) * (1 << _SUBPIXEL_BITS)).astype(np.int32)
