"""How probable an order in time is: the distribution of the time between two acts.

What a sensor says of an act is a time that is uniform within `flat` of a middle, blurred by a
normal error `sigma` (C6 of the timing design: an exposure, a pad's unknown time walk, and the
errors that add up beside them). All spans are nanoseconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# An uncertainty is half of the interval that holds the true time with 95 %.
SIGMAS_95 = 1.96
# A stretch this much shorter than the other errors is as good as a normal one of its variance: no
# probability moves by more than 0.0003 (tried for one stretch and two).
SHORT = 0.2
# Sharper than any sensor; keeps quotients finite.
LEAST_NS = 1.0
# Steps of the sums over time for three and more acts, and how often an interval is halved.
STEPS, HALVINGS = 400, 30


@dataclass(frozen=True, slots=True)
class Error:
    """How an act's time errs: uniform to `flat_ns` either side, and a normal blur."""

    flat_ns: float
    sigma_ns: float

    @property
    def u_ns(self) -> int:
        """Half of the interval that holds the true time with 95 %."""
        return round(math.hypot(0.95 * self.flat_ns, SIGMAS_95 * self.sigma_ns))


def error_of(u_ns: float, flat_ns: float) -> Error:
    """Return the error whose 95 % reach is `u_ns`, of which `flat_ns` is uniform."""
    flat_ns = min(flat_ns, u_ns / 0.95)
    return Error(flat_ns, math.sqrt(max(0.0, u_ns**2 - (0.95 * flat_ns) ** 2)) / SIGMAS_95)


def by_another(error: Error, off_ns: int) -> Error:
    """Return an error as another clock sees it: uniform to `off_ns` more, either side.

    The longer of both flat stretches stays flat, the other becomes part of the blur.
    """
    short_ns, long_ns = sorted((error.flat_ns, float(off_ns)))
    return Error(long_ns, math.hypot(error.sigma_ns, short_ns / math.sqrt(3)))


def gap_below(span_ns: float, one: Error, other: Error) -> float:
    """Return the probability that the error of the time between two acts is below `span_ns`."""
    sigma_ns, flats = _folded(one, other)
    z = span_ns / sigma_ns
    ends = [flat / sigma_ns for flat in flats]
    if not ends:
        return _normal(z)
    if len(ends) == 1:
        (a,) = ends
        return _clipped((_once(z + a) - _once(z - a)) / (2 * a))
    a, b = ends
    corners = _twice(z + a + b) - _twice(z + a - b) - _twice(z - a + b) + _twice(z - a - b)
    return _clipped(corners / (4 * a * b))


def half_width(one: Error, other: Error, p: float = 0.95) -> int:
    """Return half the interval that holds the error of the time between two acts with `p`."""
    low_ns = 0.0
    high_ns = one.flat_ns + other.flat_ns + 6 * math.hypot(one.sigma_ns, other.sigma_ns, LEAST_NS)
    for _ in range(HALVINGS):
        middle_ns = (low_ns + high_ns) / 2
        if 2 * gap_below(middle_ns, one, other) - 1 < p:
            low_ns = middle_ns
        else:
            high_ns = middle_ns
    return round(high_ns)


def chances(acts: Sequence[tuple[float, Error]]) -> tuple[float, ...]:
    """Return the probability of each of several acts, as (time, error), to have been the first.

    P(A first) is the sum over A's time of the probability that it was then and nobody before.
    """
    found = []
    for n, (t_ns, error) in enumerate(acts):
        reach_ns = error.flat_ns + 5 * max(error.sigma_ns, LEAST_NS)
        rivals = [act for m, act in enumerate(acts) if m != n]
        p, before = 0.0, 0.0
        for step in range(1, STEPS + 1):
            at_ns = reach_ns * (2 * step / STEPS - 1)
            by_now = gap_below(at_ns, error, Error(0.0, 0.0))
            middle_ns = t_ns + at_ns - reach_ns / STEPS
            p += (by_now - before) * math.prod(_not_yet(middle_ns, rival) for rival in rivals)
            before = by_now
        found.append(p)
    return tuple(p / sum(found) for p in found)


def _not_yet(at_ns: float, act: tuple[float, Error]) -> float:
    return 1 - gap_below(at_ns - act[0], act[1], Error(0.0, 0.0))


def _folded(one: Error, other: Error) -> tuple[float, list[float]]:
    """Return the common blur, and the stretches that are too long to be part of it."""
    variance = one.sigma_ns**2 + other.sigma_ns**2 + LEAST_NS**2
    flats: list[float] = []
    for flat_ns in sorted((one.flat_ns, other.flat_ns)):
        longest_ns = max(math.sqrt(variance), one.flat_ns, other.flat_ns)
        if flat_ns < SHORT * longest_ns:
            variance += flat_ns**2 / 3
        else:
            flats.append(flat_ns)
    return math.sqrt(variance), flats


def _clipped(p: float) -> float:
    return min(1.0, max(0.0, p))


def _normal(z: float) -> float:
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def _density(z: float) -> float:
    return math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def _once(z: float) -> float:
    """The normal distribution integrated once, from minus infinity."""
    return z * _normal(z) + _density(z)


def _twice(z: float) -> float:
    """The normal distribution integrated twice."""
    return 0.5 * ((z * z + 1) * _normal(z) + z * _density(z))
