"""Nertz: what the game remembers after each event, and the decisions that follow from it."""

from __future__ import annotations

from dataclasses import fields
from itertools import starmap
from typing import Any

from referee.games.nertz import series
from referee.games.nertz.calling import just_turned, turns
from referee.games.nertz.carrying import (
    carries_second,
    hand_told,
    lifted,
    set_down,
    stock_on_table,
    used,
)
from referee.games.nertz.dealing import builds_up, is_early, starts, wrong_at_start
from referee.games.nertz.decks import configured, counted, listed
from referee.games.nertz.game import (
    GAME,
    Memory,
    Named,
    Waiting,
    is_foundation,
    is_over,
    is_recycling,
    mover,
    moves,
    nerts,
    part_of,
    seat_of,
    side_of,
    sides,
    with_waiting,
)
from referee.games.nertz.landing import land, land_late
from referee.games.nertz.standing import declared_card, fixed, on_foundation, with_standings
from referee.games.nertz.turning import recycled, stock_turned
from referee.games.nertz.waiting import taken_back
from referee.rulebook import Case, Debt, Instant, Outcome, State, Unread, Unseen, Verdict, replace
from referee.rulebook.asking import FROM_NOWHERE, is_from_nowhere
from referee.values import (
    CardLifted,
    CardPlaced,
    CardTurned,
    Configured,
    Dealt,
    Declared,
    Event,
    HandOn,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Points,
    Reread,
    Ruling,
    card,
)

Step = tuple[State[Memory], list[Ruling]]


def open_memory(blank: State[None]) -> State[Memory]:
    """Return the state at the start of a match: by its phase, flags and jokers (K-13)."""
    setup = blank.setup
    fresh = setup.phase in GAME.fresh_phases
    begun = Instant(0, 0)
    memory = Memory(
        fresh=fresh,
        start=begun if setup.phase in ("PLAY", "COUNT") else None,
        over=begun if setup.phase == "COUNT" else None,
        counted=setup.phase == "COUNT",
        shuffled=frozenset(sides(setup)),
        dealt=frozenset(zone for zone, pile in blank.table.piles.items() if pile),
        totals=tuple(starmap(Points, setup.totals().items())) if setup.flag("totals") else (),
    )
    state: State[Memory] = replace(blank, memory=memory)  # type: ignore[arg-type, assignment]
    for zone, pile in state.table.piles.items():
        stands = on_foundation if is_foundation(zone) else fixed
        if is_foundation(zone) or part_of(zone) == "work":
            state = with_standings(state, stands(state, pile))
    return state


def unfold(event: Event) -> tuple[Event, ...]:
    """Return a stock taken in hand as a hand on it, and a call button as a call."""
    if isinstance(event, PileTaken) and part_of(event.zone) == "stock":
        return (HandOn(zone=event.zone, **_common(event)),)
    if isinstance(event, PadHit) and "call" in event.spot.split("."):
        word = tuple(part for part in event.spot.split(".") if part != "call")
        return (Declared(what="call", words=word, **_common(event)),)
    return (event,)


def _common(event: Event) -> dict[str, Any]:
    """Return what every event has."""
    return {field.name: getattr(event, field.name) for field in fields(Event)}


