"""Cards of own decks laid out on a cloth, for the tests of reading and learning them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from conftest import Image

from referee.simulate.cards import DeckStyle, draw_back, draw_card

TALL_PX, STEP_PX, ROW_PX, EDGE_PX = 150, 66, 200, 30
CLOTH = (60, 90, 40)
RED, GREEN = DeckStyle(back="red lattice"), DeckStyle(back="green scales", jumbo=True)


def spread(cards: Sequence[str], style: DeckStyle = RED, per_row: int = 13) -> Image:
    """Cards in rows from left to right, each covering half of the one before; BACK lies clear."""
    rows = -(-len(cards) // per_row)
    width_px = 2 * EDGE_PX + (per_row - 1) * STEP_PX + 110
    table = np.full((rows * ROW_PX + 2 * EDGE_PX, width_px, 3), CLOTH, np.uint8)
    for number, card in enumerate(cards):
        drawn = draw_back(style.back, TALL_PX, style) if card == "BACK" else face(card, style)
        x = EDGE_PX + number % per_row * STEP_PX
        y = EDGE_PX + number // per_row * ROW_PX
        table[y : y + TALL_PX, x : x + drawn.shape[1]] = drawn[..., :3]
    return cv2.GaussianBlur(table, (0, 0), 0.6)


def face(card: str, style: DeckStyle) -> Image:
    return draw_card("X1" if card == "JOKER" else card, TALL_PX, style)
