"""XIX: the trade with the talon, and the next exchange."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from referee.games.xix.dealing import is_set_up, touched, was_lifted
from referee.games.xix.game import (
    GAME,
    MIDDLE,
    TALON,
    Memory,
    covered,
    in_view,
    is_give,
    is_own_hand,
    is_play,
    is_take,
    is_taken_back,
    is_talon,
    moves_talon,
    named,
    part_of,
    player_of,
    stage_of,
)
from referee.games.xix.tricks import is_first_trick, is_out_of_turn
from referee.rulebook import Case, Finding, State
from referee.values import CardLifted, CardPlaced, CardTurned, PileMoved

TAKEN_WRONGLY = ("XIX-TRADE-03", "XIX-TRADE-04", "XIX-TRADE-05")
GIVEN_WRONGLY = ("XIX-TRADE-02", "XIX-TRADE-06")


def is_traded(state: State[Memory]) -> bool:
    """Return whether both halves of the trade were made, be it with a card that is owed."""
    owed = {debt.rule for debt in state.debts if debt.n > state.memory.closed_n}
    taken = state.memory.taken is not None or not owed.isdisjoint(TAKEN_WRONGLY)
    return taken and (state.memory.given is not None or not owed.isdisjoint(GIVEN_WRONGLY))


def by_loser(case: Case[Memory]) -> bool:
    """Return whether the actor is the one who has to trade now."""
    trades = stage_of(case.before) == "trade"
    return trades and player_of(case) in (None, case.memory.loser or player_of(case))


def is_loser_taking(case: Case[Memory]) -> bool:
    """Return whether the loser takes his one talon card."""
    return by_loser(case) and is_take(case) and case.memory.taken is None


def is_loser_giving(case: Case[Memory]) -> bool:
    """Return whether the loser lays his one hand card into the talon."""
    gives = by_loser(case) and is_give(case) and case.memory.given is None
    return gives and not is_taken_back(case)


def is_half_of_trade(case: Case[Memory]) -> bool:
    """Return whether the loser takes or gives his one card."""
    return is_loser_taking(case) or is_loser_giving(case) or is_taken_back(case)


def hidden_since(case: Case[Memory]) -> tuple[str, ...]:
    """Return the zones in which a trade may have been made, or an exchange ended, out of view."""
    zones = (MIDDLE, *TALON)
    return zones if case.before.was_hidden(case.memory.closed_ns, *zones) else ()


def covered_elsewhere(case: Case[Memory]) -> tuple[str, ...]:
    """Return where another talon card lies face down. Unseen if the talon is out of view."""
    mine = {given.token} if (given := case.memory.given) else set()
    return covered(case.before, mine | set(case.moved.tokens))


@GAME.rule(
    "TRADE-01",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="the led card goes back; trade first",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>mid",),
    ok="talon.2>B.closed and B.open>talon.2",
    no="A leads the next exchange without B's trade",
)
def trade_before_the_next_lead(case: Case[Memory]) -> Iterator[Finding]:
    """After the draft the loser of the exchange must trade one card with the talon before the
    next exchange begins.
    """
    if not case.memory.waited or not is_play(case) or stage_of(case.before) != "trade":
        return
    if is_own_hand(case, case.origin) and not is_traded(case.before):
        for zone in TALON:
            case.before.legal(zone)
        text = f"{case.memory.loser} has not traded with the talon"
        yield Finding(case.memory.loser, text, rests_on=hidden_since(case))


@GAME.rule(
    "TRADE-02",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="take the card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>talon",),
    ok="CardPlaced B.R 14 B.open>talon.2",
    no="CardPlaced B.R 9 B.closed>talon.3",
    options=("trade_from",),
)
def hand_card_from_the_open_hand(case: Case[Memory]) -> Iterator[Finding]:
    """The hand card comes from the loser's open hand; he has just drafted, so he always has one."""
    if not is_loser_giving(case):
        return
    seat = player_of(case)
    free = case.setup.option("trade_from") == "any" and case.origin == f"{seat}.closed"
    if case.origin != f"{seat}.open" and not free:
        yield Finding(seat, f"the traded card comes from {case.origin}")


@GAME.rule(
    "TRADE-03",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("talon>*",),
    ok="CardPlaced B.R (8) talon.3>B.closed",
    no="CardPlaced B.R 6 talon.2>B.open while talon.1 is down",
)
def face_down_cards_first(case: Case[Memory]) -> Iterator[Finding]:
    """If any talon card is face down, a face-down one must be taken."""
    if is_loser_taking(case) and case.was_up and (zones := covered_elsewhere(case)):
        unsure = case.memory.traded_unseen.union(hidden_since(case))
        rests_on = zones if unsure.issuperset(zones) else ()
        # A camera does not see whether a back still lies under an open card.
        surely = not case.before.camera or any(map(partial(_shows_a_back, case), zones))
        text = "a talon card lies face down"
        yield Finding(player_of(case), text, rests_on=rests_on, surely=surely)


def _shows_a_back(case: Case[Memory], zone: str) -> bool:
    pile = case.before.table.pile(zone)
    return bool(pile) and not pile[-1].up


