"""Begins, resumes and fills the record of a match: joins a sitting to its log."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from referee.app.sitting import Listener, Sitting
from referee.games import find_game
from referee.match import MatchError, open_match
from referee.record import Folder, Head, Log, Recorder, RecordError, Ring, RuleText
from referee.record import begin_record as begin_log
from referee.record.corrections import course
from referee.record.log import open_log, read_log
from referee.record.notes import CAMERA, CAMERA_OPEN, Gap
from referee.record.pruning import prune
from referee.record.reading import devices_of, end_of, events_of, rulings_of
from referee.record.recorder import keeper_for
from referee.record.standing import corrections_of, differences, standing
from referee.rulebook import Game
from referee.values import Actor, Event, Match, Ruling, Setting, ViewBack, ViewLost

PACKAGE = Path(__file__).parent.parent
# What the judgement of a match depends on, besides the game's own folder.
JUDGES = ("match.py", "rulebook", "values", "notation")
NS_PER_S = 1_000_000_000


def head_of(
    match: Match,
    game: Game[Any],
    options: Iterable[Setting] = (),
    players: Iterable[Setting] = (),
    versions: Iterable[Setting] = (),
    began_utc: str | None = None,
) -> Head:
    """Return the head of a match's log.

    `players` give names to seats; `versions` name the models and the calibration in use.
    Raises ValueError for an option that the game does not have.
    """
    given = [(s.name, s.value) for s in (*match.options, *options)]
    in_force = game.settings(given)
    return Head(
        match=replace(match, events=(), expected=None),
        began_utc=began_utc or now_utc(),
        players=tuple(players),
        options=tuple(Setting(name, value) for name, value in in_force.items()),
        versions=(*own_versions(game.name), *versions),
        meanings=tuple(Setting(option.name, option.meaning) for option in game.options),
        rules=tuple(RuleText(rule.id, rule.norm) for rule in game.rules.values()),
    )


def now_utc(ago_ns: int = 0) -> str:
    """Return the wall time so long ago, ISO 8601 in UTC to the millisecond."""
    then = datetime.now(UTC) - timedelta(microseconds=ago_ns / 1000)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def own_versions(game: str) -> tuple[Setting, ...]:
    """Return the versions of the referee and of the rules of a game."""
    try:
        ours = version("table-referee")
    except PackageNotFoundError:
        ours = "not installed"
    return Setting("referee", ours), Setting("rules", rules_version(game))


def rules_version(game: str) -> str:
    """Return a name for everything that decides a game's rulings: a hash of its source text."""
    digest = hashlib.sha256()
    for path in sorted(_sources(game)):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _sources(game: str) -> Iterable[Path]:
    for name in (*JUDGES, f"games/{game}", f"games/{game}.py"):
        path = PACKAGE / name
        yield from path.rglob("*.py") if path.is_dir() else [path] if path.is_file() else []


