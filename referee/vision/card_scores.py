"""How probable it is that a card lies where the finder sees one, face up or face down.

A peak of the finder's heat map is no probability: of fully visible backs most have 0.4 to 0.7. What
it sees on the card's whole surface says more. Both are weighed as in `fit_cards.py` beside the
training script, which found the weights on rendered scenes of decks that were trained on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.networks import COARSE_CELL_PX, Maps

Floats = NDArray[np.float64]

# Rows: face up, face down. Columns: logits of the face's and the back's heat, shares of the card's
# surface that look like face, back and hand, logarithm of its height over 100 px, 1.
WEIGHTS = np.array(
    [
        [2.02, 0.21, 2.11, 0.23, 0.11, 1.02, 0.73],
        [0.42, 1.78, 0.55, 1.26, 0.25, 0.88, 1.03],
    ]
)
HEIGHT_PX = 100.0
LEAST = 1e-4  # of a heat, so that its logit stays finite
# Where the surface is looked at: 7 x 7 points, a tenth of the card away from its edge.
_ACROSS, _DOWN = (v.ravel() for v in np.meshgrid(*[np.linspace(-0.8, 0.8, 7)] * 2))


def card_scores(maps: Maps, middle: Floats, down: Floats, across: Floats) -> Floats:
    """N x 2 probabilities of a card lying face up and face down.

    middle, down, across: N x 2, px of the picture that `maps` are of: the card's middle, half
    height and half width.
    """
    rows = card_features(maps, middle, down, across)
    logits = np.concatenate([np.zeros((len(rows), 1)), rows @ WEIGHTS.T], axis=1)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((odds / odds.sum(axis=1, keepdims=True))[:, 1:])


def card_features(maps: Maps, middle: Floats, down: Floats, across: Floats) -> Floats:
    """N x 7, in the order of WEIGHTS; arguments as of `card_scores`."""
    heat = np.clip(_hottest(maps, middle), LEAST, 1 - LEAST)
    seen = _surface(maps, middle, down, across)
    height = np.log(2 * np.hypot(down[:, 0], down[:, 1]) / HEIGHT_PX)
    logits = np.log(heat / (1 - heat))
    return np.column_stack([logits, seen[:, 1:], height, np.ones(len(middle))])


def _hottest(maps: Maps, middle: Floats) -> Floats:
    """N x 2: the highest heats of a face and a back in the 3 x 3 cells about each middle."""
    heat = 1 / (1 + np.exp(-np.pad(maps.coarse[:2], ((0, 0), (1, 1), (1, 1)), mode="edge")))
    x, y = _cells(maps, middle)
    near = [heat[:, y + dy, x + dx] for dy in range(3) for dx in range(3)]
    return np.asarray(np.max(near, axis=0).T, np.float64)


def _surface(maps: Maps, middle: Floats, down: Floats, across: Floats) -> Floats:
    """N x 4: the mean probabilities of table, face, back and hand over each card."""
    odds = np.exp(maps.coarse[8:12] - maps.coarse[8:12].max(axis=0))
    surface = odds / odds.sum(axis=0)
    points = middle[:, None] + _ACROSS[:, None] * across[:, None] + _DOWN[:, None] * down[:, None]
    x, y = _cells(maps, points.reshape(-1, 2))
    return np.asarray(
        surface[:, y, x].reshape(4, len(middle), len(_DOWN)).mean(axis=2).T, np.float64
    )


def _cells(maps: Maps, at: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The columns and rows of the cells that hold some points; those outside are moved in."""
    high, wide = maps.coarse.shape[1:]
    cells = np.rint(at / COARSE_CELL_PX).astype(np.intp)
    return np.clip(cells[:, 0], 0, wide - 1), np.clip(cells[:, 1], 0, high - 1)
