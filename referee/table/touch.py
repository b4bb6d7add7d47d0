"""When a hand comes to rest on the table and when it leaves: from the speed of its last frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import dist

import numpy as np
from numpy.typing import NDArray

from referee.values import HandSeen, Touch

Floats = NDArray[np.float64]

# A reach worth the name: so far and so fast; a fidgeting hand stays below.
LEAST_WAY_MM, LEAST_PEAK_MM_S = 12.0, 80.0
# A hand rests below this speed or this share of its peak (tremor of a held hand: 5 to 10 mm/s).
REST_MM_S, REST_SHARE = 14.0, 0.04
# A card is laid and the hand goes on: it was at rest for no frame, but slower than this.
TURN_MM_S, TURN_SHARE = 130.0, 0.16
# Leaving: faster than this for two frames, or farther than this.
LEAVING_MM_S, LEAVING_MM = 30.0, 6.0
# A hand first seen at rest, and still there after this, rests on the table.
FOUND_RESTING_NS = 400_000_000
# A hand that lay there when the camera began is known one to three frames after it stirs.
WAKING_NS = 50_000_000
# Of a hand that was first seen farther from the table's edge than it can have come since it was
# last not seen, a stop so soon and near is no touch.
DEEP_MM, UNSEEN_S, UNCOVERED_NS, UNCOVERED_MM = 150.0, 0.08, 700_000_000, 110.0
# One deviation of a measured step: its noise, the share by which real hands differ from the family
# of profiles below, and what blur and late rows carry over from a faster neighbour (chosen so that
# the stated interval holds the truth in the bench and on hands cut from photographs).
STEP_MM, STEP_SHARE, PEAK_SHARE, NEIGHBOUR_SHARE = 0.07, 0.08, 0.003, 0.02
# A hand that is slow for so long has stopped: long enough for two steps at 30 fps, so that the slow
# end of a gentle reach is seen whole, and short against the 300 ms a ruling may take.
STOPPED_NS = 85_000_000
# Frames that are remembered, and the time in which the motion that ends is looked for.
MEMORY, LONGEST_NS = 90, 470_000_000
# Of its beginning, what is before the peak by more than this tells nothing of its end.
BEFORE_PEAK_NS = 160_000_000
LOST_NS = 600_000_000
# Where two hands meet and rest the wrist of one may be taken for its fingers: the fingertip that is
# found when they part lies elsewhere, so much farther than the hand was seen to move. A hand that
# comes in grows as fast.
LEAP_MM, LEAP_SHARE = 60.0, 2.0
# A hand that was not seen for longer than this went as far as both places lie apart: more than two
# frames at 30 fps, fewer than three; a camera with fewer frames has longer steps anyway.
UNSEEN_NS = 90_000_000
# A hand that turns over a place, and comes down right there so soon and as a slap does, had only
# waited; who laid a card and goes on is farther away by then.
WAITS_NS, WAITS_MM, SLAP_MM_S = 250_000_000, 45.0, 250.0
# A stop is clear so long after it.
CLEAR_NS = 120_000_000
# A hand that waits over a place before it slaps is slower than this share of its speeds before and
# after: no reach is so uneven, and shorter waits are timed well as they are.
WAIT_SHARE = 0.4
# No answer is believed to be better than this: half a millisecond a row, and the hand is soft.
LEAST_SIGMA_NS = 6_000_000.0

# Speed along a way is x^b (1 - x)^a, x from 0 to 1: b = a = 2 is the minimum-jerk reach (Flash and
# Hogan, 1985), a = 1 an even braking, a = 0 a hand that the table stops. A hand that brakes while
# it comes down moves by both: seen from above its fall is a shift across its way, with `c` times
# the peak's speed, until the table ends it.
# Shapes (b, a, c) and the share of belief that each has beforehand. Rendered hands come down, those
# cut from photographs slide: with these shares neither is timed 15 ms early or late on the average.
COMING = {
    (2.0, 2.0, 0.0): 0.25, (1.0, 2.0, 0.0): 0.03, (2.0, 1.0, 0.0): 0.015, (1.0, 1.0, 0.0): 0.03,
    (2.0, 0.0, 0.0): 0.03, (1.2, 0.0, 0.0): 0.04, (1.0, 0.0, 0.0): 0.03, (0.0, 0.0, 0.0): 0.04,
    (2.0, 2.0, 0.04): 0.08, (2.0, 2.0, 0.08): 0.165, (2.0, 2.0, 0.13): 0.165,
    (2.0, 2.0, 0.2): 0.08, (1.0, 2.0, 0.08): 0.03, (1.0, 2.0, 0.15): 0.03,
}  # fmt: skip
# Leaving is a coming seen backwards; no blow begins a motion: a hand that rests gathers speed.
GOING = {(2.0, 2.0, 0.0): 0.55, (2.0, 1.0, 0.0): 0.2, (2.0, 2.0, 0.06): 0.15, (1.0, 2.0, 0.0): 0.1}
# Neighbouring steps err together, and no hand is in the family: evidence counts a quarter. With it
# 95 of 100 rendered contacts lie in their interval, with 1 only 80.
TEMPER = 4.0
DURATIONS_S = tuple(float(s) for s in np.geomspace(0.10, 1.1, 12))
_SHARES = np.linspace(0.0, 1.0, 257)
# Ways are looked up, not interpolated: in a table so fine that times differ by 0.02 ms.
FINE_SHARES = 2049


@dataclass(frozen=True, slots=True)
class Instant:
    """An estimated time: `sharp` is the share of belief in a stop by impact, 0 to 1."""

    t_ns: float
    sigma_ns: float
    sharp: float


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """Ways to come to rest: `ways` (2049, n) covered after shares of the time, `prior` (n,).

    `blows` marks those that the table ends.
    """

    ways: NDArray[np.float32]
    prior: Floats
    blows: NDArray[np.bool_]


def _profiles(shares: Mapping[tuple[float, float, float], float]) -> Profiles:
    fine = np.linspace(0.0, 1.0, FINE_SHARES)
    ways = np.stack([np.interp(fine, _SHARES, _way(*shape)) for shape in shares], axis=1)
    prior = np.array(list(shares.values()))
    blows = np.array([end < 0.75 for _, end, _ in shares])
    return Profiles(ways.astype(np.float32), prior / prior.sum(), blows)


def _way(start: float, end: float, fall: float) -> Floats:
    """Return the way covered after each share of the time; a fall begins in the first half."""
    reach = _SHARES**start * (1 - _SHARES) ** end
    speed = np.hypot(reach / reach.max(), fall * np.minimum(2 * _SHARES, 1.0))
    way = np.concatenate([[0.0], np.cumsum((speed[1:] + speed[:-1]) / 2)])
    return np.asarray(way / way[-1])


_COMING, _GOING = _profiles(COMING), _profiles(GOING)


def stop_time(
    t_ns: Floats, steps_mm: Floats, not_before_ns: float, profiles: Profiles = _COMING
) -> Instant:
    """Estimate when a motion ended, from its steps (n,) between the times (n + 1,), oldest first.

    Every profile, end and duration is weighed by how well it explains the steps; the answer is
    the mean end and its deviation.
    """
    ends = np.arange(not_before_ns, t_ns[-1] + 1, 2_000_000.0)
    spans = np.array(DURATIONS_S) * 1e9
    shares = 1.0 - (ends[:, None, None] - t_ns) / spans[:, None]
    index = np.rint(np.clip(shares, 0.0, 1.0) * (FINE_SHARES - 1)).astype(np.intp)
    sigma = _sigma_mm(steps_mm)
    measured = (steps_mm / sigma).astype(np.float32)
    ways = np.take(profiles.ways, index, axis=0)
    # Each end's, duration's, step's and profile's.
    steps = np.diff(ways, axis=2) / sigma.astype(np.float32)[:, None]
    alike = np.einsum("edsp,s->edp", steps, measured).astype(np.float64)
    # Each profile at its best size.
    explained = alike**2 / (np.einsum("edsp,edsp->edp", steps, steps) + 1e-9)
    misfit = float((measured**2).sum()) - explained
    freedom = max(len(steps_mm) - 3, 1)
    belief = np.exp(-0.5 * (misfit - misfit.min()) / max(TEMPER, misfit.min() / freedom))
    belief *= profiles.prior
    belief /= belief.sum()
    over_ends = belief.sum(axis=(1, 2))
    mean = float((over_ends * ends).sum())
    sigma_ns = float(np.sqrt((over_ends * (ends - mean) ** 2).sum()))
    return Instant(mean, max(sigma_ns, LEAST_SIGMA_NS), float(belief[..., profiles.blows].sum()))


def _sigma_mm(steps_mm: Floats) -> Floats:
    """Return the deviation of each measured step."""
    beside = np.pad(steps_mm, 1)
    faster = np.maximum.reduce([beside[:-2], beside[1:-1], beside[2:]]) - steps_mm
    noise_mm = STEP_MM + PEAK_SHARE * float(steps_mm.max())
    return np.asarray(noise_mm + STEP_SHARE * steps_mm + NEIGHBOUR_SHARE * faster)


def _step_mm(before: HandSeen, hand: HandSeen) -> float:
    """Return how far a hand went from one frame to the next in which it was seen."""
    if hand.t_ns - before.t_ns > UNSEEN_NS:
        # Its speed is that of the last frame alone.
        return dist(before.tip_mm, hand.tip_mm)
    return hand.speed_mm_s * (hand.t_ns - before.t_ns) / 1e9


def _leaps(before: HandSeen, hand: HandSeen) -> bool:
    """Whether the fingertip of a hand is found where it cannot have gone since the last frame."""
    took_ns = hand.t_ns - before.t_ns
    if took_ns > UNSEEN_NS:
        return False
    moved_mm = max(before.speed_mm_s, hand.speed_mm_s) * took_ns / 1e9
    return dist(before.tip_mm, hand.tip_mm) > LEAP_MM + LEAP_SHARE * moved_mm


class _Path:
    """One hand's last frames, and whether it rests."""

    def __init__(self, first: HandSeen) -> None:
        self.first = first
        self.seen: deque[HandSeen] = deque([first], maxlen=MEMORY)
        self.resting = first.rested
        self.rested_since_ns = first.t_ns
        self.peak_mm_s = 0.0
        self.way_mm = 0.0
        self.ever_moved = False
        # It came down and went on before: what does that is a hand.
        self.ever_touched = False
        # Where its fingertip was found, which had been taken to be elsewhere.
        self.leapt: HandSeen | None = None
        # A touch without a rest of which it is not clear yet whether the hand only waited there.
        self.turned: list[Touch] = []

    def times(self, last: int) -> Floats:
        """Return the times of the last steps' ends, one more than `last`."""
        return np.array([hand.t_ns for hand in list(self.seen)[-last - 1 :]], float)

    def steps(self, last: int) -> Floats:
        """Return the last steps in mm."""
        return np.array([_step_mm(a, b) for a, b in pairwise(list(self.seen)[-last - 1 :])])

    def speeds(self, last: int) -> list[float]:
        """Return the last speeds, oldest first."""
        return [hand.speed_mm_s for hand in list(self.seen)[-last:]]

    def slow_for_ns(self, slow_mm_s: float) -> int:
        """Return for how long all steps have been slower than a speed."""
        since_ns = now_ns = self.seen[-1].t_ns
        for before, hand in pairwise(reversed(self.seen)):
            if before.speed_mm_s >= slow_mm_s:
                break
            since_ns = hand.t_ns
        return now_ns - since_ns


