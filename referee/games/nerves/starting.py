"""Nerves: the start."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.dealing import owner_of
from referee.games.nerves.game import GAME, HALVES, Memory, rule_of_play
from referee.games.nerves.places import part_of, seat_of
from referee.rulebook import Case, Finding
from referee.values import PileMoved, PileTaken

GAME.declare(
    "START-01",
    "Hands may leave the table only when the game has started.",
    source="Playing the game",
    observer="H",
    kind="DUTY",
    severity="procedure",
    remedy="hands back; the name is said again",
    by="ours",
    ok="Declared - start 11.2; HandOff A.R 11.3",
    no="HandOff A.R 10.7; Declared - start 11.2",
)


@rule_of_play(
    "START-02",
    source="Playing the game",
    observer="CH",
    kind="DUTY",
    severity="fault",
    remedy="give the pile back",
    by="ours",
    watches=(
        PileTaken,
        PileMoved,
    ),
    moves=("*>held", "*>pile"),
    ok="PileTaken A.L A.pile",
    no="PileTaken A.L B.pile",
)
def own_pile_only(case: Case[Memory]) -> Iterator[Finding]:
    """On the start each player picks up the own pile, not the other's."""
    zone, target, seat = case.moved.origin, case.moved.target, case.seat
    if seat is None or part_of(target) not in ("held", "pile"):
        return
    owner = owner_of(case, zone) if zone in HALVES else None
    if part_of(zone) == "pile":
        owner = seat_of(zone)
    if owner is not None and owner != seat_of(target):
        yield Finding(seat, f"{zone} belongs to {owner}")
