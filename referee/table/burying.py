"""Tells of cards that were covered before they were seen to lie, and lays them into their piles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.table import moves
from referee.table.air import Air
from referee.table.arrivals import Arrivals
from referee.table.contested import CONF, WAIT_NS, Contested
from referee.table.evidence import Contact
from referee.table.found import Found
from referee.table.gone import Gone
from referee.table.habits import Habits
from referee.table.piles import Piles, unknown
from referee.table.racing import Racing, Rival
from referee.values import Event, PointMm, TablePlan
from referee.values.spots import Spot


class Burying:
    """Finds the covered cards of the common places. Used by one thread.

    `taken_ns` is when the last card was taken from each pile that was seen to come from there.
    """

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        piles: Piles,
        contested: Contested,
        racing: Racing,
        air: Air,
    ) -> None:
        """Take the piles, and the air in which covered cards seem to be."""
        self._seats = tuple(place.seat for place in plan.seats)
        self._habits, self._piles = habits, piles
        self._contested, self._racing, self._air = contested, racing, air
        self.taken_ns: dict[str, int] = {}

    def note_taken(self, origin: str, t_ns: int) -> None:
        """Note when a card was taken from a pile; one that went later may be explained sooner."""
        self.taken_ns[origin] = max(t_ns, self.taken_ns.get(origin, t_ns))

    def covered(self, zone: str, spot: Spot, found: Found | None = None) -> list[Event]:
        """Tell of a card that was never seen, below this one, `found` where that came from.

        Whose hand came to a place for one before took what lay there.
        """
        if self._habits.is_for_one(zone):
            return []
        backs: dict[str, str] = {}
        for source in self._habits.sources(zone):
            if source.origin.startswith("?.") and source.block == 1 and not source.flip:
                for seat in self._seats:
                    backs.setdefault(seat, source.origin.replace("?", seat))
        below = self._contested.covered(zone, spot, found, backs, self.taken_ns)
        if below is None:
            return []
        origin, contact = below
        self.note_taken(origin, contact.t_ns)
        pile = self._piles[zone]
        drawn = self._piles.draw(origin, 1)
        # Nobody saw its face, whatever was believed to lie there.
        card = unknown(drawn[0] if drawn else pile[-1], True)
        card = replace(card, at_mm=pile[-1].at_mm, since_ns=contact.t_ns, told=card.face)
        pile.append(card)
        return [
            moves.unseen(contact.t_ns, contact.u_ns, card.card, origin, zone, contact.actor, CONF)
        ]

    def step(self, t_ns: int, arrivals: Arrivals) -> list[Event]:
        """Lay cards in the air below those that covered them before they were seen to lie."""
        events: list[Event] = []
        for gone in list(self._air.gone):
            like = self._racing.like_on_like(gone)
            if like is not None:
                events.append(self._on_its_like(*like))
                continue
            below = self._contested.below(gone)
            if below is None or arrivals.came_with(gone):
                continue
            zone, contact = below
            if t_ns - contact.t_ns >= WAIT_NS:
                at_mm = self._piles[zone][-1].at_mm
                events += self.bury(gone, zone, at_mm, contact, CONF)
                continue
            arrivals.wait(zone, contact.t_ns + WAIT_NS)
        return events

    def _on_its_like(self, zone: str, rival: Rival) -> Event:
        """Lay a card on top of its like, which it hides, and tell of it."""
        self._air.gone.remove(rival.gone)
        pile, touch = self._piles[zone], rival.touch
        card = rival.gone.cards[0]
        shown = replace(card, spot=pile[-1].spot, at_mm=pile[-1].at_mm, since_ns=touch.t_ns)
        pile[-1] = pile[-1].unseen()
        pile.append(shown)
        return moves.unseen(touch.t_ns, touch.u_ns, card.card, rival.gone.zone, zone,
                            touch.actor, rival.conf)  # fmt: skip

    def bury(
        self, gone: Gone, zone: str, at_mm: PointMm, contact: Contact, conf: float
    ) -> Iterator[Event]:
        """Lay a card below those that cover it, and tell of it; of a back it was turned up."""
        self._air.gone.remove(gone)
        pile = self._piles[zone]
        card = replace(
            gone.cards[0].unseen(),
            at_mm=at_mm,
            since_ns=contact.t_ns,
            up=True,
            origin=gone.zone,
        )
        self.note_taken(gone.zone, gone.t_ns)
        above = sum(1 for other in pile if other.since_ns > contact.t_ns)
        pile.insert(len(pile) - above, card)
        if not gone.cards[0].up:
            u_ns = moves.BETWEEN_U_NS
            yield moves.turned_before(gone.t_ns, u_ns, card.card, gone.zone, contact.actor)
        yield moves.unseen(contact.t_ns, contact.u_ns, card.card, gone.zone, zone,
                           contact.actor, conf)  # fmt: skip
