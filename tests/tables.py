"""A table of real cards, moved by a script's events, and what a camera would settle on."""

from __future__ import annotations

from collections.abc import Iterator

from referee.commands.benches._real_table import Real, RealTable
from referee.table.layout import plan
from referee.table.settled import Settled
from referee.values import Card, CardPlaced, Event, PileMixed, PileMoved
from referee.values.spots import BACK, Spot

FRAME_NS = 33_333_333
CARRIED_NS = 150_000_000


class LaidTable(RealTable):
    """The true piles, and the spots that a perfect tracker would report of them."""

    def __init__(self, game: str, seats: tuple[str, ...]) -> None:
        super().__init__(plan(game, seats))
        self.stirred: dict[str, int] = {}
        self._shown: dict[int, int] = {}
        self._was: set[int] = set()

    def lay(self, zone: str, card: Card, up: bool, t_ns: int, under: bool = False) -> None:
        super().lay(zone, card, up, t_ns, under)
        self.stirred[zone] = t_ns

    def take_top(self, zone: str, t_ns: int) -> Real:
        """Take one card off a pile."""
        self.stirred[zone] = t_ns
        return self.take(zone, 1)[0]

    def lift(self, event: Event) -> list[Real]:
        cards = super().lift(event)
        if cards:
            zone = event.origin if isinstance(event, CardPlaced | PileMoved) else event.zone
            self.stirred[zone] = event.t_ns
        return cards

    def drop(self, event: Event, cards: list[Real], t_ns: int) -> None:
        super().drop(event, cards, t_ns)
        if isinstance(event, PileMixed):
            self.stirred[event.zone] = t_ns

    def spots(self) -> tuple[Spot, ...]:
        """Return what shows; a card that was covered and shows again is a new spot."""
        seen = self.visible()
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


def scenes(table: LaidTable, events: tuple[Event, ...]) -> Iterator[tuple[Event, list[Settled]]]:
    """Play events; yield each with the looks at the table while and after it happens."""
    for event, after in zip(events, (*events[1:], None), strict=True):
        looks = []
        cards = table.lift(event)
        if cards:
            looks.append(table.settled(event.t_ns - CARRIED_NS))
        table.drop(event, cards, event.t_ns)
        until_ns = after.t_ns - CARRIED_NS if after else event.t_ns + 3_000_000_000
        times = (event.t_ns + k * FRAME_NS for k in (*range(1, 6), *range(10, 100, 10)))
        looks += [table.settled(t_ns) for t_ns in times if t_ns < until_ns]
        yield event, looks