class TouchWatch:
    """Finds touches in the paths of hands; one for a table, for one thread."""

    def __init__(self) -> None:
        """Begin without any hand."""
        self._paths: dict[int, _Path] = {}

    def step(self, hands: Iterable[HandSeen], t_ns: int) -> tuple[Touch, ...]:
        """Take the hands of a frame and return the touches that became certain with it.

        A touch is told two to four frames after it happened; one without a rest when the hand has
        gone on.
        """
        found = self._given_up(t_ns)
        for hand in hands:
            path = self._paths.get(hand.id)
            if path is None:
                self._paths[hand.id] = _Path(hand)
            elif hand.t_ns > path.seen[-1].t_ns:
                if path.resting and _leaps(path.seen[-1], hand):
                    path.leapt = hand
                path.seen.append(hand)
                peak_mm_s = max(path.peak_mm_s, hand.speed_mm_s)
                touches = _leaving(path) if path.resting else _arriving(path)
                found += _without_waits(path, touches, peak_mm_s)
        return tuple(found)

    def _given_up(self, t_ns: int) -> list[Touch]:
        """Give up the hands that were not seen for long; return what they touched last.

        Such a hand may be there again by now: what it did meanwhile nobody knows.
        """
        found: list[Touch] = []
        for number, path in list(self._paths.items()):
            if t_ns - path.seen[-1].t_ns > LOST_NS:
                found += path.turned + _lost(path)
                del self._paths[number]
        return found

    def resting(self, hand_id: int) -> bool:
        """Tell whether a hand rests."""
        return hand_id in self._paths and self._paths[hand_id].resting


