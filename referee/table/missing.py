"""Cards that were taken and are seen to lie nowhere: which piles may hide them."""

from __future__ import annotations

from collections.abc import Iterable

from referee.table.backs import FINGERS_MM
from referee.table.contested import SAME_TOUCH_NS
from referee.table.evidence import Evidence
from referee.table.found import CARRY_NS
from referee.table.gone import Gone
from referee.table.piles import Piles


class Missing:
    """Remembers where a card may lie that was lifted and not seen since. Used by one thread.

    A card put under another one may not show at all; what is told of such a pile is not sure,
    until that card is seen.
    """

    def __init__(self, piles: Piles, evidence: Evidence) -> None:
        """Miss none."""
        self._piles, self._evidence = piles, evidence
        self._hiding: dict[tuple[str, str | None], frozenset[str]] = {}

    def step(self, air: Iterable[Gone]) -> None:
        """Note the cards that were lifted, and strike out those that are seen again."""
        shown = {
            (card.face, card.deck) for _, _, card in self._piles.each() if card.spot is not None
        }
        for gone in air:
            card = gone.cards[0]
            if gone.lifted and card.named and (card.face, card.deck) not in self._hiding:
                self._hiding[card.face, card.deck] = frozenset(self._zones(gone))
        self._hiding = {one: zones for one, zones in self._hiding.items() if one not in shown}

    def may_hide_in(self, zone: str) -> bool:
        """Whether one of the cards may lie in a zone."""
        return any(zone in zones for zones in self._hiding.values())

    def _zones(self, gone: Gone) -> Iterable[str]:
        """Yield the piles at which a hand came down while it may have held the card."""
        for zone in self._piles.zones():
            top = self._piles[zone][-1]
            since_ns, until_ns = gone.t_ns + 1, gone.t_ns + CARRY_NS
            contact = self._evidence.last(top.at_mm, since_ns, until_ns, gone.actor)
            if zone == gone.zone or contact is None or not top.up:
                continue
            # A hand that laid what shows there now laid nothing else.
            laid = abs(top.since_ns - contact.t_ns) < SAME_TOUCH_NS
            if not laid and contact.apart_mm(top.at_mm) < FINGERS_MM:
                yield zone
