"""The simulated camera: where table points fall in the picture, and what lens and sensor do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.shapes import Image

Light = NDArray[np.float32]
"""Linear light, height x width x 3, blue-green-red; 1.0 is white paper in the brightest spot."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera over the table, its picture's upper edge towards +y of the table.

    Table coordinates are millimetres, x to the right and y away from seat A, z up from the cloth.
    The default sees 1.2 m of table across 1920 pixels (1.6 px/mm), tilted by about two degrees.
    `k1` and `k2` are the lens's radial distortion as OpenCV defines it (0: a perfect lens).
    Raises ValueError for a camera that does not look down or a picture under 16 px.
    """

    width_px: int = 1920
    height_px: int = 1080
    focal_px: float = 2080.0
    position_mm: tuple[float, float, float] = (606.0, 292.0, 1300.0)
    look_at_mm: tuple[float, float] = (600.0, 337.0)
    roll_deg: float = 0.35
    k1: float = 0.0
    k2: float = 0.0

    def __post_init__(self) -> None:
        if min(self.width_px, self.height_px) < 16:
            raise ValueError(f"a picture of {self.width_px} x {self.height_px} px is too small")
        if self.position_mm[2] <= 0 or self.focal_px <= 0:
            raise ValueError("the camera must be above the table and its focal length positive")

    def projection(self) -> NDArray[np.float64]:
        """Return the 3 x 4 matrix from (x, y, z, 1) to pixels (Hartley and Zisserman, 6.1)."""
        return _projection(self)

    def project(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (n, 2) of table points (n, 3)."""
        homogeneous = np.concatenate([points_mm, np.ones((len(points_mm), 1))], axis=1)
        seen = homogeneous @ self.projection().T
        return self.distorted(np.asarray(seen[:, :2] / seen[:, 2:]))

    def matrix(self) -> NDArray[np.float64]:
        """Return the 3 x 3 camera matrix."""
        x_px, y_px = (self.width_px - 1) / 2, (self.height_px - 1) / 2
        return np.array([[self.focal_px, 0, x_px], [0, self.focal_px, y_px], [0, 0, 1.0]])

    def distorted(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where the lens puts points (n, 2) of the perfect picture."""
        if not (self.k1 or self.k2):
            return points_px
        middle = np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2])
        off = (points_px - middle) / self.focal_px
        square = np.sum(off**2, axis=1, keepdims=True)
        return np.asarray(
            middle + off * (1 + self.k1 * square + self.k2 * square**2) * self.focal_px
        )

    def table_map(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the x and y on the cloth in mm that each pixel sees, two height x width arrays.

        Worked out on every eighth pixel and interpolated: what is between is smooth.
        """
        columns = np.linspace(0, self.width_px - 1, self.width_px // 8 + 2)
        rows = np.linspace(0, self.height_px - 1, self.height_px // 8 + 2)
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
        inner, lens = self.matrix(), np.array([self.k1, self.k2, 0.0, 0.0])
        straight = cv2.undistortPoints(grid, inner, lens, P=inner)
        seen = cv2.perspectiveTransform(straight, np.linalg.inv(self.homography()))
        coarse = seen.reshape(len(rows), len(columns), 2)
        # Tables of weights: remapping would round the places to a quarter of a pixel.
        across = _weights(columns, self.width_px)
        down = _weights(rows, self.height_px)
        fine = [down @ coarse[..., axis] @ across.T for axis in (0, 1)]
        return np.asarray(fine[0], np.float32), np.asarray(fine[1], np.float32)

    def homography(self, height_mm: float = 0.0) -> NDArray[np.float64]:
        """Return the 3 x 3 homography from (x, y) in mm, `height_mm` above the cloth, to pixels.

        It knows nothing of the lens: `distorted` does.
        """
        full = self.projection()
        return np.stack([full[:, 0], full[:, 1], full[:, 2] * height_mm + full[:, 3]], axis=1)


def _weights(knots: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Weights (count, knots) that interpolate between `knots` at 0, 1, ... count - 1."""
    eye = np.eye(len(knots))
    return np.stack([np.interp(np.arange(count), knots, row) for row in eye], axis=1)


@lru_cache(maxsize=8)
def _projection(camera: Camera) -> NDArray[np.float64]:
    position = np.array(camera.position_mm)
    forward = np.array([*camera.look_at_mm, 0.0]) - position
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    cos, sin = np.cos(np.radians(camera.roll_deg)), np.sin(np.radians(camera.roll_deg))
    turn = np.stack([cos * right + sin * down, cos * down - sin * right, forward])
    x_px, y_px = (camera.width_px - 1) / 2, (camera.height_px - 1) / 2
    inner = np.array([[camera.focal_px, 0, x_px], [0, camera.focal_px, y_px], [0, 0, 1]])
    matrix: NDArray[np.float64] = np.asarray(
        inner @ np.concatenate([turn, -(turn @ position)[:, None]], axis=1)
    )
    matrix.flags.writeable = False
    return matrix


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light over the table.

    `shadow_mm` is how far a shadow falls for each millimetre of height (x, y); `softness` is its
    blur for each millimetre of height. The light is brightest at `brightest_mm` and has fallen to
    half at `half_light_mm` from there. `tone` is its colour (blue, green, red). `glare` is the
    strength of its mirror image on the cards, at `glare_mm`; 0 switches it off.
    """

    shadow_mm: tuple[float, float] = (0.42, -0.50)
    softness: float = 0.17
    brightest_mm: tuple[float, float] = (430.0, 470.0)
    half_light_mm: float = 1150.0
    tone: tuple[float, float, float] = (0.94, 0.985, 1.0)
    glare: float = 0.0
    glare_mm: tuple[float, float] = (420.0, 420.0)
    glare_width_mm: float = 130.0


@dataclass(frozen=True, slots=True)
class Sensor:
    """Lens and sensor: blur and noise in the picture, brightness, exposure time, compression.

    `read_noise` and `shot_noise` are the standard deviations in grey levels of black and what is
    added at white; `jpeg_quality` None leaves the picture uncompressed. A rolling shutter reads
    the rows one after another in `readout_ms`; 0 reads all at once. A lamp on the mains makes
    rows `flicker` brighter and darker, `mains_hz` times a second each way. Exposure and white
    balance wander by `drift` over some ten seconds.
    """

    blur_px: float = 0.55
    brightness: float = 0.94
    exposure_ms: float = 10.0
    readout_ms: float = 0.0
    flicker: float = 0.0
    mains_hz: float = 50.0
    drift: float = 0.0
    read_noise: float = 0.9
    shot_noise: float = 1.5
    vignetting: float = 0.16
    jpeg_quality: int | None = None


def to_linear(picture: Image) -> Light:
    """Linear light of an sRGB picture (IEC 61966-2-1, by its usual power of 2.2)."""
    table = (np.arange(256, dtype=np.float32) / 255.0) ** 2.2
    return np.asarray(table.astype(np.float32)[picture])


def illumination(camera: Camera, lamp: Lamp, sensor: Sensor) -> Light:
    """How much of the lamp's light each pixel gets, its colour and the vignetting included."""
    columns, rows = np.meshgrid(
        np.arange(camera.width_px, dtype=np.float32), np.arange(camera.height_px, dtype=np.float32)
    )
    x_mm, y_mm = camera.table_map()
    away = np.hypot(x_mm - lamp.brightest_mm[0], y_mm - lamp.brightest_mm[1]) / lamp.half_light_mm
    corner = np.hypot(columns / camera.width_px - 0.5, rows / camera.height_px - 0.5) / 0.7071
    level = (1 - sensor.vignetting * corner**2) / (1 + away**2) * sensor.brightness
    return np.asarray((level[..., None] * np.array(lamp.tone)).astype(np.float32))