def _without_waits(path: _Path, touches: list[Touch], peak_mm_s: float) -> list[Touch]:
    """Return the touches that are clear by now, without those of a hand that waited to slap."""
    before, path.turned = path.turned, []
    if touches and touches[0].on:
        clear = [] if before and _waited(before[0], touches[0], peak_mm_s) else before
        if path.resting:
            return clear + touches
        path.turned = touches
        return clear
    if before and _may_wait(before[0], path.seen[-1]):
        path.turned = before
        return touches
    return before + touches


def _waited(turned: Touch, later: Touch, peak_mm_s: float) -> bool:
    """Whether a hand that turned over a place had only waited there before it came down."""
    soon = later.t_ns - turned.t_ns < WAITS_NS
    return soon and peak_mm_s > SLAP_MM_S and dist(turned.at_mm, later.at_mm) < WAITS_MM


def _may_wait(turned: Touch, now: HandSeen) -> bool:
    """Whether a hand that turned over a place may come down there yet."""
    soon = now.t_ns - turned.t_ns < WAITS_NS + CLEAR_NS
    return soon and dist(now.tip_mm, turned.at_mm) < WAITS_MM


def _arriving(path: _Path) -> list[Touch]:
    """Look for the end of a motion: some slow steps, or a turn so slow that it was a touch."""
    speed = path.seen[-1].speed_mm_s
    step_mm = float(path.steps(1)[0])
    path.way_mm += step_mm
    path.peak_mm_s = max(path.peak_mm_s, speed)
    slow = max(REST_MM_S, REST_SHARE * path.peak_mm_s)
    if path.way_mm < LEAST_WAY_MM or path.peak_mm_s < LEAST_PEAK_MM_S:
        return _found_resting(path, slow)
    if path.slow_for_ns(slow) >= STOPPED_NS:
        on = _arrival(path)
        if _was_left(path):
            return []
        path.resting, path.rested_since_ns, path.ever_moved = True, round(on.t_ns), True
        return [on]
    last = path.speeds(4)
    turn = min(TURN_MM_S, TURN_SHARE * path.peak_mm_s)
    if len(last) == 4 and last[1] < turn and last[0] > last[1] < last[2] < speed and speed > slow:
        return [] if _is_near(path.leapt, path.seen[-3]) else _turned(path)
    path.ever_moved = True
    return []


