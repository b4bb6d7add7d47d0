"""Finds how much the finder's heat and surface count for a card's score; prints the weights.

    python models/train/fit_cards.py

Whole cards that the finder sees on rendered scenes of the decks it was trained on are held against
the truth: nothing, a face or a back. What comes out stands in `referee/vision/card_scores.py`; the
scores of held-out decks are printed for comparison, with how many backs they find.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atlas import load_stock
from referee.vision.card_scores import card_features, card_scores
from referee.vision.networks import Networks
from referee.vision.peaks import cards_of
from referee.vision.pyramid import levels, tiles
from scenes import Scene, make_scene
from script import parser

Floats = NDArray[np.float64]

# ---- settings -------------------------------------------------------------------------------
SCENES = 160
NEAR, SMALLEST, LARGEST = 0.25, 0.65, 1.5  # of a true card's height: an outline is one of it
SEEN_SHARE = 0.28  # of a card must show for the finder to be asked for it
STEPS, DECAY = 40, 1e-3
NOTHING, FACE, BACK, UNSURE = 0, 1, 2, -1
BARS = (0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True)
class Looks:
    """Outlines on some scenes: N x 7 features, N x 2 scores as they are, N truths."""

    features: Floats
    scores: Floats
    truth: NDArray[np.intp]


def looks(networks: Networks, data: Path, held_out: bool, scenes: int, seed: int) -> Looks:
    """Every outline that the finder sees on `scenes` rendered scenes, and what is there."""
    stock, rng = load_stock(data, held_out=held_out), np.random.default_rng(seed)
    parts = []
    for _ in range(scenes):
        scene = make_scene(stock, rng)
        parts += [_on_tile(networks, scene, level, tile)
                  for level in levels(scene.image) for tile in tiles(level)]  # fmt: skip
    features, scores, truth = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Looks(features, scores, truth)


def _on_tile(networks, scene: Scene, level, tile):  # type: ignore[no-untyped-def]
    maps = networks.find(tile.image)
    cards = cards_of(maps, level, tile)
    corner = np.array([tile.left, tile.top], np.float64)
    middle = (cards.middle + 0.5) * level.scale - 0.5 - corner
    where = maps, middle, cards.down * level.scale, cards.across * level.scale
    truth = np.array(
        [_truth(scene, at, 2 * float(np.hypot(*down)))
         for at, down in zip(cards.middle, cards.down, strict=True)], np.intp,
    )  # fmt: skip
    return card_features(*where), card_scores(*where), truth


def _truth(scene: Scene, at: Floats, tall: float) -> int:
    rows = scene.cards[scene.cards[:, 9] >= 0]
    off = np.hypot(*(rows[:, :8].reshape(-1, 4, 2).mean(1) - at).T)
    size = tall / rows[:, 10]
    here = (off < NEAR * rows[:, 10]) & (size > SMALLEST) & (size < LARGEST)
    if not here.any():
        return NOTHING
    k = int(np.argmin(np.where(here, off - rows[:, 10] * (rows[:, 9] >= SEEN_SHARE), np.inf)))
    return UNSURE if rows[k, 9] < SEEN_SHARE else (BACK if rows[k, 8] > 0.5 else FACE)


def fitted(some: Looks) -> Floats:
    """2 x 7 weights of a softmax against nothing, by Newton's steps."""
    known = some.truth >= 0
    x, y = some.features[known], np.eye(3)[some.truth[known]]
    n, d = x.shape
    w = np.zeros((2, d))
    for _ in range(STEPS):
        p = _softmax(x, w)
        slope = ((p - y)[:, 1:].T @ x) / n + DECAY * w
        curve = DECAY * np.eye(2 * d)
        for a in range(2):
            for b in range(2):
                weight = p[:, a + 1] * ((a == b) - p[:, b + 1])
                block = (x * weight[:, None]).T @ x / n
                curve[a * d : (a + 1) * d, b * d : (b + 1) * d] += block
        w -= np.linalg.solve(curve, slope.ravel()).reshape(2, d)
    return w


def _softmax(x: Floats, w: Floats) -> Floats:
    z = np.concatenate([np.zeros((len(x), 1)), x @ w.T], axis=1)
    odds = np.exp(z - z.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True))


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--scenes", type=int, default=SCENES)
    a = ap.parse_args()
    networks = Networks(a.models, 1)
    weights = fitted(looks(networks, a.data, False, a.scenes, 1))
    print(np.array2string(weights, precision=2, suppress_small=True, separator=", "))
    unseen = looks(networks, a.data, True, a.scenes, 2)
    scores = _softmax(unseen.features, weights)
    for bar in BARS:
        said = scores[:, BACK] >= bar
        right = float((unseen.truth[said] == BACK).mean())
        print(f"back from {bar}: {said.sum()} said, right {right:.3f}")


if __name__ == "__main__":
    main()
