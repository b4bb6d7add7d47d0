"""Refereeing a game from the command line: what is wished, where it is told, and how it ends."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from referee import app
from referee.app.filmed import timed
from referee.app.pauses import shorten_pauses
from referee.app.recording import CutOff, file_version, unfinished
from referee.app.refereeing import NoTable, Outlets, Refereeing, Table
from referee.app.telling import said_line
from referee.app.watching import Wish
from referee.commands import BadInput, tell
from referee.commands._calibration import read_text
from referee.commands._front import Front, folder_of
from referee.commands._matches import game_named, read_match_file, setting_of
from referee.commands._pads import open_station
from referee.commands._reading import decks_of
from referee.commands.layout import seats_of
from referee.match import MatchError
from referee.notation import event_json, ruling_json
from referee.pads.ports import find_ports
from referee.record import Folder, RecordError
from referee.rulebook import Game, OptionError
from referee.table.calibrate_file import CalibrationError, check_table, read_table
from referee.table.layout import plan
from referee.values import Event, Match, Ruling, Setting, TablePlan, ViewBack, ViewLost
from referee.vision.address import Address, SourceError
from referee.vision.aside import ReaderAside
from referee.vision.camera import News, Returned, news_text
from referee.vision.detect import Reader
from referee.vision.frames import Frame, file_frames

SEATS = "ABCDEFGH"
# A window that nobody watches is worth no ruling on the terminal; people read these.
SPOKEN = ("VIOLATION", "RACE", "SCORE", "END", "QUERY")
# What people are told when the view is lost and when it is back, by its cause; of a hand that
# rests on cards they know.
VIEW = {
    "moved": (
        "camera or table moved, or the markers are covered: what is played now is not seen",
        "the table is found again: play goes on",
    ),
    "dark": ("it is dark: what is played now is not seen", "it is light again: play goes on"),
    "black": (
        "a part of the picture is black: what is played there is not seen",
        "all of the picture is seen again: play goes on",
    ),
    "frozen": (
        "the picture stands still, as if the camera hung: what is played now is not seen",
        "the picture moves again: play goes on",
    ),
    "gap": ("no pictures came: what was played meanwhile was not seen", ""),
    "heap": (
        "many cards came at once: what is played now is not judged; put the table in order",
        "the table is in order again: play goes on",
    ),
}
# What people say on the page is heard that often while the source is silent.
WAIT_S = 0.1
Got = Frame | News | None


@dataclass(frozen=True, slots=True)
class Teller:
    """Prints a match as it goes: each event and ruling as JSON, or the rulings for people.

    `names` calls every seat.
    """

    match_id: str
    as_json: bool
    names: Mapping[str, str]

    def on_event(self, event: Event) -> None:
        """Print an event; people are told rulings, and when the table is not seen."""
        if self.as_json:
            print(event_json(event), flush=True)
        elif isinstance(event, ViewLost | ViewBack):
            words = VIEW.get(event.cause or "", ("", ""))[isinstance(event, ViewBack)]
            if words:
                tell(f"{event.t_ns / 1e9:8.2f} s  {words}")

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Print rulings."""
        for ruling in rulings:
            if self.as_json:
                print(ruling_json(ruling, self.match_id), flush=True)
            elif ruling.kind in SPOKEN:
                line = said_line(ruling, self.names)
                print(f"{ruling.t_ns / 1e9:8.2f} s  {line} ({ruling.rule})", flush=True)


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """All that a match needs, found to be right: what is wished, its table, reader and source."""

    wish: Wish
    table: Table
    reader: Reader
    address: Address


def ready_for(args: argparse.Namespace) -> Ready:
    """Check what the arguments want, before anything is opened. Raises BadInput."""
    wish = wish_of(args)
    table = table_of(args, wish)
    decks = decks_of(args, args.source)
    reader = app.reader_for(wish.game.name, args.models, args.threads, args.language, decks)
    return Ready(wish, table, reader, app.find_source(args.source))


