"""Nerves: hitting order and hand rules."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.game import Memory, rule_of_play
from referee.games.nerves.hits import (
    SIDES,
    chance,
    chance_rests_on,
    is_ripe,
    is_same_place,
    is_spent,
    own_opening,
)
from referee.rulebook import Case, Finding, surely_before
from referee.values import PadHit


@rule_of_play(
    "HAND-01",
    source="Hitting order and hand rules",
    observer="PH",
    kind="DEF",
    severity="info",
    remedy="",
    by="ours",
    watches=(PadHit,),
    ok="HandOff A.R mid, later PadHit A.R mid",
    no="A.R rests on mid from before the match",
)
def fresh_contact(case: Case[Memory]) -> Iterator[Finding]:
    """To hit is to place a hand on the chosen spot."""
    hit = next((hit for hit in case.memory.hits if hit.n == case.event.n), None)
    if is_ripe(case) and not is_spent(case) and hit is not None and hit.resting:
        yield Finding(case.seat, "the hand lay there already")


@rule_of_play(
    "HAND-02",
    source="Hitting order and hand rules",
    observer="PC",
    kind="DUTY",
    severity="void",
    remedy="the hit is void and may be repeated",
    by="ours",
    watches=(PadHit,),
    ok="match at 30.000, hit at 30.350",
    no="match at 30.000, hit at 30.000",
)
def never_simultaneous(case: Case[Memory]) -> Iterator[Finding]:
    """A hit may never be simultaneous with the action that made it possible."""
    if not is_ripe(case) or is_spent(case):
        return
    opening = chance(case)
    if opening and not surely_before(opening.instant, case.setup.instant(case.event)):
        yield Finding(case.seat, "void", rests_on=chance_rests_on(case))


@rule_of_play(
    "HAND-03",
    source="Hitting order and hand rules",
    observer="PH",
    kind="DUTY",
    severity="void",
    remedy="the hit is void; the other hand may hit",
    by="ours",
    watches=(PadHit,),
    ok="A.R plays on play.B; A.L hits play.B",
    no="A.R plays on play.B; A.R hits play.B",
    options=(
        "mid_is",
        "hand_unknown",
    ),
)
def not_the_playing_hand_there(case: Case[Memory]) -> Iterator[Finding]:
    """The hand that made the enabling play may not hit at the location of that play."""
    if not is_ripe(case) or is_spent(case) or case.hand not in SIDES:
        return
    opening = own_opening(case)
    if opening and is_same_place(case, opening) and case.hand == opening.hand:
        yield Finding(case.seat, "void", rests_on=chance_rests_on(case))


@rule_of_play(
    "HAND-04",
    source="Hitting order and hand rules",
    observer="PH",
    kind="DUTY",
    severity="void",
    remedy="the hit is void; the playing hand may hit",
    by="ours",
    watches=(PadHit,),
    ok="A.R plays on play.A (match); A.R hits mid",
    no="A.R plays on play.A (match); A.L hits mid",
    options=(
        "mid_is",
        "hand_unknown",
    ),
)
def not_the_other_hand_elsewhere(case: Case[Memory]) -> Iterator[Finding]:
    """The other hand of that player may not hit at any other location."""
    if not is_ripe(case) or is_spent(case):
        return
    opening = own_opening(case)
    if opening is None or is_same_place(case, opening):
        return
    if {case.hand, opening.hand} == set(SIDES):
        yield Finding(case.seat, "void", rests_on=chance_rests_on(case))
