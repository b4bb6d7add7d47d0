"""Open cards of a column of which a strip shows, too little to be read: where each must lie.

Of large indices laid 18 mm apart the suit is half covered: the reader names no such card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, radians, sin

from referee.table.habits import Habits
from referee.table.piles import NEVER_NS, Lying, fits_onto, unknown
from referee.table.spots import Zones
from referee.values.spots import CARD_H_MM, Spot

# Cards of a column lie as it is laid, give or take that turn (cosine of 20 degrees).
ALONG = 0.94
# In 300 columns of one maker's films all 19 that went on below the lowest card that was read began
# 13 to 20 mm before it, where a step is 18 mm; of all others three did so by 10 to 12 mm, and none
# of those has room for one more. Of the 19 the length tells for 15.
BEFORE, LONGER = 0.55, 0.6
# More strips than that, of which none was read, are no column: something else lies there.
MOST = 2


def with_strips(
    zone: str, spots: Sequence[Spot], cards: Sequence[Lying], habits: Habits, zones: Zones
) -> list[Lying]:
    """Return the cards of a zone from bottom to top, with those of which only a strip shows.

    `spots` show the `cards`. Where a column is longer than they make it, others lie below them; and
    between two whose ranks and places leave room for as many.
    """
    if not cards or not habits.lies_open(zone) or zones.step_mm(zone) == 0.0:
        return list(cards)
    cards = _in_turn(_with_unread_below(zone, cards, zones))
    ranks = [card.card.rank() for card in cards if _is_known(card)]
    if any(low <= high for low, high in pairwise(ranks)):
        return list(cards)
    pile: list[Lying] = []
    for low, high in pairwise(cards):
        between = range(1, _between(zone, low, high, zones) + 1)
        pile += [low, *_strips(zone, low, between, zones)]
    pile.append(cards[-1])
    below = range(-_below(zone, spots, len(pile), zones), 0)
    return [*_strips(zone, cards[0], below, zones), *pile]


def _with_unread_below(zone: str, cards: Sequence[Lying], zones: Zones) -> list[Lying]:
    """Return the cards of a column, an unread one below that which it seems to lie beside.

    Where the next card fits onto that none lies between them.
    """
    pile = list(cards)
    for k, (low, unread, high) in enumerate(zip(cards, cards[1:], cards[2:], strict=False)):
        apart_mm = zones.along_mm(zone, unread.at_mm) - zones.along_mm(zone, low.at_mm)
        beside = not unread.named and apart_mm < zones.step_mm(zone) / 2
        if beside and _is_known(low) and _is_known(high) and fits_onto(high, low):
            pile[k : k + 2] = [unread, low]
    return pile


def _in_turn(cards: Sequence[Lying]) -> Sequence[Lying]:
    """Return the cards of a column as they lie if its ranks go down by one from card to card.

    Half covered cards are put so near to one another that their order by place may be wrong.
    """
    if not all(map(_is_known, cards)):
        return cards
    down = sorted(cards, key=lambda card: -card.card.rank())
    return down if all(fits_onto(high, low) for low, high in pairwise(down)) else cards


def never_read(zone: str, pile: Sequence[Lying], spot: Spot, zones: Zones) -> int | None:
    """Return the index of the card of a column, unread till now, that shows between its others.

    Several may lie there: by the ranks of the cards beside it, else by where they lie. What is not
    read now either shows within a step of its place. A card that was lost from sight is none.
    """
    if not spot.up or zones.way_mm(zone) == (0.0, 0.0):
        return None
    if any(card.face == spot.label and card.named and card.spot is None for card in pile):
        return None
    at_mm = zones.along_mm(zone, spot.at_mm)
    along_mm = [zones.along_mm(zone, card.at_mm) for card in pile]
    seen = [k for k, card in enumerate(pile) if card.spot is not None]
    low = max((k for k in seen if along_mm[k] < at_mm), default=-1)
    high = min((k for k in seen if along_mm[k] > at_mm), default=-1)
    found = [k for k in range(low + 1, high) if _is_unseen(pile[k])]
    if not spot.named:
        found = [k for k in found if abs(along_mm[k] - at_mm) <= zones.step_mm(zone)]
    fits = [k for k in found if _is_in_its_place(k, pile, spot)]
    return min(fits or found, key=lambda k: abs(along_mm[k] - at_mm), default=None)


def lay_between(pile: Sequence[Lying], face: str) -> int | None:
    """Return the index in a column where a card must have lain that nobody counted, by its rank.

    It fits onto one of two that lie there next to one another since the first look, and the other
    one onto it: half covered cards are put too near to one another.
    """
    for k, (low, high) in enumerate(pairwise(pile), 1):
        one = replace(low, face=face)
        known = all(map(_is_known, (low, one, high))) and low.origin is None is high.origin
        if known and fits_onto(one, low) and fits_onto(high, one):
            return k
    return None


def _is_unseen(card: Lying) -> bool:
    return card.up and not card.named and card.spot is None and card.lost_ns == NEVER_NS


def _is_in_its_place(index: int, pile: Sequence[Lying], spot: Spot) -> bool:
    """Whether the next card of a column that is known has the rank that one at an index wants."""
    read = replace(pile[index], face=spot.label)
    others = ((k, card) for k, card in enumerate(pile) if _is_known(card) and _is_known(read))
    near = min(others, key=lambda one: abs(one[0] - index), default=None)
    return near is not None and near[1].card.rank() + near[0] == read.card.rank() + index


def _is_known(card: Lying) -> bool:
    return card.named and card.card.is_suited


def _lack(low: Lying, high: Lying) -> int | None:
    """Return how many cards a column lacks between two, by ranks that go down, red on black.

    None where they are not of one column.
    """
    more = low.card.rank() - high.card.rank() - 1
    in_turn = (low.card.is_red() == high.card.is_red()) == (more % 2 == 1)
    return more if in_turn else None


def _strips(zone: str, beside: Lying, steps: range, zones: Zones) -> list[Lying]:
    """Return unread cards that lie so many steps on from one."""
    way_mm = zones.way_mm(zone)
    x_mm, y_mm = beside.at_mm
    places = ((x_mm + k * way_mm[0], y_mm + k * way_mm[1]) for k in steps)
    return [replace(unknown(beside, up=True), at_mm=at_mm) for at_mm in places]


def _below(zone: str, spots: Sequence[Spot], known: int, zones: Zones) -> int:
    """Return how many cards lie below the `known` ones of a column.

    It begins before the lowest that was read, and is longer than those make it.
    """
    step_mm, lengths_mm = zones.step_mm(zone), [_length_mm(zone, one, zones) for one in spots]
    on_mm = max((one for one in lengths_mm if one is not None), default=0.0) - CARD_H_MM
    first_mm, low_mm, high_mm = (
        zones.along_mm(zone, at_mm)
        for at_mm in (zones.first_mm(zone), spots[0].at_mm, spots[-1].at_mm)
    )
    longer_mm, more = on_mm - (high_mm - low_mm), round(on_mm / step_mm) + 1 - known
    before = low_mm - first_mm > BEFORE * step_mm and longer_mm > LONGER * step_mm
    return more if before and 0 < more <= MOST and all(one.up for one in spots) else 0


def _length_mm(zone: str, spot: Spot, zones: Zones) -> float | None:
    """Return how long a column of open cards shows from its first to its last, None if unseen."""
    way_mm, turn, (up_mm, down_mm) = zones.way_mm(zone), radians(spot.angle_deg), spot.reach_mm
    along = (sin(turn) * way_mm[0] + cos(turn) * way_mm[1]) / zones.step_mm(zone)
    return None if up_mm is None or down_mm is None or abs(along) < ALONG else up_mm + down_mm


def _between(zone: str, low: Lying, high: Lying, zones: Zones) -> int:
    """Return how many cards lie between two of a column that were read, 0 where that is unclear.

    Half covered cards are put too near to one another.
    """
    lack = _lack(low, high) if _is_known(low) and _is_known(high) else None
    apart_mm = zones.along_mm(zone, high.at_mm) - zones.along_mm(zone, low.at_mm)
    fits = lack is not None and 0 < lack <= MOST and apart_mm >= lack * zones.step_mm(zone)
    return lack if lack is not None and fits else 0
