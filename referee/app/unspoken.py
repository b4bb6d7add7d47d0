"""Words that nobody told the referee: they are known by the play that would be wrong before them.

At the table they are said aloud: the start, which half is chosen, that a player raises or abandons.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.app.phases import phase_of
from referee.app.sitting import Sitting
from referee.rulebook import State
from referee.rulebook.asking import ACCUSES_FROM
from referee.screens.declarations import Wanted
from referee.table.habits import owner_of
from referee.values import (
    Actor,
    CardPlaced,
    CardTurned,
    Declared,
    Event,
    HandOff,
    PileMoved,
    PileTaken,
)

OF_PLAY = (CardPlaced, CardTurned, HandOff, PileMoved, PileTaken)
OBJECTIONS = ("VIOLATION", "QUERY", "INFO")
# What is said, and for which of several things, as far as an act can tell.
WORDS = {"start": ((),), "raise": ((),), "abandon": ((),), "choose": (("deck",), ("cut.1",))}


def said_before(sitting: Sitting, event: Event) -> Declared | None:
    """Return what was said before a camera's event, None where it tells of nothing.

    The game waits for the word, the rules object to the event, and they would less after the word:
    seldomer, or no longer because of what came before. There is no start before every player has
    cards.
    """
    if event.source != "camera" or not isinstance(event, OF_PLAY):
        return None
    due = sorted((one for one in phase_of(sitting.state).due if one.what in WORDS), key=_order)
    if not _all_have_cards(sitting.state):
        due = [one for one in due if one.what != "start"]
    before = _objections(sitting, event)
    words = [one for wanted in due for one in _said(sitting, event, wanted)] if any(before) else []
    left = [(_objections(sitting, word, event), k) for k, word in enumerate(words)]
    fewest, best = min(left, default=(before, 0))
    return words[best] if fewest < before else None


def _order(wanted: Wanted) -> tuple[str, str]:
    return wanted.seat or "", wanted.what


def _all_have_cards(state: State[Any]) -> bool:
    owners = {owner_of(zone) for zone, pile in state.table.piles.items() if pile}
    return owners.issuperset(state.setup.seats)


def _said(sitting: Sitting, event: Event, wanted: Wanted) -> Iterator[Declared]:
    """Yield what may have been said just before an event, as unsure as what was not heard."""
    t_ns = max(sitting.state.now_ns, event.t_ns - (event.u_ns or 0))
    for words in WORDS[wanted.what]:
        yield Declared(
            n=0,
            t_ns=t_ns,
            actor=Actor(wanted.seat),
            source="camera",
            conf=ACCUSES_FROM - 0.01,
            what=wanted.what,
            words=words,
        )


def _objections(sitting: Sitting, *events: Event) -> tuple[int, int]:
    """Return how often the rules would object to the last of some events, and how often of order.

    Those of order tell an act by the acts before it.
    """
    found = [ruling for ruling in sitting.foresee_late(*events) if ruling.kind in OBJECTIONS]
    return len(found), sum(ruling.rule in sitting.game.of_order for ruling in found)
