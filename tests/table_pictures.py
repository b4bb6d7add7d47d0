"""Pictures of a table with its markers, as a camera would take them, with the truth known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table.markers import QUIET_MM
from referee.table.view import Lens, TableView, view_of
from referee.values import Marker, TablePlan

Image = NDArray[np.uint8]
MARGIN_MM = 120
CLOTH_BGR = (70, 105, 60)
HAND_BGR = (150, 175, 215)


@dataclass(frozen=True)
class Camera:
    """A camera over a table: it looks at `aim` (shares of the table) and sees all of it.

    `tilt_deg` is against the vertical, towards `toward_deg`; `room` is how much larger than the
    table the picture is; `focal` and `k1` are the lens's.
    """

    size_px: tuple[int, int] = (1920, 1080)
    focal: float = 0.85
    tilt_deg: float = 5.0
    toward_deg: float = 90.0
    roll_deg: float = 0.0
    k1: float = 0.0
    k2: float = 0.0
    room: float = 1.08
    aim: tuple[float, float] = (0.5, 0.5)


def view_from(camera: Camera, table: TablePlan) -> TableView:
    """Return the true view of a camera over a table."""
    w_px, h_px = camera.size_px
    lens = Lens(
        camera.focal * w_px, ((w_px - 1) / 2, (h_px - 1) / 2), (camera.k1, camera.k2, 0, 0, 0)
    )
    aim_mm = np.array([camera.aim[0] * table.table_mm[0], camera.aim[1] * table.table_mm[1]])
    tilt, toward = np.radians(camera.tilt_deg), np.radians(camera.toward_deg)
    out = np.array([np.cos(toward) * np.sin(tilt), np.sin(toward) * np.sin(tilt), np.cos(tilt)])
    roll = np.radians(camera.roll_deg)
    far_mm = 200.0
    while True:
        view = view_of(camera.size_px, lens, _homography(lens, aim_mm, out * far_mm, roll))
        if _fits(view, table, camera.room) or far_mm > 2e4:
            return view
        far_mm *= 1.03


def _homography(
    lens: Lens, aim_mm: NDArray[np.float64], offset_mm: NDArray[np.float64], roll: float
) -> NDArray[np.float64]:
    position = np.array([*aim_mm, 0.0]) + offset_mm
    forward = -offset_mm / np.linalg.norm(offset_mm)
    right = np.cross(forward, (np.sin(1e-9), np.cos(1e-9), 1e-6))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    turn = np.stack(
        [
            np.cos(roll) * right + np.sin(roll) * down,
            np.cos(roll) * down - np.sin(roll) * right,
            forward,
        ]
    )
    columns = np.stack([turn[:, 0], turn[:, 1], -(turn @ position)], axis=1)
    return np.asarray(lens.matrix() @ columns)


def _fits(view: TableView, table: TablePlan, room: float) -> bool:
    w_mm, h_mm = table.table_mm
    ring = np.linspace(0, 1, 9)
    edge = [(x, y) for x in ring for y in (0.0, 1.0)] + [(x, y) for x in (0.0, 1.0) for y in ring]
    seen = view.to_px(np.array(edge) * [w_mm, h_mm])
    middle = np.array(view.size_px) / 2
    return bool(np.all(np.abs(seen - middle) * room <= middle))


def picture(
    view: TableView,
    table: TablePlan,
    *,
    markers: Sequence[Marker] | None = None,
    covered: Collection[int] = (),
    light: float = 1.0,
    blur_px: float = 0.7,
    noise: float = 3.0,
    seed: int = 1,
) -> Image:
    """Return what the camera sees: cloth, the markers on white paper, hands over the covered."""
    random = np.random.default_rng(seed)
    plane = _cloth(table, random)
    for marker in table.markers if markers is None else markers:
        _print_marker(plane, marker, view)
        if marker.id in covered:
            _lay_hand(plane, marker, table, random)
    seen = _taken(plane.image, view)
    if blur_px:
        seen = cv2.GaussianBlur(seen, (0, 0), blur_px)
    levels = seen.astype(np.float32) * light
    # Lamps hang to one side: the far edge gets a third less light.
    levels *= np.linspace(1.0, 0.66, levels.shape[1], dtype=np.float32)[None, :, None]
    levels += random.standard_normal(levels.shape, np.float32) * noise
    return np.clip(levels, 0, 255).astype(np.uint8)


@dataclass(frozen=True)
class Plane:
    """The table drawn from above, `px_per_mm` fine; row 0 is at the far edge."""

    image: Image
    px_per_mm: float
    top_mm: float

    def place(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the drawing's pixels of table points (n, 2)."""
        x_mm, y_mm = np.asarray(points_mm).T
        return np.stack([x_mm + MARGIN_MM, self.top_mm - y_mm], axis=1) * self.px_per_mm


