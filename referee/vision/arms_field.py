"""The part of the camera's picture that shows the table, shrunk, with its places in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.frames import Frame, halved

Points = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Plane = NDArray[np.float32]

# A finger is 16 mm across: at this scale it is 5 pixels wide and its motion is still told to a
# twentieth of a pixel, which is less than a fifth of a millimetre.
WANTED_PX_PER_MM = 0.33
# The work of a frame goes with the pixels: 1080p over a table of 1.2 m has 80,000 of these, over
# one of 1.8 m for six players 110,000.
MOST_PIXELS = 120_000
# A thing is at the edge when it is this near to it; a shrunk pixel is 2 to 4 mm.
RIM_MM = 14.0


class View(Protocol):
    """A camera's map of the table."""

    def to_mm(self, points_px: Points) -> Points:
        """Table points (n, 2) in mm of pixels (n, 2)."""


class FieldError(ValueError):
    """The table cannot be seen in the picture; the message says so in one line."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The table as the shrunk picture shows it.

    `size_px` is the full picture's width and height, `box_px` is x0, y0, x1, y1 of the part of it
    that is used, `shrink` how many of its pixels in a row go into one. `x_mm`, `y_mm` (height x
    width) are the places of the shrunk pixels; `table` is 1 over the table; `rim_mm` how far the
    table's or the picture's edge is, whichever is nearer, and `rim` marks what is nearer to it
    than RIM_MM; `row` the share of the full picture's
    height (0 its top) of each shrunk row.
    """

    box_px: tuple[int, int, int, int]
    size_px: tuple[int, int]
    shrink: float
    x_mm: Plane
    y_mm: Plane
    table: Mask
    rim_mm: Plane
    rim: NDArray[np.bool_]
    row: Plane
    mm_per_px: float

    def shrunk(self, frame: Frame) -> Image:
        """Return the table's part of a full picture at the field's size."""
        x0, y0, x1, y1 = self.box_px
        height, width = self.table.shape
        part, left = frame.image_bgr[y0:y1, x0:x1], self.shrink
        if left >= 2:
            top, first = y0 // 2, x0 // 2
            part = frame.half_bgr[top : top + (y1 - y0) // 2, first : first + (x1 - x0) // 2]
            left /= 2
        # Less than half is left to interpolation.
        while left >= 2:
            part, left = halved(part), left / 2
        if part.shape[:2] == (height, width):
            return np.ascontiguousarray(part)
        return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR))

    def odd(self, length_mm: float) -> int:
        """Return a length in shrunk pixels as an odd whole number of at least 3."""
        return max(3, 2 * round(length_mm / self.mm_per_px / 2) + 1)


def field_of(view: View, table_mm: tuple[float, float], size_px: tuple[int, int]) -> Field:
    """Find the table in a picture of `size_px` (width, height). Raises FieldError."""
    width_px, height_px = size_px
    x0, y0, x1, y1 = _table_box(view, table_mm, size_px)
    # The halved picture shows it as well.
    x0, y0 = x0 - x0 % 2, y0 - y0 % 2
    middle = np.array([[(x0 + x1) / 2, (y0 + y1) / 2]])
    across = view.to_mm(middle + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))
    area_mm2 = abs(np.linalg.det(across[1:] - across[0]))
    if not np.isfinite(area_mm2) or area_mm2 <= 0:
        raise FieldError("the camera's map gives no size for the table; calibrate the table again")
    px_per_mm = 1 / float(np.sqrt(area_mm2))
    # A whole factor makes every shrunk pixel of the same pixels.
    shrink = float(max(1, round(px_per_mm / WANTED_PX_PER_MM),
                       np.ceil(np.sqrt((x1 - x0) * (y1 - y0) / MOST_PIXELS))))  # fmt: skip
    columns, rows = int((x1 - x0) / shrink), int((y1 - y0) / shrink)
    x1, y1 = x0 + int(columns * shrink), y0 + int(rows * shrink)
    grid = np.meshgrid((np.arange(columns) + 0.5) * shrink - 0.5 + x0,
                       (np.arange(rows) + 0.5) * shrink - 0.5 + y0)  # fmt: skip
    places = view.to_mm(np.stack([grid[0].ravel(), grid[1].ravel()], axis=1))
    x_mm, y_mm = places[:, 0].reshape(rows, columns), places[:, 1].reshape(rows, columns)
    edge_mm = np.minimum.reduce([x_mm, table_mm[0] - x_mm, y_mm, table_mm[1] - y_mm])
    table = np.nan_to_num(edge_mm, nan=-1.0) >= 0
    mm_per_px = shrink / px_per_mm
    frame_mm = mm_per_px * _frame_distance(grid[0], grid[1], size_px, shrink)
    row = (np.arange(rows) + 0.5) * shrink + y0
    rim_mm = np.where(table, np.minimum(edge_mm, frame_mm), 0.0).astype(np.float32)
    return Field(
        (x0, y0, x1, y1), (width_px, height_px), shrink, x_mm.astype(np.float32),
        y_mm.astype(np.float32), table.astype(np.uint8),
        rim_mm,
        table & (rim_mm <= RIM_MM),
        (row / height_px).astype(np.float32), mm_per_px,
    )  # fmt: skip


def _table_box(
    view: View, table_mm: tuple[float, float], size_px: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Return the box of the picture in which the table lies, by a grid of a sixty-fourth."""
    width_px, height_px = size_px
    xs = np.linspace(0, width_px - 1, 65)
    ys = np.linspace(0, height_px - 1, 65)
    grid = np.meshgrid(xs, ys)
    mm = view.to_mm(np.stack([grid[0].ravel(), grid[1].ravel()], axis=1)).reshape(65, 65, 2)
    inside = np.asarray(((mm >= 0) & (mm <= np.array(table_mm))).all(axis=2), np.bool_)
    if inside.sum() < 40:
        raise FieldError("the table is hardly in the picture; turn the camera or calibrate again")
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    left, right = xs[max(columns[0] - 1, 0)], xs[min(columns[-1] + 1, 64)]
    top, bottom = ys[max(rows[0] - 1, 0)], ys[min(rows[-1] + 1, 64)]
    return int(left), int(top), int(right) + 1, int(bottom) + 1


def _frame_distance(
    x_px: Points, y_px: Points, size_px: tuple[int, int], shrink: float
) -> NDArray[np.float64]:
    """Return how far the picture's edge is from each place, in shrunk pixels."""
    width_px, height_px = size_px
    nearest = np.minimum.reduce([x_px, width_px - 1 - x_px, y_px, height_px - 1 - y_px])
    return np.asarray(nearest / shrink)
