"""Whether much of the picture differs from a moment ago: the camera was turned, or cards fell."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table.view import TableView
from referee.values import HandSeen
from referee.vision.coarse import EACH_PX, coarse, most_apart
from referee.vision.frames import Image

OTHER_LEVELS = 25
# In twelve rendered matches arms and cards changed 0.14 of the picture's places at most, forty
# cards that fall 0.18. Over a narrow table three arms alone change 0.18: they are left out.
OTHER_SHARE = 0.16
# Half the width of a forearm in a sleeve, with its shadow; how far it is seen beyond the table.
ARM_MM, BEYOND_MM = 60.0, 300.0


class Elsewhere:
    """Compares frames with the last one in which the view held. Used by one thread."""

    def __init__(self) -> None:
        """Begin without a frame."""
        self._held: NDArray[np.uint8] | None = None
        self._bare = np.ones((1, 1), np.bool_)

    def hold(self, image_bgr: Image, view: TableView, hands: Iterable[HandSeen]) -> None:
        """Keep a frame in which the view holds; uint8, height x width x 3."""
        self._held = coarse(image_bgr)
        self._bare = _bare(self._held.shape[:2], view, hands)

    def differs(self, image_bgr: Image, view: TableView, hands: Iterable[HandSeen]) -> bool:
        """Whether much of a frame differs from the kept one, not counting arms over the table."""
        if self._held is None:
            return False
        now = coarse(image_bgr)
        if now.shape != self._held.shape:
            return False
        apart = most_apart(now, self._held) > OTHER_LEVELS
        if float(apart.mean()) <= OTHER_SHARE:
            return False
        apart &= self._bare & _bare(now.shape[:2], view, hands)
        return float(apart.mean()) > OTHER_SHARE


def _bare(shape: tuple[int, ...], view: TableView, hands: Iterable[HandSeen]) -> NDArray[np.bool_]:
    """Return which places of a coarse picture no followed hand hides, nor its arm."""
    covered = np.zeros(shape, np.uint8)
    for hand in hands:
        x0, y0, x1, y1 = hand.box_mm
        arm = np.array([hand.root_mm, hand.tip_mm])
        ahead = (arm[1] - arm[0]) / max(1.0, float(np.hypot(*(arm[1] - arm[0]))))
        arm[0] -= ahead * BEYOND_MM
        side = np.array([-ahead[1], ahead[0]]) * ARM_MM
        for outline_mm in (
            np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]),
            np.array([arm[0] - side, arm[0] + side, arm[1] + side, arm[1] - side]),
        ):
            places = np.round(view.to_px(outline_mm) / EACH_PX).astype(np.int32)
            cv2.fillConvexPoly(covered, places, 1)
    return np.asarray(covered == 0)
