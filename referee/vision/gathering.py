"""Gathers the reads of one look into whole cards: which indices are of one card, and its middle."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from referee.values import Card, CardRead, PointMm
from referee.values.spots import BACK, NOT_READ
from referee.vision.networks import JOKER
from referee.vision.sides import EXACT_MM, Sides, turned

Floats = NDArray[np.float64]
ToMm = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Pixels (n, 2) to table millimetres (n, 2)."""

# From the middle of the printed index (rank over suit) to the card's middle. Measured on four
# decks of poker size: 25 to 28 across, 29 to 33 down; two opposite indices cancel the error.
INDEX_X_MM, INDEX_Y_MM = 26.5, 31.0
# Middles guessed from the two indices of one card lie up to 9 mm apart, with a neighbour's outline
# 18 mm; cards of one label that lie further apart are two (several decks).
ONE_CARD_MM = 20.0
# Indices at opposite corners are 53 mm apart across the card and 62 along it, large ones a little
# less; two along one edge only one of both.
OPPOSITE_MM = 25.0
ONE_CARD_DEG = 20.0
# Two cards side by side are 63 mm apart, the two possible middles of an index 53.
ACROSS_MM = 9.5
# An outline whose middle is further from the one that its index gives is another card's.
OWN_OUTLINE_MM = 11.0
# A nameless outline this close to a named card's middle is that card's own picture or frame.
SAME_PLACE_MM = 25.0
AXIS_PX = 20.0
# Two cards that lie so exactly on each other do not both show an index.
EXACT_DEG = 8.0
# Of a card's place, 5 mm within its edges, the reader takes less than a tenth for table; of the
# wrong side of an index, beside which cards lie 10 mm apart, a fifth and more.
SOME_BARE, MOSTLY_BARE = 0.12, 0.4
# An index that is read so surely is one, though white cards may be taken for a white cloth: of
# 6,519 such reads in 132 films of three makers four were taken for bare table, all of real cards.
SURELY_READ = 0.985
# A back with two figures may be taken for two cards, or for one that lies across it: half of such a
# one is table, a fifth of it at least. Of 600 backs that lay free it was a sixth at most.
BACK_BARE = 0.2
# Of a face's place the reader takes a sixth for a back at most (727 cards of three films, court
# cards most), of a number card with a frame up to 0.29 (56 cards of a fourth); of the wrong side of
# an index, where a fan reaches up to the backs, 0.37 and more.
SOME_BACKS = 0.33
# Of a back that lies there 19 in 20 show half and more of their place as one; one that lies below
# all but an edge of an open card, a third at most.
ALL_BACKS = 0.6

Share = Callable[[PointMm, float], float]
"""How much of a card's place, by its middle and turn, shows bare table, or backs: 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Single:
    """The card that one read tells of, and its index if it is one: where, and whose sides.

    up is the direction of the card's top; sides are its middles on the left and on the right of
    the index, the likelier one first.
    """

    card: SeenCard
    index_mm: Floats
    up: Floats
    sides: tuple[Floats, Floats]

    def places(self) -> tuple[Floats, Floats]:
        """Return the card's middle, as the index alone tells it, and the one on its other side."""
        near, far = self.sides
        off_mm = [apart_mm(self.card.at_mm, _place(side)) for side in self.sides]
        return (near, far) if off_mm[0] <= off_mm[1] else (far, near)


