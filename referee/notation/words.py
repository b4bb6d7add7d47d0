"""Words of one line with their places, and the readings of a single word."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from referee.values import Actor, Card, card

WORD = re.compile(r"\S+")
ZONE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*")
RULE = re.compile(r"[A-Z]+-[A-Z]+-[0-9]+")
SEAT = re.compile(r"[A-Z]")
TIME = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")
NUMBER = re.compile(r"[0-9]{1,9}")
HANDS = ("L", "R", "?")
DEEP = "..."  # before the cards of a start position: more may lie beneath them


class NotationError(Exception):
    """A text that cannot be read: where (from 1), and what was expected there."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason

    def __reduce__(self) -> tuple[type[NotationError], tuple[int, int, str]]:
        return (NotationError, (self.line, self.column, self.reason))


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the text and where it starts, lines and columns counted from 1."""

    text: str
    line: int
    column: int

    def wrong(self, reason: str) -> NotationError:
        """Return the error that points at this word."""
        return NotationError(self.line, self.column, reason)

    def rest(self, skip: int) -> Word:
        """Return the word without its first `skip` letters."""
        return replace(self, text=self.text[skip:], column=self.column + skip)


def words_of(text: str, line: int) -> list[Word]:
    """Return the words of one line."""
    return [Word(m.group(), line, m.start() + 1) for m in WORD.finditer(text)]


def shown(text: str) -> str:
    """Return the text as an error message quotes it: short, and without control characters."""
    clean = text if text.isprintable() else ascii(text)[1:-1]
    return f"'{clean[:40]}...'" if len(clean) > 40 else f"'{clean}'"


def read_card(word: Word) -> Card:
    """Return the card that the word writes."""
    try:
        return card(word.text)
    except ValueError:
        raise word.wrong(
            f"{shown(word.text)} is no card; write 7H, TD, A:7H, X1, 12, ?? or (7H)"
        ) from None


def read_zone(word: Word) -> str:
    """Return a zone's dotted name."""
    if not ZONE.fullmatch(word.text):
        raise word.wrong(f"{shown(word.text)} is no zone; write a name like A.arr.1 or play.B")
    return word.text


def read_ns(word: Word) -> int:
    """Seconds, with up to nine decimals, as nanoseconds."""
    found = TIME.fullmatch(word.text)
    if not found:
        raise word.wrong(f"{shown(word.text)} is no time; write seconds like 12.345")
    return int(found[1]) * 1_000_000_000 + int((found[2] or "").ljust(9, "0"))


def read_count(word: Word) -> int:
    """Return a whole number from 0."""
    if not NUMBER.fullmatch(word.text):
        raise word.wrong(f"{shown(word.text)} is no whole number")
    return int(word.text)


def read_fraction(word: Word) -> float:
    """Return a decimal number from 0."""
    if not TIME.fullmatch(word.text):
        raise word.wrong(f"{shown(word.text)} is no number; write one like 0.95")
    return float(word.text)


def read_actor(word: Word) -> Actor:
    """`A.R`, `A.L`, `A.?`, `A` or `-`."""
    if word.text == "-":
        return Actor()
    seat, dot, hand = word.text.partition(".")
    if not SEAT.fullmatch(seat) or (dot and hand not in HANDS):
        raise word.wrong(f"{shown(word.text)} is no actor; write A.R, A.L, A.?, A or -")
    return Actor(seat, hand or None)
