"""Nertz: stuck players and scoring."""

from __future__ import annotations

from referee.games.nertz.game import GAME

GAME.declare(
    "STUCK-01",
    "If all players are stuck the hand stops and is scored as usual.",
    source="paragraph 2",
    observer="DK",
    kind="END",
    severity="decision",
    options=("stuck",),
    ok="Declared A stuck; Declared B stuck",
    no="one player declares, the other still moves",
)

GAME.declare(
    "STUCK-02",
    "In this case everybody subtracts two points per nerts card left (no exemption).",
    source="paragraph 3",
    observer="K",
    kind="SCORE",
    severity="decision",
    because="part of the count that SCORE-01 tells",
    options=("penalty",),
    ok="A=-3 B=-4",
    no="last caller exempted although nobody called",
)

GAME.declare(
    "SCORE-01",
    "One point for each own card on the foundations.",
    source="paragraph 8",
    observer="KC",
    kind="SCORE",
    severity="decision",
    options=("penalty", "call_bonus", "false_call", "partners"),
    ok="23 cards -> 23",
    no="A:2C lying on B's ace counted for B",
)

GAME.declare(
    "SCORE-02",
    "Minus two points for each card left in the own nerts stack (option nertz.penalty=1/2).",
    source="paragraphs 3 and 8",
    observer="K",
    kind="SCORE",
    severity="decision",
    because="part of the count that SCORE-01 tells",
    options=("penalty",),
    ok="12 left -> -24",
    no="1 point each",
)

GAME.declare(
    "SCORE-03",
    "The player who called is exempt from the subtraction (he has none left anyway); every other "
    "player subtracts, also one whose stack happens to be empty (0 x 2 = 0).",
    source="paragraph 9",
    observer="K",
    kind="DEF",
    severity="decision",
    because="part of the count that SCORE-01 tells",
    options=("call_bonus",),
    ok="A called: only +1 per card",
    no="a bonus of 10 credited by default",
)

GAME.declare(
    "SCORE-04",
    "The foundations are collected and sorted by owner (backs).",
    source="paragraphs 8 and 9",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="spread the piles back up and count them",
    ok="A pile 23 backs, engine 23",
    no="counts differ: query",
)

GAME.declare(
    "SCORE-05",
    "Usually a series of hands is played and points accumulate to a predefined score; the first "
    "player with 150 points wins.",
    source="paragraphs 6 and 8",
    observer="K",
    kind="END",
    severity="decision",
    options=("target", "series"),
    ok="A=150 -> wins",
    no="149",
)

GAME.declare(
    "SCORE-06",
    "Variant ('this version'): every hand is a separate game.",
    source="paragraph 6",
    observer="D",
    kind="DEF",
    severity="info",
    because="a variant: option nertz.series=single",
    options=("series",),
    ok="nertz.series=single: highest hand score wins",
    no="totals carried over with nertz.series=single",
)

GAME.declare(
    "SCORE-07",
    "Calling does not guarantee the highest score.",
    source="paragraph 9",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition: winners are found by their points",
    ok="A called with 12, B has 15 -> B best",
    no="caller declared winner automatically",
)
