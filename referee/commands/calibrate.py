"""`referee calibrate`: table, camera, deck, pads; each is a module in `calibrates`."""

from __future__ import annotations

import argparse

from referee.commands import add_commands, names_in, wide_help

CALIBRATES = "referee.commands.calibrates"
EPILOG = """example:
  referee calibrate table --game nerves --source camera:0
  referee calibrate camera --source camera:0 --json"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command and what it can calibrate."""
    parser = subparsers.add_parser(
        "calibrate",
        help="calibrate the table, the camera, a deck, the pads",
        description="Measure what the referee must know before a match; each ends in a live test.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    kinds = parser.add_subparsers(dest="calibrate", metavar="WHAT", required=True)
    add_commands(kinds, CALIBRATES, names_in(CALIBRATES))
