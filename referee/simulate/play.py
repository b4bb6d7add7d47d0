"""A play as a function of time: hands carry cards from place to place over the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from referee.simulate.arms import Arm, Person
from referee.simulate.motion import eased
from referee.simulate.scene import Scene, TableCard, resting_height_mm

Point = tuple[float, float]

_GRASP_MM = 27.0
"""The fingertips hold a card this far from its middle: past its edge, short of its centre pips."""

_CARRY_LIFT_MM = 46.0
_REACH_LIFT_MM = 30.0
_HAND_OVER_CARD_MM = 5.0
_COME_S = 0.75
"""A hand needs this long from the table's edge to its first card, and back after the last."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: the arm's owner, the shoulder and the place off the table where the hand waits."""

    person: Person
    shoulder_mm: Point
    away_mm: Point
    left: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """One hand takes cards and lays them at other places.

    `cards` are (label, deck) from the lowest; `places` say for each where it comes to lie (its
    height is found from what lies there). The fingers close at `start_s` and open at `end_s`.
    """

    seat: int
    start_s: float
    end_s: float
    cards: tuple[tuple[str, int], ...]
    places: tuple[TableCard, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """Cards at the start, the players, and all moves in order of their end."""

    start: tuple[TableCard, ...]
    seats: tuple[Seat, ...]
    moves: tuple[Move, ...]

    def __post_init__(self) -> None:
        for move in self.moves:
            if not 0 <= move.seat < len(self.seats):
                raise ValueError(f"a move is made by seat {move.seat}, which nobody takes")
            if len(move.cards) != len(move.places) or not move.cards:
                raise ValueError("a move needs one place for each of its cards")
            if move.end_s <= move.start_s:
                raise ValueError(f"a move at {move.start_s} s must end after it starts")


def _key(card: TableCard) -> tuple[str, int]:
    return card.label, card.deck


def _taken(cards: tuple[TableCard, ...], move: Move) -> tuple[TableCard, ...]:
    lying = {_key(card): card for card in cards}
    missing = [key for key in move.cards if key not in lying]
    if missing:
        raise ValueError(f"at {move.start_s:.2f} s card {missing[0][0]} is not on the table")
    return tuple(lying[key] for key in move.cards)


def _without(cards: tuple[TableCard, ...], move: Move) -> tuple[TableCard, ...]:
    return tuple(card for card in cards if _key(card) not in move.cards)


def _laid(cards: tuple[TableCard, ...], move: Move) -> tuple[TableCard, ...]:
    lying = _without(cards, move)
    for place in move.places:
        height_mm = resting_height_mm(lying, place.centre_mm)
        lying = (*lying, replace(place, height_mm=height_mm))
    return lying


def _between(a: TableCard, b: TableCard, share: float) -> TableCard:
    """Return a card on its way: an arc above the table, high enough to turn over where it does."""
    way, bump = eased(share), 4 * share * (1 - share)
    turning = abs(b.flip_deg - a.flip_deg) > 90
    lift_mm = bump * (_CARRY_LIFT_MM + (16.0 if turning else 0.0))
    turn_deg = (b.angle_deg - a.angle_deg + 180.0) % 360.0 - 180.0
    return replace(
        b,
        centre_mm=(
            a.centre_mm[0] + (b.centre_mm[0] - a.centre_mm[0]) * way,
            a.centre_mm[1] + (b.centre_mm[1] - a.centre_mm[1]) * way,
        ),
        angle_deg=a.angle_deg + turn_deg * way,
        height_mm=a.height_mm + (b.height_mm - a.height_mm) * way + lift_mm,
        flip_deg=a.flip_deg + (b.flip_deg - a.flip_deg) * eased(way),
    )


def _grasp_mm(card: TableCard, seat: Seat) -> Point:
    """Where the fingertips hold a card: off its middle, towards the player."""
    back = np.subtract(seat.shoulder_mm, card.centre_mm)
    back = back / np.linalg.norm(back) * _GRASP_MM
    return float(card.centre_mm[0] + back[0]), float(card.centre_mm[1] + back[1])


def _in_order(play: Play) -> list[Move]:
    return sorted(play.moves, key=lambda move: move.end_s)


@lru_cache(maxsize=8)
def _history(play: Play) -> tuple[tuple[TableCard, ...], ...]:
    """Return what lies on the table at the start and after each move, in order of their ends."""
    states = [play.start]
    for move in _in_order(play):
        _taken(states[-1], move)
        states.append(_laid(states[-1], move))
    return tuple(states)


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a hand is at one time; on the way from it the hand rises by `lift_mm`."""

    t_s: float
    at_mm: Point
    height_mm: float
    lift_mm: float


