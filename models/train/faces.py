"""Upright faces of rendered cards, drawn in processes of their own: the face reader learns them."""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Queue
from threading import Thread
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

import scenes
from atlas import Stock
from calm_tables import webcam
from photometry import photograph
from referee.vision.peaks import Indices
from referee.vision.pyramid import levels
from referee.vision.upright import upright_faces
from scenes import Scene, make_scene

# ---- settings -------------------------------------------------------------------------------
# What a camera over a table sees: small cards, mostly from above. A third of the scenes are those
# of the other networks, cards of all sizes from all sides.
TABLE = {"CARD_PX": (44.0, 190.0), "TILT_FLAT_SHARE": 0.8, "TILT_MOST_DEG": 45.0}
TABLE_SHARE, WEBCAM_SHARE = 0.67, 0.5
SEEN_SHARE = 0.4  # of an index
MOST_A_SCENE = 24
# How far the finder's places are from the truth: index and turn as they are read, the card's middle
# by guess, in shares of the half height, radians, and shares of the way from the index to it.
AT, TURN, MIDDLE = 0.12, 0.05, 0.06
WAITING = 400  # scenes


@dataclass(frozen=True)
class Faces:
    """N x 96 x 72 x 3 upright faces, N ranks and N suits."""

    image: NDArray[np.uint8]
    rank: NDArray[np.int64]
    suit: NDArray[np.int64]


def faces_of(scene: Scene, rng: np.random.Generator) -> Faces:
    """Some faces of a scene whose index shows, cut out where the finder might see them."""
    rows = scene.indices[scene.indices[:, 10] >= SEEN_SHARE].astype(np.float64)
    rows = rows[rng.permutation(len(rows))[:MOST_A_SCENE]]
    rows = rows[np.hypot(*(rows[:, :2] - rows[:, 6:8]).T) > 1.0]
    image = upright_faces(levels(scene.image), found_at(rows, rng))
    return Faces(image, rows[:, 8].astype(np.int64), rows[:, 9].astype(np.int64))


def found_at(rows: NDArray[np.float64], rng: np.random.Generator) -> Indices:
    """The places of true indices as the finder might see them."""
    n = len(rows)
    half = np.hypot(rows[:, 2], rows[:, 3])[:, None]
    reach = np.hypot(*(rows[:, :2] - rows[:, 6:8]).T)[:, None]
    # Most guesses are good, some are far off.
    off = MIDDLE * reach * rng.normal(0, 1, (n, 2)) * rng.choice([0.5, 1.0, 2.0], (n, 1))
    turn = rng.normal(0, TURN, (n, 1))
    across = np.stack([rows[:, 3], -rows[:, 2]], axis=1)
    axis = rows[:, 2:4] * np.cos(turn) - across * np.sin(turn)
    at = rows[:, :2] + AT * half * rng.normal(0, 1, (n, 2))
    return Indices(at, axis, rows[:, 6:8] + off, np.ones(n), np.zeros((n, 0)))


def scene_of_either(stock: Stock, rng: np.random.Generator) -> Scene:
    """One scene: of a table from above, or of all that the other networks learn of."""
    if rng.random() >= TABLE_SHARE:
        return make_scene(stock, rng)
    camera = webcam if rng.random() < WEBCAM_SHARE else photograph
    with patch.multiple(scenes, photograph=camera, **TABLE):
        return make_scene(stock, rng)


def together(parts: list[Faces]) -> Faces:
    """All as one."""
    return Faces(
        np.concatenate([part.image for part in parts]),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.suit for part in parts]),
    )


def _draw(stock: Stock, seed: int, out: mp.Queue) -> None:  # type: ignore[type-arg]
    rng = np.random.default_rng(seed)
    while True:
        faces = faces_of(scene_of_either(stock, rng), rng)
        out.put((faces.image, faces.rank, faces.suit))


class FaceFeed:
    """Fresh faces for ever; start it before the training device is touched (it forks)."""

    def __init__(self, stock: Stock, workers: int, seed: int) -> None:
        scene_of_either(stock, np.random.default_rng(seed))  # compile once, before the fork
        fork = mp.get_context("fork")
        self._drawn: mp.Queue = fork.Queue(1)  # type: ignore[type-arg]
        self._workers = [
            fork.Process(target=_draw, args=(stock, seed * 1000 + w, self._drawn), daemon=True)
            for w in range(workers)
        ]
        for worker in self._workers:
            worker.start()
        # A scene's faces are more than a pipe holds: they are taken out of it all the time.
        self._here: Queue[Faces] = Queue(WAITING)
        Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            self._here.put(Faces(*self._drawn.get()))

    def next(self) -> Faces:
        """The faces of the next scene; waits for it."""
        return self._here.get()

    def drawn(self) -> Iterator[Faces]:
        """All that is drawn by now."""
        while not self._here.empty():
            yield self.next()

    def close(self) -> None:
        """End the drawing."""
        for worker in self._workers:
            worker.terminate()
