"""Nertz: acts that are judged only when their time has passed."""

from __future__ import annotations

from referee.games.nertz.calling import caller, just_turned
from referee.games.nertz.game import (
    GAME,
    Memory,
    Waiting,
    is_foundation,
    mover,
    nerts,
    surely_before,
    without_waiting,
)
from referee.games.nertz.landing import with_asked
from referee.games.nertz.series import call_unknown, count_hand, end_hand, fined
from referee.rulebook import Act, Alarm, Asked, Case, Debt, Outcome, State, ask, replace
from referee.rulebook.asking import rests_on_unsure
from referee.rulebook.judging import accuse, owes
from referee.values import Ruling

Step = tuple[State[Memory], list[Ruling]]


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Decide what had to wait."""
    if alarm.name == "count":
        return count_hand(state)
    found = (w for w in state.memory.waiting if (w.what, w.case.event.n) == (alarm.name, alarm.n))
    waiting = next(found, None)
    if waiting is None:
        return Outcome(state)
    state = without_waiting(state, waiting)
    if waiting.what == "call":
        return _called(state, waiting)
    return _decided(state, waiting)


def taken_back(case: Case[Memory], state: State[Memory]) -> Step:
    """Stock cards that were turned one by one go back: the turn was wrong, and that is its cure."""
    waiting = just_turned(case)
    assert waiting is not None
    outcome = _decided(without_waiting(state, waiting), waiting)
    seat = mover(case) or None
    cured = GAME.ruling("STOCK-01", "INFO", case.event, "cured", player=seat)
    return outcome.state, [*outcome.rulings, cured]


def _decided(state: State[Memory], waiting: Waiting) -> Outcome[Memory]:
    if waiting.what == "singly" and not _is_short(waiting):
        return Outcome(state)
    return _judged(_sure(state, waiting), state, waiting)


def _is_short(waiting: Waiting) -> bool:
    """Return whether fewer cards were turned one by one than there should have been."""
    draw = waiting.case.setup.number("draw")
    return waiting.height >= draw > len(waiting.tokens)


def _sure(state: State[Memory], waiting: Waiting) -> Case[Memory]:
    """Return the case as it is asked now that its time has passed."""
    case = waiting.case
    memory = replace(case.memory, sure=True)
    if waiting.what == "early":
        start = state.memory.start
        late = start is None or surely_before(case.setup.instant(case.event), start)
        memory = replace(memory, start=None if late else start)
    return replace(case, before=case.before.with_memory(memory))


def _judged(case: Case[Memory], state: State[Memory], waiting: Waiting) -> Outcome[Memory]:
    """Rule on the act as at its own time; what lies there wrongly is owed."""
    rulings: list[Ruling] = []
    asked = ask(GAME, case)
    findings = asked.findings
    if not findings and (asked.unread or rests_on_unsure(case)):
        return _doubted(case, state, asked)
    if findings:
        judged = Act(case, tuple(id for id, _ in findings))
        event = case.event
        recent = (judged if act.case.event is event else act for act in state.recent)
        state = replace(state, recent=tuple(recent))
    for id, finding in findings:
        rulings.append(accuse(GAME, case, id, finding))
        if owes(GAME, id, finding) and case.move is not None:
            debt = case.owing(id, finding.seat)
            if waiting.tokens:
                lie = {lying.token for lying in state.table.pile(debt.at)}
                tokens = tuple(token for token in waiting.tokens[::-1] if token in lie)
                debt = replace(debt, tokens=tokens, height=waiting.height - len(tokens))
            state = _owing(state, debt)
    return Outcome(state, tuple(rulings))


def _doubted(case: Case[Memory], state: State[Memory], asked: Asked) -> Outcome[Memory]:
    """Ask about the act; its card was owed only while the one that belongs below was awaited."""
    state = replace(state, debts=tuple(d for d in state.debts if d.n != case.event.n))
    if is_foundation(case.moved.target):
        state = with_asked(state, case)
    told = (
        GAME.ruling(id.removeprefix("NERTZ-"), "QUERY", case.event, f"{reason}: not decided")
        for id, reason in asked.unread[:1]
    )
    return Outcome(state, tuple(told))


def _owing(state: State[Memory], debt: Debt) -> State[Memory]:
    """Return the state in which the cards are owed, if they still lie where they should not."""
    lie = {lying.token for lying in state.table.pile(debt.at)}
    old = state.debt_of(debt.tokens)
    if old is not None and old.race:
        kept = tuple(d for d in state.debts if d is not old)
        return replace(state, debts=(*kept, debt))
    if old is None and debt.tokens and set(debt.tokens) <= lie:
        return state.with_debt(debt)
    return state


def _called(state: State[Memory], waiting: Waiting) -> Outcome[Memory]:
    """The last nerts card may have been in the air at the call: now it is down, or it is not.

    Another player's call may have ended the hand meanwhile.
    """
    before = state.with_memory(replace(state.memory, sure=True, over=None))
    case = replace(waiting.case, before=before, table=state.table)
    side = caller(case)
    asked = ask(GAME, case)
    if side is None or asked.unseen:
        return Outcome(state, (call_unknown(state, case.event),))
    if asked.findings and state.lost_sight_of(nerts(side), whole=True):
        return Outcome(state, (call_unknown(state, case.event),))
    if not asked.findings:
        return Outcome(state) if state.memory.over else end_hand(state, case, case.seat or side)
    rulings = tuple(accuse(GAME, case, id, finding) for id, finding in asked.findings)
    return Outcome(fined(state, side), rulings)
