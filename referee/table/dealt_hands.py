"""Cards dealt into hands: nobody sees them lie, but the deal tells that they left the deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import dist

from referee.table import moves
from referee.table.backs import NEAR_MM
from referee.table.evidence import Evidence
from referee.table.found import Found
from referee.table.habits import Habits
from referee.table.piles import Lying, Piles, laid, unknown
from referee.values import Actor, Event, PileMixed, TablePlan
from referee.values.events import NOBODY
from referee.values.spots import Spot

# A packet reaches the player so long after it was lifted off the deck.
CARRIED_NS = 500_000_000
# A hand comes back for the next packet no sooner.
AGAIN_NS = 400_000_000
# Of a deck that is held nobody sees when a player was dealt his cards: the last one has his 0.7 to
# 2.0 s before the first card lies on the table (of thirteen deals by two makers of films). Those
# before him have theirs at some time since the shuffle, at even steps where all of one player are
# dealt first; who deals in turn is done with them just before. Where no shuffle was seen a player
# has his a second before the next: 0.6 to 3.0 s.
UNSEEN_U_NS, LAST_NS = 1_000_000_000, 1_400_000_000


class DealtHands:
    """Tells of the cards that each player was dealt into his hand. Used by one thread."""

    def __init__(self, plan: TablePlan, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Take the piles, and the hands that came to the deck."""
        self._hands = tuple(f"{place.seat}.{habits.held}" for place in plan.seats)
        self._habits, self._piles, self._evidence = habits, piles, evidence
        self._dealt_onto_mm = tuple(z.center_mm for z in plan.zones if habits.dealt_onto(z.name))
        self._shuffles: dict[str, PileMixed] = {}

    def mixed(self, shuffle: PileMixed) -> None:
        """Take a shuffle: who shuffled the deck deals, and nothing was dealt from it before."""
        self._shuffles[shuffle.zone] = shuffle

    def before(self, found: Found, spot: Spot) -> tuple[Found, list[Event]]:
        """Tell of what was dealt before the first card of the deck was laid on the table.

        Returns where that card came from then.
        """
        count = self._habits.into_hands
        deck = self._piles[found.origin] if found.gone is None else list(found.gone.cards)
        dealt = found.origin in self._habits.dealt_from
        if not dealt or len(deck) <= count * len(self._hands) or self._are_dealt():
            return found, []
        since_ns, dealer = max(card.since_ns for card in deck), found.who
        shuffle = self._shuffles.get(found.origin)
        if shuffle is not None:
            # It is told as at its middle, with a time that reaches past its end.
            since_ns = max(since_ns, shuffle.t_ns + (shuffle.u_ns or 0) // 2)
            dealer = dealer if dealer.seat else Actor(shuffle.actor.seat)
        until_ns = found.lifted_ns or spot.still_ns - CARRIED_NS
        times = self._times_ns(deck[-1], since_ns, until_ns, (spot, *self._laid(deck[-1])))
        events = []
        for hand, (t_ns, u_ns) in zip(self._hands, times, strict=True):
            self._piles[hand].extend(card.unseen() for card in self._take(found, count))
            events.append(moves.into_hand(t_ns, u_ns, hand, count, dealer))
        index = found.index if found.gone is None else len(found.gone.cards) - 1
        return replace(found, index=index), events

    def unseen(self, spot: Spot, zone: str, actor: Actor) -> list[Event]:
        """Tell of what was dealt before the first card was laid by who holds the deck."""
        count = self._habits.into_hands
        if self._habits.dealt_onto(zone) is None or self._are_dealt():
            return []
        events = []
        for k, hand in enumerate(reversed(self._hands), 1):
            self._piles[hand].extend([replace(unknown(laid(spot, None)), up=False)] * count)
            t_ns = spot.still_ns - k * UNSEEN_U_NS
            events.append(moves.into_hand(t_ns, UNSEEN_U_NS, hand, count, actor))
        return events[::-1]

    def _are_dealt(self) -> bool:
        return any(self._piles[hand] for hand in self._hands)

    def _take(self, found: Found, count: int) -> tuple[Lying, ...]:
        if found.gone is None:
            return self._piles.draw(found.origin, count)
        taken, found.gone.cards = found.gone.cards[-count:], found.gone.cards[:-count]
        return taken

    def _laid(self, top: Lying) -> Iterator[Spot]:
        """Yield what lies where cards are dealt onto the table, but for the deck itself."""
        others = (spot for spot in self._evidence.now.spots if spot.id != top.spot)
        for spot in others:
            if any(dist(spot.at_mm, at_mm) < NEAR_MM for at_mm in self._dealt_onto_mm):
                yield spot

    def _times_ns(
        self, top: Lying, since_ns: int, until_ns: int, laid: tuple[Spot, ...]
    ) -> list[tuple[int, int]]:
        """Return when each player has his cards: after the last times a hand was at the deck.

        Not when it was there for a card that is `laid`; several may show first at once. Of a deck
        that the dealer holds in his hand nobody sees when.
        """
        came: list[tuple[int, int]] = []
        for one in self._evidence.each(top.at_mm, since_ns, until_ns - AGAIN_NS, NOBODY):
            if any(_was_for(spot, one.t_ns) for spot in laid):
                continue
            if not came or came[-1][0] - one.t_ns > AGAIN_NS:
                came.append((one.t_ns, one.u_ns))
        players = len(self._hands)
        if top.spot is not None and len(came) >= players:
            return [(t_ns + CARRIED_NS, u_ns + CARRIED_NS) for t_ns, u_ns in came[:players][::-1]]
        last_ns = max(until_ns - LAST_NS + CARRIED_NS, (since_ns + until_ns) // 2)
        step_ns = (last_ns - since_ns) // players
        u_ns = max(UNSEEN_U_NS, (last_ns - since_ns) // 2)
        before = [(since_ns + k * step_ns, u_ns) for k in range(1, players)]
        return [*before, (last_ns, UNSEEN_U_NS)]


def _was_for(spot: Spot, t_ns: int) -> bool:
    """Whether a hand that was at the deck at a time may have taken a card from it that is laid."""
    return spot.moving_ns - CARRIED_NS - AGAIN_NS < t_ns < spot.still_ns
