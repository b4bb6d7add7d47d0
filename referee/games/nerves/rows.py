"""Nerves: the rows of an arrangement: their order, their sweep, and how a short hand is laid."""

from __future__ import annotations

from itertools import pairwise

from referee.games.nerves.game import Memory, Row
from referee.games.nerves.places import STAIRCASE, column_of, heights
from referee.rulebook import Case, State


def is_sweep(columns: tuple[int, ...], given: int = 0) -> bool:
    """Return whether the columns are neighbours in one direction; `given` come in any order."""
    first = sorted(columns[:given])
    return any(
        {after - before for before, after in pairwise((*start, *columns[given:]))} <= {step}
        for step, start in ((1, first), (-1, first[::-1]))
    )


def is_short(case: Case[Memory]) -> bool:
    """Return whether the actor's cards do not make a staircase. Unseen if that is not known."""
    cards = case.before.height(f"{case.seat}.held") + sum(heights(case.before, case.seat))
    return cards < sum(STAIRCASE)


def by_columns(case: Case[Memory]) -> bool:
    """Return whether a short hand is laid column by column."""
    return case.setup.option("short") == "columns" and is_short(case)


def shifts_last(case: Case[Memory]) -> bool:
    """Return whether the last card of a row that was flagged is moved to where it fits."""
    row = case.memory.row_of(case.seat)
    if row is None or not row.broken or row.columns[-1:] != (column_of(case.moved.origin),):
        return False
    columns = (*row.columns[:-1], column_of(case.moved.target))
    return case.before.height(case.moved.target) == row.number - 1 and is_sweep(columns, row.given)


def begins_row_too_early(state: State[Memory], seat: str | None, zone: str) -> bool:
    """Return whether a card on this column would begin a row before the one behind is complete."""
    behind = state.height(zone)
    done = sum(height >= behind for height in heights(state, seat))
    return behind > 0 and done < 6 - behind


def begins_column_too_early(state: State[Memory], seat: str | None, zone: str) -> bool:
    """Return whether a card on this column leaves an earlier column incomplete."""
    laid = list(heights(state, seat))
    if not 1 <= column_of(zone) <= len(STAIRCASE):
        return True
    laid[column_of(zone) - 1] += 1
    orders = (tuple(laid), tuple(reversed(laid)))
    return not any(_is_filled(order) for order in orders)


def _is_filled(columns: tuple[int, ...]) -> bool:
    """Return whether all columns before the last one that holds cards are full."""
    last = max(place for place, height in enumerate(columns) if height)
    full = all(columns[place] == STAIRCASE[place] for place in range(last))
    return full and columns[last] <= STAIRCASE[last]


def row_to_lay(state: State[Memory], seat: str, number: int) -> Row:
    """Return the row of that number as far as it lies there."""
    row = state.memory.row_of(seat)
    if row is not None:
        return row if row.number == number else Row(seat, number, (), t_ns=row.t_ns, hand=row.hand)
    if seat in state.memory.picking:
        return Row(seat, number, ())
    standing = heights(state, seat)[: len(STAIRCASE)]
    there = tuple(c for c, height in enumerate(standing, start=1) if height >= number)
    return Row(seat, number, there, given=len(there))
