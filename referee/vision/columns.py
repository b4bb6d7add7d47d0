"""Cards laid one below the other in a column: how many there are is known by where they end.

Backs with a close pattern overlap without an edge that the reader finds: it takes two for one. Of
open cards the reader misses those of which too little of an index shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isnan

import numpy as np
from numpy.typing import NDArray

from referee.values import PointMm
from referee.values.spots import BACK, CARD_H_MM
from referee.vision import surface
from referee.vision.followed import ALIKE_MM, NAMELESS_MM, SAME_CARD_MM, CardLook, Track
from referee.vision.gathering import SeenCard, apart_mm, card_axes

# Where backs end is told to 4 mm, the half of what the reader sees apart; cards of a column lie
# 10 mm and more apart. More than the other at once is another pile.
STEP_MM, MOST_MM = 9.0, 35.0
HALF_MM = CARD_H_MM / 2
# Along a column it is looked so closely, over the inner two thirds of a card's width.
EVERY_MM, WITHIN_MM = 2.0, 20.0
ALONG_MM = np.arange(0.0, HALF_MM + MOST_MM + STEP_MM, EVERY_MM)
ACROSS_MM = np.linspace(-WITHIN_MM, WITHIN_MM, 9)
# So much of a line across a column shows backs where they are: all of it on the columns of one
# maker's films, and nothing a card's edge beyond.
LINE_SHARE = 0.7
# What lies farther beside a back's line is not in its column.
BESIDE_MM = 12.0
# How long a column of open cards is matters as the table is first seen, and that is told by then.
FIRST_LOOKS = 12
# How surely a back lies where backs reach farther than before.
GROWN_SCORE = 0.8

Reach = NDArray[np.float64]
"""How far like sides show from a card's middle, upwards and downwards (2,) in mm, nan: unseen."""


def with_columns(look: CardLook, tracks: Iterable[Track]) -> CardLook:
    """Return a look in which of a column the last back is seen, not the whole as a long one."""
    cards = look.cards
    for track in tracks:
        if not (track.settled and track.seems_back):
            continue
        reach = _reach(look, track)
        at_mm = _grown_at(track, reach)
        if at_mm is not None and not _is_read(cards, track, at_mm):
            last = SeenCard(BACK, GROWN_SCORE, at_mm, track.angle_deg, upon=track.id)
            cards = (*(card for card in cards if not _is_long(card, track, last)), last)
        elif at_mm is None and not (reach < np.array(track.reach_mm) - STEP_MM).any():
            cards = tuple(_upon_column(card, track, cards) for card in cards)
    return replace(look, cards=cards)


def see_reach(look: CardLook, tracks: Sequence[Track]) -> None:
    """Take in how far columns reach at first, of which that was not seen yet."""
    for track in tracks:
        known = np.array(track.reach_mm)
        if not np.isnan(known).any():
            continue
        if track.seems_back:
            first = np.maximum(_reach(look, track), HALF_MM)
            columns = (o for o in tracks if o.settled and o.seems_back and not _is_unknown(o))
            below = [_reach_of(other, track) for other in columns]
            seen = np.fmax.reduce([first, *below])
        elif track.named and track.looks <= FIRST_LOOKS:
            seen = _reach(look, track)
        else:
            continue
        track.reach_mm = _pair(np.where(np.isnan(known), seen, known))


def seems_long(look: CardLook, track: Track, card: SeenCard) -> bool:
    """Whether what was read of a back may be a column of which the look does not show the end."""
    if card.label != BACK or apart_mm(card.at_mm, track.at_mm) < STEP_MM:
        return False
    return not track.seems_back or bool(np.isnan(_reach(look, track)).any())


def _reach(look: CardLook, track: Track) -> Reach:
    """Return how far cards that lie as one does show from it, where it lies free."""
    if not look.ground.free(track.at_mm, track.angle_deg):
        return np.array([np.nan, np.nan])
    side = surface.BACK if track.seems_back else surface.FACE
    return np.array([_shown_mm(look, track, sign, side) for sign in (1.0, -1.0)])


