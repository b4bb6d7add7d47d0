"""Nerds: what the game remembers after each event, and the decisions that follow from it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds import races, turning
from referee.games.nerds.counting import is_no_pile, is_start
from referee.games.nerds.game import (
    ACE_PILES_EACH,
    GAME,
    Memory,
    Over,
    draw_debts,
    is_foundation,
    is_of_another_deck,
    is_on,
    is_too_late,
    mover,
    part_of,
    seat_of,
)
from referee.games.nerds.hands import follow_hands
from referee.games.nerds.scoring import CALL, SCORE, end_hand, is_out, ring, shows_left
from referee.rulebook import (
    Alarm,
    Case,
    Instant,
    Outcome,
    Setup,
    State,
    Table,
    Unseen,
    Verdict,
    open_table,
    replace,
)
from referee.rulebook.asking import FROM_NOWHERE, is_from_nowhere
from referee.values import (
    CardLifted,
    CardPlaced,
    Configured,
    Dealt,
    Declared,
    Event,
    PileMoved,
    Ruling,
)

Step = tuple[State[Memory], list[Ruling]]
MORE_THAN_ANY_HAND = 99


def open_memory(blank: State[None]) -> State[Memory]:
    """Return the state at the start of a match. Raises ValueError for a faulty flag."""
    setup = blank.setup
    over = Over(0, Instant(0, 0), None) if setup.phase == "COUNT" else None
    memory = Memory(
        started=setup.phase in ("PLAY", "COUNT"),
        target=setup.number("target"),
        totals=setup.totals(),
        over=over,
    )
    table = _with_ace_places(blank.table, setup)
    return replace(blank, table=table, memory=memory)  # type: ignore[arg-type, return-value]


def _with_ace_places(table: Table, setup: Setup) -> Table:
    """Return the table where all ace places are known: where nothing is listed nothing lies."""
    places = (f"F.{n}" for n in range(1, ACE_PILES_EACH * len(setup.seats) + 1))
    for place in places:
        table = table if place in table.piles else table.with_whole(place)
    return table


def prepare(state: State[Memory], event: Event) -> State[Memory]:
    """Clear the table when the next hand is dealt."""
    memory = state.memory
    start = isinstance(event, Declared) and event.what == "start"
    if memory.over is None or not (isinstance(event, Dealt) or start):
        return state
    seats = sorted(state.setup.seats)
    fresh = Memory(
        started=False,
        target=memory.target,
        hand=1 if memory.won else memory.hand + 1,
        totals=dict.fromkeys(seats, 0) if memory.won else memory.totals,
        uncounted=memory.uncounted,
    )
    table = open_table((), fresh=isinstance(event, Dealt), groups=())
    # No card of the next hand is taken for one of the last.
    table = replace(table, next_token=state.table.next_token)
    table = _with_ace_places(table, state.setup)
    return state.dealt_anew(fresh, table)


def follow(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Step the memory over one judged event."""
    late = races.read_late(state)
    outcome = _followed(case, late.state, verdict)
    return Outcome(outcome.state, (*late.rulings, *outcome.rulings))


