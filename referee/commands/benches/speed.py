"""`referee bench speed`: the time of each step from the camera's picture to the cards."""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np

from referee import app
from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._reading import add_reader_options
from referee.commands.benches._changes import changes_ms
from referee.vision.address import SYNTAX, Address, SourceError
from referee.vision.frames import Frame, Image, file_frames
from referee.vision.gate import changed_boxes, small_view

EPILOG = """example:
  referee bench speed --threads 1

Measures on one picture, brought to 1920 x 1080: the last of the sample clip, or of --source. What a
live match reads of a frame in which a card came is measured on a drawn table."""
FULL_PX = (1920, 1080)
TILE_PX = 320
# Enough runs for a p95 of the fast steps; the slow ones stop by the time spent.
MOST_RUNS, LEAST_RUNS, MOST_MS = 100, 5, 6000.0


@dataclass(frozen=True, slots=True)
class Step:
    """One step's times in milliseconds over a number of runs."""

    step: str
    p50_ms: float
    p95_ms: float
    runs: int


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the times were measured on."""

    processor: str
    cores: int
    threads: int
    load_1min: float
    peak_memory_mb: float
    picture: str
    python: str
    numpy: str
    opencv: str
    onnxruntime: str


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "speed",
        help="time of each step from picture to cards",
        description="Measure the time of each step from the camera's picture to the cards.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this bench's options; `referee bench` without a name has them too."""
    parser.add_argument("--source", default="demo", help=f"{SYNTAX} (default demo)")
    parser.add_argument(
        "--changes", metavar="N", type=int, default=8, help="cards laid on the drawn table"
    )
    parser.add_argument("--quick", action="store_true", help="read as live sources are read")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print. Raises BadInput."""
    reader = app.open_reader(args.models, args.threads, quick=args.quick)
    cv2.setNumThreads(args.threads)
    frame = last_frame(app.find_source(args.source))
    image = np.asarray(cv2.resize(frame.image_bgr, FULL_PX, interpolation=cv2.INTER_AREA), np.uint8)
    for name, act in steps(image, reader.read):
        print_step(measure(name, act), args.json)
    if args.changes > 0:
        live = reader if args.quick else app.open_reader(args.models, args.threads, quick=True)
        name = "read what changed in a frame"
        print_step(step_of(name, changes_ms(live, args.changes)), args.json)
    print_conditions(conditions(args.threads, frame), args.json)
    return FINE


def last_frame(address: Address) -> Frame:
    """Return the last frame of a source: games end with many cards. Raises BadInput."""
    files = app.find_files(address)
    try:
        frames = app.one_live_frame(address) if address.kind.live else file_frames(files[-1])
        return deque(frames, maxlen=1)[0]
    except SourceError as error:
        raise BadInput(str(error)) from error


def steps(
    image: Image, read: Callable[[Image], object]
) -> tuple[tuple[str, Callable[[], object]], ...]:
    """Return the steps by name, ready to run on one 1080p picture."""
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    before = small_view(image)
    moved = small_view(np.ascontiguousarray(np.roll(image, 8, axis=1)))
    top, left = (FULL_PX[1] - TILE_PX) // 2, (FULL_PX[0] - TILE_PX) // 2
    tile = np.ascontiguousarray(image[top : top + TILE_PX, left : left + TILE_PX])
    return (
        ("decode a 1080p JPEG", lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR)),
        ("gate: shrink", lambda: small_view(image)),
        ("gate: compare", lambda: changed_boxes(before, moved)),
        ("read a tile of 320 px as a picture", lambda: read(tile)),
        ("read a cold 1080p frame", lambda: read(image)),
    )


def measure(name: str, act: Callable[[], object]) -> Step:
    """Run a step once to warm up, then many times, within bounds of runs and seconds."""
    act()
    times_ms: list[float] = []
    while len(times_ms) < LEAST_RUNS or (len(times_ms) < MOST_RUNS and sum(times_ms) < MOST_MS):
        began_ns = time.perf_counter_ns()
        act()
        times_ms.append((time.perf_counter_ns() - began_ns) / 1e6)
    return step_of(name, times_ms)


def step_of(name: str, times_ms: list[float]) -> Step:
    """Return what some runs of a step took."""
    p50_ms, p95_ms = (round(float(np.percentile(times_ms, share)), 3) for share in (50, 95))
    return Step(name, p50_ms, p95_ms, len(times_ms))


def conditions(threads: int, frame: Frame) -> Conditions:
    """Return what was measured on."""
    # Linux counts the peak in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    return Conditions(
        processor=processor(),
        cores=os.cpu_count() or 1,
        threads=threads,
        load_1min=round(os.getloadavg()[0], 2),
        peak_memory_mb=round(peak_mb, 1),
        picture=f"{frame.source}, {frame.width_px} x {frame.height_px}",
        python=platform.python_version(),
        numpy=np.__version__,
        opencv=cv2.__version__,
        onnxruntime=version("onnxruntime"),
    )


def processor() -> str:
    """Return the processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def print_step(step: Step, as_json: bool) -> None:
    """Print one step's times."""
    if as_json:
        print_json(asdict(step))
        return
    times = f"p50 {step.p50_ms:8.2f} ms   p95 {step.p95_ms:8.2f} ms"
    print(f"{step.step:<30} {times}   ({step.runs} runs)", flush=True)


def print_conditions(measured: Conditions, as_json: bool) -> None:
    """Print what was measured on."""
    if as_json:
        print_json({"conditions": asdict(measured)})
        return
    print(f"\n{measured.processor}, {measured.cores} cores, {measured.threads} threads used")
    print(f"load {measured.load_1min}, peak memory {measured.peak_memory_mb} MB")
    print(f"picture: {measured.picture}")
    print(
        f"Python {measured.python}, numpy {measured.numpy}, OpenCV {measured.opencv},"
        f" onnxruntime {measured.onnxruntime}"
    )
