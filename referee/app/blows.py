"""Hands that come to rest on a spot that may be hit: which of them are told to have hit it.

A camera sees a hand stop, not what it touches. Who waits over the spot before he hits it stops
twice there; who lays a card on a pile stops there as well. And fingers that reach beyond a spot,
over the other player's cards or where only a deck lies before play, may have hit it with the palm
though that is not seen to lie on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from referee.table.habits import owner_of
from referee.table.hands import is_bare_in_play, is_hidden
from referee.table.piles import NEVER_NS
from referee.values import Event, HandOff, HandOn, card_zones

MIDDLE, PILES = "mid", ("play.A", "play.B")
# A hand that only waited there comes down within that time after it stirred.
AGAIN_NS = 250_000_000
# So much later hands in the middle are told: a stop is seen up to 100 ms after it happened.
CLEAR_NS = AGAIN_NS + 100_000_000
# A card that a hand lays comes to rest with it: touch-downs are told up to that much apart.
LAYS_NS = 700_000_000
# Who hit the middle hits it again only when he has heard that this was too close to call: that is
# told half a second later, and to answer takes a third of one. Fingers that lie there stir.
HEARD_NS = 800_000_000
# That a hand took a pile is told within that time: who is not surely seen to hit may have taken it.
TOLD_NS = 2_000_000_000
# Who answers an equal card is not later than the first by more.
RIVALS_NS = 1_000_000_000
# From above a hand that stops over a pile looks like one that slaps it. Of some 25 that waited over
# one or passed three were as sure as that, of 20 that slapped one was less sure. In the middle no
# cards are laid; a hand there is told if it more likely rests than only pauses.
BLOW_CONF, PILE_CONF, REST_CONF = 0.8, 0.6, 0.5


class Blows:
    """Holds back hands on the spots until it is clear what they did. Used by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held: list[HandOn | HandOff] = []
        # All that came to rest on a spot or beyond it of late, however shortly.
        self._came: list[HandOn] = []
        # Of those on a spot the ones that are not told, as the other player may have been first.
        self._left: list[HandOn] = []
        # Who laid what on the piles of late, or took it.
        self._laid: list[Event] = []
        # When each player was last told to hit the middle.
        self._hit_ns: dict[str | None, int] = {}

    def lay(self, event: Event) -> None:
        """Take what was told of cards."""
        if any(zone in PILES for zone in card_zones(event)):
            self._laid.append(event)

    def take(self, hand: HandOn | HandOff) -> None:
        """Take a hand that came or left, on a spot or elsewhere."""
        if _is_on_spot(hand) and not (isinstance(hand, HandOn) and _is_pause(hand)):
            self._held.append(hand)
        if isinstance(hand, HandOn) and (_is_on_spot(hand) or _reaches_over(hand)):
            self._came.append(hand)

    def certain(self, now_ns: int) -> tuple[Event, ...]:
        """Return the hands that are clear by now, in order of time."""
        self._held = list(_without_waits(self._held))
        clear = [hand for hand in self._held if not self._is_open(hand, now_ns)]
        self._held = [hand for hand in self._held if hand not in clear]
        told = tuple(hand for hand in clear if self._is_told(hand))
        since_ns = now_ns - RIVALS_NS - TOLD_NS
        self._came = [one for one in self._came if one.t_ns > since_ns]
        self._left = [one for one in self._left if one.t_ns > since_ns]
        self._laid = [one for one in self._laid if one.t_ns > since_ns]
        return told

    def _is_open(self, hand: HandOn | HandOff, now_ns: int) -> bool:
        """Whether it is not known yet what a hand did, or one that was on the same spot before."""
        before = (one for one in self._held if one.zone == hand.zone and one.t_ns <= hand.t_ns)
        return any(now_ns - one.t_ns < _clear_ns(one) for one in before)

    def _is_told(self, hand: HandOn | HandOff) -> bool:
        if isinstance(hand, HandOn) and self._may_be_second(hand):
            self._left.append(hand)
            return False
        if hand.zone != MIDDLE:
            return isinstance(hand, HandOn) and not self._lays(hand)
        if isinstance(hand, HandOff):
            return True
        if self._only_stirs(hand):
            return False
        self._hit_ns[hand.actor.seat] = hand.t_ns
        return True

    def _only_stirs(self, hand: HandOn) -> bool:
        """Whether a hand in the middle hit it so shortly before that it cannot have heard of it."""
        seat = hand.actor.seat
        return seat is not None and hand.t_ns - self._hit_ns.get(seat, NEVER_NS) < HEARD_NS

    def _lays(self, hand: HandOn) -> bool:
        """Whether a hand was on a pile for a card that its player laid there, or took."""
        return any(
            hand.zone in card_zones(event)
            and event.actor.seat in (hand.actor.seat, None)
            and abs(event.t_ns - hand.t_ns) < LAYS_NS
            and not _came_after(hand, event)
            for event in self._laid
        )

    def _may_be_second(self, hand: HandOn) -> bool:
        """Whether the other player's hand may have hit before, though no place tells of it.

        Or it stopped so shortly that it seemed to pause, and came down nowhere after that. Or it
        is not told itself, as this one's player may have been before it.
        """
        beside = (one for one in self._came if not _is_on_spot(one))
        here = (one for one in self._came if one.zone == hand.zone and self._only_paused(one))
        unseen = (one for one in chain(beside, here) if not self._hits_first(one.actor.seat, hand))
        left = (one for one in self._left if one.zone == hand.zone)
        return any(
            one.actor.seat != hand.actor.seat and _may_be_before(one, hand)
            for one in chain(unseen, left)
        )

    def _hits_first(self, seat: str | None, hand: HandOn) -> bool:
        """Whether a player is told to hit a spot no later than a hand: that tells who is first."""
        return any(
            one.actor.seat == seat
            and one.zone == hand.zone
            and not _is_pause(one)
            and one.t_ns <= hand.t_ns
            and _may_be_before(one, hand)
            for one in self._came
        )

    def _only_paused(self, hand: HandOn) -> bool:
        """Whether a hand seemed to pause over a spot, and was not seen to come down after that.

        Or another one hid it there, and it was not seen to come down on the spot, nor beyond it.
        """
        if is_hidden(hand):
            there = (one for one in self._came if one.zone == hand.zone or _reaches_over(one))
            return not any(_is_anew(one, hand) for one in there)
        return _is_pause(hand) and not any(
            one.t_ns > hand.t_ns and _is_anew(one, hand) for one in self._came
        )


