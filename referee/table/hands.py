"""Hands over the plan's zones: which zone a hand rests on, who moved a card, what is covered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from math import dist, hypot

import numpy as np
from numpy.typing import NDArray

from referee.table.habits import fits, owner_of
from referee.table.layout import in_zone
from referee.table.touch import TouchWatch
from referee.values import Actor, Event, HandOff, HandOn, HandSeen, PointMm, TablePlan, Touch, Zone

# Of a hand that rests, these places count for the zone: so far behind the working point, so much.
PRINT_MM = ((-10.0, 1.0), (10.0, 1.2), (30.0, 1.0), (55.0, 0.7), (85.0, 0.5))
# A zone is met also this far outside its drawn edge.
TOLERANCE_MM = 12.0
# Where only a deck lies before play, there is nothing to hit: of a hand that is partly over such a
# zone, this share of its print on the next one is enough to be on that.
BARE_IN_PLAY, LEAST_SHARE = ("deck", "cut.?"), 0.25
# Who slaps with the palm has it so far behind his fingertips, which lie among the other player's
# cards then; with two of these places on a spot it is hit.
PALM_MM, LEAST_OF_PALM = (85.0, 110.0, 135.0), 2
# Where the outlines of two players' hands run together neither is seen to stop. Of 48 pairs that so
# came down on the middle, in films of three renderers, the time between the two was told within two
# of these for 46; of 110 such hands 100 were told within one, the last at 236 ms.
MEETS_NS, BEFORE_NS = 80_000_000, 100_000_000
# Nor is it seen where such a hand ends, so far before or behind what seems its tip and beside its
# arm's line. Of one that is as slow as that it is not clear whether it came down, too, on the spot
# that the other hand is on; that it did is told with so little faith.
ENDS_MM, ASIDE_MM, SLOW_MM_S, MAY_HAVE = 250.0, 90.0, 300.0, 0.05
AT_ONCE_NS = 50_000_000
# Of one that stops upon the other's hand half of it is taken to lie on what that lies on.
BENEATH_SHARE = 0.5
# A card is held by its edge or by its middle: fingertips are this near to its middle at most.
GRASP_MM = 75.0
# Nobody is named who was farther away, and not both of two who were nearly as near.
REACH_MM, UNSURE_MM = 150.0, 35.0
AROUND_NS = 100_000_000
MEMORY_NS = 8_000_000_000
# Half the width of a forearm with its sleeve and a little of its shadow.
ARM_HALF_MM = 55.0


class HandWatch:
    """Knows the hands of the last seconds; one for a table, for one thread."""

    def __init__(self, plan: TablePlan) -> None:
        """Take the plan whose zones the hands rest on."""
        self._zones = plan.zones
        self._watch = TouchWatch()
        self._now: tuple[HandSeen, ...] = ()
        self._past: deque[HandSeen] = deque()
        self._touched: deque[Touch] = deque()
        self._resting_on: dict[int, str] = {}
        self.touches: tuple[Touch, ...] = ()
        """The touches that became certain with the last step, on zones and elsewhere."""

    def step(self, hands: Iterable[HandSeen], t_ns: int) -> tuple[Event, ...]:
        """Take the hands of a frame; return HandOn and HandOff on zones, in order of their times.

        An event is told two to four frames after it happened; its `n` is 0 until it is numbered.
        """
        self._now = tuple(hands)
        self._past.extend(self._now)
        self.touches = self._watch.step(self._now, t_ns)
        self._touched.extend(self.touches)
        while self._past and t_ns - self._past[0].t_ns > MEMORY_NS:
            self._past.popleft()
        while self._touched and t_ns - self._touched[0].t_ns > MEMORY_NS:
            self._touched.popleft()
        events = (event for touch in self.touches for event in self._events(touch))
        return tuple(sorted(events, key=lambda e: e.t_ns))

    def actor_at(self, t0_ns: int, t1_ns: int, at_mm: PointMm) -> Actor:
        """Return who moved a card at a place between two times, as far as it can be told.

        The nearest hand of that time, a hand that touched there before one that only passed.
        Two hands of one player equally near give the player with `?`; of two players, nobody.
        """
        touched = [
            (_apart(touch.at_mm, at_mm), touch.hand)
            for touch in self._touched
            if t0_ns - AROUND_NS <= touch.t_ns <= t1_ns + AROUND_NS
            and _apart(touch.at_mm, at_mm) <= GRASP_MM
        ]
        passed = [
            (_away_mm(hand, at_mm), hand)
            for hand in self._past
            if t0_ns - AROUND_NS <= hand.t_ns <= t1_ns + AROUND_NS
        ]
        return _named(touched) if touched else _named(passed)

    def way(self, seat: str, t0_ns: int, t1_ns: int) -> tuple[tuple[int, PointMm], ...]:
        """Return where a seat's fingers were between two times, and when."""
        seen = (hand for hand in self._past if t0_ns <= hand.t_ns <= t1_ns)
        return tuple((hand.t_ns, hand.tip_mm) for hand in seen if hand.seat == seat)

    def covers(self, at_mm: PointMm) -> bool:
        """Tell whether a hand or arm hides a place of the table now."""
        return any(_hides(hand, at_mm) for hand in self._now)

    def over(self, zone: str) -> bool:
        """Tell whether a hand or arm hides any part of a zone now. Raises KeyError."""
        found = next((one for one in self._zones if one.name == zone), None)
        if found is None:
            raise KeyError(f"there is no zone {zone} on this table")
        return any(_hides(hand, at) for at in _grid(found) for hand in self._now)

    def resting(self) -> tuple[HandSeen, ...]:
        """Return the hands that rest now."""
        return tuple(hand for hand in self._now if self._watch.resting(hand.id))

    def _events(self, touch: Touch) -> tuple[HandOn | HandOff, ...]:
        event = self._event(touch)
        if event is None:
            return ()
        if isinstance(event, HandOff) or not self._meets(touch.hand, touch.t_ns):
            return (event,)
        on = replace(event, u_ns=max(touch.u_ns, MEETS_NS))
        beside = (Actor(hand.seat, hand.hand) for hand in self._beside(on))
        return on, *(replace(on, actor=actor, conf=MAY_HAVE) for actor in beside)

    def _event(self, touch: Touch) -> HandOn | HandOff | None:
        hand = touch.hand
        actor = Actor(hand.seat, hand.hand) if hand.seat else Actor()
        if not touch.on:
            zone = self._resting_on.pop(hand.id, None)
            if zone is None and hand.rested:
                # Its coming was before the camera began, its leaving is told as any other.
                zone, _ = self._under(hand, touch.at_mm) or (None, 0.0)
            if zone is None:
                return None
            return HandOff(n=0, t_ns=touch.t_ns, actor=actor, u_ns=touch.u_ns, source="camera",
                           conf=touch.conf, zone=zone)  # fmt: skip
        found = self._under(hand, touch.at_mm)
        if found is None:
            return None
        zone, share = self._beneath(hand, found[0]) or found
        self._resting_on[hand.id] = zone
        conf = round(touch.conf * (0.5 + 0.5 * share), 3)
        return HandOn(n=0, t_ns=touch.t_ns, actor=actor, u_ns=touch.u_ns, source="camera",
                      conf=conf, zone=zone)  # fmt: skip

    def _under(self, hand: HandSeen, at_mm: PointMm) -> tuple[str, float] | None:
        """Return the zone that a hand is on, and how much of it; None off zones."""
        return self._under_palm(hand, at_mm) or self._under_print(hand, at_mm)

    def _beneath(self, hand: HandSeen, zone: str) -> tuple[str, float] | None:
        """Return the common spot on which the hand lies that another runs into; None for no such.

        Their outlines are one: that seems to end where the other player's arm does.
        """
        if not hand.joined or owner_of(zone) in (None, hand.seat):
            return None
        others = (one for one in self._now if one.joined and one.seat != hand.seat)
        lie = {self._resting_on.get(one.id, "") for one in others}
        spots = (one for one in self._zones if one.name in lie and _is_common_spot(one.name))
        return next(((one.name, BENEATH_SHARE) for one in spots if _may_lie(hand, one)), None)

    def _under_print(self, hand: HandSeen, at_mm: PointMm) -> tuple[str, float] | None:
        """Return the zone on which most of a hand's print rests, and its share; None off zones."""
        total = sum(weight for _, weight in PRINT_MM)
        shares: dict[str, float] = {}
        for behind_mm, weight in PRINT_MM:
            zone = self._zone_at(_behind(hand, at_mm, behind_mm))
            if zone is not None:
                shares[zone] = shares.get(zone, 0.0) + weight / total
        if not shares:
            return None
        for_play = {name: shares[name] for name in shares if not is_bare_in_play(name)}
        largest = max(for_play.values(), default=0.0)
        among = for_play if largest >= LEAST_SHARE else shares
        best = max(among, key=lambda name: among[name])
        return best, shares[best]

    def _under_palm(self, hand: HandSeen, at_mm: PointMm) -> tuple[str, float] | None:
        """Return the common spot under the palm of a hand with its fingers on another's zone."""
        fingers_on = self._zone_at(at_mm)
        owner = None if fingers_on is None else owner_of(fingers_on)
        if hand.seat is None or owner in (None, hand.seat):
            return None
        under = [self._zone_at(_behind(hand, at_mm, behind_mm)) for behind_mm in PALM_MM]
        spots = [one for one in under if one and _is_common_spot(one)]
        best = max(spots, key=spots.count, default="")
        if spots.count(best) < LEAST_OF_PALM:
            return None
        return best, spots.count(best) / len(PALM_MM)

    def _meets(self, hand: HandSeen, t_ns: int) -> bool:
        """Whether the outline of a hand that came down then runs into another player's hand."""
        if not any(one.joined and one.seat != hand.seat for one in self._now):
            return False
        lately = takewhile(lambda one: one.t_ns >= t_ns - BEFORE_NS, reversed(self._past))
        return any(one.joined for one in lately if one.id == hand.id)

    def _beside(self, on: HandOn) -> Iterator[HandSeen]:
        """Yield other players' hands that may have come down on the same common spot unseen."""
        if not _is_common_spot(on.zone):
            return
        spot = next(zone for zone in self._zones if zone.name == on.zone)
        lately = takewhile(lambda one: one.t_ns > on.t_ns - AT_ONCE_NS, reversed(self._past))
        then = {one.id: one for one in lately if one.t_ns < on.t_ns + AT_ONCE_NS}
        for hand in then.values():
            slow = hand.joined and hand.speed_mm_s < SLOW_MM_S
            known = hand.seat in (None, on.actor.seat) or self._resting_on.get(hand.id) == on.zone
            if slow and not known and _may_lie(hand, spot):
                yield hand

    def _zone_at(self, at_mm: PointMm) -> str | None:
        near = [(_outside_mm(zone, at_mm), zone.name) for zone in self._zones]
        near = [pair for pair in near if pair[0] <= TOLERANCE_MM]
        return min(near)[1] if near else None


