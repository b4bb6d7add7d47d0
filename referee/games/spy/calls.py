"""Spy vs. Spy: who finished first, and what that scores."""

from __future__ import annotations

from referee.games.spy.game import (
    CLOSED,
    GAME,
    POINTS,
    Call,
    Memory,
    closed_left,
    fits,
    own_decks,
)
from referee.rulebook import (
    Alarm,
    Debt,
    Finish,
    Outcome,
    State,
    Unread,
    Unseen,
    finish,
    open_among,
    replace,
    surely_before,
)
from referee.values import Actor, Card, Declared, Points, Ruling

# A call counts when the last card is laid within this time after it (SPY-AMB-05).
GRACE_NS = 3_000_000_000
GRACE, DECIDE = "grace", "decide"
Piles = tuple[Card, ...]


def told(call: Call) -> Declared:
    """Return the event that the rulings about a call speak of."""
    return Declared(n=call.n, t_ns=call.instant.t_ns, actor=Actor(call.seat), what="finished")


def is_finished(state: State[Memory], seat: str) -> bool:
    """Return whether a player has finished. Unseen or Unread if that is not known."""
    if _is_of_deck(state):
        return _deck_left(state, seat) == 0
    if state.setup.option("finish") == "placeable" and not state.height(f"{seat}.stack"):
        left = tuple(state.face(lying) for lying in state.legal(f"{seat}.aside"))
        return _can_be_laid(state, left, _known_tops(state, seat))
    return closed_left(state, seat) == 0


def _is_of_deck(state: State[Memory]) -> bool:
    """Return whether a player has finished when the own deck is used up (house options)."""
    setup = state.setup
    return setup.option("finish") == "deck_empty" or setup.option("procedure") == "pagat"


def _deck_left(state: State[Memory], seat: str) -> int:
    """Return how many deck cards are left, also in the hand. Unseen if that is not known."""
    return state.height(f"{seat}.deck") + len(state.legal(f"{seat}.held"))


def _known_tops(state: State[Memory], seat: str) -> Piles:
    zones = sorted(zone for zone in state.table.piles if zone.startswith(f"{seat}.pile."))
    return tuple(state.face(pile[-1]) for zone in zones if (pile := state.legal(zone)))


def _can_be_laid(state: State[Memory], left: Piles, tops: Piles) -> bool:
    """Return whether all these cards can be laid one after the other in some order."""
    if not left:
        return True
    for i, card in enumerate(left):
        for j, top in enumerate(tops):
            if fits(state.setup, card, top):
                rest, piles = left[:i] + left[i + 1 :], (*tops[:j], card, *tops[j + 1 :])
                if _can_be_laid(state, rest, piles):
                    return True
    return False


def left_of(state: State[Memory], seat: str) -> int:
    """Return how many cards a player has to lay still. Unseen if that is not known."""
    if _is_of_deck(state):
        return _deck_left(state, seat)
    return closed_left(state, seat)


def called(state: State[Memory], call: Call) -> Outcome[Memory]:
    """Take a call: late, valid, or open until the time for the last cards has run out."""
    memory = state.memory
    if any(c.seat == call.seat and c.valid for c in memory.calls):
        return Outcome(state)
    winner = next((c for c in memory.calls if c.valid), None)
    if memory.decided or (winner and _is_later(winner, call)):
        return Outcome(state, (_late(call),))
    valid = True if is_finished(state, call.seat) else None
    call = replace(call, valid=valid, left=left_of(state, call.seat))
    state = state.with_memory(replace(memory, calls=(*memory.calls, call)))
    if valid:
        return Outcome(_to_be_decided(state, call))
    due_ns = call.instant.t_ns + GRACE_NS
    return Outcome(state.with_alarm(due_ns, GRACE, call.n))


def _is_later(first: Call, call: Call) -> bool:
    return surely_before(first.instant, call.instant)


def _late(call: Call) -> Ruling:
    return GAME.ruling("SCORE-02", "INFO", told(call), "late", player=call.seat)


def _to_be_decided(state: State[Memory], call: Call) -> State[Memory]:
    """Return the state in which a valid call ends the game, once no other call can tie with it."""
    memory = state.memory
    ends = [memory.over, call.instant] if memory.over else [call.instant]
    over = min(ends, key=lambda instant: instant.t_ns)
    state = state.with_memory(replace(memory, over=over))
    widest_ns = state.setup.span_ns("race.u_operator_ms")
    due_ns = max(state.now_ns, call.instant.t_ns + call.instant.u_ns + widest_ns)
    return state.with_alarm(due_ns, DECIDE, call.n)


def after_move(state: State[Memory], seat: str) -> State[Memory]:
    """Return the state in which an open call is valid, if the last card was laid by now."""
    call = next((c for c in state.memory.calls if c.seat == seat and c.valid is None), None)
    try:
        if call is None or not is_finished(state, seat):
            return state
    except (Unseen, Unread):
        return state
    return _to_be_decided(_with_call(state, replace(call, valid=True)), call)


