"""Cards that a player laid down on his way and took up again, under the hand that carried them.

Who re-arranges his cards lays one elsewhere and takes it away again before the hand has left it:
nobody sees it lie there. It is told by the way of that hand: it came down where such a card may be
laid while it was away with it, and did nothing else there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from referee.table import moves
from referee.table.contested import SAME_TOUCH_NS
from referee.table.evidence import Contact, Evidence, is_same_hand
from referee.table.found import LIKELY, Found
from referee.table.gone import FINGERS_MM, Gone, lifted_ns
from referee.table.habits import Habits, owner_of
from referee.table.piles import Lying, Piles
from referee.table.putting_under import LEAST_CARRY_NS
from referee.table.spots import Zones
from referee.values import Event, PointMm
from referee.values.events import NOBODY
from referee.values.spots import Spot


@dataclass(frozen=True, slots=True)
class Stop:
    """A hand came down at a column while it was away with a card."""

    zone: str
    touch: Contact


class StoppingOver:
    """Finds where a card lay on its way. Used by one thread."""

    def __init__(
        self,
        habits: Habits,
        zones: Zones,
        piles: Piles,
        evidence: Evidence,
        left_ns: Callable[[str], Iterable[int]],
    ) -> None:
        """Take the piles and the hands; `left_ns` tells when cards left a zone lately."""
        self._habits, self._zones, self._piles = habits, zones, piles
        self._evidence, self._left_ns = evidence, left_ns

    def before(self, found: Found, spot: Spot, zone: str) -> tuple[list[Event], Stop | None]:
        """Tell where a card lay before it came to `zone`; returns the last such stop as well."""
        gone = found.gone
        if gone is None or not self._may_stop(gone, spot):
            return [], None
        stops = self._stops(gone, spot, zone)
        return list(_told(gone, stops)), stops[-1] if stops else None

    def back(self, limbo: Iterable[Gone], spot: Spot, zone: str) -> list[Event]:
        """Tell where a card lay that is seen again where it had been, out of those in the air."""
        gone = next((one for one in limbo if one.zone == zone and self._may_stop(one, spot)), None)
        if gone is None or spot.moving_ns < lifted_ns(gone, self._evidence) + 2 * LEAST_CARRY_NS:
            return []
        stops = self._stops(gone, spot, zone)
        if not stops:
            return []
        card, last = gone.cards[0].card, stops[-1]
        t_ns, u_ns = moves.at_rest_ns(spot), moves.known_to_ns(spot)
        home = moves.unseen(t_ns, u_ns, card, last.zone, gone.zone, last.touch.actor, LIKELY)
        return [*_told(gone, stops), home]

    def _may_stop(self, gone: Gone, spot: Spot) -> bool:
        """Whether it is a known card of a player's columns that his hand was seen to take."""
        card = gone.cards[0]
        known = card.up and card.named and card.face == spot.label
        return gone.touched and len(gone.cards) == 1 and known and self._habits.is_column(gone.zone)

    def _stops(self, gone: Gone, spot: Spot, zone: str) -> list[Stop]:
        """Return where a card was laid between leaving its place and coming to lie in `zone`."""
        stops: list[Stop] = []
        at, since_ns = gone.zone, lifted_ns(gone, self._evidence)
        until_ns = moves.at_rest_ns(spot) - LEAST_CARRY_NS
        for touch in self._touches(gone, since_ns, until_ns):
            place = self._place(gone, touch)
            if place is None or place == at or touch.t_ns < since_ns + LEAST_CARRY_NS:
                continue
            stops.append(Stop(place, touch))
            at, since_ns = place, touch.t_ns
        while stops and stops[-1].zone == zone:
            stops.pop()
        return stops

    def _touches(self, gone: Gone, since_ns: int, until_ns: int) -> list[Contact]:
        """Return when the hand that took a card came down among its player's columns."""
        taker, near = gone.actor, {}
        for zone in self._columns(gone):
            at_mm = self._at_mm(gone, zone)
            for touch in self._evidence.each(at_mm, since_ns + 1, until_ns, NOBODY):
                mine = touch.actor.seat in (owner_of(gone.zone), None)
                if mine and is_same_hand(touch.actor, taker):
                    near[touch.t_ns] = touch
        return [near[t_ns] for t_ns in sorted(near)]

    def _columns(self, gone: Gone) -> Iterator[str]:
        owner = owner_of(gone.zone)
        for zone in {*self._zones.names(), *self._piles.zones()}:
            if self._habits.is_column(zone) and owner_of(zone) == owner:
                yield zone

    def _place(self, gone: Gone, touch: Contact) -> str | None:
        """Return the column at which a hand came down, if the card may lie there."""
        apart_mm, zone = min(
            (touch.apart_mm(self._at_mm(gone, one)), one) for one in self._columns(gone)
        )
        if apart_mm > FINGERS_MM or touch.at_mm is None:
            return None
        free = zone == gone.zone or self._may_be_laid(zone, gone.cards[0])
        return zone if free and not self._did_something_else(gone, zone, touch) else None

    def _may_be_laid(self, zone: str, card: Lying) -> bool:
        """Whether a player lays a card there as he re-arranges: on none, or on the same value."""
        pile = self._piles[zone]
        return not pile or (pile[-1].up and pile[-1].face[:-1] == card.face[:-1])

    def _did_something_else(self, gone: Gone, zone: str, touch: Contact) -> bool:
        """Whether that touch laid or turned the card that shows there, or took one."""
        if zone == gone.zone:
            return False
        laid = (card.since_ns for card in self._piles[zone])
        return any(abs(t_ns - touch.t_ns) < SAME_TOUCH_NS for t_ns in (*laid, *self._left_ns(zone)))

    def _at_mm(self, gone: Gone, zone: str) -> PointMm:
        """Return where the card would lie in a column: a step on from the last one there."""
        if zone == gone.zone:
            return gone.cards[0].at_mm
        pile = self._piles[zone]
        if not pile:
            return self._zones.first_mm(zone)
        (x_mm, y_mm), (step_x, step_y) = pile[-1].at_mm, self._zones.way_mm(zone)
        return x_mm + step_x, y_mm + step_y


def _told(gone: Gone, stops: list[Stop]) -> Iterator[Event]:
    origin = gone.zone
    for stop in stops:
        touch = stop.touch
        actor = touch.actor if touch.actor.seat is not None else gone.actor
        yield moves.unseen(
            touch.t_ns, touch.u_ns, gone.cards[0].card, origin, stop.zone, actor, LIKELY
        )
        origin = stop.zone
