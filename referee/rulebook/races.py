"""Who was first: times with uncertainties, draw windows, the order of a stack; and how surely.

A race has three verdicts: one was first, by so much; a dead heat, which is a finding; too close to
call, which is the absence of one, with everybody's chance. Never is the first picked by the order
in which events came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from referee.rulebook.chances import Error, by_another, chances, error_of, gap_below, half_width
from referee.rulebook.quick import quick

# More is never claimed: sensors also fail in ways that no uncertainty covers.
SUREST = 0.9999
# A dead heat is found where the two were surely within the house's width; else it is open.
SURE = 0.99

How = Literal["window", "clocks", "order", "dead heat", "contradiction"]


@quick
@dataclass(frozen=True, slots=True)
class Instant:
    """A time and its uncertainty to either side, in nanoseconds of the match's clock.

    `u_ns` is half of the interval that holds the true time with 95 %. Within `flat_ns` of `t_ns`
    one time is as likely as another, as between two frames of a camera; 0 for a normal error.
    `clock` is the clock that told it, None for the host's own: by another clock it may be off by
    `off_ns` more, and its distance to an instant by the same clock by `rate_ppm` millionths.
    `seen`: a camera told it. It sees which of two cards lies on top, but their faces are the same.
    """

    t_ns: int
    u_ns: int
    flat_ns: int = 0
    clock: str | None = None
    off_ns: int = 0
    rate_ppm: float = 0.0
    seen: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Finish:
    """The outcome of a race of two.

    `first` is 0 or 1, None for a draw (`window`), a dead heat, or a contradiction, where nothing
    may be ruled. `margin_ns` is the time between them, `interval_ns` the summed uncertainty; the
    true margin lies within `half_ns` of `margin_ns` with 95 %. `p_first` is the probability that
    the one with the earlier time was first, None where the clocks decide nothing (`order`,
    `contradiction`); `earlier` says which that is, None for equal times. `width_ns` is the
    house's dead-heat width where the two were within it, and `p_within` how surely they were.
    """

    first: Literal[0, 1] | None
    how: How
    margin_ns: int
    interval_ns: int
    half_ns: int
    p_first: float | None = None
    earlier: Literal[0, 1] | None = None
    width_ns: int | None = None
    p_within: float = 0.0

    @property
    def lead(self) -> str:
        """By how much the first won, to be said after his name; empty where he did not by time."""
        if self.how == "order":
            return " by lying lower"
        if self.how != "clocks":
            return ""
        low_ns, high_ns = max(0, self.margin_ns - self.half_ns), self.margin_ns + self.half_ns
        low, high = number_ms(low_ns, self.half_ns), number_ms(high_ns, self.half_ns)
        return f" by {as_ms(self.margin_ns)} ({low} to {high} ms)"

    def open_between(self, one: str, other: str) -> str:
        """Return why nobody was first: a dead heat, or each one's chance."""
        if self.width_ns is not None and self.p_within >= SURE:
            return f"dead heat (closer than {as_ms(self.width_ns)})"
        p = self.p_first or 0.5
        first = p if self.earlier in (0, None) else 1 - p
        return too_close(((one, first), (other, 1 - first)))


