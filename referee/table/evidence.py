"""Which places hands were at lately: whether somebody can have taken a card from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import dist, inf
from typing import Protocol

from referee.table.habits import habits_of
from referee.table.layout import is_for_hands
from referee.table.piles import Lying
from referee.values import Actor, PointMm, TablePlan
from referee.values.events import NOBODY
from referee.values.spots import CARD_W_MM, Spot

# Two hands at one place within this time: either may have taken the card.
TOGETHER_NS = 250_000_000
# A hand that is so much nearer to another pile is at that one.
CLEARLY_MM = 15.0
# A hand that holds a deck has its fingertips so near to the middle of the top card: at its edges.
# Of a deck that it carries off that is seen so long after at most.
HOLDS_MM, LATELY_NS = 80.0, 500_000_000


class Now(Protocol):
    """What is known of the moment: its time, and when zones last stirred."""

    @property
    def t_ns(self) -> int:
        """The time of the look."""

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The believed cards."""

    @property
    def stirred_ns(self) -> Callable[[str], int]:
        """When something last moved over a zone."""

    @property
    def covered(self) -> Callable[[PointMm], bool]:
        """Whether a hand hides a place now."""

    @property
    def shown(self) -> Callable[[PointMm, float], bool]:
        """Whether a card's place was seen, free of hands, since anything moved there."""

    @property
    def glimpsed(self) -> Callable[[PointMm], bool]:
        """Whether a card was read at a place, believed or not yet."""

    @property
    def stirring(self) -> Callable[[PointMm, float], float]:
        """How much of a card's place moved since the last look, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand of `actor` came down at `t_ns`, known to `u_ns` to either side.

    `at_mm` is where its fingers were, None where that is not told; `root_mm` where its arm came in.
    """

    actor: Actor
    t_ns: int
    u_ns: int
    at_mm: PointMm | None = None
    root_mm: PointMm | None = None

    def apart_mm(self, at_mm: PointMm) -> float:
        """Return how far from a place it was."""
        return 0.0 if self.at_mm is None else dist(self.at_mm, at_mm)

    def aside_mm(self, at_mm: PointMm) -> float:
        """Return how far from a place its arm points, `inf` where that is not told."""
        if self.at_mm is None or self.root_mm is None or self.at_mm == self.root_mm:
            return inf
        (x, y), (root_x, root_y) = self.at_mm, self.root_mm
        across = (at_mm[0] - x) * (y - root_y) - (at_mm[1] - y) * (x - root_x)
        return abs(across) / dist(self.at_mm, self.root_mm)


Touched = Callable[[str | None, PointMm, int, int], Contact | None]
"""Whether a seat's hand, or with None one that nobody named, came down near a place, and when."""


