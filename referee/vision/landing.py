"""When a card came to rest: looked up in the last frames once it is known where it lies.

A printed detail of the card that no hand hides looks as it does now from the moment on at which
the card stopped; details under the hand look so only when the hand has left. So the share of
details that are final grows while the card comes in and turns flat, stays when it lies, and grows
once more when the hand leaves. From a frame in which the share stays the card is followed back to
where it still moved, and how it slowed down tells when it stopped, finer than the frames do.
What a hand hid till it lay came to rest at some time since the hand was over it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values.spots import CARD_H_MM, CARD_W_MM
from referee.vision.frames import Image
from referee.vision.kept import (
    ALIKE_LEVELS,
    COVER_ACROSS,
    COVER_DOWN,
    COVERED_SHARE,
    HIDDEN_SHARE,
    LEAST_DETAILS,
    RESTING_SHARE,
    Past,
    alike,
    covered_share,
    first_at_rest,
    on_grid,
    other_then,
    otherwise,
    shares_of,
)
from referee.vision.settling import (
    BROAD_PX,
    Away,
    Floats,
    Lying,
    deviations_mm,
    pushed_from,
    way_back,
)
from referee.vision.shutter import Shutter
from referee.vision.stopping import MOVING_MM, stop_of

# Hands linger on a card for up to a second after they laid it.
KEPT_NS = 1_800_000_000
# Half of 1080p: a card is 60 x 85 px, so that one pixel is 1 mm, and 60 frames are 30 MB.
SIDE_PX = 960
# Details are pixels with this much contrast to their neighbours, in levels of luminance.
DETAIL_LEVELS = 40.0
# Where fewer of them than this share seem to be bare, they stand too near together to tell how a
# card lies: a king that showed whole was dated 0.4 s late by 111 of 2,098 along one edge.
BARE_DETAILS = 0.15
# The card is followed back from frames that were taken so many after the first in which it lay,
# which may be one in which a hand bared it, over so many before it.
LYING_FRAMES, BACK_FRAMES = 2, 14
# A place was bare when so many of the details that its card shows otherwise than the table does
# looked as the table. A neighbour may have shown the others: where two cards overlap and fingers
# rest on the upper one, half of what is seen is the lower one's.
BARE_SHARE = 0.4
# A card that is found so far from where it lies now has not come to rest yet.
ASTRAY_MM = 0.5
# What no estimate is better than: how a card is held and let go is no exact law. The films of six
# makers differ by as much in the mean of what their hands do at last (-5 to +18 ms).
LEAST_SIGMA_NS = 10_000_000
# The last half millimetre of a way, of which a frame tells nothing, takes so long: of eight cards
# of a maker that hands hid till they lay all came to rest up to 13 ms after they seemed to.
CREEPS_NS = 20_000_000
# A hand that hides a place rests when that looks alike in two frames, one after the other, twice. A
# hand that comes with a card never does.
RESTING_PAIRS = 2
# A hand that slaps a card hides it for so many frames at least, and less than this share of its
# details looks final meanwhile; in as many frames before that more did, and by so much: 0.5 to 0.13
# where fingers lay on the lower half of a card, that a whole hand came down on.
HIT_FRAMES, HIT_SHARE = 3, 0.3
LAIN_SHARE, LAIN_RATIO = 0.35, 2.0
# Every so manieth place of a picture tells its light.
LIGHT_STEP = 32

Hidden = Callable[[NDArray[np.float64]], NDArray[np.bool_]]
"""Tells which points (n, 2) of the latest picture, in pixels, a hand hides."""


Empty = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.int16]]
"""Tells the bare table's luminance at shares of its height and width (n,), -1 where unknown."""


def not_known(down: NDArray[np.float64], across: NDArray[np.float64]) -> NDArray[np.int16]:
    """Know nothing of the bare table."""
    return np.full(len(down), -1, np.int16)


