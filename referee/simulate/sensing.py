"""From light to a picture: tone curve, flicker, drift, noise and compression of a camera."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.shapes import Image
from referee.simulate.view import Camera, Light, Sensor

NOISE_MARGIN_PX = 96
"""The drawn noise is this much larger than the picture, each way."""

_TONES = 32768
"""Steps of light on the tone curve: in the darkest cloth they lie 0.2 grey levels apart."""

GAMMA = 2.2
_DRIFT_S = (11.0, 17.0, 29.0)
"""Periods of the wandering of blue, green and red: none is a multiple of another."""


def tone_curve(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return grey levels (0 to 255) of light.

    A soft shoulder instead of hard clipping: paper near the lamp keeps its print.
    """
    soft = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2), light)
    return np.asarray(255.0 * np.maximum(soft, 0.0) ** (1 / GAMMA), dtype=np.float32)


_CURVE = tone_curve(np.arange(_TONES, dtype=np.float32) * np.float32(2.0 / _TONES))
_GREY_OF: Image = np.asarray(np.round(_CURVE), np.uint8)


def developed(light: Light) -> Image:
    """Return the picture of light, without noise."""
    step = np.clip(light * (_TONES / 2), 0, _TONES - 1).astype(np.uint16)
    return np.asarray(_GREY_OF[step], np.uint8)


class NoisySensor:
    """Adds to clean pictures what a sensor adds; its noise is drawn once."""

    def __init__(self, camera: Camera, sensor: Sensor, seed: int) -> None:
        """Draw the noise, larger than the picture: every frame gets its own part of it."""
        self._sensor, self._seed = sensor, seed
        self._shape = (camera.height_px, camera.width_px)
        rng = np.random.default_rng(seed)
        self._phases = rng.uniform(0.0, 2 * np.pi, 4)
        # Deviations in grey levels are even over the tones: gamma all but cancels shot noise's
        # growth with light; 0.65 is the root of the middle grey.
        self._deviation = sensor.read_noise + 0.65 * sensor.shot_noise
        rows, columns = self._shape[0] + NOISE_MARGIN_PX, self._shape[1] + NOISE_MARGIN_PX
        fine = rng.standard_normal((rows, columns, 1), dtype=np.float32)
        # Cameras smooth their noise: that of colour is coarser than that of brightness.
        coarse = rng.standard_normal((rows // 2 + 1, columns // 2 + 1, 3), dtype=np.float32)
        noise = (0.8 * fine + 0.5 * cv2.resize(coarse, (columns, rows))) * self._deviation
        self._brighter = np.clip(np.round(noise), 0, 255).astype(np.uint8)
        self._darker = np.clip(np.round(-noise), 0, 255).astype(np.uint8)

    def taken(self, clean: Image, t_s: float) -> Image:
        """Return what the sensor makes of a clean picture at a time."""
        picture = self._wandering(clean, t_s)
        picture = self._flickering(picture, t_s)
        if self._deviation > 0:
            picture = self._noisy(picture, t_s)
        if self._sensor.jpeg_quality is None:
            return picture
        quality = [cv2.IMWRITE_JPEG_QUALITY, self._sensor.jpeg_quality]
        _, packed = cv2.imencode(".jpg", picture, quality)
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)

    def _noisy(self, clean: Image, t_s: float) -> Image:
        chance = np.random.default_rng([self._seed, round(t_s * 1e6) % 2**32])
        row, column = chance.integers(0, NOISE_MARGIN_PX, 2)
        area = slice(row, row + self._shape[0]), slice(column, column + self._shape[1])
        brighter = cv2.add(clean, self._brighter[area])
        return np.asarray(cv2.subtract(brighter, self._darker[area]), np.uint8)

    def _wandering(self, clean: Image, t_s: float) -> Image:
        """Exposure and white balance: a slow gain of each colour."""
        if self._sensor.drift <= 0:
            return clean
        waves = [np.sin(2 * np.pi * t_s / period + phase)
                 for period, phase in zip(_DRIFT_S, self._phases, strict=False)]  # fmt: skip
        level = 0.8 * waves[1]
        gains = np.array([level + 0.4 * waves[0], level, level + 0.4 * waves[2]])
        # Grey is a power of light, so a gain of light is a gain of grey.
        factor = (1.0 + self._sensor.drift * gains) ** (1 / GAMMA)
        table = np.clip(np.arange(256)[:, None] * factor[None, :], 0, 255)
        return np.asarray(cv2.LUT(clean, np.round(table).astype(np.uint8)[None]), np.uint8)

    def _flickering(self, clean: Image, t_s: float) -> Image:
        """Rows that are read while the lamp is bright or dim."""
        sensor = self._sensor
        if sensor.flicker <= 0:
            return clean
        rows = np.arange(self._shape[0])
        row_s = t_s + (rows / self._shape[0] - 0.5) * sensor.readout_ms / 1000.0
        wave = np.sin(4 * np.pi * sensor.mains_hz * row_s + self._phases[3])
        factor = (1.0 + sensor.flicker * wave) ** (1 / GAMMA)
        level = np.round(factor * 128).astype(np.uint8)
        whole = np.broadcast_to(level[:, None, None], clean.shape)
        return np.asarray(cv2.multiply(clean, np.ascontiguousarray(whole), scale=1 / 128), np.uint8)
