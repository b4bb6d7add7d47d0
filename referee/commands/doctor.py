"""`referee doctor`: checks what the referee needs and says what to change."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from referee.commands import FINE, NO, print_json, wide_help
from referee.commands._checks import (
    Finding,
    check_disk,
    check_models,
    check_packages,
    check_pads,
    check_python,
    check_sample,
)
from referee.commands._checks_source import check_no_source, check_source
from referee.commands._reading import add_reader_options
from referee.vision.address import SYNTAX

EPILOG = """example:
  referee doctor
  referee doctor --source camera:0

Each check ends in ok, warn or fail; the exit code is 1 if one fails. With --source the picture
is judged too: size, rate, light and focus, the mat and where it lies, and how large cards are."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "doctor",
        help="check what the referee needs, and say what to change",
        description="Check what the referee needs and say what to change.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--source", help=SYNTAX)
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run all checks and print them; returns 1 if one fails."""
    code = FINE
    for finding in findings(args):
        print_finding(finding, args.json)
        if finding.verdict == "fail":
            code = NO
    return code


def findings(args: argparse.Namespace) -> Iterator[Finding]:
    """Yield all findings, one check after the other."""
    yield check_python()
    yield from check_packages()
    yield from check_models(args.models, args.threads)
    yield check_sample()
    yield check_disk()
    yield check_pads()
    if args.source is None:
        yield check_no_source()
    else:
        yield from check_source(args.source, args.models, args.threads)


def print_finding(finding: Finding, as_json: bool) -> None:
    """Print one finding."""
    if as_json:
        print_json(asdict(finding))
        return
    print(f"{finding.verdict:<5} {finding.check}: {finding.found}", flush=True)
    if finding.advice is not None:
        print(f"      -> {finding.advice}", flush=True)
