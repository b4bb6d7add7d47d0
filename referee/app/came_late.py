"""A card taken from a place for one and told of late: it lay below what was laid there since."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.rulebook import State
from referee.table.habits import Habits
from referee.values import CardPlaced, Event


def as_it_lies(state: State[Any], event: Event, habits: Habits) -> Event:
    """Return a late event as it is told by the table of now: from under the card that came since.

    Who takes a hidden card and lays his own there hides that he took it; so it is told when he has
    gone, and what the judge knows to lie on top came later than that.
    """
    if not isinstance(event, CardPlaced) or event.pos is not None or event.card.seen().known:
        return event
    last, pile = state.arrivals.get(event.origin), state.table.pile(event.origin)
    late = last is not None and last.instant.t_ns > event.t_ns
    if last is None or not late or not habits.is_for_one(event.origin) or len(pile) < 2:
        return event
    return replace(event, pos=1) if pile[-1].token in last.tokens else event
