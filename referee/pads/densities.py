"""Probability densities of touches on grids, many races at once: who was first, and by how much.

One sensor's word is a uniform interval blurred by a normal error: `low`, `high` and `sigma`, in
nanoseconds of any common clock. Arrays of words are float64 (races, players, sensors, 3); a
sensor that saw nothing has NaN.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Bins of a density. With 512 instead no probability moves by more than 0.0004, no end of an
# interval by more than 0.5 % of its length (tried on 10,000 races of pads and cameras).
BINS = 256
# A normal error is followed this far: 3e-5 of it lies beyond on either side.
SIGMAS = 4.0
# Sharper than any sensor here, and wide enough that no width is ever zero.
LEAST_WIDTH_NS = 10.0
# Two sensors of one player disagree where even their 99.9 % intervals do not meet.
CONFLICT_SIGMAS = 3.29


def _normal_table() -> tuple[Floats, Floats]:
    places = np.linspace(-6.0, 6.0, 4097)
    values = [0.5 * (1 + math.erf(place / math.sqrt(2))) for place in places]
    return places, np.array(values)


_PLACES, _NORMAL = _normal_table()


def normal_cdf(z: Floats) -> Floats:
    """Return the standard normal distribution; interpolated, good to 1e-6."""
    return np.interp(z, _PLACES, _NORMAL)


@dataclass(frozen=True, slots=True, eq=False)
class Densities:
    """When each player touched: probabilities of equal bins.

    `mass` (races, players, BINS) sums to 1 over the bins, which begin at `start_ns` (races,
    players) and are `step_ns` (races, players) wide. `conflict` (races, players) tells whose
    sensors contradict each other; `mass` then is the first sensor's alone.
    """

    mass: Floats
    start_ns: Floats
    step_ns: Floats
    conflict: NDArray[np.bool_]


def densities(words: Floats) -> Densities:
    """Return each player's density: the product of what his sensors say."""
    low, high, sigma = words[..., 0], words[..., 1], words[..., 2]
    gap = np.nanmax(low - CONFLICT_SIGMAS * sigma, axis=-1) - np.nanmin(
        high + CONFLICT_SIGMAS * sigma, axis=-1
    )
    conflict = gap > 0
    ignored = conflict[..., None] & (np.cumsum(~np.isnan(low), axis=-1) > 1)
    low = np.where(ignored, np.nan, low)
    start = np.nanmax(low - SIGMAS * sigma, axis=-1)
    end = np.nanmin(np.where(np.isnan(low), np.nan, high + SIGMAS * sigma), axis=-1)
    # Where two words only just meet, the stretch between them must not vanish.
    end = np.maximum(end, start + LEAST_WIDTH_NS)
    step = (end - start) / BINS
    middles = start[..., None] + step[..., None] * (np.arange(BINS) + 0.5)
    mass = np.ones(middles.shape)
    for sensor in range(words.shape[2]):
        mass *= _word_density(middles, low[..., sensor], high[..., sensor], sigma[..., sensor])
    total = mass.sum(axis=-1, keepdims=True)
    return Densities(mass / total, start, step, conflict)


def _word_density(at: Floats, low: Floats, high: Floats, sigma: Floats) -> Floats:
    """Return a uniform interval blurred by a normal error, up to a factor; 1 where NaN."""
    # A blur of a hundredth of the interval changes nothing and keeps the quotient finite.
    blur = np.maximum(sigma, np.maximum((high - low) / 100, LEAST_WIDTH_NS / 10))[..., None]
    inside = normal_cdf((at - low[..., None]) / blur) - normal_cdf((at - high[..., None]) / blur)
    narrow = ((high - low)[..., None] < blur / 10) & ~np.isnan(blur)
    middle = ((low + high) / 2)[..., None]
    peak = np.exp(-0.5 * ((at - middle) / blur) ** 2)
    found = np.where(narrow, peak, inside)
    return np.where(np.isnan(found), 1.0, np.maximum(found, 1e-300))


def chances(given: Densities) -> Floats:
    """Return the probability of each player to have been first, (races, players).

    P(A first) is the integral of A's density times the probability that nobody came before.
    """
    players = given.mass.shape[1]
    middles = given.start_ns[..., None] + given.step_ns[..., None] * (np.arange(BINS) + 0.5)
    first = given.mass.copy()
    for one in range(players):
        for other in range(players):
            if one != other:
                first[:, one] *= 1 - _cdf_at(given, other, middles[:, one])
    p = first.sum(axis=-1)
    return np.asarray(p / p.sum(axis=-1, keepdims=True))


