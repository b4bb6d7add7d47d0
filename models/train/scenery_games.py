"""Small things that games and pockets bring to the table: coins, chips, dice, dominoes, tiles."""

from __future__ import annotations

import numpy as np

from scenery_cloth import dye, motif_mask, stamp
from scenery_drawing import (
    Rgba,
    Sheet,
    Sprite,
    eight_bit,
    halved,
    paste,
    polar,
    shaded,
    sheen,
    turned_sprite,
)
from scenery_noise import Colour, as_field, fractal
from scenery_print import any_font

METAL: tuple[Colour, ...] = (
    (0.72, 0.72, 0.74),
    (0.78, 0.63, 0.3),
    (0.6, 0.38, 0.24),
    (0.55, 0.56, 0.58),
)


def disc_rgba(rgb: Rgba, radius_px: float) -> Rgba:
    """Return a round cut-out of a square picture."""
    shape_px = rgb.shape[0], rgb.shape[1]
    r, _ = polar(shape_px, (shape_px[1] / 2, shape_px[0] / 2))
    alpha = np.clip(radius_px - r, 0, 1)
    return as_field(np.concatenate([rgb, alpha[..., None]], axis=-1))


def coin(rng: np.random.Generator, side_px: int) -> Rgba:
    """Draw a worn coin: rim, number, ring of letters."""
    metal = METAL[rng.integers(len(METAL))]
    sheet = Sheet(24, 24, side_px)
    sheet.disc(12, 12, 11.8, metal)
    middle = METAL[rng.integers(len(METAL))] if rng.random() < 0.3 else metal
    sheet.disc(12, 12, 8.5, middle)
    dark = eight_bit((middle[0] * 0.6, middle[1] * 0.6, middle[2] * 0.6))
    font = any_font(rng, rng.uniform(7, 12) * sheet.px_per_mm)
    text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
    sheet.pen.text(sheet.at(12, 12), text, dark, font, anchor="mm", stroke_width=1)
    for k in range(28):
        x, y = 12 + 10.2 * np.cos(k * 0.2244), 12 + 10.2 * np.sin(k * 0.2244)
        sheet.disc(float(x), float(y), 0.35, (metal[0] * 0.6, metal[1] * 0.6, metal[2] * 0.6))
    rgba = sheet.rgba()
    light = 1 + 0.1 * fractal(rng, (rgba.shape[0], rgba.shape[1]), 30, 4)
    rgba[..., :3] *= light[..., None]
    return sheen(rng, shaded(rng, rgba, side_px / 40, 0.5), 0.2)


def coins(rng: np.random.Generator) -> Sprite:
    """One coin or a scatter of them."""
    count = int(rng.choice([1, 2, 3, 6]))
    if count == 1:
        return halved(coin(rng, 700), 700 / rng.uniform(18, 27), "coin")
    table = np.zeros((1000, 1000, 4), np.float32)
    for _ in range(count):
        one = turned_sprite(coin(rng, int(rng.uniform(240, 340))), rng.uniform(0, 360))
        paste(table, one, *(int(v) for v in rng.uniform(0, 640, 2)))
    return halved(table, 290 / 23, "coins")


def poker_chips(rng: np.random.Generator) -> Sprite:
    """One chip or several, flat and overlapping."""
    table = np.zeros((1000, 1000, 4), np.float32)
    count = int(rng.choice([1, 1, 3, 5]))
    colours = (dye(rng), dye(rng))
    side_px = 900 if count == 1 else 420
    for _ in range(count):
        x, y = rng.uniform(0, 1000 - side_px, 2)
        paste(
            table,
            turned_sprite(chip(rng, colours[rng.integers(2)], side_px), rng.uniform(0, 360)),
            int(x) - 40,
            int(y) - 40,
        )
    return halved(table, side_px / 40, "chips")


def chip(rng: np.random.Generator, colour: Colour, side_px: int) -> Rgba:
    """Draw a poker chip: edge spots, ring, number and perhaps small suit marks."""
    r, angle = polar((side_px, side_px), (side_px / 2, side_px / 2))
    spots = (np.sin(angle * int(rng.choice([4, 6, 8]))) > 0.35) & (r > side_px * 0.36)
    rgb = np.where(spots[..., None], (0.93, 0.92, 0.88), np.asarray(colour))
    rgb = np.where(
        (np.abs(r - side_px * 0.33) < side_px * 0.012)[..., None], (0.93, 0.92, 0.88), rgb
    )
    inner = np.asarray(dye(rng) if rng.random() < 0.4 else (0.92, 0.9, 0.86))
    rgb = as_field(np.where((r < side_px * 0.27)[..., None], inner, rgb))
    for k in range(8 if rng.random() < 0.4 else 0):
        place = (
            side_px * (0.5 + 0.39 * np.cos(k * 0.785)),
            side_px * (0.5 + 0.39 * np.sin(k * 0.785)),
        )
        stamp(
            rgb,
            motif_mask(rng, ("heart", "clover", "diamond", "star")[k % 4], side_px * 0.03),
            place,
            (0.1, 0.1, 0.1),
            1,
        )
    sheet = Sheet(10, 10, side_px)
    font = any_font(rng, side_px * 0.2)
    value = str(rng.choice(["1", "5", "10", "25", "50", "100", "500"]))
    sheet.pen.text((side_px / 2, side_px / 2), value, (20, 20, 20), font, anchor="mm")
    ink = sheet.rgba()[..., 3:]
    return shaded(
        rng, disc_rgba(as_field(rgb * (1 - ink) + 0.08 * ink), side_px * 0.495), side_px / 50, 0.4
    )


