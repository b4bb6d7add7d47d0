"""Which of the latest events were seen surely, and what makes an unsure one sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.rulebook.asking import is_unsure
from referee.rulebook.piles import Table
from referee.rulebook.quick import replace
from referee.rulebook.state import Act, Case, State
from referee.values import Reread

# Events that are remembered as unsure, besides those that brought what still lies on top; and
# those that are remembered as vouched for.
MOST_UNSURE = 64


def with_vouched(state: State[Any], n: int) -> State[Any]:
    """Return the state after an event that came while all of the table lay as it was told."""
    return replace(state, vouched=(*state.vouched[1 - MOST_UNSURE :], n))


def confirmed(state: State[Any], event: Reread) -> State[Any]:
    """Return the state after a card was seen to lie where it was told, read as it was told.

    However it came there, what is laid on it is no less sure than it; unless that was asked about.
    """
    pile = state.table.pile(event.zone)
    index = len(pile) - 1 - event.pos
    if index < 0 or is_unsure(event) or state.table.face(pile[index].token) != event.new:
        return replace(state, n=event.n)
    came = set(that_brought(state, state.recent, frozenset({pile[index].token})))
    asked = {act.case.event.n for act in state.recent if act.doubtful or act.faulty}
    unsure = tuple(n for n in state.unsure if n not in came - asked)
    token = pile[index].token
    unsurely = state.unsurely
    moved = (act.case.moved.tokens for act in state.recent if act.case.event.n in asked)
    if not any(token in tokens for tokens in moved):
        unsurely = {one: n for one, n in unsurely.items() if one != token}
    return replace(state, n=event.n, unsure=unsure, unsurely=unsurely)


def with_unsure(state: State[Any], n: int) -> tuple[int, ...]:
    """Return the unsure events with one more; of old ones those that cards still rest on."""
    came = {arrival.n for arrival in state.arrivals.values()}
    kept = (old for old in state.unsure[: 1 - MOST_UNSURE] if old in came)
    return (*kept, *state.unsure[1 - MOST_UNSURE :], n)


def with_unsurely(case: Case[Any], table: Table) -> Mapping[int | str, int]:
    """Return which cards lie where they do by unsure events, after an act that left a `table`.

    Of an unsure act it is in doubt what it took along: what it laid bare may be gone as well; and
    whether it left an empty place, or a card that must go back: that such a card lies elsewhere now
    does not tell, it may be another one like it.
    """
    move, known = case.move, case.before.unsurely
    if move is None or (not known and not is_unsure(case.event)):
        return known
    changed = (*move.tokens, move.target)
    left = {one: n for one, n in known.items() if one not in changed}
    if not is_unsure(case.event):
        return left
    bared = table.pile(move.origin)[-1:]
    bare = (one.token for one in bared if one.up)
    owed = case.before.is_owed_at(move.origin)
    left_there = () if table.pile(move.origin) and not owed else (move.origin,)
    doubted: list[int | str] = [*move.tokens, *bare, *left_there]
    return {**left, **dict.fromkeys(doubted, case.event.n)}


def that_brought(
    state: State[Any], recent: Iterable[Act[Any]], tokens: frozenset[int]
) -> Iterator[int]:
    """Yield the events by which these cards came: they are no surer than what they are read as.

    `recent` are the latest acts: a card that others lie on came before the last one.
    """
    for arrival in state.arrivals.values():
        if not tokens.isdisjoint(arrival.tokens):
            yield arrival.n
    for act in recent:
        if act.case.move is not None and not tokens.isdisjoint(act.case.move.tokens):
            yield act.case.event.n