@dataclass(frozen=True, slots=True)
class Landed:
    """When a card came to rest, and half the interval that holds the time with 95 %.

    `hidden`: a hand hid it till it lay, and since when that hand rested there is all that is known.
    """

    t_ns: int
    u_ns: int
    hidden: bool = False


class Landings:
    """The last frames of one video. Changed only by `keep` and `cover`, by one thread."""

    def __init__(
        self,
        shutter: Shutter | None = None,
        hidden: Hidden | None = None,
        empty: Empty = not_known,
    ) -> None:
        """Begin with none.

        `shutter` tells how the camera takes a frame, `hidden` what hands hide of the latest one,
        `empty` how the table looks without cards.
        """
        self._shutter, self._hidden = shutter or Shutter(), hidden
        self._empty = empty
        self._past: deque[Past] = deque()
        self._covered = np.zeros((COVER_DOWN, COVER_ACROSS), np.bool_)
        self._scale = 1.0

    def keep(self, image_bgr: Image, t_ns: int, divisor: int = 1) -> NDArray[np.uint8]:
        """Keep a frame: uint8, height x width x 3; older ones are dropped.

        `divisor`: by how much the frame was shrunk already; what is asked of places is asked in
        pixels of the full picture. Returns its luminance as it is kept, at most SIDE_PX wide.
        """
        height, width = image_bgr.shape[:2]
        shrink = min(1.0, SIDE_PX / width)
        self._scale = shrink / divisor
        shrunk = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
        if shrink < 1.0:
            size = (round(width * shrink), round(height * shrink))
            shrunk = cv2.resize(shrunk, size, interpolation=cv2.INTER_AREA)
        grey = np.asarray(shrunk, np.uint8)
        if self._past and self._past[-1].luminance.shape != grey.shape:
            self._past.clear()
        light = grey[::LIGHT_STEP, ::LIGHT_STEP].astype(np.int16)
        self._past.append(Past(t_ns, grey, light))
        while t_ns - self._past[0].t_ns > KEPT_NS:
            self._past.popleft()
        return grey

    def cover(self) -> None:
        """Note what hands cover of the latest frame, once its hands are known."""
        if self._hidden is None or not self._past:
            return
        height, width = self._past[-1].luminance.shape
        x, y = (np.arange(COVER_ACROSS) + 0.5) * width, (np.arange(COVER_DOWN) + 0.5) * height
        grid = np.stack(np.meshgrid(x / COVER_ACROSS, y / COVER_DOWN), axis=-1).reshape(-1, 2)
        before, now = self._covered, self._hidden(grid / self._scale - 0.5)
        self._covered = now.reshape(COVER_DOWN, COVER_ACROSS)
        self._past[-1] = replace(self._past[-1], covered=before)

    def cover_as_before(self) -> None:
        """Hold that hands cover of the latest frame what they did: its own are not looked for."""
        if self._hidden is not None and self._past:
            self._past[-1] = replace(self._past[-1], covered=self._covered)

    def landed(
        self,
        corners_px: NDArray[np.float64],
        other_ns: int = 0,
        seen_ns: int | None = None,
        read_ns: int = 0,
    ) -> Landed | None:
        """Return when a card came to rest that lies with its corners (4, 2) at `corners_px` now.

        At `other_ns` another one was seen there; at `seen_ns` it was read first: a hand may have
        come over it since. From `read_ns` on it was read just there, under a hand, 0 if it was not:
        by then no other one lay there. None where it shows too few details, or lay as it lies for
        as long as frames are kept.
        """
        frames = self._till(corners_px, seen_ns)
        if not frames:
            return None
        rows, columns = self._details(frames[0].luminance, corners_px)
        lain_ns = read_ns or frames[0].t_ns
        if len(frames) == len(self._past):
            bare = self._bare(rows, columns)
            if bare.sum() >= max(LEAST_DETAILS, BARE_DETAILS * len(bare)):
                rows, columns = rows[bare], columns[bare]
        # Else what the hand shows tells when it stopped, and the card with it.
        return self._landed(frames, rows, columns, corners_px, other_ns, lain_ns)

    def _till(self, corners_px: NDArray[np.float64], seen_ns: int | None) -> list[Past]:
        """Return the frames, latest first, without those in which a hand came over a place since.

        All, where it was not free of hands since `seen_ns`.
        """
        frames = list(self._past)[::-1]
        if seen_ns is None or self._hidden is None or not frames:
            return frames
        place = self._grid_of(corners_px)
        covered: NDArray[np.bool_] | None = self._covered
        for k, past in enumerate(frames):
            if past.t_ns < seen_ns:
                break
            if covered_share(covered, place) < COVERED_SHARE:
                return frames[k:]
            # What hands cover is kept with the next frame.
            covered = past.covered
        return frames

    def _bare(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Tell which details no hand hides now: a hand's are final before the card's are."""
        if self._hidden is None or not len(rows):
            return np.ones(len(rows), np.bool_)
        places = np.stack([columns, rows], axis=1).astype(np.float64)
        return ~self._hidden((places + 0.5) / self._scale - 0.5)

    def _landed(
        self,
        frames: list[Past],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        corners_px: NDArray[np.float64],
        other_ns: int,
        lain_ns: int,
    ) -> Landed | None:
        kept = frames
        frames = [past for past in kept if past.t_ns >= other_ns]
        if not frames:
            return None
        then = frames[-1] if other_ns and len(frames) > 1 else self._bare_then(kept, rows, columns)
        if then is not None:
            rows, columns = otherwise(frames[0], then, rows, columns)
        landed = self._came_to_rest(frames, rows, columns, corners_px)
        if landed is None:
            return None
        other = other_then(kept, rows, columns, landed.t_ns + landed.u_ns)
        if other is None or other.t_ns >= lain_ns:
            return landed
        # It cannot have lain there by then.
        rows, columns = otherwise(frames[0], other, rows, columns)
        return self._came_to_rest(frames, rows, columns, corners_px)

    def _came_to_rest(
        self,
        frames: list[Past],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        corners_px: NDArray[np.float64],
    ) -> Landed | None:
        if len(rows) < LEAST_DETAILS:
            return None
        before = self._before_a_hand(frames, rows, columns)
        if before is not None:
            k, lay = before
            landed = self._came_to_rest(frames[k:], rows[lay], columns[lay], corners_px)
            if landed is not None:
                return landed
        first = first_at_rest(shares_of(frames, rows, columns))
        if first is None:
            return None
        return self._stopped(frames, first, rows, columns, corners_px)

    def _before_a_hand(
        self, frames: list[Past], rows: NDArray[np.intp], columns: NDArray[np.intp]
    ) -> tuple[int, NDArray[np.bool_]] | None:
        """Return the last frame, counted from now, before a hand came over a card that lay there.

        And which of its details were final then. None where none came, or it hid the card till it
        lay.
        """
        place = on_grid(frames[0], rows, columns)
        hid, least = 0, 1.0
        for k, past in enumerate(frames):
            hidden = covered_share(past.covered, place) >= HIDDEN_SHARE
            if not hidden and hid < HIT_FRAMES:
                continue
            share = float(alike(past, frames[0], rows, columns).mean())
            if hidden and share < HIT_SHARE:
                hid, least = hid + 1, min(least, share)
            elif hid >= HIT_FRAMES and share >= max(LAIN_SHARE, LAIN_RATIO * least):
                lain = frames[k : k + HIT_FRAMES]
                still = np.logical_and.reduce([alike(p, frames[0], rows, columns) for p in lain])
                lay = len(lain) == HIT_FRAMES and still.mean() >= LAIN_SHARE
                return (k, still) if lay and still.sum() >= LEAST_DETAILS else None
        return None

    def _bare_then(
        self, frames: list[Past], rows: NDArray[np.intp], columns: NDArray[np.intp]
    ) -> Past | None:
        """Return the latest frame in which a card's place, free of hands, showed bare table."""
        height, width = frames[0].luminance.shape
        levels = self._empty(rows / height, columns / width)
        now = frames[0].luminance[rows, columns]
        tells = (levels >= 0) & (np.abs(now - levels) > ALIKE_LEVELS)
        if tells.sum() < LEAST_DETAILS:
            return None
        rows, columns, levels = rows[tells], columns[tells], levels[tells]
        place = on_grid(frames[0], rows, columns)
        for past in frames:
            bare = np.abs(past.luminance[rows, columns] - levels) <= ALIKE_LEVELS
            hidden = covered_share(past.covered, place) >= COVERED_SHARE
            if bare.mean() >= BARE_SHARE and not hidden:
                return past
        return None

    def _stopped(
        self,
        frames: list[Past],
        first: int,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        corners_px: NDArray[np.float64],
    ) -> Landed | None:
        """Follow the card back from the first frame in which it surely lay, counted from now."""
        corners = (corners_px + 0.5) * self._scale - 0.5
        mm_px = _mm_px(corners)
        left, top = np.maximum(np.floor(corners.min(axis=0) - 2 * BROAD_PX).astype(int), 0)
        right, bottom = np.ceil(corners.max(axis=0) + 2 * BROAD_PX).astype(int)
        window = slice(top, bottom), slice(left, right)
        rows, columns = rows - top, columns - left
        now = _piece(frames[0], window)
        lies = Lying(now, rows, columns)
        while first and lies.away_mm(_piece(frames[first - 1], window), mm_px) > ASTRAY_MM:
            first -= 1
        start = max(first - LYING_FRAMES, 0)
        lain = [_piece(past, window) for past in frames[start : max(first, 1)]]
        piece = np.asarray(np.mean(lain, axis=0), np.float32)
        shown = np.abs(piece - now)[rows, columns] <= ALIKE_LEVELS
        if shown.sum() < LEAST_DETAILS / 2:
            return None
        rows, columns = rows[shown], columns[shown]
        back = ((p.t_ns, _piece(p, window)) for p in frames[start : first + BACK_FRAMES])
        lying = Lying(piece, rows, columns)
        way = tuple(way_back(lying, back, mm_px))
        if not way or way[0].mm > ASTRAY_MM:
            return None
        before = frames[start + len(way) :]
        pieces = ((past.t_ns, _piece(past, window)) for past in before)
        laid = pushed_from(lying, way, pieces, mm_px)
        if laid is not None:
            across, down = (round(float(px)) for px in laid.pose[:2])
            then = [past for past in frames if past.t_ns <= laid.t_ns]
            height, width = frames[0].luminance.shape
            rows_then = np.clip(rows + top - down, 0, height - 1)
            columns_then = np.clip(columns + left - across, 0, width - 1)
            landed = self._came_to_rest(then, rows_then, columns_then, corners_px)
            if landed is not None:
                return landed
        return self._told(way[::-1], mm_px, before, rows + top, columns + left)

    def _told(
        self,
        way: tuple[Away, ...],
        mm_px: float,
        before: list[Past],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> Landed:
        """Return when a card stopped that went a way, oldest first, and has details at places.

        A pixel is `mm_px` wide; `before` are the frames before it, the latest first.
        """
        since_ns = before[0].t_ns if before else way[0].t_ns
        if way[0].mm < MOVING_MM:
            unseen = self._unseen(before, rows, columns, way[0].t_ns)
            if unseen is not None:
                return unseen
        times, away = np.array([(one.t_ns, one.mm) for one in way], float).T
        stop = stop_of(times, away, deviations_mm(way, mm_px), since_ns)
        sigma_ns = round(float(np.hypot(stop.sigma_ns, LEAST_SIGMA_NS)))
        row = (float(rows.mean()) + 0.5) / self._past[-1].luminance.shape[0]
        t_ns, sigma_ns = self._shutter.row_time(round(stop.t_ns), sigma_ns, row)
        return Landed(t_ns, 2 * sigma_ns)

    def _unseen(
        self,
        before: list[Past],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        until_ns: int,
    ) -> Landed | None:
        """Return since when till `until_ns` a hand was on places that it hid in some frames.

        `before` are those frames, the latest first. It came to rest there since then, or, where it
        never rested, came there. None where none hid them.
        """
        place = on_grid(self._past[-1], rows, columns)
        rested, since_ns, hid_ns = 0, None, None
        for later, past in pairwise(before):
            if covered_share(past.covered, place) < HIDDEN_SHARE:
                # Hands are known a frame late: in this one they came.
                if hid_ns is not None:
                    since_ns = past.t_ns if since_ns == hid_ns else since_ns
                    hid_ns = past.t_ns
                break
            change = cv2.absdiff(later.luminance[rows, columns], past.luminance[rows, columns])
            rested = rested + 1 if (change <= ALIKE_LEVELS).mean() >= RESTING_SHARE else 0
            since_ns = past.t_ns if rested >= RESTING_PAIRS else since_ns
            hid_ns = past.t_ns
        since_ns = hid_ns if since_ns is None else since_ns
        if since_ns is None:
            return None
        half_ns = (until_ns + CREEPS_NS - since_ns) // 2
        return Landed(since_ns + half_ns, half_ns + 2 * LEAST_SIGMA_NS, hidden=True)

    def stays_covered(self, corners_px: NDArray[np.float64], since_ns: int) -> bool:
        """Whether a hand hides much of a place (4, 2) in the latest frame, and did since a time."""
        covered = self.is_covered(corners_px)
        return covered and len(self._till(corners_px, since_ns)) == len(self._past)

    def is_covered(self, corners_px: NDArray[np.float64]) -> bool:
        """Whether a hand hides much of a place (4, 2) in the latest frame."""
        covered = self._past[-1].covered if self._past else None
        if covered is None:
            return False
        return covered_share(covered, self._grid_of(corners_px)) >= COVERED_SHARE

    def _grid_of(self, corners_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return where a place (4, 2) lies on the grid of what hands cover."""
        height, width = self._past[-1].luminance.shape
        share = np.array([COVER_ACROSS / width, COVER_DOWN / height]) * self._scale
        place = np.zeros((COVER_DOWN, COVER_ACROSS), np.uint8)
        cv2.fillConvexPoly(place, np.round(corners_px * share).astype(np.int32), 1)
        return np.asarray(place > 0)

    def _details(
        self, now: NDArray[np.uint8], corners_px: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows and columns of the card's printed details, as a frame shows them."""
        nothing = np.zeros(0, np.intp)
        points = np.round((corners_px + 0.5) * self._scale - 0.5).astype(np.int32)
        x0, y0 = np.maximum(points.min(axis=0) - 1, 0)
        x1, y1 = np.minimum(points.max(axis=0) + 2, now.shape[::-1])
        if x1 - x0 < 8 or y1 - y0 < 8:
            return nothing, nothing
        piece = now[y0:y1, x0:x1]
        inside = np.zeros(piece.shape, np.uint8)
        cv2.fillConvexPoly(inside, points - (x0, y0), 1)
        contrast = cv2.morphologyEx(piece, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((inside > 0) & (contrast >= DETAIL_LEVELS))
        return rows + y0, columns + x0


def _piece(past: Past, window: tuple[slice, slice]) -> Floats:
    return np.asarray(past.luminance[window], np.float32)


def _mm_px(corners: NDArray[np.float64]) -> float:
    """Return the size of a pixel, from a card's corners in order."""
    one, other = (float(np.hypot(*(corners[k + 1] - corners[k]))) for k in (0, 1))
    return CARD_W_MM / min(one, other) if min(one, other) > 0 else CARD_H_MM