def _was_left(path: _Path) -> bool:
    """Whether a stop is where a hand suddenly was: it lay there unseen, and what stays is no hand.

    Ground that a hand uncovers looks like a thing until it is known. How a fingertip came where it
    was found nobody saw.
    """
    first, now = path.first, path.seen[-1]
    if _is_near(path.leapt, now):
        return True
    if path.ever_touched or now.t_ns - first.t_ns > UNCOVERED_NS:
        return False
    reach_mm, way_mm = dist(first.tip_mm, first.root_mm), dist(first.tip_mm, now.tip_mm)
    return reach_mm >= DEEP_MM + UNSEEN_S * first.speed_mm_s and way_mm < UNCOVERED_MM


def _is_near(leapt: HandSeen | None, now: HandSeen) -> bool:
    """Whether a hand is where its fingertip was found a moment ago."""
    if leapt is None or now.t_ns - leapt.t_ns > UNCOVERED_NS:
        return False
    return dist(leapt.tip_mm, now.tip_mm) < UNCOVERED_MM


def _found_resting(path: _Path, slow: float) -> list[Touch]:
    """A hand that was at rest when it was first seen: when it came, nobody knows."""
    now, first = path.seen[-1], path.seen[0]
    if now.speed_mm_s > slow:
        if not path.ever_moved and path.way_mm > LEAST_WAY_MM:
            path.ever_moved = True
        path.rested_since_ns = now.t_ns
        return []
    if path.ever_moved or now.t_ns - path.rested_since_ns < FOUND_RESTING_NS:
        return []
    path.resting = True
    path.way_mm = path.peak_mm_s = 0.0
    return [Touch(now, True, now.tip_mm, first.t_ns, FOUND_RESTING_NS, 0.3 * now.score)]


def _arrival(path: _Path) -> Touch:
    """Return the touch that ends the motion before the last two steps."""
    count = _steps_of_motion(path)
    times, moved = path.times(count), path.steps(count)
    peak = int(moved.argmax())
    instant = stop_time(times, moved, times[min(peak, len(times) - 2)])
    now = path.seen[-1]
    conf = (0.7 + 0.25 * instant.sharp) * min(1.0, now.score / 0.9)
    path.way_mm = path.peak_mm_s = 0.0
    return Touch(now, True, now.tip_mm, round(instant.t_ns), _u_ns(instant, now), round(conf, 3))


