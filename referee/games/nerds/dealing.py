"""Nerds: players, decks and the deal."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds.game import GAME, Memory, is_of_another_deck, seat_of
from referee.rulebook import Case, Finding
from referee.values import CardPlaced, CardTurned, Configured, Dealt, PileMoved


def owner(case: Case[Memory]) -> str:
    """Return whose zone a deal brings."""
    assert isinstance(case.event, Dealt)
    return seat_of(case.event.zone)


def foreign(case: Case[Memory]) -> int:
    """Return how many dealt cards have another player's back."""
    assert isinstance(case.event, Dealt)
    decks = (card.deck for card in case.event.cards)
    return sum(deck not in (None, owner(case)) for deck in decks)


def is_foreign_deck(case: Case[Memory]) -> bool:
    """Return whether all cards of a pile have another player's back. One card is a stray."""
    assert isinstance(case.event, Dealt)
    return foreign(case) == len(case.event.cards) > 1 and bool(owner(case))


def is_stray(case: Case[Memory]) -> bool:
    """Return whether cards are moved or turned that are not of the deck of their layout."""
    if case.move is None or case.debt is not None:
        return False
    fresh = [t for t in case.move.tokens if t not in case.memory.strays]
    return any(is_of_another_deck(case.table.face(t), seat_of(case.origin)) for t in fresh)


def repeated_backs(case: Case[Memory]) -> tuple[str, ...]:
    """Return the back designs that a configuration gives to two players."""
    assert isinstance(case.event, Configured)
    words = (word.partition("=") for word in case.event.words)
    backs = [b for name, _, value in words if name in ("backs", "decks") for b in value.split(",")]
    named = [back for back in backs if back and not back.isdigit()]
    return tuple(sorted({back for back in named if named.count(back) > 1}))


GAME.declare(
    "REQ-01",
    "Any number of players.",
    source="Players and decks",
    observer="D",
    kind="DEF",
    severity="misdeal",
    ok="players 2, 3, 4",
    no="0 players",
    remedy="the match is not opened",
)


@GAME.rule(
    "REQ-02",
    source="Players and decks",
    observer="CK",
    severity="misdeal",
    remedy="correct the deck",
    watches=(
        Dealt,
        CardPlaced,
        CardTurned,
        PileMoved,
    ),
    ok="A: 52 distinct, B: 52 distinct",
    no="second A:7H seen",
)
def own_deck(case: Case[Memory]) -> Iterator[Finding]:
    """Each player has an own standard 52-card deck."""
    if isinstance(case.event, Dealt):
        if foreign(case) and owner(case) and not is_foreign_deck(case):
            yield Finding(None, f"{foreign(case)} of another deck in {case.event.zone}")
    elif is_stray(case):
        yield Finding(None, f"{case.card} does not belong to {case.origin}")


@GAME.rule(
    "REQ-03",
    source="Players and decks",
    observer="C",
    severity="misdeal",
    remedy="take decks with distinct backs",
    watches=(
        Dealt,
        Configured,
    ),
    ok="backs red, blue, green",
    no="Dealt B B.stock with A's back design",
)
def distinct_backs(case: Case[Memory]) -> Iterator[Finding]:
    """The decks have distinct back designs."""
    if isinstance(case.event, Configured):
        for back in repeated_backs(case):
            yield Finding(None, f"two decks have the back {back}")
    elif is_foreign_deck(case):
        yield Finding(owner(case), f"{owner(case)} deals cards with another player's back")


GAME.declare(
    "REQ-04",
    "Cards of several players are mingled; the score is counted by cards played (by back).",
    source="Players and decks",
    observer="KC",
    kind="DEF",
    severity="info",
    ok="F.1: B:AC A:2C B:3C -> A 1, B 2",
    no="counting F.1 by the faces, all for one player",
    because="a definition: the count follows it",
)


GAME.declare(
    "REQ-05",
    "The game is a series of scored hands.",
    source="Players and decks",
    observer="K",
    kind="DEF",
    severity="info",
    ok="hand 1 scored, hand 2 dealt",
    no="game ended after one hand below the target",
    because="a definition",
)
