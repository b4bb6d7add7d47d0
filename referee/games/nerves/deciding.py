"""Nerves: hits are judged when they are ripe, and races are decided."""

from __future__ import annotations

from itertools import chain

from referee.games.nerves.game import GAME, MIDDLE, PILES, Choice, Hit, Lost, Memory
from referee.games.nerves.hits import (
    SIDES,
    as_case,
    as_event,
    chance,
    is_hand_unknown,
    is_spent,
    is_supposed,
    own_opening,
)
from referee.games.nerves.places import arranged, part_of, visible_tops_equal
from referee.rulebook import (
    Alarm,
    Asked,
    Case,
    Finish,
    Outcome,
    State,
    Unseen,
    ask,
    finish,
    replace,
    surely_before,
)
from referee.values import Declared, Event, Ruling

# How long a player is asked for the hand that nobody saw (AMB-07).
ASK_HAND_NS = 10_000_000_000

Step = tuple[State[Memory], list[Ruling]]


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


def without_hit(state: State[Memory], *numbers: int) -> State[Memory]:
    """Return the state in which these hits wait no longer."""
    left = tuple(hit for hit in state.memory.hits if hit.n not in numbers)
    return state.with_memory(replace(state.memory, hits=left))


def _pending(state: State[Memory], n: int) -> Hit | None:
    return next((hit for hit in state.memory.hits if hit.n == n), None)


def ripen(state: State[Memory], n: int, *, waits: bool = True) -> Outcome[Memory]:
    """Judge a hit, and decide its spot if it is valid; `waits`: a later rival is waited for."""
    hit = _pending(state, n)
    if hit is None:
        return Outcome(state)
    case = as_case(state, hit)
    if is_spent(case):
        return _second_winner(without_hit(state, n), hit)
    asked = ask(GAME, case)
    if asked.findings and not hit.grabbed:
        if is_supposed(case):
            return Outcome(without_hit(state, n), (_asked_about(hit, asked.findings[0][0]),))
        return _void(without_hit(state, n), hit, asked)
    if asked.unread or asked.unseen:
        return _doubtful(without_hit(state, n), hit, asked)
    if is_hand_unknown(case) and not hit.asked and not hit.grabbed:
        return _ask_hand(state, hit)
    if asked.findings or chance(case) is None:
        return Outcome(without_hit(state, n))
    return _decide(state, hit, waits=waits)


def _asked_about(hit: Hit, id: str) -> Ruling:
    """Return the question about a hit that answers a card which was not seen surely."""
    text = "the card before the hit was not seen surely: not decided"
    return GAME.ruling(id.removeprefix("NERVES-"), "QUERY", as_event(hit), text)


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
        return state.with_memory(replace(memory, lost=Lost(hit.seat, piles, formed, hit.n)))
    return state


def _doubtful(state: State[Memory], hit: Hit, asked: Asked) -> Outcome[Memory]:
    """Ask about a hit over cards that are not read; it is judged when they are."""
    id, reason = (*asked.unread, *asked.unseen)[0]
    bare, text = id.removeprefix("NERVES-"), f"{reason}: not decided"
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


def _is_valid(state: State[Memory], hit: Hit) -> bool:
    case = as_case(state, hit)
    return not ask(GAME, case).findings and chance(case) is not None


def _decide(state: State[Memory], hit: Hit, *, waits: bool = True) -> Outcome[Memory]:
    """Decide a spot, unless somebody who may have been earlier is still waited for.

    With `waits` also a rival who is on the spot and later, so that the ruling says by how much.
    """
    later_ns = _waits_until(state, hit, waits)
    if later_ns is not None:
        return Outcome(state.with_alarm(later_ns, "hit", hit.n))
    mine = [h for h in state.memory.hits if h.spot == hit.spot and _is_valid(state, h)]
    first = min((hit, *mine), key=lambda h: (h.instant.t_ns, h.n))
    rivals = [h for h in mine if h.seat != first.seat]
    rival = min(rivals, key=lambda h: (h.instant.t_ns, h.n), default=None)
    draw_ns = state.setup.span_ns("race.draw_ms") or None
    result = finish(first.instant, rival.instant, draw_ns=draw_ns) if rival else None
    if rival is not None and result is not None and result.first is None:
        return _dead_heat(state, first, rival, result)
    cover = getattr(chance(as_case(state, first)), "cover", None)
    if cover is not None and not surely_before(first.instant, cover.instant):
        result = finish(first.instant, cover.instant)
        return _covered(without_hit(state, first.n), first, result)
    same = (h.n for h in state.memory.hits if h.spot == first.spot)
    state = without_hit(state, *same)
    outcome = (_slap if first.spot == MIDDLE else _pile)(state, first, result)
    return _with_evidence(outcome, first, rival)


