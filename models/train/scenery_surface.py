"""The outline and height of a set of capsules seen from above, pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenery_noise import Field, as_field
from scenery_skeleton import (
    Capsule,
)

Window = tuple[slice, slice]


@dataclass(frozen=True)
class Surface:
    """What the camera sees of a set of capsules: distance to outline, height, winner per pixel."""

    outside_mm: Field
    height_mm: Field
    winner: NDArray[np.int16]


@dataclass(frozen=True)
class Frame:
    """The grid of pixels over the hand's plane."""

    left_mm: float
    top_mm: float
    px_per_mm: float
    shape_px: tuple[int, int]


def capsule_field(bar: Capsule, x_mm: Field, y_mm: Field) -> tuple[Field, Field]:
    """Distance outside the capsule's outline and height of its upper side, both mm.

    The height is the highest of all spheres along the axis: with slope m the highest sphere over a
    point lies m / sqrt(1 + m^2) radii further along, so bent joints stay round.
    """
    run = bar.b_mm[:2] - bar.a_mm[:2]
    length_mm = float(np.hypot(run[0], run[1])) + 1e-3
    dx, dy = x_mm - bar.a_mm[0], y_mm - bar.a_mm[1]
    along = (dx * run[0] + dy * run[1]) / length_mm
    aside2 = np.maximum(dx * dx + dy * dy - along * along, 0)
    t = np.clip(along / length_mm, 0, 1)
    distance = np.sqrt(aside2 + (along - t * length_mm) ** 2)
    slim = bar.radius_b_mm - bar.radius_a_mm
    radius = bar.radius_a_mm + t * slim
    slope = float(bar.b_mm[2] - bar.a_mm[2]) / length_mm
    ahead = np.sqrt(np.maximum(radius**2 - aside2, 0)) * slope / np.sqrt(1 + slope * slope)
    top = np.clip((along + ahead) / length_mm, 0, 1)
    inside2 = (bar.radius_a_mm + top * slim) ** 2 - aside2 - (along - top * length_mm) ** 2
    fall = np.maximum(distance - radius, 0) * 2
    height = (
        bar.a_mm[2] + top * (bar.b_mm[2] - bar.a_mm[2]) + np.sqrt(np.maximum(inside2, 0)) - fall
    )
    return as_field(distance - radius), as_field(height)


def smooth_max(a: Field, b: Field, reach_mm: float) -> Field:
    """Maximum with its kink rounded over `reach_mm` (quadratic blend)."""
    share = np.maximum(reach_mm - np.abs(a - b), 0) / reach_mm
    return as_field(np.maximum(a, b) + share * share * reach_mm * 0.25)


def surface_of(bars: Sequence[Capsule], frame: Frame, hidden: NDArray[np.bool_] | None) -> Surface:
    """Join capsules into one surface; `hidden` pixels take no long finger."""
    height_px, width_px = frame.shape_px
    outside = np.full(frame.shape_px, 99.0, np.float32)
    height = np.full(frame.shape_px, -99.0, np.float32)
    winner = np.full(frame.shape_px, -1, np.int16)
    for index, bar in enumerate(bars):
        reach_mm = max(bar.radius_a_mm, bar.radius_b_mm) + bar.blend_mm + 2
        low = np.minimum(bar.a_mm, bar.b_mm)[:2] - reach_mm
        high = np.maximum(bar.a_mm, bar.b_mm)[:2] + reach_mm
        c0 = max(0, int((low[0] - frame.left_mm) * frame.px_per_mm))
        c1 = min(width_px, int((high[0] - frame.left_mm) * frame.px_per_mm) + 1)
        r0 = max(0, int((frame.top_mm - high[1]) * frame.px_per_mm))
        r1 = min(height_px, int((frame.top_mm - low[1]) * frame.px_per_mm) + 1)
        if c0 >= c1 or r0 >= r1:
            continue
        y, x = np.mgrid[r0:r1, c0:c1].astype(np.float32)
        sdf, z = capsule_field(
            bar, frame.left_mm + x / frame.px_per_mm, frame.top_mm - y / frame.px_per_mm
        )
        if hidden is not None and bar.finger in (0, 1, 2, 3):
            sdf = np.where(hidden[r0:r1, c0:c1], np.float32(99), sdf)
            z = np.where(hidden[r0:r1, c0:c1], np.float32(-99), z)
        window = np.s_[r0:r1, c0:c1]
        winner[window] = np.where((z > height[window]) & (sdf < 1.5), index, winner[window])
        height[window] = smooth_max(height[window], z, bar.blend_mm)
        outside[window] = -smooth_max(-outside[window], -sdf, bar.blend_mm)
    return Surface(outside, height, winner)


def bar_coordinates(bar: Capsule, surface: Surface, frame: Frame) -> tuple[Field, Field, Field]:
    """Along the bar (0 to 1), across it (-1 to 1) and towards its back (-1 to 1), per pixel."""
    rows, columns = np.indices(frame.shape_px, dtype=np.float32)
    p = np.stack(
        [
            frame.left_mm + columns / frame.px_per_mm,
            frame.top_mm - rows / frame.px_per_mm,
            surface.height_mm,
        ],
        axis=-1,
    )
    axis = bar.b_mm - bar.a_mm
    length_mm = float(np.linalg.norm(axis)) + 1e-6
    across = np.cross(axis / length_mm, bar.back)
    d = p - bar.a_mm.astype(np.float32)
    along = d @ (axis / length_mm).astype(np.float32) / length_mm
    radius = bar.radius_a_mm + np.clip(along, 0, 1) * (bar.radius_b_mm - bar.radius_a_mm)
    return (
        as_field(along),
        as_field(d @ across.astype(np.float32) / radius),
        as_field(d @ bar.back.astype(np.float32) / radius),
    )


def window_around(mask: NDArray[np.bool_]) -> Window:
    """Return the rows and columns that hold the mask's pixels, of which there must be one."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def part_of(surface: Surface, frame: Frame, window: Window) -> tuple[Surface, Frame]:
    """Surface and frame of a part of the picture."""
    part = Surface(surface.outside_mm[window], surface.height_mm[window], surface.winner[window])
    left_mm = frame.left_mm + window[1].start / frame.px_per_mm
    top_mm = frame.top_mm - window[0].start / frame.px_per_mm
    shape_px = part.winner.shape[0], part.winner.shape[1]
    return part, Frame(left_mm, top_mm, frame.px_per_mm, shape_px)
