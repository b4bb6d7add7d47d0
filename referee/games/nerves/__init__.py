"""Nerves: for two, with playing piles, slaps and a winning hit. Rules in printed order."""

from __future__ import annotations

# isort: off
from referee.games.nerves.game import GAME
from referee.games.nerves import dealing as dealing
from referee.games.nerves import starting as starting
from referee.games.nerves import arrangement as arrangement
from referee.games.nerves import rearranging as rearranging
from referee.games.nerves import playing as playing
from referee.games.nerves import hitting as hitting
from referee.games.nerves import running_out as running_out
from referee.games.nerves import hands as hands
from referee.games.nerves import ending as ending
from referee.games.nerves import deciding, following, opening, places
# isort: on

__all__ = ["GAME"]

GAME.order(
    "REQ-01",
    "SET-01",
    "REQ-02",
    # Phase.
    "SET-03",
    "SET-05",
    "SET-06",
    "SET-12",
    "START-02",
    "ARR-12",
    "OUT-07",
    "OUT-06",
    "ARR-08",
    "ARR-06",
    "ARR-01",
    "ARR-03",
    "ARR-04",
    # Owner.
    "REARR-06",
    "TURN-02",
    # Owed, then wait.
    "PLAY-05",
    "HIT-02",
    "HIT-04",
    # Hits.
    "HAND-01",
    "HIT-01",
    "OUT-01",
    "HAND-02",
    "HAND-03",
    "HAND-04",
    # Takes.
    "HIT-03",
    "OUT-05",
    "OUT-02",
    "PILE-01",
    # Number of cards, source, values.
    "TURN-01",
    "PLAY-01",
    "REARR-05",
    "TURN-03",
    "PLAY-02",
    "PLAY-03",
    "ARR-14",
    "ARR-07",
    "REARR-02",
    "REARR-03",
    "SHUF-01",
    "SHUF-02",
)
GAME.part_of = places.part_of
GAME.open = opening.open_memory
GAME.prepare = opening.prepare
GAME.unfold = opening.unfold
GAME.cures = opening.cures
GAME.cured = opening.cured
GAME.follow = following.follow
GAME.ring = following.ring
GAME.in_force = opening.in_force
GAME.operator = deciding.operator