def finish(
    one: Instant,
    other: Instant,
    *,
    draw_ns: int | None = None,
    lower: Literal[0, 1] | None = None,
) -> Finish:
    """Decide between `one` (0) and `other` (1), after T-01 to T-04 and T-06 of the house.

    `draw_ns` is the window of a game that knows draws, None for one that does not. `lower` says
    which card or hand lies beneath the other, None where nobody can tell. Of two acts that a
    camera tells the order is that of their times, and as unsure.
    """
    gap_ns = other.t_ns - one.t_ns
    margin_ns, interval_ns = abs(gap_ns), unsure_ns(one, other)
    earlier: Literal[0, 1] | None = None if not gap_ns else 0 if gap_ns > 0 else 1
    errors, drift_ns = (_error(one, other), _error(other, one)), _drift_ns(one, other)
    half_ns = half_width(*errors) + drift_ns
    # Four places: what follows of the same events must be the same on every machine.
    p_first = min(SUREST, round(_below(margin_ns, errors, drift_ns), 4))
    if draw_ns is not None and margin_ns <= draw_ns:
        over, under = draw_ns - margin_ns, -draw_ns - margin_ns
        p_within = _below(over, errors, drift_ns) - _below(under, errors, drift_ns)
        return Finish(
            None, "window", margin_ns, interval_ns, half_ns, p_first, earlier, draw_ns, p_within
        )
    if margin_ns > interval_ns:
        if lower is not None and lower != earlier:
            return Finish(None, "contradiction", margin_ns, interval_ns, half_ns)
        return Finish(earlier, "clocks", margin_ns, interval_ns, half_ns, p_first, earlier)
    if lower is not None and not (one.seen and other.seen):
        return Finish(lower, "order", margin_ns, interval_ns, half_ns)
    return Finish(None, "dead heat", margin_ns, interval_ns, half_ns, p_first, earlier)


def surely_before(one: Instant, other: Instant) -> bool:
    """Whether `one` was earlier by more than both uncertainties together."""
    return other.t_ns - one.t_ns > unsure_ns(one, other)


def unsure_ns(one: Instant, other: Instant) -> int:
    """Return both uncertainties together, with those of their clocks."""
    if one.clock == other.clock:
        return one.u_ns + other.u_ns + _drift_ns(one, other)
    return _error(one, other).u_ns + _error(other, one).u_ns


def _error(of: Instant, against: Instant) -> Error:
    """Return how the time of an instant errs, as against another's."""
    error = error_of(of.u_ns, of.flat_ns)
    return error if of.clock == against.clock else by_another(error, of.off_ns)


def _drift_ns(one: Instant, other: Instant) -> int:
    """Return how far a common clock may be off over the time between two instants."""
    if one.clock != other.clock:
        return 0
    return round(max(one.rate_ppm, other.rate_ppm) * abs(one.t_ns - other.t_ns) / 1e6)


def _below(span_ns: int, errors: tuple[Error, Error], drift_ns: int) -> float:
    """Return the probability that the time between is below a span, either drift as likely."""
    return (gap_below(span_ns - drift_ns, *errors) + gap_below(span_ns + drift_ns, *errors)) / 2


def open_among(names: Sequence[str], instants: Sequence[Instant]) -> str:
    """Return everybody's chance to have been first, where three or more are too close to call."""
    zero_ns = min(instant.t_ns for instant in instants)
    acts = [
        (one.t_ns - zero_ns, max((_error(one, other) for other in instants), key=lambda e: e.u_ns))
        for one in instants
    ]
    return too_close(tuple(zip(names, chances(acts), strict=True)))


def too_close(shares: Sequence[tuple[str, float]]) -> str:
    """Return the verdict that there is none: `too close to call (A 71 %, B 29 %)`.

    Whole per cents, never 0 or 100 where the thing is open.
    """
    parts = (f"{name} {min(99, max(1, round(100 * p)))} %" for name, p in shares)
    return f"too close to call ({', '.join(parts)})"


def number_ms(span_ns: int, half_ns: int | None = None) -> str:
    """Return milliseconds with the places that matter: 118, 3.5, 0.021.

    Where it is known to `half_ns`, with as many as tell that from nothing: 117.6.
    """
    places = 0 if span_ns >= 1e8 else 1 if span_ns >= 1e6 else 3
    while half_ns is not None and places < 3 and half_ns < 0.5 * 10 ** (6 - places):
        places += 1
    text = f"{span_ns / 1e6:.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def as_ms(span_ns: int) -> str:
    """Return a span for people: `118 ms`, `3.5 ms`, `0.021 ms`."""
    return f"{number_ms(span_ns)} ms"
