"""XIX: requirements and set-up."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.xix.game import (
    DECK,
    GAME,
    TALON,
    UNUSED,
    Memory,
    is_play,
    is_put_back,
    is_talon,
    named,
    part_of,
    player_of,
    seat_of,
)
from referee.rulebook import Case, Finding, Pile, State
from referee.values import CardLifted, CardPlaced, CardTurned, Configured, Declared, PileMoved

DEALT = 6
DEALING = ("closed", "talon", "unused", "deck")


def ends_dealing(case: Case[Memory]) -> bool:
    """Return whether the deal is judged now: the leader is declared, or the first card led."""
    state, event = case.before, case.event
    if isinstance(event, Declared):
        counted = any(state.table.pile(zone) for zone in (*_closed(case), *TALON, UNUSED))
        fresh = case.memory.opening and case.memory.stage in ("deal", "lead")
        return event.what == "leader" and fresh and counted
    return case.memory.stage == "deal" and case.move is not None and is_play(case)


def _closed(case: Case[Memory]) -> tuple[str, ...]:
    return tuple(f"{seat}.closed" for seat in case.setup.seats)


def counted(state: State[Memory], zone: str) -> Pile:
    """Return what lies in a zone. Unseen if it is not known how many cards do."""
    state.height(zone)
    return state.legal(zone)


def is_face_shown(case: Case[Memory], pile: Pile) -> bool:
    """Return whether a card of a pile was dealt face up, so that it was read."""
    return any(lying.up and case.before.face(lying).known for lying in pile)


def is_set_up(case: Case[Memory]) -> bool:
    """Return whether a card is still being dealt, or a wrong deal put right."""
    if case.move is None or case.move.turned or case.move.up:
        return False
    zones = {part_of(case.origin), part_of(case.moved.target)}
    open_to_it = case.memory.stage == "deal" or case.memory.misdealt
    return open_to_it and zones.issubset(DEALING)


def touched(case: Case[Memory]) -> str:
    """Return the zone that a card is lifted from, turned in, or leaves."""
    if isinstance(case.event, CardLifted):
        return case.event.zone
    return case.origin if case.move is not None else ""


def was_lifted(case: Case[Memory]) -> bool:
    """Return whether the lifting of the moved card was announced already."""
    lifted = case.memory.lifted
    if lifted is None or case.move is None:
        return False
    return lifted.token in case.move.tokens and lifted.seat == case.seat


@GAME.rule(
    "REQ-01",
    source="Title",
    observer="D",
    kind="DEF",
    severity="misdeal",
    remedy="refuse other seat counts",
    watches=(Configured,),
    ok="Configured players=A,B",
    no="Configured players=A,B,C",
)
def two_players(case: Case[Memory]) -> Iterator[Finding]:
    """Exactly two players."""
    assert isinstance(case.event, Configured)
    for word in case.event.words:
        name, _, value = word.partition("=")
        if name == "players" and len(value.split(",")) != 2:
            yield Finding(None, f"{len(value.split(','))} players; the game is for two")


GAME.declare(
    "REQ-02",
    "Intended for players of at least eight years.",
    source="Title",
    observer="U",
    kind="DEF",
    severity="info",
    because="age cannot be seen from above",
    ok="any players: nothing recorded",
    no="a violation raised for age -> referee error",
)


GAME.declare(
    "REQ-03",
    "18 cards, exactly one for each whole number 1..18.",
    source="Components",
    observer="CK",
    kind="DUTY",
    severity="misdeal",
    remedy="a deck fault: stop and correct the deck",
    by="seed",
    ok="18 distinct numbers",
    no="two cards read as 7",
)


GAME.declare(
    "SET-01",
    "All cards are shuffled together before the deal.",
    source="Set Up",
    observer="CH",
    kind="DUTY",
    severity="procedure",
    remedy="ask once whether the cards were shuffled",
    ok="PileMixed A.? deck riffle; then Dealt",
    no="Dealt without any PileMixed since the last game",
)


@GAME.rule(
    "SET-02",
    source="Set Up",
    observer="C",
    kind="DUTY",
    severity="misdeal",
    remedy="redeal",
    watches=(
        Declared,
        CardPlaced,
    ),
    moves=("*>mid",),
    ok="Dealt A.closed x6, B.closed x6, all down",
    no="seven to A; a card dealt face up",
    beside=True,
)
def six_cards_each(case: Case[Memory]) -> Iterator[Finding]:
    """Each player is dealt six cards, face down."""
    if not ends_dealing(case):
        return
    for zone in _closed(case):
        pile = counted(case.before, zone)
        if len(pile) != DEALT:
            yield Finding(None, f"{zone} holds {len(pile)} cards", rests_on=(zone,))
            return
        if is_face_shown(case, pile):
            yield Finding(None, f"a card of {zone} was dealt face up")
            return


GAME.declare(
    "SET-03",
    "A player may look at the own cards.",
    source="Set Up",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="A lifts the own six cards",
    no="flagging A for lifting A.closed cards -> referee error",
)


# Nobody can see from above who looks; a hand that lifts or turns the card can be seen.
@GAME.rule(
    "SET-04",
    source="Set Up",
    observer="U",
    kind="DUTY",
    severity="procedure",
    remedy="put the card back unseen",
    watches=(
        CardLifted,
        CardTurned,
        CardPlaced,
    ),
    moves=("closed>*",),
    ok="no contact of A with B.closed",
    no="CardLifted A.R (13) B.closed",
)
def opponents_cards_untouched(case: Case[Memory]) -> Iterator[Finding]:
    """A player may not look at the opponent's (closed) cards."""
    lies = case.event.zone if isinstance(case.event, CardLifted) else case.moved.origin
    zone, seat = lies, case.seat
    if part_of(zone) != "closed" or seat in (None, seat_of(zone)) or case.memory.stage == "over":
        return
    if was_lifted(case):
        return
    if case.move is None or not (is_play(case) or is_set_up(case)):
        yield Finding(seat, f"{named(seat)} touches a card of {zone}", owes=True)


