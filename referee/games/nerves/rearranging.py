"""Nerves: re-arrangement and turning rest cards."""

from __future__ import annotations

from collections.abc import Container, Iterator

from referee.games.nerves.game import GAME, PILES, Memory, rule_of_play
from referee.games.nerves.places import (
    columns_of,
    is_live,
    is_own,
    is_play,
    is_turn,
    part_of,
    seat_of,
)
from referee.rulebook import Case, Finding, replace
from referee.values import CardPlaced, CardTurned, HandOn, PileMoved, PileTaken

MOST_OPEN = 5


def open_piles(case: Case[Memory], unsure: Container[int | str] = ()) -> int:
    """Return how many of the actor's piles hold a face-up card after the event.

    Cards that are `unsure` to lie where they are believed to are not counted.
    """
    after = replace(case.before, table=case.table)
    piles = (after.legal(zone) for zone in columns_of(after, case.seat))
    return sum(any(one.up and one.token not in unsure for one in pile) for pile in piles)


GAME.declare(
    "REARR-01",
    (
        "At any time after the arrangement a player may re-arrange the own arranged cards as "
        "he likes."
    ),
    source="Re-arrangement of cards",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="CardPlaced A.R KS A.arr.1>A.arr.4",
    no="the same before A's arrangement is finished -> ARR-06",
)


@rule_of_play(
    "REARR-02",
    source="Re-arrangement of cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="turn or put the sixth back first",
    by="ours",
    watches=(
        CardTurned,
        CardPlaced,
        PileMoved,
    ),
    moves=("*>arr",),
    ok="five face-up tops, two further face-down piles",
    no="sixth pile gets a face-up top",
)
def five_open_piles(case: Case[Memory]) -> Iterator[Finding]:
    """At any time a player has at most five piles showing face-up cards."""
    if not is_live(case) or not is_own(case, case.moved.target, "arr"):
        return
    if case.moved.up and (count := open_piles(case)) > MOST_OPEN:
        columns, unsure = columns_of(case.before, case.seat), case.before.unsurely
        surely = open_piles(case, unsure.keys() - {*case.moved.tokens}) > MOST_OPEN
        text = f"{count} piles show a face"
        yield Finding(case.seat, text, surely=surely, rests_on=columns)


@rule_of_play(
    "REARR-03",
    source="Re-arrangement of cards",
    observer="C",
    kind="PERM",
    severity="info",
    remedy="",
    by="ours",
    watches=(CardTurned,),
    moves=("arr>arr",),
    ok="CardTurned A.R 3D A.arr.1 up",
    no="with turn_down=no: CardTurned A.R 3D A.arr.1 down",
    options=("turn_down",),
)
def turned_up_only(case: Case[Memory]) -> Iterator[Finding]:
    """To get (up to) five face-up piles a player may turn any own face-down card."""
    own = is_live(case) and is_own(case, case.moved.target, "arr")
    if own and not case.moved.up and not case.setup.is_on("turn_down"):
        yield Finding(case.seat, "arranged cards are not turned down", owes=True)


GAME.declare(
    "REARR-04",
    "Own face-up cards of the same value may be stacked on each other.",
    source="Re-arrangement of cards",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="CardPlaced A.R 8H A.arr.1>A.arr.2 with 8D on top of arr.2",
    no="9H on 8D: allowed as re-arranging, but counts by visible top only (REARR-05)",
)


@rule_of_play(
    "REARR-05",
    source="Re-arrangement of cards",
    observer="K",
    kind="DEF",
    severity="info",
    remedy="",
    by="ours",
    watches=(CardPlaced,),
    moves=("arr>play",),
    ok="8H on 8D + four others = five piles",
    no="8H played from beneath 8D",
    beside=True,
)
def top_of_stack(case: Case[Memory]) -> Iterator[Finding]:
    """A same-value stack counts as one face-up pile for REARR-02."""
    covered = is_play(case) and part_of(case.origin) == "arr" and case.was_up
    if covered and case.debt is None and case.moved.depth:
        yield Finding(case.seat, f"{case.card} lay beneath another card")


