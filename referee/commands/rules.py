"""`referee rules`: the rule sheet of a game, or one rule with its source and examples."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from typing import Any

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._matches import game_named
from referee.games import game_names
from referee.rulebook import Game, Rule

EPILOG = """example:
  referee rules nerves
  referee rules nerves NERVES-PLAY-03
  referee rules nerves PLAY-03 --json"""

OBSERVERS = {
    "C": "the camera, from the cards",
    "H": "the camera, from the hands",
    "P": "the touch pads",
    "D": "a declaration: key, button or voice",
    "K": "bookkeeping over the events",
    "U": "nobody",
}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "rules",
        help="print the rule sheet of a game",
        description="Print the rule sheet of a game, or one rule with all that is known of it.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("game", metavar="GAME", help=", ".join(game_names()))
    parser.add_argument("rule", metavar="RULE-ID", nargs="?", help="one rule, like PLAY-03")
    parser.add_argument("--json", action="store_true", help="one JSON object a rule")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the sheet or the rule. Raises BadInput."""
    game = game_named(args.game)
    rules = [_rule(game, args.rule)] if args.rule else list(game.rules.values())
    if args.json:
        for rule in rules:
            print_json(_fields(game, rule))
    elif args.rule:
        print("\n".join(_whole(game, rules[0])))
    else:
        print("\n".join(_sheet(game)))
    return FINE


def _rule(game: Game[Any], text: str) -> Rule[Any]:
    bare = text.upper().removeprefix(f"{game.prefix}-")
    rule = game.rules.get(f"{game.prefix}-{bare}")
    if rule is None:
        raise BadInput(f"{game.title} has no rule {text[:40]}; `referee rules {game.name}` has all")
    return rule


def _fields(game: Game[Any], rule: Rule[Any]) -> dict[str, object]:
    return {
        "game": game.name,
        "rule": rule.id,
        "norm": rule.norm,
        "source": rule.source,
        "observer": rule.observer,
        "kind": rule.kind,
        "severity": rule.severity,
        "remedy": rule.remedy or None,
        "remedy_source": rule.remedy_source if rule.remedy else None,
        "watched": not rule.because,
        "because": rule.because or None,
        "options": list(rule.options),
        "ok": rule.ok,
        "no": rule.no,
    }


def _sheet(game: Game[Any]) -> Iterator[str]:
    low, high = game.seats
    players = f"{low}" if low == high else f"{low} to {high}"
    yield f"{game.title}, for {players} players"
    yield "Marked [-]: no ruling comes of it, being a permission, a definition, or out of sight."
    heading = ""
    for rule in game.rules.values():
        if game.heading_of(rule) != heading:
            heading = game.heading_of(rule)
            yield f"\n{heading}"
        mark = "[-] " if rule.because else "    "
        text = f"{rule.id.ljust(16)}{rule.norm}"
        yield from textwrap.wrap(text, 96, initial_indent=mark, subsequent_indent=" " * 20)
    yield "\nOptions (the first value is the default)"
    for option in game.options:
        values = "/".join(option.values)
        yield from textwrap.wrap(
            f"  {option.name}={values}  {option.meaning}", 96, subsequent_indent="      "
        )


def _whole(game: Game[Any], rule: Rule[Any]) -> Iterator[str]:
    yield rule.id
    yield from textwrap.wrap(rule.norm, 96, initial_indent="  ", subsequent_indent="  ")
    yield f"  printed under: {rule.source}"
    seen_by = ", ".join(OBSERVERS[letter] for letter in rule.observer)
    yield f"  seen by:       {seen_by}"
    yield f"  severity:      {rule.severity}"
    if rule.remedy:
        whose = "the printed rules" if rule.remedy_source == "seed" else "ours"
        yield f"  remedy:        {rule.remedy} ({whose})"
    if rule.because:
        yield f"  no ruling:     {rule.because}"
    yield f"  fine:          {rule.ok}"
    yield f"  not fine:      {rule.no}"
    for option in game.options:
        if option.name in rule.options:
            yield f"  option:        {option.name}={'/'.join(option.values)}: {option.meaning}"
