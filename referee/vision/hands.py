"""Hands over the table, followed from frame to frame: each frame's pixels -> hands in mm."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import HandSeen, Place, TablePlan
from referee.vision.arms_field import Field, FieldError, Image, Mask, Points, View, field_of
from referee.vision.arms_ground import Difference, Ground, Logs
from referee.vision.arms_laid import LEFT_BEHIND_MM, free_places, imprints, is_card, laid_pieces
from referee.vision.arms_motion import Shift, shift_between
from referee.vision.arms_shape import Arm, find_arms, things
from referee.vision.arms_still import StillArm, still_arms
from referee.vision.arms_track import Motion, Track, point
from referee.vision.frames import Frame
from referee.vision.shutter import Shutter

__all__ = ["FieldError", "Hands", "View"]

# A hand that is hidden under another, or lost in a bad frame, is remembered for this long.
REMEMBER_NS = 400_000_000
# One frame may show anything; what is there in two is followed.
BELIEVED_FRAMES = 2
# Roots slide along the edge as an arm swings; faster than 3 m/s no root does at 30 fps.
ROOT_JUMP_MM, TIP_JUMP_MM = 110.0, 230.0
# But a bent arm that stretches crosses the edge elsewhere from one frame to the next: whose hand is
# where it should be is the same.
THERE_MM, STRETCH_MM = 60.0, 220.0
# Motion is measured on the hand's part nearest to its end; of an arm that meets another, on what is
# surely its own, which may be its wrist.
MOTION_MM, MOTION_MM_SHARED = 130.0, 230.0
# Where two hands meet, the one's fingers seem to move as the other comes. How far such an arm went
# is measured on this share of its reach, from the table's edge on (0.5 to 0.85 make no difference);
# a hand slower than that rests though its arm may settle. So half of 33 slaps of one maker of films
# are told within 2 ms of their middle (12 before), of 32 and 45 of two others within 15 and 19 (20
# and 23 before).
BEHIND_SHARE, SETTLES_MM_S = 0.6, 20.0
# No hand is as still as its picture's noise for so long; a cup at the table's edge is. What did not
# come as hands do is given up sooner, and soonest what suddenly was there.
LIFELESS_NS, NEVER_CAME_NS, NEVER_MOVED_NS = 20_000_000_000, 1_000_000_000, 350_000_000
LIFELESS_SHARE = 0.9
# An arm that woke is where it lay by this share.
OF_IT_SHARE = 0.5
# A light that stays changed for so many frames is the new light.
BLIND_FRAMES = 3
# In every so manieth frame an arm's outline is searched for what is no arm: that stays for longer.
LOOK_BACK_FRAMES = 3
# An arm's fringe: its blur, and what its own height hides of the table.
FRINGE_MM = 12.0


class Hands:
    """Follows the hands over one table; for one thread. Holds what the last frames showed."""

    def __init__(self, view: View, plan: TablePlan, shutter: Shutter | None = None) -> None:
        """Take the camera's map and the plan. The picture's size is that of the first frame."""
        self._view, self._plan = view, plan
        self._shutter = shutter or Shutter()
        self._places: dict[str, Place] = {place.seat: place for place in plan.seats}
        self._next_id = 1
        self._state: _Seeing | None = None

    def moved(self, view: View) -> None:
        """Take another map: the camera or the table was moved. All is begun anew."""
        self._view, self._state = view, None

    def step(self, frame: Frame) -> tuple[HandSeen, ...]:
        """Return the hands of one frame. Raises FieldError where the table is not in the picture.

        The frame needs a time; frames come in its order.
        """
        state, t_ns = self._seeing(frame), frame.t_ns or 0
        seen, woken = _look(state, state.field.shrunk(frame), t_ns)
        if self._is_blind(state, seen):
            return ()
        mask = things(state.field, seen, state.arms)
        expected = [track.expected(t_ns) for track in state.tracks]
        arms = find_arms(state.field, mask, seen, state.arms, expected)
        pairs = self._matched(state, arms, t_ns)
        _recognise(state.field, woken, [track for track, _ in pairs], t_ns)
        for track, arm in pairs:
            if t_ns > track.t_ns:
                track.follow(arm, _motion(state, track, arm, seen.now[0]), t_ns)
                track.vote(self._places)
        state.tracks = [track for track in state.tracks if _remembered(track, t_ns)]
        for track in state.tracks:
            track.name(one for one in state.tracks if one is not track)
        _teach(state, seen, [track for track, _ in pairs])
        state.light, state.seen_ns = seen.now[0], t_ns
        believed = (t for t in state.tracks if t.woke or (t.frames >= BELIEVED_FRAMES and t.came))
        return tuple(self._seen(state, track, frame) for track in believed if track.t_ns == t_ns)

    def free(self, corners_px: Points) -> None:
        """Learn that a place was seen free of hands: what is still there is no arm.

        `corners_px` (n, 2) are the place's corners in the full picture.
        """
        if self._state is not None:
            field = self._state.field
            self._state.free.append((corners_px + 0.5 - field.box_px[:2]) / field.shrink)

    def hides(self, points_px: Points) -> NDArray[np.bool_]:
        """Tell which points (n, 2) of the full picture an arm or its shadow covers, shape (n,)."""
        if self._state is None:
            return np.zeros(len(points_px), bool)
        field, cover = self._state.field, self._state.cover
        at = ((np.asarray(points_px) + 0.5 - field.box_px[:2]) / field.shrink).astype(int)
        height, width = cover.shape
        inside = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
        at = np.clip(at, 0, (width - 1, height - 1))
        return np.asarray(inside & (cover[at[:, 1], at[:, 0]] > 0))

    def _seeing(self, frame: Frame) -> _Seeing:
        size_px = (frame.width_px, frame.height_px)
        if self._state is None or self._state.field.size_px != size_px:
            self._state = _Seeing(field_of(self._view, self._plan.table_mm, size_px))
        return self._state

    def _is_blind(self, state: _Seeing, seen: Difference) -> bool:
        """Whether the frame cannot be compared; a light that stays changed is taken as it is."""
        state.blind_frames = state.blind_frames + 1 if seen.blind else 0
        if seen.blind:
            state.light = None
        if state.blind_frames >= BLIND_FRAMES:
            state.ground.begin_again()
            state.blind_frames, state.still = 0, ()
        return seen.blind

    def _matched(self, state: _Seeing, arms: Sequence[Arm], t_ns: int) -> list[tuple[Track, Arm]]:
        """Give each arm its track, the likeliest pair first; an arm without one begins one."""
        costs = []
        for i, track in enumerate(state.tracks):
            where = track.expected(t_ns)
            for k, arm in enumerate(arms):
                root_mm = float(np.hypot(*(arm.root_mm - where.root_mm)))
                tip_mm = float(np.hypot(*(arm.tip_mm - where.tip_mm)))
                if tip_mm < TIP_JUMP_MM and root_mm < _root_jump_mm(tip_mm):
                    costs.append((root_mm / ROOT_JUMP_MM + tip_mm / TIP_JUMP_MM, i, k))
        pairs: dict[int, int] = {}
        for _, i, k in sorted(costs):
            if i not in pairs.values() and k not in pairs:
                pairs[k] = i
        for k in set(range(len(arms))) - pairs.keys():
            pairs[k] = len(state.tracks)
            state.tracks.append(Track(self._next_id, arms[k], t_ns, t_ns - state.seen_ns))
            self._next_id += 1
        return [(state.tracks[i], arms[k]) for k, i in pairs.items()]

    def _seen(self, state: _Seeing, track: Track, frame: Frame) -> HandSeen:
        arm, field = track.arm, state.field
        row = float(field.row[int(np.clip(round(arm.tip_px[1]), 0, len(field.row) - 1))])
        t_ns, sigma_ns = self._shutter.row_time(frame.t_ns or 0, frame.sigma_ns, row)
        x_mm = field.x_mm[arm.rows[arm.hand], arm.columns[arm.hand]]
        y_mm = field.y_mm[arm.rows[arm.hand], arm.columns[arm.hand]]
        box_mm = (float(x_mm.min()), float(y_mm.min()), float(x_mm.max()), float(y_mm.max()))
        return HandSeen(
            id=track.id,
            t_ns=t_ns,
            sigma_ns=sigma_ns,
            tip_mm=point(track.tip_mm),
            root_mm=point(track.root_mm),
            box_mm=box_mm,
            speed_mm_s=track.speed_mm_s,
            seat=track.seat,
            hand=track.side(state.tracks),
            score=track.score,
            rested=track.rested,
            joined=arm.shared,
        )


class _Seeing:
    """What is remembered of one view of the table."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.ground = Ground(field)
        self.tracks: list[Track] = []
        self.still: tuple[StillArm, ...] | None = None
        self.light: Logs | None = None
        self.seen_ns = 0
        self.arms: Mask = np.zeros(field.table.shape, np.uint8)
        self.cover: Mask = self.arms
        self.blind_frames = self.looks = 0
        # Corners (n, 2), in the field, of places that were seen free of hands since the last frame.
        self.free: list[Points] = []


