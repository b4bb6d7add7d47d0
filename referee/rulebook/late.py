"""Late knowledge: earlier acts are judged again when a card is read that was not known then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rulebook.asking import Asked, ask
from referee.rulebook.debts import Debt
from referee.rulebook.judging import accuse, not_certain, owes, undecided
from referee.rulebook.laying import Landing
from referee.rulebook.piles import Table
from referee.rulebook.quick import replace
from referee.rulebook.rules import Game
from referee.rulebook.state import Act, Case, Finding, Outcome, State
from referee.values import Card, Ruling


def judge_again(
    game: Game[Any], state: State[Any], acts: tuple[Act[Any], ...], laid: Landing
) -> Outcome[Any]:
    """Judge earlier acts again with the faces that became known now (G-05, C-03).

    What one of them owed is left out of account when the acts after it are judged, and so is
    what turns out not to have been owed.
    """
    rulings: list[Ruling] = []
    read, known = frozenset(laid.read), laid.table.faces
    owed: tuple[Debt, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    for act in acts:
        case = act.case
        is_read = case.move is not None and not read.isdisjoint(case.move.tokens)
        rests = bool(act.faulty) and any(debt.n in withdrawn for debt in case.before.debts)
        if not (act.doubtful or is_read or rests):
            continue
        case = _as_known(case, known, owed, withdrawn, state.unsure)
        places = [k for k, one in enumerate(state.recent) if one.case.event is act.case.event]
        asked = not_certain(case, state.recent[: min(places, default=0)], ask(game, case))
        verdict, left_open = asked.verdict(), act.left_open
        fresh = Act(case, verdict.found, (*verdict.doubtful, *left_open), state.n, left_open)
        if (fresh.faulty, fresh.doubtful) == (act.faulty, act.doubtful):
            continue
        recent = tuple(fresh if a.case.event is act.case.event else a for a in state.recent)
        state, more = _late(game, replace(state, recent=recent), act, fresh, asked)
        new = (pair for pair in asked.findings if pair[0] not in act.faulty)
        owing = (case.owing(id, one.seat) for id, one in new if owes(game, id, one))
        owed = (*owed, *(owing if case.move else ()))
        if act.faulty and not fresh.faulty and not fresh.doubtful:
            withdrawn |= {case.event.n}
        rulings += more
        if is_read and state.n in state.unsure and fresh.doubtful and not act.doubtful:
            rulings += undecided(game, case, asked)
    return Outcome(state, tuple(rulings))


def _as_known(
    case: Case[Any],
    faces: Mapping[int, Card],
    owed: tuple[Debt, ...],
    withdrawn: frozenset[int],
    unsure: tuple[int, ...],
) -> Case[Any]:
    """Return a case with the faces, the debts and the doubts that are known now."""
    old = case.before
    kept = (debt for debt in old.debts if debt.n not in withdrawn)
    late = (debt for debt in owed if _lies(old.table, debt))
    table = replace(old.table, faces=faces)
    before = replace(old, table=table, debts=(*kept, *late), unsure=(*old.unsure, *unsure))
    return replace(case, before=before, table=replace(case.table, faces=faces))


def _lies(table: Table, debt: Debt) -> bool:
    return {lying.token for lying in table.pile(debt.at)}.issuperset(debt.tokens)


def _late(
    game: Game[Any], state: State[Any], act: Act[Any], fresh: Act[Any], asked: Asked
) -> tuple[State[Any], tuple[Ruling, ...]]:
    case = fresh.case
    rulings: list[Ruling] = []
    for id in act.faulty:
        if id not in fresh.faulty and not fresh.doubtful:
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
