"""How two hands shuffle a packet: lift it, chop or wash it, lay it down again."""

from __future__ import annotations

from dataclasses import replace

from referee.simulate.acts import Mix
from referee.simulate.cardtrail import is_off_table
from referee.simulate.carrying import DWELL_S, RELEASE_S
from referee.simulate.flights import Flight
from referee.simulate.laying import Op
from referee.simulate.motion import CARRY, Point
from referee.simulate.reaching import Reach
from referee.simulate.scene import TableCard
from referee.simulate.seating import INWARD
from referee.simulate.shuffling import shuffle_steps
from referee.simulate.stage import Stage


def mix(stage: Stage, act: Mix) -> None:
    """Shuffle a pile where it lies, or what the player holds."""
    stage.collect(act)
    off = is_off_table(act.zone) or not act.pieces
    pieces = list(act.pieces) or list(stage.table.pile(f"{act.seat}.held"))
    hands = [stage.hand(act.seat, side) for side in "LR"]
    if off:
        place = stage.spots.seat(act.seat)
        inward = INWARD[place.edge]
        centre = (place.center_mm[0] + 60.0 * inward[0], place.center_mm[1] + 60.0 * inward[1])
    else:
        centre = stage.spots.zone(act.zone).center_mm
    # Nobody shuffles what another hand still brings.
    lie_s = [stage.ready_s(pieces)] if pieces else []
    ready_s = max(*lie_s, *(h.free_s + h.fastest_to_s(centre) for h in hands))
    stage.delay_s += max(0.0, ready_s + 0.9 - stage.time_s(act.t_ns))
    t_s = stage.time_s(act.t_ns)
    from_s = max(t_s - 2.6, ready_s)
    _shuffle(stage, act, pieces, hands, centre, from_s, t_s, off)
    stage.note(act, hands[1], t_s, from_s, "")


def _shuffle(
    stage: Stage, act: Mix, pieces: list[int], hands: list[Reach], centre: Point, from_s: float,
    t_s: float, off: bool,
) -> None:  # fmt: skip
    """Lift the cards, chop or wash them with both hands, and lay them down again."""
    if off:
        angle_deg = stage.spots.zone(stage.spots.own_zone(act.seat)).angle_deg
        place = TableCard("", 0, centre, angle_deg)
        starts = [stage.table.faced(p, replace(place, height_mm=20.0 + 0.3 * k), False)
                  for k, p in enumerate(pieces)]  # fmt: skip
    else:
        starts = [stage.table.cards[p] for p in pieces]
    steps = shuffle_steps(act.way, starts, from_s, t_s, stage.seed + act.n)
    for hand, side in zip(hands, (-1.0, 1.0), strict=True):
        for k, step in enumerate(steps.hands):
            at_mm = step.at(centre, hand.home_mm, side)
            if k == 0:
                hand.arrive(step.t_s, at_mm, step.height_mm, "pinch")
            else:
                hand.carry(step.t_s, at_mm, step.height_mm, 6.0, CARRY)
        hand.stay(t_s + RELEASE_S, t_s + DWELL_S)
    if pieces:
        stage.table.ops.append(Op(from_s, gone=tuple(pieces)))
    for leg in steps.legs:
        stage.flights.append(
            Flight(pieces[leg.card], leg.from_s, leg.until_s, leg.start, leg.goal, leg.rise_mm)
        )
    if not off and pieces:
        laid = tuple((p, act.zone, card) for p, card in zip(pieces, starts, strict=True))
        stage.table.ops.append(Op(t_s, laid=laid))
        for piece in pieces:
            stage.table.since_s[piece] = t_s
