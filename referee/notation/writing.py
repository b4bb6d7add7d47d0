"""Values to match text."""

from __future__ import annotations

from collections.abc import Iterator

from referee.notation.words import DEEP
from referee.values import (
    CardLifted,
    CardPlaced,
    CardTurned,
    Configured,
    Dealt,
    Declared,
    Event,
    Expected,
    HandOff,
    HandOn,
    Layout,
    Match,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Placement,
    Reread,
    Timer,
    ViewBack,
    ViewLost,
)


def write_time(t_ns: int) -> str:
    """Seconds with at least three decimals, and as many more as the time has."""
    seconds, rest_ns = divmod(t_ns, 1_000_000_000)
    decimals = f"{rest_ns:09d}"
    return f"{seconds}.{decimals[:3]}{decimals[3:].rstrip('0')}"


def write_event(event: Event) -> str:
    """One event line without indentation."""
    if isinstance(event, Layout | Configured) and event.actor.seat is None:
        head = [str(event.n), write_time(event.t_ns), type(event).__name__]
    else:
        head = [str(event.n), write_time(event.t_ns), type(event).__name__, str(event.actor)]
    return " ".join([*head, *_details(event), *_common(event)])


def _common(event: Event) -> Iterator[str]:
    if event.u_ns is not None:
        yield f"u={write_time(event.u_ns)}"
    if event.source is not None:
        yield f"src={event.source}"
    if event.conf is not None:
        yield f"conf={_fraction(event.conf)}"
    if event.frames is not None:
        yield f"frames={event.frames}"


def _fraction(number: float) -> str:
    return f"{number:.9f}".rstrip("0").rstrip(".")


def _details(event: Event) -> Iterator[str]:
    match event:
        case CardPlaced():
            yield from _placed(event)
        case CardTurned():
            yield from (str(event.card), event.zone, "up" if event.up else "down")
            yield from _pos(event.pos)
        case CardLifted():
            yield from (str(event.card), event.zone)
            yield from _pos(event.pos)
        case PileMoved():
            yield from _moved(event)
        case PileTaken():
            yield from (event.zone, f"n={event.count}")
        case PileMixed():
            yield from (event.zone, event.way)
        case HandOn() | HandOff():
            yield event.zone
        case _:
            yield from _rarer(event)


def _rarer(event: Event) -> Iterator[str]:
    match event:
        case PadHit():
            yield event.spot
            if event.force is not None:
                yield f"force={_fraction(event.force)}"
            if event.flat_ns is not None:
                yield f"flat={write_time(event.flat_ns)}"
            if event.clock is not None:
                yield f"clock={event.clock}"
            if event.off_ns is not None:
                yield f"off={write_time(event.off_ns)}"
            if event.rate_ppm is not None:
                yield f"rate_ppm={_fraction(event.rate_ppm)}"
        case Declared():
            yield from (event.what, *event.words)
        case Dealt():
            yield event.zone
            if event.columns:
                yield "cols=" + ",".join(map(str, event.columns))
            yield from map(str, event.cards)
        case Configured():
            yield from event.words
        case ViewLost() | ViewBack():
            yield ",".join(event.zones)
            if event.cause is not None:
                yield f"cause={event.cause}"
        case Reread():
            yield from (event.zone, f"{event.old}>{event.new}", *_pos(event.pos or None))
        case Timer():
            yield event.name
        case Layout():
            yield from (event.rule, event.accused or "-")


def _placed(event: CardPlaced) -> Iterator[str]:
    yield from (str(event.card), f"{event.origin}>{event.target}", "up" if event.up else "down")
    if event.under:
        yield "under"
    yield from _pos(event.pos)
    if event.carry_ns is not None:
        yield f"carry={write_time(event.carry_ns)}"


def _moved(event: PileMoved) -> Iterator[str]:
    yield from (f"{event.origin}>{event.target}", f"n={event.count}")
    if event.flip:
        yield "flip"
    if event.under:
        yield "under"
    if event.cards:
        yield "cards=" + ",".join(map(str, event.cards))


def _pos(pos: int | None) -> Iterator[str]:
    if pos is not None:
        yield f"pos={pos}"


def write_match(match: Match) -> str:
    """Return the whole block, ending with a line break."""
    return "\n".join(_lines(match)) + "\n"


def _lines(match: Match) -> Iterator[str]:
    yield f"match {match.id} {match.title}".rstrip()
    yield f"  game {match.game}"
    yield f"  players {' '.join(match.seats)}"
    if match.census is not None:
        yield f"  census {match.census}"
    yield from (f"  opt {option.name}={option.value}" for option in match.options)
    if match.phase:
        yield f"  phase {match.phase}"
    yield from (f"  flag {flag.name}={flag.value}" for flag in match.flags)
    yield "  state"
    yield from (f"    {_placement(placement)}" for placement in match.start)
    yield "  events"
    yield from (f"    {write_event(event)}" for event in match.events)
    if match.expected is not None:
        yield "  expect"
        yield from (f"    {_expected(line)}" for line in match.expected)


def _placement(placement: Placement) -> str:
    words = [DEEP] if placement.deep else []
    for i, laid in enumerate(placement.cards):
        first = i == 0 or placement.cards[i - 1].up
        last = i + 1 == len(placement.cards) or placement.cards[i + 1].up
        text = str(laid.card)
        if not laid.up:
            text = f"{'[' if first else ''}{text}{']' if last else ''}"
        words.append(text)
    return " ".join([placement.zone, "|", *words])


def _expected(line: Expected) -> str:
    return f"{line.n} {line.kind} {line.rule} {line.who or '-'} {line.details}".rstrip()
