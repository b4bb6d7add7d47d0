"""XIX: the draft."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.xix.dealing import was_lifted
from referee.games.xix.game import (
    GAME,
    MIDDLE,
    THIRD_STRIKE,
    Memory,
    exchange_in_view,
    in_view,
    is_hand,
    is_pick,
    is_play,
    is_put_back,
    is_taken_back,
    is_talon,
    moves_talon,
    named,
    next_picker,
    part_of,
    player_of,
    seat_of,
    stage_of,
)
from referee.rulebook import Case, Finding, Unread
from referee.values import CardPlaced, CardTurned, PileMoved

DRAFTED_WRONGLY = ("XIX-DRAFT-02", "XIX-DRAFT-04", "XIX-DRAFT-05")


def is_draft_pick(case: Case[Memory]) -> bool:
    """Return whether a card is drafted."""
    return stage_of(case.before) == "draft" and is_pick(case)


def is_other_turn(case: Case[Memory]) -> bool:
    """Return whether it is for the other player to choose.

    A player who owes a card of this draft has chosen, if not well: the other one may go on.
    """
    picker = next_picker(case.before)
    if picker is None or player_of(case) in (None, picker):
        return False
    return not any(
        debt.seat == picker and debt.rule in DRAFTED_WRONGLY and debt.n > case.memory.closed_n
        for debt in case.before.debts
    )


def may_be_another(case: Case[Memory]) -> bool:
    """Return whether the event names no card, and what left its zone was not seen surely.

    Then the card that lies there by what was told need not be the one that is moved.
    """
    event = case.event
    named = isinstance(event, CardPlaced | CardTurned) and event.card.seen().known
    return not named and case.moved.origin in case.memory.left


def may_have_ended(case: Case[Memory]) -> bool:
    """Return whether a trick that nobody could read may have ended the exchange."""
    return case.memory.unread is not None and max(case.memory.strikes) == THIRD_STRIKE - 1


@GAME.rule(
    "DRAFT-01",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("mid>*",),
    ok="after the score: mid>B.open",
    no="mid>A.open during a trick",
)
def only_played_cards_are_drafted(case: Case[Memory]) -> Iterator[Finding]:
    """After each exchange exactly the cards played in it are drafted; cards may not be taken
    from mid at any other time.
    """
    target, seat = case.moved.target, player_of(case)
    if case.moved.origin != MIDDLE or is_put_back(case) or is_taken_back(case):
        return
    if case.memory.stage == "over":
        return
    if case.origin != MIDDLE:
        if is_hand(target) and is_hand(case.origin) and seat_of(target) != seat_of(case.origin):
            yield Finding(seat, f"{case.card} is owed to {case.origin}")
        return
    stage = stage_of(case.before)
    if stage == "draft":
        if not is_hand(target) and not is_talon(target):
            yield Finding(seat, f"a card of the draft goes to {target}")
    elif stage != "lost" and not may_have_ended(case):
        case.before.height(MIDDLE)
        exchange_in_view(case)
        yield Finding(seat, f"{named(seat)} takes a card from the middle")


@GAME.rule(
    "DRAFT-02",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("mid>*",),
    ok="B, A, B, A",
    no="B, B",
)
def one_card_at_a_time(case: Case[Memory]) -> Iterator[Finding]:
    """Players take turns choosing one card at a time."""
    if not is_draft_pick(case):
        return
    seat = player_of(case)
    if case.moved.count > 1:
        yield Finding(seat, f"{named(seat)} takes {case.moved.count} cards at once")
    elif case.memory.waited and sum(case.memory.picks) > 0 and is_other_turn(case):
        in_view(case)
        yield Finding(seat, f"it is for {next_picker(case.before)} to choose")


@GAME.rule(
    "DRAFT-03",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back and finish the draft first",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>mid", "talon>*", "*>talon"),
    ok="mid empty, then trade",
    no="CardPlaced A.R 12 A.closed>mid with two undrafted cards in mid",
)
def all_cards_are_drafted(case: Case[Memory]) -> Iterator[Finding]:
    """The draft goes on until all these cards are taken."""
    if not case.memory.waited or stage_of(case.before) != "draft" or was_lifted(case):
        return
    if is_play(case) or moves_talon(case):
        case.before.height(MIDDLE)
        exchange_in_view(case)
        seat = player_of(case)
        yield Finding(seat, "cards are still to be drafted")


@GAME.rule(
    "DRAFT-04",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("mid>*",),
    ok="B lost; B picks first",
    no="B lost; A picks first",
)
def loser_chooses_first(case: Case[Memory]) -> Iterator[Finding]:
    """The loser of the exchange chooses first."""
    first = case.memory.waited and sum(case.memory.picks) == 0
    if first and is_draft_pick(case) and is_other_turn(case):
        exchange_in_view(case)
        yield Finding(player_of(case), f"{case.memory.loser} lost and chooses first")


@GAME.rule(
    "DRAFT-05",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="lay the card open",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("mid>*",),
    ok="CardPlaced B.R 16 mid>B.open up",
    no="CardPlaced B.R 16 mid>B.closed",
)
def drafted_cards_lie_open(case: Case[Memory]) -> Iterator[Finding]:
    """A drafted card goes face up to the own open hand."""
    if not is_draft_pick(case) or is_other_turn(case):
        return
    seat, target = player_of(case), case.moved.target
    if target != f"{seat}.open" or not case.moved.up:
        yield Finding(seat, f"the drafted card goes face up to {seat}.open")


def is_ruled_by_trade(case: Case[Memory]) -> bool:
    """Return whether a talon card moves before the trade, or in one that nobody knows of yet.

    Whoever takes one in a game that was found in play has lost the exchange before, and trades.
    """
    found = case.memory.found and case.before.camera
    return found or stage_of(case.before) == "draft"


@GAME.rule(
    "DRAFT-06",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="turn the card up",
    by="seed",
    watches=(
        CardTurned,
        CardPlaced,
        PileMoved,
    ),
    moves=("open>*", "talon>*", "mid>*"),
    ok="16: mid -> B.open -> talon.3, always up",
    no="CardTurned B.R (16) B.open down",
)
def played_cards_stay_open(case: Case[Memory]) -> Iterator[Finding]:
    """A card once played stays face up for the rest of the game."""
    origin, target = case.origin, case.moved.target
    played = part_of(origin) in ("open", "talon") or (origin == MIDDLE and not is_pick(case))
    if is_play(case) or (moves_talon(case) and is_ruled_by_trade(case)):
        return
    if not played or case.memory.stage == "over" or is_taken_back(case):
        return
    if not case.was_up or (case.moved.turned and not case.moved.was_up):
        return
    if part_of(target) == "closed" or (not case.moved.up and part_of(target) != "held"):
        if may_be_another(case):
            raise Unread(str(case.card))
        yield Finding(player_of(case), f"{case.card} was played and stays face up")
