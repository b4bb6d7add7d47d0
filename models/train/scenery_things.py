"""Solid things that lie on card tables, seen from above."""

from __future__ import annotations

import cv2
import numpy as np

from scenery_cloth import dye, motif_mask, playmat, stamp
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
from scenery_games import METAL, disc_rgba
from scenery_noise import Colour, as_field, fractal, grain, hsv, ramp
from scenery_print import any_font, line_of_words, text_block, word


def phone(rng: np.random.Generator) -> Sprite:
    """Draw a phone: dark, showing a page with text and tiles, or its back with lenses."""
    width_mm, height_mm = rng.uniform(68, 78), rng.uniform(140, 165)
    sheet = Sheet(width_mm, height_mm)
    sheet.box(
        (0, 0, width_mm, height_mm), dye(rng) if rng.random() < 0.4 else (0.06, 0.06, 0.07), 9
    )
    kind = rng.choice(["dark", "lit", "back"])
    if kind == "back":
        sheet.box((4, 4, 30, rng.uniform(22, 34)), (0.1, 0.1, 0.11), 6)
        for y in (10, 19):
            sheet.disc(12, y, 5, (0.02, 0.02, 0.03))
            sheet.disc(12, y, 2, (0.15, 0.15, 0.25))
    else:
        sheet.box((3, 3, width_mm - 3, height_mm - 3), (0.02, 0.02, 0.025), 6.5)
    if kind == "lit":
        screen(rng, sheet, width_mm, height_mm)
    return halved(
        sheen(rng, shaded(rng, sheet.rgba(), 9, 0.4), rng.uniform(0, 0.35)),
        sheet.px_per_mm,
        "phone",
    )


def screen(rng: np.random.Generator, sheet: Sheet, width_mm: float, height_mm: float) -> None:
    """Draw a lit screen: bars, tiles with rounded corners and text."""
    sheet.box(
        (3.5, 3.5, width_mm - 3.5, height_mm - 3.5),
        hsv(rng.random(), 0.1, rng.uniform(0.1, 1.0)),
        6,
    )
    for row in range(int(rng.integers(3, 7))):
        for column in range(4):
            x, y = 8 + column * 15.5, 20 + row * 18
            sheet.box((x, y, x + 11, y + 11), dye(rng), 2.5)
    left, top, right, bottom = sheet.px(8, height_mm * 0.6, width_mm - 8, height_mm - 12)
    text_block(
        rng,
        sheet.pen,
        (left, top, right, bottom),
        rng.uniform(3, 7) * sheet.px_per_mm,
        eight_bit(dye(rng)),
    )


def mug(rng: np.random.Generator) -> Sprite:
    """Draw a mug or cup from above, with drink, handle and perhaps a saucer or printed hearts."""
    side_px, rim_px = 1000, rng.uniform(250, 330)
    scale = rim_px / rng.uniform(36, 46)
    shape_px = (side_px, side_px)
    x0, y0 = 500 + rng.uniform(-25, 25), 500 + rng.uniform(-25, 25)
    r_out, _ = polar(shape_px, (500, 500))
    r_in, angle = polar(shape_px, (x0, y0))
    glaze = np.asarray(dye(rng) if rng.random() < 0.6 else (0.9, 0.9, 0.88))
    drink = np.asarray(
        ((0.16, 0.08, 0.04), (0.45, 0.28, 0.15), (0.6, 0.3, 0.06), (0.85, 0.84, 0.8))[
            rng.integers(4)
        ]
    )
    light = rng.uniform(0, 6.28)
    facing = np.cos(angle - light)
    rgb = np.broadcast_to(glaze, (*shape_px, 3)) * (0.85 + 0.2 * facing[..., None])
    alpha = np.clip(rim_px - r_out, 0, 1)
    handle_turn = rng.uniform(0, 6.28)
    hx, hy = 500 + np.cos(handle_turn) * rim_px * 1.2, 500 + np.sin(handle_turn) * rim_px * 1.2
    d = bar_distance(shape_px, (500, 500), (hx, hy))
    alpha = np.maximum(alpha, np.clip(rim_px * 0.14 - d, 0, 1))
    wall = (r_in < rim_px * 0.88)[..., None]
    rgb = np.where(wall, glaze * (0.75 - 0.3 * facing[..., None]), rgb)
    level = rim_px * rng.uniform(0.6, 0.84)
    surface = drink * (1 + 0.15 * np.exp(-(((r_in - level) / 10) ** 2)))[..., None]
    surface = (
        surface
        + 0.3
        * np.exp(-((polar(shape_px, (x0 + 60, y0 - 90))[0] / rng.uniform(20, 70)) ** 4))[..., None]
    )
    rgb = np.where((r_in < level)[..., None], surface, rgb)
    rgba = as_field(np.clip(np.concatenate([rgb, alpha[..., None]], axis=-1), 0, 1))
    if rng.random() < 0.4:
        rgba = saucer(rng, rgba, rim_px)
    return halved(rgba, scale, "mug")


