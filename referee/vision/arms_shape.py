"""From what differs to arms: where each enters the table, where its fingers end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.arms_field import RIM_MM, Field, Mask
from referee.vision.arms_ground import UNIT, Difference

Point = NDArray[np.float64]
Floats = NDArray[np.float32]
Places = tuple[NDArray[np.intp], NDArray[np.intp]]

# Fingers of one hand enter apart: what enters within this distance is one arm.
FINGERS_APART_MM = 50.0
# Gaps between strong differences (a watch strap, a stripe of a sleeve) that are closed.
GAP_MM, SPECK_MM = 9.0, 15.0
LEAST_AREA_MM2 = 900.0
# An arm reaches so far over the table. Fingers that only just come in reach less far, and move;
# what is at the edge of a hand that came farther is its end as it goes, or a card that it left.
LEAST_REACH_MM, FINGERS_REACH_MM, LEFT_BESIDE_MM = 35.0, 15.0, 250.0
# The working point is the middle of what lies within this of the farthest end.
TIP_MM = 24.0
# Of two arms in one outline a pixel is also the farther one's up to so much farther; it is surely
# the nearer one's from there on.
ALSO_MM, SURELY_MM = 8.0, 30.0
# An end of which more than half is surely an arm's own is that arm's.
CLEAR_END_SHARE = 0.5
# A hand from the wrist to the fingertips (ANSUR, 95th percentile of men: 210 mm; bent, less).
HAND_MM = 185.0
# A darkening smaller than this is left alone. A shadow lies beside its arm with a third or more of
# its outline, a dark hand only meets its sleeve. A thing's outline is two or three pixels wide, a
# soft shadow's ten: the share of the whole depth that one pixel makes.
DARK_MM2, SHADOW_BORDER, SHARP_SHARE = 1500.0, 0.22, 0.22
STILL_ARM_SHARE = 0.6
# A dark arm's outline over wood made 0.6 to 1.1 of its depth in one pixel in rendered films, the
# outline of shadows 0.24 to 0.6, mostly 0.4. A card's edge changes the ground by more than that.
VERY_SHARP_SHARE, GROUND_STEP = 0.55, 0.2 * UNIT
# So much of an outline is to be left of which that tells.
LEAST_EVEN_SHARE = 0.15
NEXT = np.ones((3, 3), np.uint8)
# A dark hand is darker than its shadow by so much at least.
LEAST_DEEPER = 0.15 * UNIT
# Depths at which arms that lie together at the edge are looked for apart, and what each must have
# beyond: more than a spread thumb.
CUTS_MM, CUT_REACH_MM, CUT_AREA_MM2 = (60.0, 120.0), 120.0, 5000.0
# A hand that works at a side of the table reaches over its edge, so near to its fingers' end; no
# arm begins there. A player's other hand begins near to where the first does.
SPREAD_MM, LEAST_WAY_MM, OTHER_SIDE_SHARE = 175.0, 200.0, 0.6
# Two arms are at least so wide together: narrow wrists are 50 mm each.
LEAST_TWO_MM = 90.0
# A hand is cut off its arm by a watch or a cuff, at most so wide. It moves when a fifth of it
# changed within three frames at 30 a second.
CUT_OFF_MM, MOVES_NS, MOVES_SHARE = 55.0, 100_000_000, 0.2


@dataclass(frozen=True, slots=True)
class Expected:
    """Where a followed arm should be: its root at the table's edge and its working point, mm.

    `reached_mm` is how far it reached over the table at the farthest.
    """

    root_mm: tuple[float, float]
    tip_mm: tuple[float, float]
    reached_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """One arm in one frame.

    `root_mm` and `tip_mm` as in HandSeen; `tip_px` is the tip's column and row in the field.
    `rows`, `columns` are the arm's pixels there; of them `hand` marks those before the wrist,
    `end` those about the tip, `own` those that are surely of no other arm. `shared`: its pixels
    touch those of another arm, so that its tip is less sure. `side_mm` is how much farther the
    hand reaches to the left of its forearm's line than to the right: its thumb. `solid_share` is
    the share of strong differences.
    """

    root_mm: Point
    tip_mm: Point
    tip_px: tuple[float, float]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    hand: NDArray[np.bool_]
    end: NDArray[np.bool_]
    own: NDArray[np.bool_]
    shared: bool
    side_mm: float
    solid_share: float

    @property
    def reach_mm(self) -> float:
        """How far the working point is from the root."""
        return float(np.hypot(*(self.tip_mm - self.root_mm)))

    @property
    def ends_clearly(self) -> bool:
        """Whether its end is surely its own, not the arm's that it touches."""
        return not self.shared or float(self.own[self.end].mean()) > CLEAR_END_SHARE


