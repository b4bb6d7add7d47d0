"""Races with a known outcome for `referee bench pads`: are the verdicts as good as they say?

The errors here are drawn afresh and not by the verdict's own formulas: lateness of the sensor,
rounding, the other board's clock, the camera's frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.pads.verdict import CONFLICT, DEAD_HEAT, FIRST, decide

Floats = NDArray[np.float64]
US, MS = 1e3, 1e6
CHUNK = 4000
# Of the pads, as learnt and as not learnt; of a camera of 30 pictures a second.
WALK_SD_NS, WALK_NS, CLOCK_HALF_NS = 60 * US, 500 * US, 300 * US
FRAME_NS, EXPOSURE_NS, PICK_SD_NS = 33.3 * MS, 16 * MS, 3 * MS


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
    conflicts: int
    wrong_share: float
    worst_decile: float
    covered: float
    fewest_in_decile: int


def _pad_words(t: Floats, chance: np.random.Generator, sd_ns: float, half_ns: float) -> Floats:
    """Return words of calibrated pads: a normal lateness, rounding, and another board's clock."""
    stamp = t + chance.normal(0, sd_ns, t.shape) + chance.uniform(300, 1500, t.shape)
    stamp = np.floor(stamp / 500) * 500 + chance.uniform(-half_ns, half_ns, t.shape)
    low, high = stamp - 900 - half_ns, stamp - 900 + half_ns
    sigma = np.full(t.shape, np.hypot(sd_ns, 1200 / np.sqrt(12)))
    if not half_ns:
        low, high = stamp - 1500, stamp - 300
        sigma = np.full(t.shape, sd_ns)
    return np.stack([low, high, sigma], axis=-1)


def _plain_pad_words(t: Floats, chance: np.random.Generator) -> Floats:
    """Return words of pads that nobody calibrated: late by anything up to half a millisecond."""
    stamp = t + chance.uniform(0, WALK_NS, t.shape) + chance.uniform(300, 1500, t.shape)
    sigma = np.full(t.shape, 1200 / np.sqrt(12))
    return np.stack([stamp - 900 - WALK_NS, stamp - 900, sigma], axis=-1)


def _camera_words(t: Floats, chance: np.random.Generator) -> Floats:
    """Return words of a camera: between the last picture without contact and the first with."""
    phase = chance.uniform(0, FRAME_NS, t.shape)
    first = np.ceil((t - phase) / FRAME_NS) * FRAME_NS + phase
    # A contact within an exposure is seen in that picture or in the next.
    shift = chance.uniform(-EXPOSURE_NS / 2, EXPOSURE_NS / 2, t.shape)
    shift = shift + chance.normal(0, PICK_SD_NS, t.shape)
    low, high = first - FRAME_NS + shift, first + shift
    sigma = np.full(t.shape, np.hypot(EXPOSURE_NS / np.sqrt(12), PICK_SD_NS))
    return np.stack([low, high, sigma], axis=-1)


def _one_board(t: Floats, chance: np.random.Generator) -> Floats:
    return _pad_words(t, chance, WALK_SD_NS, 0.0)[:, :, None, :]


def _plain(t: Floats, chance: np.random.Generator) -> Floats:
    return _plain_pad_words(t, chance)[:, :, None, :]


def _two_boards(t: Floats, chance: np.random.Generator) -> Floats:
    first = _pad_words(t[:, :1], chance, WALK_SD_NS, 0.0)
    second = _pad_words(t[:, 1:], chance, WALK_SD_NS, CLOCK_HALF_NS)
    return np.concatenate([first, second], axis=1)[:, :, None, :]


def _cameras(t: Floats, chance: np.random.Generator) -> Floats:
    return _camera_words(t, chance)[:, :, None, :]


def _pad_and_camera(t: Floats, chance: np.random.Generator) -> Floats:
    """One player is felt by a pad, the other only seen."""
    pad = _pad_words(t[:, :1], chance, WALK_SD_NS, 0.0)
    return np.concatenate([pad, _camera_words(t[:, 1:], chance)], axis=1)[:, :, None, :]


def _both_each(t: Floats, chance: np.random.Generator) -> Floats:
    """Both players are felt and seen."""
    return np.stack([_plain_pad_words(t, chance), _camera_words(t, chance)], axis=2)


# Name, how words are drawn, the span of leads that are tried (either way), the dead-heat width.
# Spans are so short that most races are close ones, the hard case; and as long as the sensors may
# err, or the ends of the span would tell more of a race than they do.
MIXES: tuple[tuple[str, Callable[[Floats, np.random.Generator], Floats], float, float], ...] = (
    ("pads of one board, calibrated", _one_board, 0.35 * MS, 0.0),
    ("pads of one board, as they come", _plain, 0.6 * MS, 0.0),
    ("pads of two boards, no sync wire", _two_boards, 1.0 * MS, 0.0),
    ("pads, dead-heat width 2 ms", _plain, 2.6 * MS, 2 * MS),
    ("camera alone", _cameras, 60 * MS, 0.0),
    ("a pad against the camera", _pad_and_camera, 40 * MS, 0.0),
    ("pad and camera each", _both_each, 0.6 * MS, 0.0),
)


def tally(number: int, races: int, seed: int) -> Tally:
    """Return how the verdicts of one mix did over many races."""
    name, draw, span_ns, dead_ns = MIXES[number]
    chance = np.random.default_rng(seed)
    kinds, wrong, covered, p_first, was_first = [], [], [], [], []
    for start in range(0, races, CHUNK):
        n = min(CHUNK, races - start)
        lead = chance.uniform(-span_ns, span_ns, n)
        t = np.stack([np.zeros(n), lead], axis=-1) + chance.uniform(0, 1e9, (n, 1))
        words = draw(t, chance)
        words[..., :2] -= t[:, :1, None, None]
        found = decide(words, dead_ns)
        rows = np.arange(n)
        margin = t[rows, found.second] - t[rows, found.first]
        right = np.where(found.kind == DEAD_HEAT, np.abs(margin) <= dead_ns, margin > dead_ns)
        kinds.append(found.kind)
        wrong.append(~right)
        covered.append((margin >= found.low_ns) & (margin <= found.high_ns))
        p_first.append(found.p_first)
        was_first.append(np.stack([lead > 0, lead <= 0], axis=-1))
    kind, p, happened = (np.concatenate(parts) for parts in (kinds, p_first, was_first))
    decisive = (kind == FIRST) | (kind == DEAD_HEAT)
    settled = kind != CONFLICT
    return Tally(
        mix=name,
        races=races,
        called=int((kind == FIRST).sum()),
        dead_heats=int((kind == DEAD_HEAT).sum()),
        open=int((~decisive & settled).sum()),
        conflicts=int((~settled).sum()),
        wrong_share=float(np.concatenate(wrong)[decisive].mean()) if decisive.any() else 0.0,
        worst_decile=_worst_decile(p[settled].ravel(), happened[settled].ravel()),
        covered=float(np.concatenate(covered)[settled].mean()),
        fewest_in_decile=int(np.bincount(_deciles(p[settled].ravel()), minlength=10).min()),
    )


def _deciles(p: Floats) -> NDArray[np.int64]:
    return np.minimum((p * 10).astype(np.int64), 9)


def _worst_decile(p: Floats, happened: NDArray[np.bool_]) -> float:
    """Return the largest distance between promise and outcome over deciles of probability."""
    decile = _deciles(p)
    groups = [decile == number for number in range(10)]
    apart = [abs(float(p[g].mean() - happened[g].mean())) for g in groups if g.any()]
    return max(apart)
