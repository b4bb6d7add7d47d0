"""How well decks are told apart by their backs: eight on a table, and red and blue twins."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.deck_back import Backs, upright_back, without_light
from referee.vision.deck_profile import DeckProfile
from referee.vision.networks import CROP_PX

Image = NDArray[np.uint8]
Chance = np.random.Generator

# ---- settings -------------------------------------------------------------------------------
DECKS = 8
LEARNED_WIDE_PX, SEEN_WIDE_PX = 90, (40, 110)
LEARNED_WARM, SEEN_WARM = 0.1, 0.3  # ln of red over green: 0.3 is a bulb of 3300 K, or blue shade
CORNER_ERROR = 0.012  # of the card's width
WHITE_ERROR = 0.03  # ln, of the white that face-up cards show
COLOURED = 25.0  # red against blue: only coloured backs have a twin in another colour
MARGIN_PX = 20


def measure_backs(decks: Path, tables: int, seed: int) -> None:
    """Print how many backs were told right, wrong, not, and how many strangers were refused."""
    rng = np.random.default_rng(seed)
    backs = [b for b in map(_first_back, sorted(decks.glob("*/deck.json"))) if b is not None]
    coloured = [b for b in backs if abs(b[..., 0].mean() - b[..., 2].mean()) > COLOURED]
    for name, stock, twins in (("any", backs, False), ("twins of one make", coloured, True)):
        for white in (True, False):
            counts = np.zeros(4, int)
            for _ in range(tables):
                counts += _table(stock, twins, white, rng)
            right, wrong, unsaid, taken = counts
            n = right + wrong + unsaid
            print(
                f"{name}, {'white known' if white else 'no white'}: n {n}  right {right / n:.4f}  "
                f"wrong {wrong / n:.4f}  not said {unsaid / n:.4f}  "
                f"strangers taken {taken} of {tables}"
            )


def _first_back(path: Path) -> Image | None:
    info = json.loads(path.read_text())
    if not info["held_out"] or not info["backs"]:
        return None
    picture = cv2.imread(str(path.parent / info["backs"][0]), cv2.IMREAD_UNCHANGED)
    if picture.shape[2] == 4:
        share = picture[..., 3:] / 255.0
        picture = (picture[..., :3] * share + 245 * (1 - share)).astype(np.uint8)
    return np.asarray(picture, np.uint8)


def _table(stock: list[Image], twins: bool, white: bool, rng: Chance) -> NDArray[np.int64]:
    """Right, wrong, unsaid, and whether a stranger was taken for one of the decks."""
    some = [stock[k] for k in rng.choice(len(stock), DECKS + 1, replace=False)]
    if twins:
        some[1:DECKS:2] = [np.ascontiguousarray(b[..., ::-1]) for b in some[0:DECKS:2]]
    lamp = _lamp(LEARNED_WARM, rng)
    backs = Backs([_learned(str(k), back, lamp, rng) for k, back in enumerate(some[:DECKS])])
    lamp = _lamp(SEEN_WARM, rng)
    seen_white = 245 * lamp * np.exp(rng.normal(0, WHITE_ERROR, 3)) if white else None
    counts = np.zeros(4, np.int64)
    for k, back in enumerate(some):
        crop = _shot(back, lamp, int(rng.integers(*SEEN_WIDE_PX)), rng)
        deck = backs.owner([crop], seen_white).deck
        if k == DECKS:
            counts[3] += deck is not None
        else:
            counts[0 if deck == str(k) else 2 if deck is None else 1] += 1
    return counts


def _lamp(most: float, rng: Chance) -> NDArray[np.float64]:
    warm = rng.uniform(-most, most)
    return np.exp(rng.uniform(-0.7, 0.0) + np.array([-warm, 0.0, warm]))


def _learned(name: str, back: Image, lamp: NDArray[np.float64], rng: Chance) -> DeckProfile:
    white = 245 * lamp
    crops = [without_light(_shot(back, lamp, LEARNED_WIDE_PX, rng), white) for _ in range(2)]
    none = np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)
    return DeckProfile(name, "suited", (), none, np.stack(crops))


def _shot(back: Image, lamp: NDArray[np.float64], wide_px: int, rng: Chance) -> Image:
    """The back as it is cut out of a picture, corners a little off, either way up."""
    tall_px = round(1.4 * wide_px)
    table = np.full((tall_px + 2 * MARGIN_PX, wide_px + 2 * MARGIN_PX, 3), (40, 90, 60), np.uint8)
    small = cv2.resize(back, (wide_px, tall_px), interpolation=cv2.INTER_AREA)
    table[MARGIN_PX : MARGIN_PX + tall_px, MARGIN_PX : MARGIN_PX + wide_px] = small
    slope = 1 + rng.uniform(-0.07, 0.07) * np.linspace(-1, 1, table.shape[1])[None, :, None]
    image = cv2.GaussianBlur((table * lamp * slope).astype(np.float32), (0, 0), 0.9)
    image += rng.normal(0, rng.uniform(1, 7), image.shape)
    low, right, tall = MARGIN_PX - 0.5, MARGIN_PX + wide_px - 0.5, MARGIN_PX + tall_px - 0.5
    quad = np.array([[low, low], [right, low], [right, tall], [low, tall]])
    quad += rng.normal(0, CORNER_ERROR * wide_px, quad.shape)
    if rng.random() < 0.5:
        quad = np.roll(quad, 2, axis=0)
    crop = upright_back(image.clip(0, 255).astype(np.uint8), [(x, y) for x, y in quad])
    assert crop is not None
    return crop
