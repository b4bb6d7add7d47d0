"""Cards said in words."""

from __future__ import annotations

from collections.abc import Sequence

from referee.values import CardRead

RANKS = dict(
    zip(
        "A23456789TJQK",
        "ace two three four five six seven eight nine ten jack queen king".split(),
        strict=True,
    )
)
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SPECIAL = {"??": "a card not read", "BACK": "a card face down", "JOKER": "a joker"}


def card_words(label: str) -> str:
    """Return a card's label in words: `7H` is the seven of hearts."""
    if label in SPECIAL:
        return SPECIAL[label]
    if len(label) == 2 and label[0] in RANKS and label[1] in SUITS:
        return f"the {RANKS[label[0]]} of {SUITS[label[1]]}"
    return f"the {label}"


def reads_line(cards: Sequence[CardRead]) -> str:
    """Return all reads of one picture in one line, left to right: `7H 0.98  ?? 0.60`."""
    if not cards:
        return "no card seen"
    in_order = sorted(cards, key=lambda card: card.at_px)
    return "  ".join(f"{card.label} {card.score:.2f}" for card in in_order)
