"""Nerves: playing arranged cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from referee.games.nerves.game import GAME, Memory, rule_of_play
from referee.games.nerves.hits import is_ripe, is_spent
from referee.games.nerves.places import (
    changed_since,
    columns_of,
    holds_others,
    is_live,
    is_own,
    is_play,
    is_rearranging,
    is_turn,
    part_of,
    seat_of,
    value_of,
)
from referee.rulebook import Case, Debt, Finding, Setup, Unread
from referee.values import Card, CardPlaced, CardTurned, PadHit, PileMoved


def fits(setup: Setup, card: Card, below: Card) -> bool:
    """Return whether the values differ by exactly one. Unread if one is not read."""
    step = abs(value_of(card) - value_of(below))
    return step == 1 or (step == 12 and setup.is_on("wrap"))


def below(case: Case[Memory]) -> Card | None:
    """Return the card that a play meets: the legal top, or with the option the visible one."""
    target = case.moved.target
    if case.setup.option("play_on_mistake") == "visible_top":
        case.before.in_view(target)
        pile = case.before.table.pile(target)
        seen = case.before.face(pile[-1]) if pile else None
        if seen is not None and seen.is_suited:
            return seen
    return case.before.top_card(target)


def loses_race(case: Case[Memory]) -> bool:
    """Return whether the other player's card came just before, and this one fits beneath it."""
    before, target = case.before, case.moved.target
    first = before.arrivals.get(target)
    if first is None or first.seat in (None, case.seat) or case.seat is None:
        return False
    span_ns = case.setup.span_ns("race.contention_s")
    if abs(case.event.t_ns - first.instant.t_ns) > span_ns:
        return False
    pile = [lying for lying in before.legal(target) if lying.token not in first.tokens]
    return bool(pile) and fits(case.setup, case.card, before.face(pile[-1]))


def misfit(case: Case[Memory]) -> str | None:
    """Return why the played cards, each on the one it meets, do not fit; None if they do."""
    top = below(case)
    for card in case.cards:
        if top is None:
            if not case.setup.is_on("play_on_empty"):
                return f"{case.moved.target} is empty"
        elif not fits(case.setup, card, top):
            return f"{card} on {top} differs by {abs(value_of(card) - value_of(top))}"
        top = card
    return None


def lost_race(case: Case[Memory]) -> bool:
    """Return whether the card does not fit, and would have before the other player's card came."""
    return misfit(case) is not None and loses_race(case)


@rule_of_play(
    "PLAY-01",
    source="Playing arranged cards",
    observer="C",
    kind="DEF",
    severity="info",
    remedy="",
    by="ours",
    watches=(PileMoved,),
    moves=("arr>play", "held>play"),
    ok="CardPlaced A.R 7H A.arr.1>play.B",
    no="two cards played as one block",
    beside=True,
)
def one_card(case: Case[Memory]) -> Iterator[Finding]:
    """A play = picking up one face-up arranged card of one's own and putting it on top of either
    playing pile (which must have a top card).
    """
    if is_play(case) and case.moved.count > 1:
        yield Finding(case.seat, f"{case.moved.count} cards played as one block")


@rule_of_play(
    "PLAY-02",
    source="Playing arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="take the card back",
    by="seed",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("arr>play",),
    ok="CardTurned A.R 3D arr.1 up; CardPlaced A.R 3D arr.1>play.A",
    no="CardPlaced A.R 3D arr.1>play.A straight from face-down",
)
def only_face_up(case: Case[Memory]) -> Iterator[Finding]:
    """Only a face-up card may be played; a face-down arranged card must be turned first (cards
    taken on hand under LAST-01 are exempt).
    """
    if is_play(case) and part_of(case.origin) == "arr" and not _is_open(case):
        # Unseen where nothing is known of the column: nobody knows how the card lay.
        case.before.top(case.origin)
        if case.moved.short:
            raise Unread("??")  # nor of one more than lay there (C-06)
        yield Finding(case.seat, f"{case.card} lay face down")


def _is_open(case: Case[Memory]) -> bool:
    """Whether the card lay open: who turns an own one must put that right, nobody for another."""
    if case.debt and case.debt.seat != case.seat:
        return case.moved.was_up
    return case.was_up


