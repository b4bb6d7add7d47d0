"""When each pile was last seen without a hand over it, and what a hand cannot have changed since.

The hand that brings a card often rests over other piles for a while. What lay there when it came
lay there when the card was laid: with one card in it, a hand does nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.table.habits import owner_of
from referee.table.shown import Shown
from referee.values import CardPlaced, Event, card_zones
from referee.values.spots import BACK

# A hand is over a pile for 0.2 s and longer when it takes or lays a card there.
EVERY_NS = 100_000_000
# A carry takes 0.3 to 0.9 s: where its begin was not seen, the hand held the card so long.
CARRIED_NS = 500_000_000
# Looks are remembered for 3 s: no card is judged later than that.
LOOKS = 30


@dataclass(frozen=True, slots=True)
class Glance:
    """What was read of a pile, free of hands, at `t_ns`."""

    t_ns: int
    labels: tuple[str, ...]


class Glances:
    """Remembers when piles were seen. Used by one thread."""

    def __init__(self, shown: Callable[[], Shown]) -> None:
        """Take how to look at the table."""
        self._shown = shown
        self._looked_ns = -EVERY_NS
        self._clear_ns: dict[str, int] = {}
        self._looks: deque[tuple[int, Shown]] = deque(maxlen=LOOKS)

    def look(self, now_ns: int) -> None:
        """Note the piles that no hand hides now, every now and then."""
        if now_ns - self._looked_ns < EVERY_NS:
            return
        self._looked_ns, shown = now_ns, self._shown()
        self._looks.append((now_ns, shown))
        self._clear_ns |= dict.fromkeys(shown.labels.keys() - shown.unclear, now_ns)

    def before(self, zone: str, t_ns: int) -> Glance | None:
        """Return how a pile was last seen free of hands before a time."""
        for seen_ns, shown in reversed(self._looks):
            if seen_ns < t_ns and zone not in shown.unclear:
                return Glance(seen_ns, shown.labels.get(zone, ()))
        return None

    def unseen_ns(self, zone: str, t_ns: int) -> int:
        """Return for how long a pile had been hidden, or not understood, at a time.

        It is 0 where nothing was looked at before.
        """
        look = self.before(zone, t_ns)
        first_ns = next((seen_ns for seen_ns, _ in self._looks if seen_ns < t_ns), t_ns)
        return t_ns - (first_ns if look is None else look.t_ns)

    def may_be_held(self, event: CardPlaced, left_ns: int | None = None) -> bool:
        """Whether a hand was on a card since it came, that was not seen to lie without it.

        A hand that rests on a card may hold it over a pile, and put it back where it lay. Of one
        that was told to have left it at `left_ns` it is enough that the whole card shows since:
        fingers that hold a card hide one of its indices.
        """
        face, zone = event.card.seen().face if event.up else BACK, event.target
        since = [*(shown for t_ns, shown in self._looks if t_ns > event.t_ns), self._shown()]
        if not any(zone in one.held for one in since):
            return False
        shows = [one for one in since if face in one.labels.get(zone, ())]
        whole_ns = max((one.whole_ns.get(zone, 0) for one in shows), default=0)
        if left_ns is not None and whole_ns > left_ns:
            return False
        return all(zone in one.held for one in shows)

    def as_it_came(self, event: Event) -> Shown:
        """Return what is seen, of piles that a hand hides since it brought a card what lay there.

        Of the player's own piles that it came from and to, what is read of them by now. Who lays
        out cards that he holds lays the next within that time.
        """
        shown = self._shown()
        if not isinstance(event, CardPlaced) or event.origin.endswith(".held"):
            return shown
        since_ns = min(event.carry_ns or event.t_ns, event.t_ns - CARRIED_NS)
        kept = {zone for zone, t_ns in self._clear_ns.items() if t_ns >= since_ns}
        kept.update(zone for zone in card_zones(event) if owner_of(zone) == event.actor.seat)
        return replace(shown, unclear=shown.unclear - (kept - shown.pending.keys()))
