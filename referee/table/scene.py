"""From settled cards to events: what changed between two looks at the table, and how it came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import dist

from referee.table import moves
from referee.table.air import Air
from referee.table.arrivals import Arrivals
from referee.table.backs import Backs
from referee.table.burying import Burying
from referee.table.company import Company
from referee.table.contested import Contested
from referee.table.dealing import Dealing
from referee.table.dealt_hands import DealtHands
from referee.table.drawing import Drawing
from referee.table.evidence import Evidence, Touched, Ways, no_ways, untouched
from referee.table.explaining import VOTES_NS, Explaining
from referee.table.fetching import fetch, place_of
from referee.table.following import Following
from referee.table.found import LIKELY, Found
from referee.table.gone import Gone
from referee.table.habits import habits_of, is_in_hands, owner_of
from referee.table.laid_bare import LaidBare
from referee.table.leaving import Leaving
from referee.table.missing import Missing
from referee.table.moves import ActorAt, Arrival
from referee.table.on_the_way import OnTheWay
from referee.table.ordering import Ordering, Pending
from referee.table.own_pile import Answer, How
from referee.table.piles import Lying, Piles, laid, unknown
from referee.table.resting import Resting
from referee.table.returning import Returning
from referee.table.setting_up import SettingUp
from referee.table.settled import Settled
from referee.table.shown import Shown, shown
from referee.table.slipping_under import SlippingUnder
from referee.table.sources import Sources
from referee.table.spots import COVERS_MM, OFF, Zones
from referee.table.start import lay_out, placements
from referee.table.swapping import pulled_out
from referee.table.taking_back import TakingBack
from referee.table.taking_up import TakingUp
from referee.values import Actor, Event, Placement, PointMm, TablePlan, card_zones
from referee.values.spots import NOT_READ, Spot

# The cards of one block settle in the tracker within three frames of one another.
GATHER_NS = 110_000_000
# A card that seems to be gone for a shorter time may have been covered by the next.
COVERED_NS = 1_200_000_000
# Between the hand that takes a card and the one that has turned up the next is this time at least.
TURNS_NS = 250_000_000
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
        self.plan, self.habits = plan, habits_of(plan)
        self.zones, self.piles = Zones(plan), Piles()
        self._actor_at = actor_at
        self._evidence = Evidence(plan, touched, ways)
        self._air = Air(self.habits, self.piles, actor_at, self._evidence)
        self._laid_bare = LaidBare(self.piles, self._evidence)
        self._contested = Contested(
            plan, self.habits, self.piles, self._evidence, lambda: self._air.gone
        )
        self._burying = Burying(plan, self.habits, self.piles, self._contested, self._air)
        self._returning = Returning(self.habits, self.piles, self._air)
        self._company = Company(self.habits, self.zones, self.piles, self._air, self._evidence)
        self._slipping = SlippingUnder(
            self.zones, self.piles, self._company, self._air, self._evidence
        )
        self._arrivals = Arrivals(self.habits, self.piles, self._company)
        self._drawing = Drawing(self.habits, self.piles, self._evidence, self._air, self._arrivals)
        self._leaving = Leaving(self.habits, self.piles, self.zones, self._air, self._is_held)
        self._taking_back = TakingBack(plan, self.habits, self.piles, self._air, self._evidence)
        self._taking_up = TakingUp(self.habits, self.piles, self._air, self._evidence)
        self._missing = Missing(self.piles, self._evidence)
        self._resting = Resting(
            self.habits, self.zones, self.piles, self._air, self._company, self._contested,
            self._missing,
        )  # fmt: skip
        players = len(plan.seats)
        self._on_the_way = OnTheWay(self.habits, self.piles, self._air, self._drawing, players)
        self._setting_up = SettingUp(plan, self.habits, self.piles)
        self._dealing = Dealing(plan, self.habits, self.piles, self._setting_up)
        self._dealt_hands = DealtHands(plan, self.habits, self.piles, self._evidence)
        self._following = Following(self.habits, self.piles, self._air, self._arrivals)
        self._ordering = Ordering()
        self._events: list[Event] = []
        # Spots that are not explained yet, and when they were first seen.
        self._open: dict[int, tuple[Spot, int]] = {}
        # Spots of cards that were seen elsewhere already, before their old place was seen bare.
        self._stale: set[int] = set()
        # Zones with a card from the start that was read late: for the judge it does not lie there.
        self._untold: set[str] = set()
        # Where nothing moved since then, nothing came.
        self._first_ns = -1
        # What is to be told of the first table.
        self._first: list[Event] = []
        # Zones in which it was not seen which card lies on top when it began.
        self.unordered: frozenset[str] = frozenset()
        self._t_ns = 0

    def begin(self, now: Settled, known: tuple[Placement, ...] = ()) -> tuple[Placement, ...]:
        """Take a table that is already laid out; returns what lies where, bottom to top.

        `known` piles, told by the players or by a script, lie below what is seen of them.
        """
        self.unordered = lay_out(now.spots, known, self.plan, self.zones, self.piles)
        self._t_ns = now.t_ns
        self._first_ns = min((spot.moving_ns for spot in now.spots), default=-1)
        self._dealing.begin()
        told = tuple(placement.zone for placement in known)
        self._first = self._setting_up.laid_before(now.t_ns, told)
        dealt = {zone for event in self._first for zone in card_zones(event)}
        return tuple(one for one in placements(self.piles) if one.zone not in dealt)

    def step(self, now: Settled) -> tuple[Event, ...]:
        """Return what happened since the last look, in order of time."""
        self._t_ns, self._events, self._first = now.t_ns, self._first, []
        self._evidence.now = now
        live = {spot.id: spot for spot in now.spots}
        self._events += self._following.step(live, now.t_ns)
        self._air.watch()
        self._laid_bare.step()
        self._contested.watch()
        for spot, _ in self._open.values():
            if spot.id not in live and not self._dealing.is_misread(spot):
                self._explain(spot, hurry=True)
        self._leaving.step(now, self._stale)
        known = self.piles.spots()
        self._stale &= live.keys()
        fresh = [spot for spot in now.spots if spot.id not in known | self._stale]
        self._open = {
            spot.id: (spot, self._open.get(spot.id, (spot, now.t_ns))[1]) for spot in fresh
        }
        self._events += self._drawing.step(now.t_ns)
        for spot in sorted(fresh, key=self._order):
            self._explain(spot)
        known = self.piles.spots()
        self._open = {k: one for k, one in self._open.items() if k not in known}
        self._leaving.step(now, self._stale)
        self._events += self._slipping.step()
        self._events += self._burying.step(now.t_ns, self._arrivals)
        self._events += self._drawing.step(now.t_ns)
        self._events += self._arrivals.step(now.t_ns, self._is_awaited)
        self._events += self._taking_back.step(self._may_lie)
        self._events += self._air.step(now.t_ns, self._may_lie)
        self._missing.step(self._air.gone)
        self._dealing.look()
        self._events += pulled_out(self.habits, self.piles, self._evidence)
        return self._ordering.step(now.t_ns, self._events, tuple(self._pending()))

    def finish(self) -> tuple[Event, ...]:
        """Return what is still waited for, in order of time, as likely: no more will be seen."""
        self._events = []
        seen_ns = self._t_ns - VOTES_NS
        waiting = [spot for spot, since_ns in self._open.values() if since_ns <= seen_ns]
        for spot in sorted(waiting, key=self._order):
            self._explain(spot, hurry=True)
        known = self.piles.spots()
        self._open = {k: one for k, one in self._open.items() if k not in known}
        late_ns = self._t_ns + AFTERWARDS_NS
        self._events += self._drawing.step(late_ns)
        self._events += self._arrivals.step(late_ns, lambda _: False)
        told = self._ordering.step(late_ns, self._events, ())
        return tuple(replace(e, conf=min(LIKELY, 1.0 if e.conf is None else e.conf)) for e in told)

    @property
    def dealing(self) -> bool:
        """Whether the deal goes on."""
        return self._dealing.goes_on

    def to_be_mixed(self) -> tuple[str, ...]:
        """Return the zones in which a deck may be shuffled now on the table."""
        names = (zone.name for zone in self.plan.zones)
        return tuple(name for name in names if self._setting_up.may_be_mixed(name))

    def mixed_in_hands(self) -> tuple[tuple[str, str], ...]:
        """Return the piles in which decks end that are still to be dealt, and whose they are."""
        return self._dealing.waiting()

    def unexplained(self) -> int:
        """Return how many cards lie there of which it is not known how they came."""
        return len(self._open)

    def shown(self) -> Shown:
        """Return what is seen of each pile now."""
        held = (Pending(z, event.t_ns) for event in self._ordering.held for z in card_zones(event))
        now, gone = self._evidence.now, self._air.gone
        untold = (Pending(zone, self._first_ns) for zone in self._untold)
        pending = (*held, *untold, *self._pending())
        return shown(now, self.piles, self.zones, gone, pending, self._stale)

    def _may_lie(self, gone: Gone) -> bool:
        """Whether a card in the air may lie hidden, or under a name that was read wrongly."""
        laid = (spot for spot, _ in self._open.values() if spot.up)
        return self._contested.may_lie(gone) or any(spot.still_ns > gone.t_ns for spot in laid)

    def _pending(self) -> Iterator[Pending]:
        """Yield what is not understood yet: cards in the air, new spots, arrivals not told."""
        for gone in self._air.gone:
            if gone.touched:
                yield Pending(gone.zone, gone.t_ns, gone.lifted)
        for spot, _ in self._open.values():
            yield Pending(self.zones.name_at(spot.at_mm, self.piles), spot.still_ns)
        for one in self._arrivals.waiting:
            yield Pending(one.origin, one.t_ns)
            yield Pending(one.target, one.t_ns)

    def _order(self, spot: Spot) -> tuple[int, bool, float, int]:
        """Return by what new spots are taken one after another: as they were laid.

        What is known to lie in a pile comes before what may lie beside or upon it.
        """
        zone = self.zones.name_at(spot.at_mm, self.piles)
        strange = all(card.face != spot.label for card in self.piles[zone])
        return spot.still_ns, strange, self.zones.along_mm(zone, spot.at_mm), spot.id

    def _explain(self, spot: Spot, hurry: bool = False) -> None:
        """Find out how a new spot came to be, unless that must wait; in a `hurry` it is gone."""
        zone = self.zones.name_at(spot.at_mm, self.piles)
        if not spot.up and self._setting_up.shows_held(zone, dealing=self.dealing):
            self._stale.add(spot.id)
            return
        if self._dealing.is_mixed(spot, zone, self._t_ns):
            return
        others = [one for one, _ in self._open.values() if one.up]
        if not hurry and self._company.rests_on_another(zone, spot, others):
            return
        if self._is_laid_on(spot, zone):
            self._lay_back(zone, spot)
        elif self._returning.put_back(spot, zone, self._t_ns - self._open[spot.id][1]):
            return
        elif self._returning.turned_back(spot, zone, self._sources()):
            self._turn(spot, zone, len(self.piles[zone]) - 1)
            return
        self._take_up(spot, zone)
        self._events += self._dealing.hidden_piles(spot, zone)
        self._drawing.make_way(spot, zone)
        actor = self._actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        explaining = Explaining(
            self.habits,
            self.zones,
            self.piles,
            self._sources(),
            self._backs(),
            self._drawing,
            self._evidence,
            dealing=self.dealing,
            hurry=hurry,
        )
        waited_ns = self._t_ns - self._open[spot.id][1]
        answer = explaining.explain(spot, zone, actor, waited_ns)
        guessed = answer is not None and answer.found is not None and answer.found.guessed
        if guessed and self._company.recall(zone, spot, others):
            answer = explaining.explain(spot, zone, actor, waited_ns)
        if answer is None:
            return
        answer = self._taking_up.arranged(answer, zone)
        if answer.how is How.CAME and self._settle_below(spot, zone):
            self._explain(spot, hurry)
        else:
            self._accept(spot, zone, actor, answer)

    def _is_held(self, zone: str) -> bool:
        return self._setting_up.is_in_hand(zone, dealing=self.dealing)

    def _take_up(self, spot: Spot, zone: str) -> None:
        """Tell of the pile that was taken up before a card was laid, if that hid that it was."""
        events, left_spot = self._taking_up.before(spot, zone)
        self._events += events
        if left_spot is not None:
            self._stale.add(left_spot)

    def _settle_below(self, spot: Spot, zone: str) -> bool:
        """Explain at once what waits where a later card was laid on it; tells if anything did."""
        if self.habits.is_single(zone) or self.habits.is_column(zone):
            return False
        settled = self.piles.spots() | self._stale
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
        return (
            self.habits.is_column(zone)
            and bool(self.piles[held])
            and any(
                gone.zone == zone and self.zones.is_step_on(zone, spot.at_mm, gone.cards[-1].at_mm)
                for gone in self._air.gone
            )
        )

    def _accept(self, spot: Spot, zone: str, actor: Actor, answer: Answer) -> None:
        if answer.how in (How.CAME, How.TURNED) and spot.moving_ns <= self._first_ns:
            self._lay_from_the_start(spot, zone)
            return
        match answer:
            case Answer(How.SAME, int(top)):
                card = self.piles[zone][top]
                self.piles[zone][top] = card.shown_by(spot)
                self._events += self._following.refresh(
                    zone, top, replace(card, spot=spot.id), spot
                )
            case Answer(How.ALONG, int(top)):
                card = self.piles[zone][top].shown_by(spot)
                self.piles[zone][top] = replace(card, told=card.face)
            case Answer(How.PEEKS):
                self._stale.add(spot.id)
            case Answer(How.UNCOVERED, int(top)):
                self._reveal(spot, zone, top)
            case Answer(How.BARED, int(index)):
                same = Answer(How.SAME, self.piles.put_on_top(zone, index))
                self._accept(spot, zone, actor, same)
            case Answer(How.UNCOVERED):
                # Cards that nobody counted lie below those that left.
                self.piles.deep.add(zone)
                card = laid(spot, self._deck_of(zone))
                at = answer.above or 0
                self.piles[zone].insert(at, replace(card, told=card.face if card.up else None))
                gone = [k for k, c in enumerate(self.piles[zone]) if k > at and c.spot is None]
                self._air.set_out(self._t_ns, zone, gone)
            case Answer(How.NEXT, int(top)):
                self._take_off(spot, zone, top)
                below = len(self.piles[zone]) - 1
                self._accept(spot, zone, actor, Answer(How.TURNED, below if below >= 0 else None))
            case Answer(How.TURNED, int(top)):
                self._turn(spot, zone, top)
            case Answer(How.TURNED):
                self.piles[zone].append(unknown(laid(spot, self._deck_of(zone)), not spot.up))
                most_conf = 1.0 if zone in self.piles.deep else LIKELY
                self._turn(spot, zone, len(self.piles[zone]) - 1, most_conf)
            case Answer(How.CAME, found=Found() as found):
                self._arrive(spot, zone, actor, found)

    def _lay_from_the_start(self, spot: Spot, zone: str) -> None:
        """Take in a card that was read late, though nobody came near it; without a name it is none.

        What it lies under or beside was seen from the first picture on.
        """
        if spot.label == NOT_READ:
            self._stale.add(spot.id)
        else:
            self.piles[zone].insert(0, laid(spot, self._deck_of(zone)))
            self._untold.add(zone)

    def _reveal(self, spot: Spot, zone: str, index: int) -> None:
        """Take off what lay above, and name what lies there now."""
        pile = self.piles[zone]
        if self.habits.is_drawn_onto(zone) and pile[index].named:
            index = self.piles.bring_up(zone, index)
        card = pile[index]
        above = [k for k in range(index + 1, len(pile)) if pile[k].spot is None]
        pile[index] = replace(card.shown_by(spot), since_ns=spot.still_ns)
        self._air.set_out(self._t_ns, zone, above)
        if spot.named and spot.up and card.told is not None and card.told != spot.label:
            pile = self.piles[zone]
            old, conf = card.told, spot.conf
            self._events += self._following.tell_read(zone, index, pile[index], old, conf)
        if spot.up:
            self.piles[zone][index] = replace(self.piles[zone][index], told=pile[index].face)

    def _take_off(self, spot: Spot, zone: str, index: int) -> None:
        """Set out the cards from an index on, which left unseen before the next was turned up.

        What still seems to show them is nothing.
        """
        pile = self.piles[zone]
        self._stale |= {card.spot for card in pile[index:] if card.spot is not None}
        pile[index:] = [card.unseen(spot.moving_ns) for card in pile[index:]]
        self._air.set_out(spot.moving_ns - TURNS_NS, zone, list(range(index, len(pile))))

    def _turn(self, spot: Spot, zone: str, top: int, most_conf: float = 1.0) -> None:
        pile = self.piles[zone]
        if pile[top].spot is not None:
            top = self.piles.show_below(zone, top)
        card = replace(pile[top].shown_by(spot), since_ns=spot.still_ns)
        pile[top] = replace(card, told=card.face if card.up else card.told)
        actor = self._actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        pos = len(pile) - 1 - top
        # The card that lay there, put back and read otherwise, would look the same; so would one
        # laid from the hand squarely onto a back of one's own.
        held = f"{owner_of(zone)}.{self.habits.held}"
        from_hand = self.habits.is_column(zone) and bool(self.piles[held])
        conf = LIKELY if from_hand or self._air.left(zone) else most_conf
        self._events.append(moves.turned(spot, pile[top], zone, actor, pos, conf))

    def _arrive(self, spot: Spot, zone: str, actor: Actor, found: Found) -> None:
        """Put the card down where it is seen, and note where it came from."""
        set_up = self._setting_up.from_deck(found, zone, dealing=self.dealing)
        if set_up is not None:
            found = set_up
        elif self._dealing.brings(spot, zone, found):
            self._events += self._dealt_hands.unseen(spot, zone, actor)
            self._events += self._dealing.deal(spot, zone, actor)
            return
        found = self._tell_before(found, spot, zone, actor)
        may_be = 1
        if self._drawing.is_draw(found):
            found, may_be = self._drawing.draw(found, spot, actor)
        if found.hidden and is_in_hands(found.origin):
            self.piles.mix(found.origin, spot.named)
        card, origin_mm = self._fetch(found, spot, zone)
        conf = min(
            spot.conf, found.conf, self._resting.most_conf(spot, zone, actor, found, origin_mm)
        )
        if not found.hidden or found.lifted_ns is not None:
            self._events += self._burying.covered(zone, spot)
        if found.lifted_ns is not None:
            self._burying.taken_ns[found.origin] = found.lifted_ns
        under = self._resting.is_under(spot, zone)
        self.piles[zone].insert(0 if under else self._resting.height(spot, zone), card)
        if actor.seat is None or (found.gone is not None and card.deck == found.who.seat):
            # Who took a card of his own lays it, whoever was at that place last.
            actor = found.who if found.who.seat is not None else actor
        if zone in (OFF, found.origin):
            return
        cascades = self._company.is_cascade(zone) and self._company.is_cascade(found.origin)
        gather = found.gather or cascades
        due_ns = self._t_ns + (GATHER_NS if gather else 0)
        self._arrivals.add(
            Arrival(
                spot=spot,
                card=card,
                origin=found.origin,
                target=zone,
                pos=0 if self._is_unordered(found.origin) else found.pos,
                actor=actor,
                conf=conf,
                due_ns=due_ns if may_be == 1 else self._drawing.due_ns(spot),
                lifted_ns=found.lifted_ns,
                block=found.block,
                flip=found.flip,
                under=under,
                may_be=may_be,
                gather=gather,
                origin_mm=origin_mm if cascades else None,
            )
        )

    def _tell_before(self, found: Found, spot: Spot, zone: str, actor: Actor) -> Found:
        """Tell what must have happened before a card came; return where it came from then."""
        self._taking_up.play(found.origin, zone)
        found, dealt = self._dealt_hands.before(found, spot)
        if found.origin != zone:
            self._lay_back(zone, spot)
        found, on_the_way = self._on_the_way.told(spot, actor, found, self._backs())
        self._events += (*dealt, *on_the_way)
        if found.gone is not None and found.whole and found.flip and not spot.up:
            self._events += self._air.last_drawn(found.gone, zone)
            count = len(found.gone.cards)
            found = replace(found, index=count - 1, block=count)
        return found

    def _fetch(self, found: Found, spot: Spot, zone: str) -> tuple[Lying, PointMm | None]:
        """Take a card from where it was, and return it with the place where it lay, if known."""
        origin_mm = place_of(found, self.piles)
        fetched = fetch(found, spot, zone, self.piles, self._air, self._deck_of)
        self._laid_bare.leave(found.origin, origin_mm, found.lifted_ns, spot.still_ns)
        self._air.bare(found.origin, found.lifted_ns or spot.moving_ns)
        card = replace(fetched.card, origin=found.origin)
        if fetched.left_spot is not None and not self._sources().has_left(card.face, card.deck):
            # Unless its like is on the way, which then is what still shows there.
            self._stale.add(fetched.left_spot)
        return card, origin_mm

    def _lay_back(self, zone: str, spot: Spot) -> None:
        """Lay cards back that only seemed to leave a pile: the new card was laid onto them."""
        if self._company.is_cascade(zone):
            self.piles[zone].extend(self._company.covered(zone, spot))
        elif not self.habits.is_single(zone) or self.habits.is_for_one(zone):
            # What is explained late was laid long ago.
            since_ns = min(self._t_ns - COVERED_NS, spot.still_ns - moves.ONE_MOVE_NS)
            reach_mm = self.habits.reach_mm(zone, COVERS_MM)
            self.piles[zone].extend(self._air.back_under(zone, spot.at_mm, reach_mm, since_ns))

    def _is_unordered(self, zone: str) -> bool:
        return self.habits.is_row(zone) or is_in_hands(zone)

    def _is_awaited(self, first: Arrival) -> bool:
        """Whether a card that may have come with a block is still to be explained."""
        return first.gather and any(
            spot.up
            and abs(spot.still_ns - first.spot.still_ns) <= moves.ONE_MOVE_NS
            and self.zones.name_at(spot.at_mm, self.piles) == first.target
            for spot, _ in self._open.values()
        )

    def _sources(self) -> Sources:
        gone = self._air.gone
        return Sources(self.habits, self.piles, gone, self._evidence, self._laid_bare)

    def _backs(self) -> Backs:
        gone, taken_ns = self._air.gone, self._burying.taken_ns
        return Backs(self.plan, self.habits, self.piles, gone, self._evidence, taken_ns)

    def _deck_of(self, zone: str) -> str | None:
        return self.habits.deck_of(zone, len(self.plan.seats))
