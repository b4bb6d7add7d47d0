"""Whether a card that came from a common pile was seen to leave it.

Hardly anybody takes cards from a foundation. So it is surely told only where the card lay
open there, shows no more, and what lay below it shows instead, right before it came elsewhere. Not
on a waste: its player may have turned up his like of it, unseen.
"""

from __future__ import annotations

from dataclasses import replace

from referee.table.evidence import Evidence
from referee.table.found import NOWHERE_ELSE, PLAIN, Found
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.only_source import CARRIED_NS
from referee.table.piles import Lying, Piles
from referee.table.spots import COVERS_MM
from referee.values.spots import Spot


class SeenToLeave:
    """Looks at what lies bare on common piles. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Take the game, the piles, and what is seen now."""
        self._habits, self._piles, self._evidence = habits, piles, evidence

    def judged(self, found: Found, spot: Spot, zone: str) -> Found:
        """Return a source as sure as it is by what shows there since."""
        common = owner_of(found.origin) is None and not is_in_hands(found.origin)
        plain = found.conf >= PLAIN and spot.named and not (found.hidden or found.pos)
        turned = self._habits.is_drawn_onto(zone)
        if common and plain and not turned and self._has_left(found, spot):
            return replace(found, conf=NOWHERE_ELSE)
        return found

    def _has_left(self, found: Found, spot: Spot) -> bool:
        cards = self._piles[found.origin] if found.gone is None else found.gone.cards
        if not 0 <= found.index < len(cards):
            return False
        card, since_ns = cards[found.index], spot.still_ns - CARRIED_NS
        just = card.up and card.face == spot.label and card.lost_ns > since_ns
        return just and self._shows_another(card, since_ns)

    def _shows_another(self, card: Lying, since_ns: int) -> bool:
        """Whether another card shows in its place, free of hands, since something moved there."""
        now = self._evidence.now
        return any(
            one.up and one.named and one.label != card.face and one.still_ns > since_ns
            for one in now.spots
            if card.near(one.at_mm, COVERS_MM) and not now.covered(one.at_mm)
        )