PLANE_PX_PER_MM = 2.0


def _cloth(table: TablePlan, random: np.random.Generator) -> Plane:
    w_mm, h_mm = table.table_mm
    fine = PLANE_PX_PER_MM
    size = (int((h_mm + 2 * MARGIN_MM) * fine), int((w_mm + 2 * MARGIN_MM) * fine))
    weave = cv2.GaussianBlur(random.standard_normal(size, np.float32), (0, 0), 1.5) * 30
    image = np.clip(weave[..., None] + np.array(CLOTH_BGR, np.float32), 0, 255).astype(np.uint8)
    return Plane(image, fine, h_mm + MARGIN_MM)


def _print_marker(plane: Plane, marker: Marker, view: TableView) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker.dictionary))
    drawn = cv2.aruco.generateImageMarker(dictionary, marker.id, 280)
    quiet = round(280 * QUIET_MM / 36)
    paper = cv2.copyMakeBorder(drawn, *(quiet,) * 4, cv2.BORDER_CONSTANT, value=240)
    paper = np.maximum(paper, 25)
    outer = np.array([(0, 0), (280, 0), (280, 280), (0, 280)], np.float32) + quiet - 0.5
    onto = plane.place(np.array(marker.corners_mm)).astype(np.float32)
    # Whole pixels of the paper, averaged: the plane is coarser than the drawing.
    matrix = cv2.getPerspectiveTransform(outer, onto)
    size = (plane.image.shape[1], plane.image.shape[0])
    soft = cv2.GaussianBlur(paper, (0, 0), 1.5)
    laid = cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_LINEAR, borderValue=0)
    there = laid > 12
    plane.image[there] = laid[there][:, None]


def _lay_hand(plane: Plane, marker: Marker, table: TablePlan, random: np.random.Generator) -> None:
    middle = np.mean(marker.corners_mm, axis=0)
    inner = np.array(table.table_mm) / 2
    at = plane.place(np.stack([middle, middle + (middle - inner) * 0.6]))
    tip, root = at.astype(int)
    skin = tuple(float(v) for v in np.array(HAND_BGR) * random.uniform(0.5, 1.0))
    wide = int(70 * plane.px_per_mm)
    cv2.line(plane.image, tuple(tip.tolist()), tuple(root.tolist()), skin, wide)


def _taken(plane: Image, view: TableView) -> Image:
    w_px, h_px = view.size_px
    step = 8
    columns, rows = np.meshgrid(
        np.arange(0, w_px + step, step, dtype=np.float64),
        np.arange(0, h_px + step, step, dtype=np.float64),
    )
    mm = view.to_mm(np.stack([columns.ravel(), rows.ravel()], axis=1))
    top_mm = plane.shape[0] / PLANE_PX_PER_MM - MARGIN_MM
    x = ((mm[:, 0] + MARGIN_MM) * PLANE_PX_PER_MM).reshape(columns.shape).astype(np.float32)
    y = ((top_mm - mm[:, 1]) * PLANE_PX_PER_MM).reshape(columns.shape).astype(np.float32)
    fine_x, fine_y = (_widened(grid, step, w_px, h_px) for grid in (x, y))
    # The floor beyond the cloth; reflecting it would show mirrored markers.
    floor = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": CLOTH_BGR}
    return cv2.remap(plane, fine_x, fine_y, cv2.INTER_LINEAR, **floor)


def _widened(grid: NDArray[np.float32], step: int, w_px: int, h_px: int) -> NDArray[np.float32]:
    """Return a grid at every pixel from one at every `step`th, which it meets exactly."""
    columns = np.arange(w_px, dtype=np.float32) / step
    rows = np.arange(h_px, dtype=np.float32) / step
    x, y = np.meshgrid(columns, rows)
    return np.asarray(cv2.remap(grid, x, y, cv2.INTER_LINEAR), np.float32)


def pushed(marker: Marker, right_mm: float, up_mm: float, turn_deg: float = 0.0) -> Marker:
    """Return a marker pushed aside and turned about its middle."""
    corners = np.array(marker.corners_mm)
    middle = corners.mean(axis=0)
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turned = (corners - middle) @ np.array([(cos, sin), (-sin, cos)])
    a, b, c, d = ((float(x), float(y)) for x, y in turned + middle + (right_mm, up_mm))
    return Marker(marker.id, marker.dictionary, (a, b, c, d))


def middles(table: TablePlan) -> NDArray[np.float64]:
    return np.array([zone.center_mm for zone in table.zones])


def worst_mm(view: TableView, truth: TableView, table: TablePlan) -> float:
    """Return how far zones are from their place, the worst of them."""
    seen = view.to_mm(truth.to_px(middles(table)))
    return float(np.max(np.linalg.norm(seen - middles(table), axis=1)))
