"""Hands over a table of real cards: where they are, what they hide, and whose touches are told."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import dist

from referee.commands.benches._flaws import Flaws
from referee.commands.benches._real_acts import MS
from referee.table.evidence import Contact
from referee.table.layout import zone_at
from referee.values import Actor, PointMm, TablePlan

# A hand that has nothing to do within this time goes home, and is there so much later.
IDLE_NS, HOME_NS = 480 * MS, 230 * MS
# What a resting hand and its arm hide, and how far from a card its touch is (as the pipeline's).
HAND_MM, ARM_MM, TOUCH_MM, UNSURE_MM = 60.0, 40.0, 75.0, 35.0


@dataclass(frozen=True, slots=True)
class _Touch:
    t_ns: int
    at_mm: PointMm
    actor: Actor


@dataclass(slots=True)
class _Hand:
    """Where one hand is and will be: times and places, in order."""

    home_mm: PointMm
    way: list[tuple[int, PointMm]] = field(default_factory=list)
    passed: int = 0

    def rest(self, from_ns: int, until_ns: int, at_mm: PointMm) -> None:
        """Plan to be at a place from one time to another."""
        while self.way and self.way[-1][0] > from_ns - 80 * MS:
            self.way.pop()
        last_ns = self.way[-1][0] if self.way else -IDLE_NS * 4
        if from_ns - last_ns > IDLE_NS:
            if self.way:
                self.way.append((last_ns + HOME_NS, self.home_mm))
            self.way.append((max(last_ns + HOME_NS, from_ns - HOME_NS), self.home_mm))
        self.way += [(from_ns, at_mm), (until_ns, at_mm)]

    def at(self, t_ns: int) -> PointMm | None:
        """Return where the hand is, None at home; times must not go back."""
        while self.passed + 1 < len(self.way) and self.way[self.passed + 1][0] <= t_ns:
            self.passed += 1
        if not self.way or t_ns < self.way[0][0]:
            return None
        t0_ns, here = self.way[self.passed]
        if self.passed + 1 == len(self.way):
            return here if t_ns - t0_ns < HOME_NS and here != self.home_mm else None
        t1_ns, there = self.way[self.passed + 1]
        share = (t_ns - t0_ns) / max(1, t1_ns - t0_ns)
        at = (here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1]))
        return None if dist(at, self.home_mm) < 1.0 else at


class Hands:
    """All hands over the table, by seat and side."""

    def __init__(self, plan: TablePlan, rng: random.Random, flaws: Flaws) -> None:
        """Begin with no hand over the table."""
        self._homes = {place.seat: place.center_mm for place in plan.seats}
        self._plan, self._rng, self._flaws = plan, rng, flaws
        self._hands: dict[tuple[str, str | None], _Hand] = {}
        self._touches: list[_Touch] = []
        self._visits: dict[str, int] = {}
        self._now: list[tuple[PointMm, PointMm]] = []
        self._t_ns = 0

    def rest(self, actor: Actor, from_ns: int, until_ns: int, at_mm: PointMm | None) -> None:
        """Plan a hand's rest at a place, and its touch there."""
        if actor.seat is None or at_mm is None or actor.seat not in self._homes:
            return
        key = (actor.seat, actor.hand)
        hand = self._hands.setdefault(key, _Hand(self._homes[actor.seat]))
        hand.rest(from_ns, until_ns, at_mm)
        named = actor if self._rng.random() >= self._flaws.unnamed else Actor()
        off = self._flaws.touch_mm
        near_mm = (at_mm[0] + self._rng.uniform(-off, off), at_mm[1] + self._rng.uniform(-off, off))
        self._touches.append(_Touch((from_ns + until_ns) // 2, near_mm, named))

    def step(self, t_ns: int) -> None:
        """Move the hands to where they are now."""
        self._now, self._t_ns = [], t_ns
        for hand in self._hands.values():
            at_mm = hand.at(t_ns)
            if at_mm is None:
                continue
            self._now.append((at_mm, hand.home_mm))
            zone = zone_at(self._plan, at_mm)
            if zone is not None:
                self._visits[zone.name] = t_ns
        self._touches = [one for one in self._touches if t_ns - one.t_ns < 8_000 * MS]

    def visited_ns(self, zone: str) -> int:
        """Return when a hand was last at a zone."""
        return self._visits.get(zone, 0)

    def covers(self, at_mm: PointMm) -> bool:
        """Tell whether a hand or arm hides a place now."""
        return any(_hides(tip, home, at_mm) for tip, home in self._now)

    def actor_at(self, t0_ns: int, t1_ns: int, at_mm: PointMm) -> Actor:
        """Return who touched a place, nobody where two players did."""
        near = sorted(
            (dist(one.at_mm, at_mm), k, one.actor)
            for k, one in enumerate(self._touches)
            if t0_ns - 100 * MS <= one.t_ns <= min(t1_ns + 100 * MS, self._t_ns)
            and dist(one.at_mm, at_mm) <= TOUCH_MM
        )
        rivals = [actor for away, _, actor in near if away - near[0][0] < UNSURE_MM]
        if not rivals or len({actor.seat for actor in rivals}) > 1:
            return Actor()
        sides = {actor.hand for actor in rivals}
        return Actor(rivals[0].seat, rivals[0].hand if len(sides) == 1 else "?")

    def touched(self, seat: str | None, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
        """Return the last time at which a seat's hand came down near a place."""
        near = [
            one
            for one in self._touches
            if one.actor.seat == seat
            and t0_ns <= one.t_ns <= min(t1_ns, self._t_ns)
            and dist(one.at_mm, at_mm) <= TOUCH_MM
        ]
        last = max(near, key=lambda one: one.t_ns, default=None)
        return None if last is None else Contact(last.actor, last.t_ns, 25 * MS, last.at_mm)


def _hides(tip: PointMm, home: PointMm, at_mm: PointMm) -> bool:
    if dist(tip, at_mm) < HAND_MM:
        return True
    arm = (tip[0] - home[0], tip[1] - home[1])
    length = max(1.0, arm[0] ** 2 + arm[1] ** 2)
    share = ((at_mm[0] - home[0]) * arm[0] + (at_mm[1] - home[1]) * arm[1]) / length
    share = min(1.0, max(0.0, share))
    return dist(at_mm, (home[0] + share * arm[0], home[1] + share * arm[1])) < ARM_MM
