"""Nertz: how a hand ends, what it counts, who wins, and how the next hand begins."""

from __future__ import annotations

from referee.games.nertz.aside import set_aside
from referee.games.nertz.calling import caller
from referee.games.nertz.dealing import stock_cards
from referee.games.nertz.game import (
    GAME,
    NERTS_CARDS,
    Memory,
    Waiting,
    foundations,
    nerts,
    part_of,
    seat_of,
    side_of,
    sides,
    surely_before,
    with_waiting,
    work_places,
)
from referee.rulebook import Case, Outcome, Pile, Setup, State, Unseen, open_table, replace
from referee.values import Dealt, Declared, Event, PileMixed, PileMoved, Points, Ruling, ViewLost

DEALT_PARTS = ("nerts", "work", "stock")


def called(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Take a call: the hand ends if the caller's nerts stack has run out."""
    memory = state.memory
    side = caller(case) or (_only_empty(state) if case.seat is None else None)
    if memory.over is not None:
        return Outcome(_also_called(case, state, side))
    pile = _nerts_seen(state, side)
    if side is None or pile is None:
        return Outcome(state, (call_unknown(state, case.event),))
    if pile:
        due_ns = case.setup.instant(case.event).u_ns + case.setup.span_ns("race.u_card_ms")
        return Outcome(with_waiting(state, Waiting("call", case), case.event.t_ns + due_ns))
    if memory.start is None:
        return Outcome(state)  # nobody has been dealt cards yet
    if not state.table.knows(nerts(side)):
        return Outcome(state, (call_unknown(state, case.event),))
    return end_hand(state, case, case.seat or side)


def _nerts_seen(state: State[Memory], side: str | None) -> Pile | None:
    """Return what lies in a nerts stack, None if it is out of view."""
    try:
        return state.legal(nerts(side)) if side else None
    except Unseen:
        return None


def call_unknown(state: State[Memory], event: Event) -> Ruling:
    """Return the question that a call gives when nobody knows whether the stack has run out."""
    text = "whose nerts stack has run out? Set it, then call again"
    return GAME.ruling("CALL-01", "NOT_OBSERVED" if state.blind else "QUERY", event, text)


def _only_empty(state: State[Memory]) -> str | None:
    """Return the one seat whose nerts stack has run out, for a call without a name."""
    empty = [s for s in sides(state.setup) if _has_run_out(state, s)]
    return empty[0] if len(empty) == 1 else None


def _has_run_out(state: State[Memory], side: str) -> bool:
    try:
        return state.height(nerts(side)) == 0
    except Unseen:
        return False


def _also_called(case: Case[Memory], state: State[Memory], side: str | None) -> State[Memory]:
    """Return the state after a second call: in a dead heat both count as callers (RACE-03)."""
    memory = state.memory
    assert memory.over is not None
    together = not surely_before(memory.over, case.setup.instant(case.event))
    if side is None or not memory.callers or memory.counted or not together:
        return state
    if not _has_run_out(state, side):
        return state
    return state.with_memory(replace(memory, callers=(*memory.callers, side)))


def end_hand(state: State[Memory], case: Case[Memory], seat: str) -> Outcome[Memory]:
    """Return the state after a valid call, and the END; the count follows when all are down."""
    ruling = GAME.ruling("CALL-03", "END", case.event, "hand over", player=seat)
    ruling = replace(ruling, severity="decision", remedy=None, remedy_source=None)
    return Outcome(_over(state, case, (side_of(case.setup, seat),)), (ruling,))


def _over(state: State[Memory], case: Case[Memory], callers: tuple[str, ...]) -> State[Memory]:
    setup, event = case.setup, case.event
    over = setup.instant(event)
    memory = replace(state.memory, over=over, callers=callers, caller_n=event.n)
    # Long enough for a card or a call (at worst a voice) at the same instant.
    slack_ns = max(setup.span_ns("race.u_card_ms"), setup.span_ns("race.u_voice_ms"))
    return state.with_memory(memory).with_alarm(event.t_ns + over.u_ns + slack_ns, "count", event.n)


def ran_out(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """End the hand with the last nerts card, where the house plays so (option nertz.end_on)."""
    if case.setup.option("end_on") != "empty" or state.memory.over is not None:
        return Outcome(state)
    for side in sides(case.setup):
        if _has_run_out(state, side) and not _has_run_out(case.before, side):
            return end_hand(state, case, side)
    return Outcome(state)


def stuck(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Take a declaration to be stuck; when all are, the hand ends or the stocks are turned once."""
    memory, setup = state.memory, case.setup
    seats = {case.seat} if case.seat in setup.seats else set(setup.seats)
    now = memory.stuck | {seat for seat in seats if seat}
    state = state.with_memory(replace(memory, stuck=now))
    if not set(setup.seats) <= now:
        return Outcome(state)
    if setup.option("stuck") == "rotate" and not memory.rotated:
        text = "all are stuck: turn the waste, put the top stock card to the bottom"
        info = GAME.ruling("STUCK-01", "INFO", case.event, text)
        memory = replace(memory, stuck=frozenset(), rotated=True, rotating=frozenset(sides(setup)))
        return Outcome(state.with_memory(memory), (info,))
    ruling = GAME.ruling("STUCK-01", "END", case.event, _stuck_text(state))
    return Outcome(_over(state, case, ()), (ruling,))


def _stuck_text(state: State[Memory]) -> str:
    from_where = next(iter(playable(state)), None)
    return "stuck" if from_where is None else f"stuck; but {from_where}"


def playable(state: State[Memory]) -> list[str]:
    """Return the exposed cards that would fit on a foundation, as far as they are seen."""
    tops = {}
    for zone in foundations(state):
        card = state.top_card(zone) if state.legal(zone) else None
        if card is not None and card.is_suited:
            tops[card.suit(), card.rank() + 1] = zone
    found = []
    for side in sides(state.setup):
        for zone in (nerts(side), f"{side}.waste", *work_places(side)):
            pile = state.legal(zone)
            card = state.face(pile[-1]) if pile and pile[-1].up else None
            if card is not None and card.is_suited:
                target = (
                    "an empty place" if card.rank() == 1 else tops.get((card.suit(), card.rank()))
                )
                if target is not None:
                    found.append(f"{card} of {zone} fits on {target}")
    return found


def count_hand(state: State[Memory]) -> Outcome[Memory]:
    """Count a hand that is over: its SCORE, and the END of the game if somebody has won."""
    memory = state.memory
    assert memory.over is not None
    event = Declared(n=memory.caller_n, t_ns=memory.over.t_ns, what="call")
    state = state.with_memory(replace(memory, counted=True, waiting=()))
    try:
        cards, points = _counted(state)
    except Unseen as reason:
        kind = "NOT_OBSERVED" if state.blind else "QUERY"
        return Outcome(state, (GAME.ruling("SCORE-01", kind, event, f"{reason}: count by hand"),))
    totals = _added(memory.totals, points)
    state = state.with_memory(replace(state.memory, totals=totals, sorted_counts=cards))
    score = GAME.ruling("SCORE-01", "SCORE", event, "", scores=points)
    end = _won(state.setup, event, points if _is_single(state.setup) else totals)
    if end is None:
        return Outcome(state, (score,))
    return Outcome(state.with_memory(replace(state.memory, won=True)), (score, end))


def _is_single(setup: Setup) -> bool:
    return setup.option("series") == "single"


def _counted(state: State[Memory]) -> tuple[tuple[Points, ...], tuple[Points, ...]]:
    """Return each seat's cards on the foundations, and its points. Unseen if not all is known."""
    setup, memory = state.setup, state.memory
    owners = [state.face(lying).deck for zone in foundations(state) for lying in state.legal(zone)]
    if None in owners:
        raise Unseen("a foundation card has an unknown back")
    cards, points = [], []
    fines = {fine.seat: fine.points for fine in memory.fines}
    for side in sorted(sides(setup)):
        own = sum(1 for owner in owners if owner and side_of(setup, owner) == side)
        called = side in memory.callers
        off = 0 if called else setup.number("penalty") * state.height(nerts(side))
        bonus = setup.number("call_bonus") if called else 0
        cards.append(Points(side, own))
        points.append(Points(side, own - off + bonus + fines.get(side, 0)))
    return tuple(cards), tuple(points)


def _added(totals: tuple[Points, ...], points: tuple[Points, ...]) -> tuple[Points, ...]:
    before = {total.seat: total.points for total in totals}
    return tuple(Points(p.seat, before.get(p.seat, 0) + p.points) for p in points)


def _won(setup: Setup, event: Event, totals: tuple[Points, ...]) -> Ruling | None:
    """Return the END of the game: the highest total, at the target or above, alone on top."""
    best = max(total.points for total in totals)
    leaders = [total.seat for total in totals if total.points == best]
    single = _is_single(setup)
    if not single and (best < setup.number("target") or len(leaders) > 1):
        return None
    winner = leaders[0] if len(leaders) == 1 else None
    text = " ".join(f"{total.seat}={total.points}" for total in totals)
    return GAME.ruling("SCORE-05", "END", event, text, player=winner, winner=winner or "tie")


def fined(state: State[Memory], side: str) -> State[Memory]:
    """Return the state after a false call, with the points that the house takes for it."""
    fine = state.setup.option("false_call")
    if fine == "none":
        return state
    fines = {f.seat: f.points for f in state.memory.fines}
    fines[side] = fines.get(side, 0) + int(fine)
    listed = tuple(Points(seat, points) for seat, points in sorted(fines.items()))
    return state.with_memory(replace(state.memory, fines=listed))


def prepare(state: State[Memory], event: Event) -> State[Memory]:
    """Return the state before an event is laid: cleared for a new hand, or for another deal."""
    memory = state.memory
    if isinstance(event, ViewLost):
        return state.with_memory(replace(memory, missed=memory.missed | set(event.zones)))
    if _begins_hand(state, event):
        return new_hand(state, fresh=not isinstance(event, Declared))
    if isinstance(event, PileMoved) and state.debts and memory.start is not None:
        return set_aside(state, event)
    if isinstance(event, Dealt) and memory.start is None and _is_dealt_again(state, event):
        return replace(state, table=state.table.with_pile(event.zone, ()))
    return state


def _begins_hand(state: State[Memory], event: Event) -> bool:
    """Return whether the next hand begins; dealing in the midst of one means nobody saw it end."""
    if isinstance(event, Dealt) and state.memory.start is not None:
        ours = seat_of(event.zone) in state.setup.seats
        return ours and part_of(event.zone) in DEALT_PARTS
    if not state.memory.counted:
        return False
    return isinstance(event, PileMixed) or (isinstance(event, Declared) and event.what == "start")


def _is_dealt_again(state: State[Memory], event: Dealt) -> bool:
    """Return whether a pile that lies there already is dealt anew."""
    pile = state.table.pile(event.zone)
    most = {"nerts": NERTS_CARDS, "stock": stock_cards(state.setup), "work": 1}
    limit = most.get(part_of(event.zone))
    if not pile or limit is None or len(pile) + len(event.cards) <= limit:
        return False
    return part_of(event.zone) != "work" or len(pile) > 1 or not pile[0].up


def new_hand(state: State[Memory], *, fresh: bool) -> State[Memory]:
    """Return the state in which the next hand, or after a win the next game, is dealt."""
    old = state.memory
    totals = () if old.won else old.totals
    memory = Memory(hand=old.hand + 1, fresh=fresh, totals=totals, uncounted=old.uncounted)
    return state.dealt_anew(memory, open_table((), fresh=fresh, groups=()))
