"""`referee pads list`: the touchpads that are plugged in, and what is wrong with the others."""

from __future__ import annotations

import argparse

from referee.commands import FINE, NO, print_json, tell, wide_help
from referee.commands.padsteps._open import (
    add_port,
    open_boards,
    status_fields,
    status_line,
    wait_until_known,
)

EPILOG = """example:
  referee pads list
  referee pads list /dev/ttyACM0 --json

Opening its port restarts an Uno, so that a board may take three seconds to answer. Only ports
with the vendor and product of a known board or adapter are opened, unless they are named."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the step."""
    parser = subparsers.add_parser(
        "list",
        help="the touchpads that are plugged in",
        description="Find touchpads, ask each who it is, and say what is wrong with the others.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_port(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a board")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the boards; returns 1 if none is ready. Raises BadInput."""
    boards = open_boards(args.ports)
    try:
        wait_until_known(boards)
        statuses, refused = boards.statuses(), boards.refused()
    finally:
        boards.close()
    for status in statuses:
        if args.json:
            print_json(status_fields(status))
        else:
            print(status_line(status))
        if status.advice:
            tell(status.advice)
    for _, why in refused:
        tell(why)
    if not statuses and not refused:
        tell("no touchpad is plugged in; `referee pads simulate` gives one without hardware")
    return FINE if any(status.state == "LIVE" for status in statuses) else NO
