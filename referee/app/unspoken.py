"""Words that nobody told the referee: they are known by the play that would be wrong before them.

At the table they are said aloud: the start, that a player raises, that he abandons.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.app.phases import phase_of
from referee.app.sitting import Sitting
from referee.rulebook import State
from referee.rulebook.asking import ACCUSES_FROM
from referee.screens.declarations import Wanted
from referee.table.habits import owner_of
from referee.values import Actor, CardPlaced, CardTurned, Declared, Event, PileMoved, Ruling

OF_PLAY = (CardPlaced, CardTurned, PileMoved)
OBJECTIONS = ("VIOLATION", "QUERY", "INFO")
WORDS = ("start", "raise", "abandon")


def said_before(sitting: Sitting, event: Event) -> Declared | None:
    """Return what was said before a camera's event, None where it tells of nothing.

    The game waits for the word, every player has cards, the rules object to the event, and they
    would less after the word.
    """
    if event.source != "camera" or not isinstance(event, OF_PLAY):
        return None
    due = sorted((one for one in phase_of(sitting.state).due if one.what in WORDS), key=_order)
    if not due or not _all_have_cards(sitting.state):
        return None
    before = _objections(sitting.foresee(event)[1])
    words = [_said(sitting, event, one) for one in due] if before else []
    left = [(_objections(sitting.foresee(word, event)[1]), k) for k, word in enumerate(words)]
    fewest, best = min(left, default=(before, 0))
    return words[best] if fewest < before else None


def _order(wanted: Wanted) -> tuple[str, str]:
    return wanted.seat or "", wanted.what


def _all_have_cards(state: State[Any]) -> bool:
    owners = {owner_of(zone) for zone, pile in state.table.piles.items() if pile}
    return owners.issuperset(state.setup.seats)


def _said(sitting: Sitting, event: Event, wanted: Wanted) -> Declared:
    """Return a word just before an event, as unsure as what was not heard."""
    t_ns = max(sitting.state.now_ns, event.t_ns - (event.u_ns or 0))
    who, conf = Actor(wanted.seat), ACCUSES_FROM - 0.01
    return Declared(n=0, t_ns=t_ns, actor=who, source="camera", conf=conf, what=wanted.what)


def _objections(rulings: Iterable[Ruling]) -> int:
    return sum(ruling.kind in OBJECTIONS for ruling in rulings)
