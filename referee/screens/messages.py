"""What a page may send: each message is read strictly, or refused with one line that says why."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.screens.setup import Chair, Setup, Share
from referee.values import Setting

LONGEST_MESSAGE_BYTES = 4096
ROLES = ("audience", "player", "operator")
# What can be declared on the page (the vocabulary's Declared, without the operator's own,
# and a ruling that is disputed).
SAYINGS = (
    "start",
    "name",
    "choose",
    "leader",
    "raise",
    "abandon",
    "finished",
    "call",
    "stuck",
    "blocked",
    "joker",
    "score",
    "resume",
    "turnfault",
    "stalemate:draw",
    "stalemate:choose",
    "hand",
    "claim",
    "dispute",
)
# A port of the disk is named on the command line only.
PADS = ("auto", "none")
MOST_SAID_WORDS = 12
# What the operator can order, with the fewest and most words of each.
ORDERS: Mapping[str, tuple[int, int]] = {
    "pause": (0, 0),
    "continue": (0, 0),
    "correct": (3, 3),
    "height": (2, 2),
    "pile": (1, 60),
    "forgive": (1, 1),
    "rule": (1, 2),
    "first": (1, 1),
    "answer": (2, 12),
    "confirm": (2, 12),
    "withdraw": (2, 12),
    "change": (3, 13),
    "note": (1, 12),
    "end": (0, 0),
    "restart": (0, 0),
    "setup": (0, 0),
    "camera": (1, 1),
    "calibrate": (1, 1),
    "table": (2, 7),
    "mark": (2, 2),
    "missed": (3, 3),
    "keep": (0, 0),
    "skip": (0, 0),
}
MOST_SEATS = 12
MOST_OPTIONS = 40
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
SEAT = re.compile(r"[A-L]")
# Words go into a line of match text: no spaces, no control characters, no key=value.
WORD = re.compile(r"[^\s=\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,60}")
TEXT = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{0,200}")
# A camera's address as the page may give it: no file of the disk is opened for a page.
ADDRESS = re.compile(r"(camera:[0-9]{1,2}|/dev/video[0-9]{1,2}|demo|(rtsp|https?)://[!-~]{1,180})")
# What `table` says, word by word: the game, how many play, and where no marker shows the table how
# wide the picture was shown (px) and where its four corners were pointed at (shares).
NUMBER = re.compile(r"[0-9]{1,5}")
POINT = re.compile(r"(0|1|0\.[0-9]{1,5}),(0|1|0\.[0-9]{1,5})")
TABLE_WORDS = (re.compile(r"[a-z]{1,20}"), NUMBER, NUMBER, *[POINT] * 4)
CORNERS = 4
LARGEST_TIME_MS = 1e13


class Refused(Exception):
    """A message that is not taken; one line that says what is wrong."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a page is for: its role, its player's seat, and what the device calls itself."""

    role: str
    seat: str | None
    events: bool


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping: the device's time when it answered."""

    id: int
    at_ms: float


@dataclass(frozen=True, slots=True)
class Said:
    """A declaration as the page sends it; `id` is the same when it is sent again.

    `by` is `key` where somebody pressed a player's key, else `button`.
    """

    id: str
    seat: str | None
    what: str
    words: tuple[str, ...]
    by: str
    at_ms: float | None


@dataclass(frozen=True, slots=True)
class Ordered:
    """An operator's order as the page sends it."""

    id: str
    do: str
    words: tuple[str, ...]
    at_ms: float | None


@dataclass(frozen=True, slots=True)
class SetUp:
    """A match's set-up as the page sends it."""

    id: str
    setup: Setup
    at_ms: float | None


Message = Hello | Pong | Said | Ordered | SetUp
Fields = dict[str, Any]


def read_message(text: str | bytes) -> Message:
    """Return the message that a page sent. Raises Refused."""
    if len(text) > LONGEST_MESSAGE_BYTES:
        raise Refused(f"a message has at most {LONGEST_MESSAGE_BYTES} bytes")
    try:
        fields = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("this is no JSON object") from None
    if not isinstance(fields, dict):
        raise Refused("this is no JSON object")
    kind = fields.pop("type", None)
    reading = READINGS.get(kind) if isinstance(kind, str) else None
    if reading is None:
        raise Refused(f"type is one of {', '.join(READINGS)}")
    message = reading(fields)
    if fields:
        raise Refused(f"unknown field {ascii(sorted(fields)[0])[:40]}")
    return message


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _text(fields: Fields, name: str, pattern: re.Pattern[str]) -> str:
    value = fields.pop(name, None)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Refused(f"{name} is missing or not of its form")
    return value


def _seat(fields: Fields) -> str | None:
    if fields.get("seat") is None:
        fields.pop("seat", None)
        return None
    return _seat_text(fields)


def _seat_text(fields: Fields) -> str:
    return _text(fields, "seat", SEAT)


def _one_of(fields: Fields, name: str, known: tuple[str, ...]) -> str:
    value = fields.pop(name, None)
    if not isinstance(value, str) or value not in known:
        raise Refused(f"{name} is one of {', '.join(known)}")
    return value


