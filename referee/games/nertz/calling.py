"""Nertz: the call, stock and waste."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.game import (
    GAME,
    MOVES,
    Memory,
    Waiting,
    comes_from,
    empty_work,
    is_covered,
    is_over,
    is_recycling,
    is_turning,
    mover,
    moves,
    nerts,
    part_of,
    seat_of,
    side_of,
)
from referee.games.nertz.work import searches
from referee.rulebook import Case, Debt, Finding, Unseen
from referee.values import CardPlaced, Declared, PileMoved

TURN_RULE = "NERTZ-STOCK-01"
RECYCLE_RULE = "NERTZ-STOCK-03"
UNDER_RULE = "NERTZ-STOCK-04"
# The piles that cards are played from.
PLAYED_FROM = ("nerts", "work", "waste", "stock")


def caller(case: Case[Memory]) -> str | None:
    """Return the seat whose nerts stack a call is about, None where nobody is named."""
    assert isinstance(case.event, Declared)
    words = (case.seat, *case.event.words)
    seat = next((word for word in words if word in case.setup.seats), None)
    return side_of(case.setup, seat) if seat else None


@GAME.rule(
    "CALL-01",
    source="paragraph 4",
    observer="DC",
    severity="void",
    remedy="the call counts for nothing; play goes on",
    watches=(Declared,),
    ok="A.nerts empty, Declared A call",
    no="Declared A call with two left",
    options=("false_call",),
)
def only_when_run_out(case: Case[Memory]) -> Iterator[Finding]:
    """A player whose nerts stack has run out has the right to call 'Nerts!'; nobody else has."""
    side = caller(case)
    if side is None or not case.memory.sure or case.memory.over is not None:
        return
    left = len(case.before.legal(nerts(side)))
    if left:
        yield Finding(case.seat or side, f"{left} left")


GAME.declare(
    "CALL-02",
    "He need not call at once; he may play on to improve his score.",
    source="paragraph 4",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    options=("end_on",),
    ok="nerts empty at 5.0, call at 7.5",
    no="referee ends the hand at 5.0",
)


@GAME.rule(
    "CALL-03",
    source="paragraph 8",
    observer="DC",
    kind="END",
    severity="fault",
    remedy="take the card back; it does not count",
    watches=MOVES,
    moves=("*>F", "*>work"),
    ok="call, then sorting",
    no="B plays after the call",
    options=("end_on",),
)
def no_play_after_the_call(case: Case[Memory]) -> Iterator[Finding]:
    """After the call the hand is over: foundations are collected and counted; no further play."""
    if not is_over(case) or case.moved.turned or case.memory.collecting:
        return
    dealt = part_of(case.origin) == "stock" and empty_work(case)
    if part_of(case.origin) in PLAYED_FROM and not dealt:
        yield Finding(mover(case) or None, f"{case.card} is played after the hand is over")


def owed_turn(case: Case[Memory], rule: str) -> Debt | None:
    """Return the debt for stock cards of this layout that were moved against a rule."""
    seat = seat_of(case.moved.target)
    debts = (d for d in case.before.debts if d.rule == rule and seat_of(d.at) == seat)
    return next(debts, None)


def turns(case: Case[Memory]) -> bool:
    """Return whether stock cards are turned onto the waste during play."""
    return comes_from(case, "stock") and is_turning(case) and moves(case)


def right_numbers(case: Case[Memory]) -> frozenset[int]:
    """Return how many cards may be turned now. Unseen if the stock's height is not known.

    Both what lies there and what should lie there count: playing on while cards are owed is no
    fault (K-29).
    """
    zone, draw = case.moved.origin, case.setup.number("draw")
    heights = (case.before.height(zone), len(case.before.table.pile(zone)))
    return frozenset(min(draw, height) for height in heights)


def completes(case: Case[Memory]) -> Debt | None:
    """Return the wrong turn that these cards make right: together they are as many as due."""
    debt = owed_turn(case, TURN_RULE)
    if debt is None or debt.at != case.moved.target:
        return None
    due = min(case.setup.number("draw"), case.before.height(case.moved.origin))
    return debt if len(debt.tokens) + case.moved.count == due else None


@GAME.rule(
    "STOCK-01",
    source="paragraphs 4 and 9",
    observer="CK",
    severity="fault",
    remedy="restore the right number",
    watches=MOVES,
    moves=("stock>waste",),
    ok="PileMoved A.L A.stock>A.waste n=3 flip",
    no="n=4; n=1 with ten left",
    options=("draw",),
)
def three_at_a_time(case: Case[Memory]) -> Iterator[Finding]:
    """The stock is turned three cards at a time onto the waste, face up (option nertz.draw=1)."""
    if not turns(case):
        return
    count, draw, seat = case.moved.count, case.setup.number("draw"), mover(case) or None
    if isinstance(case.event, CardPlaced):
        if case.memory.sure:  # cards turned singly are counted when their time is over
            yield Finding(seat, f"cards are turned singly, not {draw}")
    elif not case.moved.flip:
        yield Finding(seat, "the cards are not turned face up")
    elif count > draw or (is_too_few(case) and max(right_numbers(case)) >= draw):
        yield Finding(seat, f"{count} cards are turned, not {draw}")


def is_too_few(case: Case[Memory]) -> bool:
    """Return whether fewer cards are turned than may be, also with those turned just before."""
    count, draw = case.moved.count, case.setup.number("draw")
    if count >= draw or count in right_numbers(case) or completes(case) is not None:
        return False
    singly = turned_singly(case)
    return singly is None or len(singly.tokens) + count != draw


def turned_singly(case: Case[Memory]) -> Waiting | None:
    """Return the stock cards of this layout that are being turned one by one."""
    for waiting in case.memory.waiting:
        if waiting.what == "singly" and waiting.case.moved.target == case.moved.target:
            return waiting
    return None


def just_turned(case: Case[Memory]) -> Waiting | None:
    """Return the turn, card by card, that the moved cards were part of a moment ago."""
    moved = set(case.moved.tokens)
    singly = (w for w in case.memory.waiting if w.what == "singly")
    return next((w for w in singly if moved <= set(w.tokens)), None)


GAME.declare(
    "STOCK-02",
    "The last one or two stock cards are put on the waste.",
    source="paragraph 7",
    observer="C",
    kind="DEF",
    severity="info",
    ok="2 left: n=2 flip",
    no="2 left: n=1 flip, the last card kept back",
)


@GAME.rule(
    "STOCK-03",
    source="paragraphs 7 and 9",
    observer="C",
    severity="fault",
    remedy="separate stock and waste again",
    watches=MOVES,
    moves=("waste>stock",),
    ok="stock 0; PileMoved A.waste>A.stock n=35 flip",
    no="turning the waste onto a non-empty stock",
    options=("stuck",),
)
def whole_waste_onto_nothing(case: Case[Memory]) -> Iterator[Finding]:
    """Then the whole waste is turned over and is the new stock; not before the stock is used up."""
    if not comes_from(case, "waste") or not is_recycling(case) or not moves(case):
        return
    waste, stock, seat = case.moved.origin, case.moved.target, mover(case) or None
    if side_of(case.setup, seat_of(stock)) in case.memory.rotating or just_turned(case):
        return
    before = case.before
    if before.legal(stock) and before.table.pile(stock):
        yield Finding(seat, f"{stock} still has cards")
    elif before.table.knows(waste) and case.moved.count < _left_to_turn(case):
        yield Finding(seat, "only a part of the waste is turned")
    elif isinstance(case.event, PileMoved) and not case.moved.flip:
        yield Finding(seat, "the waste is not turned over")
    elif not before.table.knows(stock):
        raise Unseen(f"it is not known how many cards lie in {stock}")


def _left_to_turn(case: Case[Memory]) -> int:
    """Return how many cards of the waste are its own: not owed to another place."""
    waste = case.moved.origin
    debts = (d for d in case.before.debts if d.at == waste != d.origin)
    owed = {token for debt in debts for token in debt.tokens}
    return sum(1 for lying in case.before.table.pile(waste) if lying.token not in owed)


@GAME.rule(
    "STOCK-04",
    source="paragraph 8",
    observer="C",
    severity="fault",
    remedy="separate stock and waste again",
    watches=MOVES,
    moves=("waste>stock",),
    ok="see STOCK-02, -03",
    no="PileMoved A.L A.waste>A.stock n=3 flip under, two stock cards left",
)
def not_put_under(case: Case[Memory]) -> Iterator[Finding]:
    """The waste is not picked up and put under the remaining stock to make up a three."""
    if not comes_from(case, "waste") or not is_recycling(case) or not case.moved.under:
        return
    if not moves(case):
        return
    stock = case.moved.target
    if side_of(case.setup, seat_of(stock)) in case.memory.rotating or just_turned(case):
        return
    if case.before.legal(stock) and case.before.table.pile(stock):
        yield Finding(mover(case) or None, f"waste cards are put under {stock}")


GAME.declare(
    "STOCK-05",
    "The stock may be gone through any number of times.",
    source="paragraph 8",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="4th pass",
    no="4th pass flagged -> referee error",
)


@GAME.rule(
    "STOCK-06",
    source="paragraphs 7 and 8",
    observer="C",
    kind="PERM",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    moves=("waste>*",),
    ok="A.waste top >F.2",
    no="second waste card >A.work.1",
    options=("fill",),
)
def top_of_the_waste(case: Case[Memory]) -> Iterator[Finding]:
    """The top (most exposed) card of the waste may be played to a fitting work stack or
    foundation; the cards below only after it is gone.
    """
    if not comes_from(case, "waste") or is_recycling(case) or not moves(case):
        return
    if is_covered(case) and not (part_of(case.moved.target) == "work" and searches(case)):
        yield Finding(mover(case) or None, f"{case.card} was covered in {case.origin}")
