"""Refereeing a game from the command line: what is wished, where it is told, and how it ends."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from referee import app
from referee.app.recording import file_version, unfinished
from referee.app.refereeing import NoTable, Outlets, Refereeing, Table
from referee.app.review import dispute_html
from referee.app.watching import Wish
from referee.commands import FINE, BadInput, tell
from referee.commands._calibration import read_text
from referee.commands._matches import game_named, read_match_file, setting_of
from referee.commands._pads import open_station
from referee.match import MatchError
from referee.notation import event_json, ruling_json, ruling_line
from referee.record import Folder, RecordError, default_root, read_log
from referee.record.clips import ClipStore
from referee.record.disputes import dispute_at
from referee.record.report import report
from referee.record.report_html import report_html
from referee.rulebook import Game
from referee.screens.desk import Desk
from referee.screens.page import Page, PageError
from referee.screens.qr import qr_terminal
from referee.table.calibrate_file import CalibrationError, check_table, read_table
from referee.table.layout import plan
from referee.values import Event, Match, Ruling, Setting, TablePlan
from referee.vision.address import Address, SourceError
from referee.vision.camera import news_text
from referee.vision.frames import Frame, file_frames
from referee.vision.naming import Deck

SEATS = "ABCDEFGH"
# A window that nobody watches is worth no ruling on the terminal; people read these.
SPOKEN = ("VIOLATION", "RACE", "SCORE", "END", "QUERY")


@dataclass(frozen=True, slots=True)
class Teller:
    """Prints a match as it goes: each event and ruling as JSON, or the rulings for people."""

    match_id: str
    as_json: bool

    def on_event(self, event: Event) -> None:
        """Print an event; people are told rulings only."""
        if self.as_json:
            print(event_json(event), flush=True)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Print rulings."""
        for ruling in rulings:
            if self.as_json:
                print(ruling_json(ruling, self.match_id), flush=True)
            elif ruling.kind in SPOKEN:
                print(f"{ruling.t_ns / 1e9:8.2f} s  {ruling_line(ruling)}", flush=True)


def referee_game(args: argparse.Namespace) -> int:
    """Referee a game until its source ends. Raises BadInput."""
    wish = wish_of(args)
    table = _table(args, wish)
    deck: Deck = "numbers" if wish.game.name == "xix" else "suited"
    reader = app.open_reader(args.models, args.threads, deck)
    address = app.find_source(args.source)
    with ExitStack() as stack:
        outlets = _outlets(args, wish, stack, address.kind.live)
        refereeing = Refereeing(wish, table, reader, outlets)
        how = "finished"
        try:
            for frame in _paced(_frames(address, args.give_up), at_once=_at_once(args, address)):
                refereeing.take(frame)
                if refereeing.ended or frame.n + 1 == args.frames:
                    break
        except KeyboardInterrupt:
            how = "stopped"
        except (NoTable, MatchError, RecordError) as reason:
            raise BadInput(f"{address.shown}: {reason}") from None
        try:
            refereeing.close(how)
        except (NoTable, MatchError, RecordError) as reason:
            raise BadInput(f"{address.shown}: {reason}") from None
    return FINE


def wish_of(args: argparse.Namespace) -> Wish:
    """Return what is to be refereed. Raises BadInput."""
    game = game_named(args.game)
    script = _script(args.script, game) if args.script else None
    seats = script.seats if script else _seats(args.players, game)
    match_id = f"{game.prefix}-{datetime.now():%Y%m%d-%H%M%S}"
    return Wish(match_id, game, seats, tuple(setting_of(text) for text in args.option), script)


def _seats(players: str | None, game: Game[Any]) -> tuple[str, ...]:
    """Return the seats: `--players A,B` or as many as there are names, else the game's fewest."""
    low, high = game.seats
    count = max(2, low) if players is None else len(players.split(","))
    if not low <= count <= min(high, len(SEATS)):
        span = str(low) if low == high else f"{low} to {min(high, len(SEATS))}"
        raise BadInput(f"--players {players}: {game.title} is for {span} players")
    return tuple(SEATS[:count])


def names_of(players: str | None, seats: tuple[str, ...]) -> tuple[Setting, ...]:
    """Return the players' names by seat, where other names than the seats were given."""
    given = players.split(",") if players else list(seats)
    pairs = zip(seats, (name.strip()[:40] for name in given), strict=False)
    return tuple(Setting(seat, name) for seat, name in pairs if name and name != seat)


