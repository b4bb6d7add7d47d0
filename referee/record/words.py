"""What the record tells people, in words: rulings, races, gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.notation import write_event
from referee.notation.spoken import card_sign, in_words, zone_words
from referee.record.figures import Story, Unseen
from referee.record.intervals import Act, probability_first
from referee.record.plots import clock
from referee.values import (
    Card,
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Declared,
    Event,
    HandOff,
    HandOn,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Reread,
    Ruling,
    ViewBack,
    ViewLost,
)
from referee.values.rulings import TIE

KIND_WORDS = {
    "VIOLATION": "fault",
    "RACE": "race",
    "SCORE": "score",
    "END": "end",
    "INFO": "note",
    "QUERY": "question",
    "NOT_OBSERVED": "not observed",
}


def ruling_words(story: Story, ruling: Ruling) -> str:
    """Return a ruling as a sentence in the players' words: names, cards, places."""
    parts = [_said(story, ruling)]
    if ruling.kind == "SCORE" and ruling.scores:
        points = (f"{story.head.name_of(p.seat)} {p.points}" for p in ruling.scores)
        parts.insert(0, ", ".join(points))
    if ruling.remedy:
        parts.append(f"remedy: {ruling.remedy}")
    return "; ".join(part for part in parts if part)


def _said(story: Story, ruling: Ruling) -> str:
    """Return a ruling's text with whom it is about, who is named once."""
    names, won = story.head.names, winner_words(story, ruling)
    who = ruling.winner or ruling.player
    rest = ruling.text.removeprefix(f"{who} ")
    said = in_words(rest, names)
    if ruling.kind in ("RACE", "END") and won:
        verb, _, more = said.partition(" ")
        if verb.rstrip(";") in ("first", "wins"):
            return won + (";" if verb.endswith(";") else "") + (f" {more}" if more else "")
        return f"{won}: {said}" if rest != ruling.text else f"{won}; {said}"
    if who is None or ruling.kind == "SCORE":
        return in_words(ruling.text, names)
    return f"{names.get(who, who)}{' ' if rest != ruling.text else ': '}{said}"


def winner_words(story: Story, ruling: Ruling) -> str:
    """Return who won a race or a game."""
    if ruling.winner == TIE:
        return "nobody was first" if ruling.kind == "RACE" else "a tie"
    if ruling.winner is None:
        return ""
    verb = "was first" if ruling.kind == "RACE" else "wins"
    return f"{story.head.name_of(ruling.winner)} {verb}"


def race_words(story: Story, ruling: Ruling, acts: Sequence[Act]) -> str:
    """Return a race's margin, its uncertainty and the probability of its winner."""
    if ruling.margin_ns is None:
        return "nobody else was seen in this race"
    words = f"margin {ms(ruling.margin_ns)}"
    if ruling.interval_ns is not None:
        words += f", uncertainty of both {ms(ruling.interval_ns)}"
    p_first = first_probability(ruling, acts)
    if p_first is not None:
        earlier = story.head.name_of(acts[0].seat if acts else ruling.winner)
        words += f"; {earlier} was first with a probability of {percent(p_first)}"
    return words


def first_probability(ruling: Ruling, acts: Sequence[Act]) -> float | None:
    """Return how probable it is that the earlier act was the first: the sensor's word, or ours."""
    if ruling.p_first is not None:
        return ruling.p_first
    return probability_first(acts[0], acts[1]) if len(acts) == 2 else None


def percent(p: float) -> str:
    """Return a probability for people; never rounded to certainty."""
    if p > 0.9999:
        return "more than 99.99 %"
    decimals = 2 if p > 0.99 else 0
    return f"{100 * p:.{decimals}f} %"


def ms(span_ns: int) -> str:
    """Return a short span for people."""
    return f"{span_ns / 1e6:.1f}".removesuffix(".0") + " ms"


def unseen_words(gap: Unseen, names: Mapping[str, str]) -> str:
    """Return what was out of view, when, and why."""
    until = "the end" if gap.to_ns is None else clock(gap.to_ns, 1)
    why = f" ({gap.cause})" if gap.cause else ""
    return f"{_zones(gap.zones, names)} from {clock(gap.from_ns, 1)} to {until}{why}"


def _zones(zones: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join("the whole table" if z == "*" else zone_words(z, names) for z in zones)


def sentence(words: str) -> str:
    """Return words as a sentence: a large letter at its beginning, a full stop at its end."""
    return f"{words[:1].upper()}{words[1:]}" + ("" if words.endswith((".", "?", "!")) else ".")


def card_words(card: Card, names: Mapping[str, str]) -> str:
    """Return a card as players write it: `7♥`, `10♦`; whose it is, where decks have owners."""
    if card.hidden or not card.known:
        return "a card"
    face = card_sign(card.face)
    return f"{names.get(card.deck, card.deck)}'s {face}" if card.deck else face


def event_words(event: Event, names: Mapping[str, str]) -> str:
    """Return what happened in an event, in words; who did it stands beside it."""

    def place(zone: str) -> str:
        return zone_words(zone, names)

    match event:
        case CardPlaced():
            how = "" if event.up else ", face down"
            to = "under" if event.under else "to"
            card = card_words(event.card, names)
            return f"{card} from {place(event.origin)} {to} {place(event.target)}{how}"
        case CardLifted():
            return f"lifts {card_words(event.card, names)} from {place(event.zone)}"
        case CardTurned():
            card, side = card_words(event.card, names), "up" if event.up else "down"
            return f"turns {card} {side} on {place(event.zone)}"
        case PileMoved():
            turned = ", turned over" if event.flip else ""
            cards = _cards(event.count)
            return f"{cards} from {place(event.origin)} to {place(event.target)}{turned}"
        case PileTaken():
            return f"takes {_cards(event.count)} from {place(event.zone)}"
        case PileMixed():
            return f"mixes {place(event.zone)} ({event.way})"
        case _:
            return _rarer_words(event, names)


def play_words(event: Event, names: Mapping[str, str]) -> str:
    """Return what happened in an event and who did it: `Ann: 7♥ from ...`."""
    who = names.get(event.actor.seat or "", "")
    return f"{who}: {event_words(event, names)}" if who else event_words(event, names)


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _rarer_words(event: Event, names: Mapping[str, str]) -> str:
    match event:
        case HandOn():
            return f"hand on {zone_words(event.zone, names)}"
        case HandOff():
            return f"hand off {zone_words(event.zone, names)}"
        case PadHit():
            return f"hits {zone_words(event.spot, names)}"
        case Declared():
            return " ".join(("says", event.what, *event.words))
        case Dealt():
            return f"{_cards(len(event.cards))} laid on {zone_words(event.zone, names)}"
        case ViewLost():
            return f"out of view: {_zones(event.zones, names)}"
        case ViewBack():
            return f"in view again: {_zones(event.zones, names)}"
        case Reread():
            new, old = card_words(event.new, names), card_words(event.old, names)
            return f"the card on {zone_words(event.zone, names)} is {new}, not {old}"
        case _:
            return write_event(event).split(" ", 2)[2]
