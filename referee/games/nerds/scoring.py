"""Nerds: the end of a hand, its score, and the end of the game."""

from __future__ import annotations

from referee.games.nerds.game import GAME, Memory, Over, foundations, part_of
from referee.rulebook import Alarm, Instant, Outcome, State, Unread, Unseen, replace
from referee.values import Actor, Declared, Event, Points, Ruling

SCORE = "score"
CALL = "call"


def told(over: Over) -> Declared:
    """Return the event that the rulings about the end of a hand speak of."""
    return Declared(n=over.n, t_ns=over.instant.t_ns, actor=Actor(over.seat), what="call")


def end_hand(
    state: State[Memory], event: Event, instant: Instant, seat: str | None, text: str
) -> Outcome[Memory]:
    """End the hand at an event; it is counted once no card can touch down any more (K-26)."""
    over = Over(event.n, instant, seat)
    state = state.with_memory(replace(state.memory, over=over))
    due_ns = instant.t_ns + instant.u_ns + state.setup.span_ns("race.u_card_ms")
    ruling = GAME.ruling("CALL-02", "END", event, text, player=seat)
    ruling = replace(ruling, severity="decision", remedy=None, remedy_source=None)
    return Outcome(state.with_alarm(due_ns, SCORE, event.n), (ruling,))


def nerts_left(state: State[Memory], seat: str) -> int:
    """Return how many cards count as left in a Nerds pile. Unseen if that is not known."""
    return state.height(f"{seat}.nerts")


def shows_left(state: State[Memory], seat: str) -> int:
    """Return how many cards are known to be left in a Nerds pile: none if it is seen to be empty.

    Unseen if it is not known whether any lies there, or how many do where each costs points.
    """
    if state.setup.option("false_call") == "-n":
        return nerts_left(state, seat)
    return len(state.legal(f"{seat}.nerts")) or nerts_left(state, seat)


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Decide what had to wait: a call with a card left, or the score."""
    name, _, seat = alarm.name.partition(" ")
    if name == CALL:
        return _late_call(state, alarm, seat)
    over = state.memory.over
    if over is None:
        return Outcome(state)
    try:
        scores = tuple(_points(state, seat) for seat in sorted(state.setup.seats))
    except (Unread, Unseen) as reason:
        text = f"{reason}: count the hand"
        return Outcome(state, (GAME.ruling("SCORE-01", "QUERY", told(over), text),))
    return _counted(state, over, scores)


def _late_call(state: State[Memory], alarm: Alarm, seat: str) -> Outcome[Memory]:
    """Decide a call with a card left: a last card in the tie window makes it valid (T-08)."""
    u_card_ns = state.setup.span_ns("race.u_card_ms")
    name, _, u_ns = seat.partition(" ")
    instant = Instant(alarm.due_ns - u_card_ns - int(u_ns), int(u_ns))
    event = Declared(n=alarm.n, t_ns=instant.t_ns, actor=Actor(name), what="call")
    try:
        left = shows_left(state, name)
    except Unseen:
        return Outcome(state)
    if left == 0 and state.memory.over is None:
        return end_hand(state, event, instant, name, "hand over")
    if left and state.lost_sight_of(f"{name}.nerts", whole=True):
        text = f"{name}.nerts was out of view: is it empty? Set it, then call again"
        return Outcome(state, (GAME.ruling("CALL-03", "QUERY", event, text),))
    memory = state.memory
    if left and (points := _penalty(state, left)):
        before = memory.penalties.get(name, 0)
        memory = replace(memory, penalties={**memory.penalties, name: before + points})
    ruling = GAME.ruling("CALL-03", "VIOLATION", event, f"{left} left", player=name)
    return Outcome(state.with_memory(memory), (ruling,) if left else ())


def _penalty(state: State[Memory], left: int) -> int:
    option = state.setup.option("false_call")
    if option == "none":
        return 0
    return left if option == "-n" else int(option[1:])


def _points(state: State[Memory], seat: str) -> Points:
    played = 0
    for zone in foundations(state):
        for lying in state.legal(zone):
            deck = state.face(lying).deck
            if deck is None:
                raise Unread(f"the owner of a card on {zone} is not known")
            played += deck == seat
    off = state.setup.number("penalty") * nerts_left(state, seat)
    return Points(seat, played - off - state.memory.penalties.get(seat, 0))


def _counted(state: State[Memory], over: Over, scores: tuple[Points, ...]) -> Outcome[Memory]:
    memory, event = state.memory, told(over)
    totals = {p.seat: memory.totals[p.seat] + p.points for p in scores}
    best = max(p.points for p in scores)
    first = [p.seat for p in scores if p.points == best]
    text = f"{first[0]} wins the hand" if len(first) == 1 else f"{' and '.join(first)} tie"
    rulings: list[Ruling] = [
        GAME.ruling("SCORE-01", "SCORE", event, f"hand {memory.hand}", scores=scores),
        GAME.ruling("SCORE-02", "INFO", event, text, player=first[0] if not first[1:] else None),
    ]
    winner = _winner(state, totals)
    if winner:
        text = " ".join(f"{seat}={points}" for seat, points in totals.items())
        rulings.append(GAME.ruling("SCORE-03", "END", event, text, player=winner, winner=winner))
    memory = replace(memory, totals=totals, won=winner is not None)
    return Outcome(state.with_memory(memory), tuple(rulings))


def _winner(state: State[Memory], totals: dict[str, int]) -> str | None:
    """Return who alone has the highest total, beyond the target (or at it, by option)."""
    best = max(totals.values())
    reached = best >= state.memory.target
    if best == state.memory.target and state.setup.option("target_cmp") == "gt":
        reached = False
    first = [seat for seat, points in totals.items() if points == best]
    return first[0] if reached and len(first) == 1 else None


def is_out(state: State[Memory], origin: str) -> bool:
    """Return whether a Nerds pile, from which a card was just played, is empty now."""
    try:
        return part_of(origin) == "nerts" and state.height(origin) == 0
    except Unseen:
        return False