def bar_distance(shape_px: tuple[int, int], a: tuple[float, float], b: tuple[float, float]) -> Rgba:
    """Distance of each pixel to a line from a to b."""
    y, x = np.mgrid[0 : shape_px[0], 0 : shape_px[1]].astype(np.float32)
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    return as_field(np.hypot(x - a[0] - t * dx, y - a[1] - t * dy))


def saucer(rng: np.random.Generator, cup: Rgba, rim_px: float) -> Rgba:
    """Return a plate under the cup, with rings or printed motifs."""
    r, _ = polar((1000, 1000), (500, 500))
    base = np.asarray(dye(rng) if rng.random() < 0.5 else (0.9, 0.9, 0.9), np.float32)
    rgb = as_field(base * (0.9 + 0.08 * np.cos(r / 22))[..., None])
    rgb = as_field(rgb * (1 - 0.45 * np.exp(-np.maximum(r - rim_px, 0) / 30))[..., None])
    kind, colour = str(rng.choice(["heart", "flower", "clover", "dot"])), dye(rng)
    for k in range(10 if rng.random() < 0.6 else 0):
        place = (500 + 430 * np.cos(k * 0.628), 500 + 430 * np.sin(k * 0.628))
        stamp(rgb, motif_mask(rng, kind, 34), place, colour, 1)
    plate = np.concatenate([rgb, np.clip(495 - r, 0, 1)[..., None]], axis=-1)
    under = as_field(np.clip(plate, 0, 1))
    paste(under, cup, 0, 0)
    return under


def drinking_glass(rng: np.random.Generator) -> Sprite:
    """Draw a glass from above: clear, with bright rims and caustics."""
    r, angle = polar((1000, 1000), (500, 500))
    r2, _ = polar((1000, 1000), (500 + rng.uniform(-60, 60), 500 + rng.uniform(-60, 60)))
    rim_px, foot_px = 470.0, rng.uniform(250, 400)
    rims = np.exp(-(((r - rim_px) / 9) ** 2)) + 0.7 * np.exp(-(((r2 - foot_px) / 14) ** 2))
    wave = np.abs(np.sin(fractal(rng, (1000, 1000), 170, 3) * 2.2))
    caustic = np.exp(-((wave / 0.13) ** 2)) * (r < rim_px) * rng.uniform(0.2, 0.8)
    glints = np.clip(np.cos(angle * int(rng.integers(1, 4)) + rng.uniform(0, 6)), 0, 1) ** 8
    bright = np.clip(rims * (0.35 + glints) + caustic * 0.5, 0, 1)
    tint = np.asarray(
        ((0.8, 0.85, 0.85), (0.75, 0.45, 0.12), (0.5, 0.08, 0.12), (0.85, 0.9, 0.95))[
            rng.integers(4)
        ]
    )
    drink = 0.08 + rng.choice([0.0, rng.uniform(0.2, 0.7)]) * (r2 < foot_px * 1.1)
    dark = 0.5 * np.exp(-(((r - rim_px + 14) / 8) ** 2))
    alpha = np.clip(np.maximum(np.maximum(bright, dark), drink * (r < rim_px)), 0, 1) * np.clip(
        rim_px + 12 - r, 0, 1
    )
    rgb = tint * (1 - bright[..., None]) * (1 - dark[..., None]) + bright[..., None]
    rgba = as_field(np.clip(np.concatenate([rgb, alpha[..., None]], axis=-1), 0, 1))
    return halved(rgba, 970 / rng.uniform(62, 85), "glass")


