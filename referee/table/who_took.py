"""Who took cards that left a pile, and when: by a hand that came down there, or that passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import dist

from referee.table.evidence import Contact, Evidence, Reach, came_alone
from referee.table.gone import FINGERS_MM, Gone
from referee.table.habits import Habits, owner_of
from referee.table.moves import ActorAt
from referee.table.piles import Lying, Piles
from referee.table.putting_under import LAID_NS, is_elsewhere
from referee.values import Actor, PointMm
from referee.values.events import NOBODY

LOOK_BACK_NS = 500_000_000


class WhoTook:
    """Tells who took cards. Used by one thread."""

    def __init__(
        self,
        habits: Habits,
        piles: Piles,
        evidence: Evidence,
        actor_at: ActorAt,
        gone: Callable[[], Sequence[Gone]],
    ) -> None:
        """Take the piles, where hands were, and what is in the air."""
        self._habits, self._piles = habits, piles
        self._evidence, self._actor_at, self._gone = evidence, actor_at, gone

    def took(
        self, zone: str, cards: tuple[Lying, ...], since_ns: int, t_ns: int
    ) -> tuple[int, Reach, Actor]:
        """Return when cards were taken between two times, how surely a hand was there, and whose.

        Who carries cards to a pile close by comes down there after he took them here.
        """
        at_mm = cards[-1].at_mm
        elsewhere = partial(self._is_elsewhere, zone=zone, at_mm=at_mm)
        touches = self._evidence.lasts(at_mm, since_ns, t_ns, elsewhere)
        if touches:
            actor, touch_ns = came_alone(touches), touches[0].t_ns
            if actor == NOBODY:
                actor = self._actor_at(t_ns - LOOK_BACK_NS, t_ns, at_mm)
            return touch_ns, self._evidence.reach(zone, at_mm, since_ns, touch_ns), actor
        passed = self._passed(zone, cards, since_ns, t_ns)
        if passed is not None:
            taken_ns, actor = passed
            return taken_ns, Reach.PASSED, actor
        if self._evidence.last(at_mm, since_ns, t_ns) is not None:
            return t_ns, Reach.NONE, NOBODY
        actor = self._actor_at(t_ns - LOOK_BACK_NS, t_ns, at_mm)
        return t_ns, self._evidence.reach(zone, at_mm, since_ns, t_ns), actor

    def was_at(self, gone: Gone) -> bool:
        """Whether somebody came down on cards that left, or his fingers were seen at them."""
        if gone.reach is Reach.TOUCHED or gone.actor.seat is None:
            return gone.reach is Reach.TOUCHED
        at_mm, since_ns = gone.cards[-1].at_mm, gone.t_ns - LOOK_BACK_NS
        near = self._evidence.nearest(gone.actor.seat, at_mm, since_ns, gone.t_ns)
        return gone.touched and near is not None and near[0] < FINGERS_MM

    def took_up(self, gone: Gone, took_ns: Mapping[str, int]) -> Actor:
        """Return who took up cards; `took_ns` is when each seat last took any before.

        Who lays out his cards has taken up all that is his: a playing pile that leaves then is the
        other player's, though his own hands are beside it.
        """
        seat = gone.actor.seat
        if seat is None or seat not in took_ns or not self._habits.is_played(gone.zone):
            return gone.actor
        lays_out = any(
            took_ns[seat] < card.since_ns < gone.t_ns
            for zone, _, card in self._piles.each()
            if self._habits.is_column(zone) and owner_of(zone) == seat
        )
        holds = self._piles.holds_packet(f"{seat}.{self._habits.held}")
        return Actor(self._evidence.other(seat)) if lays_out and holds else gone.actor

    def _passed(
        self, zone: str, cards: tuple[Lying, ...], since_ns: int, t_ns: int
    ) -> tuple[int, Actor] | None:
        """Return when a pile's owner was beside it without coming down on it, and his hand."""
        top = cards[-1]
        known = (top.up and top.named) or self._habits.is_for_one(zone)
        idle = self._last_idle(zone, top.at_mm, since_ns, t_ns) if known else None
        if idle is not None:
            return idle.t_ns, idle.actor
        passed_ns = self._passed_ns(zone, cards, since_ns, t_ns)
        return None if passed_ns is None else (passed_ns, Actor(owner_of(zone), "?"))

    def _is_elsewhere(self, touch: Contact, zone: str, at_mm: PointMm) -> bool:
        """Whether a hand was at another card, or at the bare place of one."""
        if is_elsewhere(touch, zone, at_mm, self._piles):
            return True
        one = self._habits.is_for_one(zone)
        return one and self._evidence.is_at_another_place(touch, at_mm)

    def _last_idle(self, zone: str, at_mm: PointMm, since_ns: int, t_ns: int) -> Contact | None:
        """Return the last time at which its owner came down near a card and did nothing elsewhere.

        Fingers are seen beside a card that they take, where an arm lies over them. A place for one
        card that belongs to nobody anyone may have come to.
        """
        who = Actor(owner_of(zone))
        shared = who.seat is None and self._habits.is_for_one(zone)
        if not shared and (who.seat is None or not self._habits.is_column(zone)):
            return None
        touches = self._evidence.each(at_mm, since_ns, t_ns, who)
        return next((one for one in touches if not self._did_something(one)), None)

    def _passed_ns(
        self, zone: str, cards: tuple[Lying, ...], since_ns: int, t_ns: int
    ) -> int | None:
        """Return when its owner's fingers were last at the only back of a column that left."""
        seat, back = owner_of(zone), cards[-1]
        if seat is None or back.up or len(cards) > 1 or not self._habits.is_column(zone):
            return None
        way = self._evidence.way(seat, since_ns, t_ns)
        near = (one_ns for one_ns, tip_mm in way if dist(tip_mm, back.at_mm) < FINGERS_MM)
        return max(near, default=None)

    def _did_something(self, touch: Contact) -> bool:
        """Whether a card was laid, turned or taken when a hand came down."""
        laid = (card.since_ns for _, _, card in self._piles.each())
        left = (gone.t_ns for gone in self._gone())
        return any(abs(t_ns - touch.t_ns) < LAID_NS for t_ns in (*laid, *left))
