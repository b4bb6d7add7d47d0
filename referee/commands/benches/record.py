"""`referee bench record`: how fast the record is, and what kills and damage do to it."""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from referee.app.recording import head_of, record_match
from referee.app.sitting import Sitting
from referee.commands import FINE, NO, print_json, wide_help
from referee.commands.benches.rules import BREAK_NS, joined
from referee.commands.benches.speed import processor
from referee.games import find_game
from referee.play import legal_match
from referee.record import Folder, Recorder, Ring, begin_record, read_log, verify
from referee.record.blocks import Block
from referee.record.clips import ClipStore
from referee.record.figures import story
from referee.record.folder import anchors_of
from referee.record.reading import rulings_of
from referee.record.report import report
from referee.record.report_html import report_html
from referee.record.report_pdf import report_pdf
from referee.values import Event, Match, Ruling

EPILOG = """example:
  referee bench record
  referee bench record --long
  referee bench record --json

Writes to a folder of its own on the disk of --at. With --long the runs that are killed are 1000
and the damaged files 10,000; without, 20 and 500. Opening and reporting are measured in time of
one core, rulings by the clock. Ends with exit code 1 where a bar is missed."""
LONG_EVENTS = 20_000
LONG_NS = 2 * 3600 * 10**9
FPS = 30


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure against its bar: at least so much, or at most so much."""

    what: str
    value: float
    unit: str
    bar: float
    at_least: bool

    @property
    def good(self) -> bool:
        """Whether the bar is met."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "record",
        help="speed of the record, and what kills and damage do to it",
        description="Measure the record: durable events, rulings, evidence, reports, crashes.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--long", action="store_true", help="1000 kills, 10,000 damaged files")
    parser.add_argument("--kills", metavar="N", type=int, help="so many killed runs")
    parser.add_argument("--damages", metavar="N", type=int, help="so many damaged files")
    parser.add_argument("--at", metavar="DIR", help="disk to measure (default: the temporary one)")
    parser.add_argument("--json", action="store_true", help="one JSON object a figure")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print; whether all bars are met."""
    kills = args.kills if args.kills is not None else 1000 if args.long else 20
    damages = args.damages if args.damages is not None else 10_000 if args.long else 500
    good = True
    with tempfile.TemporaryDirectory(prefix="referee-bench-", dir=args.at) as root:
        for measured in figures(Path(root), kills, damages):
            good = good and measured.good
            show(measured, args.json)
    conditions(args.json)
    return FINE if good else NO


def show(measured: Measured, as_json: bool) -> None:
    """Print one figure."""
    if as_json:
        print_json({**asdict(measured), "good": measured.good})
        return
    side = ">=" if measured.at_least else "<="
    word = "ok  " if measured.good else "MISS"
    print(
        f"{word} {measured.what:<52} {measured.value:>10.4g} {measured.unit:<9}"
        f" (bar {side} {measured.bar:g})",
        flush=True,
    )


def conditions(as_json: bool) -> None:
    """Print what was measured on."""
    load = round(os.getloadavg()[0], 2)
    if as_json:
        found = {"processor": processor(), "cores": os.cpu_count(), "load_1min": load}
        print_json({"conditions": {**found, "python": platform.python_version()}})
        return
    python = platform.python_version()
    print(f"\n{processor()}, {os.cpu_count()} cores, load {load}; Python {python}")


def figures(root: Path, kills: int, damages: int) -> Iterator[Measured]:
    """Yield all figures; the folder is ours alone."""
    match = long_match()
    yield batches(root / "batches", match)
    yield rulings(root / "rulings", match)
    yield ring_cost()
    log = filled(root / "long", match)
    yield timed("a 2-hour match of 20,000 events opens in", 1.0, lambda: story(read_log(log)))
    yield timed("its report as a page takes", 20.0, lambda: report_html(report_of(log)))
    yield timed("its report as PDF takes", 20.0, lambda: report_pdf(report_of(log)))
    yield timed("every hash of it is checked in", 5.0, lambda: verify(log))
    if kills:
        lost = sum(killed_run(root / f"kill{n}", random.Random(n)) for n in range(kills))
        yield Measured(f"announced rulings lost in {kills} killed runs", lost, "", 0, False)
    if damages:
        bad = missed_damages(root / "damage", damages)
        yield Measured(f"unseen changes in {damages} damaged files", bad, "", 0, False)


def long_match() -> Match:
    """Return a match of two hours with 20,000 events: ended games one after the other."""
    games = (legal_match("nerves", 2, seed, faulty=seed % 3 == 0) for seed in range(24))
    hour = joined(list(games))
    length_ns, events = hour.events[-1].t_ns + BREAK_NS, list(hour.events)
    while len(events) < LONG_EVENTS:
        lap = len(events) // len(hour.events)
        events += (
            replace(one, n=len(hour.events) * lap + one.n, t_ns=length_ns * lap + one.t_ns)
            for one in hour.events
        )
    last_ns = events[LONG_EVENTS - 1].t_ns
    paced = (replace(e, t_ns=e.t_ns * LONG_NS // last_ns) for e in events[:LONG_EVENTS])
    return replace(hour, id="LONG", events=tuple(paced), expected=None)


def batches(root: Path, match: Match) -> Measured:
    """Measure events that become durable without a ruling among them."""
    recorder = begin_record(Folder(root), head_of(match, find_game(match.game)))
    began_ns = time.perf_counter_ns()
    for event in match.events:
        recorder.on_event(event)
    recorder.flush()
    rate = len(match.events) * 1e9 / (time.perf_counter_ns() - began_ns)
    recorder.close()
    return Measured("events made durable in batches", round(rate), "events/s", 5000, True)


def rulings(root: Path, match: Match) -> Measured:
    """Measure how long a ruling takes to become durable."""
    game = find_game(match.game)
    recorder = begin_record(Folder(root), head_of(match, game))
    timed_recorder = TimedRecorder(recorder)
    sitting = Sitting(match, game, listeners=[timed_recorder])
    for event in match.events[:6000]:
        sitting.feed(event)
    recorder.close()
    spans_ms = sorted(timed_recorder.spans_ms)
    p95_ms = spans_ms[len(spans_ms) * 95 // 100]
    return Measured(f"a ruling is durable in, p95 of {len(spans_ms)}", p95_ms, "ms", 20, False)


class TimedRecorder:
    """A recorder with a watch on its rulings."""

    def __init__(self, recorder: Recorder) -> None:
        """Time a recorder."""
        self.spans_ms: list[float] = []
        self._recorder = recorder

    def on_event(self, event: Event) -> None:
        """Pass an event on."""
        self._recorder.on_event(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Pass rulings on and take the time."""
        began_ns = time.perf_counter_ns()
        self._recorder.on_rulings(rulings)
        self.spans_ms.append((time.perf_counter_ns() - began_ns) / 1e6)


