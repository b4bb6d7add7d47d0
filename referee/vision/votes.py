"""What a card is believed to be after many reads: evidence added up, doubt kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from referee.values.spots import NOT_READ

# The reader's scores are calibrated, but its errors on one card repeat from frame to frame, so
# that one read may say at most 24 : 1 and all together e^8 : 1.
MOST_OF_ONE, MOST_OF_ALL = 3.2, 8.0
# A name is said from 12 : 1 on, over both nothing and the next best name.
SAID_FROM = 2.5


@dataclass(frozen=True, slots=True)
class Votes:
    """Evidence for each label, in nats, the strongest first."""

    tally: tuple[tuple[str, float], ...] = ()

    def with_read(self, label: str, score: float) -> Votes:
        """Return the votes after one more read; a read for one label speaks against the others."""
        if label == NOT_READ:
            return self
        weight = min(MOST_OF_ONE, max(0.1, math.log(score / max(1e-3, 1.0 - score))))
        old = dict(self.tally)
        new = {name: max(0.0, value - weight / 2) for name, value in old.items() if name != label}
        new[label] = min(MOST_OF_ALL, old.get(label, 0.0) + weight)
        ranked = sorted(new.items(), key=lambda one: (-one[1], one[0]))
        return replace(self, tally=tuple(one for one in ranked if one[1] > 0.0))

    @property
    def lead(self) -> float:
        """By how much the best label leads."""
        if not self.tally:
            return 0.0
        second = self.tally[1][1] if len(self.tally) > 1 else 0.0
        return self.tally[0][1] - second

    @property
    def label(self) -> str:
        """The label that is believed, `??` while in doubt."""
        return self.tally[0][0] if self.lead >= SAID_FROM else NOT_READ

    @property
    def conf(self) -> float:
        """The probability that the label is right."""
        return 1.0 / (1.0 + math.exp(-self.lead))
