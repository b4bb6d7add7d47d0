"""The players' hands and the cards on the table, while it is planned who does what when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.simulate.acts import Act, Carry, Deal, Plot, Touch
from referee.simulate.arms import Person
from referee.simulate.cardtrail import is_off_table
from referee.simulate.flights import Flight, Played
from referee.simulate.laying import BEFORE_S, Laying
from referee.simulate.motion import Point
from referee.simulate.reaching import Reach
from referee.simulate.scene import TableCard
from referee.simulate.seating import both_hands, right_of
from referee.simulate.spots import Spots
from referee.values import TablePlan

_LEAD_S = 1.5
"""What lies at the start is seen this long before the first act."""
_FETCH_S = 0.6
"""A hand that brings cards home is there so long before its player's next act."""
_OTHER = {"L": "R", "R": "L"}


@dataclass(frozen=True, slots=True)
class Held:
    """A card that hand number `hand` gathered, `below_mm` under the top of its block."""

    hand: int
    piece: int
    lift_s: float
    start: TableCard
    below_mm: float


class Stage:
    """What the acts so far have made of hands and cards.

    `table` is how the cards lie, `hands` are two for each seat of the plan, `flights` how cards
    moved, `held` what hands gathered, `played` when each event took place. Seconds count from the
    film's begin, which is `lead_s` before the plot's zero; `delay_s` is by how much everything
    comes later than asked, because the hands were not free.
    """

    def __init__(
        self, plot: Plot, plan: TablePlan, spots: Spots, people: Sequence[Person], seed: int
    ) -> None:
        """Lay out the start; `people` are the players' arms in order of the plan's seats."""
        self.spots, self.seed = spots, seed
        self.table = Laying(plot.pieces, spots)
        self.hands = [
            hand
            for place, person in zip(plan.seats, people, strict=True)
            for hand in both_hands(place, person, seed)
        ]
        self._game = plan.game
        self.flights: list[Flight] = []
        self.held: list[Held] = []
        self.played: dict[int, Played] = {}
        self.delay_s = 0.0
        first_ns = min((act.t_ns for act in plot.acts if not is_before(act)), default=0)
        self.lead_s = float(np.ceil(max(0.0, _LEAD_S - first_ns / 1e9)))
        for pile in plot.start:
            if not is_off_table(pile.zone):
                self.table.lay(pile.pieces, pile.up, pile.zone, BEFORE_S, False)
            else:
                self.table.pile(pile.zone).extend(pile.pieces)

    def time_s(self, t_ns: int) -> float:
        """Return when in the film a time of the plot is."""
        return t_ns / 1e9 + self.lead_s + self.delay_s

    def hand(self, seat: str, side: str) -> Reach:
        """Return the left (L) or right (R) hand of a seat."""
        self.spots.seat(seat)
        return next(h for h in self.hands if h.seat == seat and h.side == side)

    def choose(self, act: Act, point_mm: Point, slack: dict[str, float]) -> tuple[Reach, str]:
        """Return the hand that acts, and a note where it is not the script's.

        `slack` is how much time each hand of the seat has to spare. With none to spare in either
        hand all that follows is delayed.
        """
        wanted = act.hand or self.near_side(act.seat, point_mm)
        side, note = wanted, ""
        if slack[wanted] < 0:
            other = _OTHER[wanted]
            if slack[other] >= 0 and (self._may_swap(act) or act.hand is None):
                side = other
                note = "" if act.hand is None else f"done by hand {other}, {wanted} was not free"
            else:
                self.delay_s += -slack[wanted] + 1e-6
        return self.hand(act.seat, side), note

    def _may_swap(self, act: Act) -> bool:
        """Whether the other hand may do it.

        In Nertz it is ruled on which hand moves cards, in Nerves on which plays and which hits.
        """
        if self._game not in ("nertz", "nerves"):
            return True
        turns = isinstance(act, Carry) and act.origin == act.target
        plays = not isinstance(act, Carry) or act.target.startswith("play.")
        return turns or (self._game == "nerves" and not plays)

    def near_side(self, seat: str, point_mm: Point) -> str:
        """Return which hand of a seat, L or R, is the nearer one."""
        place = self.spots.seat(seat)
        right = right_of(place)
        across = (point_mm[0] - place.center_mm[0]) * right[0] + (
            point_mm[1] - place.center_mm[1]
        ) * right[1]
        return "L" if across < BEFORE_S else "R"

    def note(self, act: Act, hand: Reach, t_s: float, lift_s: float | None, note: str) -> None:
        """Keep when an act took place; `note` is said where it is not as the script has it."""
        before = self.played.get(act.n)
        asked_ns = act.each_ns[-1] if isinstance(act, Deal) else act.t_ns
        shift_s = max(0.0, round(t_s - self.lead_s - asked_ns / 1e9, 6))
        if before is None:
            now = Played(act.n, t_s, hand.seat, hand.side, lift_s, shift_s, (t_s,), note)
        else:
            each_s = (*before.each_s, t_s)
            now = replace(before, t_s=t_s, shift_s=shift_s, each_s=each_s, note=note or before.note)
        self.played[act.n] = now
        if isinstance(act, Carry) and act.lift_n is not None and lift_s is not None:
            assert act.lift_ns is not None
            late_s = round(lift_s - self.lead_s - act.lift_ns / 1e9, 6)
            self.played[act.lift_n] = Played(
                act.lift_n, lift_s, hand.seat, hand.side, lift_s, late_s, (lift_s,)
            )

    def ready_s(self, pieces: Sequence[int]) -> float:
        """When all of these cards lie where they are lifted next."""
        return max(self.table.since_s.get(piece, BEFORE_S) for piece in pieces) + 0.02

    def collect(self, act: Act) -> None:
        """Bring what a player's hands gathered back before they do anything else."""
        for hand in self.hands:
            if hand.seat == act.seat and hand.holds:
                there_s = hand.go_home(by_s=self.time_s(act.t_ns) - _FETCH_S)
                hand.holds = False
                number = self.hands.index(hand)
                for held in self.held:
                    if held.hand == number:
                        self.table.since_s[held.piece] = there_s

    def close_held(self) -> None:
        """Let gathered cards fly with their hand until it is at home."""
        for held in self.held:
            times = [t for t in self.hands[held.hand].home_times if t > held.lift_s]
            down_s = min(times, default=held.lift_s + 1.0)
            self.flights.append(
                Flight(held.piece, held.lift_s, down_s, held.start, held.start, 0.0, held.hand,
                       held.below_mm)
            )  # fmt: skip


def is_before(act: Act) -> bool:
    """Return whether an act was done before the film begins: a hand that lies there already."""
    return isinstance(act, Touch) and act.before
