"""What Nerds remembers, its options, and the places and moves that its rules speak of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from referee.rulebook import (
    Case,
    Debt,
    Game,
    Instant,
    Option,
    Setup,
    State,
    Unread,
    quick,
    race_options,
)
from referee.values import Card, CardPlaced, PileMoved
from referee.values.cards import unread

PILE_CARDS = 13
STOCK_CARDS = 35
DECK_CARDS = 52
WORK_PILES = 4
ACE_PILES_EACH = 4
FOUNDATION = re.compile(r"F\.[0-9]+")
MOVES = (CardPlaced, PileMoved)


@quick
@dataclass(frozen=True, slots=True)
class Place:
    """Who took a place on an ace pile: the first card of a rank, and all that drew with it."""

    n: int
    instant: Instant
    seat: str
    tokens: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class Drawing:
    """Cards that a seat turns one by one: so far `tokens`, the first at `since_ns`.

    `height` is how many cards the draw pile held before, `n` and `t_ns` are the latest card's.
    `counted`: it was surely seen how many there are; what lies on top later does not tell that.
    """

    seat: str
    since_ns: int
    n: int
    t_ns: int
    height: int
    tokens: tuple[int, ...]
    counted: bool = True


@quick
@dataclass(frozen=True, slots=True)
class Over:
    """The hand is over: by event `n` at `instant`; `seat` called, None when all are stuck."""

    n: int
    instant: Instant
    seat: str | None


@quick
@dataclass(frozen=True, slots=True)
class Carry:
    """A hand carries a card, since `since_ns` until `until_ns` (None: it is not down yet).

    `second`: the other hand carried one at the time.
    """

    seat: str
    hand: str
    since_ns: int
    until_ns: int | None
    second: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Memory:
    """What Nerds remembers between two events.

    `undecided` are cards that came to an ace pile when it could not be read whether they fit.
    `dealt` are the zones whose count was judged when they were dealt, `strays` the cards that
    were told to be of another deck. `places` are the latest of each ace pile. `rotating` are the
    seats that may turn their discard pile because everybody was stuck, `uncounted` those of whom it
    was said that nobody sees how many cards they turn at a time. `penalties` and `totals`
    are points by seat; `target` is the score to exceed.
    """

    started: bool
    target: int
    hand: int = 1
    totals: Mapping[str, int] = field(default_factory=dict)
    penalties: Mapping[str, int] = field(default_factory=dict)
    dealt: frozenset[str] = frozenset()
    strays: frozenset[int] = frozenset()
    places: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    undecided: tuple[Case[Any], ...] = ()
    drawing: tuple[Drawing, ...] = ()
    uncounted: frozenset[str] = frozenset()
    carries: tuple[Carry, ...] = ()
    stuck: frozenset[str] = frozenset()
    rotated: bool = False
    rotating: frozenset[str] = frozenset()
    over: Over | None = None
    won: bool = False


OPTIONS = (
    Option("ace_match", ("suit", "colour"), "an ace pile grows in one suit, or in one colour"),
    Option("end_on", ("call", "empty"), "the hand ends at the call, or with the last Nerds card"),
    Option(
        "false_call",
        ("none", "-n"),
        "points off for a false call: -n one for each Nerds card left, -5 five",
        minus=True,
    ),
    Option("fill_from_work", ("no", "yes"), "a work pile may go to an empty place"),
    Option("one_hand", ("no", "yes"), "only one hand at a time moves cards"),
    Option("part_moves", ("no", "yes"), "part of a work pile may be moved onto another"),
    Option("penalty", ("1", "2"), "points off for each card left in the Nerds pile"),
    Option("stuck", ("end", "rotate"), "when all are stuck: count, or first turn the piles once"),
    Option("target", ("100",), "the total that must be exceeded", whole=True),
    Option("target_cmp", ("gt", "ge"), "the target must be exceeded, or reached"),
    Option("tie", ("both_stay", "photo_finish"), "a draw on an ace pile"),
    *race_options(draw_ms=40, contention_s="1.0"),
)

GAME: Game[Memory] = Game(
    prefix="NERDS",
    name="nerds",
    title="Nerds",
    seats=(1, 12),
    options=OPTIONS,
    phases=("SETUP", "START", "PLAY", "COUNT"),
    census_rule="REQ-02",
    fresh_phases=("SETUP",),
    of_order=frozenset(f"NERDS-{id}" for id in ("DRAW-02", "DRAW-05", "LAY-01", "NERDS-04")),
    own_decks=True,
)


def belongs(setup: Setup, card: Card) -> bool:
    """Return whether a card is one of the 52 of a player's deck."""
    return card.is_suited and card.deck in (None, *setup.seats)


