"""Tells people when the cards on the table seem not to be those of the game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from referee.rulebook import Game
from referee.values import Card, CardPlaced, CardTurned, Event, Match, Ruling

# So many open cards say something of a deck; of a known one even a bad camera reads three in four.
ENOUGH, UNREAD_SHARE = 6, 0.5
LATEST = 12


class WrongDeck:
    """Listens to a match for cards that cannot be read, and jokers; each is told once."""

    def __init__(self, game: Game[Any], match: Match, tell: Callable[[str], None]) -> None:
        """Begin with the cards that lie open at the start."""
        self._game, self._tell = game, tell
        self._jokers = any("-JOK-" in rule for rule in game.rules)
        self._unread: deque[bool] = deque(maxlen=LATEST)
        self._told: set[str] = set()
        lying = [one.card for place in match.start for one in place.cards if one.up]
        self._look(lying)
        if len(lying) >= ENOUGH:
            self._count(sum(not card.known for card in lying), len(lying))

    def on_event(self, event: Event) -> None:
        """Take an event: the faces of cards that come or are turned up."""
        if event.source != "camera" or not isinstance(event, CardPlaced | CardTurned):
            return
        if not event.up:
            return
        self._look([event.card])
        self._unread.append(not event.card.known)
        if len(self._unread) == LATEST:
            self._count(sum(self._unread), LATEST)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Rulings say nothing of the deck."""

    def _look(self, cards: Iterable[Card]) -> None:
        if not self._jokers and any(card.is_joker for card in cards):
            line = f"a joker lies on the table; {self._game.title} is played without: remove it"
            self._say("joker", line)

    def _count(self, unread: int, cards: int) -> None:
        if unread > UNREAD_SHARE * cards:
            self._say(
                "unread",
                f"{unread} of {cards} open cards cannot be read: is this the deck for"
                f" {self._game.title}? If it is, `referee doctor --source ...` checks light, focus"
                " and size",
            )

    def _say(self, kind: str, line: str) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._tell(line)
