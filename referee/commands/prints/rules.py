"""`referee print rules`: the rules of a game on A4 pages, to lay beside the table."""

from __future__ import annotations

import argparse
from pathlib import Path

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._matches import game_named
from referee.commands.prints._sheet import rule_sheet
from referee.games import game_names

EPILOG = """example:
  referee print rules nerves -o nerves.pdf"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be printed."""
    parser = subparsers.add_parser(
        "rules",
        help="the rules of a game",
        description="Write the rules of a game as a PDF of A4 pages.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("game", metavar="GAME", help=", ".join(game_names()))
    parser.add_argument("-o", "--out", metavar="FILE.pdf", required=True, help="the file to write")
    parser.add_argument("--json", action="store_true", help="one JSON object: file and pages")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file. Raises BadInput."""
    game = game_named(args.game)
    sheet = rule_sheet(game)
    try:
        Path(args.out).write_bytes(bytes(sheet.output()))
    except OSError as reason:
        raise BadInput(f"{args.out}: {reason.strerror or 'cannot be written'}") from None
    except ValueError:
        raise BadInput(f"{args.out!r} is no file name") from None
    if args.json:
        print_json({"file": args.out, "pages": sheet.pages_count})
    else:
        pages = "1 page" if sheet.pages_count == 1 else f"{sheet.pages_count} pages"
        print(f"{args.out}: {pages}")
    return FINE
