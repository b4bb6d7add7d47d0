"""`referee pads`: the touch pads; each thing to do with them is a module in `padsteps`."""

from __future__ import annotations

import argparse

from referee.commands import add_commands, names_in, wide_help

STEPS = "referee.commands.padsteps"
EPILOG = """example:
  referee pads simulate --path 16u2       a port of a simulated board, without any hardware
  referee pads flash /dev/ttyACM0         writes the released firmware to an Uno
  referee pads STEP --json                one JSON object a line, for machines"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command and its steps."""
    parser = subparsers.add_parser(
        "pads",
        help="touch pads",
        description="Flash, simulate and check the touch pads.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    add_commands(steps, STEPS, names_in(STEPS))
