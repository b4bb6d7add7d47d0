"""Nerves: declarations, palms and the start, as they are remembered."""

from __future__ import annotations

from referee.games.nerves import ripening
from referee.games.nerves.dealing import PALMS, is_choice, is_choosing
from referee.games.nerves.game import GAME, HALVES, Choice, Memory, Opening, Touch
from referee.games.nerves.hits import SIDES
from referee.games.nerves.places import seat_of
from referee.rulebook import Alarm, Case, Instant, Outcome, State, Verdict, replace, surely_before
from referee.values import Declared, HandOff, HandOn, Ruling

# A hand that left early is ruled on when the start is declared, or the hand comes back; if the
# piles are taken instead, somebody forgot to declare. The time is the house's, not measured.
UNDECLARED_NS = 2_000_000_000

Step = tuple[State[Memory], list[Ruling]]


def declared(case: Case[Memory], state: State[Memory], verdict: Verdict) -> Step:
    """Remember what was declared."""
    event = case.event
    assert isinstance(event, Declared)
    what, _, more = event.what.partition(":")
    words = (more, *event.words) if more else event.words
    match what:
        case "start" if not state.memory.started:
            return _started(case, state)
        case "choose" if is_choice(case) and verdict.fine:
            return _chosen(case, state, words)
        case "name":
            return state.with_memory(replace(state.memory, named=True)), []
        case "turnfault":
            info = GAME.ruling("TURN-04", "INFO", event, f"claimed by {event.actor}")
            return state, [info]
        case "resume" if state.memory.lost:
            return _resumed(case, state)
        case "hand" if words[:1] and words[0] in SIDES:
            return ripening.hand_told(state, event.actor.seat, words[0])
        case "stalemate":
            return _stalemate(case, state, words)
    return state, []


def _chosen(case: Case[Memory], state: State[Memory], words: tuple[str, ...]) -> Step:
    half = next((word for word in words if word in HALVES), None)
    if half is None or not is_choosing(case):
        return state, []
    seat = case.seat or case.setup.others(case.memory.cut_by or "")[0]
    text = f"{seat} chose {half}"
    ruling = GAME.ruling("SET-07", "INFO", case.event, text, player=seat)
    return state.with_memory(replace(state.memory, half=Choice(seat, half))), [ruling]


def _started(case: Case[Memory], state: State[Memory]) -> Step:
    memory, start = state.memory, case.setup.instant(case.event)
    rulings = [_false_start(t) for t in memory.early if surely_before(t.instant, start)]
    if not memory.named and case.setup.phase in ("CUT", "READY"):
        text = "nobody told the referee of a name"
        rulings.append(GAME.ruling("SET-13", "NOT_OBSERVED", case.event, text))
    rulings.append(GAME.ruling("SET-14", "INFO", case.event, "started"))
    return state.with_memory(replace(memory, started=True, early=())), rulings


def _false_start(touch: Touch) -> Ruling:
    event = HandOff(n=touch.n, t_ns=touch.instant.t_ns, zone=touch.spot)
    text = "the hand left before the start"
    return GAME.ruling("START-01", "VIOLATION", event, text, player=touch.seat)


def palm(case: Case[Memory], state: State[Memory]) -> Step:
    """Follow the palms beside the piles; one that leaves after all four lay there is suspect."""
    memory, event = state.memory, case.event
    assert isinstance(event, HandOn | HandOff)
    if memory.started or case.seat not in (None, seat_of(event.zone)):
        return state, []
    if isinstance(event, HandOn):
        back = [touch for touch in memory.early if touch.spot == event.zone]
        early = tuple(touch for touch in memory.early if touch.spot != event.zone)
        memory = replace(memory, palms=memory.palms | {event.zone}, early=early)
        return state.with_memory(memory), [_false_start(touch) for touch in back]
    ready = bool(memory.early) or memory.palms >= PALMS
    memory = replace(memory, palms=memory.palms - {event.zone})
    if not ready:
        return state.with_memory(memory), []
    instant = case.setup.instant(event)
    touch = Touch(event.n, instant, case.seat, case.hand, event.zone, False)
    state = state.with_memory(replace(memory, early=(*memory.early, touch)))
    return state.with_alarm(event.t_ns + UNDECLARED_NS, "early", event.n), []


def early_for_long(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Rule on a hand that left, and neither a start nor anything else explains it."""
    memory = state.memory
    due = tuple(touch for touch in memory.early if touch.n == alarm.n)
    left = tuple(touch for touch in memory.early if touch.n != alarm.n)
    rulings = tuple(_false_start(touch) for touch in due)
    return Outcome(state.with_memory(replace(memory, early=left)), rulings)


def taken_before_start(case: Case[Memory], state: State[Memory]) -> Step:
    """Ask whether the game has started when a pile is picked up and nobody declared it."""
    text = "the piles are taken: has the game started?"
    query = GAME.ruling("SET-14", "QUERY", case.event, text, player=case.seat)
    return state.with_memory(replace(state.memory, started=True, early=())), [query]


def _resumed(case: Case[Memory], state: State[Memory]) -> Step:
    """End the wait after a slap when both players, or the operator, want to go on."""
    memory = state.memory
    agreed = memory.resumed | (frozenset((case.seat,)) if case.seat else set(case.setup.seats))
    if not agreed >= set(case.setup.seats):
        return state.with_memory(replace(memory, resumed=agreed)), []
    state = state.without_alarm("restart_s")
    info = GAME.ruling("HIT-04", "INFO", case.event, "both go on")
    return state.with_memory(replace(memory, lost=None, resumed=frozenset())), [info]


def _stalemate(case: Case[Memory], state: State[Memory], words: tuple[str, ...]) -> Step:
    """Take what the players agree on when nobody can go on: a draw, or a choice of piles."""
    option = case.setup.option("stalemate")
    wanted = option if option != "ask" else next(iter(words), "")
    if wanted not in ("draw", "choose"):
        text = "stalemate: declare stalemate:draw or stalemate:choose"
        return state, [GAME.ruling("TURN-05", "INFO", case.event, text)]
    memory = state.memory
    seats = (case.seat,) if case.seat else case.setup.seats
    asked = {*memory.stalemates, *(Choice(seat, wanted) for seat in seats)}
    memory = replace(memory, stalemates=tuple(sorted(asked, key=lambda c: (c.seat, c.pile))))
    if any(Choice(seat, wanted) not in asked for seat in case.setup.seats):
        return state.with_memory(memory), []
    return stalled(case, state.with_memory(replace(memory, stalemates=())), wanted)


def stalled(case: Case[Memory], state: State[Memory], wanted: str) -> Step:
    """End the game as a draw, or open the choice of the piles."""
    memory, event = state.memory, case.event
    if wanted == "draw":
        end = GAME.ruling("WIN-01", "END", event, "stalemate: nobody wins", winner="tie")
        return state.with_memory(replace(memory, winner="tie")), [end]
    opening = Opening(event.n, Instant(event.t_ns, 0), None, None, "")
    info = GAME.ruling("OUT-01", "INFO", event, "stalemate: choose a pile")
    memory = replace(memory, outs=(*memory.outs, opening), decided=frozenset())
    return state.with_memory(memory), [info]