@rule_of_play(
    "PLAY-03",
    source="Playing arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="take the card back",
    by="seed",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("arr>play", "held>play"),
    ok="7 or 9 on 8",
    no="7 on 9; 8 on 8; K on A",
    options=(
        "wrap",
        "play_on_empty",
        "play_on_mistake",
    ),
)
def one_apart(case: Case[Memory]) -> Iterator[Finding]:
    """The value of the played card and of the top card of the chosen playing pile differ by
    exactly one. A=1, J=11, Q=12, K=13; no wrap K-A (option nerves.wrap).
    """
    if is_play(case) and (reason := misfit(case)) and not loses_race(case):
        if _may_be_turned(case):
            raise Unread("??")
        yield Finding(case.seat, reason)


def _may_be_turned(case: Case[Memory]) -> bool:
    """Return whether the card on hand may be a rest card that is turned."""
    own = is_own(case, case.origin, "held") and is_own(case, case.moved.target, "play")
    return own and is_live(case) and holds_others(case.before, case.seat or "")


GAME.declare(
    "PLAY-04",
    "A player who made a mistake must take back the card played mistakenly.",
    source="Playing arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="the card is owed until it is back",
    by="seed",
    ok="CardPlaced A.R 7H play.B>A.arr.1",
    no="7H still on play.B when A plays another card -> PLAY-05",
)


@rule_of_play(
    "PLAY-05",
    source="Playing arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="take the mistaken card back first",
    by="seed",
    watches=(
        CardPlaced,
        CardTurned,
        PileMoved,
        PadHit,
    ),
    moves=("rest>*", "arr>play", "held>play", "arr>arr"),
    ok="take back, then play",
    no="owed 7H; CardPlaced A.R 4D arr.2>play.A",
)
def take_back_first(case: Case[Memory]) -> Iterator[Finding]:
    """That player may resume playing only after the card is taken back."""
    seat = case.seat or _owner_of_cards(case)
    debts = [d for d in case.before.debts if d.seat == seat and not _goes_on(case, d)]
    burns = seat in case.memory.burns
    if not seat or not (debts or burns):
        return
    if isinstance(case.event, PadHit):
        resumes = bool(debts) and is_ripe(case) and not is_spent(case)
    else:
        resumes = is_turn(case) or is_play(case) or _rearranges(case)
    if resumes:
        for debt in debts:
            case.before.in_view(debt.at)  # nobody knows whether it was taken back there
            if _may_be_back(case, debt):
                raise Unread("??")
        unseen = (changed_since(case.before, debt.t_ns, debt.at) for debt in debts)
        text, rests_on = f"{seat} owes a card", tuple(chain.from_iterable(unseen))
        yield Finding(case.seat, text, rests_on=rests_on, surely=case.seat is not None)


def _owner_of_cards(case: Case[Memory]) -> str:
    """Return whose cards are turned or played: where nobody was seen, it was hardly another."""
    return "" if case.move is None else seat_of(case.move.origin)


def _may_be_back(case: Case[Memory], debt: Debt) -> bool:
    """Return whether a card came to the own columns since, and nobody knows which.

    An owed card whose face is not known any more was read elsewhere.
    """
    before = case.before
    if before.camera and not all(before.face(token).known for token in debt.tokens):
        return True
    came = (before.arrivals.get(zone) for zone in columns_of(before, debt.seat))
    later = [arrival for arrival in came if arrival is not None and arrival.n > debt.n]
    return any(
        arrival.n in before.unsure or not all(before.face(token).known for token in arrival.tokens)
        for arrival in later
    )


def _goes_on(case: Case[Memory], debt: Debt) -> bool:
    """Return whether the card itself, which lost a race, is moved elsewhere: a new move."""
    return debt.race and case.debt is not None and case.debt.tokens == debt.tokens


def _rearranges(case: Case[Memory]) -> bool:
    own = is_own(case, case.origin, "arr") and is_live(case)
    return own and is_rearranging(case) and case.debt is None


GAME.declare(
    "PLAY-06",
    "The opponent may play on in the meantime.",
    source="Playing arranged cards",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="owed A/7H/play.B(9D); CardPlaced B.R TS>play.B",
    no="B stopped by the referee -> referee error",
)