def nothing_shown(at_mm: PointMm, angle_deg: float) -> float:
    """Know of no bare table, nor of backs: for reads without their picture."""
    return 0.0


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card as one look shows it: label, score, middle and turn on the table.

    `reads` is how many of its indices were read; `outlined`: its edges were seen. `other_mm` is
    where its middle is if its one index is printed on the other side: some decks have four. `back`
    is the learned deck whose back a card that lies face down shows. `strip`: the indices that were
    read lie along one edge, so that the rest may be covered; `index_mm` is where a single one is.
    `upon` is the followed card that it was laid on, if that is known.
    """

    label: str
    score: float
    at_mm: PointMm
    angle_deg: float
    reads: int = 1
    outlined: bool = True
    other_mm: PointMm | None = None
    back: str | None = None
    strip: bool = False
    index_mm: PointMm | None = None
    upon: int | None = None

    @property
    def named(self) -> bool:
        """Whether its face was read."""
        return self.label not in (BACK, NOT_READ)


def seen_cards(
    reads: Sequence[CardRead],
    to_mm: ToMm,
    bare: Share = nothing_shown,
    backs: Share = nothing_shown,
) -> tuple[SeenCard, ...]:
    """Return the cards that the reads of one picture are of, named ones first.

    An index tells its card's middle but for the side; where one side is bare table, or shows backs,
    it is the other, and where both are bare, it is no card's index, unless it is surely read.
    """
    if not reads:
        return ()

    def faceless(at_mm: PointMm, angle_deg: float) -> float:
        share = backs(at_mm, angle_deg)
        return bare(at_mm, angle_deg) + (share if share >= SOME_BACKS else 0.0)

    places = map(_single, reads, _on_table(reads, to_mm))
    singles = [
        replace(place, card=card)
        for place in places
        if (card := _on_paper(place.card, bare, faceless)) is not None
    ]
    joined = _joined(_on_their_sides([s for s in singles if s.card.named], faceless))
    named = _one_name_each([card for card in joined if not _is_print(card)])
    others = [single.card for single in singles if not single.card.named]
    free = [card for card in others if not any(_is_of(card, one, backs) for one in named)]
    return (*named, *_apart(free))


@dataclass(frozen=True, slots=True)
class _OnTable:
    """Where a read lies on the table, in mm: its index, and the direction of its card's top.

    `outline` is the middle of its card's corners, `guess` where the index says that it is; None
    where the read has none.
    """

    at: Floats
    up: Floats
    outline: Floats | None
    guess: Floats | None


def _on_table(reads: Sequence[CardRead], to_mm: ToMm) -> list[_OnTable]:
    """Return where each read lies; all are mapped in one go, which is several times faster."""
    at = np.array([read.at_px for read in reads], np.float64)
    turn = np.radians([read.angle_deg for read in reads])
    ahead = at + AXIS_PX * np.stack([np.sin(turn), -np.cos(turn)], axis=1)
    corners = np.array([read.quad_px or 4 * (read.at_px,) for read in reads], np.float64)
    middles = np.array([read.middle_px or read.at_px for read in reads], np.float64)
    points_mm = to_mm(np.concatenate([at, ahead, middles, corners.reshape(-1, 2)]))
    at_mm, ahead_mm, middles_mm, corners_mm = np.split(points_mm, len(reads) * np.arange(1, 4))
    up = ahead_mm - at_mm
    up /= np.maximum(np.hypot(up[:, 0], up[:, 1]), 1e-9)[:, None]
    outlines_mm = corners_mm.reshape(-1, 4, 2).mean(axis=1)
    return [
        _OnTable(
            at_mm[k],
            up[k],
            None if read.quad_px is None else outlines_mm[k],
            None if read.middle_px is None else middles_mm[k],
        )
        for k, read in enumerate(reads)
    ]


def _single(read: CardRead, lies: _OnTable) -> _Single:
    angle_deg = math.degrees(math.atan2(lies.up[0], lies.up[1])) % 360.0
    middle, other, sides = lies.outline, None, None
    if lies.guess is not None:
        sides = _middles_of_index(lies.at, lies.up, lies.guess)
        middle, other = sides
        if lies.outline is not None and np.hypot(*(lies.outline - middle)) < OWN_OUTLINE_MM:
            middle, other = lies.outline, None
    if middle is None:
        middle = lies.at
    card = SeenCard(
        read.label,
        read.score,
        _place(middle),
        angle_deg,
        1,
        lies.outline is not None,
        None if other is None else _place(other),
        read.back,
        index_mm=_place(lies.at),
    )
    return _Single(card, lies.at, lies.up, (middle, middle) if sides is None else sides)


def _place(at_mm: Floats) -> PointMm:
    return float(at_mm[0]), float(at_mm[1])


def _on_their_sides(singles: list[_Single], faceless: Share) -> list[SeenCard]:
    """Return the cards of some indices, those put on the other side that must lie there."""
    if len(singles) < 2:
        return [single.card for single in singles]
    here, there = (np.array(side) for side in zip(*(s.places() for s in singles), strict=True))
    cards = [single.card for single in singles]
    numbers = {label: k for k, label in enumerate(sorted({card.label for card in cards}))}
    sides = Sides(
        index=np.array([single.index_mm for single in singles]),
        up=np.array([single.up for single in singles]),
        here=here,
        there=there,
        name=np.array([numbers[card.label] for card in cards]),
        score=np.array([card.score for card in cards]),
        turnable=lambda k: faceless(_place(there[k]), cards[k].angle_deg) < SOME_BARE,
    )
    return [
        replace(card, at_mm=_place(place), other_mm=card.at_mm, outlined=False) if other else card
        for card, place, other in zip(cards, there, turned(sides), strict=True)
    ]


def _on_paper(card: SeenCard, bare: Share, faceless: Share) -> SeenCard | None:
    """Return a card with its middle where paper is seen, a face where it is named, else None."""
    share = bare(card.at_mm, card.angle_deg)
    if card.label == BACK and share >= BACK_BARE:
        return None
    if card.outlined:
        return card
    shows = faceless if card.named else bare
    here, other_mm = shows(card.at_mm, card.angle_deg), card.other_mm
    if here < SOME_BARE:
        return card
    if other_mm is not None and shows(other_mm, card.angle_deg) < here - SOME_BARE / 2:
        return replace(card, at_mm=other_mm, other_mm=card.at_mm)
    return card if share < MOSTLY_BARE or (card.named and card.score >= SURELY_READ) else None


def _is_print(card: SeenCard) -> bool:
    """Whether a joker is a word printed on the mat: one sign alone, without a card's edges."""
    return card.label == JOKER and card.reads == 1 and not card.outlined


