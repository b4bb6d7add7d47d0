"""What people say on the page, as events of the match."""

from __future__ import annotations

from typing import Any

from referee.rulebook import State
from referee.screens.desk import Order, Saying
from referee.values import Actor, Card, Declared, Event, Reread, ViewBack, ViewLost, card

OPERATOR = "operator"
MOST_CARDS = 120


class OrderError(ValueError):
    """An order that cannot be followed; one line that says why."""


def said(saying: Saying, state: State[Any], t_ns: int) -> Event:
    """Return a declaration as an event at `t_ns` of the match's clock.

    A player's own button has the uncertainty that the page measured; a press of the operator for
    somebody has the operator's (house rule 0.4) besides.
    """
    u_ns = saying.u_ns
    if saying.operator:
        u_ns += state.setup.span_ns("race.u_operator_ms")
    return Declared(
        n=0,
        t_ns=t_ns,
        actor=Actor(saying.seat),
        u_ns=u_ns,
        source=OPERATOR if saying.operator else "decl",
        what=saying.what,
        words=saying.words,
    )


def ordered(order: Order, state: State[Any], t_ns: int) -> tuple[Event, ...]:
    """Return an operator's order as events; none for what does not concern the match's record.

    Raises OrderError.
    """
    match order.do, order.words:
        case "setup" | "camera" | "calibrate", _:
            return ()
        case "pause", _:
            lost = ViewLost(n=0, t_ns=t_ns, source=OPERATOR, zones=("*",), cause="paused")
            return (_operator(t_ns, "pause"), lost)
        case "continue", _:
            back = ViewBack(n=0, t_ns=t_ns, source=OPERATOR, zones=("*",), cause="paused")
            return (back, _operator(t_ns, "continue"))
        case "correct", (zone, pos, face):
            return (_correction(state, t_ns, zone, pos, face),)
        case "height", (zone, count):
            return (_height(state, t_ns, zone, count),)
        case "pile", (zone, *cards):
            return (_operator(t_ns, "set", zone, *(_checked(text) for text in cards)),)
        case "rule", words:
            return (_operator(t_ns, "ruling", *words),)
        case do, words:
            return (_operator(t_ns, do, *words),)


def _operator(t_ns: int, *words: str) -> Declared:
    return Declared(n=0, t_ns=t_ns, source=OPERATOR, what=OPERATOR, words=words)


def _checked(text: str) -> str:
    _card(text.strip("[]"))
    return text


def _card(text: str) -> Card:
    try:
        return card(text)
    except ValueError as reason:
        raise OrderError(str(reason)) from None


def _number(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= most):
        raise OrderError(f"'{text[:20]}' is no number from 0 to {most}")
    return int(text)


def _correction(state: State[Any], t_ns: int, zone: str, pos: str, face: str) -> Event:
    """Read the card at an index from the top of a zone as another: `the 7 of hearts, really`."""
    index, new = _number(pos, MOST_CARDS), _card(face)
    pile = state.table.pile(zone)
    if index >= len(pile):
        raise OrderError(f"{zone} has {len(pile)} cards; there is none at {index} from the top")
    old = state.table.face(pile[-1 - index].token)
    return Reread(n=0, t_ns=t_ns, source=OPERATOR, zone=zone, old=old, new=new, pos=index)


def _height(state: State[Any], t_ns: int, zone: str, count: str) -> Event:
    """`height 12`: the top cards stay as known; what is missing below is unknown."""
    wanted = _number(count, MOST_CARDS)
    pile = state.table.pile(zone)
    kept = pile[len(pile) - wanted :] if wanted < len(pile) else pile
    faces = [(str(state.table.face(lying.token)), lying.up) for lying in kept]
    words = ["[??]"] * (wanted - len(kept)) + [text if up else f"[{text}]" for text, up in faces]
    return _operator(t_ns, "set", zone, *words)
