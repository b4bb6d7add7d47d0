"""Nerves: cards that come onto the playing piles or leave them, as they are remembered."""

from __future__ import annotations

from referee.games.nerves import declaring, laying, ripening
from referee.games.nerves.ending import takes_after_slap
from referee.games.nerves.game import GAME, LAST_CARDS, MIDDLE, PILES, Cover, Lost, Memory, Opening
from referee.games.nerves.hits import slaps_blocked
from referee.games.nerves.places import (
    arranged,
    arranged_at_least,
    columns_of,
    is_burn,
    is_laying,
    is_own,
    is_play,
    is_turn,
    part_of,
    seat_of,
    tops_equal,
    visible_tops_equal,
    zones_of_arranged,
)
from referee.games.nerves.playing import fits, lost_race
from referee.games.nerves.running_out import grabs_pile
from referee.rulebook import Alarm, Case, Outcome, State, Unread, Unseen, Verdict, replace
from referee.rulebook.asking import is_unsure, who_was_first
from referee.values import CardPlaced, PileTaken, Ruling

# How long cards taken from the arrangement may be in the hand before they count as kept.
KEPT_NS = 2_000_000_000
# Chances to slap that may still be asked about: the open one and one just covered.
LATEST = 3

Step = tuple[State[Memory], list[Ruling]]


