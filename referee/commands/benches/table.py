"""`referee bench table`: rendered matches through the whole pipeline, what was seen and ruled."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from referee import app
from referee.app.watching import Watching, Wish
from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.commands._matches import game_named, read_match_file
from referee.commands._reading import add_reader_options
from referee.commands.benches._comparing import (
    Compared,
    Counts,
    Verdicts,
    compared,
    face_of,
    miscounted,
    origin_of,
    verdicts,
)
from referee.commands.benches._real_acts import card_by_card
from referee.notation import write_event
from referee.simulate.acts import ScriptError
from referee.simulate.film import Film
from referee.simulate.staging import SIZES, Filming
from referee.table.calibrate import NoView, find_view
from referee.table.layout import LayoutError, plan
from referee.values import Event, Match, Ruling
from referee.vision.detect import Reader
from referee.vision.frames import NS_PER_S, Frame, file_frames

EPILOG = """example:
  referee bench table --worst
  referee bench table my.match --seeds 2 --strength 2

Watches matches as a camera would, from the first frame on, and compares the events and rulings
that were told with those that happened. Without FILE the sample videos of all games are watched;
matches in FILE are rendered first, in a room for each seed, but where the film and its truth
already lie beside it (FILE.mp4 and FILE.json of `referee simulate --truth`). --known tells the
watcher how the match begins, what is said and which pads are hit; without it all is seen."""
PACKAGE = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Tally(Counts):
    """Counts over matches: events that happened, were found and invented; faces; players; times.

    `miscounted` are moves of packets told with another number of cards: missed and invented.
    `player_wrong` are found events whose player was told wrongly, `player_unknown` those without
    one. `fouls` happened, of which `fouls_right` were ruled and `fouls_asked` asked about;
    `accused_wrongly` are violations that were none, `races_wrong` races that were, or that another
    won; `asked` are all questions. `frames`, and the `cpu_ms` of all of them.
    """

    matches: int = 0
    happened: int = 0
    found: int = 0
    invented: int = 0
    miscounted: int = 0
    faces: int = 0
    faces_wrong: int = 0
    faces_unread: int = 0
    origin_wrong: int = 0
    player_wrong: int = 0
    player_unknown: int = 0
    inside: int = 0
    fouls: int = 0
    fouls_right: int = 0
    fouls_asked: int = 0
    accused_wrongly: int = 0
    races: int = 0
    races_right: int = 0
    races_wrong: int = 0
    asked: int = 0
    frames: int = 0
    cpu_ms: int = 0


@dataclass(frozen=True, slots=True)
class Clip:
    """A video to be watched, and the events in it, at the times at which it shows them."""

    match: Match
    name: str
    frames: Iterator[Frame]
    true: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """One clip watched: what was told and ruled, and the CPU time that each frame took."""

    judged: tuple[Event, ...]
    ruled: tuple[Ruling, ...]
    frame_ms: tuple[float, ...]


class Heard:
    """Listens to a match and remembers its events and rulings."""

    def __init__(self) -> None:
        """Begin with none."""
        self.events: list[Event] = []
        self.rulings: list[Ruling] = []

    def on_event(self, event: Event) -> None:
        """Remember."""
        self.events.append(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Remember."""
        self.rulings += rulings


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
    parser.add_argument("--known", action="store_true", help="tell how the match begins")
    parser.add_argument("--worst", action="store_true", help="name what was missed and invented")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Watch every match in every room. Raises BadInput."""
    total, late_ms, frame_ms = Tally(), list[float](), list[float]()
    for clip in clips(args):
        watched = watch(clip, args)
        result = compared(clip.true, watched.judged)
        one = tally(result) + judged(clip, watched)
        total += one
        late_ms += [(pair.seen.t_ns - pair.true.t_ns) / 1e6 for pair in result.found]
        frame_ms += watched.frame_ms
        tell(f"{clip.name}: {one.found} of {one.happened} found, {one.invented} invented,"
             f" {one.fouls_right} of {one.fouls} fouls, {one.races_right} of {one.races} races,"
             f" {one.accused_wrongly} wrong accusations, {one.races_wrong} wrong races,"
             f" {one.asked} questions")  # fmt: skip
        if args.worst:
            name_faults(clip, result)
    print_tally(total, late_ms, frame_ms, args.json)
    return FINE


def clips(args: argparse.Namespace) -> Iterator[Clip]:
    """Yield what is watched: films beside the matches, or those of rooms. Raises BadInput."""
    for match, file in matches_in(args):
        clip = beside(match, file)
        if clip is not None:
            yield clip
            continue
        for seed in range(1, args.seeds + 1):
            yield filmed(match, film_of(match, args, seed), seed)


def beside(match: Match, file: Path) -> Clip | None:
    """Return the film of a match that lies beside it with its truth, if any. Raises BadInput."""
    film, truth = file.with_suffix(".mp4"), file.with_suffix(".json")
    if not (film.exists() and truth.exists()):
        return None
    try:
        told = json.loads(truth.read_text(encoding="utf-8"))
        at_s = {
            moment["n"]: (moment["t_s"], *moment.get("each_s", ())) for moment in told["events"]
        }
        if told["match"] != match.id:
            return None
    except (OSError, ValueError, KeyError, TypeError) as reason:
        raise BadInput(f"{truth}: not the truth of a film ({reason}); render it again") from None
    (video,) = app.find_files(app.find_source(str(film)))
    return Clip(match, match.id, file_frames(video), _timed(match, at_s))


def filmed(match: Match, film: Film, seed: int) -> Clip:
    """Return a match as it is rendered while it is watched."""
    frames = (
        Frame(shot.image, shot.t_ns, NS_PER_S // 104, shot.number, match.id)
        for shot in film.shots()
    )
    at_s = {act.n: (act.t_s, *act.each_s) for act in film.show.played}
    return Clip(match, f"{match.id} seed {seed}", frames, _timed(match, at_s))


def _timed(match: Match, at_s: Mapping[int, tuple[float, ...]]) -> tuple[Event, ...]:
    """Return the events that are seen in a video, at its times, rows card by card.

    `at_s` tell for each number when it is done, and then when each card of several was.
    """
    found: list[Event] = []
    for event in match.events:
        if event.n in at_s:
            t_ns, *each_ns = (round(t_s * NS_PER_S) for t_s in at_s[event.n])
            found += card_by_card(replace(event, t_ns=t_ns), each_ns)
    return tuple(found)


def matches_in(args: argparse.Namespace) -> Iterator[tuple[Match, Path]]:
    """Yield the wanted matches and their files. Raises BadInput."""
    files = args.files or sorted((PACKAGE / "data").glob("*.match"))
    wanted = 0
    for file in files:
        for match in read_match_file(str(file)):
            if args.match in (None, match.id):
                wanted += 1
                yield match, file
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


def watch(clip: Clip, args: argparse.Namespace) -> Watched:
    """Watch a clip from its first frame to its last. Raises BadInput."""
    match, heard = clip.match, Heard()
    reader = app.reader_for(match.game, args.models, args.threads)
    # What is said and pressed comes when the video shows what it belongs to.
    script = replace(match, events=clip.true) if args.known else None
    wish = Wish(match.id, game_named(match.game), match.seats, match.options, script)
    watching: Watching | None = None
    frame_ms: list[float] = []
    for frame in tqdm(clip.frames, clip.name, leave=False, disable=None):
        if watching is None:
            watching = _begun(wish, frame, reader)
        began_ns = time.process_time_ns()
        opening = watching.step(frame)
        if opening is not None:
            watching.begin(opening, [heard])
        frame_ms.append((time.process_time_ns() - began_ns) / 1e6)
    if watching is not None:
        watching.close()
    return Watched(tuple(heard.events), tuple(heard.rulings), tuple(frame_ms))


def _begun(wish: Wish, frame: Frame, reader: Reader) -> Watching:
    """Find the table in the first frame, as `referee watch` does. Raises BadInput."""
    table = plan(wish.game.name, wish.seats)
    found = find_view(frame.image_bgr, table, None)
    if isinstance(found, NoView):
        raise BadInput(f"{wish.match_id}: {found.reason}")
    return Watching(wish, table, found, reader)


def judged(clip: Clip, watched: Watched) -> Tally:
    """Count the rulings of one match: right are those by rule, player and moment."""

    def found(kind: str) -> Verdicts:
        expected = clip.match.expected or ()
        return verdicts(kind, expected, clip.true, watched.judged, watched.ruled)

    fouls, races = found("VIOLATION"), found("RACE")
    return Tally(
        fouls=len(fouls.ruled) + len(fouls.asked) + len(fouls.missed),
        fouls_right=len(fouls.ruled),
        fouls_asked=len(fouls.asked),
        accused_wrongly=len(fouls.unfounded),
        races=len(races.ruled) + len(races.asked) + len(races.missed),
        races_right=len(races.ruled),
        races_wrong=len(races.unfounded),
        asked=sum(ruling.kind == "QUERY" for ruling in watched.ruled),
        frames=len(watched.frame_ms),
        cpu_ms=round(sum(watched.frame_ms)),
    )


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
        miscounted=miscounted(result),
        faces=len(faces),
        faces_wrong=sum(true != seen for true, seen in faces) - unread,
        faces_unread=unread,
        origin_wrong=sum(origin_of(p.true) != origin_of(p.seen) for p in pairs),
        player_wrong=sum(seen not in (None, true) for true, seen in players),
        player_unknown=sum(seen is None and true is not None for true, seen in players),
        inside=sum(abs(p.seen.t_ns - p.true.t_ns) <= (p.seen.u_ns or 0) for p in pairs),
    )


def name_faults(clip: Clip, result: Compared) -> None:
    """Tell what was missed, invented or seen otherwise."""
    for event in result.missed:
        tell(f"{clip.name} missed: {write_event(event)}")
    for event in result.invented:
        tell(f"{clip.name} invented: {write_event(event)}")
    for pair in result.found:
        if origin_of(pair.true) != origin_of(pair.seen) or face_of(pair.true) != face_of(pair.seen):
            tell(f"{clip.name}: {write_event(pair.true)} seen as {write_event(pair.seen)}")


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
