"""Spy vs. Spy: players, decks, set-up and start."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.spy.game import (
    CLOSED,
    DECK_CARDS,
    GAME,
    HALF_DECK_CARDS,
    LAYOUT_CARDS,
    MOVES,
    SQUARE_PILES,
    STACK_CARDS,
    Memory,
    is_stray,
    mover,
    number_of,
    own_decks,
    part_of,
    seat_of,
)
from referee.rulebook import Case, Finding, Pile, State
from referee.values import (
    CardPlaced,
    CardTurned,
    Configured,
    Dealt,
    Declared,
    PileMoved,
    PileTaken,
)


def is_set_up(case: Case[Memory]) -> bool:
    """Return whether the layouts are still being dealt."""
    return not case.memory.started


def is_start(case: Case[Memory]) -> bool:
    """Return whether the start is declared."""
    event = case.event
    return isinstance(event, Declared) and event.what == "start" and is_set_up(case)


def configured(case: Case[Memory], name: str) -> int | None:
    """Return a number that a configuration gives: a count, or how many names are listed."""
    assert isinstance(case.event, Configured)
    values = [v for n, _, v in (w.partition("=") for w in case.event.words) if n == name]
    if not values:
        return None
    value = values[-1]
    return int(value[:9]) if value.isdigit() else len([v for v in value.split(",") if v])


def dealt_seat(case: Case[Memory], part: str) -> str:
    """Return whose zone of that part a deal brings, or an empty text."""
    assert isinstance(case.event, Dealt)
    return seat_of(case.event.zone) if part_of(case.event.zone) == part else ""


def home_of(case: Case[Memory], zone: str) -> str:
    """Return the back that a zone's cards have, empty where it does not matter."""
    seat = seat_of(zone)
    return case.memory.backs.get(seat, seat) if own_decks(case.setup) else ""


def other_backs(case: Case[Memory]) -> int:
    """Return how many dealt cards have another back. A whole deck of one back is tolerated."""
    assert isinstance(case.event, Dealt)
    home = home_of(case, case.event.zone)
    strays = sum(is_stray(card.seen(), home) for card in case.event.cards)
    return strays if strays < len(case.event.cards) or strays == 1 else 0


def wrong_stack(pile: Pile, zone: str) -> str:
    """Say what is wrong with a closed stack."""
    if len(pile) != STACK_CARDS:
        return f"{len(pile)} cards in {zone}"
    return f"{zone} does not lie face down" if any(lying.up for lying in pile) else ""


def wrong_square(state: State[Memory], seat: str) -> str:
    """Say what is wrong with a square: four piles of one open card each."""
    zones = [zone for zone in state.table.piles if zone.startswith(f"{seat}.pile.")]
    piles = {zone: pile for zone in zones if (pile := state.legal(zone))}
    cards = [lying for pile in piles.values() for lying in pile]
    if len(cards) != SQUARE_PILES or any(number_of(zone) > SQUARE_PILES for zone in piles):
        return f"{len(cards)} open cards"
    if len(piles) != SQUARE_PILES:
        return f"{len(piles)} piles"
    return "" if all(lying.up for lying in cards) else "a card of the square lies face down"


def is_known(case: Case[Memory], seat: str, part: str) -> bool:
    """Return whether a part of a layout can be counted: listed, or its deck was dealt here."""
    listed = any(seat_of(z) == seat and part_of(z) == part for z in case.table.piles)
    return listed or seat in case.memory.built


def begins_stack(case: Case[Memory]) -> bool:
    """Return whether a packet of cards begins a closed stack."""
    move = case.move
    if move is None or not is_set_up(case) or part_of(move.target) != "stack":
        return False
    packet = isinstance(case.event, PileMoved | Dealt)
    return packet and not case.before.table.pile(move.target)


def deals_square(case: Case[Memory]) -> bool:
    """Return whether an open card is laid during the set-up."""
    target = case.moved.target
    return is_set_up(case) and part_of(target) == "pile" and part_of(case.origin) != "pile"


@GAME.rule(
    "REQ-01",
    source="Players, decks, ranks",
    observer="D",
    kind="DEF",
    severity="misdeal",
    remedy="correct the number of decks",
    watches=(Configured,),
    ok="players 2, decks 1; players 4, decks 4",
    no="players 4, decks 1",
    options=("two_full_decks",),
)
def decks_for_all(case: Case[Memory]) -> Iterator[Finding]:
    """Number of decks: 1 (or 2, 3, 4, 5). One deck serves two players; otherwise one deck per
    player.
    """
    players, decks = configured(case, "players"), configured(case, "decks")
    if decks is None:
        return
    players = len(case.setup.seats) if players is None else players
    full = players > 2 or case.setup.is_on("two_full_decks")
    if decks != (players if full else 1):
        yield Finding(None, f"{decks} decks for {players} players")


