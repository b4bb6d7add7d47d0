"""Cards that came to rest and are not told of yet: those that came together are one move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice

from referee.table import moves
from referee.table.air import Air
from referee.table.found import LIKELY
from referee.table.habits import Habits, is_in_hands
from referee.table.moves import Arrival
from referee.table.piles import Lying, Piles
from referee.values import Event


class Arrivals:
    """The arrivals that wait for more of their block. For one thread."""

    def __init__(self, habits: Habits, piles: Piles, air: Air) -> None:
        """Begin with none."""
        self._habits, self._piles, self._air = habits, piles, air
        self.waiting: list[Arrival] = []

    def add(self, one: Arrival) -> None:
        """Take an arrival."""
        self.waiting.append(one)

    def read(self, card: Lying) -> bool:
        """Take a better reading of a card; tells whether its arrival still waits."""
        waits = any(one.card.spot == card.spot for one in self.waiting)
        self.waiting = [
            replace(one, card=card) if one.card.spot == card.spot else one for one in self.waiting
        ]
        return waits

    def wait(self, zone: str, due_ns: int) -> None:
        """Let all arrivals in a zone wait until a time."""
        self.waiting = [
            replace(one, due_ns=max(one.due_ns, due_ns)) if one.target == zone else one
            for one in self.waiting
        ]

    def step(self, now_ns: int, is_awaited: Callable[[Arrival], bool]) -> list[Event]:
        """Tell of the arrivals that are due, unless a card that may belong to them is awaited."""
        events: list[Event] = []
        kept: list[Arrival] = []
        while self.waiting:
            first = self.waiting[0]
            group = [one for one in self.waiting if one.belongs_to(first)]
            self.waiting = [one for one in self.waiting if one not in group]
            if any(one.due_ns > now_ns for one in group) or is_awaited(first):
                kept += group
            else:
                events += self._told(group)
        self.waiting = kept
        return events

    def _told(self, group: list[Arrival]) -> list[Event]:
        block = self._with_hidden(self._as_lifted(group))
        if block[0].block > 1 or all(one.pos == k for k, one in enumerate(reversed(block))):
            self._pile_up(block)
            return [moves.told(block, in_order=self._is_in_order(block[0]))]
        # Cards that came together and are no block were not all seen rightly.
        return [moves.told([replace(one, conf=min(one.conf, LIKELY))]) for one in group]

    def _as_lifted(self, group: list[Arrival]) -> list[Arrival]:
        """Return arrivals from the lowest to the highest, with their places before any was taken.

        Which of a block is seen first is chance, and each counts those that were left above it.
        """
        order = {card.spot: k for k, card in enumerate(self._piles[group[0].target])}
        first = group[0]
        loose = self._habits.is_row(first.origin) or is_in_hands(first.origin)
        if first.flip or loose or len({one.lifted_ns for one in group}) > 1:
            return sorted(group, key=lambda one: order.get(one.spot.id, 0))
        taken: set[int] = set()
        lifted = []
        for one in group:
            left = (pos for pos in count() if pos not in taken)
            pos = next(islice(left, one.pos, None))
            taken.add(pos)
            lifted.append(replace(one, pos=pos))
        return sorted(lifted, key=lambda one: -one.pos)

    def _pile_up(self, block: list[Arrival]) -> None:
        """Let the cards of a block lie as they were lifted."""
        pile = self._piles[block[0].target]
        rank = {one.spot.id: k for k, one in enumerate(block)}
        places = [k for k, card in enumerate(pile) if card.spot in rank]
        cards = sorted((pile[k] for k in places), key=lambda card: rank[card.spot or 0])
        for k, card in zip(places, cards, strict=True):
            pile[k] = card

    def _with_hidden(self, group: list[Arrival]) -> list[Arrival]:
        """Return a block with the cards between, which came along and do not show any more."""
        lowest, highest = group[0], group[-1]
        missing = lowest.pos + 1 - len(group)
        if lowest.flip or highest.pos or missing <= 0 or len(group) < 2:
            return group
        left = (gone for gone in self._air.gone if gone.zone == lowest.origin)
        gone = next((one for one in left if one.t_ns == lowest.lifted_ns), None)
        if gone is None or len(gone.cards) != missing:
            return group
        self._air.gone.remove(gone)
        pile = self._piles[lowest.target]
        index = next((k for k, c in enumerate(pile) if c.spot == highest.spot.id), len(pile))
        (x0, y0), (x1, y1) = lowest.spot.at_mm, highest.spot.at_mm
        at_mm, since_ns = ((x0 + x1) / 2, (y0 + y1) / 2), lowest.spot.still_ns
        pile[index:index] = [replace(c, at_mm=at_mm, since_ns=since_ns) for c in gone.cards]
        block, conf = lowest.pos + 1, min(lowest.conf, LIKELY)
        return [replace(one, block=block, conf=conf) for one in group]

    def _is_in_order(self, first: Arrival) -> bool:
        """Whether it is known which card of a squared block lies on top: only one of it shows."""
        return self._habits.is_single(first.target) or all(
            card.spot is None or card.spot == first.spot.id
            for card in self._piles[first.target]
            if abs(card.since_ns - first.spot.still_ns) <= moves.ONE_MOVE_NS
        )