def things(field: Field, seen: Difference, before: Mask) -> Mask:
    """Return 1 where things are: strong differences joined over small gaps, and dark things.

    What is only darker may be a shadow. It is a thing where it ends sharply and does not lie along
    a thing that could cast it, or where an arm was in the frame before (1 in `before`).
    """
    gap = np.ones((field.odd(GAP_MM),) * 2, np.uint8)
    solid = cv2.morphologyEx(seen.solid, cv2.MORPH_CLOSE, gap)
    solid = np.asarray(cv2.morphologyEx(solid, cv2.MORPH_OPEN, NEXT), np.uint8) & field.table
    shade = np.asarray(cv2.morphologyEx(seen.shade, cv2.MORPH_OPEN, NEXT), np.uint8) & (1 - solid)
    return np.asarray(solid | _dark_things(field, seen, shade, solid, before), np.uint8)


def _dark_things(field: Field, seen: Difference, shade: Mask, solid: Mask, before: Mask) -> Mask:
    """Return the pieces of what is only darker that are no shadows."""
    found = np.zeros_like(solid)
    dark_px = DARK_MM2 / field.mm_per_px**2
    if cv2.countNonZero(shade) < dark_px:
        return found
    # Specks of strong difference inside a dark hand cast no shadow.
    large = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((field.odd(SPECK_MM),) * 2, np.uint8))
    beside = np.asarray(cv2.dilate(large, NEXT), np.uint8)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(shade, connectivity=8)
    for k in range(1, count):
        x, y, width, height, area = (int(n) for n in stats[k])
        if area < dark_px:
            continue
        window = (slice(max(y - 2, 0), y + height + 2), slice(max(x - 2, 0), x + width + 2))
        dark = (marks[window] == k).astype(np.uint8)
        if cv2.countNonZero(dark & before[window]) > STILL_ARM_SHARE * area:
            found[window] |= dark
            continue
        depth = (seen.ground[0][window] - seen.now[0][window]).astype(np.float32)
        lies = _Lies(beside[window], seen.ground[0][window], depth)
        if _is_dark_thing(dark, lies, float(np.median(depth[dark > 0]))):
            found[window] |= dark
            continue
        deep, step = _deep_part(dark, depth)
        if cv2.countNonZero(deep) > dark_px and _is_dark_thing(deep, lies, step):
            found[window] |= deep
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Lies:
    """What lies about a darkening: 1 `beside` things, the still table below, how deep it is."""

    beside: Mask
    ground: NDArray[np.int16]
    depth: Floats


def _is_dark_thing(dark: Mask, lies: _Lies, step: float) -> bool:
    """Whether a darkening ends sharply and does not lie along what could cast it.

    Sharp is what rises by a share of `step` within a pixel along most of its outline. A dark arm
    that goes on over a card differs there more than from the table: where the ground changes, what
    lies beside a very sharp one casts nothing.
    """
    outline = np.asarray(cv2.morphologyEx(dark, cv2.MORPH_GRADIENT, NEXT), np.uint8)
    steep = cv2.magnitude(cv2.Sobel(lies.depth, cv2.CV_32F, 1, 0, scale=0.125),
                          cv2.Sobel(lies.depth, cv2.CV_32F, 0, 1, scale=0.125))  # fmt: skip
    steepest = float(np.median(cv2.dilate(steep, NEXT)[outline > 0]))
    if steepest <= SHARP_SHARE * step:
        return False
    inner = outline & dark
    if steepest > VERY_SHARP_SHARE * step:
        inner = _on_even_ground(inner, lies.ground)
    along = cv2.countNonZero(inner & lies.beside)
    return along < SHADOW_BORDER * max(cv2.countNonZero(inner), 1)


def _on_even_ground(outline: Mask, ground: NDArray[np.int16]) -> Mask:
    """Return the part of an outline that lies along no edge of the ground, if enough of it does."""
    edges = cv2.morphologyEx(ground, cv2.MORPH_GRADIENT, NEXT) > GROUND_STEP
    even = outline & (1 - np.asarray(cv2.dilate(edges.view(np.uint8), NEXT), np.uint8))
    enough = cv2.countNonZero(even) > LEAST_EVEN_SHARE * cv2.countNonZero(outline)
    return np.asarray(even if enough else outline, np.uint8)