def ring_cost() -> Measured:
    """Measure what keeping 1080p frames at 30 a second costs of one core."""
    chance = np.random.default_rng(1)
    # Grain of four steps on a plain picture: what a webcam gives of a table.
    frames = [
        np.clip(chance.normal(110, 4, (1080, 1920, 3)), 0, 255).astype(np.uint8) for _ in range(3)
    ]
    ring = Ring()
    share = min(_share(ring, frames) for _ in range(4))
    what = "keeping 1080p30 evidence costs of a core"
    return Measured(what, round(100 * share, 2), "%", 5, False)


def _share(ring: Ring, frames: list[NDArray[np.uint8]]) -> float:
    """Return the share of a core that one second of frames takes."""
    began_ns = time.thread_time_ns()
    for n in range(FPS):
        ring.take(frames[n % len(frames)], n * 10**9 // FPS)
    return (time.thread_time_ns() - began_ns) / 1e9


def filled(root: Path, match: Match) -> Path:
    """Return the log of the long match, judged."""
    return record_match(Folder(root), match)


def report_of(log: Path) -> tuple[Block, ...]:
    """Return the report of a log."""
    return report(read_log(log), ClipStore(log.parent.parent / "evidence"))


def timed(what: str, bar_s: float, work: Callable[[], object]) -> Measured:
    """Measure one piece of work in time of one core, the better of two: the first loads modules."""
    spans_s = []
    for _ in range(2):
        began_ns = time.thread_time_ns()
        work()
        spans_s.append((time.thread_time_ns() - began_ns) / 1e9)
    return Measured(what, round(min(spans_s), 3), "s", bar_s, False)


# The match gives nine rulings within 0.1 s: some runs are killed early, some while they close.
MOST_HEARD, MOST_WAIT_S = 10, 0.03


class Announcer:
    """Announces each ruling on a pipe."""

    def __init__(self, out: TextIO) -> None:
        """Announce there."""
        self._out = out

    def on_event(self, event: Event) -> None:
        """Say nothing of an event."""

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Announce rulings; the record has them already."""
        for ruling in rulings:
            print(ruling.n, ruling.kind, ruling.rule, file=self._out, flush=True)


def play_aloud(root: Path, out: TextIO) -> None:
    """Play a match, keep it, and announce what is ruled."""
    match = legal_match("nerves", 2, 1, faulty=True)
    game = find_game(match.game)
    kept = begin_record(Folder(root), head_of(match, game))
    sitting = Sitting(match, game, listeners=[kept, Announcer(out)])
    print("begun", file=out, flush=True)
    for event in match.events:
        sitting.feed(event)
    sitting.close()
    kept.close()


def killed_run(root: Path, chance: random.Random) -> int:
    """Kill a run at a random moment; returns how many announced rulings its log has not."""
    reading, writing = os.pipe()
    # A process of its own without the second that a fresh one takes to start. What the parent's
    # threads hold must not be tidied up where those threads do not run: that waits for ever.
    gc.freeze()
    process = os.fork()
    if process == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out:
            play_aloud(root, out)
        os._exit(0)
    gc.unfreeze()
    os.close(writing)
    with os.fdopen(reading) as told:
        told.readline()
        heard = [told.readline() for _ in range(chance.randrange(MOST_HEARD))]
        time.sleep(chance.random() * MOST_WAIT_S)
        os.kill(process, signal.SIGKILL)
        heard = [line.rstrip("\n") for line in (*heard, *told) if line.endswith("\n")]
    os.waitpid(process, 0)
    path = next(iter(Folder(root).logs()))
    if verify(path).fault:
        return len(heard) or 1
    rulings = (ruled.ruling for ruled in rulings_of(read_log(path)))
    kept = [f"{ruling.n} {ruling.kind} {ruling.rule}" for ruling in rulings]
    return sum(line not in kept for line in heard)


def missed_damages(root: Path, damages: int) -> int:
    """Damage a log at random places; returns how often that was neither seen nor harmless."""
    match = legal_match("nerves", 2, 1, faulty=True)
    whole = record_match(Folder(root), replace(match, events=match.events[:60]))
    before, rows = whole.read_bytes(), read_log(whole).rows
    noted = anchors_of(whole).read_bytes()
    path = Folder(root / "damaged").log(match.id)
    path.parent.mkdir(parents=True)
    anchors_of(path).write_bytes(noted)
    missed = 0
    for n in range(damages):
        path.write_bytes(damaged(before, random.Random(n)))
        missed += verify(path).fault is None and read_log(path).rows != rows
    return missed


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with some changed, and now and then with the end missing."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 20))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    if chance.random() < 0.2:
        del changed[chance.randrange(len(changed)) :]
    return bytes(changed)
