"""One event line to its value: each kind of event has one reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.notation.words import (
    RULE,
    SEAT,
    Word,
    read_actor,
    read_card,
    read_count,
    read_fraction,
    read_ns,
    read_zone,
    shown,
)
from referee.values import (
    Actor,
    Card,
    CardLifted,
    CardPlaced,
    CardTurned,
    Configured,
    Dealt,
    Declared,
    Event,
    HandOff,
    HandOn,
    Layout,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Reread,
    Timer,
    ViewBack,
    ViewLost,
)

KEYS = (
    *("u", "src", "conf", "frames"),
    *("n", "pos", "carry", "cards", "cols", "cause"),
    *("force", "flat", "clock", "off", "rate_ppm"),
)
SOURCES = ("camera", "pad", "decl", "voice", "operator", "rule")


@dataclass(slots=True)
class Line:
    """The words of an event line while it is read: positional words and `key=value` pairs."""

    head: Word
    plain: list[Word]
    keyed: dict[str, Word] = field(default_factory=dict)

    def next(self, what: str) -> Word:
        """Return the next positional word."""
        if not self.plain:
            raise self.head.wrong(f"{self.head.text} needs {what}")
        return self.plain.pop(0)

    def take(self, key: str) -> Word | None:
        """Return the value of `key=`, if the line has it."""
        return self.keyed.pop(key, None)

    def flag(self, *names: str) -> str | None:
        """Return the next positional word if it is one of `names`."""
        if self.plain and self.plain[0].text in names:
            return self.plain.pop(0).text
        return None

    def end(self) -> None:
        """Refuse what was not read."""
        left = self.plain + list(self.keyed.values())
        if left:
            raise left[0].wrong(f"{self.head.text} does not take {shown(left[0].text)}")


def event_line(words: list[Word]) -> Event:
    """Return the event that `<n> <t> <Event> <actor> <args>` writes."""
    if len(words) < 3:
        raise words[0].wrong("an event line is: number, time, event, actor, details")
    kind = words[2]
    reading = READINGS.get(kind.text)
    if reading is None:
        raise kind.wrong(f"{shown(kind.text)} is no event; known: {', '.join(READINGS)}")
    words_as_text = kind.text in ("Declared", "Configured")
    line = _split(kind, words[3:], free=words_as_text)
    common = _common(words[0], words[1], line)
    event = reading(line, common)
    line.end()
    return event


def _split(head: Word, words: list[Word], free: bool) -> Line:
    line = Line(head, [])
    for word in words:
        key, equals, _ = word.text.partition("=")
        if equals and key in (KEYS[:4] if free else KEYS):
            if key in line.keyed:
                raise word.wrong(f"{key}= stands twice")
            line.keyed[key] = word.rest(len(key) + 1)
        else:
            line.plain.append(word)
    return line


def _common(number: Word, time: Word, line: Line) -> dict[str, Any]:
    u, conf, frames, source = (line.take(k) for k in ("u", "conf", "frames", "src"))
    if source and source.text not in SOURCES:
        raise source.wrong(f"{shown(source.text)} is no source; known: {', '.join(SOURCES)}")
    if conf and read_fraction(conf) > 1:
        raise conf.wrong("conf= is a probability from 0 to 1")
    return {
        "n": read_count(number),
        "t_ns": read_ns(time),
        "u_ns": read_ns(u) if u else None,
        "conf": read_fraction(conf) if conf else None,
        "frames": frames.text if frames else None,
        "source": source.text if source else None,
    }


def _actor(line: Line) -> Actor:
    return read_actor(line.next("an actor: A.R, A.L, A.?, A or -"))


def _move(line: Line) -> tuple[str, str]:
    word = line.next("a move like A.arr.1>play.A")
    origin, arrow, _ = word.text.partition(">")
    if not arrow:
        raise word.wrong(f"{shown(word.text)} is no move; write it like A.arr.1>play.A")
    return read_zone(Word(origin, word.line, word.column)), read_zone(word.rest(len(origin) + 1))


def _count(line: Line) -> int:
    word = line.take("n")
    if word is None:
        return 1
    count = read_count(word)
    if not 1 <= count <= 999:
        raise word.wrong("n= is the number of cards, from 1 to 999")
    return count


def _pos(line: Line) -> int | None:
    word = line.take("pos")
    return read_count(word) if word else None


def _cards(line: Line) -> tuple[Card, ...]:
    word = line.take("cards")
    if word is None:
        return ()
    found, column = [], 0
    for text in word.text.split(","):
        found.append(read_card(Word(text, word.line, word.column + column)))
        column += len(text) + 1
    return tuple(found)


def _dealt(line: Line, common: dict[str, Any]) -> Event:
    actor, zone = _actor(line), read_zone(line.next("a zone"))
    cols = line.take("cols")
    columns = _columns(cols) if cols else ()
    cards = tuple(read_card(word) for word in line.plain)
    if columns and len(columns) != len(cards):
        raise line.head.wrong(f"{len(columns)} columns for {len(cards)} cards")
    line.plain.clear()
    return Dealt(actor=actor, zone=zone, cards=cards, columns=columns, **common)


def _columns(word: Word) -> tuple[int, ...]:
    column, found = word.column, []
    for text in word.text.split(","):
        found.append(read_count(Word(text, word.line, column)))
        column += len(text) + 1
    return tuple(found)


def _card_placed(line: Line, common: dict[str, Any]) -> Event:
    actor, card = _actor(line), read_card(line.next("a card"))
    origin, target = _move(line)
    carry = line.take("carry")
    return CardPlaced(
        actor=actor,
        card=card,
        origin=origin,
        target=target,
        up=line.flag("up", "down") != "down",
        under=line.flag("under") is not None,
        pos=_pos(line),
        carry_ns=read_ns(carry) if carry else None,
        **common,
    )


def _card_lifted(line: Line, common: dict[str, Any]) -> Event:
    actor, card = _actor(line), read_card(line.next("a card"))
    zone = read_zone(line.next("a zone"))
    return CardLifted(actor=actor, card=card, zone=zone, pos=_pos(line), **common)


def _card_turned(line: Line, common: dict[str, Any]) -> Event:
    actor, card = _actor(line), read_card(line.next("a card"))
    zone = read_zone(line.next("a zone"))
    up = line.flag("up", "down") != "down"
    return CardTurned(actor=actor, card=card, zone=zone, up=up, pos=_pos(line), **common)


def _pile_moved(line: Line, common: dict[str, Any]) -> Event:
    actor = _actor(line)
    origin, target = _move(line)
    flags = {word for _ in range(2) if (word := line.flag("flip", "under"))}
    return PileMoved(
        actor=actor,
        origin=origin,
        target=target,
        count=_count(line),
        flip="flip" in flags,
        under="under" in flags,
        cards=_cards(line),
        **common,
    )


def _pile_taken(line: Line, common: dict[str, Any]) -> Event:
    actor, zone = _actor(line), read_zone(line.next("a zone"))
    return PileTaken(actor=actor, zone=zone, count=_count(line), **common)


def _pile_mixed(line: Line, common: dict[str, Any]) -> Event:
    actor, zone = _actor(line), read_zone(line.next("a zone"))
    way = line.flag("riffle", "overhand", "wash", "cut") or "riffle"
    return PileMixed(actor=actor, zone=zone, way=way, **common)


def _on_zone(make: Callable[..., Event], name: str = "zone") -> Callable[..., Event]:
    def reading(line: Line, common: dict[str, Any]) -> Event:
        actor, zone = _actor(line), read_zone(line.next("a zone"))
        if name == "spot":
            common |= _felt(line)
        return make(actor=actor, **{name: zone}, **common)

    return reading


def _felt(line: Line) -> dict[str, Any]:
    """Return what a pad's touch may say of its force, its time and the pads' clock."""
    felt: dict[str, Any] = {}
    for key in ("force", "rate_ppm"):
        if number := line.take(key):
            felt[key] = read_fraction(number)
    for key in ("flat", "off"):
        if span := line.take(key):
            felt[f"{key}_ns"] = read_ns(span)
    if clock := line.take("clock"):
        felt["clock"] = clock.text
    return felt


def _declared(line: Line, common: dict[str, Any]) -> Event:
    actor, what = _actor(line), line.next("what was declared").text
    words = tuple(word.text for word in line.plain)
    line.plain.clear()
    return Declared(actor=actor, what=what, words=words, **common)


def _configured(line: Line, common: dict[str, Any]) -> Event:
    if line.plain and "=" not in line.plain[0].text:
        common["actor"] = _actor(line)
    words = tuple(word.text for word in line.plain)
    for word in line.plain:
        if "=" not in word.text:
            raise word.wrong(f"{shown(word.text)} is no setting; write name=value")
    line.plain.clear()
    return Configured(words=words, **common)


def _view(make: Callable[..., Event]) -> Callable[..., Event]:
    def reading(line: Line, common: dict[str, Any]) -> Event:
        actor, words = _actor(line), [line.next("zones, or * for the whole table")]
        cause = line.take("cause")
        while line.plain:
            words.append(line.plain.pop(0))
        zones = tuple(
            z if z == "*" else read_zone(Word(z, word.line, word.column))
            for word in words
            for z in word.text.split(",")
        )
        return make(actor=actor, zones=zones, cause=cause.text if cause else None, **common)

    return reading


def _reread(line: Line, common: dict[str, Any]) -> Event:
    actor, zone = _actor(line), read_zone(line.next("a zone"))
    index = line.next("a correction like 8H>9H") if len(line.plain) == 3 else None
    word = line.next("a correction like 8H>9H")
    old, arrow, _ = word.text.partition(">")
    if not arrow and not line.plain:
        raise word.wrong(f"{shown(word.text)} is no correction; write it like 8H>9H")
    return Reread(
        actor=actor,
        zone=zone,
        old=read_card(Word(old, word.line, word.column)),
        new=read_card(word.rest(len(old) + 1) if arrow else line.plain.pop(0)),
        pos=read_count(index) if index else _pos(line) or 0,
        **common,
    )


def _timer(line: Line, common: dict[str, Any]) -> Event:
    return Timer(actor=_actor(line), name=line.next("the timer's name").text, **common)


def _layout(line: Line, common: dict[str, Any]) -> Event:
    rule: str | None = None
    accused: str | None = None
    for word in line.plain:
        if RULE.fullmatch(word.text) and rule is None:
            rule = word.text
        elif SEAT.fullmatch(word.text.partition(".")[0]) and accused is None:
            accused = read_actor(word).seat
        elif word.text != "-":
            raise word.wrong(f"Layout takes a rule and a player, not {shown(word.text)}")
    line.plain.clear()
    if rule is None:
        raise line.head.wrong("Layout needs a rule like NERVES-SET-10")
    return Layout(rule=rule, accused=accused, **common)


READINGS: dict[str, Callable[[Line, dict[str, Any]], Event]] = {
    "Configured": _configured,
    "Dealt": _dealt,
    "CardPlaced": _card_placed,
    "CardLifted": _card_lifted,
    "CardTurned": _card_turned,
    "PileMoved": _pile_moved,
    "PileTaken": _pile_taken,
    "PileMixed": _pile_mixed,
    "HandOn": _on_zone(HandOn),
    "HandOff": _on_zone(HandOff),
    "PadHit": _on_zone(PadHit, "spot"),
    "Declared": _declared,
    "ViewLost": _view(ViewLost),
    "ViewBack": _view(ViewBack),
    "Reread": _reread,
    "Timer": _timer,
    "Layout": _layout,
}
