"""Judging the film of a recorded match again: the same rulings, or where they differ."""

from __future__ import annotations

import argparse
from pathlib import Path

from referee import app
from referee.app.filmed import Retold, against, log_of, timed, wish_of
from referee.app.refereeing import NoTable, Outlets, Refereeing
from referee.commands import FINE, NO, BadInput, tell
from referee.commands._refereeing import Teller, deck_of, table_of
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
        wish = wish_of(log)
        reader = app.open_reader(
            args.models, args.threads, deck_of(wish.game), args.language, quick=True
        )
        outlets = Outlets(listeners=(Teller(name, args.json), heard), pads=Retold(log), tell=tell)
        refereeing = Refereeing(wish, table_of(args, wish), reader, outlets)
        for frame in timed(video_frames(address), Path(address.target)):
            refereeing.take(frame)
            if frame.n + 1 == args.frames:
                break
        ended = end_of(log)
        refereeing.close("stopped" if ended is None else ended.how)
        return _compared(log, heard)
    except (NoTable, MatchError, RecordError, SourceError) as reason:
        raise BadInput(f"{address.shown}: {reason}") from None


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
