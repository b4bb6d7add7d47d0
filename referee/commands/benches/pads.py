"""`referee bench pads`: the bars of the touch pads, from the slap to the verdict."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import time
from dataclasses import asdict, dataclass

from referee.commands import FINE, NO, BadInput, print_json, wide_help
from referee.commands.benches._pads_rows import Row, print_bar
from referee.commands.benches.speed import processor
from referee.pads.simulated import SimulationError

EPILOG = """example:
  referee bench pads
  referee bench pads firmware --long
  referee bench pads --row 6 --long
  referee bench pads host --json

`firmware` runs the released .hex in a simulated chip, `host` the clocks, links and verdicts.
Both take less than a minute; --long is the full size of each bar and takes an hour or more, most
of it for rows 4, 6 and 8.
Exit code 1: a bar does not hold."""
PARTS = ("firmware", "host")


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the bars were measured on."""

    size: str
    seconds: float
    processor: str
    load_1min: float
    python: str


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "pads",
        help="stamps, order, loss, clocks and verdicts of the touch pads",
        description="Measure the bars of the touch pads on simulated boards.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument(
        "part", nargs="?", choices=PARTS, help="firmware or host alone (default both)"
    )
    parser.add_argument("--row", metavar="N", type=int, choices=range(1, 13), help="one row alone")
    parser.add_argument("--long", action="store_true", help="the full size of every bar")
    parser.add_argument("--json", action="store_true", help="one JSON object a bar")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print; returns 1 if a bar does not hold. Raises BadInput."""
    began_s = time.monotonic()
    failed = 0
    try:
        for part in PARTS if args.part is None else (args.part,):
            for row in rows_of(part, args.row):
                for bar in row.measure(args.long):
                    print_bar(bar, args.json)
                    failed += not bar.holds
    except SimulationError as error:
        raise BadInput(str(error)) from None
    _print_conditions(args, time.monotonic() - began_s)
    return NO if failed else FINE


def rows_of(part: str, number: int | None) -> tuple[Row, ...]:
    """Return what measures a part, or of it the one row."""
    rows: tuple[Row, ...] = importlib.import_module(f"referee.commands.benches._pads_{part}").ROWS
    return tuple(row for row in rows if number is None or row.number == number)


def _print_conditions(args: argparse.Namespace, seconds: float) -> None:
    found = Conditions(
        size="long" if args.long else "fast",
        seconds=round(seconds, 1),
        processor=processor(),
        load_1min=round(os.getloadavg()[0], 2),
        python=platform.python_version(),
    )
    if args.json:
        print_json({"conditions": asdict(found)})
    else:
        print(f"\n{found.size}, {found.seconds} s on {found.processor}, load {found.load_1min}")
