"""A table found in play at which somebody still deals himself his cards: that breaks no rule."""

from __future__ import annotations

import pytest
from test_deciding import Watched

from referee.app.undealt import Undealt
from referee.table.habits import SPY

FOUND = """\
match FOUND A game of Spy as a camera finds it
  game spy
  players A B
  phase {phase}
  state
    A.stack | [?? ?? ?? ?? ??]
    A.pile.1 | 6H
    B.deck | [?? ?? ?? ?? ?? ?? ?? ?? ?? ??]
    {more}
  events
    1 1.000 PileMoved B.R B.deck>B.stack n=5
    2 2.000 CardPlaced B.R 8S B.deck>B.pile.1 up
    3 3.000 CardPlaced B.R 5D B.deck>B.pile.2 up
    4 4.000 CardPlaced B.R 2C B.deck>B.pile.3 up
    5 5.000 CardPlaced B.R 7D B.deck>B.pile.4 up
    6 6.000 CardPlaced B.R 9H B.deck>B.pile.1 up
    7 7.000 CardPlaced A.R 7C A.stack>A.pile.1 up
"""


def dealing(more: str = "", phase: str = "PLAY") -> list[int]:
    """Return the acts that are of somebody's deal."""
    table, undealt = Watched(FOUND.format(more=more, phase=phase), {}), Undealt(SPY)
    of_the_deal = []
    for event in table.match.events:
        undealt.look(table.sitting.state)
        if undealt.concerns(event):
            of_the_deal.append(event.n)
        table.sitting.feed(event)
    return of_the_deal


def test_who_has_nothing_but_his_deck_deals_till_his_square_is_whole() -> None:
    assert dealing() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("more", ["B.pile.3 | KC", "B.stack | [??]"])
def test_who_has_more_than_his_deck_plays(more: str) -> None:
    assert dealing(more) == []


def test_in_a_game_seen_from_its_deal_on_the_rules_know_who_deals() -> None:
    assert dealing(phase="SETUP") == []
