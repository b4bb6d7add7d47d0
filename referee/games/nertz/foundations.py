"""Nertz: foundations and the nerts stack."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.game import (
    GAME,
    MOVES,
    Memory,
    Value,
    goes_to,
    is_covered,
    mover,
    moves,
    part_of,
)
from referee.games.nertz.standing import (
    asked_on,
    fits_foundation,
    foundation_top,
    goes_on,
    is_above_gap,
    placed_value,
    rival,
)
from referee.rulebook import Case, Finding, Unread
from referee.values import CardTurned

ALL = "*"


def founds(case: Case[Memory]) -> bool:
    """Return whether a card goes from elsewhere to a foundation during play."""
    return goes_to(case, "F") and part_of(case.origin) != "F" and moves(case)


def waits(case: Case[Memory]) -> bool:
    """Return whether the card lies above a gap that may still be filled (NERTZ-RACE-04)."""
    value = placed_value(case)
    if value is None or case.memory.sure or case.moved.under:
        return False
    return is_above_gap(value, foundation_top(case.before, case.moved.target))


@GAME.rule(
    "FOUND-01",
    source="paragraphs 2 and 6",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>F",),
    ok="A:AD>F.1 (new)",
    no="A:2S>F.1 (new)",
)
def start_with_an_ace(case: Case[Memory]) -> Iterator[Finding]:
    """A foundation is started with an ace."""
    if not founds(case) or foundation_top(case.before, case.moved.target) is not None:
        return
    value = placed_value(case)
    if value is not None and not waits(case) and is_out_of_turn(case, value, None):
        yield Finding(mover(case) or None, f"{case.card} on an empty place")


def is_out_of_turn(case: Case[Memory], value: Value, top: Value | None) -> bool:
    """Return whether a card does not go on. Unread where cards that were only asked about lie."""
    before, zone = case.before, case.moved.target
    if not case.moved.under and goes_on(before, zone, value, top):
        return False
    if asked_on(before, zone):
        raise Unread(f"a card of {zone} is in doubt")
    return True


@GAME.rule(
    "FOUND-02",
    source="paragraph 2",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>F",),
    ok="2D on AD",
    no="3D on AD; 2H on AD",
    options=("tie", "draw_ms"),
)
def next_of_the_suit(case: Case[Memory]) -> Iterator[Finding]:
    """It is built up one by one in the same suit ('combination' = suit), ace, 2, ... king."""
    if not founds(case):
        return
    top, value = foundation_top(case.before, case.moved.target), placed_value(case)
    if top is None or value is None or (fits_foundation(value, top) and not case.moved.under):
        return
    if rival(case) is None and not waits(case) and is_out_of_turn(case, value, top):
        below = case.before.top_card(case.moved.target)
        under = "under" if case.moved.under else "on"
        yield Finding(mover(case) or None, f"{case.card} {under} {below}")


GAME.declare(
    "FOUND-03",
    "All foundations are shared; any player may add the next card.",
    source="paragraph 2",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="B:3D on A:2D",
    no="B stopped from building on A's ace -> referee error",
)

GAME.declare(
    "FOUND-04",
    "There are up to four foundations per player (4 players: 16).",
    source="paragraph 2",
    observer="K",
    kind="DEF",
    severity="info",
    ok="F.1..F.8 with two players",
    no="F.9 with two players",
)


@GAME.rule(
    "FOUND-05",
    source="paragraphs 2, 4 and 7",
    observer="C",
    kind="PERM",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    moves=("stock>F",),
    ok="A.work.1 top A:3D>F.1",
    no="A.stock>F.1",
)
def exposed_cards_only(case: Case[Memory]) -> Iterator[Finding]:
    """Onto foundations go: the exposed card of an own work stack, the own nerts top, the own waste
    top.
    """
    if founds(case) and part_of(case.origin) == "stock":
        yield Finding(mover(case) or None, f"a card of {case.origin}")


@GAME.rule(
    "FOUND-06",
    source="paragraph 2",
    observer="C",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    moves=("nerts>*", "work>*"),
    ok="top card",
    no="A:2D under A:AC played to F.1",
)
def not_covered(case: Case[Memory]) -> Iterator[Finding]:
    """Only face-up cards not covered by another card can be played."""
    if not moves(case):
        return
    origin = part_of(case.origin)
    if (origin == "nerts" or (origin == "work" and founds(case))) and is_covered(case):
        yield Finding(mover(case) or None, f"{case.card} was covered in {case.origin}")
    elif origin == "nerts" and is_face_down(case):
        yield Finding(mover(case) or None, f"{case.card} lay face down in {case.origin}")


def is_face_down(case: Case[Memory]) -> bool:
    """Return whether the card was not turned up before, as far as everything was in view."""
    missed = case.memory.missed
    known = case.before.table.knows(case.origin) and not {ALL, case.origin} & missed
    return known and not case.was_up


GAME.declare(
    "FOUND-07",
    "Two players trying for the same place at the same time: the first to hit the pile keeps the "
    "card there; the other takes his back.",
    source="paragraph 3",
    observer="CP",
    kind="RACE",
    severity="decision",
    remedy="the other takes the card back",
    by="seed",
    options=("tie", "draw_ms"),
    ok="B 5.000, A 5.180 -> A takes back",
    no="A leaves the card",
)

GAME.declare(
    "FOUND-08",
    "An obvious draw: both cards stay (and both count).",
    source="paragraph 3",
    observer="CP",
    kind="RACE",
    severity="decision",
    options=("tie", "draw_ms"),
    ok="A 5.000, B 5.030",
    no="difference 260 ms claimed as a draw",
)

GAME.declare(
    "PILE-01",
    "The top of the nerts stack may be played whenever possible: to a foundation, a fitting work "
    "stack, an empty work place (or under, WORK-07).",
    source="paragraphs 3 and 4",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="A.nerts>A.work.2 (empty)",
    no="playing the second nerts card -> FOUND-06/WORK",
)


@GAME.rule(
    "PILE-02",
    source="paragraphs 3 and 4",
    observer="C",
    kind="PERM",
    severity="procedure",
    remedy="turn the card down again",
    watches=(CardTurned,),
    ok="A.nerts>F.1; CardTurned A:5D A.nerts up",
    no="CardTurned of the second card with the first still there",
)
def only_the_top_is_turned(case: Case[Memory]) -> Iterator[Finding]:
    """When the top nerts card is played the next one may be turned up."""
    event = case.event
    assert isinstance(event, CardTurned)
    if part_of(event.zone) != "nerts" or not event.up or case.memory.over is not None:
        return
    if not case.moved.was_up and is_covered(case):
        yield Finding(case.seat, f"a covered card of {event.zone} is turned up")


GAME.declare(
    "PILE-03",
    "Aim: to empty the nerts stack; cards left in it count against their owner.",
    source="paragraphs 1, 3 and 6",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition; the cards are counted by SCORE-02",
    ok="A.nerts 3 left at the call: counts against A",
    no="nerts cards left counted as points for their owner",
)
