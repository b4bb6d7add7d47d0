"""Where players sit, and where their hands wait."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.simulate.arms import Person
from referee.simulate.flights import HAND_OVER_CARD_MM
from referee.simulate.motion import Point, apart_mm
from referee.simulate.reaching import HOME_HEIGHT_MM, Reach
from referee.simulate.scene import TableCard
from referee.values import Place

INWARD = {"south": (0.0, 1.0), "north": (0.0, -1.0), "west": (1.0, 0.0), "east": (-1.0, 0.0)}
"""The way from each edge into the table."""


def right_of(place: Place) -> Point:
    """Return the way to a player's right."""
    inward = INWARD[place.edge]
    return inward[1], -inward[0]


def ahead_of(shoulder_mm: Point, centre: Point, mm: float) -> Point:
    """Return a point beyond `centre` as the arm from the shoulder points."""
    way_mm = max(1.0, apart_mm(shoulder_mm, centre))
    share = mm / way_mm
    return (
        centre[0] + (centre[0] - shoulder_mm[0]) * share,
        centre[1] + (centre[1] - shoulder_mm[1]) * share,
    )


def both_hands(place: Place, person: Person, seed: int) -> list[Reach]:
    """Return a player's hands, waiting off the table's edge."""
    inward, right = INWARD[place.edge], right_of(place)
    rng = np.random.default_rng([seed, *place.seat.encode(), 3])
    pace = float(rng.uniform(0.85, 1.2))
    hands = []
    for side, sign in (("L", -1.0), ("R", 1.0)):
        out_mm, wide_mm = float(rng.uniform(70, 130)), float(rng.uniform(90, 140)) * sign
        home = (
            place.center_mm[0] - out_mm * inward[0] + wide_mm * right[0],
            place.center_mm[1] - out_mm * inward[1] + wide_mm * right[1],
        )
        shoulder = (
            place.center_mm[0] - 430.0 * inward[0] + 185.0 * sign * right[0],
            place.center_mm[1] - 430.0 * inward[1] + 185.0 * sign * right[1],
        )
        hands.append(Reach(place.seat, side, person, shoulder, home, pace))
    return hands


def at_home(hand: Reach, card: TableCard) -> TableCard:
    """Return a card under the fingers of a hand that waits at its player."""
    ahead = ahead_of(hand.shoulder_mm, hand.home_mm, 27.0)
    return replace(card, centre_mm=ahead, height_mm=HOME_HEIGHT_MM - HAND_OVER_CARD_MM)
