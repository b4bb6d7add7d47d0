"""XIX: when nobody can tell whether a card was played in its turn.

A camera may have missed a card before, so it cannot say that a player is out of turn. Either the
card is, and will be taken back, or it is the reply to a card that nobody saw. What it leads to is
not decided: the exchange is not followed on, and not scored, unless the card is taken back. Then
nothing happened.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.xix.exchange import Step
from referee.games.xix.game import (
    GAME,
    OF_EXCHANGE,
    Doubted,
    Memory,
    is_give,
    is_play,
    is_take,
    with_talon_in_doubt,
)
from referee.rulebook import Case, State, replace

# A decision that was not heard takes no card out of its turn.
OF_TURN = frozenset(f"XIX-{id}" for id in OF_EXCHANGE) - {"XIX-STRIKE-02"}
PLAYING = ("lead", "reply")


def first_doubt(case: Case[Memory], state: State[Memory], ids: Iterable[str]) -> str | None:
    """Return the rule (full id) by which an act of a trick may be out of turn, if any."""
    sure = state.vouches(case.event.n) and case.event.n not in state.unsure
    if sure or case.move is None or state.memory.stage not in PLAYING:
        return None
    return next((id for id in ids if id in OF_TURN), None)


def leave_open(case: Case[Memory], state: State[Memory], id: str) -> State[Memory]:
    """Return the state in which the exchange is not followed on after an act."""
    memory = replace(state.memory, stage="lost", lead=None, due=(), decided=None)
    return remember(case, state.with_memory(memory), id, state.memory)


def remember(case: Case[Memory], state: State[Memory], id: str, before: Memory) -> State[Memory]:
    """Return the state in which an act that was asked about changes nothing once it is undone."""
    doubted = Doubted(case.owing(id, case.seat), case.card, replace(before, doubted=None))
    return with_talon_in_doubt(state.with_memory(replace(state.memory, doubted=doubted)))


def without_early_lead(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state before a lead that was asked about, if the trade is made only now.

    So it was not made before: the card that was led is owed.
    """
    doubted = state.memory.doubted
    trades = is_take(case) or is_give(case)
    if doubted is None or doubted.before is None or not trades:
        return state
    if doubted.debt.rule != "XIX-TRADE-01":
        return state
    return state.with_memory(doubted.before).with_debt(doubted.debt)


def is_undone(case: Case[Memory]) -> bool:
    """Return whether the latest act that was asked about is undone by its exact reverse."""
    doubted = case.memory.doubted
    if doubted is None or case.move is None:
        return False
    act, other = doubted.debt, doubted.card.known and case.card != doubted.card
    return case.move.tokens == act.tokens and case.move.target == act.origin and not other


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
