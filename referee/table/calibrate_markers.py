"""Markers in a picture: found by their fields, and laid over the picture for finer corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table.markers import DICTIONARY, MARKER_MM, QUIET_MM

Gray = NDArray[np.uint8]
Quad = NDArray[np.float64]
"""Four corners (4, 2), clockwise from the upper left one as printed."""

FIELDS = 7
"""A marker's edge: five fields and the border on either side."""
FIELD_MM = MARKER_MM / FIELDS
# White about the marker that is compared too, of the nine that are printed.
FRAME_FIELDS = 1
# A marker this much like its print is one: hands over half of one leave 0.6 and less, noise as
# strong as the print (a room lit by a screen) leaves 0.8.
LEAST_LIKENESS = 0.75
# Further than that a corner has not moved from where it was expected: it is another thing.
FARTHEST_FIELDS = 1.2
# A field is wrong that is off by that share of the print's contrast. Blur of half a field leaves
# 0.4 of it in lone fields, a fingertip over one 0.7 and more. With none wrong, fingers over a
# tenth to six tenths of a marker were all noticed; with one, a marker in sixty came 4 px off.
WRONG_SHARE = 0.55
FIT_STEPS, FIT_CHANGE = 30, 1e-4
SMOOTH_FIELDS = 0.35
LEAST_FIELD_PX = 2.0
"""Fields smaller than that are not told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenMarker:
    """A marker in a picture: `corners_px` (4, 2), `likeness` to its print from 0 to 1."""

    id: int
    corners_px: Quad
    likeness: float = 1.0


@dataclass(frozen=True, slots=True)
class _Look:
    """One way to look for markers: smooth first, enlarge, and how dark a border must be."""

    smooth_px: float
    enlarge: int
    contrast: int


# From fast to patient. Found by trial on pictures drawn at 0.6 to 1.6 px/mm with blur and little
# light: the first finds all where a card can be read; at a blur of half a field or a contrast of
# six times the noise the second, below that the third finds at least three of ten more.
LOOKS = (_Look(0.0, 1, 7), _Look(1.0, 1, 3), _Look(0.6, 2, 4))


def gray(image_bgr: NDArray[np.uint8]) -> Gray:
    """Return a picture's luminance."""
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def find_markers(picture: Gray, effort: int) -> tuple[SeenMarker, ...]:
    """Return all markers found with one effort, 0 (fast) to 2 (patient).

    An id may stand twice: a pattern that looks like a marker by chance is not told apart here.
    """
    look = LOOKS[effort]
    seen = picture
    if look.smooth_px:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), look.smooth_px), np.uint8)
    if look.enlarge != 1:
        wide = cv2.resize(
            seen, None, fx=look.enlarge, fy=look.enlarge, interpolation=cv2.INTER_CUBIC
        )
        seen = np.asarray(wide, np.uint8)
    quads, ids, _ = _detector(look).detectMarkers(seen)
    # Where there is none, the ids are None, and the quads an empty tuple.
    numbers = ids.ravel() if len(quads) else ()
    return tuple(
        SeenMarker(int(number), (np.asarray(quad, np.float64)[0] + 0.5) / look.enlarge - 0.5)
        for quad, number in zip(quads, numbers, strict=True)
    )


@lru_cache(maxsize=4)
def _detector(look: _Look) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A window of half a field: the default of a third wanders along blurred edges.
    settings.relativeCornerRefinmentWinSize = 0.5
    settings.adaptiveThreshConstant = look.contrast
    settings.adaptiveThreshWinSizeMax = 23 if look.contrast == 7 else 43
    settings.minMarkerPerimeterRate = 0.02
    settings.minOtsuStdDev = 2.0
    return cv2.aruco.ArucoDetector(dictionary(), settings)


@lru_cache(maxsize=1)
def dictionary() -> cv2.aruco.Dictionary:
    """Return the markers' dictionary."""
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))


@lru_cache(maxsize=512)
def _print(marker_id: int, field_px: int) -> NDArray[np.float32]:
    """Return a marker as printed, with its white frame, smoothed as a camera would."""
    drawn = cv2.aruco.generateImageMarker(dictionary(), marker_id, FIELDS * field_px)
    frame = (FRAME_FIELDS * field_px,) * 4
    paper = cv2.copyMakeBorder(drawn, *frame, cv2.BORDER_CONSTANT, value=(255,))
    soft = cv2.GaussianBlur(paper.astype(np.float32), (0, 0), SMOOTH_FIELDS * field_px)
    return np.asarray(soft, np.float32)


