"""Reads of no card of their own: of a covered one, of half an index, of an empty spot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2

from referee.values import PointMm
from referee.values.spots import BACK, CARD_H_MM, CARD_W_MM
from referee.vision.followed import (
    ALIKE_MM,
    EXACT_MM,
    NAMELESS_MM,
    SAME_CARD_DEG,
    SAME_CARD_MM,
    SURE_READS,
    CardLook,
    Track,
    is_print,
    is_sure,
    near,
)
from referee.vision.gathering import INDEX_X_MM, INDEX_Y_MM, SeenCard, apart_mm, half_turn_deg
from referee.vision.glimpses import Glimpse

# The middles of two cards of which one begins where the other ends are 66 mm apart and more.
CORNERS_MM = 60.0
# The right half of the one digit is the other.
HALF_OF = ("8", "3")
# A card whose middle is nearer may hide most of another one's place.
BESIDE_MM = 60.0
# In a row cards share an eighth of their area; what shares this much would hide an index.
CROSSED_SHARE = 0.25
# How surely a back lies where most of a place is seen as one: 19 in 20 do, some of them beneath.
BACKED_SCORE = 0.8
# What lies there when a hand has left it is read sooner than this.
GONE_NS = 150_000_000
# A name of which one look is less sure is not said.
WEAK_SCORE = 0.9


class Covered:
    """Cards that another one was laid on, which is still there."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lows: list[Track] = []

    def take(self, gone: Sequence[Track], tracks: Sequence[Track]) -> None:
        """Remember what was covered, as long as a card lies upon it that is there or covered."""
        lows = [*self._lows, *gone]
        self._lows = [low for low in lows if upon(low, [*tracks, *lows]) is not None]

    def shows(self, look: CardLook, card: SeenCard, tracks: Sequence[Track]) -> bool:
        """Whether a card is a covered one, of which an edge with half an index still shows.

        The card upon it is read beside it. That nothing new lies on that one it shows by both of
        its indices; against a weak name, by one.
        """
        if is_sure(card):
            return False
        weak = not card.named or card.score < WEAK_SCORE
        upper = [one for one in look.cards if weak or one.reads >= SURE_READS]
        return any(
            one.label not in (low.label, card.label)
            and EXACT_MM < apart_mm(one.at_mm, low.at_mm) < NAMELESS_MM
            for low in self._maybe(look, card, tracks)
            for one in upper
        )

    def _maybe(self, look: CardLook, card: SeenCard, tracks: Sequence[Track]) -> Iterator[Track]:
        """Yield the cards that a read may be of, covered since they were last read."""
        for low in (*self._lows, *tracks):
            if not (low.settled and low.named) or low.label == card.label:
                continue
            if card.label not in low.beside and near(low, card, SAME_CARD_MM) is not None:
                gone = low not in tracks
                if gone or look.ground.moved_ns(low.at_mm, low.angle_deg) > low.named_ns:
                    yield low


def belied(look: CardLook, card: SeenCard, tracks: Sequence[Track]) -> bool:
    """Whether a name is that of a card which is followed already, put where none lies.

    Where a card overlaps the 18 of another, its lower index shows an 8, that of an 8 a 3. An index
    of a card with four may be taken for one of its other side.
    """
    if not card.named:
        return False
    known = [t for t in tracks if t.settled and t.named]
    if any(t.label == card.label and _is_across(t, card) for t in known):
        return True
    return card.reads < SURE_READS and any(
        t.named_ns == look.t_ns and (_is_lower_half(look, t, card) or _is_index_of(t, card))
        for t in known
    )


def looks_empty(look: CardLook, card: SeenCard) -> bool:
    """Whether a card was read weakly where nothing changed since none lay there."""
    if is_sure(card) or was_overlooked(look, card):
        return False
    return look.ground.empty(card.at_mm, card.angle_deg)


def was_overlooked(look: CardLook, card: SeenCard) -> bool:
    """Whether a pale back lay all the time where none was seen: nothing changed since."""
    back = card.label == BACK and look.ground.backed(card.at_mm, card.angle_deg)
    return back and look.ground.empty(card.at_mm, card.angle_deg)


def shown_back(look: CardLook, track: Track) -> SeenCard | None:
    """Return the back that lies where one was, though none was told apart, nor a card beside it.

    Of a back with a strange pattern the reader finds no edges now and then.
    """
    return _back_alone(look, track.at_mm, track.angle_deg) if track.seems_back else None


def is_followed(card: SeenCard, tracks: Sequence[Track]) -> bool:
    """Whether a card of that name is followed where this one is seen."""
    return any(
        t.label == card.label and apart_mm(t.at_mm, card.at_mm) < NAMELESS_MM for t in tracks
    )


