"""Turns from a stock of which no card was seen: told by what stirred before the next card showed.

They happened under a hand, at the times at which the backs and then the pile beside stirred: before
the next card that was drawn, before one that was played from there unread, or where the stock was
used up too soon otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import dist

from referee.table import moves
from referee.table.air import Air
from referee.table.evidence import Evidence, Reach
from referee.table.found import Found
from referee.table.gone import Gone
from referee.table.habits import Habits, Source, owner_of
from referee.table.piles import Lying, Piles
from referee.table.turn_times import LEAST_TURN_NS, OWN_NS, TurnTimes
from referee.values import Actor, Dealt, Event, PointMm
from referee.values.spots import Spot

# A player who lays a card elsewhere stirs his stock with his arm so long before and after.
PLAYS_NS = 350_000_000
# Fingers that turn cards over are seen so near to the waste as these come to lie, and shortly
# before to the stock: in nine of ten turns of four kinds of films, and in few else.
AT_WASTE_MM, AT_STOCK_MM = 60.0, 80.0
LAYS_NS, TAKES_NS = 150_000_000, 600_000_000
# Who plays a card that nobody read turned it over so long before at most.
PLAYED_NS = 1_200_000_000
# A card that is read late belongs to a known turn that lay so near to it.
SAME_NS = 200_000_000
# A stock and its waste lie 85 mm apart, and a card may lie askew on either.
BESIDE_MM = 120.0
# A turn lay when its pile stopped stirring, to so much.
STIRRED_NS = 100_000_000


class UnseenTurns:
    """Tells of turns that nobody saw. Used by one thread."""

    def __init__(
        self, habits: Habits, piles: Piles, times: TurnTimes, air: Air, evidence: Evidence
    ) -> None:
        """Take the piles, when turns lay, and what is in the air."""
        self._habits, self._piles, self._times = habits, piles, times
        self._air, self._evidence = air, evidence
        # When those lay that were told unseen.
        self._told_ns: set[int] = set()

    def last_turn(self, found: Found, spot: Spot, actor: Actor) -> tuple[Found, list[Event]]:
        """Return a draw that used up its stock as the last turn, and those before it."""
        source = self._habits.drawn_by_blocks(found.origin)
        if found.gone is None or source is None or not (found.whole and found.flip and spot.up):
            return found, []
        events = self.before(found.gone, source, spot.at_mm, spot.still_ns, actor)
        left = len(found.gone.cards)
        return replace(found, index=left - 1, block=min(found.block, left)), events

    def between(self, found: Found, spot: Spot, actor: Actor) -> tuple[Found, list[Event]]:
        """Return a draw without the turns that lie between it and the last one known, told here.

        Those are such as the pile stirred for, if its card may have lain so deep.
        """
        way, backs = self._habits.drawn_by_blocks(found.origin), self._piles[found.origin]
        if way is None or not backs or found.gone is not None or way.origin in self._times.singly:
            return found, []
        own_ns = self._times.own_ns(way, spot)
        until_ns = (spot.still_ns if own_ns is None else own_ns) - LEAST_TURN_NS
        times = [
            t_ns
            for t_ns in self._times.since_last_ns(way, spot.still_ns)
            if t_ns <= until_ns and self._is_turn(way, t_ns)
        ]
        most = self._most(way)
        if found.place:
            most = min(most, (found.place - 1) // way.block)
        events = [self._turn_off(way, spot.at_mm, t_ns, actor) for t_ns in sorted(times[:most])]
        if found.place:
            found = replace(found, place=found.place - way.block * len(events))
        return found, events

    def _most(self, way: Source) -> int:
        """Return how many whole turns may have left a stock unseen, in which a card is left."""
        down = sum(not card.up for card in self._piles[way.origin])
        return max(0, down - 1) // way.block

    def laid(self, found: Found, spot: Spot) -> Spot:
        """Return the spot of a draw as it lay when its pile stirred, if a hand hid it longer."""
        way = self._habits.drawn_by_blocks(found.origin)
        if way is None:
            return spot
        spot = self._since_covered(way.target, spot)
        if self._times.shows_draw(way, spot):
            return spot
        own_ns = self._times.own_ns(way, spot)
        if own_ns is None:
            return spot
        return replace(spot, moving_ns=own_ns - STIRRED_NS, still_ns=own_ns + STIRRED_NS)

    def _since_covered(self, waste: str, spot: Spot) -> Spot:
        """Return the spot of a draw as it may lie since the card below it was lost from sight.

        That was long before the hand stirred last, and it shows nowhere: the hand that rests there
        did not take it, but drew onto it.
        """
        lost = (one for one in self._air.gone if one.zone == waste)
        since_ns = (one.t_ns - one.u_ns for one in lost if one.bare_ns < spot.moving_ns)
        return replace(spot, moving_ns=min((spot.moving_ns, *since_ns)))

    def played_off(
        self, spot: Spot, zone: str, seat: str | None, hidden: Callable[[], Found | None]
    ) -> list[Event]:
        """Tell of the turns off which a card was played that lies nowhere else.

        Nobody read it before: its player's pile stirred for them shortly before. `hidden` tells
        from which backs it may have come straight.
        """
        if not spot.up or not spot.named or self._habits.is_drawn(zone):
            return []
        if self._is_known(spot, seat):
            return []
        turns = [(way, self._played_ns(way, spot)) for way in self._ways_of(seat)]
        turns = [(way, times) for way, times in turns if times]
        if len(turns) != 1 or self._is_turned_up(hidden()):
            return []
        ((way, times),) = turns
        most = self._most(way)
        _, at_mm = self._places_mm(way)
        return [
            self._turn_off(way, at_mm, t_ns, Actor(owner_of(way.origin)))
            for t_ns in sorted(times)[:most]
        ]

    def _is_turned_up(self, found: Found | None) -> bool:
        """Whether a hand brought a card straight from where backs are turned up one by one."""
        if found is None or not found.swift or found.reach is not Reach.TOUCHED:
            return False
        return self._habits.is_first_turned(found.origin)

    def _ways_of(self, seat: str | None) -> Iterator[Source]:
        """Yield how a player, or any, turns three at once from a stock of which some is left."""
        for way in self._times.ways():
            at_once = self._piles[way.origin] and way.origin not in self._times.singly
            if at_once and seat in (None, owner_of(way.origin)):
                yield way

    def _is_known(self, spot: Spot, seat: str | None) -> bool:
        """Whether a card lies face up or down or is in the air by the name that a spot shows.

        Its like of another player's deck is none that this one plays.
        """
        lying = (card for _, _, card in self._piles.of_face(spot.label))
        air = (card for gone in self._air.gone for card in gone.cards if card.face == spot.label)
        mine = (card for card in (*lying, *air) if seat is None or card.deck in (None, seat))
        return any(card.named for card in mine)

    def _played_ns(self, way: Source, spot: Spot) -> list[int]:
        """Return when turns lay off which a card may have been played, the last first."""
        times = self._times.since_last_ns(way, spot.still_ns - LEAST_TURN_NS)
        since_ns = spot.still_ns - PLAYED_NS
        return [
            t_ns
            for t_ns in times
            if t_ns > since_ns and self._is_turn(way, t_ns) and not self._shows(way, t_ns)
        ]

    def _is_turn(self, way: Source, t_ns: int) -> bool:
        """Whether a player's fingers were at his stock and then at the pile beside.

        His arm stirs both as well when he lays a card elsewhere.
        """
        if t_ns < self._air.on_top.until_ns(way.target):
            return False
        seat, own = owner_of(way.origin), (way.origin, way.target)
        elsewhere = any(
            card.deck == seat and abs(card.since_ns - t_ns) < PLAYS_NS and zone not in own
            for zone, _, card in self._piles.each()
        )
        back_mm, waste_mm = self._places_mm(way)
        laid = self._is_near(seat, waste_mm, t_ns - LAYS_NS, t_ns + LAYS_NS // 2, AT_WASTE_MM)
        took = self._is_near(seat, back_mm, t_ns - TAKES_NS, t_ns, AT_STOCK_MM)
        return laid and took and not elsewhere

    def _is_near(
        self, seat: str | None, at_mm: PointMm, t0_ns: int, t1_ns: int, reach_mm: float
    ) -> bool:
        near = None if seat is None else self._evidence.nearest(seat, at_mm, t0_ns, t1_ns)
        return near is not None and near[0] < reach_mm

    def _places_mm(self, way: Source) -> tuple[PointMm, PointMm]:
        """Return where the tops lie of a stock that is not used up and of its waste, if any."""
        back, waste = self._piles[way.origin], self._piles[way.target]
        return back[-1].at_mm, (waste or back)[-1].at_mm

    def _shows(self, way: Source, t_ns: int) -> bool:
        """Whether a card shows that came to lie at a time, which is still to be explained."""
        places_mm = self._places_mm(way)
        return any(
            spot.up
            and abs(spot.still_ns - t_ns) < LEAST_TURN_NS
            and any(dist(spot.at_mm, at_mm) < BESIDE_MM for at_mm in places_mm)
            for spot in self._evidence.now.spots
        )

    def is_read_late(self, spot: Spot, zone: str) -> bool:
        """Take a card that shows for one of a turn that is known, and not read; tells if it is."""
        pile = self._piles[zone]
        way = next((way for way in self._times.ways() if way.target == zone), None)
        if not spot.up or way is None or way.origin in self._times.singly:
            return False
        index = next(
            (k for k in range(len(pile) - 1, -1, -1) if self._may_show(spot, pile, k)), None
        )
        if index is None:
            return False
        pile[index] = replace(pile[index].shown_by(spot), since_ns=pile[index].since_ns)
        return True

    def _may_show(self, spot: Spot, pile: list[Lying], index: int) -> bool:
        """Whether a spot may show a card of a turn told unseen, or of one that was taken since."""
        card = pile[index]
        if not card.up or card.named or card.spot is not None:
            return False
        told = card.since_ns in self._told_ns and index == len(pile) - 1
        if not told and any(one.id == spot.id for one in self._evidence.now.spots):
            return False
        return -SAME_NS < spot.still_ns - card.since_ns < (OWN_NS if told else SAME_NS)

    def stirred_ns(self, way: Source, spot: Spot) -> int | None:
        """Return when a pile stirred for the turn off which a card was played, if it did."""
        until_ns = spot.still_ns - LEAST_TURN_NS
        return next(iter(self._times.unknown_ns(way, spot.still_ns - PLAYED_NS, until_ns)), None)

    def note(self, way: Source, t_ns: int) -> None:
        """Note when a turn lay that others tell of."""
        self._times.note(way.origin, t_ns)

    def dealt(self, events: Iterable[Event]) -> None:
        """Take which stocks were dealt: a hand that squares them turns nothing over."""
        for event in events:
            if isinstance(event, Dealt):
                self._times.note(event.zone, event.t_ns + (event.u_ns or 0))

    def before(
        self, gone: Gone, source: Source, at_mm: PointMm, t_ns: int, actor: Actor
    ) -> list[Event]:
        """Tell of the turns that must have come before the one that used up a stock.

        They are laid down, and no more is left in the air than one turn takes. `at_mm` is where
        the pile lies that is drawn onto, `t_ns` when the last turn lay.
        """
        turns = (len(gone.cards) - 1) // source.block
        counted = gone.counted and gone.zone not in self._piles.deep
        if not (counted and gone.touched) or gone.zone in self._times.singly:
            return []
        since_ns = max(card.since_ns for card in gone.cards)
        times = self._times.unknown_ns(source, since_ns, t_ns - LEAST_TURN_NS)[:turns]
        if len(times) < turns:
            # The rest may lie there still, hidden by the hand.
            return []
        return [self._turn(gone, source, at_mm, one_ns, actor) for one_ns in sorted(times)]

    def _turn(self, gone: Gone, source: Source, at_mm: PointMm, t_ns: int, actor: Actor) -> Event:
        """Lay the top cards of a stock in the air as one turn, and tell of it."""
        block = gone.cards[-source.block :]
        gone.cards = gone.cards[: -source.block]
        return self._lay(block, source, at_mm, t_ns, actor)

    def _turn_off(self, way: Source, at_mm: PointMm, t_ns: int, actor: Actor) -> Event:
        """Lay the top cards of a stock as one turn, and tell of it."""
        self._told_ns.add(t_ns)
        return self._lay(self._piles.draw(way.origin, way.block), way, at_mm, t_ns, actor)

    def _lay(
        self, block: tuple[Lying, ...], way: Source, at_mm: PointMm, t_ns: int, actor: Actor
    ) -> Event:
        self._times.note(way.origin, t_ns)
        self._piles[way.target].extend(
            replace(card.unseen(), up=True, at_mm=at_mm, since_ns=t_ns) for card in reversed(block)
        )
        return moves.drawn_before(t_ns, way, replace(block[0], up=True).card, actor)
