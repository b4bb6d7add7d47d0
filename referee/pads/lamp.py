"""How late a camera's pictures are against the pads: a lamp's pattern found again in them.

The board flashes its lamp in a pattern at known ticks. How bright the lamp is in each picture says
how much of the pattern fell into its exposure; the shift at which pattern and pictures fit best is
how late the camera is, whatever lies between it and this program.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

MS = 1_000_000
TICKS_PER_MS = 2000
# Pictures are looked at in cells of this many pixels: a lamp is smaller, and its light spills.
CELL_PX = 8
# No camera was ever seen later than half a second; phones over a network come near it.
MOST_LATE_NS, COARSE_NS, FINE_NS = 600 * MS, 5 * MS, MS // 4
EXPOSURES_NS = tuple(ms * MS for ms in (1, 2, 4, 6, 8, 12, 16, 20, 25, 33))
# Of 150 pictures of pure noise with 30,000 cells the best cell reaches 0.45 by chance.
LEAST_LIKENESS = 0.7
FEWEST_PICTURES = 40
# Parts of the film that are fitted on their own; Student's t that holds 95 % of as many.
PARTS, T_95 = 6, 2.571

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A running pattern: bit 0 begins at `start_ns` of the host's clock, each lasts `bit_ns`."""

    start_ns: float
    bit_ns: float
    seed: int

    def lit_ns(self, at_ns: Floats) -> Floats:
        """Return for how long the lamp was lit from the pattern's start to each time."""
        bits = bits_of(self.seed, max(2, int((at_ns.max() - self.start_ns) / self.bit_ns) + 2))
        edges = self.start_ns + self.bit_ns * np.arange(len(bits) + 1)
        whole = np.concatenate([[0.0], np.cumsum(bits) * self.bit_ns])
        return np.asarray(np.interp(at_ns, edges, whole))


def bits_of(seed: int, count: int) -> Floats:
    """Return the first bits of the board's pattern, 1 where the lamp is lit (PROTOCOL.md)."""
    register, bits = seed or 1, []
    for _ in range(count):
        bits.append(register & 1)
        register = (register >> 1) ^ (0xB400 if register & 1 else 0)
    return np.array(bits, np.float64)


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late the middle of an exposure is told: by `late_ns`, known to `half_ns` with 95 %.

    The middle is that of the row that shows the lamp, `row` its share of the picture's height.
    `likeness` is the correlation of the lamp's brightness with the pattern; `at_px` is where in
    the picture (x, y) the lamp is.
    """

    late_ns: int
    half_ns: int
    exposure_ns: int
    likeness: float
    at_px: tuple[int, int] = (0, 0)
    row: float = 0.5


def cells(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the brightest value of each cell of a picture (height, width, 3)."""
    height, width = (side // CELL_PX for side in image.shape[:2])
    bright = image[: height * CELL_PX, : width * CELL_PX].max(axis=2)
    blocks = bright.reshape(height, CELL_PX, width, CELL_PX)
    return np.asarray(blocks.max(axis=(1, 3)), np.uint8)


def find_lateness(
    t_ns: Sequence[int], pictures: Sequence[NDArray[np.uint8]], pattern: Pattern
) -> Lateness | None:
    """Return how late pictures are, None where the lamp is not seen in them.

    `t_ns` are the times that the camera gave the pictures, `pictures` their `cells`.
    """
    if len(pictures) < FEWEST_PICTURES:
        return None
    at = np.array(t_ns, np.float64)
    seen = np.stack(pictures).reshape(len(pictures), -1).astype(np.float64)
    coarse = np.arange(0, MOST_LATE_NS, COARSE_NS, dtype=np.float64)
    fits = _unit(_shares(at, coarse, 10.0 * MS, pattern)).T @ _unit(seen)
    late, cell = np.unravel_index(int(np.argmax(fits)), fits.shape)
    series = seen[:, cell]
    best = _finest(at, series, coarse[late], pattern)
    if best.likeness < LEAST_LIKENESS:
        return None
    row, column = divmod(int(cell), pictures[0].shape[1])
    x_px, y_px = (int((place + 0.5) * CELL_PX) for place in (column, row))
    return replace(best, at_px=(x_px, y_px), row=(row + 0.5) / pictures[0].shape[0])


def _finest(at: Floats, series: Floats, near_ns: float, pattern: Pattern) -> Lateness:
    lates = near_ns + np.arange(-12 * MS, 12 * MS, FINE_NS, dtype=np.float64)
    found: list[tuple[float, float, int]] = []
    for exposure_ns in EXPOSURES_NS:
        fits = _unit(_shares(at, lates, exposure_ns, pattern)).T @ _unit(series[:, None])
        place = int(np.argmax(fits))
        found.append((float(fits[place, 0]), float(lates[place]), exposure_ns))
    likeness, late_ns, exposure_ns = max(found)
    half_ns = _half_ns(at, series, lates, exposure_ns, pattern)
    return Lateness(round(late_ns), half_ns, exposure_ns, likeness)


def _half_ns(
    at: Floats, series: Floats, lates: Floats, exposure_ns: float, pattern: Pattern
) -> int:
    """Return how well the shift is known: how far parts of the film differ in it."""
    found = []
    for part in np.array_split(np.arange(len(at)), PARTS):
        shares = _shares(at[part], lates, exposure_ns, pattern)
        found.append(lates[int(np.argmax(_unit(shares).T @ _unit(series[part, None])))])
    # Never finer than the steps it was looked for in.
    return round(max(FINE_NS, T_95 * float(np.std(found, ddof=1)) / math.sqrt(PARTS)))


def _shares(at: Floats, lates: Floats, exposure_ns: float, pattern: Pattern) -> Floats:
    """Return the lit share of each picture's exposure for each lateness, (pictures, lates)."""
    middle = at[:, None] - lates[None, :]
    ends = [pattern.lit_ns(middle + side * exposure_ns / 2) for side in (1, -1)]
    return (ends[0] - ends[1]) / exposure_ns


def _unit(columns: Floats) -> Floats:
    """Return columns with mean 0 and length 1; those that never change become 0."""
    apart = columns - columns.mean(axis=0)
    length = np.sqrt((apart**2).sum(axis=0))
    return np.asarray(apart / np.where(length < 1e-9, np.inf, length))
