"""Cards that one hand still carried when the other hand was at the one below.

Who plays with both hands turns up, or plays, the next card while the last one is on its way. That
one covers nothing then, though it is told of only when it lies.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.app.caution import less_sure
from referee.rulebook import Table
from referee.table.habits import Habits
from referee.values import CardLifted, CardPlaced, CardTurned, Event


def carried_meanwhile(
    table: Table, event: Event, later: Iterable[Event], habits: Habits
) -> CardLifted | None:
    """Return that the card was lifted which the judge believes to lie on that of an event.

    Off a pile in which cards are turned up one by one. It is told to be laid elsewhere later, and
    nothing that was seen of its way speaks against it.
    """
    if not isinstance(event, CardTurned | CardPlaced) or event.pos is not None:
        return None
    zone = event.zone if isinstance(event, CardTurned) else event.origin
    if not habits.is_first_turned(zone):
        return None
    top = table.pile(zone)[-1:]
    if not top or top[0].token in table.lifted or not table.face(top[0].token).known:
        return None
    card = table.face(top[0].token)
    if not event.card.known or card.may_be(event.card):
        return None
    carried = (one for one in later if isinstance(one, CardPlaced) and one.origin == zone)
    own = (one for one in carried if one.card.known and card.may_be(one.card))
    lifts = (_lift(one, event) for one in own if _was_taken(one, event.t_ns))
    return next(map(less_sure, lifts), None)


def _was_taken(carried: CardPlaced, t_ns: int) -> bool:
    return carried.t_ns >= t_ns and (carried.carry_ns is None or carried.carry_ns <= t_ns)


def _lift(carried: CardPlaced, event: Event) -> CardLifted:
    return CardLifted(
        n=0,
        t_ns=min(event.t_ns, carried.carry_ns or event.t_ns),
        source=carried.source,
        actor=carried.actor,
        conf=carried.conf,
        card=carried.card,
        zone=carried.origin,
    )