def _middles_of_index(
    at_mm: NDArray[np.float64], up: NDArray[np.float64], guess_mm: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middle below the index on the side where the reader saw it, and the other one."""
    right = np.array([up[1], -up[0]])
    below = at_mm - up * INDEX_Y_MM
    sides = (below + right * INDEX_X_MM, below - right * INDEX_X_MM)
    near, far = sorted(sides, key=lambda side: float(np.hypot(*(side - guess_mm))))
    return near, far


def half_turn_deg(a_deg: float, b_deg: float) -> float:
    """Return the angle between two cards, 0 to 90: a card turned by 180 lies the same."""
    return abs((a_deg - b_deg + 90.0) % 180.0 - 90.0)


def card_axes(angle_deg: float) -> NDArray[np.float64]:
    """Return the directions of a card's top and of its right side on the table, (2, 2)."""
    turn = np.radians(angle_deg)
    return np.array([[np.sin(turn), np.cos(turn)], [np.cos(turn), -np.sin(turn)]])


def apart_mm(a_mm: PointMm, b_mm: PointMm) -> float:
    """Return the distance of two places."""
    return math.hypot(a_mm[0] - b_mm[0], a_mm[1] - b_mm[1])


def _joined(cards: Iterable[SeenCard]) -> list[SeenCard]:
    groups: list[list[SeenCard]] = []
    # Cards with an edge first: of the others it is not sure on which side their middle lies.
    for card in sorted(cards, key=lambda one: (one.other_mm is not None, -one.score)):
        group = next((g for g in groups if _one_card(g[0], card)), None)
        if group is None:
            groups.append([card])
        else:
            group.append(card)
    for group in sorted(groups, key=len):
        turned = [_across(card) for card in group]
        home = next((g for g in groups if g is not group and _all_on(turned, g)), None)
        if home is not None:
            groups = [g for g in groups if g is not group]
            home.extend(turned)
    return [_mean(group) for group in groups]


def _across(card: SeenCard) -> SeenCard:
    """Return a card with its middle on the other side of its index."""
    return card if card.other_mm is None else replace(card, at_mm=card.other_mm)


def _all_on(cards: list[SeenCard], group: list[SeenCard]) -> bool:
    """Whether all these reads are of the card that at least as many others are of."""
    best = group[0]
    return len(group) >= len(cards) and all(
        _one_card(best, card) and apart_mm(best.at_mm, card.at_mm) < ACROSS_MM for card in cards
    )


def _one_card(a: SeenCard, b: SeenCard) -> bool:
    return (
        a.label == b.label
        and apart_mm(a.at_mm, b.at_mm) < ONE_CARD_MM
        and half_turn_deg(a.angle_deg, b.angle_deg) < ONE_CARD_DEG
    )


def _mean(group: list[SeenCard]) -> SeenCard:
    x, y = (sum(card.at_mm[k] for card in group) / len(group) for k in (0, 1))
    best = group[0]
    outlined = any(card.outlined for card in group)
    other, strip = _other_side(group), len(group) > 1 and not _show_opposite_corners(group)
    return SeenCard(
        best.label, best.score, (x, y), best.angle_deg, len(group), outlined, other, strip=strip
    )


def _show_opposite_corners(group: list[SeenCard]) -> bool:
    """Whether two of a card's indices lie at opposite corners: no other card covers it then."""
    places = [np.array(card.index_mm) for card in group if card.index_mm is not None]
    turn = math.radians(group[0].angle_deg)
    right_up = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    ways = (right_up @ (a - b) for a, b in combinations(places, 2))
    return any(bool(np.abs(way).min() > OPPOSITE_MM) for way in ways)


def _one_name_each(cards: list[SeenCard]) -> list[SeenCard]:
    """Return the cards, those that two indices of one card make two names for as one.

    A card that lies so exactly on another one hides both of its indices.
    """
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda one: -one.score):
        home = next((k for k, one in enumerate(kept) if _misnamed(one, card)), None)
        if home is None:
            kept.append(card)
        else:
            kept[home] = replace(kept[home], score=_against(kept[home].score, card.score))
    return kept


