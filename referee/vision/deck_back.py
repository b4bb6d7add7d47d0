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
# The finder takes a printed frame for the card's edge now and then.
GROWN = (0.88, 1.0, 1.13)
SMALLEST_PX = 18.0  # of a card's width: below it a back is but a colour


@dataclass(frozen=True, slots=True)
class Owner:
    """The deck that a back belongs to, None if to none or to several alike; its probability."""

    deck: str | None
    score: float


def owner_of_back(
    crop: Image, profiles: Sequence[DeckProfile], white_bgr: Floats | None = None
) -> Owner:
    """Tell whose back an upright crop (BACK_H_PX x BACK_W_PX x 3) shows.

    `white_bgr` is the light's white, from `paper_white`, if there is any in the picture.
    """
    return _owner([crop], profiles, white_bgr)


def _owner(
    crops: Sequence[Image], profiles: Sequence[DeckProfile], white_bgr: Floats | None
) -> Owner:
    """Tell whose back it is, cut out in several ways of which one is right."""
    known = [profile for profile in profiles if len(profile.backs)]
    fits = [max(_fit(crop, profile.backs, white_bgr) for crop in crops) for profile in known]
    log_p = np.array([STRANGE, *fits])
    share = np.exp(log_p - log_p.max())
    share /= share.sum()
    best = int(np.argmax(share))
    score = round(float(share[best]), 4)
    return Owner(known[best - 1].name if best and score >= SURE else None, score)


def _fit(crop: Image, backs: Image, white_bgr: Floats | None) -> float:
    """Return the ln likelihood of the likest of a deck's backs, either way up."""
    seen = _soft(crop)
    turned = [one for back in backs for one in (back, back[::-1, ::-1])]
    return max(_likelihood(seen, _soft(back), white_bgr) for back in turned)


def _soft(picture: Image) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), BLUR_PX), np.float64)


def _likelihood(seen: Floats, back: Floats, white_bgr: Floats | None) -> float:
    best = -np.inf
    inner = back[2:-2, 2:-2].reshape(-1, 3)
    bright = max(8.0, float(seen.mean()))
    for dy in SHIFTS_PX:
        for dx in SHIFTS_PX:
            part = seen[2 + dy : BACK_H_PX - 2 + dy, 2 + dx : BACK_W_PX - 2 + dx].reshape(-1, 3)
            gain = np.maximum((part * inner).sum(0) / (inner * inner).sum(0), 1e-3)
            error = float(np.square((part - gain * inner) / bright).mean())
            best = max(best, _of_light(gain, white_bgr) - POINTS * error / (2 * NOISE**2))
    return best


def _of_light(gain: Floats, white_bgr: Floats | None) -> float:
    """Return the ln likelihood of a lamp that makes these gains."""
    white = np.full(3, PAPER) if white_bgr is None else np.maximum(white_bgr, 1.0)
    log = np.log(gain * PAPER / white)
    shade = float(log.mean())
    tint = log - shade
    wide = TINT_UNKNOWN if white_bgr is None else TINT_KNOWN
    return -float(np.square(tint).sum()) / (2 * wide**2) - shade**2 / (2 * SHADE**2)


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
    image_bgr: Image, cards: tuple[CardRead, ...], profiles: Sequence[DeckProfile]
) -> tuple[CardRead, ...]:
    """Return the reads of a picture, each back with the name of its deck where it is known."""
    white = paper_white(image_bgr, cards)
    return tuple(_owned(image_bgr, card, profiles, white) for card in cards)


def _owned(
    image_bgr: Image, card: CardRead, profiles: Sequence[DeckProfile], white: Floats | None
) -> CardRead:
    if card.label != "BACK" or card.quad_px is None:
        return card
    quad = np.array(card.quad_px)
    middle = quad.mean(axis=0)
    cut = [upright_back(image_bgr, (middle + grow * (quad - middle)).tolist()) for grow in GROWN]
    crops = [crop for crop in cut if crop is not None]
    if not crops:
        return card
    return replace(card, back=_owner(crops, profiles, white).deck)
