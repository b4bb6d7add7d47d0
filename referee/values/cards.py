"""One playing card as the judge knows it: its face, and the deck it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

UNKNOWN = "??"
# A joker of which nobody says which of its deck it is: they look alike.
ANY_JOKER = "JOKER"
RANKS = "A23456789TJQK"
SUITS = "CDHS"
RED = "DH"
RANK_OF = MappingProxyType(
    {rank + suit: value for value, rank in enumerate(RANKS, start=1) for suit in SUITS}
    | {str(number): number for number in range(1, 100)}
)


class Unread(Exception):
    """A rule asked for the face of a card that nobody has read."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card: `face` is `7H`, `TD`, `X1` (a joker), `1`..`99` (numbered) or `??` (not read).

    `deck` is the seat whose back design the card has, None where one deck is in play.
    `hidden`: the face is ground truth of a script for a card that lies face down; the judge
    never sees it (see `seen`).
    """

    face: str
    deck: str | None = None
    hidden: bool = False

    @property
    def known(self) -> bool:
        """Whether the face was read."""
        return self.face != UNKNOWN

    @property
    def is_joker(self) -> bool:
        """Whether the face is a joker's."""
        return self.face[0] == "X" or self.face == ANY_JOKER

    @property
    def is_any_joker(self) -> bool:
        """Whether it may be any joker of its deck."""
        return self.face == ANY_JOKER

    @property
    def is_suited(self) -> bool:
        """Whether the face is one of the 52 of a regulation deck."""
        return self.face in RANK_OF and not self.face.isdigit()

    def seen(self) -> Card:
        """Return the card as the judge may know it: a hidden face becomes `??`, the back stays."""
        return unread(self.deck) if self.hidden else self

    def may_be(self, other: Card) -> bool:
        """Whether two read faces may be those of one card: a camera cannot tell jokers apart."""
        if self.face == other.face:
            return True
        any_joker = ANY_JOKER in (self.face, other.face)
        return any_joker and self.is_joker and other.is_joker

    def rank(self) -> int:
        """Ace 1 .. king 13, or the printed number. Unread for a card that was not read."""
        rank = RANK_OF.get(self.face)
        if rank is not None:
            return rank
        if self.face == UNKNOWN:
            raise Unread(str(self))
        raise ValueError(f"{self} has no rank")

    def suit(self) -> str:
        """C, D, H or S. Unread for a card that was not read."""
        if self.face == UNKNOWN:
            raise Unread(str(self))
        if not self.is_suited:
            raise ValueError(f"{self} has no suit")
        return self.face[1]

    def is_red(self) -> bool:
        """Whether the suit is hearts or diamonds. Unread for a card that was not read."""
        return self.suit() in RED

    def is_sister_of(self, other: Card) -> bool:
        """Whether two cards are of one rank and colour: their signs are easily confused."""
        suited = self.is_suited and other.is_suited
        return suited and (self.rank(), self.is_red()) == (other.rank(), other.is_red())

    def hide(self) -> Card:
        """Return the same card as hidden ground truth."""
        return replace(self, hidden=True)

    def __str__(self) -> str:
        text = f"{self.deck}:{self.face}" if self.deck else self.face
        return f"({text})" if self.hidden else text


@lru_cache(maxsize=64)
def unread(deck: str | None) -> Card:
    """Return a card of a deck (None where one is in play) that was not read."""
    return Card(UNKNOWN, deck)


@lru_cache(maxsize=4096)
def card(text: str) -> Card:
    """Return the card that `text` writes: `7H`, `A:TD`, `X1`, `12`, `??`, `(A:7H)`.

    Raises ValueError with the faulty text and what is understood.
    """
    if text.startswith("(") and text.endswith(")") and len(text) > 2:
        return card(text[1:-1]).hide()
    deck, colon, face = text.rpartition(":")
    if colon and not (deck.isalpha() and deck.isupper() and deck.isascii()):
        raise ValueError(f"'{text}' has no deck before the colon; write A:7H")
    if not _is_face(face):
        raise ValueError(f"'{text}' is no card; write 7H, TD, A:7H, X1, 12, ?? or (7H)")
    return Card(face, deck or None)


def _is_face(face: str) -> bool:
    return face in RANK_OF or face in (UNKNOWN, ANY_JOKER, "X1", "X2")
