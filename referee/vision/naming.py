"""Names cards: what each index says, which indices are of one card, and how sure all this is."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, Point
from referee.vision import deck_census
from referee.vision.deck_evidence import NETWORK_WEIGHT, Told
from referee.vision.languages import Deck, Language, meant
from referee.vision.networks import (
    IS_INDEX,
    JOKER,
    JOKER_RANK,
    NO_SUIT,
    NUMBERS,
    RANK_LOGITS,
    RANKS,
    SUIT_LOGITS,
    SUITS,
    FloatArray,
)
from referee.vision.peaks import Cards, Indices

Floats = NDArray[np.float64]
_RANK, _SUIT = slice(0, RANK_LOGITS), slice(RANK_LOGITS, RANK_LOGITS + SUIT_LOGITS)
Said = tuple[str, float]
"""A name and its probability."""

# Set by judgement, not searched for. A sweep on 120 held-out rendered scenes, with networks a third
# trained, showed what moves: names said from 0.5 / 0.6 / 0.7 / 0.8 were wrong in 7 / 6 / 4 / 2 of
# 100 indices and right in 44 / 41 / 37 / 32; the other numbers moved about one in 100.
INDEX_SCORE = 0.5  # below this the place is no index at all
NAME_SCORE = 0.6  # below this a name is not said: "??"
FINDER_WEIGHT = 0.25  # of the finder's own opinion beside the index reader's
INDEX_RANK, FACE_RANK = 0.9, 0.4
INDEX_SUIT, FACE_SUIT = 1.0, 0.5
# Of what both say of clubs and spades. A court has few pips, beside its picture: with more of their
# weight held-out courts are named worse.
INDEX_BLACK, PIPS_BLACK, COURT_BLACK = 0.8, 0.85, 0.3
LEAST_PIPS = 0.5  # log-odds; of a card whose pips are covered they are less
# Log-odds between them from which the index is believed: of 861 black cards of two makers' films
# none was named of the other suit by more than 3.7.
SURE_BLACK = 4.5
# A face that shows another rank so surely, and the index's so little, belies that. Of 276 surely
# read eights of two sets of real photographs no face does. It outweighs the index by so much at
# most, in nats, by judgement.
BELIES, BELIED, MOST_BELIED = 0.9, 0.02, 5.0
EIGHT, JACK = RANKS.index("8"), RANKS.index("J")
CLUBS, SPADES = SUITS.index("C"), SUITS.index("S")
CARD_SCORE = 0.5  # of a back, or of a face-up card without a readable index
SURE_OUTLINE = 0.75  # a card seen so surely may also lie on another one
SURE = 0.9  # a card named so surely is taken as known when others are weighed
CORNER_OUT = 1.3  # from a card's middle its corner is so much farther off than its index
PICTURE = 0.75  # of a card's height: a lower outline on it is a figure printed there
PICTURE_WIDTH = 0.7  # of a card's width: what lies outside is the column of the indices
SAME_CARD = 0.3  # two guesses of a card's middle, as a share of their distance from the index


def named(
    indices: Indices,
    logits: Floats,
    cards: Cards,
    deck: Deck = "any",
    language: Language = "any",
    told: Told | None = None,
    once: bool = False,
) -> tuple[CardRead, ...]:
    """All reads of one picture: one for each index, then cards that no index names.

    logits: N x 37 or more, of the index reader (31 signs, 5 suits, is an index). `deck` says which
    cards there can be, `language` what the letters on them mean, `told` what learned decks say,
    `once` that one deck lies there, of which each card is there once.
    """
    real = _sigmoid(logits[:, IS_INDEX])
    good = np.flatnonzero(real >= INDEX_SCORE)
    indices, logits, real = indices.take(good), logits[good], real[good]
    rank, suit = weighed(indices, logits, deck, language, told and told.take(good))
    owner = _owners(indices, cards)
    said = _once_each(indices, rank, suit, real) if once else list(map(_name, rank, suit))
    reads = [
        _index_read(indices, k, said[k], float(real[k]), cards, int(owner[k]))
        for k in range(len(indices))
    ]
    sure = [k for k, read in enumerate(reads) if read.label != "??" and read.score >= SURE]
    known = _outlines([reads[k] for k in sure])
    kept = [r for r, c in zip(reads, owner, strict=True) if not _in_a_picture(r, int(c), known)]
    lying = [*known, *_lying(indices, sure)]
    return (*kept, *_unnamed(indices, cards, owner, known, lying))


def with_faces(logits: Floats, names: FloatArray) -> Floats:
    """N x 41 answers about indices, joined with N x 36 logits of the faces they are printed on.

    Large pips are three times as high as an index's own, and a court's are many.
    """
    out = logits.copy()
    for part, index, face in ((_RANK, INDEX_RANK, FACE_RANK), (_SUIT, INDEX_SUIT, FACE_SUIT)):
        told = _log_softmax(names[:, part].astype(np.float64))
        out[:, part] = index * _log_softmax(logits[:, part]) + face * told
    return out


def says_eight(logits: Floats) -> NDArray[np.bool_]:
    """Which of N x 41 answers about indices name an eight: part of it is any round figure."""
    return np.asarray(signs(logits) == EIGHT)


def against_faces(logits: Floats, names: FloatArray) -> Floats:
    """N x 41 answers that name eights, joined with N x 36 logits of faces that show others.

    The figure of a five that is printed mirrored looks like an eight; its pips do not. Which of the
    two it is the face alone tells.
    """
    out, told = logits.copy(), _log_softmax(names[:, _RANK].astype(np.float64))
    best = told.argmax(axis=1)
    belied = (told.max(axis=1) > np.log(BELIES)) & (told[:, EIGHT] < np.log(BELIED))
    for k in np.flatnonzero(belied):
        out[k, best[k]] = out[k, EIGHT] + min(told[k, best[k]] - told[k, EIGHT], MOST_BELIED)
    return out


def says_black(logits: Floats) -> NDArray[np.bool_]:
    """Which of N x 41 answers about indices name a club or a spade, and not surely which."""
    suit, suited = logits[:, _SUIT], signs(logits) < JOKER_RANK
    black = suited & np.isin(suit.argmax(axis=1), (CLUBS, SPADES))
    return np.asarray(black & (np.abs(suit[:, SPADES] - suit[:, CLUBS]) < SURE_BLACK))


def signs(logits: Floats) -> NDArray[np.intp]:
    """The likeliest signs by N x 41 answers about indices (N,): ranks, the joker, numbers."""
    return np.asarray(logits[:, _RANK].argmax(axis=1))


def ranks_of(logits: Floats) -> list[int]:
    """The likeliest ranks by N x 41 answers that name cards of a suit: 0 the ace, 12 the king."""
    return [int(rank) for rank in logits[:, :JOKER_RANK].argmax(axis=1)]


def parted(logits: Floats, pips: FloatArray) -> Floats:
    """N x 41 answers that name black cards, joined with N log-odds of spades by their pips.

    Where those say nothing, the index alone does.
    """
    out, (clubs, spades) = logits.copy(), (_RANK.stop + suit for suit in (CLUBS, SPADES))
    index, speak = out[:, spades] - out[:, clubs], np.abs(pips) >= LEAST_PIPS
    weight = np.where(signs(logits) >= JACK, COURT_BLACK, PIPS_BLACK)
    odds = np.where(speak, INDEX_BLACK * index + weight * pips, index)
    black = np.logaddexp(out[:, clubs], out[:, spades])
    out[:, clubs] = black - np.logaddexp(0.0, odds)
    out[:, spades] = black - np.logaddexp(0.0, -odds)
    return out


def weighed(
    indices: Indices, logits: Floats, deck: Deck, language: Language, told: Told | None
) -> tuple[Floats, Floats]:
    """Log-probabilities of 23 ranks and 5 suits of the indices of one picture."""
    printed, suit = _agreed(indices, *_both_opinions(indices, logits))
    rank, suit = meant(printed, suit, deck, language)
    if told is None:
        return rank, suit
    return (
        _log_softmax(NETWORK_WEIGHT * rank + told.rank),
        _log_softmax(NETWORK_WEIGHT * suit + told.suit),
    )


def _once_each(indices: Indices, rank: Floats, suit: Floats, real: Floats) -> list[Said]:
    """The likeliest names and their probabilities where each card is there once."""
    log_p = deck_census.once_each(indices, deck_census.joint(rank, suit), real)
    best = log_p.argmax(axis=1)
    return [
        (deck_census.NAMES[k], float(np.exp(row[k]))) for k, row in zip(best, log_p, strict=True)
    ]


def _both_opinions(indices: Indices, logits: Floats) -> tuple[Floats, Floats]:
    """Log-probabilities of signs and suits, the finder's own opinion weighing less."""
    both = []
    for part in (_RANK, _SUIT):
        finder = _log_softmax(indices.logits[:, part])
        both.append(_log_softmax(logits[:, part] + FINDER_WEIGHT * finder))
    return both[0], both[1]


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


