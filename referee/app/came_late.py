"""Events that are told late, as they are to be judged: by the table as the judge knows it.

A card taken from a place for one lay below what was laid there since. A card that is read while the
one on it is in the air, or moved already and not told of yet, lies below that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.rulebook import State
from referee.table.habits import Habits
from referee.values import CardPlaced, Event, Reread


def as_it_lies(state: State[Any], event: Event, habits: Habits) -> Event:
    """Return a late event as it is told by the table of now."""
    if isinstance(event, Reread):
        return _where_it_lies(state, event)
    return _from_under(state, event, habits) if isinstance(event, CardPlaced) else event


def _from_under(state: State[Any], event: CardPlaced, habits: Habits) -> CardPlaced:
    """Return a card as taken from under the one that came since.

    Who takes a hidden card and lays his own there hides that he took it; so it is told when he has
    gone, and what the judge knows to lie on top came later than that.
    """
    if event.pos is not None or event.card.seen().known:
        return event
    last, pile = state.arrivals.get(event.origin), state.table.pile(event.origin)
    late = last is not None and last.instant.t_ns > event.t_ns
    if last is None or not late or not habits.is_for_one(event.origin) or len(pile) < 2:
        return event
    return replace(event, pos=1) if pile[-1].token in last.tokens else event


def _where_it_lies(state: State[Any], event: Reread) -> Reread:
    """Return a better reading as that of the only card that is known by the old one, if any is."""
    pile, old = state.table.pile(event.zone), event.old.seen().face
    known = [
        len(pile) - 1 - k
        for k, lying in enumerate(pile)
        if lying.up and state.table.face(lying.token).face == old
    ]
    return replace(event, pos=known[0]) if len(known) == 1 else event
