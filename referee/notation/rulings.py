"""Rulings as text: one JSON object, or one line for people."""

from __future__ import annotations

import json

from referee.notation.writing import write_time
from referee.values import Ruling
from referee.values.rulings import TIE


def ruling_json(ruling: Ruling, match_id: str) -> str:
    """Return the ruling as the one-line JSON object that other programs read; `t` in seconds."""
    scores = None if ruling.scores is None else {p.seat: p.points for p in ruling.scores}
    fields = {
        "match": match_id,
        "n": ruling.n,
        "kind": ruling.kind,
        "rule": ruling.rule,
        "player": ruling.player,
        "severity": ruling.severity,
        "remedy": ruling.remedy,
        "remedy_source": ruling.remedy_source,
        "t": float(write_time(ruling.t_ns)),
        "text": ruling.text,
        "winner": ruling.winner,
        "margin_ms": _ms(ruling.margin_ns),
        "interval_ms": _ms(ruling.interval_ns),
        "p_first": ruling.p_first,
        "scores": scores,
        "options": list(ruling.options),
        "evidence": list(ruling.evidence),
    }
    return json.dumps(fields, ensure_ascii=False)


def _ms(span_ns: int | None) -> float | None:
    return None if span_ns is None else span_ns / 1_000_000


def ruling_line(ruling: Ruling) -> str:
    """Return the ruling as people read it, in the manner of a line of an expect block."""
    remedy = f" [{ruling.remedy}: {ruling.remedy_source}]" if ruling.remedy else ""
    who = ruling.winner or ruling.player or "-"
    who = "-" if who == TIE else who
    # Many texts begin with the player: he is named once.
    text = ruling.text.removeprefix(f"{who} ")
    scores = _scores(ruling)
    words = [str(ruling.n), ruling.kind, ruling.rule, who, text]
    words += [] if text.endswith(scores) else [scores]
    return " ".join(word for word in words if word) + remedy


def _scores(ruling: Ruling) -> str:
    """Return the points of a hand with their sign, totals (XIX has no others) without."""
    of_hand = ruling.kind == "SCORE" and not ruling.rule.startswith("XIX-")
    sign = "+" if of_hand else ""
    return " ".join(f"{p.seat}={p.points:{sign}d}" for p in ruling.scores or ())
