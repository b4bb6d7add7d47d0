"""From acts to a show: which hand does what when, and how every card gets where it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.simulate.acts import Act, Blind, Carry, Deal, Mix, Plot, Touch
from referee.simulate.arms import Person
from referee.simulate.cardtrail import is_off_table
from referee.simulate.flights import (
    HAND_OVER_CARD_MM,
    Contact,
    Dark,
    Flight,
    Hand,
    Played,
    Show,
    grasp_mm,
)
from referee.simulate.laying import BEFORE_S, Laying, Op, timeline
from referee.simulate.motion import CARRY, STRIKE, Point, apart_mm, easy_s, fastest_s
from referee.simulate.reaching import HOME_HEIGHT_MM, Reach
from referee.simulate.scene import CARD_THICKNESS_MM, TableCard
from referee.simulate.seating import INWARD, ahead_of, at_home, both_hands, right_of
from referee.simulate.shuffling import shuffle_steps
from referee.simulate.spots import Spots
from referee.values import TablePlan

_LEAD_S = 1.5
"""What lies at the start is seen this long before the first act."""
_RISE_MM, _TURN_RISE_MM = 40.0, 58.0
_FETCH_S = 0.6
"""A hand that brings cards home is there so long before its player's next act."""
_RELEASE_S, _DWELL_S = 0.03, 0.10
_SLAP_STAYS_S, _TOUCH_STAYS_S = 0.55, 0.9
_STRIKE_S = 0.14
_WIND_UP_MM, _WIND_UP_HEIGHT_MM = 55.0, 105.0
_ON_A_HAND_MM = 24.0
_FLAT_HAND_MM = 3.0
_BLIND_S = 2.0
"""A view that never comes back in the script is blocked this long."""

_OTHER = {"L": "R", "R": "L"}


@dataclass(frozen=True, slots=True)
class _Held:
    """A card that hand number `hand` gathered, `below_mm` under the top of its block."""

    hand: int
    piece: int
    lift_s: float
    start: TableCard
    below_mm: float


