"""How a camera sees the table: its lens, and the map between pixels and table millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import PointMm

Points = NDArray[np.float64]
"""Points, one a row: (n, 2)."""

Matrix = tuple[float, float, float, float, float, float, float, float, float]
"""A 3 x 3 matrix, row by row."""

USUAL_FOCAL = 0.8
"""Focal length as a share of the picture's width where nothing better is known: 64 degrees from
left to right; web cameras have 55 to 78, telephones 60 to 70."""

# Undistorting is solved by iteration: so many steps, or until it moves by less (pixels). Twenty
# leave 1e-4 px at the corner of a picture with a barrel of k1 = -0.35.
UNDISTORT_STEPS, UNDISTORT_PX = 40, 1e-5


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens with square pixels: focal length, the picture's optical middle, and its distortion.

    `k` is (k1, k2, p1, p2, k3) of the Brown-Conrady model as OpenCV orders them. Pixel (0, 0) is
    the middle of the upper left pixel.
    """

    focal_px: float
    center_px: tuple[float, float]
    k: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def matrix(self) -> NDArray[np.float64]:
        """Return the 3 x 3 camera matrix."""
        x_px, y_px = self.center_px
        return np.array([[self.focal_px, 0, x_px], [0, self.focal_px, y_px], [0, 0, 1.0]])

    def straighten(self, points_px: Points) -> Points:
        """Return where a lens without distortion would show the points (n, 2)."""
        if not any(self.k) or not len(points_px):
            return np.asarray(points_px, np.float64).reshape(-1, 2)
        criteria = (
            cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS,
            UNDISTORT_STEPS,
            UNDISTORT_PX / self.focal_px,
        )
        seen = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        matrix, k = self.matrix(), np.array(self.k)
        straight = cv2.undistortPoints(seen, matrix, k, None, None, matrix, criteria)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def bend(self, points_px: Points) -> Points:
        """Return where this lens shows what one without distortion would show at (n, 2)."""
        flat = np.asarray(points_px, np.float64).reshape(-1, 2)
        if not any(self.k):
            return flat
        k1, k2, p1, p2, k3 = self.k
        x, y = ((flat - self.center_px) / self.focal_px).T
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        bent = np.stack(
            [
                x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
                y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
            ],
            axis=1,
        )
        return np.asarray(bent * self.focal_px + self.center_px)


def usual_lens(size_px: tuple[int, int]) -> Lens:
    """Return the lens to assume for a picture (width, height) of an unknown camera."""
    w_px, h_px = size_px
    return Lens(USUAL_FOCAL * max(w_px, h_px), ((w_px - 1) / 2, (h_px - 1) / 2))


@dataclass(frozen=True, slots=True)
class TableView:
    """One camera's view of a table: picture size (width, height), lens, and the table's plane.

    `homography` takes table millimetres to the pixels that the lens would show without
    distortion. Every pixel coordinate here is one of the picture as it comes.
    """

    size_px: tuple[int, int]
    lens: Lens
    homography: Matrix

    def to_mm(self, points_px: Points) -> Points:
        """Return the table points (n, 2) that lie at pixels (n, 2)."""
        return mapped(_inverse(self.homography), self.lens.straighten(points_px))

    def to_px(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Return the pixels (n, 2) of table points (n, 2), `height_mm` above the table."""
        flat = mapped(_raised(self.homography, self.lens, float(height_mm)), points_mm)
        return self.lens.bend(flat)

    def camera_mm(self) -> tuple[float, float, float]:
        """Return where the camera is over the table, as far as its focal length is known."""
        inner = np.linalg.inv(self.lens.matrix()) @ _grid(self.homography)
        scale = _plane_scale(inner)
        turn = np.stack(
            [inner[:, 0], inner[:, 1], np.cross(inner[:, 0], inner[:, 1]) / scale], axis=1
        )
        x_mm, y_mm, z_mm = -np.linalg.solve(turn, inner[:, 2])
        return float(x_mm), float(y_mm), float(z_mm)

    def px_per_mm(self, at_mm: PointMm) -> float:
        """Return how many pixels a millimetre has there, the mean over all directions."""
        corners = np.array([at_mm, (at_mm[0] + 1, at_mm[1]), (at_mm[0], at_mm[1] + 1)])
        here, right, up = self.to_px(corners)
        return float(abs(np.linalg.det(np.stack([right - here, up - here]))) ** 0.5)

    def sees(self, points_mm: Points) -> NDArray[np.bool_]:
        """Return which table points (n, 2) lie inside the picture."""
        x_px, y_px = self.to_px(points_mm).T
        w_px, h_px = self.size_px
        inside: NDArray[np.bool_] = (x_px >= 0) & (y_px >= 0) & (x_px < w_px) & (y_px < h_px)
        return inside & _in_front(self.homography, points_mm)


def view_of(size_px: tuple[int, int], lens: Lens, homography: NDArray[np.float64]) -> TableView:
    """Return a view with a homography given as 3 x 3, scaled to be positive before the camera."""
    a, b, c, d, e, f, g, h, i = (float(v) for v in (homography / homography[2, 2]).ravel())
    return TableView(size_px, lens, (a, b, c, d, e, f, g, h, i))


def mapped(matrix: NDArray[np.float64], points: Points) -> Points:
    """Return points (n, 2) taken through a 3 x 3 homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    seen = flat @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _in_front(homography: Matrix, points_mm: Points) -> NDArray[np.bool_]:
    flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
    depth = flat @ np.array(homography[6:8]) + homography[8]
    front: NDArray[np.bool_] = depth > 0
    return front


def _grid(values: Matrix) -> NDArray[np.float64]:
    return np.array(values).reshape(3, 3)


def _plane_scale(inner: NDArray[np.float64]) -> float:
    """Return the common length of the table's axes before the camera (see `_raised`)."""
    return float(np.sqrt(np.linalg.norm(inner[:, 0]) * np.linalg.norm(inner[:, 1])))


@lru_cache(maxsize=64)
def _inverse(homography: Matrix) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(_grid(homography)))


@lru_cache(maxsize=256)
def _raised(homography: Matrix, lens: Lens, height_mm: float) -> NDArray[np.float64]:
    """Return the homography of a plane above the table.

    The table's two axes before the camera are the first columns of K^-1 H; their cross product,
    brought to their length, is the third (Zhang, A flexible new technique for camera
    calibration, 2000).
    """
    if not height_mm:
        return _grid(homography)
    matrix = lens.matrix()
    inner = np.linalg.inv(matrix) @ _grid(homography)
    up = np.cross(inner[:, 0], inner[:, 1]) / _plane_scale(inner)
    inner[:, 2] += up * height_mm
    return np.asarray(matrix @ inner)
