"""What each game waits for now, in words: read from the judge's memory for the screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.rulebook import State
from referee.screens.declarations import Wanted

# Never out of place, but seldom wanted: they are not in the way of the others.
RARE = frozenset({"turnfault", "stalemate:draw", "stalemate:choose"})


@dataclass(frozen=True, slots=True)
class Phase:
    """Where a game stands.

    `word` is ended, race, waiting or live (the rest of the state words does not depend on the
    game). `prompt` marks the players in it by their seats: `@A`. `due` is what it waits for from
    whom, `idle` the declarations that mean nothing now. `scores` and `notes` go by seat.
    """

    word: str
    prompt: str
    due: frozenset[Wanted] = frozenset()
    idle: frozenset[str] = frozenset()
    scores: Mapping[str, int] | None = None
    notes: Mapping[str, str] = field(default_factory=dict)


def phase_of(state: State[Any]) -> Phase:
    """Return where a game stands. A game that is not known here is live, and asks for nothing."""
    reading = READINGS.get(state.setup.game)
    return reading(state) if reading else Phase("live", "The referee watches.")


def _height(state: State[Any], zone: str) -> int:
    return len(state.table.pile(zone))


def _want(seat: str | None, *whats: str) -> frozenset[Wanted]:
    return frozenset(Wanted(seat, what) for what in whats)


def _listed(seats: Any) -> str:
    return " and ".join(f"@{seat}" for seat in sorted(seats))


def _nerves(state: State[Any]) -> Phase:
    memory = state.memory
    notes = {seat: _nerves_note(state, seat) for seat in state.setup.seats}
    told = frozenset({"start", "name", "choose"})
    played = frozenset({"resume", "hand", "turnfault", "stalemate:draw", "stalemate:choose"})
    if memory.winner is not None:
        text = "A draw" if memory.winner == "tie" else f"@{memory.winner} has won"
        prompt = f"{text}. Divide the deck for another game."
        return Phase("ended", prompt, idle=told | played, notes=notes)
    if not memory.started and state.setup.phase in ("CUT", "READY"):
        return _nerves_opening(state, notes, played)
    idle = told | (frozenset() if memory.lost else {"resume"})
    idle |= frozenset() if any(hit.asked for hit in memory.hits) else {"hand"}
    idle |= RARE
    prompt, due, word = _nerves_play(state)
    return Phase(word, prompt, due, idle, notes=notes)


def _nerves_note(state: State[Any], seat: str) -> str:
    laid = sum(_height(state, f"{seat}.arr.{n}") for n in range(1, 8))
    return f"{laid} arranged, {_height(state, f'{seat}.rest')} rest"


def _nerves_opening(state: State[Any], notes: Mapping[str, str], idle: frozenset[str]) -> Phase:
    memory = state.memory
    if state.setup.phase == "CUT" and memory.cut_by is None:
        return Phase("waiting", "Divide the deck: lift part of it and lay it beside.", notes=notes)
    if state.setup.phase == "CUT" and memory.half is None:
        chooser = state.setup.others(memory.cut_by)[0]
        text = f"@{chooser} chooses a half, without touching it."
        return Phase("waiting", text, _want(chooser, "choose"), idle, notes=notes)
    due = _want(None, "start") | (frozenset() if memory.named else _want(None, "name"))
    text = "Piles before you, palms beside them; a name is said, then the start."
    return Phase("waiting", text, due, idle | {"choose"}, notes=notes)


def _nerves_play(state: State[Any]) -> tuple[str, frozenset[Wanted], str]:
    memory, seats = state.memory, state.setup.seats
    if memory.tied:
        return "A dead heat: the operator says who was first.", frozenset(), "race"
    asked = next((hit.seat for hit in memory.hits if hit.asked), None)
    if asked:
        return f"@{asked}: which hand was it?", _want(asked, "hand"), "race"
    if memory.hits:
        return "Who was first?", frozenset(), "race"
    if memory.lost:
        lost = memory.lost
        if any(_height(state, pile) for pile in lost.piles):
            return f"@{lost.loser} takes the playing piles.", frozenset(), "live"
        others = state.setup.others(lost.loser)
        text = f"@{lost.loser} turns a rest card; until then {_listed(others)} waits."
        return text, frozenset().union(*(_want(seat, "resume") for seat in seats)), "live"
    if memory.choices:
        takes = ", ".join(f"@{c.seat} takes {_pile(c.pile)}" for c in memory.choices)
        return f"Pick up: {takes}.", frozenset(), "live"
    if memory.outs:
        return "The last card is played: hit a pile!", frozenset(), "live"
    laying = [seat for seat in seats if seat not in memory.live]
    if laying:
        return f"{_listed(laying)}: lay your cards, the longest row first.", frozenset(), "live"
    return "Play.", frozenset(), "live"


def _pile(zone: str) -> str:
    return f"@{zone[-1]}'s playing pile" if zone.startswith("play.") else zone


def _xix(state: State[Any]) -> Phase:
    memory, seats = state.memory, state.setup.seats
    scores = dict(zip(seats, memory.scores, strict=True))
    notes = {
        seat: f"{strikes} of 3 strikes, {_height(state, f'{seat}.closed')} closed"
        for seat, strikes in zip(seats, memory.strikes, strict=True)
    }
    idle = frozenset({"leader"} if memory.stage not in ("deal", "lead") else ())
    if not memory.opening:
        idle |= {"leader"}
    if memory.due:
        text = f"{_listed(memory.due)}: raise or abandon."
        due = frozenset().union(*(_want(seat, "raise", "abandon") for seat in memory.due))
        return Phase("waiting", text, due, idle, scores, notes)
    idle |= frozenset() if memory.stage == "lost" else {"raise", "abandon"}
    leader = f"@{memory.leader}" if memory.leader else "Somebody"
    follower = next(f"@{seat}" for seat in seats if seat != memory.leader)
    prompts = {
        "deal": "Six cards closed and six open for each, five in the talon; then say who leads.",
        "lead": f"{leader} leads.",
        "reply": f"{follower} replies to {leader}.",
        "draft": "Draft: the cards of the exchange are taken, the loser first.",
        "trade": f"{'@' + memory.loser if memory.loser else 'The loser'} trades with the talon.",
        "lost": "The referee lost sight of the exchange: who lost says so.",
        "over": "The game is over.",
    }
    word = {"over": "ended", "deal": "waiting"}.get(memory.stage, "live")
    due = _want(None, "leader") if memory.stage == "deal" else frozenset()
    if memory.found:
        due = frozenset().union(*(_want(seat, "abandon") for seat in seats))
    return Phase(word, prompts[memory.stage], due, idle, scores, notes)


def _spy(state: State[Any]) -> Phase:
    memory, seats = state.memory, state.setup.seats
    scores = {seat: memory.totals.get(seat, 0) for seat in seats}
    notes = {seat: _left(_height(state, f"{seat}.stack"), "closed") for seat in seats}
    played = frozenset({"finished", "blocked"})
    if memory.won:
        return Phase("ended", "The series is over.", frozenset(), played | {"start"}, scores, notes)
    if not memory.started:
        text = "Five closed and four open cards each; then start."
        return Phase("waiting", text, _want(None, "start"), played, scores, notes)
    if memory.decided:
        text = "The game is over; deal the next one."
        return Phase("waiting", text, frozenset(), played, scores, notes)
    if memory.over is not None or memory.calls:
        return Phase("race", "Who was first?", frozenset(), frozenset({"start"}), scores, notes)
    return Phase("live", "Play.", frozenset(), frozenset({"start"}), scores, notes)


def _left(count: int, what: str) -> str:
    return f"{count} {what}"


def _nerds(state: State[Any]) -> Phase:
    memory, seats = state.memory, state.setup.seats
    scores = {seat: memory.totals.get(seat, 0) for seat in seats}
    stood = (memory.started, memory.over is not None, memory.won)
    return _aces(state, stood, memory.stuck, scores, bool(memory.undecided))


def _nertz(state: State[Any]) -> Phase:
    memory, seats = state.memory, state.setup.seats
    scores = dict.fromkeys(seats, 0) | {p.seat: p.points for p in memory.totals}
    stood = (memory.start is not None, memory.over is not None, memory.won)
    return _aces(state, stood, memory.stuck, scores, bool(memory.waiting))


def _aces(
    state: State[Any],
    stood: tuple[bool, bool, bool],
    stuck: frozenset[str],
    scores: Mapping[str, int],
    race: bool,
) -> Phase:
    """Read a game with ace piles; `stood`: the hand was started, is over, the match is won."""
    started, over, won = stood
    pile = "in the Nerds pile" if state.setup.game == "nerds" else "in the nerts stack"
    notes = {
        seat: _left(_height(state, f"{seat}.nerts"), pile) + (", stuck" if seat in stuck else "")
        for seat in state.setup.seats
    }
    played = frozenset({"call", "stuck", "joker"})
    if won:
        text = "The match is over."
        return Phase("ended", text, frozenset(), played | {"start"}, scores, notes)
    if over:
        text = "The hand is over: sort the ace piles by their backs and count."
        return Phase("waiting", text, frozenset(), played, scores, notes)
    if not started:
        text = "Thirteen in the pile, four work cards, the rest is the stock; then start."
        return Phase("waiting", text, _want(None, "start"), played, scores, notes)
    empty = frozenset(seat for seat in state.setup.seats if _is_out(state, seat))
    due = frozenset().union(*(_want(seat, "call") for seat in empty))
    text = f"{_listed(empty)} may call." if empty else "Play."
    return Phase("race" if race else "live", text, due, frozenset({"start"}), scores, notes)


def _is_out(state: State[Any], seat: str) -> bool:
    zone = f"{seat}.nerts"
    return state.table.knows(zone) and not state.table.pile(zone)


READINGS: Mapping[str, Callable[[State[Any]], Phase]] = {
    "nerves": _nerves,
    "xix": _xix,
    "spy": _spy,
    "nerds": _nerds,
    "nertz": _nertz,
}
