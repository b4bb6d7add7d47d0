"""Each card of a deck is there once: what is surely one card is no other, as a checksum tells.

The names of a picture's indices are weighed together: what one card surely is, cards elsewhere are
hardly. This is the mean field of a model in which two cards of one name almost never lie there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.deck_profile import NUMBERED, SUITED, rank_number, suit_number
from referee.vision.networks import JOKER
from referee.vision.peaks import Indices

Floats = NDArray[np.float64]

NAMES = (*SUITED, JOKER, *NUMBERED)
_RANK_OF = np.array([rank_number(name) for name in NAMES])
_SUIT_OF = np.array([suit_number(name) for name in NAMES])
_IS_JOKER = np.array([name == JOKER for name in NAMES])
# The indices of one card lie at most so many of their half heights apart: small indices are a
# ninth of the card's height, and lie a card's height apart.
ONE_CARD = 18.0
# How probable a second card of one name is, a card of another deck or a second read of the same
# card: two surely read ones stay named.
SECOND = 0.02
ROUNDS = 6  # moved no name after that on thirty tables


def joint(rank: Floats, suit: Floats) -> Floats:
    """N x 71 log-probabilities of NAMES, of N x 23 of ranks and N x 5 of suits."""
    return np.asarray(rank[:, _RANK_OF] + np.where(_IS_JOKER, 0.0, suit[:, _SUIT_OF]))


def once_each(indices: Indices, log_p: Floats, real: Floats) -> Floats:
    """Return N x 71 log-probabilities of NAMES where each card is there once.

    log_p: N x 71 of each index alone, where what is missing to 1 is a card that cannot be told, as
    one with a hidden suit; real: N, the probability that it is an index at all.
    """
    elsewhere = _elsewhere(indices)
    alone = log_p
    said = np.exp(log_p)
    untold = np.clip(1.0 - said.sum(axis=1, keepdims=True), 0.0, 1.0)
    said = said * real[:, None]
    for _ in range(ROUNDS):
        taken = np.array([said[row].max(axis=0, initial=0.0) for row in elsewhere])
        taken = np.where(_IS_JOKER, 0.0, taken.reshape(log_p.shape))
        left = np.exp(alone) * (1.0 - (1.0 - SECOND) * taken)
        log_p = np.log(left) - np.log(left.sum(axis=1, keepdims=True) + untold)
        # Half a step: two that would step back at once would then both come forward again.
        said = (said + np.exp(log_p) * real[:, None]) / 2
    return log_p


def _elsewhere(indices: Indices) -> NDArray[np.bool_]:
    """N x N: which indices are too far apart to be of one card."""
    half = np.hypot(indices.axis[:, 0], indices.axis[:, 1])
    apart = np.hypot(*(indices.at[:, None] - indices.at[None]).transpose(2, 0, 1))
    return np.asarray(apart > ONE_CARD * np.maximum(half[:, None], half[None]))
