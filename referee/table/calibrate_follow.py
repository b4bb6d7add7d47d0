"""A moved camera or table, noticed from the markers, and followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.table.calibrate import (
    FoundView,
    laid_over,
    view_from_markers,
)
from referee.table.calibrate_markers import SeenMarker, find_markers, gray
from referee.values import Marker, TablePlan

STILL_MM = 1.5
"""Markers seen further from their place than that have moved, or the camera has. Noise and print
put them 0.3 mm off; zones forgive ten times as much."""

STILL_PX = 0.8
"""The same where a millimetre has hardly a pixel."""

ENOUGH = 4
"""Where so many markers, spread over the table, all lie in their places, the others need not be
looked for: with a camera or a table all move. Each takes a millisecond of a match's time."""


@dataclass(frozen=True, slots=True)
class ViewChange:
    """What a frame says of a view.

    `still`: it holds, by the markers `seen`, not always all of them. `moved`: `found` is the new
    one, `moved_mm` how far the zones moved in the picture, as lengths on the table. `unknown`: no
    marker is in sight, because hands cover them or the camera shows something else; `found` is the
    last known view.
    """

    kind: Literal["still", "moved", "unknown"]
    found: FoundView
    moved_mm: float
    seen: tuple[int, ...]


def follow(found: FoundView, image_bgr: NDArray[np.uint8]) -> ViewChange:
    """Compare a frame's markers with a view. Twice a second is often enough.

    Markers that are covered say nothing; a single marker that was pushed while others lie still
    is not a moved table. `image_bgr` is (height, width, 3) or gray (height, width).
    """
    picture = gray(image_bgr) if image_bgr.ndim == 3 else image_bgr
    if (picture.shape[1], picture.shape[0]) != found.view.size_px:
        return ViewChange("unknown", found, 0.0, ())
    seen, still = _lying(picture, found)
    ids = tuple(marker.id for marker in seen)
    if still and 2 * still >= len(seen):
        return ViewChange("still", found, 0.0, ids)
    moved = _solved_again(picture, seen, found) if len(seen) >= 2 else None
    if moved is None:
        known = {marker.id for marker in found.markers}
        wide = [marker for marker in find_markers(picture, 0) if marker.id in known]
        moved = _solved_again(picture, wide, found)
    if moved is None:
        return ViewChange("unknown", found, 0.0, ids)
    return ViewChange("moved", moved, _moved_mm(found, moved), moved.seen)


def _lying(picture: NDArray[np.uint8], found: FoundView) -> tuple[tuple[SeenMarker, ...], int]:
    """Return markers that are seen about where they lay, and how many of them lie there still.

    All of them, but ENOUGH where these lie still: those are as far apart as the row of them allows.
    """
    every = max(1, -(-len(found.markers) // ENOUGH))
    spread = [marker for first in range(every) for marker in found.markers[first::every]]
    seen: list[SeenMarker] = []
    still = 0
    for marker in spread:
        for one in laid_over(picture, (marker,), found.view):
            seen.append(one)
            still += _strayed_mm(one, found) <= _tolerance_mm(found)
        if still == len(seen) == ENOUGH:
            break
    return tuple(seen), still


def _tolerance_mm(found: FoundView) -> float:
    w_mm, h_mm = found.plan.table_mm
    return max(STILL_MM, STILL_PX / found.view.px_per_mm((w_mm / 2, h_mm / 2)))


def _strayed_mm(seen: SeenMarker, found: FoundView) -> float:
    """Return how far a marker is seen from where it lay, the middle of its corners' distances."""
    lying = next(marker for marker in found.markers if marker.id == seen.id)
    at_mm = found.view.to_mm(seen.corners_px)
    off_mm = np.linalg.norm(at_mm - np.array(lying.corners_mm), axis=1)
    return float(np.median(off_mm))


def _solved_again(
    picture: NDArray[np.uint8], seen: Sequence[SeenMarker], found: FoundView
) -> FoundView | None:
    """Solve the camera's new place with the lens it has and markers where they were found."""
    if len({marker.id for marker in seen}) < 2:
        return None
    lying = replace(found.plan, markers=found.markers)
    again = view_from_markers(picture, seen, lying, found.view.lens)
    if not isinstance(again, FoundView) or again.loose:
        return None
    return replace(
        again,
        plan=found.plan,
        markers=_kept(found.markers, again.markers),
        strayed=tuple(sorted({*found.strayed, *again.strayed})),
        loose=found.loose,
    )


def _kept(before: tuple[Marker, ...], after: tuple[Marker, ...]) -> tuple[Marker, ...]:
    """Return the markers where they lie now; those not seen again stay."""
    now = {marker.id: marker for marker in after}
    return tuple(now.get(marker.id, marker) for marker in before)


def _moved_mm(before: FoundView, after: FoundView) -> float:
    middles = _middles(before.plan)
    seen_mm = before.view.to_mm(after.view.to_px(middles))
    return round(float(np.mean(np.linalg.norm(seen_mm - middles, axis=1))), 1)


def _middles(plan: TablePlan) -> NDArray[np.float64]:
    return np.array([zone.center_mm for zone in plan.zones])
