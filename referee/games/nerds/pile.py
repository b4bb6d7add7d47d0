"""Nerds: the Nerds pile."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds.counting import judged_at_start, wrong_nerts
from referee.games.nerds.game import (
    GAME,
    MOVES,
    Memory,
    is_on,
    is_play,
    mover,
    part_of,
    seat_of,
)
from referee.rulebook import Case, Finding
from referee.values import CardTurned, Dealt, Declared


def is_before_start(case: Case[Memory]) -> bool:
    """Return whether the hand has not begun."""
    return not case.memory.started and case.memory.over is None


def is_peek(case: Case[Memory]) -> bool:
    """Return whether a card of a Nerds pile is turned up that others lie on."""
    return case.moved.depth > 0


@GAME.rule(
    "NERDS-01",
    source="Nerds pile",
    observer="C",
    severity="misdeal",
    remedy="correct before the start",
    watches=(
        Dealt,
        Declared,
    ),
    ok="Dealt A.nerts x13 down",
    no="12 or 14 cards",
    beside=True,
)
def thirteen_face_down(case: Case[Memory]) -> Iterator[Finding]:
    """Each player deals a Nerds pile of 13 cards, face down."""
    yield from judged_at_start(case, "nerts", wrong_nerts)


@GAME.rule(
    "NERDS-02",
    source="Nerds pile",
    observer="C",
    severity="info",
    remedy="wait for the start",
    watches=(*MOVES, CardTurned, Dealt),
    moves=("*>ace", "*>work", "*>nerts"),
    ok="Declared - start; CardTurned A.R A:7C A.nerts up",
    no="CardTurned before start",
)
def turned_at_the_start(case: Case[Memory]) -> Iterator[Finding]:
    """At the start of play its top card is turned up (not before)."""
    if not is_before_start(case) or case.move is None:
        return
    turned = part_of(case.moved.target) == "nerts" and case.moved.up
    if turned and not isinstance(case.event, MOVES):
        yield Finding(seat_of(case.moved.target), "the Nerds card is turned before the start")
    elif isinstance(case.event, MOVES) and is_play(case) and part_of(case.origin) != "stock":
        yield Finding(mover(case), f"{case.card} is moved before the start")


GAME.declare(
    "NERDS-03",
    "The face-up Nerds card can be played like the top card of the discard pile.",
    source="Nerds pile",
    observer="C",
    kind="PERM",
    severity="info",
    ok="A.nerts>F.1; A.nerts>A.work.3",
    no="A.work.3>A.nerts (nothing is ever played onto the Nerds pile) -> OWN-01",
    because="a permission: never flagged",
)


@GAME.rule(
    "NERDS-04",
    source="Nerds pile",
    observer="C",
    severity="procedure",
    remedy="turn the card back",
    watches=(CardTurned,),
    ok="A.nerts>F.1; CardTurned A:8H A.nerts up",
    no="the second card is peeked at while the top one is still there",
)
def next_one_when_it_is_gone(case: Case[Memory]) -> Iterator[Finding]:
    """Then the next Nerds card is turned over."""
    if is_on(case) and part_of(case.moved.origin) == "nerts" and case.moved.up and is_peek(case):
        yield Finding(case.seat, "the upper Nerds card is still there")


GAME.declare(
    "NERDS-05",
    "The hand ends when any player exhausts the Nerds pile (made effective by the call, "
    "CALL-01/02; option nerds.end_on=call/empty).",
    source="Nerds pile",
    observer="K",
    kind="END",
    severity="decision",
    ok="A.nerts empty, Declared A call",
    no="hand stopped with every Nerds pile non-empty and nobody stuck",
    because="the call makes it effective (CALL-02); it is told at once",
    options=("end_on",),
)
