"""Find text fonts, keep some families for held-out decks, and draw words with them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from drawn_canvas import INKED, Mask, cropped, resized, tight

# Families that only held-out decks use, one of each kind: condensed, humanist and grotesque sans,
# Didone, Bookman, Cambria-like, slab. None is a copy of a family the other decks use.
HELD_OUT_FAMILIES = frozenset(
    {"BebasNeue", "Cabin", "GFSDidot", "GFSDidotBold",
     "URWBookman", "DejaVuSerif", "DejaVuSerifCondensed", "Karla", "Caladea"}
)  # fmt: skip

# Debian font folders worth taking, and what in a file's name marks a font that is no use as an
# index: symbols, hairlines that vanish at card size, and sizes made for something else.
DEBIAN_FOLDERS = Path("/usr/share/fonts")
TEXT_FAMILIES = (
    "BebasNeue", "Cabin", "Cantarell", "GFSDidot", "LinBiolinum_R",
    "LinLibertine_R", "RobotoSlab", "C059", "NimbusRoman", "NimbusSansNarrow", "P052",
    "URWBookman", "URWGothic", "Comfortaa", "Carlito-Bold", "DejaVuSans-Bold",
    "DejaVuSansCondensed-Bold", "DejaVuSerif", "FreeSansBold", "FreeSerifBold", "Lato-Black",
    "Lato-Bold", "Lato-Light", "Lato-Regular", "LiberationSans", "LiberationSerif", "OpenSans",
    "GFSBodoni", "AveriaSerif", "Karla", "LeagueSpartan", "Caladea", "ClearSans", "Dosis",
)  # fmt: skip
USELESS = (
    "Hairline",
    "Thin",
    "Tamil",
    "wght",
    "BoldItalic",
    "BdIta",
    "ExtraLight",
    "_RZ",
    "_RI",
    "_RBI",
)
MAX_FONT_BYTES = 15_000_000
# The largest files are large for scripts no card prints; families above this are doubles.
MAX_FILE_BYTES = 520_000
REFERENCE_PX = 140


@dataclass(frozen=True)
class Font:
    """A font file and its family, the start of the file's name."""

    path: Path

    @property
    def family(self) -> str:
        """What all cuts of the font share."""
        return self.path.stem.split("-")[0].split("_")[0]

    @property
    def slanted(self) -> bool:
        """Whether this is an italic or oblique cut."""
        stem = self.path.stem
        return "Italic" in stem or "Oblique" in stem


@lru_cache(maxsize=8)
def find_fonts(folders: tuple[Path, ...], held_out: bool) -> tuple[Font, ...]:
    """Return the readable fonts under `folders` that decks of this kind may use, by file name.

    Raises ValueError when there are none.
    """
    files = [path for folder in folders for path in folder.rglob("*.[ot]tf")]
    fonts = [Font(path) for path in sorted(files, key=lambda path: path.name)]
    chosen = [font for font in fonts if (font.family in HELD_OUT_FAMILIES) == held_out]
    usable = tuple(font for font in chosen if _can_print_ranks(font))
    if not usable:
        kind = "held-out" if held_out else "training"
        where = ", ".join(str(folder) for folder in folders) or "no folder"
        raise ValueError(f"no {kind} font in {where}: run drawn.py --collect-fonts first")
    return usable


def choose_font(rng: np.random.Generator, fonts: tuple[Font, ...]) -> Font:
    """Return a random font: families weigh alike, slanted cuts are rare as on real cards."""
    upright = [font for font in fonts if not font.slanted]
    slanted = [font for font in fonts if font.slanted]
    pool = slanted if slanted and (not upright or rng.random() < 0.06) else upright
    families = sorted({font.family for font in pool})
    family = families[int(rng.integers(len(families)))]
    cuts = [font for font in pool if font.family == family]
    return cuts[int(rng.integers(len(cuts)))]


