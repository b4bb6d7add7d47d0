"""Rulings against the expect block of a match: what is missing and what is too much."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.notation.rulings import ruling_line
from referee.values import Expected, Points, Ruling
from referee.values.rulings import TIE

# Info lines are recommended output, questions are never scripted.
BINDING = ("VIOLATION", "RACE", "SCORE", "END")
SCORES = re.compile(r"\b([A-Z])=([+-]?[0-9]+)(?![^\s])")


def differences(rulings: Iterable[Ruling], expected: Iterable[Expected]) -> tuple[str, ...]:
    """Return one line for every ruling that is missing (`-`) or was not expected (`+`).

    Compared are event number, kind, rule and player; winner and scores where the block gives
    them. Only violations, races, scores and ends count.
    """
    left = [ruling for ruling in rulings if ruling.kind in BINDING]
    lines: list[str] = []
    for line in expected:
        if line.kind not in BINDING:
            continue
        match = next((ruling for ruling in left if _agrees(ruling, line)), None)
        if match is None:
            lines.append(f"- {line.n} {line.kind} {line.rule} {line.who or '-'} {line.details}")
        else:
            left.remove(match)
    return (*lines, *(f"+ {ruling_line(ruling)}" for ruling in left))


def _agrees(ruling: Ruling, line: Expected) -> bool:
    if (ruling.n, ruling.kind, ruling.rule) != (line.n, line.kind, line.rule):
        return False
    if ruling.kind == "SCORE":
        return _scores(line) in ((), ruling.scores)
    if ruling.kind == "RACE" or (ruling.kind == "END" and ruling.winner is not None):
        return ruling.winner == (line.who or TIE)
    return ruling.player == line.who


def _scores(line: Expected) -> tuple[Points, ...]:
    found = (Points(seat, int(points)) for seat, points in SCORES.findall(line.details))
    return tuple(sorted(found, key=lambda points: points.seat))
