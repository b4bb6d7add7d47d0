"""Nertz: blocks taken from a pile on which somebody's owed card still lies."""

from __future__ import annotations

from referee.games.nertz.game import Memory, part_of
from referee.games.nertz.standing import descends, value_of
from referee.rulebook import Pile, State, Unread, replace
from referee.values import PileMoved


def set_aside(state: State[Memory], event: PileMoved) -> State[Memory]:
    """Return the state in which owed cards lie below a block that is taken without them.

    The event tells only how many cards moved. Where the block with the owed cards fits, or goes
    back where they belong, that is what happened; else its player left them lying.
    """
    pile = state.table.pile(event.origin)
    debts = [d for d in state.debts if d.at == event.origin != d.origin]
    owed = {token for debt in debts for token in debt.tokens}
    block = pile[len(pile) - event.count :]
    rest = tuple(lying for lying in pile if lying.token not in owed)
    if event.origin == event.target or len(rest) < event.count <= len(pile):
        return state
    if not any(lying.token in owed for lying in block):
        return state
    if any(debt.origin == event.target for debt in debts) or _fits(state, block, event):
        return state
    below = tuple(lying for lying in pile if lying.token in owed)
    table = state.table.with_pile(event.origin, (*below, *rest))
    return replace(state, table=table)


def _fits(state: State[Memory], block: Pile, event: PileMoved) -> bool:
    """Return whether the block fits on the work stack that it comes to."""
    target = state.table.pile(event.target)
    if part_of(event.target) != "work":
        return False
    owed = {t for d in state.debts if d.at == event.target for t in d.tokens}
    legal = [lying for lying in target if lying.token not in owed]
    if not legal:
        return state.table.knows(event.target)
    try:
        lowest, top = value_of(state, block[0].token), value_of(state, legal[-1].token)
    except Unread:
        return True
    return lowest is None or top is None or descends(lowest, top)
