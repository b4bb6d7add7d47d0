"""Gathers the reads of one look into whole cards: which indices are of one card, and its middle."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, PointMm
from referee.values.spots import BACK, NOT_READ

ToMm = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Pixels (n, 2) to table millimetres (n, 2)."""

# From the middle of the printed index (rank over suit) to the card's middle. Measured on four
# decks of poker size: 25 to 28 across, 29 to 33 down; two opposite indices cancel the error.
INDEX_X_MM, INDEX_Y_MM = 26.5, 31.0
# Middles guessed from the two indices of one card lie up to 9 mm apart, with a neighbour's outline
# 18 mm; cards of one label that lie further apart are two (several decks).
ONE_CARD_MM = 20.0
ONE_CARD_DEG = 20.0
# Two cards side by side are 63 mm apart, the two possible middles of an index 53.
ACROSS_MM = 9.5
# An outline whose middle is further from the one that its index gives is another card's.
OWN_OUTLINE_MM = 11.0
# A nameless outline this close to a named card's middle is that card's own picture or frame.
SAME_PLACE_MM = 25.0
AXIS_PX = 20.0
# Of a card's place, 5 mm within its edges, the reader takes less than a tenth for table; of the
# wrong side of an index, beside which cards lie 10 mm apart, a fifth and more.
SOME_BARE, MOSTLY_BARE = 0.12, 0.4

Bare = Callable[[PointMm, float], float]
"""How much of a card's place, by its middle and turn, shows bare table: 0 to 1."""


def nothing_bare(at_mm: PointMm, angle_deg: float) -> float:
    """Know of no bare table: for reads without their picture."""
    return 0.0


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card as one look shows it: label, score, middle and turn on the table.

    `reads` is how many of its indices were read; `outlined`: its edges were seen. `other_mm` is
    where its middle is if its one index is printed on the other side: some decks have four. `back`
    is the learned deck whose back a card that lies face down shows.
    """

    label: str
    score: float
    at_mm: PointMm
    angle_deg: float
    reads: int = 1
    outlined: bool = True
    other_mm: PointMm | None = None
    back: str | None = None

    @property
    def named(self) -> bool:
        """Whether its face was read."""
        return self.label not in (BACK, NOT_READ)


def seen_cards(
    reads: Sequence[CardRead], to_mm: ToMm, bare: Bare = nothing_bare
) -> tuple[SeenCard, ...]:
    """Return the cards that the reads of one picture are of, named ones first.

    An index tells its card's middle but for the side; where one side is bare table, it is the
    other, and where both are, it is no card's index.
    """
    if not reads:
        return ()
    axes_mm = _axes_mm(reads, to_mm)
    places = [_single(read, *axes_mm[k], to_mm) for k, read in enumerate(reads)]
    singles = [card for place in places if (card := _on_paper(place, bare)) is not None]
    named = _joined(card for card in singles if card.named)
    others = [card for card in singles if not card.named]
    free = [card for card in others if not any(_on(card, one) for one in named)]
    return (*named, *_apart(free))


def _axes_mm(
    reads: Sequence[CardRead], to_mm: ToMm
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return for each read where it lies and the direction of the card's top, in mm."""
    at = np.array([read.at_px for read in reads], np.float64)
    turn = np.radians([read.angle_deg for read in reads])
    ahead = at + AXIS_PX * np.stack([np.sin(turn), -np.cos(turn)], axis=1)
    at_mm, ahead_mm = to_mm(at), to_mm(ahead)
    up = ahead_mm - at_mm
    up /= np.maximum(np.hypot(up[:, 0], up[:, 1]), 1e-9)[:, None]
    return list(zip(at_mm, up, strict=True))


def _single(
    read: CardRead, at_mm: NDArray[np.float64], up: NDArray[np.float64], to_mm: ToMm
) -> SeenCard:
    angle_deg = math.degrees(math.atan2(up[0], up[1])) % 360.0
    outline, other = None, None
    if read.quad_px is not None:
        outline = to_mm(np.array(read.quad_px, np.float64)).mean(axis=0)
    middle = outline
    if read.middle_px is not None:
        guess = to_mm(np.array([read.middle_px], np.float64))[0]
        middle, across = _middles_of_index(at_mm, up, guess)
        other = (float(across[0]), float(across[1]))
        if outline is not None and np.hypot(*(outline - middle)) < OWN_OUTLINE_MM:
            middle, other = outline, None
    if middle is None:
        middle = at_mm
    place = (float(middle[0]), float(middle[1]))
    return SeenCard(
        read.label, read.score, place, angle_deg, 1, outline is not None, other, read.back
    )


def _on_paper(card: SeenCard, bare: Bare) -> SeenCard | None:
    """Return a card with its middle where paper is seen, None if there is none."""
    share = bare(card.at_mm, card.angle_deg)
    if card.outlined or share < SOME_BARE:
        return card
    if card.other_mm is not None and bare(card.other_mm, card.angle_deg) < share - SOME_BARE / 2:
        return replace(card, at_mm=card.other_mm, other_mm=card.at_mm)
    return card if share < MOSTLY_BARE else None


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
    other = _other_side(group)
    return SeenCard(best.label, best.score, (x, y), best.angle_deg, len(group), outlined, other)


def _other_side(group: list[SeenCard]) -> PointMm | None:
    """Return where the card is if all its read indices are printed on their other side."""
    others = [card.other_mm for card in group if card.other_mm is not None]
    if len(others) < len(group) or any(apart_mm(others[0], one) > ACROSS_MM for one in others):
        return None
    return sum(x for x, _ in others) / len(others), sum(y for _, y in others) / len(others)


def _on(card: SeenCard, named: SeenCard) -> bool:
    return apart_mm(card.at_mm, named.at_mm) < SAME_PLACE_MM


def _apart(cards: Iterable[SeenCard]) -> list[SeenCard]:
    """Return the cards without those that another, surer one already speaks for."""
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda one: (one.label == NOT_READ, -one.score)):
        if not any(apart_mm(card.at_mm, one.at_mm) < ONE_CARD_MM for one in kept):
            kept.append(card)
    return kept
