"""Takes a card out of where it was: off a pile, out of the air, from under backs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.table.air import Air
from referee.table.contested import is_common
from referee.table.found import Found
from referee.table.habits import Source, is_in_hands, owner_of
from referee.table.piles import Lying, Piles, laid, unknown
from referee.values import PointMm
from referee.values.spots import Spot


@dataclass(frozen=True, slots=True)
class Fetched:
    """The card as it lies now; `left_spot` is the spot that still shows it where it was."""

    card: Lying
    left_spot: int | None = None


def place_of(found: Found, piles: Piles) -> PointMm | None:
    """Return where a card lay that was found to come from there, None where none is known."""
    if found.gone is not None:
        return found.gone.cards[found.index].at_mm
    pile = piles[found.origin]
    return pile[found.index].at_mm if found.index >= 0 else None


def fetch(
    found: Found,
    spot: Spot,
    zone: str,
    piles: Piles,
    air: Air,
    deck_of: Callable[[str], str | None],
) -> Fetched:
    """Take the card that `spot` shows in `zone` from where it was found to come from.

    What came along below it is laid in the zone.
    """
    card = laid(spot, deck_of(zone))
    old: Lying | None = None
    left_spot = None
    if found.gone is not None:
        old = _from_air(found, spot, zone, piles, air)
    elif found.hidden:
        old = _from_backs(found, spot, zone, piles, card)
    elif found.index >= 0:
        like = piles.like_below(found.origin, found.index)
        old = piles.take(found.origin, [found.index])[0]
        left_spot = old.spot
        if like is not None and left_spot is not None:
            # What is seen there now is the one below.
            lower = piles[found.origin][like]
            piles[found.origin][like] = replace(lower, spot=left_spot, at_mm=old.at_mm)
            left_spot = None
    if old is None:
        deck = deck_of(found.origin)
        return Fetched(replace(card, deck=deck or card.deck, told=card.face))
    face = card.face if card.named else old.face
    # Whose a card is that lay in the middle from the first, nobody can tell by where it goes.
    deck = old.deck if old.named and is_common(found.origin) else old.deck or card.deck
    deck = _own_like(old, found.origin, zone, piles) or deck
    return Fetched(replace(card, face=face, deck=deck, told=face), left_spot)


def _own_like(taken: Lying, origin: str, zone: str, piles: Piles) -> str | None:
    """Return whose a card is that a player takes home from others just like it, if one is his.

    Two cards of one face look alike: he takes back the one that he laid. It leaves its name to the
    other.
    """
    owner, pile = owner_of(zone), piles[origin]
    if owner is None or taken.deck in (None, owner) or not taken.named:
        return None
    his = [k for k, one in enumerate(pile) if (one.face, one.deck) == (taken.face, owner)]
    if not his:
        return None
    pile[his[-1]] = replace(pile[his[-1]], deck=taken.deck)
    return owner


def _from_air(found: Found, spot: Spot, zone: str, piles: Piles, air: Air) -> Lying:
    assert found.gone is not None
    left = list(found.gone.cards)
    if not found.whole:
        old = left.pop(found.index)
        found.gone.cards, found.gone.onto = tuple(left), zone
        if not left:
            air.gone.remove(found.gone)
        return old
    # Of a pile that was hidden as a whole, the rest is back soon.
    left, found.gone.cards = left[-found.block :], tuple(left[: -found.block])
    found.gone.parted = True
    if not found.gone.cards:
        air.gone.remove(found.gone)
    below = [_under(card, spot) for card in left]
    piles[zone].extend(below[:0:-1] if found.flip else below[:-1])
    return left[0] if found.flip else left[-1]


def _from_backs(found: Found, spot: Spot, zone: str, piles: Piles, card: Lying) -> Lying | None:
    if found.place:
        piles.bring_to(found.origin, found.place, found.block)
    drawn = piles.draw(found.origin, found.block)
    # Of a packet that is put down open it is not known which of its cards are.
    up = spot.up and not is_in_hands(found.origin)
    block = [_under(one, spot) for one in drawn[::-1]]
    below = [replace(one, up=up) for one in block[:-1]]
    more = [unknown(card, up)] * (found.block - max(1, len(block)))
    piles[zone].extend((*more, *below))
    return block[-1] if block else None


def drawn_cards(
    found: Found, source: Source, spot: Spot, deck: str | None, piles: Piles, air: Air
) -> tuple[Lying, ...]:
    """Take the cards that were turned over from a pile of backs before one of them was seen.

    Those that nobody counted are of that pile's `deck` as well.
    """
    if found.gone is None:
        drawn = piles.draw(source.origin, source.block)
    else:
        air.gone.remove(found.gone)
        drawn = found.gone.cards[-source.block :]
    block = [replace(_under(one, spot), spot=None) for one in drawn[::-1]]
    more = [unknown(laid(spot, deck), True)] * (source.block - len(block))
    return (*more, *block)


def _under(card: Lying, spot: Spot) -> Lying:
    return replace(card.unseen(), up=spot.up, at_mm=spot.at_mm, since_ns=spot.still_ns)
