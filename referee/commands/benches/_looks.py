"""What a tracker would tell of a scripted match, without pictures: hands, looks, and their flaws.

Between the table of real cards and the table's eye stands what any tracker does: a card is
believed a little after it lies clear, and gone a little after its place is bare; what a hand or
arm hides stays believed as it was; a read fails for a while, or is wrong at first.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import dist

from referee.commands.benches._flaws import Flaws
from referee.commands.benches._real_acts import MS, OF_CARDS, Act, zones_of
from referee.commands.benches._real_hands import Hands
from referee.commands.benches._real_table import HELD, Real, RealTable
from referee.table.settled import Settled
from referee.values import Card, CardPlaced, CardTurned, Event
from referee.values.spots import BACK, NOT_READ, Spot

FRAME_NS = 33_333_333
LOOK_NS = 2 * FRAME_NS
# A hand rests on a card for so long before it is lifted and after it is laid.
REST_NS = 90 * MS
# The tracker believes and forgets after so long in clear view, and takes cards within these
# distances for the same one (as `referee/vision/track.py`).
BELIEVED_NS, FORGOTTEN_NS = 100 * MS, 120 * MS
SAME_MM, SAME_DEG = 13.0, 25.0


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
            zones = zones_of(act.event)
            if not zones:
                continue
            event = act.event
            taken = event.card if isinstance(event, CardPlaced | CardTurned) else Card(NOT_READ)
            origin, target = self.table.place_of(zones[0], taken), self.table.place_of(zones[-1])
            if isinstance(event, CardTurned):
                target = origin
            actor = act.event.actor
            if act.lift_ns:
                self.hands.rest(actor, act.lift_ns - REST_NS, act.lift_ns, origin)
            if not act.lift_ns or zones[-1].rpartition(".")[2] not in HELD:
                self.hands.rest(actor, act.drop_ns, act.drop_ns + REST_NS, target)
        return planned
