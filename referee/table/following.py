"""Keeps the known cards up to date with what is seen of them: where they lie, and how they read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.table import moves
from referee.table.air import Air
from referee.table.arrivals import Arrivals
from referee.table.habits import Habits, owner_of
from referee.table.piles import Lying, Piles, unknown
from referee.table.spots import OFF
from referee.table.start import TWIN_MM
from referee.values import Event
from referee.values.spots import Spot

# Nothing is told that happened longer ago; a reading that is stamped so comes before all that is
# told after it.
READ_NS = 1_300_000_000
# What was seen until so lately lies where it did, or beside.
JUST_NS = 1_000_000_000


class Following:
    """Follows the cards that lie on the table. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, air: Air, arrivals: Arrivals) -> None:
        """Take the piles, the cards in the air, and the arrivals that are not told of yet."""
        self._habits, self._piles = habits, piles
        self._air, self._arrivals = air, arrivals
        self._t_ns = 0

    def step(self, live: Mapping[int, Spot], t_ns: int) -> list[Event]:
        """Look at the spots that are seen now; returns the better readings."""
        self._t_ns = t_ns
        events: list[Event] = []
        for zone, index, card in list(self._piles.each()):
            if card.spot is None:
                continue
            spot = live.get(card.spot) or self._other_spot(card, live)
            if spot is None or spot.up != card.up:
                self._piles[zone][index] = card.unseen(t_ns)
                continue
            # All cards are gone through in every frame: mostly nothing changes.
            known = card if spot.id == card.spot else replace(card, spot=spot.id)
            events += self.refresh(zone, index, known, spot)
        for zone in self._piles.zones():
            if not self._habits.is_single(zone):
                self._piles.lay_taken_on_top(zone, t_ns, moves.ONE_MOVE_NS)
        return events

    def _other_spot(self, card: Lying, live: Mapping[int, Spot]) -> Spot | None:
        """Return a spot that showed a card, too, and still does: a deck has each face but once."""
        if not (card.up and card.named and self._habits.shares_one_deck):
            return None
        known = self._piles.spots()
        twins = (s for s in live.values() if s.up and s.label == card.face and s.id not in known)
        return next(
            (s for s in twins if s.still_ns <= card.since_ns and card.near(s.at_mm, TWIN_MM)), None
        )

    def refresh(self, zone: str, index: int, card: Lying, spot: Spot) -> list[Event]:
        """Take a better reading of a card that lies where it lay."""
        if self._is_bared(zone, index, card, spot):
            pile = self._piles[zone]
            pile[index] = card.unseen(self._t_ns)
            pile[index - 1] = pile[index - 1].shown_by(spot)
            return []
        events: list[Event] = []
        seen = card
        if (spot.at_mm, spot.angle_deg) != (card.at_mm, card.angle_deg):
            seen = replace(card, at_mm=spot.at_mm, angle_deg=spot.angle_deg)
        renamed = spot.named and card.up and spot.label != card.face
        if (
            renamed
            and not self._is_beside(zone, card, spot)
            and not self._lay_too(zone, card, spot)
        ):
            seen = replace(seen, face=spot.label)
            if self._air.forget(spot.label, card.deck):
                self._give_back(card)
            if card.told is not None and zone != OFF:
                events = self.tell_read(zone, index, seen, card.told, spot.conf)
                seen = replace(seen, told=seen.face)
        self._piles[zone][index] = seen
        return events

    def _is_bared(self, zone: str, index: int, card: Lying, spot: Spot) -> bool:
        """Whether a card is read as the one squarely below it: that shows, and it was taken off."""
        if not index or not (card.named and spot.named and spot.label != card.face):
            return False
        below = self._piles[zone][index - 1]
        lies = below.up and below.spot is None and below.near(spot.at_mm)
        return lies and below.face == spot.label

    def _is_beside(self, zone: str, card: Lying, spot: Spot) -> bool:
        """Whether a known card is read now as the one beside it: a deck has each face but once."""
        if not card.named or not spot.tells_which:
            return False
        owner, one_deck = owner_of(zone), self._habits.shares_one_deck
        return any(
            one.spot != spot.id
            and (one.spot is not None or (not one_deck and self._t_ns - one.lost_ns < JUST_NS))
            and one.near(spot.at_mm, TWIN_MM)
            for name, _, one in self._piles.of_face(spot.label)
            if one_deck or owner_of(name) == owner is not None
        )

    def _lay_too(self, zone: str, card: Lying, spot: Spot) -> bool:
        """Whether a card of a row is read as one that lay elsewhere meanwhile, and was taken since.

        That is laid beside it now: nobody lays one squarely on another there.
        """
        if not card.named or not self._habits.is_row(zone) or not self._habits.shares_one_deck:
            return False
        return any(gone.took(spot.label) and gone.t_ns > card.since_ns for gone in self._air.gone)

    def _give_back(self, card: Lying) -> None:
        """Lay a back where one was taken for a card that left its place open, and was misread."""
        backs = self._piles[card.origin] if card.origin is not None else []
        if backs and not backs[0].up:
            backs.insert(0, unknown(backs[0]))

    def tell_read(self, zone: str, index: int, card: Lying, old: str, conf: float) -> list[Event]:
        """Tell of a better reading, unless it comes in time for the event that brought the card."""
        if self._arrivals.read(card):
            return []
        pile = self._piles[zone]
        # Before all that will be told to lie on it, and after all that was told already.
        laid_ns = max(one.since_ns for one in pile[index:]) + moves.LEAST_U_NS
        t_ns = min(self._t_ns, max(laid_ns, self._t_ns - READ_NS))
        pos = len(pile) - 1 - index
        return [moves.reread(t_ns, zone, old, card.card, pos, conf)]
