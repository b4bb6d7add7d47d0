"""A lens solved from a printed chessboard with markers (ChArUco), seen from several sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table.calibrate import NoView
from referee.table.calibrate_file import LensFile
from referee.table.calibrate_markers import Gray
from referee.table.view import Lens, usual_lens

BOARD_SQUARES = (5, 7)
BOARD_SQUARE_MM, BOARD_MARKER_MM = 36.0, 26.0
"""As large as fits on A4 and letter paper. Only their ratio matters to the lens."""

BOARD_DICTIONARY = "DICT_4X4_50"
"""Another one than the tables', so that a board beside a mat is not taken for a part of it."""

LEAST_CORNERS = 12
"""Of the board's 24: half of it in sight."""

LEAST_VIEWS, MOST_VIEWS = 6, 24
NEW_VIEW_SHARE = 0.06
"""A view is another one when the board has moved by that share of the picture's width."""

COVER_CELLS = 4
LEAST_COVER = 0.5
"""Half of the 4 x 4 parts of the picture must have shown corners: distortion lives at the rim."""

WORST_ERROR_PX = 1.0
"""Larger errors mean a board that is not flat, or a blurred one."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board in one picture: corner numbers (n,) and pixels (n, 2)."""

    ids: NDArray[np.int32]
    corners_px: NDArray[np.float64]

    def middle_px(self) -> NDArray[np.float64]:
        """Return the middle of the corners seen."""
        return np.asarray(self.corners_px.mean(axis=0))


@lru_cache(maxsize=1)
def board() -> cv2.aruco.CharucoBoard:
    """Return the board as printed."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, BOARD_DICTIONARY))
    return cv2.aruco.CharucoBoard(BOARD_SQUARES, BOARD_SQUARE_MM, BOARD_MARKER_MM, dictionary)


def find_board(picture: Gray) -> BoardView | None:
    """Find the board in a gray picture; None where not enough of it is in sight."""
    corners, ids = cv2.aruco.CharucoDetector(board()).detectBoard(picture)[:2]
    if ids is None or corners is None or len(ids) < LEAST_CORNERS:
        return None
    return BoardView(
        np.asarray(ids, np.int32).ravel(), np.asarray(corners, np.float64).reshape(-1, 2)
    )


def is_new(view: BoardView, views: Sequence[BoardView], width_px: int) -> bool:
    """Return whether a view shows the board elsewhere, larger, or more tilted than the others."""
    return all(_apart_px(view, other) > NEW_VIEW_SHARE * width_px for other in views)


def _apart_px(one: BoardView, other: BoardView) -> float:
    """Return how far the corners that both show lie apart, on average."""
    shared, of_one, of_other = np.intersect1d(one.ids, other.ids, return_indices=True)
    if not len(shared):
        return float("inf")
    apart = one.corners_px[of_one] - other.corners_px[of_other]
    return float(np.mean(np.linalg.norm(apart, axis=1)))


def solve_lens(views: Sequence[BoardView], size_px: tuple[int, int]) -> LensFile | NoView:
    """Solve focal length, middle and distortion from views of the board (Zhang, 2000)."""
    if len(views) < LEAST_VIEWS:
        return NoView(
            f"the board was seen from {len(views)} sides, {LEAST_VIEWS} are needed: print it with"
            " `referee print markers --board` and show it whole, tilted and in every corner"
        )
    cover = _cover(views, size_px)
    if cover < LEAST_COVER:
        return NoView(
            f"the board was shown in {cover:.0%} of the picture only: show it in the corners too"
        )
    error_px, lens = _solved(views, size_px)
    if error_px > WORST_ERROR_PX:
        return NoView(
            f"the corners are {error_px:.1f} px off the best lens: lay the board on something"
            " flat, hold it still, and light it"
        )
    return LensFile(size_px, lens, round(error_px, 3), len(views))


def _cover(views: Sequence[BoardView], size_px: tuple[int, int]) -> float:
    seen = np.concatenate([view.corners_px for view in views])
    cells = np.floor(seen * COVER_CELLS / size_px).astype(int)
    return len({tuple(cell) for cell in cells.tolist()}) / COVER_CELLS**2


def _solved(views: Sequence[BoardView], size_px: tuple[int, int]) -> tuple[float, Lens]:
    corners = np.asarray(board().getChessboardCorners(), np.float32)
    known = [corners[view.ids] for view in views]
    seen = [view.corners_px.astype(np.float32).reshape(-1, 1, 2) for view in views]
    # k3 is left at 0: with a sheet of paper before it, it only trades with k1 and k2.
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3
    start = usual_lens(size_px).matrix()
    error_px, matrix, k, _, _ = cv2.calibrateCamera(
        known, seen, size_px, start, np.zeros(5), flags=flags
    )
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(k)[:5])
    center_px = (float(matrix[0, 2]), float(matrix[1, 2]))
    return float(error_px), Lens(float(matrix[0, 0]), center_px, (k1, k2, p1, p2, k3))


def straightness_px(view: BoardView, file: LensFile) -> float:
    """Return how far a view's corners are from the board seen through a lens, root mean square.

    The live test: a view that took no part in solving tells whether the lens is right.
    """
    corners = np.asarray(board().getChessboardCorners(), np.float64)[view.ids]
    matrix, k = file.lens.matrix(), np.array(file.lens.k)
    _, turn, shift = cv2.solvePnP(corners, view.corners_px, matrix, k)
    seen = np.asarray(cv2.projectPoints(corners, turn, shift, matrix, k)[0]).reshape(-1, 2)
    return float(np.sqrt(np.mean(np.sum((seen - view.corners_px) ** 2, axis=1))))
