"""Which cards left their place: seen no more, covered by nothing, and their place was looked at."""

from __future__ import annotations

from collections.abc import Callable, Container
from math import dist

from referee.table.air import Air
from referee.table.habits import Habits, is_in_hands
from referee.table.piles import Lying, Piles, laid
from referee.table.settled import Settled
from referee.table.sources import ROW_MM
from referee.table.spots import COVERS_MM, OFF, Zones
from referee.values import PointMm
from referee.values.spots import Spot

# What lies below a card that was taken is seen within this time, when no hand is over it.
SHOWN_NS = 330_000_000
# A card of the same pile whose middle is so near hides what leaves below it.
HIDES_MM = 75.0
# So wide is a card; and the hand that laid one has left it after so long.
CARD_MM, LAYS_NS = 63.0, 1_000_000_000


class Leaving:
    """Sets out the cards that left. Used by one thread."""

    def __init__(
        self, habits: Habits, piles: Piles, zones: Zones, air: Air, is_held: Callable[[str], bool]
    ) -> None:
        """Take the piles, the air into which cards go, and which decks are held to be dealt."""
        self._habits, self._piles, self._zones, self._air = habits, piles, zones, air
        self._is_held = is_held

    def step(self, now: Settled, stale: Container[int]) -> None:
        """Set out the cards that are seen no more and that nothing covers.

        `stale` are spots of cards that lie elsewhere already.
        """
        known = self._piles.spots()
        fresh = [spot for spot in now.spots if spot.id not in known and spot.id not in stale]
        for zone in self._piles.zones():
            if is_in_hands(zone) or self._is_held(zone):
                continue
            bare = self._bare_in(zone, fresh, now.t_ns)
            bare = self._gone_of(now, zone, bare)
            if bare and zone != OFF:
                self._air.set_out(now.t_ns, zone, bare)
            elif bare:
                self._piles.take(zone, bare)

    def _gone_of(self, now: Settled, zone: str, bare: list[int]) -> list[int]:
        """Return which of the cards that nothing covers are gone.

        Those that were seen; and what lay below them, when it does not show within a while.
        """
        pile = self._piles[zone]
        just = [k for k in bare if now.t_ns - pile[k].lost_ns < SHOWN_NS]
        if self._habits.is_drawn_onto(zone):
            # What lies below cards that never showed was covered by them, and nobody took it.
            just = [k for k in just if not any(above not in just for above in bare if above > k)]
        if just and self._habits.drawn_by_blocks(zone) is not None:
            # Another back below would show in the same place.
            return bare
        if just or not bare or now.covered(pile[bare[-1]].at_mm):
            return just
        if not now.shown(pile[bare[-1]].at_mm, pile[bare[-1]].angle_deg):
            return just
        reach_mm = self._habits.reach_mm(zone, COVERS_MM)
        since_ns = self._air.bare_since(zone, pile[bare[-1]].at_mm, reach_mm)
        return [] if since_ns is not None and now.t_ns - since_ns < SHOWN_NS else bare

    def _bare_in(self, zone: str, fresh: list[Spot], t_ns: int) -> list[int]:
        """Return the indices of the cards that are not seen and over which nothing seen lies.

        `fresh` are the cards that are not explained yet.
        """
        pile = self._piles[zone]
        reach_mm = self._habits.reach_mm(zone, ROW_MM if self._habits.is_row(zone) else HIDES_MM)
        over: list[Lying] = []
        later = [laid(spot, None) for spot in fresh]
        # What is covered covers nothing, but those below it at the same place are covered, too.
        covered: set[PointMm] = set()
        bare: list[int] = []
        for index, card in reversed(tuple(enumerate(pile))):
            if card.spot is not None:
                over.append(card)
            elif card.at_mm not in covered:
                below = any(other.near(card.at_mm, reach_mm) for other in over)
                if below or self._is_tucked(zone, card, [*over, *later], t_ns):
                    covered.add(card.at_mm)
                elif not self._is_hidden(zone, card, fresh):
                    bare.append(index)
        return bare[::-1]

    def _is_tucked(self, zone: str, card: Lying, others: list[Lying], t_ns: int) -> bool:
        """Whether the next card of a row lies partly over a back that was not taken just now.

        It got lost as that one was laid, or long ago.
        """
        row = self._habits.is_row(zone) and not card.up
        just = t_ns - card.lost_ns < SHOWN_NS
        return row and any(
            other.near(card.at_mm, CARD_MM)
            and other.since_ns > card.since_ns
            and (not just or card.lost_ns < other.since_ns + LAYS_NS)
            for other in others
        )

    def _is_hidden(self, zone: str, card: Lying, fresh: list[Spot]) -> bool:
        """Whether a card of another zone, or one not explained yet, lies over it."""
        reach_mm = self._habits.reach_mm(zone, COVERS_MM)
        return any(
            dist(spot.at_mm, card.at_mm) < COVERS_MM
            or (
                card.near(spot.at_mm, reach_mm)
                and self._zones.name_at(spot.at_mm, self._piles) == zone
            )
            for spot in fresh
        )
