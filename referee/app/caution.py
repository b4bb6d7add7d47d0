"""How far a camera's event may be held against somebody.

A tracker that errs makes moves that people hardly ever make. What is told of such a move stays
told, but less surely, so that the judge asks and does not accuse.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from referee.rulebook import State, surely_before
from referee.table.crossing import crosses
from referee.table.found import NOWHERE_ELSE
from referee.table.habits import owner_of
from referee.values import (
    CardPlaced,
    CardTurned,
    Declared,
    Event,
    HandOn,
    PadHit,
    PileMoved,
    PileTaken,
    Reread,
    card_zones,
)

AnyEvent = TypeVar("AnyEvent", bound=Event)

# Below what the judge accuses from (`referee/rulebook/rules.py`).
ASKED_CONF = 0.9


def cautious(
    event: Event, seats: tuple[str, ...], doubtful: frozenset[str], *, asked: bool = False
) -> Event:
    """Return the event as it may be judged. `doubtful` are zones about which it erred before.

    `asked`: something in this hand had to be asked about. What is declared from then on is heard
    rightly, but whose turn it was rests on what was seen; so does who may take up a pile.
    """
    if asked and isinstance(event, Declared | PileTaken):
        return less_sure(event)
    if event.source != "camera":
        return event
    if isinstance(event, Reread) and event.old.seen().known:
        # One of two sure names is wrong, and often it is another card that lies there by now.
        return less_sure(event)
    zones = card_zones(event)
    strays = crosses(zones, event.actor.seat, seats) and not _is_compared(event)
    uncounted = is_turned_over(event) and not _is_compared(event)
    other = is_of_another_deck(event, seats) and not _is_compared(event)
    odd = strays or uncounted or _picks(event) or other
    return less_sure(event) if zones and (odd or doubtful.intersection(zones)) else event


def _is_compared(event: Event) -> bool:
    """Whether all other ways were ruled out in which cards can have come where they lie."""
    seen = isinstance(event, CardPlaced | CardTurned | PileMoved)
    return seen and event.conf is not None and event.conf >= NOWHERE_ELSE


def is_turned_over(event: Event) -> bool:
    """Whether it is not seen how many cards a block has: it is turned over."""
    return isinstance(event, PileMoved) and event.flip


def _picks(event: Event) -> bool:
    """Whether a card is told as taken from a stock, not onto the waste, or from a foundation.

    People hardly ever do; a tracker takes them for the source of a card whose way it missed,
    unless all other places were compared.
    """
    if not isinstance(event, CardPlaced):
        return False
    if _is_compared(event):
        return False
    if event.origin.endswith(".stock"):
        return not event.target.endswith(".waste")
    return event.origin.startswith("F.") and owner_of(event.origin) is None


def is_of_another_deck(event: Event, seats: tuple[str, ...]) -> bool:
    """Whether a card of somebody else's deck is told at a player's own places.

    A face shows no back: whose it is was inferred from where it came from, and two decks have the
    same faces. So no look at the table vouches for it either.
    """
    if not isinstance(event, CardPlaced | CardTurned):
        return False
    owners = {owner for zone in card_zones(event) if (owner := owner_of(zone)) in seats}
    deck = event.card.seen().deck
    return bool(owners) and deck in seats and deck not in owners


def may_be_of_his_card(hit: PadHit | HandOn, state: State[Any]) -> bool:
    """Whether a hit may be the touch of the hand that laid its player's card right there.

    Of a card on which that hand stays, and which it hits then, a camera tells when it was hit.
    """
    came = state.arrivals.get(hit.spot if isinstance(hit, PadHit) else hit.zone)
    if came is None or came.seat is None or came.seat != hit.actor.seat:
        return False
    return not surely_before(came.instant, state.setup.instant(hit))


def unsure(event: Event) -> Event:
    """Return an event over which nothing may be held against anybody.

    What people put right about cards is not doubted, nor a hand that a camera saw.
    """
    of_cards, seen = bool(card_zones(event)), event.source == "camera"
    return less_sure(event) if of_cards == seen else event


def less_sure(event: AnyEvent) -> AnyEvent:
    """Return an event of which nobody is sure enough to accuse."""
    return replace(event, conf=min(ASKED_CONF, 1.0 if event.conf is None else event.conf))
