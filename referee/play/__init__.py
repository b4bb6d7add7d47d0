"""Random legal matches of every game, with the rulings that must be given.

They are written from the printed rules alone and never ask the rulebook what is legal, so that
one can be tested by the other: a clean match must give exactly the races, scores and ends noted
here and no violation; a faulty one its single fault as well.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from referee.play.aces import aces_match
from referee.play.nerves import nerves_match
from referee.play.script import SEATS, Script
from referee.play.spy import spy_match
from referee.play.styles import NERDS, NERTZ
from referee.play.xix import xix_match
from referee.values import Match

__all__ = ["PLAYERS", "Players", "legal_match"]


@dataclass(frozen=True, slots=True)
class Players:
    """How many players a game can be written for."""

    game: str
    fewest: int
    most: int


PLAYERS = (
    Players("nerds", 1, 8),
    Players("nertz", 2, 8),
    Players("nerves", 2, 2),
    Players("spy", 2, 8),
    Players("xix", 2, 2),
)


def legal_match(
    game: str,
    players: int,
    seed: int,
    *,
    faulty: bool = False,
    hands: int = 1,
    jokers: bool = False,
) -> Match:
    """Return a random match with its expect block; the same for the same arguments.

    `hands` is the most that are played of a game with several hands; `jokers` adds two to every
    deck of Nertz. A `faulty` match holds one fault where the cards gave the opportunity: undone
    at once, later, in another way, never, or without effect from the beginning. Raises ValueError
    for a game or a number of players that nobody can play.
    """
    known = next((span for span in PLAYERS if span.game == game), None)
    if known is None:
        names = ", ".join(span.game for span in PLAYERS)
        raise ValueError(f"no play is known of '{game[:40]}'; known: {names}")
    if not known.fewest <= players <= known.most:
        raise ValueError(f"{game} is for {known.fewest} to {known.most} players, not {players}")
    if jokers and game != "nertz":
        raise ValueError(f"{game} knows no jokers")
    name = f"{game.upper()}-{players}-{seed}{'-FAULTY' if faulty else ''}"
    name += "-JOKERS" if jokers else ""
    script = Script(name, game, tuple(SEATS[:players]), random.Random(name))
    if game == "nerves":
        return nerves_match(script, faulty)
    if game == "xix":
        return xix_match(script, faulty)
    if game == "spy":
        return spy_match(script, faulty, hands)
    return aces_match(NERDS if game == "nerds" else NERTZ, script, faulty, hands, jokers)
