"""Where a player may have carried the card that lay on one which shows now."""

from __future__ import annotations

from math import dist

from referee.table.backs import FINGERS_MM, Backs
from referee.table.contested import SAME_TOUCH_NS
from referee.table.evidence import Contact, Evidence, Reach
from referee.table.found import Found
from referee.table.habits import owner_of
from referee.table.hands import GRASP_MM
from referee.table.own_pile import FATE_NS
from referee.table.piles import Lying, Piles
from referee.values import Actor
from referee.values.spots import BACK, CARD_H_MM, NOT_READ, Spot

# Who draws card by card keeps his fingers nearer to the pile than this; the places of one player
# lie 85 mm apart, and those that he carries cards to twice as far and more.
AWAY_MM = 150.0
# Fingers that are still over the table were seen so short a time ago.
STILL_THERE_NS = 200_000_000


class Carried:
    """Asks what a player's hands did elsewhere since a card shows."""

    def __init__(self, piles: Piles, backs: Backs, evidence: Evidence) -> None:
        """Look at the table as it is known now."""
        self._piles, self._backs, self._evidence = piles, backs, evidence

    def elsewhere(
        self, hidden: Found | None, spot: Spot, zone: str, actor: Actor
    ) -> tuple[Contact, ...]:
        """Return where the player came down and may have laid what lay on top of a zone.

        Who turns cards over hardly rests at the backs; what he had taken instead off the other
        pile he would have laid elsewhere by now. Nothing where `hidden` backs were touched.
        """
        if hidden is None or hidden.reach is Reach.TOUCHED or not hidden.flip:
            return ()
        backs = self._piles[hidden.origin] or (hidden.gone.cards if hidden.gone else ())
        here_mm = (spot.at_mm, *(card.at_mm for card in backs[-1:]))
        who = Actor(actor.seat or owner_of(zone), actor.hand)
        came = self._evidence.elsewhere(here_mm, spot.still_ns, self._evidence.now.t_ns, who)
        top = next(reversed(self._piles[zone]), None)
        return tuple(
            one
            for one in came
            if not self._is_accounted(one, who.seat) and not self._laid_another(one, top)
        )

    def went_away(self, hidden: Found, spot: Spot) -> bool:
        """Whether the player's fingers were far from a card since it shows, maybe with another."""
        seat = owner_of(hidden.origin) or hidden.who.seat
        if seat is None:
            return False
        way = self._evidence.way(seat, spot.still_ns, self._evidence.now.t_ns)
        return any(dist(tip_mm, spot.at_mm) > AWAY_MM for _, tip_mm in way)

    def is_fresh(self, contact: Contact) -> bool:
        """Whether what a hand laid where it came down is seen in a moment."""
        return self._evidence.now.t_ns - contact.t_ns < FATE_NS

    def _is_accounted(self, contact: Contact, seat: str | None) -> bool:
        laid = self._has_laid(contact, seat) or self._laid_nothing(contact)
        return laid or self._backs.has_taken(contact)

    def _laid_nothing(self, contact: Contact) -> bool:
        """Whether a hand came down where what lies now, in plain view, lay there before."""
        now, at_mm = self._evidence.now, contact.at_mm
        if at_mm is None or now.covered(at_mm) or self.is_fresh(contact) or self._stays(contact):
            return False
        before_ns = contact.t_ns - SAME_TOUCH_NS
        old = {card.spot for _, _, card in self._piles.each() if card.since_ns < before_ns}
        return all(spot.id in old for spot in now.spots if dist(spot.at_mm, at_mm) < GRASP_MM)

    def _stays(self, contact: Contact) -> bool:
        """Whether a player's fingers still are within a card's length of where they came down.

        What they laid there may not be told of till they leave.
        """
        seat, at_mm, now_ns = contact.actor.seat, contact.at_mm, self._evidence.now.t_ns
        if seat is None or at_mm is None:
            return False
        way = self._evidence.way(seat, now_ns - STILL_THERE_NS, now_ns)
        return any(dist(tip_mm, at_mm) < CARD_H_MM for _, tip_mm in way)

    def _laid_another(self, contact: Contact, top: Lying | None) -> bool:
        """Whether what a hand laid is read, or was, and is not the card that lay on top."""
        if contact.at_mm is None or top is None or not top.named:
            return False
        shown = ((one.label, one.still_ns, one.at_mm) for one in self._evidence.now.spots)
        known = ((one.face, one.since_ns, one.at_mm) for _, _, one in self._piles.each())
        return any(
            face not in (top.face, NOT_READ, BACK)
            and abs(laid_ns - contact.t_ns) < SAME_TOUCH_NS
            and contact.apart_mm(at_mm) < FINGERS_MM
            for face, laid_ns, at_mm in (*shown, *known)
        )

    def _has_laid(self, contact: Contact, seat: str | None) -> bool:
        """Whether a player's hand came down to lay a card of his that is known."""
        return any(
            card.spot is not None
            and card.deck == seat
            and abs(card.since_ns - contact.t_ns) < SAME_TOUCH_NS
            and contact.apart_mm(card.at_mm) < FINGERS_MM
            for _, _, card in self._piles.each()
        )
