"""Arms over a narrow table are no other picture; forty cards that fall are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.app.elsewhere import Elsewhere
from referee.table.layout import plan
from referee.table.view import TableView, usual_lens, view_of
from referee.values import HandSeen, PointMm

SIZE_PX = (1280, 720)
TABLE = plan("spy", ("A", "B", "C"))
ROOTS = ((350.0, 0.0), (300.0, 468.0), (900.0, 468.0))
TIPS = ((380.0, 260.0), (340.0, 200.0), (840.0, 180.0))


@pytest.fixture
def view() -> TableView:
    width_mm, height_mm = TABLE.table_mm
    px_mm = 1240 / width_mm
    low = 360 + height_mm / 2 * px_mm
    return view_of(
        SIZE_PX,
        usual_lens(SIZE_PX),
        np.array([[px_mm, 0.0, 20.0], [0.0, -px_mm, low], [0.0, 0.0, 1.0]]),
    )


def hand(k: int, root_mm: PointMm, tip_mm: PointMm) -> HandSeen:
    (x, y), way = tip_mm, 1.0 if root_mm[1] < tip_mm[1] else -1.0
    wrist = y - way * 190
    box_mm = (x - 70, min(wrist, y), x + 70, max(wrist, y))
    return HandSeen(k, 0, 0, tip_mm, root_mm, box_mm, 0.0, "ABC"[k], "R", 0.9)


def picture(view: TableView, hands: tuple[HandSeen, ...] = ()) -> NDArray[np.uint8]:
    image = np.full((SIZE_PX[1], SIZE_PX[0], 3), 60, np.uint8)
    for one in hands:
        x0, y0, x1, y1 = one.box_mm
        box = view.to_px(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        cv2.fillConvexPoly(image, np.round(box).astype(np.int32), (120, 150, 200))
        ends = np.array([one.root_mm, one.tip_mm])
        ends[0] += (ends[0] - ends[1]) * 0.6
        root, tip = np.round(view.to_px(ends)).astype(int).tolist()
        cv2.line(image, root, tip, (120, 60, 40), 110)
    return image


def test_three_players_who_reach_in_at_once_are_no_other_view(view: TableView) -> None:
    elsewhere = Elsewhere()
    before = tuple(hand(k, ROOTS[k], TIPS[k]) for k in range(3))
    after = tuple(hand(k, ROOTS[k], (TIPS[k][0] + 160, TIPS[k][1])) for k in range(3))
    elsewhere.hold(picture(view, before), view, before)
    assert not elsewhere.differs(picture(view, after), view, after)
    elsewhere.hold(picture(view, before), view, ())
    assert elsewhere.differs(picture(view, after), view, ())


def test_forty_cards_that_fall_beside_a_hand_are_not_laid_one_by_one(view: TableView) -> None:
    elsewhere = Elsewhere()
    hands = (hand(0, ROOTS[0], TIPS[0]),)
    elsewhere.hold(picture(view, hands), view, hands)
    fallen = picture(view, hands)
    for k in range(40):
        x, y = 60 + 120 * (k % 10), 150 + 110 * (k // 10)
        cv2.rectangle(fallen, (x, y), (x + 66, y + 92), (240, 240, 240), -1)
    assert elsewhere.differs(fallen, view, hands)
