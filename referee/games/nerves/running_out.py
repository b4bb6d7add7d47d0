"""Nerves: running out of arranged cards, and winning."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.game import GAME, PILES, Memory, rule_of_play
from referee.games.nerves.hits import chance, is_ripe, is_spent, spot_of
from referee.games.nerves.places import (
    columns_of,
    is_laying,
    is_play,
    is_turn,
    part_of,
    seat_of,
)
from referee.rulebook import Case, Finding
from referee.rulebook.state import ALL_ZONES
from referee.values import CardPlaced, PadHit, PileMoved, PileTaken


def grabs_pile(case: Case[Memory]) -> bool:
    """Return whether a playing pile is taken while it may be hit, and nobody chose yet."""
    memory, move = case.memory, case.moved
    taken = move.origin in PILES and part_of(move.target) in ("held", "rest")
    return taken and bool(memory.outs) and not memory.choices and case.debt is None


def is_first_laid(case: Case[Memory]) -> bool:
    """Return whether the first card of a new arrangement is laid."""
    picks = case.seat in case.memory.picking and case.memory.row_of(case.seat) is None
    return picks and is_laying(case)


@rule_of_play(
    "OUT-01",
    source="Running out of arranged cards",
    observer="CK",
    kind="DEF",
    severity="info",
    remedy="the hit has no effect",
    by="ours",
    watches=(
        PadHit,
        CardPlaced,
    ),
    moves=("rest>*", "arr>play", "held>play"),
    ok="CardPlaced A.R 8H arr.3>play.B, A has none left",
    no="PadHit B.R play.A while A still has 2 arranged cards",
    options=(
        "freeze_on_out",
        "slap_on_last",
    ),
)
def last_card_opens_the_piles(case: Case[Memory]) -> Iterator[Finding]:
    """When a player legally plays the last arranged card, both players are enabled to hit either
    playing pile.
    """
    if isinstance(case.event, PadHit):
        closed = spot_of(case) in PILES and chance(case) is None
        if is_ripe(case) and not is_spent(case) and closed:
            _nobody_out_of_view(case)
            yield Finding(case.seat, "false-hit")
    elif _plays_on(case) and case.setup.is_on("freeze_on_out"):
        yield Finding(case.seat, "first a pile is hit", owes=True)


def _nobody_out_of_view(case: Case[Memory]) -> None:
    """Do nothing where the last cards are in view. Unseen where one may have been played."""
    for zone in sorted(case.before.blind):
        if zone == ALL_ZONES or part_of(zone) in ("arr", "held", "play"):
            case.before.in_view(zone)


def _plays_on(case: Case[Memory]) -> bool:
    """Return whether a card is played or turned while the piles may be hit."""
    return bool(case.memory.outs) and (is_turn(case) or is_play(case))


@rule_of_play(
    "OUT-02",
    source="Running out of arranged cards",
    observer="PH",
    kind="DEF",
    severity="decision",
    remedy="taking it counts as a hit",
    by="ours",
    watches=(
        PileTaken,
        PileMoved,
    ),
    moves=("play>held", "play>rest"),
    ok="PadHit A.L play.B",
    no="PileTaken A.R play.B without a hit: not hit",
)
def hit_before_taking(case: Case[Memory]) -> Iterator[Finding]:
    """A pile is chosen by hitting it, with a hand placed on it; saying it or grabbing it without a
    hit does not choose.
    """
    if grabs_pile(case):
        yield Finding(case.seat, "not hit")


GAME.declare(
    "OUT-03",
    "Only one player can choose a given pile.",
    source="Running out of arranged cards",
    observer="PH",
    kind="DUTY",
    severity="decision",
    because="later hits on a chosen pile mean nothing and are never flagged",
    ok="A hits play.A, B hits play.B",
    no="both claim play.B -> OUT-04",
)

GAME.declare(
    "OUT-04",
    "Of two hits on the same pile the first gets the pile.",
    source="Running out of arranged cards",
    observer="PH",
    kind="RACE",
    severity="decision",
    ok="PadHit A.L play.B 40.300; PadHit B.L play.B 40.380 -> A takes play.B",
    no="B picks up play.B after losing the race",
    options=("tie",),
)


@rule_of_play(
    "OUT-05",
    source="Running out of arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="hand the cards over",
    by="ours",
    watches=(
        PileTaken,
        PileMoved,
        CardPlaced,
    ),
    moves=("play>held", "play>rest", "play>arr"),
    ok="A won play.B; PileTaken B.R play.A",
    no="A won play.B; PileTaken B.R play.B",
)
def other_pile_to_the_other(case: Case[Memory]) -> Iterator[Finding]:
    """The other player gets the other pile."""
    memory, seat = case.memory, case.seat
    mine, origin = memory.choice_of(seat), case.moved.origin
    wrong = mine and origin in PILES and origin != mine and case.debt is None
    if wrong and part_of(case.moved.target) in ("held", "rest", "arr"):
        yield Finding(seat, f"{seat} gets {mine}", rests_on=PILES)


@rule_of_play(
    "OUT-06",
    source="Running out of arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="pick up what was forgotten",
    by="ours",
    watches=(
        PileTaken,
        PileMoved,
        CardPlaced,
    ),
    moves=("held>arr", "*>held"),
    ok="PileTaken A play.B, A.rest; arr empty",
    no="A starts row 1 while A.rest still lies there",
)
def all_zones_empty(case: Case[Memory]) -> Iterator[Finding]:
    """Each player picks up the chosen pile, the own rest pile and any own arranged cards left."""
    seat, state = case.seat, case.before
    if is_first_laid(case):
        zones = (f"{seat}.rest", *columns_of(state, seat))
        if left := [zone for zone in zones if state.legal(zone) and state.table.pile(zone)]:
            text = f"{left[0]} still lies there"
            yield Finding(seat, text, owes=False, rests_on=(left[0],))
    elif seat in case.memory.picking and part_of(case.moved.target) == "held":
        owner = seat_of(case.origin)
        if part_of(case.origin) == "rest" and owner != seat:
            yield Finding(seat, f"{case.origin} belongs to {owner}")


@rule_of_play(
    "OUT-07",
    source="Running out of arranged cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="pick all cards up first",
    by="ours",
    watches=(CardPlaced,),
    moves=("held>arr",),
    ok="all picked up, Dealt A.row1",
    no="Dealt A.row1 with play.B (A's) still on the table",
)
def picked_up_before_laying(case: Case[Memory]) -> Iterator[Finding]:
    """A player may start the new arrangement as soon as all his own cards are picked up, not
    before.
    """
    memory, state = case.memory, case.before
    pile = memory.choice_of(case.seat)
    # In a fragment nobody told who chose which, but with both there nobody has taken his.
    both = not memory.choices and all(state.table.pile(zone) for zone in PILES)
    untaken = both or (pile in memory.untaken and state.legal(pile) and state.table.pile(pile))
    if is_first_laid(case) and untaken:
        text = f"{pile or 'the own pile'} still lies there"
        yield Finding(case.seat, text, owes=False, rests_on=(pile,) if pile else PILES)


GAME.declare(
    "OUT-08",
    "Nobody waits for the other's picking up or arranging.",
    source="Running out of arranged cards",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="A lays row 1 while B is still picking up",
    no="B stopped from laying row 1 because A is still collecting -> referee error",
)

GAME.declare(
    "WIN-01",
    (
        "A player wins by hitting an empty playing pile after having played all of his "
        "arranged cards."
    ),
    source="Winning the game",
    observer="PH",
    kind="END",
    severity="decision",
    ok="last card on play.B; PadHit A.R play.A (empty) first",
    no=(
        "B (with arranged cards) hits the empty pile first: B gets the empty pile, A takes "
        "the other, no win"
    ),
    options=(
        "win_needs_no_rest",
        "stalemate",
    ),
)
