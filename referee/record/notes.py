"""The rows of a log that are neither events nor rulings: devices, gaps, evidence, reviews, the end.

Each is one frozen value, written as one canonical JSON object with the same field names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from referee.notation import NotationError, read_event
from referee.record.texts import (
    Fields,
    canonical,
    is_int,
    is_text,
    or_none,
    read_fields,
    read_ruling,
    ruling_text,
)
from referee.values import Ruling

VERDICTS = ("confirm", "withdraw", "change")
ENDINGS = ("finished", "stopped")
HOWS = ("replace", "after")
# The camera's states: open with its address as the text; disturbed, and back again.
CAMERA, CAMERA_OPEN = "camera", "open"
N = TypeVar("N")


@dataclass(frozen=True, slots=True)
class DeviceState:
    """What a device told: `device` is camera, pad.mid, page ...; `state` one word; `text` more."""

    t_ns: int
    device: str
    state: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """The referee did not run between these times of the match; nothing of them was seen."""

    from_ns: int
    to_ns: int
    why: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The evidence of the ruling in row `ruling_row`.

    `clip` is the SHA-256 of its manifest in the evidence folder, None where none could be kept;
    then `why` says the reason.
    """

    ruling_row: int
    clip: str | None
    from_ns: int
    to_ns: int
    frames: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class DisputeOpened:
    """The ruling in row `ruling_row` is disputed by a player (None: nobody is named)."""

    ruling_row: int
    by: str | None
    reason: str
    at_utc: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What really happened: a line that stands for event `n`, or that comes after it.

    `how` is `replace` or `after`; a line that comes after has its own number.
    """

    how: str
    n: int
    line: str


@dataclass(frozen=True, slots=True)
class Review:
    """The operator's word on the ruling in row `ruling_row`, with the reason.

    `corrections` are what really happened. `withdrawn` are rulings that no longer stand, `added`
    those that follow now; they were announced with this row, once.
    """

    ruling_row: int
    verdict: str
    reason: str
    at_utc: str
    corrections: tuple[Correction, ...] = ()
    withdrawn: tuple[Ruling, ...] = ()
    added: tuple[Ruling, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """The match was closed: `finished` by its rules or its players, or `stopped` before."""

    t_ns: int
    how: str


Checks = Mapping[str, Callable[[object], bool]]


def note_text(note: object) -> str:
    """Return a note without nested values as canonical JSON."""
    return canonical({field.name: getattr(note, field.name) for field in fields(note)})  # type: ignore[arg-type]


def review_text(review: Review) -> str:
    """Return a review as canonical JSON; its rulings are objects as in the rows of rulings."""
    found: dict[str, Any] = {f.name: getattr(review, f.name) for f in fields(review)}
    found["corrections"] = [[c.how, c.n, c.line] for c in review.corrections]
    for name in ("withdrawn", "added"):
        found[name] = [read_fields(ruling_text(ruling)) for ruling in found[name]]
    return canonical(found)


def _checked(text: str, checks: Checks) -> Fields:
    found = read_fields(text)
    if found.keys() != checks.keys():
        raise ValueError(f"the fields must be {', '.join(checks)}")
    wrong = next((name for name, right in checks.items() if not right(found[name])), None)
    if wrong:
        raise ValueError(f"{wrong} cannot be that")
    return found


def read_device(text: str) -> DeviceState:
    """Return a device's state. Raises ValueError."""
    checks = {"t_ns": is_int, "device": is_text, "state": is_text, "text": is_text}
    return DeviceState(**_checked(text, checks))


def read_gap(text: str) -> Gap:
    """Return a gap. Raises ValueError."""
    return Gap(**_checked(text, {"from_ns": is_int, "to_ns": is_int, "why": is_text}))


def read_kept(text: str) -> Kept:
    """Return what evidence was kept. Raises ValueError."""
    checks: Checks = {
        "ruling_row": is_int,
        "clip": or_none(is_digest),
        "from_ns": is_int,
        "to_ns": is_int,
        "frames": is_int,
        "why": is_text,
    }
    return Kept(**_checked(text, checks))


def read_dispute(text: str) -> DisputeOpened:
    """Return a dispute that was opened. Raises ValueError."""
    checks: Checks = {
        "ruling_row": is_int,
        "by": or_none(is_text),
        "reason": is_text,
        "at_utc": is_text,
    }
    return DisputeOpened(**_checked(text, checks))


def read_end(text: str) -> Ended:
    """Return how a match ended. Raises ValueError."""
    return Ended(**_checked(text, {"t_ns": is_int, "how": lambda how: how in ENDINGS}))


def read_review(text: str) -> Review:
    """Return a review. Raises ValueError."""
    checks: Checks = {
        "ruling_row": is_int,
        "verdict": lambda verdict: verdict in VERDICTS,
        "reason": is_text,
        "at_utc": is_text,
        "corrections": _is_corrections,
        "withdrawn": _is_objects,
        "added": _is_objects,
    }
    found = dict(_checked(text, checks))
    found["corrections"] = tuple(Correction(*words) for words in found["corrections"])
    for name in ("withdrawn", "added"):
        found[name] = tuple(read_ruling(canonical(one)) for one in found[name])
    return Review(**found)


def is_digest(value: object) -> bool:
    """Whether a JSON value is a SHA-256 in hexadecimal text."""
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _is_corrections(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(words, list)
        and len(words) == 3
        and words[0] in HOWS
        and is_int(words[1])
        and is_text(words[2])
        and _is_event(words[2])
        for words in value
    )


def _is_event(line: str) -> bool:
    try:
        read_event(line)
    except NotationError:
        return False
    return True