class Choreographer:
    """Plans all hands and cards of one plot, act after act."""

    def __init__(
        self, plot: Plot, plan: TablePlan, spots: Spots, people: Sequence[Person], seed: int
    ) -> None:
        """Lay out the start; `people` are the players' arms in order of the plan's seats."""
        self._plot, self._spots, self._seed = plot, spots, seed
        self._table = Laying(plot.pieces, spots)
        self._hands = [
            hand
            for place, person in zip(plan.seats, people, strict=True)
            for hand in both_hands(place, person, seed)
        ]
        self._game = plan.game
        self._flights: list[Flight] = []
        self._held: list[_Held] = []
        self._played: dict[int, Played] = {}
        self._delay_s = 0.0
        first_ns = min((act.t_ns for act in plot.acts if not _is_before(act)), default=0)
        self._lead_s = float(np.ceil(max(0.0, _LEAD_S - first_ns / 1e9)))
        for pile in plot.start:
            if not is_off_table(pile.zone):
                self._table.lay(pile.pieces, pile.up, pile.zone, BEFORE_S, False)
            else:
                self._table.pile(pile.zone).extend(pile.pieces)

    def show(self) -> Show:
        """Plan all acts and return the show. Raises ScriptError."""
        touches = (act for act in self._plot.acts if isinstance(act, Touch))
        releases = [_Release(touch) for touch in touches if touch.off_ns is not None]
        steps: list[Act | _Release] = [*self._plot.acts, *releases]
        for step in sorted(steps, key=_step_time):
            if isinstance(step, _Release):
                self._release(step.touch)
            else:
                self._perform(step)
        for hand in self._hands:
            hand.go_home()
        self._close_held()
        return self._show()

    def _show(self) -> Show:
        hands = tuple(
            Hand(h.seat, h.side, h.person, h.shoulder_mm, tuple(h.stops)) for h in self._hands
        )
        lies = tuple(timeline(self._table.ops))
        contacts = tuple(sorted((c for h in self._hands for c in h.contacts), key=_contact_time))
        darks = tuple(self._dark(blind) for blind in self._plot.blinds)
        last = [hand.stops[-1].t_s for hand in self._hands]
        last += [op.t_s for op in self._table.ops] + [dark.until_s for dark in darks]
        last.append(self._time_s(self._plot.last_ns))
        return Show(
            lies, tuple(sorted(self._flights, key=lambda flight: flight.lift_s)), hands, contacts,
            tuple(self._played[n] for n in sorted(self._played)), darks,
            self._lead_s, max(last) + 0.6,
        )  # fmt: skip

    def _dark(self, blind: Blind) -> Dark:
        from_s = self._time_s(blind.t_ns)
        until_ns = (
            blind.until_ns if blind.until_ns is not None else blind.t_ns + int(_BLIND_S * 1e9)
        )
        return Dark(from_s, self._time_s(until_ns), blind.zones, blind.dark)

    def _time_s(self, t_ns: int) -> float:
        return t_ns / 1e9 + self._lead_s + self._delay_s

    def _perform(self, act: Act) -> None:
        match act:
            case Carry() if is_off_table(act.target) and is_off_table(act.origin):
                self._table.pile(act.target).extend(act.pieces)
            case Carry() if act.target.endswith(".held"):
                self._take(act)
            case Carry():
                self._carry(act)
            case Deal():
                self._deal(act)
            case Touch():
                self._touch(act)
            case Mix():
                self._mix(act)

    # --- hands -----------------------------------------------------------------------------

    def _hand(self, seat: str, side: str) -> Reach:
        self._spots.seat(seat)
        return next(h for h in self._hands if h.seat == seat and h.side == side)

    def _choose(self, act: Act, point_mm: Point, slack: dict[str, float]) -> tuple[Reach, str]:
        """Return the hand that acts, and a note where it is not the script's.

        `slack` is how much time each hand of the seat has to spare. With none to spare in either
        hand all that follows is delayed.
        """
        wanted = act.hand or self._near_side(act.seat, point_mm)
        side, note = wanted, ""
        if slack[wanted] < 0:
            other = _OTHER[wanted]
            if slack[other] >= 0 and (self._may_swap(act) or act.hand is None):
                side = other
                note = "" if act.hand is None else f"done by hand {other}, {wanted} was not free"
            else:
                self._delay_s += -slack[wanted] + 1e-6
        return self._hand(act.seat, side), note

    def _may_swap(self, act: Act) -> bool:
        """Whether the other hand may do it: in Nertz it is ruled on which hand moves cards."""
        turns = isinstance(act, Carry) and act.origin == act.target
        return turns or self._game != "nertz"

    def _near_side(self, seat: str, point_mm: Point) -> str:
        place = self._spots.seat(seat)
        right = right_of(place)
        across = (point_mm[0] - place.center_mm[0]) * right[0] + (
            point_mm[1] - place.center_mm[1]
        ) * right[1]
        return "L" if across < BEFORE_S else "R"

    def _note(self, act: Act, hand: Reach, t_s: float, lift_s: float | None, note: str) -> None:
        before = self._played.get(act.n)
        asked_ns = act.each_ns[-1] if isinstance(act, Deal) else act.t_ns
        shift_s = max(0.0, round(t_s - self._lead_s - asked_ns / 1e9, 6))
        if before is None:
            now = Played(act.n, t_s, hand.seat, hand.side, lift_s, shift_s, (t_s,), note)
        else:
            each_s = (*before.each_s, t_s)
            now = replace(before, t_s=t_s, shift_s=shift_s, each_s=each_s, note=note or before.note)
        self._played[act.n] = now
        if isinstance(act, Carry) and act.lift_n is not None and lift_s is not None:
            assert act.lift_ns is not None
            late_s = round(lift_s - self._lead_s - act.lift_ns / 1e9, 6)
            self._played[act.lift_n] = Played(
                act.lift_n, lift_s, hand.seat, hand.side, lift_s, late_s, (lift_s,)
            )

    # --- cards -----------------------------------------------------------------------------

    def _carry(self, act: Carry) -> None:
        self._collect(act)
        starts = self._table.starts(act)
        top = starts[-1]
        goals = self._table.goals(act)
        off = is_off_table(act.target)
        turning = act.up[-1] != top.face_up
        t_s = self._time_s(act.t_ns)
        slack = {}
        for side in "LR":
            hand = self._hand(act.seat, side)
            pick, place = self._ends(act, hand, top, goals)
            needs = fastest_s(apart_mm(pick, place), turning)
            slack[side] = t_s - hand.free_s - hand.fastest_to_s(pick) - needs
            slack[side] = min(slack[side], t_s - needs - self._ready_s(act.pieces))
        hand, note = self._choose(act, top.centre_mm, slack)
        pick, place = self._ends(act, hand, top, goals)
        t_s = self._time_s(act.t_ns)
        lift_s = self._lift_time(act, hand, pick, place, turning, t_s)
        if off:
            goals = [replace(at_home(hand, goal), flip_deg=goal.flip_deg) for goal in goals]
        if is_off_table(act.origin):
            starts = [at_home(hand, start) for start in starts]
        rise_mm = _TURN_RISE_MM if turning else _RISE_MM
        rise_mm = min(rise_mm, 12.0 + 0.35 * apart_mm(pick, place) + (30.0 if turning else 0.0))
        hand.arrive(lift_s, pick, starts[-1].height_mm + HAND_OVER_CARD_MM, "pinch")
        hand.carry(t_s, place, goals[-1].height_mm + HAND_OVER_CARD_MM, rise_mm, CARRY)
        hand.stay(t_s + _RELEASE_S, t_s + _DWELL_S)
        self._fly(act, lift_s, t_s, starts, goals, rise_mm)
        if off:
            self._table.pile(act.target).extend(act.pieces)
            hand.home_times.append(t_s)
        self._note(act, hand, t_s, lift_s, note)

    def _deal(self, act: Deal) -> None:
        """Lay cards one by one in a sweep: the hand holds the packet and lets one go at a time."""
        self._collect(act)
        first = self._spots.zone(act.targets[0]).center_mm
        slack = {}
        for side in "LR":
            hand = self._hand(act.seat, side)
            needs = hand.fastest_to_s(hand.home_mm) + fastest_s(apart_mm(hand.home_mm, first))
            ready_s = self._ready_s(act.pieces) + fastest_s(apart_mm(hand.home_mm, first))
            slack[side] = self._time_s(act.t_ns) - max(hand.free_s + needs, ready_s)
        hand, note = self._choose(act, first, slack)
        lift_s = self._time_s(act.t_ns) - easy_s(apart_mm(hand.home_mm, first)) * hand.pace
        lift_s = max(lift_s, hand.free_s + hand.fastest_to_s(hand.home_mm))
        lift_s = max(lift_s, self._ready_s(act.pieces))
        hand.arrive(lift_s, hand.home_mm, HOME_HEIGHT_MM, "pinch")
        number = self._hands.index(hand)
        self._table.remove(act.pieces)
        self._table.ops.append(Op(lift_s, gone=act.pieces))
        for k, (piece, zone) in enumerate(zip(act.pieces, act.targets, strict=True)):
            (goal,) = self._table.places((piece,), (act.up[k],), zone, False)
            place = grasp_mm(goal, hand.shoulder_mm)
            late_s = hand.free_s + hand.fastest_to_s(place) - self._time_s(act.each_ns[k])
            self._delay_s += max(0.0, late_s)
            t_s = self._time_s(act.each_ns[k])
            hand.carry(t_s, place, goal.height_mm + HAND_OVER_CARD_MM, 10.0, CARRY)
            hand.stay(t_s, t_s + _DWELL_S)
            start = at_home(hand, goal)
            self._flights.append(Flight(piece, lift_s, t_s, start, goal, 0.0, number))
            self._table.put((piece,), (goal,), zone, t_s, False)
            self._note(act, hand, t_s, lift_s, note)

    def _ready_s(self, pieces: Sequence[int]) -> float:
        """When all of these cards lie where they are lifted next."""
        return max(self._table.since_s.get(piece, BEFORE_S) for piece in pieces) + 0.02

    def _ends(
        self, act: Carry, hand: Reach, top: TableCard, goals: list[TableCard]
    ) -> tuple[Point, Point]:
        """Where the hand takes the cards and where it lets them go."""
        pick = hand.home_mm if is_off_table(act.origin) else grasp_mm(top, hand.shoulder_mm)
        place = hand.home_mm if is_off_table(act.target) else grasp_mm(goals[-1], hand.shoulder_mm)
        return pick, place

    def _lift_time(
        self, act: Carry, hand: Reach, pick: Point, place: Point, turning: bool, t_s: float
    ) -> float:
        way_mm = apart_mm(pick, place)
        easy, fast = easy_s(way_mm, turning) * hand.pace, fastest_s(way_mm, turning)
        reach, reach_fast = hand.easy_to_s(pick), hand.fastest_to_s(pick)
        free_s = t_s - hand.free_s
        share = min(1.0, free_s / max(1e-6, easy + reach))
        lift_s = t_s - max(fast, easy * share)
        if act.lift_ns is not None:
            lift_s = self._time_s(act.lift_ns)
        earliest = max(hand.free_s + reach_fast, self._ready_s(act.pieces))
        return min(max(lift_s, earliest), t_s - fast)

    def _fly(
        self, act: Carry, lift_s: float, t_s: float, starts: list[TableCard],
        goals: list[TableCard], rise_mm: float,
    ) -> None:  # fmt: skip
        """Take the cards off the table, let them fly, and lay them."""
        # A block that is turned over lies the other way round: its top card becomes the lowest.
        flips = len(act.pieces) > 1 and starts[-1].face_up != goals[-1].face_up
        before = starts[::-1] if flips else starts
        for piece, start, goal in zip(act.pieces, before, goals, strict=True):
            labelled = self._table.faced(piece, start, start.face_up)
            self._flights.append(Flight(piece, lift_s, t_s, labelled, goal, rise_mm))
        self._table.ops.append(Op(lift_s, gone=act.pieces))
        if act.origin == act.target:
            self._table.ops.append(Op(t_s, laid=((act.pieces[0], act.target, goals[0]),)))
            self._table.cards[act.pieces[0]] = goals[0]
            self._table.since_s[act.pieces[0]] = t_s
            return
        self._table.remove(act.pieces)
        if not is_off_table(act.target):
            self._table.put(act.pieces, goals, act.target, t_s, act.under)

    # --- taking cards into the hand -----------------------------------------------------------

    def _take(self, act: Carry) -> None:
        """Gather cards into the hand, which keeps them until it is back at its player."""
        starts = self._table.starts(act)
        point_of = {side: grasp_mm(starts[-1], self._hand(act.seat, side).shoulder_mm)
                    for side in "LR"}  # fmt: skip
        t_s = self._time_s(act.t_ns)
        slack = {}
        for side in "LR":
            hand = self._hand(act.seat, side)
            slack[side] = t_s - hand.free_s - hand.fastest_to_s(point_of[side])
        hand, note = self._choose(act, starts[-1].centre_mm, slack)
        t_s = self._time_s(act.t_ns)
        top_mm = starts[-1].height_mm
        hand.arrive(t_s, point_of[hand.side], top_mm + HAND_OVER_CARD_MM, "pinch")
        hand.stay(t_s, t_s + 0.02)
        hand.holds = True
        number = self._hands.index(hand)
        for piece, start in zip(act.pieces, starts, strict=True):
            there = self._table.faced(piece, start, start.face_up)
            self._held.append(_Held(number, piece, t_s, there, top_mm - start.height_mm))
        self._table.ops.append(Op(t_s, gone=act.pieces))
        self._table.remove(act.pieces)
        self._table.pile(act.target).extend(act.pieces)
        self._note(act, hand, t_s, t_s, note)

    def _collect(self, act: Act) -> None:
        """Bring what a player's hands gathered back before they do anything else."""
        for hand in self._hands:
            if hand.seat == act.seat and hand.holds:
                there_s = hand.go_home(by_s=self._time_s(act.t_ns) - _FETCH_S)
                hand.holds = False
                number = self._hands.index(hand)
                for held in self._held:
                    if held.hand == number:
                        self._table.since_s[held.piece] = there_s

    def _close_held(self) -> None:
        """Let gathered cards fly with their hand until it is at home."""
        for held in self._held:
            times = [t for t in self._hands[held.hand].home_times if t > held.lift_s]
            down_s = min(times, default=held.lift_s + 1.0)
            self._flights.append(
                Flight(held.piece, held.lift_s, down_s, held.start, held.start, 0.0, held.hand,
                       held.below_mm)
            )  # fmt: skip

    # --- touching and shuffling --------------------------------------------------------------

    def _touch(self, act: Touch) -> None:
        self._collect(act)
        centre = self._spots.zone(act.zone).center_mm
        if act.before:
            side = act.hand or self._near_side(act.seat, centre)
            hand = self._hand(act.seat, side)
            hand.rests_at(self._palm_mm(hand, centre), _FLAT_HAND_MM, "open", act.zone)
            return
        t_s = self._time_s(act.t_ns)
        slack = {}
        for side in "LR":
            hand = self._hand(act.seat, side)
            strike_s = _STRIKE_S if act.slap else 0.0
            goal = self._wind_up_mm(hand, centre) if act.slap else self._palm_mm(hand, centre)
            slack[side] = t_s - strike_s - hand.free_s - hand.fastest_to_s(goal)
        hand, note = self._choose(act, centre, slack)
        t_s = self._time_s(act.t_ns)
        spot_mm, height_mm = self._contact(hand, centre, act.zone, t_s)
        if act.slap:
            hand.arrive(t_s - _STRIKE_S, self._wind_up_mm(hand, centre), _WIND_UP_HEIGHT_MM, "open")
            hand.carry(t_s, spot_mm, height_mm, 8.0, STRIKE)
        else:
            hand.arrive(t_s, spot_mm, height_mm, "open")
        hand.touching = act.zone
        hand.contacts.append(Contact(hand.seat, hand.side, act.zone, spot_mm, t_s, True, act.slap))
        stays_s = _SLAP_STAYS_S if act.slap else _TOUCH_STAYS_S
        if act.off_ns is None:
            hand.stay(t_s + 0.12, t_s + stays_s)
        else:
            hand.stay(self._time_s(act.off_ns), self._time_s(act.off_ns))
        self._note(act, hand, t_s, None, note)

    def _release(self, touch: Touch) -> None:
        assert touch.off_ns is not None
        assert touch.off_n is not None
        done = self._played.get(touch.n)
        side = (done.side if done else None) or touch.hand
        centre = self._spots.zone(touch.zone).center_mm
        hand = self._hand(touch.seat, side or self._near_side(touch.seat, centre))
        t_s = self._time_s(touch.off_ns)
        if hand.touching == touch.zone:
            hand.lift_off(t_s)
            t_s = hand.contacts[-1].t_s
        shift_s = round(t_s - self._lead_s - touch.off_ns / 1e9, 6)
        self._played[touch.off_n] = Played(
            touch.off_n, t_s, hand.seat, hand.side, None, shift_s, (t_s,)
        )

    def _palm_mm(self, hand: Reach, centre: Point) -> Point:
        """Return where the fingertips are when the flat hand covers a spot."""
        return ahead_of(hand.shoulder_mm, centre, 42.0)

    def _wind_up_mm(self, hand: Reach, centre: Point) -> Point:
        return ahead_of(hand.shoulder_mm, centre, 42.0 - _WIND_UP_MM)

    def _contact(self, hand: Reach, centre: Point, zone: str, t_s: float) -> tuple[Point, float]:
        """Where a flat hand comes to rest: on the cards, or on a hand that is there already."""
        rng = np.random.default_rng([self._seed, int(t_s * 1000), 5])
        tip = self._palm_mm(hand, centre)
        dx, dy = rng.normal(0.0, 6.0, 2)
        top_mm = self._table.height_mm(TableCard("", 0, centre)) - CARD_THICKNESS_MM
        below = [h for h in self._hands if h.touching == zone and h is not hand]
        height_mm = top_mm + _FLAT_HAND_MM + _ON_A_HAND_MM * len(below)
        return (tip[0] + float(dx), tip[1] + float(dy)), height_mm

    def _mix(self, act: Mix) -> None:
        self._collect(act)
        off = is_off_table(act.zone) or not act.pieces
        pieces = list(act.pieces) or list(self._table.pile(f"{act.seat}.held"))
        hands = [self._hand(act.seat, side) for side in "LR"]
        if off:
            place = self._spots.seat(act.seat)
            inward = INWARD[place.edge]
            centre = (place.center_mm[0] + 60.0 * inward[0], place.center_mm[1] + 60.0 * inward[1])
        else:
            centre = self._spots.zone(act.zone).center_mm
        needs = max(h.free_s + h.fastest_to_s(centre) for h in hands) + 0.9 - self._time_s(act.t_ns)
        self._delay_s += max(0.0, needs)
        t_s = self._time_s(act.t_ns)
        from_s = max(t_s - 2.6, max(h.free_s + h.fastest_to_s(centre) for h in hands))
        self._shuffle(act, pieces, hands, centre, from_s, t_s, off)
        self._note(act, hands[1], t_s, from_s, "")

    def _shuffle(
        self, act: Mix, pieces: list[int], hands: list[Reach], centre: Point, from_s: float,
        t_s: float, off: bool,
    ) -> None:  # fmt: skip
        """Lift the cards, chop or wash them with both hands, and lay them down again."""
        if off:
            angle_deg = self._spots.zone(self._spots.own_zone(act.seat)).angle_deg
            place = TableCard("", 0, centre, angle_deg)
            starts = [self._table.faced(p, replace(place, height_mm=20.0 + 0.3 * k), False)
                      for k, p in enumerate(pieces)]  # fmt: skip
        else:
            starts = [self._table.cards[p] for p in pieces]
        steps = shuffle_steps(act.way, starts, from_s, t_s, self._seed + act.n)
        for hand, side in zip(hands, (-1.0, 1.0), strict=True):
            for k, step in enumerate(steps.hands):
                at_mm = step.at(centre, hand.home_mm, side)
                if k == 0:
                    hand.arrive(step.t_s, at_mm, step.height_mm, "pinch")
                else:
                    hand.carry(step.t_s, at_mm, step.height_mm, 6.0, CARRY)
            hand.stay(t_s + _RELEASE_S, t_s + _DWELL_S)
        if pieces:
            self._table.ops.append(Op(from_s, gone=tuple(pieces)))
        for leg in steps.legs:
            self._flights.append(
                Flight(pieces[leg.card], leg.from_s, leg.until_s, leg.start, leg.goal, leg.rise_mm)
            )
        if not off and pieces:
            laid = tuple((p, act.zone, card) for p, card in zip(pieces, starts, strict=True))
            self._table.ops.append(Op(t_s, laid=laid))
            for piece in pieces:
                self._table.since_s[piece] = t_s


@dataclass(frozen=True, slots=True)
class _Release:
    """The end of a touch, as a step of its own."""

    touch: Touch


def _is_before(act: Act) -> bool:
    return isinstance(act, Touch) and act.before


def _step_time(step: Act | _Release) -> tuple[int, int]:
    if isinstance(step, _Release):
        return step.touch.off_ns or 0, step.touch.off_n or 0
    return (-1, step.n) if _is_before(step) else (step.t_ns, step.n)


def _contact_time(contact: Contact) -> float:
    return contact.t_s


def _height(card: TableCard) -> float:
    return card.height_mm