def rod_light(rng: np.random.Generator, sheet: Sheet, shine: float) -> Rgba:
    """Return a lying rod: bright along its spine, dark at its sides."""
    rgba = sheet.rgba()
    y = np.linspace(-1, 1, rgba.shape[0])[:, None, None]
    rgba[..., :3] = np.clip(
        rgba[..., :3] * (1.05 - 0.55 * y**2 - 0.2 * y)
        + shine * np.exp(-(((y + 0.35) / 0.13) ** 2)),
        0,
        1,
    )
    return as_field(rgba)


def pen(rng: np.random.Generator) -> Sprite:
    """Draw a pen, pencil or marker, at any angle."""
    length_mm, width_mm = rng.uniform(120, 180), rng.uniform(7, 14)
    sheet = Sheet(length_mm, width_mm)
    body, middle = dye(rng), width_mm / 2
    cone = [(0.0, middle), (14.0, 0.8), (14.0, width_mm - 0.8)]
    sheet.pen.polygon(
        [(p[0], p[1]) for p in (sheet.px(*q) for q in cone)], eight_bit((0.85, 0.7, 0.5))
    )
    sheet.box((14, 0, length_mm, width_mm), body, 1)
    sheet.box((length_mm * 0.7, 0, length_mm * 0.72, width_mm), METAL[rng.integers(4)])
    sheet.box((length_mm * 0.72, 0, length_mm, width_mm), dye(rng), 1.5)
    sheet.box((length_mm * 0.74, middle - 1, length_mm * 0.95, middle + 0.6), METAL[0], 0.5)
    sheet.disc(2, middle, 1.2, dye(rng))
    font = any_font(rng, width_mm * 0.5 * sheet.px_per_mm)
    text = line_of_words(rng, font, length_mm * 0.3 * sheet.px_per_mm)
    sheet.pen.text(sheet.at(length_mm * 0.3, middle), text, eight_bit(dye(rng)), font, anchor="lm")
    return halved(
        turned_sprite(rod_light(rng, sheet, 0.4), rng.uniform(0, 360)), sheet.px_per_mm, "pen"
    )


def key_shape(rng: np.random.Generator) -> Rgba:
    """One flat key with bow, blade and teeth."""
    sheet = Sheet(60, 26, 620)
    metal = METAL[rng.integers(len(METAL))]
    if rng.random() < 0.5:
        sheet.disc(13, 13, 12, metal)
    else:
        sheet.box((1, 2, 25, 24), metal, float(rng.uniform(2, 9)))
    sheet.box((22, 9.5, 58, 16.5), metal, 1)
    rgba = sheet.rgba()
    scale = sheet.px_per_mm
    for k in range(7):
        x, depth = int((30 + k * 3.8) * scale), int(rng.uniform(0.5, 3) * scale)
        rgba[int(16.5 * scale) - depth : int(17 * scale), x : x + int(2.2 * scale), 3] = 0
    r, _ = polar((rgba.shape[0], rgba.shape[1]), (7 * scale, 13 * scale))
    rgba[r < 3.2 * scale, 3] = 0
    rgba[int(12.4 * scale) : int(13.4 * scale), int(24 * scale) : int(56 * scale), :3] *= 0.6
    return sheen(rng, shaded(rng, rgba, 7, 0.5), 0.3)


