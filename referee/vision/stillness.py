"""Where the picture lies still, since when, and where it differs from what was last read."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.empty import EMPTY_NS, EmptyTable
from referee.vision.frames import Image
from referee.vision.gate import REACH, Box, SmallView, believed, changed_mask, full_box, small_view

# A hand that lets go of a card and leaves shows no two alike frames for that long; at 30 frames a
# second it is three pairs of frames, so that one repeated frame of a stream is no rest.
REST_NS = 100_000_000
# A frame after such a gap says nothing about what moved in between.
GAP_NS = 700_000_000
Strips = Iterable[tuple[NDArray[np.float64], float]]
"""Lines by their two ends (2, 2), and how wide they are."""
# A place counts as seen when this share of it was: shadows' edges never quite rest.
LOOKED_SHARE = 0.85
# An arm that lies as still as its picture's noise for so long may be none.
DOUBTED_NS = 500_000_000
# Where more is new than a frame may cost, what was read so lately waits until the rest was: a table
# of 1.2 m takes about ten frames.
TURN_NS = 400_000_000
# The whole picture's mean level below which the light is off: a dim room's camera still shows 25.
DARK_LEVEL = 12.0
# A part of the picture that was lit and is black at once shows nothing: something lies before the
# lens, or the stream is broken. Sleeves are not that black, and cover less.
LIT_LEVEL, BLACK_LEVEL, BLACK_SHARE = 30, 8, 0.2


class Stillness:
    """Follows one video's small luminance; frames must come in order of time.

    Changed only by `step` and `learn`, by one thread.
    """

    def __init__(self, rest_ns: int = REST_NS) -> None:
        """Begin without a frame."""
        self._rest_ns = rest_ns
        self._view: SmallView | None = None
        self._moved_ns: NDArray[np.int64] = np.zeros((1, 1), np.int64)
        self._known: NDArray[np.uint8] = np.zeros((1, 1), np.uint8)
        self._read: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._fresh: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._ignored: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._outside: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._asked_ns: NDArray[np.int64] = np.zeros((1, 1), np.int64)
        self._free_ns: NDArray[np.int64] = np.zeros((1, 1), np.int64)
        self._learned_ns: NDArray[np.int64] = np.zeros((1, 1), np.int64)
        self._clear: NDArray[np.uint8] = np.zeros((1, 1), np.uint8)
        self._bare_of_hands: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._black: NDArray[np.bool_] | None = None
        self._empty = EmptyTable()
        # Whether the light is off.
        self.dark = False
        self.t_ns = 0
        self.before_ns = 0

    def step(self, image_bgr: Image, t_ns: int) -> None:
        """Take the next frame: uint8, height x width x 3."""
        self.step_small(small_view(image_bgr), t_ns)

    def step_small(self, view: SmallView, t_ns: int) -> None:
        """Take the next frame, already shrunk."""
        last = self._view
        self.before_ns, self.t_ns, self._view = self.t_ns, t_ns, view
        self.dark = float(view.luminance.mean()) < DARK_LEVEL
        if last is None or last.luminance.shape != view.luminance.shape:
            self._begin(view, t_ns)
            return
        moving = cv2.dilate(believed(changed_mask(last.luminance, view.luminance)), REACH) > 0
        if t_ns - self.before_ns > GAP_NS:
            moving[:] = True
        self._black = _blackened(self._known, view.luminance)
        if self._black is not None:
            # What is not seen is not taken for a bare table.
            moving |= self._black
        np.copyto(self._moved_ns, t_ns, where=moving)
        resting = self._moved_ns <= t_ns - self._rest_ns
        differs = believed(changed_mask(self._known, view.luminance)) > 0
        if differs.any():
            # A hand that came and went leaves what was there before: that needs no reading.
            back = self._bare_of_hands & (changed_mask(self._clear, view.luminance) == 0)
            self._restore(view, back & differs & resting, t_ns)
            differs &= ~back
        self._fresh = resting & (~self._read | differs) & ~self._unwanted()
        # What nobody calls new follows the slow change of the light.
        calm = resting & self._read & ~differs
        np.copyto(self._known, view.luminance, where=calm)

    def copy(self) -> Self:
        """Return what is known now of what moved and what looks empty, to be asked later."""
        now = copy(self)
        now._moved_ns = self._moved_ns.copy()
        return now

    def _restore(self, view: SmallView, back: NDArray[np.bool_], t_ns: int) -> None:
        """Hold what looks as before as known and seen."""
        np.copyto(self._known, view.luminance, where=back)
        np.copyto(self._free_ns, t_ns, where=back & ~self._ignored)

    def _begin(self, view: SmallView, t_ns: int) -> None:
        shape = view.luminance.shape
        self._moved_ns = np.full(shape, t_ns, np.int64)
        self._known = view.luminance.copy()
        self._read = np.zeros(shape, np.bool_)
        self._fresh = np.zeros(shape, np.bool_)
        self._ignored = np.zeros(shape, np.bool_)
        self._outside = np.zeros(shape, np.bool_)
        self._asked_ns = np.full(shape, t_ns - TURN_NS, np.int64)
        self._free_ns = np.zeros(shape, np.int64)
        self._learned_ns = np.zeros(shape, np.int64)
        self._clear = view.luminance.copy()
        self._bare_of_hands = np.zeros(shape, np.bool_)

    def only_in(self, outlines_px: NDArray[np.float64], *, hidden: Strips = ()) -> None:
        """Hold nothing as fresh but what lies in a polygon (n, 2) and under none of the strips.

        What lies still under a strip for long is read all the same: cards that are found there
        show that no arm is. It does not count as seen. Pixels are those of the full picture.
        """
        if self._view is None:
            return
        height, width = self._view.luminance.shape
        share = np.array([width / self._view.width_px, height / self._view.height_px])
        outside = np.ones((height, width), np.uint8)
        cv2.fillPoly(outside, [np.round(outlines_px * share).astype(np.int32)], 0)
        beyond = outside.copy()
        for ends_px, wide_px in hidden:
            a, b = np.round(ends_px * share).astype(int).tolist()
            cv2.line(outside, a, b, 1, max(1, round(wide_px * share[0])))
        self._ignored, self._outside = outside > 0, beyond > 0
        self._fresh &= ~self._unwanted()

    def _unwanted(self) -> NDArray[np.bool_]:
        """Return where nothing is to be read: off the table, and under what may be an arm."""
        recent = self._moved_ns > self.t_ns - DOUBTED_NS
        return np.asarray(self._outside | (self._ignored & recent))

    @property
    def is_partly_black(self) -> bool:
        """Whether much of the picture is black that was lit before."""
        return self._black is not None

    def is_black(self, box: Box) -> bool:
        """Whether most of a box is black, with much of the picture, where it was lit before."""
        if self._black is None:
            return False
        area = self._black[self._area(box)]
        return 2 * int(np.count_nonzero(area)) > area.size

    @property
    def last_move_ns(self) -> int:
        """When anything on the table last moved."""
        return int(self._moved_ns.max(where=~self._ignored, initial=0))

    @property
    def begun(self) -> bool:
        """Whether the whole first picture was read, or is known to need no reading."""
        return bool((self._read | self._ignored).mean() > 0.97)

    def fresh_boxes(self) -> tuple[Box, ...]:
        """Return where something lies still that was not read yet, in pixels of the picture."""
        if self._view is None or not self._fresh.any():
            return ()
        joined = cv2.dilate(self._fresh.astype(np.uint8), REACH)
        _, _, stats, _ = cv2.connectedComponentsWithStats(joined, ltype=cv2.CV_16U)
        return tuple(full_box(self._view, *(int(value) for value in row[:4])) for row in stats[1:])

    def is_fresh(self, box: Box) -> bool:
        """Return whether a box holds something still that was not read yet."""
        return bool(self._fresh[self._area(box)].any())

    def ask(self, box: Box) -> None:
        """Note that a box is being read."""
        self._asked_ns[self._area(box)] = self.t_ns

    def was_asked(self, box: Box) -> bool:
        """Return whether most of a box was read a moment ago, so that others come first."""
        area = self._asked_ns[self._area(box)]
        return 2 * int(np.count_nonzero(area > self.t_ns - TURN_NS)) > area.size

    def learn(
        self, box: Box, hands: NDArray[np.uint8] | None = None, t_ns: int | None = None
    ) -> None:
        """Take the resting part of a box as read at `t_ns`, None for now.

        `hands`, a picture of the box, is 1 under hands.
        """
        if self._view is None:
            return
        t_ns = self.t_ns if t_ns is None else t_ns
        area = self._area(box)
        resting = self.t_ns - self._moved_ns[area] >= self._rest_ns
        self._known[area][resting] = self._view.luminance[area][resting]
        self._read[area] |= resting
        self._learned_ns[area][self._fresh[area] & resting] = t_ns
        self._fresh[area] &= ~resting
        free = resting & ~self._ignored[area]
        if hands is not None and hands.size and free.size:
            height, width = free.shape
            free &= cv2.resize(hands, (width, height), interpolation=cv2.INTER_NEAREST) == 0
        self._clear[area][free] = self._view.luminance[area][free]
        self._bare_of_hands[area] |= free
        newly = free & (self._free_ns[area] <= self._moved_ns[area])
        self._free_ns[area][newly] = t_ns

    def news_ns(self, box: Box) -> int:
        """Return when something new was last read in a box, 0 for never."""
        area = self._learned_ns[self._area(box)]
        return int(area.max()) if area.size else 0

    def looked_at(self, box: Box, since_ns: int) -> bool:
        """Whether a place was read, free of hands, at `since_ns` or before, and lies so since."""
        area = self._area(box)
        free_ns, moved_ns = self._free_ns[area], self._moved_ns[area]
        seen = (free_ns > moved_ns) & (free_ns <= since_ns)
        return bool(seen.size and np.count_nonzero(seen) >= LOOKED_SHARE * seen.size)

    def keep_empty(self, cards_px: Iterable[NDArray[np.float64]]) -> None:
        """Keep up how the table looks where none of these cards, by their corners (4, 2), lies."""
        if self._view is None or self.dark or not self._empty.is_due(self.t_ns):
            return
        height, width = self._view.luminance.shape
        share = np.array([width / self._view.width_px, height / self._view.height_px])
        covered = np.zeros((height, width), np.uint8)
        for corners_px in cards_px:
            cv2.fillConvexPoly(covered, np.round(corners_px * share).astype(np.int32), 1)
        calm = self._moved_ns <= self.t_ns - EMPTY_NS
        self._empty.keep(self._view, calm & self._read & ~self._ignored & (covered == 0), self.t_ns)

    def looks_empty(self, box: Box) -> bool:
        """Whether a box looks as it did when it was known that no card lay there."""
        return self._view is not None and self._empty.looks_empty(self._view, self._area(box))

    def empty_levels(
        self, down: NDArray[np.float64], across: NDArray[np.float64]
    ) -> NDArray[np.int16]:
        """Return the table's luminance without cards, at shares of its height and width (n,).

        It is -1 where it is not known.
        """
        return self._empty.levels(down, across)

    def forget(self) -> None:
        """Hold nothing as read: the light or the camera has changed."""
        self._empty.forget()
        self._read[:] = False
        self._bare_of_hands[:] = False

    def moved_ns(self, box: Box) -> int:
        """Return when anything last moved in a box."""
        area = self._moved_ns[self._area(box)]
        return int(area.max()) if area.size else self.t_ns

    def moving_share(self, box: Box) -> float:
        """Return how much of a box moves, 0 to 1; outside the picture nothing does."""
        area = self._moved_ns[self._area(box)]
        return 1.0 - self.resting_share(box) if area.size else 0.0

    def stirring_share(self, box: Box) -> float:
        """Return how much of a box moved since the frame before, 0 to 1."""
        area = self._moved_ns[self._area(box)]
        return int(np.count_nonzero(area == self.t_ns)) / area.size if area.size else 0.0

    def resting_share(self, box: Box) -> float:
        """Return how much of a box lies still, 0 to 1; outside the picture nothing does."""
        area = self._moved_ns[self._area(box)]
        if not area.size:
            return 0.0
        return int(np.count_nonzero(area <= self.t_ns - self._rest_ns)) / area.size

    def _area(self, box: Box) -> tuple[slice, slice]:
        if self._view is None:
            return slice(0, 0), slice(0, 0)
        height, width = self._view.luminance.shape
        across, down = width / self._view.width_px, height / self._view.height_px
        x0, y0 = int(max(0, box.x0_px) * across), int(max(0, box.y0_px) * down)
        x1 = min(width, int(np.ceil(box.x1_px * across)))
        y1 = min(height, int(np.ceil(box.y1_px * down)))
        return slice(y0, max(y1, y0)), slice(x0, max(x1, x0))


def _blackened(lit: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
    """Return where a picture is black that was lit, None where that is no great part of it."""
    black = (now <= BLACK_LEVEL) & (lit >= LIT_LEVEL)
    return black if float(black.mean()) >= BLACK_SHARE else None
