"""Nerves: hits wait until they are ripe, and are judged then."""

from __future__ import annotations

from referee.games.nerves.deciding import (
    ASK_HAND_NS,
    asked_about,
    decide,
    second_winner,
    without_hit,
)
from referee.games.nerves.game import GAME, MIDDLE, PILES, Hit, Lost, Memory, Opening
from referee.games.nerves.hits import (
    SIDES,
    as_case,
    as_event,
    chance,
    is_hand_supposed,
    is_hand_unknown,
    is_second_to_asked,
    is_spent,
    is_supposed,
    openings,
    own_opening,
)
from referee.games.nerves.places import part_of, visible_tops_equal
from referee.rulebook import (
    Alarm,
    Asked,
    Case,
    Outcome,
    State,
    ask,
    replace,
    surely_before,
)
from referee.values import Event, Ruling

Step = tuple[State[Memory], list[Ruling]]

# Two people who see the same chance hit within that time of each other: reactions differ by less.
TOGETHER_NS = 500_000_000


def with_hit(state: State[Memory], hit: Hit, *, alarm: bool = True) -> State[Memory]:
    """Return the state with a hit that is judged as soon as nothing earlier can come any more."""
    state = state.with_memory(replace(state.memory, hits=(*state.memory.hits, hit)))
    if not alarm:
        return state
    # Long enough also for a rival who is hardly later: the ruling then says by how much.
    late_ns = max(state.setup.span_ns(f"race.{what}_ms") for what in ("u_card", "u_hand", "fuse"))
    return state.with_alarm(hit.instant.t_ns + hit.instant.u_ns + late_ns, "hit", hit.n)


def settled_before(state: State[Memory], event: Event) -> State[Memory]:
    """Return the state in which those hits are judged that an act with cards comes surely after.

    They may wait for a rival who is hardly later; but who moves cards then, moves them after the
    decision. Its rulings are told with those of the act.
    """
    instant = state.setup.instant(event)
    for hit in state.memory.hits:
        if not hit.asked and surely_before(hit.instant, instant):
            outcome = ripen(state, hit.n, waits=False)
            told = (*outcome.state.memory.told, *outcome.rulings)
            state = outcome.state.with_memory(replace(outcome.state.memory, told=told))
    return state


def grabbed(case: Case[Memory], state: State[Memory]) -> Step:
    """Take a pile that is grabbed without a hit as hit at the time of contact."""
    instant = case.setup.instant(case.event)
    seat = case.seat or ""
    hit = Hit(case.event.n, instant, seat, case.hand, case.moved.origin, grabbed=True)
    return with_hit(state, hit), []


def _pending(state: State[Memory], n: int) -> Hit | None:
    return next((hit for hit in state.memory.hits if hit.n == n), None)


def ripen(state: State[Memory], n: int, *, waits: bool = True) -> Outcome[Memory]:
    """Judge a hit, and decide its spot if it is valid; `waits`: a later rival is waited for."""
    hit = _pending(state, n)
    if hit is None:
        return Outcome(state)
    case = as_case(state, hit)
    if is_spent(case):
        return second_winner(without_hit(state, n), hit)
    asked = ask(GAME, case)
    if asked.findings and not hit.grabbed:
        if is_supposed(case) or is_hand_supposed(case):
            return _asked(state, hit, asked.findings[0][0])
        if state.camera and (rivals := _together_with(state, hit)):
            return _all_asked(state, (hit, *rivals), asked.findings[0][0])
        return _void(without_hit(state, n), hit, asked)
    if asked.unread or asked.unseen:
        return _doubtful(without_hit(state, n), hit, asked)
    if is_hand_unknown(case) and not hit.asked and not hit.grabbed:
        return _ask_hand(state, hit)
    if asked.findings or chance(case) is None:
        return Outcome(without_hit(state, n))
    if is_second_to_asked(case):
        return _asked(state, hit, "HIT-02" if hit.spot == MIDDLE else "OUT-04")
    return decide(state, hit, waits=waits)


