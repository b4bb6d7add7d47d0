"""Who was first, by how much and how surely: three verdicts, and never a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.pads.densities import Densities, Floats, chances, densities, gaps

NS_PER_MS = 1_000_000
# What a verdict must reach; one in a hundred may be wrong, and that is what the bench counts.
SURE = 0.99
# Touches closer than this are a dead heat by the house's rule, told by pads (2 ms) or by a camera
# of 30 pictures a second alone (one picture).
PAD_DEAD_NS, CAMERA_DEAD_NS = 2 * NS_PER_MS, 33 * NS_PER_MS

Kind = Literal["first", "dead heat", "too close", "conflict"]
KINDS: tuple[Kind, ...] = ("first", "dead heat", "too close", "conflict")
FIRST, DEAD_HEAT, TOO_CLOSE, CONFLICT = range(4)


@dataclass(frozen=True, slots=True)
class Word:
    """What one sensor says of a touch: uniform from `low_ns` to `high_ns`, blurred by `sigma_ns`.

    Times are host time. `sensor` is pad or camera; `evidence` says where it is kept.
    """

    sensor: str
    low_ns: int
    high_ns: int
    sigma_ns: float
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player in a race, and what the sensors say of his touch (at least one of them)."""

    seat: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability that a player was first."""

    seat: str
    p: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a race.

    `first` is named by the kind `first` alone. `chances` are in the order of the contenders.
    The margin is from the likelier first to the next, with the 95 % interval from `low_ns` to
    `high_ns`; negative where the next may have been earlier. `at_odds` are the players whose
    own sensors contradict each other.
    """

    kind: Kind
    first: str | None
    chances: tuple[Chance, ...]
    margin_ns: int
    low_ns: int
    high_ns: int
    dead_ns: int
    at_odds: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """One line for the players."""
        if self.kind == "conflict":
            return f"the pad and the camera disagree about {' and '.join(self.at_odds)}: no verdict"
        if self.kind == "dead heat":
            return f"dead heat (closer than {_ms(self.dead_ns)} ms)"
        if self.kind == "first":
            span = f"{_ms(self.low_ns)} to {_ms(self.high_ns)} ms"
            return f"{self.first} first by {_ms(self.margin_ns)} ms ({span})"
        parts = (f"{chance.seat} {_percent(chance.p)} %" for chance in self.chances)
        return f"too close to call: {', '.join(parts)}"


def _ms(span_ns: int) -> str:
    """Return milliseconds with the places that matter: 118, 3.5, 0.021."""
    span_ms = span_ns / NS_PER_MS
    places = 0 if abs(span_ms) >= 100 else 1 if abs(span_ms) >= 1 else 3
    return f"{span_ms:.{places}f}"


def _percent(p: float) -> int:
    """Return whole per cents, never 0 or 100 where the thing is open."""
    return min(99, max(1, round(100 * p)))


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Many races decided at once; every array has one entry a race.

    `kind` indexes KINDS. `first` and `second` are the players' places, likelier first one first.
    `p_first` is (races, players). Times in nanoseconds.
    """

    kind: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    p_first: Floats
    margin_ns: Floats
    low_ns: Floats
    high_ns: Floats
    conflict: NDArray[np.bool_]


def decide(words: Floats, dead_ns: float) -> Outcomes:
    """Decide many races of the same number of players (two or more).

    `words` is (races, players, sensors, 3), see `densities`. A race is called for a player where
    he was first with 0.99, and by more than `dead_ns` with 0.99; it is a dead heat where both
    were within `dead_ns` with 0.99; else it is too close to call.
    """
    given = densities(words)
    p = chances(given)
    first = np.argmax(p, axis=-1)
    second = _next(given, first)
    gap = gaps(given, first, second)
    conflict = given.conflict.any(axis=-1)
    leads = p.max(axis=-1) >= SURE
    clear = 1 - gap.below(dead_ns) >= SURE
    within = gap.below(dead_ns) - gap.below(-dead_ns) >= SURE
    kind = np.where(within, DEAD_HEAT, TOO_CLOSE)
    kind = np.where(leads & clear, FIRST, kind)
    kind = np.where(conflict, CONFLICT, kind)
    margin, low, high = (gap.quantile_ns(q) for q in (0.5, 0.025, 0.975))
    return Outcomes(kind, first, second, p, margin, low, high, given.conflict)


def _next(given: Densities, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return who came next: of the others, the one whose touch was earliest on average."""
    middles = np.arange(given.mass.shape[-1]) + 0.5
    mean_ns = given.start_ns + given.step_ns * (given.mass @ middles)
    mean_ns[np.arange(len(first)), first] = np.inf
    return np.asarray(np.argmin(mean_ns, axis=-1))


def verdict(contenders: Sequence[Contender], dead_ns: int = PAD_DEAD_NS) -> Verdict:
    """Decide one race of two or more players. The order of the contenders decides nothing."""
    zero_ns = min(word.low_ns for contender in contenders for word in contender.words)
    found = decide(_as_array(contenders, zero_ns), dead_ns)
    kind = KINDS[int(found.kind[0])]
    chances_of = tuple(
        Chance(contender.seat, float(p))
        for contender, p in zip(contenders, found.p_first[0], strict=True)
    )
    return Verdict(
        kind=kind,
        first=contenders[int(found.first[0])].seat if kind == "first" else None,
        chances=chances_of,
        margin_ns=round(float(found.margin_ns[0])),
        low_ns=round(float(found.low_ns[0])),
        high_ns=round(float(found.high_ns[0])),
        dead_ns=dead_ns,
        at_odds=tuple(
            contender.seat
            for contender, odd in zip(contenders, found.conflict[0], strict=True)
            if odd
        ),
        evidence=tuple(w.evidence for c in contenders for w in c.words if w.evidence),
    )


def _as_array(contenders: Sequence[Contender], zero_ns: int) -> Floats:
    most = max(len(contender.words) for contender in contenders)
    words = np.full((1, len(contenders), most, 3), np.nan)
    for row, contender in enumerate(contenders):
        for column, word in enumerate(contender.words):
            words[0, row, column] = (word.low_ns - zero_ns, word.high_ns - zero_ns, word.sigma_ns)
    return words