@GAME.rule(
    "REQ-02",
    source="Players, decks, ranks",
    observer="CK",
    severity="misdeal",
    remedy="correct the deck",
    watches=(
        Dealt,
        CardPlaced,
        CardTurned,
        PileMoved,
    ),
    ok="52 distinct per deck",
    no="a joker is turned",
)
def whole_decks(case: Case[Memory]) -> Iterator[Finding]:
    """Each deck has 52 cards, no jokers."""
    if isinstance(case.event, Dealt):
        if other_backs(case):
            yield Finding(None, f"{other_backs(case)} of another deck in {case.event.zone}")
        seat, count = dealt_seat(case, "deck"), len(case.event.cards)
        right = count in (DECK_CARDS, DECK_CARDS - LAYOUT_CARDS)
        if seat and own_decks(case.setup) and count > HALF_DECK_CARDS and not right:
            yield Finding(seat, f"{count} cards in {case.event.zone}")
    elif case.move:
        fresh = [t for t in case.moved.tokens if t not in case.memory.strays]
        if any(is_stray(case.table.face(t), home_of(case, case.origin)) for t in fresh):
            yield Finding(None, f"{case.card} does not belong to {case.origin}")


@GAME.rule(
    "REQ-03",
    source="Players, decks, ranks",
    observer="D",
    kind="DEF",
    severity="misdeal",
    remedy="the match is not opened",
    watches=(Configured,),
    ok="2, 3, 5 players",
    no="1 player",
)
def two_or_more(case: Case[Memory]) -> Iterator[Finding]:
    """Two or more players."""
    players = configured(case, "players")
    if players is not None and players < 2:
        yield Finding(None, f"{players} players; the game is for two or more")


GAME.declare(
    "REQ-04",
    "Rank order from low to high: 2 3 4 5 6 7 8 9 10 B D K T, i.e. 2..10, Jack (B), Queen "
    "(D), King (K), Ace (T) high.",
    source="Players, decks, ranks",
    observer="K",
    kind="DEF",
    severity="info",
    ok="K on Q, A on K",
    no="A on 2 by order (see PLAY-03)",
    because="a definition",
)


GAME.declare(
    "REQ-05",
    "Aim: the fewest points.",
    source="Players, decks, ranks",
    observer="K",
    kind="DEF",
    severity="info",
    ok="-40 beats +20",
    no="the higher total announced as winner",
    because="a definition: the lowest total wins (SCORE-03)",
)


@GAME.rule(
    "REQ-06",
    source="Players, decks, ranks",
    observer="K",
    severity="misdeal",
    remedy="level the halves",
    watches=(Dealt,),
    ok="Dealt A.deck x26, B.deck x26",
    no="30/22",
    options=("two_full_decks",),
)
def half_a_deck_each(case: Case[Memory]) -> Iterator[Finding]:
    """With two players each uses half of the deck (26 cards)."""
    seat, count = dealt_seat(case, "deck"), len(case.table.pile(f"{dealt_seat(case, 'deck')}.deck"))
    # The whole deck may be put down first and halved then; the layout may be dealt already.
    right = (HALF_DECK_CARDS, HALF_DECK_CARDS - LAYOUT_CARDS, DECK_CARDS)
    if seat and is_set_up(case) and not own_decks(case.setup) and count not in right:
        yield Finding(seat, f"{count} cards in {seat}.deck")


@GAME.rule(
    "REQ-07",
    source="Players, decks, ranks",
    observer="CD",
    severity="misdeal",
    remedy="take a deck for each player",
    watches=(Dealt,),
    ok="3 players, 3 decks",
    no="3 players sharing one deck",
)
def own_deck_for_everyone(case: Case[Memory]) -> Iterator[Finding]:
    """With more than two players everyone has an own deck."""
    # Two with a full deck each (two_full_decks) are held to it too: halves are no rule for them.
    seat, count = dealt_seat(case, "deck"), len(case.table.pile(f"{dealt_seat(case, 'deck')}.deck"))
    if seat and is_set_up(case) and own_decks(case.setup) and count <= HALF_DECK_CARDS:
        yield Finding(seat, f"{count} cards are no deck of its own")


GAME.declare(
    "SET-01",
    "Each player shuffles the own deck carefully before dealing.",
    source="Set-up",
    observer="HC",
    kind="DUTY",
    severity="procedure",
    ok="PileMixed A.? A.deck riffle",
    no="PileMoved A.deck>A.stack without PileMixed",
    remedy="shuffle",
)


