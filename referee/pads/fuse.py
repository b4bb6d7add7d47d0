"""Pads and camera as one: the pad gives the time of a touch, the camera whose hand it was (T-05).

Where it is not sure which of two hands a pad felt, neither gets the pad's time as its own: the
touch of each is told with an uncertainty that covers all that it may be, so that the judge finds it
too close to call and does not take the order of the code. Where pad and camera contradict each
other about one hand, that is said and nothing is averaged: the time stays the pad's, the touch is
told as an unsure one, so that nobody is accused over it, and the contradiction is evidence.

Of two hands on one spot the lower one was there first (T-03). No camera above sees which that is,
and a hand may be drawn out from under another, so that the order of leaving tells nothing either.
But a pad is touched by the lower hand only: where one touch is felt, its time is that of the hand
which the camera saw come first, if it surely did; else the touch may be of either. Then the game's
rule for a dead heat holds, and the players, who see their hands, may have the operator change it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from referee.pads.hits import HOLD_NS, Ignored, Struck
from referee.values import HandOff, HandOn, PadHit

MS = 1_000_000
# House rule T-05, and the camera's default uncertainty (0.4): half of a 95 % interval.
FUSE_NS, HAND_U_NS = 150 * MS, 25 * MS
SURE = 0.99
# A hand over a spot is missed by its pad, and a touch by the camera, about once in fifty [a guess
# that only matters where two ways to pair them fit about equally well].
MISSED = 0.02
# A hand that has just hit cannot hit again within the fusing time; only its bouncing can
# [a guess as well, and no more matters of it].
TWICE = 0.02
MOST_PAIRS = 5
# Below what the judge accuses from: what pad and camera contradict each other about.
CONTRADICTED = 0.9
# A hand that leaves a spot sooner than a camera takes its next picture passed over it.
PASSING_NS = 30 * MS


@dataclass(frozen=True, slots=True)
class Fused:
    """A touch as the judge gets it; `note` is one line about what is odd, or empty.

    `touch` is what the pad felt, None where several touches may be meant.
    """

    event: PadHit
    note: str = ""
    touch: Struck | None = None


@dataclass(frozen=True, slots=True)
class _Pairing:
    """Which hand each touch is, by place in the list of hands (None: nobody's), and how likely."""

    hands: tuple[int | None, ...]
    weight: float


class Fusion:
    """Pairs touches with hands, spot by spot. Time comes as data; used by one thread."""

    def __init__(self, fuse_ns: int = FUSE_NS, hand_u_ns: int = HAND_U_NS) -> None:
        """Begin with nothing; `hand_u_ns` is for hands that come without their own uncertainty."""
        self._fuse_ns, self._hand_u_ns = fuse_ns, hand_u_ns
        self._struck: dict[str, list[Struck]] = {}
        self._hands: dict[str, list[HandOn]] = {}

    def struck(self, touch: Struck) -> None:
        """Take a touch that a pad felt."""
        self._struck.setdefault(touch.spot, []).append(touch)

    def hand(self, hand: HandOn) -> None:
        """Take a hand that the camera saw come to rest on a spot."""
        if hand.actor.seat is not None:
            self._hands.setdefault(hand.zone, []).append(hand)

    def hand_off(self, off: HandOff) -> None:
        """Take word that a hand left: one that only passed over the spot did not hit it."""
        waiting = self._hands.get(off.zone, [])
        waiting[:] = [
            hand
            for hand in waiting
            if hand.actor != off.actor or not 0 <= off.t_ns - hand.t_ns < PASSING_NS
        ]

    def until(self, now_ns: int) -> list[Fused | Ignored]:
        """Return the touches for which no more hands can come, in the order of time."""
        found: list[Fused | Ignored] = []
        for spot, touches in self._struck.items():
            touches.sort(key=lambda touch: touch.t_ns)
            # Another touch of this crowd is told by the pads only after their own hold.
            late_ns = self._fuse_ns + HOLD_NS
            while (crowd := self._crowd(touches)) and crowd[-1].t_ns + late_ns < now_ns:
                del touches[: len(crowd)]
                found += self._paired(crowd, self._near(spot, crowd))
        for hands in self._hands.values():
            hands[:] = [hand for hand in hands if hand.t_ns > now_ns - 6 * self._fuse_ns]
        return sorted(found, key=_time)

    def _crowd(self, touches: Sequence[Struck]) -> list[Struck]:
        """Return the first touches that are so close that the same hands may be meant."""
        crowd: list[Struck] = []
        for touch in touches[:MOST_PAIRS]:
            if crowd and touch.t_ns - crowd[-1].t_ns > self._fuse_ns:
                break
            crowd.append(touch)
        return crowd

    def _near(self, spot: str, crowd: Sequence[Struck]) -> list[HandOn]:
        """Return the hands that may be meant."""
        first_ns, last_ns = crowd[0].t_ns - self._fuse_ns, crowd[-1].t_ns + self._fuse_ns
        waiting = self._hands.get(spot, [])
        return [hand for hand in waiting if first_ns <= hand.t_ns <= last_ns][:MOST_PAIRS]

    def _used(self, hand: HandOn) -> None:
        """Take a hand from those that wait: a later touch is not its."""
        waiting = self._hands[hand.zone]
        self._hands[hand.zone] = [one for one in waiting if one is not hand]

    def _paired(self, crowd: list[Struck], hands: list[HandOn]) -> Iterator[Fused | Ignored]:
        pairings = list(self._pairings(crowd, hands))
        likeliest = max(pairings, key=lambda pairing: pairing.weight)
        whole = sum(pairing.weight for pairing in pairings)
        for place, touch in enumerate(crowd):
            number = likeliest.hands[place]
            if number is None:
                yield self._handless(touch)
                continue
            hand = hands[number]
            self._used(hand)
            others = {pairing.hands[place]: 0.0 for pairing in pairings}
            for pairing in pairings:
                others[pairing.hands[place]] += pairing.weight / whole
            p = sum(p for n, p in others.items() if n is None or hands[n].actor == hand.actor)
            if p >= SURE:
                yield self._event(touch, hand)
            else:
                note = f"two hands came so close that the touches on {touch.spot} fit either"
                yield self._open(crowd, hand, note)
        yield from self._unfelt(crowd, hands, pairings)

    def _handless(self, touch: Struck) -> Fused | Ignored:
        if touch.doubt:
            return touch.ignored(f"{touch.doubt}, and no hand was seen there")
        return Fused(pad_hit(touch), "no hand was seen there", touch)

    def _event(self, touch: Struck, hand: HandOn) -> Fused:
        event = replace(pad_hit(touch), actor=hand.actor)
        apart_ns = hand.t_ns - touch.t_ns
        reach_ns = (hand.u_ns or self._hand_u_ns) + touch.u_ns + touch.host_half_ns
        # Twice the 95 % intervals hold 99.99 %.
        if abs(apart_ns) <= 2 * reach_ns:
            return Fused(event, "", touch)
        apart_ms = round(apart_ns / MS)
        note = (
            f"the pad and the camera disagree by {abs(apart_ms)} ms about {hand.actor} on "
            f"{touch.spot}; the pad's time is used"
        )
        frames = f"{touch.evidence}!camera{apart_ms:+d}ms"
        return Fused(replace(event, conf=CONTRADICTED, frames=frames), note, touch)

    def _open(self, crowd: list[Struck], hand: HandOn, note: str) -> Fused:
        """Return a hand's touch that may be any of several: all their times are possible."""
        low_ns = min(touch.t_ns - touch.u_ns for touch in crowd)
        high_ns = max(touch.t_ns + touch.u_ns for touch in crowd)
        evidence = "+".join(touch.evidence for touch in crowd)
        event = replace(
            pad_hit(crowd[0]),
            t_ns=(low_ns + high_ns) // 2,
            u_ns=max((high_ns - low_ns) // 2, hand.u_ns or self._hand_u_ns),
            actor=hand.actor,
            frames=evidence,
            force=None,
            flat_ns=None,
        )
        return Fused(event, note)

    def _unfelt(
        self, crowd: list[Struck], hands: list[HandOn], pairings: list[_Pairing]
    ) -> Iterator[Fused]:
        """Yield the hands that may have been the ones that a pad felt, and got no touch of it.

        A pad feels no second touch within its hold-off, so that one touch may stand for two hands.
        """
        whole = sum(pairing.weight for pairing in pairings)
        likeliest = max(pairings, key=lambda pairing: pairing.weight)
        for number, hand in enumerate(hands):
            p = sum(pairing.weight for pairing in pairings if number in pairing.hands) / whole
            seats = {hands[n].actor.seat for n in likeliest.hands if n is not None}
            if number not in likeliest.hands and p > 1 - SURE and hand.actor.seat not in seats:
                self._used(hand)
                yield self._open(crowd, hand, "one touch was felt, and it may be of either hand")

    def _pairings(self, crowd: list[Struck], hands: list[HandOn]) -> Iterator[_Pairing]:
        """Yield every way to pair touches with hands, each hand once, with its weight."""
        for numbers in _ways(len(crowd), len(hands)):
            used = [n for n in numbers if n is not None]
            weight = TWICE ** (len(used) - len({hands[n].actor for n in used}))
            weight *= MISSED ** (len(hands) - len(used))
            for touch, number in zip(crowd, numbers, strict=True):
                weight *= MISSED if number is None else self._fit(touch, hands[number])
            yield _Pairing(numbers, weight)

    def _fit(self, touch: Struck, hand: HandOn) -> float:
        """Return how well a hand fits a touch in time: 1 at best, 0 beyond the fusing time."""
        apart_ns = abs(touch.t_ns - hand.t_ns)
        if apart_ns > self._fuse_ns:
            return 0.0
        hand_ns, touch_ns = (hand.u_ns or self._hand_u_ns) / 1.96, touch.u_ns / 1.96
        # The host's map of the board's clock is flat within its bound.
        sigma_ns = math.hypot(hand_ns, touch_ns, touch.host_half_ns / math.sqrt(3))
        # Far from the normal's middle a hand at the same spot is still likelier than none.
        return max(math.exp(-0.5 * (apart_ns / sigma_ns) ** 2), 2 * MISSED**2)


@lru_cache(maxsize=64)
def _ways(touches: int, hands: int) -> tuple[tuple[int | None, ...], ...]:
    """Return every way to give each touch a hand or none, no hand twice."""
    ways: list[tuple[int | None, ...]] = [()]
    for _ in range(touches):
        ways = [
            (*way, number)
            for way in ways
            for number in (None, *range(hands))
            if number is None or number not in way
        ]
    return tuple(ways)


def _time(one: Fused | Ignored) -> int:
    return one.event.t_ns if isinstance(one, Fused) else one.t_ns


def pad_hit(touch: Struck) -> PadHit:
    """Return a touch as the judge's event, nobody's yet."""
    return PadHit(
        n=0,
        t_ns=touch.t_ns,
        u_ns=touch.u_ns,
        source="pad",
        frames=touch.evidence,
        spot=touch.spot,
        force=float(touch.peak),
        flat_ns=touch.flat_ns,
        clock=touch.clock,
        off_ns=touch.host_half_ns,
        rate_ppm=round(touch.rate_ppm, 1),
    )
