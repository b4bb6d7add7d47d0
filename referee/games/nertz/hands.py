"""Nertz: hands and moves."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.game import (
    GAME,
    KING,
    MOVES,
    Carry,
    Memory,
    in_play,
    is_foundation,
    is_recycling,
    is_turning,
    mover,
    moves,
    part_of,
    seat_of,
    side_of,
)
from referee.games.nertz.standing import foundation_top
from referee.rulebook import Case, Finding
from referee.rulebook.asking import may_put_right
from referee.values import CardLifted, CardPlaced, PileMoved

# Ours: a carry that lasts longer is taken for a touch-down that nobody saw.
LONGEST_CARRY_NS = 5_000_000_000
# With a camera: people carry a card for a second or two; who was seen to lift one before that has
# put it down under his hand.
LONGEST_SEEN_CARRY_NS = 2_000_000_000
LAYOUT = ("nerts", "work", "waste")


def longest_carry_ns(case: Case[Memory]) -> int:
    """Return after what time it is taken for granted that a card was put down unseen."""
    return LONGEST_SEEN_CARRY_NS if case.before.camera else LONGEST_CARRY_NS


def other_carry(case: Case[Memory]) -> Carry | None:
    """Return what the player's other hand carries, if both hands are known."""
    seat, hand, t_ns = case.seat, case.hand, case.event.t_ns
    if seat is None or hand not in ("L", "R"):
        return None
    for carry in case.memory.carries:
        age_ns = t_ns - carry.instant.t_ns
        both = carry.seat == seat and carry.hand not in (hand, "?")
        if both and carry.until_ns is None and 0 <= age_ns <= longest_carry_ns(case):
            return carry
    return None


def takes(case: Case[Memory]) -> bool:
    """Return whether a layout or common card is picked up during play."""
    event = case.event
    return (
        isinstance(event, CardLifted)
        and in_play(case)
        and part_of(event.zone) in (*LAYOUT, "F")
        and seat_of(event.zone) in ("", *case.setup.seats)
    )


def overlap_ns(case: Case[Memory]) -> int | None:
    """Return how long a move's carry overlapped one of the other hand; below 0 it began later.

    None where there is no such carry, or that was judged already.
    """
    event = case.event
    if not isinstance(event, CardPlaced) or event.carry_ns is None or case.seat is None:
        return None
    if any(
        (c.seat, c.hand) == (case.seat, case.hand) for c in case.memory.carries if not c.until_ns
    ):
        return None  # its lift was seen, and judged then
    spans = [
        min(c.until_ns if c.until_ns is not None else event.t_ns, event.t_ns)
        - max(c.instant.t_ns, event.carry_ns)
        for c in case.memory.carries
        if c.seat == case.seat
        and {c.hand, case.hand} == {"L", "R"}
        and (c.until_ns is not None or event.carry_ns - c.instant.t_ns <= longest_carry_ns(case))
    ]
    return max(spans, default=None)


def carried_with_both(case: Case[Memory]) -> bool | None:
    """Return whether both hands carried at once beyond all doubt; None if they only may have.

    A camera sees that a place is bare when the hand has left it: its card was lifted before.
    """
    span_ns = overlap_ns(case)
    if span_ns is None:
        return False
    slack_ns = 2 * case.setup.instant(case.event).u_ns
    if span_ns > slack_ns:
        return True
    return None if case.before.camera and span_ns > -slack_ns else False


def is_hand_move(case: Case[Memory]) -> bool:
    """Return whether layout cards are moved, other than the stock and the waste as piles."""
    return moves(case) and not is_turning(case) and not is_recycling(case)


@GAME.rule(
    "HAND-01",
    source="paragraphs 1, 5 and 8",
    observer="H",
    severity="procedure",
    remedy="put the second card back",
    watches=(CardLifted, *MOVES),
    ok="A.R carries, places, carries; A.L holds the stock",
    no="CardLifted A.R A:9H; CardLifted A.L A:2C before the first is down",
    options=("one_hand",),
)
def one_hand_only(case: Case[Memory]) -> Iterator[Finding]:
    """Cards are moved with one hand only; the two hands never move cards at the same time."""
    if isinstance(case.event, CardLifted):
        if case.memory.sure and takes(case) and other_carry(case):
            yield Finding(case.seat, "both hands carry cards")
        return
    if not is_hand_move(case) or case.seat is None:
        return
    both = carried_with_both(case)
    if both is not False:
        yield Finding(case.seat, "both hands carried cards", surely=bool(both))
    elif case.setup.option("one_hand") == "strict" and changes_hand(case):
        back = lands_wrongly(case) and may_put_right(case)
        yield Finding(case.seat, "the moving hand was changed", surely=not back)


