"""What the camera cannot see for a while: the light off, or a zone hidden for long."""

from __future__ import annotations

from collections.abc import Iterable

from referee.values import Event, ViewBack, ViewLost

# Hands rest on cards while players think; only what is hidden for longer is out of view.
HIDDEN_NS = 6_000_000_000
WHOLE_TABLE = "*"


class Outages:
    """Knows which zones are out of view. Changed only by `step`, by one thread."""

    def __init__(self) -> None:
        """Begin with all in view."""
        self._since_ns: dict[str, int] = {}
        self._lost: set[str] = set()

    def step(self, t_ns: int, dark: bool, hidden: Iterable[str]) -> tuple[Event, ...]:
        """Return what went out of view or came back, by whether it is dark and what is hidden."""
        now = {WHOLE_TABLE} if dark else set(hidden)
        self._since_ns = {zone: self._since_ns.get(zone, t_ns) for zone in now}
        long = {
            zone
            for zone, since_ns in self._since_ns.items()
            if zone == WHOLE_TABLE or t_ns - since_ns >= HIDDEN_NS
        }
        gone, back = tuple(sorted(long - self._lost)), tuple(sorted(self._lost - now))
        self._lost = (self._lost | long) & now
        cause = "dark" if dark or back == (WHOLE_TABLE,) else "hidden"
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