def _deep_part(dark: Mask, depth: Floats) -> tuple[Mask, float]:
    """Return the deeper part of a darkening, by Otsu's threshold, and by how much it is deeper.

    A dark hand lies in its own shadow; the two look like one darkening. Where there are no two
    parts, none is returned.
    """
    inside = dark > 0
    values = depth[inside]
    levels = np.clip(values * (256 / UNIT), 0, 255).astype(np.uint8)
    cut = float(cv2.threshold(levels, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[0]) * UNIT / 256
    deeper = values > cut
    if not deeper.any() or deeper.all():
        return np.zeros_like(dark), 0.0
    step = float(values[deeper].mean() - values[~deeper].mean())
    if step < LEAST_DEEPER:
        return np.zeros_like(dark), step
    part = (inside & (depth > cut)).view(np.uint8)
    return np.asarray(cv2.morphologyEx(part, cv2.MORPH_OPEN, NEXT)), step


def find_arms(
    field: Field, mask: Mask, seen: Difference, before: Mask, expected: Sequence[Expected] = ()
) -> tuple[Arm, ...]:
    """Return the arms in a mask of things: what is connected with the table's or picture's edge.

    `before` is 1 where arms were in the frame before.
    """
    _, found, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    marks, stats = np.asarray(found, np.int32), np.asarray(boxes, np.int32)
    least_px = LEAST_AREA_MM2 / field.mm_per_px**2
    at_edge = {int(k) for k in np.flatnonzero(np.bincount(marks[field.rim]))} - {0}
    large = {int(k) for k in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= least_px)} - {0}
    cut_off = _cut_off(field, marks, stats, seen, before, (at_edge & large, large - at_edge))
    arms: list[Arm] = []
    for k in sorted(at_edge & large):
        parts = np.array([k, *(one for one, arm in cut_off.items() if arm == k)])
        x0, y0 = (int(n) for n in stats[parts, :2].min(axis=0))
        x1, y1 = (int(n) for n in (stats[parts, :2] + stats[parts, 2:4]).max(axis=0))
        window = (slice(y0, y1), slice(x0, x1))
        body = np.asarray(np.isin(marks[window], parts) if len(parts) > 1 else marks[window] == k)
        arms += _arms_of(field, body.view(np.uint8), (y0, x0), seen.solid[window], expected)
    whole = [arm for arm in arms if arm.reach_mm >= LEAST_REACH_MM]
    farther = [one.root_mm for one in whole]
    farther += [np.array(one.root_mm) for one in expected if one.reached_mm >= LEAST_REACH_MM]
    return (*whole, *(arm for arm in arms if _is_fingers(arm, farther, seen)))


def _is_fingers(arm: Arm, farther_mm: Iterable[Point], seen: Difference) -> bool:
    """Whether what hardly comes in is a hand: it moves, and none came farther beside it."""
    if not FINGERS_REACH_MM <= arm.reach_mm < LEAST_REACH_MM:
        return False
    beside = any(np.hypot(*(arm.root_mm - root_mm)) < LEFT_BESIDE_MM for root_mm in farther_mm)
    return not beside and _moves(seen, (arm.rows, arm.columns))


def _cut_off(
    field: Field,
    marks: NDArray[np.int32],
    stats: NDArray[np.int32],
    seen: Difference,
    before: Mask,
    kinds: tuple[set[int], set[int]],
) -> dict[int, int]:
    """Return the things away from the edge that are hands, each with the thing that is its arm.

    A pale watch on a pale table, or a cuff, cuts a hand off its arm: it is no farther from it than
    a watch is wide, and moves when the arm does, or was the arm's before and rests as it does.
    """
    at_edge, others = kinds
    arms = {k: _places(marks, stats[k], k) for k in at_edge} if others else {}
    found: dict[int, int] = {}
    for k in others:
        places = _places(marks, stats[k], k)
        moves, was = _moves(seen, places), float(before[places].mean()) > STILL_ARM_SHARE
        if not moves and not was:
            continue
        reach_px = CUT_OFF_MM / field.mm_per_px
        near = ((_apart_px(places, arm) * field.mm_per_px, j) for j, arm in arms.items()
                if _meet(stats[k], stats[j], reach_px))  # fmt: skip
        # A card that was laid down stays when its hand goes.
        close = [(mm, j) for mm, j in near
                 if mm <= CUT_OFF_MM and ((moves or not _moves(seen, arms[j])) if was
                                          else _moves(seen, arms[j]))]  # fmt: skip
        if close:
            found[k] = min(close)[1]
    return found


