"""Rulings as the screens say them: once, in whole words, with the players' names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.app.telling import headline, said_line, said_text, tone_of
from referee.values import Ruling
from referee.values.rulings import Points

NAMES = {"A": "Ada", "B": "Ben", "C": "Cleo"}


def ruling(kind: str, rule: str, text: str, winner: str | None = None) -> Ruling:
    return Ruling(kind=kind, n=1, t_ns=0, rule=rule, text=text, player=None, winner=winner)


@pytest.mark.parametrize(
    ("given", "head", "text"),
    [
        (
            ruling("RACE", "SPY-SCORE-01", "first by 1200 ms (1186 to 1214 ms)", "A"),
            "Ada was first",
            "by 1200 ms (1186 to 1214 ms)",
        ),
        (ruling("RACE", "SPY-SCORE-01", "first", "A"), "Ada was first", ""),
        (
            ruling("RACE", "NERVES-HIT-02", "B first; A takes both piles", "B"),
            "Ben was first",
            "Ada takes both piles",
        ),
        (
            ruling("RACE", "NERVES-OUT-04", "A play.A; B gets play.B", "A"),
            "Ada was first",
            "Ada takes Ada's playing pile; Ben gets Ben's playing pile",
        ),
        (
            ruling("RACE", "NERTZ-FOUND-08", "too close to call (A 72 %, B 28 %): both stay"),
            "Too close to call",
            "(Ada 72 %, Ben 28 %): both stay",
        ),
        (
            ruling("RACE", "NERVES-HIT-02", "dead heat (closer than 40 ms): rehit", "tie"),
            "Dead heat",
            "(closer than 40 ms): hit again",
        ),
        (
            ruling("END", "SPY-SCORE-03", "A=-20 B=+20 C=+20", "A"),
            "Ada wins",
            "Ada -20, Ben +20, Cleo +20",
        ),
        (ruling("END", "NERTZ-CALL-03", "hand over"), "The hand is over", ""),
        (ruling("END", "NERVES-WIN-01", "A wins", "A"), "Ada wins", ""),
        (ruling("INFO", "NERVES-OUT-01", "A choose open"), "Ada is out: hit a pile", ""),
        (ruling("INFO", "NERVES-PLAY-03", "cured"), "Taken back", ""),
    ],
)
def test_a_ruling_is_said_once_and_in_whole_words(given: Ruling, head: str, text: str) -> None:
    assert (headline(given, NAMES), said_text(given, NAMES)) == (head, text)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            Ruling(
                kind="VIOLATION",
                n=5,
                t_ns=0,
                rule="NERVES-PLAY-03",
                player="A",
                text="A 5S on 8H differs by 3",
                remedy="take the card back",
            ),
            "Fault: Ada, 5♠ on 8♥ differs by 3; take the card back",
        ),
        (
            ruling("RACE", "NERVES-OUT-04", "A play.A; B gets play.B", "A"),
            "Ada was first: Ada takes Ada's playing pile; Ben gets Ben's playing pile",
        ),
        (ruling("END", "NERVES-WIN-01", "A wins", "A"), "Ada wins"),
        (
            ruling("RACE", "NERVES-HIT-02", "A first by 140 ms (137 to 143 ms)", "A"),
            "Ada was first by 140 ms (137 to 143 ms)",
        ),
        (
            replace(
                ruling("SCORE", "NERTZ-SCORE-01", ""), scores=(Points("A", 1), Points("B", -4))
            ),
            "Score: Ada 1, Ben -4",
        ),
    ],
)
def test_a_ruling_is_one_line_in_the_terminal(given: Ruling, line: str) -> None:
    assert said_line(given, NAMES) == line


def test_a_card_that_went_back_is_no_fault() -> None:
    assert tone_of(ruling("INFO", "XIX-TRICK-03", "cured; the exchange goes on")) == "cured"
