"""Values of the record as canonical JSON text and back, without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from referee.values import KINDS, Points, Ruling

Fields = Mapping[str, Any]


def clean(text: str) -> str:
    """Return the text with what UTF-8 cannot hold (lone surrogates) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def canonical(value: object) -> str:
    """Return the one JSON text of a value: keys sorted, no spaces, UTF-8."""
    text = json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return clean(text)


def read_fields(text: str) -> Fields:
    """Return the fields of a JSON object. Raises ValueError."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def ruling_text(ruling: Ruling) -> str:
    """Return the ruling as canonical JSON, times in nanoseconds."""
    found = {field.name: getattr(ruling, field.name) for field in fields(ruling)}
    if ruling.scores is not None:
        found["scores"] = [[points.seat, points.points] for points in ruling.scores]
    return canonical(found)


def read_ruling(text: str) -> Ruling:
    """Return the ruling that `ruling_text` wrote. Raises ValueError."""
    found = read_fields(text)
    names = {field.name for field in fields(Ruling)}
    if found.keys() != names:
        raise ValueError("these are not the fields of a ruling")
    wrong = next((name for name, right in CHECKS.items() if not right(found[name])), None)
    if wrong:
        raise ValueError(f"a ruling's {wrong} cannot be that")
    return Ruling(**{**found, **_tuples(found)})


def _tuples(found: Fields) -> dict[str, Any]:
    scores = found["scores"]
    return {
        "options": tuple(found["options"]),
        "evidence": tuple(found["evidence"]),
        "scores": None if scores is None else tuple(Points(seat, n) for seat, n in scores),
    }


def is_int(value: object) -> bool:
    """Whether a JSON value is a whole number that fits 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def is_text(value: object) -> bool:
    """Whether a JSON value is text."""
    return isinstance(value, str)


def is_texts(value: object) -> bool:
    """Whether a JSON value is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def or_none(check: Callable[[object], bool]) -> Callable[[object], bool]:
    """Return the check that takes null as well."""
    return lambda value: value is None or check(value)


def _is_probability(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_scores(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and is_text(pair[0]) and is_int(pair[1])
        for pair in value
    )


CHECKS: Mapping[str, Callable[[object], bool]] = {
    "n": is_int,
    "kind": lambda value: value in KINDS,
    "rule": is_text,
    "player": or_none(is_text),
    "t_ns": is_int,
    "text": is_text,
    "severity": is_text,
    "remedy": or_none(is_text),
    "remedy_source": or_none(is_text),
    "winner": or_none(is_text),
    "margin_ns": or_none(is_int),
    "interval_ns": or_none(is_int),
    "p_first": or_none(_is_probability),
    "scores": or_none(_is_scores),
    "options": is_texts,
    "evidence": is_texts,
}