def _script(name: str, game: Game[Any]) -> Match:
    matches = read_match_file(name)
    if not matches or matches[0].game != game.name:
        raise BadInput(f"{name}: its first match is not one of {game.title}")
    return matches[0]


def _table(args: argparse.Namespace, wish: Wish) -> Table:
    table: TablePlan = plan(wish.game.name, wish.seats)
    if args.calibration is None:
        return Table(table)
    try:
        found = read_table(read_text(args.calibration), args.calibration)
        check_table(found, args.calibration, wish.game.name, wish.seats, found.view.size_px)
    except CalibrationError as reason:
        raise BadInput(str(reason)) from None
    return Table(found.plan, found)


def _outlets(args: argparse.Namespace, wish: Wish, stack: ExitStack, live: bool) -> Outlets:
    names = names_of(args.players, wish.seats)
    folder = Folder(Path(args.record) if args.record else default_root())
    page, desk = None, None
    match_id = _resumed(folder) if args.resume else wish.match_id
    pads = open_station(args.pads, args.pads_calibration, wish.game.name, stack)
    if not args.headless:
        desk = Desk()
        try:
            shown = partial(record_page, folder, match_id)
            page = stack.enter_context(Page(desk, args.host, record_page=shown))
        except PageError as reason:
            raise BadInput(str(reason)) from None
        tell(f"live page: {page.links.here}")
        if page.links.exposed:
            tell(f"for phones: {page.links.player}\n{qr_terminal(page.links.player)}")
            tell(f"for the operator: {page.links.operator}")
    return Outlets(
        listeners=(Teller(match_id, args.json),),
        folder=folder,
        resume=match_id if args.resume else None,
        film=args.film,
        page=page,
        desk=desk,
        names=names,
        versions=_versions(args),
        live=live,
        pads=pads,
        tell=tell,
    )


def _resumed(folder: Folder) -> str:
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
    files = [models / "finder.onnx", models / "index.onnx"]
    if args.calibration:
        files.append(Path(args.calibration))
    try:
        return tuple(Setting(path.stem, file_version(path)) for path in files)
    except OSError as reason:
        raise BadInput(f"{reason.filename}: cannot be read ({reason.strerror})") from None


def record_page(folder: Folder, match_id: str, what: str) -> bytes | None:
    """Return a page of the record for the live page; None where there is no such.

    `report`, or `dispute N` for the ruling on event N.
    """
    name, _, number = what.partition(" ")
    try:
        log = read_log(folder.find(match_id))
        if name == "report":
            return report_html(report(log, ClipStore(folder.evidence))).encode()
        return dispute_html(folder, match_id, dispute_at(log, int(number)).n).encode()
    except (RecordError, MatchError, ValueError):
        return None


def _frames(address: Address, give_up_s: float | None) -> Iterator[Frame]:
    """Yield all frames of a source, a live one's newest. Raises BadInput."""
    try:
        if address.kind.live:
            yield from _live_frames(address, give_up_s)
            return
        for file in app.find_files(address):
            for frame in file_frames(file):
                if frame.t_ns is None:
                    raise BadInput(f"{file.shown}: a still picture has no time; give a video")
                yield frame
    except SourceError as error:
        raise BadInput(str(error)) from error


def _at_once(args: argparse.Namespace, address: Address) -> bool:
    """Whether frames need not come at their own times: nobody looks on, and no pads are felt."""
    return address.kind.live or (args.headless and args.pads in (None, "none"))


def _paced(frames: Iterator[Frame], at_once: bool) -> Iterator[Frame]:
    """Yield the frames of a file no faster than they were taken, for people who look on."""
    began_ns = time.monotonic_ns()
    first_ns: int | None = None
    for frame in frames:
        if frame.t_ns is not None and not at_once:
            first_ns = frame.t_ns if first_ns is None else first_ns
            early_ns = began_ns + frame.t_ns - first_ns - time.monotonic_ns()
            time.sleep(max(0.0, early_ns / 1e9))
        yield frame


def _live_frames(address: Address, give_up_s: float | None) -> Iterator[Frame]:
    source = app.open_live(address)
    try:
        for got in app.live_frames(source, give_up_s):
            if isinstance(got, Frame):
                yield got
            else:
                tell(news_text(got))
    finally:
        source.close()
