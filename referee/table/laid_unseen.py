"""Backs that a hand hid when they were laid out: where the next one lies tells that they are there.

When they were laid is told by their row: it is laid in one sweep.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import floor
from statistics import median

from referee.table import moves
from referee.table.air import Air
from referee.table.found import LIKELY
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.piles import Lying, Piles, laid, unknown
from referee.table.spots import Zones
from referee.values import Actor, Event
from referee.values.spots import Spot

# So many steps past its place lies a card laid onto a hidden one: of 350 cards laid out by six
# makers of films all others lay less than half a step past it. People may lay the first one askew
# by more, and drift by a whole step who lay each card by the one below it.
PAST_FIRST, PAST = 0.8, 0.6
# So many steps on from the card below lies one that was laid onto a hidden one between.
STEPS_ON = 1.45
# Hands hid at most one card of a column before the next one was seen on it. A back that lies as far
# on as three unseen ones would take it belongs to no column.
FAR_ON = 3
# The first card of all is laid nowhere past the last one of a whole column.
FIRST_FAR_ON = 5
# Cards laid out follow one another by 0.25 to 0.7 s: a longer pause is as good as another one.
PAUSE_NS = 1_000_000_000


class LaidUnseen:
    """Tells of backs laid out unseen. Used by one thread."""

    def __init__(self, habits: Habits, zones: Zones, piles: Piles, air: Air) -> None:
        """Take the piles, where the cards of a column lie, and who lays out his cards."""
        self._habits, self._zones, self._piles, self._air = habits, zones, piles, air
        # Who lays out cards of which one was told so.
        self._told: set[str] = set()
        # Spots of packets in hands, and since when they are still: as long as they are, those are.
        self._packets: dict[int, int] = {}

    def below(self, spot: Spot, zone: str, origin: str) -> list[Event]:
        """Tell of the backs laid unseen in a column before a card is laid on it from the hand."""
        owner = owner_of(zone)
        his = owner is not None and is_in_hands(origin) and owner_of(origin) == owner
        if owner is None or not his or not self._air.arranges(zone):
            return []
        events = [self._lay(spot, zone, origin) for _ in range(self._hidden(spot, zone))]
        if events:
            self._told.add(owner)
        return events

    def most_conf(self, spot: Spot, zone: str, origin: str) -> float:
        """Return how surely a card may be told as laid in a zone: its row may be another one.

        That is so while its player lays out cards of which one was told by where another lies. And
        one of the same value as the card that it covers may be no card of a row at all: it is laid
        there from another column, on which nobody saw it.
        """
        seat, below = owner_of(zone), self._piles[zone][-1:]
        alike = bool(below) and below[0].up and below[0].face[:1] == spot.label[:1]
        if alike and is_in_hands(origin) and self._habits.is_column(zone):
            return LIKELY
        if seat not in self._told:
            return 1.0
        if self._air.arranges(zone):
            return LIKELY
        self._told.discard(seat)
        return 1.0

    def is_held(self, spot: Spot, zone: str) -> bool:
        """Whether a spot is the packet in the hand of a player who lays out its cards.

        He holds it over the table before him, where no card of his columns is laid. Fingers on a
        back may look like an open card that nobody can read.
        """
        column = not (spot.up and spot.named) and self._habits.is_column(zone)
        if column and self._air.arranges(zone):
            far_on = FAR_ON if self._columns(zone) else FIRST_FAR_ON
            if self._past(spot, zone) >= far_on:
                self._packets[spot.id] = spot.still_ns
        return self._packets.get(spot.id) == spot.still_ns

    def _past(self, spot: Spot, zone: str) -> float:
        """Return how many steps past the next place of its column a card lies."""
        lowest = [self._steps(name, self._piles[name][0]) for name in self._columns(zone)]
        return self._steps(zone, spot) - median(lowest or [0.0]) - len(self._piles[zone])

    def _hidden(self, spot: Spot, zone: str) -> int:
        """Return how many unseen cards lie below a spot by where it lies, beside the others."""
        if not self._columns(zone):
            return 0
        pile, on = self._piles[zone], self._steps(zone, spot)
        past = self._past(spot, zone)
        if past >= FAR_ON or (pile and on - self._steps(zone, pile[-1]) < STEPS_ON):
            return 0
        return floor(past + 1.0 - (PAST if pile else PAST_FIRST))

    def _steps(self, zone: str, card: Lying | Spot) -> float:
        """Return how many steps of its column a card lies from where the first one is laid."""
        along_mm = self._zones.along_mm
        on_mm = along_mm(zone, card.at_mm) - along_mm(zone, self._zones.first_mm(zone))
        return on_mm / self._zones.step_mm(zone)

    def _columns(self, zone: str) -> list[str]:
        """Return the columns of the player of a zone in which cards lie."""
        mine = (name for name in self._piles.zones() if owner_of(name) == owner_of(zone))
        return [name for name in mine if self._zones.step_mm(name) and self._habits.is_column(name)]

    def _lay(self, spot: Spot, zone: str, origin: str) -> Event:
        since_ns, until_ns = self._pause(spot, zone)
        t_ns, u_ns = (since_ns + until_ns) // 2, (until_ns - since_ns) // 2
        back = replace(unknown(laid(spot, None)), since_ns=t_ns, origin=origin)
        self._piles[zone].append(back)
        self._piles.draw(origin, 1)
        who = Actor(owner_of(zone))
        return moves.unseen(t_ns, u_ns, back.card, origin, zone, who, LIKELY, up=False)

    def _pause(self, spot: Spot, zone: str) -> tuple[int, int]:
        """Return between which two cards of its player a hidden one was laid, before a spot was.

        It came after the one below it, and next to its neighbour in the row, when there was time.
        """
        laid_ns = [card.since_ns for name in self._columns(zone) for card in self._piles[name]]
        below = self._piles[zone][-1:]
        since_ns = below[0].since_ns if below else min(laid_ns)
        between = {t_ns for t_ns in laid_ns if since_ns < t_ns < spot.still_ns}
        times = sorted({since_ns, spot.still_ns} | between)
        row_ns = self._row_ns(zone)
        return max(
            pairwise(times),
            key=lambda two: (len(row_ns.intersection(two)), min(two[1] - two[0], PAUSE_NS), two),
        )

    def _row_ns(self, zone: str) -> set[int]:
        """Return when the cards to either side of the next one of a column were laid."""
        height = len(self._piles[zone])
        beside = (
            self._piles[name]
            for name in self._columns(zone)
            if abs(_number(name) - _number(zone)) == 1
        )
        return {pile[height].since_ns for pile in beside if len(pile) > height}


def _number(zone: str) -> int:
    return int(zone.rpartition(".")[2])
