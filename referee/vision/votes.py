"""What a card is believed to be after many reads: looks that repeat each other count little."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from referee.values.spots import NOT_READ

# One read may say at most 150 : 1, and as long as it is the only one at most 24 : 1.
MOST_OF_ONE, MOST_ALONE = 5.0, 3.2
# What a lying card shows stays the same from look to look but for the noise, and so do the
# reader's errors: many looks are worth so many looks at as many cards. Of 48 filmed still tables
# with 1656 cards the names were likeliest with 1.5 to 1.8 (`referee bench still`).
ALL_LOOKS = 1.67
# How far a look moves the evidence for its name to what all looks like it are worth; where another
# name is established, less.
NEARER, NEARER_BESIDE = 0.5, 0.25
# A look speaks by so much of its weight against other names, if it is at least so sure by itself
# as a share of what it speaks against: what is half covered by a hand shows less than before.
AGAINST, LEAST_AGAINST = 0.25, 0.25
# A name is said from 9 : 1 on, over both nothing and the next best name.
SAID_FROM = 2.2


@dataclass(frozen=True)
class Votes:
    """Evidence for each label, in nats, the strongest first, of so many looks.

    What it says is asked of every card many times a frame, and reckoned once.
    """

    tally: tuple[tuple[str, float], ...] = ()
    looks: int = 0

    def with_read(self, label: str, score: float) -> Votes:
        """Return the votes after one more read; a read without a name says nothing."""
        if label == NOT_READ:
            return self
        weight = min(MOST_OF_ONE, max(0.1, math.log(score / max(1e-3, 1.0 - score))))
        new = {name: _after(value, weight) for name, value in self.tally}
        new[label] = self._with(label, weight)
        ranked = sorted(new.items(), key=lambda one: (-one[1], one[0]))
        return Votes(tuple(one for one in ranked if one[1] > 0.0), self.looks + 1)

    def _with(self, label: str, weight: float) -> float:
        """Return the evidence for a label after a look that says it."""
        beside = self.label not in (label, NOT_READ)
        value = dict(self.tally).get(label, 0.0)
        if value == 0.0:
            return weight / 2 if beside else weight
        nearer = NEARER_BESIDE if beside else NEARER
        return value + max(0.0, nearer * (ALL_LOOKS * weight - value))

    @cached_property
    def lead(self) -> float:
        """By how much the best label leads, as log odds."""
        if not self.tally:
            return 0.0
        second = self.tally[1][1] if len(self.tally) > 1 else 0.0
        lead = self.tally[0][1] - second
        return lead if self.looks > 1 else min(MOST_ALONE, lead)

    @cached_property
    def label(self) -> str:
        """The label that is believed, `??` while in doubt."""
        return self.tally[0][0] if self.lead >= SAID_FROM else NOT_READ

    @cached_property
    def conf(self) -> float:
        """The probability that the label is right."""
        return 1.0 / (1.0 + math.exp(-self.lead))


def _after(value: float, weight: float) -> float:
    """Return the evidence for a label after a look that says another one."""
    return max(0.0, value - AGAINST * weight) if weight >= LEAST_AGAINST * value else value
