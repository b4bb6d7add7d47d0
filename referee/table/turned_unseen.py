"""A waste that a hand hid while it lay on its used-up stock again: its next turn tells of it."""

from __future__ import annotations

from dataclasses import replace
from math import dist

from referee.table import moves
from referee.table.air import UNDER_U_NS, Air
from referee.table.evidence import Evidence
from referee.table.gone import Gone
from referee.table.habits import Habits, Source, owner_of
from referee.table.into_hand import TAKEN_CONF
from referee.table.piles import Lying, Piles
from referee.table.putting_under import LEAST_CARRY_NS
from referee.table.spots import COVERS_MM
from referee.table.turn_times import TurnTimes
from referee.values import Event, TablePlan
from referee.values.spots import Spot

# From the waste to the stock beside it a block is turned over in 0.1 to 0.3 s.
TURNS_NS = 200_000_000


class TurnedUnseen:
    """Lays wastes in the air onto their stocks. Used by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        piles: Piles,
        air: Air,
        times: TurnTimes,
        evidence: Evidence,
    ) -> None:
        """Take the piles, the air in which a waste is, when turns lay, and the hands."""
        self._times = times
        self._habits, self._piles, self._air, self._evidence = habits, piles, air, evidence
        self._at_mm = {zone.name: zone.center_mm for zone in plan.zones}

    def before(self, spot: Spot, zone: str) -> list[Event]:
        """Turn over the waste of which a card shows that lay deep in it: it was drawn anew.

        Nobody takes up all but the lowest cards of his waste; and where the stock was used up
        there is no other to come from. What was left of it for one turn may have been drawn last.
        """
        if not spot.up or not spot.named:
            return []
        self._set_out(spot, zone)
        for gone in self._air.gone:
            home = self._habits.returns_to(gone.zone, gone.actor.seat)
            if (
                home is not None
                and self._is_at(gone.zone, zone)
                and self._is_next(gone, spot, home)
            ):
                self._air.take_along(gone)
                events = self._air.last_drawn(gone, home, surely=True)
                return [*events, self._turn_over(gone, spot, home)]
        return []

    def _is_at(self, waste: str, zone: str) -> bool:
        """Whether a card of a waste may lie in a zone: drawn anew, or played from there since."""
        mine = owner_of(zone) in (None, owner_of(waste))
        return waste == zone or (mine and not self._habits.is_drawn(zone))

    def _set_out(self, spot: Spot, zone: str) -> None:
        """Take up the wastes of which nothing shows, and a deep card lies somewhere else now."""
        taken = {gone.zone for gone in self._air.gone}
        for way in self._times.ways():
            if way.target in taken or not self._is_at(way.target, zone):
                continue
            t_ns = self._taken_ns(way, spot) if self._lies_deep(spot, way) else None
            if t_ns is not None:
                pile = self._piles[way.target]
                pile[:] = [card.unseen() for card in pile]
                self._air.set_out(t_ns, way.target, list(range(len(pile))))

    def _taken_ns(self, way: Source, spot: Spot) -> int | None:
        """Return when a waste was taken up at last, None where nothing tells that it was.

        The piles stirred so, or backs lie again where its stock was used up.
        """
        returned_ns = self._times.returned_ns(way, spot)
        if returned_ns is not None:
            return returned_ns - TURNS_NS
        back = None if self._piles[way.origin] else self._back_at(way.origin)
        pile = self._piles[way.target]
        if back is None or not pile:
            return None
        return back.still_ns if back.still_ns > pile[-1].since_ns else spot.moving_ns

    def _back_at(self, home: str) -> Spot | None:
        """Return the back that is seen in the place of a stock."""
        seen = (spot for spot in self._evidence.now.spots if not spot.up)
        there = (spot for spot in seen if dist(spot.at_mm, self._at_mm[home]) < COVERS_MM)
        return next(there, None)

    def _lies_deep(self, spot: Spot, way: Source) -> bool:
        """Whether a card is known to lie among the first two turns of a waste that is not seen."""
        pile, first = self._piles[way.target], 2 * way.block
        live = {one.id for one in self._evidence.now.spots}
        if any(card.spot in live for card in pile) or spot.label in {c.face for c in pile[first:]}:
            return False
        return len(pile) > first and any(
            card.named and card.face == spot.label for card in pile[:first]
        )

    def _is_next(self, gone: Gone, spot: Spot, home: str) -> bool:
        """Whether a spot shows a card of the first turns from a waste that lies on its stock.

        Of the second one as well, where the piles stirred as if it had been turned over.
        """
        turn = self._habits.drawn_by_blocks(home)
        if turn is None or turn.target != gone.zone:
            return False
        rest, left = self._piles[gone.zone], len(self._piles[home])
        stirred = self._times.returned_ns(turn, spot) is not None
        shows = any(card.spot is not None for card in rest)
        if shows or home in self._piles.deep or (left > turn.block and not stirred):
            return False
        whole = (*rest, *gone.cards)
        first = {card.face for card in whole[: turn.block * (1 + stirred)]}
        last = {card.face for card in whole[-turn.block :]}
        return gone.touched and spot.label in first and spot.label not in last

    def _turn_over(self, gone: Gone, spot: Spot, home: str) -> Event:
        """Lay a waste face down onto its stock, and tell of it."""
        self._air.gone.remove(gone)
        if not gone.counted:
            self._piles.deep.add(home)
        at_mm = self._at_mm[home]
        t_ns = self._turned_ns(gone, spot, home)
        self._piles[home].extend(
            replace(card.unseen(), up=False, at_mm=at_mm, since_ns=t_ns)
            for card in reversed(gone.cards)
        )
        back = next((card for card in self._piles[home] if card.spot is not None), None)
        if back is not None:
            self._show_top(home, back)
        count, who = len(gone.cards), gone.actor
        return moves.turned_over(t_ns, UNDER_U_NS, gone.zone, home, count, who, TAKEN_CONF)

    def _show_top(self, home: str, back: Lying) -> None:
        """Let the back that is seen of a stock be its top one."""
        pile = self._piles[home]
        pile[:] = [card.unseen() if card is back else card for card in pile]
        pile[-1] = replace(pile[-1], spot=back.spot, at_mm=back.at_mm, angle_deg=back.angle_deg)

    def _turned_ns(self, gone: Gone, spot: Spot, home: str) -> int:
        """Return when the piles stirred for it, or the hand that took a waste came to the stock."""
        way = self._habits.drawn_by_blocks(home)
        returned_ns = None if way is None else self._times.returned_ns(way, spot)
        if returned_ns is not None:
            return returned_ns
        at_mm, waste_mm = self._at_mm[home], gone.cards[-1].at_mm
        since_ns = gone.t_ns + LEAST_CARRY_NS
        near = self._evidence.each(at_mm, since_ns, spot.moving_ns, gone.actor)
        there = [one.t_ns for one in near if one.apart_mm(at_mm) < one.apart_mm(waste_mm)]
        return min(there, default=gone.t_ns + TURNS_NS)
