"""XIX: for two, eighteen cards, tricks, strikes and drafts. The rules stand in printed order."""

from __future__ import annotations

# isort: off
from referee.games.xix.game import GAME
from referee.games.xix import dealing as dealing
from referee.games.xix import hands as hands
from referee.games.xix import tricks as tricks
from referee.games.xix import scoring as scoring
from referee.games.xix import drafting as drafting
from referee.games.xix import trading as trading
from referee.games.xix import ending as ending
from referee.games.xix import following, opening, readying, waiting
# isort: on

__all__ = ["GAME"]

GAME.order(
    "REQ-01",
    "SET-02",
    "SET-05",
    "SET-06",
    "SET-07",
    "SET-04",
    "HAND-04",
    "HAND-02",
    "DRAFT-01",
    "DRAFT-03",
    "TRADE-01",
    "HAND-06",
    "NEXT-02",
    "TRICK-03",
    "TRICK-01",
    "TRICK-02",
    "STRIKE-05",
    "STRIKE-02",
    "DRAFT-04",
    "DRAFT-02",
    "DRAFT-05",
    "TRADE-07",
    "TRADE-02",
    "TRADE-03",
    "TRADE-04",
    "TRADE-05",
    "TRADE-06",
    "DRAFT-06",
)
GAME.open = opening.open_memory
GAME.follow = following.follow
GAME.ring = waiting.ring
GAME.prepare = readying.prepare
GAME.dealt_from = readying.dealt_from
GAME.cures = following.cures
