"""`referee see`: reads the cards in pictures, folders and videos."""

from __future__ import annotations

import argparse

from tqdm import tqdm

from referee import app
from referee.commands import BAD, FINE, BadInput, tell, wide_help
from referee.commands._reading import (
    add_deck_option,
    add_draw_option,
    add_reader_options,
    decks_of,
    drawing_name,
    print_look,
)
from referee.commands._teach import teach
from referee.commands._teach_page import teach_on_page
from referee.vision.address import SYNTAX, Address, SourceError
from referee.vision.detect import Reader
from referee.vision.frames import frame_count

EPILOG = """example:
  referee see table.jpg
  referee see holiday/ game.mp4 --json > seen.jsonl
  referee see table.jpg --draw drawn/
  referee see evening/ --teach taught/
  referee see camera:0 --teach taught/ --page

Files are read in natural order, every frame of a video; of a camera or stream one picture is
taken. What cannot be read is named on standard error, the rest is still read, and the exit code
is 2. Coordinates are pixels of the picture as stored; drawings are turned upright. --teach keeps
pictures on this machine only, in the form that `referee bench photos` and the training take."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "see",
        help="read cards in pictures, folders and videos",
        description="Read the cards in pictures, folders, videos, or one picture of a camera.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("source", metavar="SOURCE", nargs="+", help=SYNTAX)
    add_draw_option(parser)
    add_deck_option(parser)
    parser.add_argument(
        "--teach",
        metavar="DIR",
        help="ask about each picture, and keep it with your corrections there",
    )
    parser.add_argument(
        "--page", action="store_true", help="with --teach: correct in the browser, by tapping"
    )
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read all sources; returns 2 if one of them could not be read. Raises BadInput."""
    decks = decks_of(args, args.source[0])
    reader = app.open_reader(args.models, args.threads, language=args.language, profiles=decks)
    if args.teach:
        return (teach_on_page if args.page else teach)(reader, args.source, args.teach)
    drawings = app.DrawingFolder(args.draw) if args.draw else None
    worst = FINE
    for text in args.source:
        try:
            address = app.find_source(text)
            files = app.find_files(address)
        except BadInput as error:
            tell(str(error))
            worst = BAD
            continue
        worst = max(worst, see_files(reader, files, drawings, args.json))
    return worst


def see_files(
    reader: Reader, files: tuple[Address, ...], drawings: app.DrawingFolder | None, as_json: bool
) -> int:
    """Read files one after the other; returns the exit code."""
    code = FINE
    alone = len(files) == 1
    total = announced(files[0]) if alone else len(files)
    unit = "frame" if alone else "file"
    # None leaves it to tqdm: no bar where standard error is no terminal.
    no_bar = True if total == 1 else None
    with tqdm(total=total, unit=unit, leave=False, disable=no_bar) as bar:
        for address in files:
            try:
                for seen in app.looks(reader, address):
                    with bar.external_write_mode():
                        print_look(seen, as_json)
                    if drawings is not None:
                        drawings.write(seen, drawing_name(seen))
                    bar.update(1 if alone else 0)
            except SourceError as error:
                with bar.external_write_mode():
                    tell(str(error))
                code = BAD
            bar.update(0 if alone else 1)
    return code


def announced(address: Address) -> int | None:
    """Return how many frames are to come, None where nobody knows."""
    return 1 if address.kind.live else frame_count(address)
