"""A show as values: what lies when, which cards are in the air, and where all hands are."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from referee.simulate.arms import Arm, Person
from referee.simulate.motion import Point, Stop, along, between, eased, lowering
from referee.simulate.scene import Scene, TableCard


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a player: whose, which, where its shoulder is, and all its stops."""

    seat: str
    side: str
    person: Person
    shoulder_mm: Point
    stops: tuple[Stop, ...]

    @property
    def key(self) -> str:
        """`A.R`: as scripts write it."""
        return f"{self.seat}.{self.side}"


@dataclass(frozen=True, slots=True)
class Flight:
    """One card on its way from `start` to `goal`, lifted at `lift_s`, down at `down_s`.

    With `hand` (a number in the show) the card goes where that hand goes, held under its
    fingers, `below_mm` under the top of its block; else it goes straight from one place to the
    other over an arc of `rise_mm`.
    """

    piece: int
    lift_s: float
    down_s: float
    start: TableCard
    goal: TableCard
    rise_mm: float
    hand: int | None = None
    below_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Lies:
    """What lies from a time on, in stacking order: numbers of pieces, their zones and places."""

    t_s: float
    pieces: tuple[int, ...]
    zones: tuple[str, ...]
    cards: tuple[TableCard, ...]


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand that comes to rest on a zone, or leaves it (`on` False), at the true time."""

    seat: str
    side: str
    zone: str
    at_mm: Point
    t_s: float
    on: bool
    slap: bool


@dataclass(frozen=True, slots=True)
class Played:
    """What became of event `n` of the script: when it is really seen, by which hand.

    `t_s` and `lift_s` are times of the video; `shift_s` is how much later than the script asks.
    `each_s` are the touch-downs of cards that are laid one by one. `note` says what is other
    than the script says.
    """

    n: int
    t_s: float
    seat: str | None = None
    side: str | None = None
    lift_s: float | None = None
    shift_s: float = 0.0
    each_s: tuple[float, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dark:
    """Between two times of the video nothing is seen of `zones` (`*`: of the whole table)."""

    from_s: float
    until_s: float
    zones: tuple[str, ...]
    lights_off: bool


@dataclass(frozen=True, slots=True)
class Show:
    """A whole match as it is seen; times are seconds of the video."""

    lies: tuple[Lies, ...]
    flights: tuple[Flight, ...]
    hands: tuple[Hand, ...]
    contacts: tuple[Contact, ...]
    played: tuple[Played, ...]
    darks: tuple[Dark, ...]
    lead_s: float
    end_s: float

    def lying(self, t_s: float) -> Lies:
        """Return what lies at a time."""
        return self.lies[max(0, bisect_right(self.lies, t_s, key=lambda lies: lies.t_s) - 1)]

    def flying(self, t_s: float) -> tuple[Flight, ...]:
        """Return the cards in the air at a time."""
        # Flights are in order of their lift; none lasts longer than the longest one.
        last = bisect_right(self.flights, t_s, key=lambda flight: flight.lift_s)
        first = bisect_right(
            self.flights, t_s - _LONGEST_FLIGHT_S, key=lambda flight: flight.lift_s
        )
        return tuple(f for f in self.flights[first:last] if f.down_s > t_s)

    def arms(self, t_s: float) -> tuple[Arm, ...]:
        """Return the arms over the table at a time, the lowest first."""
        arms = (arm_of(hand, t_s) for hand in self.hands)
        return tuple(sorted((a for a in arms if a is not None), key=lambda arm: arm.height_mm))

    def carried(self, t_s: float) -> tuple[TableCard, ...]:
        """Return the cards in the air as they are at a time, the lowest first."""
        cards = [self.card_at(flight, t_s) for flight in self.flying(t_s)]
        return tuple(sorted(cards, key=lambda card: card.height_mm))

    def scene(self, t_s: float) -> Scene:
        """Return the scene at a time."""
        return Scene(self.lying(t_s).cards, self.carried(t_s), self.arms(t_s))

    def card_at(self, flight: Flight, t_s: float) -> TableCard:
        """Return a card in the air as it is at a time."""
        span_s = flight.down_s - flight.lift_s
        share = min(max((t_s - flight.lift_s) / span_s, 0.0), 1.0) if span_s > 0 else 1.0
        a, b = flight.start, flight.goal
        way = eased(share)
        turn_deg = (b.angle_deg - a.angle_deg + 180.0) % 360.0 - 180.0
        # A card is turned over in the middle of its way, when it is high enough.
        flip_deg = a.flip_deg + (b.flip_deg - a.flip_deg) * eased((share - 0.15) / 0.6)
        turned = replace(b, angle_deg=a.angle_deg + turn_deg * way, flip_deg=flip_deg)
        if flight.hand is not None:
            return self._held(flight, turned, t_s)
        low = a.height_mm + (b.height_mm - a.height_mm) * eased(share / 0.9)
        return replace(
            turned,
            centre_mm=between(a.centre_mm, b.centre_mm, way),
            height_mm=low + flight.rise_mm * lowering(share),
        )

    def _held(self, flight: Flight, card: TableCard, t_s: float) -> TableCard:
        assert flight.hand is not None
        hand = self.hands[flight.hand]
        now = along(hand.stops, t_s)
        share = (t_s - flight.lift_s) / max(1e-6, flight.down_s - flight.lift_s)
        first = _under_fingers(flight.start, hand.shoulder_mm)
        last = _under_fingers(flight.goal, hand.shoulder_mm)
        offset = between(first, last, eased(share))
        at_mm = (now.at_mm[0] + offset[0], now.at_mm[1] + offset[1])
        height_mm = max(0.3, now.height_mm - HAND_OVER_CARD_MM - flight.below_mm)
        return replace(card, centre_mm=at_mm, height_mm=height_mm)


_LONGEST_FLIGHT_S = 30.0
HAND_OVER_CARD_MM = 5.0
GRASP_MM = 27.0
"""The fingertips hold a card this far from its middle: past its edge, short of its centre pips."""


def grasp_mm(card: TableCard, shoulder_mm: Point) -> Point:
    """Where the fingertips hold a card: off its middle, towards the player."""
    dx, dy = shoulder_mm[0] - card.centre_mm[0], shoulder_mm[1] - card.centre_mm[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    return card.centre_mm[0] + dx / length * GRASP_MM, card.centre_mm[1] + dy / length * GRASP_MM


def _under_fingers(card: TableCard, shoulder_mm: Point) -> Point:
    """Return how far a card's middle is from the fingertips that hold it."""
    grasp = grasp_mm(card, shoulder_mm)
    return card.centre_mm[0] - grasp[0], card.centre_mm[1] - grasp[1]


def arm_of(hand: Hand, t_s: float) -> Arm | None:
    """Return a hand's arm at a time, None while it never comes over the table."""
    if len(hand.stops) < 2:
        return None
    now = along(hand.stops, t_s)
    return Arm(
        hand.person, now.at_mm, hand.shoulder_mm, now.height_mm, now.grip, hand.side == "L",
        hand.key,
    )  # fmt: skip
