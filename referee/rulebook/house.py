"""What every game treats alike: views, layouts, timers, claims and the operator's word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.rulebook.debts import Alarm
from referee.rulebook.piles import with_cards
from referee.rulebook.quick import replace
from referee.rulebook.rules import Game
from referee.rulebook.state import ALL_ZONES, Outcome, State
from referee.values import (
    Declared,
    Event,
    Laid,
    Layout,
    Ruling,
    Timer,
    ViewBack,
    ViewLost,
    card,
)

CHANGED = "changed"
HOUSE_EVENTS = (Declared, ViewLost, ViewBack, Layout, Timer)
Ring = Callable[[Game[Any], State[Any], Alarm], Outcome[Any]]


def house_event(
    game: Game[Any], state: State[Any], event: Event, rung: Ring
) -> Outcome[Any] | None:
    """Return the outcome of an event that every game treats alike, None for all others.

    Nothing else than `HOUSE_EVENTS` need be asked for.
    """
    match event:
        case ViewLost(source="pad") | ViewBack(source="pad"):
            return Outcome(state)  # the camera still sees; pads that are silent tell nothing
        case ViewLost():
            return Outcome(replace(state, blind=state.blind | set(event.zones)))
        case ViewBack():
            return Outcome(_seen_again(state, event))
        case Layout():
            return Outcome(state, _layout(game, state, event))
        case Timer():
            return _timer(game, state, event, rung)
        case Declared(what="claim"):
            return Outcome(state, (_claim(game, event),))
        case Declared(what="operator"):
            return _operator(game, state, event)
        case _:
            return None


def _seen_again(state: State[Any], event: ViewBack) -> State[Any]:
    """Return the state in which zones are in view again.

    With `cause=changed` other cards lie there than before and nobody saw how they came: what was
    known of the zones, and what was owed to or from them, is forgotten, and nothing is judged by
    them until it is said what lies there (`operator set ZONE`).
    """
    if event.cause == CHANGED and ALL_ZONES in event.zones:
        # Cards may lie in zones too that nobody named yet.
        table = replace(state.table, fresh=False, groups=frozenset())
        return _doubted(replace(state, table=table), frozenset(table.piles))
    if event.cause == CHANGED:
        return _doubted(state, frozenset(event.zones))
    back = state.blind & (state.blind if ALL_ZONES in event.zones else {*event.zones})
    older = {} if ALL_ZONES in back else state.regained
    regained = {**older, **dict.fromkeys(sorted(back), state.now_ns)}
    return replace(state, blind=state.blind - back, regained=regained)


def _doubted(state: State[Any], zones: frozenset[str]) -> State[Any]:
    return replace(
        state,
        table=state.table.forgotten(zones),
        debts=tuple(d for d in state.debts if d.at not in zones and d.origin not in zones),
        arrivals={zone: last for zone, last in state.arrivals.items() if zone not in zones},
        blind=(state.blind - {ALL_ZONES}) | zones,
        doubted=state.doubted | zones,
        missed=True,
    )


def _timer(game: Game[Any], state: State[Any], event: Timer, rung: Ring) -> Outcome[Any]:
    alarm = next((a for a in state.alarms if a.name == event.name), None)
    if alarm is None:
        return Outcome(state)
    return rung(game, state, alarm)


def _layout(game: Game[Any], state: State[Any], event: Layout) -> tuple[Ruling, ...]:
    rule = game.rules.get(event.rule)
    if rule is None:
        text = f"{game.title} has no rule {event.rule}"
        return (game.ruling(game.census_rule, "QUERY", event, text),)
    bare = event.rule.removeprefix(f"{game.prefix}-")
    told = rule.severity == "info" or (game.in_force and not game.in_force(state, event))
    kind = "INFO" if told else "VIOLATION"
    return (game.ruling(bare, kind, event, "seen by the camera", player=event.accused),)


def _claim(game: Game[Any], event: Declared) -> Ruling:
    rule = event.words[0] if event.words else ""
    if rule not in game.rules:
        return game.ruling(game.census_rule, "INFO", event, f"claim '{rule[:40]}' noted")
    text = f"{event.actor} claims it; the last ten seconds are kept"
    return game.ruling(rule.removeprefix(f"{game.prefix}-"), "INFO", event, text)


def _operator(game: Game[Any], state: State[Any], event: Declared) -> Outcome[Any]:
    """`set ZONE CARDS`, `forgive SEAT` and `ruling RULE SEAT`; anything else is only noted."""
    words = event.words
    if game.operator and (decided := game.operator(state, event)):
        return decided
    if words[:1] == ("set",) and len(words) >= 2:
        return _operator_sets(game, state, event)
    if words[:1] == ("forgive",) and len(words) == 2:
        text = f"{words[1]} owes nothing any more"
        info = game.ruling(game.census_rule, "INFO", event, text)
        return Outcome(state.without_debts_of(words[1]), (info,))
    if words[:1] == ("ruling",) and len(words) >= 2 and words[1] in game.rules:
        accused = words[2] if len(words) > 2 and words[2] in state.setup.seats else None
        bare = words[1].removeprefix(f"{game.prefix}-")
        text = "ruled by the operator"
        return Outcome(state, (game.ruling(bare, "VIOLATION", event, text, player=accused),))
    text = "operator: " + " ".join(words)[:80]
    return Outcome(state, (game.ruling(game.census_rule, "INFO", event, text),))


def _operator_sets(game: Game[Any], state: State[Any], event: Declared) -> Outcome[Any]:
    """Set what lies in a zone: cards from bottom to top, `[7H]` face down, `...` for a deep one."""
    zone, texts = event.words[1], event.words[2:]
    deep = texts[:1] == ("...",)
    try:
        table = with_cards(state.table, zone, _laid(texts[deep:]), deep=deep)
    except ValueError as reason:
        return Outcome(state, (game.ruling(game.census_rule, "QUERY", event, str(reason)),))
    debts = tuple(d for d in state.debts if zone not in (d.at, d.origin))
    text = f"the operator set {zone}"
    info = game.ruling(game.census_rule, "INFO", event, text)
    # It is known again what lies there, whenever it was out of view.
    regained = {**state.regained, zone: -1} if state.regained else state.regained
    told = replace(state, table=table, debts=debts, regained=regained)
    if zone in state.doubted:
        told = replace(
            told,
            blind=state.blind - {zone},
            doubted=state.doubted - {zone},
        )
    return Outcome(told, (info,))


def _laid(texts: tuple[str, ...]) -> tuple[Laid, ...]:
    """Cards from bottom to top, `[7H]` face down. Raises ValueError."""
    return tuple(Laid(card(text.strip("[]")), not text.startswith("[")) for text in texts)
