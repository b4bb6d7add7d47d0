"""Nertz: for two to eight, each with a deck. The rules stand in printed order."""

from __future__ import annotations

# isort: off
from referee.games.nertz.game import GAME
from referee.games.nertz import decks as decks
from referee.games.nertz import dealing as dealing
from referee.games.nertz import hands as hands
from referee.games.nertz import work as work
from referee.games.nertz import foundations as foundations
from referee.games.nertz import calling as calling
from referee.games.nertz import scoring as scoring
from referee.games.nertz import jokers as jokers
from referee.games.nertz import following, series, waiting
# isort: on

__all__ = ["GAME"]

# K-04: phase, owner, number of cards, source, the card itself; suit or rank before colour.
GAME.order(
    "START-01",
    "CALL-03",
    "CALL-01",
    "REQ-01",
    "REQ-03",
    "REQ-04",
    "REQ-02",
    "REQ-05",
    "SET-02",
    "SET-05",
    "HAND-04",
    "SET-03",
    "HAND-03",
    "STOCK-04",
    "STOCK-03",
    "STOCK-01",
    "STOCK-06",
    "FOUND-06",
    "FOUND-05",
    "WORK-04",
    "WORK-05",
    "WORK-07",
    "JOK-02",
    "FOUND-01",
    "FOUND-02",
    "WORK-01",
    "WORK-02",
    "JOK-04",
    "PILE-02",
    "HAND-01",
)
GAME.open = following.open_memory
GAME.follow = following.follow
GAME.ring = waiting.ring
GAME.unfold = following.unfold
GAME.prepare = series.prepare
