"""A ruling as people read it on the screens: its tone, its headline, its text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from referee.notation.spoken import in_words
from referee.values import Ruling

TONES = {
    "VIOLATION": "fault",
    "RACE": "race",
    "SCORE": "score",
    "END": "end",
    "QUERY": "query",
    "NOT_OBSERVED": "unseen",
    "INFO": "info",
}
CLOSE, HEAT = "too close to call", "dead heat"
# What the headline says in its own words.
HEADS = ("first", "hand over", CLOSE, HEAT)
# Where the short words of a ruling want a verb, or are points by seat.
PLAINER = (
    (re.compile(r"^([A-L]) (play\.[A-L])(?=[ ;])"), r"\1 takes \2"),
    (re.compile(r"^([A-L]) choose open$"), r"\1 is out: hit a pile"),
    (re.compile(r"\b([A-L])=([+-]?\d+)\b(?=( [A-L]=)?)"), r"\1 \2"),
    (re.compile(r"(\d) (?=[A-L] [+-]?\d)"), r"\1, "),
    (re.compile(r": rehit$"), ": hit again"),
)


def tone_of(ruling: Ruling) -> str:
    """Return which of the page's tones a ruling has."""
    if ruling.kind == "INFO":
        told = ("cured", "withdrawn")
        return next((tone for tone in told if ruling.text.startswith(tone)), "info")
    return TONES[ruling.kind]


def headline(ruling: Ruling, names: Mapping[str, str]) -> str:
    """Return the ruling in the fewest words, as it is called out."""
    who = names.get(ruling.player or "", ruling.player)
    winner = names.get(ruling.winner or "", ruling.winner)
    match tone_of(ruling):
        case "race":
            if ruling.winner in (None, "tie"):
                return "Too close to call" if ruling.text.startswith(CLOSE) else "Dead heat"
            return f"{winner} was first"
        case "end":
            if ruling.winner:
                return "A draw" if ruling.winner == "tie" else f"{winner} wins"
            return f"{who} ends the hand" if who else "The hand is over"
        case "score":
            return "Score"
        case "query":
            return "The referee asks"
        case "unseen":
            return "Not seen"
        case "cured":
            return "Taken back"
        case "withdrawn":
            return "Withdrawn"
        case "info":
            text = in_words(_plainer(ruling.text), names)
            return text[:1].upper() + text[1:]
    word = {"misdeal": "Misdeal", "void": "Does not count"}.get(ruling.severity, "Fault")
    return f"{word}: {who}" if who else word


def said_text(ruling: Ruling, names: Mapping[str, str]) -> str:
    """Return what the headline does not say already."""
    tone = tone_of(ruling)
    if tone == "info" or ruling.text == tone:
        return ""
    text = _plainer(ruling.text)
    if tone in ("race", "end"):
        for told in (f"{ruling.winner} first", f"{ruling.winner} wins", *HEADS):
            if text.startswith(told):
                text = text.removeprefix(told).lstrip(";: ")
    return in_words(text, names)


def said_line(ruling: Ruling, names: Mapping[str, str]) -> str:
    """Return the whole ruling in a line: headline, text, points, and what is to be done."""
    head = headline(ruling, names)
    # Many texts begin with the player, whom the headline names.
    once = replace(ruling, text=ruling.text.removeprefix(f"{ruling.player} "))
    points = ruling.scores if ruling.kind == "SCORE" else None
    told = ", ".join(f"{names.get(p.seat, p.seat)} {p.points}" for p in points or ())
    after = [text for text in (said_text(once, names), told, ruling.remedy) if text]
    text = "; ".join(after)
    between = ", " if ":" in head else " " if text.startswith("by ") else ": "
    return head + (between + text if text else "")


def _plainer(text: str) -> str:
    for pattern, plainer in PLAINER:
        text = pattern.sub(plainer, text)
    return text
