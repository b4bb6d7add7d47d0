"""Nerds: cards turned one by one from the draw pile, and wrong numbers put right again."""

from __future__ import annotations

from referee.games.nerds.drawing import AT_ONCE, completes, just_turned
from referee.games.nerds.game import (
    GAME,
    Drawing,
    Memory,
    draw_debts,
    mover,
    some_cards,
)
from referee.rulebook import Alarm, Case, Debt, Outcome, State, replace
from referee.rulebook.asking import NOT_COUNTED, UNSURE, is_counted
from referee.values import Event, Ruling

# Three cards one by one within this time are one turn (the rule sheet's own figure).
ONE_TURN_NS = 1_500_000_000
DRAW = "draw"


def turned(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Take cards that were turned onto the discard pile: a turn, or a part of one."""
    return _not_counted(case, _turned(case, state))


def _not_counted(case: Case[Memory], outcome: Outcome[Memory]) -> Outcome[Memory]:
    """Say once that nobody sees how many cards a player turns at a time."""
    seat, memory = mover(case), outcome.state.memory
    if is_counted(case) or case.moved.count != AT_ONCE or not seat or seat in memory.uncounted:
        return outcome
    told = GAME.ruling("DRAW-02", "NOT_OBSERVED", case.event, NOT_COUNTED, player=seat)
    memory = replace(memory, uncounted=memory.uncounted | {seat})
    return Outcome(outcome.state.with_memory(memory), (*outcome.rulings, told))


def _turned(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    seat = mover(case) or ""
    going_on = _going_on(state, seat)
    if completes(case):
        return Outcome(_done(state, seat))
    if going_on is None and case.moved.count > 1:
        return Outcome(state)
    height = going_on.height if going_on else case.before.as_told().height(case.origin)
    tokens = (*(going_on.tokens if going_on else ()), *case.moved.tokens)
    owed = sum(len(debt.tokens) for debt in draw_debts(state, seat))
    drawing = Drawing(
        seat=seat,
        since_ns=going_on.since_ns if going_on else case.event.t_ns,
        n=case.event.n,
        t_ns=case.event.t_ns,
        height=height,
        tokens=tokens,
        counted=is_counted(case) and (going_on is None or going_on.counted),
    )
    right = min(AT_ONCE, height)
    if owed + len(tokens) == right:
        return Outcome(_done(state, seat))
    if len(tokens) > right:
        return _wrong(_without(state, seat), drawing)
    state = _without(state, seat)
    memory = replace(state.memory, drawing=(*state.memory.drawing, drawing))
    due_ns = drawing.since_ns + ONE_TURN_NS
    return Outcome(state.with_memory(memory).with_alarm(due_ns, f"{DRAW} {seat}", drawing.n))


def taken_back(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Take cards back that were turned one by one: the turn was wrong, and that is its cure."""
    drawing = just_turned(case)
    if drawing is None:
        return Outcome(state)
    outcome = _wrong(_without(state, drawing.seat), drawing)
    cured = GAME.ruling("DRAW-02", "INFO", case.event, "cured", player=drawing.seat)
    return Outcome(outcome.state, (*outcome.rulings, cured))


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Rule on a turn that stayed incomplete."""
    seat = alarm.name.removeprefix(f"{DRAW} ")
    drawing = _going_on(state, seat)
    if drawing is None or drawing.n != alarm.n:
        return Outcome(state)
    if state.memory.over is not None:
        # The hand ended before the turn could be completed.
        return Outcome(_without(state, seat))
    return _wrong(_without(state, seat), drawing)


def _going_on(state: State[Memory], seat: str) -> Drawing | None:
    return next((d for d in state.memory.drawing if d.seat == seat), None)


def _without(state: State[Memory], seat: str) -> State[Memory]:
    left = tuple(d for d in state.memory.drawing if d.seat != seat)
    return state.with_memory(replace(state.memory, drawing=left))


def _done(state: State[Memory], seat: str) -> State[Memory]:
    """Return the state in which a seat has turned the right number."""
    settled = draw_debts(state, seat)
    return replace(_without(state, seat), debts=tuple(d for d in state.debts if d not in settled))


def _wrong(state: State[Memory], drawing: Drawing) -> Outcome[Memory]:
    seat, count = drawing.seat, len(drawing.tokens)
    stock, waste = f"{seat}.stock", f"{seat}.waste"
    event = Event(n=drawing.n, t_ns=drawing.t_ns)
    if state.was_hidden(0, stock, waste):
        # Another card of the turn may have been turned while nobody could see it.
        text = f"{some_cards(count)} turned in view"
        return Outcome(state, (GAME.ruling("DRAW-02", "NOT_OBSERVED", event, text),))
    if count < drawing.height < AT_ONCE:
        text = f"{count} of {drawing.height} turned"
        return Outcome(state, (GAME.ruling("DRAW-03", "INFO", event, text, player=seat),))
    if not drawing.counted:
        return Outcome(state, (GAME.ruling("DRAW-02", "QUERY", event, f"{UNSURE}: not decided"),))
    ruling: Ruling = GAME.ruling(
        "DRAW-02", "VIOLATION", event, f"{some_cards(count)} turned", player=seat
    )
    lies = {lying.token for lying in state.table.pile(waste)}
    # The card turned last lay lowest in the draw pile.
    tokens = tuple(token for token in reversed(drawing.tokens) if token in lies)
    height = len(state.table.pile(stock))
    debt = Debt(drawing.n, "NERDS-DRAW-02", seat, tokens, stock, height, False, waste)
    return Outcome(state.with_debt(debt) if tokens else state, (ruling,))


def put_right(case: Case[Memory], state: State[Memory], debt: Debt) -> State[Memory]:
    """Take a cure: of too many turned cards only the surplus goes back."""
    if debt.rule == "NERDS-DRAW-02":
        left = len(debt.tokens) - case.moved.count
        if left == min(AT_ONCE, debt.height + len(debt.tokens)):
            return replace(state, debts=tuple(d for d in state.debts if d.n != debt.n))
    return state
