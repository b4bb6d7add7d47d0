"""Camera and table from marker corners: pose, lens and where markers lie, with their accuracy.

Bundle adjustment by Levenberg and Marquardt over the markers' corners, with what is usual for
cameras as prior: an overhead view alone cannot tell focal length from height.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table.view import Lens, Points, TableView, mapped, view_of

Array = NDArray[np.float64]

# What is usual of cameras nobody has calibrated, as standard deviations: focal length (share of
# itself), optical middle (share of the width), k1, k2. Web cameras and telephones of all makes
# lie within twice that.
FOCAL_SPREAD, CENTER_SPREAD, K1_SPREAD, K2_SPREAD = 0.25, 0.015, 0.12, 0.04
# How far a marker laid by hand lies from its spot, and how far it is turned.
LOOSE_MM, LOOSE_TURN = 60.0, 0.25
# No corner is found better than that: prints are no sharper, lenses no truer.
LEAST_SIGMA_PX = 0.1
MOST_STEPS = 40
# A step that lowers the squared errors by less than that share was the last: it moves zones by
# less than a hundredth of their accuracy.
DONE = 1e-5
# Pixels for each millimetre that the frame drifts: a hundred times what a corner is worth.
FRAME_WEIGHT = 100.0
LENS_COLUMNS = 5
POSE_COLUMNS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Markers with known corners: `known_mm` (n, 4, 2) on the table, `seen_px` (n, 4, 2)."""

    known_mm: Array
    seen_px: Array

    def only(self, which: Array) -> Corners:
        """Return the markers of these numbers, or those where a mask is true."""
        return Corners(self.known_mm[which], self.seen_px[which])


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A camera fitted to markers.

    `moves` (n, 3) is how far each marker lies from where it was known: x, y in mm, turn in
    radians counter-clockwise. `errors_px` (n, 4, 2) is what is left; `spread` the covariance of
    the free parameters, in their order.
    """

    view: TableView
    moves: Array
    errors_px: Array
    spread: Array
    parameters: Array
    lens_known: bool

    def rms_px(self) -> float:
        """Return the root mean square of the corners' errors, each direction by itself."""
        return float(np.sqrt(np.mean(self.errors_px**2)))

    def sigma_mm(self, points_mm: Points) -> Array:
        """Return the standard deviation (n,) of where points of the table are seen to lie."""
        points = np.asarray(points_mm, np.float64)
        at_px, pose = _projected(self.parameters, points)
        free = POSE_COLUMNS if self.lens_known else POSE_COLUMNS + LENS_COLUMNS
        step_mm = 1.0
        across = _projected(self.parameters, points + np.array([step_mm, 0.0]))[0] - at_px
        along = _projected(self.parameters, points + np.array([0.0, step_mm]))[0] - at_px
        grid = np.stack([across, along], axis=2) / step_mm
        turned = np.linalg.solve(grid, pose[:, :, :free])
        camera = self.spread[:free, :free]
        both = np.einsum("nij,jk,nik->ni", turned, camera, turned)
        return np.asarray(np.sqrt(np.max(both, axis=1)))


def fit_camera(
    corners: Corners, start: Array, size_px: tuple[int, int], lens: Lens, *, lens_known: bool
) -> Fitted:
    """Fit pose (and lens, where it is not known) to markers whose places are known.

    `start` is the homography from table mm to straightened pixels, 3 x 3, to begin from.
    """
    parameters = _parameters(start, lens)
    free = POSE_COLUMNS if lens_known else POSE_COLUMNS + LENS_COLUMNS
    return _fit(corners, parameters, np.zeros((len(corners.known_mm), 0)), size_px, free)


def fit_loose(
    corners: Corners, start: Array, size_px: tuple[int, int], lens: Lens, *, lens_known: bool
) -> Fitted:
    """Fit the camera and the markers' places, which are known only roughly.

    Their size is known: it gives the scale. The table's frame is the one that the places given
    fit best.
    """
    parameters = _parameters(start, lens)
    free = POSE_COLUMNS if lens_known else POSE_COLUMNS + LENS_COLUMNS
    return _fit(corners, parameters, np.zeros((len(corners.known_mm), 3)), size_px, free)


def _parameters(start: Array, lens: Lens) -> Array:
    """Return pose and lens as one row: turn (3), shift (3), focal, middle (2), k1, k2.

    Where the lens has further coefficients they stand behind and stay as they are.
    """
    inner = np.linalg.inv(lens.matrix()) @ start
    inner /= np.sqrt(np.linalg.norm(inner[:, 0]) * np.linalg.norm(inner[:, 1]))
    if inner[2, 2] < 0:
        inner = -inner
    rough = np.stack([inner[:, 0], inner[:, 1], np.cross(inner[:, 0], inner[:, 1])], axis=1)
    left, _, right = np.linalg.svd(rough)
    turn = cv2.Rodrigues(left @ right)[0].ravel()
    k1, k2, p1, p2, k3 = lens.k
    return np.array([*turn, *inner[:, 2], lens.focal_px, *lens.center_px, k1, k2, p1, p2, k3])


