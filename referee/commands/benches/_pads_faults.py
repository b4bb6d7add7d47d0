"""Hits on bad lines, and boards that fail, for `referee bench pads`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from referee.commands.benches._pads_rows import Bar
from referee.pads.fuse import Fused
from referee.pads.paths import SOUND, Damage, Path
from referee.pads.profile import plain_profile
from referee.pads.rehearsal import Rehearsal
from referee.pads.told import Felt
from referee.pads.touchpads import PadNote, Touchpads
from referee.pads.twin import Crystal, Touch, Twin
from referee.values import ViewBack, ViewLost

MS, S = 1_000_000, 1_000_000_000
UID = bytes.fromhex("00112233445566ff")
BOARD = UID.hex()
SPOTS = ("mid", "play.A", "play.B")
REPORTED_S = 1.5
CHUNK = 20_000


def lost_bars(long: bool) -> Iterator[Bar]:
    """Yield bar 6: nothing is lost, invented or doubled."""
    for share, hits, gap_ms in ((1e-3, 1_000_000 if long else 1500, 5), (1e-2, 10_000, 25)):
        hits = hits if long else min(hits, 1500)
        lost = wrong = doubled = damaged = 0
        for start in range(0, hits, CHUNK):
            found = _delivered(min(CHUNK, hits - start), share, gap_ms, start)
            lost, wrong = lost + found.lost, wrong + found.wrong
            doubled, damaged = doubled + found.doubled, damaged + found.damaged
        outages = "20 to 150 ms every 1 to 3 s" if share < 5e-3 else "0.2 to 1 s every 3 to 8 s"
        yield Bar(
            f"6 loss at {share:g}",
            "0 lost, 0 invented, 0 doubled",
            f"{hits} hits: {lost} lost, {wrong} wrong, {doubled} doubled",
            f"twin, 16u2 cable, {damaged} damaged frames at the host, outages {outages}",
            not (lost or wrong or doubled),
        )


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of the hits of one run."""

    lost: int
    wrong: int
    doubled: int
    damaged: int


def _delivered(hits: int, share: float, gap_ms: int, seed: int) -> Delivered:
    chance = random.Random(seed + 7)
    times = [3 * S + n * gap_ms * MS + chance.randrange(MS) for n in range(hits)]
    span = (20, 150, 1000, 3000) if share < 5e-3 else (200, 1000, 3000, 8000)
    run = _board(seed, Damage(share, _outages(chance, times[-1], *span)))
    for n, t_ns in enumerate(times):
        run.twin.touch(Touch(t_ns, n % 6, peak=200 + n % 800))
    seen: set[int] = set()
    wrong = doubled = 0
    for told in run.until(times[-1] + 20 * S):
        if isinstance(told, Felt):
            doubled += told.seq in seen
            wrong += not told.seq < hits or told.hit.peak != 200 + told.seq % 800
            seen.add(told.seq)
    return Delivered(hits - len(seen), wrong, doubled, run.dialogue.bad_frames)


def _outages(
    chance: random.Random, end_ns: int, least_ms: int, most_ms: int, soon_ms: int, late_ms: int
) -> tuple[tuple[int, int], ...]:
    found, t_ns = [], 4 * S
    while t_ns < end_ns:
        t_ns += chance.randint(soon_ms, late_ms) * MS
        length_ns = chance.randint(least_ms, most_ms) * MS
        # The ring holds 64 hits: a longer outage loses some, and says so (bar 7).
        length_ns = min(length_ns, 220 * MS) if soon_ms == 1000 else length_ns
        found.append((t_ns, t_ns + length_ns))
        t_ns += length_ns
    return tuple(found)


def _board(seed: int, damage: Damage = SOUND, ppm: float = 200.0) -> Rehearsal:
    twin = Twin(UID, random.Random(seed), Crystal(ppm, 0.1))
    path = Path("16u2", random.Random(seed + 1), damage)
    return Rehearsal(twin, path, random.Random(seed + 2), 5 * MS)