@lru_cache(maxsize=16)
def _stops(play: Play, seat_number: int) -> tuple[_Stop, ...]:
    """All places where one hand stops, from before its first card to after its last."""
    seat, lying = play.seats[seat_number], play.start
    stops: list[_Stop] = []
    for move in _in_order(play):
        if move.seat == seat_number:
            taken = _taken(lying, move)[-1]
            laid = _laid(lying, move)[-1]
            turning = abs(laid.flip_deg - taken.flip_deg) > 90
            lift_mm = _CARRY_LIFT_MM + (22.0 if turning else 0.0)
            over = _HAND_OVER_CARD_MM
            grasp, release = _grasp_mm(taken, seat), _grasp_mm(laid, seat)
            stops.append(_Stop(move.start_s, grasp, taken.height_mm + over, lift_mm))
            stops.append(_Stop(move.end_s, release, laid.height_mm + over, _REACH_LIFT_MM))
        lying = _laid(lying, move)
    if not stops:
        return ()
    first = _Stop(stops[0].t_s - _COME_S, seat.away_mm, 40.0, 15.0)
    last = _Stop(stops[-1].t_s + _COME_S, seat.away_mm, 40.0, 0.0)
    return (first, *stops, last)


def _hand_at(stops: tuple[_Stop, ...], seat: Seat, t_s: float) -> Arm | None:
    if not stops or not stops[0].t_s < t_s < stops[-1].t_s:
        return None
    after = next(n for n, stop in enumerate(stops) if stop.t_s > t_s)
    a, b = stops[after - 1], stops[after]
    share = (t_s - a.t_s) / (b.t_s - a.t_s)
    way, lift_mm = eased(share), a.lift_mm * 4 * share * (1 - share)
    tip = (a.at_mm[0] + (b.at_mm[0] - a.at_mm[0]) * way,
           a.at_mm[1] + (b.at_mm[1] - a.at_mm[1]) * way)  # fmt: skip
    height_mm = a.height_mm + (b.height_mm - a.height_mm) * way + lift_mm
    return Arm(seat.person, tip, seat.shoulder_mm, height_mm, "pinch", seat.left)


def scene_at(play: Play, t_s: float) -> Scene:
    """Return the scene at a time in seconds. Raises ValueError if a moved card is not there."""
    moves = _in_order(play)
    done = sum(move.end_s <= t_s for move in moves)
    lying = _history(play)[done]
    open_moves = [(m, _taken(lying, m)) for m in moves[done:] if m.start_s <= t_s]
    for move, _ in open_moves:
        lying = _without(lying, move)
    carried: list[TableCard] = []
    for move, taken in open_moves:
        share = (t_s - move.start_s) / (move.end_s - move.start_s)
        goals = _laid(lying, move)[-len(move.places) :]
        carried += [_between(a, b, share) for a, b in zip(taken, goals, strict=True)]
    hands = (_hand_at(_stops(play, n), seat, t_s) for n, seat in enumerate(play.seats))
    return Scene(lying, tuple(carried), tuple(hand for hand in hands if hand is not None))


def end_s(play: Play) -> float:
    """When the last hand has left the table."""
    return max((move.end_s for move in play.moves), default=0.0) + _COME_S


def is_at_rest(play: Play, t_s: float) -> bool:
    """Whether no card is in the air at `t_s`."""
    return not any(move.start_s <= t_s < move.end_s for move in play.moves)