def _named(candidates: list[tuple[float, HandSeen]]) -> Actor:
    """Return the actor of the nearest hand, as far as no other is as near."""
    nearest: dict[int, tuple[float, HandSeen]] = {}
    for away_mm, hand in candidates:
        if away_mm <= REACH_MM and (hand.id not in nearest or away_mm <= nearest[hand.id][0]):
            nearest[hand.id] = (away_mm, hand)
    ranked = sorted(nearest.values(), key=lambda pair: pair[0])
    if not ranked:
        return Actor()
    first_mm, first = ranked[0]
    rivals = [hand for away_mm, hand in ranked[1:] if away_mm - first_mm < UNSURE_MM]
    if first.seat is None or any(rival.seat != first.seat for rival in rivals):
        return Actor()
    sides = {hand.hand for hand in (first, *rivals)}
    return Actor(first.seat, first.hand if len(sides) == 1 else "?")


def _away_mm(hand: HandSeen, at_mm: PointMm) -> float:
    """Return how far a place is from the fingers: 30 mm before to 60 mm behind the tip."""
    (x, y), (root_x, root_y) = hand.tip_mm, hand.root_mm
    far_mm = max(dist(hand.root_mm, hand.tip_mm), 1e-6)
    back_x, back_y = (root_x - x) / far_mm, (root_y - y) / far_mm
    away_x, away_y = at_mm[0] - x, at_mm[1] - y
    along = min(max(away_x * back_x + away_y * back_y, -30.0), 60.0)
    return hypot(away_x - along * back_x, away_y - along * back_y)


