"""What lies in a player's stock and waste, by his whole deck: each card once, and no more.

A turn that was counted wrongly, or a card taken for another, would be believed for the rest of the
hand: the cards that show elsewhere are not in the stock, and all that do not show are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from referee.table.air import Air
from referee.table.arrivals import Arrivals
from referee.table.evidence import Evidence
from referee.table.habits import Habits, Source, owner_of
from referee.table.piles import Lying, Piles, unknown
from referee.values import TablePlan

# Nobody holds a card of his stock or waste for so long: it lies there still.
HELD_NS = 5_000_000_000
# A card that was misread at first is read rightly after a second in plain sight.
SURE_NS = 1_200_000_000


class WholeDecks:
    """Puts stocks and wastes right by what shows of their players' decks. Used by one thread."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        piles: Piles,
        air: Air,
        arrivals: Arrivals,
        evidence: Evidence,
    ) -> None:
        """Begin with decks that nobody counted."""
        self._habits, self._piles, self._air = habits, piles, air
        self._arrivals, self._evidence = arrivals, evidence
        own = len(plan.seats) >= habits.own_decks_from
        names = (zone.name for zone in plan.zones) if own else ()
        ways = ((owner_of(name), habits.drawn_by_blocks(name)) for name in names)
        self._draws = {seat: way for seat, way in ways if seat is not None and way is not None}
        # Whose deck was seen to be whole.
        self._whole: set[str] = set()

    def step(self) -> None:
        """Count the decks, and put right what is believed of those that are known to be whole."""
        decks = self._decks()
        for seat, deck in decks.items():
            if self._over(deck) == 0 and not self._is_uncounted(seat):
                self._whole.add(seat)
        for seat in sorted(self._whole):
            way = self._draws[seat]
            if self._unname(way, decks[seat]):
                decks = self._decks()
            self._put_back(way)
            if self._is_at_rest(way):
                self._piles.deep -= {way.origin, way.target}
                if self._settle(way, seat, decks):
                    decks = self._decks()

    def _settle(self, way: Source, seat: str, decks: Mapping[str, list[Lying]]) -> bool:
        """Put right by how many cards a deck is too large or too small; tells if any was put right.

        A card that is taken for another player's makes one larger and the other smaller.
        """
        over = self._over(decks[seat])
        if over == 0:
            return False
        strangers = sum(card.deck is None for _, _, card in self._piles.each())
        balance = strangers + sum(self._over(decks[one]) for one in self._whole)
        if over > 0 and balance > 0:
            self._strike(way, over)
            return True
        if over < 0 and balance < 0:
            self._add(way, -over)
            return True
        return False

    def _over(self, deck: list[Lying]) -> int:
        """Return how many cards more than a deck has are believed to be of one."""
        return len(deck) - len(self._habits.faces)

    def _decks(self) -> dict[str, list[Lying]]:
        """Return the cards of each player's deck, on the table and in the air."""
        decks: dict[str | None, list[Lying]] = {seat: [] for seat in self._draws}
        lying = (card for _, _, card in self._piles.each())
        for card in chain(lying, *(gone.cards for gone in self._air.gone)):
            if card.deck in decks:
                decks[card.deck].append(card)
        for card in self._air.lost:
            lies = any(one.deck == card.deck for _, _, one in self._piles.of_face(card.face))
            if card.deck in decks and not (card.named and lies):
                decks[card.deck].append(card)
        return {seat: decks[seat] for seat in self._draws}

    def _is_uncounted(self, seat: str) -> bool:
        uncounted = self._piles.deep | self._piles.presumed
        return any(owner_of(zone) == seat for zone in uncounted)

    def _is_at_rest(self, way: Source) -> bool:
        """Whether no card of a stock or its waste is on its way, or still to be told of."""
        zones = (way.origin, way.target)
        if any(gone.zone in zones for gone in self._air.gone):
            return False
        return all(one.target not in zones and one.origin not in zones
                   for one in self._arrivals.waiting)  # fmt: skip

    def _put_back(self, way: Source) -> None:
        """Lay cards back that left for longer than anybody holds them; backs that left were drawn.

        Below the top card: what shows on a pile is what lies on it.
        """
        for gone in [one for one in self._air.gone if one.zone in (way.origin, way.target)]:
            if self._evidence.now.t_ns - gone.bare_ns < HELD_NS:
                continue
            zone = way.target if self._piles[way.target] else way.origin
            pile = self._piles[zone]
            if not pile:
                continue
            self._air.gone.remove(gone)
            top = pile[-1]
            back = (replace(card.unseen(), up=top.up, at_mm=top.at_mm) for card in gone.cards)
            at = len(pile) - 1 if zone == way.target else 0
            pile[at:at] = back

    def _unname(self, way: Source, deck: list[Lying]) -> bool:
        """Forget the names of unseen cards that surely lie elsewhere; tells if the air held one."""
        before_ns = self._evidence.now.t_ns - SURE_NS
        shown = (card for card in deck if card.spot is not None and card.up and card.named)
        seen = {card.face for card in shown if card.since_ns < before_ns}
        forgotten = [self._air.forget(face, owner_of(way.origin)) for face in sorted(seen)]
        for zone in (way.origin, way.target):
            pile = self._piles[zone]
            for k, card in enumerate(pile):
                if card.spot is None and card.named and card.face in seen:
                    pile[k] = unknown(card, card.up)
        return any(forgotten)

    def _strike(self, way: Source, count: int) -> None:
        """Take cards away that are one too many: such as nobody has read."""
        for zone in (way.origin, way.target):
            pile = self._piles[zone]
            spare = [k for k, card in enumerate(pile) if card.spot is None and not card.named]
            self._piles.take(zone, spare[:count])
            count -= len(spare[:count])

    def _add(self, way: Source, count: int) -> None:
        """Lay cards that lie nowhere else below what is left of a stock, or else of a waste."""
        zone = way.origin if self._piles[way.origin] else way.target
        pile = self._piles[zone]
        if pile:
            one = replace(unknown(pile[0], pile[0].up), deck=owner_of(zone))
            pile[:0] = [one] * count
