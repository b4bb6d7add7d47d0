"""Nertz: a card comes to a foundation: it holds its place, draws, loses it, or waits for a gap."""

from __future__ import annotations

from referee.games.nertz.game import (
    FOUNDATIONS_EACH,
    GAME,
    KING,
    Landed,
    Memory,
    Standing,
    Value,
    Waiting,
    is_foundation,
    mover,
    side_of,
    sides,
    with_waiting,
    without_waiting,
)
from referee.games.nertz.standing import (
    fits_foundation,
    foundation_top,
    goes_on,
    is_above_gap,
    placed_value,
    rival,
    with_standings,
)
from referee.rulebook import Act, Case, Finish, Setup, State, Unread, Unseen, finish, replace
from referee.rulebook.asking import rests_on_unsure, who_was_first
from referee.values import Ruling

Step = tuple[State[Memory], list[Ruling]]

# How long a card above a gap waits for the card that belongs below it (NERTZ-RACE-04).
GAP_NS = 300_000_000


def land(case: Case[Memory], state: State[Memory]) -> Step:
    """Take a card that came to a foundation without a fault."""
    value: Value | None = None
    try:
        value = placed_value(case)
        first, top = rival(case), foundation_top(case.before, case.moved.target)
    except (Unread, Unseen):
        return _held(case, state, value), []  # it may have been first
    if value is None:
        return state, []
    if first is not None:
        return _raced(case, state, first, value)
    if goes_on(case.before, case.moved.target, value, top):
        return _accepted(case, state, value)
    if is_above_gap(value, top):
        return _above_gap(case, state, "FOUND-01" if top is None else "FOUND-02"), []
    return with_asked(state, case), []


def with_asked(state: State[Memory], case: Case[Memory]) -> State[Memory]:
    """Return the state in which a card that came to a foundation is only asked about."""
    asked = state.memory.asked | set(case.moved.tokens)
    return state.with_memory(replace(state.memory, asked=asked))


def _above_gap(case: Case[Memory], state: State[Memory], rule: str) -> State[Memory]:
    debt = case.owing(f"{GAME.prefix}-{rule}", mover(case) or None, race=True)
    # What comes onto a card that may not have come at all rests on that one.
    arrivals = state.arrivals if case.event.n in state.unsure else case.before.arrivals
    state = replace(state.with_debt(debt), arrivals=arrivals)
    return with_waiting(state, Waiting("gap", case), case.event.t_ns + GAP_NS)


def _accepted(case: Case[Memory], state: State[Memory], value: Value) -> Step:
    """The card holds its place; cards that waited for it may follow."""
    zone = case.moved.target
    state = _held(case, state, value)
    rulings = [*_beyond_capacity(case, zone), *_completed(case, zone, value)]
    for waiting in state.memory.waiting:
        if waiting.what != "gap" or waiting.case.moved.target != zone:
            continue
        above = placed_value(waiting.case)
        if above is not None and fits_foundation(above, foundation_top(state, zone)):
            n = waiting.case.event.n
            kept = replace(state, debts=tuple(d for d in state.debts if d.n != n))
            state, more = _accepted(waiting.case, without_waiting(kept, waiting), above)
            rulings += more
    return state, rulings


def _held(case: Case[Memory], state: State[Memory], value: Value | None) -> State[Memory]:
    setup, now_ns = case.setup, case.event.t_ns
    seat = mover(case)
    landed = Landed(
        zone=case.moved.target,
        instant=setup.instant(case.event),
        seat=side_of(setup, seat) if seat else "",
        value=value,
        debt=case.owing("NERTZ-FOUND-07", seat or None, race=True),
    )
    span_ns = setup.span_ns("race.contention_s")
    lately = (old for old in state.memory.landed if now_ns - old.instant.t_ns <= span_ns)
    state = state.with_memory(replace(state.memory, landed=(*lately, landed)))
    if case.card.is_joker and value is not None:
        state = with_standings(state, (Standing(case.moved.tokens[0], value),))
    return state


def _beyond_capacity(case: Case[Memory], zone: str) -> list[Ruling]:
    most = FOUNDATIONS_EACH * len(sides(case.setup))
    if not is_foundation(zone) or int(zone[2:11]) <= most:
        return []
    return [GAME.ruling("FOUND-04", "INFO", case.event, f"there are {most} foundations at most")]


def _completed(case: Case[Memory], zone: str, value: Value) -> list[Ruling]:
    if value.rank != KING or case.setup.option("king") != "turn":
        return []
    text = f"{zone} is complete: turn it over"
    return [GAME.ruling("FOUND-02", "INFO", case.event, text, options=("king",))]


def draw_window_ns(setup: Setup) -> int | None:
    """Return the time within which two cards are an obvious draw, None if there are no draws."""
    if setup.option("tie") == "photo_finish":
        return None
    own = next(option for option in GAME.options if option.name == "draw_ms")
    changed = setup.option("draw_ms") != own.values[0]
    return setup.span_ns("draw_ms" if changed else "race.draw_ms")