def _log_softmax(x: Floats) -> Floats:
    x = x - x.max(axis=1, keepdims=True) if len(x) else x
    return np.asarray(x - np.log(np.exp(x).sum(axis=1, keepdims=True)))


def _agreed(indices: Indices, rank: Floats, suit: Floats) -> tuple[Floats, Floats]:
    """Each index's log-probabilities joined with those of its card's other indices."""
    same = same_card(indices) & ~_at_odds(rank) & ~_at_odds(suit)
    # The two indices of a card share its print and its light: a second one counts as half.
    weight = np.where(same, 0.5, 0.0)
    np.fill_diagonal(weight, 1.0)
    return _log_softmax(weight @ rank), _log_softmax(weight @ suit)


def _at_odds(logits: Floats) -> NDArray[np.bool_]:
    """N x N: are two indices both sure, and of different things? Then they are of two cards.

    The outer indices of two neighbouring cards with four each lie as those of one card between.
    """
    if not len(logits):
        return np.zeros((0, 0), bool)
    best, sure = logits.argmax(axis=1), logits.max(axis=1) > math.log(SURE)
    return np.asarray((best[:, None] != best[None]) & sure[:, None] & sure[None])


def same_card(indices: Indices) -> NDArray[np.bool_]:
    """N x N: do two indices point at one card's middle from opposite or neighbouring corners?"""
    n = len(indices)
    if n == 0:
        return np.zeros((0, 0), bool)
    reach = indices.middle - indices.at
    far = np.hypot(reach[:, 0], reach[:, 1])
    apart = np.hypot(*(indices.middle[:, None] - indices.middle[None]).transpose(2, 0, 1))
    near = apart < SAME_CARD * np.minimum(far[:, None], far[None])
    half = np.hypot(indices.axis[:, 0], indices.axis[:, 1])
    unit = indices.axis / half[:, None]
    parallel = np.abs(unit @ unit.T) > 0.9
    size = half[:, None] / half[None]
    return np.asarray(near & parallel & (size > 0.6) & (size < 1.67))