def file_version(path: Path) -> str:
    """Return a name for a file's content, as of a model or a calibration. Raises OSError."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def begin_record(folder: Folder, head: Head, ring: Ring | None = None) -> Recorder:
    """Begin the record of a match; the recorder is the sitting's first listener.

    Evidence of older matches that is beyond the budget goes. Raises RecordError.
    """
    if ring is not None:
        prune(folder)
    return begin_log(folder, head, ring)


def record_match(
    folder: Folder, match: Match, players: Iterable[Setting] = (), began_utc: str | None = None
) -> Path:
    """Judge a whole match and keep it; returns its log. Raises RecordError.

    A match that cannot be judged leaves no log behind.
    """
    try:
        game = find_game(match.game)
        open_match(match, game)
    except (KeyError, MatchError) as reason:
        raise RecordError(f"match {match.id}: {reason.args[0]}") from None
    head = head_of(match, game, players=players, began_utc=began_utc)
    recorder = begin_record(folder, head)
    sitting = Sitting(match, game, listeners=[recorder])
    for event in match.events:
        sitting.feed(event)
    sitting.close()
    recorder.close()
    return folder.log(match.id)


@dataclass(frozen=True, slots=True)
class CutOff:
    """A match that can go on: what was played, by whom, and the address of its camera.

    `source` is None where none was noted.
    """

    id: str
    game: str
    players: tuple[str, ...]
    source: str | None


def unfinished(folder: Folder) -> tuple[CutOff, ...]:
    """Return the matches that can be resumed, the latest first. Raises RecordError."""
    found = []
    for path in folder.logs():
        try:
            log = read_log(path)
            ended = end_of(log)
            if ended is None or ended.how == "stopped":
                found.append((log.head.began_utc, log.path, _cut_off(log)))
        except RecordError:
            # `referee matches` tells of logs that cannot be read.
            continue
    return tuple(one for *_, one in sorted(found, reverse=True))


def _cut_off(log: Log) -> CutOff:
    head = log.head
    cameras = [d.text for d in devices_of(log) if (d.device, d.state) == (CAMERA, CAMERA_OPEN)]
    return CutOff(
        head.match.id,
        head.match.game,
        tuple(head.names.values()),
        cameras[-1] if cameras else None,
    )


@dataclass(frozen=True, slots=True)
class Resumed:
    """A match that goes on: its sitting, its recorder, and what was not seen between.

    `late` are rulings that follow from what was recorded but had not been announced.
    """

    head: Head
    sitting: Sitting
    recorder: Recorder
    gap: Gap
    late: tuple[Ruling, ...]


class Gate:
    """A listener that passes on to others once it is open."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        """Begin closed."""
        self._listeners = tuple(listeners)
        self.open = False

    def on_event(self, event: Event) -> None:
        """Pass an event on."""
        for listener in self._listeners if self.open else ():
            listener.on_event(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Pass rulings on."""
        for listener in self._listeners if self.open else ():
            listener.on_rulings(rulings)


def resume(
    folder: Folder,
    match_id: str,
    now_ns: int | None = None,
    listeners: Iterable[Listener] = (),
    ring: Ring | None = None,
) -> Resumed:
    """Go on with a match that was cut off, from what its log holds.

    `now_ns` is the time on the match's clock, None to tell it by the wall clock since the match
    began. What happened since the last event was not seen: the whole table was out of view.
    Rulings that had not been announced are recorded and told to `listeners` now. Raises
    RecordError, also for a match that is over or being written.
    """
    path = folder.find(match_id)
    log = read_log(path)
    ended = end_of(log)
    if ended is not None and ended.how == "finished":
        raise RecordError(f"{log.head.match.id} is over; start a new match")
    writer = open_log(path)
    recorder = Recorder(writer, keeper_for(folder, log.head, ring))
    gate = Gate([recorder, *listeners])
    sitting = Sitting(log.head.match, find_game(log.head.match.game), log.head.options, [gate])
    late = _caught_up(sitting, log)
    gate.open = True
    if late:
        gate.on_rulings(late)
    last_ns = max((event.t_ns for event in events_of(log)), default=0)
    since_ns = _since_ns(log.head.began_utc) if now_ns is None else now_ns
    gap = Gap(last_ns, max(last_ns, since_ns), "the referee was not running")
    recorder.on_gap(gap)
    for lost in (ViewLost, ViewBack):
        t_ns = gap.from_ns if lost is ViewLost else gap.to_ns
        sitting.feed(lost(n=0, t_ns=t_ns, actor=Actor(), zones=("*",), cause="restart"))
    return Resumed(log.head, sitting, recorder, gap, late)


def _caught_up(sitting: Sitting, log: Log) -> tuple[Ruling, ...]:
    """Feed what was recorded; returns the rulings on it that were never announced."""
    happened = course(events_of(log), corrections_of(log))
    rulings = [
        happened.recorded(ruling) for event in happened.events for ruling in sitting.feed(event)
    ]
    known = [ruled.ruling for ruled in (*rulings_of(log), *standing(log))]
    last_n = max((ruling.n for ruling in known), default=0)
    added = differences(known, rulings).added
    # Only what the crash cut off: a newer version of the rules is no reason to rule anew.
    return tuple(ruling for ruling in added if ruling.n >= last_n)


def _since_ns(began_utc: str) -> int:
    try:
        began = datetime.fromisoformat(began_utc)
    except ValueError:
        return 0
    return max(0, time.time_ns() - round(began.timestamp() * NS_PER_S))