def _look(state: _Seeing, small_bgr: Image, t_ns: int) -> tuple[Difference, tuple[StillArm, ...]]:
    """Compare a frame with the ground; arms that lay there from the first and wake are no ground.

    Returns the difference and the arms that woke.
    """
    seen = state.ground.look(small_bgr, t_ns)
    if state.still is None:
        state.still = still_arms(state.field, small_bgr, seen)
        return seen, ()
    woken = tuple(arm for arm in state.still if arm.wakes(state.field, seen, state.cover))
    if not woken or seen.blind:
        return seen, ()
    for arm in woken:
        state.ground.lay_bare(arm.rows, arm.columns, arm.lift)
    state.still = tuple(arm for arm in state.still if arm not in woken)
    return state.ground.look(small_bgr, t_ns), woken


def _recognise(field: Field, woken: Sequence[StillArm], tracks: Sequence[Track], t_ns: int) -> None:
    """Tell the tracks that begin with an arm that woke: it was there before."""
    for still in woken:
        place = np.zeros(field.table.shape, np.bool_)
        place[still.rows, still.columns] = True
        for track in tracks:
            if track.frames == 1 and place[track.arm.rows, track.arm.columns].mean() > OF_IT_SHARE:
                track.woke, track.rested = True, still.rested(t_ns)


