"""Cards turned over one by one or three at once: told apart by whether the next follows at once."""

from __future__ import annotations

from dataclasses import replace

from referee.table import moves
from referee.table.arrivals import Arrivals
from referee.table.evidence import Evidence
from referee.table.found import LIKELY, TAP_NS, Found
from referee.table.habits import Habits
from referee.table.moves import BETWEEN_CONF, Arrival
from referee.table.piles import NEVER_NS, Lying, Piles, unknown
from referee.values import Actor, Event
from referee.values.spots import Spot

# Cards turned one by one follow one another within this time; to turn three at once takes longer.
SINGLY_NS = 560_000_000
# The next card is seen so long after it lies: the hand that laid it has to go first.
SEEN_NS = 250_000_000
# From the touch of the backs to the card on the pile beside.
LAID_NS, LEAST_U_NS = 240_000_000, 150_000_000


class Drawing:
    """Takes draws for single cards until none follows, where a game knows both. For one thread.

    When no other follows, the cards that must have come along are laid below the one seen.
    """

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Take the piles, which change when a draw turns out to be a block, and the hands."""
        self._habits, self._piles, self._evidence = habits, piles, evidence
        # When the last draw from each pile lay, and how many of its series did with it.
        self._last: dict[str, tuple[int, int]] = {}
        # Spots of cards that were known to lie on top of their pile.
        self._topmost: set[int] = set()

    def may_be_single(self, found: Found) -> bool:
        """Whether a draw of a block may be one of several single draws."""
        return self._habits.singly and found.flip and found.hidden

    def follows(self, origin: str, t_ns: int) -> bool:
        """Whether a draw at a time goes on with a series; a full one is one turn."""
        last_ns, count = self._last.get(origin, (NEVER_NS, 0))
        source = self._habits.drawn_by_blocks(origin)
        most = 1 if source is None else source.block
        return self._habits.singly and t_ns - last_ns < SINGLY_NS and count < most

    def single(self, found: Found, spot: Spot) -> tuple[Found, int]:
        """Return a draw as the single card that is seen, and how many cards it may be."""
        if not self.may_be_single(found):
            return found, 1
        follows = self.follows(found.origin, spot.still_ns)
        count = self._last[found.origin][1] + 1 if follows else 1
        self._last[found.origin] = spot.still_ns, count
        single = replace(found, block=1, flip=False, gather=False)
        if follows:
            return single, 1
        if not found.counted:
            return single, found.block
        source = self._habits.drawn_by_blocks(found.origin)
        assert source is not None
        down = sum(not card.up for card in self._piles[found.origin])
        usual = min(source.block, down)
        if found.block == usual:
            return found, 1
        if found.block == 1:
            self._topmost.add(spot.id)
            return replace(single, conf=min(found.conf, LIKELY)), usual
        # Nobody turns two: the pile was miscounted.
        conf = min(found.conf, LIKELY)
        return replace(found, block=usual, miscount=usual - found.block, conf=conf), 1

    def series(
        self, found: Found, spot: Spot, touched_ns: list[int], actor: Actor
    ) -> tuple[Found, tuple[Event, ...]]:
        """Return the draws of a series of which only the last card was seen, and lay their cards.

        The hand came down on the backs once for each. What is left is the last draw.
        """
        last_ns, count = self._last.get(found.origin, (NEVER_NS, 0))
        fresh = [t_ns for t_ns in touched_ns if t_ns > last_ns - TAP_NS]
        if not self.may_be_single(found) or len(fresh) < 2 or found.block < 2:
            return found, ()
        source = self._habits.drawn_by_blocks(found.origin)
        assert source is not None
        self._piles.recount(found.origin, found.miscount)
        hidden = fresh[:-1][-(found.block - 1) :]
        if found.counted:
            hidden = [hidden[0]] * (found.block - 1 - len(hidden)) + hidden
        drawn = self._piles.draw(found.origin, len(hidden))
        if not found.counted:
            drawn = tuple(unknown(card) for card in drawn)
        at_mm = spot.at_mm
        cards = [replace(card.unseen(), up=True, at_mm=at_mm) for card in drawn]
        self._piles[source.target].extend(cards[::-1])
        # What comes now follows at once, and so it is a single card too.
        count = count if self.follows(found.origin, hidden[0]) else 0
        self._last[found.origin] = spot.still_ns - SINGLY_NS // 2, count + len(hidden)
        return replace(found, miscount=0), tuple(
            moves.unseen(
                t_ns + LAID_NS,
                LEAST_U_NS,
                card.card,
                found.origin,
                source.target,
                actor,
                BETWEEN_CONF,
            )
            for t_ns, card in zip(hidden, cards[::-1], strict=False)
        )

    def due_ns(self, spot: Spot) -> int:
        """Return until when the next card of a series must have been seen."""
        return spot.still_ns + SINGLY_NS + SEEN_NS

    def step(self, arrivals: Arrivals, t_ns: int) -> None:
        """Settle arrivals: single ones as soon as the next came, blocks when none did."""
        arrivals.waiting = [
            self._settled(one, t_ns) if one.may_be > 1 else one for one in arrivals.waiting
        ]

    def _settled(self, one: Arrival, t_ns: int) -> Arrival:
        next_ns = self._last[one.origin][0] - one.spot.still_ns
        if 0 < next_ns < SINGLY_NS or self._is_drawn_again(one):
            return replace(one, may_be=1, due_ns=t_ns)
        return self._block(one) if t_ns >= one.due_ns or self._is_taken(one) else one

    def _is_taken(self, one: Arrival) -> bool:
        """Whether the card is on its way already: what shows then came along with it."""
        return all(spot.id != one.spot.id for spot in self._evidence.now.spots)

    def _is_drawn_again(self, one: Arrival) -> bool:
        """Whether the hand was back at the backs sooner than after a block."""
        pile = self._piles[one.origin]
        if not pile:
            return False
        at_mm, laid_ns = pile[-1].at_mm, one.spot.still_ns
        since_ns, until_ns = laid_ns - TAP_NS, laid_ns + SINGLY_NS - LAID_NS
        contact = self._evidence.last(at_mm, since_ns, until_ns, Actor(one.actor.seat))
        return contact is not None and contact.apart_mm(at_mm) < contact.apart_mm(one.spot.at_mm)

    def _block(self, one: Arrival) -> Arrival:
        """Lay the cards that came along below the one that is seen."""
        # Where it was believed to lie on top the pile was miscounted: unknown ones lay above it.
        known = one.spot.id in self._topmost
        drawn = () if known else self._piles.draw(one.origin, one.may_be - 1)
        self._topmost.discard(one.spot.id)
        pile = self._piles[one.target]
        index = next((k for k, card in enumerate(pile) if card.spot == one.spot.id), len(pile))
        below = [_turned(card, one) for card in drawn[::-1]]
        below += [unknown(one.card, True)] * (one.may_be - 1 - len(below))
        pile[index:index] = below
        return replace(one, block=one.may_be, may_be=1, flip=True)


def _turned(card: Lying, one: Arrival) -> Lying:
    return replace(card.unseen(), up=True, at_mm=one.spot.at_mm, since_ns=one.spot.still_ns)
