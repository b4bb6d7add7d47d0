"""The light on a table and the picture's quality: measured on the markers' paper and print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table.calibrate import FoundView
from referee.table.calibrate_markers import Gray
from referee.table.layout import is_for_hands, zone_at
from referee.table.layout_blocks import CARD_W_MM
from referee.table.markers import MARKER_MM, QUIET_MM
from referee.values import PointMm, TablePlan

GLARE_LEVEL = 252
"""Of 255: what is brighter is burnt out."""

GLARE_MM2 = 400.0
"""A burnt-out patch of 20 x 20 mm hides an index wherever it falls on one."""

TABLE_PX_PER_MM = 0.5
MIN_CROP_PX = 12


@dataclass(frozen=True, slots=True)
class PaperLight:
    """The white paper about one marker: where, how bright, and how dark the marker's print is."""

    at_mm: PointMm
    white: float
    black: float


@dataclass(frozen=True, slots=True)
class Glare:
    """A burnt-out patch: where on the table, how large, and the zone it lies in, if in one."""

    at_mm: PointMm
    mm2: float
    zone: str | None


def paper_light(picture: Gray, found: FoundView) -> tuple[PaperLight, ...]:
    """Measure white paper and black print of every marker in sight. `picture` is gray."""
    seen = [marker for marker in found.markers if marker.id in found.seen]
    lights = []
    for marker in seen:
        corners = np.array(marker.corners_mm)
        middle = corners.mean(axis=0)
        outward = (MARKER_MM / 2 + QUIET_MM / 2) / (MARKER_MM / 2)
        # The border of black is one field wide; its middle lies 13/14 of the way to the corner.
        white = _levels(picture, found, middle + (corners - middle) * outward)
        black = _levels(picture, found, middle + (corners - middle) * (6 / 7))
        if white is not None and black is not None:
            at_mm = (float(middle[0]), float(middle[1]))
            lights.append(PaperLight(at_mm, white, black))
    return tuple(lights)


def _levels(picture: Gray, found: FoundView, points_mm: NDArray[np.float64]) -> float | None:
    """Return the median level at points of the table and between neighbours of them."""
    ring = np.concatenate([points_mm, (points_mm + np.roll(points_mm, 1, axis=0)) / 2])
    inside = found.view.sees(ring)
    if not inside.any():
        return None
    places = np.round(found.view.to_px(ring[inside])).astype(int)
    h_px, w_px = picture.shape[:2]
    x_px, y_px = np.clip(places[:, 0], 0, w_px - 1), np.clip(places[:, 1], 0, h_px - 1)
    return float(np.median(picture[y_px, x_px]))


def glare_spots(picture: Gray, found: FoundView) -> tuple[Glare, ...]:
    """Find burnt-out patches on the table, largest first. `picture` is gray."""
    flat, scale = from_above(picture, found)
    burnt = (flat >= GLARE_LEVEL).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(burnt)
    spots = []
    for number in range(1, count):
        mm2 = float(stats[number, cv2.CC_STAT_AREA]) / scale**2
        if mm2 >= GLARE_MM2:
            x_mm = float(middles[number][0]) / scale
            y_mm = found.plan.table_mm[1] - float(middles[number][1]) / scale
            zone = zone_at(found.plan, (x_mm, y_mm))
            spots.append(Glare((x_mm, y_mm), mm2, zone.name if zone else None))
    return tuple(sorted(spots, key=lambda spot: -spot.mm2))


def from_above(picture: Gray, found: FoundView) -> tuple[Gray, float]:
    """Return the table as from straight above, far edge up, and its pixels a millimetre."""
    w_mm, h_mm = found.plan.table_mm
    scale = TABLE_PX_PER_MM
    x, y = np.meshgrid(np.arange(0, w_mm, 1 / scale), np.arange(h_mm, 0, -1 / scale))
    places = found.view.to_px(np.stack([x.ravel(), y.ravel()], axis=1)).astype(np.float32)
    x_px, y_px = (places[:, axis].reshape(x.shape) for axis in (0, 1))
    flat = cv2.remap(picture, x_px, y_px, cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(flat, np.uint8), scale


def marker_crops(image_bgr: NDArray[np.uint8], found: FoundView) -> tuple[NDArray[np.uint8], ...]:
    """Return the picture's parts that show a marker each, to measure focus by."""
    h_px, w_px = image_bgr.shape[:2]
    crops = []
    for marker in found.markers:
        if marker.id not in found.seen:
            continue
        corners = found.view.to_px(np.array(marker.corners_mm))
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 3, (w_px, h_px))
        crop = image_bgr[low[1] : high[1], low[0] : high[0]]
        if min(crop.shape[:2]) >= MIN_CROP_PX:
            crops.append(crop)
    return tuple(crops)


def flicker_share(pictures: Sequence[Gray]) -> float | None:
    """Return how much the light changes from frame to frame, as a share of itself.

    Lamps on alternating current beat with the frame rate, and a rolling shutter shows that as
    bands: rows are compared with the same rows of the frame before. None for a single picture.
    """
    if len(pictures) < 2:
        return None
    rows = np.array([np.median(picture, axis=1) + 1.0 for picture in pictures])
    change = np.log(rows[1:] / rows[:-1])
    # A hand that moves changes some rows once; light changes them all, again and again.
    steady = np.median(np.abs(change), axis=1)
    return float(np.quantile(steady, 0.8))


def card_width_px(found: FoundView) -> tuple[float, str]:
    """Return how wide a card is in the zone where it is smallest, and that zone's name."""
    zones = (zone for zone in found.plan.zones if not is_for_hands(found.plan, zone))
    return min((found.view.px_per_mm(zone.center_mm) * CARD_W_MM, zone.name) for zone in zones)


def middle_scale(found: FoundView) -> float:
    """Return the pixels a millimetre in the table's middle."""
    return found.view.px_per_mm(_middle(found.plan))


def _middle(plan: TablePlan) -> PointMm:
    return plan.table_mm[0] / 2, plan.table_mm[1] / 2
