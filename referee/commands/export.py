"""`referee export`: a recorded match as .match text, JSON Lines or CSV."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from referee.commands import FINE, print_json, wide_help
from referee.commands._record import add_record_option, clear_errors, open_match, write_file
from referee.record.exporting import FORMATS, exported

EPILOG = """example:
  referee export NERVES-20261121-2015 > game.match
  referee export NERVES-20261121-2015 --format csv -o game.csv
  referee export NERVES-20261121-2015 --format jsonl -o game.jsonl

match: the events as corrected by reviews, and what stands of the rulings; for judging and playing
again. jsonl: every row with its hash; `referee matches --import` makes the same log of it.
csv: events and rulings for a spreadsheet."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "export",
        help="a recorded match as .match text, JSON Lines or CSV",
        description="Write a recorded match as text that other programs read.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("match", metavar="ID", help="the match, as `referee matches` names it")
    parser.add_argument("--format", choices=FORMATS, help="default match; jsonl with --json")
    parser.add_argument("-o", "--output", metavar="FILE", help="write here, not to the screen")
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    add_record_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the match. Raises BadInput."""
    form = args.format or ("jsonl" if args.json else "match")
    log = open_match(args)
    with clear_errors():
        text = exported(log, form)
    if args.output is None:
        sys.stdout.write(text)
        return FINE
    write_file(Path(args.output), text.encode())
    if args.json:
        print_json({"match": log.head.match.id, "format": form, "file": args.output})
    return FINE
