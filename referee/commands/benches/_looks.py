"""What a tracker would tell of a scripted match, without pictures: hands, looks, and their flaws.

Between the table of real cards and the table's eye stands what any tracker does: a card is
believed a little after it lies clear, and gone a little after its place is bare; what a hand or
arm hides stays believed as it was; a read fails for a while, or is wrong at first.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from math import dist

from referee.commands.benches._real_table import HELD, Real, RealTable
from referee.table.evidence import Contact
from referee.table.layout import zone_at
from referee.table.settled import Settled
from referee.values import (
    Actor,
    Card,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    HandOn,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    PointMm,
    TablePlan,
)
from referee.values.spots import BACK, NOT_READ, Spot

MS = 1_000_000
FRAME_NS = 33_333_333
LOOK_NS = 2 * FRAME_NS
# A hand rests on a card for so long before it is lifted and after it is laid.
REST_NS = 90 * MS
# A carry takes 0.3 to 0.7 s; a card turned in place or drawn beside its pile 0.25 s. Between two
# acts a hand looks for the next card, after three cards turned at once for longer.
CARRY_NS, TURN_NS = 420 * MS, 250 * MS
READ_NS, ROW_NS = 800 * MS, 400 * MS
PAUSE_NS, SINGLY_NS, BLOCK_NS, OTHER_HAND_NS = 220 * MS, 60 * MS, 450 * MS, 550 * MS
# A hand that has nothing to do within this time goes home, and is there so much later.
IDLE_NS, HOME_NS = 480 * MS, 230 * MS
# What a resting hand and its arm hide, and how far from a card its touch is (as the pipeline's).
HAND_MM, ARM_MM, TOUCH_MM, UNSURE_MM = 60.0, 40.0, 75.0, 35.0
# The tracker believes and forgets after so long in clear view, and takes cards within these
# distances for the same one (as `referee/vision/track.py`).
BELIEVED_NS, FORGOTTEN_NS = 100 * MS, 120 * MS
SAME_MM, SAME_DEG = 13.0, 25.0
OF_CARDS = (CardPlaced, CardTurned, PileMoved, PileTaken, Dealt)


@dataclass(frozen=True, slots=True)
class Flaws:
    """How far from perfect a table and its tracker are.

    Cards lie up to `off_mm` off their place and `askew_deg` askew. `missing`: a card that lies
    clear is not seen for 1 to 2 s so many times a minute and card; `misread` and `unread` are
    shares of new cards that have a wrong name, or none, for 0.3 to 1 s; `unnamed` is the share
    of touches that no player is named for; a touch is found `touch_mm` off at most.
    """

    off_mm: float = 2.0
    askew_deg: float = 2.0
    missing: float = 0.0
    misread: float = 0.0
    unread: float = 0.0
    unnamed: float = 0.0
    touch_mm: float = 8.0


PERFECT = Flaws()
ROUGH = Flaws(off_mm=8.0, askew_deg=9.0, missing=0.25, misread=0.01, unread=0.03, unnamed=0.03,
    touch_mm=25.0)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Act:
    """An event as a hand does it: when it lifts and when it lays; `event` has its true time."""

    event: Event
    lift_ns: int
    drop_ns: int


def paced(events: tuple[Event, ...]) -> list[Act]:
    """Return the events as acts that hands have the time for.

    Where a script is faster than a hand, all that follows comes later; gaps between the acts of
    different hands stay as they are.
    """
    acts: list[Act] = []
    free_ns: dict[tuple[str | None, str | None], int] = {}
    settled_ns: dict[str, int] = {}
    shift_ns = 0
    for event in chain.from_iterable(map(_card_by_card, events)):
        if not isinstance(event, OF_CARDS):
            acts.append(Act(replace(event, t_ns=event.t_ns + shift_ns), 0, event.t_ns + shift_ns))
            continue
        hand, seat = (event.actor.seat, event.actor.hand), (event.actor.seat, None)
        zones = _zones(event)
        takes_ns = _takes_ns(event)
        earliest_ns = max(free_ns.get(hand, 0), *(settled_ns.get(z, 0) for z in zones[:1]))
        drop_ns = max(event.t_ns + shift_ns, earliest_ns + takes_ns)
        if event.actor.seat is not None:
            drop_ns = max(drop_ns, free_ns.get(seat, 0))
        shift_ns = drop_ns - event.t_ns
        acts.append(Act(replace(event, t_ns=drop_ns), drop_ns - takes_ns, drop_ns))
        free_ns[hand] = drop_ns + _pause_ns(event)
        free_ns[seat] = drop_ns + (SINGLY_NS if takes_ns == TURN_NS else OTHER_HAND_NS)
        shown_ns = READ_NS if _shows_new(event) else 40 * MS
        settled_ns.update(dict.fromkeys(zones, drop_ns + shown_ns))
    return acts


def _card_by_card(event: Event) -> Iterator[Event]:
    """Yield a row that is dealt out as the cards that are laid one after another."""
    if not isinstance(event, Dealt) or not event.columns:
        yield event
        return
    seat = event.zone.partition(".")[0]
    for number, (card, column) in enumerate(zip(event.cards, event.columns, strict=True)):
        yield CardPlaced(
            n=event.n,
            t_ns=event.t_ns + number * ROW_NS,
            actor=Actor(seat, event.actor.hand or "R"),
            card=card,
            origin=f"{seat}.held",
            target=f"{seat}.arr.{column}",
            up=not card.hidden,
        )


def _pause_ns(event: Event) -> int:
    if isinstance(event, PileMoved) and event.flip:
        return BLOCK_NS
    if isinstance(event, CardPlaced) and event.origin.endswith(".stock"):
        return SINGLY_NS
    return PAUSE_NS


def _shows_new(event: Event) -> bool:
    """Whether an act turns up cards that its player has to look at before he plays on."""
    turns = isinstance(event, PileMoved) and event.flip
    draws = isinstance(event, CardPlaced) and event.origin.endswith(".deck")
    return turns or draws or isinstance(event, CardTurned)


def _zones(event: Event) -> tuple[str, ...]:
    match event:
        case CardPlaced() | PileMoved():
            return event.origin, event.target
        case CardTurned() | PileTaken() | Dealt() | PileMixed():
            return (event.zone,)
        case HandOn():
            return (event.zone,)
        case PadHit():
            return (event.spot,)
        case _:
            return ()


def _takes_ns(event: Event) -> int:
    zones = _zones(event)
    beside = len(zones) == 2 and zones[0].endswith(".stock") and zones[1].endswith(".waste")
    return TURN_NS if len(zones) == 1 or beside else CARRY_NS


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


@dataclass(slots=True)
class _Belief:
    """A card as the tracker believes it: its spot's number and times; `bare_ns` since it is gone.

    Until `until_ns` it has another `label` than it should have.
    """

    real: Real
    id: int
    still_ns: int
    bare_ns: int | None = None
    label: str | None = None
    until_ns: int = 0
    lost_ns: int = 0


class Tracker:
    """What is believed of the table. Changed only by `look`."""

    def __init__(self, flaws: Flaws, rng: random.Random) -> None:
        """Believe in no card."""
        self._flaws, self._rng = flaws, rng
        self._beliefs: dict[int, _Belief] = {}
        self._shown_ns: dict[int, tuple[int, int]] = {}
        self.shown_ns: dict[int, int] = {}
        """Since when each visible card can be seen: since it was laid, or what covered it left."""
        self._last_id = 0

    def look(self, t_ns: int, visible: list[Real], hands: Hands) -> tuple[Spot, ...]:
        """Take a look at what is visible; returns the believed spots."""
        showing = {real.n: real for real in visible}
        gone = []
        for n, belief in self._beliefs.items():
            if n in showing and t_ns >= belief.lost_ns:
                belief.bare_ns = None
            elif not hands.covers(belief.real.at_mm):
                belief.bare_ns = belief.bare_ns or t_ns
                if t_ns - belief.bare_ns >= FORGOTTEN_NS:
                    gone.append(n)
        left = {n: self._beliefs.pop(n) for n in gone}
        self._shown_ns = {n: at for n, at in self._shown_ns.items() if n in showing}
        for n, real in showing.items():
            if n not in self._beliefs and t_ns >= self._back_ns(n, left):
                self._see(t_ns, real, hands, left)
        self._lose(t_ns)
        return tuple(self._spot(t_ns, belief) for belief in self._beliefs.values())

    def _back_ns(self, n: int, left: dict[int, _Belief]) -> int:
        belief = left.get(n)
        if belief is not None:
            self._shown_ns[n] = (belief.lost_ns, belief.lost_ns)
        return self._shown_ns.get(n, (0, 0))[0]

    def _see(self, t_ns: int, real: Real, hands: Hands, left: dict[int, _Belief]) -> None:
        clear = not hands.covers(real.at_mm)
        first_ns, clear_ns = self._shown_ns.get(real.n, (t_ns, 0))
        if clear and not clear_ns:
            clear_ns = t_ns
        self._shown_ns[real.n] = (first_ns, clear_ns if clear else 0)
        if not clear or t_ns - clear_ns < BELIEVED_NS:
            return
        bare = [b for b in self._beliefs.values() if b.bare_ns is not None]
        same = next((b for b in (*left.values(), *bare) if _is_same(b.real, real)), None)
        if same is not None and same.real.n != real.n:
            left.pop(same.real.n, None)
            self._beliefs.pop(same.real.n, None)
            self._beliefs[real.n] = _Belief(real, same.id, same.still_ns)
            return
        self._last_id += 1
        # What was covered before comes to light when the card above it goes.
        shown_ns = self.shown_ns.get(real.n, first_ns)
        still_ns = -(-max(real.since_ns, shown_ns) // FRAME_NS) * FRAME_NS
        belief = _Belief(real, self._last_id, still_ns)
        self._beliefs[real.n] = belief
        chance = self._rng.random()
        if real.up and chance < self._flaws.misread + self._flaws.unread:
            wrong = chance < self._flaws.misread
            belief.label = self._other(real.card.face) if wrong else NOT_READ
            belief.until_ns = t_ns + self._rng.randint(300, 1_000) * MS

    def _other(self, face: str) -> str:
        """Return a face that is mistaken for this one."""
        if face.isdigit():
            return str(int(face) % 18 + 1)
        ranks = "A23456789TJQK"
        return ranks[(ranks.index(face[0]) + self._rng.choice((3, 5))) % 13] + face[1]

    def _lose(self, t_ns: int) -> None:
        chance = self._flaws.missing * LOOK_NS / 60e9
        if not chance:
            return
        for belief in self._beliefs.values():
            if t_ns >= belief.lost_ns and self._rng.random() < chance:
                belief.lost_ns = t_ns + self._rng.randint(1_000, 2_000) * MS

    def _spot(self, t_ns: int, belief: _Belief) -> Spot:
        real = belief.real
        label = real.card.face if real.up else BACK
        conf = 0.99
        if belief.label is not None and t_ns < belief.until_ns:
            label, conf = belief.label, 0.9
        return Spot(
            belief.id,
            "JOKER" if label[:1] == "X" else label,
            conf,
            real.at_mm,
            real.angle_deg,
            belief.still_ns - FRAME_NS,
            belief.still_ns,
        )


def _is_same(one: Real, other: Real) -> bool:
    """Whether a tracker takes a card for another one that lay there just before."""
    return (
        one.up == other.up
        and (not one.up or one.card.face == other.card.face)
        and dist(one.at_mm, other.at_mm) <= SAME_MM
        and abs(one.angle_deg - other.angle_deg) <= SAME_DEG
    )


@dataclass(frozen=True, slots=True)
class Look:
    """One look: what is believed, and the events that no camera sees, up to its time."""

    settled: Settled
    told: tuple[Event, ...]


class Watcher:
    """Plays a match on a table of real cards and looks at it."""

    def __init__(self, table: RealTable, flaws: Flaws, rng: random.Random) -> None:
        """Look at a table that may be laid out already."""
        self.table = table
        self.hands = Hands(table.plan, rng, flaws)
        self._tracker = Tracker(flaws, rng)
        self._visible = table.visible()
        self._tracker.shown_ns = {real.n: real.since_ns for real in self._visible}

    def look(self, t_ns: int) -> Settled:
        """Return what is believed now."""
        self.hands.step(t_ns)
        spots = self._tracker.look(t_ns, self._visible, self.hands)
        return Settled(t_ns, spots, self.hands.visited_ns, self.hands.covers)

    def first_look(self, t_ns: int) -> Settled:
        """Return the table as it is believed after it lay still for a while."""
        for before in range(10, 0, -1):
            self.look(t_ns - before * LOOK_NS)
        return self.look(t_ns)

    def looks(self, acts: list[Act], after_ns: int = 4_000 * MS) -> Iterator[Look]:
        """Play acts; yield a look every two frames, until a while after the last act."""
        steps = sorted(
            [(act.drop_ns, 1, k) for k, act in enumerate(acts)]
            + [(act.lift_ns, 0, k) for k, act in enumerate(acts) if act.lift_ns]
        )
        t_ns = min(steps)[0] - 600 * MS
        carried: dict[int, list[Real]] = {}
        told: list[Event] = []
        planned = 0
        for when_ns, drops, k in steps:
            while t_ns < when_ns:
                planned = self._reach(acts, planned, t_ns + 1_500 * MS)
                yield Look(self.look(t_ns), tuple(told))
                told, t_ns = [], t_ns + LOOK_NS
            self._do(acts[k], drops == 1, carried, told, k)
        for k in range(after_ns // LOOK_NS):
            yield Look(self.look(t_ns + k * LOOK_NS), tuple(told))
            told = []

    def _do(
        self,
        act: Act,
        drops: bool,
        carried: dict[int, list[Real]],
        told: list[Event],
        k: int,
    ) -> None:
        event = act.event
        if not isinstance(event, OF_CARDS):
            told.append(event)
        elif not drops:
            carried[k] = self.table.lift(event)
        else:
            self.table.drop(event, carried.pop(k, []), act.drop_ns)
        self._visible = self.table.visible()
        shown_ns = self._tracker.shown_ns
        now_ns = act.drop_ns if drops else act.lift_ns
        self._tracker.shown_ns = {real.n: shown_ns.get(real.n, now_ns) for real in self._visible}

    def _reach(self, acts: list[Act], planned: int, until_ns: int) -> int:
        """Let the hands set out for what they do soon; returns the first act not yet planned."""
        while planned < len(acts) and (acts[planned].lift_ns or acts[planned].drop_ns) < until_ns:
            act = acts[planned]
            planned += 1
            zones = _zones(act.event)
            if not zones:
                continue
            taken = act.event.card if isinstance(act.event, CardPlaced) else Card(NOT_READ)
            origin, target = self.table.place_of(zones[0], taken), self.table.place_of(zones[-1])
            actor = act.event.actor
            if act.lift_ns:
                self.hands.rest(actor, act.lift_ns - REST_NS, act.lift_ns, origin)
            if not act.lift_ns or zones[-1].rpartition(".")[2] not in HELD:
                self.hands.rest(actor, act.drop_ns, act.drop_ns + REST_NS, target)
        return planned
