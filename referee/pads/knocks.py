"""Whether a pad was touched, or only felt the knock of another through the table."""

from __future__ import annotations

import math
from typing import Literal

from referee.pads.profile import Coupling, PadProfile

Answer = Literal["touch", "knock", "open"]
# A knock runs through a table in less than this; rings of a piezo cross a threshold up to 15 ms
# after the touch on the other pad.
KNOCK_NS = 20_000_000
# Of a pad that was never calibrated against another this much may be felt: half of the peak.
MOST_RATIO = 0.5
# A reading at its end says only "at least": the true peak is taken to be up to twice as high.
CLIPPED = math.log(2)
# Student's t that is exceeded with a probability of 0.0005, by degrees of freedom (any table of
# the distribution): so that one side errs in 0.05 % and both errors stay below 0.1 %.
T_TABLE = (
    (3, 12.92), (4, 8.610), (5, 6.869), (6, 5.959), (7, 5.408), (8, 5.041), (9, 4.781),
    (10, 4.587), (12, 4.318), (15, 4.073), (20, 3.850), (30, 3.646), (60, 3.460), (1000, 3.300),
)  # fmt: skip


def reach(taps: int) -> float:
    """Return how many standard deviations the next of a normal kind may lie from the mean.

    The mean and the deviation are those of `taps` samples: a prediction interval. Infinite where
    there are too few of them.
    """
    freedom = taps - 1
    if freedom < T_TABLE[0][0]:
        return math.inf
    t = next((t for df, t in reversed(T_TABLE) if df <= freedom), math.inf)
    return t * math.sqrt(1 + 1 / taps)


def judge_knock(
    felt_peak: float, struck_peak: float, clipped: bool, pad: PadProfile, coupling: Coupling | None
) -> Answer:
    """Tell whether a hit soon after another pad's is a touch of its own.

    Peaks are readings above the resting level. It is a touch where it is stronger than any knock
    of that strength, a knock where it is weaker than any touch of this pad; what may be both, and
    what is neither, is open: it counts only if a hand was seen there.
    """
    felt, struck = math.log(max(1.0, felt_peak)), math.log(max(1.0, struck_peak))
    extra = CLIPPED if clipped else 0.0
    if coupling is None:
        highest = struck + math.log(MOST_RATIO) + extra
    else:
        wide = coupling.ratio_log_sd * reach(coupling.taps)
        highest = struck + coupling.ratio_log_mean + wide + extra
    if felt > highest:
        return "touch"
    weakest = pad.peak_log_mean - pad.peak_log_sd * reach(pad.taps)
    return "knock" if felt < weakest else "open"
