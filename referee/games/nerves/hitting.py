"""Nerves: hitting between the piles, and the last three cards."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.game import GAME, MIDDLE, PILES, Lost, Memory, rule_of_play
from referee.games.nerves.hits import chance, chance_rests_on, is_ripe, is_spent, spot_of
from referee.games.nerves.places import changed_since, is_play, is_turn, value_of
from referee.rulebook import Case, Finding
from referee.values import CardPlaced, PadHit, PileMoved


@rule_of_play(
    "HIT-01",
    source="Hitting between the playing piles",
    observer="PH",
    kind="PERM",
    severity="void",
    remedy="the hit has no effect",
    by="ours",
    watches=(PadHit,),
    ok="tops 8D/8H; PadHit B.L mid",
    no="tops 9D/8D; PadHit B.R mid",
    options=(
        "false_hit",
        "hit_on_mistake",
    ),
)
def equal_tops_only(case: Case[Memory]) -> Iterator[Finding]:
    """While the tops of the two playing piles show cards of the same value, both players may hit
    the middle spot between the piles. Nobody must.
    """
    if not is_ripe(case) or is_spent(case) or spot_of(case) != MIDDLE or chance(case):
        return
    tops = [case.before.top_card(pile) for pile in PILES]
    values = [value_of(top) for top in tops if top is not None]
    blocked = len(values) == 2 and values[0] == values[1]
    text = "only the piles may be hit" if blocked else "false-hit"
    yield Finding(case.seat, text, rests_on=chance_rests_on(case))


@rule_of_play(
    "HIT-02",
    source="Hitting between the playing piles",
    observer="PH",
    kind="RACE",
    severity="decision",
    remedy="the loser takes both piles",
    by="seed",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("rest>*", "arr>play", "held>play"),
    ok="PadHit B.L mid 30.412; PadHit A.R mid 30.530 -> A takes",
    no="A leaves one pile lying and plays on",
    options=("tie",),
)
def loser_takes_both(case: Case[Memory]) -> Iterator[Finding]:
    """The player who does not hit first takes all cards of both playing piles."""
    lost = case.memory.lost
    if lost is None or lost.supposed:
        return
    if lost.piles and case.seat == lost.loser and (is_turn(case) or is_play(case)):
        text = f"{lost.piles[0]} is not taken yet"
        yield Finding(case.seat, text, owes=True, rests_on=_settled_in(case, lost))


@rule_of_play(
    "HIT-03",
    source="Hitting between the playing piles",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the cards under the rest pile",
    by="ours",
    watches=(
        PileMoved,
        CardPlaced,
    ),
    moves=("play>*", "held>rest"),
    ok="PileMoved A.R play.A>A.rest n=3 flip under",
    no="PileMoved A.R play.A>A.rest n=3 flip (on top)",
)
def under_the_rest_pile(case: Case[Memory]) -> Iterator[Finding]:
    """The taken cards go to the bottom of the loser's rest pile (forming it if there is none),
    unshuffled.
    """
    lost, move = case.memory.lost, case.moved
    if lost is None or lost.supposed or case.seat != lost.loser:
        return
    rest, held = f"{lost.loser}.rest", f"{lost.loser}.held"
    if case.origin in (*PILES, held) and move.target == rest:
        if not move.under and case.before.legal(rest) and not lost.formed:
            yield Finding(case.seat, f"the cards go to the bottom of {rest}")
    elif move.origin in PILES and case.debt is None and move.target != held:
        yield Finding(case.seat, f"the cards go to the bottom of {rest}")


@rule_of_play(
    "HIT-04",
    source="Hitting between the playing piles",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="take the card back and wait",
    by="ours",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("rest>*", "arr>play", "held>play"),
    ok="A.rest>play.A, then B.rest>play.B",
    no="B.rest>play.B before A has turned",
    options=("restart_s",),
)
def winner_waits(case: Case[Memory]) -> Iterator[Finding]:
    """The other player waits (neither turns nor plays) until the player who took the cards has
    turned a rest card.
    """
    lost = case.memory.lost
    if lost is None or lost.supposed:
        return
    if case.seat not in (None, lost.loser) and (is_turn(case) or is_play(case)):
        text = f"{lost.loser} has not turned a rest card yet"
        yield Finding(case.seat, text, rests_on=_settled_in(case, lost))


def _settled_in(case: Case[Memory], lost: Lost) -> tuple[str, ...]:
    """Return the zones in which a slap's loser may have done his part unseen.

    A pile that changed unseen before the slap may be taken whole with fewer cards than are known.
    """
    return (*PILES, *changed_since(case.before, lost.t_ns, f"{lost.loser}.rest"))


GAME.declare(
    "LAST-01",
    "A player with three or fewer arranged cards may take them on hand.",
    source="Last three cards",
    observer="CK",
    kind="PERM",
    severity="fault",
    remedy="put the cards back",
    by="ours",
    ok="3 arranged cards, PileTaken A.R A.arr.1 n=2",
    no=("4 arranged cards, PileTaken A.R A.arr.1 n=2 (kept, not laid elsewhere within 2 s)"),
)

GAME.declare(
    "LAST-02",
    "They may be held so that the other player cannot see them.",
    source="Last three cards",
    observer="U",
    kind="PERM",
    severity="info",
    because="sight lines are not seen from above",
    ok="A.held three cards, identities unknown",
    no="the opponent reaches for A.held to see it (HandOn B.R A.held) -> REARR-06",
)

GAME.declare(
    "LAST-03",
    "There is no duty to show the last three cards if they were face down until then.",
    source="Last three cards",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="CardPlaced A.R 3D A.held>play.A (never seen before)",
    no="demanding that a held card be shown -> referee error",
)
