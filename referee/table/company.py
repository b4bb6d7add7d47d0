"""Which cards of a cascade came along with those that were seen to arrive in another one.

A hand takes a card of a cascade with all that lie on it and lays them down as they lay. So cards
that left one column in one visit and are seen nowhere came along, and lie in the order in which
they lay before, whatever of them is read first.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from referee.table.air import TOGETHER_NS, Air
from referee.table.evidence import Evidence
from referee.table.found import CARRY_NS, ONE_CARD_NS, SHOWN, Found
from referee.table.gone import Gone
from referee.table.habits import Habits, owner_of
from referee.table.moves import ONE_MOVE_NS, Arrival
from referee.table.piles import NEVER_NS, Lying, Piles
from referee.table.spots import Zones
from referee.values import PointMm
from referee.values.spots import Spot

# What a hand left behind, or laid down unread, is seen so long after it laid the cards.
SEEN_NS = 1_100_000_000
# Nor is a hand that took more than the top card seen over their place for so long after it laid
# them on a squared pile: a second time it came for what lay there still (1.1 s in the only film).
LEFT_NS = 900_000_000
# A card that is gone from where its place is seen is missed within that time.
MISSED_NS = 200_000_000
# A card that lies so many steps on from the one below may lie on another one between: people lay
# them up to 6 mm off, and of cards that a hand half hides the place is known as well as that.
FAR_STEPS = 1.35
# So many looks are remembered: a card is told within a second after it was laid.
LOOKS = 45


class Company:
    """Completes the blocks that move between cascades. Used by one thread."""

    def __init__(
        self, habits: Habits, zones: Zones, piles: Piles, air: Air, evidence: Evidence
    ) -> None:
        """Take the piles, the air in which hidden cards seem to be, and the hands."""
        self._habits, self._zones, self._piles = habits, zones, piles
        self._air, self._evidence = air, evidence
        # How near to one another a player's cards lay at the nearest.
        self._apart_mm: dict[str | None, float] = {}
        # When what is left in a cascade was hidden, as cards were to be told that came from there.
        self._hidden_ns: dict[str, int] = {}
        # When the top card of each cascade was seen, free of hands.
        self._met_ns: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=LOOKS))

    def is_cascade(self, zone: str) -> bool:
        """Whether every card of a zone is laid a step on from the one below it, and shows."""
        return self._habits.lies_open(zone) and self._zones.step_mm(zone) > 0.0

    def rests_on_group(self, group: Sequence[Arrival], others: Iterable[Arrival]) -> bool:
        """Whether one of other arrivals lies below a group of the same cascade, come with it."""
        spot, target = group[0].spot, group[0].target
        below = (one.spot for one in others if one.target == target and not one.under)
        return self.rests_on_another(target, spot, below)

    def covered(self, zone: str, spot: Spot, others: int = 0) -> tuple[Lying, ...]:
        """Take out of the air what only seemed to leave a cascade: the new card hides its index.

        That lies half a step on at least, and came before the other one was missed. Below it lie as
        many `others` as may have come with it, each a step further on.
        """
        step_mm, at_mm = self._zones.step_mm(zone), self._along_mm(zone, spot.at_mm)
        most_mm = (1.5 + others) * step_mm
        back = [
            gone
            for gone in self._air.gone
            if gone.zone == zone
            and (gone.bare_ns >= spot.still_ns - ONE_MOVE_NS or not gone.touched)
            and step_mm / 2 <= at_mm - self._along_mm(zone, gone.cards[-1].at_mm) < most_mm
        ]
        self._air.gone = [gone for gone in self._air.gone if gone not in back]
        return tuple(card.unseen() for gone in back for card in gone.cards)

    def hides_what_it_rests_on(
        self, zone: str, spot: Spot, found: Found, origin_mm: PointMm | None
    ) -> bool:
        """Whether it is not seen what a card of a cascade was laid on.

        It lies where a card lay that nobody saw leave, or too far on from the last one that shows,
        or did before a hand hid them all: then there may be another between them, of the same block
        or laid just before. Those of its block that are known to have come below it lie as far
        below it as before.
        """
        pile = self._piles[zone]
        if not pile or not self.is_cascade(zone):
            return False
        step_mm, at_mm = self._usual_step_mm(zone), self._along_mm(zone, spot.at_mm)
        seen = [card for card in pile if card.spot is not None] or pile
        on_mm = [at_mm - self._along_mm(zone, card.at_mm) for card in seen]
        hidden = (card for card in pile if card.spot is None)
        replaced = any(abs(self._along_mm(zone, c.at_mm) - at_mm) < step_mm / 2 for c in hidden)
        laid_mm = sorted(mm for mm in on_mm if mm > 0.0)
        if len(laid_mm) > 1:
            step_mm = max(step_mm, laid_mm[1] - laid_mm[0])
        lowest_mm = self._lowest_mm(found, origin_mm)
        below_mm = self._along_mm(found.origin, origin_mm) - lowest_mm
        far = bool(laid_mm) and laid_mm[0] - below_mm > FAR_STEPS * step_mm
        block = not found.pos and self._may_bring_another(found.origin, lowest_mm)
        return replaced or (far and (block or not self._was_met(zone, spot)))

    def _lowest_mm(self, found: Found, origin_mm: PointMm | None) -> float:
        """Return where the lowest card lay, along its cascade, that is known to have come along."""
        cards = () if found.gone is None else found.gone.cards
        places_mm = [card.at_mm for card in cards] + [origin_mm]
        return min(self._along_mm(found.origin, at_mm) for at_mm in places_mm)

    def _may_bring_another(self, zone: str, lowest_mm: float) -> bool:
        """Whether a card of a cascade may have come with one that nobody knew to lie below it.

        None did where those that left lay right on what is left there and shows, or lay first.
        """
        if not self.is_cascade(zone):
            return False
        left, step_mm = self._piles[zone], self._usual_step_mm(zone)
        if left and left[-1].spot is None:
            return True
        first_mm = self._along_mm(zone, self._zones.first_mm(zone)) - step_mm
        below_mm = self._along_mm(zone, left[-1].at_mm) if left else first_mm
        return lowest_mm - below_mm > FAR_STEPS * step_mm

    def _was_met(self, zone: str, spot: Spot) -> bool:
        """Whether the top card showed so shortly before that no other was laid on it first."""
        met_ns = (t_ns for t_ns in reversed(self._met_ns[zone]) if t_ns <= spot.moving_ns)
        return spot.still_ns - next(met_ns, NEVER_NS) < ONE_CARD_NS

    def watch(self) -> None:
        """Note how far on each player lays his cards: some lay them wider apart.

        Where they lie two steps apart there may be another between them.
        """
        live = {spot.id for spot in self._evidence.now.spots}
        for zone in filter(self.is_cascade, self._piles.zones()):
            if self._is_met(zone, live):
                self._met_ns[zone].append(self._evidence.now.t_ns)
            most_mm = 2 * self._zones.step_mm(zone)
            apart_mm = [mm for mm in self._steps_mm(zone) if mm < most_mm]
            if apart_mm:
                known_mm = self._apart_mm.get(owner_of(zone), most_mm)
                self._apart_mm[owner_of(zone)] = min(known_mm, *apart_mm)

    def _is_met(self, zone: str, live: set[int]) -> bool:
        """Whether the top card of a cascade is one of the `live` spots, free of hands."""
        top = self._piles[zone][-1] if self._piles[zone] else None
        if top is None or top.spot not in live:
            return False
        return self._evidence.now.shown(top.at_mm, top.angle_deg)

    def _usual_step_mm(self, zone: str) -> float:
        """Return how far on a player lays his cards at least."""
        return max(self._zones.step_mm(zone), self._apart_mm.get(owner_of(zone), 0.0))

    def _steps_mm(self, zone: str) -> Iterator[float]:
        """Yield how far on the cards of a cascade lie that show, each from the one below it."""
        seen = (card for card in self._piles[zone] if card.spot is not None)
        places_mm = sorted(self._along_mm(zone, card.at_mm) for card in seen)
        return (upper - lower for lower, upper in pairwise(places_mm))

    def rests_on_another(self, zone: str, spot: Spot, others: Iterable[Spot]) -> bool:
        """Whether one of other new cards came before this one of a cascade, or together, below."""
        step_mm, at_mm = self._zones.step_mm(zone), self._along_mm(zone, spot.at_mm)
        return self.is_cascade(zone) and any(
            other.still_ns <= spot.still_ns + ONE_MOVE_NS
            and self._along_mm(zone, other.at_mm) < at_mm - step_mm / 2
            and self._zones.name_at(other.at_mm, self._piles) == zone
            for other in others
        )

    def recall(self, zone: str, spot: Spot, others: Iterable[Spot]) -> bool:
        """Learn of a card of a cascade that was never read there: it came below one that was.

        Tells whether there is such a card: now it is among those that left with the other one.
        """
        at_mm = self._along_mm(zone, spot.at_mm)
        lay_ns = spot.still_ns - ONE_MOVE_NS
        lies = (card for card in self._piles[zone] if card.since_ns < lay_ns)
        if any(self._along_mm(zone, card.at_mm) > at_mm for card in lies):
            # Nothing is laid below what lies there, but for what came with it.
            return False
        above = [
            other
            for other in others
            if self.rests_on_another(zone, other, (spot,))
            and abs(other.still_ns - spot.still_ns) <= ONE_MOVE_NS
        ]
        for gone in self._air.gone:
            if not gone.touched or gone.zone == zone or not self.is_cascade(gone.zone):
                continue
            faces = [card.face for card in gone.cards]
            places = {faces.index(o.label): o for o in above if o.named and o.label in faces}
            first = min(places, default=None)
            if first is not None and spot.named and spot.label not in faces:
                on_mm = self._along_mm(zone, places[first].at_mm) - at_mm
                steps = max(1, round(on_mm / self._zones.step_mm(zone)))
                self._name_below(gone, first, spot.label, steps)
                return True
        return False

    def _name_below(self, gone: Gone, place: int, face: str, steps: int) -> None:
        """Give a name to the card so many steps below one that left, not known to lie there."""
        cards = gone.cards
        if place and cards[place - 1].up and not cards[place - 1].named:
            named = replace(cards[place - 1], face=face)
            gone.cards = (*cards[: place - 1], named, *cards[place:])
            return
        (x_mm, y_mm), (step_x, step_y) = cards[place].at_mm, self._zones.way_mm(gone.zone)
        lower = replace(
            cards[place], face=face, told=None, at_mm=(x_mm - steps * step_x, y_mm - steps * step_y)
        )
        gone.cards = (*cards[:place], lower, *cards[place:])

    def is_awaited(self, group: Sequence[Arrival], now_ns: int) -> bool:
        """Whether it is still to be seen what became of the cards beside those that arrived."""
        if group[0].origin_mm is None:
            return False
        if now_ns - max(one.spot.still_ns for one in group) >= SEEN_NS:
            return False
        rest, shown = self._piles[group[0].origin][-1:], self._evidence.now.shown
        hidden = any(one.spot is None or not shown(one.at_mm, one.angle_deg) for one in rest)
        if hidden:
            self._hidden_ns[group[0].origin] = now_ns
        if now_ns - self._hidden_ns.get(group[0].origin, NEVER_NS) < MISSED_NS:
            return True
        return any(True for _ in self._gone(group))

    def completed(self, group: Sequence[Arrival]) -> list[Arrival]:
        """Return a block from its lowest to its highest card, with all that came along.

        Hidden cards of it are laid into the target, and count in `block`.
        """
        origin, target = group[0].origin, group[0].target
        block = sorted(group, key=lambda one: self._along_mm(origin, one.origin_mm))
        hidden = self._hidden(block)
        if not hidden and len(block) == 1:
            return block
        self._take(origin, hidden)
        spots = {one.spot.id: one for one in block}
        pile = self._piles[target]
        places = [k for k, card in enumerate(pile) if card.spot in spots]
        first = min(places, default=len(pile))
        lifted = [
            (self._along_mm(origin, spots[card.spot or 0].origin_mm), card)
            for card in self._piles.take(target, places)
        ]
        for card in hidden:
            lifted.append((self._along_mm(origin, card.at_mm), self._laid(card, block[0])))
        lifted.sort(key=lambda one: one[0])
        self._piles[target][first:first] = [card for _, card in lifted]
        if not hidden:
            return block
        count, conf = len(block) + len(hidden), min(SHOWN, *(one.conf for one in block))
        return [replace(one, block=count, conf=conf) for one in block]

    def is_whole(self, block: Sequence[Arrival]) -> bool:
        """Whether nothing stayed behind that lay on the lowest card of a block.

        What was laid there since did not.
        """
        lowest_mm, came_ns = self._along_mm(block[0].origin, block[0].origin_mm), block[0].t_ns
        stayed = (card for card in self._piles[block[0].origin] if card.since_ns < came_ns)
        return all(
            card.spot is None or self._along_mm(block[0].origin, card.at_mm) < lowest_mm
            for card in stayed
        )

    def may_lack(self, zone: str) -> bool:
        """Whether cards that left a zone, with a block or before it, lie nowhere yet."""
        return self._air.left(zone)

    def _gone(self, group: Sequence[Arrival]) -> Iterator[Gone]:
        """Yield what left the column in the same visit and lies nowhere yet."""
        last_ns = max(one.spot.still_ns for one in group)
        lifts = [one.lifted_ns for one in group if one.lifted_ns is not None]
        since_ns = min(lifts, default=last_ns - CARRY_NS) - TOGETHER_NS
        squared = not self.is_cascade(group[0].target)
        for gone in self._air.gone:
            # Of what left later the hand that hid it had come back for it.
            later = squared and gone.bare_ns - last_ns > LEFT_NS
            here = gone.zone == group[0].origin and gone.touched
            if here and since_ns <= gone.t_ns <= last_ns and not later:
                yield gone

    def _hidden(self, block: Sequence[Arrival]) -> list[Lying]:
        """Return the cards that came along and do not show, of a block in its order."""
        origin = block[0].origin
        lowest_mm = self._along_mm(origin, block[0].origin_mm)
        gone = [card for one in self._gone(block) for card in one.cards]
        above = [card for card in gone if self._along_mm(origin, card.at_mm) > lowest_mm]
        below = [card for card in gone if card not in above]
        taken = above + below if self._has_room(block[0], below) else above
        base_mm = min((self._along_mm(origin, card.at_mm) for card in taken), default=lowest_mm)
        # What lay between those that left, and did not show before either.
        between = [
            card
            for card in self._piles[origin]
            if card.spot is None and self._along_mm(origin, card.at_mm) > min(base_mm, lowest_mm)
        ]
        return taken + between

    def _has_room(self, lowest: Arrival, below: Sequence[Lying]) -> bool:
        """Whether cards fit below the lowest one that shows: it lies as far on as it lay before.

        A card that came alone lies one step on from the column's last one; below one that lies on
        a squared pile there is always room.
        """
        if not below or not self.is_cascade(lowest.target):
            return bool(below)
        zone, step_mm = lowest.target, self._zones.step_mm(lowest.target)
        at_mm = self._along_mm(zone, lowest.spot.at_mm)
        others = (
            self._along_mm(zone, card.at_mm)
            for card in self._piles[zone]
            if card.spot != lowest.spot.id
        )
        start_mm = self._along_mm(zone, self._zones.first_mm(zone)) - step_mm
        base_mm = max((mm for mm in others if mm < at_mm), default=start_mm)
        origin = lowest.origin
        deep_mm = self._along_mm(origin, lowest.origin_mm) - min(
            self._along_mm(origin, card.at_mm) for card in below
        )
        return at_mm - base_mm > step_mm + deep_mm / 2

    def _laid(self, card: Lying, beside: Arrival) -> Lying:
        """Return a hidden card as it lies now: beside one that shows, as it lay, or below it."""
        if not self.is_cascade(beside.target):
            return replace(card.unseen(), at_mm=beside.spot.at_mm, since_ns=beside.spot.still_ns)
        (x_mm, y_mm), (x0_mm, y0_mm) = beside.spot.at_mm, beside.origin_mm or card.at_mm
        at_mm = (x_mm + card.at_mm[0] - x0_mm, y_mm + card.at_mm[1] - y0_mm)
        return replace(card.unseen(), at_mm=at_mm, since_ns=beside.spot.still_ns)

    def _take(self, origin: str, hidden: Sequence[Lying]) -> None:
        """Take hidden cards out of the air, or out of the column where they did not show."""
        for gone in self._air.gone:
            gone.cards = tuple(card for card in gone.cards if card not in hidden)
        self._air.gone = [gone for gone in self._air.gone if gone.cards]
        pile = self._piles[origin]
        self._piles.take(origin, [k for k, card in enumerate(pile) if card in hidden])

    def _along_mm(self, zone: str, at_mm: PointMm | None) -> float:
        return self._zones.along_mm(zone, at_mm or (0.0, 0.0))