def _with_call(state: State[Memory], call: Call) -> State[Memory]:
    calls = tuple(call if c.n == call.n else c for c in state.memory.calls)
    return state.with_memory(replace(state.memory, calls=calls))


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Decide what had to wait: an open call, or who was first."""
    rulings: list[Ruling] = []
    if alarm.name == GRACE:
        call = next((c for c in state.memory.calls if c.n == alarm.n and c.valid is None), None)
        if call is None:
            return Outcome(state)
        state = _with_call(state, replace(call, valid=False))
        state, rulings = _void(state, call)
    decided = _decide(state)
    return Outcome(decided.state, (*rulings, *decided.rulings))


def _void(state: State[Memory], call: Call) -> tuple[State[Memory], list[Ruling]]:
    winner = next((c for c in state.memory.calls if c.valid), None)
    if winner and _is_later(winner, call):
        return state, [_late(call)]
    if hidden := _hidden(state, call.seat):
        text = f"{hidden} was out of view: is it empty? Set it, then call again"
        return state, [GAME.ruling("FIN-02", "QUERY", told(call), text)]
    if _may_be_put_right(state, call):
        text = "a card that had to go back was covered since: was it laid again?"
        return state, [GAME.ruling("FIN-02", "QUERY", told(call), text)]
    memory = state.memory
    if state.setup.option("false_call") == "+20":
        points = memory.penalties.get(call.seat, 0) + POINTS
        memory = replace(memory, penalties={**memory.penalties, call.seat: points})
    text = f"{call.left} left"
    ruling = GAME.ruling("FIN-02", "VIOLATION", told(call), text, player=call.seat)
    return state.with_memory(memory), [ruling]


def _hidden(state: State[Memory], seat: str) -> str | None:
    """Return where a player's last cards may have gone from out of view, None for nowhere."""
    parts = ("deck",) if _is_of_deck(state) else CLOSED
    zones = (f"{seat}.{part}" for part in parts)
    return next((zone for zone in zones if state.lost_sight_of(zone, whole=True)), None)


def _may_be_put_right(state: State[Memory], call: Call) -> bool:
    """Return whether a camera sees all cards laid, and some only owed that may be right by now.

    Who pulls one out from under others and lays it upon them leaves nothing to be seen.
    """
    owed = [debt for debt in state.debts if debt.seat == call.seat]
    covered = any(_is_covered(state, debt) for debt in owed)
    return state.camera and covered and sum(len(debt.tokens) for debt in owed) == call.left


def _is_covered(state: State[Memory], debt: Debt) -> bool:
    return any(top.token not in debt.tokens for top in state.table.pile(debt.at)[-1:])


def _decide(state: State[Memory]) -> Outcome[Memory]:
    """Decide the game, unless an open call may still come first or tie."""
    memory = state.memory
    valid = sorted((c for c in memory.calls if c.valid), key=lambda c: (c.instant.t_ns, c.n))
    if memory.decided or not valid:
        return Outcome(state)
    first = valid[0]
    still_open = any(c.valid is None and not _is_later(first, c) for c in memory.calls)
    if still_open or any(a.name == DECIDE for a in state.alarms):
        return Outcome(state)
    tied = [c for c in valid if not _is_later(first, c)]
    late = tuple(_late(c) for c in valid if _is_later(first, c))
    race = _race(first, tied, finish(first.instant, valid[1].instant) if valid[1:] else None)
    if len(tied) > 1 and state.setup.option("tie") == "replay":
        memory = replace(memory, decided=True)
        return Outcome(state.with_memory(memory), (race, *late))
    scored = score(state, first, frozenset(call.seat for call in tied))
    return Outcome(scored.state, (race, *scored.rulings, *late))


def _race(first: Call, tied: list[Call], result: Finish | None) -> Ruling:
    text = f"first{result.lead if result else ''}"
    if len(tied) > 1:
        text = open_among([call.seat for call in tied], [call.instant for call in tied])
    return GAME.ruling(
        "SCORE-01",
        "RACE",
        told(first),
        text,
        winner=first.seat if len(tied) == 1 else "tie",
        margin_ns=result.margin_ns if result else None,
        interval_ns=result.interval_ns if result else None,
        p_first=result.p_first if result else None,
    )


def score(state: State[Memory], call: Call, winners: frozenset[str]) -> Outcome[Memory]:
    """Score a game that a call (or the last 'blocked') decided."""
    memory = state.memory
    if state.setup.option("procedure") == "pagat":
        if set(memory.declared) != set(state.setup.seats):
            return Outcome(state.with_memory(replace(memory, decided=True, waits_for_scores=call)))
        points = dict(memory.declared)
    else:
        half = not own_decks(state.setup)
        bonus = state.setup.number("bonus_half") if half else POINTS
        points = {s: -bonus if s in winners else POINTS for s in state.setup.seats}
        for seat, penalty in memory.penalties.items():
            points[seat] += penalty
    return counted(state, call, points, played=True)


def counted(
    state: State[Memory], call: Call, points: dict[str, int], *, played: bool
) -> Outcome[Memory]:
    """Add the points of a game; after the last game of the series the lowest total wins."""
    memory, event = state.memory, told(call)
    seats = sorted(state.setup.seats)
    totals = {seat: memory.totals[seat] + points[seat] for seat in seats}
    scores = tuple(Points(seat, points[seat]) for seat in seats)
    rulings = [GAME.ruling("SCORE-02", "SCORE", event, f"game {memory.played + 1}", scores=scores)]
    number = memory.played + played
    won = played and number >= state.setup.number("games")
    if won:
        best = [seat for seat in seats if totals[seat] == min(totals.values())]
        winner = best[0] if len(best) == 1 else "tie"
        text = " ".join(f"{seat}={totals[seat]:+d}" for seat in seats)
        player = winner if winner != "tie" else None
        rulings.append(GAME.ruling("SCORE-03", "END", event, text, player=player, winner=winner))
    memory = replace(
        memory,
        totals=totals,
        played=number,
        decided=True,
        won=won,
        waits_for_scores=None,
        over=memory.over or call.instant,
    )
    return Outcome(state.with_memory(memory), tuple(rulings))
