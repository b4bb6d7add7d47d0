"""The court figures of the product's own deck: a jack, a queen and a king for every suit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.simulate.pips import pip
from referee.simulate.shapes import (
    Canvas,
    Colour,
    Outline,
    Part,
    bar,
    bezier,
    ellipse,
    line,
    outline,
    placed,
    spline,
    star,
    stroke,
)

FRAME_LEFT_MM, FRAME_TOP_MM = 11.0, 9.0
"""The frame's upper left corner on a poker card; the lower right one lies opposite."""

_INK: Colour = (58, 28, 24)
_RED: Colour = (48, 38, 202)
_BLUE: Colour = (150, 78, 28)
_GOLD: Colour = (76, 188, 244)
_FACE: Colour = (208, 226, 250)
_WHITE: Colour = (250, 252, 253)
_OUTLINE_MM = 0.34
_MIDDLE_X_MM, _MIDDLE_Y_MM = 31.75, 44.45


@dataclass(frozen=True, slots=True)
class Dress:
    """The colours of one figure: robe, sleeves, hair and the trim of its crown."""

    robe: Colour
    sleeve: Colour
    hair: Colour
    trim: Colour


def _dress(rank: str, suit: str) -> Dress:
    warm = suit in "DH"
    robe, sleeve = (_RED, _BLUE) if warm == (rank != "Q") else (_BLUE, _RED)
    pale = suit in "CH" if rank == "K" else suit in "DS"
    hair: Colour = (226, 226, 222) if pale and rank == "K" else (88, 160, 214)
    return Dress(robe, sleeve, hair if pale else (44, 78, 128), robe)


def _inked(canvas: Canvas, shape: Outline, colour: Colour) -> None:
    canvas.fill((shape,), colour)
    canvas.trace(shape, _OUTLINE_MM, _INK)


def _band(canvas: Canvas, path: list[tuple[float, float]], width_mm: float, colour: Colour) -> None:
    curve = spline(path)
    canvas.trace(curve, width_mm + 2 * _OUTLINE_MM, _INK, closed=False)
    canvas.trace(curve, width_mm, colour, closed=False)


def _sides(shape: Outline) -> tuple[Outline, Outline]:
    return shape, shape * (-1.0, 1.0) + (2 * _MIDDLE_X_MM, 0.0)


def _robe(canvas: Canvas, dress: Dress) -> None:
    shoulders = [(11, 46), (11.3, 41), (18, 34.2), (27, 30.8)]
    left = spline(shoulders)
    whole = np.concatenate([left, _sides(left)[1][::-1]])
    _inked(canvas, whole, dress.sleeve)
    for sleeve in _sides(spline([(11, 46), (15, 41), (17, 38.5), (18.5, 34.2)])):
        canvas.trace(sleeve, 2.1, _INK, closed=False)
        canvas.trace(sleeve, 1.5, _GOLD, closed=False)
    front = outline([(21, 46), (20.5, 37.5), (24, 32.2), (31.75, 38), (39.5, 32.2), (43, 37.5)])
    _inked(canvas, np.concatenate([front, [(42.5, 46)]]), dress.robe)
    for y_mm in (36.6, 40.2):
        chevron = [(21.0, y_mm), (31.75, y_mm + 6.4), (42.5, y_mm)]
        for (x0, y0), (x1, y1) in pairwise(chevron):
            canvas.fill((line(x0, y0, x1, y1, 1.5),), _INK)
            canvas.fill((line(x0, y0, x1, y1, 0.95),), _GOLD)
    for x_mm in np.arange(22.5, 42.0, 3.7):
        drop_mm = 6.4 * (1 - abs(x_mm - _MIDDLE_X_MM) / 10.75)
        canvas.fill((ellipse(x_mm, 38.5 + drop_mm, 0.62, 0.62),), _WHITE)


