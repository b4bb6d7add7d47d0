"""Piles that left their place and lie nowhere: which backs they may have been put to, and when."""

from __future__ import annotations

from math import dist

from referee.table.evidence import Evidence, Reach
from referee.table.gone import Gone, home_of
from referee.table.habits import Habits, owner_of
from referee.table.piles import TURN_CARDS, Piles
from referee.table.putting_under import SEEN_NS, put_ns

# A place that stays bare for so long is empty.
EMPTY_NS, BESIDE_MM = 1_000_000_000, 40.0
# A pile that is turned over lies again within this time.
CARRIED_NS = 2_500_000_000
# A hand that turns a waste over goes from there to the stock and away within that time.
HIDES_NS = 800_000_000


class GoingHome:
    """Asks where piles went whose player puts them back to his backs. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Look at the piles as they are known now."""
        self._habits, self._piles, self._evidence = habits, piles, evidence

    def under(self, gone: Gone) -> tuple[str, int] | None:
        """Return the pile of backs that a face-up block was put under, and when."""
        target = self._habits.put_under(gone.zone, gone.actor.seat)
        if target is None or not gone.cards[-1].up or not self._piles[target]:
            return None
        if not self._shows(target) or not self._left_whole(gone):
            # Who takes up both piles has taken this one in a moment.
            return None
        t_ns = put_ns(gone, target, self._piles, self._evidence)
        if t_ns is None or self._evidence.now.t_ns - t_ns < SEEN_NS:
            return None
        return target, t_ns

    def turned_over(self, gone: Gone) -> tuple[str, int] | None:
        """Return the pile of backs onto which a hand turned over a whole pile, and when."""
        target = self._habits.returns_to(gone.zone, gone.actor.seat)
        if target is None or not gone.cards[-1].up or not self._piles[target]:
            return None
        if self._piles[gone.zone] or not self._shows(target):
            return None
        at_mm = self._piles[target][-1].at_mm
        # Of a place that was seen bare only afterwards it is not known when the hand was there.
        since_ns = gone.t_ns - (HIDES_NS if gone.t_ns == gone.bare_ns else 0)
        contact = self._evidence.last(at_mm, since_ns, gone.t_ns + CARRIED_NS)
        if contact is None or self._evidence.now.t_ns - contact.t_ns < SEEN_NS:
            return None
        if self._habits.put_under(gone.zone, gone.actor.seat) == target and self._is_used(target):
            # It is not known yet whether it was put under them.
            return None
        return target, contact.t_ns

    def must_be_home(self, gone: Gone) -> tuple[str, int] | None:
        """Return the pile of backs onto which a pile was turned over whose place is bare, and when.

        Where nobody holds cards, so many leave their place at once for nothing else.
        """
        target = self._habits.returns_to(gone.zone, gone.actor.seat or owner_of(gone.zone))
        if target is None or self._habits.held is not None:
            return None
        # Of cards that nobody read fewer may lie there than are believed.
        taken = gone.reach is Reach.TOUCHED and not gone.parted
        few = taken and all(card.named for card in gone.cards)
        several = len(gone.cards) > 1 or not gone.counted
        if not (len(gone.cards) > TURN_CARDS or (few and several)):
            return None
        if not (self.is_empty(gone) or self._is_laid_anew(gone)):
            return None
        lie = self._piles[target][-1:]
        shows = any(card.spot is not None and not card.up for card in lie)
        return (target, gone.t_ns) if shows else None

    def may_be_back(self, gone: Gone) -> bool:
        """Whether a hand hides the place of the cards, or the pile that they may be put under."""
        now = self._evidence.now
        target = self._habits.put_under(gone.zone, gone.actor.seat)
        if now.t_ns - gone.clear_ns < SEEN_NS:
            return True
        if target is None or not self._piles[target]:
            return False
        return not self._shows(target) or self._is_used(target)

    def may_be_home(self, gone: Gone) -> bool:
        """Whether a hand hides the backs from which a card was played: it may be back there."""
        home = home_of(gone, self._habits)
        return home is not None and bool(self._piles[home]) and not self._shows(home)

    def is_empty(self, gone: Gone) -> bool:
        """Whether a place was seen bare for long."""
        now, at_mm = self._evidence.now, gone.cards[-1].at_mm
        long = now.t_ns - gone.clear_ns > EMPTY_NS and not self._piles[gone.zone]
        return long and all(dist(spot.at_mm, at_mm) > BESIDE_MM for spot in now.spots)

    def _shows(self, zone: str) -> bool:
        return self._evidence.sees(self._piles[zone][-1])

    def _is_used(self, zone: str) -> bool:
        """Whether a hand was at a pile a moment ago: it may take that, or lay something there."""
        at_mm, now_ns = self._piles[zone][-1].at_mm, self._evidence.now.t_ns
        return self._evidence.last(at_mm, now_ns - SEEN_NS, now_ns) is not None

    def _is_laid_anew(self, gone: Gone) -> bool:
        """Whether another open card came where a pile's place was seen bare: all of it had left."""
        at_mm, faces = gone.cards[-1].at_mm, {card.face for card in gone.cards}
        return not gone.covered and any(
            spot.named and spot.label not in faces and dist(spot.at_mm, at_mm) <= BESIDE_MM
            for spot in self._evidence.now.spots
            if spot.moving_ns > gone.bare_ns
        )

    def _left_whole(self, gone: Gone) -> bool:
        """Whether nothing showed of a pile since: nobody puts a part of one under his backs."""
        rest = self._piles[gone.zone][: gone.below]
        clear = self._evidence.now.t_ns - gone.clear_ns > SEEN_NS
        shown = any(card.spot is not None or card.since_ns >= gone.t_ns for card in rest)
        return not rest or (clear and not shown)
