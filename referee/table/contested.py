"""Cards that were covered before they were ever seen to lie: several hands at one place.

What is known of such a card: it left its pile, its player's hand came down on a common place
before what is seen there now, and it lies nowhere else. That is told with little certainty, at
the time of that hand, before the card that covers it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from referee.table.evidence import CLEARLY_MM, Contact, Evidence, is_same_hand
from referee.table.found import Found
from referee.table.gone import Gone, lifted_ns
from referee.table.habits import Habits, fits, owner_of
from referee.table.piles import NEVER_NS, Lying, Piles, comes_next
from referee.table.spots import Zones
from referee.values import Actor, Card, PointMm, TablePlan
from referee.values.spots import Spot

# Zones that several hands play to at once; `F.work.1` is seat F's, `A.pile.1` one of Spy's.
COMMON = ("F.[0-9]*", "play.?", "?.pile.[0-9]*")
# A hand that came down so near to the middle of an empty place was there, not beside it.
THERE_MM = 60.0
# A card is laid this long after it was taken at most.
CARRY_NS = 1_500_000_000
LEAST_CARRY_NS = 80_000_000
SAME_TOUCH_NS = 180_000_000
MEMORY_NS = 3_000_000_000
# Nobody fetches another card with the hand that has just laid one within this time.
WITHDRAWS_NS = 450_000_000
# Fingertips so near to a pile's middle may lay a card on it: half a card's width and their own.
OVER_MM = 45.0
# A card is explained before its pile is hidden so often again.
MOST_TIMES = 4
# A card that was not laid is back in view, or on another pile, within this time.
WAIT_NS = 700_000_000
CONF = 0.6
# A carry takes so long at least, and a hand stays for so long at the place where it laid a card.
CARRIES_NS, STAYS_NS = 300_000_000, 100_000_000


class Contested:
    """Finds the place where a card in the air may lie covered. Used by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        zones: Zones,
        piles: Piles,
        evidence: Evidence,
        limbo: Callable[[], Sequence[Gone]],
    ) -> None:
        """Take the game, the piles, what the hands tell, and how to ask for cards in the air."""
        self._seats = tuple(place.seat for place in plan.seats)
        self._habits, self._piles, self._evidence, self._limbo = habits, piles, evidence, limbo
        self._touched = evidence.touched
        # Where the first card of each column lies, by the player who lays his own cards there.
        self._columns = [
            (owner_of(zone.name), zone.name, zones.first_mm(zone.name))
            for zone in plan.zones
            if habits.is_column(zone.name)
        ]
        self._places = tuple(zone for zone in plan.zones if is_common(zone.name))
        # When each common place was last seen to be bare.
        self._bare_ns: dict[str, int] = {}
        # Since when hands hid each common pile, the last few times; those that are hidden now.
        self._hidden_ns: dict[str, deque[int]] = {}
        self._hidden: set[str] = set()

    def watch(self) -> None:
        """Note which common piles hands begin to hide, and which common places are bare."""
        now = self._evidence.now
        for place in self._places:
            if not self._piles[place.name] and self._is_bare(place.center_mm, place.angle_deg):
                self._bare_ns[place.name] = now.t_ns
        for zone in filter(is_common, self._piles.zones()):
            top = self._piles[zone][-1]
            if zone not in self._hidden and now.covered(top.at_mm):
                self._hidden.add(zone)
                self._hidden_ns.setdefault(zone, deque(maxlen=MOST_TIMES)).append(now.t_ns)
            elif not now.covered(top.at_mm) and now.shown(top.at_mm, top.angle_deg):
                self._hidden.discard(zone)

    def _is_bare(self, at_mm: PointMm, angle_deg: float) -> bool:
        """Whether a place is seen, free of hands, and nothing shows there."""
        now = self._evidence.now
        seen = now.shown(at_mm, angle_deg) and not now.covered(at_mm)
        return seen and all(math.dist(spot.at_mm, at_mm) > THERE_MM for spot in now.spots)

    def below(self, gone: Gone) -> tuple[str, Contact] | None:
        """Return the common zone in which a card lies covered, and when it was laid there."""
        found = [
            (contact.apart_mm(top.at_mm), zone, contact)
            for zone, top, contact in self._laid_on(gone)
            if top.spot is not None and top.since_ns > contact.t_ns + self._least_ns(gone, top)
        ]
        if not found:
            return self._brought_to(gone)
        _, zone, contact = min(found, key=lambda one: one[0])
        return zone, contact

    def _brought_to(self, gone: Gone) -> tuple[str, Contact] | None:
        """Return the only playing pile that a hand came to with a card, where it was not felt.

        Where two play onto one pile at once their hands are one: of the hand that brought a card
        only the way is known. It lies there, as another covers it, and lies nowhere else.
        """
        card, seat, lifted_ns = gone.cards[0], gone.actor.seat, self._lifted_ns(gone)
        if len(gone.cards) > 1 or not (card.up and card.named) or seat is None or lifted_ns is None:
            return None
        over = []
        for zone in filter(self._habits.is_played, self._piles.zones()):
            top = self._piles[zone][-1]
            since_ns, until_ns = lifted_ns + LEAST_CARRY_NS, lifted_ns + CARRY_NS
            near = self._evidence.nearest(seat, top.at_mm, since_ns, until_ns)
            other = zone != gone.zone and not self._are_taken(zone, gone.zone)
            if other and near is not None and near[0] < OVER_MM:
                over.append((near[1], zone, top))
        if len(over) != 1:
            return None
        ((t_ns, zone, top),) = over
        another = top.origin is not None and owner_of(top.origin) != seat
        if not another or top.spot is None or top.since_ns <= t_ns:
            return None
        least_ns = lifted_ns + CARRIES_NS
        laid_ns, u_ns = (least_ns + t_ns) // 2, abs(t_ns - least_ns) // 2 + STAYS_NS
        return zone, Contact(gone.actor, laid_ns, u_ns, top.at_mm)

    def _least_ns(self, gone: Gone, top: Lying) -> int:
        """Return how long before the card on top a card was laid at least, to lie below it.

        That a back was on its way, or another card of the player who laid that one, is only told by
        a touch that did not lay it.
        """
        seat = gone.actor.seat or owner_of(gone.zone)
        another = top.origin is not None and owner_of(top.origin) != seat
        return 0 if gone.cards[0].named and another else SAME_TOUCH_NS

    def is_doubtful(
        self,
        zone: str,
        spot: Spot,
        origin_mm: PointMm | None,
        who: Actor,
        carried: Gone | None = None,
        lifted_ns: int | None = None,
    ) -> bool:
        """Whether it is not known what a card was laid upon: others may lie unseen below it.

        A card that left may be there, though nobody saw where it went; or a hand came down there
        since the last card was laid, which neither took the card at `origin_mm` nor withdrew from
        laying the last one. That of another player than `who` laid the card may have come right
        before. What else is `carried` with it lies on it, and the hand that `lifted` it comes down
        but once to lay it.
        """
        others = [
            gone
            for gone in self._limbo()
            if gone is not carried and self._may_matter_below(gone, zone, spot)
        ]
        if any(self._may_lie_in(zone, gone) for gone in others):
            return True
        if not is_common(zone):
            return False
        if any(self._is_brought_too(gone, zone, spot, who) for gone in others):
            return True
        if any(self._may_lie_first(gone, zone, spot) for gone in others):
            return True
        if self._was_another_there(zone, spot, who):
            return True
        pile = self._piles[zone]
        until_ns = spot.still_ns - SAME_TOUCH_NS
        laid_ns = pile[-1].since_ns + SAME_TOUCH_NS if pile else self._last_bare_ns(zone, spot)
        since_ns = max(until_ns - MEMORY_NS, laid_ns)
        at_mm = pile[-1].at_mm if pile else spot.at_mm
        reach_mm = math.inf if pile else THERE_MM
        return any(
            touch.apart_mm(at_mm) < reach_mm
            and not self._did_something_else(touch, zone, at_mm)
            and not (origin_mm is not None and touch.apart_mm(origin_mm) < touch.apart_mm(at_mm))
            and not self._withdraws(touch)
            and not self._brings_it(touch, who, lifted_ns, origin_mm, spot)
            for seat in (*self._seats, None)
            for touch in self._touches(
                seat, at_mm, since_ns, until_ns if seat in (who.seat, None) else spot.still_ns
            )
        )

    def _brings_it(
        self,
        touch: Contact,
        who: Actor,
        lifted_ns: int | None,
        origin_mm: PointMm | None,
        spot: Spot,
    ) -> bool:
        """Whether a hand that came down held the very card that it laid in a moment.

        Or later, as it hesitates over the pile, and goes to no other card meanwhile.
        """
        if lifted_ns is None or who.seat is None or who.seat != touch.actor.seat:
            return False
        if lifted_ns >= touch.t_ns or not is_same_hand(touch.actor, who):
            return False
        if spot.still_ns - touch.t_ns < WITHDRAWS_NS:
            return True
        if origin_mm is None:
            return False
        near = self._evidence.nearest(who.seat, origin_mm, touch.t_ns + 1, spot.still_ns)
        return near is not None and near[0] > THERE_MM

    def _last_bare_ns(self, zone: str, spot: Spot) -> int:
        """Return when a place was last seen to be bare: what a hand laid before is not there."""
        bare_ns = self._bare_ns.get(zone, NEVER_NS)
        return bare_ns if bare_ns < spot.moving_ns else NEVER_NS

    def _may_matter_below(self, gone: Gone, zone: str, spot: Spot) -> bool:
        """Whether it changes what is ruled of a card if another was laid there before it.

        On a foundation it lies rightly on one card only: any other that was read is as wrong.
        """
        below = gone.cards[-1]
        if not self._habits.is_foundation(zone) or len(gone.cards) > 1:
            return True
        if not (below.up and below.named and below.card.is_suited and spot.named):
            return True
        above = Card(spot.label)
        return not above.is_suited or comes_next(above, below.card)

    def _is_brought_too(self, gone: Gone, zone: str, spot: Spot, who: Actor) -> bool:
        """Whether an open card of one's own left since the last one was laid, with the other hand.

        It may lie below what he has laid since, and show in a moment.
        """
        card, pile = gone.cards[0], self._piles[zone]
        own = owner_of(gone.zone) == who.seat is not None and card.up and card.named
        laid_ns = pile[-1].since_ns if pile else NEVER_NS
        return own and len(gone.cards) == 1 and laid_ns < gone.t_ns < spot.still_ns

    def _may_lie_first(self, gone: Gone, zone: str, spot: Spot) -> bool:
        """Whether an open card that left just before may lie below the first one of a pile.

        It lies nowhere else by now, though no hand was seen to lay it: a hand that rests where it
        laid it hardly comes down there.
        """
        if self._piles[zone] or len(gone.cards) > 1 or not gone.cards[0].up:
            return False
        return spot.still_ns - CARRY_NS < gone.t_ns < spot.still_ns

    def _was_another_there(self, zone: str, spot: Spot, who: Actor) -> bool:
        """Whether another player's fingers were over a pile since it was hidden.

        A card that they laid would lie covered now.
        """
        pile = self._piles[zone]
        hidden_ns = [t_ns for t_ns in self._hidden_ns.get(zone, ()) if t_ns < spot.still_ns]
        if not pile or not hidden_ns or who.seat is None:
            return False
        top = pile[-1]
        since_ns = max(top.since_ns + WITHDRAWS_NS, hidden_ns[-1])
        others = (seat for seat in self._seats if seat != who.seat)
        near = (
            self._evidence.nearest(seat, top.at_mm, since_ns, spot.still_ns - LEAST_CARRY_NS)
            for seat in others
        )
        return any(one is not None and one[0] < OVER_MM for one in near)

    def _withdraws(self, touch: Contact) -> bool:
        """Whether a hand came down that laid a card on a common pile just before, or just after.

        It fetched no other one meanwhile; where it laid one on its own waste it may play that.
        """
        tops = (self._piles[name][-1] for name in filter(is_common, self._piles.zones()))
        return any(self._lays(touch, top) for top in tops)

    def _lays(self, touch: Contact, top: Lying) -> bool:
        seat, since_ns = touch.actor.seat, touch.t_ns - top.since_ns
        if seat is None or abs(since_ns) > WITHDRAWS_NS:
            return False
        near_ns = top.since_ns - SAME_TOUCH_NS, top.since_ns + SAME_TOUCH_NS
        laid = self._touched(seat, top.at_mm, *near_ns)
        return laid is not None and is_same_hand(laid.actor, touch.actor)

    def _touches(
        self, seat: str | None, at_mm: PointMm, since_ns: int, until_ns: int
    ) -> Iterator[Contact]:
        """Yield the times at which a seat's hand came down near a place, the last one first."""
        touch = self._touched(seat, at_mm, since_ns, until_ns)
        while touch is not None:
            yield touch
            touch = self._touched(seat, at_mm, since_ns, touch.t_ns - 1)

    def _did_something_else(self, touch: Contact, zone: str, at_mm: PointMm) -> bool:
        """Whether a hand came down on another pile, or laid or turned a card just beside."""
        tops = (self._piles[name][-1] for name in self._piles.zones() if name != zone)
        apart_mm = touch.apart_mm(at_mm)
        return any(
            touch.apart_mm(top.at_mm) < apart_mm - CLEARLY_MM
            or (
                abs(top.since_ns - touch.t_ns) < SAME_TOUCH_NS
                and touch.apart_mm(top.at_mm) <= apart_mm
            )
            for top in tops
        )

    def covered(
        self,
        zone: str,
        spot: Spot,
        found: Found | None,
        origins: Mapping[str, str],
        taken_ns: Mapping[str, int],
    ) -> tuple[str, Contact] | None:
        """Return from which backs a card came that was covered before its face was ever seen.

        A player's hand came down on his backs and then on the pile, and a card that it brought
        was not seen. `origins` are the backs by seat, `taken_ns` when the last card that was seen
        was taken from each. A known card of that player in the air may be what it brought, and so
        is the card that a spot shows, `found` where it came from, once he has lifted that.
        """
        pile = self._piles[zone]
        if not pile:
            return None
        at_mm, until_ns = pile[-1].at_mm, spot.still_ns - SAME_TOUCH_NS
        known = {gone.actor.seat for gone in self._limbo() if self._may_lie_in(zone, gone)}
        for seat, origin in origins.items():
            if seat in known:
                continue
            since_ns = max(pile[-1].since_ns + _again_ns(pile[-1], seat), until_ns - MEMORY_NS)
            laid = self._touched(seat, at_mm, since_ns, _before_ns(seat, found, until_ns))
            backs = self._piles[origin]
            if laid is None or not backs or backs[-1].up or laid.apart_mm(at_mm) > THERE_MM:
                continue
            t0_ns = max(laid.t_ns - CARRY_NS, taken_ns.get(origin, 0) + SAME_TOUCH_NS)
            took = self._touched(seat, backs[-1].at_mm, t0_ns, laid.t_ns - LEAST_CARRY_NS)
            if took is not None and took.apart_mm(backs[-1].at_mm) < THERE_MM:
                return origin, laid
        return None

    def may_lie(self, gone: Gone) -> bool:
        """Whether its player's hand came down on a common place after it took the card."""
        return any(True for _ in self._laid_on(gone))

    def _may_lie_in(self, zone: str, gone: Gone) -> bool:
        return any(name == zone for name, _, _ in self._laid_on(gone))

    def _laid_on(self, gone: Gone) -> Iterator[tuple[str, Lying, Contact]]:
        """Yield the common zones that the card's player touched, their top cards, and when."""
        # Who takes a card of one's own is not always told: mostly its owner does.
        card, seat = gone.cards[0], gone.actor.seat or owner_of(gone.zone)
        lifted_ns = self._lifted_ns(gone)
        if len(gone.cards) > 1 or seat is None or lifted_ns is None:
            return
        if not (card.named or self._is_turned_first(gone)):
            return
        for zone in self._piles.zones():
            if zone == gone.zone or not is_common(zone) or self._are_taken(zone, gone.zone):
                continue
            top = self._piles[zone][-1]
            since_ns, until_ns = lifted_ns + LEAST_CARRY_NS, lifted_ns + CARRY_NS
            # The touch that laid what is seen there now is another one.
            before_ns = min(until_ns, _laid_ns(top, seat) - SAME_TOUCH_NS)
            for who, t1_ns in product((seat, None), (before_ns, until_ns)):
                touches = self._touches(who, top.at_mm, since_ns, t1_ns)
                contact = next((one for one in touches if not self._laid_below(zone, one)), None)
                if contact is None:
                    continue
                if not self._is_at_home(contact, seat, top):
                    known = gone.actor.seat is not None
                    yield zone, top, replace(contact, actor=gone.actor) if known else contact
                break

    def _are_taken(self, zone: str, origin: str) -> bool:
        """Whether both are playing piles: who comes from one to the other takes up both."""
        return self._habits.is_played(zone) and self._habits.is_played(origin)

    def _is_at_home(self, touch: Contact, seat: str, top: Lying) -> bool:
        """Whether a hand came down at a column of its player rather than on a common pile."""
        apart_mm = touch.apart_mm(top.at_mm) - CLEARLY_MM
        places = (
            self._piles[name][-1].at_mm if self._piles[name] else first_mm
            for owner, name, first_mm in self._columns
            if owner == seat
        )
        return any(touch.apart_mm(at_mm) < apart_mm for at_mm in places)

    def _lifted_ns(self, gone: Gone) -> int | None:
        """Return when a card was taken, None where it may only not have been read for a while.

        What lay below it stirs last when it is lifted, and shows then.
        """
        if gone.touched:
            return lifted_ns(gone, self._evidence)
        rest = self._piles[gone.zone]
        if not rest or rest[-1].spot is None or rest[-1].since_ns < gone.bare_ns - CARRY_NS:
            return None
        return rest[-1].since_ns

    def _is_turned_first(self, gone: Gone) -> bool:
        """Whether a back was taken that is turned up and played at once: nobody saw its face."""
        return not gone.cards[0].up and self._habits.is_first_turned(gone.zone)

    def _laid_below(self, zone: str, touch: Contact) -> bool:
        """Whether a hand came down to lay a card that is known to lie below the top one."""
        below = self._piles[zone][:-1]
        return any(abs(card.since_ns - touch.t_ns) < SAME_TOUCH_NS for card in below)


def _before_ns(seat: str, found: Found | None, until_ns: int) -> int:
    """Return until when a seat may have laid another card: not since it lifted the `found` one."""
    if found is None or found.who.seat != seat or found.lifted_ns is None:
        return until_ns
    return min(until_ns, found.lifted_ns)


def _again_ns(top: Lying, seat: str) -> int:
    """Return how long after the top card a seat lays the next one at least.

    Whose own it was withdraws from it, and comes down there again only with another one.
    """
    own = top.origin is not None and owner_of(top.origin) == seat
    return WITHDRAWS_NS if own else SAME_TOUCH_NS


def _laid_ns(top: Lying, seat: str) -> int:
    """Return since when a seat's hand was busy with the card that is seen to lie on top."""
    own = top.origin is not None and owner_of(top.origin) == seat
    return top.since_ns if top.taken_ns is None or not own else min(top.since_ns, top.taken_ns)


def is_common(zone: str) -> bool:
    """Whether several hands play to a zone at once."""
    return fits(zone, COMMON)
