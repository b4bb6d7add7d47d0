"""A board that is not there: speaks `firmware/PROTOCOL.md` byte for byte, in any time one likes.

It has a crystal that is off, a main loop that takes its time, a ring of hits, and no pads: what
the players do is told to it. The real firmware runs in `referee/pads/simulated.py`; this twin is
some thousand times faster, and serves where the host's side is tried a million times.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, replace

from referee.pads.lamp import Pattern, bits_of
from referee.pads.protocol import (
    ARMED,
    BYTE_NS,
    IDLE,
    PROTOCOL,
    REFUSED,
    Ack,
    ConfigTaken,
    Configure,
    Deframer,
    Hello,
    Hit,
    Ident,
    Light,
    Lit,
    Nak,
    Name,
    Ping,
    Pong,
    SelfTest,
    Stat,
    Sync,
    Synced,
    Tested,
    frame,
)

MS = 1_000_000
TICK_HZ = 2_000_000
TICK_NS = 1_000_000_000 // TICK_HZ
STAT_NS, IDENT_NS, RESEND_NS = 500 * MS, 500 * MS, 50 * MS
SCAN_NS = 4 * MS
RING = 64
LOOP_NS = 150_000
FAR_NS = 1 << 62
# The lamp's mode in which it runs a pattern.
RUNS = 3


@dataclass(frozen=True, slots=True, order=True)
class Touch:
    """A touch as the board will feel it: host time, pad, flags, width in ticks, readings."""

    t_ns: int
    pad: int
    peak: int = 600
    flags: int = 0
    width: int = 1800
    baseline: int = 180


@dataclass(frozen=True, slots=True)
class Crystal:
    """A board's clock: how far its rate is off, and how fast that changes (ppm, ppm/s)."""

    ppm: float = 0.0
    ramp_ppm_per_s: float = 0.0

    def ticks(self, span_ns: int) -> int:
        """Return the ticks in this much true time."""
        run_s = span_ns / 1e9
        gain_ns = span_ns * (self.ppm + self.ramp_ppm_per_s * run_s / 2) * 1e-6
        return int((span_ns + gain_ns) / TICK_NS)


@dataclass(frozen=True, slots=True)
class _Due:
    """A ping that waits for the main loop to answer it."""

    ready_ns: int
    id: int
    rx_ns: int


