"""Spy vs. Spy: finishing and scoring."""

from __future__ import annotations

from referee.games.spy.game import GAME

GAME.declare(
    "FIN-01",
    "As soon as the remaining closed card(s) can be moved, the player (moves them and) "
    "announces 'finished'.",
    source="Finished",
    observer="D",
    kind="END",
    severity="decision",
    ok="last aside card placed; Declared A finished",
    no="Declared A finished with cards left and nothing placed in 3 s",
    because="decided as SCORE-01",
    options=("finish",),
)


GAME.declare(
    "FIN-02",
    "'Finished' before that is not valid.",
    source="Finished",
    observer="CK",
    kind="DUTY",
    severity="void",
    ok="stack and aside empty, Declared A finished",
    no="Declared A finished, two closed cards left",
    remedy="the game goes on",
    options=(
        "finish",
        "false_call",
    ),
)


GAME.declare(
    "SCORE-01",
    "The player who finishes first gets minus 20 points.",
    source="Scoring",
    observer="DK",
    kind="RACE",
    severity="decision",
    ok="A 40.60, B 41.00 -> A -20",
    no="later caller credited",
    options=("tie",),
)


GAME.declare(
    "SCORE-02",
    "Each remaining player gets plus 20 points.",
    source="Scoring",
    observer="K",
    kind="SCORE",
    severity="decision",
    ok="A=-20 B=+20 C=+20",
    no="second finisher at 0",
    options=(
        "bonus_half",
        "all_blocked",
    ),
)


GAME.declare(
    "SCORE-03",
    "To identify the winner usually several games are played: lowest total wins.",
    source="Scoring",
    observer="K",
    kind="END",
    severity="decision",
    ok="after 3 games A=-20 B=+60",
    no="winner declared after one game although spy.games=3",
    options=("games",),
)


GAME.declare(
    "INFO-01",
    "The game can last 15 to 90 minutes, is fast and can be played in tournaments.",
    source="Information",
    observer="U",
    kind="DEF",
    severity="info",
    ok="a game of 4 minutes: nothing recorded",
    no="a time limit enforced -> referee error",
    because="not a rule; nothing is measured against it",
)
