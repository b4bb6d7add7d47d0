"""Match text to values: blocks, head lines, start positions and expected rulings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from referee.notation.acts import event_line
from referee.notation.words import (
    DEEP,
    RULE,
    SEAT,
    NotationError,
    Word,
    read_card,
    read_count,
    read_zone,
    shown,
    words_of,
)
from referee.values import KINDS, Event, Expected, Laid, Match, Placement, Setting, Written

MOST_SEATS = 12
HEAD = ("game", "players", "census", "phase", "opt", "flag")


@dataclass(slots=True)
class Block:
    """One match while its lines are read."""

    id: str
    title: str
    head: Word
    game: str | None = None
    seats: tuple[str, ...] = ("A", "B")
    phase: str = ""
    census: int | None = None
    options: list[Setting] = field(default_factory=list)
    flags: list[Setting] = field(default_factory=list)
    start: list[Placement] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    expected: list[Expected] | None = None
    written: list[Written] = field(default_factory=list)
    section: Literal["head", "state", "events", "expect"] = "head"

    def match(self) -> Match:
        """Return the finished value."""
        if self.game is None:
            raise self.head.wrong(f"match {shown(self.id)} does not say which game it is")
        return Match(
            id=self.id,
            title=self.title,
            game=self.game,
            seats=self.seats,
            phase=self.phase,
            census=self.census,
            options=tuple(self.options),
            flags=tuple(self.flags),
            start=tuple(self.start),
            events=tuple(self.events),
            expected=None if self.expected is None else tuple(self.expected),
            written=tuple(self.written),
        )


def read_matches(text: str) -> tuple[Match, ...]:
    """All matches of a text, in order.

    Raises NotationError with line and column at the first thing that cannot be read, or when
    there is no match at all. Empty lines, lines that start with `#` and lines that start with
    three backquotes stand for nothing.
    """
    found: list[Match] = []
    block: Block | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = words_of(line, number)
        if not words or words[0].text.startswith(("#", "```")):
            continue
        if words[0].text == "match":
            if block:
                found.append(block.match())
            block = _open(words, line)
        elif block is None:
            raise words[0].wrong("a match begins with: match <id> <title>")
        else:
            _read_line(block, words, line)
    if block is None:
        raise NotationError(1, 1, "there is no match here; one begins with: match <id> <title>")
    found.append(block.match())
    return tuple(found)


def read_event(text: str, line: int = 1) -> Event:
    """One event line. Raises NotationError."""
    words = words_of(text, line)
    if not words:
        raise NotationError(line, 1, "an event line is: number, time, event, actor, details")
    return event_line(words)


def _open(words: list[Word], line: str) -> Block:
    if len(words) < 2:
        raise words[0].wrong("a match needs an id: match <id> <title>")
    title = line[words[2].column - 1 :].strip() if len(words) > 2 else ""
    return Block(words[1].text, title, words[0])


def _read_line(block: Block, words: list[Word], line: str) -> None:
    first = words[0].text
    if first in ("state", "events", "expect") and len(words) == 1:
        block.section = first  # type: ignore[assignment]
        if first == "expect" and block.expected is None:
            block.expected = []
    elif first in HEAD and (len(words) < 2 or words[1].text != "|"):
        _head(block, words)
    elif block.section == "state":
        block.start.append(_placement(block, words))
    elif block.section == "events":
        _event(block, words)
    elif block.section == "expect":
        assert block.expected is not None
        block.expected.append(_expected(words, line))
    else:
        raise words[0].wrong(
            f"{shown(first)} is no line of a match; known: {', '.join(HEAD)}, state, events, expect"
        )


def _head(block: Block, words: list[Word]) -> None:
    name = words[0]
    if len(words) < 2:
        raise name.wrong(f"{shown(name.text)} needs a value")
    value, what = words[1], name.text
    if name.text == "game":
        block.game = value.text
    elif name.text == "players":
        block.seats = _seats(words[1:])
    elif name.text == "census":
        block.census = read_count(value)
    elif name.text == "phase":
        block.phase = value.text
    else:
        setting = _setting(value)
        what = f"{name.text} {setting.name}"
        (block.options if name.text == "opt" else block.flags).append(setting)
    block.written.append(Written(what, value.line, value.column))
    if name.text != "players" and len(words) > 2:
        raise words[2].wrong(f"{name.text} takes one value")


def _seats(words: list[Word]) -> tuple[str, ...]:
    seats: list[str] = []
    for word in words:
        if not SEAT.fullmatch(word.text):
            raise word.wrong(f"{shown(word.text)} is no seat; seats are single letters A, B, ...")
        if word.text in seats:
            raise word.wrong(f"seat {word.text} stands twice")
        seats.append(word.text)
    if len(seats) > MOST_SEATS:
        raise words[0].wrong(f"{len(seats)} players; at most {MOST_SEATS} fit a table")
    return tuple(seats)


def _setting(word: Word) -> Setting:
    name, equals, value = word.text.partition("=")
    if not equals or not name:
        raise word.wrong(f"{shown(word.text)} is no setting; write name=value")
    return Setting(name, value)


def _placement(block: Block, words: list[Word]) -> Placement:
    zone = read_zone(words[0])
    if any(zone == other.zone for other in block.start):
        raise words[0].wrong(f"zone {zone} stands twice")
    if len(words) < 2 or words[1].text != "|":
        raise words[0].wrong("a start position is: zone | cards from bottom to top")
    cards: list[Laid] = []
    down, deep = False, [word.text for word in words[2:3]] == [DEEP]
    for word in words[3 if deep else 2 :]:
        opens, closes = word.text.startswith("["), word.text.endswith("]")
        if (opens and down) or (closes and not (opens or down)):
            raise word.wrong("brackets [ ] around face-down cards do not pair")
        down = down or opens
        bare = Word(word.text.strip("[]"), word.line, word.column + opens)
        if bare.text:
            cards.append(Laid(read_card(bare), not down))
        down = down and not closes
    if down:
        raise words[-1].wrong("a bracket [ is not closed")
    return Placement(zone, tuple(cards), deep)


def _event(block: Block, words: list[Word]) -> None:
    event = event_line(words)
    if block.events and event.n <= block.events[-1].n:
        raise words[0].wrong(f"event {event.n} after event {block.events[-1].n}; numbers must rise")
    block.events.append(event)


def _expected(words: list[Word], line: str) -> Expected:
    if len(words) < 4:
        raise words[0].wrong("an expected ruling is: event number, kind, rule, player, details")
    number, kind, rule, who = words[:4]
    if kind.text not in KINDS:
        raise kind.wrong(f"{shown(kind.text)} is no kind of ruling; known: {', '.join(KINDS)}")
    if not RULE.fullmatch(rule.text):
        raise rule.wrong(f"{shown(rule.text)} is no rule; write it like NERVES-PLAY-03")
    if who.text != "-" and not SEAT.fullmatch(who.text):
        raise who.wrong(f"{shown(who.text)} is no player; write a seat or -")
    details = line[words[4].column - 1 :].strip() if len(words) > 4 else ""
    seat = None if who.text == "-" else who.text
    return Expected(read_count(number), kind.text, rule.text, seat, details)