class Twin:
    """One board. `advance` plays it up to a time and returns the frames that left it.

    Used by one thread. Public attributes are what a fault may change from outside: `ident`,
    `stat` (sent with its time and counters filled in), `silent` and `refuses` (to arm). `lamp` is
    the pattern that runs.
    """

    def __init__(
        self, uid: bytes, chance: random.Random, crystal: Crystal = Crystal(), born_ns: int = 0
    ) -> None:
        """Switch the board on at host time `born_ns`."""
        self._chance, self._crystal = chance, crystal
        self.silent, self.refuses = False, False
        self.ident = Ident(
            PROTOCOL, b"\1\0\0", 0, uid, 1, 0, 1, 0b111111, TICK_HZ, 0, 0, 0, 0, IDLE
        )
        zero = (0,) * 16
        self.stat = Stat(0, 1, *zero, baselines=(180,) * 6, noise=bytes(6), supply_mv=5000,
                         temperature_dc=215)  # fmt: skip
        self._touches: list[Touch] = []
        self.restart(born_ns, boot=1)

    def restart(self, t_ns: int, boot: int | None = None) -> None:
        """Reset the board: the clock begins at 0, the ring and the session are lost."""
        boot = self.ident.boot + 1 if boot is None else boot
        self.ident = replace(self.ident, boot=boot, session=0, state=IDLE)
        self.stat = replace(self.stat, boot=boot, state=IDLE, dropped=0)
        self._born_ns = self._now_ns = self._free_ns = t_ns
        self._deframer = Deframer()
        self._ring: deque[Hit] = deque()
        self._first_seq = self._send_seq = self._next_seq = 0
        self._resend_ns = FAR_NS
        self._stat_ns, self._ident_ns = t_ns + STAT_NS, t_ns + IDENT_NS
        self._inbox: deque[tuple[int, bytes]] = deque()
        self._outbox: deque[bytes] = deque()
        self._pongs: deque[_Due] = deque()
        self._edges: list[int] = []
        self._edge_count = 0
        self.lamp: Pattern | None = None
        self._lamp_bit = 0
        self._ident_due = False

    def ticks(self, t_ns: int) -> int:
        """Return the board's 32-bit tick at a host time."""
        return self._crystal.ticks(t_ns - self._born_ns) % (1 << 32)

    def leap(self, span_ns: int) -> None:
        """Let the board's clock leap ahead, as no sound clock does."""
        self._born_ns -= span_ns

    def touch(self, touch: Touch) -> None:
        """Let a pad be touched."""
        heapq.heappush(self._touches, touch)

    def edge(self, t_ns: int) -> None:
        """Let the sync wire fall."""
        heapq.heappush(self._edges, t_ns)

    def receive(self, data: bytes, t_ns: int) -> None:
        """Bring bytes from the host; the last arrives at `t_ns`."""
        self._inbox.append((t_ns, data))

    def next_ns(self) -> int:
        """Return when the board does something next by itself."""
        times = [self._stat_ns, self._resend_ns if self._ring else FAR_NS]
        times += [self._touches[0].t_ns + SCAN_NS] if self._touches else []
        times += [self._edges[0]] if self._edges else []
        times += [self._lamp_due_ns()] if self.lamp else []
        times += [self._inbox[0][0]] if self._inbox else []
        times += [self._ident_ns] if self.ident.state != ARMED else []
        times += [max(self._free_ns, self._pongs[0].ready_ns)] if self._pongs else []
        if self._outbox or self._ident_due or self._send_seq < self._next_seq:
            times.append(self._free_ns)
        return max(min(times), self._now_ns)

    def advance(self, until_ns: int) -> list[tuple[int, bytes]]:
        """Play the board up to `until_ns`; returns frames and when their last byte had left."""
        sent: list[tuple[int, bytes]] = []
        while (t_ns := self.next_ns()) <= until_ns:
            self._now_ns = t_ns
            self._happen(t_ns)
            if self._free_ns <= t_ns:
                data = self._frame(t_ns)
                if data:
                    self._free_ns = t_ns + len(data) * BYTE_NS
                    if not self.silent:
                        sent.append((self._free_ns, data))
        self._now_ns = until_ns
        return sent

    def _happen(self, t_ns: int) -> None:
        while self._inbox and self._inbox[0][0] <= t_ns:
            at_ns, data = self._inbox.popleft()
            for word in self._deframer.feed(data):
                self._obey(word, at_ns)
        while self._touches and self._touches[0].t_ns + SCAN_NS <= t_ns:
            self._felt(heapq.heappop(self._touches))
        while self._edges and self._edges[0] <= t_ns:
            at_ns = heapq.heappop(self._edges)
            self._edge_count += 1
            self._outbox.append(frame(Synced(self.ticks(at_ns), self._edge_count % 65536, 0)))
        if self.lamp and self._lamp_due_ns() <= t_ns:
            self._flash(self.lamp)
        if t_ns >= self._resend_ns and self._ring:
            self._send_seq, self._resend_ns = self._first_seq, t_ns + RESEND_NS
        if t_ns >= self._stat_ns:
            self._stat_ns += STAT_NS + self._chance.randrange(LOOP_NS)
            self._outbox.append(b"stat")
        if t_ns >= self._ident_ns:
            self._ident_ns += IDENT_NS
            self._ident_due = self.ident.state != ARMED

    def _lamp_due_ns(self) -> int:
        assert self.lamp is not None
        return round(self.lamp.start_ns + self._lamp_bit * self.lamp.bit_ns)

    def _flash(self, lamp: Pattern) -> None:
        """Begin the next bit of the pattern; the first and every change are told."""
        *before, level = bits_of(lamp.seed, self._lamp_bit + 1)[-2:]
        if not before or before[0] != level:
            at = self.ticks(self._lamp_due_ns())
            self._outbox.append(frame(Lit(at, self._lamp_bit % 65536, int(level))))
        self._lamp_bit += 1

    def _felt(self, touch: Touch) -> None:
        if self.ident.state != ARMED:
            return
        if len(self._ring) >= RING:
            self.stat = replace(self.stat, dropped=min(65535, self.stat.dropped + 1))
            return
        late_ns = self._chance.randrange(300, 1500)
        peaks = bytes(touch.peak // 4 if pad == touch.pad else 45 for pad in range(6))
        hit = Hit(
            self._next_seq % 65536, touch.pad, touch.flags, self.ticks(touch.t_ns + late_ns),
            touch.width, touch.peak, touch.baseline, peaks,
        )  # fmt: skip
        if not self._ring:
            self._resend_ns = self._now_ns + RESEND_NS
        self._ring.append(hit)
        self._next_seq += 1

    def _obey(self, word: object, t_ns: int) -> None:
        match word:
            case Hello(protocol=protocol, session=session):
                if protocol == self.ident.protocol and session != self.ident.session:
                    self._ring.clear()
                    self._first_seq = self._send_seq = self._next_seq = 0
                    state = REFUSED if self.refuses else ARMED
                    self.ident = replace(self.ident, session=session, state=state)
                    self.stat = replace(self.stat, state=state)
                self._ident_due = True
            case Ping():
                rx_ns = t_ns + self._chance.randrange(LOOP_NS)
                self._pongs.append(_Due(rx_ns + self._chance.randrange(LOOP_NS), word.id, rx_ns))
            case Ack(next=number):
                self._acknowledged(number, t_ns)
            case Nak(missing=number):
                ahead = (number - self._first_seq) % 65536
                if ahead < len(self._ring):
                    self._send_seq = min(self._send_seq, self._first_seq + ahead)
            case Name(uid=uid):
                self.ident = replace(self.ident, uid=uid)
                self._ident_due = True
            case Configure(pad=pad, field=number, value=value):
                self._outbox.append(frame(ConfigTaken(pad, number, value, 1, 0)))
            case SelfTest(kind=kind, pad=pad):
                self._outbox.append(frame(Tested(kind, pad, (180, 700, 400, 180))))
            case Light(mode=mode, bit_ms=bit_ms, seed=seed):
                # By the host's time: a bit is wrong by as little as the crystal is.
                running = Pattern(t_ns + MS, bit_ms * MS, seed)
                self.lamp, self._lamp_bit = (running if mode == RUNS else None), 0
            case Sync():
                pass

    def _acknowledged(self, number: int, t_ns: int) -> None:
        ahead = (number - self._first_seq) % 65536
        if 0 < ahead <= len(self._ring):
            for _ in range(ahead):
                self._ring.popleft()
            self._first_seq += ahead
            self._send_seq = max(self._send_seq, self._first_seq)
            self._resend_ns = t_ns + RESEND_NS

    def _frame(self, t_ns: int) -> bytes:
        """Return the next frame to leave, in the order of the protocol; empty for none."""
        if self._pongs and self._pongs[0].ready_ns <= t_ns:
            due = self._pongs.popleft()
            return frame(Pong(due.id, self.ticks(due.rx_ns), self.ticks(t_ns), 0))
        if self._ident_due:
            self._ident_due = False
            first, after = self._first_seq % 65536, self._next_seq % 65536
            return frame(replace(self.ident, first_seq=first, next_seq=after))
        if self._outbox:
            data = self._outbox.popleft()
            return self._stat_frame(t_ns) if data == b"stat" else data
        if self._send_seq < self._next_seq:
            hit = self._ring[self._send_seq - self._first_seq]
            self._send_seq += 1
            return frame(hit)
        return b""

    def _stat_frame(self, t_ns: int) -> bytes:
        first, after = self._first_seq % 65536, self._next_seq % 65536
        stat = replace(self.stat, t=self.ticks(t_ns), next_seq=after, acked_seq=first)
        return frame(stat)
