"""Which resting hands are told to the judge: blows and palms, not fingers that lay cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.values import (
    Event,
    HandOff,
    HandOn,
    TablePlan,
    card_zones,
)

# The games in which a hand on a spot means something by itself (catalogue 6.5).
GAMES = ("nerves",)
# A card that a hand lays comes to rest with it: touch-downs are told up to that much apart.
LAYS_NS = 700_000_000
# From above a hand that stops over a pile looks like one that slaps it; a blow is surer than that.
BLOW_CONF = 0.8


class Slaps:
    """Holds back hands on piles until it is known that they laid no card. Used by one thread."""

    def __init__(self, plan: TablePlan) -> None:
        """Take the game's table."""
        self._judged = plan.game in GAMES
        self._waiting: list[HandOn] = []
        self._laid: dict[str, int] = {}

    def step(self, now_ns: int, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return the events without hands that laid cards; hands come when that is certain."""
        told = [event for event in events if self._is_told(event)]
        for event in told:
            for zone in card_zones(event):
                self._laid[zone] = event.t_ns
        return (*self._certain(now_ns), *told)

    def _is_told(self, event: Event) -> bool:
        if not isinstance(event, HandOn | HandOff):
            return True
        if not self._judged or ".arr." in event.zone or event.zone.endswith(".rest"):
            return False
        if event.zone == "mid" or ".side." in event.zone:
            return True
        if isinstance(event, HandOn) and (event.conf or 0.0) >= BLOW_CONF:
            self._waiting.append(event)
        return False

    def _certain(self, now_ns: int) -> Iterator[Event]:
        waiting, self._waiting = self._waiting, []
        for hand in waiting:
            laid_ns = self._laid.get(hand.zone)
            if laid_ns is not None and abs(laid_ns - hand.t_ns) < LAYS_NS:
                continue
            if now_ns - hand.t_ns > LAYS_NS:
                yield hand
            else:
                self._waiting.append(hand)
