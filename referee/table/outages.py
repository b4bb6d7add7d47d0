"""What the camera cannot see for a while: no light, cards in a heap, a zone hidden or black."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
        self._black: frozenset[str] = frozenset()
        self._cause = "dark"

    def step(
        self,
        t_ns: int,
        dark: bool,
        hidden: Iterable[str],
        unexplained: int = 0,
        *,
        flooded: bool = False,
        black: Iterable[str] = (),
    ) -> tuple[Event, ...]:
        """Return what went out of view or came back.

        That is by whether it is dark, what is hidden, how many cards lie there `unexplained`,
        whether the table is `flooded` with cards, and what lies in a `black` part of the picture.
        """
        return (
            *self._step_black(t_ns, frozenset() if dark else frozenset(black)),
            *self._step_hidden(t_ns, dark, hidden, unexplained, flooded=flooded),
        )

    def _step_black(self, t_ns: int, black: frozenset[str]) -> Iterator[Event]:
        gone, back, self._black = black - self._black, self._black - black, black
        if gone:
            yield told_view(ViewLost, t_ns, gone, "black")
        if back:
            yield told_view(ViewBack, t_ns, back, "black")

    def _step_hidden(
        self, t_ns: int, dark: bool, hidden: Iterable[str], unexplained: int, *, flooded: bool
    ) -> Iterator[Event]:
        whole = dark or flooded or unexplained > HEAP_CARDS
        now = {WHOLE_TABLE} if whole else set(hidden)
        self._since_ns = {zone: self._since_ns.get(zone, t_ns) for zone in now}
        patience_ns = 0 if dark or flooded else HEAP_NS if whole else HIDDEN_NS
        long = {zone for zone, since in self._since_ns.items() if t_ns - since >= patience_ns}
        gone, back = long - self._lost, self._lost - now
        self._lost = (self._lost | long) & now
        if gone == {WHOLE_TABLE}:
            self._cause = "dark" if dark else "heap"
        cause = self._cause if WHOLE_TABLE in gone | back else "hidden"
        if gone:
            yield told_view(ViewLost, t_ns, gone, cause)
        if back:
            yield told_view(ViewBack, t_ns, back, cause)


def told_view(
    kind: type[ViewLost] | type[ViewBack], t_ns: int, zones: Iterable[str], cause: str
) -> Event:
    """Return the event of zones that went out of view, or came back, by the camera."""
    zones = tuple(sorted(zones))
    return kind(n=0, t_ns=t_ns, source="camera", conf=1.0, zones=zones, cause=cause)