@rule_of_play(
    "REARR-06",
    source="Re-arrangement of cards",
    observer="CH",
    kind="DUTY",
    severity="fault",
    remedy="restore the cards",
    by="ours",
    watches=(
        CardPlaced,
        CardTurned,
        PileMoved,
        PileTaken,
        HandOn,
    ),
    moves=("arr>*", "held>*", "*>arr", "*>held"),
    ok="CardPlaced A.R 7H A.arr.1>play.B",
    no="CardPlaced A.L TC B.arr.2>B.arr.1; CardTurned A.R 4S B.arr.2",
)
def own_arrangement_only(case: Case[Memory]) -> Iterator[Finding]:
    """A player never re-arranges (moves, turns, takes, plays) the other player's arranged cards."""
    if case.seat is None:
        return
    if isinstance(case.event, HandOn):
        zones = [case.event.zone] if part_of(case.event.zone) == "held" else []
    else:
        zones = [z for z in (case.origin, case.moved.target) if part_of(z) in ("arr", "held")]
    for zone in zones:
        if seat_of(zone) != case.seat and not _goes_home(case, zone):
            yield Finding(case.seat, f"{zone} belongs to {seat_of(zone)}")
            return


def _goes_home(case: Case[Memory], zone: str) -> bool:
    """Return whether an owed card is moved off a playing pile, and this is a zone of its player."""
    owed = case.move is not None and case.debt is not None and case.moved.origin in PILES
    return owed and case.debt is not None and seat_of(zone) == case.debt.seat


@rule_of_play(
    "TURN-01",
    source="Turning rest cards",
    observer="C",
    kind="PERM",
    severity="info",
    remedy="",
    by="ours",
    watches=(PileMoved,),
    moves=("rest>*",),
    ok="CardPlaced A.R JD A.rest>play.A up",
    no="two cards turned as one block: the lower one counts as turned first",
    beside=True,
)
def one_at_a_time(case: Case[Memory]) -> Iterator[Finding]:
    """After arranging, a player may turn the top card of the own rest pile face up onto the own
    playing pile, at any time and any number of times.
    """
    if is_turn(case) and case.moved.count > 1:
        yield Finding(case.seat, f"{case.moved.count} cards turned as one block")


@rule_of_play(
    "TURN-02",
    source="Turning rest cards",
    observer="CH",
    kind="DUTY",
    severity="fault",
    remedy="put the card back on that rest pile",
    by="ours",
    watches=(
        CardPlaced,
        PileMoved,
        PileTaken,
    ),
    moves=("rest>*",),
    ok="CardPlaced A.R 6D A.rest>play.A",
    no="CardPlaced A.R 2S B.rest>play.A",
)
def own_rest_only(case: Case[Memory]) -> Iterator[Finding]:
    """A player never turns a card from the other player's rest pile."""
    owner = seat_of(case.origin)
    takes = is_turn(case) or part_of(case.moved.target) == "held"
    if part_of(case.origin) == "rest" and takes and case.seat not in (None, owner):
        yield Finding(case.seat, f"{case.origin} belongs to {owner}")


@rule_of_play(
    "TURN-03",
    source="Turning rest cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back",
    by="ours",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("rest>*",),
    ok="A.rest>play.A",
    no="A.rest>play.B",
)
def onto_own_pile(case: Case[Memory]) -> Iterator[Finding]:
    """A rest card goes onto the own playing pile, the one next to the own rest pile."""
    own = f"play.{seat_of(case.origin)}"
    if is_turn(case) and case.moved.target != own:
        yield Finding(case.seat, f"a rest card goes onto {own}")


GAME.declare(
    "TURN-04",
    (
        "A rest card is turned so that the other player sees its face first (turned away from "
        "oneself)."
    ),
    source="Turning rest cards",
    observer="U",
    kind="DUTY",
    severity="info",
    because="from above nobody can tell who saw the face first; a claim is noted",
    ok="card hinged on its far edge... not verifiable",
    no="Declared B turnfault -> INFO claim",
)

GAME.declare(
    "TURN-05",
    "Nobody is ever forced to turn a rest card.",
    source="Turning rest cards",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="30 s without turning",
    no="referee orders a turn -> referee error",
    options=("restart_s",),
)