def _shown_mm(look: CardLook, track: Track, sign: float, side: int) -> float:
    """Return how far a side shows in one direction, nan where what ends it is not seen."""
    along, across = card_axes(track.angle_deg)
    points_mm = (
        np.array(track.at_mm)
        + sign * ALONG_MM[:, None, None] * along
        + ACROSS_MM[None, :, None] * across
    )
    kinds = look.ground.kinds(points_mm.reshape(-1, 2)).reshape(points_mm.shape[:2])
    ended = np.flatnonzero((kinds == side).mean(axis=1) < LINE_SHARE)
    if not len(ended) or np.isin(kinds[ended[0]], (surface.HAND, surface.NOT_SHOWN)).any():
        return np.nan
    return float(ALONG_MM[ended[0]]) - EVERY_MM / 2


def _grown_at(track: Track, reach: Reach) -> PointMm | None:
    """Return the middle of the back that was laid at one end of a column, None if none was."""
    grown = np.nan_to_num(reach - track.reach_mm)
    end = int(grown.argmax())
    if not STEP_MM <= grown[end] <= MOST_MM or abs(grown[1 - end]) >= STEP_MM:
        return None
    return _pair(
        np.array(track.at_mm)
        + (1 - 2 * end) * (reach[end] - HALF_MM) * card_axes(track.angle_deg)[0]
    )


def _is_read(cards: Iterable[SeenCard], track: Track, at_mm: PointMm) -> bool:
    """Whether the last back of a column that grew was read by itself: where it lies is known."""
    far_mm, _ = _place_in(track, at_mm)
    for card in cards:
        up, beside = _place_in(track, card.at_mm)
        on = up if far_mm > 0.0 else -up
        if card.label == BACK and beside < BESIDE_MM and SAME_CARD_MM <= on < abs(far_mm) + STEP_MM:
            return True
    return False


def _is_long(card: SeenCard, track: Track, last: SeenCard) -> bool:
    """Whether a read is of the whole column, or of the back that is told as its last one."""
    if card.label != BACK:
        return False
    here = apart_mm(card.at_mm, track.at_mm) < SAME_CARD_MM
    return here or apart_mm(card.at_mm, last.at_mm) < NAMELESS_MM


def _upon_column(card: SeenCard, track: Track, cards: Iterable[SeenCard]) -> SeenCard:
    """Return a back that was read amid a column that did not shrink as its last one.

    Unless that is read as well.
    """
    if card.label != BACK or max(track.reach_mm) < HALF_MM + STEP_MM:
        return card
    if any(one.label == BACK and apart_mm(one.at_mm, track.at_mm) < SAME_CARD_MM for one in cards):
        return card
    up, beside = _place_in(track, card.at_mm)
    high_mm, low_mm = np.array(track.reach_mm) - HALF_MM + ALIKE_MM
    if not -low_mm < up < high_mm or beside > BESIDE_MM or abs(up) < ALIKE_MM:
        return card
    return replace(card, at_mm=track.at_mm)


def _is_unknown(track: Track) -> bool:
    """Whether neither end of a back's column was seen yet: most cards are no backs at all."""
    return all(map(isnan, track.reach_mm))


def _reach_of(other: Track, track: Track) -> Reach:
    """Return how far the column of another back reaches from this one, nan if it is not in it."""
    up, beside = _place_in(track, other.at_mm)
    if other is track or beside > BESIDE_MM or abs(up) > HALF_MM:
        return np.array([np.nan, np.nan])
    return np.array([other.reach_mm[0] + up, other.reach_mm[1] - up])


def _place_in(track: Track, at_mm: PointMm) -> tuple[float, float]:
    """Return how far up from a back's middle a place lies, and how far beside its line."""
    along, across = card_axes(track.angle_deg)
    away = np.array(at_mm) - track.at_mm
    return float(away @ along), abs(float(away @ across))


def _pair(two: NDArray[np.float64]) -> tuple[float, float]:
    return float(two[0]), float(two[1])
