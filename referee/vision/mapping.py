"""The way between the picture and the table, and where a card that lies here shows there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, PointMm
from referee.values.spots import CARD_H_MM, CARD_W_MM, Spot
from referee.vision.gate import Box
from referee.vision.gathering import ToMm, card_axes


@dataclass(frozen=True, slots=True)
class Mapping:
    """The way between picture and table, both (n, 2), and the picture's size."""

    to_mm: ToMm
    to_px: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    width_px: int
    height_px: int

    def card_corners_px(
        self, at_mm: PointMm, angle_deg: float, margin_mm: float = 0.0
    ) -> NDArray[np.float64]:
        """Return the corners (4, 2) of a card in pixels, in order round it."""
        up, right = card_axes(angle_deg)
        up, right = up * (CARD_H_MM / 2 + margin_mm), right * (CARD_W_MM / 2 + margin_mm)
        return self.to_px(
            np.array(at_mm) + np.stack([up + right, up - right, -up - right, right - up])
        )

    def card_box(self, at_mm: PointMm, angle_deg: float, margin_mm: float = 0.0) -> Box:
        """Return the box in pixels about a card; it may reach out of the picture."""
        return box_about(self.card_corners_px(at_mm, angle_deg, margin_mm))

    def read_of(self, spot: Spot) -> CardRead:
        """Return a card that lies on the table as a read of the picture."""
        ur, ul, ll, lr = self.card_corners_px(spot.at_mm, spot.angle_deg)
        middle = self.to_px(np.array([spot.at_mm]))[0]
        right, down = ur + lr - ul - ll
        return CardRead(
            label=spot.label,
            score=round(spot.conf, 4),
            at_px=_point(middle),
            quad_px=(_point(ul), _point(ur), _point(lr), _point(ll)),
            angle_deg=round(float(np.degrees(np.arctan2(down, right))) % 360.0, 1),
            middle_px=_point(middle),
        )

    def mm_px(self, box: Box) -> float:
        """Return how many pixels a millimetre has in the middle of a box."""
        x, y = (box.x0_px + box.x1_px) / 2, (box.y0_px + box.y1_px) / 2
        a, b = self.to_mm(np.array([[x - 20.0, y], [x + 20.0, y]]))
        return 40.0 / max(1e-6, float(np.hypot(*(a - b))))

    def bounds_mm(self, box: Box) -> tuple[PointMm, PointMm]:
        """Return the least and the greatest place on the table that a box shows."""
        corners = [(x, y) for x in (box.x0_px, box.x1_px) for y in (box.y0_px, box.y1_px)]
        places = self.to_mm(np.array(corners, np.float64))
        (left, low), (right, high) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        return (left, low), (right, high)


def _point(xy_px: NDArray[np.float64]) -> tuple[float, float]:
    return round(float(xy_px[0]), 1), round(float(xy_px[1]), 1)


def box_about(points_px: NDArray[np.float64]) -> Box:
    """Return the box about points (n, 2)."""
    low, high = np.floor(points_px.min(axis=0)), np.ceil(points_px.max(axis=0))
    return Box(int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1)
