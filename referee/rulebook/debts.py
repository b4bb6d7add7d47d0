"""What stays open between two events: debts, alarms, hands that rest, the latest arrivals."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rulebook.quick import quick
from referee.rulebook.races import Instant
from referee.values import Actor


@quick
@dataclass(frozen=True, slots=True)
class Debt:
    """Cards that must go back: they lie at `at` but count as lying at `origin`.

    `n` and `rule` are the event and the rule of the fault; `seat` owes, None for a card that
    does not belong to the game at all. `height` is the index from the bottom that the lowest of
    `tokens` had at `origin`; `was_up` how they faced there. `race`: lost a race, no fault. The
    fault was made at `t_ns`.
    """

    n: int
    rule: str
    seat: str | None
    tokens: tuple[int, ...]
    origin: str
    height: int
    was_up: bool
    at: str
    race: bool = False
    t_ns: int = 0


@dataclass(frozen=True, slots=True)
class Alarm:
    """A time at which a game wants to be asked again: `name` says for what, `n` for which event."""

    due_ns: int
    name: str
    n: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Contact:
    """A hand that rests on a zone, since event `n` at `t_ns`."""

    actor: Actor
    zone: str
    n: int
    t_ns: int


@quick
@dataclass(frozen=True, slots=True)
class Arrival:
    """The latest cards that legally came to a zone: by which event, when, whose, and from where."""

    n: int
    instant: Instant
    seat: str | None
    hand: str | None
    tokens: tuple[int, ...]
    origin: str