def _with_evidence(outcome: Outcome[Memory], hit: Hit, rival: Hit | None) -> Outcome[Memory]:
    """Return the outcome with the rival's evidence beside the winner's, and what is doubtful."""
    unsure = outcome.state.unsure
    doubted = any(one is not None and one.n in unsure for one in (hit, rival))
    doubt = "; not sure: the sensors contradict each other" if doubted else ""
    frames = () if rival is None or rival.frames is None else (rival.frames,)
    return replace(
        outcome,
        rulings=tuple(
            replace(ruling, text=ruling.text + doubt, evidence=(*ruling.evidence, *frames))
            if ruling.kind == "RACE"
            else ruling
            for ruling in outcome.rulings
        ),
    )


def _waits_until(state: State[Memory], hit: Hit, later: bool) -> int | None:
    """Return the time until which a rival is waited for: one more sensor, or a hand."""
    touches = [
        t.instant.t_ns + state.setup.span_ns("race.fuse_ms") + 1
        for t in state.memory.touches
        if t.spot == hit.spot
        if (later and t.seat not in (None, hit.seat)) or not surely_before(hit.instant, t.instant)
    ]
    asked = [
        h.instant.t_ns + ASK_HAND_NS + 1
        for h in state.memory.hits
        if h.asked and h.n != hit.n and h.spot == hit.spot
        if is_hand_unknown(as_case(state, h)) and not surely_before(hit.instant, h.instant)
    ]
    times_ns = [t_ns for t_ns in chain(touches, asked) if t_ns > state.now_ns]
    return max(times_ns, default=None)


def _race(hit: Hit, text: str, winner: str, result: Finish | None) -> Ruling:
    return GAME.ruling(
        "HIT-02" if hit.spot == MIDDLE else "OUT-04",
        "RACE",
        as_event(hit),
        text,
        winner=winner,
        margin_ns=result.margin_ns if result else None,
        interval_ns=result.interval_ns if result else None,
        p_first=result.p_first if result else None,
    )


def _dead_heat(state: State[Memory], hit: Hit, rival: Hit, result: Finish) -> Outcome[Memory]:
    """Nobody was first: all hits of that moment are used up, the chance stays open (AMB-05)."""
    used = [h for h in state.memory.hits if h.spot == hit.spot]
    same = (h.n for h in used if not surely_before(hit.instant, h.instant))
    state = without_hit(state, rival.n, *same)
    rehit = state.setup.option("tie") == "rehit"
    if not rehit:
        state = state.with_memory(replace(state.memory, tied=(hit, rival)))
    why = result.open_between(hit.seat, rival.seat)
    text = f"{why}: {'rehit' if rehit else 'the operator decides'}"
    return _with_evidence(Outcome(state, (_race(hit, text, "tie", result),)), hit, rival)


def operator(state: State[Memory], event: Declared) -> Outcome[Memory] | None:
    """Take the operator's word on a dead heat: `operator first SEAT`. None for anything else."""
    tied = state.memory.tied
    if event.words[:1] != ("first",) or not tied:
        return None
    first = next((hit for hit in tied if (hit.seat,) == event.words[1:]), None)
    if first is None:
        return None
    state = state.with_memory(replace(state.memory, tied=()))
    named = replace(first, n=tied[0].n)
    return _slap(state, named, None) if first.spot == MIDDLE else _pile(state, named, None)


def _covered(state: State[Memory], hit: Hit, result: Finish) -> Outcome[Memory]:
    """The hit met the covering card: the card goes back without fault, the chance stays open."""
    opening = chance(as_case(state, hit))
    assert opening is not None
    assert opening.cover is not None
    debt = opening.cover.debt
    top = state.table.pile(debt.at)[-1:]
    if top and top[0].token in debt.tokens:
        state = state.with_lost(debt, hit.n)
    memory = state.memory
    matches = tuple(replace(o, cover=None) if o == opening else o for o in memory.matches)
    text = "dead-heat with the covering card, which goes back: rehit"
    return Outcome(
        state.with_memory(replace(memory, matches=matches)), (_race(hit, text, "tie", result),)
    )


