"""Random matches in which somebody owes a card at some time."""

from __future__ import annotations

from referee.games import find_game
from referee.match import open_match, step
from referee.play import legal_match
from referee.values import Match


def owing_match(game: str, players: int) -> Match:
    """Return the first random match with a fault in which a card is owed."""
    faulty = (legal_match(game, players, seed, faulty=True) for seed in range(1, 60))
    return next(match for match in faulty if _has_fault(match) and _is_owed(match))


def _has_fault(match: Match) -> bool:
    return any(line.kind == "VIOLATION" for line in match.expected or ())


def _is_owed(match: Match) -> bool:
    game = find_game(match.game)
    state = open_match(match, game)
    for event in match.events:
        state, _ = step(game, state, event)
        if any(debt.seat for debt in state.debts):
            return True
    return False
