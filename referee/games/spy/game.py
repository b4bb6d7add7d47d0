"""What Spy vs. Spy remembers, its options, and the places and cards that its rules speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from referee.rulebook import Case, Game, Instant, Option, Setup, State, Unread, quick, race_options
from referee.values import Card, CardPlaced, PileMoved

STACK_CARDS = 5
SQUARE_PILES = 4
LAYOUT_CARDS = STACK_CARDS + SQUARE_PILES
MOST_PILES = 6
DECK_CARDS = 52
HALF_DECK_CARDS = 26
POINTS = 20
ACE_RANK = 14
MOVES = (CardPlaced, PileMoved)
# The closed stack's cards, wherever they lie open or closed before they are laid.
CLOSED = ("stack", "aside")
# The cards of the deck, before and after they were discarded.
DECK = ("deck", "waste")


@quick
@dataclass(frozen=True, slots=True)
class Call:
    """A call of 'finished': valid, or (`valid` None) open for three seconds.

    `left` is how many cards were left at the call.
    """

    n: int
    instant: Instant
    seat: str
    valid: bool | None = None
    left: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Memory:
    """What Spy vs. Spy remembers between two events.

    `played` counts the games of the series before this one. `backs` are decks that have another
    player's back. `new` are the seats whose deck was dealt and not shuffled yet, `built` those
    whose deck was dealt. `told` are zones whose set-up was judged. `looked` are closed cards taken
    in the hand, `lifted` those that were lifted from the stack. `over` is the event that ended the
    game.
    """

    started: bool
    played: int
    totals: Mapping[str, int]
    penalties: Mapping[str, int] = field(default_factory=dict)
    declared: Mapping[str, int] = field(default_factory=dict)
    backs: Mapping[str, str] = field(default_factory=dict)
    new: frozenset[str] = frozenset()
    built: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    strays: frozenset[int] = frozenset()
    looked: frozenset[int] = frozenset()
    lifted: frozenset[int] = frozenset()
    calls: tuple[Call, ...] = ()
    blocked: frozenset[str] = frozenset()
    over: Instant | None = None
    waits_for_scores: Call | None = None
    decided: bool = False
    won: bool = False


OPTIONS = (
    Option("ace_on_two", ("no", "yes"), "an ace may be put on a two"),
    Option("all_blocked", ("void", "least_left"), "everybody blocked: no points, or least left"),
    Option("bonus_half", ("20", "10"), "bonus of the first one when half decks are played"),
    Option("deck_in_hand", ("yes", "no"), "the deck may be kept in the hand"),
    Option("deck_opens", ("no", "yes"), "a deck card that fits nowhere may open a pile"),
    Option("false_call", ("none", "+20"), "points for a false call of 'finished'"),
    Option(
        "finish",
        ("placed", "placeable", "deck_empty"),
        "finished when all closed cards are laid, when they could be, or with an empty deck",
    ),
    Option("free_open", ("no", "yes"), "a card that fits may open a pile too"),
    Option("games", ("3",), "how many games are played", whole=True),
    Option("procedure", ("seed", "pagat"), "the closed cards are laid, or the deck is"),
    Option("recycle", ("yes", "no"), "the discards may be turned over when the deck is used up"),
    Option("stuck", ("aside", "stop"), "after a card that fits nowhere the next is tried, or not"),
    Option("tie", ("both", "replay"), "a dead heat: all get the bonus, or another game"),
    Option("two_full_decks", ("no", "yes"), "two players have a full deck each"),
    *race_options(),
)


def own_decks(setup: Setup) -> bool:
    """Return whether everybody has a deck of his own."""
    return len(setup.seats) > 2 or setup.is_on("two_full_decks")


GAME: Game[Memory] = Game(
    prefix="SPY",
    name="spy",
    title="Spy vs. Spy",
    seats=(2, 12),
    options=OPTIONS,
    phases=("SETUP", "START", "PLAY"),
    census_rule="REQ-02",
    fresh_phases=("SETUP",),
    of_order=frozenset(f"SPY-{id}" for id in ("SET-02", "SET-04", "DECK-02", "DECK-03", "FIN-02")),
    own_decks=own_decks,
)


def belongs(setup: Setup, card: Card) -> bool:
    """Return whether a card is one of the 52 of a deck in play."""
    return card.is_suited and card.deck in (None, *setup.seats)


GAME.belongs = belongs


@lru_cache(maxsize=1024)
def seat_of(zone: str) -> str:
    """Return the seat that a zone belongs to, or an empty text."""
    seat, dot, _ = zone.partition(".")
    return seat if dot and len(seat) == 1 else ""


@lru_cache(maxsize=1024)
def part_of(zone: str) -> str:
    """Return what a zone is to its seat: deck, stack, pile, aside, waste, held; or its name."""
    return zone.split(".")[1] if seat_of(zone) else zone


GAME.part_of = part_of


@lru_cache(maxsize=1024)
def number_of(zone: str) -> int:
    """Return the number of a pile, 0 if it has none."""
    last = zone.rpartition(".")[2]
    return int(last) if last.isdigit() else 0


def mover(case: Case[Memory]) -> str | None:
    """Return who moved: the seat that was seen, else the owner of the cards' zone."""
    return case.seat or seat_of(case.origin) or None


