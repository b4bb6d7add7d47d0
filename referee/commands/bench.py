"""`referee bench`: speed and accuracy on this machine; each bench is a module in `benches`."""

from __future__ import annotations

import argparse

from referee.commands import add_commands, names_in, wide_help
from referee.commands.benches import speed

BENCHES = "referee.commands.benches"
EPILOG = """example:
  referee bench
  referee bench --source table.jpg --json

Without a name it is `referee bench speed`: the time of each step from the camera's picture to
the cards, the middle one (p50) and the one of twenty that is slower (p95)."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command and its benches."""
    parser = subparsers.add_parser(
        "bench",
        help="speed and accuracy on this machine",
        description="Measure speed and accuracy on this machine.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    speed.add_options(parser)
    benches = parser.add_subparsers(dest="bench", metavar="BENCH")
    add_commands(benches, BENCHES, names_in(BENCHES))
