"""XIX: when the camera lost sight of the middle and an act shows that something was missed.

Nothing is ruled on what nobody saw. The exchange is followed again from the point at which the
players themselves say how it ended: by abandoning it, by drafting, or by trading.
"""

from __future__ import annotations

from referee.games.xix import doubts
from referee.games.xix.exchange import Step, acted, drafted_out
from referee.games.xix.game import (
    GAME,
    MIDDLE,
    OF_EXCHANGE,
    Decided,
    Memory,
    is_give,
    is_pick,
    is_take,
    opponent,
    player_of,
    with_talon_in_doubt,
)
from referee.rulebook import Case, State, replace
from referee.values import Event, Ruling, ViewLost

OF_ORDER = frozenset(f"XIX-{id}" for id in OF_EXCHANGE)


def with_gap(state: State[Memory], event: ViewLost) -> State[Memory]:
    """Return the state in which acts may be missed from now on."""
    if MIDDLE in event.zones or "*" in event.zones:
        return state.with_memory(replace(state.memory, gap=True))
    return state


def lose_track(case: Case[Memory], state: State[Memory], id: str, *, told: bool = False) -> Step:
    """Stop judging the order of this exchange, after an act that does not follow from the last.

    `told`: it was said already that the act is not judged. Taken back it changes nothing.
    """
    bare = id.removeprefix(f"{GAME.prefix}-")
    text = "acts before this one were not seen; it is not judged"
    ruling = GAME.ruling(bare, "NOT_OBSERVED", case.event, text)
    before = state.memory
    if before.stage == "draft" and case.move is not None:
        state, rulings = _shared_on(case, state)
    else:
        memory = replace(before, stage="lost", lead=None, due=(), decided=None, gap=False)
        state, rulings = regain(case, state.with_memory(memory))
    if case.move is not None:
        state = doubts.remember(case, state, id, before)
    return state, rulings if told else [ruling, *rulings]


def _shared_on(case: Case[Memory], state: State[Memory]) -> Step:
    """Go on with the draft, or with what follows it, as the players do who saw all of it."""
    seat, loser = player_of(case), state.memory.loser
    # After the winner's card it is the loser's turn again.
    picks = (0, 0) if seat == loser else (1, 0)
    state = state.with_memory(replace(state.memory, picks=picks, gap=False))
    if not is_pick(case):
        state = drafted_out(case, state)
    return acted(case, state, seat) if seat else (state, [])


def disputed(state: State[Memory]) -> Step:
    """Stop judging an exchange in which both players took the strike of a trick nobody could read.

    What followed from the first one's word is not true any more, nor is the other's.
    """
    decided = state.memory.decided
    assert decided is not None
    text = "both players say that they lost the trick; the exchange is not followed on"
    rulings = [GAME.ruling("TRICK-07", "QUERY", decided.trick.event, text)]
    rulings += withdrawn_score(state, decided)
    memory = replace(decided.before, stage="lost", lead=None, due=(), held=())
    return state.with_memory(memory), rulings


def withdrawn_score(state: State[Memory], decided: Decided) -> list[Ruling]:
    """Return a notice if an exchange was scored over a trick that is decided anew."""
    if decided.before.scores == state.memory.scores:
        return []
    text = "withdrawn: the exchange is not over"
    return [GAME.ruling("SCORE-03", "INFO", decided.trick.event, text)]


def regain(case: Case[Memory], state: State[Memory]) -> Step:
    """Follow the game again if a card is drafted or traded: by the loser of the exchange first."""
    seat = player_of(case)
    if case.move is None or seat is None or not (is_pick(case) or is_take(case) or is_give(case)):
        return state, []
    state, rulings = shared(state, case.event, seat)
    state, more = acted(case, state, seat)
    return state, [*rulings, *more]


def shared(state: State[Memory], event: Event, loser: str) -> Step:
    """Return the state in which an exchange with tricks that nobody saw is over.

    How many cards are drafted after it is not known.
    """
    memory = replace(
        state.memory,
        stage="draft",
        strikes=(0, 0),
        loser=loser,
        leader=opponent(state.setup, loser),
        due=(),
        picks=(0, 0),
        taken=None,
        given=None,
        exchanges=state.memory.exchanges + 1,
        closed_n=event.n,
        opening=False,
    )
    table = state.table.with_pile(MIDDLE, state.table.pile(MIDDLE))
    state = replace(state, table=replace(table, whole=table.whole - {MIDDLE}))
    state = with_talon_in_doubt(state.with_memory(memory))
    text = f"{loser} lost an exchange that was not seen whole; what is it worth?"
    return state, [GAME.ruling("SCORE-03", "QUERY", event, text)]
