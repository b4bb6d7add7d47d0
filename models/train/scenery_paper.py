"""Paper and boxes that lie on card tables: text, numbers and ornaments that are no cards."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from scenery_cloth import dye, motif_mask, playmat, stamp
from scenery_drawing import (
    Rgba,
    Sheet,
    Sprite,
    eight_bit,
    halved,
    shaded,
    sheen,
    turned_sprite,
    worn_paper,
)
from scenery_noise import Colour, as_field, bend, fractal, ramp
from scenery_print import any_font, ink_colour, line_of_words, page, paper_colour, text_block, word


def from_page(rgb: Rgba) -> Rgba:
    """Return an opaque picture as RGBA."""
    return as_field(np.concatenate([rgb, np.ones((*rgb.shape[:2], 1), np.float32)], axis=-1))


def opaque_sheet(rgba: Rgba) -> Rgba:
    """Return the colours of a sheet without its alpha."""
    return np.ascontiguousarray(rgba[..., :3])


def leaflet(rng: np.random.Generator) -> Sprite:
    """Draw a rulebook leaf: headings, columns, boxes, numbers."""
    height_mm, ratio = rng.uniform(120, 297), rng.uniform(0.5, 0.8)
    rgb = page(rng, int(1000 * ratio), 1000, rng.uniform(3.0, 5.5) * 1000 / height_mm)
    return halved(worn_paper(rng, from_page(rgb)), 1000 / height_mm, "leaflet")


def notepad(rng: np.random.Generator) -> Sprite:
    """Draw a ruled or squared pad with handwriting: wavy strokes and numbers."""
    width_mm, height_mm = rng.uniform(70, 150), rng.uniform(100, 210)
    sheet = Sheet(width_mm, height_mm)
    sheet.box((0, 0, width_mm, height_mm), paper_colour(rng), 2)
    pitch_mm = rng.uniform(5, 9)
    squared, line = rng.random() < 0.5, eight_bit((0.6, 0.7, 0.85))
    for k in range(1, int(height_mm / pitch_mm)):
        y = sheet.px(k * pitch_mm)[0]
        sheet.pen.line((0, y, sheet.px(width_mm)[0], y), line, 1)
    if squared:
        for k in range(1, int(width_mm / pitch_mm)):
            x = sheet.px(k * pitch_mm)[0]
            sheet.pen.line((x, 0, x, sheet.px(height_mm)[0]), line, 1)
    ink = (30, 40, 130) if rng.random() < 0.6 else (30, 30, 30)
    for k in range(1, int(height_mm / pitch_mm * rng.uniform(0.3, 1))):
        handwriting(rng, sheet, rng.uniform(4, 14), k * pitch_mm, width_mm, pitch_mm, ink)
    for k in range(int(width_mm / 7) if rng.random() < 0.5 else 0):
        sheet.disc(5 + k * 7, 4, 1.8, (0.1, 0.1, 0.1))
    return halved(worn_paper(rng, sheet.rgba()), sheet.px_per_mm, "notepad")


def handwriting(
    rng: np.random.Generator,
    sheet: Sheet,
    x_mm: float,
    y_mm: float,
    right_mm: float,
    size_mm: float,
    ink: tuple[int, int, int],
) -> None:
    """Write one line: scribbled words, now and then a number or letter in a font."""
    while x_mm < right_mm - 15 and rng.random() < 0.88:
        if rng.random() < 0.3:
            font = any_font(rng, size_mm * 0.8 * sheet.px_per_mm)
            x_px, y_px = sheet.px(x_mm, y_mm - size_mm * 0.8)
            sheet.pen.text((x_px, y_px), word(rng)[:4], ink, font)
            x_mm += 12
            continue
        steps = int(rng.integers(8, 40))
        t = np.arange(steps)
        x = x_mm + t * size_mm * 0.09 + 0.12 * size_mm * np.cos(t * 1.9 + rng.uniform(0, 6))
        tall = np.where(rng.random(steps) < 0.2, 2.0, 1.0)
        y = y_mm - size_mm * (0.2 + 0.22 * np.sin(t * 1.9) * tall)
        points = [sheet.px(float(a), float(b)) for a, b in zip(x, y, strict=True)]
        sheet.pen.line(
            [(p[0], p[1]) for p in points], ink, max(2, round(0.45 * sheet.px_per_mm)), "curve"
        )
        x_mm = float(x[-1]) + size_mm * 0.7


def score_sheet(rng: np.random.Generator) -> Sprite:
    """Draw a table of names and points."""
    width_mm, height_mm = rng.uniform(80, 210), rng.uniform(90, 210)
    sheet = Sheet(width_mm, height_mm)
    sheet.box((0, 0, width_mm, height_mm), paper_colour(rng))
    columns, rows = int(rng.integers(3, 8)), int(rng.integers(6, 20))
    step_x, step_y = width_mm / columns, height_mm / rows
    ink = (30, 40, 130) if rng.random() < 0.5 else (25, 25, 25)
    font = any_font(rng, step_y * rng.uniform(0.5, 0.85) * sheet.px_per_mm)
    line = eight_bit(dye(rng))
    for row in range(rows):
        y = sheet.px(row * step_y)[0]
        sheet.pen.line((0, y, sheet.picture.width, y), line, max(1, round(0.3 * sheet.px_per_mm)))
        for column in range(columns):
            if rng.random() < 0.75:
                x_px = sheet.px(column * step_x + 0.12 * step_x)[0]
                text = word(rng)[:5].capitalize() if row == 0 else str(int(rng.integers(-30, 121)))
                sheet.pen.text((x_px, y + 1), text, ink, font)
    for column in range(1, columns):
        x = sheet.px(column * step_x)[0]
        sheet.pen.line((x, 0, x, sheet.picture.height), line, max(1, round(0.3 * sheet.px_per_mm)))
    return halved(worn_paper(rng, sheet.rgba()), sheet.px_per_mm, "score_sheet")


def business_card(rng: np.random.Generator) -> Sprite:
    """Draw a visiting or loyalty card: the size of a playing card, with words and a mark."""
    sheet = Sheet(85, 55)
    ground: Colour = paper_colour(rng) if rng.random() < 0.6 else dye(rng)
    sheet.box((0, 0, 85, 55), ground, float(rng.choice([0.3, 3.0])))
    ink = ink_colour(rng) if sum(ground) > 1.3 else (235, 235, 235)
    scale = sheet.px_per_mm
    font = any_font(rng, rng.uniform(5, 9) * scale)
    sheet.pen.text(sheet.at(6, rng.uniform(5, 14)), line_of_words(rng, font, 60 * scale), ink, font)
    text_block(
        rng,
        sheet.pen,
        (6 * scale, 30 * scale, 60 * scale, 52 * scale),
        rng.uniform(2.6, 4.2) * scale,
        ink,
    )
    rgb = opaque_sheet(sheet.rgba())
    kind = str(rng.choice(["star", "flower", "leaf", "dot", "heart", "diamond", "clover"]))
    place = sheet.px(70, rng.uniform(14, 40))
    stamp(rgb, motif_mask(rng, kind, rng.uniform(4, 9) * scale), (place[0], place[1]), dye(rng), 1)
    rgba = np.concatenate([rgb, sheet.rgba()[..., 3:]], axis=-1)
    return halved(shaded(rng, as_field(rgba), 3, 0.3), scale, "business_card")


def banknote(rng: np.random.Generator) -> Sprite:
    """Draw a made-up note: guilloche lines, rosettes and its value in the corners."""
    sheet = Sheet(rng.uniform(120, 160), rng.uniform(62, 82))
    hue_a, hue_b = dye(rng), dye(rng)
    width_px, height_px = sheet.picture.size
    y, x = np.mgrid[0:height_px, 0:width_px].astype(np.float32) / height_px
    wave = (
        np.sin((y + 0.15 * np.sin(x * 5)) * 150) * 0.5
        + np.sin((x + 0.2 * np.sin(y * 7)) * 90) * 0.5
    )
    rgb = ramp(as_field(wave + 1.5 * x), (hue_a, (0.9, 0.9, 0.85), hue_b)) * 0.5 + 0.42
    for _ in range(3):
        cx, cy, r0 = rng.uniform(0.2, 1.6), rng.uniform(0.3, 0.7), rng.uniform(0.12, 0.35)
        r, angle = np.hypot(x - cx, y - cy), np.arctan2(y - cy, x - cx)
        rose = np.abs(np.sin(r * 90 + 6 * np.sin(angle * int(rng.integers(5, 13))))) * np.exp(
            -((r / r0) ** 4)
        )
        rgb = rgb * (1 - 0.5 * rose[..., None]) + np.asarray(hue_a) * 0.5 * rose[..., None]
    sheet.picture = Image.fromarray((np.clip(rgb, 0, 1) * 255).astype(np.uint8)).convert("RGBA")
    number_in_corners(rng, sheet, str(rng.choice(["5", "10", "20", "50", "100", "2", "1"])), 14)
    return halved(worn_paper(rng, sheet.rgba()), sheet.px_per_mm, "banknote")


def number_in_corners(rng: np.random.Generator, sheet: Sheet, text: str, size_mm: float) -> None:
    """Print the same number in two opposite corners and once in the middle."""
    pen = ImageDraw.Draw(sheet.picture)
    ink = ink_colour(rng)
    for x, y, scale in ((0.03, 0.04, 1.0), (0.8, 0.7, 1.0), (0.4, 0.3, 1.8)):
        font = any_font(rng, size_mm * scale * rng.uniform(0.5, 1) * sheet.px_per_mm)
        pen.text((x * sheet.picture.width, y * sheet.picture.height), text, ink, font)


def photograph(rng: np.random.Generator) -> Sprite:
    """Draw a print of an out-of-focus scene with a white border."""
    sheet = Sheet(rng.uniform(90, 150), 100)
    width_px, height_px = sheet.picture.size
    field = fractal(rng, (height_px, width_px), 300, 6)
    swirl = fractal(rng, (height_px, width_px), 200, 2) * 30
    rgb = bend(ramp(field, [dye(rng) for _ in range(5)]), swirl, as_field(-swirl))
    edge = int(rng.choice([0, 30, 45]))
    framed = np.full_like(rgb, 0.94)
    framed[edge : height_px - edge, edge : width_px - edge] = rgb[
        edge : height_px - edge, edge : width_px - edge
    ]
    return halved(sheen(rng, from_page(framed), 0.25), sheet.px_per_mm, "photograph")


def envelope(rng: np.random.Generator) -> Sprite:
    """Draw an envelope: flap, stamp or address."""
    sheet = Sheet(220, rng.uniform(105, 160))
    width_px, height_px = sheet.picture.size
    ground = paper_colour(rng) if rng.random() < 0.6 else dye(rng)
    sheet.pen.rectangle((0, 0, width_px, height_px), eight_bit(ground))
    ink = ink_colour(rng)
    if rng.random() < 0.5:
        dark = eight_bit((ground[0] * 0.8, ground[1] * 0.8, ground[2] * 0.8))
        middle = (width_px / 2, height_px * rng.uniform(0.4, 0.7))
        sheet.pen.line([(0, 0), middle, (width_px, 0)], dark, 5)
        sheet.pen.line([(0, height_px), middle, (width_px, height_px)], dark, 3)
    else:
        text_block(
            rng,
            sheet.pen,
            (width_px * 0.45, height_px * 0.5, width_px * 0.9, height_px * 0.85),
            height_px / 13,
            ink,
        )
        sheet.box((190, 8, 212, 34), dye(rng), 0, (0.95, 0.95, 0.95), 1.5)
    return halved(worn_paper(rng, sheet.rgba()), sheet.px_per_mm, "envelope")


def napkin(rng: np.random.Generator) -> Sprite:
    """Draw a napkin, coaster or greeting card printed with hearts, clover, diamonds or flowers."""
    side_mm = rng.uniform(90, 200)
    side_px = 900
    rgb = np.broadcast_to(np.asarray(dye(rng), np.float32), (side_px, side_px, 3)).copy()
    pitch_px, colours = rng.uniform(90, 320), [dye(rng) for _ in range(3)]
    kinds = [
        str(k)
        for k in rng.choice(["heart", "clover", "diamond", "flower", "leaf"], 2, replace=False)
    ]
    for row in range(int(side_px / pitch_px) + 2):
        for column in range(int(side_px / pitch_px) + 2):
            k = (row + column) % 2
            place = ((column + 0.5 * (row % 2)) * pitch_px, row * pitch_px)
            stamp(rgb, motif_mask(rng, kinds[k], pitch_px * 0.32), place, colours[k], 1)
    rgba = from_page(as_field(rgb * (1 + 0.05 * fractal(rng, (side_px, side_px), 6, 2))[..., None]))
    if rng.random() < 0.3:
        y, x = np.mgrid[0:side_px, 0:side_px] / side_px - 0.5
        rgba[..., 3] = np.clip((0.49 - np.hypot(x, y)) * 300, 0, 1)
    return halved(worn_paper(rng, rgba), side_px / side_mm, "napkin")


def tuck_box(rng: np.random.Generator) -> Sprite:
    """Draw the paper box of a deck: ornaments, a big suit sign, words."""
    sheet = Sheet(63, 90)
    ground = dye(rng)
    sheet.box((0, 0, 63, 90), ground, 0.8)
    rgb = opaque_sheet(sheet.rgba())
    scale, ink = sheet.px_per_mm, dye(rng)
    for ring in range(int(rng.integers(1, 5))):
        inset = int((3 + ring * 2.2) * scale)
        rgb[inset : inset + 5, inset:-inset] = rgb[-inset - 5 : -inset, inset:-inset] = ink
        rgb[inset:-inset, inset : inset + 5] = rgb[inset:-inset, -inset - 5 : -inset] = ink
    kind = str(rng.choice(["heart", "clover", "diamond", "flower", "star"]))
    stamp(
        rgb,
        motif_mask(rng, kind, rng.uniform(9, 20) * scale),
        (31 * scale, rng.uniform(30, 50) * scale),
        ink,
        1,
    )
    sheet.picture = Image.fromarray((np.clip(rgb, 0, 1) * 255).astype(np.uint8)).convert("RGBA")
    pen = ImageDraw.Draw(sheet.picture)
    for y_mm in (rng.uniform(10, 20), rng.uniform(60, 76)):
        font = any_font(rng, rng.uniform(5, 10) * scale)
        text = line_of_words(rng, font, 44 * scale)
        pen.text((31.5 * scale, y_mm * scale), text, eight_bit(ink), font, anchor="mm")
    face = shaded(rng, sheet.rgba(), 5, 0.4)
    return halved(with_side(rng, face, ground, rng.uniform(0, 17) * scale), scale, "tuck_box")


def with_side(rng: np.random.Generator, face: Rgba, colour: Colour, depth_px: float) -> Rgba:
    """Add the visible lower side of a box, darker than its lid."""
    depth = int(depth_px)
    if depth < 4:
        return sheen(rng, face, 0.2)
    side = np.ones((depth, face.shape[1], 4), np.float32)
    side[..., :3] = np.asarray(colour, np.float32) * np.linspace(0.65, 0.4, depth)[:, None, None]
    return as_field(np.concatenate([sheen(rng, face, 0.2), side], axis=0))


def game_box(rng: np.random.Generator) -> Sprite:
    """Draw a box or a book with art and a title."""
    sheet = Sheet(rng.uniform(90, 300), rng.uniform(90, 300))
    width_px, height_px = sheet.picture.size
    art = playmat(rng)
    picture = Image.fromarray((np.clip(art, 0, 1) * 255).astype(np.uint8)).resize(
        (width_px, height_px)
    )
    sheet.picture = picture.convert("RGBA")
    pen = ImageDraw.Draw(sheet.picture)
    for _ in range(int(rng.integers(1, 4))):
        font = any_font(rng, height_px * rng.uniform(0.05, 0.16))
        text = line_of_words(rng, font, width_px * 0.85)
        place = (width_px / 2, height_px * rng.uniform(0.1, 0.9))
        pen.text(
            place,
            text,
            eight_bit(dye(rng)),
            font,
            anchor="mm",
            stroke_width=3,
            stroke_fill=eight_bit(dye(rng)),
        )
    face = shaded(rng, sheet.rgba(), 8, 0.4)
    return halved(with_side(rng, face, dye(rng), rng.uniform(0, 90)), sheet.px_per_mm, "game_box")


def price_ticket(rng: np.random.Generator) -> Sprite:
    """Draw a ticket, receipt or sticky note: one word or number, large."""
    sheet = Sheet(rng.uniform(40, 90), rng.uniform(25, 90))
    width_px, height_px = sheet.picture.size
    ground = paper_colour(rng) if rng.random() < 0.5 else (0.96, 0.9, 0.45)
    sheet.pen.rectangle((0, 0, width_px, height_px), eight_bit(ground))
    font = any_font(rng, min(width_px, height_px) * rng.uniform(0.2, 0.7))
    sheet.pen.text((width_px / 2, height_px / 2), word(rng)[:4], ink_colour(rng), font, anchor="mm")
    rgba = worn_paper(rng, sheet.rgba())
    return halved(turned_sprite(rgba, rng.uniform(0, 360)), sheet.px_per_mm, "ticket")