def _collar(canvas: Canvas, dress: Dress) -> None:
    _inked(canvas, bar(29.2, 25.0, 34.3, 33.0), _FACE)
    wing = outline([(29.0, 29.0), (22.2, 31.6), (25.0, 36.0), (31.75, 34.2), (31.75, 31.5)])
    for side in _sides(wing):
        _inked(canvas, side, _WHITE)
    for side in _sides(outline([(24.1, 32.3), (26.0, 34.6), (30.6, 33.2), (29.2, 31.0)])):
        canvas.fill((side,), dress.trim)
    _inked(canvas, ellipse(31.75, 34.4, 1.35, 1.35), _GOLD)


def _face(canvas: Canvas) -> None:
    cheek = bezier(
        (31.75, 15.2),
        ((35.4, 15.2), (37.2, 17.6), (37.0, 21.2)),
        ((36.8, 25.0), (34.2, 28.2), (31.75, 28.2)),
    )
    _inked(canvas, np.concatenate([cheek, _sides(cheek)[1][::-1]]), _FACE)
    for side in (-1.0, 1.0):
        eye_x_mm = _MIDDLE_X_MM + side * 2.2
        canvas.fill((ellipse(eye_x_mm, 20.7, 0.95, 0.55),), _WHITE)
        canvas.fill((ellipse(eye_x_mm, 20.75, 0.5, 0.52),), _INK)
        brow = [(eye_x_mm - side * 1.2, 19.5), (eye_x_mm, 18.9), (eye_x_mm + side * 1.3, 19.6)]
        canvas.trace(spline(brow), 0.42, _INK, closed=False)
        canvas.fill((ellipse(eye_x_mm + side * 0.7, 23.4, 0.85, 0.6),), (176, 196, 246))
    nose = [(31.3, 20.6), (31.1, 22.4), (31.0, 23.2), (31.9, 23.5)]
    canvas.trace(spline(nose), 0.32, _INK, closed=False)
    mouth = stroke([(30.3, 25.3, 0.1), (31.2, 25.2, 0.75), (32.3, 25.2, 0.75), (33.2, 25.3, 0.1)])
    canvas.fill((mouth,), _RED)


def _curls(canvas: Canvas, hair: Colour, spots: list[tuple[float, float, float]]) -> None:
    for x_mm, y_mm, radius_mm in spots:
        for side in _sides(ellipse(x_mm, y_mm, radius_mm, radius_mm)):
            _inked(canvas, side, hair)
        for side in _sides(ellipse(x_mm, y_mm, radius_mm * 0.4, radius_mm * 0.4)):
            canvas.trace(side, 0.26, _INK)


def _king(canvas: Canvas, dress: Dress) -> None:
    _curls(canvas, dress.hair, [(25.6, 18.6, 1.7), (25.2, 21.6, 1.8), (25.6, 24.6, 1.7)])
    _face(canvas)
    beard = spline([(26.5, 22.4), (27.0, 26.6), (29.4, 30.4), (31.75, 33.4)])
    chin = spline([(31.75, 27.0), (29.4, 26.2), (28.0, 24.4), (26.5, 22.4)])
    half = np.concatenate([beard, chin])
    for side in _sides(half):
        _inked(canvas, side, dress.hair)
    for x_mm in (29.3, 30.6, 32.9, 34.2):
        canvas.fill((line(x_mm, 27.8, (x_mm + 31.75) / 2, 30.8, 0.3),), _INK)
    whisker = stroke([(31.75, 24.4, 1.0), (29.9, 24.5, 1.1), (28.4, 25.4, 0.2)])
    for side in _sides(whisker):
        canvas.fill((side,), dress.hair)
        canvas.trace(side, 0.24, _INK)
    canvas.fill((ellipse(31.75, 26.0, 1.2, 0.5),), _RED)
    _crown(canvas, dress, [(0.0, 9.7), (3.4, 10.4), (6.8, 11.2)], 16.4)


