"""The head of a log: what was played, by whom, when, and by which referee under which rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.notation import NotationError, read_matches, write_match
from referee.record.texts import Fields, canonical, read_fields
from referee.values import Match, Setting

FIELDS = {"match", "began_utc", "players", "options", "meanings", "versions", "rules"}


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule's number and its printed sentence, as they stood when the match was played."""

    id: str
    norm: str


@dataclass(frozen=True, slots=True)
class Head:
    """The first row of a log.

    `match` is the start: its events are empty and its expect block None. `began_utc` is the wall
    time at the match's time 0, ISO 8601 in UTC with `Z`. `players` give a name to each seat that
    has one. `options` are all options in force, `meanings` say what each is about. `versions`
    name the referee, its rules, its models and its calibration. `rules` are the game's sentences,
    so that a log can be read without the referee that wrote it.
    """

    match: Match
    began_utc: str
    players: tuple[Setting, ...] = ()
    options: tuple[Setting, ...] = ()
    versions: tuple[Setting, ...] = ()
    meanings: tuple[Setting, ...] = ()
    rules: tuple[RuleText, ...] = ()

    def name_of(self, seat: str | None) -> str:
        """Return a player's name, the seat where none was given, `nobody` for no seat."""
        if seat is None:
            return "nobody"
        return next((p.value for p in self.players if p.name == seat), seat)

    @property
    def names(self) -> dict[str, str]:
        """The name of each seat, as in `name_of`."""
        return {seat: self.name_of(seat) for seat in self.match.seats}

    def norm_of(self, rule: str) -> str:
        """Return the printed sentence of a rule, empty where the head does not have it."""
        return next((text.norm for text in self.rules if text.id == rule), "")


def head_text(head: Head) -> str:
    """Return the head as canonical JSON."""
    return canonical(
        {
            "match": write_match(replace(head.match, events=(), expected=None)),
            "began_utc": head.began_utc,
            "players": _pairs(head.players),
            "options": _pairs(head.options),
            "meanings": _pairs(head.meanings),
            "versions": _pairs(head.versions),
            "rules": {rule.id: rule.norm for rule in head.rules},
        }
    )


def _pairs(settings: Iterable[Setting]) -> dict[str, str]:
    return {setting.name: setting.value for setting in settings}


def read_head(text: str) -> Head:
    """Return the head that `head_text` wrote. Raises ValueError."""
    found = read_fields(text)
    if not found.keys() >= FIELDS:
        raise ValueError("these are not the fields of a match's head")
    try:
        (match,) = read_matches(found["match"])
    except (NotationError, ValueError, TypeError, AttributeError) as reason:
        raise ValueError(f"the match's start cannot be read ({reason})") from None
    rules = tuple(RuleText(id, norm) for id, norm in _texts(found, "rules"))
    if not isinstance(found["began_utc"], str):
        raise ValueError("began_utc is no text")
    return Head(
        match=match,
        began_utc=found["began_utc"],
        players=_settings(found, "players"),
        options=_settings(found, "options"),
        versions=_settings(found, "versions"),
        meanings=_settings(found, "meanings"),
        rules=rules,
    )


def _settings(found: Fields, name: str) -> tuple[Setting, ...]:
    return tuple(Setting(key, value) for key, value in _texts(found, name))


def _texts(found: Fields, name: str) -> tuple[tuple[str, str], ...]:
    pairs: Any = found[name]
    if not isinstance(pairs, dict) or not all(isinstance(value, str) for value in pairs.values()):
        raise ValueError(f"{name} are no texts by name")
    return tuple(pairs.items())
