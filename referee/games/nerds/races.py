"""Nerds: two cards for one place on an ace pile."""

from __future__ import annotations

from referee.games.nerds.game import GAME, Memory, Place, mover, plain
from referee.rulebook import (
    Case,
    Finish,
    Outcome,
    Pile,
    Setup,
    State,
    Unread,
    Unseen,
    finish,
    replace,
)
from referee.rulebook.asking import who_was_first
from referee.values import Card, Ruling

# More cards than this do not come to one pile within the contention time.
MOST_PLACES = 12


def matches_suit(setup: Setup, card: Card, below: Card) -> bool:
    """Return whether suit (or, by option, colour) fits on an ace pile. Unread if one is not."""
    if setup.option("ace_match") == "colour":
        return plain(card).is_red() == plain(below).is_red()
    return plain(card).suit() == plain(below).suit()


def is_next(card: Card, below: Card) -> bool:
    """Return whether a card is one higher in rank. Unread if one is not read."""
    return plain(card).rank() - plain(below).rank() == 1


def fits(setup: Setup, card: Card, below: Card | None) -> bool:
    """Return whether a card may lie on a card of an ace pile, or start one (below None)."""
    if below is None:
        return plain(card).rank() == 1
    return is_next(card, below) and matches_suit(setup, card, below)


def rival(case: Case[Memory]) -> Place | None:
    """Return the card that came just before to the same place, if this one would fit beneath it.

    House rule T-07. Unread if it depends on a card that is not read.
    """
    places = case.memory.places.get(case.moved.target, ())
    pile = case.before.legal(case.moved.target)
    top = case.before.face(pile[-1]) if pile else None
    if not places or fits(case.setup, case.card, top):
        return None
    return next((p for p in reversed(places) if _is_rival(case, p, pile)), None)


def _is_rival(case: Case[Memory], place: Place, pile: Pile) -> bool:
    gap_ns = abs(case.event.t_ns - place.instant.t_ns)
    if place.seat == mover(case) or gap_ns > case.setup.span_ns("race.contention_s"):
        return False
    found = [i for i, lying in enumerate(pile) if lying.token in place.tokens]
    if not found:
        return False
    below = case.before.face(pile[found[0] - 1]) if found[0] else None
    return fits(case.setup, case.card, below)


def _decided(case: Case[Memory], place: Place) -> Finish:
    """Decide by the times; within their uncertainty the lower card was first (K-26)."""
    same = case.card.face == case.before.face(place.tokens[0]).face
    pile = case.before.legal(case.moved.target)
    # Neither two aces of different suits nor a card beneath others can stay as the top.
    can_stay = same and pile[-1].token in place.tokens
    draws = case.setup.option("tie") == "both_stay" and can_stay
    draw_ns = case.setup.span_ns("race.draw_ms") if draws else None
    return finish(place.instant, case.setup.instant(case.event), draw_ns=draw_ns, lower=0)


def arrived(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    """Take a card that came to an ace pile: it holds the place, drew for it, or lost the race."""
    place, seat = rival(case), mover(case) or ""
    if place is None:
        instant = case.setup.instant(case.event)
        holder = Place(case.event.n, instant, seat, case.moved.tokens)
        return Outcome(_held(state, case.moved.target, holder))
    result = _decided(case, place)
    outcome = _outcome(case, state, place, result)
    asked = who_was_first(case, place.n, (place.seat, seat), result)
    if asked is None:
        return outcome
    # Whoever was asked to may take his card back.
    state = outcome.state.with_flagged("NERDS-ACE-06")
    return Outcome(state, (GAME.ruling("ACE-06", "QUERY", case.event, asked),))


def _outcome(
    case: Case[Memory], state: State[Memory], place: Place, result: Finish
) -> Outcome[Memory]:
    seat = mover(case) or ""
    if result.how == "contradiction":
        return Outcome(state.after_lost_race(case, "NERDS-ACE-06"))
    if result.first is None:
        place = replace(place, tokens=(*place.tokens, *case.moved.tokens))
        text = f"{result.open_between(place.seat, seat)}: both stay"
        state = _held(state, case.moved.target, place)
        race = _race(case, state, text, "tie", result)
        ruling = replace(race.rulings[0], remedy=None, remedy_source=None)
        # Where only a camera is too coarse, whoever knows that he was second takes his back.
        close = result.how == "dead heat" and state.camera
        return Outcome(race.state.with_doubt("NERDS-ACE-06") if close else race.state, (ruling,))
    text = f"{place.seat} first{result.lead}; {seat} takes back {case.card}"
    return _race(case, state.after_lost_race(case, "NERDS-ACE-06"), text, place.seat, result)


def unread(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which a card holds its place until it is read whether it fits."""
    instant, seat = case.setup.instant(case.event), mover(case) or ""
    place = Place(case.event.n, instant, seat, case.moved.tokens)
    plain_memory = replace(case.memory, undecided=())
    case = replace(case, before=case.before.with_memory(plain_memory))
    state = _held(state, case.moved.target, place)
    undecided = (*state.memory.undecided, case)
    return state.with_memory(replace(state.memory, undecided=undecided))


def read_late(state: State[Memory]) -> Outcome[Memory]:
    """Decide races between cards that were not read when they came (G-05)."""
    rulings: list[Ruling] = []
    for case in state.memory.undecided:
        outcome = _read_late(case, state)
        state = outcome.state
        rulings += outcome.rulings
    return Outcome(state, tuple(rulings))


def _read_late(case: Case[Memory], state: State[Memory]) -> Outcome[Memory]:
    faces, target = state.table.faces, case.moved.target
    before = replace(case.before, table=replace(case.before.table, faces=faces))
    case = replace(case, before=before, table=replace(case.table, faces=faces))
    memory = state.memory
    left = tuple(other for other in memory.undecided if other.event.n != case.event.n)
    held = tuple(p for p in memory.places.get(target, ()) if p.n != case.event.n)
    memory = replace(memory, undecided=left, places={**memory.places, target: held})
    try:
        outcome = arrived(case, state.with_memory(memory))
    except (Unread, Unseen):
        return Outcome(state)
    lies = {lying.token for lying in state.table.pile(target)}
    still = set(case.moved.tokens) <= lies and state.debt_of(case.moved.tokens) is None
    return Outcome(outcome.state if still else state.with_memory(memory), outcome.rulings)


def _held(state: State[Memory], zone: str, place: Place) -> State[Memory]:
    memory = state.memory
    others = tuple(p for p in memory.places.get(zone, ()) if p.n != place.n)
    places = {**memory.places, zone: (*others[-MOST_PLACES:], place)}
    return state.with_memory(replace(memory, places=places))


def _race(
    case: Case[Memory], state: State[Memory], text: str, winner: str, result: Finish
) -> Outcome[Memory]:
    ruling = GAME.ruling(
        "ACE-06",
        "RACE",
        case.event,
        text,
        winner=winner,
        margin_ns=result.margin_ns,
        interval_ns=result.interval_ns,
        p_first=result.p_first,
    )
    return Outcome(state, (ruling,))
