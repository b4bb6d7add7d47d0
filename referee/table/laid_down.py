"""Blocks of cards from the air that come to lie face down: a pile turned over, a back laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.table.evidence import Evidence, Reach
from referee.table.found import LIKELY, PLAIN, Found
from referee.table.gone import Gone, home_of
from referee.table.habits import Habits
from referee.table.passing import SWIFT_NS
from referee.table.piles import Piles
from referee.table.spots import COVERS_MM
from referee.values.spots import Spot


class LaidDown:
    """The cards in the air that may lie face down somewhere by now."""

    def __init__(
        self, habits: Habits, piles: Piles, limbo: Sequence[Gone], evidence: Evidence
    ) -> None:
        """Look at the table as it is known now; `limbo` are the cards in the air."""
        self._habits, self._piles = habits, piles
        self._limbo, self._evidence = limbo, evidence

    def block(self, spot: Spot, zone: str) -> Found | None:
        """Return the block that came to lie face down in a zone, the last taken first."""
        latest = sorted(self._limbo, key=lambda one: -one.t_ns)
        gone = next((one for one in latest if self._lies_there(one, spot, zone)), None)
        if gone is None:
            return None
        count = len(gone.cards)
        turned = gone.cards[-1].up and (count > 1 or self._home(gone) == zone)
        conf = self._conf_of_back(spot, zone, gone)
        found = Found(gone.zone, count - 1, gone=gone, whole=True, block=count, flip=turned)
        return replace(found, lifted_ns=gone.t_ns, who=gone.actor, conf=conf)

    def _home(self, gone: Gone) -> str | None:
        return self._habits.returns_to(gone.zone, gone.actor.seat)

    def _lies_there(self, gone: Gone, spot: Spot, zone: str) -> bool:
        """Whether cards in the air are those that lie face down in a zone now."""
        if not gone.touched or gone.zone == zone or not self._may_be_laid(gone, zone):
            return False
        home, flip = self._home(gone), gone.cards[-1].up
        if flip and home not in (zone, None):
            return False
        shows = flip and home is None and self._habits.has_backs(zone)
        if shows and not self._is_only_back(gone, zone):
            # One of the backs that lie there anyway shows.
            return False
        if is_partly_gone(gone, self._piles) and not (flip and self._shows_next(gone, zone)):
            return False
        return home == zone or self._is_brought(gone, spot, zone)

    def _is_brought(self, gone: Gone, spot: Spot, zone: str) -> bool:
        """Whether who took cards was at a place where a back lies since, not before."""
        if spot.still_ns < gone.t_ns - SWIFT_NS:
            return False
        now_ns = self._evidence.now.t_ns
        reach = self._evidence.reach(zone, spot.at_mm, gone.t_ns, now_ns, gone.actor)
        return reach is Reach.TOUCHED

    def _conf_of_back(self, spot: Spot, zone: str, gone: Gone) -> float:
        """Return how sure it is that a back is the card that left: one looks like another.

        But who takes an open card, and at once lays one face down where it shows, turned it over.
        """
        shows = self._habits.is_row(zone) or self._habits.is_for_one(zone)
        one = len(gone.cards) == 1 and gone.cards[-1].up and gone.reach is Reach.TOUCHED
        swift = 0 < spot.still_ns - gone.t_ns < SWIFT_NS
        return PLAIN if shows and one and swift else LIKELY

    def _may_be_laid(self, gone: Gone, zone: str) -> bool:
        """Whether a block comes to lie in a zone as a whole.

        Who cuts a deck lays a part of it beside the rest, which his hand may hide; and what he
        took up he lays card by card.
        """
        parts = (one.origin for one in self._habits.sources(zone) if one.block > 1 and not one.flip)
        singly = self._habits.taken_up(zone) is not None and len(gone.cards) > 1
        return gone.zone not in parts and (not singly or self._habits.is_column(gone.zone))

    def _is_only_back(self, gone: Gone, zone: str) -> bool:
        """Whether an open card came back, or to a place for one, where no backs lay any more."""
        used_up = not self._piles[zone] and zone not in self._piles.deep
        return used_up and (self._habits.is_for_one(zone) or home_of(gone, self._habits) == zone)

    def _shows_next(self, gone: Gone, zone: str) -> bool:
        """Whether a waste of which the last cards left was turned over onto its used-up stock.

        Where it lay a card shows that was drawn since; nobody turns over a part of his waste.
        """
        drawn = self._habits.drawn_by_blocks(zone)
        if drawn is None or drawn.target != gone.zone or self._piles[zone]:
            return False
        known = self._piles.spots()
        return any(
            spot.up and spot.id not in known and gone.cards[0].near(spot.at_mm, COVERS_MM)
            for spot in self._evidence.now.spots
        )


def is_partly_gone(gone: Gone, piles: Piles) -> bool:
    """Whether it is not known yet what became of the cards below those that left."""
    at_mm = gone.cards[0].at_mm
    left = [card for card in piles[gone.zone] if card.near(at_mm, COVERS_MM)]
    return bool(left) and left[-1].spot is None
