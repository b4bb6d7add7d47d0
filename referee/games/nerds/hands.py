"""Nerds: by house option, only one hand at a time moves cards."""

from __future__ import annotations

from referee.games.nerds.game import GAME, Carry, Memory, is_on, part_of
from referee.rulebook import Case, Outcome, State, replace
from referee.values import CardLifted, CardPlaced, PileMoved, Ruling

STOCK = ("stock", "waste")


def follow_hands(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Follow what a player's hands carry; two at a time are told where the house forbids it."""
    seat, hand = case.seat, case.hand
    if not case.setup.is_on("one_hand") or seat is None or hand not in ("L", "R"):
        return Outcome(state)
    if not is_on(case) or _holds_stock(case):
        return Outcome(state)
    mine = next((c for c in _carries(state, seat) if c.hand == hand and _is_open(c)), None)
    since_ns = mine.since_ns if mine else _since_ns(case)
    lifted = isinstance(case.event, CardLifted)
    carry = Carry(seat, hand, since_ns, None if lifted else case.event.t_ns)
    both = mine is None and any(_overlaps(c, carry) for c in _carries(state, seat))
    second = both or (mine is not None and mine.second)
    if second and not lifted:
        state = state.with_flagged("NERDS-HAND-01")
    carry = replace(carry, second=second)
    others = tuple(c for c in state.memory.carries if (c.seat, c.hand) != (seat, hand))
    state = state.with_memory(replace(state.memory, carries=(*others, carry)))
    return Outcome(state, (_both_hands(case),) if both else ())


def _holds_stock(case: Case[Memory]) -> bool:
    """Return whether the hand only holds or turns the draw pile."""
    event = case.event
    if isinstance(event, CardLifted):
        return part_of(event.zone) == "stock"
    assert isinstance(event, CardPlaced | PileMoved)
    return part_of(event.origin) in STOCK and part_of(event.target) in STOCK


def _carries(state: State[Memory], seat: str) -> tuple[Carry, ...]:
    return tuple(carry for carry in state.memory.carries if carry.seat == seat)


def _is_open(carry: Carry) -> bool:
    return carry.until_ns is None


def _since_ns(case: Case[Memory]) -> int:
    event = case.event
    if isinstance(event, CardPlaced) and event.carry_ns is not None:
        return event.carry_ns
    return event.t_ns


def _overlaps(other: Carry, carry: Carry) -> bool:
    return other.hand != carry.hand and (other.until_ns is None or other.until_ns > carry.since_ns)


def _both_hands(case: Case[Memory]) -> Ruling:
    """Return the ruling under the id that is kept for this house option."""
    text = "both hands move cards at the same time"
    options = ("one_hand",)
    ruling = GAME.ruling(
        "NERDS-HAND-01", "VIOLATION", case.event, text, player=case.seat, options=options
    )
    remedy = "put the second card back"
    return replace(ruling, severity="procedure", remedy=remedy, remedy_source="ours")
