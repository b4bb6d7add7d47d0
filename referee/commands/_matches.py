"""What the commands about scripted matches share: files, games and options as people name them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from referee.commands import BadInput
from referee.games import find_game
from referee.notation import NotationError, read_matches
from referee.rulebook import Game
from referee.values import Match, Setting


def read_match_file(name: str) -> tuple[Match, ...]:
    """Return the matches of a .match file, of standard input for `-`. Raises BadInput."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be read'}") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None
    try:
        return read_matches(data.decode("utf-8"))
    except UnicodeDecodeError as reason:
        whole = data[: reason.start].decode("utf-8")
        line, column = whole.count("\n") + 1, len(whole) - (whole.rfind("\n") + 1) + 1
        raise BadInput(
            f"{name}: line {line}, column {column}: this is no UTF-8 text; save the file as UTF-8"
        ) from None
    except NotationError as reason:
        raise BadInput(f"{name}: {reason}") from None


def game_named(name: str) -> Game[Any]:
    """Return a game by its name. Raises BadInput."""
    try:
        return find_game(name)
    except KeyError as reason:
        raise BadInput(str(reason.args[0])) from None


def game_of(match: Match) -> Game[Any]:
    """Return the game of a match. Raises BadInput that names the match."""
    try:
        return game_named(match.game)
    except BadInput as reason:
        raise BadInput(f"match {match.id}: {match.place('game')}{reason}") from None


def setting_of(text: str) -> Setting:
    """Return a house option as `name=value` writes it. Raises BadInput."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadInput(f"--option {text[:40]}: write name=value")
    return Setting(name, value)