@GAME.rule(
    "SET-02",
    source="Set-up",
    observer="C",
    severity="misdeal",
    remedy="correct before the start",
    watches=(*MOVES, Dealt, Declared),
    moves=("*>stack",),
    ok="PileMoved A.R A.deck>A.stack n=5",
    no="n=6",
    beside=True,
)
def five_closed_cards(case: Case[Memory]) -> Iterator[Finding]:
    """Five cards from the top of the deck are put in front of the player, closed (face down), as
    one pile: the closed stack.
    """
    if is_start(case):
        for seat in case.setup.seats:
            zone = f"{seat}.stack"
            if zone in case.memory.told or not is_known(case, seat, "stack"):
                continue
            if text := wrong_stack(case.before.legal(zone), zone):
                yield Finding(seat, text, rests_on=(zone,))
    elif begins_stack(case) and case.moved.count >= STACK_CARDS:
        # Fewer may be added to until the start (K-10).
        zone = case.moved.target
        if text := wrong_stack(case.table.pile(zone), zone):
            yield Finding(seat_of(zone), text)


@GAME.rule(
    "SET-03",
    source="Set-up",
    observer="C",
    severity="procedure",
    remedy="put the deck down",
    watches=(
        PileMoved,
        PileTaken,
    ),
    moves=("deck>held",),
    ok="A.deck beside A.stack, back up",
    no="deck kept in hand (tolerated: option spy.deck_in_hand)",
    options=("deck_in_hand",),
)
def deck_on_the_table(case: Case[Memory]) -> Iterator[Finding]:
    """The rest of the deck is put next to it, closed."""
    kept = part_of(case.moved.origin) == "deck" and part_of(case.moved.target) == "held"
    if kept and case.moved.count > 1 and not case.setup.is_on("deck_in_hand"):
        yield Finding(seat_of(case.moved.origin), "the deck is kept in the hand")


@GAME.rule(
    "SET-04",
    source="Set-up",
    observer="C",
    severity="misdeal",
    remedy="correct before the start",
    watches=(
        Dealt,
        Declared,
    ),
    ok="A.pile.1..4, one card each, up",
    no="three cards; a 1x4 row (info only)",
    beside=True,
)
def square_of_four(case: Case[Memory]) -> Iterator[Finding]:
    """Four cards from the top of the deck are laid open in two rows of two: the square."""
    if is_start(case):
        for seat in case.setup.seats:
            text = wrong_square(case.before, seat) if is_known(case, seat, "pile") else ""
            if text and f"{seat}.pile" not in case.memory.told:
                square = (f"{seat}.pile.{number}" for number in range(1, SQUARE_PILES + 1))
                yield Finding(seat, text, rests_on=tuple(square))
    elif isinstance(case.event, Dealt) and dealt_seat(case, "pile") and is_set_up(case):
        pile = case.table.pile(case.event.zone)
        if len(pile) != 1 or not pile[0].up or number_of(case.event.zone) > SQUARE_PILES:
            yield Finding(dealt_seat(case, "pile"), f"{case.event.zone} is not one open card")


@GAME.rule(
    "SET-05",
    source="Set-up",
    observer="C",
    severity="info",
    remedy="none: the distribution is the same",
    watches=(*MOVES, Dealt),
    moves=("*>pile",),
    ok="stack, then square",
    no="square first",
    beside=True,
)
def stack_before_square(case: Case[Memory]) -> Iterator[Finding]:
    """The closed stack is taken before the square is laid."""
    if case.move is None or not deals_square(case):
        return
    seat = seat_of(case.moved.target)
    table, stack = case.before.table, f"{seat}.stack"
    if table.pile(stack) or not table.knows(stack):
        return
    if not any(part_of(z) == "pile" and seat_of(z) == seat for z in table.piles):
        yield Finding(seat, "the square is laid first")


@GAME.rule(
    "START-01",
    source="Start",
    observer="DC",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("stack>*", "aside>*", "deck>aside", "deck>waste"),
    ok="Declared - start; CardPlaced A.stack>A.pile.4",
    no="CardPlaced A.R 5D A.stack>A.pile.1 before start",
)
def not_before_the_start(case: Case[Memory]) -> Iterator[Finding]:
    """The players begin to lay out cards after this (after the set-up), all at the same time."""
    origin, target = part_of(case.origin), part_of(case.moved.target)
    if not is_set_up(case) or case.moved.turned:
        return
    laid = origin in CLOSED and target in ("pile", "aside", "waste")
    if laid or (origin == "deck" and target in ("aside", "waste")):
        yield Finding(mover(case), f"{case.card} is laid before the start")