def _crown(canvas: Canvas, dress: Dress, tips: list[tuple[float, float]], base_mm: float) -> None:
    reach = tips[-1][0]
    right: list[tuple[float, float]] = []
    for (x0, y0), (x1, _) in pairwise(tips):
        right += [(_MIDDLE_X_MM + x0, y0), (_MIDDLE_X_MM + (x0 + x1) / 2, base_mm - 2.6)]
    right += [(_MIDDLE_X_MM + reach, tips[-1][1]), (_MIDDLE_X_MM + reach - 1.2, base_mm)]
    half = outline(right)
    _inked(canvas, np.concatenate([half, _sides(half)[1][::-1]]), _GOLD)
    _inked(
        canvas,
        bar(31.75 - reach + 0.9, base_mm - 1.4, 31.75 + reach - 0.9, base_mm + 0.5),
        dress.trim,
    )
    for x_mm in np.linspace(31.75 - reach + 2.2, 31.75 + reach - 2.2, 5):
        canvas.fill((ellipse(float(x_mm), base_mm - 0.45, 0.5, 0.5),), _WHITE)
    for x_mm, y_mm in tips:
        for side in _sides(ellipse(31.75 + x_mm, y_mm, 0.8, 0.8)):
            _inked(canvas, side, _WHITE)


def _queen(canvas: Canvas, dress: Dress) -> None:
    veil = bezier(
        (31.75, 12.6),
        ((37.6, 12.6), (39.6, 16.0), (39.2, 21.0)),
        ((38.9, 25.0), (41.4, 28.0), (40.4, 32.4)),
    )
    tresses = np.concatenate([veil, _sides(veil)[1][::-1]])
    _inked(canvas, tresses, dress.hair)
    for x_mm in (37.6, 38.8):
        for side in _sides(spline([(x_mm - 0.5, 17.0), (x_mm, 22.0), (x_mm + 0.4, 31.0)])):
            canvas.trace(side, 0.26, _INK, closed=False)
    _collar(canvas, dress)
    _face(canvas)
    for side in _sides(outline([(31.75, 15.0), (36.4, 16.8), (37.0, 20.6), (34.6, 17.6)])):
        _inked(canvas, side, dress.hair)
    for angle in np.linspace(0.15, np.pi - 0.15, 7):
        pearl = ellipse(31.75 + 4.4 * np.cos(angle), 28.9 + 2.6 * np.sin(angle), 0.55, 0.55)
        _inked(canvas, pearl, _WHITE)
    _crown(canvas, dress, [(0.0, 9.8), (2.9, 11.2), (5.6, 11.4)], 15.8)


def _jack(canvas: Canvas, dress: Dress) -> None:
    bob = bezier(
        (31.75, 13.4),
        ((37.6, 13.4), (39.4, 17.0), (39.0, 21.6)),
        ((38.8, 24.6), (40.6, 26.0), (39.0, 27.4)),
        ((37.4, 28.4), (36.2, 26.8), (36.4, 24.0)),
    )
    _inked(canvas, np.concatenate([bob, _sides(bob)[1][::-1]]), dress.hair)
    _face(canvas)
    fringe = spline([(26.6, 19.6), (27.6, 16.8), (31.75, 17.6), (35.9, 16.8), (36.9, 19.6)])
    _inked(canvas, np.concatenate([fringe, [(37.2, 15.4), (26.3, 15.4)]]), dress.hair)
    cap = bezier(
        (24.6, 15.8),
        ((24.6, 10.8), (28.6, 10.2), (33.0, 10.4)),
        ((38.4, 10.4), (40.4, 13.4), (39.0, 15.8)),
    )
    _inked(canvas, cap, dress.trim)
    _inked(canvas, bar(24.8, 14.6, 38.8, 16.6), _GOLD)
    for x_mm in np.arange(26.4, 38.0, 2.7):
        canvas.fill((ellipse(float(x_mm), 15.6, 0.5, 0.5),), _INK)
    feather = [(37.4, 14.4, 0.5), (40.6, 11.6, 2.3), (43.2, 11.4, 1.9), (45.2, 14.0, 0.2)]
    _inked(canvas, stroke(feather), _WHITE)
    canvas.trace(spline([(37.4, 14.4), (40.6, 11.7), (44.4, 12.8)]), 0.26, _INK, closed=False)


def _hand(canvas: Canvas, x_mm: float, y_mm: float) -> None:
    _inked(canvas, ellipse(x_mm, y_mm, 2.3, 1.9), _FACE)
    for step in (-0.8, 0.1, 1.0):
        canvas.trace(
            outline([(x_mm - 2.0, y_mm + step), (x_mm + 0.4, y_mm + step)]), 0.26, _INK, False
        )


