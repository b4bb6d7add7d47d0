"""Cards turned over from a stock: three at once, or one by one, which makes one turn as well.

A stock loses its top cards in order, and no card is made or lost on the way. So a turn is known by
its size (three cards, or as many as are left), by which of them showed, by where these lay in a
stock that was seen before, and by how often the hand came. What was hidden is told unread. Three at
once is what people do: one by one is told only where more was seen than one turn of three shows,
two cards too close in time, or a hand that laid cards for too long. What the hand hid of such a
turn lies below what showed, as the last card lies open in the end.
"""

from __future__ import annotations

from dataclasses import replace
from math import dist

from referee.table import moves
from referee.table.air import Air
from referee.table.arrivals import PLAYED_NS, Arrivals
from referee.table.backs_left import BacksLeft
from referee.table.evidence import Evidence
from referee.table.found import LIKELY, Found
from referee.table.habits import Habits, Source, owner_of
from referee.table.moves import BETWEEN_CONF, BETWEEN_U_NS, Arrival
from referee.table.piles import NEVER_NS, Piles, laid, unknown
from referee.table.spots import COVERS_MM
from referee.table.stirs import AT_ONCE_NS, Stirs
from referee.table.turn_times import LEAST_TURN_NS, TurnTimes
from referee.table.turns import NEXT_NS, SLOWLY_NS, Drawn, Turn
from referee.table.unseen_turns import UnseenTurns
from referee.table.visits import SINGLY_NS, busy_ns
from referee.values import Actor, Event
from referee.values.spots import Spot

# A hand that turns three over has left the stock 0.5 s before at most, one that lays a second card
# 0.5 to 0.7 s, a third one 0.9 s and more.
THIRD_NS = 780_000_000
# A card that follows another with one between comes so long after it at most, and its hand has been
# to and fro for so long at least.
TWICE_NS, SECOND_NS = 950_000_000, 400_000_000
# From one card to the next, where only their order is known.
STEP_NS = 330_000_000
# Who lays cards on a pile is over it for less than this; longer, and its stirs tell nothing.
LAYING_NS = 800_000_000
# A turn that nobody saw took so long before the next one.
TURN_NS = 950_000_000
# The next card is seen so long after it lies: the hand that laid it has to go first.
SEEN_NS = 250_000_000
# A hand that laid or took a card has left the pile after so long, and comes from the backs to the
# pile beside in so much time.
GOES_NS, COMES_NS = 150_000_000, 100_000_000
# A hand that rests on the piles for longer than this draws no more.
LONGEST_NS = 2_000_000_000
# What showed nothing of a turn is looked for at most this long ago.
MISSED_NS = 4_000_000_000


