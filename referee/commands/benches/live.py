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
from referee.app.pauses import shorten_pauses
from referee.app.refereeing import NoTable, Outlets, Refereeing, Table
from referee.app.watching import Wish
from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.commands._matches import game_named, read_match_file
from referee.commands._reading import add_reader_options
from referee.record import Folder
from referee.table.layout import plan
from referee.vision.address import Address, SourceError
from referee.vision.aside import ReaderAside
from referee.vision.camera import LiveSource, Shot
from referee.vision.frames import Frame, Image, file_frames

EPILOG = """example:
  referee bench live --seconds 60
  referee bench live my.match --seconds 900     FILE.mp4 of `referee simulate` lies beside it
  referee bench live --idle --seconds 60        a table on which nothing happens
  referee bench live --seconds 7200 --fps 10    two hours, with every third frame of the film

The film is shown at its own pace, again and again, as a camera does: of frames that come while the
referee is busy the newest ten wait. Those that `hurried` counts were looked at for what moved in
them alone, because newer ones waited; `skipped` ones were not looked at. The match is kept in a
record, nobody looks at the page.
`core` is how much of one processor core is used, by the process that reads cards too, decoding the
film left out; `late` is how long after its time a frame is understood and judged; of the memory of
both processes it is said what they hold after each eighth of the time. Where the film begins anew
the cards lie elsewhere at once, so that more is read there than in play. Other programs on this
computer make all figures worse."""
SAMPLE = "nertz"
FPS = 30.0
EIGHTHS = 8
# What V4L2's drivers usually hold.
BUFFERS = 4
MOST_FPS = 240
# Of an idle table so many pictures are shown in turn, with so much noise: a usual web camera's.
IDLE_PICTURES, NOISE_LEVELS = 8, 2.0
WAIT_S = 0.2
# A table of which frames a second apart are shown never lies still.
MOST_WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Lasted:
    """What a while of one film gave; `memory_mb` after each eighth of it.

    `hurried` were taken for what moved in them alone; `step` and `late` are those of the others,
    `late` from a frame's own time to the end of its step.
    """

    film: str
    fps: float
    seconds: float
    given: int
    skipped: int
    skipped_share: float
    hurried: int
    core: float
    step_p50_ms: float
    step_p95_ms: float
    step_most_ms: float
    late_p50_ms: float
    late_p95_ms: float
    memory_mb: tuple[float, ...]


