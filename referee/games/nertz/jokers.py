"""Nertz: jokers, and the sentences that belong to an app."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.foundations import founds
from referee.games.nertz.game import GAME, MOVES, Memory, Value, mover, part_of
from referee.games.nertz.standing import (
    as_value,
    descends,
    meets,
    meets_joker,
    named_for,
    same_suit,
    value_of,
)
from referee.games.nertz.work import builds
from referee.rulebook import Case, Finding

GAME.declare(
    "JOK-01",
    "Jokers may be added to the decks; a joker can stand for any card.",
    source="paragraph 7",
    observer="D",
    kind="PERM",
    severity="misdeal",
    remedy="take the joker out of the deck",
    options=("jokers",),
    ok="jokers=2, A:X1",
    no="jokers=0, A:X1 turned",
)


@GAME.rule(
    "JOK-02",
    source="paragraph 7",
    observer="D",
    severity="fault",
    remedy="take the joker back; it may be declared and played again",
    watches=MOVES,
    moves=("*>F",),
    ok="Declared A joker A:X1 7H; CardPlaced A.R A:X1>F.1 (6H on top)",
    no="CardPlaced A.R A:X1>F.1 undeclared",
    options=("jokers",),
)
def declared_before(case: Case[Memory]) -> Iterator[Finding]:
    """Before a joker is moved to a foundation the suit and rank it stands for must be declared."""
    if founds(case) and case.card.is_joker and named_for(case) is None:
        yield Finding(mover(case) or None, f"nobody said what {case.card} stands for")


GAME.declare(
    "JOK-03",
    "On a work stack a joker needs no declaration.",
    source="paragraph 7",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="A.nerts X1>A.work.1",
    no="asking for a declaration for A:X1>A.work.1 -> referee error",
)


@GAME.rule(
    "JOK-04",
    source="paragraph 7",
    observer="CK",
    severity="fault",
    remedy="take the cards back",
    watches=MOVES,
    moves=("*>F", "*>work"),
    ok="9S on X1 -> X1 is a red ten; block X1+9S on JC",
    no="block X1+9S on QC",
    options=("joker_unfix",),
)
def a_fixed_joker_stays(case: Case[Memory]) -> Iterator[Finding]:
    """As soon as a card is played on a joker in a work stack the joker is fixed (rank and colour
    follow from that card; the suit if the joker's own support or a declaration gives it).
    """
    if case.setup.option("jokers") == "0":
        return
    if founds(case) and case.card.is_joker:
        named, stands = named_for(case), value_of(case.before, case.moved.tokens[0])
        if named is not None and stands is not None and not _agrees(as_value(named.card), stands):
            yield Finding(mover(case) or None, f"{case.card} stands for {_told(stands)}")
    elif builds(case) and part_of(case.moved.target) == "work":
        pair = meets(case)
        if pair is None or not meets_joker(case):
            return
        upper, lower = pair
        if upper is not None and lower is not None and not descends(upper, lower):
            yield Finding(mover(case) or None, f"{_told(upper)} on {_told(lower)}")


def _agrees(named: Value, stands: Value) -> bool:
    return named.rank == stands.rank and same_suit(named, stands)


def _told(value: Value) -> str:
    """Return a value for people: `red 10`, `black queen`."""
    names = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
    return f"{'red' if value.red else 'black'} {names.get(value.rank, value.rank)}"


GAME.declare(
    "APP-01",
    "Sentences about clicking and tapping belong to a web app and are not rules of the table game.",
    source="paragraphs 2 and 9",
    observer="U",
    kind="DEF",
    severity="info",
    because="a click cannot happen at a table",
    ok="a card moved by hand",
    no="flagging a missing click -> referee error",
)
