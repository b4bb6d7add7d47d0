"""In which order acts were told, where that is not the order in which they were done."""

from __future__ import annotations

from collections.abc import Iterable

from referee.table.habits import owner_of
from referee.values import Declared, Event, card_zones

# Words with which play begins, or is over: what was done before them is judged by what was so then.
TURNS = frozenset({"start", "resume", "call", "finished"})


class Order:
    """Knows when cards came or went last by what was judged. Used by one thread."""

    def __init__(self, seats: tuple[str, ...], *, shared: bool) -> None:
        """Begin before the first act. `shared`: all play from one deck, in turns."""
        self._seats, self._shared = seats, shared
        self._last_ns: dict[str, int] = {}
        # When play last began, or was over, by what was said and judged.
        self._turned_ns = 0

    def note(self, event: Event) -> None:
        """Take an act, or a word, that was judged."""
        if isinstance(event, Declared) and event.what in TURNS:
            self._turned_ns = max(self._turned_ns, event.t_ns)
        for zone in card_zones(event):
            self._last_ns[zone] = max(event.t_ns, self._last_ns.get(zone, event.t_ns))

    def is_open(self, event: Event, later: Iterable[Event]) -> bool:
        """Whether what an act met may have come after it: it is judged by what lies there now.

        `later` were told of already, and are judged next.
        """
        return is_overtaken(event, _of_places(event, later)) or self.is_belated(event)

    def is_belated(self, event: Event) -> bool:
        """Whether acts were judged that came after one which is told now.

        Those of the same places count, and of the same player: whether a card could have been laid
        elsewhere is judged by all of his piles. Where all play in turns any act does; and so does a
        word with which play began or was over.
        """
        if event.t_ns < self._turned_ns:
            return True
        seats = {*map(owner_of, card_zones(event)), event.actor.seat}.intersection(self._seats)
        zones = card_zones(event)
        return any(
            last_ns > event.t_ns
            for zone, last_ns in self._last_ns.items()
            if self._shared or zone in zones or owner_of(zone) in seats
        )


def is_overtaken(event: Event, later: Iterable[Event]) -> bool:
    """Whether what is judged later may have happened before the event, or at the same moment."""
    until_ns = event.t_ns + (event.u_ns or 0)
    return any(one.t_ns - (one.u_ns or 0) <= until_ns for one in later)


def _of_places(event: Event, later: Iterable[Event]) -> tuple[Event, ...]:
    """Return what is judged later of the same places: which of two cards came first is open."""
    return tuple(one for one in later if not set(card_zones(event)).isdisjoint(card_zones(one)))
