"""Compares what was seen and ruled with what happened: events found and invented, rulings right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Self

from referee.values import (
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    Expected,
    PileMixed,
    PileMoved,
    PileTaken,
    Ruling,
)
from referee.values.rulings import TIE

# What is seen later or earlier than this is another event.
SAME_EVENT_NS = 900_000_000
OF_CARDS = (CardPlaced, CardTurned, PileMoved, PileTaken, PileMixed, Dealt)
# A ruling is the expected one when its act was told so near to the true time.
SAME_ACT_NS = 1_500_000_000
ASKED = ("QUERY", "NOT_OBSERVED")
Act = Callable[[Event], tuple[object, ...]]
"""What of an event must be told as it was for the two to be the same."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of something in some matches, which add up."""

    def __add__(self, other: Self) -> Self:
        """Return the counts of both."""
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


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


def compared(true: Iterable[Event], seen: Iterable[Event], act: Act | None = None) -> Compared:
    """Pair what happened with what was seen, the nearest in time of the same `act`.

    That is the kind, the zones and the number of cards; the face and the player are told apart
    later. Lifted cards and better readings that the script does not hold are no inventions.
    """
    act = act or _act
    happened = [event for event in true if isinstance(event, OF_CARDS)]
    told = [event for event in seen if isinstance(event, OF_CARDS)]
    near = sorted(
        (abs(one.t_ns - other.t_ns), i, k)
        for i, one in enumerate(happened)
        for k, other in enumerate(told)
        if abs(one.t_ns - other.t_ns) <= _same_ns(other) and act(one) == act(other)
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


def _same_ns(seen: Event) -> int:
    """Return how far from an event another one may be told to be the same.

    A shuffle lasts: some tell it as it begins and some as it ends, and its stated time holds both.
    """
    lasts_ns = seen.u_ns or 0 if isinstance(seen, PileMixed) else 0
    return max(SAME_EVENT_NS, lasts_ns)


def miscounted(result: Compared) -> int:
    """Count the acts with several cards that were told, but with another number of cards.

    They are among the missed and the invented ones: of a packet that lies face down no camera
    above sees how many it has.
    """
    return len(compared(_packets(result.missed), _packets(result.invented), _uncounted).found)


def _packets(events: Iterable[Event]) -> list[Event]:
    several = (PileMoved, PileTaken)
    return [event for event in events if isinstance(event, several) and event.count > 1]


def _uncounted(event: Event) -> tuple[object, ...]:
    kind, target, *_ = _act(event)
    return kind, target


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


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Expected rulings and those that came, paired as far as they are the same."""

    ruled: tuple[Expected, ...]
    asked: tuple[Expected, ...]
    missed: tuple[Expected, ...]
    unfounded: tuple[Ruling, ...]


def verdicts(
    kind: str,
    expected: Iterable[Expected],
    true: Iterable[Event],
    judged: Iterable[Event],
    rulings: Sequence[Ruling],
) -> Verdicts:
    """Pair the expected rulings of a kind, on `true` events, with those on `judged` ones.

    A race that was too close to call where a script knows who was first counts as asked about.
    """
    true_ns = {event.n: event.t_ns for event in true}
    told_ns = {event.n: event.t_ns for event in judged}

    def is_near(ruling: Ruling, line: Expected) -> bool:
        return abs(told_ns.get(ruling.n, 0) - true_ns[line.n]) < SAME_ACT_NS

    left = [ruling for ruling in rulings if ruling.kind == kind]
    ruled, asked, missed = [], [], []
    for line in (one for one in expected if one.kind == kind and one.n in true_ns):
        same = next(
            (r for r in left if (r.rule, blamed(r)) == (line.rule, line.who) and is_near(r, line)),
            None,
        )
        left_open = next((r for r in left if _is_too_close(r) and is_near(r, line)), None)
        if same is not None:
            left.remove(same)
            ruled.append(line)
        elif left_open is not None:
            # A camera's clock is coarser than a script's: both stay, and nobody is wronged.
            left.remove(left_open)
            asked.append(line)
        elif any(ruling.kind in ASKED and is_near(ruling, line) for ruling in rulings):
            asked.append(line)
        else:
            missed.append(line)
    return Verdicts(tuple(ruled), tuple(asked), tuple(missed), tuple(left))


def _is_too_close(ruling: Ruling) -> bool:
    """Return whether two came nearer to one another than their times are known."""
    return ruling.winner == TIE and (ruling.margin_ns or 0) <= (ruling.interval_ns or 0)


def blamed(ruling: Ruling) -> str | None:
    """Return the player column of a ruling as `expect` writes it."""
    if ruling.kind == "RACE":
        return None if ruling.winner == "tie" else ruling.winner
    return ruling.player
