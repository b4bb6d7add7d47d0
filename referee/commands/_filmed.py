"""Judging the film of a recorded match again: the same rulings, or where they differ."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from referee import app
from referee.app.filmed import Part, Retold, against, log_of, parts_of, timed, wish_of
from referee.app.refereeing import Carried, NoTable, Outlets, Refereeing
from referee.app.sitting import Listener, Sitting
from referee.app.watching import Watching, Wish
from referee.commands import FINE, NO, BadInput, tell
from referee.commands._reading import decks_of
from referee.commands._refereeing import Teller, table_of
from referee.match import MatchError
from referee.notation import ruling_line
from referee.record import Log, RecordError
from referee.record.reading import end_of, rulings_of
from referee.values import Event, Ruling
from referee.vision.address import Address, Kind, SourceError
from referee.vision.frames import video_frames


class Rulings:
    """Gathers what is ruled."""

    def __init__(self) -> None:
        """Begin with none."""
        self.all: list[Ruling] = []

    def on_event(self, event: Event) -> None:
        """Take an event."""

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Take rulings."""
        self.all += rulings


def filmed_match(address: Address) -> Log | None:
    """Return the recorded match that a source is the film of, None for any other source.

    Raises BadInput.
    """
    if address.kind is not Kind.VIDEO:
        return None
    try:
        return log_of(Path(address.target))
    except RecordError as reason:
        raise BadInput(str(reason)) from None


def judge_again(args: argparse.Namespace, address: Address, log: Log) -> int:
    """Referee the film of a match; whether the rulings are those of the record. Raises BadInput.

    Nothing is added to the record.
    """
    name = log.head.match.id
    tell(f"{name}: the film of a recorded match; it is judged again, with what was said and felt")
    heard = Rulings()
    try:
        again = Again(args, wish_of(log), (Teller(name, args.json, log.head.names), heard))
        parts = parts_of(log, Path(address.target))
        for n, part in enumerate(parts, start=1):
            if part.film is None:
                tell(f"{name}: no film was kept of part {n}; what was recorded of it is taken over")
            again.take(log, part)
        ended = end_of(log)
        if ended is not None and ended.how == "finished":
            again.close()
        return _compared(log, heard)
    except (NoTable, MatchError, RecordError, SourceError) as reason:
        raise BadInput(f"{address.shown}: {reason}") from None


class Again:
    """A recorded match judged again, part by part: one that was cut off went on in another film."""

    def __init__(
        self, args: argparse.Namespace, wish: Wish, listeners: tuple[Listener, ...]
    ) -> None:
        """Begin before the first part."""
        self._args, self._wish, self._listeners = args, wish, listeners
        decks = decks_of(args, args.source)
        self._reader = app.reader_for(
            wish.game.name, args.models, args.threads, args.language, decks
        )
        self._sitting: Sitting | None = None
        self._watching: Watching | None = None

    def take(self, log: Log, part: Part) -> None:
        """Judge a part: from its film, without one from what was recorded.

        Raises NoTable, MatchError, RecordError and SourceError.
        """
        if part.film is None:
            self._recall(log, (*part.resumed, *part.events))
            return
        carried = None
        if self._sitting is not None:
            self._recall(log, part.resumed)
            carried = Carried(self._sitting, part.from_ns)
            self._wish = replace(self._wish, script=None)
        retold = Retold(part.events)
        outlets = Outlets(listeners=self._listeners, pads=retold, carried=carried, tell=tell)
        refereeing = Refereeing(self._wish, table_of(self._args, self._wish), self._reader, outlets)
        address = app.find_source(str(part.film))
        for frame in timed(video_frames(address), part.film):
            refereeing.take(frame)
            if frame.n + 1 == self._args.frames:
                break
        refereeing.close("stopped")
        self._watching = refereeing.watching
        assert self._watching is not None
        self._sitting = self._watching.sitting

    def _recall(self, log: Log, events: Iterable[Event]) -> None:
        """Judge events as they were recorded. Raises MatchError."""
        if self._sitting is None:
            head = log.head
            self._sitting = Sitting(head.match, self._wish.game, head.options, self._listeners)
        self._watching = None
        for event in events:
            self._sitting.feed(event)

    def close(self) -> None:
        """End the match: what is held back is judged, all timers run out."""
        if self._watching is not None:
            self._watching.close()
        elif self._sitting is not None:
            self._sitting.close()


def _compared(log: Log, heard: Rulings) -> int:
    """Tell where the rulings differ from those of the record. Raises RecordError."""
    name, found = log.head.match.id, against(log, heard.all)
    for ruling in found.withdrawn:
        tell(f"{name}: only recorded: {ruling_line(ruling)}")
    for ruling in found.added:
        tell(f"{name}: only ruled now: {ruling_line(ruling)}")
    if found.withdrawn or found.added:
        return NO
    tell(f"{name}: ruled as recorded ({len(rulings_of(log))})")
    return FINE
