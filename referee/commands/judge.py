"""`referee judge`: the rulings of scripted or recorded matches."""

from __future__ import annotations

import argparse

from referee.commands import FINE, NO, BadInput, tell, wide_help
from referee.commands._matches import game_of, read_match_file, setting_of
from referee.match import MatchError, judge
from referee.notation import (
    differences,
    ruling_json,
    ruling_line,
)
from referee.values import Match, Ruling, Setting

EPILOG = """example:
  referee judge evening.match
  referee judge evening.match --json
  referee judge examples.match --check
  referee judge evening.match --option wrap=yes

The file holds any number of matches in the .match notation. --check compares the rulings with
each match's expect block: lines with - are missing, lines with + were not expected."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "judge",
        help="judge a scripted or recorded match",
        description="Judge the matches of a .match file and print every ruling.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("file", metavar="FILE", help="a .match file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object a ruling")
    parser.add_argument("--check", action="store_true", help="compare with the expect blocks")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a house option, above those of the file; may stand several times",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge all matches; returns 1 if a check found a difference. Raises BadInput."""
    options = tuple(setting_of(text) for text in args.option)
    matches = read_match_file(args.file)
    wrong = 0
    for match in matches:
        rulings = _judged(match, options)
        _print(match, rulings, args.json)
        if args.check:
            wrong += _report(match, rulings)
    if args.check:
        tell(f"{len(matches)} matches checked, {wrong} differ")
    return NO if wrong else FINE


def _judged(match: Match, options: tuple[Setting, ...]) -> tuple[Ruling, ...]:
    try:
        return tuple(judge(match, game_of(match), options))
    except MatchError as reason:
        raise BadInput(f"match {match.id}: {reason}") from None


def _print(match: Match, rulings: tuple[Ruling, ...], as_json: bool) -> None:
    if not as_json:
        print(f"match {match.id} {match.title}".rstrip())
    for ruling in rulings:
        print(ruling_json(ruling, match.id) if as_json else f"  {ruling_line(ruling)}")


def _report(match: Match, rulings: tuple[Ruling, ...]) -> bool:
    """Tell the differences of one match; whether there are any."""
    if match.expected is None:
        tell(f"match {match.id}: there is no expect block to compare with")
        return True
    lines = differences(rulings, match.expected)
    for line in lines:
        tell(f"match {match.id}: {line}")
    return bool(lines)