def _is_anew(one: HandOn, paused: HandOn) -> bool:
    """Whether a player came down about when a hand of his seemed to pause."""
    near = abs(one.t_ns - paused.t_ns) < 2 * AGAIN_NS
    return near and one.actor.seat == paused.actor.seat and not _is_pause(one)


def _may_be_before(one: HandOn, hand: HandOn) -> bool:
    """Whether one hand came down before another, as far as their intervals tell."""
    open_ns = (one.u_ns or 0) + (hand.u_ns or 0)
    return -open_ns <= hand.t_ns - one.t_ns < RIVALS_NS


def _came_after(hand: HandOn, laid: Event) -> bool:
    """Whether a hand surely came down after the player's other one had laid a card."""
    sides = {hand.actor.hand, laid.actor.hand}
    after_ns = hand.t_ns - (hand.u_ns or 0) - laid.t_ns - (laid.u_ns or 0)
    return sides == {"L", "R"} and after_ns > 0


def _is_on_spot(hand: HandOn | HandOff) -> bool:
    return hand.zone == MIDDLE or hand.zone in PILES


def _clear_ns(hand: HandOn | HandOff) -> int:
    """Return how long it takes until it is known what a hand did."""
    if hand.zone == MIDDLE:
        return CLEAR_NS
    return LAYS_NS if hand.conf is None or hand.conf >= BLOW_CONF else TOLD_NS


def _is_pause(hand: HandOn) -> bool:
    """Whether a hand on a spot stopped too shortly to be told to rest there."""
    least = REST_CONF if hand.zone == MIDDLE else PILE_CONF
    return _is_on_spot(hand) and hand.conf is not None and hand.conf < least


def _reaches_over(hand: HandOn) -> bool:
    """Whether a hand rests where its player has nothing to do while the game goes on.

    That is over cards of the other player, or beside the middle, where nothing lies in play.
    """
    others = owner_of(hand.zone) not in (None, hand.actor.seat)
    return (others or is_bare_in_play(hand.zone)) and hand.actor.seat is not None


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
