"""Spy vs. Spy: what the game remembers after each event."""

from __future__ import annotations

from referee.games.spy import calls
from referee.games.spy.dealing import begins_stack, home_of, is_start, wrong_stack
from referee.games.spy.game import (
    GAME,
    POINTS,
    Call,
    Memory,
    closed_left,
    is_on,
    is_stray,
    mover,
    own_decks,
    part_of,
    seat_of,
)
from referee.rulebook import (
    Alarm,
    Case,
    Debt,
    Move,
    Outcome,
    Setup,
    State,
    Unseen,
    Verdict,
    open_table,
    replace,
)
from referee.values import (
    CardLifted,
    CardPlaced,
    Dealt,
    Declared,
    Event,
    PileMixed,
    PileMoved,
    Ruling,
)

# More cards than anybody lays down as a deck in the middle of a game.
HALF_A_DECK = 26
LATE_SET_UP = ("SPY-SET-02", "SPY-SET-04")
# So long nobody takes to put the rest of the closed cards down; it ends with the start at latest.
PACKET_STAYS_NS = 60_000_000_000


def open_memory(blank: State[None]) -> Memory:
    """Return the memory at the start of a match. Raises ValueError for a faulty flag."""
    setup = blank.setup
    totals = _totals(setup)
    played = setup.flag("played")
    if played is not None and not (played.isdigit() and len(played) < 4):
        raise ValueError(f"flag played={played[:40]}: write how many games were played")
    return Memory(
        started=setup.phase == "PLAY",
        totals=totals,
        played=int(played) if played else _games_behind(setup, totals),
    )


def _totals(setup: Setup) -> dict[str, int]:
    totals = dict.fromkeys(sorted(setup.seats), 0)
    text = setup.flag("totals") or ""
    for word in text.split(",") if text else ():
        seat, _, points = word.replace("=", ":").partition(":")
        if seat not in totals or not points.lstrip("+-").isdigit() or len(points) > 6:
            raise ValueError(f"flag totals={text[:40]}: write A:-20,B:20")
        totals[seat] = int(points)
    return totals