def follow(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Step the memory over one judged event."""
    match case.event:
        case Configured():
            step = _configured(case, state)
        case Declared():
            step = _declared(case, state)
        case PileMixed():
            step = _mixed(case, state)
        case Dealt():
            step = _dealt(case, state, verdict)
        case CardLifted():
            step = lifted(case, state), []
        case CardTurned():
            step = _turned(case, state), []
        case CardPlaced() | PileMoved():
            step = _moved(case, state, verdict)
        case _:
            step = state, []
    state, rulings = step
    token = _read_again(case)
    late = (act.doubtful or act.known_n == state.n for act in state.recent)
    if token is not None or any(late):
        state, more = land_late(case, state, token)
        rulings = [*rulings, *more]
    return Outcome(state, tuple(rulings))


def _read_again(case: Case[Memory]) -> int | None:
    """Return the card that a correction was about."""
    event = case.event
    if not isinstance(event, Reread):
        return None
    pile = case.table.pile(event.zone)
    return pile[-1 - event.pos].token if event.pos < len(pile) else None


def _configured(case: Case[Memory], state: State[Memory]) -> Step:
    """Take the house options of the configuration; they are fixed once a hand has begun (G-08)."""
    event, rulings = configured(case), []
    players = listed(event, "players")
    if players is not None and counted(players) == GAME.seats[1]:
        text = "eight players: points become hard to reckon"
        rulings.append(GAME.ruling("REQ-01", "INFO", event, text))
    if state.memory.start is not None or state.memory.totals:
        return state, rulings
    names = {option.name for option in GAME.options}
    options = dict(state.setup.options)
    for word in event.words:
        name, _, value = word.removeprefix(f"{GAME.name}.").partition("=")
        if name in names:
            try:
                options[name] = GAME.settings([(name, value)])[name]
            except ValueError as reason:
                rulings.append(GAME.ruling("SCORE-05", "QUERY", event, str(reason)))
    return replace(state, setup=replace(state.setup, options=options)), rulings


def _declared(case: Case[Memory], state: State[Memory]) -> Step:
    event, memory = case.event, state.memory
    assert isinstance(event, Declared)
    if starts(case):
        return _started(case, state)
    if event.what == "joker":
        return _named(case, state, event)
    outcome = Outcome(state)
    if event.what == "call":
        outcome = series.called(case, state)
    elif event.what == "stuck" and memory.start is not None and memory.over is None:
        outcome = series.stuck(case, state)
    return outcome.state, list(outcome.rulings)


def _started(case: Case[Memory], state: State[Memory]) -> Step:
    state = state.with_memory(replace(state.memory, start=case.setup.instant(case.event)))
    rulings = [
        GAME.ruling(rule, "VIOLATION", case.event, text, player=seat)
        for rule, seat, text in wrong_at_start(case)
    ]
    for side in sides(case.setup):
        pile = state.table.pile(nerts(side))
        if pile and not pile[-1].up:
            text = f"the top card of {nerts(side)} lies face down: turn it up"
            rulings.append(GAME.ruling("SET-02", "QUERY", case.event, text, player=side))
    return state, rulings


def _told(state: State[Memory], zone: str, verdict: Verdict) -> Memory:
    """Return the memory with the kinds of zone that were found wrong (K-10)."""
    bare = (rule.removeprefix(f"{GAME.prefix}-") for rule in verdict.found)
    told = {(seat_of(zone), rule) for rule in bare if rule.startswith("SET-")}
    return replace(state.memory, told=state.memory.told | told)


def _named(case: Case[Memory], state: State[Memory], event: Declared) -> Step:
    """A player says what a joker stands for."""
    joker, named = None, None
    if len(event.words) == 2:
        named = declared_card(event.words[1].rpartition(":")[2])
        try:
            joker = card(event.words[0])
        except ValueError:
            joker = None
    if joker is None or named is None or not joker.is_joker:
        text = "say which joker and which card, like: joker A:X1 7H"
        return state, [GAME.ruling("JOK-02", "QUERY", event, text)]
    said = Named(joker, case.seat, named, case.setup.instant(event))
    memory = replace(state.memory, named=(*state.memory.named[-7:], said))
    return state.with_memory(memory), []


def _mixed(case: Case[Memory], state: State[Memory]) -> Step:
    event, memory = case.event, state.memory
    assert isinstance(event, PileMixed)
    owner = seat_of(event.zone)
    if memory.start is not None and memory.over is None:
        text = f"{event.zone} is shuffled during play: its order is not known any more"
        return state, [GAME.ruling("STOCK-03", "QUERY", event, text)]
    if owner not in case.setup.seats:
        return state, []
    shuffled = memory.shuffled | {side_of(case.setup, owner)}
    return state.with_memory(replace(memory, shuffled=shuffled)), []


def _dealt(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    event, memory = case.event, state.memory
    assert isinstance(event, Dealt)
    owner = seat_of(event.zone)
    if owner not in case.setup.seats or memory.start is not None:
        return state, _sorted(case, state, event)
    memory = _told(state, event.zone, verdict)
    if not builds_up(case):
        memory = replace(memory, dealt=memory.dealt | {event.zone})
    side = side_of(case.setup, owner)
    if side in memory.shuffled:
        return state.with_memory(memory), []
    memory = replace(memory, shuffled=memory.shuffled | {side})
    text = f"nobody saw the deck of {side} being shuffled; was it?"
    return state.with_memory(memory), [GAME.ruling("SET-01", "QUERY", event, text, player=side)]


def _sorted(case: Case[Memory], state: State[Memory], event: Dealt) -> list[Ruling]:
    """Compare a player's sorted foundation cards with what was counted."""
    owner = side_of(case.setup, seat_of(event.zone))
    counts = {c.seat: c.points for c in state.memory.sorted_counts}
    seen = len(case.table.pile(event.zone))
    if not state.memory.counted or counts.get(owner) in (None, seen):
        return []
    text = f"{event.zone} has {seen} cards, {counts[owner]} were counted; please count again"
    return [GAME.ruling("SCORE-04", "QUERY", event, text, player=owner)]


def _turned(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    assert isinstance(case.event, CardTurned)
    if not state.memory.missed:
        return state
    missed = state.memory.missed - {case.event.zone}
    return state.with_memory(replace(state.memory, missed=missed))


def _moved(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    if carries_second(case):
        state = state.with_flagged("NERTZ-HAND-01")
    state = set_down(case, state)
    if verdict.cured is not None:
        return _put_back(case, state, verdict.cured)
    if case.debt is not None and case.debt.seat is None:
        return _still_foreign(case, state, case.debt), []
    if is_early(case):
        instant = case.setup.instant(case.event)
        grace_ns = instant.u_ns + case.setup.span_ns("race.u_operator_ms")
        return with_waiting(state, Waiting("early", case), case.event.t_ns + grace_ns), []
    if is_over(case):
        return _collecting(case, state), []
    if not moves(case):
        return state, []
    state = state.with_memory(used(case, state.memory))
    rulings = [*stock_on_table(case, state), *_from_nowhere(case)]
    state = state.with_memory(hand_told(case, state.memory, rulings))
    if any(_is_undone(id) for id in verdict.found):
        return state, rulings
    try:
        state, more = _stands(case, state)
    except (Unread, Unseen):
        return state, rulings
    outcome = series.ran_out(case, state)
    return outcome.state, [*rulings, *more, *outcome.rulings]


def _from_nowhere(case: Case[Memory]) -> list[Ruling]:
    """Tell of a card that was played from nobody knows where."""
    if not is_from_nowhere(case) or part_of(case.moved.target) not in ("work", "F"):
        return []
    seat = mover(case) or None
    return [GAME.ruling("HAND-04", "NOT_OBSERVED", case.event, FROM_NOWHERE, player=seat)]


def _is_undone(rule: str) -> bool:
    """Return whether an act against a rule counts as not done."""
    return GAME.rules[rule].severity == "fault" or rule == f"{GAME.prefix}-SET-03"


def _collecting(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state after a move when the hand is over: the foundations may be collected."""
    away = is_foundation(case.moved.origin) and case.debt is None
    if not away or is_foundation(case.moved.target) or state.memory.collecting:
        return state
    return state.with_memory(replace(state.memory, collecting=True))


def _still_foreign(case: Case[Memory], state: State[Memory], debt: Debt) -> State[Memory]:
    """Return the state in which a card outside the deck still counts for nothing."""
    if seat_of(case.moved.target) or is_foundation(case.moved.target):
        return state.with_debt(replace(debt, at=case.moved.target))
    return state


def _put_back(case: Case[Memory], state: State[Memory], debt: Debt) -> Step:
    """Owed cards are back: a stock turned right counts again."""
    if debt.rule == "NERTZ-STOCK-01":
        left = [d for d in state.debts if (d.n, d.rule) == (debt.n, debt.rule)]
        if sum(len(d.tokens) for d in left) == case.setup.number("draw"):
            state = replace(state, debts=tuple(d for d in state.debts if d not in left))
    return state, []


def _stands(case: Case[Memory], state: State[Memory]) -> Step:
    """Follow a move that stands."""
    if is_foundation(case.moved.target) and not is_foundation(case.origin):
        return land(case, state)
    if is_foundation(case.origin) and not is_foundation(case.moved.target):
        aside = state.memory.aside | {case.moved.target}
        return state.with_memory(replace(state.memory, aside=aside)), []
    if turns(case):
        return stock_turned(case, state)
    if is_recycling(case):
        return taken_back(case, state) if just_turned(case) else (recycled(case, state), [])
    return _jokers(case, state), []


def _jokers(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which jokers are fixed by cards on them, or open again (JOK-04)."""
    target, origin = case.moved.target, case.moved.origin
    if part_of(target) == "work":
        state = with_standings(state, fixed(state, state.legal(target)))
    pile = state.table.pile(origin)
    if pile and part_of(origin) == "work" and case.setup.is_on("joker_unfix"):
        stands = tuple(s for s in state.memory.stands if s.token != pile[-1].token)
        state = state.with_memory(replace(state.memory, stands=stands))
    return state
