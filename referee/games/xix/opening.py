"""XIX: how a match begins that starts in the middle of a game."""

from __future__ import annotations

from referee.games.xix.game import (
    DECK,
    HANDS,
    MIDDLE,
    TALON,
    THIRD_STRIKE,
    UNUSED,
    Given,
    Memory,
    Pair,
    Stage,
    is_middle_bare,
    opponent,
    part_of,
)
from referee.rulebook import Debt, Lying, Pile, Setup, State, Table, replace
from referee.values import Card

DEALT = 6


def open_memory(blank: State[None]) -> State[Memory]:
    """Return the state at the start of a match: by its phase and flags. Raises ValueError.

    What lies before the start is presumed to have been done correctly. Every trick gave one
    strike, so that as many pairs of cards lie in the middle as there are strikes.
    """
    setup = blank.setup
    loser, leader = _seat(setup, "loser"), _seat(setup, "lead")
    memory = Memory(
        stage=_stage(setup.phase),
        strikes=_pair(setup, "strikes", THIRD_STRIKE),
        scores=_pair(setup, "score", None) if setup.flag("score") else _pair(setup, "totals", None),
        loser=loser or opponent(setup, leader),
        leader=leader or opponent(setup, loser),
        shuffled=setup.phase != "DEAL",
        opening=setup.phase in ("DEAL", "SETUP"),
    )
    state: State[Memory] = replace(blank, memory=memory)  # type: ignore[arg-type, assignment]
    match setup.phase:
        case "DEAL" | "SETUP":
            return _dealing(state)
        case "DRAFT" | "TRADE":
            return _with_owed(_sharing(state, traded=setup.phase == "TRADE"))
        case "END":
            return state
        case _:
            return _playing(state)


def _stage(phase: str) -> Stage:
    if phase in ("DEAL", "SETUP"):
        return "deal"
    if phase == "END":
        return "over"
    return "draft" if phase in ("DRAFT", "TRADE") else "lead"


def _seat(setup: Setup, name: str) -> str | None:
    text = setup.flag(name)
    if text is not None and text not in setup.seats:
        raise ValueError(f"flag {name}={text[:40]}: write {' or '.join(setup.seats)}")
    return text


def _pair(setup: Setup, name: str, most: int | None) -> Pair:
    """Return the two numbers of a flag, 0 and 0 where it is not given. Raises ValueError."""
    text = setup.flag(name)
    if text is None:
        return (0, 0)
    words = text.split("/")
    limit = "" if most is None else f" up to {most}"
    if len(words) != 2 or not all(w.isascii() and w.isdigit() and len(w) < 5 for w in words):
        raise ValueError(f"flag {name}={text[:40]}: write two whole numbers{limit} like 1/0")
    one, other = int(words[0]), int(words[1])
    if most is not None and max(one, other) > most:
        raise ValueError(f"flag {name}={text[:40]}: write two whole numbers{limit} like 1/0")
    return (one, other)


def with_deck_unknown(table: Table) -> Table:
    """Return the table where nobody has said how many cards the deck holds."""
    if table.pile(DECK):
        return table
    return replace(table, piles={**table.piles, DECK: ()}, whole=table.whole - {DECK})


def _dealing(state: State[Memory]) -> State[Memory]:
    """Where some dealt cards are listed, what is not listed is unknown, not empty."""
    state = replace(state, table=with_deck_unknown(state.table))
    parts = ("talon", UNUSED, *HANDS)
    if any(part_of(zone) in parts for zone in state.table.piles):
        return replace(state, table=replace(state.table, fresh=False))
    return state


def _playing(state: State[Memory]) -> State[Memory]:
    memory, table, setup = state.memory, state.table, state.setup
    if MIDDLE not in table.piles:
        count = 2 * sum(memory.strikes) + (setup.phase == "REPLY")
        table, made = table.mint([Card("??")] * count)
        table = table.with_whole(MIDDLE).with_pile(MIDDLE, tuple(Lying(t, True) for t in made))
        state = replace(state, table=table)
    due = opponent(setup, memory.leader) if setup.phase == "DECIDE" else None
    memory = replace(
        memory,
        due=(due,) if due else (),
        later=_is_later(state),
        opening=_is_opening(state),
    )
    return _with_lead(_with_owed(state.with_memory(memory)))


