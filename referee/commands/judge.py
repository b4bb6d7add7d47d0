"""`referee judge`: the rulings of scripted or recorded matches."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from referee.commands import FINE, NO, BadInput, tell, wide_help
from referee.games import find_game
from referee.match import MatchError, judge
from referee.notation import (
    NotationError,
    differences,
    read_matches,
    ruling_json,
    ruling_line,
)
from referee.rulebook import Game
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
    options = tuple(_option(text) for text in args.option)
    matches = _read(args.file)
    wrong = 0
    for match in matches:
        rulings = _judged(match, options)
        _print(match, rulings, args.json)
        if args.check:
            wrong += _report(match, rulings)
    if args.check:
        tell(f"{len(matches)} matches checked, {wrong} differ")
    return NO if wrong else FINE


def _option(text: str) -> Setting:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadInput(f"--option {text[:40]}: write name=value")
    return Setting(name, value)


def _read(name: str) -> tuple[Match, ...]:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be read'}") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None
    try:
        return read_matches(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput(f"{name}: this is no UTF-8 text; a .match file is plain text") from None
    except NotationError as reason:
        raise BadInput(f"{name}: {reason}") from None


def _judged(match: Match, options: tuple[Setting, ...]) -> tuple[Ruling, ...]:
    try:
        return tuple(judge(match, _game(match), options))
    except MatchError as reason:
        raise BadInput(f"match {match.id}: {reason}") from None


def _game(match: Match) -> Game[Any]:
    try:
        return find_game(match.game)
    except KeyError as reason:
        raise BadInput(f"match {match.id}: {reason.args[0]}") from None


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
