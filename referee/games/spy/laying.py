"""Spy vs. Spy: laying closed-stack cards and further piles."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.spy.game import (
    CLOSED,
    DECK,
    GAME,
    MOST_PILES,
    MOVES,
    SQUARE_PILES,
    Memory,
    fits,
    is_ace_on_two,
    is_on,
    is_pagat,
    may_have_changed,
    mover,
    number_of,
    part_of,
    pile_for,
    seat_of,
    source,
    tops,
)
from referee.rulebook import Case, Finding
from referee.values import CardLifted, PileTaken


def is_laid(case: Case[Memory]) -> bool:
    """Return whether cards come to rest in a game that is played."""
    return is_on(case) and case.move is not None and not case.moved.turned


def is_foreign(case: Case[Memory]) -> bool:
    """Return whether another player's cards are moved, or cards go to another player's zone."""
    who = mover(case)
    seats = {seat_of(case.origin), seat_of(case.moved.target)} - {""}
    return who is not None and bool(seats - {who})


def is_closed(case: Case[Memory]) -> bool:
    """Return whether cards of the closed stack are moved."""
    return source(case) in CLOSED


def to_own_pile(case: Case[Memory]) -> bool:
    """Return whether cards come to an own pile."""
    return is_laid(case) and part_of(case.moved.target) == "pile" and not is_foreign(case)


def opens_pile(case: Case[Memory]) -> bool:
    """Return whether a card starts a pile. A further pile that is not listed is empty.

    Unseen where somebody may have opened it out of view.
    """
    zone = case.moved.target
    if number_of(zone) <= SQUARE_PILES:
        return case.before.top(zone) is None
    if case.before.missed:
        case.before.height(zone)
    return not tops(case.before, zone)


def fits_pile(case: Case[Memory]) -> bool:
    """Return whether the card fits the pile that it is laid on. Unread if that is not known."""
    met = tops(case.before, case.moved.target)
    return any(fits(case.setup, case.card, below) for below in met)


def is_misfit(case: Case[Memory]) -> bool:
    """Return whether a card is laid on an own pile that it does not fit."""
    return to_own_pile(case) and not opens_pile(case) and not fits_pile(case)


def is_ace_case(case: Case[Memory]) -> bool:
    """Return whether an ace of the closed stack is laid on a two that may not take it."""
    met = tops(case.before, case.moved.target)
    return any(is_ace_on_two(case.card, below) for below in met)


def is_covered(case: Case[Memory]) -> bool:
    """Return whether a card is taken from below the top of the closed stack."""
    move = case.move
    return move is not None and source(case) == "stack" and case.debt is None and move.depth > 0


def misplaced(case: Case[Memory]) -> str:
    """Say why cards may not go where they lie, apart from their rank; else an empty text."""
    move, part = case.moved, part_of(case.moved.target)
    if is_foreign(case):
        return f"{move.origin}>{move.target} is not the own layout"
    if source(case) == "pile":
        return "cards of a pile are moved"
    if is_pagat(case) and is_closed(case):
        return "the closed stack is not touched"
    if is_closed(case) and part in ("deck", "waste"):
        return f"{case.card} goes to {move.target}"
    return ""


GAME.declare(
    "PLAY-01",
    "A player takes the top card of the own closed stack and looks at it.",
    source="Laying closed-stack cards",
    observer="C",
    kind="DEF",
    severity="info",
    ok="CardLifted A.R (7H) A.stack",
    no="CardLifted A.R (7H) B.stack -> PLAY-02",
    because="a definition",
)


@GAME.rule(
    "PLAY-02",
    source="Laying closed-stack cards",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=(*MOVES, CardLifted),
    ok="8S on 9D; TD on 9D",
    no="7H on 9D; 8C on B.pile.1",
    options=("procedure",),
)
def one_rank_away(case: Case[Memory]) -> Iterator[Finding]:
    """If its rank is one more or one less than one of his face-up top cards he puts it on that
    card; it may go on no other own card and on no card of another player.
    """
    if isinstance(case.event, CardLifted):
        owner = seat_of(case.event.zone)
        if is_on(case) and owner and case.seat not in (None, owner):
            yield Finding(case.seat, f"{case.event.zone} is not the own layout")
        return
    if not is_laid(case) or source(case) in DECK:
        return
    if text := misplaced(case):
        yield Finding(mover(case), text)
    elif not is_closed(case):
        return
    elif part_of(case.moved.target) == "aside":
        seat = seat_of(case.moved.target)
        if source(case) != "aside" and (pile := pile_for(case.before, seat, case.card)):
            rests_on = may_have_changed(case.before, pile)
            text = f"{case.card} fits a pile and is laid aside"
            yield Finding(mover(case), text, rests_on=rests_on)
    elif is_misfit(case) and not is_ace_case(case):
        top = tops(case.before, case.moved.target)[0]
        yield Finding(mover(case), f"{case.card} on {top}")


@GAME.rule(
    "PLAY-03",
    source="Laying closed-stack cards",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>pile",),
    ok="2S on AH",
    no="AD on 2H",
    options=("ace_on_two",),
)
def no_ace_on_two(case: Case[Memory]) -> Iterator[Finding]:
    """A two may be put on an ace. Nothing is said of an ace on a two (option ace_on_two)."""
    if is_closed(case) and is_misfit(case) and is_ace_case(case):
        yield Finding(mover(case), f"{case.card} on a two is not stated in the rules")


@GAME.rule(
    "PLAY-04",
    source="Laying closed-stack cards",
    observer="C",
    severity="fault",
    remedy="put the cards back",
    watches=(*MOVES, CardLifted, PileTaken),
    moves=("stack>*", "aside>*", "held>*"),
    ok="CardLifted top, placed; next",
    no="PileMoved A.R A.stack>A.aside n=2",
    options=("stuck",),
)
def one_at_a_time_from_the_top(case: Case[Memory]) -> Iterator[Finding]:
    """Then the second card likewise, and so on: one card of the closed stack at a time, from the
    top.
    """
    if isinstance(case.event, CardLifted):
        covered = case.event.pos is not None and case.event.pos > 0
        if is_on(case) and part_of(case.event.zone) == "stack" and covered:
            yield Finding(case.seat, "the card was covered")
        return
    if not is_laid(case) or not is_closed(case) or is_foreign(case):
        return
    seat = seat_of(case.origin)
    waits = case.setup.option("stuck") == "stop" and bool(case.before.legal(f"{seat}.aside"))
    if case.moved.count > 1:
        yield Finding(mover(case), f"{case.moved.count} cards taken at once")
    elif is_covered(case):
        yield Finding(mover(case), f"{case.card} was covered")
    elif waits and source(case) == "stack" and part_of(case.moved.target) in ("pile", "aside"):
        text = "the card laid aside has to be laid first"
        yield Finding(mover(case), text, rests_on=(f"{seat}.aside",))


@GAME.rule(
    "PLAY-05",
    source="Laying closed-stack cards",
    observer="K",
    kind="DEF",
    severity="info",
    remedy="lay the card aside",
    watches=MOVES,
    moves=("*>stack",),
    ok="TC fits nowhere -> A.aside",
    no="TC put back under the stack",
)
def laid_aside_open(case: Case[Memory]) -> Iterator[Finding]:
    """Laying goes on until there is a card, or there are cards, that do not fit."""
    if not is_on(case) or not is_closed(case) or part_of(case.moved.target) != "stack":
        return
    if case.moved.under or source(case) == "aside":
        yield Finding(mover(case), f"{case.card} is put back to the closed stack")


@GAME.rule(
    "PILE-01",
    source="Further piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>pile",),
    ok="QC fits nowhere -> A.pile.5",
    no="9C -> A.pile.5 with a ten on top of A.pile.2",
    options=(
        "free_open",
        "deck_opens",
    ),
)
def only_what_does_not_fit(case: Case[Memory]) -> Iterator[Finding]:
    """A card that does not fit may start a fifth pile; a card that fits may not."""
    if not to_own_pile(case) or case.setup.is_on("free_open") or not opens_pile(case):
        return
    if pile := pile_for(case.before, seat_of(case.moved.target), case.card):
        text = f"{case.card} fits a pile and opens another"
        yield Finding(mover(case), text, rests_on=may_have_changed(case.before, pile))


GAME.declare(
    "PILE-02",
    "The fifth pile lies next to the square.",
    source="Further piles",
    observer="C",
    kind="DUTY",
    severity="info",
    ok="A.pile.5 beside the square",
    no="A.pile.5 laid across the deck",
    remedy="none",
)


@GAME.rule(
    "PILE-03",
    source="Further piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>pile",),
    ok="A.pile.6",
    no="A.pile.7",
)
def six_piles(case: Case[Memory]) -> Iterator[Finding]:
    """At most six piles in all."""
    if to_own_pile(case) and number_of(case.moved.target) > MOST_PILES:
        yield Finding(mover(case), f"{case.moved.target} is a seventh pile")
