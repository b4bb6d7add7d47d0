"""What the camera cannot see for a while: no light, cards in a heap, a zone hidden for long."""

from __future__ import annotations

from collections.abc import Iterable

from referee.values import Event, ViewBack, ViewLost

# Hands rest on cards while players think; only what is hidden for longer is out of view.
HIDDEN_NS = 6_000_000_000
# Nobody lays so many cards at once that each is not explained before the next; a second forgives
# a table that is read anew.
HEAP_CARDS, HEAP_NS = 10, 1_000_000_000
WHOLE_TABLE = "*"


class Outages:
    """Knows which zones are out of view. Changed only by `step`, by one thread."""

    def __init__(self) -> None:
        """Begin with all in view."""
        self._since_ns: dict[str, int] = {}
        self._lost: set[str] = set()
        self._cause = "dark"

    def step(
        self,
        t_ns: int,
        dark: bool,
        hidden: Iterable[str],
        unexplained: int = 0,
        *,
        flooded: bool = False,
    ) -> tuple[Event, ...]:
        """Return what went out of view or came back.

        That is by whether it is dark, what is hidden, how many cards lie there `unexplained`, and
        whether the table is `flooded` with cards.
        """
        whole = dark or flooded or unexplained > HEAP_CARDS
        now = {WHOLE_TABLE} if whole else set(hidden)
        self._since_ns = {zone: self._since_ns.get(zone, t_ns) for zone in now}
        patience_ns = 0 if dark or flooded else HEAP_NS if whole else HIDDEN_NS
        long = {zone for zone, since in self._since_ns.items() if t_ns - since >= patience_ns}
        gone, back = tuple(sorted(long - self._lost)), tuple(sorted(self._lost - now))
        self._lost = (self._lost | long) & now
        if gone == (WHOLE_TABLE,):
            self._cause = "dark" if dark else "heap"
        cause = self._cause if WHOLE_TABLE in (*gone, *back) else "hidden"
        events: list[Event] = []
        if gone:
            events.append(
                ViewLost(n=0, t_ns=t_ns, source="camera", conf=1.0, zones=gone, cause=cause)
            )
        if back:
            events.append(
                ViewBack(n=0, t_ns=t_ns, source="camera", conf=1.0, zones=back, cause=cause)
            )
        return tuple(events)