@GAME.rule(
    "TRADE-04",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="the card goes to the closed hand; the exposure is recorded",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("talon>*",),
    ok="talon.3>B.closed down",
    no="CardPlaced B.R 8 talon.3>B.open up",
)
def hidden_cards_stay_hidden(case: Case[Memory]) -> Iterator[Finding]:
    """A face-down talon card goes to the closed hand (unseen by the opponent)."""
    if not is_loser_taking(case) or case.was_up:
        return
    seat = player_of(case)
    if case.moved.target != f"{seat}.closed":
        text = f"a face-down talon card goes to {seat}.closed"
        unsure = case.memory.traded_unseen.union(hidden_since(case))
        yield Finding(seat, text, rests_on=(case.origin,) if case.origin in unsure else ())
    elif isinstance(case.event, CardPlaced) and case.event.up and case.event.card.seen().known:
        yield Finding(seat, "the face-down talon card is shown", owes=False)


@GAME.rule(
    "TRADE-05",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="the card goes to the open hand",
    by="seed",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("talon>*",),
    ok="all talon up: talon.2>B.open up",
    no="all talon up: talon.2>B.closed",
)
def open_cards_stay_open(case: Case[Memory]) -> Iterator[Finding]:
    """A face-up talon card goes to the open hand."""
    seat = player_of(case)
    if is_loser_taking(case) and case.was_up and case.moved.target != f"{seat}.open":
        yield Finding(seat, f"a face-up talon card goes to {seat}.open")


@GAME.rule(
    "TRADE-06",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card right",
    by="seed",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("talon>*", "*>talon"),
    ok="talon.3 taken, hand card to talon.3 up",
    no="talon.3 taken, hand card to talon.4",
    options=("trade_from",),
)
def face_up_in_the_same_place(case: Case[Memory]) -> Iterator[Finding]:
    """The hand card is placed face up in the talon, in the very position the talon card came
    from.
    """
    seat, given, taken = player_of(case), case.memory.given, case.memory.taken
    if is_loser_giving(case):
        as_it_faces = case.moved.up == (part_of(case.origin) != "closed")
        if taken is not None and taken != case.moved.target:
            surely = taken not in case.memory.left
            yield Finding(seat, f"the talon card was taken from {taken}", surely=surely)
        elif not as_it_faces:
            facing = "up" if case.was_up else "down"
            yield Finding(seat, f"the hand card lies face {facing} in the talon")
    elif is_loser_taking(case) and given is not None and given.zone != case.origin:
        yield Finding(seat, f"the hand card was laid on {given.zone}", owes=False)


def is_free_of_trade(case: Case[Memory]) -> bool:
    """Return whether the talon is not judged: while dealing, drafting and after the end."""
    stage = case.memory.stage
    drafting = stage_of(case.before) == "draft" and moves_talon(case)
    return stage in ("deal", "over", "lost") or drafting or is_set_up(case) or was_lifted(case)


@GAME.rule(
    "TRADE-07",
    source="Drafting",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="restore the talon; an exposed face is recorded",
    watches=(
        CardPlaced,
        PileMoved,
        CardTurned,
        CardLifted,
    ),
    moves=("talon>*", "*>talon"),
    ok="one trade by the loser",
    no="winner takes talon.3; trade during a trick; second trade",
)
def one_trade_by_the_loser(case: Case[Memory]) -> Iterator[Finding]:
    """Only the loser trades, only after the draft, and only one card."""
    zone = touched(case)
    if is_free_of_trade(case) or (not is_talon(zone) and not moves_talon(case)):
        return
    seat = player_of(case)
    if isinstance(case.event, CardLifted):
        if not by_loser(case) or case.memory.taken is not None:
            case.before.legal(zone)
            yield Finding(seat, f"{named(seat)} lifts a talon card")
    elif case.moved.turned:
        if case.moved.up and not case.was_up:
            case.before.legal(zone)
            yield Finding(seat, f"{named(seat)} turns a talon card")
    elif moves_talon(case) and not (is_play(case) or is_half_of_trade(case)):
        case.before.legal(zone)
        text = f"{named(seat)} moves a card of the talon"
        yield Finding(seat, text, rests_on=hidden_since(case))


GAME.declare(
    "NEXT-01",
    "When draft and trade are complete the next exchange begins.",
    source="Drafting",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition",
    ok="trade done, winner leads",
    no="strikes of the last exchange carried over",
)


@GAME.rule(
    "NEXT-02",
    source="Drafting",
    observer="CK",
    kind="DUTY",
    severity="fault",
    remedy="take the card back; it stays known",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("*>mid",),
    ok="A won; A leads",
    no="A won; B leads",
)
def the_winner_leads_the_next(case: Case[Memory]) -> Iterator[Finding]:
    """The winner of the previous exchange leads the first trick of the next."""
    if case.memory.waited and is_out_of_turn(case) and is_first_trick(case):
        in_view(case)
        yield Finding(player_of(case), f"{case.memory.leader} won the exchange and leads")
