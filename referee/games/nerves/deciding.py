"""Nerves: races are decided: the slap, the choice of a pile, the winning hit."""

from __future__ import annotations

from itertools import chain

from referee.games.nerves.game import GAME, MIDDLE, PILES, Choice, Hit, Lost, Memory
from referee.games.nerves.hits import (
    as_case,
    as_event,
    chance,
    is_hand_unknown,
    is_supposed,
)
from referee.games.nerves.places import arranged, changed_since
from referee.rulebook import (
    Finish,
    Outcome,
    State,
    Unseen,
    ask,
    finish,
    replace,
    surely_before,
)
from referee.values import Declared, Ruling

# How long a player is asked for the hand that nobody saw (AMB-07).
ASK_HAND_NS = 10_000_000_000


def without_hit(state: State[Memory], *numbers: int) -> State[Memory]:
    """Return the state in which these hits wait no longer."""
    left = tuple(hit for hit in state.memory.hits if hit.n not in numbers)
    return state.with_memory(replace(state.memory, hits=left))


def asked_about(hit: Hit, id: str) -> Ruling:
    """Return the question about a hit that answers a card which was not seen surely."""
    text = "what came before the hit was not seen surely: not decided"
    return GAME.ruling(id.removeprefix("NERVES-"), "QUERY", as_event(hit), text)


def _is_valid(state: State[Memory], hit: Hit) -> bool:
    case = as_case(state, hit)
    return not ask(GAME, case).findings and chance(case) is not None


def decide(state: State[Memory], hit: Hit, *, waits: bool = True) -> Outcome[Memory]:
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
    doubt = _doubt(outcome.state, tuple(one for one in (hit, rival) if one is not None))
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


def _doubt(state: State[Memory], hits: tuple[Hit, ...]) -> str:
    """Return why a decision is not quite sure: a camera alone never is, of a slap."""
    doubted = [hit for hit in hits if hit.n in state.unsure]
    if any(not hit.instant.seen for hit in doubted):
        return "; not sure: the sensors contradict each other"
    return "; by the camera alone" if doubted else ""


def _waits_until(state: State[Memory], hit: Hit, later: bool) -> int | None:
    """Return the time until which a rival is waited for: one more sensor, or a hand."""
    fuse_ns = state.setup.span_ns("race.fuse_ms")
    touches = [
        t.alone_ns(fuse_ns) + 1
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
    supposed = any(n in state.unsure for n in (hit.n, *came)) or _may_have_rivals(state, hit)
    memory = replace(
        state.memory,
        lost=Lost(
            loser,
            piles,
            formed=not state.table.pile(f"{loser}.rest"),
            n=hit.n,
            supposed=supposed,
            t_ns=hit.instant.t_ns,
        ),
        matches=(),
        decided=state.memory.decided | {MIDDLE},
        resumed=frozenset(),
    )
    text = f"{hit.seat} first{result.lead if result else ''}; {loser} takes both piles"
    return Outcome(state.with_memory(memory), (_race(hit, text, hit.seat, result),))


def _may_have_rivals(state: State[Memory], hit: Hit) -> bool:
    """Return whether the middle was out of view since it could be hit: for another hand as well."""
    opening = chance(as_case(state, hit))
    since_ns = opening.instant.t_ns if opening else hit.instant.t_ns
    hidden = changed_since(state, since_ns, MIDDLE)
    return any(state.lost_sight_of(zone, whole=True) for zone in hidden)


def _pile(state: State[Memory], hit: Hit, result: Finish | None) -> Outcome[Memory]:
    other = PILES[hit.spot == PILES[0]]
    rival = state.setup.others(hit.seat)[0]
    text = f"{hit.seat} {hit.spot}{result.lead if result else ''}; {rival} gets {other}"
    race, ended = _race(hit, text, hit.seat, result), _won(state, hit)
    if is_supposed(as_case(state, hit)) or _is_unsure_grab(state, hit):
        race = asked_about(hit, race.rule)
        ended = ended and asked_about(hit, ended.rule)
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
        chosen_ns=hit.instant.t_ns,
    )
    # What is still owed goes back to its player, but no longer counts as arranged.
    debts = tuple(replace(d, origin=f"{d.seat}.owed") if d.seat else d for d in state.debts)
    return _with_end(replace(state, memory=memory, debts=debts), ended, race)


def _is_unsure_grab(state: State[Memory], hit: Hit) -> bool:
    """Return whether it is not sure that a pile was taken, for which nobody was seen to hit it."""
    return hit.grabbed and hit.n in state.unsure


def _with_end(state: State[Memory], ended: Ruling | None, *before: Ruling) -> Outcome[Memory]:
    if ended is None:
        return Outcome(state, before)
    if ended.kind == "END":
        state = replace(state, debts=())
        state = state.with_memory(replace(state.memory, winner=ended.winner))
    return Outcome(state, (*before, ended))


def second_winner(state: State[Memory], hit: Hit) -> Outcome[Memory]:
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
