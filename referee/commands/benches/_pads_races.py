"""Races with a known outcome for `referee bench pads`: are the verdicts as good as they say?

The verdicts are the judge's, on the events that pads and cameras give him. The errors here are
drawn afresh and not by the verdict's own formulas: lateness of the sensor, rounding, the other
board's clock, the camera's frames.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.pads.fuse import Fused, Fusion, pad_hit
from referee.pads.hits import Struck
from referee.rulebook.races import SURE, Finish, Instant, finish
from referee.rulebook.setup import Setup
from referee.values import Actor, HandOn

Floats = NDArray[np.float64]
US, MS, S = 1e3, 1e6, 1_000_000_000
# Of the pads, as learnt and as not learnt; of a camera of 30 pictures a second.
WALK_SD_NS, WALK_NS, CLOCK_HALF_NS = 60 * US, 500 * US, 300 * US
FRAME_NS, EXPOSURE_NS, PICK_SD_NS = 33.3 * MS, 16 * MS, 3 * MS
SETUP = Setup("", "nerves", ("A", "B"), "PLAY", None, {})
# How one player's touches at given times (races,) are told to the judge.
Sensor = Callable[[Floats, np.random.Generator], Iterator[Instant]]


@dataclass(frozen=True, slots=True)
class Tally:
    """How the verdicts of one sensor mix did.

    `wrong_share` is of the decisive ones. `worst_decile` is the largest distance between what a
    decile of probabilities promised and what happened. `covered` is the share of margins inside
    their 95 % interval.
    """

    mix: str
    races: int
    called: int
    dead_heats: int
    open: int
    wrong_share: float
    worst_decile: float
    covered: float
    fewest_in_decile: int


def _struck(
    low_ns: float, high_ns: float, sigma_ns: float, board: str = "00", off_ns: int = 0
) -> Struck:
    return Struck(board, 0, "mid", 0, low_ns, high_ns, sigma_ns, off_ns, 600, board, 0.0)


def _calibrated(t: Floats, chance: np.random.Generator) -> Iterator[Struck]:
    """A normal lateness and rounding."""
    stamp = t + chance.normal(0, WALK_SD_NS, t.shape) + chance.uniform(300, 1500, t.shape)
    for at in np.floor(stamp / 500) * 500:
        yield _struck(at - 1500, at - 300, WALK_SD_NS)


def _plain(t: Floats, chance: np.random.Generator) -> Iterator[Struck]:
    """A pad that nobody calibrated: late by anything up to half a millisecond."""
    for at in t + chance.uniform(0, WALK_NS, t.shape) + chance.uniform(300, 1500, t.shape):
        yield _struck(at - 900 - WALK_NS, at - 900, 1200 / math.sqrt(12))


def _elsewhere(t: Floats, chance: np.random.Generator) -> Iterator[Struck]:
    """A calibrated pad of another board, whose clock is known within a bound."""
    apart = chance.uniform(-CLOCK_HALF_NS, CLOCK_HALF_NS, t.shape)
    for touch, off in zip(_calibrated(t, chance), apart, strict=True):
        ends_ns = touch.low_ns + off, touch.high_ns + off
        yield _struck(*ends_ns, touch.sigma_ns, "01", round(CLOCK_HALF_NS))


def _seen(t: Floats, chance: np.random.Generator) -> Iterator[HandOn]:
    """A hand: between the last picture without contact and the first with."""
    phase = chance.uniform(0, FRAME_NS, t.shape)
    first = np.ceil((t - phase) / FRAME_NS) * FRAME_NS + phase
    # A contact within an exposure is seen in that picture or in the next.
    shift = chance.uniform(-EXPOSURE_NS / 2, EXPOSURE_NS / 2, t.shape)
    shift = shift + chance.normal(0, PICK_SD_NS, t.shape)
    sigma_ns = math.hypot(EXPOSURE_NS / math.sqrt(12), PICK_SD_NS)
    u_ns = round(math.hypot(0.475 * FRAME_NS, 1.96 * sigma_ns))
    for at in first + shift - FRAME_NS / 2:
        yield HandOn(n=0, t_ns=round(at), u_ns=u_ns, actor=Actor("A", "R"), zone="mid")


def _pad(touches: Callable[[Floats, np.random.Generator], Iterator[Struck]]) -> Sensor:
    def told(t: Floats, chance: np.random.Generator) -> Iterator[Instant]:
        return (SETUP.instant(pad_hit(touch)) for touch in touches(t, chance))

    return told


def _camera(t: Floats, chance: np.random.Generator) -> Iterator[Instant]:
    return (SETUP.instant(hand) for hand in _seen(t, chance))


def _both(t: Floats, chance: np.random.Generator) -> Iterator[Instant]:
    """A touch that is felt and seen: one event, as the pads and the camera are joined."""
    for touch, hand in zip(_plain(t, chance), _seen(t, chance), strict=True):
        fusion = Fusion()
        fusion.struck(touch)
        fusion.hand(hand)
        (fused,) = fusion.until(touch.t_ns + S)
        assert isinstance(fused, Fused)
        yield SETUP.instant(fused.event)


# Name, the sensor of either player, the span of leads that are tried (either way), the house's
# dead-heat width. Spans are so short that most races are close ones, the hard case; and as long as
# the sensors may err, or the ends of the span would tell more of a race than they do.
MIXES: tuple[tuple[str, Sensor, Sensor, float, float], ...] = (
    ("pads of one board, calibrated", _pad(_calibrated), _pad(_calibrated), 0.35 * MS, 0),
    ("pads of one board, as they come", _pad(_plain), _pad(_plain), 0.6 * MS, 0),
    ("pads of two boards, no sync wire", _pad(_calibrated), _pad(_elsewhere), 1.0 * MS, 0),
    ("pads, dead-heat width 2 ms", _pad(_plain), _pad(_plain), 2.6 * MS, 2 * MS),
    ("camera alone", _camera, _camera, 60 * MS, 0),
    ("a pad against the camera", _pad(_calibrated), _camera, 40 * MS, 0),
    ("pad and camera each", _both, _both, 0.6 * MS, 0),
)


def tally(number: int, races: int, seed: int) -> Tally:
    """Return how the verdicts of one mix did over many races."""
    name, one, other, span_ns, dead_ns = MIXES[number]
    chance = np.random.default_rng(seed)
    lead = chance.uniform(-span_ns, span_ns, races)
    t = S + chance.uniform(0, S, races)
    draw_ns = round(dead_ns) or None
    told = zip(one(t, chance), other(t + lead, chance), strict=True)
    found = [finish(a, b, draw_ns=draw_ns) for a, b in told]
    sign = np.array([1 if race.earlier == 0 else -1 for race in found])
    margin = np.array([race.margin_ns for race in found])
    half = np.array([race.half_ns for race in found])
    p = np.array([race.p_first for race in found], dtype=np.float64)
    called = np.array([race.how == "clocks" for race in found])
    tied = np.array([_is_dead_heat(race) for race in found])
    true = lead * sign
    right = np.where(tied, np.abs(lead) <= dead_ns, true > 0)
    decisive = called | tied
    both, happened = np.concatenate([p, 1 - p]), np.concatenate([true > 0, true <= 0])
    return Tally(
        mix=name,
        races=races,
        called=int(called.sum()),
        dead_heats=int(tied.sum()),
        open=int((~decisive).sum()),
        wrong_share=float(1 - right[decisive].mean()) if decisive.any() else 0.0,
        worst_decile=_worst_decile(both, happened),
        covered=float((np.abs(true - margin) <= half).mean()),
        fewest_in_decile=int(np.bincount(_deciles(both), minlength=10).min()),
    )


def _is_dead_heat(race: Finish) -> bool:
    return race.how == "window" and race.p_within >= SURE


def _deciles(p: Floats) -> NDArray[np.int64]:
    return np.minimum((p * 10).astype(np.int64), 9)


def _worst_decile(p: Floats, happened: NDArray[np.bool_]) -> float:
    """Return the largest distance between promise and outcome over deciles of probability."""
    decile = _deciles(p)
    groups = [decile == number for number in range(10)]
    apart = [abs(float(p[g].mean() - happened[g].mean())) for g in groups if g.any()]
    return max(apart)
