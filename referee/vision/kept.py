"""Kept frames of a video, and which details of a card look in them as they do now."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Places = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows and columns (n,) of a picture's details."""

# What hands cover is remembered at so many places across and down the picture; a card is 3 x 5 of
# them.
COVER_ACROSS, COVER_DOWN = 64, 36
# A card of which a hand hides less than this shows all that is asked of it.
COVERED_SHARE = 0.15
# Of fewer details nothing is told.
LEAST_DETAILS = 40
# Noise of a webcam, and what is left of flicker after the whole frame's change is taken out.
ALIKE_LEVELS = 22
# Where no hand is, more of a card's details than this look final while it lies; of another one
# that lay there before, with white and pips in common, 0.4 and 0.55.
SAME_SHARE = 0.7
# What hands cover by this share is hidden. While a hand rests there so much of it looks as it did:
# 0.92 and 0.98 where its outline was lost for a moment, once 0.68, which is taken to have left.
HIDDEN_SHARE, RESTING_SHARE = 0.4, 0.85
# A hand that lays a card leaves at least this share of its details in view; of a card on its way
# 0.05 to 0.3 look final by chance.
UNCOVERED_SHARE = 0.25
# While a card comes in, the share of final details was this part of what it is two frames before
# (in rendered clips a half). From then on the card lies when the share stays: of 60 cards laid or
# turned it grew by 8 % and more in the last frame in which they moved, and by 3 % at most in the
# next one. By chance it stays for one frame on the way, and grows by 12 % and more in the second.
COMING_RATIO, STAYS_RATIO, STAYS_TWO_RATIO = 0.7, 1.035, 1.12


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """One kept frame: luminance, uint8, small enough for many.

    `light` is a part of it, `covered` what hands covered one frame before (COVER_DOWN,
    COVER_ACROSS): what they have just left shows their blur still.
    """

    t_ns: int
    luminance: NDArray[np.uint8]
    light: NDArray[np.int16]
    covered: NDArray[np.bool_] | None = None


def otherwise(now: Past, then: Past, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Places:
    """Return the details that a frame showed otherwise, if they are enough.

    Cards share pips, and neighbours reach into a place: only those tell its card.
    """
    change = cv2.absdiff(now.luminance[rows, columns], then.luminance[rows, columns])
    other = change.ravel() > ALIKE_LEVELS
    return (rows[other], columns[other]) if other.sum() >= LEAST_DETAILS else (rows, columns)


def other_then(
    frames: list[Past], rows: NDArray[np.intp], columns: NDArray[np.intp], after_ns: int
) -> Past | None:
    """Return the latest frame in which a card's place, free of hands, showed something else.

    Only frames after a time are asked; `frames` are the latest first. A hand that leaves a place
    and comes back leaves it free for longer than one frame: in a single one it was not found.
    """
    place = on_grid(frames[0], rows, columns)
    later = [past for past in frames if past.t_ns > after_ns]
    if not len(rows):
        return None
    free = [_is_free(past, place) for past in later]
    for k, past in enumerate(later[1:], start=1):
        if not (free[k] and any((free[k - 1], *free[k + 1 : k + 2]))):
            continue
        same = alike(past, frames[0], rows, columns)
        other = rows[~same], columns[~same]
        if same.mean() < SAME_SHARE and not _is_hand(past, later[k + 1 :], place, other):
            return past
    return None


def _is_hand(past: Past, before: list[Past], place: Places, details: Places) -> bool:
    """Whether details look as in the last frame before in which a hand hid their place.

    Then it lies there still, and was not found: its outline fades where it rests.
    """
    known = (one for one in before if one.covered is not None)
    hid = next((one for one in known if covered_share(one.covered, place) >= HIDDEN_SHARE), None)
    return hid is not None and float(alike(hid, past, *details).mean()) >= RESTING_SHARE


def _is_free(past: Past, place: Places) -> bool:
    """Whether hands are known to have left a place on the grid."""
    return past.covered is not None and covered_share(past.covered, place) < COVERED_SHARE


def on_grid(past: Past, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Places:
    """Return where places of a picture lie on the grid of what hands cover."""
    height, width = past.luminance.shape
    return rows * COVER_DOWN // height, columns * COVER_ACROSS // width


def covered_share(
    covered: NDArray[np.bool_] | None,
    place: NDArray[np.bool_] | Places,
) -> float:
    """Return how much of a place on the grid hands cover, 0 where that is not known."""
    return 0.0 if covered is None else float(covered[place].mean())


def alike(
    past: Past, now: Past, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Tell which details look alike in two frames, but for the light."""
    light = int(np.median(past.light - now.light))
    change = past.luminance[rows, columns].astype(np.int16) - now.luminance[rows, columns] - light
    return np.asarray(np.abs(change) <= ALIKE_LEVELS)


def shares_of(frames: list[Past], rows: NDArray[np.intp], columns: NDArray[np.intp]) -> list[float]:
    """Return the shares of details that looked final since, from the latest frame back."""
    still = np.ones(len(rows), bool)
    shares = [1.0]
    for past in frames[1:]:
        still &= alike(past, frames[0], rows, columns)
        shares.append(float(still.mean()))
        if shares[-1] < UNCOVERED_SHARE / 8:
            break
    return shares


def first_at_rest(shares: list[float]) -> int | None:
    """Return the index, counted from now back, of the first frame in which the card lay."""
    coming = (
        k
        for k, share in enumerate(shares[:-1])
        if share >= UNCOVERED_SHARE and shares[min(k + 2, len(shares) - 1)] <= COMING_RATIO * share
    )
    first = max(coming, default=None)
    while first and _grows(shares[max(first - 2, 0) : first + 1]):
        first -= 1
    return first


def _grows(later: list[float]) -> bool:
    """Whether a share grows in the one or two frames after it; it is the last one of the list."""
    return later[-2] > STAYS_RATIO * later[-1] or later[0] > STAYS_TWO_RATIO * later[-1]
