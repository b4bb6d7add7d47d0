"""Where on a pile a card came to lie, and how sure a move can be by what is not known of it."""

from __future__ import annotations

from dataclasses import replace
from math import dist, hypot

from referee.table.air import Air
from referee.table.arrivals import place_by_time
from referee.table.company import Company
from referee.table.contested import SAME_TOUCH_NS, Contested
from referee.table.found import LIKELY, SHOWN, Found, upon_unseen
from referee.table.gone import Gone
from referee.table.habits import Habits, owner_of
from referee.table.missing import Missing
from referee.table.moves import Arrival
from referee.table.piles import Piles
from referee.table.spots import Zones
from referee.values import Actor, PointMm
from referee.values.spots import Spot

# Where a hand hides a card as it comes to lie, that is known no better than so.
SEEN_NS = 300_000_000
# The two places of a card of which one index is seen lie 53 mm apart: one further than half of that
# from its pile is as near to the other place.
HALF_BESIDE_MM = 26.5
# Of 181 cards laid on cascades none lay more than 11 mm to the side of the one below it.
BESIDE_MM = 16.0
# Of 16 single cards of two makers' films none lay farther than 9 mm from the one below it on a
# foundation; cards of a column lie 15 to 25 mm on from one another.
SQUARE_MM = 14.0
# Nobody lays a card of a cascade so squarely on another: its index would not show.
SQUARELY_MM = 8.0
# A card that nothing covers shows the index at either end.
WHOLE_INDICES = 2


class Resting:
    """Tells where cards come to rest. Used by one thread."""

    def __init__(
        self,
        habits: Habits,
        zones: Zones,
        piles: Piles,
        air: Air,
        company: Company,
        contested: Contested,
        missing: Missing,
    ) -> None:
        """Take the piles, and those who know what of them is in doubt."""
        self._habits, self._zones, self._piles = habits, zones, piles
        self._air, self._company = air, company
        self._contested, self._missing = contested, missing

    def height(self, spot: Spot, zone: str) -> int:
        """Return how many cards of a zone lie below one that came there."""
        squared = not self._habits.is_single(zone) and not self._habits.is_column(zone)
        return place_by_time(self._piles[zone], spot) if squared else len(self._piles[zone])

    def is_under(self, spot: Spot, zone: str) -> bool:
        """Whether a card lies under a cascade: nobody slips any under a row.

        It lies before the first card; or those that lay there were moved on to make room for it,
        and cover one of its ends.
        """
        pile = self._piles[zone]
        if not pile or not self._habits.lies_open(zone):
            return False
        lay = pile[-1].spot is not None and pile[-1].since_ns < spot.moving_ns - SAME_TOUCH_NS
        above = pile[-1] if lay and spot.indices < WHOLE_INDICES else pile[0]
        return self._zones.is_before(zone, spot.at_mm, above.at_mm)

    def lies_squarely(self, spot: Spot, zone: str) -> bool:
        """Whether a card lies just where one of a cascade shows, or did before.

        Either it covers that, or was slipped under it and that was moved on: it shows in a moment.
        """
        if not self._company.is_cascade(zone):
            return False
        return any(
            card.spot != spot.id and card.near(spot.at_mm, SQUARELY_MM)
            for card in self._piles[zone]
        )

    def look_again(self, waiting: list[Arrival]) -> list[Arrival]:
        """Return arrivals that wait, as put under their cascade where that shows moved on now."""
        return [self._put_under(one) if self._was_slipped(one) else one for one in waiting]

    def _was_slipped(self, one: Arrival) -> bool:
        pile = self._piles[one.target]
        if one.under or not pile or pile[0].spot in (None, one.spot.id):
            return False
        lies = any(card.spot == one.spot.id for card in pile)
        before = self._zones.is_before(one.target, one.spot.at_mm, pile[0].at_mm)
        return self._habits.lies_open(one.target) and lies and before

    def _put_under(self, one: Arrival) -> Arrival:
        pile = self._piles[one.target]
        index = next(k for k, card in enumerate(pile) if card.spot == one.spot.id)
        pile.insert(0, pile.pop(index))
        return replace(one, under=True, conf=min(one.conf, SHOWN))

    def most_conf(
        self, spot: Spot, zone: str, actor: Actor, found: Found, origin_mm: PointMm | None
    ) -> float:
        """Return how sure a move can be at most, by what is not known of the places it is between.

        A card laid too low on a cascade looks like one put under it. What was laid on a card that
        is read late was told of as laid on what lies below both.
        """
        origin = self._is_unclear(found.origin, but=found.gone) or _is_of_the_next(found, spot)
        late = not self._habits.shares_one_deck and _is_late(found, spot, zone, actor)
        if origin or late or self._may_be_turned(zone, found):
            return LIKELY
        if (
            self._contested.is_doubtful(zone, spot, origin_mm, actor, found.gone, found.lifted_ns)
            or self._is_unclear(zone, but=found.gone)
            or self._company.hides_what_it_rests_on(zone, spot, found, origin_mm)
            or self.height(spot, zone) < len(self._piles[zone])
            or lies_half_beside(spot, zone, self._habits, self._zones, self._piles)
            or self._may_hide_another(spot, zone, found)
        ):
            return upon_unseen(found.conf)
        return SHOWN if self.is_under(spot, zone) else 1.0

    def _may_hide_another(self, spot: Spot, zone: str, found: Found) -> bool:
        """Whether a card may have brought along one of its column that nobody read, and hides it.

        It lies a step on from the top of a foundation, and was the last that was known there.
        """
        if not self._habits.is_foundation(zone) or not self._company.is_cascade(found.origin):
            return False
        far = any(not top.near(spot.at_mm, SQUARE_MM) for top in self._piles[zone][-1:])
        return far and not self._piles[found.origin]

    def _may_be_turned(self, zone: str, found: Found) -> bool:
        """Whether a card on a place for one may be the back that lay there, and not from a hand."""
        pile = self._piles[zone]
        back = bool(pile) and not pile[-1].up
        return found.hidden and back and self._habits.is_for_one(zone)

    def _is_unclear(self, zone: str, but: Gone | None) -> bool:
        """Whether a lost card may hide in a zone, or some left it that was not told of yet.

        For the judge cards in the air still lie where they were, `but` those of the same block.
        """
        return self._missing.may_hide_in(zone) or self._air.left(zone, but=but)


