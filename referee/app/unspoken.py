"""Words that nobody told the referee: they are known by the play that would be wrong before them.

At the table they are said aloud: the start, which half is chosen, that a player raises or abandons.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
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
    Ruling,
)

OF_PLAY = (CardPlaced, CardTurned, HandOff, PileMoved, PileTaken)
OBJECTIONS = ("VIOLATION", "QUERY", "INFO")
# What is said, and for which of several things, as far as an act can tell.
WORDS = {"start": ((),), "raise": ((),), "abandon": ((),), "choose": (("deck",), ("cut.1",))}


def said_before(sitting: Sitting, event: Event, *, dealt_open: bool = False) -> Declared | None:
    """Return what was said before a camera's event, None where it tells of nothing.

    The game waits for the word, the rules object to the event, and they would blame less after the
    word, or no more of its order: who breaks another rule has not broken that of the word as well.
    There is no start before every player has cards, open ones where some are `dealt_open`.
    """
    before = _objections(sitting, event)
    words = _words(sitting, event, dealt_open=dealt_open) if before else ()
    left = [(_weight(sitting, _objections(sitting, one, event)), k) for k, one in enumerate(words)]
    most = _weight(sitting, before)
    fewest, best = min(left, default=(most, 0))
    return words[best] if fewest < most else None


def is_otherwise_wrong(sitting: Sitting, event: Event, *, dealt_open: bool = False) -> bool:
    """Whether a camera's event would be blamed as much after a word that was due, but otherwise.

    Which rule he broke rests then on what was said.
    """
    before = _objections(sitting, event)
    blamed, blames = _blamed(before), _weight(sitting, before)[:2]
    words = _words(sitting, event, dealt_open=dealt_open) if blamed else ()
    after = [_objections(sitting, said, event) for said in words]
    return any(_weight(sitting, one)[:2] == blames and _blamed(one) != blamed for one in after)


def _words(sitting: Sitting, event: Event, *, dealt_open: bool) -> tuple[Declared, ...]:
    """Return what may have been said just before a camera's event, by him who acts first."""
    if event.source != "camera" or not isinstance(event, OF_PLAY):
        return ()
    wanted_now = (one for one in phase_of(sitting.state).due if one.what in WORDS)
    due = sorted(wanted_now, key=partial(_order, event.actor.seat))
    if not _all_have_cards(sitting.state, open_ones=dealt_open):
        due = [one for one in due if one.what != "start"]
    return tuple(said for wanted in due for said in _said(sitting, event, wanted))


def _order(acts: str | None, wanted: Wanted) -> tuple[bool, str, str]:
    """Return the order of words of which an act tells as much: first of him who acts."""
    return wanted.seat != acts, wanted.seat or "", wanted.what


def _all_have_cards(state: State[Any], *, open_ones: bool) -> bool:
    piles = ((zone, pile[-1:]) for zone, pile in state.table.piles.items())
    owners = {owner_of(zone) for zone, top in piles if any(one.up or not open_ones for one in top)}
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


def _objections(sitting: Sitting, *events: Event) -> tuple[Ruling, ...]:
    """Return what the rules would object to in the last of some events."""
    return tuple(one for one in sitting.foresee_late(*events) if one.kind in OBJECTIONS)


def _blamed(found: tuple[Ruling, ...]) -> frozenset[tuple[str, str | None]]:
    """Return which rules are said to be broken, or may be, and by whom."""
    return frozenset((one.rule, one.player) for one in found if one.kind != "INFO")


def _weight(sitting: Sitting, found: tuple[Ruling, ...]) -> tuple[int, int, int]:
    """Return how many objections blame, how many are of order or of words, how many there are."""
    game, blames = sitting.game, [one.rule for one in found if one.kind != "INFO"]
    worded = [id for id in blames if id in game.of_order or game.rules[id].rests_on_words]
    return len(blames), len(worded), len(found)