def _hides(hand: HandSeen, at_mm: PointMm) -> bool:
    # Asked for every zone and hidden card in every frame, so in plain numbers.
    x0, y0, x1, y1 = hand.box_mm
    if x0 - 8 <= at_mm[0] <= x1 + 8 and y0 - 8 <= at_mm[1] <= y1 + 8:
        return True
    (x, y), (tip_x, tip_y) = hand.root_mm, hand.tip_mm
    arm_x, arm_y, away_x, away_y = tip_x - x, tip_y - y, at_mm[0] - x, at_mm[1] - y
    share = (away_x * arm_x + away_y * arm_y) / max(arm_x**2 + arm_y**2, 1e-6)
    share = min(max(share, 0.0), 1.0)
    return hypot(away_x - share * arm_x, away_y - share * arm_y) <= ARM_HALF_MM


def _outside_mm(zone: Zone, at_mm: PointMm) -> float:
    """Return how far a place lies outside a zone's rectangle, negative inside."""
    across, along = in_zone(zone, at_mm)
    return max(abs(across) - zone.w_mm / 2, abs(along) - zone.h_mm / 2)


def _grid(zone: Zone) -> list[PointMm]:
    turn = np.radians(zone.angle_deg)
    places = []
    for across in np.linspace(-0.5, 0.5, 4) * zone.w_mm:
        for along in np.linspace(-0.5, 0.5, 4) * zone.h_mm:
            x = zone.center_mm[0] + across * np.cos(turn) + along * np.sin(turn)
            y = zone.center_mm[1] - across * np.sin(turn) + along * np.cos(turn)
            places.append((float(x), float(y)))
    return places


