"""What letters mean: one language prints B D K A on its cards, another J Q K A, a third numbers.

Which language a deck speaks is found from all the indices of a picture together, as the shares of
a mixture (expectation and maximisation with a prior), so that a French V is a jack and a Dutch V a
queen, and an 8 among English cards is not read as the B it looks like.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.vision.networks import JOKER_RANK, NO_SUIT, NUMBERS, PRINTED, RANK_LOGITS, RANKS

Floats = NDArray[np.float64]
# Which cards there can be: all that are known, those with suits and jokers, or the numbers of XIX.
Deck = Literal["any", "suited", "numbers"]
Language = Literal["any", "english", "german", "french", "dutch", "swedish", "russian"]

NAMES = JOKER_RANK + 1 + len(NUMBERS)
_COMMON = {**{sign: sign for sign in RANKS[1:10]}, "JOKER": "JOKER"}
# German also serves Austria and the printed text of Spy vs. Spy; French cards print 1 or A.
MEANINGS: dict[str, dict[str, str]] = {
    "english": {**_COMMON, "A": "A", "J": "J", "Q": "Q", "K": "K"},
    "german": {**_COMMON, "A": "A", "B": "J", "D": "Q", "K": "K"},
    "french": {**_COMMON, "1": "A", "A": "A", "V": "J", "D": "Q", "R": "K"},
    "dutch": {**_COMMON, "A": "A", "B": "J", "V": "Q", "H": "K"},
    "swedish": {**_COMMON, "A": "A", "Kn": "J", "D": "Q", "K": "K"},
    "russian": {**_COMMON, "Т": "A", "В": "J", "Д": "Q", "K": "K"},
}
LANGUAGES = tuple(MEANINGS)
SAME_SHAPE = {"В": "B"}  # the Cyrillic letter is printed like the Latin one
# How many sure indices each kind of deck is worth before one is seen: English decks are most of
# what is sold. Judgement; ten times more or less changed nothing where two courts were in view.
BEFORE = {"english": 2.0, "numbers": 0.5}
BEFORE_OTHERS = 0.1
ROUNDS = 8
FLOOR = 1e-9


def meant(printed: Floats, suit: Floats, deck: Deck, language: Language) -> tuple[Floats, Floats]:
    """What is printed on the indices of one picture -> the ranks and suits that it means.

    printed: N x 31 log-probabilities of signs, suit: N x 5 of suits. Returns N x 23
    log-probabilities of ranks (A to K, joker, numbers) and N x 5 of suits, the last of which is a
    number card's lack of one. A hidden suit leaves less than 1 to all of them together.
    """
    kinds = _kinds(deck, language)
    signs, suits = np.exp(printed), np.exp(suit)
    ranks = np.stack([signs @ _table(kind) for kind in kinds])  # kinds x N x 23
    fits = np.stack([_fit(kind, rank, suits) for kind, rank in zip(kinds, ranks, strict=True)])
    share = _shares(fits, np.array([_before(kind) for kind in kinds]))
    ranks /= ranks.sum(2, keepdims=True) + FLOOR
    rank = (share[:, :, None] * ranks).sum(0)
    number = share[[kind == "numbers" for kind in kinds]].sum(0)
    told = suits * (1.0 - number)[:, None]
    told[:, NO_SUIT] = number
    return np.log(rank + FLOOR), np.log(told + FLOOR)


def _kinds(deck: Deck, language: Language) -> tuple[str, ...]:
    suited = LANGUAGES if language == "any" else (language,)
    return {"any": (*suited, "numbers"), "suited": suited, "numbers": ("numbers",)}[deck]


def _before(kind: str) -> float:
    return BEFORE.get(kind, BEFORE_OTHERS)


@cache  # one for each language: every look at a picture needs them all
def _table(kind: str) -> Floats:
    """31 x 23: which rank a printed sign is, in one language."""
    table = np.zeros((RANK_LOGITS, NAMES))
    if kind == "numbers":
        own = [*range(1, 10), *range(JOKER_RANK + 1, NAMES)]
        table[own, own] = 1.0
        return table
    for sign, rank in MEANINGS[kind].items():
        row = PRINTED.index(SAME_SHAPE.get(sign, sign))
        table[row, PRINTED.index(rank)] = 1.0
    return table


def _fit(kind: str, rank: Floats, suits: Floats) -> Floats:
    """N: how probable what is printed is on a card of this kind."""
    if kind == "numbers":
        return np.asarray(rank.sum(1) * suits[:, NO_SUIT] + FLOOR)
    joker = rank[:, JOKER_RANK]
    return np.asarray(joker + (rank.sum(1) - joker) * suits[:, :NO_SUIT].sum(1) + FLOOR)


def _shares(fits: Floats, before: Floats) -> Floats:
    """Of which kind each index is, kinds x N, all of a picture speaking for each."""
    seen = np.zeros_like(before)
    for _ in range(ROUNDS):
        share: Floats = (before + seen)[:, None] * fits
        share /= share.sum(0)
        seen = share.sum(1)
    return share
