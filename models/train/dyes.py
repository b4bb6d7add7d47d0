"""Dyes decks anew in a scene: black stock with light inks from any design, and nearly plain backs.

A deck's own print says how much ink there is and whether it is a coloured one; a dye says which
colours stock and inks have instead. So the shapes of all designs are learned on dark cards too.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import numpy as np

Colour = tuple[float, float, float]  # blue, green, red, 0..255

# ---- settings -----------------------------------------------------------------------------
# Of the decks in a scene. A seventh of drawn decks was black before, most of them of few designs.
DARK_SHARE = 0.14
# Of the backs, on dark and on ordinary decks: their design hardly to be seen.
PLAIN_SHARE_DARK, PLAIN_SHARE = 0.55, 0.12


@dataclass(frozen=True)
class Dye:
    """Colours of the stock, of black ink and of coloured ink."""

    paper: Colour
    ink: Colour
    coloured: Colour


@dataclass(frozen=True)
class DeckDyes:
    """How a deck's faces and backs are dyed; None: as they are."""

    faces: Dye | None
    backs: Dye | None


def deck_dyes(rng: np.random.Generator) -> DeckDyes:
    """Choose how one deck of a scene is dyed; most are not."""
    dark = rng.random() < DARK_SHARE
    faces = _dark(rng) if dark else None
    if rng.random() < (PLAIN_SHARE_DARK if dark else PLAIN_SHARE):
        return DeckDyes(faces, _plain(rng, faces))
    return DeckDyes(faces, faces)


def _dark(rng: np.random.Generator) -> Dye:
    """Return black, or hardly anything else, with white, grey, silver or gold and a red or gold."""
    light = rng.uniform(90, 255)
    ink = _hue(rng.uniform(0, 1), rng.uniform(0, 0.12), light)
    if rng.random() < 0.2:
        ink = _hue(rng.uniform(0.09, 0.15), rng.uniform(0.2, 0.7), light)
    red = _hue(rng.uniform(-0.03, 0.05), rng.uniform(0.55, 0.95), rng.uniform(120, 250))
    gold = _hue(rng.uniform(0.07, 0.15), rng.uniform(0.2, 0.8), rng.uniform(110, 240))
    kinds = (red, gold, ink)
    return Dye(_dark_stock(rng), ink, kinds[int(rng.choice(3, p=(0.45, 0.42, 0.13)))])


def _dark_stock(rng: np.random.Generator) -> Colour:
    return _hue(rng.uniform(0, 1), rng.uniform(0, 0.5) ** 1.5, rng.uniform(4, 52))


def _plain(rng: np.random.Generator, faces: Dye | None) -> Dye:
    """Return a back in one colour, the stock's own one on dark decks, its design a shade of it."""
    if faces is not None:
        paper = faces.paper
    elif rng.random() < 0.4:
        paper = _dark_stock(rng)
    else:
        paper = _hue(rng.uniform(0, 1), rng.uniform(0, 1) ** 0.7, rng.uniform(30, 250))
    shade = rng.normal(0, 9)
    ink = tuple(min(255.0, max(0.0, c + shade)) for c in paper)
    return Dye(paper, (ink[0], ink[1], ink[2]), (ink[0], ink[1], ink[2]))


def _hue(hue: float, saturation: float, value: float) -> Colour:
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, saturation, 1.0)
    return b * value, g * value, r * value