def _meet(one: NDArray[np.int32], other: NDArray[np.int32], reach_px: float) -> bool:
    """Whether two boxes (x, y, width, height) are no farther apart than `reach_px`."""
    return all(
        one[n] - other[n] - other[n + 2] <= reach_px and other[n] - one[n] - one[n + 2] <= reach_px
        for n in (0, 1)
    )


def _places(marks: NDArray[np.int32], box: NDArray[np.int32], k: int) -> Places:
    x, y, width, height = (int(n) for n in box[:4])
    rows, columns = np.nonzero(marks[y : y + height, x : x + width] == k)
    return rows + y, columns + x


def _moves(seen: Difference, places: Places) -> bool:
    still_ns = seen.still_ns(*places)
    return bool(float((still_ns < MOVES_NS).mean()) > MOVES_SHARE)


def _apart_px(one: Places, other: Places) -> float:
    """Return about how far two sets of pixels are apart, by a hundred of each."""
    (rows, columns), (other_rows, other_columns) = (
        (y[:: len(y) // 120 + 1], x[:: len(x) // 120 + 1]) for y, x in (one, other)
    )
    away = np.hypot(rows[:, None] - other_rows, columns[:, None] - other_columns)
    return float(away.min())


@dataclass(frozen=True, slots=True, eq=False)
class _Body:
    """The pixels of one thing: their rows, columns and places (n, 2) in mm."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    places: Point


def _arms_of(
    field: Field, body: Mask, corner: tuple[int, int], solid: Mask, expected: Sequence[Expected]
) -> list[Arm]:
    rows, columns = np.nonzero(body.view(bool))
    full = _Body(rows + corner[0], columns + corner[1], np.empty((0, 2)))
    x_mm, y_mm = (plane[full.rows, full.columns] for plane in (field.x_mm, field.y_mm))
    full = _Body(full.rows, full.columns, np.stack([x_mm, y_mm], axis=1).astype(np.float64))
    rim_mm = field.rim_mm[corner[0] : corner[0] + body.shape[0],
                          corner[1] : corner[1] + body.shape[1]]  # fmt: skip
    roots = _roots(field, body, rim_mm, corner)
    if not roots:
        return []
    known = [_expected_at(root, expected) for root in roots]
    followed = [one for one in known if one is not None]
    entered = [
        one is not None or not any(_reaches(other, root) for other in followed)
        for one, root in zip(known, roots, strict=True)
    ]
    roots, known = list(compress(roots, entered)), list(compress(known, entered))
    owners, sure = _owners(full, roots, known)
    strong = solid[rows, columns] > 0
    arms = []
    for n, root in enumerate(roots):
        mine = owners[n]
        if mine.sum() * field.mm_per_px**2 >= LEAST_AREA_MM2:
            share = float(strong[mine].mean())
            arms.append(_arm(full, mine, sure[n][mine], root, len(roots) > 1, share))
    return arms


def _roots(field: Field, body: Mask, rim_mm: NDArray[np.float32], corner: tuple[int, int]
           ) -> list[Point]:  # fmt: skip
    """Where arms enter: the middles of the parts at the edge, or deeper where one part forks."""
    roots: list[Point] = []
    wide = np.ones((field.odd(FINGERS_APART_MM),) * 2, np.uint8)
    band = body * (rim_mm <= RIM_MM)
    at_rim = cv2.dilate(cv2.copyMakeBorder(band, *(wide.shape[0],) * 4, cv2.BORDER_CONSTANT), wide)
    edge = wide.shape[0]
    count, marks = cv2.connectedComponents(at_rim)
    marks = marks[edge:-edge, edge:-edge] * band
    for k in range(1, count):
        part = marks == k
        if part.any():
            forks = _forks(field, body, rim_mm) if count == 2 else []
            roots += [_middle(field, fork, corner) for fork in forks or [part]]
    return roots


def _forks(field: Field, body: Mask, rim_mm: NDArray[np.float32]) -> list[NDArray[np.bool_]]:
    """Where one part at the edge forks into arms deeper in: each arm's part at the cut."""
    least_px = CUT_AREA_MM2 / field.mm_per_px**2
    for cut_mm in CUTS_MM:
        inside = rim_mm > cut_mm
        at_cut = body.view(bool) & inside & (rim_mm <= cut_mm + RIM_MM)
        if at_cut.sum() * field.mm_per_px**2 < LEAST_TWO_MM * RIM_MM:
            continue
        beyond = body & inside.view(np.uint8)
        count, marks, stats, _ = cv2.connectedComponentsWithStats(beyond, connectivity=4)
        large = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= least_px]
        if len(large) < 2:
            continue
        pieces = [marks == k for k in large]
        pieces = [piece for piece in pieces if rim_mm[piece].max() >= cut_mm + CUT_REACH_MM]
        # A hand that is cut off its arm does not begin at the cut.
        forks = [fork for piece in pieces if (fork := piece & at_cut).any()]
        if len(forks) > 1:
            return forks
    return []


def _middle(field: Field, part: NDArray[np.bool_], corner: tuple[int, int]) -> Point:
    rows, columns = np.nonzero(part)
    rows, columns = rows + corner[0], columns + corner[1]
    return np.array([field.x_mm[rows, columns].mean(), field.y_mm[rows, columns].mean()], float)


def _expected_at(root: Point, expected: Sequence[Expected]) -> Expected | None:
    """Return the followed arm that enters nearest to a root, None beyond 80 mm."""
    near = [(float(np.hypot(*(np.array(one.root_mm) - root))), one) for one in expected]
    near = [pair for pair in near if pair[0] < 80.0]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _reaches(followed: Expected, edge_mm: Point) -> bool:
    """Whether a followed arm's hand itself is what reaches to a place at the table's edge."""
    reach_mm = dist(followed.root_mm, followed.tip_mm)
    along_mm = dist(followed.root_mm, edge_mm)
    beside = dist(followed.tip_mm, edge_mm) < SPREAD_MM
    return beside and along_mm > OTHER_SIDE_SHARE * reach_mm > OTHER_SIDE_SHARE * LEAST_WAY_MM


def _owners(
    body: _Body, roots: Sequence[Point], known: Sequence[Expected | None]
) -> tuple[list[NDArray[np.bool_]], list[NDArray[np.bool_]]]:
    """Share the pixels of one thing among the arms that enter it: those of each, and surely so.

    Each arm is a ray from its root, towards where its hand should be, else along its first part;
    a pixel goes to the ray that it is nearest to, and past the end of a followed arm costs as
    much as beside it. What lies almost as near to a second ray belongs to both.
    """
    if len(roots) == 1:
        everything = [np.ones(len(body.rows), bool)]
        return everything, everything
    costs = []
    for root, one in zip(roots, known, strict=True):
        away = body.places - root
        far_mm = np.hypot(away[:, 0], away[:, 1])
        if one is not None:
            ray = np.array(one.tip_mm) - root
            length_mm = float(np.hypot(*ray)) + 15.0
        else:
            ray, length_mm = away[(far_mm > 15) & (far_mm < 120)].sum(axis=0), 1e6
        ray = ray / max(float(np.hypot(*ray)), 1e-6)
        along = away @ ray
        beside = np.abs(away[:, 0] * ray[1] - away[:, 1] * ray[0])
        costs.append(beside + 2 * np.maximum(-along, 0) + np.maximum(along - length_mm, 0))
    cost = np.stack(costs)
    second = np.partition(cost, 1, axis=0)[1]
    return list(cost <= cost.min(axis=0) + ALSO_MM), list(cost < second - SURELY_MM)


def _arm(
    body: _Body,
    mine: NDArray[np.bool_],
    own: NDArray[np.bool_],
    root: Point,
    shared: bool,
    solid: float,
) -> Arm:
    places = body.places[mine]
    away = places - root
    far_mm = np.hypot(away[:, 0], away[:, 1])
    # A few pixels at the very end may be noise: the farthest is the 20th from the end.
    end_mm = float(np.partition(far_mm, -20)[-20]) if len(far_mm) > 40 else float(far_mm.max())
    end = far_mm >= end_mm - TIP_MM
    tip, rows, columns = places[end].mean(axis=0), body.rows[mine], body.columns[mine]
    tip_px = (float(columns[end].mean()), float(rows[end].mean()))
    ahead = (tip - root) / max(float(np.hypot(*(tip - root))), 1e-6)
    behind = (tip - places) @ ahead
    hand = behind <= HAND_MM - TIP_MM
    across = (places - root) @ np.array([-ahead[1], ahead[0]])
    side_mm = _thumb_side(across, behind)
    return Arm(root, tip, tip_px, rows, columns, hand, end, own, shared, side_mm, solid)


def _thumb_side(across: NDArray[np.float64], behind: NDArray[np.float64]) -> float:
    """How much farther the hand reaches to the left of the forearm's line than to the right, mm."""
    wrist = (behind > 150) & (behind < 190)
    thumb = (behind > 20) & (behind < 100)
    if wrist.sum() < 30 or thumb.sum() < 30:
        return 0.0
    line = float(np.median(across[wrist]))
    beside = np.sort(across[thumb])
    few = len(beside) // 50
    return float(beside[-1 - few] + beside[few] - 2 * line)
