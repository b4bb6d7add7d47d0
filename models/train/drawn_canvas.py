"""Lay inks and masks on a card picture.

Pictures are (height_px, width_px, 3) uint8 in BGR order; masks are (height_px, width_px) uint8,
255 where ink lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

# An ink pixel counts for a box from this cover on: half of it would shave thin serifs.
INKED = 64


@dataclass(frozen=True)
class Ink:
    """A printing ink in BGR, with a second colour it shimmers to when it is metallic."""

    colour: Colour
    sheen: Colour | None = None
    period_px: float = 60.0

    def spread(self, height_px: int, width_px: int, x_px: int, y_px: int) -> Picture:
        """Return the ink on a patch at (x_px, y_px) of the card, shape (height_px, width_px, 3)."""
        if self.sheen is None:
            return np.full((height_px, width_px, 3), self.colour, np.uint8)
        down = np.arange(y_px, y_px + height_px, dtype=np.float32)[:, None]
        across = np.arange(x_px, x_px + width_px, dtype=np.float32)[None, :]
        share = 0.5 + 0.5 * np.sin((down + 0.6 * across) * (2 * np.pi / self.period_px))
        return blend(np.array(self.colour), np.array(self.sheen), share)


def rgb(code: int) -> Colour:
    """BGR colour of a 0xRRGGBB number."""
    return code & 255, code >> 8 & 255, code >> 16 & 255


def blend(
    first: npt.NDArray[np.generic], second: npt.NDArray[np.generic], share: npt.NDArray[np.floating]
) -> Picture:
    """Mix two colours or pictures by a field of shares of the second (0..1)."""
    part = share[..., None].astype(np.float32)
    mixed = np.asarray(first, np.float32) * (1 - part) + np.asarray(second, np.float32) * part
    return np.asarray(mixed.clip(0, 255), np.uint8)


def blank(height_px: int, width_px: int, colour: Colour) -> Picture:
    """Return a picture of one colour."""
    return np.full((height_px, width_px, 3), colour, np.uint8)


def stamp(picture: Picture, mask: Mask, x_px: int, y_px: int, ink: Ink) -> None:
    """Print `mask` in `ink` with its top left corner at (x_px, y_px); what hangs over is cut."""
    left, top = max(x_px, 0), max(y_px, 0)
    right = min(x_px + mask.shape[1], picture.shape[1])
    bottom = min(y_px + mask.shape[0], picture.shape[0])
    if right <= left or bottom <= top:
        return
    cover = mask[top - y_px : bottom - y_px, left - x_px : right - x_px] / np.float32(255)
    patch = picture[top:bottom, left:right]
    patch[:] = blend(patch, ink.spread(bottom - top, right - left, left, top), cover)


def stamp_centred(picture: Picture, mask: Mask, x_px: float, y_px: float, ink: Ink) -> None:
    """Print `mask` in `ink` with its centre at (x_px, y_px)."""
    height_px, width_px = mask.shape
    stamp(picture, mask, round(x_px - width_px / 2), round(y_px - height_px / 2), ink)


def turned(picture: Picture) -> Picture:
    """Return the picture, or mask, turned by 180 degrees."""
    return np.ascontiguousarray(picture[::-1, ::-1])


def resized(mask: Mask, height_px: float, width_px: float) -> Mask:
    """Return the mask at another size, at least 1 px each way."""
    size = max(1, round(width_px)), max(1, round(height_px))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def tight(mask: Mask) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) px of the inked part of a mask, right and bottom exclusive.

    Raises ValueError for a mask without ink.
    """
    rows = np.flatnonzero((mask >= INKED).any(axis=1))
    columns = np.flatnonzero((mask >= INKED).any(axis=0))
    if not len(rows):
        raise ValueError("mask has no ink")
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def cropped(mask: Mask) -> Mask:
    """Return the inked part of a mask."""
    left, top, right, bottom = tight(mask)
    return mask[top:bottom, left:right]


def outlined(mask: Mask, thickness_px: int) -> Mask:
    """Only the outline of a mask, `thickness_px` wide, drawn inside the shape."""
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * thickness_px + 1,) * 2)
    inner = cv2.erode(padded, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return cv2.subtract(padded, inner)[1:-1, 1:-1].astype(np.uint8)


def fill(picture: Picture, points: npt.NDArray[np.floating], colour: Colour) -> None:
    """Fill a polygon, points (n, 2) in px as (x, y), with smooth edges."""
    fixed = np.round(points * 16).astype(np.int32)
    cv2.fillPoly(picture, [fixed], colour, cv2.LINE_AA, 4)


def polyline(
    picture: Picture,
    points: npt.NDArray[np.floating],
    colour: Colour,
    thickness_px: int = 1,
    closed: bool = False,
) -> None:
    """Draw a line through points (n, 2) in px as (x, y), with smooth edges."""
    fixed = np.round(points * 16).astype(np.int32)
    cv2.polylines(picture, [fixed], closed, colour, thickness_px, cv2.LINE_AA, 4)


def oval(x: float, y: float, half_width: float, half_height: float) -> npt.NDArray[np.floating]:
    """Points (40, 2) on an ellipse."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.stack([x + half_width * np.cos(angle), y + half_height * np.sin(angle)], axis=1)
