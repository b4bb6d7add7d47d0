"""When two acts happened, with their uncertainties: what a race was decided on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.notation import write_event
from referee.record.figures import NS_PER_S, Story
from referee.values import Declared, Event, HandOff, HandOn, PadHit, Ruling, Setting

DEFAULT_MS = {
    "race.u_pad_ms": 2.0,
    "race.u_hand_ms": 25.0,
    "race.u_card_ms": 40.0,
    "race.u_key_ms": 10.0,
    "race.u_voice_ms": 150.0,
    "race.u_operator_ms": 400.0,
}
# An uncertainty is half the width of the interval that holds the true time with 95 %.
SIGMAS_OF_95 = 1.96


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a race: whose, when, how surely, and the event as text."""

    seat: str
    t_ns: int
    u_ns: int
    words: str


def uncertainty_ns(event: Event, options: Iterable[Setting]) -> int:
    """Return how far an event's time may be off to either side (house rule 0.4)."""
    if event.u_ns is not None:
        return event.u_ns
    name = _sensor(event)
    given = next((option.value for option in options if option.name == name), None)
    try:
        ms = float(given) if given is not None else DEFAULT_MS[name]
    except ValueError:
        ms = DEFAULT_MS[name]
    return round(ms * 1e6)


def _sensor(event: Event) -> str:
    if event.source in ("voice", "operator"):
        return f"race.u_{event.source}_ms"
    if isinstance(event, PadHit):
        return "race.u_pad_ms"
    if isinstance(event, HandOn | HandOff):
        return "race.u_hand_ms"
    if isinstance(event, Declared):
        return "race.u_key_ms" if event.actor.seat else "race.u_operator_ms"
    return "race.u_card_ms"


def acts_of_race(story: Story, ruling: Ruling) -> tuple[Act, ...]:
    """Return the acts that a race was decided on, the earlier first; empty where untold.

    The later act is the ruling's own event or one just before it; the other is the one of
    another player that lies as far away as the margin says.
    """
    if ruling.kind != "RACE" or ruling.margin_ns is None:
        return ()
    reach_ns = 2 * ruling.margin_ns + NS_PER_S
    near = story.between(ruling.t_ns - reach_ns, ruling.t_ns + reach_ns)
    pair = _pair(near, ruling)
    return tuple(_act(event, story.head.options) for event in pair)


def _pair(near: Sequence[Event], ruling: Ruling) -> tuple[Event, ...]:
    """Return the two events of different players that are the margin apart, nearest the ruling."""
    found = [
        (early, late)
        for i, early in enumerate(near)
        for late in near[i + 1 :]
        if late.t_ns - early.t_ns == ruling.margin_ns and _are_rivals(early, late, ruling)
    ]
    return min(found, key=lambda pair: abs(pair[1].t_ns - ruling.t_ns), default=())


def _are_rivals(early: Event, late: Event, ruling: Ruling) -> bool:
    seats = (early.actor.seat, late.actor.seat)
    return None not in seats and seats[0] != seats[1] and ruling.winner in (*seats, "tie")


def _act(event: Event, options: Iterable[Setting]) -> Act:
    assert event.actor.seat is not None
    words = write_event(event).split(" ", 2)[2]
    return Act(event.actor.seat, event.t_ns, uncertainty_ns(event, options), words)


def probability_first(one: Act, other: Act) -> float:
    """Return how probable it is that `one` was earlier than `other`.

    For normal errors of which 95 % lie within the uncertainties: the error function of the
    margin over the spread of the difference.
    """
    spread_ns = math.hypot(one.u_ns, other.u_ns) / SIGMAS_OF_95
    gap_ns = other.t_ns - one.t_ns
    if spread_ns == 0:
        return 0.5 if gap_ns == 0 else float(gap_ns > 0)
    return 0.5 * (1 + math.erf(gap_ns / spread_ns / math.sqrt(2)))
