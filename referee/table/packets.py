"""How many cards a packet holds that nobody counted: no camera sees from above how thick it is.

What is laid of it and put to it is counted; once one packet is used up, the other's number follows
by the whole deck, as long as each move was seen surely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from referee.table.found import LIKELY
from referee.table.habits import Habits, is_in_hands
from referee.table.piles import Piles
from referee.values import CardPlaced, Event, PileMoved, PileTaken

# A pile of which no card is seen or on its way for so long is used up: what was seen of it until
# then is told by now.
USED_UP_NS = 5_000_000_000


@dataclass(frozen=True, slots=True)
class Height:
    """So many counted cards, less those laid of uncounted `packets`, and those packets whole."""

    cards: int = 0
    packets: frozenset[int] = frozenset()

    def with_all(self, other: Height) -> Height:
        """Return the height with all of another pile."""
        return Height(self.cards + other.cards, self.packets | other.packets)


class Packets:
    """Follows the heights of piles by what is told. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, has_left: Callable[[str], bool]) -> None:
        """Begin with an empty table; `has_left` tells if cards of a zone are on their way."""
        self._habits, self._piles, self._has_left = habits, piles, has_left
        self._heights: dict[str, Height] = {}
        # How many cards each packet held, of those of which that is known by now.
        self._held: dict[int, int] = {}
        self._made = 0
        # Whether all cards of the deck were there, and none was moved since but surely.
        self._adds_up = False
        # Since when each pile with packets is seen to be used up.
        self._bare_ns: dict[str, int] = {}

    def begin(self) -> None:
        """Take the heights as they are known when the table is first seen."""
        for zone in self._piles.zones():
            packets = self._packet() if zone in self._piles.deep else frozenset[int]()
            self._heights[zone] = Height(len(self._piles[zone]), packets)
        counted = sum(height.cards for height in self._heights.values())
        self._adds_up = not self._made and counted == len(self._habits.faces)

    def told(self, now_ns: int, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return events with the numbers of cards as far as they are known, in order of time."""
        if not self._habits.laid_of:
            return tuple(events)
        counted = tuple(self._counted(event) for event in events)
        for zone in self._used_up(now_ns):
            self._use_up(zone)
        return counted

    def _counted(self, event: Event) -> Event:
        match event:
            case CardPlaced():
                self._adds_up &= (event.conf or 0.0) >= LIKELY
                self._move(event.origin, event.target, Height(1))
            case PileMoved() if self._is_cut(event):
                self._cut(event)
            case PileMoved():
                return self._block_moved(event, event.origin, event.target)
            case PileTaken():
                hand = f"{event.actor.seat}.{self._habits.held}"
                return self._block_moved(event, event.zone, hand)
        return event

    def _block_moved(self, event: PileMoved | PileTaken, origin: str, target: str) -> Event:
        """Move a block, of a packet all that is left; return its event with its number if known."""
        height = self._height(origin)
        # What lies below the cards of a column that were seen may stay there.
        some = bool(height.packets) and self._habits.is_column(origin)
        known = not height.packets and (self._adds_up or not is_in_hands(origin))
        if some or known:
            self._move(origin, target, Height(event.count))
            return event
        self._move(origin, target, height)
        cards = self._cards(height)
        if cards is None or cards < 1 or not self._adds_up:
            return event
        return replace(event, count=cards)

    def _move(self, origin: str, target: str, block: Height) -> None:
        left = self._height(origin)
        self._heights[origin] = Height(left.cards - block.cards, left.packets - block.packets)
        self._heights[target] = self._height(target).with_all(block)

    def _is_cut(self, event: PileMoved) -> bool:
        """Whether a part of a deck was lifted off, however many there are."""
        ways = self._habits.sources(event.target)
        return any(one.origin == event.origin and one.block > 1 and not one.flip for one in ways)

    def _cut(self, event: PileMoved) -> None:
        if not self._height(event.origin).packets:
            self._heights[event.origin] = Height(0, self._packet())
            self._heights[event.target] = Height(0, self._packet())

    def _packet(self) -> frozenset[int]:
        self._made += 1
        return frozenset((self._made,))

    def _height(self, zone: str) -> Height:
        return self._heights.get(zone, Height())

    def _cards(self, height: Height) -> int | None:
        """Return how many cards a pile has, None while that is not known."""
        if not height.packets <= self._held.keys():
            return None
        return height.cards + sum(self._held[one] for one in height.packets)

    def _used_up(self, now_ns: int) -> list[str]:
        """Return the piles of packets of which no card is left."""
        bare = {
            zone: self._bare_ns.get(zone, now_ns)
            for zone, height in self._heights.items()
            if height.packets and not self._piles[zone] and not self._has_left(zone)
        }
        self._bare_ns = bare
        return [zone for zone, since_ns in bare.items() if now_ns - since_ns > USED_UP_NS]

    def _use_up(self, zone: str) -> None:
        """Let a pile have held no more than was laid of it, and tell the other packet by that."""
        height = self._height(zone)
        open_ones = height.packets - self._held.keys()
        if len(open_ones) == 1:
            (packet,) = open_ones
            known = sum(self._held[one] for one in height.packets - open_ones)
            self._hold(packet, -height.cards - known)
        self._heights[zone] = Height()
        self._hold_last()

    def _hold(self, packet: int, cards: int) -> None:
        """Note how many cards a packet held; that of a missed card shows as an impossible one."""
        if 0 < cards < len(self._habits.faces):
            self._held[packet] = cards
        else:
            self._adds_up = False

    def _hold_last(self) -> None:
        """Tell the number of the only packet that is not known by all other cards of the deck."""
        packets = {one for height in self._heights.values() for one in height.packets}
        open_ones = packets - self._held.keys()
        if not self._adds_up or len(open_ones) != 1:
            return
        (packet,) = open_ones
        known = sum(self._held[one] for one in packets - open_ones)
        cards = sum(height.cards for height in self._heights.values())
        self._hold(packet, len(self._habits.faces) - cards - known)
