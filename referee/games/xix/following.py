"""XIX: what the game remembers after each event, and the decisions that follow from it."""

from __future__ import annotations

from referee.games.xix import doubts, views, waiting
from referee.games.xix.dealing import was_lifted
from referee.games.xix.exchange import (
    Step,
    abandoned,
    acted,
    decide,
    is_disputed,
    loser_of,
    raised,
)
from referee.games.xix.game import (
    DECK,
    GAME,
    MIDDLE,
    THIRD_STRIKE,
    Given,
    Lifted,
    Memory,
    is_hand,
    is_pick,
    is_play,
    is_taken_back,
    is_talon,
    may_have_missed,
    opponent,
    player_of,
    seat_of,
    stage_of,
    strikes_of,
)
from referee.games.xix.opening import found_over
from referee.games.xix.tricks import decider_of
from referee.games.xix.views import OF_ORDER
from referee.rulebook import Case, Debt, Move, Outcome, State, Verdict, replace
from referee.values import (
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Declared,
    PileMixed,
    PileMoved,
    Reread,
    Ruling,
)

# They are about the deal, told with the act that ends it, and no fault of that act.
SET_UP_COUNTS = frozenset({"XIX-SET-02", "XIX-SET-05", "XIX-SET-06"})


def follow(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Outcome[Memory]:
    """Step the memory over one judged event."""
    state, rulings = _late_readings(case, state)
    match case.event:
        case Declared():
            step = _declared(case, state, verdict)
        case CardPlaced() | PileMoved() | CardTurned():
            step = _moved(case, state, verdict)
        case CardLifted():
            step = _lifted(case, state, verdict), []
        case Dealt() | PileMixed():
            step = _set_up(case, state)
        case _:
            step = state, []
    return Outcome(_gone(case, _laid_down(case, step[0])), (*rulings, *step[1]))


def _gone(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Remember from where a card went that was not seen surely to go, until one comes there."""
    move, left = case.move, state.memory.left
    if move is None or move.turned or not (left or state.unsure):
        return state
    if case.event.n in state.unsure:
        left |= {move.origin}
    return state.with_memory(replace(state.memory, left=left - {move.target}))


def _laid_down(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Forget a lifted card once its player does something else, or it moves."""
    lifted = state.memory.lifted
    if lifted is None or isinstance(case.event, CardLifted):
        return state
    if case.seat == lifted.seat or (case.move and lifted.token in case.move.tokens):
        return state.with_memory(replace(state.memory, lifted=None))
    return state


def _late_readings(case: Case[Memory], state: State[Memory]) -> Step:
    """Decide a trick whose cards were read only now, or were read wrongly before."""
    memory = state.memory
    if memory.unread is not None:
        by_word = case.move is not None and is_pick(case)
        loser = None if by_word else loser_of(state, memory.unread)
        return decide(state, memory.unread, loser) if loser else _by_word(case, state)
    decided = memory.decided
    if decided is None or not isinstance(case.event, Reread):
        return state, []
    loser = loser_of(state, decided.trick)
    if loser in (None, decided.loser):
        return state, []
    before = replace(decided.before, held=memory.held)
    text = "withdrawn: a card of the trick was read again"
    info = GAME.ruling("TRICK-07", "INFO", decided.trick.event, text)
    withdrawn = views.withdrawn_score(state, decided)
    state, rulings = decide(state.with_memory(before), decided.trick)
    return state, [info, *withdrawn, *rulings]


def _by_word(case: Case[Memory], state: State[Memory]) -> Step:
    """Decide a trick that nobody could read as the players do, who saw it."""
    trick, loser = state.memory.unread, _loser_by_word(case, state)
    if trick is None or loser is None:
        return state, []
    state, rulings = decide(state, trick, loser)
    if case.move is not None and is_play(case):
        # Whoever leads on has seen or heard that the exchange goes on.
        state = state.with_memory(replace(state.memory, due=(), unheard=loser))
    return state, rulings


def _loser_by_word(case: Case[Memory], state: State[Memory]) -> str | None:
    """Return who lost a trick that nobody could read, by what the players do next."""
    seat = player_of(case)
    if isinstance(case.event, Declared):
        return seat if case.event.what in ("raise", "abandon") else None
    if case.move is None or isinstance(case.event, CardTurned):
        return None
    if is_pick(case):
        return _third_struck(state, seat)
    return opponent(state.setup, seat) if is_play(case) and case.moved.up else None


def _third_struck(state: State[Memory], picker: str | None) -> str | None:
    """Return who got a third strike, if the exchange can be over; the first to draft may be."""
    near = [seat for seat in state.setup.seats if strikes_of(state, seat) == THIRD_STRIKE - 1]
    return picker if picker in near else next(iter(near), None)


def _declared(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    event, memory = case.event, state.memory
    assert isinstance(event, Declared)
    if event.what == "leader":
        return _leader(case, state, verdict)
    if event.what not in ("raise", "abandon") or verdict.found:
        return state, []
    seat = decider_of(case, memory)
    if event.what == "abandon" and seat is not None and memory.found and event.source == "camera":
        text = f"{seat} lost the exchange that was found in play, and drafts and trades first"
        info = GAME.ruling("DRAFT-01", "INFO", event, text, player=seat)
        unseen = GAME.ruling("DRAFT-04", "NOT_OBSERVED", event, "who lost it was not seen")
        return found_over(state, seat), [info, unseen]
    if "XIX-STRIKE-02" in verdict.doubtful and may_have_missed(state):
        told = bool(state.blind)
        state, rulings = views.lose_track(case, state, "XIX-STRIKE-02", told=told)
        if event.what == "raise":
            return state, rulings
        return _abandoned_unseen(case, state, rulings)
    if memory.stage == "lost" and event.what == "abandon":
        return _abandoned_unseen(case, state, [])
    if is_disputed(state, seat):
        state, rulings = views.disputed(state)
        if event.what == "raise":
            return state, rulings
        return _abandoned_unseen(case, state, rulings)
    if seat is None or seat not in (*memory.due, memory.unheard):
        return state, []
    for held in waiting.excusable(state, event):
        state = waiting.without(state, held)
    return raised(state, event, seat) if event.what == "raise" else abandoned(state, event, seat)


def _abandoned_unseen(case: Case[Memory], state: State[Memory], rulings: list[Ruling]) -> Step:
    seat = decider_of(case, state.memory)
    if seat is None:
        return state, rulings
    state, more = views.shared(state, case.event, seat)
    return state, [*rulings, *more]


def _leader(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    event, memory = case.event, state.memory
    assert isinstance(event, Declared)
    told = event.words[:1] and event.words[0] in state.setup.seats
    named = event.words[0] if told else player_of(case)
    asked = memory.opening or memory.leader is None
    if not asked or memory.stage not in ("deal", "lead"):
        return state, []
    misdealt = any(rule.startswith("XIX-SET-") for rule in verdict.found)
    memory = replace(memory, stage="lead", leader=named, misdealt=misdealt)
    if not state.hides(MIDDLE):
        # Nobody plays before the leader is named, so no card was missed.
        memory = replace(memory, gap=False, closed_ns=event.t_ns)
    if named is None:
        return state.with_memory(memory), []
    text = f"{named} leads"
    return state.with_memory(memory), [GAME.ruling("TRICK-05", "INFO", event, text, player=named)]


def _moved(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    if state.memory.stage == "over":
        return _after_the_end(case, state)
    if doubts.is_undone(case):
        return doubts.undo(case, state)
    if verdict.cured is not None:
        state, rulings = _completed(case, state, verdict.cured)
        state, more = _excuse(case, state)
        return state, [*rulings, *more]
    if set(verdict.found) - SET_UP_COUNTS:
        return _faulty(case, state, verdict)
    if state.memory.stage == "lost":
        return views.regain(case, doubts.played_on(case, state))
    missed = tuple(id for id in verdict.doubtful if id in OF_ORDER)
    if missed and (state.blind or may_have_missed(state)):
        return views.lose_track(case, state, missed[0], told=bool(state.blind))
    if unsure := doubts.first_doubt(case, state, verdict.doubtful):
        return doubts.leave_open(case, state, unsure), []
    seat = player_of(case)
    if case.move is None or seat is None or isinstance(case.event, CardTurned):
        return state, []
    if was_lifted(case) and _is_same_fault(case):
        return _carried_on(case, state), []
    if is_taken_back(case):
        return _taken_back(state), []
    return _in_order(case, state, seat, verdict)


def _in_order(case: Case[Memory], state: State[Memory], seat: str, verdict: Verdict) -> Step:
    """Step over an act that only its order can make a fault."""
    early = doubts.without_early_lead(case, case.before)
    state, case = doubts.without_early_lead(case, state), replace(case, before=early)
    asked = waiting.asked_again(case, case.before.with_memory(state.memory), fine=verdict.fine)
    rulings: list[Ruling] = []
    found = [pair for pair in asked.findings if pair[0] not in SET_UP_COUNTS]
    if found:
        if found[0][1].owes is False:
            state, rulings = acted(case, state, seat)
            state = _standing(case, state, seat, found[0][0])
        return waiting.hold(case, state, *found[0]), rulings
    missed = tuple(id for id, _ in asked.unseen if id in OF_ORDER)
    if missed and (state.blind or may_have_missed(state)):
        return views.lose_track(case, state, missed[0])
    unread = dict(asked.unread)
    if unsure := doubts.first_doubt(case, state, unread):
        return doubts.leave_open(case, state, unsure), [_asked(case, unsure, unread[unsure])]
    before = state.memory
    if is_play(case) or is_pick(case):
        blind = not state.blind.isdisjoint((MIDDLE, "*"))
        if blind != state.memory.gap:
            state = state.with_memory(replace(state.memory, gap=blind))
    state, rulings = acted(case, state, seat)
    state, excused = _excuse(case, state)
    if doubtful := (*unread, *verdict.doubtful):
        state = doubts.remember(case, state, doubtful[0], before)
        rulings += [_asked(case, id, reason) for id, reason in asked.unread[:1]]
    return state, [*rulings, *excused, *_changed_hands(case)]


def _asked(case: Case[Memory], id: str, reason: str) -> Ruling:
    bare = id.removeprefix(f"{GAME.prefix}-")
    return GAME.ruling(bare, "QUERY", case.event, f"{reason}: not decided")


def _changed_hands(case: Case[Memory]) -> list[Ruling]:
    """Ask about a card that went from one player's hand to the other's: no rule names it."""
    origin, target = case.origin, case.moved.target
    if not (is_hand(origin) and is_hand(target)) or seat_of(origin) == seat_of(target):
        return []
    text = f"a card went from {origin} to {target}: whose is it?"
    return [GAME.ruling("HAND-01", "QUERY", case.event, text)]


def _taken_back(state: State[Memory]) -> State[Memory]:
    """Undo an act that was announced and counted: an early lead, or a wrong half of the trade."""
    memory = replace(state.memory, standing=None)
    if memory.stage == "reply":
        return state.with_memory(replace(memory, stage="lead", lead=None))
    owed = next((debt for debt in state.debts if debt.rule == "XIX-TRADE-06"), None)
    if owed is not None and memory.given is None:
        memory = replace(memory, given=Given(owed.at, owed.tokens[0], owed))
        state = replace(state, debts=tuple(debt for debt in state.debts if debt is not owed))
    return state.with_memory(replace(memory, taken=None))


def _excuse(case: Case[Memory], state: State[Memory]) -> Step:
    """Accept a held card that came at the same time as the one that was due before it."""
    for held in waiting.excusable(state, case.event):
        freed = waiting.without(state, held)
        again = replace(held.case, before=freed)
        if waiting.asked_again(again, freed).findings:
            continue
        seat = player_of(held.case)
        return acted(held.case, freed, seat) if seat else (freed, [])
    return state, []


def _standing(case: Case[Memory], state: State[Memory], seat: str, id: str) -> State[Memory]:
    return state.with_memory(replace(state.memory, standing=case.owing(id, seat)))


def _faulty(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    """Step over an act that was announced and stands all the same."""
    seat, memory = player_of(case), state.memory
    if seat is None:
        return state, []
    if "XIX-TRADE-06" in verdict.found and is_talon(case.origin):
        assert memory.given is not None
        owed, memory = memory.given.debt, replace(memory, taken=case.origin, given=None)
        state = state.with_debt(owed).with_memory(memory)
        return _standing(case, state, seat, "XIX-TRADE-06"), []
    if "XIX-TRADE-04" in verdict.found and case.moved.target == f"{seat}.closed":
        state, rulings = acted(case, state, seat)
        return _standing(case, state, seat, "XIX-TRADE-04"), rulings
    return state, []


def _completed(case: Case[Memory], state: State[Memory], debt: Debt) -> Step:
    """Step over a cure: the named remedy completes the act, going back undoes it."""
    return acted(case, state, debt.seat) if debt.seat else (state, [])


def _is_same_fault(case: Case[Memory]) -> bool:
    """Return whether a lifted card may not lie where it comes down."""
    fresh = case.before.with_memory(replace(case.memory, lifted=None))
    return bool(waiting.asked_again(case, fresh).findings)


def _carried_on(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """A card whose lifting was announced comes down: the same act, told once."""
    lifted = state.memory.lifted
    return state.with_debt(case.owing(lifted.rule, lifted.seat)) if lifted else state


def _lifted(case: Case[Memory], state: State[Memory], verdict: Verdict) -> State[Memory]:
    event = case.event
    assert isinstance(event, CardLifted)
    pile = case.table.pile(event.zone)
    if not verdict.found or not pile:
        return state
    token = pile[-1 - min(event.pos or 0, len(pile) - 1)].token
    lifted = Lifted(token, case.seat, verdict.found[0])
    return state.with_memory(replace(state.memory, lifted=lifted))


def _after_the_end(case: Case[Memory], state: State[Memory]) -> Step:
    if not (is_play(case) or is_pick(case)):
        return state, []
    return state, [GAME.ruling("END-01", "INFO", case.event, "the game is over")]


def _set_up(case: Case[Memory], state: State[Memory]) -> Step:
    memory, event = state.memory, case.event
    if isinstance(event, PileMixed):
        mixed = replace(memory, shuffled=memory.shuffled or event.zone == DECK)
        return state.with_memory(mixed), []
    assert isinstance(event, Dealt)
    if memory.shuffled or memory.stage != "deal" or event.zone == DECK:
        return state, []
    text = "no shuffle was seen before the deal; were the cards shuffled?"
    state = state.with_memory(replace(memory, shuffled=True))
    return state, [GAME.ruling("SET-01", "QUERY", event, text)]


def cures(state: State[Memory], debt: Debt, move: Move) -> bool:
    """Return whether a move is the named remedy of a debt; it completes the act."""
    target, seat = move.target, debt.seat
    match debt.rule:
        case "XIX-TRICK-02":
            return target == MIDDLE and move.up and _is_turn_of(state, seat)
        case "XIX-DRAFT-05" | "XIX-TRADE-05":
            return target == f"{seat}.open" and move.up
        case "XIX-TRADE-04":
            return target == f"{seat}.closed"
        case "XIX-TRADE-06":
            right = state.memory.taken in (None, target)
            as_it_faces = move.up == (not debt.origin.endswith("closed"))
            return is_talon(target) and right and as_it_faces
        case "XIX-DRAFT-06":
            return move.turned and move.up and is_hand(target)
        case _:
            return False


def _is_turn_of(state: State[Memory], seat: str | None) -> bool:
    memory, stage = state.memory, stage_of(state)
    leads = memory.leader in (None, seat)
    return (stage == "lead" and leads) or (stage == "reply" and memory.leader != seat)
