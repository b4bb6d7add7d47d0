"""What the commands that read cards share: their options, and how a look is printed."""

from __future__ import annotations

import argparse
from pathlib import Path

from referee.app import LANGUAGES, Look, default_threads, find_source, look_fields
from referee.app.deck_choice import AUTO, deck_on, find_decks
from referee.commands import print_json, tell
from referee.screens.words import reads_line
from referee.vision.deck_profile import DeckProfile

MOST_THREADS = 64


def add_reader_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that reads cards."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--models", metavar="DIR", help="folder of models (default: our own)")
    parser.add_argument(
        "--threads",
        metavar="N",
        type=thread_count,
        default=default_threads(),
        help="threads that read (default here: %(default)s)",
    )
    parser.add_argument(
        "--language",
        choices=("any", *LANGUAGES),
        default="any",
        help="what the letters on the cards mean (default: found out from the cards in view)",
    )


def add_deck_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the learned decks on the table."""
    parser.add_argument(
        "--deck",
        metavar="NAME",
        action="append",
        default=[],
        help="a deck learned by `referee calibrate deck`, again for each more;"
        " auto: the one of them that is seen",
    )


def decks_of(args: argparse.Namespace, source: str) -> tuple[DeckProfile, ...]:
    """Return the decks that were named, or the one that the source shows. Raises BadInput."""
    if args.deck != [AUTO]:
        return find_decks(args.deck)
    found = deck_on(find_source(source), args.models, args.threads)
    tell("none of the learned decks for sure" if found is None else f"deck: {found.name}")
    return () if found is None else (found,)


def add_draw_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for drawn pictures."""
    parser.add_argument("--draw", metavar="DIR", help="write pictures with the reads drawn in")


def thread_count(text: str) -> int:
    """Return a number of threads. Raises argparse.ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_THREADS}")
    return int(text)


def look_line(seen: Look) -> str:
    """Return a look as one line for a person."""
    frame = seen.frame
    when = "" if frame.t_ns is None else f" frame {frame.n}"
    cards = seen.sight.cards
    hands = f", {len(seen.sight.hands)} hands" if seen.sight.hands else ""
    counted = f"{len(cards)} read{'s' if len(cards) != 1 else ''}{hands}"
    return f"{frame.source}{when}: {counted} in {seen.read_ms:.0f} ms: {reads_line(cards)}"


def print_look(seen: Look, as_json: bool) -> None:
    """Print a look for machines or for people."""
    if as_json:
        print_json(look_fields(seen))
    else:
        print(look_line(seen), flush=True)


def drawing_name(seen: Look) -> str:
    """Return the name, without its end, of a look's drawing."""
    stem = Path(seen.frame.source).stem or "picture"
    return stem if seen.frame.t_ns is None else f"{stem}_{seen.frame.n:06d}"
