"""A board's clock on the host's: the ticks of a hit as host time with a guaranteed bound.

Every ping says two things for certain: the board received it after the host sent it, and the host
received the answer after the board sent it. The clocks that fit all pings of the last 30 s form a
polygon; its extent at a tick is where the hit's host time must lie, whatever the USB path did.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from referee.pads.bounds import Extent, NoLine, Point, extent

NS_PER_S = 1_000_000_000
# What a clock is told from. Longer gains little: the allowance for wander grows with its square.
MEMORY_NS = 30 * NS_PER_S
# Ceramic resonators of hobby boards were measured up to 0.2 % off; five times that is no clock.
MOST_RATE_ERROR = 0.01
# How fast a resonator's rate may change: twice what 10 ppm/degC makes of a board that is touched
# by a warm hand (1.2 degC/min).
WANDER_PER_S = 0.4e-6
# Of the pings within one bucket only the tightest each way is kept, 60 of 600 points: the bound
# stays guaranteed and grows by less than 5 % (tried on four modelled USB paths).
BUCKET_NS = NS_PER_S // 2
# The stretch over which the wavering of both ways is looked at.
LOOK_BACK_NS = 8 * NS_PER_S
# Fewer exchanges say too little: the bound would be right, and tens of milliseconds wide.
FEWEST_EXCHANGES = 8
WRAP = 1 << 32


@dataclass(frozen=True, slots=True)
class Exchange:
    """One ping: host times of sending and receiving, ticks of the board's receiving and sending.

    `sent_ns` is the earliest time at which the ping can have reached the board, `received_ns` the
    latest at which the answer can have left it: what is known of the wire is taken off already.
    Ticks are extended to 64 bits.
    """

    sent_ns: int
    received_ns: int
    rx_ticks: int
    tx_ticks: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """A board's tick as host time: most likely `t_ns`, for certain from `low_ns` to `high_ns`.

    `tick_ns` is how long a tick lasts by the host's clock: most likely so, for certain from
    `shortest_ns` to `longest_ns`.
    """

    t_ns: int
    low_ns: int
    high_ns: int
    tick_ns: float
    shortest_ns: float
    longest_ns: float

    @property
    def half_ns(self) -> int:
        """The largest error that `t_ns` can have."""
        return max(self.high_ns - self.t_ns, self.t_ns - self.low_ns)


class ClockFault(Exception):
    """The pings fit no clock at all: the board's time jumped, or the host's."""


def extended(ticks32: int, near_ticks: int) -> int:
    """Return the 64-bit tick count with these lower 32 bits that is nearest to `near_ticks`."""
    ahead = (ticks32 - near_ticks) % WRAP
    return near_ticks + (ahead - WRAP if ahead >= WRAP // 2 else ahead)


class _Points:
    """The tightest point of each stretch of time, on one side of the clock."""

    def __init__(self, side: int) -> None:
        """Begin empty; `side` is 1 for points below the clock, -1 for points above it."""
        self.kept: deque[tuple[int, Point]] = deque()
        self._side = side

    def add(self, point: Point, slope: float) -> bool:
        """Take a point; `slope` is about the clock's, to tell which of two points is tighter.

        Returns whether a new stretch of time began with it.
        """
        number = int(point[0] // BUCKET_NS)
        same = bool(self.kept) and self.kept[-1][0] == number
        if same:
            last = self.kept.pop()[1]
            point = max(point, last, key=lambda p: self._side * (p[1] - slope * p[0]))
        self.kept.append((number, point))
        while self.kept[0][0] < number - MEMORY_NS // BUCKET_NS:
            self.kept.popleft()
        return not same

    def waver(self, slope: float) -> float:
        """Return how much longer than the quickest the middling way takes, in nanoseconds."""
        recent = list(self.kept)[-LOOK_BACK_NS // BUCKET_NS :]
        heights = sorted(self._side * (y - slope * x) for _, (x, y) in recent)
        return heights[-1] - heights[len(heights) // 2]

    def seen_from(self, x: float) -> list[Point]:
        """Return the points, eased by what the clock may wander between them and `x`."""
        return [(px, py - self._side * _wander(px - x)) for _, (px, py) in self.kept]


class BoardClock:
    """The map from one board's ticks to host time. Used by one thread.

    Inside, x is the board's nominal nanoseconds since the first exchange and y the host's minus
    those, so that numbers stay small enough for exact floats.
    """

    def __init__(self, tick_hz: int) -> None:
        """Begin without knowing anything; `tick_hz` is the nominal rate of the ticks."""
        self._tick_ns = NS_PER_S / tick_hz
        self._zero: tuple[int, int] | None = None
        self._slope = 0.0
        self._below, self._above = _Points(1), _Points(-1)
        self.exchanges = 0

    @property
    def ready(self) -> bool:
        """Whether there are pings enough to tell a time."""
        return self.exchanges >= FEWEST_EXCHANGES

    def restart(self) -> None:
        """Forget everything: the board was reset, or a clock jumped."""
        self._zero, self._slope, self.exchanges = None, 0.0, 0
        self._below, self._above = _Points(1), _Points(-1)

    def add(self, exchange: Exchange) -> None:
        """Take one exchange. Raises ClockFault when it fits no clock with those before."""
        if self._zero is None:
            self._zero = (exchange.rx_ticks, exchange.sent_ns)
        # A count of t may mean almost t + 1 ticks.
        below = self._point(self._zero, exchange.rx_ticks + 1, exchange.sent_ns)
        above = self._point(self._zero, exchange.tx_ticks, exchange.received_ns)
        began = self._below.add(below, self._slope)
        self._above.add(above, self._slope)
        self.exchanges += 1
        now = self._extent(above[0])
        if began:
            self._slope = _middle(now)

    def heard(self, tx_ticks: int, received_ns: int) -> None:
        """Take what the board sent unasked at a known tick. Raises ClockFault as `add` does.

        Answers leave the board soon after a USB frame brought the ping, and so wait for nearly a
        whole frame each time. What the board sends by its own clock meets the frames at every
        phase, and bounds the clock several times closer.
        """
        if self._zero is not None:
            above = self._point(self._zero, tx_ticks, received_ns)
            self._above.add(above, self._slope)
            self._extent(above[0])

    def stamp(self, ticks: int) -> Stamp:
        """Return the host time of a tick. Raises ClockFault when nothing is known."""
        if self._zero is None:
            raise ClockFault("no ping was answered yet")
        x = (ticks - self._zero[0]) * self._tick_ns
        found = self._extent(x)
        start_ns = self._zero[1] + round(x)
        likely = found.low + (found.high - found.low) * self._share_out()
        t_ns, low_ns, high_ns = (start_ns + round(y) for y in (likely, found.low, found.high))
        slopes = (_middle(found), found.least_slope, found.most_slope)
        return Stamp(t_ns, low_ns, high_ns, *(self._tick_ns * (1 + s) for s in slopes))

    def _share_out(self) -> float:
        """Return where in the bound the time most likely lies, from 0 (low) to 1.

        What is not known of either way is about as long as that way wavers: the way back, which
        waits in the adapter's chip, commonly wavers more, and the truth is nearer to the low end.
        The error on five modelled cables with crystals at +-4200 ppm is at most 130 us (99 %);
        at the middle of the bound it is 90 to 280 us.
        """
        out, back = self._below.waver(self._slope), self._above.waver(self._slope)
        return (out + 1) / (out + back + 2)

    def _point(self, zero: tuple[int, int], ticks: int, host_ns: int) -> Point:
        x = (ticks - zero[0]) * self._tick_ns
        return x, (host_ns - zero[1]) - x

    def _extent(self, x: float) -> Extent:
        try:
            below, above = self._below.seen_from(x), self._above.seen_from(x)
            return extent(below, above, x, MOST_RATE_ERROR)
        except NoLine:
            raise ClockFault("a clock jumped") from None


def _middle(found: Extent) -> float:
    """Return the likeliest slope.

    On four modelled cables it is off by 0.7 us in 100 ms at most after 20 s, 7 us after 6 s, 70 us
    after 2 s; the rise of the value over the last seconds is off by more.
    """
    return (found.least_slope + found.most_slope) / 2


def _wander(span_ns: float) -> float:
    """Return how far a clock may have left its tangent after this time, in nanoseconds."""
    return WANDER_PER_S / NS_PER_S * span_ns * span_ns / 2
