"""Choose how a deck looks: stock, inks, index sizes, pips, courts and art, weighted as in shops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from drawn_canvas import Colour, Ink, rgb
from drawn_fonts import Font, can_print, choose_font, word_mask
from drawn_pips import MASTER_PX, Pip, draw_pip

Family = Literal["ordinary", "black", "four_colour", "odd"]
Place = Literal["below", "right"]
Middle = Literal["standard", "one_big", "none", "small", "big_rank"]
Courts = Literal["figure", "ornament", "letter", "big_pip", "plain_frame"]


@dataclass(frozen=True)
class IndexStyle:
    """How the index is set; heights are shares of the card's height, widths of its width."""

    font: Font
    height: float
    rank_share: float
    gap_share: float
    place: Place
    right_pip_share: float
    stretch: float
    max_rank_width: float
    margin_x: float
    margin_y: float
    corners: int
    ten_gap: float
    ten_stretch: float
    outline: bool
    plate: bool


@dataclass(frozen=True)
class DeckStyle:
    """Everything that one deck's 54 faces have in common."""

    family: Family
    height_px: int
    width_px: int
    corner_radius: float
    paper: Colour
    inks: dict[str, Ink]
    pips: dict[str, Pip]
    index: IndexStyle
    middle: Middle
    middle_pip: float
    pip_columns: float
    courts: Courts
    court_palette: tuple[Colour, ...]
    frame: Ink | None
    art: Literal["none", "faded", "full"]
    ornate_ace: bool
    language: str = "english"  # of the courts' letters; LANGUAGE_RANKS names them

    @property
    def dark(self) -> bool:
        """Whether the stock is darker than its inks."""
        return sum(self.paper) < 330


FAMILY_WEIGHTS: dict[Family, float] = {
    "ordinary": 0.60,
    "black": 0.15,
    "four_colour": 0.10,
    "odd": 0.15,
}

# Poker, bridge, mini, square-ish, tarot: width over height of what is sold, poker most of all.
ASPECTS = (63.5 / 88.9, 57 / 89, 44 / 63, 59 / 88, 70 / 89, 70 / 120, 61 / 112)
ASPECT_WEIGHTS = (0.5, 0.25, 0.07, 0.07, 0.05, 0.03, 0.03)

REDS = (0xD4141E, 0xE02020, 0xC8102E, 0xB01218, 0xA01820, 0x8C1A1A, 0x7A2A20, 0x8A3B2A,
        0xE0401C, 0xE8502A, 0xCC2244, 0xF02A2A)  # fmt: skip
BLACKS = (0x101010, 0x000000, 0x1A1A1C, 0x141A2C, 0x182040, 0x2A2420, 0x222222)
WHITES = (0xFFFFFF, 0xFEFEFC, 0xFAFAF6, 0xFFFFFF, 0xF6F2E8)
CREAMS = (0xF4EBD4, 0xEFE3C4, 0xEADCB8, 0xE4E2DE, 0xD8D8D6, 0xF2E6DA)
COLOURED = (0xF6D9D0, 0xCFE3F0, 0xD8EBCF, 0xF4E58A, 0xE9C46A, 0xC9B8DC, 0xF2B8C6, 0x9FCFC4,
            0xB58B5A, 0xA7B0B8)  # fmt: skip
BLACK_PAPERS = (0x0A0A0A, 0x121212, 0x1A1A1A, 0x141820, 0x1C1614, 0x24242A, 0x101A24, 0x2A1016)
GOLDS = ((0xC9A24B, 0xF5E3A1), (0xB8862D, 0xE9CC7A), (0xD9B65A, 0x9A7424), (0xC48A3A, 0xE8B878))
SILVERS = ((0xB4B8BC, 0xF4F6F8), (0x8E949A, 0xD6DADE), (0xD8D8D8, 0xFFFFFF))
GLYPH_SHARE = 0.35  # of the decks whose pips are a font's
GLYPHS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
FOUR_COLOURS = (  # clubs, diamonds, hearts, spades
    (0x0F8A3C, 0x1450B4, 0xD41420, 0x101010),
    (0x006B2D, 0x0078C8, 0xC8102E, 0x000000),
    (0x1C9A50, 0xE87A10, 0xD41420, 0x141A2C),
    (0x1450B4, 0xE8A010, 0xD41420, 0x101010),
    (0x0F8A3C, 0xE06A10, 0xC81830, 0x1850A8),
    (0x7A2A90, 0x1478C0, 0xE01A30, 0x202020),
)