def lies_half_beside(spot: Spot, zone: str, habits: Habits, zones: Zones, piles: Piles) -> bool:
    """Whether a card lies half beside the top one of a pile or cascade, which still shows."""
    top = piles[zone][-1] if piles[zone] else None
    if top is None or top.spot is None or habits.is_row(zone):
        return False
    if not habits.is_single(zone) and not habits.is_column(zone):
        return not top.near(spot.at_mm, HALF_BESIDE_MM)
    along_mm = zones.along_mm(zone, spot.at_mm) - zones.along_mm(zone, top.at_mm)
    cascade = zones.way_mm(zone) != (0.0, 0.0)
    return cascade and dist(spot.at_mm, top.at_mm) > hypot(along_mm, BESIDE_MM)


def _is_of_the_next(found: Found, spot: Spot) -> bool:
    """Whether a hand came to a card's source only when the card was laid, which nobody saw.

    Then it fetched the next one there, most likely.
    """
    laid_ns, unseen_ns = (spot.moving_ns + spot.still_ns) // 2, spot.still_ns - spot.moving_ns
    return found.lifted_ns is not None and found.lifted_ns > laid_ns and unseen_ns > SEEN_NS


def _is_late(found: Found, spot: Spot, zone: str, actor: Actor) -> bool:
    """Whether a card was taken after it lay: then another one of this face may lie there.

    Of a card that its own player laid, or that lies at his own places, it does not count when its
    old place was seen bare, only when a hand came there: of each face he has but one.
    """
    gone, taken_ns = found.gone, found.lifted_ns
    if taken_ns is None and gone is not None and gone.touched:
        own = owner_of(found.origin) in {owner_of(zone), actor.seat} - {None}
        taken_ns = None if own and gone.t_ns == gone.bare_ns else gone.t_ns
    return taken_ns is not None and taken_ns > spot.still_ns