def _sword(canvas: Canvas) -> None:
    _inked(
        canvas, outline([(46.0, 39), (46.0, 14.5), (47.2, 11.2), (48.4, 14.5), (48.4, 39)]), _WHITE
    )
    canvas.fill((bar(47.05, 14.5, 47.35, 38),), _BLUE)
    _inked(canvas, bar(43.6, 35.4, 50.8, 36.8), _GOLD)
    _hand(canvas, 47.2, 39.2)


def _flower(canvas: Canvas) -> None:
    _band(canvas, [(46.4, 40.0), (46.0, 32.0), (47.4, 24.0)], 0.7, (70, 132, 60))
    leaf = bezier(
        (46.2, 33.0), ((42.6, 33.4), (42.2, 29.8), (42.6, 28.4)), ((45.0, 29), (46, 31), (46.2, 33))
    )
    _inked(canvas, leaf, (84, 150, 74))
    for angle in np.arange(0.0, 360.0, 72.0):
        x, y = 2.5 * np.sin(np.radians(angle)), -2.5 * np.cos(np.radians(angle))
        _inked(canvas, ellipse(47.5 + x, 20.4 + y, 1.9, 1.9), _RED)
    _inked(canvas, ellipse(47.5, 20.4, 1.6, 1.6), _GOLD)
    _hand(canvas, 46.4, 38.6)


def _halberd(canvas: Canvas) -> None:
    _inked(canvas, bar(46.6, 18.0, 47.8, 44.0), _GOLD)
    blade = bezier(
        (47.2, 11.0),
        ((48.2, 14.0), (48.4, 16.0), (48.2, 18.0)),
        ((49.6, 18.2), (50.8, 17.4), (51.6, 16.0)),
        ((52.0, 20.0), (51.2, 23.4), (48.2, 24.4)),
        ((47.6, 24.6), (46.8, 24.6), (46.2, 24.0)),
        ((43.8, 23.6), (43.4, 20.4), (46.2, 18.0)),
        ((46.0, 16.0), (46.4, 14.0), (47.2, 11.0)),
    )
    _inked(canvas, blade, _WHITE)
    _hand(canvas, 47.2, 37.4)


def _sash(canvas: Canvas, suit: str, suit_colour: Colour) -> None:
    right, slope = 2 * _MIDDLE_X_MM - FRAME_LEFT_MM, 0.30
    rise_mm = slope * (right - _MIDDLE_X_MM)

    def band(half_mm: float) -> Outline:
        left_y, right_y = _MIDDLE_Y_MM + rise_mm, _MIDDLE_Y_MM - rise_mm
        return outline(
            [
                (FRAME_LEFT_MM, left_y - half_mm),
                (right, right_y - half_mm),
                (right, right_y + half_mm),
                (FRAME_LEFT_MM, left_y + half_mm),
            ]
        )

    _inked(canvas, band(3.9), _GOLD)
    _inked(canvas, band(2.8), _WHITE)
    for x_mm in np.linspace(FRAME_LEFT_MM + 5.2, right - 5.2, 5):
        y_mm = _MIDDLE_Y_MM - slope * (x_mm - _MIDDLE_X_MM)
        half_turn = 180.0 if x_mm > _MIDDLE_X_MM + 0.1 else 0.0
        for part in pip(suit):
            canvas.fill(placed(part, 4.0, float(x_mm), y_mm, half_turn - 16.7), suit_colour)


def _backdrop(canvas: Canvas) -> None:
    for x_mm in np.arange(FRAME_LEFT_MM + 3.46, 52.0, 5.19):
        for y_mm in np.arange(FRAME_TOP_MM + 3.0, 46.0, 6.0):
            canvas.fill((star(float(x_mm), float(y_mm), 0.62, 0.26, 4),), (150, 205, 240))