def _together_with(state: State[Memory], hit: Hit) -> tuple[Hit, ...]:
    """Return the other player's hits of the same moment on the same spot."""
    return tuple(
        other
        for other in state.memory.hits
        if other.seat != hit.seat
        and other.spot == hit.spot
        and abs(other.instant.t_ns - hit.instant.t_ns) <= TOGETHER_NS
    )


def _all_asked(state: State[Memory], hits: tuple[Hit, ...], id: str) -> Outcome[Memory]:
    """Ask about hits of one moment: where both players saw a chance, the camera missed a card."""
    state = without_hit(state, *(hit.n for hit in hits))
    return Outcome(state, tuple(asked_about(hit, id) for hit in hits))


def _asked(state: State[Memory], hit: Hit, id: str) -> Outcome[Memory]:
    """Ask about a hit."""
    return Outcome(without_hit(_marked(state, hit), hit.n), (asked_about(hit, id),))


def _marked(state: State[Memory], hit: Hit) -> State[Memory]:
    """Return the state in which whoever hits a spot after an asked hit may be the second."""
    memory, answered = state.memory, openings(as_case(state, hit))

    def marked(one: Opening) -> Opening:
        by = one.asked | {(hit.seat, hit.spot)} if one in answered else one.asked
        return replace(one, asked=by)

    matches, outs = tuple(map(marked, memory.matches)), tuple(map(marked, memory.outs))
    return state.with_memory(replace(memory, matches=matches, outs=outs))


def _void(state: State[Memory], hit: Hit, asked: Asked) -> Outcome[Memory]:
    rulings: list[Ruling] = []
    for id, finding in asked.findings:
        rule = GAME.rules[id]
        kind = "INFO" if rule.severity == "info" else "VIOLATION"
        bare = id.removeprefix("NERVES-")
        rulings.append(GAME.ruling(bare, kind, as_event(hit), finding.text, player=finding.seat))
        if bare == "HIT-01" and not visible_tops_equal(state):
            state = _penalty(state, hit)
    return Outcome(state, tuple(rulings))


def _penalty(state: State[Memory], hit: Hit) -> State[Memory]:
    """Return the state with the house's penalty for a false hit; the printed rules know none."""
    memory, penalty = state.memory, state.setup.option("false_hit")
    if penalty == "burn1" and state.table.pile(f"{hit.seat}.rest"):
        return state.with_memory(replace(memory, burns=memory.burns | {hit.seat}))
    piles = tuple(pile for pile in PILES if state.table.pile(pile))
    if penalty == "takes_all" and piles:
        formed = not state.table.pile(f"{hit.seat}.rest")
        lost = Lost(hit.seat, piles, formed, hit.n, t_ns=hit.instant.t_ns)
        return state.with_memory(replace(memory, lost=lost))
    return state


def _doubtful(state: State[Memory], hit: Hit, asked: Asked) -> Outcome[Memory]:
    """Ask about a hit over cards that are not read; it is judged when they are."""
    id, reason = (*asked.unread, *asked.unseen)[0]
    bare, text = id.removeprefix("NERVES-"), f"{reason}: not decided"
    if hit.n in state.unsure:
        # It may have been done with the other hand.
        state = _marked(state, hit)
    if asked.unread:
        memory = state.memory
        state = state.with_memory(replace(memory, unread=(*memory.unread, hit)))
        return Outcome(state, (GAME.ruling(bare, "QUERY", as_event(hit), text),))
    if state.blind:
        return Outcome(state, (GAME.ruling(bare, "NOT_OBSERVED", as_event(hit), text),))
    return Outcome(state)


def without_unread(state: State[Memory]) -> State[Memory]:
    """Return the state in which the hits over unread cards stay undecided: those cards are gone."""
    if not state.memory.unread:
        return state
    return state.with_memory(replace(state.memory, unread=()))