@GAME.rule(
    "SET-05",
    source="Set Up",
    observer="C",
    kind="DUTY",
    severity="misdeal",
    remedy="correct before the start",
    watches=(
        Declared,
        CardPlaced,
    ),
    moves=("*>mid",),
    ok="Dealt talon.1..talon.5, one each, down",
    no="only four talon cards; talon in two rows",
    beside=True,
)
def five_talon_cards(case: Case[Memory]) -> Iterator[Finding]:
    """Five cards are placed face down in a single row: the talon (positions 1..5, left to
    right as the camera sees them).
    """
    if not ends_dealing(case):
        return
    extra = tuple(z for z in case.before.table.piles if is_talon(z) and z not in TALON)
    piles = {zone: counted(case.before, zone) for zone in (*TALON, *extra)}
    total = sum(len(pile) for pile in piles.values())
    if total != len(TALON):
        yield Finding(None, f"the talon holds {total} cards", rests_on=TALON)
    elif any(len(piles[zone]) != 1 for zone in TALON):
        yield Finding(None, "the talon is no single row of five", rests_on=TALON)
    elif any(is_face_shown(case, pile) for pile in piles.values()):
        yield Finding(None, "a talon card lies face up")


@GAME.rule(
    "SET-06",
    source="Set Up",
    observer="C",
    kind="DUTY",
    severity="misdeal",
    remedy="correct before the start",
    watches=(
        Declared,
        CardPlaced,
    ),
    moves=("*>mid",),
    ok="Dealt unused (15)",
    no="two cards left after the talon",
    beside=True,
)
def one_unused_card(case: Case[Memory]) -> Iterator[Finding]:
    """The last card is discarded (the unused card)."""
    if not ends_dealing(case):
        return
    pile = counted(case.before, UNUSED)
    left = len(pile) + len(case.before.table.pile(DECK))
    if left > 1:
        yield Finding(None, f"{left} cards are left over", rests_on=(UNUSED, DECK))
    elif is_face_shown(case, pile):
        yield Finding(None, "the unused card lies face up")


@GAME.rule(
    "SET-07",
    source="Set Up",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put it back unseen; if its face was shown, void the game or play on by agreement",
    watches=(
        CardPlaced,
        PileMoved,
        CardTurned,
        CardLifted,
    ),
    moves=("unused>*",),
    ok="unused untouched to the end",
    no="CardTurned A.R 14 unused up; CardPlaced A.R 14 unused>mid",
)
def unused_card_untouched(case: Case[Memory]) -> Iterator[Finding]:
    """The unused card is never used during the game."""
    if touched(case) != UNUSED or case.memory.stage == "over" or was_lifted(case):
        return
    if isinstance(case.event, CardLifted):
        if case.memory.stage != "deal":
            yield Finding(player_of(case), "the unused card is lifted")
        return
    back = is_put_back(case) and not case.moved.up
    if not back and not is_set_up(case):
        word = "turned" if case.moved.turned else "moved"
        yield Finding(player_of(case), f"the unused card is {word}")
