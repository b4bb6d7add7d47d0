"""How hands touch, slap and leave a spot."""

from __future__ import annotations

import numpy as np

from referee.simulate.acts import Touch
from referee.simulate.flights import Contact, Played
from referee.simulate.motion import STRIKE, Point
from referee.simulate.reaching import Reach
from referee.simulate.scene import CARD_THICKNESS_MM, TableCard
from referee.simulate.seating import ahead_of
from referee.simulate.stage import Stage

_SLAP_STAYS_S, _TOUCH_STAYS_S = 0.55, 0.9
_STRIKE_S = 0.14
_WIND_UP_MM, _WIND_UP_HEIGHT_MM = 55.0, 105.0
_ON_A_HAND_MM = 24.0
_FLAT_HAND_MM = 3.0


def touch(stage: Stage, act: Touch) -> None:
    """Lay a flat hand on a spot, or slap it."""
    stage.collect(act)
    centre = stage.spots.zone(act.zone).center_mm
    if act.before:
        side = act.hand or stage.near_side(act.seat, centre)
        hand = stage.hand(act.seat, side)
        hand.rests_at(_palm_mm(stage, hand, centre), _FLAT_HAND_MM, "open", act.zone)
        return
    t_s = stage.time_s(act.t_ns)
    slack = {}
    for side in "LR":
        hand = stage.hand(act.seat, side)
        strike_s = _STRIKE_S if act.slap else 0.0
        goal = _wind_up_mm(stage, hand, centre) if act.slap else _palm_mm(stage, hand, centre)
        slack[side] = t_s - strike_s - hand.free_s - hand.fastest_to_s(goal)
    hand, note = stage.choose(act, centre, slack)
    t_s = stage.time_s(act.t_ns)
    spot_mm, height_mm = _contact(stage, hand, centre, act.zone, t_s)
    if act.slap:
        hand.arrive(t_s - _STRIKE_S, _wind_up_mm(stage, hand, centre), _WIND_UP_HEIGHT_MM, "open")
        hand.carry(t_s, spot_mm, height_mm, 8.0, STRIKE)
    else:
        hand.arrive(t_s, spot_mm, height_mm, "open")
    hand.touching = act.zone
    hand.contacts.append(Contact(hand.seat, hand.side, act.zone, spot_mm, t_s, True, act.slap))
    stays_s = _SLAP_STAYS_S if act.slap else _TOUCH_STAYS_S
    if act.off_ns is None:
        hand.stay(t_s + 0.12, t_s + stays_s)
    else:
        hand.stay(stage.time_s(act.off_ns), stage.time_s(act.off_ns))
    stage.note(act, hand, t_s, None, note)


def release(stage: Stage, touch: Touch) -> None:
    """Take the hand off the spot that it touched."""
    assert touch.off_ns is not None
    assert touch.off_n is not None
    done = stage.played.get(touch.n)
    side = (done.side if done else None) or touch.hand
    centre = stage.spots.zone(touch.zone).center_mm
    hand = stage.hand(touch.seat, side or stage.near_side(touch.seat, centre))
    t_s = stage.time_s(touch.off_ns)
    if hand.touching == touch.zone:
        hand.lift_off(t_s)
        t_s = hand.contacts[-1].t_s
    shift_s = round(t_s - stage.lead_s - touch.off_ns / 1e9, 6)
    stage.played[touch.off_n] = Played(
        touch.off_n, t_s, hand.seat, hand.side, None, shift_s, (t_s,)
    )


def _palm_mm(stage: Stage, hand: Reach, centre: Point) -> Point:
    """Return where the fingertips are when the flat hand covers a spot."""
    return ahead_of(hand.shoulder_mm, centre, 42.0)


def _wind_up_mm(stage: Stage, hand: Reach, centre: Point) -> Point:
    return ahead_of(hand.shoulder_mm, centre, 42.0 - _WIND_UP_MM)


def _contact(
    stage: Stage, hand: Reach, centre: Point, zone: str, t_s: float
) -> tuple[Point, float]:
    """Where a flat hand comes to rest: on the cards, or on a hand that is there already."""
    rng = np.random.default_rng([stage.seed, int(t_s * 1000), 5])
    tip = _palm_mm(stage, hand, centre)
    dx, dy = rng.normal(0.0, 6.0, 2)
    top_mm = stage.table.height_mm(TableCard("", 0, centre)) - CARD_THICKNESS_MM
    below = [h for h in stage.hands if h.touching == zone and h is not hand]
    height_mm = top_mm + _FLAT_HAND_MM + _ON_A_HAND_MM * len(below)
    return (tip[0] + float(dx), tip[1] + float(dy)), height_mm