def pips(
    sheet: Sheet, left_mm: float, top_mm: float, side_mm: float, count: int, colour: Colour
) -> None:
    """One to six dots of a die or a domino half."""
    rows = {
        0: (), 1: ((1, 1),), 2: ((0, 0), (2, 2)), 3: ((0, 0), (1, 1), (2, 2)),
        4: ((0, 0), (0, 2), (2, 0), (2, 2)),
        5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
        6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
    }  # fmt: skip
    for column, row in rows[count]:
        sheet.disc(
            left_mm + side_mm * (0.24 + 0.26 * column),
            top_mm + side_mm * (0.24 + 0.26 * row),
            side_mm * 0.095,
            colour,
        )


def dice(rng: np.random.Generator) -> Sprite:
    """One to five dice from above."""
    table = np.zeros((1000, 1000, 4), np.float32)
    body = dye(rng) if rng.random() < 0.6 else (0.92, 0.9, 0.86)
    spot: Colour = (0.06, 0.06, 0.06) if sum(body) > 1.4 else (0.95, 0.95, 0.95)
    for _ in range(int(rng.integers(1, 6))):
        sheet = Sheet(16, 16, 300)
        sheet.box((0, 0, 16, 16), body, 3)
        pips(sheet, 0, 0, 16, int(rng.integers(1, 7)), spot)
        one = shaded(rng, sheet.rgba(), 26, 0.35)
        paste(
            table,
            turned_sprite(one, rng.uniform(0, 360)),
            *(int(v) for v in rng.uniform(0, 600, 2)),
        )
    return halved(table, 300 / 16, "dice")


def dominoes(rng: np.random.Generator) -> Sprite:
    """Draw some dominoes in a row or scattered."""
    table = np.zeros((1000, 1000, 4), np.float32)
    dark = rng.random() < 0.5
    body, spot = (
        ((0.08, 0.08, 0.08), (0.93, 0.93, 0.9))
        if dark
        else ((0.93, 0.91, 0.85), (0.08, 0.08, 0.08))
    )
    for _ in range(int(rng.integers(1, 5))):
        sheet = Sheet(24, 48, 500)
        sheet.box((0, 0, 24, 48), body, 2)
        sheet.box((2, 23.7, 22, 24.3), spot)
        for top in (0, 24):
            pips(sheet, 0, top, 24, int(rng.integers(0, 7)), spot)
        one = turned_sprite(shaded(rng, sheet.rgba(), 14, 0.35), rng.uniform(0, 360))
        paste(table, one, *(int(v) for v in rng.uniform(0, 450, 2)))
    return halved(table, 500 / 48, "dominoes")


def letter_tiles(rng: np.random.Generator) -> Sprite:
    """Wooden or plastic tiles with letters or numbers."""
    table = np.zeros((1000, 1000, 4), np.float32)
    body = (0.88, 0.76, 0.55) if rng.random() < 0.6 else dye(rng)
    ink: Colour = (0.1, 0.08, 0.06) if sum(body) > 1.2 else (0.95, 0.95, 0.9)
    side_px = int(rng.choice([150, 240]))
    font, small = any_font(rng, side_px * 0.58), any_font(rng, side_px * 0.16)
    turn = rng.uniform(0, 360)
    step_px = (
        np.array([np.cos(np.radians(turn)), -np.sin(np.radians(turn))])
        * side_px
        * rng.uniform(0.9, 1.1)
    )
    count = int(rng.integers(1, 6 if side_px < 200 else 4))
    for k in range(count):
        sheet = Sheet(20, 22, side_px)
        sheet.box((0, 0, 20, 22), body, 1.5)
        letter = str(rng.choice(list("AJQKBDERTS123456789")))
        middle = (side_px * 0.45, side_px * 0.48)
        sheet.pen.text(middle, letter, eight_bit(ink), font, anchor="mm")
        value = str(int(rng.integers(1, 11)))
        sheet.pen.text((side_px * 0.7, side_px * 0.78), value, eight_bit(ink), small)
        one = turned_sprite(shaded(rng, sheet.rgba(), side_px / 24, 0.35), turn + rng.normal(0, 6))
        place = 500 + step_px * (k - (count - 1) / 2) - np.array([one.shape[1], one.shape[0]]) / 2
        paste(table, one, int(place[0]), int(place[1]))
    return halved(table, side_px / 22, "letter_tiles")
