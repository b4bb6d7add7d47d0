"""Piles of backs and hands: which unknown cards came from where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from math import dist

from referee.table.evidence import Contact, Evidence, Reach
from referee.table.found import CARRY_NS, GUESSED, HELD_NS, LIKELY, PLAIN, TAP_NS, WHENCE, Found
from referee.table.gone import Gone
from referee.table.habits import Habits, Source, is_in_hands, owner_of
from referee.table.laid_down import LaidDown, is_partly_gone
from referee.table.passing import LAY_NS, SWIFT_NS, Passing
from referee.table.piles import NEVER_NS, Lying, Piles
from referee.table.spots import OFF
from referee.values import Actor, PointMm, TablePlan
from referee.values.events import NOBODY
from referee.values.spots import Spot

# A hand that took a card has left the pile after so long; nobody takes two within that time.
GOES_NS = 250_000_000
# Nobody takes a card with fingers farther from its middle than this; piles lie 85 mm apart.
FINGERS_MM = 45.0
# Nobody lays a card with fingertips farther from its middle than this: half a card and a hand's
# breadth that the following lags behind.
LAYS_MM = 130.0
# From when a hand came down on a card until it lay again, two in a hundred of 265 cards of one
# maker's films whose way was told right were carried faster.
FASTEST_MM_S = 1_100.0
# A hand whose fingers were never nearer than this to the middle of a pile did not take its top.
NEAR_MM = 85.0


class Backs:
    """The piles of backs and the hands that cards may come from at one moment."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        piles: Piles,
        limbo: Sequence[Gone],
        evidence: Evidence,
        taken_ns: Mapping[str, int],
    ) -> None:
        """Look at the table as it is known now.

        `taken_ns` is when the last card that was told of was taken from each pile.
        """
        self._plan, self._habits, self._piles = plan, habits, piles
        self._taken_ns = taken_ns
        self._limbo, self._evidence = limbo, evidence
        self._passing = Passing(habits, piles, evidence)

    def back(self, spot: Spot, zone: str) -> Found | None:
        """Return the block in the air that came to lie face down in a zone."""
        return LaidDown(self._habits, self._piles, self._limbo, self._evidence).block(spot, zone)

    def hidden(self, spot: Spot, zone: str, actor: Actor, *, hurry: bool = False) -> Found | None:
        """Return the likeliest pile of backs, or hand, that an unknown card came from.

        In a `hurry` it is not waited for what is seen of a pile in a moment.
        """
        usual = {source.origin for source in self._hidden_sources(zone, actor)}
        partly = any(one.zone in usual and is_partly_gone(one, self._piles) for one in self._limbo)
        if partly and not hurry:
            # Whether its last cards were taken, or more lie there, is seen in a moment.
            return None
        found = [one for one in self._hidden(spot, zone, actor) if one is not None]
        if all(one.reach is Reach.NONE for one in found):
            by_way = self._passing.taken(spot, zone, actor, {one.origin for one in found})
            if by_way is not None:
                return by_way
        if not found:
            return None
        # Of two that are as likely, nobody is said to have taken the one that the rules forbid.
        best = max(
            found, key=lambda one: (*_likely(one)[:3], one.origin in usual, *_likely(one)[3:])
        )
        if best.reach is Reach.NONE:
            return found[0] if len(found) == 1 else replace(found[0], conf=GUESSED)
        same = [
            one
            for one in found
            if one.origin != best.origin and _likely(one)[:3] == _likely(best)[:3]
        ]
        homes_mm = (one.center_mm for one in self._plan.seats if one.seat == actor.seat)
        if any(self._passing.is_only_one(best, spot, zone, actor, home) for home in homes_mm):
            return replace(best, conf=PLAIN)
        either = is_in_hands(best.origin) and self._may_be_another(zone, actor)
        likely = replace(best, conf=min(best.conf, LIKELY)) if same or either else best
        return replace(likely, conf=WHENCE) if _is_ones_own(likely, actor) else likely

    def _may_be_another(self, zone: str, actor: Actor) -> bool:
        """Whether a card that seems to come from a hand may be another one.

        What a hand holds is not seen, nor how many backs are left: where such cards come from a
        pile of backs, too, but a deck that was dealt out, it may have taken one of those without a
        touch, or laid it down first.
        And an open card that this player has in the air may be read otherwise.
        """
        sources = (source.origin for source in self._habits.sources(zone))
        dealt_out = (name for name in self._habits.dealt_from if not self._piles[name])
        backs = {name for name in sources if not is_in_hands(name)}.difference(dealt_out)
        return bool(backs) or any(
            gone.touched and gone.cards[-1].up and gone.actor.seat in (None, actor.seat)
            for gone in self._limbo
        )

    def held(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the hand in which the player holds cards who laid one in a zone.

        Nobody but the one to whom a column belongs lays cards on it, whoever was seen there.
        """
        sources = [one for one in self._hidden_sources(zone, actor) if is_in_hands(one.origin)]
        found = (self._from_hidden(spot, one, actor) for one in sources if self._piles[one.origin])
        return next((one for one in found if one), None)

    def is_turned_over(self, spot: Spot, zone: str, actor: Actor) -> bool:
        """Whether a hand was at the backs that are turned over into a zone, just before."""
        found = (
            self._from_hidden(spot, source, actor)
            for source in self._hidden_sources(zone, actor)
            if source.flip
        )
        return any(one is not None and one.reach is Reach.TOUCHED for one in found)

    def _hidden(self, spot: Spot, zone: str, actor: Actor) -> Iterator[Found | None]:
        usual = self._hidden_sources(zone, actor)
        for source in usual:
            yield self._from_hidden(spot, source, actor)
        names = {source.origin for source in usual} | {zone, OFF}
        for gone in self._limbo:
            if gone.zone not in names and gone.touched and not self._piles[gone.zone]:
                yield self._taken_up(gone, spot, zone, actor)
        for name in self._piles.zones():
            pile = self._piles[name]
            if name in names or is_in_hands(name) or pile[-1].up:
                continue
            # Against the rules cards come from any pile of backs, if a hand was seen there.
            found = self._from_hidden(spot, Source(zone, name), actor)
            if found is None or found.reach is not Reach.TOUCHED:
                continue
            if not self._came_along(found, spot) or self._is_no_draw(found, zone):
                continue
            if found.gone is not None:
                yield found
                continue
            if not self._is_fresh(found):
                continue
            if self._habits.is_single(name) and _laid_it(found.lifted_ns, pile[-1]):
                continue
            if len(pile) == 1 and pile[-1].spot is not None and name not in self._piles.deep:
                if not self._evidence.now.covered(pile[-1].at_mm):
                    # The only card that lies there still does.
                    continue
                found = replace(found, conf=min(found.conf, LIKELY))
            yield found

    def _taken_up(self, gone: Gone, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the last back of a place if the player took it up who laid a card elsewhere."""
        mine = actor.seat is not None and actor.seat == gone.actor.seat
        # Of a pile that nobody counted it was the last card.
        single = (len(gone.cards) == 1 or not gone.counted) and not gone.cards[-1].up
        if not mine or not single or not 0 < spot.still_ns - gone.t_ns < CARRY_NS:
            return None
        return self._from_hidden(spot, Source(zone, gone.zone), actor)

    def _came_along(self, found: Found, spot: Spot) -> bool:
        """Whether who touched a pile came to where the card was laid, as far as that is seen."""
        seat, since_ns = found.who.seat, found.lifted_ns
        if seat is None or since_ns is None:
            return True
        near = self._evidence.nearest(seat, spot.at_mm, since_ns, spot.still_ns + LAY_NS)
        return near is None or near[0] < LAYS_MM

    def _is_no_draw(self, found: Found, zone: str) -> bool:
        """Whether nobody known was at another player's backs than those drawn onto a pile.

        It was that player's, who turned his own.
        """
        others = owner_of(found.origin) not in (None, owner_of(zone))
        return others and found.who.seat is None and self._habits.is_drawn_onto(zone)

    def _is_fresh(self, found: Found) -> bool:
        """Whether a hand was right at a pile, and not for a card that was told of already."""
        told_ns = self._taken_ns.get(found.origin, NEVER_NS)
        # A card in the air was taken by that hand.
        taken = (gone.t_ns for gone in self._limbo if gone.zone == found.origin and gone.touched)
        told_ns = max((told_ns, *taken))
        fresh = found.lifted_ns is None or found.lifted_ns > told_ns
        return fresh and found.apart_mm < FINGERS_MM

    def _from_hidden(self, spot: Spot, source: Source, actor: Actor) -> Found | None:
        gone = next((one for one in self._limbo if one.zone == source.origin), None)
        seat = actor.seat or owner_of(source.origin)
        if gone is not None:
            later = gone.touched and gone.t_ns > spot.still_ns
            if later or not gone.cards[-1].up:
                return self._from_air(spot, gone, source, actor)
        if is_in_hands(source.origin):
            known = actor.seat == owner_of(source.origin)
            block = source.block or max(1, len(self._piles[source.origin]))
            conf = PLAIN if known and source.block == 1 else GUESSED
            reach = Reach.PASSED if known else Reach.NONE
            return Found(source.origin, conf=conf, hidden=True, block=block, reach=reach)
        pile = self._piles[source.origin]
        if not pile:
            return None
        at_mm = pile[-1].at_mm
        if _lay_open(pile[-1], spot.still_ns):
            # What lies below an open card was not taken, unless that was turned up afterwards.
            return None
        since_ns, until_ns = self._since_ns(spot, source), _until_ns(spot, at_mm)
        contact = self._evidence.last(at_mm, since_ns, until_ns, actor)
        reach = self._evidence.reach(source.origin, at_mm, since_ns, until_ns, actor)
        if contact is not None and (
            contact.apart_mm(at_mm) > contact.apart_mm(spot.at_mm)
            or (not source.flip and self._took_another(contact, source.origin))
            or _laid_it(contact.t_ns, pile[0])
        ):
            # That hand was at the target, at another pile, as those lie beside one another, or laid
            # these backs down.
            contact, reach = None, Reach.PASSED
        passed_ns = None
        if contact is None and source.flip:
            passed_ns = self._passing.turned_ns(spot, at_mm, seat)
        found = (
            self._flipped(spot, source)
            if source.flip
            else Found(source.origin, hidden=True, block=self._count_of(source))
        )
        if found.block > 1 and not source.flip:
            found = replace(found, conf=GUESSED)
        apart_mm = 0.0 if contact is None else self._apart_mm(contact, at_mm)
        far = apart_mm > FINGERS_MM and not source.flip
        if reach is not Reach.TOUCHED or far or _is_long_ago(contact, spot):
            found = replace(found, conf=min(found.conf, LIKELY))
        who = NOBODY if contact is None else contact.actor
        lifted_ns = None if contact is None else contact.t_ns
        swift = contact is not None and _is_swift(spot, contact.t_ns, contact.actor, actor)
        if passed_ns is not None:
            reach, lifted_ns = Reach.TOUCHED, passed_ns
        elif contact is None and actor.seat is not None:
            swift_ns = max(since_ns, spot.still_ns - SWIFT_NS)
            near = self._evidence.nearest(actor.seat, at_mm, swift_ns, until_ns)
            if near is not None:
                apart_mm = near[0]
                reach = Reach.PASSED if apart_mm < NEAR_MM else Reach.NONE
        return replace(
            found, reach=reach, who=who, lifted_ns=lifted_ns, swift=swift, apart_mm=apart_mm
        )

    def _apart_mm(self, contact: Contact, at_mm: PointMm) -> float:
        """Return how near the fingers came that were felt at a pile: they may be felt first."""
        felt_mm, seat = contact.apart_mm(at_mm), contact.actor.seat
        if seat is None:
            return felt_mm
        near = self._evidence.nearest(seat, at_mm, contact.t_ns, contact.t_ns + GOES_NS)
        return felt_mm if near is None else min(felt_mm, near[0])

    def _since_ns(self, spot: Spot, source: Source) -> int:
        """Return since when a hand may have taken a card that lies elsewhere now."""
        since_ns = spot.still_ns - CARRY_NS
        if source.flip:
            return since_ns
        # The hand that took a card that was told of already took no other.
        taken_ns = self._taken_ns.get(source.origin, NEVER_NS) + GOES_NS
        return max(since_ns, taken_ns) if taken_ns < spot.still_ns else since_ns

    def has_taken(self, contact: Contact) -> bool:
        """Whether a hand came down to take a card of which it is known where it went.

        Another player took what left his own pile at that moment.
        """
        seat = contact.actor.seat
        mine = (zone for zone in self._taken_ns if seat is None or owner_of(zone) in (None, seat))
        return self._took_off(mine, contact)

    def _took_another(self, contact: Contact, origin: str) -> bool:
        """Whether that touch took a card of the player's of which it is known where it went."""
        mine = (zone for zone in self._taken_ns if owner_of(zone) == owner_of(origin))
        return self._took_off(mine, contact)

    def _took_off(self, zones: Iterable[str], contact: Contact) -> bool:
        return any(abs(self._taken_ns[zone] - contact.t_ns) < TAP_NS for zone in zones)

    def _is_carried(self, gone: Gone, spot: Spot, actor: Actor) -> bool:
        """Whether backs that left were taken, or touched again, just before a card was laid.

        Of a pile that was counted too high some never come to lie anywhere.
        """
        since_ns = spot.still_ns - CARRY_NS
        if gone.t_ns >= since_ns:
            return True
        at_mm, until_ns = gone.cards[-1].at_mm, spot.still_ns - LAY_NS
        return self._evidence.last(at_mm, since_ns, until_ns, actor) is not None

    def drawn_between(self, spot: Spot, found: Found, actor: Actor) -> Source | None:
        """Return how a card was drawn that seems to come straight from backs drawn by blocks.

        A hand was at the pile that is drawn onto after it was at the backs.
        """
        source = self._habits.drawn_by_blocks(found.origin)
        if source is None:
            return None
        at_mm = self.place_mm(source.target)
        since_ns = found.lifted_ns or spot.still_ns - SWIFT_NS
        if self._evidence.last(at_mm, since_ns, spot.still_ns - LAY_NS, actor) is None:
            return None
        cards = self._piles[found.origin] if found.gone is None else found.gone.cards
        down = sum(not card.up for card in cards)
        deep = found.origin in self._piles.deep or not down
        return replace(source, block=source.block if deep else min(source.block, down))

    def place_mm(self, zone: str) -> PointMm:
        """Return where the next card of a pile comes to lie, as far as is known."""
        if self._piles[zone]:
            return self._piles[zone][-1].at_mm
        return next(place.center_mm for place in self._plan.zones if place.name == zone)

    def _count_of(self, source: Source) -> int:
        """Return how many backs came off a pile of which some still lie there, if not all did."""
        pile = self._piles[source.origin]
        if source.block < 2 or source.origin in self._piles.deep:
            return source.block or len(pile)
        return min(source.block, max(1, len(pile) // 2))

    def _flipped(self, spot: Spot, source: Source) -> Found:
        """Return the top cards of a pile of backs, turned over as one block."""
        down = [card for card in self._piles[source.origin] if not card.up]
        deep = source.origin in self._piles.deep or not down
        count = source.block if deep else min(source.block, len(down))
        place = next((k for k, card in enumerate(down[::-1], 1) if card.face == spot.label), 0)
        return Found(
            source.origin,
            conf=LIKELY if deep and not place else PLAIN,
            gather=True,
            block=count,
            flip=True,
            hidden=True,
            place=place,
        )

    def _from_air(self, spot: Spot, gone: Gone, source: Source, actor: Actor) -> Found | None:
        """Return the backs that left a pile as where a card came from, None where it was before."""
        if not source.flip and not self._is_carried(gone, spot, actor):
            return None
        found = replace(self._last_of(gone, source), reach=Reach.TOUCHED, who=gone.actor)
        if gone.parted and not source.flip:
            # That hand took the one which lies elsewhere by now, and one at a time; of what it left
            # the count may have been wrong.
            found = replace(found, conf=min(found.conf, LIKELY))
        if not gone.touched or gone.t_ns <= spot.still_ns:
            swift = gone.touched and _is_swift(spot, gone.t_ns, gone.actor, actor)
            return replace(found, swift=swift)
        seat = actor.seat or owner_of(source.origin)
        taken_ns = self._passing.turned_ns(spot, gone.cards[-1].at_mm, seat)
        if not source.flip or gone.cards[-1].up:
            return self._taken_first(found, spot, source, actor)
        if taken_ns is None:
            # It came off the same backs before what was left of them was taken.
            conf = min(found.conf, LIKELY)
            return replace(found, reach=Reach.PASSED, lifted_ns=None, who=NOBODY, conf=conf)
        # The last cards, turned over; the hand came by once more on its way back.
        return replace(found, lifted_ns=taken_ns)

    def _taken_first(self, found: Found, spot: Spot, source: Source, actor: Actor) -> Found | None:
        """Return the first of several backs that are taken one by one, the last of them later.

        What was taken afterwards is another card. The hand that laid one was there before it.
        """
        gone = found.gone
        assert gone is not None
        top = gone.cards[-1]
        if source.block != 1 or len(gone.cards) == 1 or not gone.counted or top.up:
            return None
        since_ns, until_ns = self._since_ns(spot, source), spot.still_ns - LAY_NS
        touch = self._evidence.last(top.at_mm, since_ns, until_ns, actor)
        if touch is None or touch.apart_mm(top.at_mm) > FINGERS_MM or self.has_taken(touch):
            return None
        return replace(found, lifted_ns=touch.t_ns, who=touch.actor)

    def _last_of(self, gone: Gone, source: Source) -> Found:
        """Return the last cards of a pile, which left nothing to be seen there."""
        count = len(gone.cards)
        if source.block and gone.zone in self._piles.deep:
            count = source.block
        elif source.block:
            count = min(source.block, count)
        return Found(
            gone.zone,
            len(gone.cards) - 1,
            gone=gone,
            whole=True,
            gather=source.flip,
            block=count,
            flip=source.flip,
            lifted_ns=gone.t_ns,
        )

    def _hidden_sources(self, zone: str, actor: Actor) -> list[Source]:
        """Return the hidden sources of a zone by the game's habits that may hold cards."""
        found = []
        for source in self._habits.sources(zone):
            for seat in self._plan.seats:
                one = replace(source, origin=source.origin.replace("?", seat.seat))
                if self._may_hold(one.origin, actor) and one not in found:
                    found.append(one)
        return found

    def _may_hold(self, zone: str, actor: Actor) -> bool:
        pile = self._piles[zone]
        if is_in_hands(zone):
            # Of a hand that keeps its cards hidden nobody knows how many it holds.
            hides = self._habits.hides_hands
            return actor.seat in (None, owner_of(zone)) and (hides or bool(pile))
        gone = any(one.zone == zone for one in self._limbo)
        return gone or any(not card.up for card in pile)

    def nowhere(self, zone: str, actor: Actor) -> Found:
        """Return the hand that an unexplained card is said to come from."""
        owner = owner_of(zone)
        origin = f"{owner}.{self._habits.held or 'held'}" if owner else "off"
        for source in self._habits.sources(zone):
            if fnmatchcase(source.origin, "*.held"):
                seat = owner or actor.seat
                origin = source.origin.replace("?", seat) if seat else "off"
        return Found(origin, conf=0.3, guessed=True, reach=Reach.NONE)


def _lay_open(card: Lying, t_ns: int) -> bool:
    """Whether an open card was seen to lie where it does at a time, and still is or was later."""
    seen = card.spot is not None or card.lost_ns > t_ns
    return card.up and seen and card.since_ns <= t_ns


def _laid_it(came_ns: int | None, card: Lying) -> bool:
    """Whether a hand that is said to have taken a card came down before another one lay there."""
    return came_ns is not None and came_ns < card.since_ns + TAP_NS


def _is_ones_own(found: Found, actor: Actor) -> bool:
    """Whether a likely card came from the backs of the player who laid it, be it from others."""
    mine = actor.seat is not None and actor.seat == owner_of(found.origin)
    laid = not found.flip and found.block == 1 and found.gone is None
    return found.conf == LIKELY and mine and laid and not is_in_hands(found.origin)


def _is_long_ago(contact: Contact | None, spot: Spot) -> bool:
    """Whether a hand was at a pile so long before a card was laid that it may have done more."""
    return contact is not None and spot.still_ns - contact.t_ns > HELD_NS


def _is_swift(spot: Spot, taken_ns: int, taker: Actor, actor: Actor) -> bool:
    """Whether the very hand that took a card may have laid it, just after."""
    same = actor.hand == taker.hand or "?" in (actor.hand, taker.hand)
    return same and taker.seat == actor.seat and spot.still_ns - taken_ns < SWIFT_NS


def _until_ns(spot: Spot, from_mm: PointMm) -> int:
    """Return until when a hand came down on a card that it carried to where a spot shows it."""
    carry_ns = dist(from_mm, spot.at_mm) / FASTEST_MM_S * 1e9
    return spot.still_ns - max(LAY_NS, round(carry_ns))


def _likely(one: Found) -> tuple[int, bool, bool, int, float]:
    """Rank hidden sources by what the hands tell."""
    near = one.reach is Reach.TOUCHED and one.apart_mm < FINGERS_MM
    return one.reach, near, one.swift, one.lifted_ns or 0, -one.apart_mm