def _turned(path: _Path) -> list[Touch]:
    """A touch without a rest: on and off meet in the slowest step, two steps ago."""
    slowest = path.seen[-3]
    count = _steps_of_motion(path, 2)
    times, steps = path.times(count), path.steps(count)
    came = stop_time(times[:-2], steps[:-2], times[-4])
    went = stop_time(-times[:-5:-1], steps[:-4:-1], -times[-3], _GOING)
    sure = np.array([came.sigma_ns, went.sigma_ns]) ** -2.0
    at_ns = float((sure * (came.t_ns, -went.t_ns)).sum() / sure.sum())
    at_ns = min(max(at_ns, times[-4]), times[-3])
    # Coming and going share the slowest step: no better than three eighths of it to either side.
    least_ns = max(abs(came.t_ns + went.t_ns) / 2, 0.375 * (times[-3] - times[-4]))
    u_ns = _u_ns(Instant(at_ns, max(float(sure.sum() ** -0.5), least_ns), came.sharp), slowest)
    conf = round(0.5 * min(1.0, slowest.score / 0.9), 3)
    path.way_mm, path.peak_mm_s = float(steps[-2:].sum()), float(max(path.speeds(2)))
    path.ever_touched = True
    return [Touch(slowest, on, slowest.tip_mm, round(at_ns), u_ns, conf) for on in (True, False)]


def _steps_of_motion(path: _Path, without: int = 0) -> int:
    """Return how many of the last steps belong to the motion that ends `without` of them."""
    times, steps = path.times(MEMORY), path.steps(MEMORY)
    last = len(steps) - without
    # A camera that fell silent in the middle leaves one long step, which is all there is.
    first = min(int(np.searchsorted(times, times[last] - LONGEST_NS)), max(0, last - 1))
    first += _last_push(np.array(path.speeds(MEMORY)[first + 1 : last + 1]))
    recent = steps[first:last]
    start = peak = int(recent.argmax())
    speed = path.speeds(MEMORY)[first + 1 :]
    earliest_ns = times[first + peak] - BEFORE_PEAK_NS
    while (
        start > 0 and times[first + start] > earliest_ns and speed[start - 1] > 0.25 * speed[peak]
    ):
        start -= 1
    return len(steps) - first - start


def _last_push(speeds: Floats) -> int:
    """Return where the last motion begins in some speeds (n,): a hand may wait before it slaps.

    It begins at the slowest step that is so much slower than what follows and what was before.
    """
    begins = range(1, len(speeds) - 1)
    slower = (k for k in begins if _is_between(speeds[:k].max(), speeds[k], speeds[k:].max()))
    return min(slower, key=lambda k: (speeds[k], -k), default=0)


def _is_between(before_mm_s: float, slow_mm_s: float, after_mm_s: float) -> bool:
    """Whether a hand had nearly stopped between two motions."""
    least_mm_s = min(before_mm_s, after_mm_s)
    return least_mm_s > LEAST_PEAK_MM_S and slow_mm_s < WAIT_SHARE * least_mm_s


def _leaving(path: _Path) -> list[Touch]:
    """Look for the beginning of a motion."""
    last = path.speeds(2)
    if len(last) < 2 or min(last) < LEAVING_MM_S or float(path.steps(2).sum()) < LEAVING_MM:
        return []
    count = min(len(path.seen) - 1, 6)
    times, steps = path.times(count), path.steps(count)
    calm = [k for k in range(len(steps)) if steps[k] < 0.5]
    start = max(calm[-1] - 1, 0) if calm else 0
    times, steps = times[start:], steps[start:]
    # Seen backwards in time, a hand that leaves is a hand that comes.
    earliest_ns = -times[-2] if len(times) > 2 else -times[-1]
    back = stop_time(-times[::-1], steps[::-1], earliest_ns, _GOING)
    now = path.seen[-1]
    first = list(path.seen)[-len(times)]
    woke = first.rested and not path.ever_moved
    path.resting = False
    path.way_mm, path.peak_mm_s = float(steps.sum()), max(last)
    path.ever_moved = True
    instant = Instant(max(-back.t_ns, float(path.rested_since_ns)), back.sigma_ns, back.sharp)
    if woke:
        instant = Instant(first.t_ns - WAKING_NS, WAKING_NS / 2, 0.0)
    conf = round(0.85 * min(1.0, now.score / 0.9), 3)
    return [Touch(now, False, first.tip_mm, round(instant.t_ns), _u_ns(instant, now), conf)]


def _lost(path: _Path) -> list[Touch]:
    """A hand that rested and is seen no more: it has left, nobody saw when."""
    if not path.resting:
        return []
    last = path.seen[-1]
    return [Touch(last, False, last.tip_mm, last.t_ns, LOST_NS, 0.3)]


def _u_ns(instant: Instant, hand: HandSeen) -> int:
    """Half the width of the interval that holds the time with 95 %."""
    return round(2.0 * float(np.hypot(instant.sigma_ns, hand.sigma_ns)))
