"""Since when cards are being laid on a pile, by what moves there: the hand itself hides them."""

from __future__ import annotations

from collections import deque

from referee.table.evidence import Evidence
from referee.table.habits import Habits
from referee.table.piles import Piles
from referee.values import TablePlan, Zone

# A hand that lays a card moves over more of its place than this in two frames running; an arm that
# passes, or a hand on its way home, over less. In films of our own all that lie singly are told
# apart from turns of three with shares from 0.5 to 0.8.
STIRS_SHARE = 0.7
# From one card to the next a hand is away for less than this; two turns are farther apart.
AWAY_NS = 450_000_000
# Of what happened longer ago nothing is asked.
KEPT = 120


class Stirs:
    """Remembers when something moved on the piles that cards are turned over onto.

    Used by one thread.
    """

    def __init__(self, plan: TablePlan, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Begin with piles on which nothing moved."""
        self._piles, self._evidence = piles, evidence
        self._zones = tuple(zone for zone in plan.zones if habits.is_drawn_onto(zone.name))
        self._moved: dict[str, deque[int]] = {z.name: deque(maxlen=KEPT) for z in self._zones}
        # Where something moved at the last look.
        self._before: set[str] = set()

    def watch(self) -> None:
        """Note where something moves now."""
        stirring = {zone.name for zone in self._zones if self._stirs(zone)}
        for name in stirring & self._before:
            self._moved[name].append(self._evidence.now.t_ns)
        self._before = stirring

    def _stirs(self, zone: Zone) -> bool:
        top = next(reversed(self._piles[zone.name]), None)
        at_mm = zone.center_mm if top is None else top.at_mm
        angle_deg = zone.angle_deg if top is None else top.angle_deg
        return self._evidence.now.stirring(at_mm, angle_deg) >= STIRS_SHARE

    def since_ns(self, zone: str, until_ns: int, after_ns: int) -> int | None:
        """Return since when something moved on a pile again and again till a card lay there.

        What moved until `after_ns` led to another card. None where nothing was seen to move.
        """
        begun_ns, last_ns = None, until_ns
        for t_ns in reversed(self._moved[zone]):
            if t_ns > until_ns:
                continue
            if t_ns <= after_ns or last_ns - t_ns > AWAY_NS:
                break
            begun_ns = last_ns = t_ns
        return begun_ns