def _choose_pips(
    rng: np.random.Generator, fonts: tuple[Font, ...], held_out: bool, outline_share: float
) -> dict[str, Pip]:
    """Choose pips: drawn ones, or those of a font, as home-made and cheap decks print them."""
    with_pips = [font for font in fonts if all(can_print(font, sign) for sign in GLYPHS.values())]
    if not with_pips or rng.random() >= GLYPH_SHARE:
        return {suit: draw_pip(rng, suit, held_out, outline_share) for suit in "CDHS"}
    font = with_pips[int(rng.integers(len(with_pips)))]
    return {
        suit: Pip(word_mask(font, sign, MASTER_PX), outline_share) for suit, sign in GLYPHS.items()
    }


def choose_style(
    rng: np.random.Generator, fonts: tuple[Font, ...], held_out: bool, height_px: int
) -> DeckStyle:
    """Choose a random deck style with a font of `fonts`."""
    families = list(FAMILY_WEIGHTS)
    family = families[int(rng.choice(len(families), p=list(FAMILY_WEIGHTS.values())))]
    aspect = ASPECTS[int(rng.choice(len(ASPECTS), p=ASPECT_WEIGHTS))] * rng.uniform(0.985, 1.015)
    outline_share = float(rng.uniform(0.06, 0.11)) if rng.random() < _outlines(family) else 0.0
    paper, inks = _paper_and_inks(rng, family)
    art: Literal["none", "faded", "full"] = "none"
    if family in ("odd", "black") and rng.random() < 0.45:
        art = "full" if rng.random() < 0.5 else "faded"
    return DeckStyle(
        family=family,
        height_px=height_px,
        width_px=round(height_px * aspect),
        corner_radius=float(rng.uniform(0.035, 0.08)),
        paper=paper,
        inks=inks,
        pips=_choose_pips(rng, fonts, held_out, outline_share),
        index=_choose_index(rng, fonts, family, art == "full"),
        middle=_choose_middle(rng, family),
        middle_pip=float(rng.uniform(0.13, 0.19)),
        pip_columns=float(rng.uniform(0.18, 0.235)),
        courts=_choose_courts(rng, family),
        court_palette=_court_palette(rng, paper, inks),
        frame=_choose_frame(rng, inks, family),
        art=art,
        ornate_ace=bool(rng.random() < 0.6),
    )


def _outlines(family: Family) -> float:
    return {"ordinary": 0.02, "four_colour": 0.04, "black": 0.1, "odd": 0.2}[family]


def _pick(rng: np.random.Generator, codes: tuple[int, ...]) -> Colour:
    """One of the colours, a little off as prints are."""
    colour = np.array(rgb(codes[int(rng.integers(len(codes)))])) + rng.normal(0, 5, 3)
    blue, green, red = (int(part) for part in colour.clip(0, 255))
    return blue, green, red


def _metal(rng: np.random.Generator, metals: tuple[tuple[int, int], ...]) -> Ink:
    """Choose a metallic ink, shimmering in two decks of three."""
    low, high = metals[int(rng.integers(len(metals)))]
    shimmer = rgb(high) if rng.random() < 0.66 else None
    return Ink(rgb(low), shimmer, float(rng.uniform(25, 220)))


def _paper_and_inks(rng: np.random.Generator, family: Family) -> tuple[Colour, dict[str, Ink]]:
    """Choose the stock and the four suits' inks."""
    if family == "black":
        return _pick(rng, BLACK_PAPERS), _black_deck_inks(rng)
    papers: tuple[int, ...] = COLOURED if family == "odd" and rng.random() < 0.5 else WHITES
    if papers is WHITES and rng.random() < 0.17:
        papers = CREAMS
    paper = _pick(rng, papers)
    if family == "four_colour" or (family == "odd" and rng.random() < 0.15):
        scheme = FOUR_COLOURS[int(rng.choice(len(FOUR_COLOURS), p=[0.5, 0.2] + [0.075] * 4))]
        codes = zip("CDHS", scheme, strict=True)
        return paper, {suit: Ink(_pick(rng, (code,))) for suit, code in codes}
    red, black = Ink(_pick(rng, REDS)), Ink(_pick(rng, BLACKS))
    if family == "odd" and rng.random() < 0.15:
        red = _metal(rng, ((0xA01820, 0xE05040), (0x9A6A1C, 0xC89A40)))
    if family == "odd" and rng.random() < 0.12:
        red = black
    return paper, {"C": black, "D": red, "H": red, "S": black}


