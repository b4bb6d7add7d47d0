"""A turn from a stock that may still go on: of how many cards it is, and which of them showed."""

from __future__ import annotations

from dataclasses import dataclass

from referee.table.stirs import AT_ONCE_NS

# A slow hand lays the next card after 0.55 to 0.67 s; two turns of three lie a second apart.
SLOWLY_NS = 720_000_000
# Nobody lays the next card sooner.
NEXT_NS = 250_000_000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card of a turn that showed, by its spot; `hidden` tells when those right below it lay."""

    spot: int
    hidden: tuple[int, ...] = ()


@dataclass(slots=True)
class Turn:
    """The last turn from a stock: of how many cards, and how many of them surely lie, since when.

    `cards` are those that showed and are not told yet; `singly`: they were laid one by one;
    `at_once`: its player turns three at once unless he is seen to do otherwise; since `first_ns`
    its last card may lie. Below the last one lie `below` more that may still be to come. `strange`:
    one lay elsewhere in the stock than was believed. `hidden_ns` is when a hand last hid the pile,
    `before_ns` when the card below the first one lay.
    """

    size: int
    last_ns: int
    before_ns: int
    first_ns: int
    count: int = 0
    singly: bool = False
    at_once: bool = False
    cards: tuple[Drawn, ...] = ()
    below: int = 0
    strange: bool = False
    hidden_ns: int = 0

    @property
    def left(self) -> int:
        """How many of its cards are still to come."""
        return self.size - self.count

    @property
    def slowly_ns(self) -> int:
        """How long after one of its cards the next one lies at most."""
        return AT_ONCE_NS if self.at_once else SLOWLY_NS

    def gap_ns(self, t_ns: int) -> int:
        """Return how long after its last card another one came, of who turns three at once at most.

        A hand hides when a card came to lie; two turns are no single cards for that.
        """
        return t_ns - (self.first_ns if self.at_once else self.last_ns)
