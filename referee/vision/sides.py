"""On which side of its index each card lies: decks with four indices leave that open.

Of two cards that overlap one lies above, and it hides what it covers. So two cards cannot each
cover the other's index where both indices are seen; of such a pair one lies on the other side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.values.spots import CARD_H_MM, CARD_W_MM

Floats = NDArray[np.float64]

# An index lies 5 mm within its card's long edge; one that lies less far within another card may
# just look out beside it.
WITHIN_MM = 2.5
# Places of one card, as its indices tell them, differ by less; with two names, by far less.
SAME_MM, EXACT_MM = 12.0, 4.0


@dataclass(frozen=True, slots=True)
class Sides:
    """N indices of cards, on the table, in millimetres.

    index: N x 2 where they were read; up: N x 2 directions of their cards' tops; here and there:
    N x 2 the card's middle on the likelier side and on the other; name: N, a number for each name;
    score: N, how sure it is; turnable tells whether one may lie on the other side.
    """

    index: Floats
    up: Floats
    here: Floats
    there: Floats
    name: NDArray[np.intp]
    score: Floats
    turnable: Callable[[int], bool]


def turned(sides: Sides) -> NDArray[np.bool_]:
    """Return which of N cards lie on the other side: as few as make the least impossible."""
    out = np.zeros(len(sides.index), np.bool_)
    while True:
        at = np.where(out[:, None], sides.there, sides.here)
        clashes = _clashes(sides, at).sum(axis=1)
        gains = [
            (int(clashes[k]) - _if_turned(sides, at, k), -float(sides.score[k]), k)
            for k in map(int, np.flatnonzero(~out & (clashes > 0)))
            if sides.turnable(k)
        ]
        gain, _, best = max(gains, default=(0, 0.0, -1))
        if gain <= 0:
            return out
        out[best] = True


def _if_turned(sides: Sides, at: Floats, k: int) -> int:
    """Count the impossible pairs that a card would be in on its other side."""
    other = at.copy()
    other[k] = sides.there[k]
    return int(_clashes(sides, other)[k].sum())


def _clashes(sides: Sides, at: Floats) -> NDArray[np.bool_]:
    """N x N: does each of two cards cover the other's index?"""
    over = _over(at, sides.up, sides.index)
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    one = (apart < SAME_MM) & (sides.name[:, None] == sides.name[None]) | (apart < EXACT_MM)
    return np.asarray(over & over.T & ~one & ~np.eye(len(at), dtype=bool))


def _over(at_mm: Floats, up: Floats, index_mm: Floats) -> NDArray[np.bool_]:
    """N x N: does the card of the row cover the index of the column?"""
    off = index_mm[None] - at_mm[:, None]
    along = np.abs((off * up[:, None]).sum(axis=2))
    across = np.abs(off[..., 0] * up[:, None, 1] - off[..., 1] * up[:, None, 0])
    return np.asarray((along < CARD_H_MM / 2 - WITHIN_MM) & (across < CARD_W_MM / 2 - WITHIN_MM))
