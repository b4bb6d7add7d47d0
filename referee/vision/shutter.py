"""When a row of a frame was exposed: a rolling shutter takes them one after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Unknown readout: 33 ms is that of the slowest webcams at 30 fps.
SLOWEST_READOUT_NS = 33_000_000


@dataclass(frozen=True, slots=True)
class Shutter:
    """How a camera takes a frame: the time from its first row to its last, None where unknown.

    A frame's time is that of the middle of the exposure of its middle row.
    """

    readout_ns: int | None = None

    def row_time(self, t_ns: int, sigma_ns: int, row: float) -> tuple[int, int]:
        """Return time and deviation of a row, `row` its share of the height (0 the top)."""
        off = row - 0.5
        if self.readout_ns is not None:
            return t_ns + round(self.readout_ns * off), sigma_ns
        # Anything from a global shutter to the slowest, evenly, told from its one end.
        spread_ns = SLOWEST_READOUT_NS * abs(off) / 3**0.5
        return t_ns, round(float(np.hypot(sigma_ns, spread_ns)))
