"""XIX: when nobody can tell whether a card was played in its turn.

A camera may have missed a card before, so it cannot say that a player is out of turn. Either the
card is, and will be taken back, or it is the reply to a card that nobody saw. What it leads to is
not decided: the exchange is not followed on, and not scored, unless the card is taken back. Then
nothing happened.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.xix.exchange import Step
from referee.games.xix.game import GAME, OF_EXCHANGE, Doubted, Memory, is_play
from referee.rulebook import Case, State, replace

# A decision that was not heard takes no card out of its turn.
OF_TURN = frozenset(f"XIX-{id}" for id in OF_EXCHANGE) - {"XIX-STRIKE-02"}
PLAYING = ("lead", "reply")


def first_doubt(case: Case[Memory], state: State[Memory], ids: Iterable[str]) -> str | None:
    """Return the rule (full id) by which an act of a trick may be out of turn, if any."""
    sure = not state.camera and case.event.n not in state.unsure
    if sure or case.move is None or state.memory.stage not in PLAYING:
        return None
    return next((id for id in ids if id in OF_TURN), None)


def leave_open(case: Case[Memory], state: State[Memory], id: str) -> State[Memory]:
    """Return the state in which the exchange is not followed on after an act."""
    before = state.memory
    doubted = Doubted(case.owing(id, case.seat), before)
    memory = replace(before, stage="lost", lead=None, due=(), decided=None, doubted=doubted)
    return state.with_memory(memory)


def is_undone(case: Case[Memory]) -> bool:
    """Return whether the act by which the exchange was lost is undone by its exact reverse."""
    doubted = case.memory.doubted
    if case.memory.stage != "lost" or doubted is None or case.move is None:
        return False
    act = doubted.debt
    return case.move.tokens == act.tokens and case.move.target == act.origin


def undo(case: Case[Memory], state: State[Memory]) -> Step:
    """Follow the exchange again as it was before the act, if nothing was played since."""
    doubted = state.memory.doubted
    if doubted is None or doubted.before is None:
        return state.with_memory(replace(state.memory, doubted=None)), []
    id = doubted.debt.rule.removeprefix(f"{GAME.prefix}-")
    back = GAME.ruling(id, "INFO", case.event, "taken back; the exchange goes on as before")
    return state.with_memory(doubted.before), [back]


def played_on(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which a card was played over a doubted one: that is no longer undone."""
    doubted = state.memory.doubted
    if doubted is None or not is_play(case):
        return state
    return state.with_memory(replace(state.memory, doubted=replace(doubted, before=None)))