def _slap(state: State[Memory], hit: Hit, result: Finish | None) -> Outcome[Memory]:
    loser = state.setup.others(hit.seat)[0]
    piles = tuple(pile for pile in PILES if state.table.pile(pile))
    came = (state.arrivals[pile].n for pile in PILES if pile in state.arrivals)
    supposed = any(n in state.unsure for n in (hit.n, *came))
    memory = replace(
        state.memory,
        lost=Lost(loser, piles, not state.table.pile(f"{loser}.rest"), hit.n, supposed),
        matches=(),
        decided=state.memory.decided | {MIDDLE},
        resumed=frozenset(),
        stalled=False,
    )
    text = f"{hit.seat} first{result.lead if result else ''}; {loser} takes both piles"
    return Outcome(state.with_memory(memory), (_race(hit, text, hit.seat, result),))


def _pile(state: State[Memory], hit: Hit, result: Finish | None) -> Outcome[Memory]:
    other = PILES[hit.spot == PILES[0]]
    rival = state.setup.others(hit.seat)[0]
    text = f"{hit.seat} {hit.spot}{result.lead if result else ''}; {rival} gets {other}"
    race, ended = _race(hit, text, hit.seat, result), _won(state, hit)
    if is_supposed(as_case(state, hit)):
        race = _asked_about(hit, race.rule)
        ended = ended and _asked_about(hit, ended.rule)
    memory = replace(
        state.memory,
        choices=(Choice(hit.seat, hit.spot), Choice(rival, other)),
        untaken=frozenset(pile for pile in PILES if state.table.pile(pile)),
        decided=state.memory.decided | set(PILES),
        picking=frozenset(state.setup.seats),
        live=frozenset(),
        correcting=frozenset(),
        rows=(),
        matches=(),
        outs=(),
        lost=None,
        burns=frozenset(),
        stalled=False,
        chosen_ns=hit.instant.t_ns,
    )
    # What is still owed goes back to its player, but no longer counts as arranged.
    debts = tuple(replace(d, origin=f"{d.seat}.owed") if d.seat else d for d in state.debts)
    return _with_end(replace(state, memory=memory, debts=debts), ended, race)


def _with_end(state: State[Memory], ended: Ruling | None, *before: Ruling) -> Outcome[Memory]:
    if ended is None:
        return Outcome(state, before)
    if ended.kind == "END":
        state = replace(state, debts=())
        state = state.with_memory(replace(state.memory, winner=ended.winner))
    return Outcome(state, (*before, ended))


def _second_winner(state: State[Memory], hit: Hit) -> Outcome[Memory]:
    """End the game where the other player, also out of cards, hits the empty pile that is his."""
    memory = state.memory
    mine = memory.winner is None and memory.choice_of(hit.seat) == hit.spot
    ended = _won(state, hit) if mine else None
    return _with_end(state, ended if ended and ended.kind == "END" else None)


def _won(state: State[Memory], hit: Hit) -> Ruling | None:
    """Return the end of the game, or a question, where an empty pile was hit without cards."""
    try:
        out = not arranged(state, hit.seat)
        empty = None if hit.grabbed else _was_empty(state, hit)
        rest = state.setup.is_on("win_needs_no_rest") and bool(state.legal(f"{hit.seat}.rest"))
    except Unseen:
        return None
    if not out or rest or hit.grabbed or empty is False:
        return None
    event = as_event(hit)
    if empty is None:
        text = f"was {hit.spot} empty at the hit?"
        return GAME.ruling("WIN-01", "QUERY", event, text, player=hit.seat)
    text = f"{hit.seat} wins"
    return GAME.ruling("WIN-01", "END", event, text, player=hit.seat, winner=hit.seat)


def _was_empty(state: State[Memory], hit: Hit) -> bool | None:
    """Return whether a pile was empty at the hit; None if a card came at the same time."""
    if not state.height(hit.spot):
        return True
    arrival = state.arrivals.get(hit.spot)
    lying = {x.token for x in state.legal(hit.spot)}
    if arrival is None or not lying <= set(arrival.tokens):
        return False
    if surely_before(hit.instant, arrival.instant):
        return True
    return False if surely_before(arrival.instant, hit.instant) else None


def takes_over(case: Case[Memory]) -> bool:
    """Return whether a playing pile leaves while a hit still waits for the name of a hand."""
    leaves = case.moved.origin in PILES and part_of(case.moved.target) in ("rest", "held")
    return leaves and any(hit.asked for hit in case.memory.hits)
