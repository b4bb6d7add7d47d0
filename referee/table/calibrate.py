"""The table found in a picture: from its markers to a view, with its accuracy, or why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from referee.table.calibrate_fit import (
    Corners,
    Fitted,
    distances_px,
    fit_camera,
    fit_loose,
    plane_through,
    straight,
)
from referee.table.calibrate_markers import (
    LOOKS,
    Gray,
    SeenMarker,
    find_markers,
    first_of_each,
    gray,
    lay_over,
)
from referee.table.calibrate_words import covered_text, nothing_text, vague_text
from referee.table.layout import plan as make_plan
from referee.table.layout_blocks import zone_corners_mm
from referee.table.markers import is_for_any_game, table_of_marker, with_any_markers
from referee.table.view import Lens, TableView, usual_lens
from referee.values import Marker, TablePlan

Array = NDArray[np.float64]

# Beginning from two markers and an unknown lens, others are seen up to that share of the width
# from where they are expected; false finds lie anywhere.
ROUGH_SHARE = 0.03
# A mat of pages that were glued together lies up to that flat and true; what lies further off
# was moved. The same in pixels, for where a millimetre has hardly one.
MAT_MM, MAT_PX = 4.0, 2.5
# Enough markers of a mat agree when that share of those found does.
MAT_SHARE = 0.6
# Zones are 10 mm wider than cards on either side; beyond half of that a view is of no use.
WORST_MM = 6.0
LEAST_LOOSE = 4
LEAST_FOUND = 2
ENOUGH_FOUND = 4
SEATS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class FoundView:
    """A table found in a picture.

    `markers` lie where they were found to lie, `seen` are the ids that this picture showed,
    `strayed` those that lie elsewhere than on the plan. `loose` tells that the markers were laid
    by hand: their places were solved as well. Zone middles are right to `accuracy_mm` (95 %).
    `unseen_zones` reach out of the picture.
    """

    view: TableView
    plan: TablePlan
    markers: tuple[Marker, ...]
    seen: tuple[int, ...]
    strayed: tuple[int, ...]
    loose: bool
    accuracy_mm: float
    unseen_zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoView:
    """Why no table was found: one line that says what is wrong and what to do."""

    reason: str


def find_view(
    image_bgr: NDArray[np.uint8], plan: TablePlan, lens: Lens | None = None
) -> FoundView | NoView:
    """Find a game's table by its markers, on a mat or laid loose; those for any game serve too.

    `image_bgr` is (height, width, 3). Without a calibrated `lens` the focal length and two terms
    of radial distortion are solved too.
    """
    picture = gray(image_bgr)
    known, spare = ({one.id for one in p.markers} for p in (plan, with_any_markers(plan)))
    found: list[SeenMarker] = []
    for effort in range(len(LOOKS)):
        found += find_markers(picture, effort)
        own = [marker for marker in found if marker.id in known]
        if len({marker.id for marker in found} & spare) > len({marker.id for marker in own}):
            plan, known, spare = with_any_markers(plan), spare, known
            own = [marker for marker in found if marker.id in known]
        if len({marker.id for marker in own}) >= ENOUGH_FOUND:
            view = view_from_markers(picture, own, plan, lens)
            if isinstance(view, FoundView):
                return view
    if len({marker.id for marker in own}) < LEAST_FOUND:
        return NoView(nothing_text(picture, [marker.id for marker in found], plan))
    return view_from_markers(picture, own, plan, lens)


def table_in(image_bgr: NDArray[np.uint8], otherwise: TablePlan | None = None) -> TablePlan | None:
    """Return the plan whose markers a picture shows, None where it shows no mat.

    `otherwise` is the table where the markers are those that serve every game. Players are named
    A, B and so on. `image_bgr` is (height, width, 3).
    """
    picture = gray(image_bgr)
    for effort in range(len(LOOKS)):
        ids = {marker.id for marker in find_markers(picture, effort)}
        tables = Counter(table for i in ids if (table := table_of_marker(i)) is not None)
        if tables:
            (game, players), count = tables.most_common(1)[0]
            if count >= LEAST_FOUND:
                return make_plan(game, SEATS[:players])
        if otherwise is not None and sum(map(is_for_any_game, ids)) >= LEAST_FOUND:
            return otherwise
    return None


def view_from_markers(
    picture: Gray, seen: Sequence[SeenMarker], plan: TablePlan, lens: Lens | None = None
) -> FoundView | NoView:
    """Solve the view from markers found in a picture; those they foretell are looked for too."""
    size_px = (picture.shape[1], picture.shape[0])
    task = _Task(plan, size_px, lens or usual_lens(size_px), lens is not None)
    agreeing = _agreeing(seen, plan, task.lens)
    ids = {marker.id for marker in seen}
    fitted: _Solved | None = None
    if len(agreeing) >= max(LEAST_FOUND, MAT_SHARE * len(ids)):
        fitted = _solve_mat(picture, agreeing, task)
    if fitted is None and len(ids) >= LEAST_LOOSE:
        fitted = _solve_loose(picture, first_of_each(seen), task)
    if fitted is None:
        return NoView(covered_text(len(ids), plan))
    found = _found(fitted, plan)
    if found.accuracy_mm > WORST_MM:
        return NoView(vague_text(len(found.seen), found.accuracy_mm, plan))
    return found


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be solved: a table, in pictures of a size, with a lens that is known or not."""

    plan: TablePlan
    size_px: tuple[int, int]
    lens: Lens
    lens_known: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    fitted: Fitted
    used: tuple[SeenMarker, ...]
    strayed: tuple[SeenMarker, ...]
    loose: bool


