"""Nertz: work stacks."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.game import (
    GAME,
    KING,
    MOVES,
    Memory,
    Value,
    comes_from,
    empty_work,
    goes_to,
    is_covered,
    mover,
    moves,
    part_of,
    seat_of,
    work_places,
)
from referee.games.nertz.standing import descends, meets, meets_joker
from referee.rulebook import Case, Finding
from referee.values import PileMoved


def builds(case: Case[Memory]) -> bool:
    """Return whether cards go to a work place during play."""
    return goes_to(case, "work") and moves(case)


def meeting(case: Case[Memory]) -> tuple[Value | None, Value | None]:
    """Return the upper and the lower card that come to touch in play (None: none, open joker)."""
    if not builds(case) or case.moved.under:
        return None, None
    return meets(case) or (None, None)


def searches(case: Case[Memory]) -> bool:
    """Return whether any card of the reserve may fill this empty place (option nertz.fill)."""
    return case.setup.option("fill") == "search" and empty_work(case)


@GAME.rule(
    "WORK-01",
    source="paragraph 1",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>work",),
    ok="9 on 10",
    no="8 on 10",
)
def one_lower(case: Case[Memory]) -> Iterator[Finding]:
    """Work stacks are built downwards in rank, one by one."""
    upper, lower = meeting(case)
    if upper is None:
        return
    if lower is None:
        if upper.rank == KING:
            yield Finding(mover(case) or None, "a king fits on nothing")
    elif lower.rank != upper.rank + 1 and not meets_joker(case):
        below = case.before.top_card(case.moved.target)
        yield Finding(mover(case) or None, f"{case.card} on {below}")


@GAME.rule(
    "WORK-02",
    source="paragraph 1",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>work",),
    ok="red 9 on black 10, black 8 on red 9",
    no="JS on QC",
)
def other_colour(case: Case[Memory]) -> Iterator[Finding]:
    """... in alternating colours."""
    upper, lower = meeting(case)
    if upper and lower and upper.red == lower.red and not meets_joker(case):
        below = case.before.top_card(case.moved.target)
        yield Finding(mover(case) or None, f"{case.card} on {below}: same colour")


GAME.declare(
    "WORK-03",
    "Cards of a work stack overlap so that all stay visible.",
    source="paragraph 1",
    observer="C",
    kind="DUTY",
    severity="info",
    ok="fanned column",
    no="squared pile",
)


@GAME.rule(
    "WORK-04",
    source="paragraphs 1 and 8",
    observer="C",
    kind="PERM",
    severity="fault",
    remedy="put the cards back in their order",
    watches=MOVES,
    moves=("work>*",),
    ok="PileMoved A.R A.work.1>A.work.2 n=2 (base JD on QC)",
    no="middle card pulled out, upper cards left behind",
)
def cards_on_it_come_along(case: Case[Memory]) -> Iterator[Finding]:
    """A card of a work stack may be moved to another work stack if it fits; all cards on it move
    along, in order, as one block.
    """
    if not comes_from(case, "work") or part_of(case.moved.target) == "F" or not moves(case):
        return
    if is_covered(case):
        yield Finding(mover(case) or None, f"{case.card} was covered in {case.origin}")
    elif isinstance(case.event, PileMoved) and case.moved.flip and builds(case):
        yield Finding(mover(case) or None, "the block was turned over")


@GAME.rule(
    "WORK-05",
    source="paragraphs 2, 4 and 9",
    observer="C",
    kind="PERM",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    moves=("stock>work",),
    ok="A.waste>A.work.4 (empty)",
    no="a card picked out of the face-down stock",
    options=("fill",),
)
def not_from_the_stock(case: Case[Memory]) -> Iterator[Finding]:
    """An empty work place may be filled (any rank) from the nerts stack, another work stack or the
    waste top.
    """
    if builds(case) and part_of(case.origin) == "stock" and not searches(case):
        yield Finding(mover(case) or None, f"a card is picked out of {case.origin}")


GAME.declare(
    "WORK-06",
    "From another work stack any card may go to the empty place, wherever it lies in the stack, "
    "with the cards on it.",
    source="paragraphs 2 and 9",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="PileMoved A.R A.work.1>A.work.4 n=3 (work.4 empty)",
    no="a covered card pulled out alone",
)


@GAME.rule(
    "WORK-07",
    source="paragraphs 4, 5 and 7",
    observer="C",
    kind="PERM",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>work",),
    ok="work.4 empty, A:KH under base A:QS",
    no="A:KH under A:JS; no empty place",
)
def under_play(case: Case[Memory]) -> Iterator[Finding]:
    """Under-play: with an empty work place available, a playable card one rank higher than and
    opposite in colour to the base of a work stack may be pushed under that stack.
    """
    if not builds(case) or not case.moved.under:
        return
    pair = meets(case)
    if pair is None:
        return
    upper, lower = pair
    if upper and lower and not descends(upper, lower) and not meets_joker(case):
        base = case.before.face(case.before.legal(case.moved.target)[0])
        yield Finding(mover(case) or None, f"{case.card} does not fit under {base}")
    elif not has_empty_place(case):
        places = work_places(seat_of(case.moved.target))
        surely = not any(map(case.before.may_be_bare, places))
        yield Finding(mover(case) or None, "no work place is empty", surely=surely)


def has_empty_place(case: Case[Memory]) -> bool:
    """Return whether a work place is, may be, or gets empty by this move. Unseen if hidden."""
    places = work_places(seat_of(case.moved.target))
    if case.origin in places and not case.table.pile(case.origin):
        return True
    return any(not case.before.legal(place) for place in places)
