"""Nertz: what cards count as on work stacks and foundations, jokers included."""

from __future__ import annotations

from functools import lru_cache

from referee.games.nertz.game import (
    KING,
    Landed,
    Memory,
    Named,
    Standing,
    Value,
    is_foundation,
    mover,
    part_of,
    side_of,
)
from referee.rulebook import Case, Pile, State, Unread, replace
from referee.values import Card

# How long before the contact a joker may be declared (JOK-02).
NAMED_NS = 2_000_000_000


@lru_cache(maxsize=1024)
def as_value(card: Card) -> Value:
    """Return what a suited card counts as. Unread if it is not read, or not of the deck."""
    if not card.is_suited:
        raise Unread(str(card))
    return Value(card.rank(), card.is_red(), card.suit())


def value_of(state: State[Memory], token: int) -> Value | None:
    """Return what a card counts as, None for a joker that is open. Unread if it is not read."""
    card = state.face(token)
    if card.is_joker:
        return state.memory.standing(token)
    return as_value(card)


def foundation_top(state: State[Memory], zone: str) -> Value | None:
    """Return the highest card of a foundation, None if it is empty. Unread if its top is not.

    The highest, not the uppermost: of two cards that came within a moment the lower rank may
    lie on top (NERTZ-RACE-04), and a completed foundation may be turned over. Cards that were
    only asked about do not count.
    """
    pile = state.legal(zone)
    if not pile:
        return None
    if not state.face(pile[-1]).known:
        raise Unread(zone)
    values = [
        _on_foundation(state, lying.token)
        for lying in pile
        if state.face(lying).known and lying.token not in state.memory.asked
    ]
    return max(values, key=_rank, default=None)


def asked_on(state: State[Memory], zone: str) -> tuple[Value, ...]:
    """Return what the cards of a foundation count as that were only asked about."""
    asked = state.memory.asked
    if not asked:
        return ()
    return tuple(
        _on_foundation(state, lying.token) for lying in state.legal(zone) if lying.token in asked
    )


def goes_on(state: State[Memory], zone: str, value: Value, top: Value | None) -> bool:
    """Return whether a card is the next one there: of the foundation, or of a card in doubt.

    Where a card was taken away that is owed, also of what lies there without it (K-29).
    """
    if fits_foundation(value, top):
        return True
    robbed = any(debt.origin == zone for debt in state.debts)
    left = (_top_left(state, zone),) if robbed else ()
    return any(fits_foundation(value, card) for card in (*left, *asked_on(state, zone)))


def _top_left(state: State[Memory], zone: str) -> Value | None:
    """Return the top card that lies in a zone as it is seen, but for cards owed elsewhere."""
    left = state.without_owed(zone)
    if not left and not state.table.knows(zone):
        raise Unread(f"what is left of {zone}")
    return _on_foundation(state, left[-1].token) if left else None


def _rank(value: Value) -> int:
    return value.rank


def _on_foundation(state: State[Memory], token: int) -> Value:
    value = value_of(state, token)
    if value is None:
        raise Unread("a joker that nobody named")
    return value


def fits_foundation(value: Value, top: Value | None) -> bool:
    """Return whether a card is the next one of a foundation, or may start one."""
    if top is None:
        return value.rank == 1
    return same_suit(value, top) and value.rank == top.rank + 1


def same_suit(value: Value, top: Value) -> bool:
    """Return whether the suits agree; an open suit agrees with all of its colour."""
    if value.suit is None or top.suit is None:
        return value.red == top.red
    return value.suit == top.suit


def is_above_gap(value: Value, top: Value | None) -> bool:
    """Return whether a card would fit once lower cards came that are not there yet."""
    if top is None:
        return value.rank > 1
    return same_suit(value, top) and value.rank > top.rank + 1


def descends(upper: Value, lower: Value) -> bool:
    """Return whether a card fits on another of a work stack."""
    return lower.rank == upper.rank + 1 and lower.red != upper.red


def named_for(case: Case[Memory]) -> Named | None:
    """Return the declaration under which a joker was just placed.

    Unread where several jokers were declared and nobody can tell which of them it is.
    """
    contact = case.setup.instant(case.event)
    side = side_of(case.setup, mover(case))
    found: list[Named] = []
    for named in reversed(case.memory.named):
        ours = named.seat is None or side_of(case.setup, named.seat) == side
        slack_ns = contact.u_ns + named.instant.u_ns
        fresh = contact.t_ns - named.instant.t_ns <= NAMED_NS + slack_ns
        if ours and fresh and _is_same(named.joker, case.card):
            found.append(named)
    if any(not named.joker.may_be(found[0].joker) for named in found):
        raise Unread(str(case.card))
    return next(iter(found), None)