def _black_deck_inks(rng: np.random.Generator) -> dict[str, Ink]:
    """Inks on black stock: light or grey for the black suits, red or gold for the red ones."""
    gold, silver = _metal(rng, GOLDS), _metal(rng, SILVERS)
    red = Ink(_pick(rng, (0xD41C24, 0xE03030, 0xB01820, 0xF04040, 0x901418, 0xE8502A)))
    white = Ink(_pick(rng, (0xFFFFFF, 0xF0EDE4, 0xDCDCDC)))
    grey = Ink(_pick(rng, (0x505054, 0x66666A, 0x7A7A80, 0x8C8C90)))
    pairs = ((white, red), (silver, red), (silver, gold), (white, gold), (gold, red),
             (gold, gold), (silver, silver), (grey, red), (grey, grey))  # fmt: skip
    weights = (0.18, 0.14, 0.12, 0.08, 0.1, 0.2, 0.06, 0.08, 0.04)
    black_suits, red_suits = pairs[int(rng.choice(len(pairs), p=weights))]
    return {"C": black_suits, "D": red_suits, "H": red_suits, "S": black_suits}


def _choose_index(
    rng: np.random.Generator, fonts: tuple[Font, ...], family: Family, on_art: bool
) -> IndexStyle:
    """Index size classes: small casino, standard, jumbo, low vision."""
    size = int(rng.choice(4, p=[0.22, 0.43, 0.25, 0.10]))
    low, high = ((0.11, 0.15), (0.155, 0.22), (0.24, 0.34), (0.34, 0.46))[size]
    height = float(rng.uniform(low, high))
    right = rng.random() < (0.03, 0.05, 0.10, 0.25)[size]
    rank_share = float(rng.uniform(0.48, 0.66)) if size < 3 else float(rng.uniform(0.6, 0.76))
    gap_share = float(rng.choice([0.02, 0.06, 0.1, 0.2, 0.32], p=[0.2, 0.3, 0.25, 0.15, 0.1]))
    widest = (0.13, 0.17, 0.25, 0.34)[size] * float(rng.uniform(0.85, 1.15))
    return IndexStyle(
        font=choose_font(rng, fonts),
        height=height * (0.62 if right else 1.0),
        rank_share=1.0 if right else rank_share,
        gap_share=gap_share,
        place="right" if right else "below",
        right_pip_share=float(rng.uniform(0.45, 1.0)),
        stretch=float(rng.uniform(0.6, 0.85) if rng.random() < 0.4 else rng.uniform(0.85, 1.1)),
        max_rank_width=widest,
        margin_x=float(rng.uniform(0.02, 0.065)),
        margin_y=float(rng.uniform(0.018, 0.06)),
        corners=4 if rng.random() < (0.25, 0.2, 0.12, 0.0)[size] else 2,
        ten_gap=float(rng.uniform(0.02, 0.12)),
        ten_stretch=float(rng.uniform(0.62, 0.95)),
        outline=bool(rng.random() < (0.05 if family in ("odd", "black") else 0.0)),
        plate=on_art and bool(rng.random() < 0.6),
    )


def _choose_middle(rng: np.random.Generator, family: Family) -> Middle:
    kinds: tuple[Middle, ...] = ("standard", "one_big", "none", "small", "big_rank")
    weights = (0.86, 0.05, 0.01, 0.06, 0.02) if family == "ordinary" else (0.5, 0.2, 0.1, 0.1, 0.1)
    return kinds[int(rng.choice(5, p=weights))]


def _choose_courts(rng: np.random.Generator, family: Family) -> Courts:
    kinds: tuple[Courts, ...] = ("figure", "ornament", "letter", "big_pip", "plain_frame")
    weights = (
        (0.82, 0.08, 0.04, 0.04, 0.02) if family == "ordinary" else (0.5, 0.2, 0.12, 0.1, 0.08)
    )
    return kinds[int(rng.choice(5, p=weights))]


def _court_palette(
    rng: np.random.Generator, paper: Colour, inks: dict[str, Ink]
) -> tuple[Colour, ...]:
    """Outline, three robe colours and skin; muted to the inks on black stock."""
    if sum(paper) < 330:
        light, warm = inks["S"].colour, inks["H"].colour
        shade = _pick(rng, (0x404048, 0x302820, 0x503018, 0x203040))
        return light, warm, shade, light, paper
    outlines = _pick(rng, (0x101010, 0x182048, 0x202020))
    robes = (
        _pick(rng, (0xD41C24, 0xC02028, 0xA82020, 0xE04030)),
        _pick(rng, (0xF2C81E, 0xE8B820, 0xF0D860, 0xD8A848)),
        _pick(rng, (0x1C3C90, 0x1860B0, 0x101010, 0x2A2A60, 0x20704A)),
    )
    skin = paper if rng.random() < 0.6 else _pick(rng, (0xF4D8C0, 0xE8C0A0, 0xB88860))
    return outlines, *robes, skin


def _choose_frame(rng: np.random.Generator, inks: dict[str, Ink], family: Family) -> Ink | None:
    """Choose a fine line round the card, in some decks."""
    if rng.random() > (0.07 if family == "ordinary" else 0.25):
        return None
    return inks["S"] if rng.random() < 0.6 else inks["H"]
