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

NOISE_MARGIN_PX = 96
"""The drawn noise is this much larger than the picture, each way."""

_TONES = 32768
"""Steps of light on the tone curve: in the darkest cloth they lie 0.2 grey levels apart."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera over the table, its picture's upper edge towards +y of the table.

    Table coordinates are millimetres, x to the right and y away from seat A, z up from the cloth.
    The default sees 1.2 m of table across 1920 pixels (1.6 px/mm), tilted by about two degrees.
    Raises ValueError for a camera that does not look down or a picture under 16 px.
    """

    width_px: int = 1920
    height_px: int = 1080
    focal_px: float = 2080.0
    position_mm: tuple[float, float, float] = (606.0, 292.0, 1300.0)
    look_at_mm: tuple[float, float] = (600.0, 337.0)
    roll_deg: float = 0.35

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
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def homography(self, height_mm: float = 0.0) -> NDArray[np.float64]:
        """Return the 3 x 3 homography from (x, y) in mm, `height_mm` above the cloth, to pixels."""
        full = self.projection()
        return np.stack([full[:, 0], full[:, 1], full[:, 2] * height_mm + full[:, 3]], axis=1)


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
    added at white; `jpeg_quality` None leaves the picture uncompressed.
    """

    blur_px: float = 0.55
    brightness: float = 0.94
    exposure_ms: float = 10.0
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
    back = np.linalg.inv(camera.homography())
    depth = back[2, 0] * columns + back[2, 1] * rows + back[2, 2]
    x_mm = (back[0, 0] * columns + back[0, 1] * rows + back[0, 2]) / depth
    y_mm = (back[1, 0] * columns + back[1, 1] * rows + back[1, 2]) / depth
    away = np.hypot(x_mm - lamp.brightest_mm[0], y_mm - lamp.brightest_mm[1]) / lamp.half_light_mm
    corner = np.hypot(columns / camera.width_px - 0.5, rows / camera.height_px - 0.5) / 0.7071
    level = (1 - sensor.vignetting * corner**2) / (1 + away**2) * sensor.brightness
    return np.asarray((level[..., None] * np.array(lamp.tone)).astype(np.float32))


def sensor_noise(camera: Camera, seed: int) -> Light:
    """Return noise of deviation about 1, larger than the picture: every frame gets its own part.

    Cameras smooth their noise: that of colour is coarser than that of brightness.
    """
    rng = np.random.default_rng(seed)
    rows, columns = camera.height_px + NOISE_MARGIN_PX, camera.width_px + NOISE_MARGIN_PX
    fine = rng.standard_normal((rows, columns, 1), dtype=np.float32)
    coarse = rng.standard_normal((rows // 2 + 1, columns // 2 + 1, 3), dtype=np.float32)
    spread = cv2.resize(coarse, (columns, rows))
    return np.asarray(0.8 * fine + 0.5 * spread, dtype=np.float32)


def _tone_curve(sensor: Sensor) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return grey level and noise deviation for each of _TONES steps of light from 0 to 2.

    A soft shoulder instead of hard clipping: paper near the lamp keeps its print.
    """
    light = np.arange(_TONES) * (2.0 / _TONES)
    soft = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2), light)
    grey = 255.0 * soft ** (1 / 2.2)
    deviation = sensor.read_noise + sensor.shot_noise * np.sqrt(grey / 255.0)
    return grey.astype(np.float32), deviation.astype(np.float32)


def expose(scene_light: Light, sensor: Sensor, noise: Light) -> Image:
    """Turn the light on the sensor into the picture: blur, tone curve, noise, compression."""
    light = scene_light
    if sensor.blur_px > 0:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.blur_px), dtype=np.float32)
    grey, deviation = _tone_curve(sensor)
    step = np.clip(light * (_TONES / 2), 0, _TONES - 1).astype(np.int32)
    noisy = cv2.add(grey[step], cv2.multiply(deviation[step], noise))
    picture = cv2.convertScaleAbs(np.maximum(noisy, 0.0))
    if sensor.jpeg_quality is None:
        return np.asarray(picture, dtype=np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