def _misnamed(card: SeenCard, other: SeenCard) -> bool:
    """Whether the other is the card, the rank or the suit of one index misread.

    Of one rank and colour two hardly ever lie on one another; of one index alone it is known less
    exactly where its card lies.
    """
    half = card.label[0] == other.label[0] or card.label[-1] == other.label[-1]
    off_mm = apart_mm(card.at_mm, other.at_mm)
    if not half or off_mm >= ACROSS_MM:
        return False
    lies_there = off_mm < EXACT_MM or Card(card.label).is_sister_of(Card(other.label))
    return lies_there and half_turn_deg(card.angle_deg, other.angle_deg) < EXACT_DEG


def _against(score: float, other: float) -> float:
    """Return how probable a name is, where another index of the card says another as surely."""
    yes, no = score * (1.0 - other), other * (1.0 - score)
    return yes / max(1e-9, yes + no)


def _other_side(group: list[SeenCard]) -> PointMm | None:
    """Return where the card is if all its read indices are printed on their other side."""
    others = [card.other_mm for card in group if card.other_mm is not None]
    if len(others) < len(group) or any(apart_mm(others[0], one) > ACROSS_MM for one in others):
        return None
    return sum(x for x, _ in others) / len(others), sum(y for _, y in others) / len(others)


def _is_of(card: SeenCard, named: SeenCard, backs: Share) -> bool:
    """Whether what has no name is a named card's own picture, and no back that hides most of it."""
    if apart_mm(card.at_mm, named.at_mm) >= SAME_PLACE_MM:
        return False
    back = card.label == BACK and named.reads == 1
    return not (back and backs(card.at_mm, card.angle_deg) >= ALL_BACKS)


def _apart(cards: Iterable[SeenCard]) -> list[SeenCard]:
    """Return the cards without those that another, surer one already speaks for."""
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda one: (one.label == NOT_READ, -one.score)):
        if not any(apart_mm(card.at_mm, one.at_mm) < ONE_CARD_MM for one in kept):
            kept.append(card)
    return kept