def _owners(indices: Indices, cards: Cards) -> NDArray[np.intp]:
    """For each index the number of the outline whose card it is printed on, or -1."""
    owner = np.full(len(indices), -1, np.intp)
    if len(cards) == 0:
        return owner
    for k in range(len(indices)):
        reach = float(np.hypot(*(indices.middle[k] - indices.at[k])))
        d = np.hypot(*(cards.middle - indices.middle[k]).T)
        c = int(np.argmin(d))
        if d[c] < SAME_CARD * reach and not cards.back[c] and _in_a_corner(indices, k, cards, c):
            owner[k] = c
    return owner


def _in_a_corner(indices: Indices, k: int, cards: Cards, c: int) -> bool:
    """Does the index lie within the outline, near its edge, along its height?"""
    basis = np.stack([cards.across[c], cards.down[c]], axis=1)
    if abs(np.linalg.det(basis)) < 1e-6:
        return False
    u, v = np.linalg.solve(basis, indices.at[k] - cards.middle[c])
    tall = float(np.hypot(*cards.down[c]))
    along = abs(float(indices.axis[k] @ cards.down[c])) / (tall * float(np.hypot(*indices.axis[k])))
    return bool(0.35 < abs(u) < 1.1 and 0.35 < abs(v) < 1.1 and along > 0.85)


def _outlines(reads: list[CardRead]) -> list[NDArray[np.float32]]:
    """The outlines of the cards read, where the finder saw one."""
    return [np.array(r.quad_px, np.float32) for r in reads if r.quad_px is not None]


def _lying(indices: Indices, sure: list[int]) -> list[NDArray[np.float32]]:
    """Where each surely named card lies, told by one index and its guess of the card's middle."""
    out = []
    for k in sure:
        to_index = CORNER_OUT * (indices.at[k] - indices.middle[k])
        down = indices.axis[k] / np.hypot(*indices.axis[k])
        high, across = (to_index @ down) * down, to_index - (to_index @ down) * down
        corners = (-high - across, -high + across, high + across, high - across)
        out.append(np.array([indices.middle[k] + c for c in corners], np.float32))
    return out


