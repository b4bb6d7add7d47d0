"""Spy vs. Spy: a race to lay five closed cards. The rules stand in printed order."""

from __future__ import annotations

# isort: off
from referee.games.spy.game import GAME
from referee.games.spy import dealing as dealing
from referee.games.spy import laying as laying
from referee.games.spy import deck as deck
from referee.games.spy import finishing as finishing
from referee.games.spy import following
# isort: on

__all__ = ["GAME"]

GAME.order(
    "REQ-03",
    "REQ-01",
    "REQ-06",
    "REQ-07",
    "REQ-02",
    "START-01",
    "SET-02",
    "SET-04",
    "SET-05",
    "SET-03",
    "DECK-03",
    "PLAY-04",
    "PLAY-05",
    "PLAY-02",
    "PILE-03",
    "DECK-02",
    "PILE-01",
    "PLAY-03",
    "DECK-01",
)
GAME.open = following.open_memory
GAME.prepare = following.prepare
GAME.follow = following.follow
GAME.ring = following.ring
GAME.cures = following.cures