def was_taken(look: CardLook, glimpse: Glimpse, tracks: Sequence[Track], *, free: bool) -> bool:
    """Whether a card that lay under a hand is gone with it: what lay there before shows.

    While a hand is still over the place, not `free`, only the card right below tells, by its name.
    """
    card = glimpse.card
    if look.t_ns - glimpse.last_ns < GONE_NS:
        return False
    over = [t for t in tracks if t.settled and apart_mm(t.at_mm, card.at_mm) < BESIDE_MM]
    if not free:
        below = [t for t in over if apart_mm(t.at_mm, card.at_mm) < ALIKE_MM]
        return any(t.named and t.named_ns == look.t_ns for t in below)
    if any(t.seen_ns == look.t_ns for t in over):
        return True
    place, ground = (card.at_mm, card.angle_deg), look.ground
    return ground.empty(*place) or ground.bare(*place)


def left_backs(
    look: CardLook, glimpses: Sequence[Glimpse], tracks: Sequence[Track]
) -> Iterator[SeenCard]:
    """Yield the backs that were glimpsed under a hand and lie there now that it has left.

    Nothing changes there any more: if a look that does not tell them apart took them for nothing,
    they would not be looked at again.
    """
    for card in (one.card for one in glimpses if one.card.label == BACK):
        known = any(apart_mm(t.at_mm, card.at_mm) < NAMELESS_MM for t in tracks)
        if not known and look.ground.free(card.at_mm, card.angle_deg):
            back = _back_alone(look, card.at_mm, card.angle_deg)
            if back is not None:
                yield back


def _back_alone(look: CardLook, at_mm: PointMm, angle_deg: float) -> SeenCard | None:
    """Return the back that a place shows beside which no card is read, None if it shows none.

    What is made of a back's own pattern is no card.
    """
    beside = (card for card in look.cards if apart_mm(card.at_mm, at_mm) < BESIDE_MM)
    if any(not is_print(card, look.ground) for card in beside):
        return None
    backed = look.ground.backed(at_mm, angle_deg)
    return SeenCard(BACK, BACKED_SCORE, at_mm, angle_deg) if backed else None


def crosses(look: CardLook, card: SeenCard) -> bool:
    """Whether a card would lie across another one of which both indices are read.

    It is made of that one's print and of edges about it.
    """
    whole = (one for one in look.cards if one.named and one.reads >= SURE_READS)
    return any(_shared(card, one) >= CROSSED_SHARE for one in whole)


def _shared(card: SeenCard, other: SeenCard) -> float:
    """Return how much of two cards' area they share, 0 to 1."""
    size = (CARD_W_MM, CARD_H_MM)
    _, corners = cv2.rotatedRectangleIntersection(
        (card.at_mm, size, -card.angle_deg), (other.at_mm, size, -other.angle_deg)
    )
    return 0.0 if corners is None else cv2.contourArea(corners) / (CARD_W_MM * CARD_H_MM)


def upon(track: Track, tracks: Sequence[Track]) -> Track | None:
    """Return the believed card of some that lies where this one lay, when it is told."""
    later = (t for t in tracks if t.told and t.id > track.id)
    return next((t for t in later if apart_mm(t.at_mm, track.at_mm) < NAMELESS_MM), None)


def _is_lower_half(look: CardLook, track: Track, card: SeenCard) -> bool:
    """Whether a read is of the lower index of a card, half of it or weak, beside its upper one."""
    apart = apart_mm(track.at_mm, card.at_mm)
    upper = (one for one in look.cards if one.label == track.label)
    below_it = any(_is_upside_down(one.angle_deg, card.angle_deg) for one in upper)
    if apart < ALIKE_MM and (below_it or _is_upside_down(track.angle_deg, card.angle_deg)):
        return True
    shown = (track.label, track.label.replace(*HALF_OF))
    half = any(card.label in label for label in shown) or card.score < WEAK_SCORE
    return half and apart < SAME_CARD_MM and below_it


def _is_index_of(track: Track, card: SeenCard) -> bool:
    """Whether the one index of a card is an index of another one, half of which is covered.

    Then the card would lie corner to corner with that one, as nobody lays cards.
    """
    if card.other_mm is None or apart_mm(track.at_mm, card.at_mm) < CORNERS_MM:
        return False
    turn = math.radians(card.angle_deg)
    up, right = (math.sin(turn), math.cos(turn)), (math.cos(turn), -math.sin(turn))
    x_mm = (card.at_mm[0] + card.other_mm[0]) / 2 + up[0] * INDEX_Y_MM - track.at_mm[0]
    y_mm = (card.at_mm[1] + card.other_mm[1]) / 2 + up[1] * INDEX_Y_MM - track.at_mm[1]
    down_mm = abs(x_mm * up[0] + y_mm * up[1]) - INDEX_Y_MM
    across_mm = abs(x_mm * right[0] + y_mm * right[1]) - INDEX_X_MM
    alike = half_turn_deg(track.angle_deg, card.angle_deg) < SAME_CARD_DEG
    return alike and math.hypot(down_mm, across_mm) < ALIKE_MM


def _is_upside_down(a_deg: float, b_deg: float) -> bool:
    """Whether two indices are turned as the two of one card are."""
    return 180.0 - abs((a_deg - b_deg) % 360.0 - 180.0) > 135.0


def _is_across(track: Track, card: SeenCard) -> bool:
    """Whether a card is a followed one, read from an index taken for one of its other side."""
    return card.other_mm is not None and apart_mm(track.at_mm, card.other_mm) < SAME_CARD_MM
