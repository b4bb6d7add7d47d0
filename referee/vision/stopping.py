"""When a motion ended, from how far it was from its end in the last frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Speed along a way is x^b (1 - x)^a, x from 0 to 1: b = a = 2 is the minimum-jerk reach (Flash and
# Hogan, 1985), a = 1 an even braking; a = 0 is ended by the table: a card that falls flat. Each has
# a share of belief beforehand: cards are mostly slid to where they lie. With three frames of a way
# the distances themselves decide; of a card that was hidden till one frame before, these. Fingers
# that open over the table let a card drop and shift for the last share of its way, at once: by 1 to
# 2 mm after a way that nearly ended. The hand has stopped by then.
ENDINGS = {(2.0, 2.0): 0.44, (2.0, 1.0): 0.16, (2.0, 0.0): 0.1, (0.0, 0.0): 0.1}
DROPS = {0.01: 0.05, 0.03: 0.05, 0.1: 0.05, 0.3: 0.05}
# A card has come to rest when the hand has stopped, too. One that falls flat under the hand that
# turns it may lie before that: some hands go on pressing, unseen, for up to 40 ms, others let go
# when it lies (five makers of films lie evenly about the middle).
PRESSING_NS, PRESSING_SIGMA_NS = 10_000_000.0, 12_000_000.0
# How long a hand moves a card, and how far: from one turned in place to one across the table.
DURATIONS_S = (0.15, 0.2, 0.27, 0.36, 0.48, 0.65)
SHORTEST_MM, LONGEST_MM = 3.0, 500.0
# Beside what registration leaves, a distance is wrong by the share by which no hand is in the
# family. Fingers that let go shift a card once more, so the tails are those of Student's t with
# three degrees of freedom.
APART_SHARE, FREEDOM = 0.1, 3.0
# Nothing has stopped that is so far from its end.
MOVING_MM = 0.6
# So long after the last frame in which it moved that far it has stopped, also where it creeps.
LONGEST_NS, GRID_NS = 150_000_000, 2_000_000


_SHARES = np.linspace(0.0, 1.0, 1025)


@dataclass(frozen=True, slots=True)
class Stop:
    """When something stopped, and one deviation."""

    t_ns: float
    sigma_ns: float


def _left_of_way(start: float, end: float) -> Floats:
    """Return the share of the way (n,) that is left so many shares of the time before its end."""
    speed = _SHARES**start * (1 - _SHARES) ** end
    covered = np.concatenate([[0.0], np.cumsum(speed[1:] + speed[:-1])])
    return np.asarray(1.0 - covered[::-1] / covered[-1])


def _left_to_drop(drop: float) -> Floats:
    """Return the share of the way (n,) that is left where the last share of it is a drop."""
    left = drop + (1.0 - drop) * _left_of_way(2.0, 2.0)
    left[0] = 0.0
    return left


_LEFT = (*(_left_of_way(*ending) for ending in ENDINGS), *map(_left_to_drop, DROPS))
_BELIEF = np.array([*ENDINGS.values(), *DROPS.values()])
_FALLS = np.array([*(end == 0.0 for _, end in ENDINGS), *(False for _ in DROPS)])


def stop_of(t_ns: Floats, away_mm: Floats, apart_mm: Floats, since_ns: float) -> Stop:
    """Estimate when something stopped that was `away_mm` (n,) from its end at `t_ns` (n,).

    Oldest first; `apart_mm` (n,) is one deviation of what registration leaves of each distance. The
    last one shows it at rest, and at `since_ns` it was not there yet. Every end, kind of ending,
    duration and way is weighed by how well it explains the distances; the answer is the mean end
    and its deviation.
    """
    moving = np.flatnonzero(away_mm > MOVING_MM)
    first_ns = t_ns[moving[-1]] if len(moving) else since_ns
    ends = np.arange(first_ns, min(t_ns[-1], first_ns + LONGEST_NS) + 1, GRID_NS)
    spans = np.array(DURATIONS_S) * 1e9
    before = np.clip((ends[:, None, None] - t_ns) / spans[:, None], 0.0, 1.0)
    at = np.round(before * (len(_SHARES) - 1)).astype(int)
    sigma = np.hypot(apart_mm, APART_SHARE * away_mm)
    belief = np.empty((len(_LEFT), len(ends)))
    for kind, left in enumerate(_LEFT):
        belief[kind] = np.exp(_explained(left[at], away_mm, sigma)).sum(axis=1)
    belief *= _BELIEF[:, None] / (_BELIEF @ belief).sum()
    # Each kind's ends are those of the card; of one that falls, the hand's are later.
    later = ends + np.where(_FALLS, PRESSING_NS, 0.0)[:, None]
    mean = float((belief * later).sum())
    spread = (belief * (later - mean) ** 2).sum() + belief[_FALLS].sum() * PRESSING_SIGMA_NS**2
    return Stop(mean, float(np.sqrt(spread)))


def _explained(shares: Floats, away_mm: Floats, sigma: Floats) -> Floats:
    """Return how well ways explain distances (n,), as logarithms (m, k).

    `shares` (m, k, n) are left of each way. Its length is the one that fits best, and counts the
    less the more exactly it must be right (any order of size is as likely as another).
    """
    weighed = shares / sigma**2
    weight = (weighed * shares).sum(axis=-1) + 1e-12
    length_mm = np.clip((weighed @ away_mm) / weight, SHORTEST_MM, LONGEST_MM)
    expected = length_mm[..., None] * shares
    spread = np.hypot(sigma, APART_SHARE * expected)
    off = (expected - away_mm) / spread
    log = -(FREEDOM + 1) / 2 * np.log1p(off**2 / FREEDOM) - np.log(spread)
    exactly = np.minimum(1.0, weight**-0.5 / length_mm)
    return np.asarray(log.sum(axis=-1) + np.log(exactly))
