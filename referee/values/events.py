"""What happens at the table: one frozen value for each event of the vocabulary."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.cards import Card


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: `seat` A, B, ... or None (nobody named); `hand` L, R, `?` or None (not told)."""

    seat: str | None = None
    hand: str | None = None

    def __str__(self) -> str:
        if self.seat is None:
            return "-"
        return f"{self.seat}.{self.hand}" if self.hand else self.seat


NOBODY = Actor()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event has.

    `n` numbers the events of a match. `t_ns` is the time in nanoseconds of the match's clock.
    `u_ns` is the uncertainty of that time to either side, None for the sensor's default.
    `source` is camera, pad, decl, voice, operator or rule, None for the event's usual one.
    `conf` is the probability that the event is right. `frames` refers to the evidence.
    """

    n: int
    t_ns: int
    actor: Actor = NOBODY
    u_ns: int | None = None
    source: str | None = None
    conf: float | None = None
    frames: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured(Event):
    """A match starts; each word is `name=value` (game, players, decks, options, target)."""

    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(Event):
    """Several cards appear in a zone during set-up.

    `cards` run from bottom to top. With `columns` the zone is `P.rowK` and the cards were laid
    one by one on those columns, in that order. A card that is not hidden lies face up.
    """

    zone: str
    cards: tuple[Card, ...]
    columns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlaced(Event):
    """One card comes to rest on `target`; `origin` is where it came from.

    `up`: it lies face up. `under`: it was put at the bottom. `pos` is the index from the top,
    0 the top card, that it had at its origin, None where nobody said. `carry_ns` is the time at
    which it was picked up, None where unknown.
    """

    card: Card
    origin: str
    target: str
    up: bool = True
    under: bool = False
    pos: int | None = None
    carry_ns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLifted(Event):
    """A card leaves its zone and is still carried."""

    card: Card
    zone: str
    pos: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTurned(Event):
    """A card is turned in place."""

    card: Card
    zone: str
    up: bool = True
    pos: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PileMoved(Event):
    """The `count` top cards move as one block.

    `flip` turns the block over (order reversed, faces changed). `under` puts it at the bottom.
    `cards` are the identities that became visible, from bottom to top as they lie afterwards.
    """

    origin: str
    target: str
    count: int
    flip: bool = False
    under: bool = False
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PileTaken(Event):
    """The `count` top cards leave the table into the actor's hand."""

    zone: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PileMixed(Event):
    """The order of a zone can no longer be trusted; `way` is riffle, overhand, wash or cut."""

    zone: str
    way: str = "riffle"


def card_zones(event: Event) -> tuple[str, ...]:
    """Return where the cards of an event were and are; none for events without cards."""
    match event:
        case CardPlaced() | PileMoved():
            return event.origin, event.target
        case CardTurned() | CardLifted() | Dealt() | PileTaken() | PileMixed():
            return (event.zone,)
        case _:
            return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOn(Event):
    """A hand comes to rest on a zone."""

    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOff(Event):
    """A hand leaves a zone."""

    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PadHit(Event):
    """A pad was touched; `force` has the pad's own unit, None where it does not measure it.

    Within `flat_ns` of its time one moment is as likely as another, as with a pad that nobody
    calibrated; None where the error is a normal one. `clock` names the pads' clock that told the
    time, None for the host's own. By any other clock the time may be off by `off_ns` more, and
    its distance to a touch by the same one, up to four seconds, by `rate_ppm` millionths of it.
    """

    spot: str
    force: float | None = None
    flat_ns: int | None = None
    clock: str | None = None
    off_ns: int | None = None
    rate_ppm: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Event):
    """Somebody declared `what` (start, choose, raise, call, claim, ...) with further words."""

    what: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewLost(Event):
    """The camera no longer sees these zones (`*` is the whole table)."""

    zones: tuple[str, ...]
    cause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewBack(Event):
    """The camera sees these zones again (`*` is the whole table).

    `cause` is `changed` where other cards lie there than before and nobody saw how they came.
    """

    zones: tuple[str, ...]
    cause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread(Event):
    """The identity of a card that is already known to lie there was corrected.

    `pos` is its index from the top. `old` is what was believed, `new` what is read now.
    """

    zone: str
    old: Card
    new: Card
    pos: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer(Event):
    """A time that a rule waits for has run out."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout(Event):
    """The observation layer saw that a rule about geometry or duration is broken by `accused`."""

    rule: str
    accused: str | None = None