def _projected(parameters: Array, points_mm: Array) -> tuple[Array, Array]:
    """Return pixels (n, 2) and their derivatives (n, 2, 11) of table points (n, 2)."""
    focal, x_px, y_px, k1, k2, p1, p2, k3 = parameters[POSE_COLUMNS:]
    matrix = np.array([[focal, 0, x_px], [0, focal, y_px], [0, 0, 1.0]])
    solid = np.concatenate([points_mm, np.zeros((len(points_mm), 1))], axis=1)
    k = np.array([k1, k2, p1, p2, k3])
    seen, slopes = cv2.projectPoints(solid, parameters[:3], parameters[3:6], matrix, k)[:2]
    # OpenCV's columns: turn 3, shift 3, fx, fy, cx, cy, k1, k2, ...
    focal_slope = slopes[:, 6:7] + slopes[:, 7:8]
    wanted = np.concatenate([slopes[:, :6], focal_slope, slopes[:, 8:12]], axis=1)
    at_px = np.asarray(seen, np.float64).reshape(-1, 2)
    return at_px, np.asarray(wanted, np.float64).reshape(len(points_mm), 2, -1)


def _moved(known_mm: Array, moves: Array) -> Array:
    """Return markers (n, 4, 2) moved and turned about their middles by (n, 3)."""
    if not moves.shape[1]:
        return known_mm
    middle = known_mm.mean(axis=1, keepdims=True)
    cos, sin = np.cos(moves[:, 2]), np.sin(moves[:, 2])
    turn = np.stack([np.stack([cos, -sin], 1), np.stack([sin, cos], 1)], 1)
    turned = np.einsum("nij,nkj->nki", turn, known_mm - middle)
    return np.asarray(turned + middle + moves[:, None, :2])


@dataclass(frozen=True, slots=True, eq=False)
class _Linear:
    """Errors and slopes at one set of parameters, everything divided by its spread."""

    errors: Array
    slopes: Array
    errors_px: Array


