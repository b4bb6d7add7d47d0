"""From settled cards to events: what changed between two looks at the table, and how it came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import dist

from referee.table import moves
from referee.table.accepting import Accepting
from referee.table.evidence import Contact, Touched, Ways, no_ways, untouched
from referee.table.explaining import VOTES_NS, Explaining
from referee.table.flood import Flood
from referee.table.gathering import Gathering
from referee.table.gone import Gone
from referee.table.habits import owner_of
from referee.table.moves import ActorAt, Arrival
from referee.table.ordering import Ordering, Pending
from referee.table.own_pile import UNREAD_NS, How
from referee.table.parts import parts_of
from referee.table.piles import fits
from referee.table.settled import Settled
from referee.table.shown import Shown, shown
from referee.table.spots import COVERS_MM
from referee.table.start import lay_out, misread, placements, seen_bare
from referee.table.swapping import pulled_out
from referee.values import Event, PileMixed, Placement, PointMm, TablePlan, card_zones
from referee.values.spots import Spot

# So long after the last look nothing is waited for any more.
AFTERWARDS_NS = 10_000_000_000


class Scene:
    """The table understood. Changed only by `begin` and `step`, by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        actor_at: ActorAt = moves.nobody,
        touched: Touched = untouched,
        ways: Ways = no_ways,
    ) -> None:
        """Begin with an empty table.

        `actor_at` tells who was at a place in an interval, `touched` whether and when a seat's hand
        came down there, `ways` where its fingers were meanwhile.
        """
        self._hands = actor_at, touched, ways
        self._clear(plan)
        self._ordering = Ordering(self.habits)
        self._gathering = Gathering(self.habits)
        self._flood = Flood(len(plan.seats))
        self._events: list[Event] = []
        # What is to be told of the first table.
        self._first: list[Event] = []
        # Zones in which it was not seen which card lies on top when it began.
        self.unordered: frozenset[str] = frozenset()
        # Zones that were seen to be bare then.
        self.bare: frozenset[str] = frozenset()
        # Spots of the first table that showed part of a card as another one.
        self._ghosts: frozenset[int] = frozenset()
        self._t_ns = 0

    def _clear(self, plan: TablePlan) -> None:
        """Take the table for empty, and know of nothing that lay there."""
        self._parts = parts_of(plan, *self._hands, self._is_held)
        self.plan, self.habits = plan, self._parts.habits
        self.zones, self.piles = self._parts.zones, self._parts.piles
        self._accepting = Accepting(self._parts)
        # Spots that are not explained yet, and when they were first seen.
        self._open: dict[int, tuple[Spot, int]] = {}
        # Before the first look nothing is seen.
        self._parts.evidence.now = Settled(0, (), lambda zone: 0)

    def begin(self, now: Settled, known: tuple[Placement, ...] = ()) -> tuple[Placement, ...]:
        """Take a table that is already laid out; returns what lies where, bottom to top.

        `known` piles, told by the players or by a script, lie below what is seen of them.
        """
        ghosts = misread(now.spots, self.plan)
        self._parts.evidence.now = now
        halves = frozenset(spot.id for spot in now.spots if self._is_no_card(spot, now.spots))
        spots = [spot for spot in now.spots if spot.id not in ghosts | halves]
        self.unordered = lay_out(spots, known, self.plan, self.zones, self.piles, now.shown)
        self._accepting.stale |= ghosts
        self._ghosts = ghosts | halves
        self._t_ns = now.t_ns
        self._accepting.first_ns = min((spot.moving_ns for spot in now.spots), default=-1)
        self._parts.dealing.begin(now.t_ns)
        self._parts.packets.begin()
        told = tuple(placement.zone for placement in known)
        self._first = self._parts.setting_up.laid_before(now.t_ns, told)
        self.bare = seen_bare(self.plan, now.shown, {*self.piles.zones()})
        dealt = {zone for event in self._first for zone in card_zones(event)}
        return tuple(one for one in placements(self.piles) if one.zone not in dealt)

    def step(self, now: Settled) -> tuple[Event, ...]:
        """Return what happened since the last look, in order of time."""
        self._t_ns, self._events, self._first = now.t_ns, self._first, []
        if self._gathering.step(now, self._parts.air.gone):
            self._gathering = Gathering(self.habits)
            self._clear(self.plan)
        self._parts.evidence.now = now
        if self._is_flooded(now):
            return ()
        live = {spot.id: spot for spot in now.spots}
        self._events += self._parts.following.step(live, now.t_ns)
        self._parts.air.watch()
        self._parts.stirs.watch()
        self._parts.laid_bare.step()
        self._parts.contested.watch()
        self._parts.only_source.watch()
        self._parts.company.watch()
        for spot, since_ns in self._open.values():
            fingers = spot.seems_joker and now.t_ns - since_ns < UNREAD_NS
            if spot.id not in live and not fingers and not self._parts.dealing.is_misread(spot):
                self._explain(spot, hurry=True)
        self._parts.leaving.step(now, self._accepting.stale)
        self._accepting.stale &= live.keys()
        self._accepting.none &= live.keys()
        fresh = self._look_for_fresh(now)
        self._events += self._parts.drawing.step(now.t_ns)
        self._parts.racing.watch(
            (self.zones.name_at(spot.at_mm, self.piles), spot, since_ns)
            for spot, since_ns in self._open.values()
        )
        for spot in sorted(fresh, key=self._order):
            self._explain(spot)
        known = self.piles.spots()
        self._open = {k: one for k, one in self._open.items() if k not in known}
        self._parts.leaving.step(now, self._accepting.stale)
        self._parts.short_hands.step(now.t_ns)
        self._events += self._parts.slipping.step(self._parts.arrivals, self._may_lie)
        self._events += self._parts.burying.step(now.t_ns, self._parts.arrivals)
        self._events += self._parts.drawing.step(now.t_ns)
        arrivals = self._parts.arrivals
        arrivals.waiting = self._parts.resting.look_again(arrivals.waiting)
        self._events += arrivals.step(now.t_ns, self._is_awaited)
        self._events += self._parts.taking_back.step(self._may_lie)
        self._events += self._parts.halves.step()
        self._events += self._parts.air.step(now.t_ns, self._may_lie)
        self._parts.missing.step(self._parts.air.gone)
        self._parts.dealing.look()
        if not self.dealing:
            self._parts.whole_decks.step()
        self._events += pulled_out(self.habits, self.piles, self._parts.evidence)
        self._parts.unseen_turns.dealt(self._events)
        told = self._ordering.step(now.t_ns, self._events, tuple(self._pending()))
        return self._parts.packets.told(now.t_ns, told)

    def _look_for_fresh(self, now: Settled) -> list[Spot]:
        """Return the spots that are not known yet; how long each is awaited is remembered."""
        known = self.piles.spots() | self._accepting.stale
        fresh = [spot for spot in now.spots if spot.id not in known]
        self._open = {
            spot.id: (spot, self._open.get(spot.id, (spot, now.t_ns))[1]) for spot in fresh
        }
        return fresh

    def _is_flooded(self, now: Settled) -> bool:
        """Whether cards come faster than hands lay them, but for a deal: then none is explained."""
        if not self.dealing:
            if self._flood.goes_on:
                self._look_for_fresh(now)
            fallen = [since for spot, since in self._open.values() if not self._lay_there(spot)]
            self._flood.step(now.t_ns, fallen)
        return self._flood.goes_on

    def _lay_there(self, spot: Spot) -> bool:
        """Whether a new spot shows a card that lies there as it is known."""
        pile = self.piles[self.zones.name_at(spot.at_mm, self.piles)]
        return any(fits(card, spot) and card.near(spot.at_mm, COVERS_MM) for card in pile)

    def finish(self) -> tuple[Event, ...]:
        """Return what is still waited for, in order of time: no more will be seen.

        It is told as likely, but for what surely is in a hand already.
        """
        self._events = []
        if not self._flood.goes_on:
            self._explain_the_last()
        late_ns = self._t_ns + AFTERWARDS_NS
        self._events += self._parts.drawing.step(late_ns)
        self._events += self._parts.arrivals.step(late_ns, lambda _: False)
        taken = self._parts.air.finish(self._may_lie)
        told = self._ordering.step(late_ns, [*self._events, *taken], ())
        told = self._parts.packets.told(self._t_ns, told)
        return tuple(e if e in taken else moves.doubted(e) for e in told)

    def _explain_the_last(self) -> None:
        """Explain what still waits, but for what came so late that it was hardly looked at."""
        seen_ns = self._t_ns - VOTES_NS
        waiting = [spot for spot, since_ns in self._open.values() if since_ns <= seen_ns]
        for spot in sorted(waiting, key=self._order):
            self._explain(spot, hurry=True)
        known = self.piles.spots()
        self._open = {k: one for k, one in self._open.items() if k not in known}

    @property
    def dealing(self) -> bool:
        """Whether the deal goes on."""
        return self._parts.dealing.goes_on

    def to_be_mixed(self) -> tuple[str, ...]:
        """Return the zones of decks that may be shuffled now: where they lie, or end once dealt."""
        names = (zone.name for zone in self.plan.zones)
        lying = (name for name in names if self._parts.setting_up.may_be_mixed(name))
        return *lying, *self._parts.dealing.waiting()

    def dealt_ns(self, deck: str) -> int | None:
        """Return since when the first card lies there that seems to be dealt from a deck."""
        owner, now = owner_of(deck), self._parts.evidence.now
        zones = ((self.zones.name_at(spot.at_mm, self.piles), spot) for spot in now.spots)
        seen = ((zone, spot.still_ns) for zone, spot in zones)
        told = ((zone, card.since_ns) for zone, _, card in self.piles.each())
        mine = (ns for zone, ns in (*seen, *told) if zone != deck and owner_of(zone) == owner)
        return min((ns for ns in mine if ns > 0), default=None) if owner else None

    def deals_at(self, deck: str) -> tuple[PointMm, ...]:
        """Return where the cards of a deck are dealt to."""
        return self._parts.dealing.places_mm(deck)

    def lies(self, deck: str) -> bool:
        """Whether a deck is known to lie in its zone, or something was dealt from it already."""
        return bool(self.piles[deck]) or not self._parts.setting_up.may_be_mixed(deck)

    def mixed(self, shuffle: PileMixed) -> None:
        """Take a shuffle that was noticed."""
        self._parts.setting_up.mixed(shuffle)
        self._parts.dealt_hands.mixed(shuffle)

    def unexplained(self) -> int:
        """Return how many cards lie there of which it is not known how they came."""
        return len(self._open)

    @property
    def flooded(self) -> bool:
        """Whether cards fell in a heap that lies there still."""
        return self._flood.goes_on

    def shown(self) -> Shown:
        """Return what is seen of each pile now."""
        held = (Pending(z, event.t_ns) for event in self._ordering.held for z in card_zones(event))
        now, gone = self._parts.evidence.now, self._parts.air.gone
        untold = (Pending(zone, self._accepting.first_ns) for zone in self._accepting.untold)
        pending = (*held, *untold, *self._pending())
        cascade, stale = self._parts.company.is_cascade, self._accepting.stale
        again = {one.id for one, _ in self._open.values() if self._parts.read_twice.is_again(one)}
        ghosts = (self._ghosts | self._accepting.none | again) - self.piles.spots()
        return shown(now, self.piles, self.zones, gone, pending, stale, ghosts, cascade)

    def came_down(self, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
        """Return when anybody's hand came down last at a place between two times."""
        return self._parts.evidence.came_down(at_mm, t0_ns, t1_ns)

    def _may_lie(self, gone: Gone) -> bool:
        """Whether a card in the air may lie hidden, or under a name that was read wrongly."""
        laid = any(s.up and s.still_ns > gone.t_ns for s, _ in self._open.values())
        return laid or self._parts.contested.may_lie(gone) or self._is_read(gone)

    def _is_read(self, gone: Gone) -> bool:
        """Whether a card in the air is read somewhere, whatever is known to lie there."""
        if not self.habits.shares_one_deck:
            return False
        faces = {card.face for card in gone.cards if card.up and card.named}
        return any(spot.up and spot.label in faces for spot in self._parts.evidence.now.spots)

    def _pending(self) -> Iterator[Pending]:
        """Yield what is not understood yet: cards in the air, new spots, arrivals not told."""
        for gone in self._parts.air.gone:
            if gone.touched:
                yield Pending(gone.zone, gone.t_ns, gone.lifted)
        for spot, _ in self._open.values():
            zone = self.zones.name_at(spot.at_mm, self.piles)
            told = self._parts.read_twice.is_told(spot, zone)
            if told or self._parts.laid_unseen.is_held(spot, zone):
                continue
            yield Pending(zone, spot.still_ns)
            if spot.named and self.habits.shares_one_deck:
                # It may have come from where it seems to lie still.
                for name, _, _ in self.piles.of_face(spot.label):
                    yield Pending(name, spot.still_ns)
            if self._parts.air.arranges(zone):
                # In which order a row is laid is told by all of its cards.
                yield Pending(f"{owner_of(zone)}.{self.habits.held}", spot.still_ns)
        for one in self._parts.arrivals.waiting:
            yield Pending(one.origin, one.t_ns)
            yield Pending(one.target, one.t_ns)

    def _order(self, spot: Spot) -> tuple[int, bool, int, float, int]:
        """Return by what new spots are taken one after another: as they were laid.

        What is known to lie in a pile comes before what may lie beside or upon it; of a fanned turn
        the top one comes first, which hides indices of the others, and then what lies next to it.
        """
        zone = self.zones.name_at(spot.at_mm, self.piles)
        strange = all(card.face != spot.label for card in self.piles[zone])
        if not self.habits.is_drawn_onto(zone):
            return spot.still_ns, strange, 0, self.zones.along_mm(zone, spot.at_mm), spot.id
        fan = [spot, *(one for one, _ in self._open.values() if self._is_fanned(spot, one, zone))]
        top = min(fan, key=lambda one: (-one.indices, one.still_ns, one.id))
        since_ns = min(one.still_ns for one in fan)
        return since_ns, strange, -spot.indices, dist(spot.at_mm, top.at_mm), spot.id

    def _is_fanned(self, spot: Spot, other: Spot, zone: str) -> bool:
        """Whether another new card of a zone came to rest with one."""
        together = abs(other.still_ns - spot.still_ns) <= moves.ONE_MOVE_NS
        return together and self.zones.name_at(other.at_mm, self.piles) == zone

    def _explain(self, spot: Spot, hurry: bool = False) -> None:
        """Find out how a new spot came to be, unless that must wait; in a `hurry` it is gone."""
        zone = self.zones.name_at(spot.at_mm, self.piles)
        if self._parts.read_twice.is_other_side(spot, zone):
            self._accepting.none.add(spot.id)
        if spot.id in self._accepting.none or self._is_none(spot, zone):
            self._accepting.stale.add(spot.id)
            return
        if self._parts.laid_unseen.is_held(spot, zone) or self._is_deck(spot, zone, hurry=hurry):
            return
        others = [one for one, _ in self._open.values() if one.up]
        waited_ns = self._t_ns - self._open[spot.id][1]
        if self._is_put_off(spot, zone, others, hurry=hurry):
            return
        rivals = self._parts.racing.rivals(zone, spot)
        if rivals:
            self._events += self._accepting.race(spot, zone, rivals)
            return
        if self._parts.unseen_turns.is_read_late(spot, zone):
            return
        self._events += self._parts.turned_unseen.before(spot, zone)
        if self._is_back(spot, zone, waited_ns):
            return
        self._take_up(spot, zone)
        if self._parts.laid_unseen.is_held(spot, zone):
            return
        self._events += self._parts.dealing.hidden_piles(spot, zone)
        self._parts.drawing.make_way(spot, zone)
        actor = self._parts.actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        self._events += self._parts.unseen_turns.played_off(
            spot, zone, actor.seat, lambda: self._parts.backs().hidden(spot, zone, actor)
        )
        explaining = self._explaining(hurry=hurry)
        self._events += self._parts.halves.cut_before(spot, zone)
        half = self._parts.halves.put_down(spot, zone)
        answer = half or explaining.explain(spot, zone, actor, waited_ns)
        guessed = answer is not None and answer.found is not None and answer.found.guessed
        if guessed and self._parts.company.recall(zone, spot, others):
            answer = explaining.explain(spot, zone, actor, waited_ns)
        if answer is None:
            return
        answer = self._parts.taking_up.arranged(answer, zone)
        if answer.how is How.CAME and self._settle_below(spot, zone):
            self._explain(spot, hurry)
        else:
            if answer.how is How.CAME:
                self._flood.came(self._t_ns)
            self._events += self._accepting.accept(spot, zone, actor, answer)

    def _is_none(self, spot: Spot, zone: str) -> bool:
        """Whether a spot is no card that lies there: backs in a hand, or a card misread."""
        held = not spot.up and self._parts.setting_up.shows_held(zone, dealing=self.dealing)
        part = not spot.up and self._parts.setting_up.is_part(spot, zone)
        covered = held or part or self._parts.dealing.is_covered(spot, zone)
        covered = covered or self._parts.halves.is_none(spot, zone)
        return covered or self._parts.read_twice.is_wrong(spot, zone)

    def _is_deck(self, spot: Spot, zone: str, *, hurry: bool) -> bool:
        """Whether a back may show the deck from which somebody deals there: his fingers stay at it.

        They leave a card that was dealt; a deck is gone with them. No second card is dealt to a
        place for one. What was dealt before is told before.
        """
        if spot.named or not self._parts.setting_up.may_show_held(zone, dealing=self.dealing):
            return False
        if self._is_taken(zone):
            return True
        held = hurry or self._parts.evidence.is_at_fingers(spot.at_mm)
        return not spot.up and (held or self._is_after_another(spot))

    def _is_taken(self, zone: str) -> bool:
        return self.habits.is_for_one(zone) and bool(self.piles[zone])

    def _is_after_another(self, spot: Spot) -> bool:
        """Whether another back that waits came to lie before, where cards are dealt to."""
        earlier = (one for one, _ in self._open.values() if one.still_ns < spot.still_ns)
        names = (self.zones.name_at(one.at_mm, self.piles) for one in earlier if not one.up)
        setting_up, dealing = self._parts.setting_up, self.dealing
        return any(
            setting_up.may_show_held(name, dealing=dealing) and not self._is_taken(name)
            for name in names
        )

    def _is_no_card(self, spot: Spot, spots: Iterable[Spot]) -> bool:
        """Whether a spot of the first table shows half an index of another card, or a hand."""
        zone = self.zones.name_at(spot.at_mm, self.piles)
        others_mm = (one.at_mm for one in spots if one is not spot)
        unread = spot.up and not spot.named
        if unread and self.zones.is_astray(zone, spot.at_mm, others_mm):
            return True
        return self._parts.read_twice.is_half(spot, zone)

    def _is_put_off(self, spot: Spot, zone: str, others: list[Spot], *, hurry: bool) -> bool:
        """Whether a spot is told already, or what it is shows later; in a `hurry` nothing waits."""
        dealing = self._parts.dealing
        if dealing.is_mixed(spot, zone, self._t_ns) or dealing.is_early(spot, zone):
            return True
        if self._parts.read_twice.is_told(spot, zone):
            return True
        rests = self._parts.company.rests_on_another(zone, spot, others)
        waited_ns = self._t_ns - self._open[spot.id][1]
        half = self._parts.read_twice.may_be_half(spot, zone, waited_ns)
        return not hurry and (rests or self._parts.racing.is_open(spot) or half)

    def _is_back(self, spot: Spot, zone: str, waited_ns: int) -> bool:
        """Lay back what only seemed to leave, or tell that it was put back; tells if it was."""
        stops = self._parts.stopping_over.back(self._parts.air.gone, spot, zone)
        if self._is_laid_on(spot, zone):
            self._accepting.lay_back(zone, spot)
        elif self._parts.returning.put_back(spot, zone, waited_ns):
            self._events += stops
            return True
        elif self._parts.returning.turned_back(spot, zone, self._parts.sources()):
            self._events += self._accepting.turn(spot, zone)
            return True
        return False

    def _explaining(self, *, hurry: bool) -> Explaining:
        """Return how spots are explained by what is known now."""
        return Explaining(
            self.habits,
            self.zones,
            self.piles,
            self._parts.sources(),
            self._parts.backs(),
            self._parts.drawing,
            self._parts.unturned(),
            self._parts.evidence,
            dealing=self.dealing,
            hurry=hurry,
        )

    def _is_held(self, zone: str) -> bool:
        return self._parts.setting_up.is_in_hand(zone, dealing=self.dealing)

    def _take_up(self, spot: Spot, zone: str) -> None:
        """Tell of the pile that was taken up before a card was laid, if that hid that it was."""
        events, left_spot = self._parts.taking_up.before(spot, zone)
        self._events += events
        if left_spot is not None:
            self._accepting.stale.add(left_spot)

    def _settle_below(self, spot: Spot, zone: str) -> bool:
        """Explain at once what waits where a later card was laid on it; tells if anything did."""
        if self.habits.is_single(zone) or self.habits.is_column(zone):
            return False
        settled = self.piles.spots() | self._accepting.stale
        older = [
            one
            for one, _ in self._open.values()
            if one.id not in settled
            and one.still_ns < spot.still_ns - moves.ONE_MOVE_NS
            and dist(one.at_mm, spot.at_mm) < COVERS_MM
        ]
        for one in sorted(older, key=self._order):
            self._explain(one, hurry=True)
        known = self.piles.spots()
        return any(one.id in known for one in older)

    def _is_laid_on(self, spot: Spot, zone: str) -> bool:
        """Whether a player who holds cards laid one onto a column of which the top one got lost."""
        held = f"{owner_of(zone)}.{self.habits.held}"
        lays_out = spot.up and self._parts.air.arranges(zone)
        return (
            self.habits.is_column(zone)
            and bool(self.piles[held])
            and any(
                gone.zone == zone
                and (lays_out or self.zones.is_step_on(zone, spot.at_mm, gone.cards[-1].at_mm))
                for gone in self._parts.air.gone
            )
        )

    def _is_awaited(self, first: Arrival) -> bool:
        """Whether a card that may have come with a block is still to be explained.

        It came to rest with the others, or is of those that left with them.
        """
        if not first.gather:
            return False
        left = {
            card.face
            for gone in self._parts.air.gone
            for card in gone.cards
            if gone.zone == first.origin and gone.t_ns == first.lifted_ns and card.up
        }
        beside = (
            spot
            for spot, _ in self._open.values()
            if spot.up and self.zones.name_at(spot.at_mm, self.piles) == first.target
        )
        return any(
            spot.label in left or abs(spot.still_ns - first.spot.still_ns) <= moves.ONE_MOVE_NS
            for spot in beside
        )
