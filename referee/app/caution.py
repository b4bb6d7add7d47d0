"""Whom a camera's event names: a player at another's cards only when his hand was surely seen."""

from __future__ import annotations

from dataclasses import replace

from referee.values import (
    Actor,
    CardLifted,
    CardPlaced,
    CardTurned,
    Event,
    PileMoved,
    PileTaken,
)

SURE_HANDS = ("L", "R")


def cautious(event: Event, seats: tuple[str, ...]) -> Event:
    """Return the event with nobody named where a wrong name would accuse somebody.

    To be at one's own cards is the usual thing; to be at another's is a fault. From above two
    hands over one pile are told apart by their arms; whose hand it was counts as seen only where
    its side, left or right, could be told too.
    """
    zone = _place(event)
    seat = event.actor.seat
    if zone is None or seat is None or event.source not in (None, "camera"):
        return event
    owner = zone.partition(".")[0]
    if owner in seats and owner != seat and event.actor.hand not in SURE_HANDS:
        return replace(event, actor=Actor())
    return event


def _place(event: Event) -> str | None:
    match event:
        case CardPlaced() | PileMoved():
            return event.origin
        case CardTurned() | CardLifted() | PileTaken():
            return event.zone
        case _:
            return None
