"""Times of reading what changed in a frame: cards laid one after the other on a drawn table."""

from __future__ import annotations

import time
from collections import defaultdict
from functools import partial

import numpy as np
from numpy.typing import NDArray

from referee.app.pipeline import TableWatch
from referee.commands.benches.still import GAME, SEATS, laid_cards, view_of_camera
from referee.simulate.scene import Scene
from referee.simulate.staging import SIZES, Filming, studio
from referee.simulate.table import TableRenderer
from referee.table.layout import plan
from referee.values import CardRead
from referee.vision.detect import Reader
from referee.vision.frames import Frame
from referee.vision.surface import Surface

FPS = 30
# So many cards lie there, and have been read after so many frames; then one comes after another.
LYING, FIRST_FRAMES, FRAMES_EACH = 16, 26, 7
SEED = 5


class _Timed:
    """The reader of live tables, and how long it took for each frame."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.frame = 0
        self.took_ms: dict[int, float] = defaultdict(float)

    def glance(
        self, image_bgr: NDArray[np.uint8], scale: float
    ) -> tuple[tuple[CardRead, ...], Surface]:
        frame, began_ns = self.frame, time.perf_counter_ns()
        seen = self._reader.glance(image_bgr, scale)
        self.took_ms[frame] += (time.perf_counter_ns() - began_ns) / 1e6
        return seen


def changes_ms(reader: Reader, cards: int) -> list[float]:
    """Lay so many cards and return the milliseconds of each 1080p frame that gave reads."""
    table = plan(GAME, SEATS)
    set_up = studio(table, 2, Filming(*SIZES["1080p"], FPS, SEED, 1.0))
    laid = laid_cards(table, LYING + cards, np.random.default_rng(SEED))
    renderer, timed = TableRenderer(set_up), _Timed(reader)
    watch = TableWatch(table, view_of_camera(set_up), timed)
    for number in range(FIRST_FRAMES + FRAMES_EACH * cards):
        lying = Scene(laid[: LYING + max(0, (number - FIRST_FRAMES) // FRAMES_EACH + 1)])
        image = renderer.picture(partial(_same, lying), number / FPS)
        timed.frame = number
        watch.step(Frame(image, number * 1_000_000_000 // FPS, 0, number, "changes"))
    return [ms for number, ms in sorted(timed.took_ms.items()) if number > FIRST_FRAMES]


def _same(scene: Scene, _: float) -> Scene:
    return scene
