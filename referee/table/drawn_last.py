"""What belongs to a waste that is turned over though nobody saw it there: the last cards drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.table import moves
from referee.table.evidence import Evidence
from referee.table.gone import Gone
from referee.table.habits import Habits
from referee.table.piles import Lying, Piles
from referee.table.putting_under import LAID_NS, LEAST_CARRY_NS
from referee.values import Actor, Event


class DrawnLast:
    """Adds to wastes in the air what is missing of them. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Take the piles, and where hands came down."""
        self._habits, self._piles, self._evidence = habits, piles, evidence

    def gather(self, gone: Gone, stock: str, air: Sequence[Gone]) -> list[Gone]:
        """Let what left a stock and its waste before be part of the waste; return those blocks.

        Nobody holds a card of either while he turns the waste over.
        """
        source = self._habits.drawn_by_blocks(stock)
        if source is None or source.target != gone.zone:
            return []
        places = (stock, gone.zone)
        before = [
            one for one in air if one is not gone and one.zone in places and one.t_ns <= gone.t_ns
        ]
        lowest = gone.cards[0]
        left = (card for one in before for card in self._lie_nowhere(one, gone))
        more = (replace(card.unseen(), up=lowest.up, at_mm=lowest.at_mm) for card in left)
        gone.cards = (*more, *gone.cards)
        return before

    def _lie_nowhere(self, other: Gone, gone: Gone) -> Iterator[Lying]:
        """Yield the cards of a block that are known to lie neither on the table nor in a waste."""
        for card in other.cards:
            like = (*(one for _, _, one in self._piles.of_face(card.face)), *gone.cards)
            known = any((one.face, one.deck) == (card.face, card.deck) for one in like)
            if not (card.named and known):
                yield card

    def told(self, gone: Gone, stock: str) -> list[Event]:
        """Tell of the last cards of a stock, turned over unseen before its waste was taken.

        A hand came down on them since the last card was seen to come from there. They lie on top
        of what was taken then.
        """
        source, pile = self._habits.drawn_by_blocks(stock), self._piles[stock]
        if source is None or source.target != gone.zone or not 0 < len(pile) <= source.block:
            return []
        if stock in self._piles.deep or not gone.cards[-1].up:
            return []
        back_mm, waste_mm = pile[-1].at_mm, gone.cards[-1].at_mm
        since_ns = max(card.since_ns for card in (*gone.cards, *pile)) + LAID_NS
        taker = Actor(gone.actor.seat)
        near = self._evidence.each(back_mm, since_ns, gone.t_ns - LEAST_CARRY_NS, taker)
        near = [one for one in near if one.apart_mm(back_mm) < one.apart_mm(waste_mm)]
        if not near:
            return []
        cards = self._piles.take(stock, range(len(pile)))
        gone.cards += tuple(replace(card.unseen(), up=True, at_mm=waste_mm) for card in cards[::-1])
        source = replace(source, block=len(cards))
        t_ns = (near[-1].t_ns + gone.t_ns) // 2
        return [moves.drawn_before(t_ns, source, gone.cards[-1].card, near[-1].actor)]
