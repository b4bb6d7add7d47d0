"""What belongs to a waste that is turned over though nobody saw it there: the last cards drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.table import moves
from referee.table.evidence import Evidence
from referee.table.gone import Gone
from referee.table.habits import Habits, Source, owner_of
from referee.table.piles import Lying, Piles
from referee.table.putting_under import LAID_NS, LEAST_CARRY_NS
from referee.table.turn_times import LEAST_TURN_NS, TurnTimes
from referee.values import Actor, Event


class DrawnLast:
    """Adds to wastes in the air what is missing of them. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, times: TurnTimes, evidence: Evidence) -> None:
        """Take the piles, when turns lay, and where hands came down."""
        self._habits, self._piles = habits, piles
        self._times, self._evidence = times, evidence

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

    def told(self, gone: Gone, stock: str, *, surely: bool) -> list[Event]:
        """Tell of what is believed to be left of a stock, turned over before its waste was taken.

        Its pile stirred so, or a hand came down on the last ones since the last card was seen to
        come from there; or else it is `surely` gone. They lie on top of what was taken then.
        """
        source, pile = self._habits.drawn_by_blocks(stock), self._piles[stock]
        if source is None or source.target != gone.zone or not pile:
            return []
        if stock in self._piles.deep or not gone.cards[-1].up:
            return []
        counts = [source.block] * ((len(pile) - 1) // source.block)
        counts.append(len(pile) - sum(counts))
        times = self._times_ns(source, gone, len(counts), surely=surely)
        return [
            self._turned_over(gone, replace(source, block=count), t_ns)
            for count, t_ns in zip(counts, times, strict=False)
        ]

    def _times_ns(self, source: Source, gone: Gone, turns: int, *, surely: bool) -> list[int]:
        """Return when the last turns lay, in order; none where that is not known of each."""
        since_ns = max(card.since_ns for card in self._piles[source.origin])
        stirred = self._times.unknown_ns(source, since_ns, gone.t_ns - LEAST_TURN_NS)[:turns]
        if len(stirred) == turns:
            return stirred[::-1]
        touched_ns = self._touched_ns(source, gone)
        if turns > 1 or (touched_ns is None and not surely):
            return []
        return [touched_ns or (self._times.last_ns(source) + gone.t_ns) // 2]

    def _touched_ns(self, source: Source, gone: Gone) -> int | None:
        """Return when a hand brought the last cards of a stock, None if none was at them."""
        pile = self._piles[source.origin]
        back_mm, waste_mm = pile[-1].at_mm, gone.cards[-1].at_mm
        since_ns = max(card.since_ns for card in (*gone.cards, *pile)) + LAID_NS
        taker = Actor(gone.actor.seat)
        near = self._evidence.each(back_mm, since_ns, gone.t_ns - LEAST_CARRY_NS, taker)
        near = [one for one in near if one.apart_mm(back_mm) < one.apart_mm(waste_mm)]
        return (near[-1].t_ns + gone.t_ns) // 2 if near else None

    def _turned_over(self, gone: Gone, source: Source, t_ns: int) -> Event:
        """Lay the top cards of a stock onto its waste, and tell of that."""
        pile, at_mm = self._piles[source.origin], gone.cards[-1].at_mm
        cards = self._piles.take(source.origin, range(len(pile) - source.block, len(pile)))
        gone.cards += tuple(replace(c.unseen(), up=True, at_mm=at_mm) for c in cards[::-1])
        self._times.note(source.origin, t_ns)
        who = Actor(owner_of(source.origin))
        return moves.drawn_before(t_ns, source, gone.cards[-1].card, who)
