"""When turns from stocks lay: those that are known, and those for which only the piles stirred."""

from __future__ import annotations

from collections import Counter, defaultdict, deque

from referee.table.found import CARRY_NS
from referee.table.habits import Source
from referee.table.piles import NEVER_NS, Piles
from referee.table.stirs import Stirs
from referee.values.spots import Spot

# Two turns lie no nearer to one another than this; of a pass through a deck there are 18.
LEAST_TURN_NS, TURNS_KEPT = 300_000_000, 18
# What stirs so soon after a known turn belongs to it: the hand goes back over what it laid.
APART_NS = 400_000_000
# A card that shows came with the turn that ended so near to when it was last hidden, ...
HIDDEN_NS = 100_000_000
# ... or else with the last one for which its pile stirred so long before it lay still at most.
OWN_NS = 600_000_000
# From a waste that lies turned over on its stock to the first card drawn anew.
RETURNED_NS = 300_000_000
# Of those who turn three at once, one turn in some dozens looks as if it was laid one by one.
TWO_TURNS = 2
# Who was seen to turn three at once so often goes on with that, however fast.
WHOLE_TURNS = 3


class TurnTimes:
    """Remembers the times of turns. Used by one thread."""

    def __init__(self, piles: Piles, stirs: Stirs) -> None:
        """Begin with stocks from which nothing was turned."""
        self._piles, self._stirs = piles, stirs
        # The stocks from which some were turned one by one.
        self.singly: set[str] = set()
        # How many turns from each stock were seen to be laid one by one.
        self._singles: Counter[str] = Counter()
        # How often cards from each stock came as fast as single ones.
        self._quick: Counter[str] = Counter()
        # How many turns from each stock showed but one card each.
        self._wholes: Counter[str] = Counter()
        # Those of which a card that showed had lain just as deep as a turn of several goes.
        self.by_blocks: set[str] = set()
        self._known_ns: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=TURNS_KEPT))

    def ways(self) -> tuple[Source, ...]:
        """Return how cards are turned over from each stock."""
        return self._stirs.ways

    def note_singly(self, stock: str, seen: int) -> None:
        """Note that a turn was laid one by one, of which so many cards were `seen` to be."""
        self.singly.add(stock)
        self._singles[stock] += seen > 1

    def note_quick(self, stock: str) -> None:
        """Note that cards came faster than turns of three do: then they are laid one by one.

        A hand that stirs a waste between two quick turns looks so too. Of who turned three at once
        before it is believed when it was seen for more than half as many.
        """
        self._quick[stock] += 1
        if 2 * self._quick[stock] > self._wholes[stock]:
            self.singly.add(stock)

    def note_whole(self, stock: str) -> None:
        """Note that of a turn one card was seen."""
        self._wholes[stock] += 1

    def turns_whole(self, stock: str) -> bool:
        """Whether a player is known to turn three at once."""
        return self._wholes[stock] >= WHOLE_TURNS and stock not in self.singly

    def lays_singly(self, stock: str) -> bool:
        """Whether a player is known to lay cards one by one: one turn may have been misseen."""
        return self._singles[stock] >= TWO_TURNS and stock not in self.by_blocks

    def note(self, stock: str, t_ns: int) -> None:
        """Note when a turn lay."""
        self._known_ns[stock].append(t_ns)

    def last_ns(self, way: Source) -> int:
        """Return when the last turn lay that is known, or the pile was laid that it came from."""
        cards = (*self._piles[way.origin], *self._piles[way.target])
        since_ns = (card.since_ns for card in cards)
        return max((*since_ns, *self._known_ns[way.origin]), default=NEVER_NS)

    def unknown_ns(self, way: Source, since_ns: int, until_ns: int) -> list[int]:
        """Return when a pile stirred as it does for a turn, and none is known; the last first."""
        known = self._known_ns[way.origin]
        return [
            t_ns
            for t_ns in self._stirs.draws_ns(way.target, since_ns, until_ns)
            if all(abs(t_ns - other_ns) > LEAST_TURN_NS for other_ns in known)
        ]

    def since_last_ns(self, way: Source, until_ns: int) -> list[int]:
        """Return when a pile stirred for turns since the last one known, the last first."""
        return self.unknown_ns(way, self.last_ns(way) + APART_NS, until_ns)

    def own_ns(self, way: Source, spot: Spot) -> int | None:
        """Return when a pile stirred for the very card that a spot shows, None if it did not."""
        hidden_ns, since_ns = spot.moving_ns - HIDDEN_NS, spot.still_ns - OWN_NS
        # The hand stirs a little longer than its card does.
        times = self.unknown_ns(way, min(hidden_ns, since_ns), spot.still_ns + HIDDEN_NS)
        own = (t_ns for t_ns in times if abs(t_ns - spot.moving_ns) < HIDDEN_NS)
        last = (t_ns for t_ns in times if t_ns > min(spot.moving_ns, since_ns))
        return next(own, next(last, None))

    def returned_ns(self, way: Source, spot: Spot) -> int | None:
        """Return when a waste may have been turned over onto its stock before a card came."""
        last_ns = max((card.since_ns for card in self._piles[way.target]), default=NEVER_NS)
        since_ns = max((last_ns, *self._known_ns[way.origin], spot.still_ns - CARRY_NS))
        until_ns = spot.still_ns - RETURNED_NS
        return next(iter(self._stirs.returns_ns(way.target, since_ns, until_ns)), None)

    def shows_draw(self, way: Source, spot: Spot) -> bool:
        """Whether a card came to lie just when its pile had stirred after the backs."""
        return self._stirs.shows_draw(way.target, spot.still_ns)
