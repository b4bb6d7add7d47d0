"""Late knowledge: earlier acts are judged again when a card is read that was not known then."""

from __future__ import annotations

from typing import Any

from referee.rulebook.judging import accuse, owes
from referee.rulebook.laying import Landing
from referee.rulebook.quick import replace
from referee.rulebook.rules import Game, ask
from referee.rulebook.state import Act, Case, Finding, Outcome, State
from referee.values import Ruling


def judge_again(
    game: Game[Any], state: State[Any], acts: tuple[Act[Any], ...], laid: Landing
) -> Outcome[Any]:
    """Judge earlier acts again with the faces that became known now (G-05, C-03)."""
    rulings: list[Ruling] = []
    read = frozenset(laid.read)
    for act in acts:
        case = act.case
        if not act.doubtful and (case.move is None or read.isdisjoint(case.move.tokens)):
            continue
        known = laid.table.faces
        before = replace(case.before, table=replace(case.before.table, faces=known))
        case = replace(case, before=before, table=replace(case.table, faces=known))
        state, more = _late(game, state, act, case)
        rulings += more
    return Outcome(state, tuple(rulings))


def _late(
    game: Game[Any], state: State[Any], act: Act[Any], case: Case[Any]
) -> tuple[State[Any], tuple[Ruling, ...]]:
    asked = ask(game, case)
    verdict = asked.verdict()
    found, doubtful = verdict.found, verdict.doubtful
    if (found, doubtful) == (act.faulty, act.doubtful):
        return state, ()
    fresh = Act(case, found, doubtful)
    recent = tuple(fresh if a.case.event is act.case.event else a for a in state.recent)
    state = replace(state, recent=recent)
    rulings: list[Ruling] = []
    for id in act.faulty:
        if id not in found and not doubtful:
            state = replace(state, debts=tuple(d for d in state.debts if d.n != case.event.n))
            bare = id.removeprefix(f"{game.prefix}-")
            text = "withdrawn: the card was read again"
            rulings.append(game.ruling(bare, "INFO", case.event, text))
    for id, finding in asked.findings:
        if id not in act.faulty:
            state, ruling = _accuse_late(game, state, case, id, finding)
            rulings.append(ruling)
    return state, tuple(rulings)


def _accuse_late(
    game: Game[Any], state: State[Any], case: Case[Any], id: str, finding: Finding
) -> tuple[State[Any], Ruling]:
    """Rule on a fault known late: as at its own time; too late to undo, it is only told."""
    ruling = accuse(game, case, id, finding)
    move = case.moved
    if not owes(game, id, finding):
        return state, ruling
    lies = {lying.token for lying in state.table.pile(move.target)}
    if set(move.tokens) <= lies and state.debt_of(move.tokens) is None:
        return state.with_debt(case.owing(id, finding.seat)), ruling
    return state, replace(ruling, kind="INFO", severity="info", remedy=None, remedy_source=None)
