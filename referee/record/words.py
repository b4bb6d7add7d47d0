"""What the record tells people, in words: rulings, races, gaps."""

from __future__ import annotations

from collections.abc import Sequence

from referee.notation import write_event
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
    """Return a ruling as a sentence with the players' names."""
    name = story.head.name_of
    parts = [ruling.text]
    if ruling.kind == "RACE":
        parts = [winner_words(story, ruling), ruling.text]
    elif ruling.kind == "SCORE" and ruling.scores:
        parts = [", ".join(f"{name(p.seat)} {p.points}" for p in ruling.scores), ruling.text]
    elif ruling.kind == "END" and ruling.winner:
        parts = [winner_words(story, ruling), ruling.text]
    elif ruling.player:
        parts = [name(ruling.player), ruling.text]
    if ruling.remedy:
        parts.append(f"remedy: {ruling.remedy}")
    return "; ".join(part for part in parts if part)


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


def unseen_words(gap: Unseen) -> str:
    """Return what was out of view, when, and why."""
    zones = "the whole table" if gap.zones == ("*",) else ", ".join(gap.zones)
    until = "the end" if gap.to_ns is None else clock(gap.to_ns, 1)
    why = f" ({gap.cause})" if gap.cause else ""
    return f"{zones} from {clock(gap.from_ns, 1)} to {until}{why}"


def sentence(words: str) -> str:
    """Return words as a sentence: a large letter at its beginning, a full stop at its end."""
    return f"{words[:1].upper()}{words[1:]}" + ("" if words.endswith((".", "?", "!")) else ".")


SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def card_words(card: Card) -> str:
    """Return a card as players write it: `7♥`, `10♦`; its deck in front where it has one."""
    if card.hidden or not card.known:
        return "a card"
    face = card.face
    if card.is_suited:
        face = f"{'10' if face[0] == 'T' else face[0]}{SUIT_SIGNS[face[1]]}"
    return f"{card.deck}'s {face}" if card.deck else face


def event_words(event: Event) -> str:
    """Return what happened in an event, in words; who did it stands beside it."""
    match event:
        case CardPlaced():
            how = "" if event.up else ", face down"
            place = "under" if event.under else "to"
            return f"{card_words(event.card)} from {event.origin} {place} {event.target}{how}"
        case CardLifted():
            return f"lifts {card_words(event.card)} from {event.zone}"
        case CardTurned():
            return f"turns {card_words(event.card)} {'up' if event.up else 'down'} on {event.zone}"
        case PileMoved():
            turned = ", turned over" if event.flip else ""
            return f"{event.count} cards from {event.origin} to {event.target}{turned}"
        case PileTaken():
            return f"takes {event.count} cards from {event.zone}"
        case PileMixed():
            return f"mixes {event.zone} ({event.way})"
        case _:
            return _rarer_words(event)


def _rarer_words(event: Event) -> str:
    match event:
        case HandOn():
            return f"hand on {event.zone}"
        case HandOff():
            return f"hand off {event.zone}"
        case PadHit():
            return f"hits the pad {event.spot}"
        case Declared():
            return " ".join(("says", event.what, *event.words))
        case Dealt():
            return f"{len(event.cards)} cards appear on {event.zone}"
        case ViewLost():
            return f"out of view: {', '.join(event.zones)}"
        case ViewBack():
            return f"in view again: {', '.join(event.zones)}"
        case Reread():
            new, old = card_words(event.new), card_words(event.old)
            return f"the card on {event.zone} is {new}, not {old}"
        case _:
            return write_event(event).split(" ", 2)[2]
