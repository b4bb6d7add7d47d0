"""Modelled ways from a board to the host and back: adapter chip, USB frames, operating system.

The models follow the chips' own sources and sheets, not measured hardware: the ATmega16U2 of an
Uno flushes at each turn of a free 4.096 ms timer, an FTDI chip after its latency timer, a board
with USB of its own (cdc) at once; USB moves data in frames of 1 ms; one read in a hundred waits
some 2 ms longer for the operating system.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from referee.pads.protocol import BYTE_NS

FRAME_NS = 1_000_000
FLUSH_NS = {"16u2": 4_096_000, "ftdi16": 16_000_000, "ftdi1": 1_000_000, "cdc": 0, "raw": 0}
# Chips send at once when this much waits.
FULL_BYTES = {"16u2": 96, "ftdi16": 62, "ftdi1": 62, "cdc": 64, "raw": 1}
LATE_SHARE, LATE_NS = 0.01, 2_000_000
# Crystals of adapter chips: how far their timers drift against the host's USB frames.
CHIP_PPM = (20.0, 100.0)


@dataclass(frozen=True, slots=True)
class Damage:
    """What a bad line does: chance of damage to each byte, and outages (from, to) in ns."""

    per_byte: float = 0.0
    outages: tuple[tuple[int, int], ...] = ()

    def hits(self, t_ns: int) -> bool:
        """Return whether nothing passes at this time."""
        return any(start <= t_ns < end for start, end in self.outages)


SOUND = Damage()


class Path:
    """One cable: bytes in at a time, bytes out at a later one, in order. Times in host ns."""

    def __init__(self, kind: str, chance: random.Random, damage: Damage = SOUND) -> None:
        """Lay the cable; `kind` is one of FLUSH_NS."""
        self._flush_ns = FLUSH_NS[kind]
        self._full_bytes = FULL_BYTES[kind]
        self._raw = kind == "raw"
        self._chance = chance
        self._damage = damage
        self._frame_phase_ns = chance.random() * FRAME_NS
        self._flush_phase_ns = chance.random() * max(1, self._flush_ns)
        self._chip = 1 + chance.choice((-1, 1)) * chance.uniform(*CHIP_PPM) * 1e-6
        self._line_free_ns = 0
        self._to_host_ns = 0
        self._waiting = (0, 0)

    def to_board(self, data: bytes, t_ns: int) -> tuple[int, bytes]:
        """Return when the last of these bytes reaches the board, and what is left of them."""
        start_ns = t_ns if self._raw else self._frame_after(t_ns + self._late_ns())
        start_ns = max(start_ns, self._line_free_ns)
        self._line_free_ns = start_ns + len(data) * BYTE_NS
        return self._line_free_ns, self._damaged(data, self._line_free_ns)

    def to_host(self, data: bytes, t_ns: int) -> tuple[int, bytes]:
        """Return when the host can read bytes whose last left the board at `t_ns`."""
        flush_ns = self._flushed_ns(t_ns, len(data))
        read_ns = flush_ns if self._raw else self._frame_after(flush_ns) + self._late_ns()
        read_ns += round(self._chance.uniform(20_000, 100_000))
        self._to_host_ns = max(self._to_host_ns, read_ns)
        return self._to_host_ns, self._damaged(data, self._to_host_ns)

    def _flushed_ns(self, t_ns: int, length: int) -> int:
        if not self._flush_ns:
            return t_ns
        turn = math.floor((t_ns * self._chip - self._flush_phase_ns) / self._flush_ns)
        at_ns = ((turn + 1) * self._flush_ns + self._flush_phase_ns) / self._chip
        waiting = length + (self._waiting[1] if self._waiting[0] == turn else 0)
        if waiting >= self._full_bytes:
            self._waiting = (turn, waiting - self._full_bytes)
            return t_ns
        self._waiting = (turn, waiting)
        return round(at_ns)

    def _frame_after(self, t_ns: int) -> int:
        turn = math.floor((t_ns - self._frame_phase_ns) / FRAME_NS) + 1
        return round(turn * FRAME_NS + self._frame_phase_ns)

    def _late_ns(self) -> int:
        late = self._chance.random() < LATE_SHARE
        return round(self._chance.expovariate(1 / LATE_NS)) if late else 0

    def _damaged(self, data: bytes, t_ns: int) -> bytes:
        """Return the bytes with some flipped, dropped or invented; none during an outage."""
        if self._damage.outages and self._damage.hits(t_ns):
            return b""
        share = self._damage.per_byte
        if not share:
            return data
        chance = self._chance
        at = self._next_damage(share)
        if at >= len(data):
            return data
        out = bytearray(data)
        while at < len(out):
            way = chance.randrange(3)
            if way == 0:
                out[at] ^= 1 << chance.randrange(8)
            elif way == 1:
                del out[at]
            else:
                out.insert(at, chance.randrange(256))
            at += 1 + self._next_damage(share)
        return bytes(out)

    def _next_damage(self, share: float) -> int:
        return int(math.log(1 - self._chance.random()) / math.log(1 - share))
