"""XIX: scoring."""

from __future__ import annotations

from referee.games.xix.game import GAME

GAME.declare(
    "SCORE-01",
    "The number of points depends on the total number of strikes both players received in "
    "the exchange.",
    source="Scoring",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="A 2, B 3 -> 5",
    no="using only the loser's strikes",
)


GAME.declare(
    "SCORE-02",
    "The points of a lost exchange go to the opponent of the loser.",
    source="Scoring",
    observer="K",
    kind="SCORE",
    severity="decision",
    because="told as SCORE-03",
    ok="B abandons -> A +n",
    no="loser credited",
)


GAME.declare(
    "SCORE-03",
    "1, 2, 3, 4, 5 strikes are worth 1, 3, 6, 10, 15 points; no other totals can occur.",
    source="Scoring",
    observer="K",
    kind="SCORE",
    severity="decision",
    ok="3 strikes -> 6",
    no="3 strikes -> 3",
)
