"""The table found without markers: from its four corners, as a person points at them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.table.calibrate import FoundView, NoView
from referee.table.layout_blocks import zone_corners_mm
from referee.table.view import Lens, usual_lens, view_of
from referee.values import TablePlan

POINTING_PX = 3.0
"""How far from a corner people click in a picture as large as the screen."""

LEAST_SIDE_PX = 50.0

PointPx = tuple[float, float]


def view_from_corners(
    corners_px: Sequence[PointPx],
    plan: TablePlan,
    size_px: tuple[int, int],
    lens: Lens | None = None,
    pointing_px: float = POINTING_PX,
) -> FoundView | NoView:
    """Return the view of a table whose four corners lie at those pixels, to `pointing_px`.

    The first is the one nearest seat A's left hand; the others follow round the table, either
    way: which way it goes round tells them apart, for a table is never seen from below.
    """
    seen = np.array(corners_px, np.float64)
    if seen.shape != (4, 2) or not np.all(np.isfinite(seen)):
        return NoView("four corners are needed, each as x,y in pixels")
    w_px, h_px = size_px
    outside = (seen < -0.5 * max(size_px)) | (seen > 1.5 * max(size_px))
    if outside.any():
        return NoView(f"a corner lies far outside the picture of {w_px} x {h_px} px")
    sides = np.linalg.norm(seen - np.roll(seen, 1, axis=0), axis=1)
    if not cv2.isContourConvex(seen.astype(np.float32)) or sides.min() < LEAST_SIDE_PX:
        return NoView(
            "these corners make no table: give them in order round it, seat A's left one first"
        )
    own = usual_lens(size_px) if lens is None else lens
    flat = own.straighten(seen)
    homography = cv2.getPerspectiveTransform(
        _corners_mm(flat, plan).astype(np.float32), flat.astype(np.float32)
    )
    view = view_of(size_px, own, np.asarray(homography, np.float64))
    w_mm, h_mm = plan.table_mm
    scale = view.px_per_mm((w_mm / 2, h_mm / 2))
    zones = np.array([zone_corners_mm(zone) for zone in plan.zones])
    inside = view.sees(zones.reshape(-1, 2)).reshape(len(zones), 4)
    unseen = tuple(
        zone.name for zone, whole in zip(plan.zones, inside, strict=True) if not all(whole)
    )
    return FoundView(view, plan, (), (), (), True, round(pointing_px / scale, 2), unseen)


def view_from_shares(
    corners: Sequence[tuple[float, float]],
    plan: TablePlan,
    size_px: tuple[int, int],
    shown_px: int | None = None,
) -> FoundView | NoView:
    """Return the view of a table whose corners were pointed at in a picture `shown_px` wide.

    `corners` are shares of the picture; without `shown_px` it was shown as large as it is.
    """
    w_px, h_px = size_px
    # Pixel (0, 0) is the middle of the upper left one.
    at_px = [(x * w_px - 0.5, y * h_px - 0.5) for x, y in corners]
    pointing_px = POINTING_PX * w_px / (shown_px or w_px)
    return view_from_corners(at_px, plan, size_px, pointing_px=pointing_px)


def _corners_mm(
    flat: np.typing.NDArray[np.float64], plan: TablePlan
) -> np.typing.NDArray[np.float64]:
    """Return the table's corners in the order they are seen in."""
    w_mm, h_mm = plan.table_mm
    # Seen from above, and in a picture whose y points down, counter-clockwise on the table has a
    # negative area in the picture.
    x, y = flat.T
    area = float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    if area < 0:
        return np.array([(0.0, 0.0), (w_mm, 0.0), (w_mm, h_mm), (0.0, h_mm)])
    return np.array([(0.0, 0.0), (0.0, h_mm), (w_mm, h_mm), (w_mm, 0.0)])