def _root_jump_mm(tip_mm: float) -> float:
    """Return how far a root may jump, of a hand that is so far from where it should be."""
    return STRETCH_MM if tip_mm < THERE_MM else ROOT_JUMP_MM


def _remembered(track: Track, t_ns: int) -> bool:
    return t_ns - track.t_ns <= (REMEMBER_NS if track.frames >= BELIEVED_FRAMES else 0)


def _motion(state: _Seeing, track: Track, arm: Arm, light: Logs) -> Motion | None:
    """Measure a hand's motion since the last frame on its pixels, None where they are not found."""
    if state.light is None:
        return None
    to_mm = _to_mm(state.field, arm.tip_px)
    away_px = np.hypot(arm.columns - arm.tip_px[0], arm.rows - arm.tip_px[1])
    near = away_px < (MOTION_MM_SHARED if arm.shared else MOTION_MM) / state.field.mm_per_px
    ahead = np.array(track.expected(track.t_ns + 33_000_000).tip_mm) - track.tip_mm
    ways = (np.linalg.solve(to_mm, way) for way in (arm.tip_mm - track.tip_mm, ahead))
    guesses = [(float(x), float(y)) for x, y in ways]
    hand = shift_between(state.light, light, _pixels(arm, near), guesses)
    behind = None
    if arm.shared:
        behind = shift_between(
            state.light, light, _pixels(arm, _is_behind(state.field, track, arm)), guesses
        )
    moved = hand or behind
    if moved is None:
        return None
    far_px = _far_px(hand, behind, rests=track.speed_mm_s < SETTLES_MM_S)
    scale = float(np.sqrt(abs(np.linalg.det(to_mm))))
    return Motion(far_px * scale, to_mm @ (moved.dx_px, moved.dy_px))


