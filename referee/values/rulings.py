"""What the referee says: one ruling with the event that caused it and the rule it rests on."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("VIOLATION", "RACE", "SCORE", "END", "INFO", "QUERY", "NOT_OBSERVED")
TIE = "tie"


@dataclass(frozen=True, slots=True)
class Points:
    """The points of one seat."""

    seat: str
    points: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling.

    `n` is the event that caused it. `player` is the accused seat (or whom an INFO or the end of
    a hand names), None where nobody is. `winner` is a seat or `tie` in a RACE and at the end of a
    game. `margin_ns` is the time between the first two; `interval_ns` the summed uncertainty;
    `p_first` the probability that the one with the earlier time (the winner, if there is one) was
    first, None where the times did not decide.
    """

    n: int
    kind: str
    rule: str
    player: str | None
    t_ns: int
    text: str
    severity: str = "info"
    remedy: str | None = None
    remedy_source: str | None = None
    winner: str | None = None
    margin_ns: int | None = None
    interval_ns: int | None = None
    p_first: float | None = None
    scores: tuple[Points, ...] | None = None
    options: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