def draw_court(canvas: Canvas, rank: str, suit: str, suit_colour: Colour, paper: Colour) -> None:
    """Draw the framed figure of rank J, Q or K on a poker-sized card (63.5 x 88.9 mm)."""
    dress = _dress(rank, suit)
    inside = bar(FRAME_LEFT_MM, FRAME_TOP_MM, 63.5 - FRAME_LEFT_MM, 88.9 - FRAME_TOP_MM)
    canvas.fill((inside,), (236, 248, 254))
    _backdrop(canvas)
    if rank == "Q":
        _robe(canvas, dress)
        _queen(canvas, dress)
        _flower(canvas)
    else:
        _robe(canvas, dress)
        _collar(canvas, dress)
        (_king if rank == "K" else _jack)(canvas, dress)
        (_sword if rank == "K" else _halberd)(canvas)
    large_pip: tuple[Part, ...] = pip(suit)
    canvas.fill_all((placed(p, 9.0, 17.2, 15.6) for p in large_pip), suit_colour)
    canvas.turned_onto_itself()
    _sash(canvas, suit, suit_colour)
    for margin in (bar(0.0, 0.0, FRAME_LEFT_MM, 88.9), bar(63.5 - FRAME_LEFT_MM, 0.0, 63.5, 88.9)):
        canvas.fill((margin,), paper)
    canvas.trace(inside, 0.42, (140, 72, 30))


def draw_jester(canvas: Canvas, colour: Colour, trim: Colour) -> None:
    """Draw the joker's figure on a poker-sized card: a jester's head under a cap with bells."""
    for side in (-1.0, 1.0):
        horn = bezier(
            (31.75, 33.0),
            ((31.75 + side * 4, 22.0), (31.75 + side * 13, 20.0), (31.75 + side * 17, 33.0)),
            ((31.75 + side * 14, 30.0), (31.75 + side * 11, 32.0), (31.75 + side * 9, 43.0)),
            ((31.75 + side * 6, 40.0), (31.75 + side * 2, 40.0), (31.75, 42.0)),
        )
        _inked(canvas, horn, colour if side < 0 else trim)
        _inked(canvas, ellipse(31.75 + side * 17, 34.6, 1.9, 1.9), _GOLD)
    _inked(
        canvas,
        bezier(
            (25.5, 40.0), ((27, 27), (30, 22), (31.75, 18.5)), ((33.5, 22), (36.5, 27), (38, 40.0))
        ),
        _WHITE,
    )
    _inked(canvas, ellipse(31.75, 17.6, 1.9, 1.9), _GOLD)
    face = ellipse(31.75, 45.8, 8.2, 9.4)
    _inked(canvas, face, _FACE)
    _inked(
        canvas,
        bezier(
            (22.6, 41.8),
            ((26, 37.4), (37.5, 37.4), (40.9, 41.8)),
            ((37.5, 40.6), (26, 40.6), (22.6, 41.8)),
        ),
        _GOLD,
    )
    for side in (-1.0, 1.0):
        canvas.fill((ellipse(31.75 + side * 3.4, 44.6, 1.3, 0.9),), _WHITE)
        canvas.fill((ellipse(31.75 + side * 3.2, 44.7, 0.75, 0.8),), _INK)
        canvas.fill((ellipse(31.75 + side * 5.0, 48.4, 1.5, 1.1),), (150, 160, 240))
    canvas.trace(spline([(31.2, 44.8), (30.5, 47.6), (32.3, 48.0)]), 0.34, _INK, closed=False)
    canvas.fill((stroke([(27.0, 49.8, 0.2), (31.75, 52.2, 1.6), (36.5, 49.8, 0.2)]),), _RED)
    for angle in np.arange(20.0, 161.0, 20.0):
        x, y = 12.0 * np.cos(np.radians(angle)), 8.0 * np.sin(np.radians(angle))
        ruff = outline(
            [
                (31.75 + x * 0.45, 53.2 + y * 0.3),
                (31.75 + x * 1.25 - y * 0.4, 54.6 + y * 1.25),
                (31.75 + x * 1.25 + y * 0.4, 54.6 + y * 1.25),
            ]
        )
        _inked(canvas, ruff, colour if round(angle / 20) % 2 else trim)
        _inked(canvas, ellipse(31.75 + x * 1.28, 55.2 + y * 1.28, 1.0, 1.0), _GOLD)