def keys(rng: np.random.Generator) -> Sprite:
    """Draw a ring with keys and a fob."""
    table = np.zeros((1000, 1000, 4), np.float32)
    for _ in range(int(rng.integers(1, 5))):
        paste(
            table,
            turned_sprite(key_shape(rng), rng.uniform(0, 360)),
            *(int(v) for v in rng.uniform(80, 330, 2)),
        )
    r, _ = polar((1000, 1000), (500, 500))
    ring = np.zeros((1000, 1000, 4), np.float32)
    ring[..., :3] = 0.7
    ring[..., 3] = np.clip(9 - np.abs(r - rng.uniform(90, 170)), 0, 1)
    paste(table, shaded(rng, ring, 7, 0.6), 0, 0)
    return halved(table, 620 / 60, "keys")


def remote(rng: np.random.Generator) -> Sprite:
    """Draw a remote control or a calculator: rows of buttons with digits."""
    calculator = rng.random() < 0.4
    width_mm, height_mm = (
        (80.0, 140.0) if calculator else (rng.uniform(38, 52), rng.uniform(140, 220))
    )
    sheet = Sheet(width_mm, height_mm)
    body = dye(rng) if rng.random() < 0.4 else (0.08, 0.08, 0.09)
    sheet.box((0, 0, width_mm, height_mm), body, 6)
    top = 12.0
    if calculator:
        sheet.box((7, 8, width_mm - 7, 32), (0.62, 0.68, 0.6), 1)
        font = any_font(rng, 15 * sheet.px_per_mm)
        sheet.pen.text(
            sheet.at(width_mm - 9, 20),
            str(int(rng.integers(0, 99999))),
            (25, 30, 25),
            font,
            anchor="rm",
        )
        top = 40.0
    columns = 4 if calculator else 3
    pitch = width_mm / (columns + 0.4)
    font = any_font(rng, pitch * 0.4 * sheet.px_per_mm)
    ink, cap = (235, 235, 235), (0.25, 0.25, 0.27)
    for k in range(int((height_mm - top - 6) / pitch) * columns):
        x, y = pitch * (0.7 + k % columns), top + pitch * (0.5 + k // columns)
        colour: Colour = cap if rng.random() < 0.85 else dye(rng)
        sheet.box(
            (x - pitch * 0.36, y - pitch * 0.3, x + pitch * 0.36, y + pitch * 0.3),
            colour,
            pitch * 0.2,
        )
        sheet.pen.text(
            sheet.at(x, y),
            str(k % 12) if rng.random() < 0.8 else word(rng)[:2],
            ink,
            font,
            anchor="mm",
        )
    rgba = sheen(rng, shaded(rng, sheet.rgba(), 14, 0.4), 0.12)
    return halved(rgba, sheet.px_per_mm, "calculator" if calculator else "remote")


def spectacles(rng: np.random.Generator) -> Sprite:
    """Draw a pair of glasses lying with its arms open or folded."""
    sheet = Sheet(145, 135)
    frame = eight_bit(dye(rng) if rng.random() < 0.5 else (0.06, 0.06, 0.06))
    line = max(3, round(rng.uniform(1.2, 4) * sheet.px_per_mm))
    round_lens = rng.random() < 0.5
    for left in (5, 78):
        box = sheet.px(left, 3, left + 60, 50)
        glass = (*eight_bit((0.75, 0.8, 0.82)), int(rng.uniform(20, 140)))
        if round_lens:
            sheet.pen.ellipse((box[0], box[1], box[2], box[3]), glass, frame, line)
        else:
            sheet.pen.rounded_rectangle(
                (box[0], box[1], box[2], box[3]), 12 * sheet.px_per_mm, glass, frame, line
            )
    scale = sheet.px_per_mm
    sheet.pen.arc((62 * scale, 10 * scale, 82 * scale, 32 * scale), 180, 360, frame, line)
    spread = rng.uniform(-5, 22)
    for x, end in ((6.0, 2 + spread), (137.0, 141 - spread)):
        points = [
            (p[0], p[1]) for p in (sheet.px(x, 22), sheet.px(end, 100), sheet.px(end + 4, 130))
        ]
        sheet.pen.line(points, frame, line, "curve")
    return halved(shaded(rng, sheet.rgba(), 5, 0.4), scale, "spectacles")


def snacks(rng: np.random.Generator) -> Sprite:
    """Draw a bowl or a heap of crisps, nuts, sweets or biscuits."""
    table = np.zeros((1000, 1000, 4), np.float32)
    bowl = rng.random() < 0.6
    if bowl:
        r, angle = polar((1000, 1000), (500, 500))
        rgb = (
            np.asarray(dye(rng))
            * (0.85 + 0.2 * np.cos(angle) * np.where(r > 430, 1, -1))[..., None]
        )
        table[:] = disc_rgba(
            as_field(np.clip(rgb * np.where(r < 430, 0.7, 1.0)[..., None], 0, 1)), 495
        )
    palettes = (
        ((0.75, 0.5, 0.2), (0.93, 0.75, 0.4)),
        ((0.45, 0.25, 0.1), (0.7, 0.48, 0.28)),
        (dye(rng), dye(rng)),
    )
    palette = palettes[rng.integers(3)]
    many = hsv(rng.random(), 0.8, 0.8) if rng.random() < 0.3 else None
    for _ in range(int(rng.integers(25, 90) if bowl else rng.integers(2, 9))):
        side = int(rng.uniform(90, 210))
        y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
        r = np.hypot(x * rng.uniform(1, 1.7), y) + 0.03 * fractal(rng, (side, side), side / 2, 2)
        colours = palette if many is None else (hsv(rng.random(), 0.8, 0.85),) * 2
        crumb = ramp(fractal(rng, (side, side), side / 3, 4), colours)
        one = np.concatenate([crumb, np.clip((0.42 - r) * side, 0, 1)[..., None]], axis=-1)
        place = 500 - side / 2 + rng.normal(0, 150 if bowl else 110, 2).clip(-270, 270)
        paste(table, shaded(rng, as_field(one), side / 5, 0.5), int(place[0]), int(place[1]))
    return halved(table, 1000 / rng.uniform(120, 200), "snacks")


def lighter(rng: np.random.Generator) -> Sprite:
    """Draw a lighter, a stick or a tube: a small bright box with a metal end and words."""
    sheet = Sheet(rng.uniform(70, 110), rng.uniform(18, 30))
    length_mm, width_mm = (side / sheet.px_per_mm for side in sheet.picture.size)
    sheet.box((0, 0, length_mm, width_mm), dye(rng), 3)
    sheet.box((0, 0, length_mm * 0.22, width_mm), METAL[rng.integers(4)], 2)
    font = any_font(rng, width_mm * 0.5 * sheet.px_per_mm)
    text = line_of_words(rng, font, length_mm * 0.6 * sheet.px_per_mm)
    sheet.pen.text(
        sheet.at(length_mm * 0.3, width_mm / 2), text, eight_bit(dye(rng)), font, anchor="lm"
    )
    return halved(
        turned_sprite(rod_light(rng, sheet, 0.5), rng.uniform(0, 360)), sheet.px_per_mm, "lighter"
    )


def can(rng: np.random.Generator) -> Sprite:
    """Draw a can or jar from above and a little aside: lid, printed wall."""
    side = 1000
    r, angle = polar((side, side), (500, 330))
    art = cv2.resize(playmat(rng), (660, 420))
    table = np.zeros((side, side, 4), np.float32)
    x = np.linspace(-1, 1, 660)
    table[330:750, 170:830, :3] = art * (1 - 0.6 * np.abs(x) ** 3)[None, :, None]
    table[330:750, 170:830, 3] = 1
    low, _ = polar((side, side), (500, 600))
    table[..., 3] = np.where((np.indices((side, side))[0] > 600) & (low > 330), 0, table[..., 3])
    rings = 0.62 + 0.15 * np.sin(r / 14) * (r > 230) + 0.12 * np.cos(angle * 2 + rng.uniform(0, 6))
    lid = disc_rgba(as_field(np.repeat(np.clip(rings, 0, 1)[..., None], 3, 2)), 0)
    lid[..., 3] = np.clip(330 - r, 0, 1)
    paste(table, as_field(lid), 0, 0)
    table[..., :3] += 0.02 * grain(rng, (side, side), 1)[..., None]
    return halved(as_field(np.clip(table, 0, 1)), 660 / 66, "can")
