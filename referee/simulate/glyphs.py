"""The letters and digits of the product's own deck: a slab-serif face drawn with pen strokes."""

from __future__ import annotations

from dataclasses import dataclass

from referee.simulate.shapes import Part, bar, ellipse, line, outline, placed, stroke

# Shares of the letter's height: the heavy and the light stroke and the serif of the face.
_HEAVY = 0.17
_LIGHT = 0.09
_SERIF = 0.075


@dataclass(frozen=True, slots=True)
class Glyph:
    """One letter, one unit high from its top (y = 0) to its base line (y = 1)."""

    width: float
    parts: tuple[Part, ...]


def _foot(left: float, right: float) -> Part:
    return (bar(left, 1 - _SERIF, right, 1.0),)


def _head(left: float, right: float) -> Part:
    return (bar(left, 0.0, right, _SERIF),)


def _ball(x: float, y: float, radius: float = 0.088) -> Part:
    return (ellipse(x, y, radius, radius),)


def _ring(x: float, y: float, radius_x: float, radius_y: float) -> Part:
    inner_x, inner_y = radius_x - _HEAVY, radius_y - _LIGHT
    return (ellipse(x, y, radius_x, radius_y), ellipse(x, y, inner_x, inner_y))


def _ace() -> Glyph:
    return Glyph(
        0.82,
        (
            (line(0.385, 0.02, 0.125, 0.97, _LIGHT),),
            (outline([(0.33, 0.0), (0.48, 0.0), (0.75, 1.0), (0.57, 1.0)]),),
            (bar(0.21, 0.64, 0.60, 0.72),),
            _foot(0.0, 0.27),
            _foot(0.47, 0.82),
        ),
    )


def _jack() -> Glyph:
    hook = [
        (0.42, 0.66, _HEAVY),
        (0.40, 0.84, 0.16),
        (0.25, 0.955, 0.09),
        (0.11, 0.90, 0.08),
        (0.075, 0.80, 0.08),
    ]
    return Glyph(
        0.62,
        (
            (bar(0.335, 0.0, 0.505, 0.67),),
            _head(0.19, 0.62),
            (stroke(hook),),
            _ball(0.105, 0.79, 0.1),
        ),
    )


def _queen() -> Glyph:
    tail = [(0.30, 0.72, 0.05), (0.46, 0.76, 0.13), (0.60, 0.94, 0.14), (0.80, 0.965, 0.06)]
    return Glyph(0.82, (_ring(0.38, 0.49, 0.37, 0.49), (stroke(tail),)))


def _king() -> Glyph:
    return Glyph(
        0.86,
        (
            (bar(0.10, 0.0, 0.27, 1.0),),
            _head(0.0, 0.38),
            _foot(0.0, 0.38),
            (line(0.25, 0.60, 0.69, 0.03, _LIGHT),),
            _head(0.53, 0.84),
            (outline([(0.33, 0.49), (0.45, 0.33), (0.79, 1.0), (0.60, 1.0)]),),
            _foot(0.50, 0.86),
        ),
    )


def _one() -> Glyph:
    flag = outline([(0.38, 0.0), (0.38, 0.20), (0.10, 0.27), (0.10, 0.19), (0.28, 0.0)])
    return Glyph(0.56, ((bar(0.22, 0.0, 0.39, 1.0),), (flag,), _foot(0.05, 0.56)))


def _two() -> Glyph:
    swan = [
        (0.085, 0.25, 0.08),
        (0.15, 0.09, 0.09),
        (0.32, 0.05, 0.09),
        (0.475, 0.15, 0.14),
        (0.47, 0.34, _HEAVY),
        (0.33, 0.55, 0.15),
        (0.17, 0.73, 0.11),
        (0.07, 0.93, 0.08),
    ]
    flag = outline([(0.03, 0.86), (0.54, 0.86), (0.585, 0.70), (0.62, 0.70), (0.60, 1), (0.03, 1)])
    return Glyph(0.62, ((stroke(swan),), _ball(0.125, 0.26, 0.1), (flag,)))


def _three() -> Glyph:
    upper = [
        (0.10, 0.20, 0.08),
        (0.16, 0.085, 0.09),
        (0.31, 0.045, 0.09),
        (0.46, 0.12, 0.13),
        (0.475, 0.28, 0.16),
        (0.37, 0.42, 0.11),
        (0.22, 0.47, 0.08),
    ]
    lower = [
        (0.22, 0.47, 0.08),
        (0.40, 0.50, 0.11),
        (0.515, 0.66, _HEAVY),
        (0.465, 0.87, 0.14),
        (0.30, 0.955, 0.09),
        (0.14, 0.91, 0.09),
        (0.08, 0.79, 0.08),
    ]
    balls = (_ball(0.135, 0.21, 0.095), _ball(0.115, 0.78, 0.1))
    return Glyph(0.62, ((stroke(upper),), (stroke(lower),), *balls))


def _four() -> Glyph:
    return Glyph(
        0.66,
        (
            (outline([(0.38, 0.0), (0.48, 0.0), (0.11, 0.68), (0.0, 0.68)]),),
            (bar(0.0, 0.64, 0.66, 0.735),),
            (bar(0.36, 0.0, 0.53, 1.0),),
            _foot(0.23, 0.66),
        ),
    )


