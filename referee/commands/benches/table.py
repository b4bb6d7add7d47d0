"""`referee bench table`: rendered matches through the whole pipeline, what was seen and ruled."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from referee import app
from referee.app.pipeline import TableWatch
from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.commands._reading import add_reader_options
from referee.commands.benches._comparing import Compared, compared, face_of, origin_of
from referee.notation import NotationError, read_matches, write_event
from referee.simulate.acts import ScriptError
from referee.simulate.film import Film
from referee.simulate.staging import SIZES, Filming
from referee.table.layout import LayoutError, plan
from referee.table.view import Lens, TableView, view_of
from referee.values import Event, Match
from referee.vision.detect import Reader
from referee.vision.frames import NS_PER_S, Frame

EPILOG = """example:
  referee bench table --seeds 2
  referee bench table my.match --strength 2 --known --worst

Renders each match by each seed, watches it as a camera would, and compares the events that were
told with those that happened. Without FILE the embedded matches of all games are taken. --known
tells the watcher what lies in piles of backs at the start."""
PACKAGE = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over matches: events that happened, were found and invented; faces; players; times.

    `accusable` are found events whose player was told wrongly, `nobody` those without a player.
    """

    matches: int = 0
    happened: int = 0
    found: int = 0
    invented: int = 0
    faces: int = 0
    faces_wrong: int = 0
    faces_unread: int = 0
    origin_wrong: int = 0
    player_wrong: int = 0
    player_unknown: int = 0
    inside: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Return the counts of both."""
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Tally)))


@dataclass(frozen=True, slots=True)
class Watched:
    """One film watched: what was told, the truth, and the time that a frame took."""

    seen: tuple[Event, ...]
    true: tuple[Event, ...]
    frame_ms: tuple[float, ...]


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "table",
        help="events seen in rendered matches",
        description="Render matches, watch them, and count what was found and invented.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help=".match files")
    parser.add_argument("--match", metavar="ID", help="only this match")
    parser.add_argument("--seeds", type=int, default=1, choices=range(1, 101), metavar="N",
                        help="rooms for each match (default 1)")  # fmt: skip
    parser.add_argument("--size", choices=tuple(SIZES), default="720p", help="default 720p")
    parser.add_argument("--strength", type=float, default=1.0, metavar="X", help="0 clean to 4")
    parser.add_argument("--known", action="store_true", help="tell the heights at the start")
    parser.add_argument("--worst", action="store_true", help="name what was missed and invented")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Watch every match in every room. Raises BadInput."""
    reader = app.open_reader(args.models, args.threads)
    total, late_ms, frame_ms = Tally(), list[float](), list[float]()
    for match in matches_in(args):
        for seed in range(1, args.seeds + 1):
            watched = watch(film_of(match, args, seed), reader, args.known)
            result = compared(watched.true, watched.seen)
            total += tally(result)
            late_ms += [(pair.seen.t_ns - pair.true.t_ns) / 1e6 for pair in result.found]
            frame_ms += watched.frame_ms
            if args.worst:
                name_faults(match, seed, result)
    print_tally(total, late_ms, frame_ms, args.json)
    return FINE