def untouched(seat: str | None, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
    """Know of no hands: for tables of which the hands are not watched."""
    return None


Ways = Callable[[str, int, int], Sequence[tuple[int, PointMm]]]
"""Where a seat's fingers were between two times, and when."""


def no_ways(seat: str, t0_ns: int, t1_ns: int) -> Sequence[tuple[int, PointMm]]:
    """Know of no ways of hands: for tables of which only touches are told."""
    return ()


class Reach(IntEnum):
    """How surely a hand was at a place: not at all, over its zone, or it came down there."""

    NONE = 0
    PASSED = 1
    TOUCHED = 2


class Evidence:
    """What the hands tell at one moment. `now` is set before each step."""

    now: Now

    def __init__(self, plan: TablePlan, touched: Touched, ways: Ways = no_ways) -> None:
        """Take how to ask for the touches of a seat, and for the ways of its hands."""
        self._seats = (*(place.seat for place in plan.seats), None)
        self._places_mm = tuple(zone.center_mm for zone in plan.zones)
        habits = habits_of(plan)
        self._for_cards_mm = tuple(
            zone.center_mm
            for zone in plan.zones
            if not is_for_hands(plan, zone) and not habits.is_packet(zone.name)
        )
        self.touched, self._ways = touched, ways

    def other(self, seat: str) -> str | None:
        """Return the player beside this one, None where there are several."""
        others = [one for one in self._seats if one not in (seat, None)]
        return others[0] if len(others) == 1 else None

    def way(self, seat: str, t0_ns: int, t1_ns: int) -> Sequence[tuple[int, PointMm]]:
        """Return where a seat's fingers were between two times, and when, as far as was seen."""
        return self._ways(seat, t0_ns, t1_ns)

    def sees(self, card: Lying) -> bool:
        """Whether a card that lies somewhere is seen now, free of hands."""
        seen = card.spot is not None and not self.now.covered(card.at_mm)
        return seen and self.now.shown(card.at_mm, card.angle_deg)

    def is_at_fingers(self, at_mm: PointMm) -> bool:
        """Whether fingers were so near to a card's middle lately that a hand may have held it."""
        now_ns = self.now.t_ns
        ways = (self._ways(seat, now_ns - LATELY_NS, now_ns) for seat in self._seats if seat)
        return any(dist(tip_mm, at_mm) < HOLDS_MM for way in ways for _, tip_mm in way)

    def nearest(
        self, seat: str, at_mm: PointMm, t0_ns: int, t1_ns: int
    ) -> tuple[float, int] | None:
        """Return how near to a place, in millimetres, a seat's fingers came, and when."""
        way = [(dist(tip, at_mm), t_ns) for t_ns, tip in self._ways(seat, t0_ns, t1_ns)]
        touch = self.last(at_mm, t0_ns, t1_ns, Actor(seat))
        if touch is not None:
            way.append((touch.apart_mm(at_mm), touch.t_ns))
        return min(way, default=None)

    def last(self, at_mm: PointMm, t0_ns: int, t1_ns: int, actor: Actor = NOBODY) -> Contact | None:
        """Return the last time at which a hand of an actor, or any, came down near a place."""
        seats = self._seats if actor.seat is None else (actor.seat,)
        near = (self.touched(seat, at_mm, t0_ns, t1_ns) for seat in seats)
        return max((one for one in near if one is not None), key=lambda c: c.t_ns, default=None)

    def each(self, at_mm: PointMm, t0_ns: int, t1_ns: int, actor: Actor) -> list[Contact]:
        """Return the times at which a hand of an actor came down near a place, the last first."""
        found: list[Contact] = []
        while (contact := self.last(at_mm, t0_ns, t1_ns, actor)) is not None:
            found.append(contact)
            t1_ns = contact.t_ns - 1
        return found

    def came_down(self, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
        """Return when anybody's hand came down last at a place, not at that of a pile beside."""
        touches = self.each(at_mm, t0_ns, t1_ns, NOBODY)
        return next((one for one in touches if not self.is_at_another_place(one, at_mm)), None)

    def elsewhere(
        self, here_mm: Sequence[PointMm], t0_ns: int, t1_ns: int, who: Actor
    ) -> Iterator[Contact]:
        """Yield where a hand that may be this one came down other than at those places of cards."""
        for at_mm in self._for_cards_mm:
            for seat in (who.seat, None):
                contact = self.touched(seat, at_mm, t0_ns, t1_ns)
                if contact is None or not is_same_hand(contact.actor, who):
                    continue
                apart_mm = contact.apart_mm(at_mm) + CLEARLY_MM
                if all(contact.apart_mm(one) > apart_mm for one in here_mm):
                    yield contact

    def went_on(
        self, seat: str, from_mm: PointMm, over_mm: PointMm, t0_ns: int, t1_ns: int
    ) -> bool:
        """Whether a seat's fingers came, from one place over another, to one of cards beyond."""
        far_mm = dist(from_mm, over_mm)
        beyond = [one for one in self._for_cards_mm if dist(from_mm, one) > far_mm + CARD_W_MM / 2]
        way = self._ways(seat, t0_ns, t1_ns)
        return any(dist(tip_mm, one) < HOLDS_MM for _, tip_mm in way for one in beyond)

    def is_at_another_place(self, contact: Contact, at_mm: PointMm) -> bool:
        """Whether a hand came down clearly nearer to the middle of another zone than to a card."""
        apart_mm = contact.apart_mm(at_mm) - CLEARLY_MM
        others = (one for one in self._places_mm if dist(one, at_mm) > CARD_W_MM)
        return any(contact.apart_mm(one) < apart_mm for one in others)

    def reach(
        self, zone: str, at_mm: PointMm, t0_ns: int, t1_ns: int, actor: Actor = NOBODY
    ) -> Reach:
        """Return how surely a hand of an actor was at a place of a zone between two times."""
        if self.last(at_mm, t0_ns, t1_ns, actor) is not None:
            return Reach.TOUCHED
        # Only the last stir is known: of an earlier one nothing can be told.
        return Reach.PASSED if self.now.stirred_ns(zone) >= t0_ns else Reach.NONE

    def lasts(
        self, at_mm: PointMm, t0_ns: int, t1_ns: int, elsewhere: Callable[[Contact], bool]
    ) -> list[Contact]:
        """Return when each seat's hand came down near a place last, the last first.

        Touches that are `elsewhere` do not count: who lays a card beside it takes none here.
        """
        found = (self._last_here(seat, at_mm, t0_ns, t1_ns, elsewhere) for seat in self._seats)
        near = [one for one in found if one is not None]
        return sorted(near, key=lambda one: one.t_ns, reverse=True)

    def _last_here(
        self,
        seat: str | None,
        at_mm: PointMm,
        t0_ns: int,
        t1_ns: int,
        elsewhere: Callable[[Contact], bool],
    ) -> Contact | None:
        touch = self.touched(seat, at_mm, t0_ns, t1_ns)
        while touch is not None and elsewhere(touch):
            touch = self.touched(seat, at_mm, t0_ns, touch.t_ns - 1)
        return touch


def came_alone(lasts: Sequence[Contact]) -> Actor:
    """Return who was the last to come down, the last first; nobody where two came together."""
    rivals = {one.actor.seat for one in lasts if lasts[0].t_ns - one.t_ns < TOGETHER_NS}
    return lasts[0].actor if len(rivals) == 1 else NOBODY


def is_same_hand(one: Actor, other: Actor) -> bool:
    """Whether two hands of one player may be the same."""
    return "?" in (one.hand or "?", other.hand or "?") or one.hand == other.hand
