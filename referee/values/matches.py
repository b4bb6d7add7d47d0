"""A scripted or recorded match: how it starts, what happens, and the rulings it must give."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.values.cards import Card
from referee.values.events import Event


@dataclass(frozen=True, slots=True)
class Setting:
    """A named text value: a house option, or a start condition that is no card position."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Laid:
    """A card and whether it lies face up."""

    card: Card
    up: bool


@dataclass(frozen=True, slots=True)
class Placement:
    """What lies in a zone at the start, from bottom to top.

    `deep`: more cards may lie beneath those that are known.
    """

    zone: str
    cards: tuple[Laid, ...] = ()
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """Where the value of a head line (`phase`, `opt wrap`) stands in a text, counted from 1."""

    what: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Expected:
    """A line of the expect block. `who` is the player column, None for `-`."""

    n: int
    kind: str
    rule: str
    who: str | None
    details: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """One match. `census` counts the distinct cards that must exist, None where not told.

    Zones that `start` does not list are unknown, not empty. `expected` is None where the text
    has no expect block.
    """

    id: str
    title: str
    game: str
    seats: tuple[str, ...]
    phase: str
    census: int | None = None
    options: tuple[Setting, ...] = ()
    flags: tuple[Setting, ...] = ()
    start: tuple[Placement, ...] = ()
    events: tuple[Event, ...] = ()
    expected: tuple[Expected, ...] | None = None
    written: tuple[Written, ...] = field(default=(), compare=False, repr=False)

    def place(self, what: str) -> str:
        """Return where a head line stands, to be said before what is wrong with it; else ""."""
        for found in self.written:
            if found.what == what:
                return f"line {found.line}, column {found.column}: "
        return ""
