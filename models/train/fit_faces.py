"""Fits how much the whole face says beside its index (`FACE_*` and `INDEX_*` of naming.py).

    python models/train/fit_faces.py --tables 40 --scenes 120

Places of indices are found and read by the shipped reader on calm tables and rendered scenes of
half of the held-out decks; each is held against the truth. Printed for each pair of weights: the
mean loss of the true names, and of all names said from the reader's threshold on how many are right
and wrong. The other half of the decks is for measuring: `calm_tables.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product

import cv2
import numpy as np

from atlas import load_stock
from calm_tables import LIGHT, SURFACES, make_table
from evaluate import NEAR, SEEN_SHARE
from referee.vision.detect import Reader
from referee.vision.naming import FINDER_WEIGHT, INDEX_SCORE, NAME_SCORE
from referee.vision.networks import IS_INDEX, RANK_LOGITS
from referee.vision.pyramid import levels
from referee.vision.upright import upright_faces
from scenes import Scene, make_scene
from script import parser

# ---- settings -------------------------------------------------------------------------------
INDEX_WEIGHTS, FACE_WEIGHTS = (
    (0.6, 0.7, 0.8, 0.9, 1.0),
    (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0),
)
HALF = (0, 2)  # of the held-out decks
BEST = 6
PARTS = {"rank": slice(0, RANK_LOGITS), "suit": slice(RANK_LOGITS, IS_INDEX)}


@dataclass(frozen=True)
class Asked:
    """N places of true indices: the logits of the three networks, and what is there."""

    index: np.ndarray
    finder: np.ndarray
    face: np.ndarray
    rank: np.ndarray
    suit: np.ndarray


def asked(reader: Reader, scene: Scene) -> Asked:
    """What is said at the true indices of one scene."""
    pyramid = levels(scene.image)
    seen = reader._read_closely(pyramid, reader._find(pyramid)[0])
    real = np.flatnonzero(1 / (1 + np.exp(-seen.logits[:, IS_INDEX])) >= INDEX_SCORE)
    rows = scene.indices[scene.indices[:, 10] >= SEEN_SHARE]
    half = np.hypot(rows[:, 2], rows[:, 3])
    pairs = []
    for k in real:
        away = np.hypot(*(rows[:, :2] - seen.indices.at[k]).T) / half
        if len(away) and away.min() < NEAR:
            pairs.append((k, int(away.argmin())))
    k, true = np.array(pairs, int).reshape(-1, 2).T
    places = seen.indices.take(k)
    face = reader._networks.name(upright_faces(pyramid, places))
    return Asked(seen.logits[k], places.logits, face, rows[true, 8], rows[true, 9])


def said(one: Asked, part: str, index: float, face: float) -> np.ndarray:
    """N x C log-probabilities of ranks or suits with such weights."""
    where = PARTS[part]
    told = index * log_softmax(one.index[:, where]) + face * log_softmax(one.face[:, where])
    return log_softmax(log_softmax(told) + FINDER_WEIGHT * log_softmax(one.finder[:, where]))


def log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(1, keepdims=True)))


def fitted(one: Asked, part: str) -> None:
    """Print the losses of all pairs of weights, the best first, and of the index alone."""
    want = getattr(one, part).astype(int)
    rows = []
    for index, face in product(INDEX_WEIGHTS, FACE_WEIGHTS):
        log_p = said(one, part, index, face)
        loss = -log_p[np.arange(len(want)), want].mean()
        best, sure = log_p.argmax(1), np.exp(log_p.max(1)) >= NAME_SCORE
        shares = ((best == want) & sure).mean(), ((best != want) & sure).mean()
        rows.append((loss, index, face, *shares))
    alone = [row for row in rows if row[1:3] == (1.0, 0.0)]
    for loss, index, face, right, wrong in [*sorted(rows)[:BEST], *alone]:
        print(f"{part}  index {index:.2f}  face {face:.2f}  loss {loss:.4f}  right {right:.4f}"
              f"  wrong {wrong:.4f}  n {len(want)}")  # fmt: skip


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--tables", type=int, default=40)
    ap.add_argument("--scenes", type=int, default=120)
    ap.add_argument("--seed", type=int, default=91)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    reader, rng = Reader(a.models, 1), np.random.default_rng(a.seed)
    stock = load_stock(a.data, True, every=HALF, families=LIGHT, grounds_of=SURFACES)
    many = [asked(reader, make_table(stock, rng).scene) for _ in range(a.tables)]
    stock = load_stock(a.data, True, every=HALF)
    many += [asked(reader, make_scene(stock, rng)) for _ in range(a.scenes)]
    names = [field.name for field in fields(Asked)]
    every = Asked(*(np.concatenate([getattr(one, name) for one in many]) for name in names))
    for part in PARTS:
        fitted(every, part)


if __name__ == "__main__":
    main()
