"""Nerves: hands and pads on the spots, fused from two sensors to hits (T-05)."""

from __future__ import annotations

from referee.games.nerves import ripening
from referee.games.nerves.game import GAME, PILES, SPOTS, Hit, Memory, Touch
from referee.games.nerves.hits import as_case, chance, is_spent
from referee.rulebook import Alarm, Case, Outcome, State, replace, surely_before
from referee.values import HandOff, HandOn, PadHit, Ruling

# A lone hand on the middle is ruled on when it leaves. If it never does, this ends the match.
LONGEST_NS = 3_600_000_000_000

Step = tuple[State[Memory], list[Ruling]]


def pad_hit(case: Case[Memory], state: State[Memory]) -> Step:
    """Take a pad hit; without a name it takes the name of the hand that the camera saw there."""
    event = case.event
    assert isinstance(event, PadHit)
    if event.spot not in SPOTS:
        return state, []
    pad = _touch(case, event.spot, pad=True)
    hands = [t for t in state.memory.touches if not t.pad and _is_same(state, t, pad)]
    twin = min(hands, key=lambda t: abs(t.instant.t_ns - pad.instant.t_ns), default=None)
    state = _without(state, twin)
    if pad.seat is None and twin is None:
        return _wait(state, pad)
    return _named(state, pad, twin), []


def _named(state: State[Memory], pad: Touch, hand: Touch | None) -> State[Memory]:
    """Return the state with the hit that a pad felt, by the player and hand the camera saw."""
    seat, side = pad.seat, pad.hand
    if hand is not None:
        seat = seat or hand.seat
        side = hand.hand if side in (None, "?") else side
    pad = replace(pad, seat=seat, hand=side)
    resting = any(_is_resting(state, lying, pad) for lying in state.memory.resting)
    # A pad that feels the hand once more has felt it leave.
    lying = tuple(t for t in state.memory.resting if (t.seat, t.hand) != (seat, side))
    memory = replace(state.memory, pads=(*state.memory.pads[-3:], pad), resting=lying)
    hit = Hit(pad.n, pad.instant, seat or "", side, pad.spot, resting=resting, frames=pad.frames)
    return ripening.with_hit(state.with_memory(memory), hit)


def _is_resting(state: State[Memory], lying: Touch, pad: Touch) -> bool:
    """Return whether this hand lay on the spot long before the pad felt it."""
    same = (lying.seat, lying.hand, lying.spot) == (pad.seat, pad.hand, pad.spot)
    fuse_ns = state.setup.span_ns("race.fuse_ms")
    return same and pad.instant.t_ns - lying.instant.t_ns > fuse_ns


def hand_on(case: Case[Memory], state: State[Memory]) -> Step:
    """Take a hand on a spot: it names a pad hit, or waits whether a pad hit comes."""
    event, memory = case.event, state.memory
    assert isinstance(event, HandOn)
    hand = _touch(case, event.zone, pad=False)
    state = state.with_memory(replace(memory, resting=(*_others(case, memory), hand)))
    for pad in memory.touches:
        if pad.pad and hand.seat and _is_same(state, hand, pad):
            return _named(_without(state, pad), pad, hand), []
    for pad in memory.pads:
        if _is_same(state, hand, pad) and pad.hand in (hand.hand, None, "?"):
            return ripening.hand_seen(state, pad.n, hand.hand), []
    if hand.seat is None:
        return state, []
    return _wait(state, hand)


def _others(case: Case[Memory], memory: Memory) -> tuple[Touch, ...]:
    return tuple(t for t in memory.resting if (t.seat, t.hand) != (case.seat, case.hand))


def hand_off(case: Case[Memory], state: State[Memory]) -> Step:
    """A hand left: one that only the camera saw on the middle has hit it."""
    event, memory = case.event, state.memory
    assert isinstance(event, HandOff)
    left = [t for t in memory.loners if (t.seat, t.hand) == (case.seat, case.hand)]
    loners = tuple(t for t in memory.loners if t not in left)
    state = state.with_memory(replace(memory, loners=loners, resting=_others(case, memory)))
    return _hit_alone(state, left)


