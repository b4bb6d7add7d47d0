"""`referee print`: things to print as PDF; each is a module in `prints`."""

from __future__ import annotations

import argparse

from referee.commands import add_commands, names_in, wide_help

PRINTS = "referee.commands.prints"
EPILOG = """example:
  referee print mat nerves -o mat.pdf
  referee print rules nerves -o nerves.pdf
  referee print rules xix -o xix.pdf --json     its name and pages as one JSON object"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command and what it can print."""
    parser = subparsers.add_parser(
        "print",
        help="PDF files to print",
        description="Write PDF files to print and lay on or beside the table.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    prints = parser.add_subparsers(dest="print", metavar="WHAT", required=True)
    add_commands(prints, PRINTS, names_in(PRINTS))
