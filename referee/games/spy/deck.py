"""Spy vs. Spy: using the deck."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.spy.game import (
    CLOSED,
    DECK,
    GAME,
    MOVES,
    Memory,
    is_on,
    is_pagat,
    may_have_changed,
    mover,
    part_of,
    pile_for,
    seat_of,
    source,
)
from referee.games.spy.laying import fits_pile, is_foreign, is_laid, opens_pile, to_own_pile
from referee.rulebook import Case, Finding
from referee.values import Card, PileMixed


def is_deck_card(case: Case[Memory]) -> bool:
    """Return whether a card of the own deck is laid, or discarded."""
    return is_laid(case) and source(case) in DECK and not is_foreign(case)


def is_foreign_use(case: Case[Memory]) -> bool:
    """Return whether a deck card goes to, or comes from, another player's layout."""
    return is_laid(case) and source(case) in DECK and is_foreign(case)


def is_turn_over(case: Case[Memory]) -> bool:
    """Return whether the discards become the deck again."""
    return source(case) == "waste" and part_of(case.moved.target) == "deck"


def is_use(case: Case[Memory]) -> bool:
    """Return whether a deck card is shown: laid on a pile, discarded, or laid elsewhere."""
    return is_deck_card(case) and part_of(case.moved.target) not in ("deck", "held")


def shown(case: Case[Memory], seat: str) -> tuple[Card, ...]:
    """Return the closed cards that wait to be laid: laid aside, lifted, or in the hand."""
    state, memory = case.before, case.memory
    state.legal(f"{seat}.aside")
    tokens = [lying.token for lying in state.table.pile(f"{seat}.aside")]
    stack = state.table.pile(f"{seat}.stack")
    tokens += [lying.token for lying in stack if lying.token in memory.lifted]
    held = state.table.pile(f"{seat}.held")
    tokens += [lying.token for lying in held if lying.token in memory.looked]
    return tuple(state.face(token) for token in tokens)


def owes_closed(case: Case[Memory], seat: str) -> bool:
    """Return whether a closed card was tried and is owed. Playing on meanwhile is no fault."""
    mine = (debt for debt in case.before.debts if seat_of(debt.origin) == seat)
    looked = case.memory.looked
    return any(part_of(debt.origin) in CLOSED or looked & set(debt.tokens) for debt in mine)


def deck_fault(case: Case[Memory]) -> str:
    """Say why the deck card may not lie there, else an empty text. Unread if that is not known."""
    if not to_own_pile(case):
        return f"a deck card goes to {case.moved.target}"
    if source(case) == "waste" and case.debt is None and case.moved.depth > 0:
        return f"{case.card} was covered"
    if opens_pile(case):
        mine = is_pagat(case) or case.setup.is_on("deck_opens")
        return "" if mine else f"{case.card} opens a pile"
    return "" if fits_pile(case) else f"{case.card} does not fit {case.moved.target}"


@GAME.rule(
    "DECK-01",
    source="Using the deck",
    observer="C",
    kind="PERM",
    severity="info",
    remedy="one card at a time",
    watches=(*MOVES, PileMixed),
    moves=("deck>*", "waste>*", "held>*"),
    ok="CardPlaced A.R 4D A.deck>A.pile.6; CardPlaced A.R KS A.deck>A.waste",
    no="three deck cards turned as one packet (PileMoved A.deck>A.waste n=3)",
    options=("recycle",),
)
def through_the_deck(case: Case[Memory]) -> Iterator[Finding]:
    """A player who is stuck goes through the remaining cards of the own deck."""
    if isinstance(case.event, PileMixed):
        if is_on(case) and part_of(case.event.zone) in DECK:
            yield Finding(case.seat, f"{case.event.zone} is shuffled during the game")
    elif is_deck_card(case) and is_turn_over(case) and case.debt is None:
        if not case.setup.is_on("recycle"):
            yield Finding(mover(case), "the discards are turned over")
        elif case.before.height(case.moved.target):
            yield Finding(mover(case), "the deck is not used up")
    elif is_use(case) and source(case) == "deck":
        if case.moved.count > 1:
            yield Finding(mover(case), f"{case.moved.count} cards turned as one packet")
        elif case.debt is None and case.moved.depth > 0:
            yield Finding(mover(case), f"{case.card} was covered")


@GAME.rule(
    "DECK-02",
    source="Using the deck",
    observer="C",
    severity="fault",
    remedy="put the card on the waste",
    watches=MOVES,
    moves=("deck>*", "waste>*", "held>*"),
    ok="JD on TS",
    no="JC on KD; a deck card as new pile",
    options=("deck_opens",),
)
def on_the_right_places(case: Case[Memory]) -> Iterator[Finding]:
    """Deck cards are put on the right places: on own piles by +-1 (2 on ace). They do not open
    piles (option spy.deck_opens).
    """
    if is_foreign_use(case):
        text = f"{case.moved.origin}>{case.moved.target} is not the own layout"
        yield Finding(mover(case), text)
    elif is_use(case) and part_of(case.moved.target) != "waste" and (text := deck_fault(case)):
        yield Finding(mover(case), text)


@GAME.rule(
    "DECK-03",
    source="Using the deck",
    observer="C",
    severity="fault",
    remedy="put the card back on the deck",
    watches=MOVES,
    moves=("deck>*", "held>*"),
    ok="TC aside, no fit; deck card played",
    no="deck card played with A.stack untouched",
)
def only_when_stuck(case: Case[Memory]) -> Iterator[Finding]:
    """The deck may be used only when the player is stuck: the current closed card fits nowhere,
    or the stack is finished except for set-aside cards that fit nowhere.
    """
    seat = seat_of(case.origin)
    if not is_use(case) or is_pagat(case) or source(case) != "deck":
        return
    faces = shown(case, seat)
    closed = tuple(f"{seat}.{part}" for part in CLOSED)
    fitting = [(pile, card) for card in faces if (pile := pile_for(case.before, seat, card))]
    if fitting:
        pile, card = fitting[0]
        rests_on = (*closed, *may_have_changed(case.before, pile))
        yield Finding(mover(case), f"{card} fits", rests_on=rests_on)
    elif faces or owes_closed(case, seat):
        return
    elif case.before.height(f"{seat}.stack"):
        yield Finding(mover(case), "the closed stack was not tried", rests_on=closed)
    else:
        yield Finding(mover(case), "all closed cards are laid", rests_on=closed)
