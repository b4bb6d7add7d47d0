"""Nerds: shared ace piles, a pile of thirteen to get rid of. The rules stand in printed order."""

from __future__ import annotations

# isort: off
from referee.games.nerds.game import GAME
from referee.games.nerds import dealing as dealing
from referee.games.nerds import drawing as drawing
from referee.games.nerds import working as working
from referee.games.nerds import aces as aces
from referee.games.nerds import pile as pile
from referee.games.nerds import calling as calling
from referee.games.nerds import following
# isort: on

__all__ = ["GAME"]

GAME.order(
    "REQ-03",
    "REQ-02",
    "NERDS-02",
    "CALL-02",
    "OWN-01",
    "LAY-01",
    "LAY-02",
    "NERDS-01",
    "NERDS-04",
    "DRAW-01",
    "ACE-08",
    "HAND-02",
    "DRAW-05",
    "DRAW-04",
    "DRAW-02",
    "WORK-01",
    "WORK-04",
    "WORK-05",
    "WORK-06",
    "WORK-02",
    "WORK-03",
    "ACE-02",
    "ACE-04",
    "ACE-03",
)
GAME.open = following.open_memory
GAME.prepare = following.prepare
GAME.follow = following.follow
GAME.ring = following.rang
