"""The set-up: what is laid from a player's deck that lies on the table already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.table import moves
from referee.table.found import LIKELY, Found
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.piles import Piles, laid, unknown
from referee.table.spots import OFF
from referee.values import Event, PileMixed, TablePlan
from referee.values.spots import Spot


class SettingUp:
    """Knows which decks cards are set up from. Used by one thread."""

    def __init__(self, plan: TablePlan, habits: Habits, piles: Piles) -> None:
        """Take the piles."""
        self._habits, self._piles, self._players = habits, piles, len(plan.seats)
        names = tuple(zone.name for zone in plan.zones)
        self._dealt = {name for name in names if habits.dealt_onto(name) is not None}
        origins = {name: habits.set_up_from(name) or habits.dealt_onto(name) for name in names}
        self._decks = {origin for origin in origins.values() if origin is not None}
        self._laid = {name for name, origin in origins.items() if origin is not None}
        self._places_mm = {zone.name: zone.center_mm for zone in plan.zones}
        self._shuffled: dict[str, PileMixed] = {}

    def mixed(self, shuffle: PileMixed) -> None:
        """Take a shuffle: its deck lies there, though hands may have hidden it ever since."""
        self._shuffled[shuffle.zone] = shuffle

    def hidden_deck(self, spot: Spot, zone: str) -> list[Event]:
        """Tell of a deck that hands hid since it was laid there, when something is laid from it."""
        deck = self._habits.set_up_from(zone)
        shuffle = None if deck is None else self._shuffled.pop(deck, None)
        height = None if deck is None else self.deck_height(deck)
        if deck is None or shuffle is None or not height or self._piles[deck] or self._piles[zone]:
            return []
        like = laid(spot, self._habits.deck_of(deck, self._players))
        back = replace(unknown(like), at_mm=self._places_mm[deck], since_ns=shuffle.t_ns)
        self._piles[deck].extend([back] * height)
        cards = tuple(card.card.hide() for card in self._piles[deck])
        return [moves.lay_there(shuffle.t_ns, shuffle.u_ns, deck, cards, shuffle.actor)]

    def from_deck(self, found: Found, zone: str, *, dealing: bool) -> Found | None:
        """Return how what came to lie in a zone was taken off the deck that it is dealt from.

        None where no such deck lies on the table, or nothing is laid there from it. How many cards
        a pile of backs has is not seen: as many as the set-up asks for.
        """
        deck = self._habits.set_up_from(zone) if dealing else self._habits.dealt_onto(zone)
        if deck is None or self._piles[zone] or not self._has(deck, found):
            return None
        if found.origin != deck:
            # During the set-up nothing is played from the other piles of backs.
            found = Found(deck, hidden=True)
        count = self._habits.dealt_height(zone, self._players)
        return replace(found, block=count, guessed=False, conf=LIKELY)

    def _has(self, deck: str, found: Found) -> bool:
        in_the_air = found.gone is not None and found.origin == deck
        return in_the_air or bool(self._piles[deck])

    def deck_height(self, zone: str) -> int | None:
        """Return how many cards a deck has that appears in a zone, None if that is no deck."""
        whole = self._habits.whole_deck(zone, self._players)
        if whole is None:
            return None
        owner, names = owner_of(zone), self._piles.zones()
        mine = (name for name in names if owner is not None and owner_of(name) == owner)
        return whole - sum(len(self._piles[name]) for name in mine)

    def is_in_hand(self, zone: str, *, dealing: bool) -> bool:
        """Whether a deck that is taken up is only held by who sets up, or deals, from it."""
        if zone not in self._decks:
            return False
        laid = {name for name in self._piles.zones() if not is_in_hands(name)} - {zone, OFF}
        return dealing or laid < self._dealt

    def shows_held(self, zone: str, *, dealing: bool) -> bool:
        """Whether a back that is seen in a zone belongs to a deck that somebody holds over it."""
        return zone not in self._laid | self._decks and self._may_be_held(dealing=dealing)

    def may_show_held(self, zone: str, *, dealing: bool) -> bool:
        """Whether a back where cards are dealt to may belong to a deck that is held over it."""
        decks = [self._piles[deck] for deck in self._decks if self._piles[deck]]
        lies = any(pile[-1].spot is not None for pile in decks)
        return zone in self._laid and not lies and self._may_be_held(dealing=dealing)

    def _may_be_held(self, *, dealing: bool) -> bool:
        """Whether a deck may be held in a hand.

        Before all is dealt nobody plays a card. The deck may be in the dealer's hand since he mixed
        it, and never have lain on the table.
        """
        held = (
            self._piles[deck][-1].spot is None
            for deck in self._decks
            if self._piles[deck] and self.is_in_hand(deck, dealing=dealing)
        )
        return (dealing and not self._dealt <= set(self._piles.zones())) or any(held)

    def laid_before(self, t_ns: int, known: Iterable[str]) -> list[Event]:
        """Tell of the decks that lie there first, when nothing was set up from them yet.

        They came at some time since the beginning. None of those in `known` zones, nor of decks
        whose laying down is no event of the game.
        """
        names = self._piles.zones()
        if not self._habits.whole_decks(self._players, names):
            return []
        told = (name for name in names if name not in {*known, *self._habits.dealt_from})
        cards = {name: tuple(card.card.hide() for card in self._piles[name]) for name in told}
        return [moves.lay_there(t_ns, t_ns, name, deck) for name, deck in cards.items()]

    def is_laid(self) -> bool:
        """Whether the deck lies on the table from which all are dealt, or all was dealt from it."""
        names = self._piles.zones()
        deck = any(self._habits.is_deck(name) and owner_of(name) is None for name in names)
        return deck or (bool(self._dealt) and self._dealt <= set(names))

    def is_part(self, spot: Spot, zone: str) -> bool:
        """Whether a back beside a deck that may be shuffled now is a part of that deck."""
        aside = not all(card.near(spot.at_mm) for card in self._piles[zone][-1:])
        return aside and self.may_be_mixed(zone)

    def may_be_mixed(self, zone: str) -> bool:
        """Whether a deck in a zone may be shuffled now: nothing was dealt from it yet."""
        if not self._habits.is_mixed(zone):
            return False
        owner, names = owner_of(zone), set(self._piles.zones()) - {zone, OFF}
        return not any(owner is None or owner_of(name) == owner for name in names)
