"""Two players who laid a card each onto one common pile, hidden by their hands: who, and when.

What lies on top does not tell whose it is: two decks have the same faces. But a card that was seen
to lie at a player's own place is gone from there, his hand came from there to the pile, and lies
nowhere else: then he laid it. Who came first is told by when their hands came down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from referee.table.backs import FINGERS_MM, NEAR_MM
from referee.table.contested import (
    CARRY_NS,
    LEAST_CARRY_NS,
    OVER_MM,
    SAME_TOUCH_NS,
    WAIT_NS,
    is_common,
)
from referee.table.evidence import CLEARLY_MM, Contact, Evidence
from referee.table.found import LIKELY, PLAIN, Found
from referee.table.gone import Gone
from referee.table.habits import Habits, owner_of
from referee.table.piles import Lying, Piles
from referee.values import Actor, PointMm, TablePlan
from referee.values.spots import NOT_READ, Spot

# Who comes to a place that is taken is in the race for so long at most; the house asks for 1 s.
RACE_NS = 1_000_000_000
# What the hands have hidden for longer is told a moment after it shows, so that what shows at the
# players' own places is understood first.
MOMENT_NS = 100_000_000
# Who finds a place taken is back with his card so soon.
BACK_NS = 1_000_000_000
# Of a hand that pushes a card ahead of it, or meets another, the fingers are seen before the pile
# or beyond it, but hardly beside its line: of 400 cards that were laid, of three makers of films,
# within 12 mm for three of four, within 43 mm for 19 of 20.
ASIDE_MM = 40.0
# A card comes to rest with the hand that lays it, so much later at most: hands that meet are timed
# to 80 ms, and what they uncover as they leave seemed to come to rest 0.11 s after that, twice;
# what was held over another card did so 0.29 s after it.
HELD_NS = 200_000_000


@dataclass(frozen=True, slots=True)
class Rival:
    """A card in the air, and when its player's hand came down to lay it: as sure as `conf`."""

    gone: Gone
    taken_ns: int
    touch: Contact
    conf: float

    @property
    def face(self) -> str:
        """The face of the card."""
        return self.gone.cards[0].face

    def found(self) -> Found:
        """Return the card as one whose origin was found."""
        gone, who = self.gone, self.touch.actor
        return Found(gone.zone, 0, conf=self.conf, gone=gone, lifted_ns=self.taken_ns, who=who)

    def laid(self, spot: Spot) -> Spot:
        """Return the spot that shows the card, come to rest when the hand came down.

        Where the fingers came down it lies, and not on its index's other side.
        """
        came, other_mm = self.touch, spot.other_mm
        here_mm = came.apart_mm(spot.at_mm)
        if other_mm is not None and came.apart_mm(other_mm) - here_mm >= CLEARLY_MM:
            other_mm = None
        return replace(
            spot,
            other_mm=other_mm,
            label=self.face,
            conf=max(spot.conf, self.conf),
            moving_ns=came.t_ns - came.u_ns,
            still_ns=came.t_ns + came.u_ns,
        )

    def no_later(self, spot: Spot) -> Rival:
        """Return the card as it may have come sooner, if its spot lay still before its hand did.

        Two hands that meet move on when their cards lie, and one hides when the other came down.
        """
        came = self.touch
        if came.t_ns - came.u_ns <= spot.still_ns:
            return self
        return replace(self, touch=replace(came, u_ns=came.t_ns - spot.moving_ns))


