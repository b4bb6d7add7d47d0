"""`referee watch`: referees a game live, or reads the cards on the table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from referee import app
from referee.app import Look
from referee.commands import FINE, BadInput, tell, wide_help
from referee.commands._filmed import filmed_match, judge_again
from referee.commands._hosting import host, referee_game
from referee.commands._reading import (
    add_deck_option,
    add_draw_option,
    add_reader_options,
    decks_of,
    drawing_name,
    print_look,
)
from referee.commands._refereeing import gone_on
from referee.vision.address import SYNTAX, Address, SourceError
from referee.vision.camera import news_text
from referee.vision.detect import Reader

EPILOG = """example:
  referee watch
  referee watch --game nerves --source camera:0
  referee watch --game nertz --source http://192.168.1.20:8080/video --players Ann,Ben,Cleo
  referee watch --source camera:0 --json
  referee watch --resume

Without a game and a source the live page leads through the set-up: game, players, camera, pads,
house rules; then it referees, match after match. With --game it referees at once. Rulings are
printed as they fall, the match is kept in the record, and the live page shows it. The table is
found by its markers (`referee print mat`), or as a calibration says. With --source alone it prints
what is read in each frame: of a camera or stream the newest, of a file every one. The film of a
recorded match (--record DIR keeps it in DIR/videos) is refereed again and compared. A source that
breaks or falls silent is opened again; that is told on standard error. Ctrl-C ends it; with
--resume the latest match that was cut off or stopped so goes on, with its players and camera."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "watch",
        help="referee a game live",
        description="Referee a game live, or read the cards on the table.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--source", help=f"{SYNTAX} (default camera:0)")
    parser.add_argument("--headless", action="store_true", help="no live page")
    parser.add_argument("--frames", metavar="N", type=frame_limit, help="end after N frames")
    parser.add_argument(
        "--give-up", metavar="S", type=seconds, help="end after S seconds without a picture"
    )
    parser.add_argument("--game", metavar="GAME", help="referee this game")
    parser.add_argument("--players", metavar="A,B", help="who plays, clockwise: names or how many")
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="a house option"
    )
    parser.add_argument("--calibration", metavar="FILE", help="from `referee calibrate table`")
    parser.add_argument(
        "--pads", metavar="PORT", help="touch pads: a port, auto, none, or sim:FILE.match"
    )
    parser.add_argument("--pads-calibration", metavar="FILE", help="from `referee calibrate pads`")
    parser.add_argument(
        "--record", metavar="DIR", help="folder of the record; keeps the whole match as a video too"
    )
    parser.add_argument("--resume", action="store_true", help="go on with a match that was cut off")
    parser.add_argument("--host", default="127.0.0.1", help="where the live page listens")
    parser.add_argument(
        "--script", metavar="FILE.match", help="start and phase, where they are known beforehand"
    )
    add_draw_option(parser)
    add_deck_option(parser)
    add_reader_options(parser)
    parser.set_defaults(run=run)


def frame_limit(text: str) -> int:
    """Return a number of frames. Raises argparse.ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10**9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of frames, 1 or more")
    return int(text)


def seconds(text: str) -> float:
    """Return a number of seconds. Raises argparse.ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.1 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, 0.1 or more")
    return value


def run(args: argparse.Namespace) -> int:
    """Read until the source or the wanted frames end. Raises BadInput."""
    args.film = args.record is not None
    if args.resume:
        args = gone_on(args)
    if args.game is None and args.source is None and not args.headless:
        return host(args)
    args.source = args.source or "camera:0"
    if args.game is not None:
        return referee_game(args)
    address = app.find_source(args.source)
    if log := filmed_match(address):
        return judge_again(args, address, log)
    decks = decks_of(args, args.source)
    reader = app.open_reader(
        args.models, args.threads, language=args.language, profiles=decks, quick=True
    )
    drawings = app.DrawingFolder(args.draw) if args.draw else None
    for number, seen in enumerate(all_looks(reader, address, args.give_up), 1):
        print_look(seen, args.json)
        if drawings is not None:
            drawings.write(seen, drawing_name(seen))
        if number == args.frames:
            break
    return FINE


def all_looks(reader: Reader, address: Address, give_up_s: float | None) -> Iterator[Look]:
    """Yield the looks of a source, live or not, and tell its news. Raises BadInput."""
    if not address.kind.live:
        yield from all_file_looks(reader, address)
        return
    source = app.open_live(address)
    try:
        for got in app.live_looks(reader, source, give_up_s):
            if isinstance(got, Look):
                yield got
            else:
                tell(news_text(got))
    finally:
        source.close()


def all_file_looks(reader: Reader, address: Address) -> Iterator[Look]:
    """Yield the looks of a file, or of a folder's files in order. Raises BadInput."""
    for file in app.find_files(address):
        try:
            yield from app.looks(reader, file)
        except SourceError as error:
            raise BadInput(str(error)) from error