def source(case: Case[Memory]) -> str:
    """Return which part the cards come from; cards in the hand are of the deck or of the stack."""
    part = part_of(case.origin)
    if part != "held":
        return part
    return "stack" if set(case.moved.tokens) & case.memory.looked else "deck"


def is_on(case: Case[Memory]) -> bool:
    """Return whether a game is being played: started, and nobody has finished before."""
    over = case.memory.over
    if over is None or not case.memory.started:
        return case.memory.started
    here = case.setup.instant(case.event)
    return here.t_ns - over.t_ns <= here.u_ns + over.u_ns


def is_pagat(case: Case[Memory]) -> bool:
    """Return whether the deck is laid and the closed cards stay closed (house option)."""
    return case.setup.option("procedure") == "pagat"


def rank(card: Card) -> int:
    """Two 2 .. ace 14. Unread for a card that is not read, or that has no rank (a joker)."""
    if not card.is_suited:
        raise Unread(str(card))
    value = card.rank()
    return ACE_RANK if value == 1 else value


def is_ace_on_two(card: Card, below: Card) -> bool:
    """Return whether an ace meets a two."""
    return rank(card) == ACE_RANK and rank(below) == 2


def fits(setup: Setup, card: Card, below: Card) -> bool:
    """Return whether a card may lie on another: one rank away, a two on an ace. Unread."""
    upper, lower = rank(card), rank(below)
    if abs(upper - lower) == 1 or (upper, lower) == (2, ACE_RANK):
        return True
    return (upper, lower) == (ACE_RANK, 2) and setup.is_on("ace_on_two")


def tops(state: State[Memory], zone: str) -> tuple[Card, ...]:
    """Return the cards on top that a card may meet there, none for an empty place.

    Two, where a card is owed to the zone: with it, as the rules see it, and without it, as it
    lies there. Playing on while a card is owed is no fault (K-29).
    """
    pile = state.legal(zone)
    if not state.debts:
        return (state.face(pile[-1]),) if pile else ()
    found = [p[-1] for p in (pile, state.without_owed(zone)) if p]
    return tuple(dict.fromkeys(state.face(lying) for lying in found))


def open_tops(state: State[Memory], seat: str) -> Iterator[tuple[str, Card]]:
    """Yield a player's piles with their top cards, as far as these are known to lie there."""
    for number in range(1, MOST_PILES + 1):
        zone = f"{seat}.pile.{number}"
        if state.table.pile(zone) and (top := state.legal(zone)):
            yield zone, state.face(top[-1])


def pile_for(state: State[Memory], seat: str, card: Card) -> str:
    """Return a pile of a player that a card fits, or an empty text.

    One that may have changed out of view only where there is no other. Unread if that depends on
    a card, or on one of which nobody is sure that it may lie there.
    """
    found, unread = "", None
    for zone, top in open_tops(state, seat):
        try:
            if fits(state.setup, card, top):
                came = state.arrivals.get(zone)
                if came is not None and came.n in state.unsure:
                    raise Unread(str(top))
                found = zone
                if not may_have_changed(state, zone):
                    return zone
        except Unread as reason:
            unread = reason
    if unread and not found:
        raise unread
    return found


def may_have_changed(state: State[Memory], zone: str) -> tuple[str, ...]:
    """Return the zone if other cards may have come onto it out of view, else nothing."""
    return (zone,) if state.lost_sight_of(zone, whole=False) else ()


def closed_left(state: State[Memory], seat: str) -> int:
    """Return how many of the closed cards a player has left. Unseen if that is not known."""
    held = state.legal(f"{seat}.held")
    in_hand = sum(lying.token in state.memory.looked for lying in held)
    return state.height(f"{seat}.stack") + len(state.legal(f"{seat}.aside")) + in_hand


def is_stray(card: Card, home: str) -> bool:
    """Return whether a card has another back than a deck, as far as both are known."""
    return bool(home) and card.deck not in (None, home)
