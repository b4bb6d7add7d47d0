"""Compares the events that were seen with those that happened: found, invented, right, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.values import (
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    PileMixed,
    PileMoved,
    PileTaken,
    Reread,
    ViewLost,
)

# What is seen later or earlier than this is another event.
SAME_EVENT_NS = 900_000_000
OF_CARDS = (CardPlaced, CardTurned, PileMoved, PileTaken, PileMixed, Dealt)
SEEN_ONLY = (CardLifted, Reread, ViewLost)


@dataclass(frozen=True, slots=True)
class Pair:
    """An event that happened, and how it was seen."""

    true: Event
    seen: Event


@dataclass(frozen=True, slots=True)
class Compared:
    """The events of one match: found ones with how they were seen, missed ones, invented ones."""

    found: tuple[Pair, ...]
    missed: tuple[Event, ...]
    invented: tuple[Event, ...]


def compared(true: Iterable[Event], seen: Iterable[Event]) -> Compared:
    """Pair what happened with what was seen, the nearest in time of the same kind and zones.

    Lifted cards and better readings that the script does not hold are no inventions.
    """
    happened = [event for event in true if isinstance(event, OF_CARDS)]
    told = [event for event in seen if isinstance(event, OF_CARDS)]
    near = sorted(
        (abs(one.t_ns - other.t_ns), i, k)
        for i, one in enumerate(happened)
        for k, other in enumerate(told)
        if abs(one.t_ns - other.t_ns) <= SAME_EVENT_NS and _alike(one, other)
    )
    pairs: dict[int, int] = {}
    for _, i, k in near:
        if i not in pairs and k not in pairs.values():
            pairs[i] = k
    return Compared(
        tuple(Pair(happened[i], told[k]) for i, k in sorted(pairs.items())),
        tuple(event for i, event in enumerate(happened) if i not in pairs),
        tuple(event for k, event in enumerate(told) if k not in pairs.values()),
    )


def _alike(one: Event, other: Event) -> bool:
    """Whether two events may be the same act, the card's face and the player aside."""
    return _act(one) == _act(other)


def _act(event: Event) -> tuple[object, ...]:
    match event:
        case CardPlaced():
            return "move", event.target, 1, event.up
        case PileMoved(count=1):
            return "move", event.target, 1, True
        case PileMoved():
            return "move", event.target, event.count, event.flip
        case PileTaken():
            return "taken", event.zone, event.count
        case CardTurned():
            return "turned", event.zone, event.up
        case Dealt():
            return "dealt", event.zone, len(event.cards)
        case _:
            return type(event).__name__, getattr(event, "zone", "")


def origin_of(event: Event) -> str | None:
    """Return where an event's cards came from, None where it names no place."""
    return event.origin if isinstance(event, CardPlaced | PileMoved) else None


def face_of(event: Event) -> str | None:
    """Return the face that an event shows, None where it shows none."""
    if isinstance(event, CardPlaced | CardTurned) and event.up:
        return str(event.card)
    return None
