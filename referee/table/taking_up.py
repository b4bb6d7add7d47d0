"""Piles that their players take up into the hand before they lay cards of them."""

from __future__ import annotations

from dataclasses import replace

from referee.table import moves
from referee.table.air import LEFT_U_NS, Air
from referee.table.evidence import Evidence
from referee.table.found import LIKELY, Found
from referee.table.habits import Habits, owner_of
from referee.table.own_pile import Answer, How
from referee.table.piles import Lying, Piles, laid, unknown
from referee.values import Actor, Event
from referee.values.spots import Spot

# A hand that took a pile up lays the first card of it no sooner.
LAYS_NS = 200_000_000
CONF = 0.9


class TakingUp:
    """Tells of piles that were taken up, by the first card that is laid of them. For one thread.

    The hand that holds the cards, and the one that comes for each of them, hide where the pile lay.
    """

    def __init__(self, habits: Habits, piles: Piles, air: Air, evidence: Evidence) -> None:
        """Take the piles, the cards in the air, and the hands."""
        self._habits, self._piles = habits, piles
        self._air, self._evidence = air, evidence

    def before(self, spot: Spot, zone: str) -> tuple[list[Event], int | None]:
        """Tell of the pile that was taken up before a card was laid in a zone.

        Returns the spot, too, that still seems to show that pile.
        """
        pile, hand = self._habits.taken_up(zone), f"{owner_of(zone)}.{self._habits.held}"
        claimed = self._claim(spot, zone)
        if pile is None or self._piles[hand]:
            return claimed, None
        cards = self._cards(pile)
        if not cards:
            self._presume(spot, hand)
            return [], None
        if self._evidence.sees(cards[-1]):
            return [], None
        top, who = cards[-1], Actor(owner_of(zone))
        until_ns = spot.still_ns - LAYS_NS
        took = self._evidence.last(top.at_mm, top.since_ns, until_ns, who)
        t_ns, u_ns = (until_ns, LAYS_NS) if took is None else (took.t_ns, LEFT_U_NS)
        self._take(pile, hand, cards)
        actor = who if took is None else took.actor
        return [moves.taken(t_ns, u_ns, pile, len(cards), actor, CONF)], top.spot

    def _claim(self, spot: Spot, zone: str) -> list[Event]:
        """Tell of the pile that the player took into his hand who lays a card of it at his place.

        Where hands met over it, it was not seen who did.
        """
        owner = owner_of(zone)
        for gone in self._air.gone if self._habits.is_column(zone) and spot.named else ():
            shows = any(card.face == spot.label for card in gone.cards)
            his = owner is not None and gone.actor.seat in (None, owner)
            if shows and his and len(gone.cards) > 1 and self._habits.is_played(gone.zone):
                gone.actor = replace(gone.actor, seat=owner)
                return self._air.hold(gone)
        return []

    def arranged(self, answer: Answer, zone: str) -> Answer:
        """Return how a card came to a place for cards of a pile that is still in the hand.

        Who arranges his cards turns none up and moves none: he lays them from his hand.
        """
        if not self._air.arranges(zone):
            return answer
        found = answer.found
        moved = found is not None and self._habits.taken_up(found.origin) is not None
        if answer.how is How.TURNED or (answer.how is How.CAME and moved):
            hand = f"{owner_of(zone)}.{self._habits.held}"
            return Answer(How.CAME, answer.top, Found(hand, hidden=True, conf=LIKELY))
        return answer

    def play(self, origin: str, zone: str) -> None:
        """Let a hand be empty whose player plays other cards: he has laid down all but a few.

        How many he took up was not seen.
        """
        hand = f"{owner_of(origin)}.{self._habits.held}"
        if self._habits.is_played(zone) and origin != hand and self._piles.holds_packet(hand):
            self._piles.empty(hand)

    def _presume(self, spot: Spot, hand: str) -> None:
        """Let a player hold a packet who lays the first of his cards: nobody saw where it lay."""
        owner = owner_of(hand)
        names = self._piles.zones()
        begun = any(self._habits.is_played(name) or owner_of(name) == owner for name in names)
        if not begun and not any(owner_of(gone.zone) == owner for gone in self._air.gone):
            self._piles[hand].append(unknown(laid(spot, None)))
            self._piles.deep.add(hand)

    def _cards(self, pile: str) -> tuple[Lying, ...]:
        gone = (card for one in self._air.gone if one.zone == pile for card in one.cards)
        return (*self._piles[pile], *gone)

    def _take(self, pile: str, hand: str, cards: tuple[Lying, ...]) -> None:
        self._air.gone = [one for one in self._air.gone if one.zone != pile]
        self._piles.take(pile, range(len(self._piles[pile])))
        self._piles[hand].extend(card.unseen() for card in cards)
        self._piles.deep.add(hand)
