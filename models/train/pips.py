"""Draws faces of black cards, clubs and spades, for the pip reader; again to draw more.

    python models/train/pips.py --files 40 --workers 15
    python models/train/pips.py --files 1 --held-out --seed 9

Each file holds CARDS cards of scenes as a camera above a table sees them. Needs the decks and the
scenery of `README.md`, and the index reader that is shipped: it tells where pips are looked for.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import os
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

import scenes
from atlas import Stock, load_stock
from calm_tables import webcam
from faces import SEEN_SHARE, found_at
from photometry import photograph
from referee.vision.naming import CLUBS, SPADES
from referee.vision.networks import JOKER_RANK, RANK_LOGITS, SUIT_LOGITS
from referee.vision.pyramid import levels
from referee.vision.upright import upright_faces, upright_indices
from scenes import Scene, make_scene

# ---- settings -------------------------------------------------------------------------------
CARDS = 4_000
# Small cards, mostly in columns, few face down, no numbers and no letters of other languages.
TABLE = {
    "CARD_PX": (52.0, 200.0), "TILT_FLAT_SHARE": 0.85, "TILT_MOST_DEG": 40.0,
    "NUMBERS_SHARE": 0.0, "FOREIGN_SHARE": 0.0, "GROUP_DOWN_SHARE": 0.08,
    "LAYOUT_WEIGHTS": (0.2, 0.1, 0.42, 0.1, 0.06, 0.07, 0.05),
}  # fmt: skip
WEBCAM_SHARE = 0.6


@dataclass(frozen=True)
class Blacks:
    """N x 96 x 72 x 3 upright faces, N ranks and log-odds of spades by their indices; the truth."""

    image: NDArray[np.uint8]
    rank: NDArray[np.int64]
    odds: NDArray[np.float32]
    spade: NDArray[np.bool_]


def blacks_of(scene: Scene, reader: ort.InferenceSession, rng: np.random.Generator) -> Blacks:
    """The black cards of a scene whose index shows, cut out where the finder might see them."""
    rows = scene.indices[scene.indices[:, 10] >= SEEN_SHARE].astype(np.float64)
    rows = rows[np.hypot(*(rows[:, :2] - rows[:, 6:8]).T) > 1.0]
    rows = rows[np.isin(rows[:, 9], (CLUBS, SPADES)) & (rows[:, 8] < JOKER_RANK)]
    pyramid, found = levels(scene.image), found_at(rows, rng)
    image, crops = upright_faces(pyramid, found), upright_indices(pyramid, found)
    told = np.zeros((0, RANK_LOGITS + SUIT_LOGITS), np.float32)
    if len(crops):
        told = reader.run(("logits",), {"crops": crops})[0]
    odds = told[:, RANK_LOGITS + SPADES] - told[:, RANK_LOGITS + CLUBS]
    rank = told[:, :JOKER_RANK].argmax(axis=1) if len(told) else np.zeros(0, np.int64)
    return Blacks(image, rank, odds, rows[:, 9] == SPADES)


def table_scene(stock: Stock, rng: np.random.Generator) -> Scene:
    """One scene of a table from above."""
    camera = webcam if rng.random() < WEBCAM_SHARE else photograph
    with patch.multiple(scenes, photograph=camera, **TABLE):
        return make_scene(stock, rng)


def together(parts: list[Blacks]) -> Blacks:
    """All as one."""
    return Blacks(
        np.concatenate([part.image for part in parts]),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.odds for part in parts]),
        np.concatenate([part.spade for part in parts]),
    )


def load(files: list[Path]) -> Blacks:
    """What was drawn into some files."""
    return together([Blacks(**np.load(file)) for file in files])


def draw(stock: Stock, models: Path, seed: int, file: Path) -> None:
    """Draw the cards of one file."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    reader = ort.InferenceSession(models / "index.onnx", options)
    rng, parts = np.random.default_rng(seed), list[Blacks]()
    while sum(len(part.spade) for part in parts) < CARDS:
        parts.append(blacks_of(table_scene(stock, rng), reader, rng))
    drawn, new = together(parts), file.with_suffix(".new.npz")
    np.savez(new, image=drawn.image, rank=drawn.rank, odds=drawn.odds, spade=drawn.spade)
    os.replace(new, file)
    print(file.name, len(drawn.spade), flush=True)


def _work(stock: Stock, a: argparse.Namespace, worker: int) -> None:
    kind = "held_out" if a.held_out else "learned"
    for number in range(worker, a.files, a.workers):
        seed = a.seed * 1000 + number
        draw(stock, a.models, seed, a.out / f"{kind}_{seed}.npz")


def main(a: argparse.Namespace) -> None:
    """Draw the files, by some processes."""
    cv2.setNumThreads(1)  # before the fork: OpenCV's pool of threads does not survive one
    a.out.mkdir(parents=True, exist_ok=True)
    stock, fork = load_stock(a.data, held_out=a.held_out), mp.get_context("fork")
    table_scene(stock, np.random.default_rng(a.seed))  # compile once, before the fork
    workers = [fork.Process(target=_work, args=(stock, a, k)) for k in range(a.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def options() -> argparse.ArgumentParser:
    """The command's options."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).parent
    ap.add_argument("--data", type=Path, default=here / "data")
    ap.add_argument("--models", type=Path, default=here.parent)
    ap.add_argument("--out", type=Path, default=here / "data" / "pips")
    ap.add_argument("--files", type=int, default=40, help="how many, of CARDS cards each")
    ap.add_argument("--held-out", action="store_true", help="of the decks that are held out")
    ap.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    ap.add_argument("--seed", type=int, default=1, help="others than 1 draw other cards")
    return ap


if __name__ == "__main__":
    main(options().parse_args())
