"""From settled cards to events: what changed between two looks at the table, and how it came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import dist

from referee.table import moves
from referee.table.air import ActorAt, Air, Gone
from referee.table.contested import (
    CONF,
    WAIT_NS,
    Contact,
    Touched,
    contact_below,
    untouched,
)
from referee.table.habits import habits_of, is_in_hands, owner_of
from referee.table.moves import Arrival
from referee.table.piles import Lying, Piles, fits, laid, unknown
from referee.table.sources import Found, Sources
from referee.table.spots import COVERS_MM, OFF, Zones
from referee.table.start import lay_out, placements
from referee.values import Actor, Event, Placement, PointMm, TablePlan
from referee.values.spots import Spot

# A place that several explanations fit is looked at this much longer for one of them to show.
DOUBT_NS = 500_000_000
# A card that nobody touched is found again within this distance.
UNTOUCHED_MM = 6.0
# The cards of one block settle in the tracker within three frames of one another.
GATHER_NS = 110_000_000


def _in_view(at_mm: PointMm) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Settled:
    """The table as far as it is believed at `t_ns`.

    `stirred_ns` tells when something last moved over a zone, `covered` whether a hand hides a
    place now.
    """

    t_ns: int
    spots: tuple[Spot, ...]
    stirred_ns: Callable[[str], int]
    covered: Callable[[PointMm], bool] = _in_view


class Scene:
    """The table understood. Changed only by `begin` and `step`, by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        actor_at: ActorAt = moves.nobody,
        touched: Touched = untouched,
    ) -> None:
        """Begin with an empty table.

        `actor_at` tells who was at a place in an interval,
        `touched` whether and when a seat's hand came down there.
        """
        self._touched = touched
        self.plan, self.habits = plan, habits_of(plan)
        self.zones, self.piles = Zones(plan), Piles()
        self._actor_at = actor_at
        self._air = Air(self.habits, self.piles, actor_at)
        self._arrivals: list[Arrival] = []
        self._events: list[Event] = []
        self._waits: dict[int, int] = {}
        # Spots of cards that were seen elsewhere already, before their old place was seen bare.
        self._stale: set[int] = set()
        self.dealing = True
        self._t_ns = 0

    def begin(self, now: Settled, known: tuple[Placement, ...] = ()) -> tuple[Placement, ...]:
        """Take a table that is already laid out; returns what lies where, bottom to top.

        `known` piles, told by the players or by a script, lie below what is seen of them.
        """
        lay_out(now.spots, known, self.plan, self.zones, self.piles)
        self._t_ns = now.t_ns
        # Before the deal there is nothing but a deck, or two.
        self.dealing = not any(card.up for _, _, card in self.piles.each())
        return placements(self.piles)

    def step(self, now: Settled) -> tuple[Event, ...]:
        """Return what happened since the last look, in order of time."""
        self._now, self._t_ns, self._events = now, now.t_ns, []
        live = {spot.id: spot for spot in now.spots}
        lost = self._follow(live)
        known = {card.spot for _, _, card in self.piles.each()}
        self._stale &= live.keys()
        fresh = [spot for spot in now.spots if spot.id not in known | self._stale]
        for spot in sorted(fresh, key=lambda one: (one.still_ns, one.id)):
            self._explain(spot)
        self._leave(lost)
        self._bury()
        self._tell_arrivals()
        self._events += self._air.step(now.t_ns, now.stirred_ns)
        self._waits = {k: t for k, t in self._waits.items() if k in live}
        return tuple(sorted(self._events, key=lambda event: event.t_ns))

    def _follow(self, live: dict[int, Spot]) -> list[int]:
        """Bring the known cards up to date; returns the spots that are seen no more."""
        lost = []
        for zone, index, card in list(self.piles.each()):
            if card.spot is None:
                continue
            spot = live.get(card.spot)
            if spot is None:
                lost.append(card.spot)
                self.piles[zone][index] = card.unseen()
            else:
                self._refresh(zone, index, card, spot)
        return lost

    def _refresh(self, zone: str, index: int, card: Lying, spot: Spot) -> None:
        """Take a better reading of a card that lies where it lay."""
        seen = replace(card, at_mm=spot.at_mm, angle_deg=spot.angle_deg)
        if spot.named and card.up and spot.label != card.face:
            seen = replace(seen, face=spot.label)
            if card.told is not None and zone != OFF:
                pos = len(self.piles[zone]) - 1 - index
                self._events.append(
                    moves.reread(self._t_ns, zone, card.told, seen.card, pos, spot.conf)
                )
                seen = replace(seen, told=seen.face)
        self.piles[zone][index] = seen

    def _explain(self, spot: Spot) -> None:
        """Find out how a new spot came to be, unless that must wait."""
        zone = self.zones.name_at(spot.at_mm, self.piles)
        if self._is_back_again(spot, zone) or self._is_back_turned(spot, zone):
            return
        top = self._top_below(spot, zone)
        if top is None:
            if self._is_uncovered(spot, zone):
                self.piles[zone].insert(0, replace(laid(spot, self._deck_of(zone))))
            else:
                self._arrive(spot, zone)
            return
        card = self.piles[zone][top]
        if card.spot is None and self._is_same(card, spot, zone):
            self.piles[zone][top] = card.shown_by(spot)
            self._refresh(zone, top, replace(card, spot=spot.id), spot)
        elif card.spot is None and self._is_revealed(spot, zone, top):
            self._reveal(spot, zone, top)
        elif card.spot is None and self._is_turned(spot, zone, card):
            self._turn(spot, zone, top)
        else:
            self._arrive(spot, zone)

    def _top_below(self, spot: Spot, zone: str) -> int | None:
        """Return the index of the card that the spot took the place of, or lies on."""
        top = self.piles.topmost_at(zone, spot.at_mm)
        if top is None and not self.habits.is_single(zone):
            # What lay on it may have been laid askew, or a step further on in a cascade.
            top = self.piles.topmost_at(zone, spot.at_mm, COVERS_MM)
            if top is not None and self.piles[zone][top].spot is not None:
                top = None
        return top

    def _is_same(self, card: Lying, spot: Spot, zone: str) -> bool:
        """Whether the spot shows the very card that was there, found again."""
        if card.named and spot.named:
            return card.face == spot.label
        if not card.up or not spot.up:
            return not card.up and not spot.up
        # One of them is unread: the same card lies where it lay, and nothing was brought.
        sources = self._sources()
        brought = sources.by_face(spot, zone) or sources.stirred_source(zone, card.since_ns)
        return card.near(spot.at_mm, UNTOUCHED_MM) and not brought

    def _is_back_again(self, spot: Spot, zone: str) -> bool:
        """Put cards back that had only been lifted or hidden, and were not told of."""
        for gone in self._air.gone:
            if gone.zone != zone:
                continue
            shown = [k for k, card in enumerate(gone.cards) if fits(card, spot) and (
                card.named if spot.named else card.near(spot.at_mm, 25.0))]  # fmt: skip
            if not shown:
                continue
            last = shown[-1]
            shown_card = gone.cards[last].shown_by(spot)
            self.piles[zone].extend((*gone.cards[:last], shown_card))
            gone.cards = gone.cards[last + 1 :]
            if not gone.cards:
                self._air.gone.remove(gone)
            return True
        return False

    def _is_back_turned(self, spot: Spot, zone: str) -> bool:
        """Put a card back that was picked up, turned over and laid where it had been."""
        for gone in self._air.gone:
            card = gone.cards[0]
            if gone.zone != zone or len(gone.cards) > 1 or not card.near(spot.at_mm, COVERS_MM):
                continue
            if self._is_turned(spot, zone, card):
                self._air.gone.remove(gone)
                self.piles[zone].append(card)
                self._turn(spot, zone, len(self.piles[zone]) - 1)
                return True
        return False

    def _is_uncovered(self, spot: Spot, zone: str) -> bool:
        """Whether the spot is a card nobody knew of, below those that just left the zone."""
        if zone not in self.piles.deep or self._sources().by_face(spot, zone):
            return False
        left = [gone for gone in self._air.gone if gone.zone == zone]
        if not any(gone.cards[0].near(spot.at_mm, COVERS_MM) for gone in left):
            return False
        since_ns = max(gone.cards[0].since_ns for gone in left)
        return not self._sources().stirred_source(zone, since_ns)

    def _is_revealed(self, spot: Spot, zone: str, top: int) -> bool:
        """Whether the spot shows what lay below the card that was on top."""
        pile = self.piles[zone]
        card = pile[top]
        below = next((k for k in range(top - 1, -1, -1) if pile[k].near(card.at_mm, COVERS_MM)), -1)
        if below >= 0 and pile[below].named and pile[below].face == spot.label:
            return True
        deep = below < 0 and zone in self.piles.deep
        if not spot.up:
            return (deep and card.up) or (below >= 0 and not pile[below].up)
        if not card.up or not (deep or (below >= 0 and pile[below].up)):
            return False
        if not self.habits.is_drawn(zone):
            return False
        if any(name != zone for name in self._sources().places_of(spot, zone)):
            return False
        return not self._sources().stirred_source(zone, card.since_ns)

    def _reveal(self, spot: Spot, zone: str, top: int) -> None:
        """Take off what lay above, and name what lies there now."""
        pile = self.piles[zone]
        at_mm = pile[top].at_mm
        above = [k for k in range(top, len(pile)) if pile[k].spot is None]
        below = next((k for k in range(top - 1, -1, -1) if pile[k].near(at_mm, COVERS_MM)), -1)
        if below < 0:
            pile.insert(top, unknown(pile[top], spot.up))
            below, above = top, [k + 1 for k in above]
        card = pile[below]
        pile[below] = replace(card.shown_by(spot), since_ns=self._t_ns)
        if spot.named and spot.up and card.told is not None and card.told != spot.label:
            pos = len(pile) - 1 - below - len(above)
            self._events.append(
                moves.reread(self._t_ns, zone, card.told, pile[below].card, pos, spot.conf)
            )
        if spot.up:
            pile[below] = replace(pile[below], told=pile[below].face)
        self._air.set_out(self._t_ns, zone, above)

    def _is_turned(self, spot: Spot, zone: str, card: Lying) -> bool:
        if card.up == spot.up or not self.habits.is_turned(zone):
            return False
        return not self._sources().by_face(spot, zone)

    def _turn(self, spot: Spot, zone: str, top: int) -> None:
        pile = self.piles[zone]
        card = replace(pile[top].shown_by(spot), since_ns=spot.still_ns)
        pile[top] = replace(card, told=card.face if card.up else card.told)
        actor = self._actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        pos = len(pile) - 1 - top
        self._events.append(moves.turned(spot, pile[top], zone, actor, pos))

    def _arrive(self, spot: Spot, zone: str) -> None:
        """Put the card down where it is seen, and note where it came from."""
        actor = self._actor_at(spot.moving_ns, spot.still_ns, spot.at_mm)
        found = self._sources().find(spot, zone, actor)
        if found is None:
            due = self._waits.setdefault(spot.id, self._t_ns + DOUBT_NS)
            if self._t_ns < due:
                return
            found = self._sources().guess(spot, zone, actor)
            if found is None:
                return
        if self.dealing and (found.guessed or (found.hidden and self.habits.dealt)):
            self._deal(spot, zone, actor)
            return
        card = self._fetch(found, spot, zone)
        pile = self.piles[zone]
        under = (
            bool(pile)
            and self.habits.is_single(zone)
            and self.zones.is_before(zone, spot.at_mm, pile[0].at_mm)
        )
        pile.insert(0 if under else len(pile), card)
        if actor.seat is None and found.gone is not None:
            actor = found.gone.actor
        if zone == OFF or found.origin in (OFF, zone):
            return
        self._arrivals.append(
            Arrival(
                spot=spot,
                card=card,
                origin=found.origin,
                target=zone,
                pos=0 if self._is_unordered(found.origin) else found.pos,
                actor=actor,
                conf=min(spot.conf, found.conf),
                due_ns=self._t_ns + (GATHER_NS if found.gather else 0),
                lifted_ns=found.lifted_ns,
                block=found.block,
                flip=found.flip,
                under=under,
            )
        )

    def _deal(self, spot: Spot, zone: str, actor: Actor) -> None:
        """Tell of a card or pile that appeared during the deal, as high as the deal asks for."""
        card = laid(spot, self._deck_of(zone))
        card = replace(card, told=card.face)
        players = len(self.plan.seats)
        below = [unknown(card)] * (self.habits.dealt_height(zone, players) - 1)
        self.piles[zone].extend((*below, card) if zone != OFF else (card,))
        if zone == OFF:
            return
        top = card.card if card.up else card.card.hide()
        cards = (*(one.card.hide() for one in below), top)
        self._events.append(moves.dealt(spot, zone, cards, actor))
        dealt = self.habits.usual_heights(players, self.piles.zones())
        if len({owner_of(name) for name in dealt}) == players:
            self.dealing = False

    def _is_unordered(self, zone: str) -> bool:
        return self.habits.is_row(zone) or is_in_hands(zone)

    def _fetch(self, found: Found, spot: Spot, zone: str) -> Lying:
        """Take the card from where it was; returns it as it lies now."""
        card = laid(spot, self._deck_of(zone))
        old: Lying | None = None
        if found.gone is not None:
            left = list(found.gone.cards)
            if found.whole:
                old = left[0] if found.flip else left[-1]
                self._air.gone.remove(found.gone)
                below = [
                    replace(c.unseen(), up=spot.up, at_mm=spot.at_mm, since_ns=spot.still_ns)
                    for c in left
                ]
                self.piles[zone].extend(below[:0:-1] if found.flip else below[:-1])
            else:
                old = left.pop(found.index)
                found.gone.cards = tuple(left)
                if not left:
                    self._air.gone.remove(found.gone)
        elif found.hidden:
            drawn = self.piles.draw(found.origin, found.block)
            block = [
                replace(c.unseen(), up=spot.up, at_mm=spot.at_mm, since_ns=spot.still_ns)
                for c in drawn[::-1]
            ]
            more = [unknown(card, spot.up)] * (found.block - max(1, len(block)))
            self.piles[zone].extend((*more, *block[:-1]))
            old = block[-1] if block else None
        elif found.index >= 0:
            old = self.piles.take(found.origin, [found.index])[0]
            if old.spot is not None:
                self._stale.add(old.spot)
        if old is None:
            deck = self._deck_of(found.origin)
            return replace(card, deck=deck or card.deck, told=card.face)
        face = card.face if card.named else old.face
        return replace(card, face=face, deck=old.deck or card.deck, told=face)

    def _leave(self, lost: list[int]) -> None:
        """Set out the cards that are seen no more and that nothing covers."""
        for zone in self.piles.zones():
            if is_in_hands(zone):
                continue
            pile = self.piles[zone]
            bare = [
                k for k, card in enumerate(pile) if card.spot is None and self._is_bare(zone, k)
            ]
            if bare and zone != OFF:
                self._air.set_out(self._t_ns, zone, bare)
            elif bare:
                self.piles.take(zone, bare)

    def _is_bare(self, zone: str, index: int) -> bool:
        """Whether nothing that is seen lies over a card."""
        pile = self.piles[zone]
        card = pile[index]
        return not any(
            other.spot is not None and other.near(card.at_mm, 75.0) for other in pile[index + 1 :]
        ) and not self._is_hidden(zone, card)

    def _is_hidden(self, zone: str, card: Lying) -> bool:
        """Whether a card of another zone, or one not explained yet, lies over it."""
        known = {c.spot for _, _, c in self.piles.each()} | self._stale
        return any(
            spot.id not in known and dist(spot.at_mm, card.at_mm) < COVERS_MM
            for spot in self._now.spots
        )

    def _bury(self) -> None:
        """Hold arrivals that may cover a card in the air; lay that below when it stays away."""
        for k, arrival in enumerate(self._arrivals):
            for gone in self._air.gone:
                contact = contact_below(gone, arrival, self._touched)
                if contact is None:
                    continue
                if self._t_ns - contact.t_ns < WAIT_NS:
                    due_ns = max(arrival.due_ns, contact.t_ns + WAIT_NS)
                    self._arrivals[k] = replace(arrival, due_ns=due_ns)
                else:
                    self._air.gone.remove(gone)
                    self._events.append(self._buried(gone, arrival, contact))
                break

    def _buried(self, gone: Gone, above: Arrival, contact: Contact) -> Event:
        card = replace(gone.cards[0].unseen(), at_mm=above.spot.at_mm, since_ns=contact.t_ns)
        pile = self.piles[above.target]
        pile.insert(next((k for k, c in enumerate(pile) if c.spot == above.spot.id), 0), card)
        return moves.unseen(contact.t_ns, contact.u_ns, card.card, gone.zone, above.target,
                            contact.actor, CONF)  # fmt: skip

    def _tell_arrivals(self) -> None:
        """Tell of arrivals that need not wait for more of their block."""
        while self._arrivals:
            first = self._arrivals[0]
            group = [one for one in self._arrivals if one.belongs_to(first)]
            if any(one.due_ns > self._t_ns for one in group):
                break
            self._arrivals = [one for one in self._arrivals if one not in group]
            order = {id(card): k for k, card in enumerate(self.piles[first.target])}
            group.sort(key=lambda one: order.get(id(one.card), 0))
            if first.flip or all(one.pos == k for k, one in enumerate(reversed(group))):
                self._events.append(moves.told(group))
            else:
                self._events.extend(moves.told([one]) for one in group)

    def _sources(self) -> Sources:
        return Sources(self.plan, self.habits, self.piles, self._air.gone, self._now)

    def _deck_of(self, zone: str) -> str | None:
        return self.habits.deck_of(zone, len(self.plan.seats))
