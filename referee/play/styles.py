"""What differs between Nerds and Nertz for whoever plays them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """What differs between the two games."""

    game: str
    prefix: str
    penalty: int
    blocks: bool
    singly: bool
    nerts_up: bool
    target: int
    beaten: bool
    hand_over: str
    stuck: str
    score: str
    won: str
    first: str
    draw: str


NERDS = Style(
    game="nerds",
    prefix="NERDS",
    penalty=1,
    blocks=False,
    singly=True,
    nerts_up=False,
    target=10,
    beaten=True,
    hand_over="NERDS-CALL-02",
    stuck="NERDS-CALL-02",
    score="NERDS-SCORE-01",
    won="NERDS-SCORE-03",
    first="NERDS-ACE-06",
    draw="NERDS-ACE-06",
)
NERTZ = Style(
    game="nertz",
    prefix="NERTZ",
    penalty=2,
    blocks=True,
    singly=False,
    nerts_up=True,
    target=100,
    beaten=False,
    hand_over="NERTZ-CALL-03",
    stuck="NERTZ-STUCK-01",
    score="NERTZ-SCORE-01",
    won="NERTZ-SCORE-05",
    first="NERTZ-FOUND-07",
    draw="NERTZ-FOUND-08",
)
