"""What an act would bring, were it judged as it is told: the rulings, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from referee.app.sitting import Sitting
from referee.rulebook import State
from referee.values import (
    CardPlaced,
    CardTurned,
    Declared,
    Event,
    PadHit,
    PileMoved,
    PileTaken,
    Ruling,
)


def foreseen(sitting: Sitting, event: Event) -> tuple[State[Any], tuple[Ruling, ...]]:
    """Return the judge's state after an event, and the rulings on it.

    Those on a call may come only when the others had their time to call as well, those on cards
    taken on hand when their time is over to be laid down, and those on a card that was laid where
    others may race for when it is clear who was first.
    """
    state, rulings = sitting.foresee(event)
    if isinstance(event, Declared | PileTaken):
        rulings = sitting.foresee_late(event)
    elif isinstance(event, CardPlaced | PileMoved):
        rulings = (*rulings, *sitting.ruled_late(state))
    return state, rulings


def is_held_against(sitting: Sitting, rulings: Iterable[Ruling]) -> bool:
    """Whether a hit would be called false, or void, be it only for information."""
    rules = sitting.game.rules
    return any(
        r.kind == "VIOLATION" or (r.kind == "INFO" and PadHit in rules[r.rule].watches)
        for r in rulings
    )


def ends_unsurely(state: State[Any], rulings: Iterable[Ruling]) -> bool:
    """Whether a hand or game is told to be over by an event that is not sure."""
    return any(r.kind == "END" and r.n in state.unsure for r in rulings)


def tells_where_it_stands(rulings: Iterable[Ruling]) -> bool:
    """Whether something was decided that is decided at one point of a game alone."""
    return any(ruling.kind in ("INFO", "RACE", "SCORE", "END") for ruling in rulings)


def is_of_the_deal(sitting: Sitting, event: Event, rulings: Iterable[Ruling]) -> bool:
    """Whether a deal would be called wrong: how many backs lie in a pile no camera sees.

    A joker in the deck shows its face.
    """
    if isinstance(event, CardPlaced | CardTurned) and event.card.is_joker:
        return False
    rules = sitting.game.rules
    return any(r.kind == "VIOLATION" and rules[r.rule].severity == "misdeal" for r in rulings)


def kinds_of(rulings: Iterable[Ruling]) -> frozenset[str]:
    """Return what kinds of rulings these are."""
    return frozenset(ruling.kind for ruling in rulings)


def kinds_on(rulings: tuple[Ruling, ...], n: int) -> frozenset[str]:
    """Return the kinds of rulings that an event brings; a question about itself comes first.

    What is ruled of an act before, whose time is over now, was judged with that one.
    """
    own = kinds_of(ruling for ruling in rulings if ruling.n == n)
    return own if "QUERY" in own else kinds_of(rulings)


def hangs_on_its_time(sitting: Sitting, event: Event) -> bool:
    """Whether nobody would be blamed if an event came as early as it may have come."""
    early_ns = max(sitting.state.now_ns, event.t_ns - (event.u_ns or 0))
    state, rulings = foreseen(sitting, replace(event, t_ns=early_ns))
    return "VIOLATION" not in kinds_on(rulings, state.n)
