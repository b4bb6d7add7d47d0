"""Follows every physical card of a script: where it lies, how it faces, and which card it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.simulate.acts import ScriptError
from referee.simulate.cards import JOKERS
from referee.values import Card, Laid

OFF_TABLE = ("held", "closed")
"""Zones `P.held` and `P.closed` are in a player's hand, which holds cards in no order."""


def is_off_table(zone: str) -> bool:
    """Whether a zone is a player's hand."""
    return zone.rpartition(".")[2] in OFF_TABLE


def owner_of(zone: str, seats: Sequence[str]) -> str | None:
    """Return the seat whose zone it is (`A.rest`, `play.A`), None for common zones."""
    return next((part for part in zone.split(".") if part in seats), None)


@dataclass(slots=True)
class CardTrail:
    """The one thing that changes while a script is followed: where each physical card lies."""

    seats: tuple[str, ...]
    many_decks: bool
    listed: frozenset[str]
    faces: list[str | None] = field(default_factory=list)
    decks: list[int] = field(default_factory=list)
    up: list[bool] = field(default_factory=list)
    piles: dict[str, list[int]] = field(default_factory=dict)
    first: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)
    mixed: set[str] = field(default_factory=set)
    # Cards whose order nobody knew since a shuffle, and that the script did not name since.
    shuffled: set[int] = field(default_factory=set)

    def pile(self, zone: str) -> list[int]:
        """Return what lies in a zone, bottom to top."""
        return self.piles.setdefault(zone, [])

    def deck_of(self, card: Card | None, zone: str) -> int:
        """Return the number of the deck that a card belongs to."""
        if card is not None and card.deck in self.seats:
            return self.seats.index(card.deck)
        owner = owner_of(zone, self.seats)
        return self.seats.index(owner) if self.many_decks and owner else 0

    def bring(self, zone: str, laid: Sequence[Laid]) -> None:
        """Let cards lie in a zone from the start, below all that the script put there."""
        numbers = []
        for one in laid:
            numbers.append(len(self.faces))
            self.faces.append(_face(one.card))
            self.decks.append(self.deck_of(one.card, zone))
            self.up.append(one.up)
        self.pile(zone)[:0] = numbers
        was = [(number, one.up) for number, one in zip(numbers, laid, strict=True)]
        self.first.setdefault(zone, [])[:0] = was

    def find(self, n: int, zone: str, card: Card, pos: int | None = None) -> int:
        """Return the physical card in a zone that an event speaks of, and learn its face.

        Raises ScriptError if it is not there.
        """
        index = self._index(zone, card, pos)
        if pos is None:
            index = self._drawn(zone, card, index)
        if index is None:
            if zone in self.listed and not is_off_table(zone):
                raise ScriptError(self._missing(n, zone, card, pos))
            self.bring(zone, (Laid(card, card.known and not card.hidden),))
            index = 0
        pile = self.pile(zone)
        number = pile[index]
        if zone in self.mixed and pos is None and not any(self.up[k] for k in pile):
            # Nobody knows the order after a shuffle: the card that is named was the top one.
            pile.append(pile.pop(index))
        self.learn(number, card)
        if card.known:
            self.shuffled.discard(number)
        return number

    def mix(self, zone: str) -> None:
        """Let nobody know in which order the cards of a zone lie."""
        self.mixed.add(zone)
        self.shuffled.update(self.pile(zone))

    def _drawn(self, zone: str, card: Card, index: int | None) -> int | None:
        """Return the top one of shuffled cards as the one that is named, wherever it was listed."""
        pile, face = self.pile(zone), _face(card)
        if face is None or not pile or not self._is_shuffled(pile[-1]):
            return index
        top, deck = pile[-1], self.deck_of(card, zone)
        like = (k for k in sorted(self.shuffled) if (self.faces[k], self.decks[k]) == (face, deck))
        there = next(like, None) if index is None else pile[index]
        if there is None or not self._is_shuffled(there):
            return index
        self.faces[top], self.faces[there] = self.faces[there], self.faces[top]
        return len(pile) - 1

    def _is_shuffled(self, number: int) -> bool:
        return number in self.shuffled and not self.up[number]

    def _missing(self, n: int, zone: str, card: Card, pos: int | None) -> str:
        there = " ".join(self.faces[k] or "??" for k in self.pile(zone)) or "nothing"
        where = zone if pos is None else f"{zone} at pos={pos}"
        return f"event {n}: {card} is not in {where}; there lies {there}; mend the script"

    def learn(self, number: int, card: Card) -> None:
        """Remember which card a piece is, if that was not known."""
        face = _face(card)
        if face is not None and self.faces[number] is None:
            self.faces[number] = face

    def _index(self, zone: str, card: Card, pos: int | None) -> int | None:
        pile, face = self.pile(zone), _face(card)
        if pos is not None:
            return len(pile) - 1 - pos if pos < len(pile) else None
        if not pile:
            return None
        downwards = range(len(pile) - 1, -1, -1)
        if face is None:
            return len(pile) - 1
        deck = self.deck_of(card, zone) if card.deck else None
        named = (k for k in downwards if self.faces[pile[k]] == face)
        found = next((k for k in named if deck in (None, self.decks[pile[k]])), None)
        if found is not None:
            return found
        if self.faces[pile[-1]] is None:
            return len(pile) - 1
        loose = is_off_table(zone) or zone in self.mixed
        return next((k for k in downwards if loose and self.faces[pile[k]] is None), None)

    def top(self, n: int, zone: str, count: int) -> list[int]:
        """Return the top cards of a zone, bottom to top. Raises ScriptError for too few."""
        short = count - len(self.pile(zone))
        if short > 0 and zone in self.listed and not is_off_table(zone):
            have = len(self.pile(zone))
            raise ScriptError(f"event {n}: {zone} holds {have} cards, not {count}; mend the script")
        if short > 0:
            self.bring(zone, [Laid(Card("??"), False)] * short)
        return self.pile(zone)[len(self.pile(zone)) - count :] if count else []

    def move(self, numbers: Sequence[int], zone: str, under: bool = False) -> None:
        """Put cards into a zone, on top or at the bottom."""
        for pile in self.piles.values():
            pile[:] = [number for number in pile if number not in numbers]
        pile = self.pile(zone)
        at = 0 if under else len(pile)
        pile[at:at] = numbers


def _face(card: Card) -> str | None:
    if not card.known:
        return None
    return JOKERS[0] if card.face == "JOKER" else card.face