def collect_fonts(target: Path) -> int:
    """Copy varied text fonts of installed Debian packages to `target`; returns their bytes.

    Raises ValueError when nothing is installed.
    """
    target.mkdir(parents=True, exist_ok=True)
    total_bytes = 0
    for path in sorted(DEBIAN_FOLDERS.rglob("*.[ot]tf"), key=lambda path: path.name):
        wanted = path.name.startswith(TEXT_FAMILIES)
        if not wanted or any(word in path.name for word in USELESS):
            continue
        if Font(path).slanted and not path.name.startswith(("C059", "P052", "Liberation")):
            continue
        size_bytes = path.stat().st_size
        if size_bytes > MAX_FILE_BYTES or total_bytes + size_bytes > MAX_FONT_BYTES:
            continue
        total_bytes += size_bytes
        shutil.copyfile(path, target / path.name)
    if not total_bytes:
        raise ValueError(f"no text fonts under {DEBIAN_FOLDERS}: install some font packages")
    return total_bytes


@lru_cache(maxsize=256)
def _loaded(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), REFERENCE_PX, layout_engine=ImageFont.Layout.BASIC)


def _can_print_ranks(font: Font) -> bool:
    """Whether every sign has a glyph of its own and the figures are lining ones."""
    try:
        glyphs = [_glyph(font, sign) for sign in "A23456789JQK10"]
    except (OSError, ValueError):
        return False
    lining = glyphs[-1].shape[0] > 0.9 * _glyph(font, "8").shape[0]
    return lining and len({glyph.tobytes() for glyph in glyphs}) == len(glyphs)


def can_print(font: Font, sign: str) -> bool:
    """Whether a font has a glyph of its own for a letter."""
    glyph, unassigned = _on_baseline(font, sign), _on_baseline(font, "\u0378")
    return bool(glyph.any()) and not np.array_equal(glyph, unassigned)


@lru_cache(maxsize=2048)
def _glyph(font: Font, text: str) -> Mask:
    """Return the tight mask of a text at the reference size."""
    return cropped(_on_baseline(font, text))


def _on_baseline(font: Font, text: str) -> Mask:
    """Return the text at the reference size, its baseline at row 2 * REFERENCE_PX."""
    width_px = int(_loaded(font.path).getlength(text)) + 2 * REFERENCE_PX
    canvas = Image.new("L", (width_px, 3 * REFERENCE_PX), 0)
    draw = ImageDraw.Draw(canvas)
    draw.text((REFERENCE_PX, 2 * REFERENCE_PX), text, 255, font=_loaded(font.path), anchor="ls")
    return np.asarray(canvas, np.uint8)


def word_mask(font: Font, text: str, height_px: float, stretch: float = 1.0) -> Mask:
    """Return a word whose inked part is `height_px` high; `stretch` widens or narrows it."""
    mask = _glyph(font, text)
    return resized(mask, height_px, mask.shape[1] * stretch * height_px / mask.shape[0])


def rank_mask(font: Font, sign: str, height_px: float, stretch: float, ten_gap: float) -> Mask:
    """Return a rank as printed, its body `height_px` high; the tail of a Q may hang below.

    Digits are brought to one height, as cards print lining figures only. `ten_gap` is the white
    between 1 and 0 over the height.
    """
    if sign == "10":
        parts = [rank_mask(font, digit, height_px, stretch, 0.0) for digit in "10"]
        gap = np.zeros((parts[0].shape[0], max(0, round(ten_gap * height_px))), np.uint8)
        return np.concatenate([parts[0], gap, parts[1]], axis=1)
    mask = _glyph(font, sign)
    scale = height_px / mask.shape[0]
    if sign == "Q":
        _, top, _, _ = tight(_on_baseline(font, sign))
        scale = height_px / max(2 * REFERENCE_PX - top, 0.7 * mask.shape[0])
    shrunk = resized(mask, mask.shape[0] * scale, mask.shape[1] * scale * stretch)
    return shrunk if shrunk.max() >= INKED else cropped(mask)