def _raced(case: Case[Memory], state: State[Memory], first: Landed, value: Value) -> Step:
    """Decide between two cards for one place (T-01 to T-06)."""
    same = first.value is not None and first.value.suit == value.suit
    result = finish(
        first.instant,
        case.setup.instant(case.event),
        draw_ns=draw_window_ns(case.setup) if same else None,
        lower=1 if case.moved.under else 0,
    )
    state, rulings = _decided(case, state, first, value, result)
    asked = who_was_first(case, first.debt.n, (first.seat, mover(case)), result)
    if asked is None:
        return state, rulings
    state = state.with_flagged("NERTZ-FOUND-07")
    return state, [GAME.ruling("FOUND-07", "QUERY", case.event, asked)]


def _decided(
    case: Case[Memory], state: State[Memory], first: Landed, value: Value, result: Finish
) -> Step:
    seat = mover(case)
    if result.how == "contradiction":
        return state.after_lost_race(case, "NERTZ-FOUND-07"), []
    if result.first is None:
        text = f"{result.open_between(first.seat or '?', seat or '?')}: both stay"
        held = _held(case, state, value)
        if result.how == "dead heat" and held.camera:
            # Where only a camera is too coarse, whoever knows that he was second takes his back.
            held = held.with_doubt("NERTZ-FOUND-08")
        return held, [_race(case, "FOUND-08", text, "tie", result)]
    if result.first == 0:
        text = f"{first.seat} first{result.lead}; {seat} takes back {case.card}"
        lost = state.after_lost_race(case, "NERTZ-FOUND-07")
        return lost, [_race(case, "FOUND-07", text, first.debt.seat or first.seat, result)]
    card = state.face(first.debt.tokens[0])
    text = f"{seat} first{result.lead}; {first.seat} takes back {card}"
    state = _taken_back(_held(case, state, value), first, case.event.n)
    return state, [_race(case, "FOUND-07", text, seat, result)]


def _taken_back(state: State[Memory], loser: Landed, first: int) -> State[Memory]:
    tokens = loser.debt.tokens
    memory = replace(
        state.memory,
        landed=tuple(landed for landed in state.memory.landed if landed.debt.tokens != tokens),
        stands=tuple(s for s in state.memory.stands if s.token not in tokens),
    )
    return state.with_memory(memory).with_lost(loser.debt, first)


def _race(case: Case[Memory], rule: str, text: str, winner: str, result: Finish) -> Ruling:
    return GAME.ruling(
        rule,
        "RACE",
        case.event,
        text,
        winner=winner,
        margin_ns=result.margin_ns,
        interval_ns=result.interval_ns,
        p_first=result.p_first,
    )


def land_late(case: Case[Memory], state: State[Memory], token: int | None) -> Step:
    """Take cards that came to a foundation and are read only now, or read again (G-05, C-03).

    `case` is the event now; `token` the card that a correction was about, None where it is none.
    """
    rulings: list[Ruling] = []
    for act in state.recent:
        if not _is_about(act, token) and not _is_clearer(act, case, state):
            continue
        if act.faulty or act.case.before.blind or not _lies_there(state, act.case):
            continue
        tokens = act.case.moved.tokens
        old = (landed for landed in state.memory.landed if landed.debt.tokens != tokens)
        state = state.with_memory(replace(state.memory, landed=tuple(old)))
        faces = state.table.faces
        before = replace(act.case.before, table=replace(act.case.before.table, faces=faces))
        table = replace(act.case.table, faces=faces)
        state, more = land(replace(act.case, before=before, table=table), state)
        rulings += more
    return state, rulings


def _is_about(act: Act[Memory], token: int | None) -> bool:
    move = act.case.move
    return token is not None and move is not None and token in move.tokens


def _is_clearer(act: Act[Memory], case: Case[Memory], state: State[Memory]) -> bool:
    """Return whether the event now tells more of an act in doubt.

    Else what was decided of it would be told again after each event.
    """
    if act.known_n == state.n:
        return not rests_on_unsure(act.case)
    if not act.doubtful or act.case.move is None:
        return False
    old, new = case.before.table, state.table
    pile = act.case.table.pile(act.case.move.target)
    is_read = any(old.face(lying.token) != new.face(lying.token) for lying in pile)
    return is_read and not rests_on_unsure(act.case)


def _lies_there(state: State[Memory], case: Case[Memory]) -> bool:
    """Return whether a card that came to a foundation still lies there and is not owed."""
    move = case.move
    if move is None or move.turned or not is_foundation(move.target):
        return False
    lying = {lying.token for lying in state.table.pile(move.target)}
    return set(move.tokens) <= lying and state.debt_of(move.tokens) is None
