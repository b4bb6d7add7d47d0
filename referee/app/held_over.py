"""Cards that a hand held over a pile and put back where they lay: they were never laid there.

Who thinks better of it under his hand may do so without fault (`G-04`), and from above a card that
is held still looks as one that lies. It is told by the hand: it did not leave the card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from enum import Enum, auto

from referee.app.glances import Glances
from referee.table.habits import Habits, owner_of
from referee.values import CardPlaced, Event, HandOff

# Nobody holds a card still over a pile for longer, with his fingers on it, and puts it back.
HELD_NS = 2_000_000_000


class Laid(Enum):
    """Whether a card was laid, was not as it is back where it lay, or may be held still."""

    YES = auto()
    NO = auto()
    NOT_YET = auto()


class HeldOver:
    """Tells cards that were laid from those that were held. Used by one thread."""

    def __init__(self, habits: Habits, glances: Glances) -> None:
        """Take the game, and what was seen of the table."""
        self._habits, self._glances = habits, glances
        self._laid: dict[str, CardPlaced] = {}
        # By which cards went home that were held, and so never left it.
        self._void: list[Event] = []
        self._left: deque[HandOff] = deque(maxlen=16)

    def note(self, event: Event) -> None:
        """Take a card that was judged as laid."""
        if isinstance(event, CardPlaced):
            self._laid[event.target] = event

    def leave(self, events: Iterable[Event]) -> None:
        """Take the hands that left the table where they were."""
        self._left.extend(one for one in events if isinstance(one, HandOff))

    def may_be_held(self, event: CardPlaced) -> bool:
        """Whether a hand may hold a card still where it seems to lie."""
        mine = (one for one in self._left if one.actor.seat in (event.actor.seat, None))
        left_ns = (one.t_ns for one in mine if one.t_ns > event.t_ns)
        return self._glances.may_be_held(event, min(left_ns, default=None))

    def laid(self, event: Event, later: Iterable[Event], now_ns: int) -> Laid:
        """Return whether a card was laid; where they play in turns, what comes next rests on it.

        For a place that is one player's own nobody else is early or late by it. Of a card of which
        nobody saw whose hand brought it, nobody saw either that the hand left it.
        """
        if event in self._void:
            self._void.remove(event)
            return Laid.NO
        in_turns = self._habits.in_turns
        if not isinstance(event, CardPlaced) or not (in_turns or owner_of(event.target)):
            return Laid.YES
        unseen = event.actor.seat is None and not self._habits.is_drawn(event.origin)
        if not (unseen or self.may_be_held(event)):
            return Laid.YES
        back = next((one for one in later if _takes_away(one, event)), None)
        if back is not None and _is_home(back, event):
            self._void.append(back)
            return Laid.NO
        return Laid.NOT_YET if in_turns and now_ns - event.t_ns < HELD_NS else Laid.YES

    def is_part_of_it(self, event: Event, later: Iterable[Event]) -> bool:
        """Whether a card was taken away again under the hand that held it, or was just so."""
        if not isinstance(event, CardPlaced):
            return False
        if any(_takes_away(one, event) for one in later) and self.may_be_held(event):
            return True
        laid = self._laid.get(event.origin)
        return laid is not None and _takes_away(event, laid) and self.may_be_held(laid)


def _takes_away(event: Event, laid: CardPlaced) -> bool:
    """Whether an act takes a card away that the same player laid, or one whom nobody knows."""
    if not isinstance(event, CardPlaced) or event.origin != laid.target:
        return False
    mine = event.actor.seat in (laid.actor.seat, None)
    return mine and event.card.seen().face == laid.card.seen().face


def _is_home(event: Event, laid: CardPlaced) -> bool:
    return isinstance(event, CardPlaced) and event.target == laid.origin
