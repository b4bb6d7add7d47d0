"""How hands carry cards: single ones, blocks, packets dealt out, cards gathered into a hand."""

from __future__ import annotations

from dataclasses import replace

from referee.simulate.acts import Carry, Deal
from referee.simulate.cardtrail import is_off_table
from referee.simulate.flights import HAND_OVER_CARD_MM, Flight, grasp_mm
from referee.simulate.laying import Op
from referee.simulate.motion import CARRY, Point, apart_mm, easy_s, fastest_s
from referee.simulate.reaching import HOME_HEIGHT_MM, Reach
from referee.simulate.scene import TableCard
from referee.simulate.seating import at_home
from referee.simulate.stage import Held, Stage

_RISE_MM, _TURN_RISE_MM = 40.0, 58.0
RELEASE_S, DWELL_S = 0.03, 0.10
"""A hand lets a card go so long after it lies, and stays there so long."""


def carry(stage: Stage, act: Carry) -> None:
    """Carry cards from where they lie to where they go. Raises ScriptError."""
    stage.collect(act)
    starts = stage.table.starts(act)
    top = starts[-1]
    goals = stage.table.goals(act)
    off = is_off_table(act.target)
    turning = act.up[-1] != top.face_up
    t_s = stage.time_s(act.t_ns)
    slack = {}
    for side in "LR":
        hand = stage.hand(act.seat, side)
        pick, place = _ends(stage, act, hand, top, goals)
        needs = fastest_s(apart_mm(pick, place), turning)
        slack[side] = t_s - hand.free_s - hand.fastest_to_s(pick) - needs
        slack[side] = min(slack[side], t_s - needs - stage.ready_s(act.pieces))
    hand, note = stage.choose(act, top.centre_mm, slack)
    pick, place = _ends(stage, act, hand, top, goals)
    t_s = stage.time_s(act.t_ns)
    lift_s = _lift_time(stage, act, hand, pick, place, turning, t_s)
    if off:
        goals = [replace(at_home(hand, goal), flip_deg=goal.flip_deg) for goal in goals]
    if is_off_table(act.origin):
        starts = [at_home(hand, start) for start in starts]
    rise_mm = _TURN_RISE_MM if turning else _RISE_MM
    rise_mm = min(rise_mm, 12.0 + 0.35 * apart_mm(pick, place) + (30.0 if turning else 0.0))
    hand.arrive(lift_s, pick, starts[-1].height_mm + HAND_OVER_CARD_MM, "pinch")
    hand.carry(t_s, place, goals[-1].height_mm + HAND_OVER_CARD_MM, rise_mm, CARRY)
    hand.stay(t_s + RELEASE_S, t_s + DWELL_S)
    _fly(stage, act, lift_s, t_s, starts, goals, rise_mm)
    if off:
        stage.table.pile(act.target).extend(act.pieces)
        hand.home_times.append(t_s)
    stage.note(act, hand, t_s, lift_s, note)


def _ends(
    stage: Stage, act: Carry, hand: Reach, top: TableCard, goals: list[TableCard]
) -> tuple[Point, Point]:
    """Where the hand takes the cards and where it lets them go."""
    pick = hand.home_mm if is_off_table(act.origin) else grasp_mm(top, hand.shoulder_mm)
    place = hand.home_mm if is_off_table(act.target) else grasp_mm(goals[-1], hand.shoulder_mm)
    return pick, place


def _lift_time(
    stage: Stage, act: Carry, hand: Reach, pick: Point, place: Point, turning: bool, t_s: float
) -> float:
    way_mm = apart_mm(pick, place)
    easy, fast = easy_s(way_mm, turning) * hand.pace, fastest_s(way_mm, turning)
    reach, reach_fast = hand.easy_to_s(pick), hand.fastest_to_s(pick)
    free_s = t_s - hand.free_s
    share = min(1.0, free_s / max(1e-6, easy + reach))
    lift_s = t_s - max(fast, easy * share)
    if act.lift_ns is not None:
        lift_s = stage.time_s(act.lift_ns)
    earliest = max(hand.free_s + reach_fast, stage.ready_s(act.pieces))
    return min(max(lift_s, earliest), t_s - fast)


