"""The film of a recorded match: its frames at their own times, and what else was told then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from referee.app.touching import FromHost, LiveSpots
from referee.app.watching import WATCHED, Wish
from referee.games import find_game
from referee.record import Folder, Log, Recorder, RecordError, Ring, read_log
from referee.record.film import read_times, times_of
from referee.record.reading import events_of, rulings_of
from referee.record.standing import Differences, differences
from referee.values import Event, Ruling
from referee.vision.frames import Frame

CAMERA = "camera"
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


class Retold:
    """What pads and people told of a recorded match, told again at its time."""

    def __init__(self, log: Log) -> None:
        """Take what the log holds besides the camera's events. Raises RecordError."""
        told = [event for event in events_of(log) if event.source != CAMERA]
        self._told = sorted(told, key=lambda event: event.t_ns)
        self._spots = LiveSpots()

    @property
    def felt(self) -> frozenset[str]:
        """The spots whose pads were live."""
        return self._spots.live

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
    before = (ruled.ruling for ruled in rulings_of(log))
    return differences(map(_bare, before), map(_bare, rulings))


def _bare(ruling: Ruling) -> Ruling:
    return replace(ruling, n=0, t_ns=0, evidence=(), margin_ns=None, interval_ns=None, p_first=None)
