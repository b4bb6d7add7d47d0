"""Nerds: ace piles."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds.game import (
    GAME,
    MOVES,
    Memory,
    is_covered,
    is_foundation,
    is_on,
    mover,
    part_of,
    tops,
)
from referee.games.nerds.races import fits, is_next, matches_suit, rival
from referee.rulebook import Case, Finding
from referee.rulebook.asking import may_put_right
from referee.values import Card


def to_ace_pile(case: Case[Memory]) -> bool:
    """Return whether a card comes to an ace pile while a hand is played."""
    return is_on(case) and is_foundation(case.moved.target) and not case.moved.turned


def is_bad_source(case: Case[Memory]) -> bool:
    """Return whether the card was covered or comes from the draw pile."""
    return part_of(case.origin) == "stock" or is_covered(case)


def is_judged(case: Case[Memory]) -> bool:
    """Return whether the card itself decides: it was playable and it is not in a race."""
    return to_ace_pile(case) and not is_bad_source(case) and rival(case) is None


def met(case: Case[Memory]) -> tuple[Card, ...]:
    """Return the cards that the card may meet on an ace pile, none where that may be empty."""
    found = tops(case, case.moved.target)
    return () if None in found else tuple(card for card in found if card is not None)


def stands_on_lost_race(case: Case[Memory]) -> bool:
    """Return whether the mover builds on his own card that lost a race and still lies there."""
    target, seat = case.moved.target, mover(case)
    return any(d.race and d.at == target and d.seat == seat for d in case.before.debts)


GAME.declare(
    "ACE-01",
    "An ace on top of the discard pile or a work pile (or the Nerds pile, NERDS-03) may be "
    "moved to start its own ace pile. It need not be.",
    source="Ace piles",
    observer="C",
    kind="PERM",
    severity="info",
    ok="CardPlaced A.R A:AC A.work.4>F.1",
    no="an ace from under another card (A:7H on top) -> WORK-01/ACE-03",
    because="a permission: never flagged",
)


@GAME.rule(
    "ACE-02",
    source="Ace piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>ace",),
    ok="ace to an empty common place",
    no="A:2S to an empty common place",
)
def ace_starts(case: Case[Memory]) -> Iterator[Finding]:
    """Only an ace starts an ace pile."""
    if not is_judged(case) or met(case):
        return
    found = reversed(tops(case, case.moved.target))
    if not any(fits(case.setup, case.card, below) for below in found):
        yield Finding(mover(case), f"{case.card} on an empty place")


@GAME.rule(
    "ACE-03",
    source="Ace piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>ace",),
    ok="2C on AC",
    no="4C on 2C; second card of the discard",
)
def one_higher(case: Case[Memory]) -> Iterator[Finding]:
    """Onto an ace pile goes the top card of the own discard, Nerds or work pile that is one
    higher in rank than its top card.
    """
    if not to_ace_pile(case):
        return
    if part_of(case.origin) == "stock":
        yield Finding(mover(case), f"{case.card} comes from the draw pile")
    elif is_covered(case):
        yield Finding(mover(case), f"{case.card} was covered")
    elif stands_on_lost_race(case) and case.debt is None:
        yield Finding(mover(case), f"{mover(case)} has to take back the card beneath")
    elif is_judged(case) and met(case):
        below = met(case)
        if not any(is_next(case.card, card) for card in below):
            yield Finding(mover(case), f"{case.card} on {below[0]}")


@GAME.rule(
    "ACE-04",
    source="Ace piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>ace",),
    ok="A:2C on B:AC",
    no="A:2S on B:AC",
    options=("ace_match",),
)
def same_suit(case: Case[Memory]) -> Iterator[Finding]:
    """The card that goes onto an ace pile has the same suit as its top card ('same suite color'
    in print; house option ace_match).
    """
    below = met(case) if is_judged(case) else ()
    if below and not any(matches_suit(case.setup, case.card, card) for card in below):
        yield Finding(mover(case), f"{case.card} on {below[0]}")


GAME.declare(
    "ACE-05",
    "Ace piles are shared: every player may build on every ace pile.",
    source="Ace piles",
    observer="K",
    kind="PERM",
    severity="info",
    ok="B:2C on A:AC",
    no="referee refuses B -> referee error",
    because="a permission: never flagged",
)


GAME.declare(
    "ACE-06",
    "First come, first served: of two cards for the same place the first to arrive stays; "
    "the other goes back where it came from (no fault).",
    source="Ace piles",
    observer="C",
    kind="RACE",
    severity="decision",
    ok="A:2C 5.000, B:2C 5.260 -> B takes back",
    no="B leaves 2C on top and builds 3C -> ACE-03",
    remedy="the later card goes back where it came from",
    by="seed",
    options=(
        "tie",
        "race.draw_ms",
        "race.contention_s",
    ),
)


GAME.declare(
    "ACE-07",
    "If your two's ace pile has already got a two you wait for another ace of that suit.",
    source="Ace piles",
    observer="K",
    kind="DEF",
    severity="info",
    ok="second AC opened as F.5, B:2C goes there",
    no="B:2C laid beside AC/2C as a new pile -> ACE-02",
    because="a definition",
)


@GAME.rule(
    "ACE-08",
    source="Ace piles",
    observer="C",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    moves=("ace>*",),
    ok="race loser B:2C F.1>B.waste",
    no="CardPlaced A.R A:3D F.1>A.work.1",
)
def never_taken(case: Case[Memory]) -> Iterator[Finding]:
    """Cards are never taken from an ace pile (except the loser of a race)."""
    waiting = {t for other in case.memory.undecided for t in other.moved.tokens}
    if not is_on(case) or not is_foundation(case.origin) or case.moved.turned:
        return
    if not waiting & set(case.moved.tokens):
        text = f"{case.card} is taken from {case.origin}"
        surely = not may_put_right(case)
        yield Finding(mover(case), text, surely=surely, rests_on=(case.origin,))
