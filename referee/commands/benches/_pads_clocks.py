"""Two boards' clocks against each other and against the host, for `referee bench pads`."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from referee.commands.benches._pads_rows import Bar
from referee.pads.link import Boards
from referee.pads.paths import Path
from referee.pads.rehearsal import Rehearsal
from referee.pads.simulated import BoardSettings, SimulatedBoards
from referee.pads.timeline import Moment, Timeline
from referee.pads.told import Edge, Felt, Linked, Told
from referee.pads.twin import Crystal, Touch, Twin

MS, S = 1_000_000, 1_000_000_000
KINDS = ("16u2", "cdc", "ftdi16", "ftdi1")
# Crystals: as bought, and resonators at the ends of what was ever measured, with their drift.
CRYSTALS = ((100.0, 0.0), (5000.0, 0.2))
# A match does not begin in the first seconds after the boards were plugged in.
WARM_NS, STEP_NS, EDGE_NS = 12 * S, 50 * MS, 200 * MS
# The stamp is late by 0.3 to 1.5 us and counted in ticks of 0.5 us.
STAMP_NS = 2000
WIRE_US, USB_US = 2.0, 300.0
STALL_S, STALL_EVERY_S = 0.2, 0.9


@dataclass(frozen=True, slots=True)
class Pair:
    """Errors of two boards' difference in us, and how many lay outside their bound."""

    errors_us: tuple[float, ...]
    outside: int


def two_boards(kind: str, ppm: float, ramp: float, touches: int, seed: int, wire: bool) -> Pair:
    """Touch a pad of each of two boards at the very same time, again and again."""
    chance = random.Random(seed)
    runs = [_board(kind, sign * ppm, ramp, seed + sign) for sign in (1, -1)]
    times = [WARM_NS + n * 190 * MS + chance.randrange(100 * MS) for n in range(touches)]
    end_ns = times[-1] + S
    for run in runs:
        for t_ns in times:
            run.twin.touch(Touch(t_ns, 0))
        for t_ns in range(2 * S, end_ns, EDGE_NS) if wire else ():
            run.twin.edge(t_ns)
    line = Timeline("0")
    found: dict[int, dict[str, Moment]] = {}
    for now_ns in range(STEP_NS, end_ns, STEP_NS):
        for name, run in zip("01", runs, strict=True):
            for told in run.until(now_ns):
                _place(line, name, told, found)
    errors, outside = [], 0
    for pair in found.values():
        one, other = pair["0"], pair["1"]
        apart_ns, together = abs(other.t_ns - one.t_ns), one.clock == other.clock
        bound_ns = other.half_ns if together else one.host_half_ns + other.host_half_ns
        errors.append(apart_ns / 1000)
        outside += apart_ns > bound_ns + STAMP_NS
    return Pair(tuple(errors), outside + touches - len(errors))


def _board(kind: str, ppm: float, ramp: float, seed: int) -> Rehearsal:
    twin = Twin(bytes([seed % 251] * 8), random.Random(seed * 3), Crystal(ppm, ramp))
    path = Path(kind, random.Random(seed * 3 + 1))
    return Rehearsal(twin, path, random.Random(seed * 3 + 2), 5 * MS)


def _place(line: Timeline, name: str, told: Told, found: dict[int, dict[str, Moment]]) -> None:
    if isinstance(told, Edge):
        line.edge(name, told.ticks, told.stamp)
    elif isinstance(told, Felt) and told.stamp is not None:
        found.setdefault(told.seq, {})[name] = line.moment(name, told.ticks, told.stamp)


def clock_bars(long: bool) -> Iterator[Bar]:
    """Yield bar 4: with the sync wire and without."""
    touches = 1250 if long else 60
    for wire, name in ((True, "4 sync wire"), (False, "4 USB only")):
        worst_us, outside, tried = 0.0, 0, 0
        for kind in KINDS:
            for seed, (ppm, ramp) in enumerate(CRYSTALS, 1):
                pair = two_boards(kind, ppm, ramp, touches, 10 * seed + 3, wire)
                share = 100 if wire else 99
                worst_us = max(worst_us, float(np.percentile(pair.errors_us, share)))
                outside += pair.outside
                tried += touches
        most_us = WIRE_US if wire else USB_US
        rank = "largest" if wire else "p99 of the worst cable"
        yield Bar(
            name,
            f"{rank} difference <= {most_us:g} us, all inside their bound",
            f"{worst_us:.2f} us, {tried - outside} of {tried} inside",
            f"twins, cables {', '.join(KINDS)}, +-100 ppm and +-5000 ppm with 0.2 ppm/s",
            worst_us <= most_us and not outside,
        )


def real_time_bar(long: bool) -> Bar:
    """Return bar 5: the bound through a real port while the host stalls for 200 ms."""
    touches = 1000 if long else 40
    inside, halves = 0, []
    with SimulatedBoards(1, BoardSettings(path="16u2", ppm=100.0)) as simulated:
        boards = Boards(simulated.devices)
        ended = threading.Event()
        staller = threading.Thread(target=_stall, args=(ended,), daemon=True)
        try:
            _until_live(boards)
            staller.start()
            start_ns = time.monotonic_ns() + 300 * MS
            ordered = [start_ns + n * 60 * MS for n in range(touches)]
            # When they really begin: a machine that is too busy gives an order too late.
            times = [
                simulated.touch(0, n % 2, t_ns, t_ns + 30 * MS) for n, t_ns in enumerate(ordered)
            ]
            for felt in _hits(boards, touches, touches * 0.06 + 20):
                if felt.stamp is not None:
                    low_ns, high_ns = felt.stamp.low_ns - STAMP_NS, felt.stamp.high_ns + STAMP_NS
                    inside += low_ns <= times[felt.seq] <= high_ns
                    halves.append((felt.stamp.high_ns - felt.stamp.low_ns) / 2000)
        finally:
            ended.set()
            staller.join(2.0)
            boards.close()
    middle_us = float(np.median(halves)) if halves else 0.0
    return Bar(
        "5 real time",
        "the true time inside the bound for every hit",
        f"{inside} of {touches}, half of the bound {middle_us:.0f} us in the middle",
        "released firmware in simavr, 16u2 cable, port, 200 ms stalls of this program",
        inside == touches,
    )


def _until_live(boards: Boards) -> None:
    end_s = time.monotonic() + 20
    while time.monotonic() < end_s:
        news = boards.wait(0.1)
        if news is not None and isinstance(news.told, Linked) and news.told.state == "LIVE":
            return


def _hits(boards: Boards, count: int, patience_s: float) -> Iterator[Felt]:
    end_s = time.monotonic() + patience_s
    while count and time.monotonic() < end_s:
        news = boards.wait(0.1)
        if news is not None and isinstance(news.told, Felt):
            count -= 1
            yield news.told


def _stall(ended: threading.Event) -> None:
    """Hold up every thread of this program again and again, as a loaded machine does."""
    while not ended.wait(STALL_EVERY_S):
        began_s = time.monotonic()
        before_s = sys.getswitchinterval()
        sys.setswitchinterval(STALL_S)
        while time.monotonic() - began_s < STALL_S:
            pass
        sys.setswitchinterval(before_s)