def referee_match(args: argparse.Namespace, ready: Ready, front: Front | None) -> str:
    """Referee one match until its source ends, on the page of `front` or on none.

    Returns how it ended: empty with the source, `stopped` by Ctrl-C, else by the operator's order
    end, restart or setup. Raises BadInput.
    """
    address = ready.address
    shorten_pauses()
    with ExitStack() as stack:
        outlets = _outlets(args, ready.wish, stack, front, address)
        reader = stack.enter_context(ReaderAside(ready.reader)) if outlets.live else ready.reader
        refereeing = Refereeing(ready.wish, ready.table, reader, outlets)
        try:
            how = _watched(args, refereeing, address)
            refereeing.close("stopped" if how == "stopped" else "finished")
        except (NoTable, MatchError, RecordError) as reason:
            raise BadInput(f"{address.shown}: {reason}") from None
    return how


def _watched(args: argparse.Namespace, refereeing: Refereeing, address: Address) -> str:
    """Take the source's frames until the match ends; returns how. Raises BadInput."""
    try:
        for got in _paced(_frames(address, args.give_up), at_once=_at_once(args, address)):
            if isinstance(got, Frame):
                refereeing.take(got)
            elif isinstance(got, Returned):
                refereeing.returned(news_text(got))
                tell(news_text(got))
            else:
                refereeing.idle("" if got is None else news_text(got))
            if refereeing.wanted or (isinstance(got, Frame) and got.n + 1 == args.frames):
                break
    except KeyboardInterrupt:
        return "stopped"
    return refereeing.wanted


def wish_of(args: argparse.Namespace) -> Wish:
    """Return what is to be refereed. Raises BadInput."""
    game = game_named(args.game)
    script = _script(args.script, game) if args.script else None
    seats = script.seats if script else _seats(args.players, game)
    match_id = f"{game.prefix}-{datetime.now():%Y%m%d-%H%M%S}"
    return Wish(match_id, game, seats, _options(args.option, game), script)


def _options(texts: Iterable[str], game: Game[Any]) -> tuple[Setting, ...]:
    options = tuple(setting_of(text) for text in texts)
    try:
        game.settings((option.name, option.value) for option in options)
    except OptionError as reason:
        raise BadInput(f"--option: {reason}") from None
    return options


def _seats(players: str | None, game: Game[Any]) -> tuple[str, ...]:
    """Return the seats: as many as `--players` has names or says, else the game's fewest."""
    low, high = game.seats
    count = max(2, low) if players is None else len(seats_of(players))
    if not low <= count <= min(high, len(SEATS)):
        span = str(low) if low == high else f"{low} to {min(high, len(SEATS))}"
        raise BadInput(f"--players {players}: {game.title} is for {span} players")
    names = _names(players)
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"--players {players}: two are called {name}; give each another name")
    return tuple(SEATS[:count])


def names_of(players: str | None, seats: tuple[str, ...]) -> tuple[Setting, ...]:
    """Return the players' names by seat, where other names than the seats were given."""
    pairs = zip(seats, _names(players), strict=False)
    return tuple(Setting(seat, name) for seat, name in pairs if name and name != seat)


def _names(players: str | None) -> list[str]:
    """Return the names that `--players` gives, none where it says how many play."""
    if not players or players.strip().isdecimal():
        return []
    return [name.strip()[:40] for name in players.split(",")]


def _script(name: str, game: Game[Any]) -> Match:
    matches = read_match_file(name)
    if not matches or matches[0].game != game.name:
        raise BadInput(f"{name}: its first match is not one of {game.title}")
    return matches[0]


def table_of(args: argparse.Namespace, wish: Wish) -> Table:
    table: TablePlan = plan(wish.game.name, wish.seats)
    if args.calibration is None:
        return Table(table)
    try:
        found = read_table(read_text(args.calibration), args.calibration)
        check_table(found, args.calibration, wish.game.name, wish.seats, found.view.size_px)
    except CalibrationError as reason:
        raise BadInput(str(reason)) from None
    return Table(found.plan, found, file=args.calibration)


