"""XIX: the structure of a game, and the two hands of a player."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.xix.game import (
    GAME,
    MIDDLE,
    UNUSED,
    Memory,
    is_own_hand,
    is_play,
    part_of,
    player_of,
    seat_of,
    stage_of,
)
from referee.rulebook import Case, Finding
from referee.values import CardPlaced, CardTurned, PileMoved

GAME.declare(
    "GAME-01",
    "A game is a series of exchanges; an exchange is a series of tricks.",
    source="Playing the Game",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition",
    ok="lead, reply, abandon, draft, trade, lead: one exchange of one trick",
    no="a draft after every trick although nobody abandoned",
)


GAME.declare(
    "GAME-02",
    "Each trick has one card from each player and is taken by one of the two.",
    source="Playing the Game",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition",
    ok="14 v 9 -> leader takes",
    no="a trick recorded as drawn (impossible with 18 distinct numbers)",
)


GAME.declare(
    "GAME-03",
    "A player wins an exchange by taking three tricks in it.",
    source="Playing the Game",
    observer="K",
    kind="END",
    severity="decision",
    because="told as the third strike and its score",
    ok="A takes tricks 1, 2 and 4",
    no="after A's third trick another card is played",
)


GAME.declare(
    "GAME-04",
    "A player also wins an exchange by the opponent's abandoning it.",
    source="Playing the Game",
    observer="D",
    kind="END",
    severity="decision",
    because="told as STRIKE-03 and its score",
    ok="Declared B abandon",
    no="B abandons and B is credited",
)


GAME.declare(
    "GAME-05",
    "At the end of each exchange points are awarded to its winner.",
    source="Playing the Game",
    observer="K",
    kind="SCORE",
    severity="decision",
    because="told as SCORE-03",
    ok="+3 to A",
    no="points to the loser",
)


GAME.declare(
    "GAME-06",
    "After each exchange the cards played in it are redistributed by a draft.",
    source="Playing the Game",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="draft them",
    because="told as DRAFT-01: the cards leave the middle other than by the draft",
    ok="4 cards in mid -> 4 picks",
    no="mid cleared to a discard pile",
)


GAME.declare(
    "GAME-07",
    "The game ends when either player can deduce the unused card.",
    source="Playing the Game",
    observer="K",
    kind="END",
    severity="decision",
    because="told as END-05",
    ok="talon 5/5 up and closed(A)=0 when the exchange ends -> END",
    no="END with a face-down talon card left",
)


GAME.declare(
    "GAME-08",
    "The player with more points at the end wins; equal points are a draw.",
    source="Playing the Game",
    observer="K",
    kind="END",
    severity="decision",
    because="told as END-05",
    ok="A=4 B=7 -> B wins",
    no="A announced with fewer points",
    options=("tie",),
)


GAME.declare(
    "HAND-01",
    "Each player has two hands, a closed one and an open one.",
    source="Hands",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition",
    ok="CardPlaced A.R 12 A.closed>mid; CardPlaced A.R 5 A.open>mid: two sources",
    no="a third own group of cards on the table (face-down pile beside A.open)",
)


def is_shown(case: Case[Memory]) -> bool:
    """Return whether a closed card is laid into an open hand, or turned up where it is held."""
    if part_of(case.origin) != "closed" or case.memory.stage == "over":
        return False
    if case.moved.turned:
        return case.moved.up and not case.was_up and seat_of(case.origin) == player_of(case)
    return part_of(case.moved.target) == "open"


@GAME.rule(
    "HAND-02",
    source="Hands",
    observer="U",
    kind="DUTY",
    severity="info",
    remedy="the card stays a closed one",
    watches=(
        CardPlaced,
        CardTurned,
        PileMoved,
    ),
    moves=("closed>closed", "closed>open"),
    ok="A holds five cards up",
    no="CardPlaced A.R 12 A.closed>A.open up outside a draft/trade",
)
def closed_hand_is_secret(case: Case[Memory]) -> Iterator[Finding]:
    """The closed hand is kept secret: its owner sees the faces, the opponent does not."""
    if is_shown(case) and not (case.memory.opening and not case.moved.turned):
        owner = seat_of(case.origin)
        yield Finding(owner, f"{owner} shows a closed card; it stays one", owes=True)


GAME.declare(
    "HAND-03",
    "The open hand lies face up on the table in front of its owner.",
    source="Hands",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="lay the cards open again",
    because="how long cards are held no card event tells; told when the camera reports it",
    ok="A.open: 9 13 4, all readable",
    no="A picks up the open hand and holds it with the closed hand",
)


@GAME.rule(
    "HAND-04",
    source="Hands",
    observer="C",
    kind="DUTY",
    severity="misdeal",
    remedy="take the card back into the closed hand",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("closed>open",),
    ok="closed 6/6, open 0/0",
    no="A lays two cards into A.open before the first trick",
)
def six_closed_cards_at_the_start(case: Case[Memory]) -> Iterator[Finding]:
    """At the start each player has six closed and no open cards."""
    if is_shown(case) and case.memory.opening and not case.moved.turned:
        owner = seat_of(case.origin)
        yield Finding(owner, f"{owner} opens a card before the first trick", owes=True)


GAME.declare(
    "HAND-05",
    "Drafted cards go to the drafter's open hand.",
    source="Hands",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="lay the card open",
    because="told as DRAFT-05",
    ok="mid>A.open up",
    no="mid>A.closed",
)


@GAME.rule(
    "HAND-06",
    source="Hands",
    observer="C",
    kind="PERM",
    severity="fault",
    remedy="take the card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>mid",),
    ok="CardPlaced A.R 18 A.open>mid; CardPlaced A.R 4 A.closed>mid",
    no="CardPlaced A.R 9 talon.1>mid",
)
def only_own_cards_are_played(case: Case[Memory]) -> Iterator[Finding]:
    """Any card of either own hand may be played (no suit to follow); nothing else may be
    played.
    """
    if not is_play(case) or is_own_hand(case, case.origin):
        return
    if stage_of(case.before) in ("draft", "over"):
        return
    if case.origin not in (MIDDLE, UNUSED):
        text = f"a card of {case.origin} is played"
        yield Finding(player_of(case), text, surely=not _may_be_settled(case))


def _may_be_settled(case: Case[Memory]) -> bool:
    """Whether a card of the own hand is the other player's only by what he owed; unseen, he paid.

    A camera does not see every card that is taken back.
    """
    owed = case.debt is not None and case.debt.seat != player_of(case)
    return owed and case.before.camera and is_own_hand(case, case.moved.origin)
