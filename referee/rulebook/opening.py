"""The state before a match's first event: its seats, phase, options and start position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.rulebook.piles import Unseen, open_table
from referee.rulebook.quick import replace
from referee.rulebook.rules import Game
from referee.rulebook.setup import Setup
from referee.rulebook.state import State
from referee.values import Match, Setting
from referee.values.cards import Unread


class MatchError(ValueError):
    """A match that cannot be judged: unknown game, seats, phase or option; one clear sentence."""


def open_match(match: Match, game: Game[Any], options: Iterable[Setting] = ()) -> State[Any]:
    """Return the state before the first event. Raises MatchError."""
    low, high = game.seats
    if not low <= len(match.seats) <= high:
        span = str(low) if low == high else f"{low} to {high}"
        text = f"{game.title} is for {span} players, not {len(match.seats)}"
        raise MatchError(match.place("players") + text)
    phase = match.phase or game.phases[0]
    if phase not in game.phases:
        text = f"{game.title} has no phase '{phase}'; known: {', '.join(game.phases)}"
        raise MatchError(match.place("phase") + text)
    settings = _settings(match, game, options)
    setup = Setup(match.id, game.name, match.seats, phase, match.census, settings, match.flags)
    table = open_table(match.start, fresh=phase in game.fresh_phases, groups=_groups(game, match))
    blank: State[None] = State(setup, table, None)
    assert game.open is not None
    try:
        opened = game.open(blank)
    except ValueError as reason:
        # It says which line is wrong: flag totals=..., and what to write there.
        raise MatchError(match.place(str(reason).partition("=")[0]) + str(reason)) from None
    except (Unread, Unseen) as reason:
        raise MatchError(f"the start position cannot be judged: {reason}") from None
    if isinstance(opened, State):
        return opened
    return replace(blank, memory=opened)


def _settings(match: Match, game: Game[Any], more: Iterable[Setting]) -> dict[str, str]:
    """Return all options of a game, those of the match and more above them. Raises MatchError."""
    for setting in match.options:
        try:
            game.settings([(setting.name, setting.value)])
        except ValueError as reason:
            raise MatchError(match.place(f"opt {setting.name}") + str(reason)) from None
    try:
        return game.settings((s.name, s.value) for s in (*match.options, *more))
    except ValueError as reason:
        raise MatchError(str(reason)) from None


def _groups(game: Game[Any], match: Match) -> tuple[str, ...]:
    """Return the groups of zones, with `P.` replaced by every seat."""
    return tuple(
        group.replace("P.", f"{seat}.", 1) if group.startswith("P.") else group
        for group in game.groups
        for seat in match.seats
    )