def _in_any(quads: list[NDArray[np.float32]], x: float, y: float) -> bool:
    return any(cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for quad in quads)


def _in_a_picture(read: CardRead, owner: int, known: list[NDArray[np.float32]]) -> bool:
    """Is this read but a figure's crown or sword: unsure, on a card that is surely named?

    An index of another card lying on top is kept if it is sure or has an outline of its own.
    """
    doubtful = read.label == "??" or read.score < SURE
    return owner < 0 and doubtful and _in_any([_pictured(quad) for quad in known], *read.at_px)


def _pictured(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The middle of a card, where figures are: at its sides the next card of a cascade shows."""
    side = 0.5 * (1 - PICTURE_WIDTH) * (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    return np.asarray(quad + np.stack([side, -side, -side, side]), np.float32)


def _index_read(
    indices: Indices, k: int, said: Said, real: float, cards: Cards, owner: int
) -> CardRead:
    name, sure = said
    score = sure * real
    if score < NAME_SCORE:
        name, score = "??", real
    ax, ay = indices.axis[k]
    quad = None
    if owner >= 0:
        corners = cards.quads()[owner]
        quad = _quad(corners if cards.down[owner] @ indices.axis[k] > 0 else np.roll(corners, 2, 0))
    return CardRead(
        label=name,
        score=round(score, 4),
        at_px=_point(indices.at[k]),
        quad_px=quad,
        angle_deg=_turn_deg(ax, ay),
        middle_px=_point(indices.middle[k]),
    )


def _name(rank: Floats, suit: Floats) -> Said:
    """The likeliest name and its probability."""
    r = int(np.argmax(rank))
    if r == JOKER_RANK:
        return JOKER, float(np.exp(rank[r]))
    if r > JOKER_RANK:
        return NUMBERS[r - JOKER_RANK - 1], float(np.exp(rank[r]))
    s = int(np.argmax(suit))
    if s == NO_SUIT and 0 < r < 10:
        return str(r + 1), float(np.exp(rank[r] + suit[s]))
    s = int(np.argmax(suit[:NO_SUIT]))
    return RANKS[r] + SUITS[s], float(np.exp(rank[r] + suit[s]))


def _unnamed(
    indices: Indices,
    cards: Cards,
    owner: NDArray[np.intp],
    known: list[NDArray[np.float32]],
    lying: list[NDArray[np.float32]],
) -> list[CardRead]:
    """Backs, and face-up cards on which no index is seen.

    A doubtful outline on a surely named card is but a figure or a frame printed on it.
    """
    out = []
    for c in range(len(cards)):
        if c in owner or cards.heat[c] < CARD_SCORE or _named_inside(indices, cards, c):
            continue
        if cards.heat[c] < SURE_OUTLINE and _in_any(known, *cards.middle[c]):
            continue
        if _printed_on(lying, cards, c):
            continue
        dx, dy = cards.down[c] if cards.down[c][1] >= 0 else -cards.down[c]
        out.append(
            CardRead(
                label="BACK" if cards.back[c] else "??",
                score=round(float(cards.heat[c]), 4),
                at_px=_point(cards.middle[c]),
                quad_px=_quad(cards.quads()[c]),
                angle_deg=_turn_deg(dx, dy),
            )
        )
    return out


def _printed_on(known: list[NDArray[np.float32]], cards: Cards, c: int) -> bool:
    """Does the outline lie on a surely named card, and is it too small to be a card itself?"""
    tall = 2 * float(np.hypot(*cards.down[c]))
    larger = [q for q in known if tall < PICTURE * float(np.hypot(*(q[3] - q[0])))]
    return _in_any(larger, *cards.middle[c])


def _named_inside(indices: Indices, cards: Cards, c: int) -> bool:
    """Does an index already speak for this card (its middle guessed at this card's middle)?"""
    if len(indices) == 0:
        return False
    wide = float(np.hypot(*cards.across[c]))
    return bool((np.hypot(*(indices.middle - cards.middle[c]).T) < 0.35 * wide).any())


def _point(xy: Floats) -> Point:
    return round(float(xy[0]), 1), round(float(xy[1]), 1)


def _quad(corners: Floats) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = (_point(p) for p in corners)
    return a, b, c, d


def _turn_deg(down_x: float, down_y: float) -> float:
    """Turn of a card whose printed lower edge lies in this direction, clockwise, 0 up to 360."""
    return round(math.degrees(math.atan2(-down_x, down_y)) % 360.0, 1) % 360.0
