"""What a few taps on each pad teach: peaks, time walk, and what one pad feels of another."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.pads.profile import Coupling, PadProfile, WalkPoint, address_of
from referee.pads.protocol import Wave

US_PER_TICK = 0.5
# The contact is where the signal first leaves its rest by this much of its own peak.
ONSET = 0.05
# Samples are this far apart at a scan window of 4 ms; an onset between two of them is known to
# about a quarter of that.
SAMPLES = 32
FEWEST_TAPS, FEWEST_WAVES = 5, 6
# Hits within this belong to one tap; players tap slower.
ONE_TAP_NS = 60_000_000


@dataclass(frozen=True, slots=True)
class Felt:
    """What one pad felt of a tap: its address and its reading above the resting level."""

    address: str
    height: int


@dataclass(frozen=True, slots=True)
class Tap:
    """One tap: the pad that felt most, what the others felt, and how late the stamp was."""

    struck: Felt
    others: tuple[Felt, ...]
    late_us: float | None = None


def tap_of(felt: Iterable[Felt], late_us: float | None = None) -> Tap:
    """Return the tap that these pads felt (at least one); the strongest was struck."""
    ranked = sorted(felt, key=lambda one: -one.height)
    return Tap(ranked[0], tuple(ranked[1:]), late_us)


def lateness_us(wave: Wave, t: int, baseline: int) -> float | None:
    """Return how late a stamp at tick `t` is against the signal's onset, None where none is seen.

    Samples are in steps of four readings and evenly spaced from `t_first` to `t_last`.
    """
    heights = [abs(4 * sample - baseline) for sample in wave.samples]
    least = ONSET * max(heights)
    quiet = max(heights[: max(1, wave.before // 2)])
    if max(heights) < 40 or quiet >= least * 4:
        return None
    least = max(least, quiet + 4)
    place = next(i for i, height in enumerate(heights) if height >= least)
    at = float(place)
    if place > 0:
        below, above = heights[place - 1], heights[place]
        at -= (above - least) / (above - below)
    span = (wave.t_last - wave.t_first) % (1 << 32)
    onset = wave.t_first + at * span / (SAMPLES - 1)
    late_ticks = (t - onset + (1 << 31)) % (1 << 32) - (1 << 31)
    return late_ticks * US_PER_TICK


def learnt_pad(pad: PadProfile, taps: Sequence[Tap]) -> PadProfile:
    """Return a pad's profile with what its own taps teach (at least FEWEST_TAPS of them)."""
    logs = [math.log(max(1, tap.struck.height)) for tap in taps]
    return PadProfile(
        board=pad.board,
        pad=pad.pad,
        spot=pad.spot,
        kind=pad.kind,
        taps=len(taps),
        peak_log_mean=statistics.fmean(logs),
        peak_log_sd=statistics.stdev(logs),
        noise=pad.noise,
        walk=learnt_walk(taps),
    )


def learnt_walk(taps: Sequence[Tap]) -> tuple[WalkPoint, ...]:
    """Return the time walk in three strengths of taps; empty where too few waves were seen."""
    known = sorted((t.struck.height, t.late_us) for t in taps if t.late_us is not None)
    if len(known) < FEWEST_WAVES:
        return ()
    third = len(known) // 3
    groups = (known[:third], known[third:-third], known[-third:])
    points: list[WalkPoint] = []
    for group in groups:
        peak = statistics.fmean(height for height, _ in group)
        lates = [late for _, late in group]
        # With few taps the spread is known badly: half as much again is 90 % sure with four.
        sd_us = 1.5 * statistics.pstdev(lates) + _SAMPLE_US / 4
        if not points or peak > points[-1].peak:
            points.append(WalkPoint(peak, statistics.fmean(lates), sd_us))
    return tuple(points)


_SAMPLE_US = 4000 / SAMPLES


def learnt_couplings(taps: Iterable[Tap], floor: int = 1) -> tuple[Coupling, ...]:
    """Return what each pad felt of taps on each other.

    A pad that felt less than `floor` counts as having felt `floor`: its ratio is an upper bound.
    """
    ratios: dict[tuple[str, str], list[float]] = {}
    for tap in taps:
        for other in tap.others:
            ratio = math.log(max(floor, other.height) / max(1, tap.struck.height))
            ratios.setdefault((tap.struck.address, other.address), []).append(ratio)
    return tuple(
        Coupling(struck, felt, len(found), statistics.fmean(found), statistics.stdev(found))
        for (struck, felt), found in sorted(ratios.items())
        if len(found) >= FEWEST_TAPS
    )


def heights_of(
    board: str, pads: Iterable[int], peaks: Sequence[int], resting: Sequence[int]
) -> tuple[Felt, ...]:
    """Return what pads felt from a hit's peaks (in fours) and their resting levels."""
    return tuple(
        Felt(address_of(board, pad), max(0, 4 * peaks[pad] - resting[pad])) for pad in pads
    )
