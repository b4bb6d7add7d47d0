"""Nerves: which chance a hit answers, and whether it means anything at all.

A hit is judged once nothing can come any more that was earlier than it (`is_ripe`): a card that
makes it possible, or that covers what made it possible, may be told a little later.
"""

from __future__ import annotations

from referee.games.nerves.game import MIDDLE, PILES, Hit, Memory, Opening
from referee.games.nerves.places import holds_others, tops_equal, zones_of_arranged
from referee.rulebook import Case, Instant, State, replace, surely_before
from referee.values import Actor, PadHit

# Before anything that an event can tell.
LONG_AGO = Instant(-(10**15), 0)
NO_EVENT = -1
SIDES = ("L", "R")
# A card that was seen to come down is timed to less than this; of one that a hand hid it is not
# known whether a hit came too early.
SEEN_LANDING_NS = 150_000_000


def as_event(hit: Hit) -> PadHit:
    """Return the hit as the event that it came from."""
    return PadHit(
        n=hit.n,
        t_ns=hit.instant.t_ns,
        u_ns=hit.instant.u_ns,
        flat_ns=hit.instant.flat_ns,
        clock=hit.instant.clock,
        off_ns=hit.instant.off_ns,
        rate_ppm=hit.instant.rate_ppm,
        actor=Actor(hit.seat, hit.hand),
        frames=hit.frames,
        spot=hit.spot,
    )


def as_case(state: State[Memory], hit: Hit) -> Case[Memory]:
    """Return the case in which the rules judge the hit now."""
    ripe = state.with_memory(replace(state.memory, ripe=hit.n))
    return Case(ripe, as_event(hit), state.table)


def spot_of(case: Case[Memory]) -> str:
    """Return the spot that is hit."""
    assert isinstance(case.event, PadHit)
    return case.event.spot


def is_ripe(case: Case[Memory]) -> bool:
    """Return whether the hit is judged now."""
    return case.seat is not None and case.memory.ripe == case.event.n


def is_spent(case: Case[Memory]) -> bool:
    """Return whether a hit on this spot means nothing now: it is decided, or nobody plays."""
    memory, spot = case.memory, spot_of(case)
    idle = not memory.started or (spot == MIDDLE and not memory.live)
    tied = any(hit.spot == spot for hit in memory.tied)
    return idle or tied or memory.winner is not None or spot in memory.decided


def slaps_blocked(state: State[Memory]) -> bool:
    """Return whether only the piles may be hit, after a last arranged card."""
    return bool(state.memory.outs) and not state.setup.is_on("slap_on_last")


def openings(case: Case[Memory]) -> tuple[Opening, ...]:
    """Return the chances that the hit may answer: not surely later than it, nor surely over."""
    memory, spot = case.memory, spot_of(case)
    if spot not in (MIDDLE, *PILES):
        return ()
    found = memory.matches[::-1] if spot == MIDDLE else memory.outs
    if spot == MIDDLE and not any(o.cover is None for o in found) and _equal_anyway(case):
        # Where the card that covered a chance was taken back, it is the same one again.
        asked = frozenset[tuple[str, str]]().union(*(one.asked for one in found))
        found = (Opening(NO_EVENT, LONG_AGO, None, None, "", asked=asked), *found)
    return tuple(opening for opening in found if _answers(case, opening))


def _equal_anyway(case: Case[Memory]) -> bool:
    """Return whether the tops are equal though no play was seen that made them so."""
    return tops_equal(case.before) and not slaps_blocked(case.before)


def _answers(case: Case[Memory], opening: Opening) -> bool:
    hit = case.setup.instant(case.event)
    if surely_before(hit, opening.instant) or _was_faulty(case, opening):
        return False
    return opening.cover is None or not surely_before(opening.cover.instant, hit)


def _was_faulty(case: Case[Memory], opening: Opening) -> bool:
    """Return whether the play that made the chance was found to be a mistake later."""
    stands = case.setup.option("hit_on_mistake") == "stands"
    return not stands and any(debt.n == opening.n for debt in case.before.debts)


def own_opening(case: Case[Memory]) -> Opening | None:
    """Return the latest chance that the hitting player himself made."""
    own = (o for o in openings(case) if o.seat == case.seat)
    return max(own, key=lambda opening: opening.n, default=None)


def chance(case: Case[Memory]) -> Opening | None:
    """Return the chance that the hit answers: the player's own, else any."""
    return own_opening(case) or next(iter(openings(case)), None)


def chance_rests_on(case: Case[Memory]) -> tuple[str, ...]:
    """Return the zones that tell whether there is a chance to hit, as far as they may differ."""
    state = case.before
    if spot_of(case) == MIDDLE:
        return tuple(pile for pile in PILES if state.lost_sight_of(pile, whole=False))
    return zones_of_arranged(state)


def is_supposed(case: Case[Memory]) -> bool:
    """Return whether the card that a hit answers, or a top, may not be as it was seen."""
    before, answered = case.before, chance(case)
    if answered is not None and _is_loosely_timed(case, answered):
        return True
    hidden = before.was_hidden(case.event.t_ns, *PILES)
    if answered is None and (hidden or _may_have_landed(before)):
        return True
    if not before.unsure:
        return False
    numbers = [answered.n] if answered else []
    if spot_of(case) == MIDDLE:
        numbers += [before.arrivals[pile].n for pile in PILES if pile in before.arrivals]
    return any(n in before.unsure for n in numbers)


def _is_loosely_timed(case: Case[Memory], answered: Opening) -> bool:
    """Return whether a hit may be later than its card, which was not seen to come down."""
    hit = case.setup.instant(case.event)
    loose = case.before.camera and answered.instant.u_ns >= SEEN_LANDING_NS
    return loose and not surely_before(hit, answered.instant)


def is_hand_supposed(case: Case[Memory]) -> bool:
    """Return whether the player's last card may have come by another hand, or from elsewhere.

    That it is seen to lie there later tells nothing of the hand that brought it.
    """
    opening, before = own_opening(case), case.before
    came = [before.arrivals[pile] for pile in PILES if pile in before.arrivals]
    unsure = any(one.seat == case.seat and one.n in before.unsure for one in came)
    return unsure or (opening is not None and opening.supposed)


def is_second_to_asked(case: Case[Memory]) -> bool:
    """Return whether another hit on the same spot and chance was only asked about.

    After his own a player may hit again; a hand that was not surely seen to hit may have left.
    """
    answered = chance(case)
    asked = answered.asked if answered else ()
    again = case.event.n not in case.before.unsure
    return any(not (again and seat == case.seat) and spot == spot_of(case) for seat, spot in asked)


def _may_have_landed(state: State[Memory]) -> bool:
    """Return whether somebody holds a card that he would have laid on a pile, as nobody saw."""
    return any(
        holds_others(state, seat) or (state.camera and bool(state.table.pile(f"{seat}.held")))
        for seat in state.memory.live
    )


def is_same_place(case: Case[Memory], opening: Opening) -> bool:
    """Return whether the spot is where the enabling card was played."""
    spot = spot_of(case)
    with_pile = spot == MIDDLE and case.setup.option("mid_is") == "with_pile"
    return spot == opening.at or with_pile


def is_hand_unknown(case: Case[Memory]) -> bool:
    """Return whether a hand rule binds the player, and nobody knows which hand it was."""
    opening = own_opening(case)
    return opening is not None and not (case.hand in SIDES and opening.hand in SIDES)
