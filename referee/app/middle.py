"""Hands that come to rest in the middle: which of them are told to have hit it.

A camera sees a hand stop, not what it touches. Who waits over the spot before he hits it stops
twice there. And fingers that reach beyond it, over the other player's cards, may have hit it with
the palm, by which no place is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.table.habits import owner_of
from referee.values import Event, HandOff, HandOn

MIDDLE = "mid"
# A hand that only waited there comes down within that time after it stirred.
AGAIN_NS = 250_000_000
# So much later hands in the middle are told: a stop is seen up to 100 ms after it happened.
CLEAR_NS = AGAIN_NS + 100_000_000
# Who answers an equal card is not later than the first by more.
RIVALS_NS = 1_000_000_000


class Middle:
    """Holds back hands in the middle until it is clear what they did. Used by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held: list[HandOn | HandOff] = []
        self._beyond: list[HandOn] = []

    def take(self, hand: HandOn | HandOff) -> None:
        """Take a hand that came or left, in the middle or elsewhere."""
        if hand.zone == MIDDLE:
            self._held.append(hand)
        elif isinstance(hand, HandOn) and _reaches_over(hand):
            self._beyond.append(hand)

    def certain(self, now_ns: int) -> tuple[Event, ...]:
        """Return the hands of the middle that are clear by now, in order of time."""
        self._held = list(_without_waits(self._held))
        clear = [hand for hand in self._held if now_ns - hand.t_ns >= CLEAR_NS]
        self._held = [hand for hand in self._held if hand not in clear]
        told = tuple(hand for hand in clear if not self._may_be_second(hand))
        self._beyond = [one for one in self._beyond if now_ns - one.t_ns < RIVALS_NS + CLEAR_NS]
        return told

    def _may_be_second(self, hand: HandOn | HandOff) -> bool:
        """Whether the other player's hand may have hit before, though no place tells of it."""
        return isinstance(hand, HandOn) and any(
            one.actor.seat != hand.actor.seat and 0 <= hand.t_ns - one.t_ns < RIVALS_NS
            for one in self._beyond
        )


def _reaches_over(hand: HandOn) -> bool:
    """Whether a hand rests over cards of the other player, where nobody has anything to do."""
    return owner_of(hand.zone) not in (None, hand.actor.seat) and hand.actor.seat is not None


def _without_waits(hands: Iterable[HandOn | HandOff]) -> Iterator[HandOn | HandOff]:
    """Yield the hands in order of time, without stops of those that came down right afterwards."""
    kept: list[HandOn | HandOff] = []
    for hand in sorted(hands, key=lambda one: (one.t_ns, isinstance(one, HandOff))):
        mine = [one for one in kept if one.actor == hand.actor]
        if isinstance(hand, HandOn) and len(mine) > 1 and _only_waited(mine[-2], mine[-1], hand):
            kept = [one for one in kept if one not in mine[-2:]]
        kept.append(hand)
    return iter(kept)


def _only_waited(came: HandOn | HandOff, left: HandOn | HandOff, again: HandOn) -> bool:
    """Whether a hand that came and left again comes down so soon that it had not hit yet."""
    stopped = isinstance(came, HandOn) and isinstance(left, HandOff)
    return stopped and again.t_ns - left.t_ns < AGAIN_NS
