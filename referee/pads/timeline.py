"""Hits of several boards on time lines: how far each is certain against the others."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from referee.pads.clock import WANDER_PER_S, Stamp

NS_PER_S = 1_000_000_000
MS = 1_000_000
# A board's line is a chain of straight pieces, each at least this long; hits of one race lie on
# one piece or on two that meet, so that they keep their distance whatever is learnt between them.
PIECE_NS = NS_PER_S // 2
# The line is led to what the clock has learnt by at most this: 2 us in a race of 0.1 s.
LEAD, LEAD_OVER_NS = 20e-6, 10 * NS_PER_S
# After so long without a hit or an edge the line begins anew; no race lasts that long.
ANEW_NS = 5 * NS_PER_S
# How far a crystal may leave its rate in that time.
WANDER_PPM = 1e6 * WANDER_PER_S * ANEW_NS / NS_PER_S
PIECES, PAIRS = 12, 8
# An edge of the sync wire is the same on two boards if it is told within this; edges come every
# 200 ms, and host times are good to some milliseconds on a loaded machine.
SAME_EDGE_NS = 60 * MS
# Two edges tell a rate; after this long without one the wire counts as cut.
WIRE_MEMORY_NS = NS_PER_S
# Largest difference of two boards on a sync wire: 2.0 us in the firmware's simulator.
WIRE_HALF_NS = 2000


@dataclass(frozen=True, slots=True)
class Moment:
    """A time on a line, and how far it may be off there and elsewhere; the bounds are certain.

    `clock` names the line. The distance of two moments on one line is good to the `half_ns` of
    both and, up to four seconds, `rate_ppm` millionths of itself. Against another line, the
    host's own clock, and so against a camera, a moment is good to `host_half_ns`.
    """

    t_ns: int
    half_ns: int
    host_half_ns: int
    clock: str
    rate_ppm: float


@dataclass(frozen=True, slots=True)
class _Piece:
    """A straight piece of a line: from a tick on, host time grows by `tick_ns` a tick."""

    ticks: int
    t_ns: float
    tick_ns: float

    def at(self, ticks: int) -> float:
        return self.t_ns + (ticks - self.ticks) * self.tick_ns


class _Line:
    """One board's line: ticks to host time, continuous, and the same whenever it is asked."""

    def __init__(self) -> None:
        self._pieces: deque[_Piece] = deque(maxlen=PIECES)

    def t_ns(self, ticks: int, stamp: Stamp) -> int:
        """Return the time of a tick, learning from its stamp."""
        last = self._pieces[-1] if self._pieces else None
        run_ns = 0.0 if last is None else (ticks - last.ticks) * stamp.tick_ns
        if last is None or abs(run_ns) > ANEW_NS:
            self._pieces.clear()
            self._pieces.append(_Piece(ticks, stamp.t_ns, stamp.tick_ns))
        elif run_ns > PIECE_NS:
            here_ns = last.at(ticks)
            lead = max(-LEAD, min(LEAD, (stamp.t_ns - here_ns) / LEAD_OVER_NS))
            self._pieces.append(_Piece(ticks, here_ns, stamp.tick_ns * (1 + lead)))
            while (ticks - self._pieces[1].ticks) * stamp.tick_ns > ANEW_NS:
                self._pieces.popleft()
        older = [piece for piece in self._pieces if piece.ticks <= ticks]
        return round((older[-1] if older else self._pieces[0]).at(ticks))

    def rate_ppm(self, stamp: Stamp) -> float:
        """Return how far the rate of any piece may be off, by what a stamp knows."""
        paces = [piece.tick_ns for piece in self._pieces]
        off_ns = max(max(paces) - stamp.shortest_ns, stamp.longest_ns - min(paces))
        return 1e6 * off_ns / stamp.tick_ns + WANDER_PPM


class _Board:
    """A board's line, its latest edges, and which ticks of the first board they were."""

    def __init__(self) -> None:
        self.line = _Line()
        self.edges: deque[tuple[int, Stamp]] = deque(maxlen=PAIRS)
        self.pairs: deque[tuple[int, int]] = deque(maxlen=PAIRS)


class Timeline:
    """The boards' stamps on lines: those on a sync wire on the first board's, others on their own.

    For one thread.
    """

    def __init__(self, first: str) -> None:
        """Begin with the board whose line those on a sync wire share."""
        self._first = first
        self._boards: dict[str, _Board] = {}

    def forget(self, board: str) -> None:
        """Forget a board that was restarted: its ticks begin anew."""
        self._boards.pop(board, None)
        if board == self._first:
            for other in self._boards.values():
                other.pairs.clear()

    def edge(self, board: str, ticks: int, stamp: Stamp | None) -> None:
        """Take an edge of the sync wire as one board saw it."""
        if stamp is None:
            return
        self._board(board).edges.append((ticks, stamp))
        first = self._board(self._first)
        if board == self._first:
            first.line.t_ns(ticks, stamp)
        for name, other in self._boards.items():
            if name != self._first:
                _pair(first, other)

    def moment(self, board: str, ticks: int, stamp: Stamp) -> Moment:
        """Return where a hit of a board lies on the line."""
        own, first = self._board(board), self._board(self._first)
        if own is not first:
            first_ticks = _on_first(own, ticks, stamp)
            if first_ticks is not None and first.edges:
                moved = _moved(*first.edges[-1], first_ticks)
                t_ns = first.line.t_ns(first_ticks, moved)
                host_half_ns = abs(t_ns - stamp.t_ns) + stamp.half_ns
                rate_ppm = first.line.rate_ppm(moved)
                return Moment(t_ns, WIRE_HALF_NS, host_half_ns, self._first, rate_ppm)
        t_ns = own.line.t_ns(ticks, stamp)
        host_half_ns = abs(t_ns - stamp.t_ns) + stamp.half_ns
        return Moment(t_ns, 0, host_half_ns, board, own.line.rate_ppm(stamp))

    def _board(self, board: str) -> _Board:
        return self._boards.setdefault(board, _Board())


def _moved(ticks: int, stamp: Stamp, to_ticks: int) -> Stamp:
    """Return the stamp of a tick near one whose stamp is known."""
    run_ns = round((to_ticks - ticks) * stamp.tick_ns)
    t_ns, low_ns, high_ns = stamp.t_ns + run_ns, stamp.low_ns + run_ns, stamp.high_ns + run_ns
    return replace(stamp, t_ns=t_ns, low_ns=low_ns, high_ns=high_ns)


def _pair(first: _Board, other: _Board) -> None:
    """Find the edges that both boards saw and that are not paired yet."""
    known = {ticks for ticks, _ in other.pairs}
    for ticks, stamp in other.edges:
        near = min(first.edges, key=lambda edge: abs(edge[1].t_ns - stamp.t_ns), default=None)
        if near is None or ticks in known:
            continue
        if abs(near[1].t_ns - stamp.t_ns) < SAME_EDGE_NS:
            other.pairs.append((ticks, near[0]))


def _on_first(own: _Board, ticks: int, stamp: Stamp) -> int | None:
    """Return the first board's tick at a tick of another board's, None without a wire."""
    if len(own.pairs) < 2:
        return None
    (start, first_start), (end, first_end) = own.pairs[0], own.pairs[-1]
    near, first_near = min(own.pairs, key=lambda pair: abs(pair[0] - ticks))
    if abs(ticks - near) * stamp.tick_ns > WIRE_MEMORY_NS or end == start:
        return None
    return round(first_near + (ticks - near) * (first_end - first_start) / (end - start))
