"""What lies on a rendered table first: only what the script puts there."""

from __future__ import annotations

from referee.notation import read_matches
from referee.simulate.acts import Carry
from referee.simulate.plotting import Plot, plot
from referee.table.layout import plan

SHUFFLED = """\
match SHUFFLED A stack of a shuffled deck
  game spy
  players A B
  phase SETUP
  state
  events
    1 1.000 Dealt A A.deck (7H) (2H) (QC) (TS) (4H)
    2 3.000 PileMixed A.? A.deck overhand
    3 5.000 PileMoved A.R A.deck>A.stack n=2
    4 6.000 CardPlaced A.R TS A.deck>A.pile.1 up
    5 7.000 CardPlaced A.R 7H A.stack>A.pile.5 up
"""


def _plotted(text: str) -> Plot:
    match = next(iter(read_matches(text)))
    zones = [zone.name for zone in plan(match.game, match.seats).zones]
    return plot(match, zones, seed=1)


def test_a_shuffled_deck_gives_the_cards_that_are_named_later_and_none_lies_there_before() -> None:
    plotted = _plotted(SHUFFLED)
    assert [(pile.zone, len(pile.pieces), any(pile.up)) for pile in plotted.start] == [
        ("A.held", 5, False)
    ]
    faces = [plotted.pieces[act.pieces[0]].face for act in plotted.acts
             if isinstance(act, Carry) and len(act.pieces) == 1]  # fmt: skip
    assert faces == ["TS", "7H"]
    assert sorted(piece.face for piece in plotted.pieces) == ["2H", "4H", "7H", "QC", "TS"]
