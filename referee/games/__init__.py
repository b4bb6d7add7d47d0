"""The games: one file (or folder) each, found by being here, with its `GAME`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Any

from referee.rulebook import Game


@lru_cache(maxsize=1)
def game_names() -> tuple[str, ...]:
    """Return the names of all games, sorted."""
    return tuple(sorted(i.name for i in pkgutil.iter_modules(__path__) if i.name[0] != "_"))


def find_game(name: str) -> Game[Any]:
    """Return the game of that name. Raises KeyError with the names that are known."""
    if name not in game_names():
        known = ", ".join(game_names())
        raise KeyError(f"'{name[:40]}' is no game; known: {known}")
    game = importlib.import_module(f"{__name__}.{name}").GAME
    assert isinstance(game, Game)
    return game