def _outlets(
    args: argparse.Namespace, wish: Wish, stack: ExitStack, front: Front | None, address: Address
) -> Outlets:
    folder = folder_of(args)
    match_id = _resumed(folder).id if args.resume else wish.match_id
    names = names_of(args.players, wish.seats)
    called = {seat: seat for seat in wish.seats} | {name.name: name.value for name in names}
    pads = open_station(args.pads, args.pads_calibration, wish.game.name, stack)
    if front is not None:
        front.match_id = match_id
    return Outlets(
        listeners=(Teller(match_id, args.json, called),),
        folder=folder,
        resume=match_id if args.resume else None,
        film=args.film,
        page=None if front is None else front.page,
        desk=None if front is None else front.desk,
        names=names,
        versions=_versions(args),
        live=address.kind.live,
        source=address.shown,
        pads=pads,
        tell=tell,
    )


def gone_on(args: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments with which the match that was cut off goes on. Raises BadInput.

    Its game and players are those of the record; so is its source, where no other one is named.
    """
    cut = _resumed(folder_of(args))
    if args.game not in (None, cut.game):
        raise BadInput(f"{cut.id} is a match of {cut.game}; leave --game and --players out")
    changed = {
        "game": cut.game,
        "players": ",".join(cut.players),
        "script": None,
        "source": args.source or cut.source,
        "pads": args.pads or ("auto" if find_ports() else "none"),
    }
    return argparse.Namespace(**{**vars(args), **changed})


def _resumed(folder: Folder) -> CutOff:
    """Return the latest match that was cut off. Raises BadInput."""
    try:
        found = unfinished(folder)
    except RecordError as reason:
        raise BadInput(str(reason)) from None
    if not found:
        raise BadInput(f"{folder.root}: no match there was cut off; leave --resume out")
    return found[0]


def _versions(args: argparse.Namespace) -> tuple[Setting, ...]:
    """Return names for the contents of models and calibration, for the record's head."""
    models = app.models_dir(args.models)
    files = {name: models / f"{name}.onnx" for name in ("finder8", "index", "face")}
    given = {"calibration": args.calibration, "pads' calibration": args.pads_calibration}
    files |= {name: Path(path) for name, path in given.items() if path}
    try:
        return tuple(Setting(name, file_version(path)) for name, path in files.items())
    except OSError as reason:
        raise BadInput(f"{reason.filename}: cannot be read ({reason.strerror})") from None


def _frames(address: Address, give_up_s: float | None) -> Iterator[Got]:
    """Yield all frames of a file; of a live source the newest few, its news, None for silence.

    Raises BadInput.
    """
    try:
        if address.kind.live:
            yield from _live_frames(address, give_up_s)
            return
        for file in app.find_files(address):
            for frame in timed(file_frames(file), Path(file.target)):
                if frame.t_ns is None:
                    raise BadInput(f"{file.shown}: a still picture has no time; give a video")
                yield frame
    except (SourceError, RecordError) as error:
        raise BadInput(str(error)) from error


def _at_once(args: argparse.Namespace, address: Address) -> bool:
    """Whether frames need not come at their own times: nobody looks on, and no pads are felt."""
    return address.kind.live or (args.headless and args.pads in (None, "none"))


def _paced(frames: Iterator[Got], at_once: bool) -> Iterator[Got]:
    """Yield the frames of a file no faster than they were taken, for people who look on."""
    began_ns = time.monotonic_ns()
    first_ns: int | None = None
    for frame in frames:
        if isinstance(frame, Frame) and frame.t_ns is not None and not at_once:
            first_ns = frame.t_ns if first_ns is None else first_ns
            early_ns = began_ns + frame.t_ns - first_ns - time.monotonic_ns()
            time.sleep(max(0.0, early_ns / 1e9))
        yield frame


def _live_frames(address: Address, give_up_s: float | None) -> Iterator[Got]:
    source = app.open_live(address)
    last_ns = time.monotonic_ns()
    try:
        while True:
            got = source.wait(WAIT_S, in_turn=True)
            if isinstance(got, Frame):
                last_ns = time.monotonic_ns()
            elif give_up_s is not None and time.monotonic_ns() - last_ns > give_up_s * 1e9:
                raise BadInput(f"{address.shown}: no picture for {give_up_s:g} s; given up")
            yield got
    finally:
        source.close()