def _corners(seen: Sequence[SeenMarker], plan: TablePlan) -> Corners:
    known = {marker.id: marker.corners_mm for marker in plan.markers}
    return Corners(
        np.array([known[marker.id] for marker in seen]),
        np.array([marker.corners_px for marker in seen]),
    )


def _agreeing(seen: Sequence[SeenMarker], plan: TablePlan, lens: Lens) -> list[SeenMarker]:
    """Return the largest group of markers that lie as the plan has them, roughly."""
    flat = straight(_corners(seen, plan), lens)
    rough_px = ROUGH_SHARE * 2 * lens.center_px[0]
    best = np.zeros(len(seen), np.bool_)
    best_key = (0, 0.0)
    for one, other in combinations(range(len(seen)), 2):
        if seen[one].id == seen[other].id:
            continue
        plane = plane_through(flat.only(np.array([one, other])))
        if plane is None:
            continue
        off_px = distances_px(flat, plane)
        fits = off_px < rough_px
        key = (len({seen[n].id for n in _true(fits)}), -float(off_px[fits].sum()))
        if key > best_key:
            best, best_key = fits, key
    return list(first_of_each([seen[number] for number in _true(best)]))


def _true(mask: NDArray[np.bool_]) -> list[int]:
    return [int(number) for number in np.flatnonzero(mask)]


def _solve_mat(picture: Gray, seen: Sequence[SeenMarker], task: _Task) -> _Solved | None:
    """Solve with all markers where the plan has them; what strays is left out and told."""
    rough = _agreed(seen, task)
    if rough is None:
        return None
    laid = laid_over(picture, task.plan.markers, rough[0].view)
    again = {marker.id for marker in laid}
    # What cannot be laid over stays as it was found, unless it does not belong.
    candidates = [*laid, *(marker for marker in seen if marker.id not in again)]
    fine = _agreed(candidates, task)
    if fine is None:
        return None
    fitted, kept = fine
    ids = {marker.id for marker in kept}
    strayed = tuple(marker for marker in candidates if marker.id not in ids)
    return _Solved(fitted, tuple(kept), strayed, loose=False)


