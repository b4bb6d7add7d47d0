"""Several hands at one table: what was played is gathered, and the next hand is dealt anew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_scene_rough import A, L, Table, Touched

from referee.commands.benches._comparing import compared
from referee.commands.benches._flaws import PERFECT
from referee.commands.benches.looks import play
from referee.play import legal_match
from referee.values import Dealt, Match, PileMixed

NINE = (2, "9D", "A.work.1", (0.0, 0.0))
STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
LAID = "A.stock " + "(2C) " * 20 + "| A.work.1 A:9D"
NEXT = (9, "7S", "A.work.1", (0.0, 0.0))
GATHERED_MS, DEALT_MS = 4_000, 7_000


def _gather(*touches: Touched) -> Table:
    """Play a card or two, and let nothing be left of it."""
    table = Table("nertz", *touches, known=LAID)
    table.look(0, STOCK, NINE)
    table.looks(1_000, GATHERED_MS, STOCK, NINE)
    assert not table.looks(GATHERED_MS, DEALT_MS)
    return table


def test_the_first_card_after_all_were_gathered_is_dealt() -> None:
    table = _gather(
        Touched(A, GATHERED_MS, "A.work.1"),
        Touched(L, GATHERED_MS, "A.stock"),
        Touched(A, DEALT_MS, "A.work.1"),
    )
    assert table.scene.dealing
    told = table.looks(DEALT_MS, DEALT_MS + 1_000, NEXT)
    assert [(type(one), str(one.cards[-1])) for one in told if isinstance(one, Dealt)] == [
        (Dealt, "A:7S")
    ]
    assert len(told) == 1


def test_cards_that_a_camera_does_not_see_for_a_while_were_not_gathered() -> None:
    table = _gather()
    assert not table.scene.dealing
    assert not table.looks(DEALT_MS, DEALT_MS + 1_000, STOCK, NINE)


@pytest.mark.parametrize("game", ["nertz", "spy"])
def test_the_second_hand_is_followed_like_the_first(game: str) -> None:
    match = _two_hands(game)
    played = play(match, PERFECT, "deal", len(match.events), 1)
    second_ns = [one.t_ns for one in played.true if isinstance(one, PileMixed)][2]
    found = compared(played.true, played.told)
    missed = [one for one in found.missed if not isinstance(one, PileMixed)]
    assert not [one for one in (*missed, *found.invented) if one.t_ns > second_ns]
    assert not [one for one in played.rulings if one.kind == "VIOLATION"]


def _two_hands(game: str) -> Match:
    """Return a match up to the first acts of its second hand."""
    match = legal_match(game, 2, 7008 if game == "nertz" else 7001, hands=2)
    mixes = [k for k, one in enumerate(match.events) if isinstance(one, PileMixed)]
    return replace(match, events=match.events[: mixes[2] + 50])
