"""A start that nobody told the referee: it is known by the play that would be wrong before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.app.phases import phase_of
from referee.app.sitting import Sitting
from referee.rulebook import State
from referee.rulebook.asking import ACCUSES_FROM
from referee.screens.declarations import Wanted
from referee.table.habits import owner_of
from referee.values import CardPlaced, CardTurned, Declared, Event, PileMoved, Ruling

OF_PLAY = (CardPlaced, CardTurned, PileMoved)
OBJECTIONS = ("VIOLATION", "QUERY", "INFO")


def start_before(sitting: Sitting, event: Event) -> Declared | None:
    """Return the start that was said before a camera's event, None where it tells of none.

    The game waits for it, every player has cards, the rules object to the event, and they would
    not after the start.
    """
    if event.source != "camera" or not isinstance(event, OF_PLAY):
        return None
    if Wanted(None, "start") not in phase_of(sitting.state).due:
        return None
    if not _all_have_cards(sitting.state):
        return None
    _, before = sitting.foresee(event)
    if not _objections(before):
        return None
    start = _said(sitting, event)
    _, after = sitting.foresee(start, event)
    return start if len(_objections(after)) < len(_objections(before)) else None


def _all_have_cards(state: State[Any]) -> bool:
    owners = {owner_of(zone) for zone, pile in state.table.piles.items() if pile}
    return owners.issuperset(state.setup.seats)


def _said(sitting: Sitting, event: Event) -> Declared:
    """Return a start just before an event, as unsure as what was not heard."""
    t_ns = max(sitting.state.now_ns, event.t_ns - (event.u_ns or 0))
    conf = ACCUSES_FROM - 0.01
    return Declared(n=0, t_ns=t_ns, source="camera", conf=conf, what="start")


def _objections(rulings: Iterable[Ruling]) -> list[Ruling]:
    return [ruling for ruling in rulings if ruling.kind in OBJECTIONS]
