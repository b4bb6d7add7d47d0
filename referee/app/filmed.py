"""The film of a recorded match: its frames at their own times, and what else was told then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from referee.app.touching import FromHost, LiveSpots
from referee.app.watching import WATCHED, Wish
from referee.games import find_game
from referee.record import Folder, Log, Recorder, RecordError, Ring, read_log
from referee.record.film import read_times, times_of
from referee.record.notes import read_gap
from referee.record.reading import read_line, rulings_of
from referee.record.standing import Differences
from referee.values import Event, Ruling, ViewBack, ViewLost
from referee.vision.frames import Frame
from referee.vision.shutter import Shutter

CAMERA, RESTART = "camera", "restart"
# A match that was cut off and went on has several films: ID.mkv, ID.2.mkv.
PART = re.compile(r"\.\d+$")


def timed(frames: Iterable[Frame], video: Path) -> Iterator[Frame]:
    """Yield a video's frames, with the times that stand beside it where it is a film of a match.

    Frames behind the last time were written when the program was killed, and are left out.
    Raises RecordError.
    """
    if not times_of(video).is_file():
        yield from frames
        return
    for frame, (t_ns, sigma_ns) in zip(frames, read_times(video), strict=False):
        yield replace(frame, t_ns=t_ns, sigma_ns=sigma_ns)


def log_of(video: Path) -> Log | None:
    """Return the log of the match that a video is the film of, None for other videos.

    Raises RecordError where the log cannot be read.
    """
    if not times_of(video).is_file():
        return None
    path = Folder(video.parent.parent).root / "matches" / f"{PART.sub('', video.stem)}.log"
    return read_log(path) if path.is_file() else None


def wish_of(log: Log) -> Wish:
    """Return what was to be refereed then. Raises RecordError for a game that is not known."""
    head = log.head
    try:
        game = find_game(head.match.game)
    except KeyError as reason:
        raise RecordError(f"{log.path}: {reason.args[0]}") from None
    script = None if head.match.title.startswith(WATCHED) else head.match
    return Wish(head.match.id, game, head.match.seats, head.options, script)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a match that was watched in one go, from `from_ns` of its clock on.

    `resumed` says that the table was not seen before it, where the match had been cut off;
    `events` are those recorded in it; `film` is None where none was kept.
    """

    from_ns: int
    resumed: tuple[Event, ...]
    events: tuple[Event, ...]
    film: Path | None


def parts_of(log: Log, video: Path) -> tuple[Part, ...]:
    """Return the parts of a match of which `video` films one, in order. Raises RecordError."""
    begins: list[int] = [0]
    events: list[list[Event]] = [[]]
    for row in log.of("gap", "event"):
        if row.kind == "gap":
            begins.append(read_gap(row.body).to_ns)
            events.append([])
        else:
            events[-1].append(read_line(row.body))
    films = {_part_at(begins, read_times(film)): film for film in films_of(video)}
    return tuple(
        Part(
            from_ns,
            tuple(event for event in found if _is_restart(event)),
            tuple(event for event in found if not _is_restart(event)),
            films.get(n),
        )
        for n, (from_ns, found) in enumerate(zip(begins, events, strict=True))
    )


def films_of(video: Path) -> tuple[Path, ...]:
    """Return all films of the match of which `video` is one, in the order of their numbers."""
    stem = PART.sub("", video.stem)
    found = [
        video.with_name(f"{stem}{video.suffix}"),
        *video.parent.glob(f"{stem}.*{video.suffix}"),
    ]
    named = {path: PART.search(path.stem) for path in found if PART.sub("", path.stem) == stem}
    numbers = {path: int(part[0][1:]) if part else 1 for path, part in named.items()}
    return tuple(sorted((p for p in numbers if times_of(p).is_file()), key=numbers.__getitem__))


def _part_at(begins: list[int], times: tuple[tuple[int, int], ...]) -> int:
    """Return which part a film with these frame times is of."""
    first_ns = times[0][0] if times else 0
    return sum(begin <= first_ns for begin in begins[1:])


def _is_restart(event: Event) -> bool:
    return isinstance(event, ViewLost | ViewBack) and event.cause == RESTART


class Retold:
    """What pads and people told of a recorded match, told again at its time."""

    def __init__(self, events: Iterable[Event]) -> None:
        """Take what was recorded besides the camera's events."""
        told = [event for event in events if event.source != CAMERA]
        self._told = sorted(told, key=lambda event: event.t_ns)
        self._spots = LiveSpots()

    @property
    def felt(self) -> frozenset[str]:
        """The spots whose pads were live."""
        return self._spots.live

    @property
    def shutter(self) -> Shutter:
        """How the camera took a frame: that is not recorded."""
        return Shutter()

    def step(self, to_match_ns: FromHost, now_ns: int, hands: Iterable[Event]) -> tuple[Event, ...]:
        """Return what was told up to now."""
        due = tuple(event for event in self._told if event.t_ns <= now_ns)
        del self._told[: len(due)]
        self._spots.look(now_ns, due)
        return due

    def keep(self, recorder: Recorder, ring: Ring) -> None:
        """Keep nothing: it stands in the log already."""


def against(log: Log, rulings: Iterable[Ruling]) -> Differences:
    """Return where the rulings of now are others than those that were announced then.

    Which frame a ruling rests on and the last milliseconds of its time may differ: the film's
    pictures are a little coarser than the camera's. Raises RecordError.
    """
    gone, added = [ruled.ruling for ruled in rulings_of(log)], []
    for ruling in rulings:
        same = next((one for one in gone if _bare(one) == _bare(ruling)), None)
        if same is None:
            added.append(ruling)
        else:
            gone.remove(same)
    return Differences(tuple(gone), tuple(added))


def _bare(ruling: Ruling) -> Ruling:
    return replace(ruling, n=0, t_ns=0, evidence=(), margin_ns=None, interval_ns=None, p_first=None)
