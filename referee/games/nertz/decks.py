"""Nertz: players and decks."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nertz.game import GAME, Memory, part_of, seat_of, side_of
from referee.rulebook import Case, Finding
from referee.values import CardTurned, Configured, Dealt, PileMixed, PileMoved

MOST_PLAYERS = 8


def listed(event: Configured, *names: str) -> tuple[str, ...] | None:
    """Return the comma-separated values of a setting, None where it is not given."""
    for word in event.words:
        name, _, value = word.partition("=")
        if name in names:
            return tuple(part for part in value.split(",") if part)
    return None


def counted(values: tuple[str, ...]) -> int:
    """Return how many are meant: a number stands for itself, else the entries count."""
    if len(values) == 1 and values[0].isascii() and values[0].isdigit():
        return int(values[0][:9])
    return len(values)


def configured(case: Case[Memory]) -> Configured:
    """Return the event, for rules that watch the configuration only."""
    assert isinstance(case.event, Configured)
    return case.event


def dealt(case: Case[Memory]) -> Dealt:
    """Return the event, for rules that watch dealing only."""
    assert isinstance(case.event, Dealt)
    return case.event


def foreign(case: Case[Memory]) -> tuple[str, ...]:
    """Return the decks of the shown cards that are not the deck of the layout they lie in."""
    event = case.event
    match event:
        case Dealt():
            zone, cards = event.zone, event.cards
        case CardTurned():
            zone, cards = event.zone, (event.card,)
        case PileMoved():
            zone, cards = event.origin, event.cards
        case _:
            return ()
    owner = seat_of(zone)
    if owner not in case.setup.seats or part_of(zone) not in ("nerts", "work", "stock", "waste"):
        return ()
    mine = (None, owner, side_of(case.setup, owner))
    return tuple(card.deck for card in cards if card.deck is not None and card.deck not in mine)


@GAME.rule(
    "REQ-01",
    source="paragraph 5",
    observer="D",
    kind="DEF",
    severity="misdeal",
    remedy="set up the match with two to eight players",
    watches=(Configured,),
    ok="players 2..8",
    no="1 or 9 players",
)
def two_to_eight(case: Case[Memory]) -> Iterator[Finding]:
    """Two to eight players."""
    players = listed(configured(case), "players")
    if players is not None and not 2 <= counted(players) <= MOST_PLAYERS:
        yield Finding(None, f"{counted(players)} players")


@GAME.rule(
    "REQ-02",
    source="paragraphs 1 and 6",
    observer="CK",
    severity="misdeal",
    remedy="stop and put the decks in order",
    watches=(Dealt, CardTurned, PileMoved),
    ok="A 52, B 52",
    no="a card of B's back dealt to A",
)
def own_deck(case: Case[Memory]) -> Iterator[Finding]:
    """Each player has an own complete standard deck of 52 cards."""
    strange = foreign(case)
    if not strange or is_all_foreign(case):
        return
    zone = case.event.zone if isinstance(case.event, Dealt | CardTurned) else case.moved.origin
    yield Finding(seat_of(zone), f"{zone} has a card of {strange[0]}'s deck")


def is_all_foreign(case: Case[Memory]) -> bool:
    """Return whether several cards were dealt and all of them have another deck's back."""
    event = case.event
    return isinstance(event, Dealt) and 1 < len(event.cards) == len(foreign(case))


@GAME.rule(
    "REQ-03",
    source="paragraph 6",
    observer="D",
    kind="DEF",
    severity="misdeal",
    remedy="give every player a deck",
    watches=(Configured,),
    ok="4 players 4 decks",
    no="4 players 3 decks (partners: option nertz.partners)",
    options=("partners",),
)
def as_many_decks(case: Case[Memory]) -> Iterator[Finding]:
    """n players use n decks."""  # noqa: D403
    players = listed(configured(case), "players") or case.setup.seats
    decks = listed(configured(case), "decks", "backs")
    needed = counted(players)
    if case.setup.is_on("partners") and needed % 2 == 0:
        needed //= 2
    if decks is not None and counted(decks) != needed:
        yield Finding(None, f"{counted(decks)} decks, {needed} are needed")


@GAME.rule(
    "REQ-04",
    source="paragraphs 1, 6 and 9",
    observer="C",
    severity="misdeal",
    remedy="exchange one of the decks: the score is counted by backs",
    watches=(Configured, Dealt),
    ok="red, blue",
    no="two players with the same back",
)
def different_backs(case: Case[Memory]) -> Iterator[Finding]:
    """All decks have different backs."""
    if isinstance(case.event, Dealt):
        if is_all_foreign(case):
            zone = dealt(case).zone
            yield Finding(seat_of(zone), f"{zone} has the back of {foreign(case)[0]}'s deck")
        return
    backs = [back.rpartition(":")[2] for back in listed(configured(case), "backs", "decks") or ()]
    twins = sorted({back for back in backs if backs.count(back) > 1})
    if twins:
        yield Finding(None, f"two decks have the back {twins[0][:40]}")


@GAME.rule(
    "REQ-05",
    source="paragraph 3",
    observer="H",
    severity="info",
    remedy="",
    watches=(PileMixed, Dealt),
    ok="A.? shuffles and deals A.stock",
    no="B.R deals A.nerts",
    options=("shuffler",),
    beside=True,
)
def own_hands(case: Case[Memory]) -> Iterator[Finding]:
    """Each player is responsible for shuffling and dealing the own deck ('trade' in the seed is
    read as 'deal').
    """
    event, setup = case.event, case.setup
    assert isinstance(event, PileMixed | Dealt)
    owner = seat_of(event.zone)
    if owner not in setup.seats or case.seat is None or case.memory.start is not None:
        return
    wanted, does = side_of(setup, owner), "deals"
    if isinstance(event, PileMixed):
        does = "shuffles"
        if setup.option("shuffler") == "right":
            wanted = setup.seats[setup.seats.index(owner) - 1]
    if side_of(setup, case.seat) != side_of(setup, wanted):
        yield Finding(case.seat, f"{case.seat} {does} the cards of {owner}")