def _games_behind(setup: Setup, totals: dict[str, int]) -> int:
    """Return how many games lead to such totals: in each one wins, the others get 20 points.

    Two players who are even and whose totals are given have played: as many games as can be.
    """
    widest = max(abs(points) for points in totals.values())
    if setup.flag("totals") and len(setup.seats) == 2 and not widest:
        return (max(setup.number("games"), 1) - 1) // 2 * 2
    fewest = -(-widest // POINTS)
    gain = POINTS * (len(setup.seats) - 2)
    return max(fewest, sum(totals.values()) // gain) if gain else fewest


def prepare(state: State[Memory], event: Event) -> State[Memory]:
    """Clear the table when the next game is dealt; doubt which card an unread one laid aside is."""
    memory = state.memory
    if isinstance(event, CardPlaced) and _is_any_of_aside(state, event):
        return replace(state, table=state.table.mixed(event.origin))
    start = isinstance(event, Declared) and event.what == "start"
    over = memory.decided or _ended_out_of_view(state, event)
    if not over or not (isinstance(event, Dealt) or start):
        return state
    fresh = Memory(
        started=False,
        played=0 if memory.won else memory.played,
        totals=dict.fromkeys(memory.totals, 0) if memory.won else memory.totals,
    )
    table = open_table((), fresh=isinstance(event, Dealt), groups=())
    # No card of the next game is taken for one of the last.
    table = replace(table, next_token=state.table.next_token)
    return state.dealt_anew(fresh, table)


def _ended_out_of_view(state: State[Memory], event: Event) -> bool:
    """Return whether a deck is dealt anew, so that a game is over whose end nobody saw."""
    if not (isinstance(event, Dealt) and state.memory.started):
        return False
    lost_sight = bool(state.blind or state.regained)
    return lost_sight and part_of(event.zone) == "deck" and len(event.cards) >= HALF_A_DECK


def _is_any_of_aside(state: State[Memory], event: CardPlaced) -> bool:
    """Return whether an unread card is taken from several cards that lie side by side."""
    if part_of(event.origin) != "aside":
        return False
    unread = not event.card.seen().known and event.pos is None
    several = len(state.table.pile(event.origin)) > 1
    owed = any(event.origin in (debt.at, debt.origin) for debt in state.debts)
    return unread and several and not owed


def cures(state: State[Memory], debt: Debt, move: Move) -> bool:
    """Return whether a deck card that did not fit comes to the discards."""
    return debt.rule == "SPY-DECK-02" and move.target == f"{debt.seat}.waste"


def follow(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Step the memory over one judged event."""
    event = case.event
    if isinstance(event, Declared):
        return _declared(case, state, verdict)
    if isinstance(event, Dealt):
        return Outcome(_dealt(case, state, verdict))
    if isinstance(event, PileMixed):
        new = state.memory.new - {seat_of(event.zone)}
        return Outcome(state.with_memory(replace(state.memory, new=new)))
    if isinstance(event, CardLifted):
        return Outcome(_lifted(case, state))
    if case.move is None:
        return Outcome(state)
    return _moved(case, state, verdict)


def _dealt(case: Case[Memory], state: State[Memory], verdict: Verdict) -> State[Memory]:
    assert isinstance(case.event, Dealt)
    if case.move is None:
        return state
    memory, zone, cards = state.memory, case.event.zone, case.event.cards
    seat = seat_of(zone)
    if part_of(zone) == "deck":
        decks = {card.deck for card in cards}
        if own_decks(case.setup) and len(decks) == 1 and (deck := decks.pop()):
            memory = replace(memory, backs={**memory.backs, seat: deck})
        memory = replace(memory, new=memory.new | {seat}, built=memory.built | {seat})
    return _told(case, _with_strays(case, state.with_memory(memory)), verdict)


def _with_strays(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Remember cards of another deck, so that they are told once."""
    move, memory = case.moved, state.memory
    home = home_of(case, case.origin)
    strays = {t for t in move.tokens if is_stray(case.table.face(t), home)}
    if strays <= memory.strays:
        return state
    return state.with_memory(replace(memory, strays=memory.strays | strays))


def _told(case: Case[Memory], state: State[Memory], verdict: Verdict) -> State[Memory]:
    """Remember a set-up fault that was told at once, so that the start does not tell it again.

    A packet that begins a closed stack is looked at again when nothing may be added any more.
    """
    if begins_stack(case):
        due_ns = case.event.t_ns + PACKET_STAYS_NS
        state = state.with_alarm(due_ns, case.moved.target, case.event.n)
    if case.move is None or not any(rule in LATE_SET_UP for rule in verdict.found):
        return state
    target = case.moved.target
    zone = target if part_of(target) == "stack" else f"{seat_of(target)}.pile"
    return state.with_memory(replace(state.memory, told=state.memory.told | {zone}))


def _lifted(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    event = case.event
    assert isinstance(event, CardLifted)
    if case.seat not in (None, seat_of(event.zone)):
        return state  # a card that the other one lifted was not tried by its owner
    pile = state.table.pile(event.zone)
    index = len(pile) - 1 - (event.pos or 0)
    lifted = state.memory.lifted | ({pile[index].token} if index >= 0 else set())
    return state.with_memory(replace(state.memory, lifted=lifted))


def _declared(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    event, memory = case.event, state.memory
    assert isinstance(event, Declared)
    if is_start(case):
        if not verdict.doubtful:
            # Every count is right, so nothing was missed while zones were out of view.
            state = replace(state, regained={})
        return Outcome(state.with_memory(replace(memory, started=True)))
    seat = _named(case)
    if event.what == "finished":
        return _called(case, state, seat)
    if event.what == "score" and seat:
        return _score_declared(case, state, seat)
    if event.what == "blocked" and seat and memory.started and memory.over is None:
        return _blocked(case, state, seat)
    return Outcome(state)


def _named(case: Case[Memory]) -> str | None:
    """Return whose declaration it is: the key's seat, or the one that the operator names."""
    assert isinstance(case.event, Declared)
    word = case.event.words[0] if case.event.words else None
    return case.seat or (word if word in case.setup.seats else None)


def _called(case: Case[Memory], state: State[Memory], seat: str | None) -> Outcome[Memory]:
    event = case.event
    if seat is None:
        return Outcome(state, (GAME.ruling("FIN-01", "QUERY", event, "who has finished?"),))
    call = Call(event.n, case.setup.instant(event), seat)
    try:
        return calls.called(state, call)
    except Unseen as reason:
        if not state.blind:
            return Outcome(state)
        return Outcome(state, (GAME.ruling("FIN-02", "NOT_OBSERVED", event, str(reason)),))


def _score_declared(case: Case[Memory], state: State[Memory], seat: str) -> Outcome[Memory]:
    """Take the points that a player declares, where the house plays the inventor's way."""
    event, memory = case.event, state.memory
    assert isinstance(event, Declared)
    text = event.words[-1] if event.words else ""
    if not text.lstrip("+-").isdigit() or len(text) > 6:
        return Outcome(state)
    memory = replace(memory, declared={**memory.declared, seat: int(text)})
    state = state.with_memory(memory)
    if memory.waits_for_scores is None:
        return Outcome(state)
    return calls.score(state, memory.waits_for_scores, frozenset())


def _blocked(case: Case[Memory], state: State[Memory], seat: str) -> Outcome[Memory]:
    memory = replace(state.memory, blocked=state.memory.blocked | {seat})
    state = state.with_memory(memory)
    if not memory.blocked >= set(case.setup.seats):
        return Outcome(state)
    call = Call(case.event.n, case.setup.instant(case.event), seat)
    if case.setup.option("all_blocked") == "void":
        nothing = dict.fromkeys(case.setup.seats, 0)
        return calls.counted(state, call, nothing, played=False)
    try:
        left = {seat: closed_left(state, seat) for seat in case.setup.seats}
    except Unseen as reason:
        return Outcome(state, (GAME.ruling("SCORE-02", "QUERY", case.event, str(reason)),))
    fewest = min(left.values())
    return calls.score(state, call, frozenset(s for s, n in left.items() if n == fewest))


def _plays_on(case: Case[Memory], verdict: Verdict) -> bool:
    """Return whether a card comes to a pile, so that its player is not blocked any more.

    The catalogue is silent on how 'blocked' ends. A card that is owed and goes back, or a discard,
    is no step on: whoever said that he is blocked still is.
    """
    return verdict.fine and is_on(case) and part_of(case.moved.target) == "pile"


def _moved(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    state = _told(case, _with_strays(case, _in_hand(case, state)), verdict)
    seat, rulings = mover(case), _unshuffled(case)
    if rulings:
        new = state.memory.new - {seat_of(case.moved.origin)}
        state = state.with_memory(replace(state.memory, new=new))
    if seat in state.memory.blocked and _plays_on(case, verdict):
        blocked = state.memory.blocked - {seat}
        state = state.with_memory(replace(state.memory, blocked=blocked))
    return Outcome(calls.after_move(state, seat) if seat else state, rulings)


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Judge what had to wait: a call, who was first, or a closed stack that is not built up."""
    zone, memory = alarm.name, state.memory
    if part_of(zone) != "stack":
        return calls.ring(state, alarm)
    stack = state.legal(zone)
    text = wrong_stack(stack, zone)
    hidden = state.lost_sight_of(zone, whole=True)
    if memory.started or zone in memory.told or hidden or not text:
        return Outcome(state)
    t_ns, deck = alarm.due_ns - PACKET_STAYS_NS, f"{seat_of(zone)}.deck"
    event = PileMoved(n=alarm.n, t_ns=t_ns, origin=deck, target=zone, count=len(stack))
    ruling = GAME.ruling("SET-02", "VIOLATION", event, text, player=seat_of(zone))
    state = state.with_memory(replace(memory, told=memory.told | {zone}))
    return Outcome(state, (ruling,))


def _in_hand(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Remember which cards in a hand are of the closed stack."""
    memory, move = state.memory, case.moved
    if part_of(case.origin) != "stack" or part_of(move.target) != "held":
        return state
    return state.with_memory(replace(memory, looked=memory.looked | set(move.tokens)))


def _unshuffled(case: Case[Memory]) -> tuple[Ruling, ...]:
    """Ask whether a deck was shuffled that is dealt from (K-09)."""
    seat = seat_of(case.moved.origin)
    if case.memory.started or part_of(case.moved.origin) != "deck" or seat not in case.memory.new:
        return ()
    text = f"was the deck of {seat} shuffled?"
    return (GAME.ruling("SET-01", "QUERY", case.event, text),)
