"""The acts of a script as hands do them: when they lift and lay, at the speed of people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from referee.values import (
    Actor,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    HandOn,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
)

MS = 1_000_000
# A carry takes 0.3 to 0.7 s; a card turned in place or drawn beside its pile 0.25 s. Between two
# acts a hand looks for the next card, after three cards turned at once for longer.
CARRY_NS, TURN_NS = 420 * MS, 250 * MS
READ_NS, ROW_NS = 800 * MS, 400 * MS
PAUSE_NS, SINGLY_NS, BLOCK_NS, OTHER_HAND_NS = 220 * MS, 60 * MS, 450 * MS, 550 * MS
OF_CARDS = (CardPlaced, CardTurned, PileMoved, PileTaken, Dealt)


@dataclass(frozen=True, slots=True)
class Act:
    """An event as a hand does it: when it lifts and when it lays; `event` has its true time."""

    event: Event
    lift_ns: int
    drop_ns: int


def paced(events: tuple[Event, ...]) -> list[Act]:
    """Return the events as acts that hands have the time for.

    Where a script is faster than a hand, all that follows comes later; gaps between the acts of
    different hands stay as they are.
    """
    acts: list[Act] = []
    free_ns: dict[tuple[str | None, str | None], int] = {}
    settled_ns: dict[str, int] = {}
    shift_ns = 0
    for event in chain.from_iterable(map(card_by_card, events)):
        if not isinstance(event, OF_CARDS):
            acts.append(Act(replace(event, t_ns=event.t_ns + shift_ns), 0, event.t_ns + shift_ns))
            continue
        hand, seat = (event.actor.seat, event.actor.hand), (event.actor.seat, None)
        zones = zones_of(event)
        takes_ns = _takes_ns(event)
        earliest_ns = max(free_ns.get(hand, 0), *(settled_ns.get(z, 0) for z in zones[:1]))
        drop_ns = max(event.t_ns + shift_ns, earliest_ns + takes_ns)
        if event.actor.seat is not None:
            drop_ns = max(drop_ns, free_ns.get(seat, 0))
        shift_ns = drop_ns - event.t_ns
        acts.append(Act(replace(event, t_ns=drop_ns), drop_ns - takes_ns, drop_ns))
        free_ns[hand] = drop_ns + _pause_ns(event)
        free_ns[seat] = drop_ns + (SINGLY_NS if takes_ns == TURN_NS else OTHER_HAND_NS)
        shown_ns = READ_NS if _shows_new(event) else 40 * MS
        settled_ns.update(dict.fromkeys(zones, drop_ns + shown_ns))
    return acts


def card_by_card(event: Event, each_ns: Sequence[int] = ()) -> Iterator[Event]:
    """Yield a row that is dealt out as the cards that are laid one after another, at these times.

    Without times as fast as people deal, the last one at the time of the event.
    """
    if not isinstance(event, Dealt) or not event.columns:
        yield event
        return
    seat = event.zone.partition(".")[0]
    times_ns = each_ns or [event.t_ns - k * ROW_NS for k in reversed(range(len(event.columns)))]
    for t_ns, card, column in zip(times_ns, event.cards, event.columns, strict=True):
        yield CardPlaced(
            n=event.n,
            t_ns=t_ns,
            actor=Actor(seat, event.actor.hand or "R"),
            card=card,
            origin=f"{seat}.held",
            target=f"{seat}.arr.{column}",
            up=not card.hidden,
        )


def _pause_ns(event: Event) -> int:
    if isinstance(event, PileMoved) and event.flip:
        return BLOCK_NS
    if isinstance(event, CardPlaced) and event.origin.endswith(".stock"):
        return SINGLY_NS
    return PAUSE_NS


def _shows_new(event: Event) -> bool:
    """Whether an act turns up cards that its player has to look at before he plays on."""
    turns = isinstance(event, PileMoved) and event.flip
    draws = isinstance(event, CardPlaced) and event.origin.endswith(".deck")
    return turns or draws or isinstance(event, CardTurned)


def zones_of(event: Event) -> tuple[str, ...]:
    """Return the zones that a hand goes to for an event, in order."""
    match event:
        case CardPlaced() | PileMoved():
            return event.origin, event.target
        case CardTurned() | PileTaken() | Dealt() | PileMixed():
            return (event.zone,)
        case HandOn():
            return (event.zone,)
        case PadHit():
            return (event.spot,)
        case _:
            return ()


def _takes_ns(event: Event) -> int:
    zones = zones_of(event)
    beside = len(zones) == 2 and zones[0].endswith(".stock") and zones[1].endswith(".waste")
    return TURN_NS if len(zones) == 1 or beside else CARRY_NS