GAME.belongs = belongs


def some_cards(count: int) -> str:
    """Return a number of cards in words for people: `1 card`, `4 cards`."""
    return f"{count} card" if count == 1 else f"{count} cards"


def plain(card: Card) -> Card:
    """Return a card of the deck. Unread for one that is not read, or that has no rank (a joker)."""
    if not card.is_suited:
        raise Unread(str(card))
    return card


@lru_cache(maxsize=1024)
def is_foundation(zone: str) -> bool:
    """Return whether a zone is an ace pile (`F.1`; `F.work` belongs to seat F)."""
    return FOUNDATION.fullmatch(zone) is not None


def is_of_another_deck(card: Card, seat: str) -> bool:
    """Return whether a card is no card of a seat's deck, as far as its face and back are known."""
    if card.known and not card.is_suited:
        return True
    return bool(seat) and card.deck not in (None, seat)


@lru_cache(maxsize=1024)
def seat_of(zone: str) -> str:
    """Return the seat that a zone belongs to, or an empty text."""
    seat, dot, _ = zone.partition(".")
    return seat if dot and len(seat) == 1 and not is_foundation(zone) else ""


@lru_cache(maxsize=1024)
def part_of(zone: str) -> str:
    """Return what a zone is: nerts, work, stock, waste, held of a seat; `ace`; or its own name."""
    if is_foundation(zone):
        return "ace"
    return zone.split(".")[1] if seat_of(zone) else zone


GAME.part_of = part_of


def mover(case: Case[Memory]) -> str | None:
    """Return who moved: the seat that was seen, else the owner of the cards' zone."""
    return case.seat or seat_of(case.origin) or None


def is_play(case: Case[Memory]) -> bool:
    """Return whether cards of a layout go to an ace pile or a work pile."""
    return part_of(case.moved.target) in ("ace", "work") and bool(seat_of(case.origin))


def card_window_ns(case: Case[Memory], over: Over) -> int:
    """Return how long after the end of the hand a card may still touch down (K-26)."""
    return over.instant.u_ns + case.setup.instant(case.event).u_ns


def is_too_late(case: Case[Memory]) -> bool:
    """Return whether the hand was over, beyond the tie window, when the event happened."""
    over = case.memory.over
    return over is not None and case.event.t_ns - over.instant.t_ns > card_window_ns(case, over)


def is_on(case: Case[Memory]) -> bool:
    """Return whether a hand is being played."""
    return case.memory.started and not is_too_late(case)


def tops(case: Case[Memory], zone: str) -> tuple[Card | None, ...]:
    """Return the cards on top that a card may meet there; None stands for an empty place.

    Two, where a card is owed to the zone: with it, as the rules see it, and without it, as it
    lies there. Playing on while a card is owed is no fault (K-29).
    """
    state = case.before
    top = state.top_card(zone)
    lies = state.without_owed(zone)
    below = None if state.table.knows(zone) else unread(None)
    seen = state.face(lies[-1]) if lies else below
    return (top,) if top == seen else (top, seen)


def left_behind(case: Case[Memory]) -> int:
    """Return how many cards stay where the moved ones came from. Unseen if not known."""
    state, tokens = case.before, set(case.moved.tokens)
    state.height(case.origin)
    pile = state.legal(case.origin) if case.debt else state.without_owed(case.origin)
    return sum(lying.token not in tokens for lying in pile)


def is_covered(case: Case[Memory]) -> bool:
    """Return whether cards lay on the moved ones where they came from."""
    if case.debt is None:
        return case.moved.depth > 0
    above = case.before.legal(case.debt.origin)[case.debt.height :]
    return any(lying.token not in case.debt.tokens for lying in above)


def foundations(state: State[Memory]) -> tuple[str, ...]:
    """Return the ace piles that were ever named."""
    return tuple(sorted(zone for zone in state.table.piles if is_foundation(zone)))


def draw_debts(state: State[Memory], seat: str | None) -> tuple[Debt, ...]:
    """Return a seat's cards that were turned in a wrong number and not put right yet."""
    origin = f"{seat}.stock"
    return tuple(d for d in state.debts if d.rule == "NERDS-DRAW-02" and d.origin == origin)