# What goes wrong at a time, and the first words of what must be told.
Fault = Callable[[Rehearsal, int], None]


def _reset(run: Rehearsal, t_ns: int) -> None:
    run.twin.restart(t_ns)


def _dead(run: Rehearsal, t_ns: int) -> None:
    run.twin.silent = True


def _stuck(run: Rehearsal, t_ns: int) -> None:
    run.twin.stat = replace(run.twin.stat, stuck=0b001)


def _cut(run: Rehearsal, t_ns: int) -> None:
    run.twin.stat = replace(run.twin.stat, wiring=0b010)


def _chatter(run: Rehearsal, t_ns: int) -> None:
    run.twin.stat = replace(run.twin.stat, storming=0b100)


def _leap(run: Rehearsal, t_ns: int) -> None:
    run.twin.leap(S // 2)


def _other_firmware(run: Rehearsal, t_ns: int) -> None:
    run.twin.restart(t_ns)
    run.twin.ident = replace(run.twin.ident, protocol=9)


BAD_PADS: dict[Fault | None, int] = {_stuck: 0, _cut: 1, _chatter: 2}
FAULTS: tuple[tuple[str, Fault], ...] = (
    ("reset", _reset),
    ("dead", _dead),
    ("stuck pad", _stuck),
    ("cut cable of a pad", _cut),
    ("chattering pad", _chatter),
    ("clock jump", _leap),
    ("wrong firmware", _other_firmware),
)


def fault_bar(long: bool) -> Bar:
    """Return bar 7: every fault is told in time, and no touch counts while a board is blind."""
    trials, slowest_s, untold, counted = (200 if long else 3), 0.0, 0, 0
    for name, fault in (*FAULTS, ("outage of 4 s", None)):
        for seed in range(trials):
            told_s, blind_touches = _trial(fault, seed)
            counted += blind_touches
            if told_s is None:
                untold += 1
            else:
                slowest_s = max(slowest_s, told_s)
        assert name
    tried = trials * (len(FAULTS) + 1)
    return Bar(
        "7 faults",
        f"every fault told within {REPORTED_S} s, no touch counts while blind",
        f"{tried - untold} of {tried} told, slowest {slowest_s:.2f} s, {counted} touches counted",
        "twin; " + ", ".join(name for name, _ in FAULTS) + ", outage of 4 s",
        not untold and slowest_s <= REPORTED_S and not counted,
    )


def _trial(fault: Fault | None, seed: int) -> tuple[float | None, int]:
    """Return after how many seconds the fault was told, and touches that counted while blind."""
    at_ns = 5 * S + random.Random(seed).randrange(S)
    outage = () if fault else ((at_ns, at_ns + 4 * S),)
    run = _board(seed, Damage(outages=outage))
    pads = Touchpads(plain_profile("nerves", [BOARD], SPOTS))
    told_ns, seen, counted = None, False, 0
    for now_ns in range(10 * MS, at_ns + 4 * S, 10 * MS):
        if fault and now_ns - 10 * MS <= at_ns < now_ns:
            list(run.until(at_ns))
            fault(run, at_ns)
            # Touches that must not become verdicts once the fault is told.
            for n in range(40):
                run.twin.touch(Touch(at_ns + n * 25 * MS, BAD_PADS.get(fault, 0)))
        for told in run.until(now_ns):
            pads.told(BOARD, told, now_ns)
        for one in pads.until(now_ns):
            lost = isinstance(one, ViewLost) or (isinstance(one, PadNote) and one.state != "LIVE")
            if lost and told_ns is None and now_ns >= at_ns:
                told_ns = now_ns
            if isinstance(one, Fused) and told_ns is not None and not seen:
                counted += one.event.t_ns >= told_ns
            seen = seen or (told_ns is not None and isinstance(one, ViewBack))
    return (None if told_ns is None else (told_ns - at_ns) / S), counted