def _cdf_at(given: Densities, player: int, at: Floats) -> Floats:
    """Return the probability that a player touched before the times `at` (races, n)."""
    edges = np.concatenate(
        [np.zeros((len(given.mass), 1)), np.cumsum(given.mass[:, player], axis=-1)], axis=-1
    )
    place = (at - given.start_ns[:, player, None]) / given.step_ns[:, player, None]
    place = np.clip(place, 0, BINS)
    left = np.minimum(place.astype(np.int64), BINS - 1)
    before = np.take_along_axis(edges, left, axis=-1)
    after = np.take_along_axis(edges, left + 1, axis=-1)
    return np.asarray(before + (place - left) * (after - before))


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The time from one player's touch to another's: its distribution, many races at once.

    `cdf` (races, n) is the probability of a smaller gap than `start_ns + step_ns * i`.
    """

    cdf: Floats
    start_ns: Floats
    step_ns: Floats

    def below(self, gap_ns: float | Floats) -> Floats:
        """Return the probability that the gap is smaller, (races,)."""
        n = self.cdf.shape[1]
        place = np.clip((gap_ns - self.start_ns) / self.step_ns, 0, n - 1)
        left = np.minimum(place.astype(np.int64), n - 2)[:, None]
        before = np.take_along_axis(self.cdf, left, axis=-1)[:, 0]
        after = np.take_along_axis(self.cdf, left + 1, axis=-1)[:, 0]
        return np.asarray(before + (place - left[:, 0]) * (after - before))

    def quantile_ns(self, p: float) -> Floats:
        """Return the gap that is not reached with this probability, (races,)."""
        right = np.clip((self.cdf < p).sum(axis=-1), 1, self.cdf.shape[1] - 1)[:, None]
        before = np.take_along_axis(self.cdf, right - 1, axis=-1)[:, 0]
        after = np.take_along_axis(self.cdf, right, axis=-1)[:, 0]
        share = (p - before) / np.maximum(after - before, 1e-12)
        return np.asarray(self.start_ns + self.step_ns * (right[:, 0] - 1 + np.clip(share, 0, 1)))


def gaps(given: Densities, one: NDArray[np.int64], other: NDArray[np.int64]) -> Gaps:
    """Return the time from player `one[i]`'s touch to player `other[i]`'s in each race i."""
    races = np.arange(len(given.mass))
    step = np.maximum(given.step_ns[races, one], given.step_ns[races, other])
    first, second = (_rebinned(given, who, step) for who in (one, other))
    # Correlation by Fourier transforms: the mass at lag k is the sum of first[i] * second[i + k].
    size = 2 * BINS
    spectrum = np.conj(np.fft.rfft(first, size)) * np.fft.rfft(second, size)
    circular = np.fft.irfft(spectrum, size)
    mass = np.concatenate([circular[:, -(BINS - 1) :], circular[:, :BINS]], axis=-1)
    cdf = np.concatenate([np.zeros((len(mass), 1)), np.cumsum(np.maximum(mass, 0), axis=-1)], -1)
    apart = given.start_ns[races, other] - given.start_ns[races, one]
    return Gaps(cdf / cdf[:, -1:], apart - (BINS - 0.5) * step, step)


def _rebinned(given: Densities, who: NDArray[np.int64], step: Floats) -> Floats:
    """Return the players' masses in wider bins that begin at the same start, (races, BINS)."""
    races = np.arange(len(given.mass))
    mass = given.mass[races, who]
    edges = np.concatenate([np.zeros((len(mass), 1)), np.cumsum(mass, axis=-1)], axis=-1)
    ratio = (step / given.step_ns[races, who])[:, None]
    place = np.minimum(np.arange(BINS + 1) * ratio, BINS)
    left = np.minimum(place.astype(np.int64), BINS - 1)
    before = np.take_along_axis(edges, left, axis=-1)
    after = np.take_along_axis(edges, left + 1, axis=-1)
    return np.asarray(np.diff(before + (place - left) * (after - before), axis=-1))
