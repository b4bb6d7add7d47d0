"""Who was first: times with uncertainties, draw windows and the order of a stack."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from referee.rulebook.quick import quick

# An uncertainty is half of the interval that holds the true time with 95 %.
SIGMAS_95 = 1.96
# More is never claimed: sensors also fail in ways that no uncertainty covers.
SUREST = 0.9999

How = Literal["window", "clocks", "order", "dead heat", "contradiction"]


@quick
@dataclass(frozen=True, slots=True)
class Instant:
    """A time and its uncertainty to either side, in nanoseconds of the match's clock."""

    t_ns: int
    u_ns: int


@quick
@dataclass(frozen=True, slots=True)
class Finish:
    """The outcome of a race of two.

    `first` is 0 or 1, None for a draw (`window`), a dead heat, or a contradiction, where nothing
    may be ruled. `margin_ns` is the time between them, `interval_ns` the summed uncertainty.
    `p_first` is the probability that `first` was first where the clocks decided, else None.
    """

    first: Literal[0, 1] | None
    how: How
    margin_ns: int
    interval_ns: int
    p_first: float | None = None


def finish(
    one: Instant,
    other: Instant,
    *,
    draw_ns: int | None = None,
    lower: Literal[0, 1] | None = None,
) -> Finish:
    """Decide between `one` (0) and `other` (1), after T-01 to T-04 and T-06 of the house.

    `draw_ns` is the window of a game that knows draws, None for one that does not. `lower` says
    which card or hand lies beneath the other, None where nobody can tell.
    """
    gap_ns = other.t_ns - one.t_ns
    margin_ns, interval_ns = abs(gap_ns), one.u_ns + other.u_ns
    if draw_ns is not None and margin_ns <= draw_ns:
        return Finish(None, "window", margin_ns, interval_ns)
    if margin_ns > interval_ns:
        earlier: Literal[0, 1] = 0 if gap_ns > 0 else 1
        if lower is not None and lower != earlier:
            return Finish(None, "contradiction", margin_ns, interval_ns)
        p_first = p_earlier(margin_ns, one.u_ns, other.u_ns)
        return Finish(earlier, "clocks", margin_ns, interval_ns, p_first)
    if lower is not None:
        return Finish(lower, "order", margin_ns, interval_ns)
    return Finish(None, "dead heat", margin_ns, interval_ns)


def p_earlier(margin_ns: int, one_u_ns: int, other_u_ns: int) -> float:
    """Return the probability that the one who seems earlier by this margin was so.

    The two errors are taken to be normal and independent. Four places: what follows of the same
    events must be the same on every machine.
    """
    sigma_ns = math.hypot(one_u_ns, other_u_ns) / SIGMAS_95
    z = margin_ns / sigma_ns if sigma_ns else math.inf
    return min(SUREST, round(0.5 * (1 + math.erf(z / math.sqrt(2))), 4))


def surely_before(one: Instant, other: Instant) -> bool:
    """Whether `one` was earlier by more than both uncertainties together."""
    return other.t_ns - one.t_ns > one.u_ns + other.u_ns


def as_ms(span_ns: int) -> str:
    """Return a span for people: `118 ms`, `3.5 ms`."""
    return f"{span_ns / 1e6:.1f}".removesuffix(".0") + " ms"
