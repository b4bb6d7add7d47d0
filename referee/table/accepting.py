"""What is done with the table's piles once it is known how a new spot came, and what is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.table import moves
from referee.table.evidence import Reach
from referee.table.fetching import fetch, place_of
from referee.table.found import LIKELY, Found
from referee.table.habits import is_in_hands, owner_of
from referee.table.moves import Arrival
from referee.table.on_the_way import TURNS_NS
from referee.table.own_pile import Answer, How
from referee.table.parts import Parts
from referee.table.piles import Lying, laid, unknown
from referee.table.racing import Rival
from referee.table.spots import COVERS_MM, OFF
from referee.table.under_hand import brought, came_down, piled_up, since_taken
from referee.values import Actor, Event, PointMm
from referee.values.spots import NOT_READ, Spot

# The cards of one block settle in the tracker within three frames of one another.
GATHER_NS = 110_000_000
# Of two cards that are laid side by side at once one is often believed so much later.
ROW_NS = 300_000_000
# A card that seems to be gone for a shorter time may have been covered by the next.
COVERED_NS = 1_200_000_000


class Accepting:
    """Changes the piles as a spot was explained. Used by one thread."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts of the table."""
        self._parts, self._piles, self._habits = parts, parts.piles, parts.habits
        self._events: list[Event] = []
        # Spots of cards that were seen elsewhere already, before their old place was seen bare.
        self.stale: set[int] = set()
        # Spots of which it is seen that no card lies there.
        self.none: set[int] = set()
        # Zones with a card from the start that was read late: for the judge it does not lie there.
        self.untold: set[str] = set()
        # Where nothing moved since then, nothing came.
        self.first_ns = -1

    @property
    def _now_ns(self) -> int:
        return self._parts.evidence.now.t_ns

    def accept(self, spot: Spot, zone: str, actor: Actor, answer: Answer) -> list[Event]:
        """Let a spot be what the answer says; return what is told of it at once."""
        self._events = []
        self._accept(spot, zone, actor, answer)
        return self._events

    def turn(self, spot: Spot, zone: str) -> list[Event]:
        """Let the top card of a zone have been turned in place, less surely if nobody was there."""
        self._events = []
        actor = self._parts.actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        most_conf = LIKELY if actor.seat is None else 1.0
        self._turn(spot, zone, len(self._piles[zone]) - 1, most_conf)
        return self._events

    def race(self, spot: Spot, zone: str, rivals: Sequence[Rival]) -> list[Event]:
        """Let a spot be the last of the cards that several hands laid; the others lie below it."""
        self._events = []
        self.lay_back(zone, spot)
        *below, last = rivals
        self._events += self._parts.burying.covered(zone, rivals[0].laid(spot))
        for one in below:
            self._events += self._parts.burying.bury(
                one.gone, zone, spot.at_mm, one.touch, one.conf
            )
        self._arrive(last.laid(spot), zone, last.touch.actor, last.found())
        return self._events

    def _accept(self, spot: Spot, zone: str, actor: Actor, answer: Answer) -> None:
        if self._lay_there(spot, answer) and not self._parts.dealing.is_left_over(zone):
            self._lay_from_the_start(spot, zone)
            return
        match answer:
            case Answer(How.SAME, int(top)):
                card = self._piles[zone][top]
                self._piles[zone][top] = card.shown_by(spot)
                self._events += self._parts.following.refresh(
                    zone, top, replace(card, spot=spot.id), spot
                )
            case Answer(How.MOVED_ON, int(top)):
                self._move_on(spot, zone, top)
            case Answer(How.ALONG, int(top)):
                card = self._piles[zone][top].shown_by(spot)
                self._piles[zone][top] = replace(card, told=card.face)
            case Answer(How.PEEKS):
                self.stale.add(spot.id)
            case Answer(How.UNCOVERED, int(top)):
                self._reveal(spot, zone, top)
            case Answer(How.BARED, int(index)):
                same = Answer(How.SAME, self._piles.put_on_top(zone, index))
                self._accept(spot, zone, actor, same)
            case Answer(How.UNCOVERED):
                # Cards that nobody counted lie below those that left.
                self._piles.deep.add(zone)
                self._lay_at(spot, zone, answer.above)
            case Answer(How.BETWEEN, int(index)):
                self.untold.add(zone)
                self._lay_at(spot, zone, index)
            case Answer(How.NEXT, int(top)):
                self._take_off(spot, zone, top)
                below = len(self._piles[zone]) - 1
                self._accept(spot, zone, actor, Answer(How.TURNED, below if below >= 0 else None))
            case Answer(How.TURNED, int(top)):
                self._turn(spot, zone, top)
            case Answer(How.TURNED):
                self._piles[zone].append(
                    unknown(laid(spot, self._parts.deck_of(zone)), not spot.up)
                )
                most_conf = 1.0 if zone in self._piles.deep else LIKELY
                self._turn(spot, zone, len(self._piles[zone]) - 1, most_conf)
            case Answer(How.CAME, found=Found() as found):
                self._arrive(spot, zone, actor, found)

    def _lay_at(self, spot: Spot, zone: str, index: int) -> None:
        """Lay a card that nobody counted at its place; what lay above and shows no more left it."""
        card = laid(spot, self._parts.deck_of(zone))
        self._piles[zone].insert(index, replace(card, told=card.face if card.up else None))
        gone = [k for k, c in enumerate(self._piles[zone]) if k > index and c.spot is None]
        self._parts.air.set_out(self._now_ns, zone, gone)

    def _move_on(self, spot: Spot, zone: str, index: int) -> None:
        """Let a card of a cascade lie farther on, with all that lay on it then.

        What is unread where one of those was read before shows the next one.
        """
        pile = self._piles[zone]
        by_mm = (spot.at_mm[0] - pile[index].at_mm[0], spot.at_mm[1] - pile[index].at_mm[1])
        spots = self._parts.evidence.now.spots
        late = {one.id for one in spots if one.still_ns > spot.moving_ns}
        unread = {one.id for one in spots if one.label == NOT_READ}
        self.none |= {card.spot for card in pile if card.spot is not None} & unread
        pile[index] = pile[index].shown_by(spot)
        for k, card in enumerate(pile[index + 1 :], index + 1):
            if card.since_ns < spot.moving_ns and card.spot not in late:
                at_mm = (card.at_mm[0] + by_mm[0], card.at_mm[1] + by_mm[1])
                pile[k] = replace(card.unseen(), at_mm=at_mm)

    def _lay_there(self, spot: Spot, answer: Answer) -> bool:
        """Whether a card that seems new lay there before anything moved.

        Not where cards are known to have left elsewhere for there: under a hand that stays a back
        looks as the one did that lay there first.
        """
        home = answer.found is not None and answer.found.gone is not None
        seems_new = answer.how in (How.CAME, How.TURNED) and not home
        return seems_new and spot.moving_ns <= self.first_ns

    def _lay_from_the_start(self, spot: Spot, zone: str) -> None:
        """Take in a card that was read late, though nobody came near it; without a name it is none.

        What it lies under or beside was seen from the first picture on.
        """
        if spot.label == NOT_READ:
            self.stale.add(spot.id)
        else:
            if not self._piles[zone] and not self._habits.is_single(zone):
                self._piles.deep.add(zone)
            self._piles[zone].insert(0, laid(spot, self._parts.deck_of(zone)))
            self.untold.add(zone)

    def _reveal(self, spot: Spot, zone: str, index: int) -> None:
        """Take off what lay above, and name what lies there now."""
        pile = self._piles[zone]
        if self._habits.is_drawn_onto(zone):
            index = self._piles.bring_up(zone, index)
        card = pile[index]
        above = [k for k in range(index + 1, len(pile)) if pile[k].spot is None]
        pile[index] = replace(card.shown_by(spot), since_ns=spot.still_ns)
        self._parts.air.set_out(self._now_ns, zone, above)
        if spot.named and spot.up and card.told is not None and card.told != spot.label:
            pile = self._piles[zone]
            old, conf = card.told, spot.conf
            self._events += self._parts.following.tell_read(zone, index, pile[index], old, conf)
        if spot.up:
            self._piles[zone][index] = replace(self._piles[zone][index], told=pile[index].face)

    def _take_off(self, spot: Spot, zone: str, index: int) -> None:
        """Set out the cards from an index on, which left unseen before the next was turned up.

        What still seems to show them is nothing.
        """
        pile = self._piles[zone]
        self.stale |= {card.spot for card in pile[index:] if card.spot is not None}
        pile[index:] = [card.unseen(spot.moving_ns) for card in pile[index:]]
        self._parts.air.set_out(spot.moving_ns - TURNS_NS, zone, list(range(index, len(pile))))

    def _turn(self, spot: Spot, zone: str, top: int, most_conf: float = 1.0) -> None:
        pile = self._piles[zone]
        if self._is_its_own_back(spot, zone, top):
            self.stale.add(pile[top].spot or 0)
        elif pile[top].spot is not None:
            top = self._piles.show_below(zone, top)
        card = replace(pile[top].shown_by(spot), since_ns=spot.still_ns)
        pile[top] = replace(card, told=card.face if card.up else card.told)
        actor = self._parts.actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        pos = len(pile) - 1 - top
        # The card that lay there, put back and read otherwise, would look the same; so would one
        # laid from the hand squarely onto a back of one's own.
        held = f"{owner_of(zone)}.{self._habits.held}"
        from_hand = self._habits.is_column(zone) and bool(self._piles[held])
        conf = LIKELY if from_hand or self._parts.air.left(zone) else most_conf
        conf = min(conf, self._parts.crossing.of_turn(spot, zone, actor))
        lay = came_down(spot, actor, self._parts.evidence)
        if card.up and self._habits.is_first_turned(zone):
            self._events += self._parts.air.lift_off(zone, lay.moving_ns)
        self._events.append(moves.turned(lay, pile[top], zone, actor, pos, conf))

    def _is_its_own_back(self, spot: Spot, zone: str, top: int) -> bool:
        """Whether the back that still seems to show is that of the card that was turned up itself.

        A card hides what it lies squared upon, and no other back is known to lie there.
        """
        card = self._piles[zone][top]
        counted = zone not in self._piles.deep and not self._piles.hides_back(zone, top)
        return counted and card.spot is not None and card.near(spot.at_mm)

    def _arrive(self, spot: Spot, zone: str, actor: Actor, found: Found) -> None:
        """Put the card down where it is seen, and note where it came from."""
        self._events += self._parts.setting_up.hidden_deck(spot, zone)
        set_up = self._parts.setting_up.from_deck(found, zone, dealing=self._parts.dealing.goes_on)
        if set_up is not None:
            found = set_up
        elif self._parts.dealing.brings(spot, zone, found):
            self._events += self._parts.dealt_hands.unseen(spot, zone, actor)
            self._events += self._parts.dealing.deal(self._piled_up(spot, zone), zone, actor)
            return
        self._bring(spot, zone, actor, self._tell_before(found, spot, zone, actor))

    def _piled_up(self, spot: Spot, zone: str) -> Spot:
        """Return a spot that is dealt as it lies when the last card of its pile does."""
        owner, dealing = owner_of(zone), self._parts.dealing
        if owner is None or dealing.height(zone) == 1 or dealing.is_left_over(zone):
            return spot
        spots = self._parts.evidence.now.spots
        later = (one for one in spots if one.up and one.still_ns > spot.still_ns)
        his = (one for one in later if owner_of(self._zone_of(one)) == owner)
        next_ns = min((one.moving_ns for one in his), default=self._now_ns)
        return piled_up(spot, next_ns, Actor(owner), self._parts.evidence)

    def _zone_of(self, spot: Spot) -> str:
        return self._parts.zones.name_at(spot.at_mm, self._piles)

    def _bring(self, spot: Spot, zone: str, actor: Actor, found: Found) -> None:
        """Put a card down that was not dealt, and await what else came with it."""
        told, stop = self._parts.stopping_over.before(found, spot, zone)
        self._events += told
        found = self._parts.only_source.judged(found, spot, zone, actor)
        found = self._parts.seen_to_leave.judged(found, spot, zone)
        found = self._parts.crossing.judged(found, spot, zone, actor.seat or found.who.seat)
        found, before = self._parts.unseen_turns.last_turn(found, spot, actor)
        self._events += before
        may_be = 1
        if self._parts.drawing.is_draw(found):
            spot = self._parts.unseen_turns.laid(found, spot)
            found, may_be = self._parts.drawing.draw(found, spot, actor)
        self._events += self._parts.laid_unseen.below(spot, zone, found.origin)
        self._put_down(found, spot, zone)
        card, origin_mm = self._fetch(found, spot, zone)
        conf = min(
            spot.conf,
            found.conf,
            LIKELY if self._parts.zones.may_lie_elsewhere(spot, zone, self._piles) else 1.0,
            self._parts.laid_unseen.most_conf(spot, zone, found.origin),
            self._parts.resting.most_conf(spot, zone, actor, found, origin_mm),
        )
        if not found.hidden or found.lifted_ns is not None:
            self._events += self._parts.burying.covered(zone, spot, found)
        if found.lifted_ns is not None:
            self._parts.burying.note_taken(found.origin, found.lifted_ns)
        under = self._parts.resting.is_under(spot, zone)
        if not self._piles[zone]:
            self._piles.found.discard(zone)
        self._piles[zone].insert(0 if under else self._parts.resting.height(spot, zone), card)
        if zone == OFF or (zone == found.origin and stop is None):
            return
        from_cascade = self._parts.company.is_cascade(found.origin)
        gather = found.gather or (from_cascade and self._parts.company.is_cascade(zone))
        aside = found.hidden and not is_in_hands(found.origin) and self._habits.is_row(zone)
        waits = gather or self._parts.resting.lies_squarely(spot, zone)
        due_ns = self._now_ns + (ROW_NS if aside else GATHER_NS if waits else 0)
        who = _who_laid(found, card, zone, actor)
        self._parts.arrivals.add(
            Arrival(
                spot=came_down(spot, who, self._parts.evidence),
                timed=brought(since_taken(spot, found), who, self._parts.evidence),
                card=card,
                origin=found.origin if stop is None else stop.zone,
                target=zone,
                pos=0 if self._is_unordered(found.origin) else found.pos,
                actor=who,
                conf=conf,
                due_ns=due_ns if may_be == 1 else self._parts.drawing.due_ns(spot),
                lifted_ns=found.lifted_ns if stop is None else stop.touch.t_ns,
                block=found.block,
                flip=found.flip,
                under=under,
                may_be=may_be,
                gather=gather,
                parted=found.gone is not None and bool(found.gone.cards),
                origin_mm=origin_mm if from_cascade else None,
            )
        )

    def _put_down(self, found: Found, spot: Spot, zone: str) -> None:
        """Take in that a card came out of a hand: all that is left of a packet comes at once.

        A waste of which nobody counted the cards makes a stock of as many.
        """
        uncounted = found.gone is not None and not found.gone.counted
        if found.flip and uncounted and self._habits.drawn_by_blocks(zone) is not None:
            self._piles.deep.add(zone)
        if not found.hidden or not is_in_hands(found.origin):
            return
        self._piles.mix(found.origin, spot.named)
        if not self._habits.lays_singly(found.origin, zone):
            self._piles.lay_down(found.origin, zone, spot.label)

    def _tell_before(self, found: Found, spot: Spot, zone: str, actor: Actor) -> Found:
        """Tell what must have happened before a card came; return where it came from then."""
        self._parts.taking_up.play(found.origin, zone)
        found, dealt = self._parts.dealt_hands.before(found, spot)
        if found.origin != zone:
            others = len(found.gone.cards) - 1 if found.gone is not None else 0
            self.lay_back(zone, spot, found.lifted_ns, others)
        backs = self._parts.backs()
        found, on_the_way = self._parts.on_the_way.told(spot, zone, actor, found, backs)
        self._events += (*dealt, *on_the_way)
        if found.gone is not None and found.whole and found.flip and not spot.up:
            self._parts.air.take_along(found.gone)
            self._events += self._parts.air.last_drawn(found.gone, zone)
            count = len(found.gone.cards)
            found = replace(found, index=count - 1, block=count)
        return found

    def _fetch(self, found: Found, spot: Spot, zone: str) -> tuple[Lying, PointMm | None]:
        """Take a card from where it was, and return it with the place where it lay, if known."""
        origin_mm = place_of(found, self._piles)
        fetched = fetch(found, spot, zone, self._piles, self._parts.air, self._parts.deck_of)
        self._parts.laid_bare.leave(found.origin, origin_mm, found.lifted_ns, spot.still_ns)
        taken_ns = found.lifted_ns or spot.moving_ns
        self._parts.air.bare(found.origin, taken_ns, zone, spot.still_ns)
        card = replace(fetched.card, origin=found.origin, taken_ns=found.lifted_ns)
        if fetched.left_spot is not None and not self._parts.sources().has_left(
            card.face, card.deck
        ):
            # Unless its like is on the way, which then is what still shows there.
            self.stale.add(fetched.left_spot)
        return card, origin_mm

    def lay_back(
        self, zone: str, spot: Spot, lifted_ns: int | None = None, others: int = 0
    ) -> None:
        """Lay cards back that only seemed to leave a pile: the new card was laid onto them.

        A place that was bare before the new card was taken was emptied by a hand. `others` may have
        come with the new card, below it.
        """
        if self._parts.company.is_cascade(zone):
            self._piles[zone].extend(self._parts.company.covered(zone, spot, others))
        elif not self._habits.is_single(zone) or self._habits.is_for_one(zone):
            # What is explained late was laid long ago.
            since_ns = min(self._now_ns - COVERED_NS, spot.still_ns - moves.ONE_MOVE_NS)
            if lifted_ns is not None and self._habits.is_for_one(zone):
                since_ns = max(since_ns, lifted_ns)
            reach_mm = self._habits.reach_mm(zone, COVERS_MM)
            self._piles[zone].extend(
                self._parts.air.back_under(zone, spot.at_mm, reach_mm, since_ns)
            )

    def _is_unordered(self, zone: str) -> bool:
        return self._habits.is_row(zone) or is_in_hands(zone)


def _who_laid(found: Found, card: Lying, zone: str, actor: Actor) -> Actor:
    """Return who laid a card: who took it, if it is his own, whoever was at that place last.

    His own are those of his deck, and those at his own place that his hand came down on. Nobody but
    himself lays cards of a player's hand at his own place.
    """
    touched = found.reach is Reach.TOUCHED and owner_of(found.origin) == found.who.seat
    own = touched or (found.gone is not None and card.deck == found.who.seat)
    if found.who.seat is not None and (actor.seat is None or own):
        return found.who
    owner = owner_of(found.origin)
    if actor.seat is None and is_in_hands(found.origin) and owner == owner_of(zone):
        return Actor(owner)
    return actor