def _is_later(state: State[Memory]) -> bool:
    """Whether cards lie open that only an earlier exchange can have opened."""
    opened = (*(f"{seat}.open" for seat in state.setup.seats), *TALON)
    return sum(state.memory.scores) > 0 or any(
        lying.up for zone in opened for lying in state.table.pile(zone)
    )


def _is_opening(state: State[Memory]) -> bool:
    """Whether all cards are still as they were dealt."""
    hands = (f"{seat}.closed" for seat in state.setup.seats)
    full = all(len(state.table.pile(hand)) == DEALT for hand in hands)
    return full and not state.table.pile(MIDDLE) and not _is_later(state)


def _with_lead(state: State[Memory]) -> State[Memory]:
    """An odd number of cards in the middle: the top one is led and waits for the reply.

    Unless there are fewer than the tricks that were played have: then one was not seen.
    """
    memory = state.memory
    pile = state.legal(MIDDLE)
    missing = len(pile) < 2 * sum(memory.strikes)
    if len(pile) % 2 == 0 or missing or memory.leader is None:
        return state
    origin = f"{memory.leader}.closed"
    token = pile[-1].token
    lead = Debt(0, "XIX-STRIKE-02", memory.leader, (token,), origin, 0, False, MIDDLE)
    return state.with_memory(replace(memory, stage="reply", lead=lead))


def found_over(state: State[Memory], loser: str) -> State[Memory]:
    """Return the state in which that exchange was over before, as its loser drafts or trades."""
    winner = opponent(state.setup, loser)
    memory = replace(state.memory, stage="draft", loser=loser, leader=winner, opening=False)
    return _sharing(state.with_memory(memory), traded=is_middle_bare(state))


def _sharing(state: State[Memory], *, traded: bool) -> State[Memory]:
    """Draft or trade: with an odd number of cards left the loser has chosen once more."""
    strikes = state.memory.strikes
    memory, table = replace(state.memory, strikes=(0, 0)), state.table
    state = state.with_memory(memory)
    if traded:
        if MIDDLE not in table.piles:
            state = replace(state, table=table.with_whole(MIDDLE))
        return state.with_memory(_half_traded(state))
    ahead = len(table.pile(MIDDLE)) % 2
    out = memory.loser if THIRD_STRIKE in strikes else None
    return state.with_memory(replace(memory, picks=(ahead, 0), struck_out=out))


def _half_traded(state: State[Memory]) -> Memory:
    """Return the memory after the half of the trade that the talon shows."""
    memory = state.memory
    for zone in TALON:
        pile: Pile = state.table.pile(zone)
        if zone in state.table.piles and not pile:
            return replace(memory, taken=zone)
        if len(pile) == 2:
            token, origin = pile[-1].token, f"{memory.loser}.open"
            debt = Debt(0, "XIX-TRADE-06", memory.loser, (token,), origin, 0, True, zone)
            return replace(memory, given=Given(zone, token, debt))
    return memory


def _with_owed(state: State[Memory]) -> State[Memory]:
    """Set the debt of the flag `owes=player/card/pile`. Raises ValueError."""
    text = state.setup.flag("owes")
    if text is None:
        return state
    words = text.split("/")
    if len(words) != 3 or words[0] not in state.setup.seats:
        raise ValueError(f"flag owes={text[:40]}: write player/card/pile")
    seat, card, zone = words
    for lying in state.table.pile(zone):
        if str(state.face(lying)) == card:
            origin = MIDDLE if zone != MIDDLE else f"{seat}.closed"
            rule = "XIX-TRICK-03" if zone == MIDDLE else "XIX-DRAFT-02"
            debt = Debt(0, rule, seat, (lying.token,), origin, 0, origin == MIDDLE, zone)
            return state.with_debt(debt)
    raise ValueError(f"flag owes={text[:40]}: {card} does not lie in {zone}")