def _five() -> Glyph:
    bowl = [
        (0.115, 0.52, 0.07),
        (0.22, 0.425, 0.09),
        (0.37, 0.42, 0.11),
        (0.51, 0.55, 0.16),
        (0.515, 0.73, _HEAVY),
        (0.44, 0.89, 0.13),
        (0.28, 0.955, 0.09),
        (0.13, 0.91, 0.09),
        (0.08, 0.80, 0.08),
    ]
    flag = outline([(0.085, 0.0), (0.56, 0.0), (0.53, 0.145), (0.085, 0.145)])
    return Glyph(
        0.62, ((flag,), (bar(0.085, 0.05, 0.155, 0.53),), (stroke(bowl),), _ball(0.115, 0.79, 0.1))
    )


def _six() -> Glyph:
    back = [
        (0.085, 0.68, _HEAVY),
        (0.095, 0.42, _HEAVY),
        (0.18, 0.18, 0.14),
        (0.34, 0.05, 0.09),
        (0.48, 0.09, 0.08),
    ]
    return Glyph(0.62, (_ring(0.31, 0.685, 0.31, 0.315), (stroke(back),), _ball(0.485, 0.145)))


def _seven() -> Glyph:
    leg = [(0.58, 0.08, 0.07), (0.44, 0.34, 0.11), (0.33, 0.62, 0.16), (0.285, 1.0, 0.19)]
    flag = outline([(0.0, 0.0), (0.62, 0.0), (0.62, 0.10), (0.57, 0.15), (0.06, 0.15), (0.04, 0.3)])
    tip = outline([(0.0, 0.0), (0.06, 0.15), (0.045, 0.30), (0.0, 0.30)])
    return Glyph(0.62, ((flag[:5],), (tip,), (stroke(leg),)))


def _eight() -> Glyph:
    return Glyph(0.62, (_ring(0.31, 0.265, 0.27, 0.265), _ring(0.31, 0.71, 0.31, 0.29)))


def _nine() -> Glyph:
    return Glyph(0.62, tuple(placed(part, 1.0, 0.62, 1.0, 180.0) for part in _six().parts))


def _nought() -> Glyph:
    return Glyph(0.62, (_ring(0.31, 0.5, 0.31, 0.5),))


def _letter_o() -> Glyph:
    return Glyph(0.78, (_ring(0.39, 0.5, 0.39, 0.5),))


def _letter_e() -> Glyph:
    return Glyph(
        0.66,
        (
            (bar(0.10, 0.0, 0.27, 1.0),),
            (bar(0.0, 0.0, 0.62, _SERIF),),
            (bar(0.56, 0.0, 0.63, 0.24),),
            (bar(0.2, 0.46, 0.46, 0.46 + _SERIF),),
            (bar(0.42, 0.38, 0.48, 0.61),),
            (bar(0.0, 1 - _SERIF, 0.65, 1.0),),
            (bar(0.59, 0.74, 0.66, 1.0),),
        ),
    )


def _letter_r() -> Glyph:
    bowl = [
        (0.22, 0.04, 0.08),
        (0.45, 0.05, 0.09),
        (0.575, 0.16, 0.16),
        (0.57, 0.36, 0.16),
        (0.44, 0.495, 0.09),
        (0.22, 0.51, 0.08),
    ]
    return Glyph(
        0.80,
        (
            (bar(0.10, 0.0, 0.27, 1.0),),
            _head(0.0, 0.30),
            _foot(0.0, 0.38),
            (stroke(bowl),),
            (outline([(0.32, 0.49), (0.50, 0.48), (0.74, 1.0), (0.56, 1.0)]),),
            _foot(0.52, 0.80),
        ),
    )


def glyph(character: str) -> Glyph:
    """Return the outline of one of `0123456789AJQKOER`. Raises ValueError for another."""
    drawings = {
        "A": _ace,
        "J": _jack,
        "Q": _queen,
        "K": _king,
        "O": _letter_o,
        "E": _letter_e,
        "R": _letter_r,
        "0": _nought,
        "1": _one,
        "2": _two,
        "3": _three,
        "4": _four,
        "5": _five,
        "6": _six,
        "7": _seven,
        "8": _eight,
        "9": _nine,
    }
    if character not in drawings:
        raise ValueError(f"the deck has no letter {character!r}; it has {''.join(drawings)}")
    return drawings[character]()


def word(text: str, height: float, most_width: float, x: float, top: float) -> tuple[Part, ...]:
    """Return a word centred on `x`, `height` high, narrowed where it is over `most_width`."""
    gap = 0.07
    glyphs = [glyph(character) for character in text]
    natural = sum(g.width for g in glyphs) + gap * (len(glyphs) - 1)
    squeeze = min(1.0, most_width / (natural * height))
    left = x - natural * squeeze * height / 2
    parts: list[Part] = []
    for g in glyphs:
        for part in g.parts:
            parts.append(tuple(o * (height * squeeze, height) + (left, top) for o in part))
        left += (g.width + gap) * squeeze * height
    return tuple(parts)
