"""The suit pips of the product's own deck and where they stand on number cards."""

from __future__ import annotations

import numpy as np

from referee.simulate.shapes import Part, bezier, ellipse, outline

SUITS = "CDHS"


def _whole(right_half: np.ndarray) -> np.ndarray:
    # The half runs from the top point to the bottom one; its mirror image closes the pip.
    left_half = right_half[::-1] * (-1.0, 1.0)
    return np.concatenate([right_half, left_half])


def _heart() -> tuple[Part, ...]:
    half = bezier(
        (0.0, -0.30),
        ((0.035, -0.42), (0.12, -0.5), (0.245, -0.5)),
        ((0.38, -0.5), (0.475, -0.39), (0.475, -0.245)),
        ((0.475, 0.01), (0.13, 0.22), (0.0, 0.5)),
    )
    return ((_whole(half),),)


def _stem(top: float) -> Part:
    half = bezier((0.0, top), ((0.02, 0.22), (0.03, 0.42), (0.17, 0.5)))
    return (_whole(np.concatenate([half, [(0.0, 0.5)]])),)


def _spade() -> tuple[Part, ...]:
    half = bezier(
        (0.0, -0.5),
        ((0.11, -0.24), (0.46, -0.06), (0.46, 0.145)),
        ((0.46, 0.28), (0.365, 0.36), (0.25, 0.36)),
        ((0.15, 0.36), (0.05, 0.31), (0.0, 0.19)),
    )
    return ((_whole(half),), _stem(0.0))


def _club() -> tuple[Part, ...]:
    lobes = ((0.0, -0.262), (-0.247, 0.088), (0.247, 0.088))
    circles: tuple[Part, ...] = tuple((ellipse(x, y, 0.236, 0.236),) for x, y in lobes)
    heart_of_club = outline([(-0.09, -0.12), (0.09, -0.12), (0.14, 0.12), (-0.14, 0.12)])
    return (*circles, (heart_of_club,), _stem(0.0))


def _diamond() -> tuple[Part, ...]:
    half = bezier(
        (0.0, -0.5),
        ((0.11, -0.29), (0.24, -0.13), (0.385, 0.0)),
        ((0.24, 0.13), (0.11, 0.29), (0.0, 0.5)),
    )
    return ((_whole(half),),)


def pip(suit: str) -> tuple[Part, ...]:
    """Return the pip of suit C, D, H or S, one unit high about its middle. Raises ValueError."""
    drawings = {"C": _club, "D": _diamond, "H": _heart, "S": _spade}
    if suit not in drawings:
        raise ValueError(f"there is no suit {suit!r}; suits are C, D, H, S")
    return drawings[suit]()


def layout(count: int) -> tuple[tuple[float, float], ...]:
    """Where `count` pips (2 to 10) stand: column -1, 0 or 1 and row 0 (top) to 1 (bottom).

    The usual French layout: pips below the middle (row over 0.5) are printed upside down.
    """
    sides = {4: (0, 1), 5: (0, 1), 6: (0, 0.5, 1), 7: (0, 0.5, 1), 8: (0, 0.5, 1)}
    middles = {2: (0, 1), 3: (0, 0.5, 1), 5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,)}
    third = 1 / 3
    rows = sides.get(count, (0, third, 2 * third, 1) if count >= 9 else ())
    middle = (third / 2, 1 - third / 2) if count == 10 else middles.get(count, ())
    pairs = [(float(side), float(row)) for row in rows for side in (-1, 1)]
    return (*pairs, *((0.0, float(row)) for row in middle))
