"""Pieces of a picture: windows, filled outlines and soft edges."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.shapes import Image

Cover = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of the picture: its left, top, right and bottom pixel."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> tuple[slice, slice]:
        """Index of the window in a picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    @property
    def empty(self) -> bool:
        """Whether nothing of it lies in the picture."""
        return min(self.size) <= 0

    def meets(self, other: Window) -> bool:
        """Whether two windows have a pixel in common."""
        return (
            self.left < other.right and other.left < self.right
            and self.top < other.bottom and other.top < self.bottom
        )  # fmt: skip

    def joined(self, other: Window) -> Window:
        """Return the least window about both."""
        return Window(min(self.left, other.left), min(self.top, other.top),
                      max(self.right, other.right), max(self.bottom, other.bottom))  # fmt: skip

    def shared(self, other: Window) -> Window:
        """Return what two windows have in common."""
        return Window(max(self.left, other.left), max(self.top, other.top),
                      min(self.right, other.right), min(self.bottom, other.bottom))  # fmt: skip

    def grown(self, px: int, shape: tuple[int, ...]) -> Window:
        """Return the window with a rim, cut at the picture's edge."""
        return Window(max(0, self.left - px), max(0, self.top - px),
                      min(shape[1], self.right + px), min(shape[0], self.bottom + px))  # fmt: skip

    def within(self, outer: Window) -> tuple[slice, slice]:
        """Index of this window in a picture of the outer one."""
        return (
            slice(self.top - outer.top, self.bottom - outer.top),
            slice(self.left - outer.left, self.right - outer.left),
        )


def window_about(
    points_px: NDArray[np.float64], margin_px: float, shape: tuple[int, ...]
) -> Window:
    """Return the window about points with a margin, cut at the picture's edge."""
    low = np.floor(points_px.min(axis=0) - margin_px).astype(int)
    high = np.ceil(points_px.max(axis=0) + margin_px).astype(int) + 1
    left, top = max(int(low[0]), 0), max(int(low[1]), 0)
    return Window(left, top, min(int(high[0]), shape[1]), min(int(high[1]), shape[0]))


def filled(outline_px: NDArray[np.float64], window: Window, samples: int) -> Image:
    """Cover (0 to 255) of a polygon in a window, `samples` across a pixel."""
    width, height = window.size
    mask = np.zeros((height * samples, width * samples), np.uint8)
    # A pixel's centre is a whole number in picture coordinates, in both resolutions.
    path = (outline_px - (window.left - 0.5, window.top - 0.5)) * samples - 0.5
    cv2.fillPoly(mask, [np.round(path * 64).astype(np.int32)], 255, cv2.LINE_AA, 6)
    return mask


def blurred(cover: NDArray[np.float32], sigma_px: float) -> NDArray[np.float32]:
    """Blur a cover; wide blurs are made on a reduced picture, where they cost a tenth."""
    shrink = max(1, int(sigma_px / 1.6))
    if min(cover.shape) < 4 * shrink:
        shrink = 1
    size = (max(1, cover.shape[1] // shrink), max(1, cover.shape[0] // shrink))
    small = cv2.resize(cover, size, interpolation=cv2.INTER_AREA) if shrink > 1 else cover
    small = cv2.GaussianBlur(small, (0, 0), max(sigma_px / shrink, 0.3))
    soft = cv2.resize(small, cover.shape[::-1]) if shrink > 1 else small
    return np.asarray(soft, dtype=np.float32)


def toned(picture: Image, factors: tuple[float, ...]) -> Image:
    """Multiply each channel of a picture by a factor."""
    table = np.arange(256, dtype=np.float32)[:, None] * np.array(factors, np.float32)
    whole = np.round(np.clip(table, 0.0, 255.0)).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(picture, whole), np.uint8)


def blended(picture: Image, window: Window, ink: Image) -> None:
    """Lay a window of premultiplied blue, green, red and cover (uint8) over a picture."""
    piece = picture[window.area]
    clear = cv2.bitwise_not(ink[..., 3])
    kept = cv2.multiply(piece, cv2.merge([clear, clear, clear]), scale=1 / 255)
    cv2.add(kept, np.ascontiguousarray(ink[..., :3]), dst=kept)
    picture[window.area] = kept


def darkened(picture: Image, window: Window, share: Image) -> None:
    """Multiply a window of a picture by `share` / 255 (uint8, height x width)."""
    piece = picture[window.area]
    picture[window.area] = cv2.multiply(piece, cv2.merge([share, share, share]), scale=1 / 255)
