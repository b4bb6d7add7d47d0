"""Knocks through the table against touches of their own, for `referee bench pads`."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from referee.commands.benches._pads_rows import Bar
from referee.pads.clock import Stamp
from referee.pads.hits import HitSorter, Struck
from referee.pads.learn import Felt as LearntFelt
from referee.pads.learn import Tap, learnt_couplings, learnt_pad
from referee.pads.profile import PadProfile, Profile, address_of
from referee.pads.protocol import Hit
from referee.pads.told import Felt

MS, S = 1_000_000, 1_000_000_000
BOARD = "00112233445566ff"
NAMES = tuple(address_of(BOARD, pad) for pad in range(2))
TAPS = 12
MOST_ERRORS = 0.001


@dataclass(frozen=True, slots=True)
class Table:
    """How a table knocks: median ratio of the peaks, its spread and that of the hands."""

    ratio: float
    ratio_sd: float
    peak: float
    peak_sd: float


@dataclass(frozen=True, slots=True)
class Sorted:
    """How often what came of a second hit."""

    races: int
    false_second: int
    dropped: int
    flagged_knocks: int
    flagged_touches: int


def sort_races(races: int, seed: int) -> Sorted:
    """Calibrate on some taps, then sort knocks and true second touches, table after table."""
    chance, counts = random.Random(seed), [0, 0, 0, 0]
    per_table = 50
    for _ in range(races // per_table):
        table = Table(chance.uniform(0.05, 0.5), chance.uniform(0.05, 0.2), 400.0, 0.35)
        profile = _calibrated(table, chance)
        for _ in range(per_table):
            struck = _peak(chance, table)
            knock = struck * math.exp(chance.gauss(math.log(table.ratio), table.ratio_sd))
            answer = _second(profile, struck, knock, chance)
            counts[0] += answer == "touch"
            counts[2] += answer == "open"
            answer = _second(profile, struck, _peak(chance, table), chance)
            counts[1] += answer == "knock"
            counts[3] += answer == "open"
    return Sorted(races, *counts)


def _peak(chance: random.Random, table: Table) -> float:
    return table.peak * math.exp(chance.gauss(0, table.peak_sd))


def _calibrated(table: Table, chance: random.Random) -> Profile:
    taps: list[list[Tap]] = [[], []]
    for pad in range(2):
        for _ in range(TAPS):
            peak = _peak(chance, table)
            ratio = math.exp(chance.gauss(math.log(table.ratio), table.ratio_sd))
            felt = LearntFelt(NAMES[1 - pad], round(peak * ratio))
            taps[pad].append(Tap(LearntFelt(NAMES[pad], round(peak)), (felt,)))
    pads = tuple(
        learnt_pad(PadProfile(BOARD, pad, spot, "piezo"), taps[pad])
        for pad, spot in enumerate(("play.A", "play.B"))
    )
    return Profile("nerves", pads, learnt_couplings([*taps[0], *taps[1]]))


def _second(profile: Profile, first: float, second: float, chance: random.Random) -> str:
    """Return what the second of two hits was sorted as: touch, knock or open."""
    sorter = HitSorter(profile)
    later_ns = chance.randint(100_000, 15 * MS)
    for seq, (t_ns, pad, peak) in enumerate(((S, 0, first), (S + later_ns, 1, second))):
        # Not clipped: whether the reading's end is reached is the firmware's flag, and its own.
        hit = Hit(seq, pad, 0, t_ns // 500, 1800, round(peak) + 100, 100, bytes(6))
        stamp = Stamp(t_ns, t_ns, t_ns, 500.0, 500.0, 500.0)
        sorter.felt(BOARD, Felt(hit, seq, t_ns // 500, stamp, t_ns), t_ns)
    found = [one for one in sorter.until(S + 400 * MS) if one.seq == 1]
    if not isinstance(found[0], Struck):
        return "knock"
    return "open" if found[0].doubt else "touch"


def knock_bar(long: bool) -> Bar:
    """Return bar 9."""
    races = 100_000 if long else 3000
    found = sort_races(races, 5)
    false, dropped = found.false_second / races, found.dropped / races
    # With so few races one error more than the share may be chance.
    most = MOST_ERRORS + (0 if long else 3 * math.sqrt(MOST_ERRORS / races))
    return Bar(
        "9 cross-talk",
        "false second hit <= 0.1 %, true one dropped <= 0.1 %, the rest flagged",
        f"{100 * false:.3f} % false, {100 * dropped:.3f} % dropped; flagged: "
        f"{100 * found.flagged_knocks / races:.1f} % of knocks, "
        f"{100 * found.flagged_touches / races:.1f} % of touches",
        f"{races} of each, ratio 0.05 to 0.5, 0.1 to 15 ms later, learnt from {TAPS} taps a pad",
        false <= most and dropped <= most,
    )