def _pixels(arm: Arm, where: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the columns and rows of an arm's pixels in some places that are surely its own."""
    own = where & arm.own
    return arm.columns[own], arm.rows[own]


def _is_behind(field: Field, track: Track, arm: Arm) -> NDArray[np.bool_]:
    """Return which of an arm's pixels lie behind its hand, towards the table's edge."""
    x_mm, y_mm = (plane[arm.rows, arm.columns] for plane in (field.x_mm, field.y_mm))
    far_mm = np.hypot(x_mm - arm.root_mm[0], y_mm - arm.root_mm[1])
    reach_mm = min(arm.reach_mm, dist(track.tip_mm, track.root_mm))
    return np.asarray(far_mm < BEHIND_SHARE * reach_mm)


def _far_px(hand: Shift | None, behind: Shift | None, *, rests: bool) -> float:
    """Return how far a hand moved, by its own pixels and by those of its arm behind it.

    The arm tells where the hand meets another one; but of a hand that rests it may still settle.
    """
    far_px = [one.mean_px for one in (behind, hand) if one is not None]
    return min(far_px) if rests else far_px[0]


def _to_mm(field: Field, at_px: tuple[float, float]) -> NDArray[np.float64]:
    """Return the 2 x 2 matrix from shrunk pixels to mm near a place."""
    height, width = field.table.shape
    c, r = int(np.clip(at_px[0], 2, width - 3)), int(np.clip(at_px[1], 2, height - 3))
    slopes = [
        [plane[r, c + 2] - plane[r, c - 2], plane[r + 2, c] - plane[r - 2, c]]
        for plane in (field.x_mm, field.y_mm)
    ]
    return np.array(slopes, float) / 4.0


def _teach(state: _Seeing, seen: Difference, tracks: Sequence[Track]) -> None:
    """Tell the ground what is arm, and what only lies where an arm was."""
    arms: Mask = np.zeros(state.field.table.shape, np.uint8)
    laid = free_places(seen, state.free)
    state.free.clear()
    for track in tracks:
        arm = track.arm
        arms[arm.rows, arm.columns] = 1
        if _is_lifeless(track, seen) or is_card(state.field, arm, seen):
            laid[arm.rows, arm.columns] = 1
        elif not arm.shared and (track.frames + track.id) % LOOK_BACK_FRAMES == 0:
            gone_ns = track.left_behind_ns(LEFT_BEHIND_MM)
            if gone_ns is None and track.entered:
                continue
            since_ns = None if gone_ns is None else track.t_ns - gone_ns
            for window, piece in laid_pieces(state.field, arm, seen, since_ns):
                laid[window] |= piece
    state.looks += 1
    if state.looks % LOOK_BACK_FRAMES == 0:
        for window, piece in imprints(state.field, arms, seen):
            laid[window] |= piece
    fringe = np.ones((state.field.odd(FRINGE_MM),) * 2, np.uint8)
    cover: Mask = np.asarray(cv2.dilate(arms, fringe), np.uint8)
    # An arm's shadow is no ground either.
    cover |= _touching(seen.shade, cover)
    laid &= arms
    state.ground.learn(cover & (1 - laid), laid)
    state.arms, state.cover = arms & (1 - laid), cover


def _is_lifeless(track: Track, seen: Difference) -> bool:
    """Whether a thing at the table's edge has not moved as no hand can."""
    long_ns = LIFELESS_NS if track.came else NEVER_CAME_NS
    if track.appeared:
        long_ns = NEVER_MOVED_NS
    still_ns = seen.still_ns(track.arm.rows[::4], track.arm.columns[::4])
    return bool((still_ns > long_ns).mean() > LIFELESS_SHARE)


def _touching(part: Mask, seed: Mask) -> Mask:
    """Return the connected pieces of `part` that touch `seed`."""
    # So small a picture has fewer than 65,536 pieces.
    count, found = cv2.connectedComponents(part, connectivity=8, ltype=cv2.CV_16U)
    marks = np.asarray(found, np.uint16)
    wanted = np.zeros(count, np.uint8)
    wanted[marks[(seed & part) > 0]] = 1
    wanted[0] = 0
    return np.take(wanted, marks)
