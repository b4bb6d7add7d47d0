"""Whether a card that was never seen before can have come only from the pile that it is said to.

A touch at a pile of backs is often not felt. Then what is seen of a player's other piles tells:
what lies open on them lay still all the while, or his fingers came near none of them. Fingers are
not seen until they are over the table: piles nearer to their player they may have passed before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import dist

from referee.table.air import Air
from referee.table.contested import is_common
from referee.table.evidence import Evidence
from referee.table.found import LIKELY, NOWHERE_ELSE, Found
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.passing import LAY_NS, PASSED_MM
from referee.table.piles import NEVER_NS, Lying, Piles
from referee.table.spots import COVERS_MM, Zones
from referee.values import Actor, TablePlan
from referee.values.spots import NOT_READ, Spot

# A carry takes 0.3 to 0.9 s; what a hand took longer ago it may have laid elsewhere meanwhile.
CARRIED_NS = 1_300_000_000
# Piles lie 85 mm apart: fingers that were so much nearer to one of two were at that one.
NEARER_MM = 25.0


class OnlySource:
    """Compares the piles of one player. Used by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        zones: Zones,
        piles: Piles,
        air: Air,
        evidence: Evidence,
    ) -> None:
        """Take the seats, the piles, the cards in the air, and what the hands tell."""
        self._habits, self._zones = habits, zones
        self._homes_mm = {place.seat: place.center_mm for place in plan.seats}
        self._places = plan.zones
        self._piles, self._air, self._evidence = piles, air, evidence
        # When each place was last seen on which nothing is known to lie.
        self._bare_ns: dict[str, int] = {}
        # The places for backs on which none was seen yet: they may have been overlooked.
        names = (place.name for place in plan.zones)
        self._backless = {name for name in names if habits.is_of_backs(name)}

    def watch(self) -> None:
        """Note which places are seen, free of hands, on which nothing is known to lie."""
        known, now = {*self._piles.zones()}, self._evidence.now
        self._backless -= known
        for place in self._places:
            free = place.name not in known and not self._may_be_overlooked(place.name)
            if free and now.shown(place.center_mm, place.angle_deg):
                self._bare_ns[place.name] = now.t_ns

    def judged(self, found: Found, spot: Spot, zone: str, actor: Actor) -> Found:
        """Return a source as sure as it is by what is seen of the other piles."""
        hidden = found.hidden and not found.flip and not is_in_hands(found.origin)
        if hidden and any(self._may_be_overlooked(one) for one in self._like(found.origin, zone)):
            return replace(found, conf=min(found.conf, LIKELY))
        only = hidden and found.conf >= LIKELY and self._is_only(found, spot, zone, actor)
        return replace(found, conf=NOWHERE_ELSE) if only else found

    def _like(self, origin: str, zone: str) -> Iterator[str]:
        """Return the other places from which a player's card comes to a zone."""
        seat = owner_of(origin) or ""
        names = (one.origin.replace("?", seat) for one in self._habits.sources(zone))
        return (name for name in names if owner_of(name) == seat and name != origin)

    def _may_be_overlooked(self, zone: str) -> bool:
        """Whether backs may lie on a place on which none was seen yet, of a game found in play."""
        return zone in self._backless and bool(self._piles.deep)

    def _is_only(self, found: Found, spot: Spot, zone: str, actor: Actor) -> bool:
        seat = owner_of(found.origin)
        if seat is None or actor.seat != seat or found.gone is not None or found.block > 1:
            return False
        if not spot.named or self._is_known(spot, found.origin) or self._is_missing(spot, seat):
            return False
        came_mm = self._came_mm(found.origin, seat, spot)
        if came_mm is None or came_mm > PASSED_MM or self._hides_more(seat, spot, zone):
            return False
        if self._may_be_bared(zone, spot):
            return False
        others = (name for name in self._piles.zones() if owner_of(name) == seat)
        home_mm = self._home_mm(found.origin, seat)
        return all(
            self._is_out_of_question(name, came_mm, seat, spot, home_mm)
            for name in others
            if name not in (found.origin, zone) and self._may_hold_unknown(name)
        )

    def _may_be_bared(self, zone: str, spot: Spot) -> bool:
        """Whether a card may have lain unread in a column since the first look, and is bare now.

        Others that lay farther on there are seen no more.
        """
        at_mm = self._zones.along_mm(zone, spot.at_mm)
        return zone in self._piles.found and any(
            card.spot is None and self._zones.along_mm(zone, card.at_mm) > at_mm
            for card in self._piles[zone]
        )

    def _hides_more(self, seat: str, spot: Spot, zone: str) -> bool:
        """Whether a place of the player's was not seen to be bare where nothing is known to lie.

        Who keeps a hand upon his waste may have turned up cards beneath it that nobody saw. To
        another place, over which the arm came that carried this card, he brought none since.
        """
        known, now_ns = {*self._piles.zones(), zone}, self._evidence.now.t_ns
        unknown = (
            place.name
            for place in self._places
            if owner_of(place.name) == seat and place.name not in known
        )
        return any(
            self._bare_ns.get(name, NEVER_NS)
            < (now_ns if self._habits.is_drawn_onto(name) else spot.still_ns - CARRIED_NS)
            for name in unknown
        )

    def _is_known(self, spot: Spot, origin: str) -> bool:
        """Whether a card of this face and deck is known to lie elsewhere."""
        decks, known = (None, owner_of(origin)), self._piles.of_face(spot.label)
        return any(card.deck in decks and name != origin for name, _, card in known)

    def _is_missing(self, spot: Spot, seat: str) -> bool:
        """Whether such a card, or one never read, left a player's place and lies nowhere yet."""
        return any(
            card.face in (spot.label, NOT_READ)
            for gone in self._air.gone
            if owner_of(gone.zone) in (seat, None)
            for card in gone.cards
        )

    def _may_hold_unknown(self, zone: str) -> bool:
        return zone in self._piles.deep or any(not card.named for card in self._piles[zone])

    def _home_mm(self, zone: str, seat: str) -> float:
        """Return how far a pile lies from its player's place."""
        return dist(self._piles[zone][-1].at_mm, self._homes_mm[seat])

    def _is_out_of_question(
        self, zone: str, came_mm: float, seat: str, spot: Spot, home_mm: float
    ) -> bool:
        """Whether no finger came near a pile, or none right at it, and its top lay still.

        Or fingers passed over a pile that is only laid onto, the top of which lay still.
        `home_mm`: how far from its player the pile lies that the card is said to come from.
        """
        card = self._piles[zone][-1]
        if self._shows_another(card, spot):
            return False
        still = self._lay_still(card, spot)
        if still and is_common(zone):
            return True
        near_mm = self._came_mm(zone, seat, spot)
        clearly = near_mm is None or near_mm > came_mm + NEARER_MM
        far = near_mm is not None and near_mm >= PASSED_MM and self._home_mm(zone, seat) > home_mm
        return clearly and (far or still)

    def _came_mm(self, zone: str, seat: str, spot: Spot) -> float | None:
        """Return how near a player's fingers came to a pile before the card lay; None: unseen."""
        since_ns, until_ns = spot.still_ns - CARRIED_NS, spot.still_ns - LAY_NS
        at_mm = self._piles[zone][-1].at_mm
        came = self._evidence.nearest(seat, at_mm, since_ns, until_ns)
        return None if came is None else came[0]

    def _lay_still(self, card: Lying, spot: Spot) -> bool:
        """Whether a card lay open, where it lies, since before the other was taken."""
        now = (one for one in self._evidence.now.spots if one.id == card.spot)
        since_ns = spot.still_ns - CARRIED_NS
        return card.up and any(one.still_ns <= since_ns for one in now)

    def _shows_another(self, card: Lying, spot: Spot) -> bool:
        """Whether another card shows on one since: a turn under a hand is seen when that leaves."""
        since_ns = spot.still_ns - CARRIED_NS
        return any(
            one.still_ns > since_ns and card.near(one.at_mm, COVERS_MM)
            for one in self._evidence.now.spots
            if one.id not in (card.spot, spot.id)
        )
