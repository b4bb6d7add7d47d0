"""A table of real cards, moved by a script's events, and what a camera would settle on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import dist

from referee.commands.benches._real_table import Real
from referee.table.layout import lay_of, plan
from referee.table.settled import Settled
from referee.values import (
    Card,
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    Match,
    PileMixed,
    PileMoved,
    PileTaken,
    PointMm,
    TablePlan,
)
from referee.values.spots import BACK, Spot

FRAME_NS = 33_333_333
CARRIED_NS = 150_000_000
HELD = ("held", "closed")


class RealTable:
    """The true piles, and the spots that a perfect tracker would report of them."""

    def __init__(self, game: str, seats: tuple[str, ...]) -> None:
        self.plan: TablePlan = plan(game, seats)
        self.zones = {zone.name: zone for zone in self.plan.zones}
        self.piles: dict[str, list[Real]] = {}
        self.stirred: dict[str, int] = {}
        self._n = 0
        self._shown: dict[int, int] = {}
        self._was: set[int] = set()

    def pile(self, zone: str) -> list[Real]:
        return self.piles.setdefault(zone, [])

    def lay(self, zone: str, card: Card, up: bool, t_ns: int, under: bool = False) -> None:
        self._n += 1
        at_mm, angle_deg = self._place(zone, 0 if under else self._slot(zone))
        real = Real(replace(card, hidden=False), up, at_mm, angle_deg, self._n, t_ns)
        self.pile(zone).insert(0 if under else len(self.pile(zone)), real)
        self.stirred[zone] = t_ns

    def _slot(self, zone: str) -> int:
        """Return the first free place of a row, or the next step of a cascade."""
        if zone != "mid" and not zone.endswith(".open"):
            return len(self.pile(zone))
        places = [self._place(zone, k)[0] for k in range(10)]
        taken = [real.at_mm for real in self.pile(zone)]
        free = (k for k, at in enumerate(places) if all(dist(at, one) > 15.0 for one in taken))
        return next(free, len(taken))

    def _place(self, zone: str, index: int) -> tuple[PointMm, float]:
        known = self.zones.get(zone)
        if known is None:
            return (0.0, 0.0), 0.0
        lay = lay_of(self.plan, known)
        k = min(index, lay.cards - 1) if lay.cards > 1 else 0
        # Squared piles are never quite square; a fixed pattern keeps the tests repeatable.
        off_mm = ((self._n * 7) % 5 - 2.0, (self._n * 11) % 5 - 2.0)
        x, y = (lay.first_mm[i] + k * lay.step_mm[i] + off_mm[i] for i in (0, 1))
        return (x, y), known.angle_deg + (self._n % 5 - 2.0)

    def take(self, zone: str, count: int, t_ns: int, pos: int = 0) -> list[Real]:
        pile = self.pile(zone)
        self.stirred[zone] = t_ns
        end = len(pile) - pos
        cards = pile[max(0, end - count) : end]
        del pile[max(0, end - count) : end]
        while len(cards) < count:
            cards.insert(0, Real(Card("??"), False))
        return cards

    def _pos_of(self, zone: str, card: Card, pos: int | None) -> int:
        faces = [real.card.face for real in self.pile(zone)][::-1]
        return faces.index(card.face) if pos is None and card.face in faces else pos or 0

    def lift(self, event: Event) -> list[Real]:
        """Take up what an event moves."""
        t_ns = event.t_ns
        match event:
            case CardPlaced():
                pos = self._pos_of(event.origin, event.card, event.pos)
                return self.take(event.origin, 1, t_ns, pos)
            case PileMoved():
                return self.take(event.origin, event.count, t_ns)
            case PileTaken():
                return self.take(event.zone, event.count, t_ns)
            case CardTurned():
                return self.take(event.zone, 1, t_ns, event.pos or 0)
            case _:
                return []

    def drop(self, event: Event, cards: list[Real]) -> None:
        """Put down what an event moves."""
        t_ns = event.t_ns
        match event:
            case CardPlaced():
                card = event.card if event.card.known else cards[0].card
                self.lay(event.target, card, event.up, t_ns, event.under)
            case CardTurned():
                card = event.card if event.card.known else cards[0].card
                self.lay(event.zone, card, event.up, t_ns)
            case PileMoved():
                block = cards[::-1] if event.flip else cards
                into_hand = event.target.endswith((".held", ".rest"))
                for real in block[::-1] if event.under else block:
                    up = not real.up if event.flip else real.up and not into_hand
                    self.lay(event.target, real.card, up, t_ns, event.under)
            case PileTaken():
                for real in cards[::-1]:
                    self.lay(f"{event.actor.seat}.held", real.card, False, t_ns, under=True)
            case Dealt() if not event.columns:
                for card in event.cards:
                    self.lay(event.zone, card, not card.hidden, t_ns)
            case Dealt():
                seat = event.zone.partition(".")[0]
                for card, column in zip(event.cards, event.columns, strict=True):
                    self.take(f"{seat}.held", 1, t_ns)
                    self.lay(f"{seat}.arr.{column}", card, not card.hidden, t_ns)
            case PileMixed():
                self.stirred[event.zone] = t_ns
            case CardLifted() | _:
                pass

    def spots(self) -> tuple[Spot, ...]:
        """Return what shows: cards whose index no later card of the zone covers."""
        seen = []
        for zone, pile in self.piles.items():
            if zone.rpartition(".")[2] in HELD or zone not in self.zones:
                continue
            for k, real in enumerate(pile):
                if any(dist(real.at_mm, other.at_mm) < 12.0 for other in pile[k + 1 :]):
                    continue
                if not real.up and any(dist(real.at_mm, o.at_mm) < 60 for o in pile[k + 1 :]):
                    continue
                seen.append(real)
        # A card that was covered and shows again is a new spot to the tracker.
        for real in seen:
            if real.n not in self._was:
                self._shown[real.n] = self._shown.get(real.n, 0) + 1
        self._was = {real.n for real in seen}
        return tuple(self._spot(real) for real in seen)

    def _spot(self, real: Real) -> Spot:
        label = real.card.face if real.up else BACK
        number = real.n * 100 + self._shown[real.n]
        return Spot(
            number, label, 0.99, real.at_mm, real.angle_deg, real.since_ns - FRAME_NS, real.since_ns
        )

    def settled(self, t_ns: int) -> Settled:
        return Settled(t_ns, self.spots(), lambda zone: self.stirred.get(zone, 0))


def scenes(table: RealTable, events: tuple[Event, ...]) -> Iterator[tuple[Event, list[Settled]]]:
    """Play events; yield each with the looks at the table while and after it happens."""
    for event, after in zip(events, (*events[1:], None), strict=True):
        looks = []
        cards = table.lift(event)
        if cards:
            looks.append(table.settled(event.t_ns - CARRIED_NS))
        table.drop(event, cards)
        until_ns = after.t_ns - CARRIED_NS if after else event.t_ns + 3_000_000_000
        times = (event.t_ns + k * FRAME_NS for k in (*range(1, 6), *range(10, 100, 10)))
        looks += [table.settled(t_ns) for t_ns in times if t_ns < until_ns]
        yield event, looks


def start_position(match: Match, table: RealTable) -> None:
    for placement in match.start:
        for one in placement.cards:
            table.lay(placement.zone, one.card, one.up, 0)
