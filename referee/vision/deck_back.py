"""Whose back is it: compares a face-down card with the learned decks' backs under any lamp.

A lamp multiplies each colour by a gain. Ink against the card's own white paper, and the paper of
face-up cards beside it, tell what the lamp does; so a red and a blue back of one make stay apart
under warm and under cold light.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead
from referee.vision.deck_profile import BACK_H_PX, BACK_W_PX, DeckProfile

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Quad = Sequence[tuple[float, float]]

PAPER = 235.0
"""What white paper is set to in a learned back."""
# All found on backs of decks held out of training, each drawn under lamps of 2700 to 8000 K with
# shade, blur and noise (models/train/profiles.py --backs).
BLUR_PX = 1.4  # a print finer than this is compared by its mean colour
NOISE = 0.085  # of a pixel against the learned one, of the back's mean brightness
POINTS = 40.0  # pixels that err on their own: the others share their neighbours' fault
TINT_KNOWN, TINT_UNKNOWN = 0.07, 0.25  # ln of the gains' spread, with white paper in sight or not
SHADE = 0.5  # ln of the brightness common to all colours
STRANGE = -12.0  # ln likelihood from which no learned back it is
SURE = 0.8
SHIFTS_PX = (-1, 0, 1)
LEAST_GAIN = 1e-3
INNER_PX = (BACK_H_PX - 4) * (BACK_W_PX - 4)
# The finder takes a printed frame for the card's edge now and then.
GROWN = (0.88, 1.0, 1.13)
SMALLEST_PX = 18.0  # of a card's width: below it a back is but a colour


@dataclass(frozen=True, slots=True)
class Owner:
    """The deck that a back belongs to, None if to none or to several alike; its probability."""

    deck: str | None
    score: float


class Backs:
    """The learned decks' backs, ready to be compared with those on a table."""

    def __init__(self, profiles: Sequence[DeckProfile]) -> None:
        """Blur each back once, both ways up."""
        known = [profile for profile in profiles if len(profile.backs)]
        self._names = tuple(profile.name for profile in known)
        turned = [
            (k, one)
            for k, profile in enumerate(known)
            for back in profile.backs
            for one in (back, back[::-1, ::-1])
        ]
        self._owner = np.array([k for k, _ in turned], np.intp)
        inner = [_soft(one)[2:-2, 2:-2].reshape(-1, 3) for _, one in turned]
        # Colour x pixel x back: all backs are compared at once.
        self._inner = np.array(inner).reshape(len(inner), INNER_PX, 3).transpose(2, 1, 0)
        self._square = np.square(self._inner).sum(1).T

    def owner(self, crops: Sequence[Image], white_bgr: Floats | None = None) -> Owner:
        """Tell whose back it is, cut out upright in several ways of which one is right.

        crops: BACK_H_PX x BACK_W_PX x 3 each. `white_bgr` is the light's white, from
        `paper_white`, if there is any in the picture.
        """
        fits = np.full(len(self._names), -np.inf)
        for crop in crops:
            np.maximum.at(fits, self._owner, self._fits(crop, white_bgr))
        log_p = np.array([STRANGE, *fits])
        share = np.exp(log_p - log_p.max())
        share /= share.sum()
        best = int(np.argmax(share))
        score = round(float(share[best]), 4)
        return Owner(self._names[best - 1] if best and score >= SURE else None, score)

    def _fits(self, crop: Image, white_bgr: Floats | None) -> Floats:
        """Return the ln likelihood of each back, at the best of the shifts."""
        if not len(self._owner):
            return np.zeros(0)
        seen = _soft(crop)
        parts = np.array([
            seen[2 + dy : BACK_H_PX - 2 + dy, 2 + dx : BACK_W_PX - 2 + dx].reshape(-1, 3)
            for dy in SHIFTS_PX for dx in SHIFTS_PX
        ])  # fmt: skip
        cross = (parts.transpose(2, 0, 1) @ self._inner).transpose(1, 2, 0)  # shift x back x colour
        gain = np.maximum(cross / self._square, LEAST_GAIN)
        left = np.square(parts).sum(1)[:, None] - 2 * gain * cross + gain**2 * self._square
        bright = max(8.0, float(seen.mean()))
        error = left.sum(2) / (3 * parts.shape[1] * bright**2)
        fit = _of_light(gain, white_bgr) - POINTS * error / (2 * NOISE**2)
        return np.asarray(fit.max(axis=0))


