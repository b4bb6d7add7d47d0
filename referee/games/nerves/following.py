"""Nerves: what the game remembers after each event."""

from __future__ import annotations

from referee.games.nerves import declaring, laying, moving, ripening, touching
from referee.games.nerves.game import MIDDLE, PILES, SPOTS, Memory, Opening, Taken
from referee.games.nerves.hits import slaps_blocked
from referee.games.nerves.places import is_live, part_of, tops_equal
from referee.rulebook import Alarm, Case, Debt, Lying, Outcome, State, Verdict, replace
from referee.values import (
    Card,
    CardPlaced,
    Declared,
    HandOff,
    HandOn,
    PadHit,
    PileMixed,
    PileMoved,
    Reread,
    Ruling,
)

Step = tuple[State[Memory], list[Ruling]]


def follow(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Step the memory over one judged event."""
    match case.event:
        case Declared():
            state, rulings = declaring.declared(case, state, verdict)
        case HandOn() | HandOff() | PadHit():
            state, rulings = _hands(case, state)
        case PileMixed():
            rulings = []
        case _ if case.move is not None and not case.moved.turned:
            state, rulings = _cards(case, state, verdict)
        case Reread():
            state, rulings = _reread(state)
        case _:
            rulings = []
    if case.move is not None:
        state = laying.finished(case, state, verdict)
    if told := state.memory.told:
        state = state.with_memory(replace(state.memory, told=()))
        rulings = [*told, *rulings]
    return Outcome(state, tuple(rulings))


def _cards(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    rulings: list[Ruling] = []
    if ripening.takes_over(case):
        outcome = ripening.settle_asked(state)
        state, rulings = outcome.state, list(outcome.rulings)
        # What moves now is judged against the decision.
        case = replace(case, before=case.before.with_memory(state.memory))
    state = touching.used_elsewhere(case, state)
    if isinstance(case.event, PileMoved) and "NERVES-SET-03" in verdict.found:
        state = state.with_memory(replace(state.memory, recut=True))
    state, more = moving.moved(case, state, verdict)
    if isinstance(case.event, CardPlaced) and case.moved.target in PILES and state.memory.unread:
        late = ripening.read_late(state)
        state, more = late.state, [*more, *late.rulings]
    if case.event.source == "camera":
        state = _not_counted(case, state)
    if part_of(case.moved.origin) == "held":
        state = _laid_back(case, state)
    if part_of(case.moved.target) == "held":
        state = _in_hand(case, _taken(case, state))
    return state, [*rulings, *more]


def _not_counted(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which nobody knows how many cards a packet has that was cut off.

    No camera counts it, nor what becomes of it when it is carried, taken up or put down whole,
    however surely it saw that.
    """
    move, table = case.moved, state.table
    if isinstance(case.event, CardPlaced):
        return state
    if move.target == "cut.1":
        table = table.uncounted(move.origin).uncounted(move.target)
    elif not move.height and not case.before.table.knows(move.origin):
        table = table.with_whole(move.origin).uncounted(move.target)
    return replace(state, table=table)


def _taken(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Remember the cards that were taken on hand from a column, by whomever."""
    zone, tokens = case.moved.origin, case.moved.tokens
    if part_of(zone) != "arr":
        return state
    block = [lying for lying in case.before.table.pile(zone) if lying.token in tokens]
    up = tuple(lying.up for lying in block)
    taken = Taken(zone, up, tuple(case.before.face(lying) for lying in block))
    others = (old for old in state.memory.taken if old.zone != zone)
    return state.with_memory(replace(state.memory, taken=(*others, taken)))


def _laid_back(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which a block from a hand faces as it did in the column it left.

    No event of a block tells how its cards face: on another column it shows its top card.
    """
    zone, tokens = case.moved.target, case.moved.tokens
    if part_of(zone) != "arr" or not isinstance(case.event, PileMoved) or case.moved.flip:
        return state
    old = next((taken for taken in state.memory.taken if taken.zone == zone), None)
    if old is not None and len(old.up) == len(tokens):
        up = old.up
    elif is_live(case):
        up = (*(False,) * (len(tokens) - 1), True)
    else:
        return state
    faced = dict(zip(tokens, up, strict=True))
    pile = tuple(Lying(x.token, faced.get(x.token, x.up)) for x in state.table.pile(zone))
    return replace(state, table=state.table.with_pile(zone, pile))


def _in_hand(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which nobody knows which card of a hand is which.

    A hand is held as its player likes; every card that comes out of it is read anew.
    """
    zone = case.moved.target
    old = state.table.pile(zone)
    table, made = state.table.mint([Card("??")] * len(old))
    fresh = dict(zip((lying.token for lying in old), made, strict=True))
    pile = tuple(Lying(fresh[lying.token], lying.up) for lying in old)
    memory = replace(state.memory, kept=_renamed(state.memory.kept, fresh))
    debts = _renamed(state.debts, fresh)
    return replace(state, table=table.with_pile(zone, pile), memory=memory, debts=debts)


def _renamed(debts: tuple[Debt, ...], fresh: dict[int, int]) -> tuple[Debt, ...]:
    """Return debts with the cards of a hand by their new tokens."""
    return tuple(
        replace(debt, tokens=tuple(fresh.get(token, token) for token in debt.tokens))
        for debt in debts
    )


def _hands(case: Case[Memory], state: State[Memory]) -> Step:
    event = case.event
    if isinstance(event, PadHit):
        return touching.pad_hit(case, state)
    assert isinstance(event, HandOn | HandOff)
    if part_of(event.zone) == "side":
        return declaring.palm(case, state)
    if isinstance(event, HandOff):
        return touching.hand_off(case, state)
    if event.zone in SPOTS:
        return touching.hand_on(case, state)
    return touching.used_elsewhere(case, state), []


def _reread(state: State[Memory]) -> Step:
    """Open the slap that a card makes which is read only now, and judge the hits on it."""
    memory = state.memory
    closed = all(opening.cover for opening in memory.matches)
    arrivals = [state.arrivals[pile] for pile in PILES if pile in state.arrivals]
    over = MIDDLE in memory.decided  # and no card came since
    if closed and not over and arrivals and tops_equal(state) and not slaps_blocked(state):
        last = max(arrivals, key=lambda arrival: (arrival.instant.t_ns, arrival.n))
        zone = next(pile for pile in PILES if state.arrivals.get(pile) == last)
        opening = Opening(last.n, last.instant, last.seat, last.hand, zone)
        state = state.with_memory(replace(memory, matches=(*memory.matches, opening)))
    elif not closed and not tops_equal(state):
        state = state.with_memory(replace(memory, matches=()))
    late = ripening.read_late(state)
    return late.state, list(late.rulings)


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Decide what had to wait."""
    match alarm.name:
        case "early":
            return declaring.early_for_long(state, alarm)
        case "kept":
            return moving.kept(state, alarm)
        case "restart_s":
            return moving.restart(state, alarm)
        case "touch":
            return touching.touch_alone(state, alarm)
        case "lies":
            return touching.lay_there(state, alarm)
        case "hand":
            return ripening.hand_never_told(state, alarm)
        case _:
            return ripening.ripen(state, alarm.n)
