"""A back in a pile of which nothing is known: it was seen to lie there before it was carried off.

So who plays it unturned is asked about it. Nobody is accused by it: how what is not read lay there
nobody knows.
"""

from __future__ import annotations

from referee.app.glances import Glances
from referee.rulebook import Table
from referee.rulebook.asking import is_unsure
from referee.table.habits import Habits
from referee.values import Card, CardLifted, CardPlaced, Event
from referee.values.spots import BACK, NOT_READ


def lifted_before(
    table: Table, event: Event, glances: Glances, habits: Habits
) -> CardLifted | None:
    """Return that a back was lifted which should have been turned up first, None if none was."""
    if not isinstance(event, CardPlaced) or not habits.is_first_turned(event.origin):
        return None
    known = table.pile(event.origin) or table.knows(event.origin)
    lifted_ns = min(event.carry_ns or event.t_ns, event.t_ns)
    look = glances.before(event.origin, lifted_ns)
    if known or look is None or not is_unsure(event):
        return None
    if BACK not in look.labels or not {BACK, NOT_READ}.issuperset(look.labels):
        return None
    return CardLifted(
        n=0,
        t_ns=lifted_ns,
        source=event.source,
        conf=event.conf,
        actor=event.actor,
        card=Card(NOT_READ).hide(),
        zone=event.origin,
    )