def _is_common_spot(zone: str) -> bool:
    return owner_of(zone) is None and not is_bare_in_play(zone)


def _may_lie(hand: HandSeen, spot: Zone) -> bool:
    """Whether a hand of which it is not clear where it ends may lie on a spot."""
    (x0, y0, x1, y1), (x, y) = hand.box_mm, spot.center_mm
    if _outside_mm(spot, (min(max(x, x0), x1), min(max(y, y0), y1))) <= TOLERANCE_MM:
        return True
    ahead = _unit(np.subtract(hand.tip_mm, hand.root_mm))
    x, y = np.subtract(spot.center_mm, hand.tip_mm)
    along_mm, aside_mm = x * ahead[0] + y * ahead[1], x * ahead[1] - y * ahead[0]
    return bool(abs(along_mm) < ENDS_MM and abs(aside_mm) < ASIDE_MM)


def is_hidden(hand: HandOn) -> bool:
    """Whether another hand hides whether this one came down."""
    return hand.conf is not None and hand.conf <= MAY_HAVE


def is_bare_in_play(zone: str) -> bool:
    """Whether a zone is one where only a deck lies before play."""
    return fits(zone, BARE_IN_PLAY)


def _behind(hand: HandSeen, at_mm: PointMm, behind_mm: float) -> PointMm:
    """Return the place of a hand so far behind its working point."""
    x, y = np.array(at_mm) + _unit(np.subtract(hand.root_mm, at_mm)) * behind_mm
    return float(x), float(y)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / max(float(np.hypot(*vector)), 1e-6))


def _apart(a: PointMm, b: PointMm) -> float:
    return dist(a, b)
