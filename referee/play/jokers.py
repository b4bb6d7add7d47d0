"""What a joker of Nertz can stand for, by the card that it meets."""

from __future__ import annotations

import random

from referee.play.script import RED
from referee.values import Card

RANKS = "A23456789TJQK"
# Jokers are not among the four cards of the work piles, on which anything would be right.
FIRST_PLACES = (*range(13), *range(17, 52))


def mix_in_jokers(deck: list[Card], rng: random.Random) -> None:
    """Put two jokers into a shuffled deck, anywhere but where the work piles are dealt from."""
    for number, place in enumerate(sorted(rng.sample(FIRST_PLACES, 2), reverse=True), start=1):
        deck.insert(place, Card(f"X{number}", deck[0].deck))
    while any(card.is_joker for card in deck[13:17]):
        place = next(place for place in range(13, 17) if deck[place].is_joker)
        deck[place], deck[20] = deck[20], deck[place]


def next_below(card: Card) -> list[Card]:
    """Return the cards that go on this one in a work pile, of one deck."""
    rank = RANKS[card.rank() - 2]
    return [Card(rank + suit) for suit in "CDHS" if (suit in RED) != (card.face[1] in RED)]


def next_above(card: Card) -> Card | None:
    """Return the card that goes on this one on a foundation, None on a king."""
    return Card(RANKS[card.rank()] + card.face[1]) if card.rank() < len(RANKS) else None


def may_be(stands: Card | None, card: Card) -> bool:
    """Return whether a joker that stands for a card, or for any, may be named as another."""
    same = stands is not None and stands.face[0] == card.face[0]
    return stands is None or (same and (stands.face[1] in RED) == (card.face[1] in RED))
