"""The firmware's part of `referee bench pads`: the released .hex in a simulated ATmega328P."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
from collections.abc import Iterator

from referee.commands import tell
from referee.commands.benches._pads_rows import Bar, Row
from referee.commands.benches._pads_trials import (
    BAD_LINES,
    BadLine,
    bouncing_strikes,
    loaded_line,
    lossy_line,
    races,
    single_touches,
)
from referee.pads.simulated import FIRMWARE, SimulationError

SPREAD_MOST_US, SD_MOST_US = 1.5, 0.25
LOOP_MOST_US, RAM_MOST_BYTES = 200, 1500
SECOND = FIRMWARE / "sim" / "build" / "second" / "node_modules" / "avr8js"
CHIP = "released .hex in simavr, virtual time"
# Number of trials, fast and long.
STAMPS, RACES, STRIKES = (600, 10_000), (150, 10_000), (120, 10_000)
# The same for each of BAD_LINES.
LOSSY = ((2_000, 200), (1_000_000, 10_000))
LOAD_S = (2, 60)
SURE_LEADS_US, NEAR_LEADS_US = (20.0, 3.0), (1.5, 0.75, 0.3)


def stamps(count: int) -> Bar:
    """Row 1: how far stamps of single touches spread."""
    talk, found = single_touches(count, seed=11)
    late_us = [pair.late_us for pair in found]
    spread_us, sd_us = max(late_us), statistics.pstdev(late_us)
    loop_us = max(stat.longest_loop_us for stat in talk.stats[2:])
    return Bar(
        "1 stamp",
        f"spread <= {SPREAD_MOST_US} us, sd <= {SD_MOST_US} us",
        f"spread {spread_us:.2f} us, sd {sd_us:.2f} us, longest loop {loop_us} us",
        f"{count} touches at random phases, pings and acknowledgements running, {CHIP}",
        spread_us <= SPREAD_MOST_US and sd_us <= SD_MOST_US,
    )


def second_stamps(count: int) -> Iterator[Bar]:
    """Row 1 in another simulator, where `make -C firmware/sim second` has fetched it."""
    if not SECOND.is_dir():
        tell("row 1 in a second simulator: `make -C firmware/sim second` first (Node and npm)")
        return
    said = _run("make", "-s", "-C", str(FIRMWARE / "sim"), "second", f"TOUCHES={count}")
    found = json.loads(said.splitlines()[-1])
    yield Bar(
        "1 stamp, once more",
        f"spread <= {SPREAD_MOST_US} us, sd <= {SD_MOST_US} us",
        f"spread {found['spread_us']:.2f} us, sd {found['sd_us']:.2f} us, {found['hits']} hits",
        f"{count} touches at random phases, pings and acknowledgements running, released .hex in "
        "avr8js, virtual time",
        found["in_order"] and found["spread_us"] <= SPREAD_MOST_US and found["sd_us"] <= SD_MOST_US,
    )


def sure_order(lead_us: float, count: int) -> Bar:
    """Row 2, first part: at this lead the order is always right."""
    found = races(count, lead_us, seed=round(lead_us * 100))
    return Bar(
        f"2 order at {lead_us:g} us",
        "all right, each pair of pads both ways round",
        f"{found.right} of {found.trials} right, {found.tied} flagged, {found.wrong} wrong",
        f"{count} races, {CHIP}",
        found.right == found.trials,
    )


def near_order(lead_us: float, count: int) -> Bar:
    """Row 2, second part: at this lead the order is right or flagged, never wrong."""
    found = races(count, lead_us, seed=round(lead_us * 100))
    return Bar(
        f"2 order at {lead_us:g} us",
        "right or flagged TIE, none wrong",
        f"{found.right} right, {found.tied} flagged, {found.wrong} wrong of {found.trials}",
        f"{count} races, {CHIP}",
        found.wrong == 0,
    )


def no_favour(count: int) -> Bar:
    """Row 3: touches at the same time are never given to either pad."""
    found = races(count, 0.0, seed=3)
    return Bar(
        "3 no pad favoured",
        "at no lead all flagged TIE",
        f"{found.tied} of {found.trials} flagged",
        f"{count} races, {CHIP}",
        found.tied == found.trials,
    )


def bounces(count: int) -> Bar:
    """Row 8: a bouncing contact is one hit, at its first edge."""
    found = bouncing_strikes(count, seed=8)
    late_us = max(found.late_us, default=float("inf"))
    return Bar(
        "8 bounce",
        f"one hit a strike, first edge within {SPREAD_MOST_US} us",
        f"{found.hits} hits of {found.strikes} strikes, worst {late_us:.2f} us",
        f"2 to 40 edges, 1.5 to 900 us apart, {CHIP}",
        found.hits == found.strikes and late_us <= SPREAD_MOST_US,
    )


def load(seconds: int) -> Bar:
    """Row 11, first part: a full line loses no byte and the loop stays short."""
    found = loaded_line(seconds, seed=12)
    return Bar(
        "11 full line",
        f"no byte lost, loop <= {LOOP_MOST_US} us, no hit lost",
        f"{found.overruns} of {found.bytes_in} bytes lost, longest loop {found.longest_loop_us} us,"
        f" {found.hits} of {found.touches} hits",
        f"{seconds} s of back-to-back frames, 200 touches a second, {CHIP}",
        found.overruns == 0
        and found.longest_loop_us <= LOOP_MOST_US
        and found.hits == found.touches,
    )


def loss(line: BadLine, count: int) -> Bar:
    """Row 6 on the firmware: nothing lost, invented or doubled over a bad line."""
    found = lossy_line(count, line, seed=6)
    least_ms, most_ms = line.out_ms
    return Bar(
        f"6 firmware at {line.per_byte:g}",
        "0 lost, 0 wrong",
        f"{found.delivered} of {found.touches} delivered, {found.lost} lost, {found.wrong} wrong,"
        f" {found.bad_frames} damaged frames",
        f"bytes damaged both ways, outages of {least_ms:g} to {most_ms:g} ms, {CHIP}",
        found.lost == found.wrong == found.dropped == 0,
    )


def memory() -> Bar:
    """Row 11, second part: static memory leaves room for the stack."""
    _make("all")
    said = _run("avr-size", "-A", str(FIRMWARE / "build" / "touchpad.elf"))
    sizes = dict(re.findall(r"^\.(data|bss|noinit)\s+(\d+)", said, re.MULTILINE))
    used = sum(int(size) for size in sizes.values())
    return Bar(
        "11 memory",
        f"static RAM <= {RAM_MOST_BYTES} bytes",
        f"{used} of 2048 bytes",
        "built with Debian's gcc-avr",
        0 < used <= RAM_MOST_BYTES,
    )


def same_build() -> Bar:
    """Row 12: the sources give the released file, byte for byte."""
    _make("all")
    built = (FIRMWARE / "build" / "touchpad.hex").read_bytes()
    released = (FIRMWARE / "touchpad" / "touchpad.hex").read_bytes()
    return Bar(
        "12 same build",
        "the sources give the released .hex",
        "the same" if built == released else "another file",
        "built with Debian's gcc-avr and arduino-core-avr",
        built == released,
    )


def _make(target: str) -> None:
    _run("make", "-s", "-C", str(FIRMWARE), target)


def _run(*command: str) -> str:
    if shutil.which(command[0]) is None:
        raise SimulationError(
            f"{command[0]} is missing: apt-get install make gcc-avr avr-libc arduino-core-avr"
        )
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        line = done.stderr.strip().rpartition("\n")[2]
        raise SimulationError(f"the firmware does not build ({line}); make -C firmware tells more")
    return done.stdout


ROWS = (
    Row(1, lambda long: [stamps(STAMPS[long])]),
    Row(1, lambda long: second_stamps(STAMPS[long])),
    Row(2, lambda long: (sure_order(lead_us, RACES[long]) for lead_us in SURE_LEADS_US)),
    Row(2, lambda long: (near_order(lead_us, RACES[long]) for lead_us in NEAR_LEADS_US)),
    Row(3, lambda long: [no_favour(RACES[long])]),
    Row(6, lambda long: map(loss, BAD_LINES, LOSSY[long])),
    Row(8, lambda long: [bounces(STRIKES[long])]),
    Row(11, lambda long: [load(LOAD_S[long])]),
    Row(11, lambda long: [memory()]),
    Row(12, lambda long: [same_build()]),
)