def changes_hand(case: Case[Memory]) -> bool:
    """Return whether the player moved cards with the other hand before."""
    other = {"L": "R", "R": "L"}.get(case.hand or "")
    return other is not None and (case.seat, other) in case.memory.hands


GAME.declare(
    "HAND-02",
    "The stock may be held in the other hand (s7, s80); s47 says it must be. Default: may "
    "(AMB-02).",
    source="paragraphs 1, 5 and 8",
    observer="H",
    kind="PERM",
    severity="info",
    options=("stock_hand",),
    ok="A.L holds the stock; or stock on the table",
    no="with nertz.stock_hand=must: stock lying on the table while A.L moves nothing",
)


@GAME.rule(
    "HAND-03",
    source="paragraphs 1 and 8",
    observer="C",
    severity="fault",
    remedy="put the cards back",
    watches=(PileMoved,),
    moves=("*>F", "*>work"),
    ok="PileMoved A.R A.work.4>A.work.1 n=4",
    no="PileMoved A.R A.work.1>F.1 n=2",
)
def one_card_at_a_time(case: Case[Memory]) -> Iterator[Finding]:
    """Only one card is moved at a time, except a block moved from one work stack to another (and
    turning the stock by three, turning the waste).
    """
    if case.move is None or case.moved.count == 1 or not moves(case):
        return
    origin, target = part_of(case.moved.origin), part_of(case.moved.target)
    if target in ("F", "work") and (origin, target) != ("work", "work") and origin != "F":
        yield Finding(mover(case) or None, f"{case.moved.count} cards are moved at once")


@GAME.rule(
    "HAND-04",
    source="paragraph 1",
    observer="CH",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    ok="A.work.2>F.3; A.waste>A.work.1",
    no="A.nerts>B.work.1; F.1>A.work.1; onto A.nerts",
    options=("king", "partners"),
)
def within_own_layout(case: Case[Memory]) -> Iterator[Finding]:
    """Cards are moved only within the own layout or from the own layout to the common area: never
    from or to another layout, never out of the common area (except the loser of a race).
    """
    if not moves(case):
        return
    origin, target, seat = case.origin, case.moved.target, mover(case)
    if is_foundation(origin):
        if not is_tidying(case):
            text = f"{origin} is common: its cards stay there"
            surely = not may_put_right(case)
            yield Finding(seat or None, text, surely=surely, rests_on=(origin,))
    elif is_strange(case, origin) or is_strange(case, target):
        whose = seat_of(origin if is_strange(case, origin) else target)
        yield Finding(seat or None, f"the layout of {whose} is not {seat}'s")
    elif lands_wrongly(case):
        text = f"nothing is played onto {target}"
        yield Finding(seat or None, text, surely=not may_put_right(case))


def is_strange(case: Case[Memory], zone: str) -> bool:
    """Return whether a zone is part of another player's layout."""
    owner, seat = seat_of(zone), mover(case)
    if owner not in case.setup.seats or not seat:
        return False
    return side_of(case.setup, owner) != side_of(case.setup, seat)


def lands_wrongly(case: Case[Memory]) -> bool:
    """Return whether a card comes to a nerts stack, stock or waste that it cannot come to."""
    origin, target = part_of(case.origin), part_of(case.moved.target)
    if target == "nerts":
        return True
    if origin not in (*LAYOUT, "stock"):
        return False
    return (target == "waste" and origin != "stock") or (target == "stock" and origin != "waste")


def is_tidying(case: Case[Memory]) -> bool:
    """Return whether a whole foundation goes to another common place, or is complete and turned."""
    origin, target = case.origin, case.moved.target
    whole = case.moved.count == len(case.before.table.pile(origin)) > 0
    if whole and is_foundation(target):
        return not case.before.legal(target)
    top = foundation_top(case.before, origin)
    complete = top is not None and top.rank == KING
    return whole and complete and case.setup.option("king") == "turn"