def _is_same(named: Card, card: Card) -> bool:
    return named.may_be(card) and named.deck in (None, card.deck)


def placed_value(case: Case[Memory]) -> Value | None:
    """Return what the card counts as on a foundation, None for a joker that nobody named."""
    if not case.card.is_joker:
        return as_value(case.card)
    named = named_for(case)
    return as_value(named.card) if named else None


def meets(case: Case[Memory]) -> tuple[Value | None, Value | None] | None:
    """Return the upper and the lower card that come to touch on a work stack (None: open joker).

    None where nothing is touched: another place, or an empty one. Unseen if that is not known.
    """
    move, before = case.moved, case.before
    if part_of(move.target) != "work":
        return None
    top = before.top(move.target)
    if top is None:
        return None
    if move.under:
        before.height(move.target)
        base = before.legal(move.target)[0]
        return value_of(before, base.token), value_of(before, move.tokens[-1])
    return value_of(before, move.tokens[0]), value_of(before, top.token)


def meets_joker(case: Case[Memory]) -> bool:
    """Return whether one of the two cards that touch on a work stack is a joker."""
    move, before = case.moved, case.before
    pile = before.legal(move.target)
    moved = move.tokens[-1 if move.under else 0]
    return any(
        before.face(token).is_joker for token in (moved, pile[0 if move.under else -1].token)
    )


def rival(case: Case[Memory]) -> Landed | None:
    """Return the card that another player just laid in the place that this one was meant for.

    House rule T-07: within the contention time, and this one fits beneath it.
    """
    move, value = case.moved, placed_value(case)
    if not is_foundation(move.target) or value is None or not mover(case):
        return None
    if goes_on(case.before, move.target, value, foundation_top(case.before, move.target)):
        return None
    span_ns = case.setup.span_ns("race.contention_s")
    lying = {lying.token for lying in case.before.legal(move.target)}
    here = [
        replace(landed, value=landed_value(case, landed))
        for landed in case.memory.landed
        if landed.zone == move.target
        and set(landed.debt.tokens) <= lying
        and landed.seat != side_of(case.setup, mover(case))
        and abs(case.event.t_ns - landed.instant.t_ns) <= span_ns
    ]
    wanted = (landed for landed in here if landed.value and _same_place(landed.value, value))
    return min(wanted, key=lambda landed: landed.instant.t_ns, default=None)


def landed_value(case: Case[Memory], landed: Landed) -> Value | None:
    """Return what a card that came before counts as; it may have been read since. Unread if not."""
    return landed.value or value_of(case.before, landed.debt.tokens[0])


def _same_place(one: Value, other: Value) -> bool:
    """Return whether two cards want one place: the same card, or two aces."""
    return one.rank == other.rank and (one.rank == 1 or same_suit(one, other))


def fixed(state: State[Memory], pile: Pile) -> tuple[Standing, ...]:
    """Return what the open jokers of a work stack stand for, by the cards that lie on them."""
    found: list[Standing] = []
    above: Value | None = None
    for lying in reversed(pile):
        card = state.face(lying)
        value = value_of(state, lying.token) if card.is_suited or card.is_joker else None
        opens = value is None and card.is_joker
        if opens and above is not None and above.rank < KING:
            value = Value(above.rank + 1, not above.red, None)
            found.append(Standing(lying.token, value))
        above = value
    return tuple(found)


def on_foundation(state: State[Memory], pile: Pile) -> tuple[Standing, ...]:
    """Return what the open jokers of a foundation stand for, by the cards below and above them."""
    found: list[Standing] = []
    for index, lying in enumerate(pile):
        if not state.face(lying).is_joker or state.memory.standing(lying.token):
            continue
        if near := _read(state, pile):
            at, card = min(near, key=lambda pair: abs(pair[0] - index))
            value = as_value(card)
            rank = min(max(value.rank + index - at, 1), KING)
            found.append(Standing(lying.token, replace(value, rank=rank)))
    return tuple(found)


def _read(state: State[Memory], pile: Pile) -> list[tuple[int, Card]]:
    faces = ((index, state.face(lying)) for index, lying in enumerate(pile))
    return [(index, card) for index, card in faces if card.is_suited]


def with_standings(state: State[Memory], more: tuple[Standing, ...]) -> State[Memory]:
    """Return the state in which jokers stand for something from now on."""
    if not more:
        return state
    new = {standing.token for standing in more}
    kept = tuple(s for s in state.memory.stands if s.token not in new)
    return state.with_memory(replace(state.memory, stands=(*kept, *more)))


def declared_card(word: str) -> Card | None:
    """Return the suited card that a player names, None if it is none."""
    if len(word) == 2 and Card(word).is_suited:
        return Card(word)
    return None
