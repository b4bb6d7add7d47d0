"""Turns from a stock of which no card was seen: told where it was used up too soon otherwise.

A stock loses three cards a turn. Where fewer turns were seen than its cards make, or some are
believed to be left where its waste lies again, the rest happened under a hand: at the times at
which the pile beside stirred as it does for a turn.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import replace

from referee.table import moves
from referee.table.air import Air
from referee.table.found import Found
from referee.table.gone import Gone
from referee.table.habits import Habits, Source, owner_of
from referee.table.piles import NEVER_NS, Piles
from referee.table.stirs import Stirs
from referee.values import Actor, Event, PointMm
from referee.values.spots import Spot

# Two turns lie no nearer to one another than this; of a pass through a deck there are 18.
LEAST_TURN_NS, TURNS_KEPT = 300_000_000, 18


class UnseenTurns:
    """Remembers the turns that were told, and tells of those that were not. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, stirs: Stirs, air: Air) -> None:
        """Begin with stocks from which nothing was turned."""
        self._habits, self._piles, self._stirs, self._air = habits, piles, stirs, air
        # The stocks from which some were turned one by one.
        self.singly: set[str] = set()
        # When each stock's last turns lay.
        self._drawn_ns: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=TURNS_KEPT))

    def note(self, stock: str, t_ns: int) -> None:
        """Note when a turn lay."""
        self._drawn_ns[stock].append(t_ns)

    def last_turn(self, found: Found, spot: Spot, actor: Actor) -> tuple[Found, list[Event]]:
        """Return a draw that used up its stock as the last turn, and those before it."""
        source = self._habits.drawn_by_blocks(found.origin)
        if found.gone is None or source is None or not (found.whole and found.flip and spot.up):
            return found, []
        events = self.before(found.gone, source, spot.at_mm, spot.still_ns, actor)
        left = len(found.gone.cards)
        return replace(found, index=left - 1, block=min(found.block, left)), events

    def before(
        self, gone: Gone, source: Source, at_mm: PointMm, t_ns: int, actor: Actor
    ) -> list[Event]:
        """Tell of the turns that must have come before the one that used up a stock.

        They are laid down, and no more is left in the air than one turn takes. `at_mm` is where
        the pile lies that is drawn onto, `t_ns` when the last turn lay.
        """
        turns = (len(gone.cards) - 1) // source.block
        counted = gone.counted and gone.zone not in self._piles.deep
        if not (counted and gone.touched) or gone.zone in self.singly:
            return []
        since_ns = max(card.since_ns for card in gone.cards)
        unseen_ns = self._unseen_ns(source, since_ns, t_ns)[:turns]
        if len(unseen_ns) < turns:
            # The rest may lie there still, hidden by the hand.
            return []
        return [self._turn(gone, source, at_mm, one_ns, actor) for one_ns in sorted(unseen_ns)]

    def _turn(self, gone: Gone, source: Source, at_mm: PointMm, t_ns: int, actor: Actor) -> Event:
        """Lay the top cards of a stock in the air as one turn, and tell of it."""
        self.note(source.origin, t_ns)
        block = gone.cards[-source.block :]
        gone.cards = gone.cards[: -source.block]
        self._piles[source.target].extend(
            replace(card.unseen(), up=True, at_mm=at_mm, since_ns=t_ns) for card in reversed(block)
        )
        return moves.drawn_before(t_ns, source, replace(block[0], up=True).card, actor)

    def left_over(self, waste: Gone, stock: str) -> list[Event]:
        """Tell of the cards that are believed to be left of a stock onto which its waste lies now.

        They were turned over unseen, when the pile stirred so or else before the waste was taken.
        """
        pile, source = self._piles[stock], self._habits.drawn_by_blocks(stock)
        if not pile or source is None or self._air.backs_lay_there(waste, stock):
            return []
        source = replace(source, block=len(pile))
        since_ns = max(card.since_ns for card in pile)
        last_ns = max(since_ns, *self._drawn_ns[stock], NEVER_NS)
        times = self._unseen_ns(source, since_ns, waste.t_ns)
        t_ns = next(iter(times), (last_ns + waste.t_ns) // 2)
        cards = self._piles.take(stock, range(len(pile)))
        over = (replace(c.unseen(), up=True, at_mm=waste.cards[-1].at_mm) for c in cards[::-1])
        waste.cards = (*waste.cards[:-1], *over, waste.cards[-1])
        return [moves.drawn_before(t_ns, source, waste.cards[-2].card, Actor(owner_of(stock)))]

    def _unseen_ns(self, source: Source, since_ns: int, t_ns: int) -> list[int]:
        """Return when a pile stirred as it does for a turn, and none is known; the last first."""
        known, until_ns = self._drawn_ns[source.origin], t_ns - LEAST_TURN_NS
        return [
            one_ns
            for one_ns in self._stirs.draws_ns(source.target, since_ns, until_ns)
            if all(abs(one_ns - other_ns) > LEAST_TURN_NS for other_ns in known)
        ]
