"""What a talk waits for: hits by their numbers, and questions until they are answered."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.pads.protocol import Configure, Name, SelfTest

RING = 64
SEQS = 1 << 16


@dataclass
class Asked:
    """A question that is repeated until it is answered."""

    word: Configure | SelfTest | Name
    due_ns: int = 0
    tries: int = 0


@dataclass
class Arrivals:
    """Which hits have come: all below `next`, and those in `ahead`."""

    next: int = 0
    ahead: set[int] = field(default_factory=set)
    ack_due_ns: int | None = None
    acked: int = -1
    nak_due_ns: int = 0

    def take(self, seq16: int) -> int | None:
        """Return the extended number of a new hit, None for one that came before."""
        ahead = (seq16 - self.next) % SEQS
        if ahead >= RING or self.next + ahead in self.ahead:
            return None
        seq = self.next + ahead
        self.ahead.add(seq)
        while self.next in self.ahead:
            self.ahead.remove(self.next)
            self.next += 1
        return seq
