"""Nertz: set-up and start."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.decks import dealt
from referee.games.nertz.game import (
    DECK_CARDS,
    GAME,
    MOVES,
    NERTS_CARDS,
    WORK_PLACES,
    Memory,
    is_build,
    is_turning,
    mover,
    nerts,
    part_of,
    seat_of,
    sides,
    work_places,
)
from referee.rulebook import Case, Finding, Setup
from referee.values import Dealt, Declared

DECK_BUT_STOCK = NERTS_CARDS + WORK_PLACES


def deals(case: Case[Memory], part: str) -> bool:
    """Return whether cards are dealt to such a place before the start, not found wrong already."""
    event, memory = case.event, case.memory
    if not isinstance(event, Dealt) or memory.start is not None:
        return False
    return part_of(event.zone) == part and bool(event.cards)


def was_told(case: Case[Memory], rule: str, seat: str) -> bool:
    """Return whether this kind of zone was called wrong for that seat already (K-10)."""
    return (seat, rule) in case.memory.told


def built_up(case: Case[Memory], zone: str) -> int | None:
    """Return how many cards came to a zone by several events, None if it was dealt at once."""
    memory = case.memory
    if not memory.fresh or zone in memory.dealt:
        return None
    return len(case.table.pile(zone)) or None


def starts(case: Case[Memory]) -> bool:
    """Return whether the play of a hand is declared to begin."""
    event = case.event
    return isinstance(event, Declared) and event.what == "start" and case.memory.start is None


def stock_cards(setup: Setup) -> int:
    """Return how many cards a stock has: 35, or 37 with two jokers."""
    return DECK_CARDS + setup.number("jokers") - DECK_BUT_STOCK


GAME.declare(
    "SET-01",
    "Every deck is shuffled before the layout is dealt.",
    source="paragraphs 1 and 3",
    observer="H",
    kind="DUTY",
    severity="procedure",
    remedy="ask whether the deck was shuffled",
    ok="PileMixed, then Dealt",
    no="Dealt A.nerts without PileMixed since the last hand",
)


@GAME.rule(
    "SET-02",
    source="paragraphs 1 and 3",
    observer="C",
    severity="misdeal",
    remedy="correct the stack before the start",
    watches=(Dealt,),
    ok="Dealt A.nerts (x12) A:QH",
    no="twelve cards",
)
def thirteen_cards(case: Case[Memory]) -> Iterator[Finding]:
    """The nerts stack has thirteen cards: twelve face down, the thirteenth face up on top."""
    if not deals(case, "nerts"):
        return
    zone = dealt(case).zone
    owner, pile = seat_of(zone), case.table.pile(zone)
    if is_one_more(case) and (builds_up(case) or was_told(case, "SET-02", owner)):
        return
    if len(pile) != NERTS_CARDS:
        yield Finding(owner, f"{len(pile)} cards")
    elif any(lying.up for lying in pile[:-1]):
        yield Finding(owner, "a lower card lies face up")


def is_one_more(case: Case[Memory]) -> bool:
    """Return whether a single card of a larger pile is dealt."""
    event = dealt(case)
    return len(event.cards) == 1 and part_of(event.zone) != "work"


def builds_up(case: Case[Memory]) -> bool:
    """Return whether a pile is dealt card by card, so that it is counted at the start (K-10)."""
    return is_one_more(case) and dealt(case).zone not in case.memory.dealt


@GAME.rule(
    "SET-03",
    source="paragraphs 1 and 4",
    observer="C",
    severity="misdeal",
    remedy="correct the work stacks; never more than four",
    watches=(Dealt, *MOVES),
    moves=("*>work",),
    ok="A.work.1..4 one card each, up",
    no="a fifth work stack; a card dealt down",
)
def four_work_stacks(case: Case[Memory]) -> Iterator[Finding]:
    """Four cards are dealt face up, side by side, not overlapping: the four work stacks (s10 says
    'face down': contradiction, AMB-01).
    """
    if deals(case, "work"):
        yield from _work_dealt(case, dealt(case).zone)
    elif isinstance(case.event, MOVES) and not case.moved.turned and not is_early(case):
        yield from _work_laid(case, case.moved.target)


def _work_laid(case: Case[Memory], zone: str) -> Iterator[Finding]:
    memory, owner = case.memory, seat_of(zone)
    if part_of(zone) != "work" or memory.over is not None:
        return
    if zone not in work_places(owner):
        yield Finding(mover(case) or None, f"{zone} is a fifth work stack", owes=True)
    elif memory.start is None and case.debt is None:
        if not case.moved.up:
            yield Finding(owner, f"the card of {zone} lies face down")
        elif case.before.table.pile(zone):
            yield Finding(owner, f"{zone} is dealt a second card")


def _work_dealt(case: Case[Memory], zone: str) -> Iterator[Finding]:
    owner, pile = seat_of(zone), case.table.pile(zone)
    if was_told(case, "SET-03", owner):
        return
    if zone not in work_places(owner):
        yield Finding(owner, f"{zone} is a fifth work stack")
    elif len(pile) != 1:
        yield Finding(owner, f"{zone} is dealt {len(pile)} cards")
    elif not pile[0].up:
        yield Finding(owner, f"the card of {zone} lies face down")


GAME.declare(
    "SET-04",
    "The work stacks lie next to the nerts stack.",
    source="paragraph 4",
    observer="C",
    kind="DUTY",
    severity="info",
    ok="A.nerts one card width left of A.work.1",
    no="A.nerts laid in the common area",
)


@GAME.rule(
    "SET-05",
    source="paragraphs 1 and 4",
    observer="C",
    severity="misdeal",
    remedy="correct the stock before the start",
    watches=(Dealt,),
    ok="A.stock x35 down (on the table or in hand)",
    no="stock face up",
    options=("jokers",),
)
def rest_is_stock(case: Case[Memory]) -> Iterator[Finding]:
    """The remaining 35 cards are kept face down as the stock (supply)."""
    needed = stock_cards(case.setup)
    if deals(case, "stock"):
        zone = dealt(case).zone
        owner, pile = seat_of(zone), case.table.pile(zone)
        added = is_one_more(case) and (builds_up(case) or was_told(case, "SET-05", owner))
        if len(pile) != needed and not added:
            yield Finding(owner, f"{len(pile)} cards, not {needed}")
        elif any(lying.up for lying in pile):
            yield Finding(owner, "it lies face up")


GAME.declare(
    "SET-06",
    "Players and layouts are arranged around a common area that all can reach.",
    source="paragraph 4",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="move the layout out of the common area",
    ok="common zone inside the ring of layouts",
    no="a layout inside the common zone",
)


def wrong_at_start(case: Case[Memory]) -> Iterator[tuple[str, str, str]]:
    """Yield the kinds of zone that were built up wrongly: rule, seat and what is wrong (K-10)."""
    stock = stock_cards(case.setup)
    for seat in sides(case.setup):
        cards = built_up(case, nerts(seat))
        if cards not in (None, NERTS_CARDS) and not was_told(case, "SET-02", seat):
            yield "SET-02", seat, f"{cards} cards"
        works = [built_up(case, zone) for zone in work_places(seat)]
        if any(work not in (None, 1) for work in works) and not was_told(case, "SET-03", seat):
            yield "SET-03", seat, "a work stack does not have one card"
        cards = built_up(case, f"{seat}.stock")
        if cards not in (None, stock) and not was_told(case, "SET-05", seat):
            yield "SET-05", seat, f"{cards} cards, not {stock}"


def is_early(case: Case[Memory]) -> bool:
    """Return whether cards are played while no hand is being played."""
    if case.move is None or case.move.turned or case.memory.start or case.memory.over:
        return False
    if case.moved.short and case.memory.hand > 1:
        return False  # the last hand is still being collected
    surplus = part_of(case.origin) == "nerts" and case.before.table.knows(case.origin)
    if surplus and len(case.before.table.pile(case.origin)) > NERTS_CARDS:
        return False  # a nerts stack that got too many cards is put right
    return is_build(case) or is_turning(case)


@GAME.rule(
    "START-01",
    source="paragraph 7",
    observer="DC",
    severity="fault",
    remedy="put the card back and wait for the start",
    watches=MOVES,
    ok="Declared - start; moves",
    no="A:AC to the common area before start",
)
def wait_for_the_start(case: Case[Memory]) -> Iterator[Finding]:
    """Play begins when all players have formed their piles."""
    if case.memory.sure and is_early(case):
        yield Finding(mover(case) or None, "moved before the start")
