"""Cards, places and the texts of rulings in the words of players."""

from __future__ import annotations

import re
from collections.abc import Mapping

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
# The part of a zone's name that says what it is; `{n}` is its number.
PLACES = {
    "F": "ace pile {n}",
    "arr": "column {n}",
    "aside": "cards laid aside",
    "closed": "closed cards",
    "cut": "the half laid beside",
    "deck": "deck",
    "held": "hand",
    "mid": "the middle",
    "nerts": "pile of thirteen",
    "open": "open cards",
    "pile": "pile {n}",
    "play": "playing pile",
    "rest": "rest pile",
    "side": "side",
    "stack": "closed stack",
    "stock": "stock",
    "talon": "talon card {n}",
    "unused": "the unused card",
    "waste": "waste",
    "work": "work pile {n}",
}
# What rulings say of places, cards and players; a letter by itself is always a seat.
IN_TEXT = re.compile(
    r"(?P<zone>(?<![\w.])(?:[A-L]\.[a-z]+(?:\.\d+)?|[a-zF]+\.(?:[A-L]|\d+))(?!\w))"
    r"|(?P<card>(?<![\w:.])(?:[A-L]:)?[A2-9TJQK][CDHS](?![\w:.]*\w))"
    r"|(?P<seat>(?<![\w:.])[A-L](?![\w:.]))"
)


def card_sign(text: str) -> str:
    """Return a card as people write it: `A:TH` is 10♥, `A:X1` a joker, `12` 12."""
    face = text.rpartition(":")[2]
    if face == "??":
        return "a card"
    if face.startswith(("X", "JOKER")):
        return "a joker"
    if len(face) == 2 and face[1] in SIGNS:
        return face[0].replace("T", "10") + SIGNS[face[1]]
    return face


def zone_words(zone: str, names: Mapping[str, str]) -> str:
    """Return a zone in words: `A.arr.3` is Ada's column 3, `play.B` Ben's playing pile."""
    parts = zone.split(".")
    # `F.3` is a common pile, also where a player F sits.
    seat = next((part for part in parts if part in names and not zone[2:].isdigit()), None)
    kind = next((part for part in parts if part in PLACES and part != seat), None)
    if kind is None:
        return zone
    number = next((part for part in parts if part.isdigit()), "")
    words = PLACES[kind].replace("{n}", number).strip()
    if seat is None:
        return words if words.startswith("the ") or number else f"the {words}"
    return f"{names[seat]}'s {words}"


def in_words(text: str, names: Mapping[str, str]) -> str:
    """Return a ruling's text with its cards, zones and players as people write them."""

    def said(found: re.Match[str]) -> str:
        word = found.group()
        match found.lastgroup:
            case "zone":
                return zone_words(word, names)
            case "card":
                return card_sign(word)
        return names.get(word, word)

    return IN_TEXT.sub(said, text)