def lay_over(picture: Gray, marker_id: int, expected_px: Quad) -> SeenMarker | None:
    """Return a marker's corners by laying its print over the picture where it is expected.

    The print is shifted, turned and stretched until it agrees best (enhanced correlation,
    Evangelidis and Psarakis, 2008). All its edges take part, so blur and noise hurt little. None
    where the picture does not show that marker there: covered, gone, or out of sight.
    """
    sides = np.linalg.norm(expected_px - np.roll(expected_px, 1, axis=0), axis=1)
    field_px = float(np.mean(sides)) / FIELDS
    if field_px < LEAST_FIELD_PX or not _inside(picture, expected_px):
        return None
    # The print has the picture's own scale, but fields of three pixels at least.
    fine_px = int(np.clip(round(field_px), 3, 12))
    print_ = _print(marker_id, fine_px)
    inner_px = FRAME_FIELDS * fine_px - 0.5
    outer_px = inner_px + FIELDS * fine_px
    square = np.array([(inner_px, inner_px), (outer_px, inner_px), (outer_px, outer_px)])
    square = np.concatenate([square, [(inner_px, outer_px)]])
    onto = cv2.getPerspectiveTransform(square.astype(np.float32), expected_px.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(picture, onto, print_.shape[::-1], flags=flags)
    soft = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), SMOOTH_FIELDS * fine_px)
    smooth = np.asarray(soft, np.float32)
    found = _agreement(print_, smooth)
    if found is None or found[1] < LEAST_LIKENESS:
        return None
    shift, likeness = found
    moved = square @ shift[:, :2].T + shift[:, 2]
    if np.max(np.abs(moved - square)) > FARTHEST_FIELDS * fine_px:
        return None
    if _wrong_fields(print_, smooth, shift, fine_px):
        return None
    seen = cv2.perspectiveTransform(moved.reshape(-1, 1, 2), onto).reshape(-1, 2)
    return SeenMarker(marker_id, np.asarray(seen, np.float64), likeness)


def _wrong_fields(
    print_: NDArray[np.float32],
    patch: NDArray[np.float32],
    shift: NDArray[np.float64],
    fine_px: int,
) -> int:
    """Return how many fields of a laid-over print are not as bright as printed.

    A finger over an edge pulls the print aside while most of it still agrees; it cannot make its
    own fields look right.
    """
    size = print_.shape[::-1]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    under = cv2.warpAffine(patch, shift, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    grid = (size[0] // fine_px, size[1] // fine_px)
    wanted, seen = (
        np.asarray(cv2.resize(image, grid, interpolation=cv2.INTER_AREA), np.float64) / 255
        for image in (print_, under)
    )
    white, black = (float(np.median(seen[side])) for side in (wanted > 0.5, wanted <= 0.5))
    shown = (seen - black) / max(white - black, 1e-6)
    low, high = (float(np.median(wanted[side])) for side in (wanted <= 0.5, wanted > 0.5))
    return int(np.sum(np.abs(shown - (wanted - low) / (high - low)) > WRONG_SHARE))


def _agreement(
    print_: NDArray[np.float32], patch: NDArray[np.float32]
) -> tuple[NDArray[np.float64], float] | None:
    """Return the shift (2 x 3) from print to patch that agrees best, and how well it does."""
    if float(patch.std()) < 1.0:
        return None
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, FIT_STEPS, FIT_CHANGE)
    shift = np.eye(2, 3, dtype=np.float32)
    whole = np.full(patch.shape, 255, np.uint8)
    try:
        likeness, found = cv2.findTransformECC(
            print_, patch, shift, cv2.MOTION_AFFINE, criteria, whole, 1
        )
    except cv2.error:
        # It does not settle where nothing like the print is there.
        return None
    return np.asarray(found, np.float64), float(likeness)


def _inside(picture: Gray, quad_px: Quad) -> bool:
    h_px, w_px = picture.shape[:2]
    low, high = quad_px.min(axis=0), quad_px.max(axis=0)
    return bool(low[0] >= 0 and low[1] >= 0 and high[0] <= w_px - 1 and high[1] <= h_px - 1)


def first_of_each(seen: Sequence[SeenMarker]) -> tuple[SeenMarker, ...]:
    """Return one marker of each id: the largest, for chance patterns are small."""
    largest: list[SeenMarker] = sorted(seen, key=lambda marker: -_area_px2(marker.corners_px))
    kept: list[SeenMarker] = []
    for marker in largest:
        if all(marker.id != other.id for other in kept):
            kept.append(marker)
    return tuple(sorted(kept, key=lambda marker: marker.id))


def _area_px2(quad_px: Quad) -> float:
    x, y = quad_px.T
    return abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1))) / 2


QUIET_FIELDS = QUIET_MM / FIELD_MM
