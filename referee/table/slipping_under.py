"""Cards that were slipped under a cascade, of which nothing shows: told by the hand that did it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import dist, inf

from referee.table import moves
from referee.table.air import LIFTED_NS, UNDER_U_NS, Air
from referee.table.arrivals import Arrivals
from referee.table.company import Company
from referee.table.contested import CARRY_NS, LEAST_CARRY_NS, SAME_TOUCH_NS, WAIT_NS
from referee.table.evidence import Contact, Evidence, Reach
from referee.table.found import GUESSED
from referee.table.gone import Gone
from referee.table.habits import owner_of
from referee.table.into_hand import PASSED_CONF, TAKEN_CONF
from referee.table.piles import Piles, fits_onto
from referee.table.putting_under import HOLDS_MM, is_elsewhere
from referee.table.spots import Zones
from referee.values import Actor, Event, PointMm


@dataclass(frozen=True, slots=True)
class _Slip:
    """A card slipped under the cascade of a zone, when a hand was there; as sure as `conf`."""

    zone: str
    touch: Contact
    conf: float


class SlippingUnder:
    """Finds the cards below the cascades. Used by one thread.

    A card that is slipped under another one may show no more than its edge. Its player's hand came
    down at the cascade right after it took the card, laid nothing there and took nothing, and the
    lowest card of that cascade fits onto the one that is missing. One that fits under none and lies
    nowhere for long is guessed to be under the last that was touched so: that may break a rule.
    """

    def __init__(
        self, zones: Zones, piles: Piles, company: Company, air: Air, evidence: Evidence
    ) -> None:
        """Take the piles, and the air in which hidden cards seem to be."""
        self._zones, self._piles = zones, piles
        self._company, self._air, self._evidence = company, air, evidence

    def step(self, arrivals: Arrivals, may_lie: Callable[[Gone], bool]) -> list[Event]:
        """Lay cards in the air below the cascades under which they were slipped, and tell of it.

        `may_lie` tells whether a card may lie where another card hides it, or unread.
        """
        events = []
        for gone in list(self._air.gone):
            if arrivals.came_with(gone):
                continue
            slip = min(self._under(gone), key=lambda one: one.touch.t_ns, default=None)
            if slip is None or slip.conf < TAKEN_CONF:
                if may_lie(gone):
                    continue
                slip = slip or max(self._wrongly(gone), key=lambda s: s.touch.t_ns, default=None)
            if slip is not None:
                self._air.gone.remove(gone)
                events.append(self._laid(gone, slip))
        return events

    def _under(self, gone: Gone) -> Iterator[_Slip]:
        """Yield the cascades under which a card may be, and when a hand was there with it."""
        owner, card = owner_of(gone.zone), gone.cards[0]
        taken_ns = self._taken_ns(gone)
        if owner is None or taken_ns is None or len(gone.cards) > 1 or not card.up:
            return
        for zone in self._piles.zones():
            mine = owner_of(zone) == owner and zone != gone.zone and self._company.is_cascade(zone)
            if (
                mine
                and fits_onto(self._piles[zone][0], card)
                and self._evidence.sees(self._piles[zone][-1])
            ):
                touch, conf = self._touch(zone, taken_ns, owner), TAKEN_CONF
                if touch is None:
                    touch, conf = self._pass(zone, taken_ns, owner, card.at_mm), PASSED_CONF
                if touch is not None and self._evidence.now.t_ns - touch.t_ns >= WAIT_NS:
                    yield _Slip(zone, touch, conf)

    def _wrongly(self, gone: Gone) -> Iterator[_Slip]:
        """Yield the cascades that a card does not fit under, of one that lies nowhere for long."""
        owner, card = owner_of(gone.zone), gone.cards[0]
        now_ns = self._evidence.now.t_ns
        long = gone.reach is Reach.TOUCHED and now_ns - gone.bare_ns > LIFTED_NS
        if owner is None or not long or gone.lifted or len(gone.cards) > 1 or not card.up:
            return
        for zone in self._piles.zones():
            mine = owner_of(zone) == owner and zone != gone.zone and self._company.is_cascade(zone)
            if mine and card.named and self._evidence.sees(self._piles[zone][-1]):
                touch = self._touch(zone, gone.t_ns, owner)
                if touch is not None:
                    yield _Slip(zone, touch, GUESSED)

    def _taken_ns(self, gone: Gone) -> int | None:
        """Return when a hand took a card; it may have been read no more since earlier."""
        if gone.touched:
            return gone.t_ns
        at_mm, now_ns = gone.cards[0].at_mm, self._evidence.now.t_ns
        near = self._evidence.each(at_mm, gone.t_ns, now_ns, Actor(owner_of(gone.zone)))
        there = (one.t_ns for one in near if not is_elsewhere(one, gone.zone, at_mm, self._piles))
        return min(there, default=None)

    def _touch(self, zone: str, taken_ns: int, seat: str) -> Contact | None:
        """Return the first time that a hand came down at a cascade and moved none of its cards."""
        pile = self._piles[zone]
        since_ns, until_ns = taken_ns + LEAST_CARRY_NS, taken_ns + CARRY_NS
        near = self._evidence.each(pile[0].at_mm, since_ns, until_ns, Actor(seat))
        idle = (
            one
            for one in near
            if not is_elsewhere(one, zone, pile[0].at_mm, self._piles)
            and not self._moved(zone, one)
        )
        return min(idle, key=lambda one: one.t_ns, default=None)

    def _pass(self, zone: str, taken_ns: int, seat: str, from_mm: PointMm) -> Contact | None:
        """Return when the fingers of a seat were nearest to a cascade, if they were right there.

        No touch is told where hands come too close to one another to be told apart. Fingers that
        went on, with the card that they took `from_mm`, were only on their way there.
        """
        at_mm, since_ns = self._piles[zone][0].at_mm, taken_ns + LEAST_CARRY_NS
        way = self._evidence.way(seat, since_ns, taken_ns + CARRY_NS)
        near = [(dist(tip, at_mm), t_ns, tip) for t_ns, tip in way]
        apart_mm, t_ns, tip_mm = min(near, default=(inf, 0, at_mm))
        touch = Contact(Actor(seat, "?"), t_ns, UNDER_U_NS, tip_mm)
        there = apart_mm < HOLDS_MM and not is_elsewhere(touch, zone, at_mm, self._piles)
        if not there or self._moved(zone, touch):
            return None
        went_on = self._evidence.went_on(seat, from_mm, at_mm, t_ns, taken_ns + CARRY_NS)
        return None if went_on else touch

    def _moved(self, zone: str, touch: Contact) -> bool:
        """Whether a hand that came down at a cascade laid a card there, or took one."""
        laid = (card.since_ns for card in self._piles[zone])
        left = (gone.t_ns for gone in self._air.gone if gone.zone == zone)
        return any(abs(t_ns - touch.t_ns) < SAME_TOUCH_NS for t_ns in (*laid, *left))

    def _laid(self, gone: Gone, slip: _Slip) -> Event:
        zone, touch = slip.zone, slip.touch
        (x_mm, y_mm), (step_x, step_y) = self._piles[zone][0].at_mm, self._zones.way_mm(zone)
        card = replace(gone.cards[0].unseen(), at_mm=(x_mm - step_x, y_mm - step_y))
        self._piles[zone].insert(0, replace(card, since_ns=touch.t_ns))
        return moves.unseen(touch.t_ns, touch.u_ns, card.card, gone.zone, zone,
                            touch.actor, slip.conf, under=True)  # fmt: skip
