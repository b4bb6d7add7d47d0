"""Which resting hands are told to the judge: blows and palms, not fingers that lay cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.app.blows import Blows
from referee.table.hands import is_hidden
from referee.values import (
    Event,
    HandOff,
    HandOn,
    HandSeen,
    PointMm,
    TablePlan,
)

# The games in which a hand on a spot means something by itself (catalogue 6.5).
GAMES = ("nerves",)
# Later than all that can be seen.
LATEST_NS = 10**15


def on_pads(
    events: Iterable[Event], hands: Iterable[HandSeen], plan: TablePlan, felt: frozenset[str]
) -> Iterator[Event]:
    """Yield the events, and hands that came to rest with a pad beneath them as hands on its spot.

    A slap hits a spot with palm and fingers; their tips, by which a hand's place is told, often
    lie beyond it. Of hands that only may have come down the pads tell more.
    """
    spots = [zone for zone in plan.zones if zone.name in felt]
    boxes = {(hand.seat, hand.hand): hand.box_mm for hand in hands}
    for event in events:
        if isinstance(event, HandOn) and is_hidden(event):
            continue
        yield event
        box = boxes.get((event.actor.seat, event.actor.hand))
        if not isinstance(event, HandOn) or box is None:
            continue
        for spot in spots:
            if spot.name != event.zone and _covers(box, spot.center_mm):
                yield replace(event, zone=spot.name)


def _covers(box_mm: tuple[float, float, float, float], at_mm: PointMm) -> bool:
    x0, y0, x1, y1 = box_mm
    return x0 <= at_mm[0] <= x1 and y0 <= at_mm[1] <= y1


def _still(events: Iterable[Event]) -> list[Event]:
    """Return the events without hands that only stirred where they rest: gone and there at once."""
    all_of_them = list(events)
    times = [
        {(one.zone, one.t_ns) for one in all_of_them if isinstance(one, kind)}
        for kind in (HandOn, HandOff)
    ]
    stirred = times[0] & times[1]
    return [
        event
        for event in all_of_them
        if not isinstance(event, HandOn | HandOff)
        or ".side." not in event.zone
        or (event.zone, event.t_ns) not in stirred
    ]


class Slaps:
    """Tells the judge of hands that rest or hit. Used by one thread."""

    def __init__(self, plan: TablePlan) -> None:
        """Take the game's table."""
        self._judged = plan.game in GAMES
        self._blows = Blows()

    def finish(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return the last events, with the hands that are still held back."""
        return self.step(LATEST_NS, events)

    def step(
        self, now_ns: int, events: Iterable[Event], felt: frozenset[str] = frozenset()
    ) -> tuple[Event, ...]:
        """Return the events without hands that laid cards; hands come when that is certain.

        Hands on the `felt` spots are not told: the pads there tell of those that hit, and a hand
        that no pad felt did not.
        """
        told = [event for event in _still(events) if self._is_told(event, felt)]
        for event in told:
            self._blows.lay(event)
        return (*self._blows.certain(now_ns), *told)

    def _is_told(self, event: Event, felt: frozenset[str]) -> bool:
        """Whether an event is told at once; hands that may have hit something wait."""
        if not isinstance(event, HandOn | HandOff):
            return True
        if not self._judged or event.zone in felt:
            return False
        self._blows.take(event)
        # Nobody is to be told that he does not show a hand that may rest there.
        return ".side." in event.zone
