"""Renders scenes in worker processes into a ring of shared memory, never waiting on the trainer.

The prototype of this feed starved its trainer by asking a queue whether it was empty; here the
trainer blocks until a filled slot arrives, and the rate of fresh scenes is printed beside the loss.
"""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory

import numpy as np
from numpy.typing import NDArray

from atlas import Stock
from scenes import CARD_COLUMNS, INDEX_COLUMNS, MOST_CARDS, MOST_INDICES, SIZE_PX, make_scene

SCENES_PER_SLOT = 8


@dataclass(frozen=True)
class Slot:
    """Views of one slot: SCENES_PER_SLOT scenes."""

    image: NDArray[np.uint8]
    indices: NDArray[np.float32]
    cards: NDArray[np.float32]
    surface: NDArray[np.uint8]


def _shapes() -> tuple[tuple[tuple[int, ...], type], ...]:
    n, s = SCENES_PER_SLOT, SIZE_PX
    return (
        ((n, s, s, 3), np.uint8),
        ((n, MOST_INDICES, INDEX_COLUMNS), np.float32),
        ((n, MOST_CARDS, CARD_COLUMNS), np.float32),
        ((n, s // 8, s // 8), np.uint8),
    )


def _slots(memory: SharedMemory, count: int) -> list[Slot]:
    at, out = 0, []
    for _ in range(count):
        views = []
        for shape, kind in _shapes():
            views.append(np.ndarray(shape, kind, memory.buf, at))
            at += int(np.prod(shape)) * np.dtype(kind).itemsize
        out.append(Slot(*views))
    return out


def _work(
    stock: Stock, name: str, count: int, seed: int, free: mp.SimpleQueue, full: mp.SimpleQueue
) -> None:  # type: ignore[type-arg]
    rng = np.random.default_rng(seed)
    memory = SharedMemory(name)
    slots = _slots(memory, count)
    while True:
        k = free.get()
        if k is None:
            return
        slot = slots[k]
        for i in range(SCENES_PER_SLOT):
            scene = make_scene(stock, rng)
            slot.image[i], slot.indices[i] = scene.image, scene.indices
            slot.cards[i], slot.surface[i] = scene.cards, scene.surface
        full.put(k)


class Feed:
    """Fresh scenes for ever; start it before the training device is touched (it forks)."""

    def __init__(self, stock: Stock, workers: int, seed: int, slots: int = 64) -> None:
        make_scene(stock, np.random.default_rng(seed))  # compile once, before the fork
        size = slots * sum(int(np.prod(s)) * np.dtype(k).itemsize for s, k in _shapes())
        self._memory = SharedMemory(create=True, size=size)
        self._slots = _slots(self._memory, slots)
        fork = mp.get_context("fork")
        self._free, self._full = fork.SimpleQueue(), fork.SimpleQueue()
        for k in range(slots):
            self._free.put(k)
        self._workers = [
            fork.Process(
                target=_work, daemon=True,
                args=(stock, self._memory.name, slots, seed * 1000 + w, self._free, self._full),
            )
            for w in range(workers)
        ]  # fmt: skip
        for worker in self._workers:
            worker.start()

    def batches(self, scenes: int) -> Iterator[Slot]:
        """Batches of `scenes` (a multiple of SCENES_PER_SLOT) copied out of the ring."""
        while True:
            parts = []
            for _ in range(scenes // SCENES_PER_SLOT):
                k = self._full.get()
                s = self._slots[k]
                parts.append((s.image.copy(), s.indices.copy(), s.cards.copy(), s.surface.copy()))
                self._free.put(k)
            yield Slot(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def close(self) -> None:
        for worker in self._workers:
            worker.terminate()
        self._memory.close()
        self._memory.unlink()