def _agreed(seen: Sequence[SeenMarker], task: _Task) -> tuple[Fitted, list[SeenMarker]] | None:
    """Fit the markers that lie where the plan has them: the worst is left out until all do.

    None where too few are left.
    """
    kept = list(seen)
    least = max(LEAST_FOUND, MAT_SHARE * len(seen))
    while len(kept) >= least:
        fitted = _fit(kept, task, loose=False)
        if fitted is None:
            return None
        off_mm = _off_mm(kept, fitted.view, task.plan)
        if off_mm.max() <= max(MAT_MM, MAT_PX / _scale(fitted.view, task.plan)):
            return fitted, kept
        kept.pop(int(off_mm.argmax()))
    return None


def _fit(seen: Sequence[SeenMarker], task: _Task, *, loose: bool) -> Fitted | None:
    corners = _corners(seen, task.plan)
    plane = plane_through(straight(corners, task.lens))
    if plane is None:
        return None
    fit = fit_loose if loose else fit_camera
    return fit(corners, plane, task.size_px, task.lens, lens_known=task.lens_known)


def laid_over(picture: Gray, markers: Sequence[Marker], view: TableView) -> tuple[SeenMarker, ...]:
    """Return the markers that the picture shows where a view expects them."""
    found = (
        lay_over(picture, marker.id, view.to_px(np.array(marker.corners_mm)))
        for marker in markers
        if bool(view.sees(np.array(marker.corners_mm)).all())
    )
    return tuple(marker for marker in found if marker is not None)


def _off_mm(seen: Sequence[SeenMarker], view: TableView, plan: TablePlan) -> Array:
    """Return how far each marker (n,) is seen from where the plan has it, its worst corner."""
    corners = _corners(seen, plan)
    at_mm = view.to_mm(corners.seen_px.reshape(-1, 2)).reshape(corners.known_mm.shape)
    return np.asarray(np.linalg.norm(at_mm - corners.known_mm, axis=2).max(axis=1))


def _scale(view: TableView, plan: TablePlan) -> float:
    return view.px_per_mm((plan.table_mm[0] / 2, plan.table_mm[1] / 2))


def _solve_loose(picture: Gray, seen: Sequence[SeenMarker], task: _Task) -> _Solved | None:
    """Solve camera and places of markers that were laid out by hand."""
    finer = [lay_over(picture, marker.id, marker.corners_px) or marker for marker in seen]
    fitted = _fit(finer, task, loose=True)
    # Every marker is small, so wrong ones fit badly only within themselves.
    if fitted is None or fitted.rms_px() > max(1.0, 0.5 * _scale(fitted.view, task.plan)):
        return None
    return _Solved(fitted, tuple(finer), (), loose=True)


def _found(solved: _Solved, plan: TablePlan) -> FoundView:
    view = solved.fitted.view
    middles = np.array([zone.center_mm for zone in plan.zones])
    corners = np.array([zone_corners_mm(zone) for zone in plan.zones])
    inside = view.sees(corners.reshape(-1, 2)).reshape(len(corners), 4)
    whole = np.asarray(inside.all(axis=1), np.bool_)
    return FoundView(
        view,
        plan,
        _places(solved, plan),
        tuple(sorted(marker.id for marker in (*solved.used, *solved.strayed))),
        tuple(sorted(marker.id for marker in solved.strayed)),
        solved.loose,
        round(2 * float(solved.fitted.sigma_mm(middles).max()), 2),
        tuple(plan.zones[number].name for number in _true(~whole)),
    )


def _places(solved: _Solved, plan: TablePlan) -> tuple[Marker, ...]:
    """Return the markers where they lie: as seen, or else as planned where none was laid by hand.

    People lay markers by eye, some millimetres off: later pictures are held against that.
    """
    shown = {marker.id: marker for marker in (*solved.used, *solved.strayed)}
    lying = []
    for marker in plan.markers:
        seen = shown.get(marker.id)
        if seen is not None:
            lying.append(_lying(marker, seen, solved.fitted.view))
        elif not solved.loose:
            lying.append(marker)
    return tuple(lying)


def _lying(marker: Marker, seen: SeenMarker, view: TableView) -> Marker:
    a, b, c, d = ((float(x), float(y)) for x, y in view.to_mm(seen.corners_px))
    return replace(marker, corners_mm=(a, b, c, d))
