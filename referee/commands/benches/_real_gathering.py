"""Between two hands at one table: the cards of the first are gathered before they are mixed."""

from __future__ import annotations

from collections.abc import Iterator

from referee.table.habits import owner_of
from referee.values import (
    Actor,
    CardPlaced,
    Dealt,
    Declared,
    Event,
    PileMixed,
    PileMoved,
    PileTaken,
)

# A hand takes a pile, and comes back for the next one after so long.
EACH_NS = 700_000_000
# The last pile is taken so long before the cards are mixed or laid down.
BEFORE_NS = 4_000_000_000


def with_gathering(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events of a match with those that take up what lies there after each hand.

    No script tells of them: they have no number.
    """
    told: list[Event] = []
    heights: dict[str, int] = {}
    played = False
    for event in events:
        if played and _begins_deal(event):
            told += _gathered(heights, event, told[-1].t_ns)
            heights, played = {}, False
        if isinstance(event, Declared):
            played |= event.what in ("start", "leader")
        _count(heights, event)
        told.append(event)
    return tuple(told)


def without_gathering(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events that a script tells of."""
    return tuple(event for event in events if event.n)


def _begins_deal(event: Event) -> bool:
    laid = isinstance(event, Dealt) and event.zone.endswith("deck")
    return laid or isinstance(event, PileMixed)


def _gathered(heights: dict[str, int], deal: Event, after_ns: int) -> Iterator[PileTaken]:
    lying = [(zone, height) for zone, height in heights.items() if height]
    each_ns = min(EACH_NS, (deal.t_ns - BEFORE_NS - after_ns) // (len(lying) + 1))
    begin_ns = deal.t_ns - BEFORE_NS - each_ns * len(lying)
    for k, (zone, height) in enumerate(lying):
        seat = owner_of(zone) or deal.actor.seat or "A"
        yield PileTaken(
            n=0, t_ns=begin_ns + k * each_ns, actor=Actor(seat, "R"), zone=zone, count=height
        )


def _count(heights: dict[str, int], event: Event) -> None:
    """Count what lies in each zone."""
    match event:
        case Dealt():
            heights[event.zone] = heights.get(event.zone, 0) + len(event.cards)
        case CardPlaced():
            _move(heights, event.origin, event.target, 1)
        case PileMoved():
            _move(heights, event.origin, event.target, event.count)
        case PileTaken():
            heights[event.zone] = max(0, heights.get(event.zone, 0) - event.count)


def _move(heights: dict[str, int], origin: str, target: str, count: int) -> None:
    heights[origin] = max(0, heights.get(origin, 0) - count)
    heights[target] = heights.get(target, 0) + count