def _soft(picture: Image) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), BLUR_PX), np.float64)


def _of_light(gain: Floats, white_bgr: Floats | None) -> Floats:
    """Return the ln likelihood of the lamps that make gains (..., 3)."""
    white = np.full(3, PAPER) if white_bgr is None else np.maximum(white_bgr, 1.0)
    log = np.log(gain * PAPER / white)
    shade = log.mean(axis=-1)
    tint = log - shade[..., None]
    wide = TINT_UNKNOWN if white_bgr is None else TINT_KNOWN
    return np.asarray(-np.square(tint).sum(-1) / (2 * wide**2) - shade**2 / (2 * SHADE**2))


def upright_back(image_bgr: Image, quad_px: Quad) -> Image | None:
    """Cut a face-down card out, BACK_H_PX x BACK_W_PX x 3; None where it is too small."""
    quad = np.array(quad_px, np.float32)
    wide = float(np.hypot(*(quad[1] - quad[0])))
    if wide < SMALLEST_PX:
        return None
    # Pictures much larger than the crop are halved first: sampling alone would leave out print.
    while wide > 3 * BACK_W_PX:
        height, width = image_bgr.shape[:2]
        image_bgr = np.asarray(
            cv2.resize(image_bgr, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8
        )
        quad, wide = np.asarray((quad + 0.5) / 2 - 0.5, np.float32), wide / 2
    target = np.array(
        [[0, 0], [BACK_W_PX, 0], [BACK_W_PX, BACK_H_PX], [0, BACK_H_PX]], np.float32
    ) - np.float32(0.5)
    way = cv2.getPerspectiveTransform(quad, target)
    return np.asarray(cv2.warpPerspective(image_bgr, way, (BACK_W_PX, BACK_H_PX)), np.uint8)


def paper_white(image_bgr: Image, cards: Iterable[CardRead]) -> Floats | None:
    """Return what white paper looks like in a picture, blue-green-red, from its face-up cards.

    None where no face-up card with an outline lies there, or only black ones.
    """
    whites = []
    for card in cards:
        if card.label not in ("BACK", "??") and card.quad_px is not None:
            face = upright_back(image_bgr, card.quad_px)
            if face is not None:
                whites.append(np.percentile(face.reshape(-1, 3), 80, axis=0))
    if not whites:
        return None
    white = np.median(np.array(whites), axis=0)
    return np.asarray(white) if white.max() > 60.0 else None


def without_light(crop: Image, white_bgr: Floats | None) -> Image:
    """Return a back as it would look under white light; as it is where the light is unknown."""
    if white_bgr is None:
        return crop
    return np.asarray(np.clip(crop * (PAPER / white_bgr), 0, 255), np.uint8)


def with_owners(
    image_bgr: Image, cards: tuple[CardRead, ...], backs: Backs
) -> tuple[CardRead, ...]:
    """Return the reads of a picture, each back with the name of its deck where it is known."""
    white = paper_white(image_bgr, cards)
    return tuple(_owned(image_bgr, card, backs, white) for card in cards)


def _owned(image_bgr: Image, card: CardRead, backs: Backs, white: Floats | None) -> CardRead:
    if card.label != "BACK" or card.quad_px is None:
        return card
    quad = np.array(card.quad_px)
    middle = quad.mean(axis=0)
    cut = [upright_back(image_bgr, (middle + grow * (quad - middle)).tolist()) for grow in GROWN]
    crops = [crop for crop in cut if crop is not None]
    if not crops:
        return card
    return replace(card, back=backs.owner(crops, white).deck)