def used_elsewhere(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which the hand that moves cards rests nowhere any more."""
    if not state.memory.resting:
        return state
    return state.with_memory(replace(state.memory, resting=_others(case, state.memory)))


def touch_alone(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Take a touch that only one sensor saw: the hand hits, the nameless pad is asked about."""
    touch = next((t for t in state.memory.touches if t.n == alarm.n), None)
    if touch is None:
        return Outcome(state)
    state = _without(state, touch)
    case = as_case(state, _hit(touch))
    if touch.pad:
        if is_spent(case):
            return Outcome(state)
        text = f"{touch.spot} was hit, but no hand was seen: who was it?"
        return Outcome(state, (GAME.ruling("HIT-02", "QUERY", case.event, text),))
    if _plays_there(state, touch) or is_spent(case):
        return Outcome(state)
    opening = chance(case)
    if opening is not None and touch.spot in PILES:
        # A hand that was over the pile before it might be hit is no hit there.
        opening = opening if surely_before(opening.instant, touch.instant) else None
    if opening is not None:
        return Outcome(*_as_outcome(_hit_alone(state, [touch])))
    memory = state.memory
    if touch.spot in PILES or memory.pads or any(t.pad for t in memory.touches):
        # A hand over a playing pile is seen at every play, and where pads lie, a hand that none
        # of them felt did not hit.
        return Outcome(state)
    state = state.with_memory(replace(memory, loners=(*memory.loners, touch)))
    return Outcome(state.with_alarm(alarm.due_ns + LONGEST_NS, "lies", touch.n))


def lay_there(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Take a hand that never left the middle as a hit."""
    left = [touch for touch in state.memory.loners if touch.n == alarm.n]
    return Outcome(*_as_outcome(_hit_alone(state, left)))


def _as_outcome(step: Step) -> tuple[State[Memory], tuple[Ruling, ...]]:
    return step[0], tuple(step[1])


def _hit_alone(state: State[Memory], touches: list[Touch]) -> Step:
    rulings: list[Ruling] = []
    for touch in touches:
        state = ripening.with_hit(state, _hit(touch), alarm=False)
        outcome = ripening.ripen(state, touch.n)
        state = outcome.state
        rulings += outcome.rulings
    return state, rulings


def _hit(touch: Touch) -> Hit:
    hand = touch.hand
    return Hit(touch.n, touch.instant, touch.seat or "", hand, touch.spot, frames=touch.frames)


def _plays_there(state: State[Memory], touch: Touch) -> bool:
    """Return whether the hand was on the pile to play a card there, not to hit it."""
    arrival = state.arrivals.get(touch.spot)
    if arrival is None or (arrival.seat, arrival.hand) != (touch.seat, touch.hand):
        return False
    gap_ns = arrival.instant.t_ns - touch.instant.t_ns
    at_once = not surely_before(arrival.instant, touch.instant)
    return at_once and gap_ns <= state.setup.span_ns("race.fuse_ms")


def _touch(case: Case[Memory], spot: str, *, pad: bool) -> Touch:
    instant = case.setup.instant(case.event)
    frames, now_ns = case.event.frames, case.before.now_ns
    return Touch(case.event.n, instant, case.seat, case.hand, spot, pad, frames, now_ns)


def _wait(state: State[Memory], touch: Touch) -> Step:
    memory = replace(state.memory, touches=(*state.memory.touches, touch))
    due_ns = touch.alone_ns(state.setup.span_ns("race.fuse_ms"))
    return state.with_memory(memory).with_alarm(due_ns, "touch", touch.n), []


def _without(state: State[Memory], touch: Touch | None) -> State[Memory]:
    left = tuple(t for t in state.memory.touches if t is not touch)
    return state.with_memory(replace(state.memory, touches=left))


def _is_same(state: State[Memory], hand: Touch, pad: Touch) -> bool:
    """Return whether a hand and a pad hit may be the same touch."""
    gap_ns = abs(hand.instant.t_ns - pad.instant.t_ns)
    near = gap_ns <= state.setup.span_ns("race.fuse_ms")
    sides = hand.hand == pad.hand or not {hand.hand, pad.hand} <= {"L", "R"}
    return near and hand.spot == pad.spot and pad.seat in (None, hand.seat) and sides
