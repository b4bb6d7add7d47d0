"""All kinds of things and papers that lie on card tables, by number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scenery_drawing import Sprite
from scenery_games import coins, dice, dominoes, letter_tiles, poker_chips
from scenery_paper import (
    banknote,
    business_card,
    envelope,
    game_box,
    leaflet,
    napkin,
    notepad,
    photograph,
    price_ticket,
    score_sheet,
    tuck_box,
)
from scenery_things import (
    can,
    drinking_glass,
    keys,
    lighter,
    mug,
    pen,
    phone,
    remote,
    snacks,
    spectacles,
)

# Print comes more often than the rest: letters and digits are what a reader of indices mistakes.
KINDS: tuple[Callable[[np.random.Generator], Sprite], ...] = (
    leaflet, phone, mug, tuck_box, letter_tiles, coins, score_sheet, pen, poker_chips,
    business_card, dice, notepad, napkin, drinking_glass, game_box, remote, price_ticket, keys,
    dominoes, leaflet, banknote, spectacles, tuck_box, snacks, photograph, letter_tiles,
    envelope, lighter, can, business_card,
)  # fmt: skip


def draw_object(rng: np.random.Generator, number: int) -> Sprite:
    """Draw the object sprite of a number; kinds take turns."""
    return KINDS[number % len(KINDS)](rng)
