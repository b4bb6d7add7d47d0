"""XIX: tricks and strikes."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.xix.exchange import is_disputed
from referee.games.xix.game import (
    GAME,
    MIDDLE,
    Memory,
    exchange_in_view,
    in_view,
    is_hand,
    is_own_hand,
    is_play,
    is_talon,
    named,
    opponent,
    player_of,
    stage_of,
)
from referee.rulebook import Case, Finding
from referee.values import CardPlaced, Declared, PileMoved


def plays_own(case: Case[Memory]) -> bool:
    """Return whether a player plays of his own hands into the middle."""
    return is_play(case) and is_own_hand(case, case.origin)


def is_out_of_turn(case: Case[Memory]) -> bool:
    """Return whether somebody plays into an empty trick that the other player has to lead."""
    leader = case.memory.leader
    empty = stage_of(case.before) == "lead" and leader is not None
    return empty and plays_own(case) and player_of(case) not in (None, leader)


def is_first_trick(case: Case[Memory]) -> bool:
    """Return whether no trick was played in this exchange, which is not the first one."""
    return case.memory.later and sum(case.memory.strikes) == 0


def is_on_turn(case: Case[Memory]) -> bool:
    """Return whether it is for the actor to lead or to reply."""
    stage, leader, seat = stage_of(case.before), case.memory.leader, player_of(case)
    if stage == "reply":
        return seat != leader
    return stage in ("deal", "lead") and leader in (None, seat)


def decider_of(case: Case[Memory], memory: Memory) -> str | None:
    """Return who raises or abandons: the seat named, else the one that is due to."""
    event = case.event
    assert isinstance(event, Declared)
    if event.words and event.words[0] in case.setup.seats:
        return event.words[0]
    if case.seat is not None:
        return player_of(case)
    return memory.due[0] if len(memory.due) == 1 else None


@GAME.rule(
    "TRICK-01",
    source="Tricks",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="take the second card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>mid",),
    ok="A 17, B 2",
    no="A 7, A 16",
)
def one_card_each(case: Case[Memory]) -> Iterator[Finding]:
    """Each player plays exactly one card in each trick."""
    if not plays_own(case) or stage_of(case.before) not in ("deal", "lead", "reply"):
        return
    seat, memory = player_of(case), case.memory
    if stage_of(case.before) == "reply" and seat == memory.leader:
        in_view(case)
        yield Finding(seat, f"{named(seat)} plays a second card")
    elif case.moved.count > 1:
        yield Finding(seat, f"{named(seat)} plays {case.moved.count} cards at once")


@GAME.rule(
    "TRICK-02",
    source="Tricks",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="turn or move the card",
    by="seed",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("closed>*", "open>*", "held>*"),
    ok="CardPlaced A.R 7 A.closed>mid up",
    no="CardPlaced A.R (7) A.closed>mid down",
)
def face_up_in_the_middle(case: Case[Memory]) -> Iterator[Finding]:
    """A card is played by placing it face up in the middle."""
    seat, target = player_of(case), case.moved.target
    if not is_own_hand(case, case.origin) or not is_on_turn(case):
        return
    if target == MIDDLE and not case.moved.up:
        yield Finding(seat, f"{named(seat)} plays face down")
    elif case.memory.stage != "deal" and not (
        target == MIDDLE or is_hand(target) or is_talon(target)
    ):
        yield Finding(seat, f"{named(seat)} plays to {target}, not to the middle")


@GAME.rule(
    "TRICK-03",
    source="Tricks",
    observer="CK",
    kind="DUTY",
    severity="fault",
    remedy="take the card back; it stays known",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>mid",),
    ok="A took the last trick; A leads",
    no="A took the last trick; B leads",
)
def the_taker_leads(case: Case[Memory]) -> Iterator[Finding]:
    """The winner of the previous trick plays first."""
    if case.memory.waited and is_out_of_turn(case) and not is_first_trick(case):
        in_view(case)
        yield Finding(player_of(case), f"{case.memory.leader} leads")


GAME.declare(
    "TRICK-04",
    "The other player plays second (only after the leader's card lies).",
    source="Tricks",
    observer="CK",
    kind="DUTY",
    severity="fault",
    remedy="take the card back; it stays known",
    because="a card before the lead is told as TRICK-03 or NEXT-02",
    ok="leader 17, then reply 2",
    no="reply laid 1 s before the lead",
)


GAME.declare(
    "TRICK-05",
    "The leader of the first trick of the game is determined at random.",
    source="Tricks",
    observer="D",
    kind="DUTY",
    severity="info",
    remedy="declare the leader; the first player is taken as leader",
    ok="Declared A leader",
    no="first card played with no leader declared: the player is taken as leader, 'not observed'",
)


GAME.declare(
    "TRICK-06",
    "If the two cards add up to nineteen the second player takes the trick.",
    source="Tricks",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="17 led, 2 replied -> the 2 takes",
    no="leader treated as winner with 17",
)


GAME.declare(
    "TRICK-07",
    "Otherwise the higher number takes the trick.",
    source="Tricks",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="14 v 9 -> 14",
    no="9 announced over 14",
)


GAME.declare(
    "STRIKE-01",
    "The player who loses a trick receives one strike.",
    source="Strikes",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="B loses: strikes B 1",
    no="B loses the trick and A is given the strike",
)


@GAME.rule(
    "STRIKE-02",
    source="Strikes",
    observer="D",
    kind="DUTY",
    severity="procedure",
    remedy="the card stays and the decision is asked for; a decision nobody is due to make is void",
    watches=(
        CardPlaced,
        PileMoved,
        Declared,
    ),
    moves=("*>mid",),
    ok="Declared B raise",
    no="Declared B abandon while B has no fresh strike; A leads before B decided",
    options=("implicit_raise",),
)
def abandon_or_raise(case: Case[Memory]) -> Iterator[Finding]:
    """On receiving a strike the player must either abandon the exchange or raise the stakes
    (nothing else, and only then).
    """
    memory = case.memory
    if isinstance(case.event, Declared):
        yield from not_due(case)
    elif memory.waited and memory.due and plays_own(case) and is_on_turn(case):
        seat, stage = player_of(case), stage_of(case.before)
        if stage == "lead":
            in_view(case)
            undecided = opponent(case.setup, seat)
            yield Finding(undecided, f"{undecided} has not decided", owes=False)
        elif seat in memory.due and not case.setup.is_on("implicit_raise"):
            yield Finding(seat, f"{named(seat)} plays on without a decision", owes=False)


def not_due(case: Case[Memory]) -> Iterator[Finding]:
    """Find a decision that nobody is due to make."""
    event, memory = case.event, case.memory
    assert isinstance(event, Declared)
    if event.what not in ("raise", "abandon") or memory.unread is not None:
        return
    if memory.stage in ("over", "lost") or (memory.found and event.source == "camera"):
        return
    seat = decider_of(case, memory)
    third = memory.struck_out is not None and seat == memory.struck_out
    waited_for = (*memory.due, memory.unheard)
    if seat is not None and seat not in waited_for and not third:
        if is_disputed(case.before, seat):
            return
        exchange_in_view(case)
        yield Finding(seat, f"{named(seat)} is not due to {event.what}")


GAME.declare(
    "STRIKE-03",
    "Abandon: the player loses the exchange and the opponent is awarded the points.",
    source="Strikes",
    observer="D",
    kind="END",
    severity="decision",
    because="told as SCORE-03",
    ok="Declared B abandon -> A scores",
    no="play continues after 'abandon'",
)


GAME.declare(
    "STRIKE-04",
    "Raise: the exchange goes on for the (already increased) number of points, whoever wins it.",
    source="Strikes",
    observer="D",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="Declared A raise; next trick",
    no="Declared A raise and the exchange is scored at once",
)


@GAME.rule(
    "STRIKE-05",
    source="Strikes",
    observer="D",
    kind="DUTY",
    severity="void",
    remedy="'raise' is void",
    by="seed",
    watches=(Declared,),
    ok="third strike, Declared B abandon (or nothing)",
    no="third strike, Declared B raise",
)
def no_raise_on_the_third(case: Case[Memory]) -> Iterator[Finding]:
    """On the third strike the stakes cannot be raised."""
    assert isinstance(case.event, Declared)
    out = case.memory.struck_out
    if case.event.what == "raise" and out is not None and decider_of(case, case.memory) == out:
        yield Finding(out, f"{out} has three strikes")


GAME.declare(
    "STRIKE-06",
    "On the third strike the exchange must be abandoned: it ends there.",
    source="Strikes",
    observer="K",
    kind="END",
    severity="decision",
    because="told as SCORE-03",
    ok="strikes B=3 -> exchange to A",
    no="another card to mid",
)