def _linear(
    corners: Corners, parameters: Array, moves: Array, free: int, prior: tuple[Array, Array]
) -> _Linear:
    at_mm = _moved(corners.known_mm, moves)
    count = len(at_mm)
    seen, pose = _projected(parameters, at_mm.reshape(-1, 2))
    errors_px = seen.reshape(count, 4, 2) - corners.seen_px
    slopes = np.zeros((count * 8, free + moves.size))
    slopes[:, :free] = pose.reshape(count * 8, -1)[:, :free]
    for column in range(moves.shape[1]):
        step = 1e-3
        shifted = moves.copy()
        shifted[:, column] += step
        other = _projected(parameters, _moved(corners.known_mm, shifted).reshape(-1, 2))[0]
        # A marker's move shifts its own corners alone.
        slopes[np.arange(count * 8), free + column + 3 * (np.arange(count * 8) // 8)] = (
            (other - seen) / step
        ).ravel()
    usual, spreads = prior
    now = np.concatenate([parameters[:free], moves.ravel()])
    held = np.isfinite(spreads)
    pulls = ((now - usual) / spreads)[held]
    pull_slopes = np.diag(1 / spreads)[held]
    frame, frame_slopes = _frame(corners.known_mm, moves, free)
    return _Linear(
        np.concatenate([errors_px.ravel(), pulls, frame]),
        np.concatenate([slopes, pull_slopes, frame_slopes]),
        errors_px,
    )


def _frame(known_mm: Array, moves: Array, free: int) -> tuple[Array, Array]:
    """Return what holds the table's frame to the markers' known places, and its slopes.

    On the whole the markers are neither shifted nor turned about their common middle: else table
    and camera could drift together.
    """
    rows = np.zeros((3 if moves.size else 0, free + moves.size))
    if not moves.size:
        return np.zeros(0), rows
    middles = known_mm.mean(axis=1)
    arms = middles - middles.mean(axis=0)
    count, reach_mm = len(moves), float(np.sqrt(np.mean(np.sum(arms**2, axis=1)))) + 1.0
    rows[0, free::3] = rows[1, free + 1 :: 3] = FRAME_WEIGHT / count
    rows[2, free::3] = -arms[:, 1] * FRAME_WEIGHT / (count * reach_mm)
    rows[2, free + 1 :: 3] = arms[:, 0] * FRAME_WEIGHT / (count * reach_mm)
    return rows[:, free:] @ moves.ravel(), rows


def _prior(
    parameters: Array, moves: Array, free: int, size_px: tuple[int, int]
) -> tuple[Array, Array]:
    """Return the usual values of the free parameters and their spreads; a pose has none."""
    spreads = [np.inf] * POSE_COLUMNS
    if free > POSE_COLUMNS:
        center_px = CENTER_SPREAD * max(size_px)
        spreads += [FOCAL_SPREAD * parameters[6], center_px, center_px, K1_SPREAD, K2_SPREAD]
    if moves.shape[1]:
        spreads += [LOOSE_MM, LOOSE_MM, LOOSE_TURN] * len(moves)
    usual = np.concatenate([parameters[:free], np.zeros(moves.size)])
    return usual, np.array(spreads)


def _fit(
    corners: Corners, parameters: Array, moves: Array, size_px: tuple[int, int], free: int
) -> Fitted:
    usual, spreads = _prior(parameters, moves, free, size_px)
    sigma_px = 0.3
    # Twice: with the error that corners usually have, then with the one they turned out to have.
    for _ in range(2):
        # The corners' errors stay in pixels, so the prior is weighed in pixels as well.
        prior = usual, spreads / sigma_px
        parameters, moves, linear = _descend(corners, parameters, moves, free, prior)
        # Fewer numbers than parameters would make the error look too small.
        numbers = max(linear.errors_px.size - POSE_COLUMNS - moves.size, 4)
        sigma_px = max(LEAST_SIGMA_PX, float(np.sqrt(np.sum(linear.errors_px**2) / numbers)))
    normal = linear.slopes.T @ linear.slopes
    spread = np.asarray(np.linalg.pinv(normal) * sigma_px**2, np.float64)
    view = _view(parameters, size_px)
    shown = moves if moves.shape[1] else np.zeros((len(corners.known_mm), 3))
    return Fitted(view, shown, linear.errors_px, spread, parameters, free == POSE_COLUMNS)


def _descend(
    corners: Corners, parameters: Array, moves: Array, free: int, prior: tuple[Array, Array]
) -> tuple[Array, Array, _Linear]:
    """Levenberg and Marquardt: steps that are damped more when they made it worse."""
    damping = 1e-3
    linear = _linear(corners, parameters, moves, free, prior)
    cost = float(linear.errors @ linear.errors)
    for _ in range(MOST_STEPS):
        normal = linear.slopes.T @ linear.slopes
        damped = normal + damping * np.diag(np.diag(normal) + 1e-6)
        step = -np.linalg.solve(damped, linear.slopes.T @ linear.errors)
        tried = parameters.copy()
        tried[:free] += step[:free]
        tried_moves = moves + step[free:].reshape(moves.shape)
        after = _linear(corners, tried, tried_moves, free, prior)
        after_cost = float(after.errors @ after.errors)
        if not np.isfinite(after_cost) or after_cost >= cost:
            damping *= 10
            if damping > 1e8:
                break
            continue
        done = cost - after_cost < DONE * cost
        parameters, moves, linear, cost = tried, tried_moves, after, after_cost
        damping = max(damping / 10, 1e-9)
        if done:
            break
    return parameters, moves, linear


def _view(parameters: Array, size_px: tuple[int, int]) -> TableView:
    focal, x_px, y_px, k1, k2, p1, p2, k3 = (float(v) for v in parameters[POSE_COLUMNS:])
    lens = Lens(focal, (x_px, y_px), (k1, k2, p1, p2, k3))
    turn = cv2.Rodrigues(parameters[:3])[0]
    plane = np.stack([turn[:, 0], turn[:, 1], parameters[3:6]], axis=1)
    return view_of(size_px, lens, lens.matrix() @ plane)


def straight(corners: Corners, lens: Lens) -> Corners:
    """Return the corners as a lens without distortion would show them."""
    flat = lens.straighten(corners.seen_px.reshape(-1, 2))
    return replace(corners, seen_px=flat.reshape(corners.seen_px.shape))


def plane_through(corners: Corners) -> Array | None:
    """Return the homography, 3 x 3, that takes the known corners to the seen ones best."""
    known, seen = corners.known_mm.reshape(-1, 2), corners.seen_px.reshape(-1, 2)
    found = cv2.findHomography(known, seen, 0)[0]
    if found is None or not np.all(np.isfinite(found)) or abs(found[2, 2]) < 1e-12:
        return None
    return np.asarray(found, np.float64)


def distances_px(corners: Corners, homography: Array) -> Array:
    """Return how far each marker (n,) is seen from where a homography puts it, at the worst."""
    known = corners.known_mm.reshape(-1, 2)
    flat = mapped(homography, known).reshape(corners.seen_px.shape)
    return np.asarray(np.max(np.linalg.norm(flat - corners.seen_px, axis=2), axis=1))