def moved(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    """Remember an act with cards."""
    if case.memory.winner is not None:
        return state, []
    if case.moved.origin in PILES and case.debt is None:
        state = ripening.without_unread(_without_taken_debts(case, state))
        state = _without_taken_piles(case, state)
    if is_laying(case) and verdict.cured is None:
        return laying.laid(case, state, verdict).state, []
    if laying.takes_back(case):
        return laying.taken_back(case, state).state, []
    if verdict.cured is not None:
        return state, []
    if any(debt.n == case.event.n for debt in state.debts):
        return _mistaken(case, state), []
    if is_turn(case) or is_play(case):
        return _on_pile(case, state, verdict)
    if is_burn(case):
        burns = state.memory.burns - {case.seat or ""}
        return state.with_memory(replace(state.memory, burns=burns)), []
    return _elsewhere(case, state, verdict)


def _without_taken_debts(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state where cards that were owed on a pile, and went with it, are forgotten."""
    gone = set(case.moved.tokens)
    debts = tuple(
        debt
        for debt in state.debts
        if debt.n == case.event.n or debt.seat is None or not gone & set(debt.tokens)
    )
    return replace(state, debts=debts)


def _without_taken_piles(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which a playing pile is picked up that its player took."""
    if any(debt.n == case.event.n for debt in state.debts):
        return state
    left = frozenset(pile for pile in state.memory.untaken if state.table.pile(pile))
    return state.with_memory(replace(state.memory, untaken=left))


def _mistaken(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Open the slap over a match that a mistaken card makes, where the house lets it stand."""
    stands = case.setup.option("hit_on_mistake") == "stands"
    if not (stands and (is_play(case) or is_turn(case)) and visible_tops_equal(state)):
        return state
    return _with_match(case, state)


def _elsewhere(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    memory, move, seat = state.memory, case.moved, case.seat
    if move.target in ("cut.1", "deck") or part_of(move.origin) == "pile":
        return _dividing(case, state)
    if grabs_pile(case):
        return ripening.grabbed(case, state)
    if move.origin in PILES and (takes_after_slap(case) or _may_have_lost(case, verdict)):
        return _took(case, state)
    own = is_own(case, move.origin, "arr") and is_own(case, move.target, "held")
    if own and seat in memory.live:
        return _on_hand(case, state)
    return state, []


def _may_have_lost(case: Case[Memory], verdict: Verdict) -> bool:
    """Return whether a whole pile goes to the own rest pile, and nobody can tell of a slap."""
    whole = not isinstance(case.event, CardPlaced) and not case.moved.height
    own = case.moved.target == f"{case.seat}.rest"
    return whole and own and "NERVES-PILE-01" in verdict.doubtful


def _dividing(case: Case[Memory], state: State[Memory]) -> Step:
    """Follow the deck while it is cut, and the piles as they are picked up."""
    memory, move = state.memory, case.moved
    if part_of(move.origin) == "pile":
        takes = isinstance(case.event, PileTaken) and not memory.started
        return declaring.taken_before_start(case, state) if takes else (state, [])
    if move.target == "cut.1" and memory.cut_by is None:
        if not move.short and state.table.knows("deck") and not state.table.pile("deck"):
            text = "all cards were lifted: cut again"
            return state, [GAME.ruling("SET-08", "QUERY", case.event, text, player=case.seat)]
        return state.with_memory(replace(memory, cut_by=case.seat)), []
    if move.target == "deck" and not state.table.pile("cut.1") and memory.half is None:
        memory = replace(memory, cut_by=None, recut=False)
    return state.with_memory(memory), []


def _on_pile(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    """A rest card or an arranged card came onto a playing pile."""
    rulings: list[Ruling] = []
    memory, seat = state.memory, case.seat or ""
    if is_play(case) and "NERVES-PLAY-03" not in verdict.doubtful and lost_race(case):
        return _lost_race(case, state)
    # Of a slap that nobody saw it is not known whether the other pile is still to be taken.
    taken = memory.lost is not None and not (memory.lost.supposed and memory.lost.piles)
    if memory.lost and taken and seat == memory.lost.loser and is_turn(case):
        rulings.append(_released(case, memory.lost))
        memory = replace(memory, lost=None, resumed=frozenset())
        state = state.without_alarm("restart_s")
    # The slap that was decided is over: whoever hits the middle now means a new one.
    if MIDDLE in memory.decided:
        memory = replace(memory, decided=memory.decided - {MIDDLE})
    state = state.with_memory(memory)
    if is_play(case) and _ran_out(state, seat):
        state = _covered(case, state)
        text = f"{seat} choose open"
        rulings.append(GAME.ruling("OUT-01", "INFO", case.event, text, player=seat))
        memory = state.memory
        outs = (*memory.outs, _opening(case))
        memory = replace(memory, outs=outs, decided=memory.decided - set(PILES))
        state = state.with_memory(memory)
        if not slaps_blocked(state) and tops_equal(state):
            state = _with_match(case, state)
    elif tops_equal(state) and not slaps_blocked(state):
        state = _with_match(case, _covered(case, state))
    else:
        state = _covered(case, state)
    state, more = _stall(case, state)
    return state, [*rulings, *more]


def _lost_race(case: Case[Memory], state: State[Memory]) -> Step:
    """Tell who was first of two who laid a card on one pile: the later one goes back."""
    first, seat = case.before.arrivals[case.moved.target], case.seat or ""
    state = state.after_lost_race(case, "NERVES-PLAY-03")
    if asked := who_was_first(case, first.n, (first.seat, seat)):
        return state, [GAME.ruling("PLAY-03", "QUERY", case.event, asked)]
    text = f"{first.seat} first on {case.moved.target}; {seat} takes back {case.card}"
    return state, [GAME.ruling("PLAY-03", "RACE", case.event, text, winner=first.seat)]


def _opening(case: Case[Memory]) -> Opening:
    instant = case.setup.instant(case.event)
    supposed, target = is_unsure(case.event), case.moved.target
    return Opening(case.event.n, instant, case.seat, case.hand, target, supposed=supposed)


def _covered(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which the card covers the open chance to slap."""
    memory = state.memory
    if not memory.matches:
        return state
    debt = case.owing("NERVES-HIT-02", case.seat, race=True)
    cover = Cover(case.setup.instant(case.event), debt)
    matches = tuple(o if o.cover else replace(o, cover=cover) for o in memory.matches)
    return state.with_memory(replace(memory, matches=matches[-LATEST:]))


def _with_match(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state with a new chance to slap; hands that lie on the middle are no hits."""
    memory = state.memory
    return state.with_memory(
        replace(
            memory,
            matches=(*memory.matches, _opening(case)),
            decided=memory.decided - {MIDDLE},
            loners=(),
        )
    )


def _released(case: Case[Memory], lost: Lost) -> Ruling:
    winner = case.setup.others(lost.loser)[0]
    return GAME.ruling("HIT-04", "INFO", case.event, f"{winner} released", player=winner)


def _ran_out(state: State[Memory], seat: str) -> bool:
    if any(seat_of(zone) == seat and part_of(zone) in ("arr", "held") for zone in state.doubted):
        return False  # nobody knows how many cards are left
    try:
        return arranged(state.as_told(), seat) == 0
    except Unseen:
        return False


def _took(case: Case[Memory], state: State[Memory]) -> Step:
    """A playing pile was taken after a slap; without a hit that was seen, whoever takes lost."""
    rulings: list[Ruling] = []
    memory = state.memory
    lost = memory.lost
    if lost is None:
        text = "the hit was not seen"
        ruling = GAME.ruling("HIT-02", "NOT_OBSERVED", case.event, text, player=case.seat)
        rulings.append(ruling)
        formed = not case.before.table.pile(f"{case.seat}.rest")
        unseen = (*PILES, *zones_of_arranged(case.before))
        supposed = not takes_after_slap(case) or any(
            case.before.lost_sight_of(zone, whole=True) for zone in unseen
        )
        lost = Lost(case.seat or "", PILES, formed, case.event.n, supposed, case.event.t_ns)
        hits = tuple(hit for hit in memory.hits if hit.spot != MIDDLE)
        decided = memory.decided | {MIDDLE}
        memory = replace(memory, matches=(), hits=hits, decided=decided)
    left = tuple(pile for pile in lost.piles if state.table.pile(pile))
    state = state.with_memory(replace(memory, lost=replace(lost, piles=left)))
    if not left and lost.piles:
        due_ns = case.event.t_ns + case.setup.span_ns("restart_s")
        state = state.with_alarm(due_ns, "restart_s", lost.n or case.event.n)
    return state, rulings


def restart(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Ask the taker to turn a rest card (AMB-15); both may declare `resume` instead."""
    lost = state.memory.lost
    if lost is None:
        return Outcome(state)
    event = PileTaken(n=alarm.n, t_ns=alarm.due_ns, zone=f"{lost.loser}.rest", count=1)
    text = f"{lost.loser}, please turn a rest card, or both declare resume"
    return Outcome(state, (GAME.ruling("TURN-05", "INFO", event, text, player=lost.loser),))


def _on_hand(case: Case[Memory], state: State[Memory]) -> Step:
    """Arranged cards were taken on hand: with more than three they must be laid down again."""
    try:
        had = arranged_at_least(case.before, case.seat)
    except Unseen:
        return state, []
    if had <= LAST_CARDS:
        return state, []
    debt = case.owing("NERVES-LAST-01", case.seat)
    state = state.with_memory(replace(state.memory, kept=(*state.memory.kept, debt)))
    return state.with_alarm(case.event.t_ns + KEPT_NS, "kept", case.event.n), []


def kept(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Rule on cards that were taken on hand with too many arranged and not laid elsewhere."""
    memory = state.memory
    debt = next((debt for debt in memory.kept if debt.n == alarm.n), None)
    left = tuple(debt for debt in memory.kept if debt.n != alarm.n)
    state = state.with_memory(replace(memory, kept=left))
    if debt is None or debt.seat not in memory.live or memory.winner is not None:
        return Outcome(state)
    held = {lying.token for lying in state.table.pile(debt.at)}
    tokens = tuple(token for token in debt.tokens if token in held)
    if not tokens:
        return Outcome(state)
    event = PileTaken(n=debt.n, t_ns=alarm.due_ns - KEPT_NS, zone=debt.origin, count=1)
    text = "more than three arranged cards, and some are taken on hand"
    if any(state.lost_sight_of(zone, whole=True) for zone in zones_of_arranged(state)):
        # Some may have been played unseen, or somebody's last one, and the piles chosen.
        query = GAME.ruling("LAST-01", "QUERY", event, f"{text}? Some were out of view")
        return Outcome(state, (query,))
    ruling = GAME.ruling("LAST-01", "VIOLATION", event, text, player=debt.seat)
    return Outcome(state.with_debt(replace(debt, tokens=tokens)), (ruling,))


def _stall(case: Case[Memory], state: State[Memory]) -> Step:
    """Tell when nobody has a legal play and no card is left to turn (AMB-16)."""
    memory = state.memory
    try:
        stuck = not memory.outs and _is_stuck(state) and not tops_equal(state)
    except (Unseen, Unread):
        stuck = False
    if stuck == memory.stalled:
        return state, []
    state = state.with_memory(replace(memory, stalled=stuck))
    if not stuck:
        return state, []
    info = GAME.ruling("TURN-05", "INFO", case.event, "no legal play seen: declare stalemate")
    option = case.setup.option("stalemate")
    if option == "ask":
        return state, [info]
    state, rulings = declaring.stalled(case, state, option)
    return state, [info, *rulings]


def _is_stuck(state: State[Memory]) -> bool:
    """Return whether all cards are open and none fits. Unseen or Unread if that is not known."""
    setup = state.setup
    if state.memory.live != frozenset(setup.seats):
        return False
    if any(state.height(f"{seat}.rest") for seat in setup.seats):
        return False
    if any(state.height(f"{seat}.held") for seat in setup.seats):
        return False
    lying = [x for seat in setup.seats for z in columns_of(state, seat) for x in state.legal(z)]
    if not all(x.up for x in lying):
        return False
    tops = [state.top_card(pile) for pile in PILES]
    if None in tops and setup.is_on("play_on_empty"):
        return False
    cards = [state.face(x) for x in lying]
    return not any(fits(setup, card, top) for card in cards for top in tops if top is not None)
