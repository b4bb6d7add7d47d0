"""Cards turned over from a stock: three at once, or one by one, which makes one turn as well.

A stock loses its top cards in order, and no card is made or lost on the way. So a turn is known by
its size (three cards, or as many as are left), by which of them showed, by where these lay in a
stock that was seen before, and by how often the hand came. What was hidden is told unread. Whether
a card came alone or on top of a whole turn shows when the next one comes, or when the hand has
gone and none has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

from referee.table import moves
from referee.table.air import Air
from referee.table.arrivals import Arrivals
from referee.table.evidence import Evidence
from referee.table.found import LIKELY, Found
from referee.table.habits import Habits, Source
from referee.table.moves import BETWEEN_CONF, BETWEEN_U_NS, Arrival
from referee.table.piles import NEVER_NS, Piles, laid, unknown
from referee.table.spots import COVERS_MM
from referee.table.visits import SINGLY_NS
from referee.values import Actor, Event
from referee.values.spots import Spot

# Two turns of three follow one another by more than this: fingers count three cards off, turn
# them over and lay them. What follows sooner is of the same turn.
TURN_NS = 950_000_000
# The next card is seen so long after it lies: the hand that laid it has to go first.
SEEN_NS = 250_000_000
# A hand that rests on the piles for longer than this draws no more.
LONGEST_NS = 2_000_000_000
# What showed nothing of a turn is looked for at most this long ago.
MISSED_NS = 4_000_000_000


@dataclass(slots=True)
class Turn:
    """The last turn from a stock: of how many cards, and how many of them surely lie, since when.

    `seen` of them showed. `waits` is the spot of the last one while it is not known whether more
    follow; `below` it lie so many that may still be to come. `times` tell when the cards lay that
    were hidden before it, `strange`: it lay elsewhere in the stock, as was believed. `hidden_ns`
    is when a hand last hid it.
    """

    size: int
    last_ns: int
    count: int = 0
    seen: int = 0
    waits: int | None = None
    below: int = 0
    times: tuple[int, ...] = ()
    strange: bool = False
    hidden_ns: int = 0

    @property
    def left(self) -> int:
        """How many of its cards are still to come."""
        return self.size - self.count


class Drawing:
    """Takes the cards of stocks off them, turn by turn. For one thread.

    While it is not known whether a card came alone, the rest of its turn lies below it.
    """

    def __init__(
        self, habits: Habits, piles: Piles, evidence: Evidence, air: Air, arrivals: Arrivals
    ) -> None:
        """Take the piles, the hands, and the arrivals, some of which wait for their turn's rest."""
        self._habits, self._piles, self._evidence = habits, piles, evidence
        self._air, self._arrivals = air, arrivals
        self._turns: dict[str, Turn] = {}
        self._events: list[Event] = []

    def is_draw(self, found: Found) -> bool:
        """Whether a card was turned over from a stock."""
        return found.flip and found.hidden

    def draw(
        self, found: Found, spot: Spot, first_ns: int | None, actor: Actor
    ) -> tuple[Found, int]:
        """Return a draw with all that lies below it, and of how many cards it may be the top one.

        `first_ns` is when the hand laid the first of several cards, None if it came but once.
        """
        turn = self._open(found.origin, spot.still_ns)
        if turn is not None:
            return self._go_on(found, spot, turn)
        size = self._size(found)
        place = found.place or self._unread_place(found.origin, size)
        turn = self._turns[found.origin] = Turn(size, spot.still_ns)
        if not self._habits.singly or size == 1 or (first_ns is None and place >= size):
            turn.count = turn.seen = size
            return self._whole(replace(found, block=size), spot, actor), 1
        if first_ns is None:
            return self._single(replace(found, place=place), spot, turn, max(1, place))
        step_ns = (spot.still_ns - first_ns) // (size - 1)
        turn.times = tuple(first_ns + k * step_ns for k in range(size - 1))
        return self._single(replace(found, place=place), spot, turn, size)

    def last_ns(self, origin: str) -> int:
        """Return when the last card lay that was turned over from a stock."""
        turn = self._turns.get(origin)
        return NEVER_NS if turn is None else turn.last_ns

    def follows(self, origin: str, t_ns: int) -> bool:
        """Whether a card of a time follows the last one of an open turn at once."""
        turn = self._turns.get(origin)
        return turn is not None and turn.left > 0 and 0 < t_ns - turn.last_ns < SINGLY_NS

    def goes_on(self, origin: str, t_ns: int) -> bool:
        """Take one card more into an open turn, which was carried on at once; tells if one is."""
        turn = self._open(origin, t_ns)
        if turn is None:
            return False
        turn.count, turn.last_ns = turn.count + 1, t_ns
        return True

    def _size(self, found: Found) -> int:
        """Return of how many cards a turn is now."""
        down = sum(not card.up for card in self._piles[found.origin])
        deep = found.origin in self._piles.deep or not down
        return found.block if deep else min(found.block, down)

    def _open(self, origin: str, t_ns: int) -> Turn | None:
        """Return the turn that a card of this time goes on with; an older one is over."""
        turn = self._turns.get(origin)
        if turn is None or not turn.left:
            return None
        goes_on = t_ns - turn.last_ns < TURN_NS
        self._settle(origin, alone=goes_on)
        return turn if goes_on and turn.left else None

    def _go_on(self, found: Found, spot: Spot, turn: Turn) -> tuple[Found, int]:
        """Take the next card of an open turn, and one that was hidden between."""
        gap_ns = spot.still_ns - turn.last_ns
        count = 1
        if gap_ns >= SINGLY_NS:
            count = found.place if 0 < found.place <= turn.left else min(2, turn.left)
        turn.times = tuple(turn.last_ns + k * gap_ns // count for k in range(1, count))
        return self._single(found, spot, turn, count)

    def _single(self, found: Found, spot: Spot, turn: Turn, count: int) -> tuple[Found, int]:
        """Take a card that is the `count`th since the last one, or the last of its turn.

        Where its place was not known, the rest of the turn lies below it till that is settled.
        """
        left = turn.left
        turn.strange = found.place not in (0, count, left)
        turn.count, turn.seen, turn.last_ns = turn.count + count, turn.seen + 1, spot.still_ns
        if left == 1:
            return replace(found, block=1, flip=False, gather=False), 1
        block = count if found.place == count else left
        turn.waits, turn.below = spot.id, block - count
        return replace(found, block=block, gather=False), left

    def _whole(self, found: Found, spot: Spot, actor: Actor) -> Found:
        """Return a turn of which all cards came at once; one that went before unseen is told of.

        It did where the card lay just so many whole turns deep.
        """
        turns = found.place // found.block
        source = replace(self._source(found.origin), block=found.block)
        pile = self._piles[source.target]
        since_ns = max((card.since_ns for card in pile), default=0)
        span_ns = spot.still_ns - max(since_ns, spot.still_ns - MISSED_NS)
        if found.place % found.block or turns < 2 or span_ns < turns * TURN_NS:
            return found
        drawn = self._piles.draw(found.origin, found.place - found.block)
        pile.extend(
            replace(card.unseen(), up=True, at_mm=spot.at_mm, since_ns=since_ns)
            for card in reversed(drawn)
        )
        for left in range(turns - 1, 0, -1):
            t_ns = spot.still_ns - span_ns * left // turns
            card = laid(spot, None).card
            self._events.append(moves.drawn_before(t_ns, source, card, actor))
        return replace(found, place=found.block)

    def _unread_place(self, origin: str, size: int) -> int:
        """Return the first place from the top where a card may have lain that was never read.

        0 where that tells nothing: the top one may have been it, or none.
        """
        down = [card for card in self._piles[origin] if not card.up][::-1]
        place = next((k for k, card in enumerate(down, 1) if not card.named), 0)
        return place if 1 < place <= size else 0

    def due_ns(self, spot: Spot) -> int:
        """Return until when it is known at the latest whether a card came alone."""
        return spot.still_ns + LONGEST_NS + 2 * TURN_NS

    def step(self, t_ns: int) -> list[Event]:
        """Settle the draws that no other follows; return what was hidden by them."""
        for one in list(self._arrivals.waiting):
            if one.may_be > 1:
                turn = self._turns[one.origin]
                if not turn.left:
                    self._settle(one.origin, alone=True)
                elif self._is_over(one, turn, t_ns):
                    self._settle(one.origin, alone=False)
        events, self._events = self._events, []
        return events

    def _is_over(self, one: Arrival, turn: Turn, t_ns: int) -> bool:
        """Whether no other card of its turn comes after a card."""
        now, spot = self._evidence.now, one.spot
        if now.covered(spot.at_mm):
            turn.hidden_ns = t_ns
        if self._index(one) is None and not self._air.left(one.target):
            # It was taken to be played: what shows then came along with it.
            return True
        if any(_lies_on(other, spot) for other in now.spots):
            return t_ns - spot.still_ns > LONGEST_NS + TURN_NS
        if t_ns - spot.still_ns > LONGEST_NS:
            return True
        waited_ns = t_ns - max(spot.still_ns + SINGLY_NS, turn.hidden_ns)
        return waited_ns >= SEEN_NS

    def _index(self, one: Arrival) -> int | None:
        """Return where a card lies that waits, None if it was taken."""
        pile, lay = self._piles[one.target], (one.spot.still_ns, one.card.face)
        same = (k for k, card in enumerate(pile) if (card.since_ns, card.face) == lay)
        return max(same, default=None)

    def _settle(self, origin: str, *, alone: bool) -> None:
        """Let the card that waits have come `alone`, or with the rest of its turn below it."""
        turn, waiting = self._turns[origin], self._arrivals.waiting
        number, turn.waits = turn.waits, None
        place = next((k for k, one in enumerate(waiting) if one.spot.id == number), None)
        if number is None or place is None:
            return
        one = replace(waiting[place], may_be=1, due_ns=waiting[place].spot.still_ns)
        index = self._index(one)
        rest = 0 if alone else turn.left
        if index is not None and alone:
            self._give_back(one, index, turn.below)
        elif not alone:
            self._lay_rest(one, index, rest - turn.below)
        turn.below = 0
        if not alone or index is None:
            turn.count = turn.size
        if index is None or (turn.seen == 1 and not alone):
            conf = min(one.conf, LIKELY) if turn.strange else one.conf
            waiting[place] = replace(one, block=turn.size, flip=True, conf=conf)
            return
        late = [one.spot.still_ns - k * SINGLY_NS // 2 for k in range(rest, 0, -1)]
        self._tell_hidden(one, [*turn.times, *late], named=not turn.strange)
        turn.times = ()
        waiting[place] = replace(one, block=1, flip=False)

    def _lay_rest(self, one: Arrival, index: int | None, count: int) -> None:
        """Lay the rest of a turn below its card, or where that lay, of which it seemed the first.

        Nobody knows which they are: the card itself lay elsewhere than was believed.
        """
        drawn = self._piles.draw(one.origin, count)
        cards = [unknown(replace(one.card, deck=card.deck), True) for card in drawn[::-1]]
        cards += [unknown(one.card, True)] * (count - len(cards))
        pile = self._piles[one.target]
        place = len(pile) if index is None else index
        pile[place:place] = cards

    def _give_back(self, one: Arrival, index: int, count: int) -> None:
        """Lay the cards of a turn that are still to come back onto their stock."""
        pile, stock = self._piles[one.target], self._piles[one.origin]
        below = pile[max(0, index - count) : index]
        del pile[max(0, index - count) : index]
        at_mm = stock[-1].at_mm if stock else one.spot.at_mm
        back = [replace(card.unseen(), up=False, at_mm=at_mm) for card in reversed(below)]
        if back and stock:
            back[-1] = replace(back[-1], spot=stock[-1].spot)
            stock[-1] = stock[-1].unseen()
        stock.extend(back)

    def _tell_hidden(self, one: Arrival, times: list[int], *, named: bool) -> None:
        """Tell of the cards below one that were laid singly and did not show."""
        index, pile = self._index(one) or 0, self._piles[one.target]
        for k, t_ns in zip(range(index - len(times), index), times, strict=True):
            card = pile[k] if named else unknown(pile[k], True)
            pile[k] = replace(card, since_ns=t_ns)
            self._events.append(
                moves.unseen(
                    t_ns,
                    BETWEEN_U_NS,
                    pile[k].card,
                    one.origin,
                    one.target,
                    one.actor,
                    BETWEEN_CONF,
                )
            )

    def _source(self, origin: str) -> Source:
        source = self._habits.drawn_by_blocks(origin)
        assert source is not None
        return source


def _lies_on(other: Spot, spot: Spot) -> bool:
    """Whether a card that came later lies on another one."""
    return other.up and other.still_ns > spot.still_ns and dist(other.at_mm, spot.at_mm) < COVERS_MM
