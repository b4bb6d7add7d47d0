"""Nertz: what the hands carry, which hand moves, and where the stock is held."""

from __future__ import annotations

from referee.games.nertz.game import (
    GAME,
    Carry,
    Memory,
    Waiting,
    is_recycling,
    is_turning,
    mover,
    part_of,
    side_of,
    with_waiting,
    without_waiting,
)
from referee.games.nertz.hands import LONGEST_CARRY_NS, is_hand_move, other_carry, takes
from referee.rulebook import Case, Instant, State, replace
from referee.rulebook.asking import is_unsure
from referee.values import CardPlaced, Ruling


def lifted(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """A hand picks a card up; if the other one carries already, both are judged in a moment."""
    if not takes(case) or case.seat is None or is_unsure(case.event):
        return state
    instant = case.setup.instant(case.event)
    second = other_carry(case) is not None
    if second:
        state = with_waiting(state, Waiting("both", case), case.event.t_ns + 2 * instant.u_ns)
    carry = Carry(case.seat, case.hand or "?", instant, second=second)
    kept = (c for c in state.memory.carries if (c.seat, c.hand) != (carry.seat, carry.hand))
    return state.with_memory(replace(state.memory, carries=(*kept, carry)))


def carries_second(case: Case[Memory]) -> bool:
    """Return whether cards are laid that were lifted while the other hand carried some."""
    return any(
        carry.second and carry.until_ns is None
        for carry in case.memory.carries
        if (carry.seat, carry.hand) == (case.seat, case.hand)
    )


def used(case: Case[Memory], memory: Memory) -> Memory:
    """Return the memory after a move: its player is not stuck, and used this hand."""
    seat, hand, stuck = case.seat, case.hand, memory.stuck
    hands = memory.hands
    if seat and hand in ("L", "R") and is_hand_move(case):
        hands = hands if any(s == seat for s, _ in hands) else hands | {(seat, hand)}
    rotating = memory.rotating
    if rotating and part_of(case.moved.target) in ("F", "work"):
        rotating = rotating - {side_of(case.setup, mover(case))}
    if not (stuck or rotating != memory.rotating or hands != memory.hands):
        return memory
    return replace(memory, stuck=stuck - {mover(case)}, hands=hands, rotating=rotating)


def set_down(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which the hand that moved cards carries nothing any more."""
    seat, hand, event = case.seat, case.hand, case.event
    memory = state.memory
    if seat is None or case.move is None or is_turning(case) or is_recycling(case):
        return state
    carries = []
    for carry in memory.carries:
        mine = carry.seat == seat and (hand not in ("L", "R") or carry.hand in (hand, "?"))
        old = event.t_ns - (carry.until_ns or carry.instant.t_ns) > LONGEST_CARRY_NS
        if mine and carry.until_ns is None:
            carry = replace(carry, until_ns=event.t_ns)
        if not old:
            carries.append(carry)
    carry_ns = event.carry_ns if isinstance(event, CardPlaced) else None
    if carry_ns is not None and hand in ("L", "R") and not is_unsure(event):
        lifted = Instant(carry_ns, case.setup.instant(event).u_ns)
        carries.append(Carry(seat, hand, lifted, until_ns=event.t_ns))
    both = (w for w in memory.waiting if w.what == "both" and w.case.seat == seat)
    state = state.with_memory(replace(memory, carries=tuple(carries)))
    for waiting in both:
        state = without_waiting(state, waiting)
    return state


def stock_on_table(case: Case[Memory], state: State[Memory]) -> list[Ruling]:
    """Tell (once) who does not hold the stock in the other hand, where the house wants it."""
    seat, hand = case.seat, case.hand
    if case.setup.option("stock_hand") != "must" or hand not in ("L", "R") or not seat:
        return []
    stock = f"{side_of(case.setup, seat)}.stock"
    held = any(c.zone == stock and c.actor.seat == seat for c in state.contacts)
    told = (seat, "HAND-02") in state.memory.told
    if held or told or not is_hand_move(case) or not state.table.pile(stock):
        return []
    text = f"{stock} lies on the table; the other hand holds it"
    return [GAME.ruling("HAND-02", "INFO", case.event, text, player=seat)]


def hand_told(case: Case[Memory], memory: Memory, rulings: list[Ruling]) -> Memory:
    """Return the memory after a player was told to hold the stock, if he was."""
    if not rulings or case.seat is None:
        return memory
    return replace(memory, told=memory.told | {(case.seat, "HAND-02")})
