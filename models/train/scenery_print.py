"""Printed matter: fonts, made-up words, text pages and keyboards."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from scenery_noise import Colour, Rgb, as_field, blend, fractal, hsv

FONT_ROOT = Path("/usr/share/fonts")
# Fonts without Latin letters.
SYMBOL_FONTS = (
    "D050000L",
    "StandardSymbols",
    "Symbol",
    "Dingbats",
    "Emoji",
    "Math",
    "Icons",
    "texgyre",
)
SYLLABLES = tuple(
    "ka lo mi ter den sa ru pel no ist ver an qua bro el fi gen hu jo ley mar ox pra sti und wex yl"
    " zo".split()
)
Font = ImageFont.FreeTypeFont
Pen = ImageDraw.ImageDraw


class NoFonts(Exception):
    """Nothing is installed to print with."""


@cache
def font_files() -> tuple[Path, ...]:
    """Installed Latin fonts, sorted; raises NoFonts where there is none."""
    found = [p for p in sorted(FONT_ROOT.rglob("*")) if p.suffix in (".ttf", ".otf")]
    named = [p for p in found if not any(mark in p.name for mark in SYMBOL_FONTS)]
    latin = tuple(p for p in named if has_latin(p))
    if not latin:
        raise NoFonts(f"no TrueType fonts under {FONT_ROOT}; install fonts-liberation")
    return latin


def has_latin(path: Path) -> bool:
    """Whether the font draws letters and digits apart (a missing glyph is always the same box)."""
    try:
        font = ImageFont.truetype(str(path), 24)
        return len({bytes(font.getmask(letter)) for letter in "AKQa25"}) == 6
    except OSError:
        return False


def any_font(rng: np.random.Generator, size_px: float) -> Font:
    """Return a random installed font."""
    files = font_files()
    return ImageFont.truetype(str(files[rng.integers(len(files))]), max(6, round(size_px)))


def word(rng: np.random.Generator) -> str:
    """Return a made-up word, number, price or single letter."""
    roll = rng.random()
    if roll < 0.14:
        return str(
            int(rng.choice([rng.integers(0, 11), rng.integers(10, 100), rng.integers(100, 3000)]))
        )
    if roll < 0.20:
        return str(rng.choice(list("AKQJBDRSTX123456789")))
    text = "".join(rng.choice(SYLLABLES, rng.integers(1, 4)))
    return (
        text.upper() if rng.random() < 0.08 else text.capitalize() if rng.random() < 0.2 else text
    )


def line_of_words(rng: np.random.Generator, font: Font, width_px: float) -> str:
    """Words that just fill a line."""
    text = word(rng)
    while True:
        longer = f"{text} {word(rng)}"
        if font.getlength(longer) > width_px:
            return text if font.getlength(text) <= width_px else text[: max(1, len(text) // 3)]
        text = longer


def text_block(
    rng: np.random.Generator,
    pen: Pen,
    box_px: tuple[float, float, float, float],
    size_px: float,
    ink: tuple[int, int, int],
) -> None:
    """Fill a box (left, top, right, bottom) with lines in one font."""
    font = any_font(rng, size_px)
    y, indent = box_px[1], 0.0
    while y + size_px < box_px[3]:
        ragged = rng.uniform(0.85, 1.0) if rng.random() < 0.8 else rng.uniform(0.2, 0.7)
        pen.text(
            (box_px[0] + indent, y),
            line_of_words(rng, font, (box_px[2] - box_px[0]) * ragged),
            ink,
            font,
        )
        y += size_px * 1.25 + (size_px if ragged < 0.7 else 0)


def ink_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """Black, or a darker colour of print."""
    if rng.random() < 0.65:
        return (25, 25, 28)
    red, green, blue = hsv(rng.random(), rng.uniform(0.5, 1), rng.uniform(0.2, 0.7))
    return int(red * 255), int(green * 255), int(blue * 255)


def paper_colour(rng: np.random.Generator) -> Colour:
    """White, newsprint or cream."""
    tone = rng.uniform(0.75, 0.98)
    return float(tone), float(tone * rng.uniform(0.95, 1)), float(tone * rng.uniform(0.84, 1))


def page(rng: np.random.Generator, width_px: int, height_px: int, size_px: float) -> Rgb:
    """Draw a page of columns with headings, lists of numbers, ruled boxes and grey pictures."""
    picture = Image.new(
        "RGB", (width_px, height_px), tuple(int(c * 255) for c in paper_colour(rng))
    )
    pen = ImageDraw.Draw(picture)
    columns = int(rng.integers(1, 4))
    ink, margin = ink_colour(rng), width_px * 0.04
    step = (width_px - margin) / columns
    for column in range(columns):
        y, left = margin, margin + column * step
        while y < height_px - margin:
            kind = rng.random()
            block = rng.uniform(0.08, 0.4) * height_px
            right, bottom = left + step - margin, min(height_px - margin, y + block)
            if kind < 0.18:
                size = size_px * rng.uniform(1.6, 4)
                font = any_font(rng, size)
                pen.text((left, y), line_of_words(rng, font, step - margin), ink_colour(rng), font)
                y += size * 1.4
                continue
            if kind < 0.27:
                tone = int(rng.uniform(60, 220))
                pen.rectangle((left, y, right, max(bottom, y + 4)), (tone, tone, int(tone * 0.95)))
            elif kind < 0.35:
                pen.rectangle((left, y, right, max(bottom, y + 4)), outline=ink, width=2)
                text_block(rng, pen, (left + 6, y + 6, right - 6, bottom), size_px, ink)
            else:
                text_block(rng, pen, (left, y, right, bottom), size_px, ink)
            y = bottom + size_px
    return as_field(np.asarray(picture) / 255)


def text_page(rng: np.random.Generator) -> Rgb:
    """Newspapers, books or leaflets lying all over the view."""
    image = page(rng, 960, 960, rng.uniform(9, 26))
    if rng.random() < 0.5:
        other, (x, y) = page(rng, 960, 960, rng.uniform(9, 26)), rng.uniform(250, 700, 2)
        mask = np.zeros((960, 960), np.float32)
        mask[int(y) :, int(x) :] = 1
        shade = cv2.GaussianBlur(mask, (0, 0), 6)
        image = blend(as_field(image * (1 - 0.4 * shade)[..., None]), other, mask)
    turn = cv2.getRotationMatrix2D(
        (480, 480), float(rng.choice([rng.normal(0, 8), rng.uniform(0, 360)])), 1.0
    )
    turned = cv2.warpAffine(image, turn, (960, 960), borderMode=cv2.BORDER_REFLECT_101)[
        160:800, 160:800
    ]
    return as_field(turned * (1 + 0.04 * fractal(rng, (640, 640), 220, 3))[..., None])


def keyboard(rng: np.random.Generator) -> Rgb:
    """Part of a keyboard: letters, digits and signs on caps."""
    pitch_px = rng.uniform(48, 110)
    dark = rng.random() < 0.7
    body, cap = ((26, 26, 28), (44, 44, 48)) if dark else ((170, 172, 175), (228, 229, 230))
    ink = (215, 215, 215) if dark else (50, 50, 55)
    picture = Image.new("RGB", (960, 960), body)
    pen = ImageDraw.Draw(picture)
    font = any_font(rng, pitch_px * rng.uniform(0.26, 0.42))
    rows = ("1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./")
    for row in range(int(960 / pitch_px) + 1):
        letters = rows[row % 4]
        for column in range(int(960 / pitch_px) + 1):
            x, y = (column + 0.25 * (row % 4)) * pitch_px, row * pitch_px
            gap = pitch_px * 0.06
            pen.rounded_rectangle(
                (x + gap, y + gap, x + pitch_px - gap, y + pitch_px - gap), pitch_px * 0.12, cap
            )
            letter = letters[column % len(letters)] if rng.random() < 0.93 else "shift"
            pen.text((x + pitch_px * 0.2, y + pitch_px * 0.16), letter, ink, font)
    turn = cv2.getRotationMatrix2D((480, 480), rng.uniform(0, 360), 1.0)
    turned = cv2.warpAffine(
        np.asarray(picture), turn, (960, 960), borderMode=cv2.BORDER_REFLECT_101
    )
    return as_field(turned[160:800, 160:800] / 255)
