"""Cards that came to rest and are not told of yet: those that came together are one move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count, islice, takewhile

from referee.table import moves
from referee.table.company import Company
from referee.table.found import LIKELY, SHOWN, upon_unseen
from referee.table.gone import Gone
from referee.table.habits import Habits, is_in_hands
from referee.table.moves import Arrival
from referee.table.piles import Lying, Piles
from referee.values import Event, PileMoved
from referee.values.spots import Spot

# The other hand takes the top card of a turn no sooner after it was laid.
PLAYED_NS = 400_000_000


class Arrivals:
    """The arrivals that wait for more of their block. For one thread."""

    def __init__(self, habits: Habits, piles: Piles, company: Company) -> None:
        """Begin with none."""
        self._habits, self._piles, self._company = habits, piles, company
        self.waiting: list[Arrival] = []
        # When the last card came to each cascade.
        self._told_ns: dict[str, int] = {}

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

    def came_with(self, gone: Gone) -> bool:
        """Whether a card of a cascade that waits to be told left with others: they may be one."""
        return any(
            one.parted
            and one.origin_mm is not None
            and one.origin == gone.zone
            and one.lifted_ns == gone.t_ns
            for one in self.waiting
        )

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
            due = all(one.due_ns <= now_ns for one in group)
            rests = self._company.rests_on_group(group, (*kept, *self.waiting))
            if not due or rests or is_awaited(first) or self._company.is_awaited(group, now_ns):
                kept += group
            else:
                events += self._told(group)
        self.waiting = kept
        return events

    def _told(self, group: list[Arrival]) -> list[Event]:
        if group[0].origin_mm is not None:
            block = self._company.completed(group)
            whole = len(block) == 1 or self._company.is_whole(block)
        else:
            block = self._as_lifted(group)
            whole = len(block) == 1 or block[0].block > 1 or _is_top(block)
            if whole:
                self._pile_up(block)
        if whole:
            told = moves.told(block, in_order=self._is_in_order(block[0]))
            if self._may_lack(block):
                conf = told.conf or LIKELY
                several = isinstance(told, PileMoved)
                told = replace(told, conf=min(SHOWN, conf) if several else upon_unseen(conf))
            if block[0].origin in self._habits.dealt_from:
                return [moves.as_dealt(told)]
            return [self._in_turn(told, block[0])]
        # Cards that came together and are no block were not all seen rightly.
        return [moves.told([replace(one, conf=min(one.conf, LIKELY))]) for one in group]

    def _may_lack(self, block: Sequence[Arrival]) -> bool:
        """Whether more cards may have come with a block: what left with it was not seen to come."""
        apart = all(one.parted for one in block)
        return apart or (block[0].gather and self._company.may_lack(block[0].origin))

    def _in_turn(self, told: Event, lowest: Arrival) -> Event:
        """Return an event as not earlier than that of the card below, which came at that moment."""
        if not self._company.is_cascade(lowest.target) or lowest.under:
            return told
        last_ns = self._told_ns.get(lowest.target, told.t_ns)
        if told.t_ns < last_ns <= told.t_ns + moves.ONE_MOVE_NS:
            told = replace(told, t_ns=last_ns)
        self._told_ns[lowest.target] = told.t_ns
        return told

    def _as_lifted(self, group: list[Arrival]) -> list[Arrival]:
        """Return arrivals from the lowest to the highest, with their places before any was taken.

        Which of a block is seen first is chance, and each counts those that were left above it.
        """
        order = {card.spot: k for k, card in enumerate(self._piles[group[0].target])}
        first = group[0]
        loose = self._habits.is_row(first.origin) or is_in_hands(first.origin)
        if first.flip or loose or len({one.lifted_ns for one in group} - {None}) > 1:
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

    def _is_in_order(self, first: Arrival) -> bool:
        """Whether it is known which card of a squared block lies on top: only one of it shows.

        And that since it lies: of what came to show later the top one may have been played.
        """
        if self._habits.is_single(first.target):
            return True
        seen_at_once = first.spot.still_ns - first.spot.moving_ns < PLAYED_NS
        return seen_at_once and all(
            card.spot is None or card.spot == first.spot.id
            for card in self._piles[first.target]
            if abs(card.since_ns - first.spot.still_ns) <= moves.ONE_MOVE_NS
        )


def place_by_time(pile: Sequence[Lying], spot: Spot) -> int:
    """Return at which height of a squared pile a card lies: below those that surely came later.

    Fingers that rest on a pile, and what was laid meanwhile, let a card be read after the next one.
    """
    last_ns = spot.still_ns + moves.ONE_MOVE_NS
    later = takewhile(lambda card: card.since_ns > last_ns, reversed(pile))
    return len(pile) - sum(1 for _ in later)


def _is_top(block: list[Arrival]) -> bool:
    """Whether the cards of a block were the top ones of their pile."""
    return all(one.pos == k for k, one in enumerate(reversed(block)))