def _flag(fields: Fields, name: str, otherwise: bool) -> bool:
    value = fields.pop(name, otherwise)
    if not isinstance(value, bool):
        raise Refused(f"{name} is true or false")
    return value


def _words(fields: Fields, most: int, pattern: re.Pattern[str] = WORD) -> tuple[str, ...]:
    value = fields.pop("words", [])
    if not isinstance(value, list) or len(value) > most:
        raise Refused(f"words is a list of at most {most} words")
    if not all(isinstance(word, str) and pattern.fullmatch(word) for word in value):
        if pattern is ADDRESS:
            raise Refused("a camera is camera:0, /dev/video0, rtsp://... or http://...")
        raise Refused("a word has 1 to 60 letters, no space and no =")
    return tuple(value)


def _number(fields: Fields, name: str) -> float:
    value = fields.pop(name, None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{name} is a number")
    if not -LARGEST_TIME_MS < value < LARGEST_TIME_MS:
        raise Refused(f"{name} is out of bounds")
    return float(value)


def _at_ms(fields: Fields) -> float | None:
    if "at_ms" not in fields:
        return None
    return _number(fields, "at_ms")


def _hello(fields: Fields) -> Message:
    role = _one_of(fields, "role", ROLES)
    seat = _seat(fields)
    if (role == "player") != (seat is not None):
        raise Refused("a player, and nobody else, has a seat")
    return Hello(role, seat, _flag(fields, "events", False))


def _pong(fields: Fields) -> Message:
    number = fields.pop("id", None)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**53:
        raise Refused("id is the number of the ping")
    return Pong(number, _number(fields, "at_ms"))


def _said(fields: Fields) -> Message:
    what = _one_of(fields, "what", SAYINGS)
    by = _one_of(fields, "by", ("key", "button")) if "by" in fields else "button"
    words = _words(fields, MOST_SAID_WORDS)
    return Said(_text(fields, "id", ID), _seat(fields), what, words, by, _at_ms(fields))


def _ordered(fields: Fields) -> Message:
    do = _one_of(fields, "do", tuple(ORDERS))
    fewest, most = ORDERS[do]
    words = _words(fields, most, ADDRESS if do == "camera" else WORD)
    if len(words) < fewest:
        raise Refused(f"{do} needs {fewest} words")
    if do == "table" and not all(map(re.Pattern.fullmatch, TABLE_WORDS, words)):
        raise Refused("table is a game, how many play, the picture's width and four corners")
    return Ordered(_text(fields, "id", ID), do, words, _at_ms(fields))


def _set_up(fields: Fields) -> Message:
    setup = fields.pop("setup", None)
    if not isinstance(setup, dict):
        raise Refused("setup is an object")
    chosen = Setup(
        game=_text(setup, "game", WORD),
        chairs=_chairs(setup.pop("chairs", None)),
        options=_options(setup.pop("options", {})),
        source=_text(setup, "source", ADDRESS) if setup.get("source") else _empty(setup),
        pads=_one_of(setup, "pads", PADS) if "pads" in setup else "auto",
        corners=_corners(setup.pop("corners", [])),
    )
    if setup:
        raise Refused(f"setup has an unknown field {ascii(sorted(setup)[0])[:40]}")
    return SetUp(_text(fields, "id", ID), chosen, _at_ms(fields))


def _empty(setup: Fields) -> str:
    """Return no address, where none was given."""
    if setup.pop("source", "") != "":
        raise Refused("source is missing or not of its form")
    return ""


def _chairs(value: object) -> tuple[Chair, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_SEATS:
        raise Refused(f"chairs is a list of 1 to {MOST_SEATS} players")
    chairs = []
    for chair in value:
        if not isinstance(chair, dict) or set(chair) != {"seat", "name"}:
            raise Refused("a chair has a seat and a name")
        chairs.append(Chair(_seat_text(chair), _text(chair, "name", TEXT)))
    if len({chair.seat for chair in chairs}) < len(chairs):
        raise Refused("a seat stands twice")
    return tuple(chairs)


def _corners(value: object) -> tuple[Share, ...]:
    if not isinstance(value, list) or len(value) not in (0, CORNERS):
        raise Refused(f"corners is a list of none or {CORNERS}")
    return tuple(_share(corner) for corner in value)


def _share(value: object) -> Share:
    if not isinstance(value, list) or len(value) != 2:
        raise Refused("a corner is two numbers")
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            raise Refused("a corner is two numbers from 0 to 1")
    return float(value[0]), float(value[1])


def _options(value: object) -> tuple[Setting, ...]:
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        raise Refused(f"options is an object of at most {MOST_OPTIONS} values")
    for name, choice in value.items():
        if not WORD.fullmatch(name) or not isinstance(choice, str) or not WORD.fullmatch(choice):
            raise Refused("an option has a name and a value")
    return tuple(Setting(name, choice) for name, choice in sorted(value.items()))


READINGS: Mapping[str, Callable[[Fields], Message]] = {
    "hello": _hello,
    "pong": _pong,
    "say": _said,
    "order": _ordered,
    "setup": _set_up,
}
