"""`referee bench live`: a film as a camera gives it: what is skipped, what it costs, what grows."""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np

from referee import app
from referee.app.refereeing import NoTable, Outlets, Refereeing, Table
from referee.app.watching import Wish
from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.commands._matches import game_named, read_match_file
from referee.commands._reading import add_reader_options
from referee.record import Folder
from referee.table.layout import plan
from referee.vision.address import Address, SourceError
from referee.vision.camera import LiveSource, Shot
from referee.vision.frames import Frame, Image, file_frames

EPILOG = """example:
  referee bench live --seconds 60
  referee bench live my.match --seconds 900     FILE.mp4 of `referee simulate` lies beside it
  referee bench live --idle --seconds 60        a table on which nothing happens

The film is shown at its own pace, again and again, as a camera does: of frames that come while the
referee is busy only the newest waits. The match is kept in a record, nobody looks at the page.
`core` is how much of one processor core is used, decoding the film left out; of the memory it is
said what it holds after a quarter of the time and at the end. Where the film begins anew the cards
lie elsewhere at once, so that more is read there than in play. Other programs on this computer
make all figures worse."""
SAMPLE = "nertz"
FPS = 30
# Of an idle table so many pictures are shown in turn, with so much noise: a usual web camera's.
IDLE_PICTURES, NOISE_LEVELS = 8, 2.0
WAIT_S = 0.2
# A table of which frames a second apart are shown never lies still.
MOST_WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Lasted:
    """What a while of one film gave; `memory_mb` after a quarter of it and at its end."""

    film: str
    seconds: float
    given: int
    skipped: int
    skipped_share: float
    core: float
    step_p50_ms: float
    step_p95_ms: float
    step_most_ms: float
    memory_mb: tuple[float, float]


class FilmTap:
    """A film, frame by frame at its own pace, without end; used by the thread that reads it."""

    def __init__(self, film: Path, *, idle: bool) -> None:
        """Open the film; `idle` shows only its first frame, with noise. Raises SourceError."""
        self._pictures = _still(film) if idle else _again_and_again(film)
        self._due_ns = time.monotonic_ns()
        self.cpu_ns = 0

    def take(self) -> Shot:
        """Wait until the next frame is due."""
        began_ns = time.thread_time_ns()
        image = next(self._pictures)
        self.cpu_ns += time.thread_time_ns() - began_ns
        # A camera that could not be read in time goes on from there.
        self._due_ns = max(self._due_ns + 1_000_000_000 // FPS, time.monotonic_ns())
        time.sleep(max(0.0, (self._due_ns - time.monotonic_ns()) / 1e9))
        return Shot(image, self._due_ns, 0)

    def close(self) -> None:
        """Nothing is to be let go."""


def _again_and_again(film: Path) -> Iterator[Image]:
    while True:
        for frame in file_frames(_address(film)):
            yield frame.image_bgr


def _still(film: Path) -> Iterator[Image]:
    first = next(iter(file_frames(_address(film)))).image_bgr
    rng = np.random.default_rng(1)
    noisy = (
        first + rng.normal(0.0, NOISE_LEVELS, first.shape).astype(np.float32)
        for _ in range(IDLE_PICTURES)
    )
    return cycle([np.clip(np.rint(image), 0, 255).astype(np.uint8) for image in noisy])


def _address(film: Path) -> Address:
    (address,) = app.find_files(app.find_source(str(film)))
    return address


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "live",
        help="whether this machine keeps up with a camera",
        description="Show a film as a camera would and count what is skipped.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    sample = app.DEMO_CLIP.with_name(f"{SAMPLE}.match")
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, default=sample,
                        help=".match, its film beside it (default: sample of Nertz)")  # fmt: skip
    parser.add_argument("--seconds", metavar="S", type=float, default=30.0, help="default 30")
    parser.add_argument("--idle", action="store_true", help="show only the first frame")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Referee the film for so long. Raises BadInput."""
    cv2.setNumThreads(args.threads)
    script = read_match_file(str(args.file))[0]
    wish = Wish(f"BENCH-{script.game}", game_named(script.game), script.seats, script=script)
    reader = app.reader_for(script.game, args.models, args.threads, args.language)
    with tempfile.TemporaryDirectory() as folder:
        outlets = Outlets(folder=Folder(Path(folder)), live=True, tell=tell)
        refereeing = Refereeing(wish, Table(plan(script.game, script.seats)), reader, outlets)
        try:
            lasted = watched(refereeing, args)
        except (SourceError, NoTable) as reason:
            raise BadInput(str(reason)) from None
    if args.json:
        print_json({"bench": "live", **asdict(lasted)})
        return FINE
    for name, value in asdict(lasted).items():
        print(f"{name:>14} {value}")
    return FINE


def watched(refereeing: Refereeing, args: argparse.Namespace) -> Lasted:
    """Referee from the moment on at which the match has begun. Raises SourceError and NoTable."""
    film: Path = args.file.with_suffix(".mp4")
    tap = FilmTap(film, idle=args.idle)
    source = LiveSource(_address(film), tap=lambda _: tap)
    numbers: list[int] = []
    steps_ms: list[float] = []
    early_mb = 0.0
    opened_s = began_s = time.monotonic()
    began_cpu_s = 0.0
    while (now_s := time.monotonic()) - began_s < args.seconds or not numbers:
        got = source.wait(WAIT_S)
        if not numbers and now_s - opened_s > MOST_WAIT_S:
            raise SourceError(f"{film}: no match began in {MOST_WAIT_S:.0f} s; this is too slow")
        if not isinstance(got, Frame):
            continue
        if refereeing.begun and not numbers:
            began_s, began_cpu_s = time.monotonic(), time.process_time() - tap.cpu_ns / 1e9
        step_s = time.monotonic()
        refereeing.take(got)
        if refereeing.begun and began_cpu_s:
            steps_ms.append((time.monotonic() - step_s) * 1e3)
            numbers.append(got.n)
        if not early_mb and numbers and now_s - began_s >= args.seconds / 4:
            early_mb = memory_mb()
    wall_s, cpu_s = time.monotonic() - began_s, time.process_time() - tap.cpu_ns / 1e9
    source.close()
    refereeing.close("stopped")
    given = numbers[-1] - numbers[0] + 1
    p50, p95 = (round(float(np.percentile(steps_ms, at)), 1) for at in (50, 95))
    return Lasted(
        film.name,
        round(wall_s, 1),
        given,
        given - len(numbers),
        round(1 - len(numbers) / given, 4),
        round((cpu_s - began_cpu_s) / wall_s, 3),
        p50,
        p95,
        round(max(steps_ms), 1),
        (early_mb or memory_mb(), memory_mb()),
    )


def memory_mb() -> float:
    """Return how much memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return round(pages * resource.getpagesize() / 1e6, 1)