class Racing:
    """Finds the cards that two hands brought to one place. Used by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        piles: Piles,
        evidence: Evidence,
        limbo: Callable[[], Sequence[Gone]],
    ) -> None:
        """Take the piles, what the hands tell, and how to ask for cards in the air."""
        self._habits = habits
        self._seats = tuple(place.seat for place in plan.seats)
        self._piles, self._evidence, self._limbo = piles, evidence, limbo
        # The new spots of which it is not clear yet who laid them, and whose hands came there.
        self._open: dict[int, tuple[Spot, frozenset[str | None]]] = {}

    def watch(self, fresh: Iterable[tuple[str, Spot, int]]) -> None:
        """Note to which new spots several hands came: by zone, and since when each is seen."""
        self._open = {}
        for zone, spot, since_ns in fresh:
            came = self._hands(zone, spot) if spot.up and self._is_raced_for(zone) else []
            if len(came) > 1 and self._evidence.now.t_ns < self._due_ns(came, since_ns):
                self._open[spot.id] = spot, frozenset(t[0].actor.seat for t in came)

    def _due_ns(self, came: list[list[Contact]], since_ns: int) -> int:
        laid_ns = min(since_ns, max(touches[0].t_ns for touches in came))
        return max(laid_ns + WAIT_NS, since_ns + MOMENT_NS)

    def is_open(self, spot: Spot) -> bool:
        """Whether it shows in a moment which of several hands that came there laid a new card."""
        return spot.id in self._open

    def has_brought(self, card: Lying, seat: str | None) -> bool:
        """Whether a player's hand came to such a place, where his card may be what shows."""
        return seat is not None and any(
            seat in seats and spot.label in (card.face, NOT_READ)
            for spot, seats in self._open.values()
        )

    def rivals(self, zone: str, spot: Spot) -> tuple[Rival, ...]:
        """Return the cards that several players laid there, the one on top last; none for one."""
        if not self._is_raced_for(zone):
            return ()
        came = self._hands(zone, spot)
        firsts = (self._brought(zone, touches) for touches in came)
        brought = sorted((one for one in firsts if one), key=lambda one: one.touch.t_ns)
        if len(brought) < 2 or (spot.named and spot.label != brought[-1].face):
            return ()
        held = _is_held(brought[-1], spot)
        if held and all(one.face != spot.label for one in brought[:-1]):
            # The one that shows was seen to come to rest, when the other one lay.
            return ()
        brought[-1] = brought[-1].no_later(spot)
        if held or len(brought) < len(came):
            return tuple(replace(one, conf=LIKELY) for one in brought)
        return tuple(brought)

    def like_on_like(self, gone: Gone) -> tuple[str, Rival] | None:
        """Return the pile on which a card in the air lies that shows the same as its like below.

        Who came with a card to where its like lies already, and took it back, has it back where it
        lay within a while.
        """
        card = gone.cards[0]
        for zone in filter(self._is_raced_for, self._piles.zones()):
            top = self._piles[zone][-1]
            if top.spot is None or top.face != card.face or top.deck in (None, card.deck):
                continue
            rival = self._later(gone, zone, top)
            if rival is not None and self._evidence.now.t_ns - rival.touch.t_ns >= BACK_NS:
                return zone, rival
        return None

    def _later(self, gone: Gone, zone: str, top: Lying) -> Rival | None:
        """Return a card as one that was laid on the top one of a pile by its player's hand."""
        since_ns, now_ns = top.since_ns + SAME_TOUCH_NS, self._evidence.now.t_ns
        touches = self._evidence.each(top.at_mm, since_ns, now_ns, Actor(owner_of(gone.zone)))
        right = [one for one in reversed(touches) if self._is_over(one, top.at_mm)]
        rival = self._brought(zone, right)
        return rival if rival is not None and rival.gone is gone else None

    def _is_raced_for(self, zone: str) -> bool:
        """Whether what leaves a player's place for a common pile is not kept in the hand."""
        laid = self._habits.held is None or self._habits.is_played(zone)
        return is_common(zone) and laid

    def _hands(self, zone: str, spot: Spot) -> list[list[Contact]]:
        """Return when each seat's hand came down there, of those that did."""
        each = (self._came(seat, zone, spot) for seat in self._seats)
        return [touches for touches in each if touches]

    def _came(self, seat: str, zone: str, spot: Spot) -> list[Contact]:
        """Return when a seat's hand came right down on a spot since the card below was laid."""
        now_ns, pile = self._evidence.now.t_ns, self._piles[zone]
        since_ns = spot.still_ns - RACE_NS
        if pile:
            since_ns = max(since_ns, pile[-1].since_ns + SAME_TOUCH_NS)
        touches = self._evidence.each(spot.at_mm, since_ns, now_ns, Actor(seat))
        return [one for one in reversed(touches) if self._is_over(one, spot.at_mm)]

    def _is_over(self, touch: Contact, at_mm: PointMm) -> bool:
        """Whether a hand that came down near a pile may have laid a card right there."""
        apart_mm = touch.apart_mm(at_mm)
        if apart_mm < OVER_MM:
            return True
        tops = (self._piles[zone][-1] for zone in self._piles.zones())
        nearest = not any(touch.apart_mm(top.at_mm) < apart_mm - CLEARLY_MM for top in tops)
        return nearest and touch.aside_mm(at_mm) < ASIDE_MM

    def _brought(self, zone: str, touches: Sequence[Contact]) -> Rival | None:
        """Return the card that a hand laid when it first came with one; None if not which."""
        first = next((one for touch in touches if (one := self._with_card(zone, touch))), None)
        if first is None:
            return None
        later = (touch for touch in touches if touch.t_ns > first.touch.t_ns + LEAST_CARRY_NS)
        again = (self._fetched_since(first, touch) for touch in later)
        return next((one for one in again if one), first)

    def _fetched_since(self, first: Rival, touch: Contact) -> Rival | None:
        """Return the card as laid later, if the hand was right at its place only after it came.

        Who passes over a card on the way to the pile has another one in his hand.
        """
        card, seat = first.gone.cards[0], touch.actor.seat
        assert seat is not None
        before_ns, until_ns = first.touch.t_ns, touch.t_ns - LEAST_CARRY_NS
        passed = self._evidence.nearest(seat, card.at_mm, before_ns - CARRY_NS, before_ns)
        near = self._evidence.nearest(seat, card.at_mm, before_ns + 1, until_ns)
        if near is None or near[0] > FINGERS_MM:
            return None
        if passed is not None and passed[0] < near[0] + CLEARLY_MM:
            return None
        return replace(first, taken_ns=near[1], touch=touch)

    def _with_card(self, zone: str, touch: Contact) -> Rival | None:
        """Return the card of its own with which a hand came down, where it is seen which one."""
        cards = [one for one in self._limbo() if self._is_own(one, zone, touch)]
        taken = ((self._taken_ns(gone, touch), gone) for gone in cards)
        found = [(t_ns, gone) for t_ns, gone in taken if t_ns is not None]
        if len(found) != 1:
            return None
        t_ns, gone = found[0]
        return Rival(gone, t_ns, touch, PLAIN)

    def _is_own(self, gone: Gone, zone: str, touch: Contact) -> bool:
        """Whether one open card that was read left a place of the player whose hand it is."""
        card, seat = gone.cards[0], touch.actor.seat
        mine = owner_of(gone.zone) == seat and gone.actor.seat in (None, seat)
        one = len(gone.cards) == 1 and card.up and card.named
        return mine and one and gone.zone != zone

    def _taken_ns(self, gone: Gone, touch: Contact) -> int | None:
        """Return when a hand was at a card before it came to the pile, None if it was not."""
        card, seat = gone.cards[0], touch.actor.seat
        assert seat is not None
        since_ns = max(touch.t_ns - CARRY_NS, card.since_ns + SAME_TOUCH_NS)
        near = self._evidence.nearest(seat, card.at_mm, since_ns, touch.t_ns - LEAST_CARRY_NS)
        if near is not None and near[0] < NEAR_MM:
            return near[1]
        in_time = since_ns < gone.t_ns < touch.t_ns - LEAST_CARRY_NS
        return gone.t_ns if gone.touched and in_time else None


def _is_held(last: Rival, spot: Spot) -> bool:
    """Whether the card on top came to rest only when all hands had been there for a while.

    One of them held it over the other's; which of the two nobody sees.
    """
    return spot.measured and spot.moving_ns > last.touch.t_ns + last.touch.u_ns + HELD_NS