def _followed(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    match case.event:
        case Declared():
            return _declared(case, state)
        case Configured():
            return _configured(case, state)
        case Dealt():
            return Outcome(_dealt(case, state))
        case CardPlaced() | PileMoved() | CardLifted():
            hands = follow_hands(case, state)
            if case.move is None:
                return hands
            outcome = _moved(case, hands.state, verdict)
            return Outcome(outcome.state, (*hands.rulings, *outcome.rulings))
        case _:
            return Outcome(_with_strays(case, state))


def _dealt(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    assert isinstance(case.event, Dealt)
    memory = state.memory
    if not is_no_pile(case):
        memory = replace(memory, dealt=memory.dealt | {case.event.zone})
    return _with_strays(case, state.with_memory(memory))


def _with_strays(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Remember cards of another deck, so that they are told once."""
    move, memory = case.move, state.memory
    if move is None:
        return state
    home = seat_of(case.origin) or seat_of(move.target)
    strays = {t for t in move.tokens if is_of_another_deck(case.table.face(t), home)}
    if strays <= memory.strays:
        return state
    return state.with_memory(replace(memory, strays=memory.strays | strays))


def _configured(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    assert isinstance(case.event, Configured)
    rulings: list[Ruling] = []
    for word in case.event.words:
        name, _, value = word.partition("=")
        if name == "players" and not _players(value):
            text = "no players; the game needs at least one"
            rulings.append(GAME.ruling("REQ-01", "VIOLATION", case.event, text))
        if name == "target" and value.isdigit() and len(value) <= 9:
            state, told = _target(case, state, int(value))
            rulings += told
    return Outcome(state, tuple(rulings))


def _players(value: str) -> int:
    return int(value) if value.isdigit() else len([seat for seat in value.split(",") if seat])


def _target(case: Case[Memory], state: State[Memory], target: int) -> Step:
    """Set the target before the first hand; later it stays, and that is told."""
    memory = state.memory
    if memory.started or memory.hand > 1:
        if target == memory.target:
            return state, []
        text = f"the target stays {memory.target}"
        return state, [GAME.ruling("SCORE-04", "INFO", case.event, text)]
    return state.with_memory(replace(memory, target=target)), []


def _declared(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    event, memory = case.event, state.memory
    assert isinstance(event, Declared)
    if is_start(case):
        return Outcome(state.with_memory(replace(memory, started=True)))
    if event.what == "call":
        return _called(case, state)
    if event.what == "stuck" and memory.started and memory.over is None:
        return _stuck(case, state)
    return Outcome(state)


def _named(case: Case[Memory]) -> str | None:
    """Return whose declaration it is: the key's seat, or the one that the operator names."""
    assert isinstance(case.event, Declared)
    word = case.event.words[0] if case.event.words else None
    return case.seat or (word if word in case.setup.seats else None)


def _called(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    event, seat = case.event, _named(case)
    if state.memory.over is not None:
        ruling = GAME.ruling("CALL-02", "INFO", event, "the hand is over already", player=seat)
        return Outcome(state, (ruling,))
    if seat is None:
        return Outcome(state, (GAME.ruling("CALL-01", "QUERY", event, "who called?"),))
    try:
        left = shows_left(state, seat)
    except Unseen as reason:
        kind = "NOT_OBSERVED" if state.blind else "QUERY"
        return Outcome(state, (GAME.ruling("CALL-03", kind, event, str(reason)),))
    instant = case.setup.instant(event)
    if not left:
        return end_hand(state, event, instant, seat, "hand over")
    due_ns = instant.t_ns + instant.u_ns + case.setup.span_ns("race.u_card_ms")
    return Outcome(state.with_alarm(due_ns, f"{CALL} {seat} {instant.u_ns}", event.n))


def _stuck(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    memory, seat = state.memory, _named(case)
    stuck = memory.stuck | ({seat} if seat else frozenset())
    if not stuck >= set(case.setup.seats):
        return Outcome(state.with_memory(replace(memory, stuck=stuck)))
    if case.setup.option("stuck") == "rotate" and not memory.rotated:
        memory = replace(memory, stuck=frozenset(), rotated=True, rotating=stuck)
        text = "all are stuck: turn the discard pile, put the top card of the draw pile under it"
        return Outcome(
            state.with_memory(memory), (GAME.ruling("CALL-02", "INFO", case.event, text),)
        )
    state = state.with_memory(replace(memory, stuck=stuck))
    return end_hand(state, case.event, case.setup.instant(case.event), None, "stuck")


def _moved(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    state = _with_strays(case, state)
    if verdict.cured is not None:
        return Outcome(turning.put_right(case, state, verdict.cured))
    state = _after_move(case, state)
    if not verdict.fine or not is_on(case) or case.moved.turned:
        return Outcome(state)
    if part_of(case.origin) == "stock" and part_of(case.moved.target) == "waste":
        return turning.turned(case, state)
    if part_of(case.moved.target) == "stock":
        return turning.taken_back(case, state)
    outcome = Outcome(state)
    if is_foundation(case.moved.target):
        outcome = _arrived(case, state, verdict)
    return _went_out(case, replace(outcome, rulings=(*_from_nowhere(case), *outcome.rulings)))


def _from_nowhere(case: Case[Memory]) -> Iterator[Ruling]:
    """Tell of a card that was played from nobody knows where."""
    if is_from_nowhere(case):
        yield GAME.ruling(
            "OWN-01", "NOT_OBSERVED", case.event, FROM_NOWHERE, player=mover(case) or None
        )


def _arrived(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Take a card that came to an ace pile; one that cannot be judged waits to be read."""
    if verdict.doubtful:
        return Outcome(races.unread(case, state))
    return races.arrived(case, state)


def _after_move(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Take back the mover's word that he is stuck; a turned-over pile settles what it owed."""
    memory, seat = state.memory, mover(case)
    turns = part_of(case.origin) in ("waste", "stock") and part_of(case.moved.target) == "stock"
    if memory.stuck or memory.rotating:
        memory = replace(
            memory,
            stuck=memory.stuck - {seat or ""},
            rotating=memory.rotating if turns else memory.rotating - {seat or ""},
        )
    if turns and part_of(case.origin) == "waste":
        settled = draw_debts(state, seat)
        state = replace(state, debts=tuple(d for d in state.debts if d not in settled))
    return state.with_memory(memory)


def _went_out(case: Case[Memory], outcome: Outcome[Memory]) -> Outcome[Memory]:
    """Tell that a Nerds pile is empty; by option that ends the hand."""
    state, seat = outcome.state, seat_of(case.origin)
    if not is_out(state, case.origin) or state.memory.over is not None or is_too_late(case):
        return outcome
    if case.setup.option("end_on") == "empty":
        ended = end_hand(state, case.event, case.setup.instant(case.event), seat, "hand over")
        return Outcome(ended.state, (*outcome.rulings, *ended.rulings))
    info = GAME.ruling("NERDS-05", "INFO", case.event, f"{seat} is out", player=seat)
    return Outcome(state, (*outcome.rulings, info))


def rang(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Decide what had to wait."""
    if alarm.name.startswith((CALL, SCORE)):
        return ring(state, alarm)
    return turning.ring(state, alarm)