def _fly(
    stage: Stage, act: Carry, lift_s: float, t_s: float, starts: list[TableCard],
    goals: list[TableCard], rise_mm: float,
) -> None:  # fmt: skip
    """Take the cards off the table, let them fly, and lay them."""
    # A block that is turned over lies the other way round: its top card becomes the lowest.
    flips = len(act.pieces) > 1 and starts[-1].face_up != goals[-1].face_up
    before = starts[::-1] if flips else starts
    for piece, start, goal in zip(act.pieces, before, goals, strict=True):
        labelled = stage.table.faced(piece, start, start.face_up)
        stage.flights.append(Flight(piece, lift_s, t_s, labelled, goal, rise_mm))
    stage.table.ops.append(Op(lift_s, gone=act.pieces))
    if act.origin == act.target:
        stage.table.ops.append(Op(t_s, laid=((act.pieces[0], act.target, goals[0]),)))
        stage.table.cards[act.pieces[0]] = goals[0]
        stage.table.since_s[act.pieces[0]] = t_s
        return
    stage.table.remove(act.pieces)
    if not is_off_table(act.target):
        stage.table.put(act.pieces, goals, act.target, t_s, act.under)


def deal(stage: Stage, act: Deal) -> None:
    """Lay cards one by one in a sweep: the hand holds the packet and lets one go at a time."""
    stage.collect(act)
    first = stage.spots.zone(act.targets[0]).center_mm
    slack = {}
    for side in "LR":
        hand = stage.hand(act.seat, side)
        needs = hand.fastest_to_s(hand.home_mm) + fastest_s(apart_mm(hand.home_mm, first))
        ready_s = stage.ready_s(act.pieces) + fastest_s(apart_mm(hand.home_mm, first))
        slack[side] = stage.time_s(act.t_ns) - max(hand.free_s + needs, ready_s)
    hand, note = stage.choose(act, first, slack)
    lift_s = stage.time_s(act.t_ns) - easy_s(apart_mm(hand.home_mm, first)) * hand.pace
    lift_s = max(lift_s, hand.free_s + hand.fastest_to_s(hand.home_mm))
    lift_s = max(lift_s, stage.ready_s(act.pieces))
    hand.arrive(lift_s, hand.home_mm, HOME_HEIGHT_MM, "pinch")
    number = stage.hands.index(hand)
    stage.table.remove(act.pieces)
    stage.table.ops.append(Op(lift_s, gone=act.pieces))
    for k, (piece, zone) in enumerate(zip(act.pieces, act.targets, strict=True)):
        (goal,) = stage.table.places((piece,), (act.up[k],), zone, False)
        place = grasp_mm(goal, hand.shoulder_mm)
        late_s = hand.free_s + hand.fastest_to_s(place) - stage.time_s(act.each_ns[k])
        stage.delay_s += max(0.0, late_s)
        t_s = stage.time_s(act.each_ns[k])
        hand.carry(t_s, place, goal.height_mm + HAND_OVER_CARD_MM, 10.0, CARRY)
        hand.stay(t_s, t_s + DWELL_S)
        start = at_home(hand, goal)
        stage.flights.append(Flight(piece, lift_s, t_s, start, goal, 0.0, number))
        stage.table.put((piece,), (goal,), zone, t_s, False)
        stage.note(act, hand, t_s, lift_s, note)


def take(stage: Stage, act: Carry) -> None:
    """Gather cards into the hand, which keeps them until it is back at its player."""
    starts = stage.table.starts(act)
    point_of = {side: grasp_mm(starts[-1], stage.hand(act.seat, side).shoulder_mm)
                for side in "LR"}  # fmt: skip
    t_s = stage.time_s(act.t_ns)
    slack = {}
    for side in "LR":
        hand = stage.hand(act.seat, side)
        slack[side] = t_s - hand.free_s - hand.fastest_to_s(point_of[side])
    hand, note = stage.choose(act, starts[-1].centre_mm, slack)
    t_s = stage.time_s(act.t_ns)
    top_mm = starts[-1].height_mm
    hand.arrive(t_s, point_of[hand.side], top_mm + HAND_OVER_CARD_MM, "pinch")
    hand.stay(t_s, t_s + 0.02)
    hand.holds = True
    number = stage.hands.index(hand)
    for piece, start in zip(act.pieces, starts, strict=True):
        there = stage.table.faced(piece, start, start.face_up)
        stage.held.append(Held(number, piece, t_s, there, top_mm - start.height_mm))
    stage.table.ops.append(Op(t_s, gone=act.pieces))
    stage.table.remove(act.pieces)
    stage.table.pile(act.target).extend(act.pieces)
    stage.note(act, hand, t_s, t_s, note)
