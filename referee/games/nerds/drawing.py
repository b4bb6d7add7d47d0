"""Nerds: the draw pile and the discard pile."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds.counting import judged_at_start, wrong_stock
from referee.games.nerds.game import (
    GAME,
    MOVES,
    Drawing,
    Memory,
    draw_debts,
    is_on,
    mover,
    part_of,
    some_cards,
)
from referee.rulebook import Case, Finding
from referee.values import CardPlaced, Dealt, Declared, PileMixed, PileMoved

AT_ONCE = 3


def is_draw(case: Case[Memory]) -> bool:
    """Return whether cards are turned from a draw pile onto its discard pile."""
    return is_on(case) and goes(case, "stock", "waste")


def is_turn_over(case: Case[Memory]) -> bool:
    """Return whether discarded cards go back to the draw pile, not those that were just turned."""
    return is_on(case) and goes(case, "waste", "stock") and just_turned(case) is None


def just_turned(case: Case[Memory]) -> Drawing | None:
    """Return the turn, card by card, that the moved cards were part of a moment ago."""
    moved = set(case.moved.tokens)
    return next((d for d in case.memory.drawing if moved <= set(d.tokens)), None)


def goes(case: Case[Memory], origin: str, target: str) -> bool:
    """Return whether cards go from one part of a layout to another one of the same."""
    move = case.moved
    same = case.origin.rpartition(".")[0] == move.target.rpartition(".")[0]
    return same and (part_of(case.origin), part_of(move.target)) == (origin, target)


def number_due(case: Case[Memory]) -> int:
    """Return how many cards are turned at a time now. Unseen if the pile is not known."""
    return min(AT_ONCE, case.before.height(case.origin))


def completes(case: Case[Memory]) -> bool:
    """Return whether the cards complete a turn that brought too few."""
    owed = sum(len(debt.tokens) for debt in draw_debts(case.before, mover(case)))
    return 0 < owed < AT_ONCE and owed + case.moved.count == number_due(case)


def may_rotate(case: Case[Memory]) -> bool:
    """Return whether the mover turns his piles because everybody was stuck."""
    return mover(case) in case.memory.rotating


def is_wrong_number(case: Case[Memory]) -> bool:
    """Return whether a block of the wrong size is turned. Single cards may still become three."""
    count = case.moved.count
    if case.moved.short:
        return False
    if count > AT_ONCE:
        return True
    going_on = any(drawing.seat == mover(case) for drawing in case.memory.drawing)
    if count == 1 or going_on or completes(case):
        return False
    # While cards are owed to the draw pile, what really lies there may be turned too (K-29).
    lying = len(case.before.table.pile(case.origin))
    return count not in (number_due(case), min(AT_ONCE, lying))


def is_turned_over(case: Case[Memory]) -> bool:
    """Return whether the cards show their other side now."""
    event = case.event
    return event.up if isinstance(event, CardPlaced) else case.moved.flip


@GAME.rule(
    "DRAW-01",
    source="Draw pile",
    observer="C",
    severity="misdeal",
    remedy="correct before the start",
    watches=(
        Dealt,
        Declared,
    ),
    ok="Dealt A.stock x35 down",
    no="draw pile lying face up",
    beside=True,
)
def draw_pile_of_35(case: Case[Memory]) -> Iterator[Finding]:
    """Each player has a face-down draw pile (the 35 cards left after the deal)."""
    yield from judged_at_start(case, "stock", wrong_stock)


@GAME.rule(
    "DRAW-02",
    source="Draw pile",
    observer="CK",
    severity="fault",
    remedy="restore the right number",
    watches=MOVES,
    moves=("stock>waste",),
    ok="PileMoved A.L A.stock>A.waste n=3 flip",
    no="n=2 with five left; n=4",
)
def three_at_a_time(case: Case[Memory]) -> Iterator[Finding]:
    """Cards are turned from the draw pile face up onto the discard pile three at a time."""
    if not is_draw(case):
        return
    if not is_turned_over(case):
        yield Finding(mover(case), "the cards are not turned face up")
    elif is_wrong_number(case):
        yield Finding(mover(case), f"{some_cards(case.moved.count)} turned")


GAME.declare(
    "DRAW-03",
    "If fewer than three remain, as many as remain are turned.",
    source="Draw pile",
    observer="CK",
    kind="DEF",
    severity="info",
    ok="2 left, n=2",
    no="2 left, n=1",
    remedy="turn the rest too",
)


@GAME.rule(
    "DRAW-04",
    source="Draw pile",
    observer="C",
    kind="PERM",
    severity="info",
    remedy="turn the whole pile",
    watches=MOVES,
    moves=("waste>stock",),
    ok="PileMoved A.L A.waste>A.stock n=33 flip",
    no="only part of the discard pile turned",
)
def whole_pile_turned(case: Case[Memory]) -> Iterator[Finding]:
    """When the last card of the draw pile has been discarded the player may turn the discard pile
    upside down; it is the draw pile then. Any number of times.
    """
    if not is_turn_over(case) or case.debt is not None:
        return
    left = len(case.table.pile(case.moved.origin))
    if left:
        yield Finding(mover(case), f"{some_cards(left)} left of the discard pile")


@GAME.rule(
    "DRAW-05",
    source="Draw pile",
    observer="C",
    severity="fault",
    remedy="separate the cards again",
    watches=(*MOVES, PileMixed),
    moves=("waste>stock", "stock>stock"),
    ok="draw pile 0, turn",
    no="PileMoved A.waste>A.stock with one card left in stock",
    options=("stuck",),
)
def not_before_it_is_empty(case: Case[Memory]) -> Iterator[Finding]:
    """Not before the draw pile is empty, and without changing the order."""
    if isinstance(case.event, PileMixed):
        if is_on(case) and part_of(case.event.zone) in ("stock", "waste"):
            yield Finding(case.seat, f"{case.event.zone} is shuffled", owes=False)
    elif is_on(case) and goes(case, "stock", "stock") and not may_rotate(case):
        yield Finding(mover(case), "the order of the draw pile is changed", owes=False)
    elif is_turn_over(case) and not may_rotate(case):
        lying = case.before.table.pile(case.moved.target)
        # One that lies there is enough, however many lie below it.
        if lying and case.before.legal(case.moved.target):
            yield Finding(mover(case), f"{some_cards(len(lying))} left in the draw pile")
        elif isinstance(case.event, PileMoved) and not case.event.flip:
            yield Finding(mover(case), "the discard pile is not turned upside down")
