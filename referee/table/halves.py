"""The halves of a deck that was cut: before whom each of them was put down, also under a hand.

Who cuts may keep his hand on what he lifted off until he takes it up: then no camera sees it lie.
That the deck was cut is known by the hand that came down beside it.
"""

from __future__ import annotations

from dataclasses import replace

from referee.table import moves
from referee.table.air import Air
from referee.table.evidence import Contact, Evidence
from referee.table.found import CARRY_NS, LIKELY, Found
from referee.table.gone import Gone
from referee.table.habits import HALF_A_DECK, Habits, owner_of
from referee.table.own_pile import Answer, How
from referee.table.piles import Lying, Piles
from referee.values import Actor, Event, TablePlan
from referee.values.events import NOBODY
from referee.values.spots import Spot

# Who puts a half down under his hands keeps them there: in plain sight it would show by then.
HIDDEN_NS = 1_000_000_000
# A deck that is taken up whole was cut so shortly before at most, where nothing of that showed.
CUT_NS = 3_000_000_000
# A hand that lays a half down comes so near to its place; the next place lies 80 mm further on.
BESIDE_MM = 50.0
# An arm hides for so long where a half lay, and that it is gone.
LATE_NS = 600_000_000


class Halves:
    """Tells where the halves of a deck were put. Used by one thread."""

    def __init__(
        self, plan: TablePlan, habits: Habits, piles: Piles, air: Air, evidence: Evidence
    ) -> None:
        """Take the places before the players."""
        self._habits, self._piles = habits, piles
        self._air, self._evidence = air, evidence
        self._places = {
            zone.name: zone.center_mm for zone in plan.zones if habits.is_packet(zone.name)
        }
        self._decks = {
            zone.name: source.origin
            for zone in plan.zones
            for source in habits.sources(zone.name)
            if source.block == HALF_A_DECK
        }
        self._middles = {zone.name: zone.center_mm for zone in plan.zones}

    def is_none(self, spot: Spot, zone: str) -> bool:
        """Whether a spot is none of the backs of a cut deck, but a hand or what it carries."""
        return spot.up and not spot.named and (zone in self._places or self._is_half(zone))

    def put_down(self, spot: Spot, zone: str) -> Answer | None:
        """Return the half that left just before its back shows before a player as what it is."""
        if spot.up or zone not in self._places:
            return None
        sources = {one.origin for one in self._habits.sources(zone)}
        halves = [
            gone
            for gone in self._air.gone
            if gone.zone in sources and gone.touched and gone.t_ns < spot.still_ns + LATE_NS
        ]
        owner = owner_of(zone)
        found = max(halves, key=lambda one: (one.actor.seat == owner, one.t_ns), default=None)
        if found is None or self._piles[found.zone]:
            return None
        return Answer(
            How.CAME,
            found=Found(
                found.zone,
                len(found.cards) - 1,
                gone=found,
                whole=True,
                block=len(found.cards),
                lifted_ns=min(found.t_ns, spot.still_ns),
                who=found.actor,
                conf=LIKELY,
            ),
        )

    def step(self) -> list[Event]:
        """Tell of the halves that lie under the hands that put them down."""
        return [event for gone in list(self._air.gone) for event in self._under_hand(gone)]

    def cut_before(self, spot: Spot, zone: str) -> list[Event]:
        """Tell of a half that nobody saw, where a packet shows before a player off a whole deck.

        A hand came down beside the deck just before: nobody takes one up whole.
        """
        if spot.up or zone not in self._places:
            return []
        for place, deck in self._decks.items():
            touch = None if self._piles[place] else self._beside(place, spot.still_ns)
            half = () if touch is None else self._lift(deck)
            if touch is not None and half:
                self._lay_beside(half, deck, place, owner_of(zone) or "")
                at_ns, u_ns = touch.t_ns, moves.BETWEEN_U_NS
                return [moves.carried(at_ns, u_ns, deck, place, len(half), touch.actor, LIKELY)]
        return []

    def _beside(self, place: str, until_ns: int) -> Contact | None:
        """Return the first touch of the hand that came down at a place before a half was laid."""
        at_mm = self._middles[place]
        touches = self._evidence.each(at_mm, until_ns - CUT_NS, until_ns, NOBODY)
        near = [touch for touch in touches if touch.apart_mm(at_mm) < BESIDE_MM]
        return near[-1] if near else None

    def _lift(self, deck: str) -> tuple[Lying, ...]:
        """Take the upper half off a deck that lies whole or left whole; none of another one."""
        whole = len(self._habits.faces)
        for gone in self._air.gone:
            if gone.zone == deck and len(gone.cards) == whole:
                half, gone.cards = gone.cards[HALF_A_DECK:], gone.cards[:HALF_A_DECK]
                return half
        return self._piles.draw(deck, HALF_A_DECK) if len(self._piles[deck]) == whole else ()

    def _lay_beside(self, half: tuple[Lying, ...], deck: str, place: str, taker: str) -> None:
        """Let a half have lain at a place; it is in the air where its taker's hand was over it."""
        at_mm, now_ns = self._middles[place], self._evidence.now.t_ns
        cards = tuple(replace(card.unseen(), at_mm=at_mm) for card in half)
        here, there = (
            self._evidence.nearest(taker, self._middles[zone], now_ns - CUT_NS, now_ns)
            for zone in (place, deck)
        )
        if here is not None and (there is None or here < there):
            t_ns = here[1]
            gone = Gone(cards, place, t_ns, moves.BETWEEN_U_NS, Actor(taker), bare_ns=now_ns)
            self._air.gone.append(gone)
        else:
            self._piles[place].extend(cards)

    def _under_hand(self, gone: Gone) -> list[Event]:
        partly = bool(self._piles[gone.zone])
        just = self._evidence.now.t_ns - gone.bare_ns < HIDDEN_NS
        if partly or just or not self._is_half(gone.zone):
            return []
        laid = [
            (touch, zone)
            for zone, at_mm in self._places.items()
            if not self._piles[zone] and self._evidence.now.covered(at_mm)
            if (touch := self._laid(gone, zone)) is not None
        ]
        if not laid:
            return []
        touch, zone = min(laid, key=lambda one: one[0].t_ns)
        return [self._lay(gone, zone, touch)]

    def _is_half(self, zone: str) -> bool:
        ways = (source for place in self._places for source in self._habits.sources(place))
        return any(source.origin == zone for source in ways)

    def _laid(self, gone: Gone, zone: str) -> Contact | None:
        """Return the first touch of the hand that took a half at a place before a player."""
        who = Actor(gone.actor.seat) if gone.actor.seat else NOBODY
        since_ns, until_ns = gone.t_ns, gone.t_ns + CARRY_NS
        touches = self._evidence.each(self._places[zone], since_ns, until_ns, who)
        return touches[-1] if touches else None

    def _lay(self, gone: Gone, zone: str, touch: Contact) -> Event:
        self._air.gone.remove(gone)
        at_mm = self._places[zone]
        self._piles[zone].extend(replace(card.unseen(), at_mm=at_mm) for card in gone.cards)
        count, who = len(gone.cards), touch.actor
        return moves.carried(touch.t_ns, moves.BETWEEN_U_NS, gone.zone, zone, count, who, LIKELY)
