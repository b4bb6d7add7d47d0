"""Nertz: stock cards come onto the waste, in one move, one by one, or to put a turn right."""

from __future__ import annotations

from referee.games.nertz.calling import (
    RECYCLE_RULE,
    TURN_RULE,
    UNDER_RULE,
    completes,
    turned_singly,
)
from referee.games.nertz.game import GAME, Memory, Waiting, mover, with_waiting, without_waiting
from referee.rulebook import Case, Debt, State, replace
from referee.rulebook.asking import NOT_COUNTED, is_counted
from referee.values import CardPlaced, Ruling

Step = tuple[State[Memory], list[Ruling]]

# How long three stock cards turned one by one may take to count as one turn.
SINGLY_NS = 1_500_000_000


def stock_turned(case: Case[Memory], state: State[Memory]) -> Step:
    """Stock cards came onto the waste: in one move, one by one, or to make a wrong turn right."""
    seat = mover(case) or None
    debt = completes(case)
    if debt is not None:
        left = tuple(d for d in state.debts if (d.n, d.rule) != (debt.n, debt.rule))
        return replace(state, debts=left), [_cured(case, debt)]
    state = _boundary_lost(case, state)
    singly = turned_singly(case)
    if isinstance(case.event, CardPlaced) or singly is not None:
        return _one_more(case, state, singly), []
    if case.moved.count >= case.setup.number("draw"):
        return _not_counted(case, state)
    height = case.before.height(case.moved.origin)
    if case.moved.count < height < case.setup.number("draw"):
        text = f"the last {height} cards are turned together"
        return state, [GAME.ruling("STOCK-02", "INFO", case.event, text, player=seat)]
    return state, []


def _not_counted(case: Case[Memory], state: State[Memory]) -> Step:
    """Say once that nobody sees how many cards a player turns at a time."""
    seat, told = mover(case), state.memory.uncounted
    several = case.moved.count == case.setup.number("draw") > 1
    if is_counted(case) or not several or not seat or seat in told:
        return state, []
    ruling = GAME.ruling("STOCK-01", "NOT_OBSERVED", case.event, NOT_COUNTED, player=seat)
    return state.with_memory(replace(state.memory, uncounted=told | {seat})), [ruling]


def _boundary_lost(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state after waste cards were dealt on that should have gone back first.

    Where they begin in the stock is not known any more, so nothing is owed (G-05).
    """
    if not state.debts:
        return state
    waste = case.moved.target
    lost = (RECYCLE_RULE, UNDER_RULE)
    left = tuple(d for d in state.debts if not (d.rule in lost and d.origin == waste))
    return replace(state, debts=left)


def _cured(case: Case[Memory], debt: Debt) -> Ruling:
    bare = debt.rule.removeprefix(f"{GAME.prefix}-")
    return GAME.ruling(bare, "INFO", case.event, "cured", player=debt.seat)


def _one_more(case: Case[Memory], state: State[Memory], singly: Waiting | None) -> State[Memory]:
    """Return the state after one more of the stock cards that are turned one by one."""
    draw = case.setup.number("draw")
    stock, before = case.moved.origin, case.before
    if singly is None:
        height = len(before.table.pile(stock)) if before.table.knows(stock) else 0
        if min(draw, height or draw) <= 1:
            return state
        first = Waiting("singly", case, case.moved.tokens, height)
        return with_waiting(state, first, case.event.t_ns + SINGLY_NS)
    state = without_waiting(state, singly)
    tokens = (*singly.tokens, *case.moved.tokens)
    if len(tokens) >= min(draw, singly.height or draw):
        return state
    more = replace(singly, tokens=tokens)
    return state.with_memory(replace(state.memory, waiting=(*state.memory.waiting, more)))


def recycled(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state after a whole waste became the stock: no wrong turn is left in it."""
    stock = case.moved.target
    left = tuple(d for d in state.debts if (d.rule, d.origin) != (TURN_RULE, stock))
    return replace(state, debts=left)