class Drawing:
    """Takes the cards of stocks off them, turn by turn. For one thread.

    While it is not known whether a card came alone, the rest of its turn lies below it.
    """

    def __init__(
        self,
        habits: Habits,
        piles: Piles,
        evidence: Evidence,
        stirs: Stirs,
        air: Air,
        arrivals: Arrivals,
        left: BacksLeft,
        times: TurnTimes,
        unseen: UnseenTurns,
    ) -> None:
        """Take the piles, the hands, and the arrivals, some of which wait for their turn's rest.

        `left` knows of stocks of which all are believed to be drawn, `times` is told of each turn,
        `unseen` tells of those that nobody saw.
        """
        self._habits, self._piles, self._evidence = habits, piles, evidence
        self._stirs, self._air, self._arrivals = stirs, air, arrivals
        self._left, self._times, self._unseen = left, times, unseen
        self._turns: dict[str, Turn] = {}
        self._events: list[Event] = []

    def is_draw(self, found: Found) -> bool:
        """Whether a card was turned over from a stock."""
        return found.flip and found.hidden

    def draw(self, found: Found, spot: Spot, actor: Actor) -> tuple[Found, int]:
        """Return a draw with all that lies below it, and how many of a turn may lie there."""
        one_by_one = self._is_one_by_one(found.origin, spot)
        busy = self._busy_ns(found.origin, spot)
        turn = self._open(found, spot.still_ns, busy)
        if turn is not None:
            return self._go_on(found, spot, turn, busy)
        found, before = self._unseen.between(found, spot, actor)
        self._events += before
        size = self._size(found, spot)
        place = found.place or self._unread_place(found.origin, size)
        if found.place == size > 1 and busy < THIRD_NS:
            self._times.by_blocks.add(found.origin)
        # Of a turn of so many at once the top one may be played before anything of it is seen.
        by_blocks = found.origin in self._times.by_blocks and found.place > 1 and not one_by_one
        by_blocks |= self._times.turns_whole(found.origin)
        at_once = not (place or one_by_one)
        singly = busy >= THIRD_NS and not (at_once or by_blocks)
        turn = Turn(
            size,
            spot.still_ns,
            self._told_ns(found.origin),
            spot.moving_ns,
            singly=singly,
            at_once=at_once,
        )
        self._turns[found.origin] = turn
        self._times.note(found.origin, spot.still_ns)
        whole = not singly and (place >= size or by_blocks)
        if not self._habits.singly or size == 1 or whole:
            turn.count = size
            return self._whole(replace(found, block=size), spot, actor), 1
        count = size if turn.singly else max(1, place)
        return self._single(replace(found, place=place), spot, turn, count)

    def _is_one_by_one(self, origin: str, spot: Spot) -> bool:
        """Whether a player turns cards over one by one, now or before; others turn three at once.

        Where cards come neither fast nor slowly, both look alike.
        """
        target, turn = self._source(origin).target, self._turns.get(origin)
        after_ns = self._told_ns(origin) - LEAST_TURN_NS
        if self._habits.singly and self._stirs.is_quick(target, after_ns, spot.still_ns):
            self._times.note_quick(origin)
        singly = origin in self._times.singly
        if singly and turn is not None:
            turn.at_once = False
        return singly

    def _busy_ns(self, origin: str, spot: Spot) -> int:
        """Return for how long a hand has been drawing a card, 0 if that is not known."""
        backs = self._piles[origin]
        if not backs:
            return 0
        target, told_ns = self._source(origin).target, self._told_ns(origin)
        after_ns = max(told_ns, self._air.taken_ns(target)) + GOES_NS
        since_ns = self._stirs.since_ns(target, spot.still_ns, after_ns)
        if since_ns is not None:
            return max(0, moves.at_rest_ns(spot) - since_ns) + COMES_NS
        return busy_ns(self._evidence, owner_of(origin), backs[-1].at_mm, spot, told_ns)

    def _told_ns(self, origin: str) -> int:
        """Return when the last card lay on the pile that a stock is turned over onto."""
        pile = self._piles[self._source(origin).target]
        return max(*(card.since_ns for card in pile), self.last_ns(origin), NEVER_NS)

    def last_ns(self, origin: str) -> int:
        """Return when the last card lay that was turned over from a stock."""
        turn = self._turns.get(origin)
        return NEVER_NS if turn is None else turn.last_ns

    def follows(self, origin: str, t_ns: int) -> bool:
        """Whether a card of a time follows the last one of an open turn at once."""
        turn = self._turns.get(origin)
        return turn is not None and turn.left > 0 and NEXT_NS < t_ns - turn.last_ns < turn.slowly_ns

    def shows(self, found: Found, spot: Spot) -> bool:
        """Whether a card came to lie just when the backs and then the pile beside had stirred."""
        if not self.is_draw(found) or spot.still_ns - spot.moving_ns > LAYING_NS:
            return False
        target = self._source(found.origin).target
        return self._stirs.shows_draw(target, spot.still_ns, self._air.carried_ns(target))

    def goes_on(self, origin: str, t_ns: int) -> bool:
        """Take one card more into an open turn, which was carried on at once; tells if one is."""
        turn = self._open(Found(origin), t_ns, 0)
        if turn is None:
            return False
        turn.count, turn.last_ns = turn.count + 1, t_ns
        return True

    def make_way(self, spot: Spot, zone: str) -> None:
        """Take no card for one below the last of a turn that comes too soon to have been bared."""
        for origin, turn in self._turns.items():
            soon = NEXT_NS < spot.still_ns - turn.last_ns < PLAYED_NS
            if soon and turn.left and self._source(origin).target == zone:
                self._give_back(origin, turn)

    def _size(self, found: Found, spot: Spot) -> int:
        """Return of how many cards a turn is now.

        Where all that were counted make one turn and a back still shows, one more turn lies there.
        """
        if self._left.is_more(found, spot):
            return self._left.add_turn(self._source(found.origin))
        down = sum(not card.up for card in self._piles[found.origin])
        deep = found.origin in self._piles.deep or not down
        return found.block if deep else min(found.block, down)

    def is_unclear(self, found: Found | None, spot: Spot) -> bool:
        """Whether it is still to be seen if a draw took all backs, as it is believed."""
        return found is not None and self._left.is_unclear(found, spot)

    def _open(self, found: Found, t_ns: int, busy: int) -> Turn | None:
        """Return the turn that a card of this time goes on with; an older one is over.

        So is one below which the rest of it lies already, where the card lay deeper in its stock.
        """
        origin = found.origin
        turn = self._turns.get(origin)
        if turn is None or not turn.left:
            return None
        gap_ns = turn.gap_ns(t_ns)
        twice = turn.left > 1 and gap_ns < TWICE_NS and busy >= SECOND_NS and not turn.at_once
        slowly = gap_ns < (LONGEST_NS if self._times.lays_singly(origin) else turn.slowly_ns)
        deeper = turn.below > 0 and found.place > 0
        if deeper or t_ns - turn.last_ns < NEXT_NS or not (twice or slowly):
            # Who lays two at one moment has laid the first before: it was seen late.
            self._close(origin)
            return None
        self._give_back(origin, turn)
        turn.singly = True
        return turn

    def _go_on(self, found: Found, spot: Spot, turn: Turn, busy: int) -> tuple[Found, int]:
        """Take the next card of an open turn, and one that was hidden between."""
        slowly = turn.left == 1 or busy < SECOND_NS
        count = 1 if slowly or spot.still_ns - turn.last_ns < SINGLY_NS else 2
        if count > 1 and 0 < found.place <= turn.left:
            count = found.place
        return self._single(found, spot, turn, count)

    def _single(self, found: Found, spot: Spot, turn: Turn, count: int) -> tuple[Found, int]:
        """Take a card that is the `count`th since the last one, or the last of its turn.

        Where its place was not known, the rest of the turn lies below it till that is settled.
        """
        left, last_ns = turn.left, turn.last_ns
        turn.strange |= found.place not in (0, count, left)
        turn.count, turn.last_ns = turn.count + count, spot.still_ns
        turn.first_ns = spot.moving_ns
        step_ns = (spot.still_ns - last_ns) // count if turn.cards else STEP_NS
        hidden = tuple(spot.still_ns - k * step_ns for k in range(count - 1, 0, -1))
        turn.cards += (Drawn(spot.id, hidden),)
        block = count if found.place == count else left
        turn.below = block - count
        return replace(found, block=block, gather=False), max(2, left)

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
        self._left.watch()
        for origin, turn in self._turns.items():
            waiting = self._waiting(turn)
            if waiting and (not turn.left or self._is_over(waiting[-1], turn, t_ns)):
                self._close(origin)
        events, self._events = self._events, []
        return events

    def _waiting(self, turn: Turn) -> list[Arrival]:
        """Return the arrivals of a turn that are not told yet."""
        numbers = {card.spot for card in turn.cards}
        return [one for one in self._arrivals.waiting if one.spot.id in numbers]

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
        waited_ns = t_ns - max(spot.still_ns + self._next_ns(turn), turn.hidden_ns)
        return waited_ns >= SEEN_NS

    def _next_ns(self, turn: Turn) -> int:
        """Return how long after the last card the next one that shows may lie."""
        if turn.at_once:
            return AT_ONCE_NS
        return TWICE_NS if turn.left > 1 else SLOWLY_NS

    def _index(self, one: Arrival) -> int | None:
        """Return where a card lies that waits, None if it was taken."""
        pile, lay = self._piles[one.target], (one.spot.still_ns, one.card.face)
        same = (k for k, card in enumerate(pile) if (card.since_ns, card.face) == lay)
        return max(same, default=None)

    def _close(self, origin: str) -> None:
        """Let the cards that showed be all that was seen of their turn: the rest lies below."""
        turn = self._turns[origin]
        cards, waiting = turn.cards, self._waiting(turn)
        rest, turn.cards, turn.count = turn.left, (), turn.size
        if not waiting:
            return
        self._lay_rest(waiting, rest - turn.below, turn.below)
        turn.below = 0
        if not (turn.singly or self._may_be_singly(origin, turn, waiting[0])):
            self._times.note_whole(origin)
            self._tell_whole(waiting[0], turn)
            return
        self._times.note_singly(origin, seen=len(cards))
        first_ns = waiting[0].spot.still_ns - len(cards[0].hidden) * STEP_NS
        early = tuple(first_ns - k * STEP_NS for k in range(rest, 0, -1))
        times = {card.spot: card.hidden for card in cards}
        times[cards[0].spot] = (*early, *cards[0].hidden)
        for one in waiting:
            self._tell_hidden(one, times[one.spot.id], named=not turn.strange)
            self._settle(one, replace(one, block=1, flip=False))

    def _may_be_singly(self, origin: str, turn: Turn, first: Arrival) -> bool:
        """Whether a turn of which only one card showed was laid one by one, as its player does.

        In less time than that takes he turned them at once.
        """
        enough_ns = turn.size * STEP_NS
        return self._times.lays_singly(origin) and first.spot.still_ns - turn.before_ns > enough_ns

    def _tell_whole(self, one: Arrival, turn: Turn) -> None:
        """Let a card be the top one of a whole turn."""
        conf = min(one.conf, LIKELY) if turn.strange else one.conf
        self._settle(one, replace(one, block=turn.size, flip=True, conf=conf))

    def _settle(self, one: Arrival, told: Arrival) -> None:
        """Let an arrival be told as it is known now."""
        waiting = self._arrivals.waiting
        told = replace(told, may_be=1, due_ns=one.spot.still_ns)
        waiting[waiting.index(one)] = told

    def _lay_rest(self, waiting: list[Arrival], count: int, below: int) -> None:
        """Lay the rest of a turn below the first card that showed, or where that lay.

        Of it `below` cards lie below the last card already, and nobody knows which the other ones
        are: that card lay elsewhere than was believed.
        """
        first, last = waiting[0], waiting[-1]
        drawn = self._piles.draw(first.origin, count)
        cards = [unknown(replace(first.card, deck=card.deck), True) for card in drawn[::-1]]
        cards += [unknown(first.card, True)] * (count - len(cards))
        pile = self._piles[first.target]
        under = self._place(last)
        cards += pile[max(0, under - below) : under]
        del pile[max(0, under - below) : under]
        place = self._place(first)
        pile[place:place] = cards

    def _place(self, one: Arrival) -> int:
        """Return where a card lies in its pile, or lay on top of it before it was taken."""
        index = self._index(one)
        return len(self._piles[one.target]) if index is None else index

    def _give_back(self, origin: str, turn: Turn) -> None:
        """Lay the cards of a turn that are still to come back onto their stock."""
        waiting = self._waiting(turn)
        if not waiting or not turn.below:
            return
        one, count = waiting[-1], turn.below
        turn.below = 0
        pile, stock = self._piles[one.target], self._piles[origin]
        index = self._place(one)
        below = pile[max(0, index - count) : index]
        del pile[max(0, index - count) : index]
        at_mm = stock[-1].at_mm if stock else one.spot.at_mm
        back = [replace(card.unseen(), up=False, at_mm=at_mm) for card in reversed(below)]
        if back and stock:
            back[-1] = replace(back[-1], spot=stock[-1].spot)
            stock[-1] = stock[-1].unseen()
        stock.extend(back)

    def _tell_hidden(self, one: Arrival, times: tuple[int, ...], *, named: bool) -> None:
        """Tell of the cards below one that were laid singly and did not show."""
        index, pile = self._place(one), self._piles[one.target]
        # Where the pile was taken up meanwhile, nothing of them is left to be told.
        places = ((k, t_ns) for k, t_ns in enumerate(times, index - len(times)) if k >= 0)
        for k, t_ns in places:
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
