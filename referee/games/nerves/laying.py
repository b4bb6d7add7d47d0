"""Nerves: an arrangement as it grows, and its end."""

from __future__ import annotations

from referee.games.nerves.game import Memory, Row
from referee.games.nerves.places import (
    backs_on_top,
    column_of,
    fits_staircase,
    has_laid_all,
    heights,
    is_laying,
    is_own,
    is_staircase,
    puts_rest_down,
)
from referee.games.nerves.rows import (
    begins_column_too_early,
    begins_row_too_early,
    by_columns,
    row_to_lay,
)
from referee.rulebook import Case, Outcome, State, Unread, Unseen, Verdict, replace
from referee.values import CardPlaced

# Who plays or re-arranges, and nobody can tell whether he may, is asked about it once.
ASKED_ONCE = frozenset({"NERVES-ARR-06", "NERVES-ARR-12"})


def laid(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Remember a card that was laid in an arrangement, rightly or not."""
    memory, seat, zone = state.memory, case.seat or "", case.moved.target
    if memory.flagged == case.event.n and _is_too_early(case):
        # The rest of a row that was flagged with its first card goes back with it.
        state = state.with_debt(case.owing("NERVES-ARR-06", seat))
    elif verdict.found and isinstance(case.event, CardPlaced):
        memory = replace(memory, flagged=case.event.n)
    told = case.before.as_told()
    row = row_to_lay(told, seat, told.height(zone) + 1)
    if all(debt.n != case.event.n or debt.tokens != case.moved.tokens for debt in state.debts):
        row = _with_column(row, column_of(zone))
    row = replace(
        row,
        broken=row.broken or "NERVES-ARR-07" in verdict.found,
        t_ns=case.event.t_ns,
        hand=case.hand,
    )
    return Outcome(state.with_memory(replace(memory, rows=_with_row(memory, row))))


def _is_too_early(case: Case[Memory]) -> bool:
    zone, seat = case.moved.target, case.seat
    if by_columns(case):
        return begins_column_too_early(case.before, seat, zone)
    return begins_row_too_early(case.before, seat, zone)


def _with_column(row: Row, column: int) -> Row:
    if column in row.back:
        return replace(row, back=tuple(c for c in row.back if c != column))
    return replace(row, columns=(*row.columns, column))


def _with_row(memory: Memory, row: Row) -> tuple[Row, ...]:
    return (*(other for other in memory.rows if other.seat != row.seat), row)


def takes_back(case: Case[Memory]) -> bool:
    """Return whether an arranged card goes back to the hand before the arrangement is done."""
    own = is_own(case, case.moved.origin, "arr") and is_own(case, case.moved.target, "held")
    return own and case.seat not in case.memory.live


def taken_back(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Remember a column of the row that was taken back to the hand.

    What is taken back from the row's end was never laid; elsewhere it leaves a gap to be filled.
    """
    memory, column = state.memory, column_of(case.moved.origin)
    row = memory.row_of(case.seat)
    if row is None or column not in row.columns:
        return Outcome(state)
    columns, back = row.columns, {*row.back, column}
    while columns and columns[-1] in back:
        back.remove(columns[-1])
        columns = columns[:-1]
    given = min(row.given, len(columns))
    row = replace(row, columns=columns, given=given, back=tuple(sorted(back)))
    return Outcome(state.with_memory(replace(memory, rows=_with_row(memory, row))))


def finished(case: Case[Memory], state: State[Memory], verdict: Verdict) -> State[Memory]:
    """Return the state in which a player plays as soon as his arrangement is done."""
    seat, memory = case.seat, state.memory
    if seat is None or seat in memory.live or case.move is None:
        return state
    if seat in memory.picking and memory.row_of(seat) is None:
        # What lies before him is what he had, not a new arrangement.
        return state
    held = f"{seat}.held"
    if puts_rest_down(case) and all(debt.n != case.event.n for debt in state.debts):
        memory = replace(memory, correcting=memory.correcting | {seat})
    goes_on = not is_laying(case) and not puts_rest_down(case)
    laid_all = goes_on and has_laid_all(case.before.as_told(), seat)
    if laid_all:
        state = replace(state, table=state.table.with_whole(held).with_pile(held, ()))
    try:
        asked = goes_on and not ASKED_ONCE.isdisjoint(verdict.doubtful)
        done = laid_all or asked or _is_arranged(state.as_told(), memory, seat)
    except (Unseen, Unread):
        return state.with_memory(memory)
    if done:
        memory = replace(
            memory,
            live=memory.live | {seat},
            correcting=memory.correcting - {seat},
            picking=memory.picking - {seat},
            choices=tuple(choice for choice in memory.choices if choice.seat != seat),
            rows=tuple(row for row in memory.rows if row.seat != seat),
        )
    return state.with_memory(memory)


def _is_arranged(state: State[Memory], memory: Memory, seat: str) -> bool:
    """Return whether the staircase stands and the rest is laid down, or a short hand is laid."""
    if seat not in memory.correcting and state.height(f"{seat}.held"):
        return False
    columns = heights(state, seat)
    if not sum(columns) or backs_on_top(state, seat):
        return False
    if is_staircase(columns):
        return True
    return fits_staircase(columns) and state.height(f"{seat}.held") == 0