def read_late(state: State[Memory]) -> Outcome[Memory]:
    """Judge hits again over cards that are read by now."""
    rulings: list[Ruling] = []
    for hit in state.memory.unread:
        if ask(GAME, as_case(state, hit)).unread:
            continue
        left = tuple(other for other in state.memory.unread if other.n != hit.n)
        state = with_hit(state.with_memory(replace(state.memory, unread=left)), hit, alarm=False)
        outcome = ripen(state, hit.n)
        state = outcome.state
        rulings += outcome.rulings
    return Outcome(state, tuple(rulings))


def _ask_hand(state: State[Memory], hit: Hit) -> Outcome[Memory]:
    state = _replaced(state, replace(hit, asked=True))
    text = f"which hand was it? {hit.seat} declares hand L or hand R"
    query = GAME.ruling("HAND-03", "QUERY", as_event(hit), text, player=hit.seat)
    return Outcome(state.with_alarm(hit.instant.t_ns + ASK_HAND_NS, "hand", hit.n), (query,))


def _replaced(state: State[Memory], hit: Hit) -> State[Memory]:
    hits = tuple(hit if other.n == hit.n else other for other in state.memory.hits)
    return state.with_memory(replace(state.memory, hits=hits))


def hand_seen(state: State[Memory], n: int, hand: str | None) -> State[Memory]:
    """Return the state in which the camera told the hand of a pad hit that still waits."""
    hit = _pending(state, n)
    if hit is None or hit.hand in SIDES or hand not in SIDES:
        return state
    return _replaced(state, replace(hit, hand=hand))


def hand_told(state: State[Memory], seat: str | None, hand: str) -> Step:
    """Take the hand that a player or the operator names: of the hit, or of the card before it."""
    hit = next((h for h in state.memory.hits if h.asked and seat in (None, h.seat)), None)
    if hit is None:
        return state, []
    if hit.hand not in SIDES:
        state = _replaced(state, replace(hit, hand=hand))
    else:
        memory = state.memory
        opening = own_opening(as_case(state, hit))
        matches = tuple(replace(o, hand=hand) if o == opening else o for o in memory.matches)
        outs = tuple(replace(o, hand=hand) if o == opening else o for o in memory.outs)
        state = state.with_memory(replace(memory, matches=matches, outs=outs))
    hit = _pending(state, hit.n)
    if hit is None or is_hand_unknown(as_case(state, hit)):
        return state, []
    outcome = ripen(state, hit.n)
    return outcome.state, list(outcome.rulings)


def hand_never_told(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Let a hit count, or not, of which nobody told the hand."""
    hit = _pending(state, alarm.n)
    if hit is None or not is_hand_unknown(as_case(state, hit)):
        return Outcome(state)
    void = state.setup.option("hand_unknown") == "void"
    text = f"nobody told the hand: the hit {'is void' if void else 'counts'}"
    told = GAME.ruling("HAND-03", "NOT_OBSERVED", as_event(hit), text, player=hit.seat)
    outcome = Outcome(without_hit(state, hit.n)) if void else ripen(state, hit.n)
    return Outcome(outcome.state, (told, *outcome.rulings))


def settle_asked(state: State[Memory]) -> Outcome[Memory]:
    """Let the hits count that wait for the name of a hand: the players go on as if they did."""
    rulings: list[Ruling] = []
    for hit in state.memory.hits:
        if hit.asked:
            outcome = hand_never_told(state, Alarm(hit.instant.t_ns, "hand", hit.n))
            state = outcome.state
            rulings += outcome.rulings
    return Outcome(state, tuple(rulings))


def takes_over(case: Case[Memory]) -> bool:
    """Return whether a playing pile leaves while a hit still waits for the name of a hand."""
    leaves = case.moved.origin in PILES and part_of(case.moved.target) in ("rest", "held")
    return leaves and any(hit.asked for hit in case.memory.hits)
