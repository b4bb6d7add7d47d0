"""Acts that nobody saw, where one changes whose turn it is: all play from one deck, in turns.

Who lays a card and keeps his hand on it may take it back under that hand: it stayed over the
middle, and nothing is told of it. And who draws a card from there that nobody saw lie seems to lay
it out of his closed hand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.shown import Shown
from referee.values import CardPlaced, Event, card_zones

# In films of XIX by two makers hands were over the middle for 0.4 s and longer 19 times for acts
# that were told, 1.0 s at most, and once for none: 1.5 s, as a card was laid and taken back there.
LONG_NS = 600_000_000
# A card comes to rest elsewhere so long after its place was free of the hand that took it.
CARRY_NS = 900_000_000
# An exchange takes so long, and what was missed in it changes whose turn it is.
ADRIFT_NS = 6_000_000_000


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A zone that a hand was over for long, from when to when."""

    zone: str
    since_ns: int
    until_ns: int


class HiddenActs:
    """Remembers what hands hid for long. Used by one thread."""

    def __init__(self, habits: Habits) -> None:
        """Take the game; begin with nothing hidden."""
        self._habits = habits
        self._since_ns: dict[str, int] = {}
        self._hidden: deque[_Hidden] = deque(maxlen=8)
        self._told: deque[Event] = deque(maxlen=32)
        # When a card was drawn that was laid unseen.
        self._drawn_ns: int | None = None

    def look(self, now_ns: int, shown: Shown) -> None:
        """Note which common rows are hidden now, though nothing is open there."""
        hidden = {
            zone
            for zone in shown.unclear - shown.pending.keys()
            if owner_of(zone) is None and self._habits.is_row(zone)
        }
        for zone in self._since_ns.keys() - hidden:
            since_ns = self._since_ns.pop(zone)
            if now_ns - since_ns >= LONG_NS:
                self._hidden.append(_Hidden(zone, since_ns, now_ns))
        for zone in hidden:
            self._since_ns.setdefault(zone, now_ns)

    def note(self, event: Event) -> None:
        """Take an event that was told."""
        if card_zones(event):
            self._told.append(event)
        if self.seems_shown(event):
            self._drawn_ns = event.t_ns

    def seems_shown(self, event: Event) -> bool:
        """Whether a player is said to lay a card of his closed hand open before him.

        Hardly anybody does: it lay in the middle, where nobody saw it, and he drew it from there.
        """
        if not self._habits.hides_hands or not isinstance(event, CardPlaced):
            return False
        own = owner_of(event.target) is not None and self._habits.is_row(event.target)
        return own and is_in_hands(event.origin)

    def come_before(self, event: Event, later: Iterable[Event]) -> bool:
        """Whether an act may have been hidden in the exchange that an event belongs to."""
        if self._drawn_ns is not None and 0 <= event.t_ns - self._drawn_ns < ADRIFT_NS:
            return True
        told = (*self._told, *later, event)
        lately = (
            one
            for one in self._hidden
            if one.since_ns < event.t_ns and event.t_ns - one.until_ns < ADRIFT_NS
        )
        return any(not any(_happened_there(act, one) for act in told) for one in lately)


def _happened_there(event: Event, hidden: _Hidden) -> bool:
    """Whether it was for an event that a hand was over a place."""
    carried_ns = event.carry_ns if isinstance(event, CardPlaced) else None
    began_ns = event.t_ns if carried_ns is None else carried_ns
    within = hidden.since_ns <= event.t_ns and began_ns <= hidden.until_ns + CARRY_NS
    return within and hidden.zone in card_zones(event)