class FilmTap:
    """A film, frame by frame at its own pace, without end; used by the thread that reads it."""

    def __init__(self, film: Path, *, idle: bool, fps: float = FPS) -> None:
        """Open the film; `idle` shows only its first frame, with noise. Raises SourceError.

        A film of more than `fps` frames a second is shown with fewer of them, at its own pace; one
        of fewer is shown faster.
        """
        self._pictures = _still(film) if idle else _again_and_again(film, fps)
        self._step_ns = round(1e9 / fps)
        self._due_ns = time.monotonic_ns()
        self.cpu_ns = self.missed = 0

    def take(self) -> Shot:
        """Wait until the next frame is due."""
        began_ns = time.thread_time_ns()
        image = next(self._pictures)
        self.cpu_ns += time.thread_time_ns() - began_ns
        self._due_ns += self._step_ns
        early_ns = self._due_ns - time.monotonic_ns()
        time.sleep(max(0.0, early_ns / 1e9))
        # A camera that is not read in time keeps a few frames; later ones are lost.
        missed = max(0, -early_ns // self._step_ns - BUFFERS)
        self._due_ns += missed * self._step_ns
        self.missed += missed
        return Shot(image, self._due_ns, 0)

    def close(self) -> None:
        """Nothing is to be let go."""


def _again_and_again(film: Path, fps: float) -> Iterator[Image]:
    while True:
        shown = -1
        for frame in file_frames(_address(film)):
            due = round((frame.t_ns or 0) * fps / 1e9)
            if due > shown:
                shown = due
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
    parser.add_argument("--fps", metavar="N", type=float, default=FPS,
                        help="frames shown a second (default 30)")  # fmt: skip
    parser.add_argument("--idle", action="store_true", help="show only the first frame")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Referee the film for so long. Raises BadInput."""
    if not 0 < args.fps <= MOST_FPS:
        raise BadInput(f"--fps {args.fps:g}: must be above 0 and at most {MOST_FPS}")
    cv2.setNumThreads(args.threads)
    script = read_match_file(str(args.file))[0]
    wish = Wish(f"BENCH-{script.game}", game_named(script.game), script.seats, script=script)
    reader = app.reader_for(script.game, args.models, args.threads, args.language)
    with tempfile.TemporaryDirectory() as folder, ReaderAside(reader) as aside:
        outlets = Outlets(folder=Folder(Path(folder)), live=True, tell=tell)
        refereeing = Refereeing(wish, Table(plan(script.game, script.seats)), aside, outlets)
        shorten_pauses()
        try:
            lasted = watched(refereeing, aside, args)
        except (SourceError, NoTable) as reason:
            raise BadInput(str(reason)) from None
    if args.json:
        print_json({"bench": "live", **asdict(lasted)})
        return FINE
    for name, value in asdict(lasted).items():
        print(f"{name:>14} {value}")
    return FINE


class Lasting:
    """What is counted while a film is refereed, from the moment on at which the match began."""

    def __init__(self, seconds: float, tap: FilmTap, aside: ReaderAside) -> None:
        """Begin when the match has begun."""
        self._seconds, self._tap, self._aside = seconds, tap, aside
        self._began_s, self._began_cpu_s = time.monotonic(), self._cpu_s()
        self._missed, self._hurried = tap.missed, 0
        self._numbers: list[int] = []
        self._steps_ms: list[float] = []
        self._late_ms: list[float] = []
        self._memory_mb: list[float] = []

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return len(self._memory_mb) == EIGHTHS

    def take(self, frame: Frame, refereeing: Refereeing) -> None:
        """Count a frame and what its step takes."""
        began_ns = time.monotonic_ns()
        refereeing.take(frame)
        now_ns = time.monotonic_ns()
        self._numbers.append(frame.n)
        if refereeing.hurries:
            self._hurried += 1
        else:
            self._steps_ms.append((now_ns - began_ns) / 1e6)
            self._late_ms.append((now_ns - (frame.t_ns or 0)) / 1e6)
        passed_s = now_ns / 1e9 - self._began_s
        if passed_s >= self._seconds * (len(self._memory_mb) + 1) / EIGHTHS:
            self._memory_mb.append(round(memory_mb() + memory_mb(self._aside.process_id), 1))
            tell(f"after {passed_s:.0f} s: {self._memory_mb[-1]} MB")

    def lasted(self, film: str, fps: float) -> Lasted:
        """Return what was counted."""
        wall_s, cpu_s = time.monotonic() - self._began_s, self._cpu_s() - self._began_cpu_s
        missed, taken = self._tap.missed - self._missed, len(self._numbers)
        given = self._numbers[-1] - self._numbers[0] + 1 + missed
        return Lasted(
            film,
            fps,
            round(wall_s, 1),
            given,
            given - taken,
            round(1 - taken / given, 4),
            self._hurried,
            round(cpu_s / wall_s, 3),
            *_percentiles(self._steps_ms),
            round(max(self._steps_ms), 1),
            *_percentiles(self._late_ms),
            tuple(self._memory_mb),
        )

    def _cpu_s(self) -> float:
        return time.process_time() + self._aside.cpu_s - self._tap.cpu_ns / 1e9


def _percentiles(values: list[float]) -> tuple[float, float]:
    p50, p95 = (round(float(np.percentile(values, at)), 1) for at in (50, 95))
    return p50, p95


def watched(refereeing: Refereeing, aside: ReaderAside, args: argparse.Namespace) -> Lasted:
    """Referee a film in its time. Raises SourceError and NoTable."""
    film: Path = args.file.with_suffix(".mp4")
    tap = FilmTap(film, idle=args.idle, fps=args.fps)
    source = LiveSource(_address(film), tap=lambda _: tap)
    opened_s = time.monotonic()
    lasting: Lasting | None = None
    while lasting is None or not lasting.over:
        if lasting is None and time.monotonic() - opened_s > MOST_WAIT_S:
            raise SourceError(f"{film}: no match began in {MOST_WAIT_S:.0f} s; this is too slow")
        got = source.wait(WAIT_S, in_turn=True)
        if not isinstance(got, Frame):
            continue
        if lasting is None and refereeing.begun:
            lasting = Lasting(args.seconds, tap, aside)
        if lasting is None:
            refereeing.take(got)
        else:
            lasting.take(got, refereeing)
    source.close()
    refereeing.close("stopped")
    return lasting.lasted(film.name, args.fps)


def memory_mb(process: int | str = "self") -> float:
    """Return how much memory a process holds now, pages of files left out."""
    held, of_files = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1:3]
    return round((int(held) - int(of_files)) * resource.getpagesize() / 1e6, 1)