def matches_in(args: argparse.Namespace) -> Iterator[Match]:
    """Yield the wanted matches. Raises BadInput."""
    files = args.files or sorted((PACKAGE / "data").glob("*.match"))
    wanted = 0
    for file in files:
        try:
            matches = tuple(read_matches(file.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, NotationError) as reason:
            raise BadInput(f"{file}: {reason}") from None
        for match in matches:
            if args.match in (None, match.id):
                wanted += 1
                yield match
    if not wanted:
        raise BadInput(f"no match {args.match or ''} in {', '.join(str(f) for f in files)}")


def film_of(match: Match, args: argparse.Namespace, seed: int) -> Film:
    """Plan the film of a match. Raises BadInput."""
    width_px, height_px = SIZES[args.size]
    try:
        filming = Filming(width_px, height_px, 30, seed, args.strength)
        return Film(match, plan(match.game, match.seats), filming)
    except (LayoutError, ScriptError, ValueError) as reason:
        raise BadInput(f"{match.id}: {reason}") from None


def watch(film: Film, reader: Reader, known: bool) -> Watched:
    """Watch a film from its first frame to its last."""
    start = film.match.start if known else ()
    watcher = TableWatch(film.plan, view_on(film), reader, known=start)
    seen: list[Event] = []
    frame_ms: list[float] = []
    for shot in tqdm(film.shots(), film.match.id, film.frame_count, leave=False, disable=None):
        frame = Frame(shot.image, shot.t_ns, NS_PER_S // 104, shot.number, film.match.id)
        began_ns = time.perf_counter_ns()
        seen += watcher.step(frame)
        frame_ms.append((time.perf_counter_ns() - began_ns) / 1e6)
    acts = {act.n: act for act in film.show.played}
    true = (replace(e, t_ns=round(acts[e.n].t_s * NS_PER_S))
            for e in film.match.events if e.n in acts)  # fmt: skip
    return Watched(tuple(seen), tuple(true), tuple(frame_ms))


def view_on(film: Film) -> TableView:
    """Return the film's own camera, as a perfect calibration would find it."""
    camera = film.studio.camera
    size_px = (camera.width_px, camera.height_px)
    center_px = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    lens = Lens(camera.focal_px, center_px, (camera.k1, camera.k2, 0.0, 0.0, 0.0))
    return view_of(size_px, lens, film.homography())


def tally(result: Compared) -> Tally:
    """Count one match."""
    pairs = result.found
    faces = [(face_of(p.true), face_of(p.seen)) for p in pairs if face_of(p.true)]
    unread = sum("??" in (seen or "??") for _, seen in faces)
    players = [(p.true.actor.seat, p.seen.actor.seat) for p in pairs]
    return Tally(
        matches=1,
        happened=len(pairs) + len(result.missed),
        found=len(pairs),
        invented=len(result.invented),
        faces=len(faces),
        faces_wrong=sum(true != seen for true, seen in faces) - unread,
        faces_unread=unread,
        origin_wrong=sum(origin_of(p.true) != origin_of(p.seen) for p in pairs),
        player_wrong=sum(seen not in (None, true) for true, seen in players),
        player_unknown=sum(seen is None and true is not None for true, seen in players),
        inside=sum(abs(p.seen.t_ns - p.true.t_ns) <= (p.seen.u_ns or 0) for p in pairs),
    )


def name_faults(match: Match, seed: int, result: Compared) -> None:
    """Tell what was missed, invented or seen otherwise."""
    for event in result.missed:
        tell(f"{match.id} seed {seed} missed: {write_event(event)}")
    for event in result.invented:
        tell(f"{match.id} seed {seed} invented: {write_event(event)}")
    for pair in result.found:
        if origin_of(pair.true) != origin_of(pair.seen) or face_of(pair.true) != face_of(pair.seen):
            tell(f"{match.id} seed {seed}: {write_event(pair.true)} seen as "
                 f"{write_event(pair.seen)}")  # fmt: skip


def print_tally(total: Tally, late_ms: list[float], frame_ms: list[float], as_json: bool) -> None:
    """Print the counts."""
    times = {
        "late_p50_ms": round(float(np.median(late_ms)), 1) if late_ms else None,
        "late_p95_ms": round(float(np.percentile(np.abs(late_ms), 95)), 1) if late_ms else None,
        "frame_p50_ms": round(float(np.median(frame_ms)), 1),
        "frame_p95_ms": round(float(np.percentile(frame_ms, 95)), 1),
    }
    counts = {f.name: getattr(total, f.name) for f in fields(Tally)}
    if as_json:
        print_json({"bench": "table", **counts, **times})
        return
    for name, value in {**counts, **times}.items():
        print(f"{name:>16} {value}")
